/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on files: open, import, save, save as.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bake/bake.h"
#include "base/error.h"
#include "file/file.h"
#include "fit/stale.h"
#include "import/import.h"
#include "pose/pose.h"
#include "project/project.h"
#include "sample/sample.h"
#include "window/commands/commands.h"
#include "window/jobs/job_thread.h"
#include "window/session/session.h"
#include "window/view_file/view_file.h"
#include "worker/worker.h"

/* ---- file ---------------------------------------------------------------------------------------------------------------- */

typedef struct file_request {
	char path[2048];
	const char *folder; /* for new projects, if the folder of the imported file cannot be written */
	bool read_only;     /* the result: it can be viewed but not changed */
	/* Frames may become a target of the project that is open. */
	bool is_target;     /* and nothing else */
	uint32_t clip;      /* the clip that was shown; SNW_NONE: none */
	const char *target; /* the result: the target's name; NULL: a project */
} file_request;

/* ---- opening ------------------------------------------------------------------------------------------------------------- */

/* Replaces the open project by the one at `path`. If that cannot be written, it is opened read-only. */
static snw_status switch_to(snw_job_context *context, const char *path, file_request *request, snw_error *error) {
	snw_project *project = NULL;
	snw_error fault = {0};
	snw_status status = snw_project_open(path, false, &project, error);
	if (snw_failed(status) && !snw_failed(snw_project_open(path, true, &project, &fault))) {
		status = SNW_OK;
		request->read_only = true;
	}
	if (!snw_failed(status)) {
		snw_project_close(context->project);
		context->project = project;
		context->preview = (snw_preview){0};
		snprintf(context->path, sizeof context->path, "%s", path);
		snprintf(request->path, sizeof request->path, "%s", path);
	}
	return status;
}

/* FOLDER/STEM.sinew, with a number if that exists. */
static void free_path(const char *folder, const char *stem, char *path, size_t size) {
	snprintf(path, size, "%s/%s.sinew", folder, stem);
	for (int i = 2; snw_file_exists(path); i++) {
		snprintf(path, size, "%s/%s-%d.sinew", folder, stem, i);
	}
}

/* A sequence whose files are named by their numbers alone is named after its folder ("walk" for walk/0001.obj). */
static void name_sequence(const char *folder, char *stem, size_t size) {
	size_t end = strcspn(stem, "*");
	while (stem[end] && end > 0 && strchr("-_. ", stem[end - 1])) {
		end--; /* the characters between a name and its number */
	}
	stem[end] = '\0';
	if (!stem[0]) {
		char name[2048];
		const size_t length = strlen(folder);
		snprintf(name, sizeof name, "%.*s", length > 0 ? (int)length - 1 : 0, folder);
		snprintf(stem, size, "%.200s", name[0] ? snw_path_name(name) : "sequence");
	}
}

static void place_of_import(const file_request *request, char *path, size_t size) {
	char folder[2048], stem[300];
	const char *name = snw_path_name(request->path), *dot = strrchr(name, '.');
	snprintf(folder, sizeof folder, "%.*s", (int)(name - request->path), request->path);
	snprintf(stem, sizeof stem, "%.*s", dot && dot != name ? (int)(dot - name) : (int)strlen(name), name);
	name_sequence(folder, stem, sizeof stem);
	if (access(folder[0] ? folder : ".", W_OK) != 0) {
		snprintf(folder, sizeof folder, "%s", request->folder);
	} else if (folder[0] && folder[1]) {
		folder[strlen(folder) - 1] = '\0'; /* without the slash */
	} else if (!folder[0]) {
		snprintf(folder, sizeof folder, ".");
	}
	free_path(folder, stem, path, size);
}

static bool is_project(const char *path) {
	return strcasecmp(snw_path_extension(path), "sinew") == 0;
}

/* A point cache, or numbered files by a name with a star. */
static bool is_sequence(const char *path) {
	const snw_file_format *format = snw_file_format_of(snw_import_formats, path);
	return strchr(snw_path_name(path), '*') || (format && format->holds & SNW_FILE_FRAMES);
}

/* A mesh without a skeleton, as sculpting tools write. */
static bool is_sculpt(const char *path) {
	const snw_file_format *format = snw_file_format_of(snw_import_formats, path);
	return format && format->holds == SNW_FILE_MESH;
}

/* The mesh for a point cache: STEM.obj, STEM-rest.obj or rest.obj in its folder; NULL if there is none. */
static const char *find_rest(const char *path, snw_arena *arena) {
	const char *name = snw_path_name(path), *dot = strrchr(name, '.');
	const int folder = (int)(name - path), stem = dot ? (int)(dot - name) : (int)strlen(name);
	const char *const tried[] = {snw_arena_format(arena, "%.*s%.*s.obj", folder, path, stem, name),
								 snw_arena_format(arena, "%.*s%.*s-rest.obj", folder, path, stem, name),
								 snw_arena_format(arena, "%.*srest.obj", folder, path)};
	for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
		if (snw_file_exists(tried[i])) {
			return tried[i];
		}
	}
	return NULL;
}

static snw_status describe_import(const char *path, snw_arena *arena, snw_import_request *import, snw_error *error) {
	if (!is_sequence(path)) {
		*import = (snw_import_request){.file = path};
		return SNW_OK;
	}
	const bool has_faces = strchr(snw_path_name(path), '*');
	*import = (snw_import_request){.sequence = path, .rest = has_faces ? NULL : find_rest(path, arena)};
	if (!has_faces && !import->rest) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s: it has points but no faces; put its mesh beside it as rest.obj, or drop it on a character with as "
						"many points",
						snw_path_name(path));
	}
	return SNW_OK;
}

static snw_status open_file(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	file_request *request = data;
	if (is_project(request->path)) {
		return switch_to(context, request->path, request, error);
	}
	char path[2400];
	snw_import_request import;
	const snw_worker_limits limits = {0};
	const snw_status described = describe_import(request->path, job->arena, &import, error);
	if (described < 0) {
		return described;
	}
	place_of_import(request, path, sizeof path);
	const snw_status status = snw_worker_import(&import, path, &limits, context->task, NULL, error);
	return snw_failed(status) ? status : switch_to(context, path, request, error);
}

static void opened(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const file_request *request = data;
	const bool fell = snw_preferences_opened(&session->preferences, session->document->path);
	const uint32_t changes = session->document->changes;
	snw_view_file_read(session);
	snw_job_thread_progress(session->job_thread, &session->progress);
	if (request->read_only) {
		snw_view_state_warn(&session->state,
							"This project is read-only because its file or folder is. Use Save as… to work on a copy.");
	} else if (fell && changes > 0) {
		snprintf(session->recovered, sizeof session->recovered, "%u", changes);
		snw_session_open_dialog(session, SNW_DIALOG_RECOVER);
	} else if (session->progress.notice[0]) {
		snw_view_state_warn(&session->state, session->progress.notice);
	} else {
		snw_view_state_say(&session->state, "%s is open.", session->document->title);
	}
}

static void send_open(snw_session *session, const char *path) {
	snw_job *job = snw_job_create("opening", sizeof(file_request));
	file_request *request = job->request;
	job->opens = true;
	char *whole = realpath(path, NULL);
	snprintf(request->path, sizeof request->path, "%s", whole ? whole : path);
	free(whole);
	request->folder = snw_arena_text(job->arena, snw_preferences_data_folder(&session->preferences));
	job->label = snw_arena_format(job->arena, is_project(path) ? "opening %s" : "importing %s", snw_path_name(path));
	job->is_long = true;
	job->run = open_file;
	job->done = opened;
	snw_session_send(session, job);
}

void snw_do_forget_crashed(snw_session *session, const snw_command *command) {
	(void)command;
	snw_preferences_forget_crashed(&session->preferences);
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

/* Adds the frames as a target of a mesh: of the clip, at its keys or at the times of the file, or of a clip of their own. */
typedef enum target_place { AT_KEYS, AT_TIMES, BY_THEMSELVES, PLACE_COUNT } target_place;

static snw_status add_target(snw_job_context *context, snw_job *job, file_request *request, uint32_t mesh, target_place place,
							 snw_error *error) {
	const snw_scene *scene = context->document->scene;
	const snw_operator_noun *noun = snw_operator_noun_find("target");
	const snw_operator_context on = snw_job_operator_context(context, job->arena);
	const char *name = snw_path_name(request->path);
	const char *stem = snw_arena_format(job->arena, "%.*s", (int)strcspn(name, "*."), name);
	snw_operator_call call = {.noun = noun, .row = snw_operator_find(noun, "add")};
	snw_operator_report report;
	request->target = snw_noun_free_name(scene, SNW_NOUN_TARGET, stem[0] ? stem : "sequence", job->arena);
	snw_operator_give_named(&call, "file", request->path, job->arena);
	snw_operator_give_named(&call, "mesh", scene->meshes[mesh].name, job->arena);
	snw_operator_give_named(&call, "name", request->target, job->arena);
	if (place != BY_THEMSELVES) {
		snw_operator_give_named(&call, "clip", scene->clips[request->clip].name, job->arena);
	}
	if (place == AT_TIMES) {
		snw_operator_give_named(&call, "times", "", job->arena);
	}
	return snw_job_operate(context, job, &call, &on, &report, error);
}

/* Frames become a target of the first mesh with as many points: of the clip that is shown if they fit it. Others are
 * opened, unless a target was asked for. */
static snw_status take_frames(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	file_request *request = data;
	const snw_scene *scene = context->project ? context->document->scene : NULL;
	snw_error apart = {0};
	for (uint32_t m = 0; scene && m < scene->mesh_count; m++) {
		snw_status status = SNW_ERROR_CONFLICT;
		for (int place = request->clip < scene->clip_count ? AT_KEYS : BY_THEMSELVES;
			 status == SNW_ERROR_CONFLICT && place < PLACE_COUNT; place++) {
			status = add_target(context, job, request, m, (target_place)place, &apart);
		}
		if (!snw_failed(status) || status == SNW_CANCELLED) {
			return status;
		}
	}
	request->target = NULL;
	if (request->is_target) {
		return snw_fail(error, SNW_ERROR_DATA, "no mesh can have these frames as a target: %s", apart.text);
	}
	return open_file(context, job, data, error);
}

static void took_frames(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const file_request *request = data;
	if (request->target) {
		session->state.heat = SNW_HEAT_ERROR;
		snw_view_state_say(
			&session->state,
			"%s is now a target. The colours show how far the skin is from it; View > Error heat map hides them.",
			request->target);
	} else {
		opened(session, job, data);
	}
}

static void send_sequence(snw_session *session, const char *path, bool is_target) {
	snw_job *job = snw_job_create("reading", sizeof(file_request));
	file_request *request = job->request;
	job->opens = true;
	snprintf(request->path, sizeof request->path, "%s", path);
	request->folder = snw_arena_text(job->arena, snw_preferences_data_folder(&session->preferences));
	request->is_target = is_target;
	request->clip = session->state.clip;
	job->label = snw_arena_format(job->arena, "reading %s", snw_path_name(path));
	job->is_long = true;
	job->run = take_frames;
	job->done = took_frames;
	snw_session_send(session, job);
}

void snw_do_open(snw_session *session, const snw_command *command) {
	if (!command->text[0]) {
		snw_session_open_dialog(session, SNW_DIALOG_OPEN);
	} else if (is_sequence(command->text)) {
		send_sequence(session, command->text, false);
	} else {
		send_open(session, command->text);
	}
}

void snw_do_target_add(snw_session *session, const snw_command *command) {
	if (!snw_session_asks_path(session, command, SNW_DIALOG_FRAMES)) {
		send_sequence(session, command->text, true);
	}
}

/* A sculpt goes to the chosen example, frames to a mesh with as many points; any other file is opened. */
void snw_do_drop(snw_session *session, const snw_command *command) {
	const bool has_example = session->state.example < session->document->scene->example_count;
	struct stat about;
	if (stat(command->text, &about) == 0 && S_ISDIR(about.st_mode)) {
		char pattern[sizeof command->text + 8];
		snprintf(pattern, sizeof pattern, "%s/*.obj", command->text);
		send_sequence(session, pattern, false);
	} else if (is_sequence(command->text)) {
		send_sequence(session, command->text, false);
	} else if (is_sculpt(command->text) && has_example) {
		snw_emit_text(&session->queue, SNW_DO_EXAMPLE_FILE, command->text);
	} else {
		snw_emit_text(&session->queue, SNW_DO_OPEN, command->text);
	}
}

/* ---- the sample ---------------------------------------------------------------------------------------------------------- */

static snw_status make_sample(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job;
	file_request *request = data;
	char path[2400];
	snw_scene *scene = NULL;
	free_path(request->folder, "arm", path, sizeof path);
	snw_status status = snw_sample_make("arm", &scene, error);
	status = snw_failed(status) ? status : snw_project_write(path, scene, "sample arm", error);
	snw_scene_destroy(scene);
	return snw_failed(status) ? status : switch_to(context, path, request, error);
}

void snw_do_sample(snw_session *session, const snw_command *command) {
	(void)command;
	snw_job *job = snw_job_create("making the sample arm", sizeof(file_request));
	((file_request *)job->request)->folder = snw_arena_text(job->arena, snw_preferences_data_folder(&session->preferences));
	job->opens = true;
	job->run = make_sample;
	job->done = opened;
	snw_session_send(session, job);
}

/* ---- saving -------------------------------------------------------------------------------------------------------------- */

static snw_status save(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)job, (void)request;
	return snw_project_checkpoint(context->project, error);
}

static void saved(void *owner, const snw_job *job, void *request) {
	snw_session *session = owner;
	(void)job, (void)request;
	snw_view_state_say(&session->state, "Saved. Revert returns to this checkpoint.");
}

void snw_do_save(snw_session *session, const snw_command *command) {
	(void)command;
	if (!session->document->path) {
		snw_view_state_say(&session->state, "Nothing to save yet.");
		return;
	}
	snw_job *job = snw_job_create("saving", 0);
	job->run = save;
	job->done = saved;
	snw_session_send(session, job);
}

static snw_status save_copy(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job;
	file_request *request = data;
	snw_file_write *file = NULL;
	if (strcmp(request->path, context->path) == 0) {
		return snw_project_checkpoint(context->project, error);
	}
	snw_status status = snw_file_write_begin(request->path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *copy = snw_file_write_path(file);
	status = snw_project_copy(context->path, copy, error);
	status = snw_failed(status) ? status
								: snw_project_rebase_files(copy, context->document->scene->folder, context->registry, error);
	status = snw_failed(status) ? status : snw_project_move(copy, request->path, error);
	snw_file_write_abandon(file); /* the renamed file no longer exists under this name */
	if (snw_failed(status)) {
		const snw_error why = *error;
		return snw_fail(error, status, "%s is not written: %s", snw_path_name(request->path), why.text);
	}
	status = switch_to(context, request->path, request, error);
	return snw_failed(status) ? status : snw_project_checkpoint(context->project, error);
}

static void saved_copy(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job, (void)data;
	(void)snw_preferences_opened(&session->preferences, session->document->path);
	snw_view_state_say(&session->state, "Saved; you now work on %s.", snw_path_name(session->document->path));
}

void snw_do_save_as(snw_session *session, const snw_command *command) {
	if (!session->document->path) {
		snw_view_state_say(&session->state, "Nothing to save yet.");
		return;
	}
	if (!command->text[0]) {
		snw_session_open_dialog(session, SNW_DIALOG_SAVE_AS);
		return;
	}
	snw_job *job = snw_job_create("saving", sizeof(file_request));
	file_request *request = job->request;
	snprintf(request->path, sizeof request->path, "%s%s", command->text, is_project(command->text) ? "" : ".sinew");
	job->renames = true;
	job->run = save_copy;
	job->done = saved_copy;
	snw_session_send(session, job);
}

void snw_do_quit(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.finished = true;
}

/* ---- export -------------------------------------------------------------------------------------------------------------- */

/* Export. A file for an engine is written under a temporary name, and what it loses is shown. It gets its name if the user
 * agrees. */

typedef struct export_request {
	char path[2048], temporary[2100];
	const char *method;
	const snw_engine *engine;
	uint32_t mesh, clip;
	const snw_pose *pose;
	bool is_previewed; /* a file for an engine: shown before it is kept */
	snw_export_report report;
} export_request;

/* A bake that plays is exported with the influences that it was made for: with fewer it would not be what was measured. */
static uint32_t find_influences(const snw_scene *scene, const snw_engine *engine, const char *method) {
	const uint32_t first = method ? SNW_NONE : snw_scene_first_baked(scene);
	if (engine || first == SNW_NONE || scene->layers[first].muted) {
		return engine ? engine->influences : 4;
	}
	snw_arena *scratch = snw_arena_create();
	const char *text = snw_bake_record_read(&scene->layers[first], scratch).budget;
	snw_budget budget;
	const bool is_wide = text && !snw_failed(snw_budget_parse(text, &budget, NULL)) && budget.influences > 4;
	snw_arena_destroy(scratch);
	return is_wide ? 8 : 4;
}

static snw_status write_file(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)job;
	export_request *request = data;
	const snw_scene *scene = context->document->scene;
	const snw_stack_options stack_options = {.method = request->method};
	const snw_export_request options = {.path = request->is_previewed ? request->temporary : request->path,
										.mesh = request->mesh,
										.clip = request->clip,
										.pose = request->pose,
										.influences = find_influences(scene, request->engine, request->method),
										.engine = request->engine,
										.weights = SNW_WEIGHTS_CHOSEN};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, context->registry, &stack_options, context->task, &stack, error);
	if (!snw_failed(status)) {
		status = snw_export(scene, stack, &options, context->task, &request->report, error);
	}
	snw_stack_destroy(stack);
	return status;
}

/* A file of points: its normals are those of its faces, which the stack's may differ from. */
static void say_points(snw_session *session, const export_request *request, const char *name) {
	const snw_export_report *report = &request->report;
	char normals[100] = "";
	if (isfinite(report->playback_normals_degrees)) {
		snprintf(normals, sizeof normals, " The normals of its faces are %.2f° off, at most %.1f°.",
				 report->playback_normals_degrees, report->playback_normals_max_degrees);
	}
	if (request->pose) {
		snw_view_state_say(&session->state, "Exported %s: the mesh in this pose.%s", name, normals);
	} else {
		snw_view_state_say(&session->state, "Exported %s: %u frame%s.%s", name, report->frame_count,
						   snw_plural(report->frame_count), normals);
	}
}

static void written(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const export_request *request = data;
	const char *name = snw_path_name(request->path);
	if (request->pose || !request->is_previewed) {
		say_points(session, request, name);
		return;
	}
	session->pending_export = (snw_pending_export){.is_made = true, .report = request->report};
	snprintf(session->pending_export.path, sizeof session->pending_export.path, "%s", request->path);
	snprintf(session->pending_export.temporary, sizeof session->pending_export.temporary, "%s", request->temporary);
}

void snw_do_export(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "There is nothing to export; open a character first.");
		return;
	}
	if (session->pending_export.is_made) { /* one that was asked for while this one waited is not answered for the user */
		snw_session_open_dialog(session, SNW_DIALOG_REPORT);
		if (command->text[0]) {
			snw_view_state_warn(&session->state, "The export before this one is neither written nor discarded.");
		}
		return;
	}
	if (!command->text[0]) {
		snw_session_open_dialog(session, SNW_DIALOG_EXPORT);
		return;
	}
	snw_job *job = snw_job_create("exporting", sizeof(export_request));
	export_request *request = job->request;
	const snw_file_format *format = snw_file_format_of(snw_export_formats, command->text);
	const uint32_t holds = format ? format->holds : 0;
	const snw_pose *shown = snw_display_pose(&session->display, &session->state);
	const char *name = snw_path_name(command->text);
	request->is_previewed = holds & SNW_FILE_SKIN;
	snprintf(request->path, sizeof request->path, "%s", command->text);
	snprintf(request->temporary, sizeof request->temporary, "%.*s.sinew-%d-%.100s", (int)(name - command->text), command->text,
			 (int)getpid(), name);
	request->method = session->document->methods[session->state.method].method;
	request->engine = holds & SNW_FILE_SKIN ? session->engine : NULL;
	request->mesh = holds & SNW_FILE_SKIN ? SNW_NONE : snw_scene_largest_mesh(scene);
	request->clip = holds & SNW_FILE_FRAMES ? (session->state.clip != SNW_NONE ? session->state.clip : 0) : SNW_NONE;
	request->pose = holds & SNW_FILE_POSE && shown ? snw_pose_copy(scene, shown, job->arena) : NULL;
	job->label = snw_arena_format(job->arena, "exporting %s", name);
	job->is_long = true;
	job->reloads = false;
	job->run = write_file;
	job->done = written;
	snw_session_send(session, job);
}

void snw_do_export_write(snw_session *session, const snw_command *command) {
	(void)command;
	snw_pending_export *pending_export = &session->pending_export;
	session->state.dialog = SNW_DIALOG_NONE;
	if (!pending_export->is_made) {
		return;
	}
	if (rename(pending_export->temporary, pending_export->path) == 0) {
		snw_file_sync_folder(pending_export->path);
		snw_view_state_say(&session->state, "Exported %s.", snw_path_name(pending_export->path));
		pending_export->is_made = false;
	} else {
		snw_view_state_warn(&session->state, "The file could not be renamed; choose another folder.");
		snw_do_export_drop(session, command);
	}
}

void snw_do_export_drop(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.dialog = session->state.dialog == SNW_DIALOG_REPORT ? SNW_DIALOG_NONE : session->state.dialog;
	if (session->pending_export.is_made) {
		remove(session->pending_export.temporary);
		session->pending_export.is_made = false;
	}
}
