/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mirrors an example to the other side, as one step of the history.
 */
#include <stdio.h>

#include "edit/examples/mirror_examples.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct mirror_request {
	uint32_t example; /* index in the document */
	snw_arena *arena;
	char made[200];
} mirror_request;

static snw_status put(snw_job_context *context, void *data, snw_error *error) {
	mirror_request *request = data;
	static const snw_mirror_options middle = {0};
	snw_mirrored mirrored = {0};
	const snw_status status =
		snw_project_put_mirrored_example(context->project, context->document->scene, context->registry, &middle,
										 request->example, NULL, request->arena, &mirrored, error);
	snprintf(request->made, sizeof request->made, "%s", !snw_failed(status) && mirrored.name ? mirrored.name : "");
	return status;
}

static snw_status mirror(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put, request, error);
}

static void report_result(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	snw_view_state_say(&session->state, "Mirrored: %s.", ((mirror_request *)data)->made);
}

static bool has_sides(const snw_scene *scene) {
	static const snw_mirror_plane middle = {0};
	snw_arena *scratch = snw_arena_create();
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, &middle, 0, scratch, &joints);
	const bool found = joints.pair_count > 0;
	snw_arena_destroy(scratch);
	return found;
}

void snw_do_example_mirror(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = snw_session_example(session, command->text);
	if (example == SNW_NONE) {
		return;
	}
	if (!has_sides(scene)) {
		snw_view_state_warn(&session->state, "No joint has a mirrored counterpart.");
		return;
	}
	snw_job *job = snw_job_create("mirror example", sizeof(mirror_request));
	mirror_request *request = job->request;
	request->example = example;
	request->arena = job->arena;
	job->label = snw_arena_format(job->arena, "mirror example %s", scene->examples[example].name);
	job->run = mirror;
	job->done = report_result;
	snw_session_send(session, job);
}
