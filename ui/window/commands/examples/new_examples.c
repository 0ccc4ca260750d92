/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that make examples from a folder of sculpts or from another project, each as one step of the history.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "example/sculpt_files.h"
#include "example/transfer.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"
#include "window/units/lengths.h"

/* What was taken from another project. */
typedef struct transfer_sum {
	uint32_t count, joint_count, paired_count;
	double residual_sum;            /* metres */
	const snw_taken_example *worst; /* the one with the largest residual of a point; NULL: none */
	const char *left;               /* the meshes whose sculpts were not taken; NULL: none */
} transfer_sum;

typedef struct new_request {
	snw_arena *arena;
	snw_sculpt_folder folder;
	const char *path; /* of another project */
	uint32_t mesh;    /* that is active */
	transfer_sum sum;
} new_request;

static snw_job *make_job(const char *verb, const char *name, new_request **request) {
	snw_job *job = snw_job_create(verb, sizeof(new_request));
	job->label = snw_arena_format(job->arena, "%s %s", verb, name);
	*request = job->request;
	(*request)->arena = job->arena;
	return job;
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

/* "; 2 skipped (chest: no example and no pose has this name)": how many files have a reason, and the first one. */
static void write_reasons(const snw_sculpt_folder *folder, const char *what, bool of_mirroring, char *words, size_t size) {
	const char *name = NULL, *first = NULL;
	uint32_t count = 0;
	for (uint32_t i = 0; i < folder->count; i++) {
		const snw_sculpt_file *file = &folder->files[i];
		const char *why = of_mirroring ? file->unmirrored : file->skipped;
		if (why && count++ == 0) {
			name = file->name;
			first = why;
		}
	}
	words[0] = '\0';
	if (count > 0) {
		snprintf(words, size, "; %u %s (%.80s: %.250s)", count, what, name, first);
	}
}

/* "5 sculpts imported, 2 mirrored; 1 skipped (chest: no example and no pose has this name)." */
static void report_folder(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const snw_sculpt_folder *folder = &((new_request *)data)->folder;
	char words[1000], skipped[400], unmirrored[400], mirrored[40] = "";
	uint32_t mirrored_count = 0;
	(void)job;
	for (uint32_t i = 0; i < folder->count; i++) {
		mirrored_count += folder->files[i].mirrored != NULL;
	}
	if (mirrored_count > 0) {
		snprintf(mirrored, sizeof mirrored, ", %u mirrored", mirrored_count);
	}
	write_reasons(folder, "skipped", false, skipped, sizeof skipped);
	write_reasons(folder, "not mirrored", true, unmirrored, sizeof unmirrored);
	snprintf(words, sizeof words, "%u sculpt%s imported%s%s%s.", folder->taken_count, snw_plural(folder->taken_count), mirrored,
			 skipped, unmirrored);
	if (skipped[0] || unmirrored[0]) {
		snw_view_state_warn(&session->state, words);
	} else {
		snw_view_state_say(&session->state, "%s", words);
	}
}

static void take_folder(snw_session *session, const snw_command *command, bool is_mirrored) {
	if (snw_session_asks_path(session, command, SNW_DIALOG_FOLDER)) {
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

static bool has_sculpts(const snw_scene *scene, uint32_t mesh) {
	bool has = false;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		has = has || (scene->examples[i].mesh == mesh && !scene->examples[i].muted);
	}
	return has;
}

/* Of one mesh, into the scene as the meshes before it have left it. */
static snw_status take_mesh(const snw_job_context *context, const snw_scene *from, uint32_t from_mesh, uint32_t mesh,
							new_request *request, snw_error *error) {
	snw_scene *scene = NULL;
	transfer_sum *sum = &request->sum;
	snw_example_transfer transfer = {.from = from, .from_mesh = from_mesh, .mesh = mesh};
	snw_status status = snw_project_scene(context->project, &scene, error);
	status = snw_failed(status) ? status
								: snw_project_put_transferred(context->project, scene, context->registry, context->task,
															  request->arena, &transfer, error);
	for (uint32_t i = 0; i < transfer.taken_count && !snw_failed(status); i++) {
		const snw_taken_example *taken = &transfer.taken[i];
		sum->count++;
		sum->residual_sum += taken->residual_length;
		if (!sum->worst || taken->residual_most > sum->worst->residual_most) {
			sum->worst = taken;
		}
	}
	if (transfer.joint_count >= sum->joint_count) {
		sum->joint_count = transfer.joint_count;
		sum->paired_count = transfer.paired_count;
	}
	snw_scene_destroy(scene);
	return status;
}

/* The sculpts of the only mesh that has any go to the active mesh; those of several go to the meshes of the same names. */
static snw_status take_meshes(const snw_job_context *context, const snw_scene *from, new_request *request, snw_error *error) {
	const snw_scene *here = context->document->scene;
	uint32_t sculpted = 0;
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < from->mesh_count; m++) {
		sculpted += has_sculpts(from, m);
	}
	for (uint32_t m = 0; m < from->mesh_count && !snw_failed(status); m++) {
		const char *name = from->meshes[m].name;
		const uint32_t mesh = sculpted == 1 ? request->mesh : snw_scene_find_mesh(here, name);
		if (has_sculpts(from, m) && mesh != SNW_NONE) {
			status = take_mesh(context, from, m, mesh, request, error);
		} else if (has_sculpts(from, m)) {
			const char *others = request->sum.left;
			request->sum.left = snw_arena_format(request->arena, "%s%s%s", others ? others : "", others ? ", " : "", name);
		}
	}
	if (!snw_failed(status) && request->sum.count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						sculpted == 0 ? "%s has no examples"
									  : "%s: several meshes have sculpts, and no mesh here has the name of one",
						request->path);
	}
	return status;
}

static snw_status put_transferred(snw_job_context *context, void *data, snw_error *error) {
	new_request *request = data;
	snw_project *other = NULL;
	snw_scene *from = NULL;
	snw_status status = snw_project_open(request->path, true, &other, error);
	status = snw_failed(status) ? status : snw_project_scene(other, &from, error);
	status = snw_failed(status) ? status : take_meshes(context, from, request, error);
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
	const transfer_sum *sum = &((new_request *)data)->sum;
	const snw_taken_example *worst = sum->worst;
	char mean[40], most[40], words[1000];
	(void)job;
	snw_length_write(session, sum->residual_sum / fmax(sum->count, 1), mean, sizeof mean);
	snw_length_write(session, worst ? worst->residual_most : 0, most, sizeof most);
	snprintf(words, sizeof words,
			 "%u sculpt%s transferred, %u of %u joints paired. Residual: mean %s, largest %s in %.80s near %.80s.", sum->count,
			 snw_plural(sum->count), sum->paired_count, sum->joint_count, mean, most, worst ? worst->name : "none",
			 worst ? worst->worst_joint : "none");
	if (sum->left) {
		const size_t used = strlen(words);
		snprintf(words + used, sizeof words - used, " Not transferred: the sculpts of %.300s; no mesh here has that name.",
				 sum->left);
		snw_view_state_warn(&session->state, words);
	} else {
		snw_view_state_say(&session->state, "%s", words);
	}
}

void snw_do_transfer(snw_session *session, const snw_command *command) {
	const uint32_t mesh = snw_session_mesh(session);
	if (mesh == SNW_NONE || snw_session_asks_path(session, command, SNW_DIALOG_PROJECT)) {
		return;
	}
	new_request *request;
	snw_job *job = make_job("transfer sculpts from", command->text, &request);
	request->path = snw_arena_text(job->arena, command->text);
	request->mesh = mesh;
	job->run = commit_transfer;
	job->done = report_transfer;
	snw_session_send(session, job);
}
