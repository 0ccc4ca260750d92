/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mirrors an example to the other side, as one step of the history.
 */
#include <math.h>
#include <stdio.h>

#include "edit/examples/mirror_examples.h"
#include "edit/examples/sculpt_names.h"
#include "edit/groups.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

#define ALIKE 1e-6 /* radians: rotations that differ by less are the same */

typedef struct mirror_request {
	uint32_t example; /* index in the document */
	snw_arena *arena;
	char made[200];
} mirror_request;

/* The joint that drives the example; SNW_NONE if the method chooses it. */
static uint32_t find_driver(const snw_scene *scene, uint32_t example) {
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (scene->groups[g].joint_count > 0 && snw_group_member(&scene->groups[g], example) != SNW_NONE) {
			return scene->groups[g].joints[0];
		}
	}
	return SNW_NONE;
}

static bool are_alike(const snw_scene *scene, const snw_pose *one, const snw_pose *other) {
	bool are = true;
	for (size_t i = 0; i < 3 * (size_t)scene->skeleton.joint_count; i++) {
		are = are && fabs(one->rotation_vectors[i] - other->rotation_vectors[i]) < ALIKE;
	}
	return are;
}

/* What the example of the other side is called if the name has no side in it: as it was called when it was made, or after the joint that
 * drives it. NULL: as usual. */
static const char *find_name(const snw_scene *scene, uint32_t example, snw_arena *arena) {
	static const snw_mirror_plane middle = {0};
	const snw_example *row = &scene->examples[example];
	const uint32_t driver = find_driver(scene, example);
	if (snw_mirror_name(row->name, arena) || driver == SNW_NONE) {
		return NULL;
	}
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, &middle, 0, arena, &joints);
	const snw_pose *pose = snw_mirror_pose(scene, &joints, &scene->poses[row->pose], arena);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *other = &scene->examples[i];
		if (other->pose != row->pose && other->mesh == row->mesh && are_alike(scene, &scene->poses[other->pose], pose)) {
			return other->name;
		}
	}
	const uint32_t partner = joints.partners[driver];
	return partner == SNW_NONE ? NULL : snw_sculpt_example_name(scene, pose, partner, arena);
}

static snw_status put(snw_job_context *context, void *data, snw_error *error) {
	mirror_request *request = data;
	static const snw_mirror_options middle = {0};
	const snw_scene *scene = context->document->scene;
	snw_mirrored mirrored = {0};
	const snw_status status =
		snw_project_put_mirrored_example(context->project, scene, context->registry, &middle, request->example,
										 find_name(scene, request->example, request->arena), request->arena, &mirrored, error);
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
