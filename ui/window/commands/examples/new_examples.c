/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that make examples from others or from a folder of sculpts, each as one step of the history: in-betweens, combinations,
 * sculpts by name. The new example is then shown in its pose, to be sculpted.
 */
#include "edit/examples/new_examples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "edit/examples/falloffs.h"
#include "edit/examples/sculpt_folder.h"
#include "edit/examples/transfer_examples.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"
#include "window/units/lengths.h"

typedef struct new_request {
	uint32_t example, groups[2];
	uint32_t examples[2]; /* that are on in a combination; SNW_NONE: the method chooses */
	double share;
	snw_arena *arena;
	snw_new_example made;
	snw_sculpt_folder folder;
	const char *path; /* of another project */
	snw_example_transfer transfer;
	snw_group_falloff falloff;
} new_request;

static snw_job *make_job(const char *verb, const char *name, new_request **request) {
	snw_job *job = snw_job_create(verb, sizeof(new_request));
	job->label = snw_arena_format(job->arena, "%s %s", verb, name);
	*request = job->request;
	(*request)->arena = job->arena;
	return job;
}

/* Shows the new example in its pose. */
static void show_example(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const new_request *request = data;
	(void)job;
	const snw_scene *scene = session->document->scene;
	snw_session_choose_pose(session, snw_scene_find_pose(scene, request->made.pose));
	session->state.example = snw_scene_find_example(scene, request->made.name);
	session->state.group = request->made.group ? snw_scene_find_group(scene, request->made.group) : SNW_NONE;
	snw_view_state_say(&session->state, "%s starts as the skin is now. Sculpt it.", request->made.name);
}

/* ---- in-betweens --------------------------------------------------------------------------------------------------------- */

static snw_status put_between(snw_job_context *context, void *data, snw_error *error) {
	new_request *request = data;
	return snw_project_put_between(context->project, context->document->scene, context->registry, request->example,
								   request->share, NULL, NULL, request->arena, &request->made, error);
}

static snw_status commit_between(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put_between, request, error);
}

void snw_do_example_between(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, "");
	if (example == SNW_NONE || snw_session_asks(session, command, "50")) {
		return;
	}
	char *end;
	const double percent = strtod(command->text, &end);
	if (end == command->text || end[strspn(end, " %")] != '\0' || !(percent > 0 && percent < 100)) {
		snw_view_state_warn(&session->state, "Enter a percentage between 0 and 100, such as 50.");
		return;
	}
	new_request *request;
	snw_job *job = make_job("add in-between of", session->document->scene->examples[example].name, &request);
	request->example = example;
	request->share = percent / 100;
	job->run = commit_between;
	job->done = show_example;
	snw_session_send(session, job);
}

/* ---- combinations -------------------------------------------------------------------------------------------------------- */

static snw_status put_combination(snw_job_context *context, void *data, snw_error *error) {
	new_request *request = data;
	return snw_project_put_combination(context->project, context->document->scene, context->registry, request->groups,
									   request->examples, NULL, request->arena, &request->made, error);
}

static snw_status commit_combination(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put_combination, request, error);
}

void snw_do_group_combine(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t group = session->state.group;
	if (group >= scene->group_count) {
		snw_view_state_warn(&session->state, "Select the first of the two groups to combine.");
		return;
	}
	if (snw_session_asks(session, command, "")) {
		return;
	}
	const uint32_t other = snw_scene_find_group(scene, command->text);
	if (other == SNW_NONE) {
		snw_view_state_warn(&session->state, "No group has this name.");
		return;
	}
	new_request *request;
	snw_job *job = make_job("combine groups", scene->groups[group].name, &request);
	request->groups[0] = group;
	request->groups[1] = other;
	request->examples[0] = request->examples[1] = SNW_NONE;
	job->label = snw_arena_format(job->arena, "combine groups %s and %s", scene->groups[group].name, scene->groups[other].name);
	job->run = commit_combination;
	job->done = show_example;
	snw_session_send(session, job);
}

/* ---- a folder of sculpts ------------------------------------------------------------------------------------------------- */

static snw_status put_folder(snw_job_context *context, void *data, snw_error *error) {
	new_request *request = data;
	const snw_worker_limits limits = {0};
	request->folder.limits = &limits;
	const snw_status status = snw_project_put_sculpt_folder(context->project, context->registry, context->task, request->arena,
															&request->folder, error);
	request->folder.limits = NULL;
	return status;
}

static snw_status commit_folder(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put_folder, request, error);
}

/* "5 sculpts imported, 2 mirrored; skipped: chest.obj (no example and no pose has this name)". */
static void report_folder(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const snw_sculpt_folder *folder = &((new_request *)data)->folder;
	char skipped[300] = "", mirrored[40] = "";
	uint32_t mirrored_count = 0, skipped_count = 0;
	(void)job;
	for (uint32_t i = 0; i < folder->count; i++) {
		const snw_sculpt_file *file = &folder->files[i];
		mirrored_count += file->mirrored != NULL;
		if (file->skipped && skipped_count++ == 0) {
			snprintf(skipped, sizeof skipped, "%.80s: %.180s", file->name, file->skipped);
		}
	}
	if (mirrored_count > 0) {
		snprintf(mirrored, sizeof mirrored, ", %u mirrored", mirrored_count);
	}
	if (skipped_count > 0) {
		char words[400];
		snprintf(words, sizeof words, "%u sculpt%s imported%s; %u skipped (%s).", folder->taken_count,
				 snw_plural(folder->taken_count), mirrored, skipped_count, skipped);
		snw_view_state_warn(&session->state, words);
	} else {
		snw_view_state_say(&session->state, "%u sculpt%s imported%s.", folder->taken_count, snw_plural(folder->taken_count),
						   mirrored);
	}
}

static void take_folder(snw_session *session, const snw_command *command, bool is_mirrored) {
	if (snw_session_asks(session, command, session->folder)) {
		return;
	}
	new_request *request;
	snw_job *job = make_job("import sculpts from", command->text, &request);
	request->folder.folder = snw_arena_text(job->arena, command->text);
	request->folder.mesh = SNW_NONE;
	request->folder.is_mirrored = is_mirrored;
	job->run = commit_folder;
	job->done = report_folder;
	snw_session_send(session, job);
}

void snw_do_example_folder(snw_session *session, const snw_command *command) {
	take_folder(session, command, false);
}

void snw_do_example_folder_mirror(snw_session *session, const snw_command *command) {
	take_folder(session, command, true);
}

/* ---- another project ----------------------------------------------------------------------------------------------------- */

/* The first of its meshes that has examples. */
static uint32_t mesh_with_examples(const snw_scene *scene) {
	return scene->example_count > 0 ? scene->examples[0].mesh : SNW_NONE;
}

static snw_status put_transferred(snw_job_context *context, void *data, snw_error *error) {
	new_request *request = data;
	snw_project *other = NULL;
	snw_scene *from = NULL;
	snw_status status = snw_project_open(request->path, true, &other, error);
	status = snw_failed(status) ? status : snw_project_scene(other, &from, error);
	if (!snw_failed(status)) {
		request->transfer.from = from;
		request->transfer.from_mesh = mesh_with_examples(from);
		status = request->transfer.from_mesh == SNW_NONE
					 ? snw_fail(error, SNW_ERROR_MISSING, "%s has no examples", request->path)
					 : snw_project_put_transferred(context->project, context->document->scene, context->registry, context->task,
												   request->arena, &request->transfer, error);
		request->transfer.from = NULL;
	}
	snw_scene_destroy(from);
	snw_project_close(other);
	return status;
}

static snw_status commit_transfer(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put_transferred, request, error);
}

/* Says what a transfer back loses: the mean of the sculpts, and the point that is farthest off. */
static void report_transfer(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const snw_example_transfer *transfer = &((new_request *)data)->transfer;
	const snw_taken_example *worst = NULL;
	double mean = 0;
	char mean_words[40], most_words[40];
	(void)job;
	for (uint32_t i = 0; i < transfer->taken_count; i++) {
		const snw_taken_example *taken = &transfer->taken[i];
		mean += taken->residual_length / transfer->taken_count;
		worst = !worst || taken->residual_most > worst->residual_most ? taken : worst;
	}
	snw_length_write(session, mean, mean_words, sizeof mean_words);
	snw_length_write(session, worst ? worst->residual_most : 0, most_words, sizeof most_words);
	snw_view_state_say(&session->state,
					   "%u sculpt%s transferred, %u of %u joints paired. Residual: mean %s, largest %s in %.80s near %.80s.",
					   transfer->taken_count, snw_plural(transfer->taken_count), transfer->paired_count, transfer->joint_count,
					   mean_words, most_words, worst ? worst->name : "none", worst ? worst->worst_joint : "none");
}

void snw_do_transfer(snw_session *session, const snw_command *command) {
	const uint32_t mesh = snw_session_mesh(session);
	if (mesh == SNW_NONE || snw_session_asks(session, command, session->folder)) {
		return;
	}
	new_request *request;
	snw_job *job = make_job("transfer sculpts from", command->text, &request);
	request->path = snw_arena_text(job->arena, command->text);
	request->transfer.mesh = mesh;
	job->run = commit_transfer;
	job->done = report_transfer;
	snw_session_send(session, job);
}

/* ---- falloffs ------------------------------------------------------------------------------------------------------------ */

static snw_status put_falloff(snw_job_context *context, void *data, snw_error *error) {
	const new_request *request = data;
	return snw_project_put_group_falloff(context->project, context->document->scene, context->registry, request->groups[0],
										 &request->falloff, error);
}

static snw_status commit_falloff(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put_falloff, request, error);
}

void snw_do_group_falloff(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (session->state.group >= scene->group_count) {
		snw_view_state_warn(&session->state, "Select a group first.");
		return;
	}
	const snw_group_falloffs *of_method = snw_group_falloffs_of_method(scene, session->registry);
	if (snw_session_asks(session, command, of_method ? of_method->names[0] : "")) {
		return;
	}
	new_request *request;
	snw_job *job = make_job("change falloff of", scene->groups[session->state.group].name, &request);
	uint32_t count, found = SNW_NONE;
	const snw_group_falloff *list = snw_group_falloffs_list(of_method, snw_group_falloffs_path(job->arena), job->arena, &count);
	for (uint32_t i = 0; i < count; i++) {
		found = strcmp(list[i].name, command->text) == 0 ? i : found;
	}
	if (found == SNW_NONE) {
		snw_view_state_warn(&session->state, "No falloff has this name.");
		snw_job_destroy(job);
		return;
	}
	request->groups[0] = session->state.group;
	request->falloff = list[found];
	job->run = commit_falloff;
	snw_session_send(session, job);
}

void snw_do_group_falloff_save(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (session->state.group >= scene->group_count) {
		snw_view_state_warn(&session->state, "Select a group first.");
		return;
	}
	if (snw_session_asks(session, command, scene->groups[session->state.group].name)) {
		return;
	}
	snw_arena *scratch = snw_arena_create();
	const char *path = snw_group_falloffs_path(scratch);
	const char *settings = snw_group_falloff_of(scene, session->registry, session->state.group, scratch);
	snw_error error = {0};
	if (!path || !settings) {
		snw_view_state_warn(&session->state, path ? "The group has no falloff yet; sculpt or fit first."
												  : "There is no folder for falloffs; set HOME or XDG_CONFIG_HOME.");
	} else if (snw_failed(snw_group_falloff_save(path, snw_group_falloffs_of_method(scene, session->registry), command->text,
												 settings, &error))) {
		snw_view_state_warn(&session->state, error.text);
	} else {
		snw_view_state_say(&session->state, "Falloff %s is saved for all your projects.", command->text);
	}
	snw_arena_destroy(scratch);
}
