/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on examples.
 */
#include <stdio.h>
#include <string.h>

#include "file/file.h"
#include "fit/sculpt_reference.h"
#include "import/import.h"
#include "mesh/mirror/mirror.h"
#include "pose/pose.h"
#include "window/commands/store_sculpt.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"
#include "worker/worker.h"

/* Coordinates in files are rounded: a point nearer to the skin than this fraction of the diagonal was not sculpted. */
#define FILE_PRECISION 2e-6

void snw_do_example(snw_session *session, const snw_command *command) {
	session->state.example = snw_scene_find_example(session->document->scene, command->text);
}

void snw_do_example_go(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		session->state.example = example;
		snw_session_choose_pose(session, session->document->scene->examples[example].pose);
	}
}

/* ---- from what is shown ------------------------------------------------------------------------------------------- */

/* The session's points of the mesh that is being sculpted; NULL for other meshes, whose points the worker computes. */
static const double *sculpted_points(const snw_session *session, uint32_t mesh) {
	const snw_sculpting *s = &session->sculpting;
	return s->sculpt && s->mesh_index == mesh ? snw_sculpt_get_view(s->sculpt)->points : NULL;
}

void snw_do_example_add(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "There is no mesh; open a character first.");
		return;
	}
	if (command->text[0] && snw_scene_find_example(scene, command->text) != SNW_NONE) {
		snw_view_state_warn(&session->state, "An example with this name already exists; Update changes it.");
		return;
	}
	const uint32_t mesh = snw_session_mesh(session);
	const uint32_t here = snw_session_example_here(session, mesh);
	if (here != SNW_NONE) {
		session->state.example = here;
		snw_view_state_say(&session->state, "This pose already has an example: %s. Sculpt to change it.",
						   scene->examples[here].name);
		return;
	}
	if (!snw_may_store_sculpt(session, mesh)) {
		return;
	}
	snw_store_sculpt(session, "add example", command->text[0] ? command->text : NULL, mesh, sculpted_points(session, mesh), 0);
}

void snw_do_example_update(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = snw_session_example(session, command->text);
	if (example == SNW_NONE) {
		return;
	}
	if (session->state.clip != SNW_NONE || session->edited_pose || scene->examples[example].pose != session->state.pose) {
		snw_view_state_warn(&session->state, "Go to the example first: it can only be updated in its pose.");
		return;
	}
	const uint32_t mesh = scene->examples[example].mesh;
	snw_store_sculpt(session, "update example", NULL, mesh, sculpted_points(session, mesh), 0);
}

/* ---- changes of an example ----------------------------------------------------------------------------------------------- */

typedef struct row_request {
	int64_t id;
	const char *name, *path, *also; /* `also`: the mirrored example */
} row_request;

static uint32_t row_of(const snw_scene *scene, int64_t id) {
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].id == id) {
			return i;
		}
	}
	return SNW_NONE;
}

static snw_status put_row(snw_job_context *context, const snw_example *example, snw_error *error) {
	const snw_scene *scene = context->document->scene;
	const snw_mesh *mesh = &scene->meshes[example->mesh];
	int64_t id;
	return snw_project_put_example(context->project, example, scene->poses[example->pose].id, mesh->id, mesh->point_count, &id,
								   error);
}

static snw_job *job_on(const snw_session *session, uint32_t example, const char *verb) {
	const snw_example *row = &session->document->scene->examples[example];
	snw_job *job = snw_job_create(verb, sizeof(row_request));
	job->label = snw_arena_format(job->arena, "%s %s", verb, row->name);
	((row_request *)job->request)->id = row->id;
	return job;
}

static snw_status rename_row(snw_job_context *context, void *data, snw_error *error) {
	const row_request *request = data;
	const uint32_t at = row_of(context->document->scene, request->id);
	if (at == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "the example was deleted meanwhile");
	}
	snw_example example = context->document->scene->examples[at];
	example.name = request->name;
	return put_row(context, &example, error);
}

static snw_status commit_name(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, rename_row, request, error);
}

void snw_do_example_name(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, "");
	if (example == SNW_NONE || snw_session_asks(session, command, session->document->scene->examples[example].name)) {
		return;
	}
	snw_job *job = job_on(session, example, "rename example");
	((row_request *)job->request)->name = snw_arena_text(job->arena, command->text);
	job->run = commit_name;
	snw_session_send(session, job);
}

static snw_status remove_row(snw_job_context *context, void *request, snw_error *error) {
	return snw_project_remove(context->project, SNW_PROJECT_EXAMPLE, ((row_request *)request)->id, error);
}

static snw_status commit_removal(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, remove_row, request, error);
}

void snw_do_example_remove(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		snw_job *job = job_on(session, example, "delete example");
		job->run = commit_removal;
		snw_session_send(session, job);
	}
}

/* ---- a sculpt from a file ------------------------------------------------------------------------------------------------ */

/* The sculpt is the difference between the file and the skin; the other points follow the skin. */
static snw_status find_edited(const snw_job_context *context, snw_example *example, snw_arena *scratch, snw_error *error) {
	const snw_scene *scene = context->document->scene;
	const uint32_t count = scene->meshes[example->mesh].point_count;
	double *below = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)count);
	const snw_pose *pose = &scene->poses[example->pose];
	const snw_status status = snw_reference_points(scene, context->registry, example->mesh, 1, &pose, &below, error);
	if (!snw_failed(status)) {
		snw_example_find_edited(example, count, below, FILE_PRECISION * snw_scene_diagonal(scene, example->mesh), scratch);
	}
	return status;
}

static snw_status take_file(snw_job_context *context, void *data, snw_error *error) {
	const row_request *request = data;
	const snw_scene *scene = context->document->scene;
	const uint32_t at = row_of(scene, request->id);
	if (at == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "the example was deleted meanwhile");
	}
	snw_example example = scene->examples[at];
	snw_arena *scratch = snw_arena_create();
	snw_mesh sculpt = {0};
	snw_status status = snw_worker_read_mesh(request->path, NULL, context->task, scratch, &sculpt, error);
	if (!snw_failed(status) && sculpt.point_count != scene->meshes[example.mesh].point_count) {
		status = snw_fail(error, SNW_ERROR_DATA, "%s: it has %u points and %s has %u; export the pose as .obj and sculpt that",
						  snw_path_name(request->path), sculpt.point_count, scene->meshes[example.mesh].name,
						  scene->meshes[example.mesh].point_count);
	}
	if (!snw_failed(status)) {
		example.points_posed = sculpt.points_rest;
		status = find_edited(context, &example, scratch, error);
	}
	if (!snw_failed(status)) {
		status = put_row(context, &example, error);
	}
	snw_arena_destroy(scratch);
	return status;
}

static snw_status commit_file(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, take_file, request, error);
}

void snw_do_example_file(snw_session *session, const snw_command *command) {
	const uint32_t example = session->state.example;
	if (example >= session->document->scene->example_count) {
		snw_view_state_warn(&session->state, "First select the example that the file is a sculpt of.");
		return;
	}
	snw_job *job = job_on(session, example, "load sculpt of");
	((row_request *)job->request)->path = snw_arena_text(job->arena, command->text);
	job->run = commit_file;
	snw_session_send(session, job);
}
