/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Export. A file for an engine is written under a temporary name, and what it loses is shown. It gets its name if the user
 * agrees.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bake/bake.h"
#include "base/error.h"
#include "file/file.h"
#include "fit/stale.h"
#include "pose/pose.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

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
