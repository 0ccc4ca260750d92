/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mirrors an example to the other side, as one step of the history.
 */
#include <math.h>
#include <stdio.h>

#include "base/plural.h"
#include "edit/drivers/groups.h"
#include "edit/examples/mirror_examples.h"
#include "edit/examples/sculpt_names.h"
#include "sculpt/symmetry_plane.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

#define ALIKE 1e-6 /* radians: rotations that differ by less are the same */

typedef struct mirror_request {
	uint32_t example; /* index in the document */
	snw_arena *arena;
	char made[200];
	uint32_t left_count; /* points that were not mirrored */
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

/* Whether a group of the example is driven by the joint: each may take a part of the sculpt. */
static bool is_driven_by(const snw_scene *scene, uint32_t example, uint32_t joint) {
	bool is = false;
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		is = is || (group->joint_count > 0 && group->joints[0] == joint && snw_group_member(group, example) != SNW_NONE);
	}
	return is;
}

static bool are_alike(const snw_scene *scene, const snw_pose *one, const snw_pose *other) {
	bool are = true;
	for (size_t i = 0; i < 3 * (size_t)scene->skeleton.joint_count; i++) {
		are = are && fabs(one->rotation_vectors[i] - other->rotation_vectors[i]) < ALIKE;
	}
	return are;
}

/* The example that is the mirror image of one already: in the mirrored pose, driven by the joint of the other side. SNW_NONE for none. */
static uint32_t find_image(const snw_scene *scene, uint32_t example, const snw_mirror_joints *joints, const snw_pose *pose) {
	const snw_example *row = &scene->examples[example];
	const uint32_t mesh = snw_mirrored_mesh(scene, row->mesh, &joints->plane);
	const uint32_t partner = joints->partners[find_driver(scene, example)];
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *other = &scene->examples[i];
		if (other->pose != row->pose && other->mesh == mesh && is_driven_by(scene, i, partner) &&
			are_alike(scene, &scene->poses[other->pose], pose)) {
			return i;
		}
	}
	return SNW_NONE;
}

/* The name of the mirrored pose if it has one that no example has; NULL otherwise. */
static const char *find_pose_name(const snw_scene *scene, const snw_pose *image) {
	for (uint32_t p = 1; p < scene->pose_count; p++) {
		const char *name = scene->poses[p].name;
		if (!snw_pose_is_unnamed(name) && are_alike(scene, &scene->poses[p], image) &&
			snw_scene_find_example(scene, name) == SNW_NONE) {
			return name;
		}
	}
	return NULL;
}

/* What the example of the other side is called if that does not follow from the sides in its name: as the image or the pose that
 * there is, or after the joint that drives it. NULL: as follows from the sides. */
static const char *find_name(const snw_scene *scene, const snw_mirror_plane *plane, uint32_t example, snw_arena *arena) {
	const snw_example *row = &scene->examples[example];
	const char *exchanged = snw_mirror_name(row->name, arena);
	const uint32_t driver = find_driver(scene, example);
	if (driver == SNW_NONE || (exchanged && snw_scene_find_example(scene, exchanged) != SNW_NONE)) {
		return NULL;
	}
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, plane, 0, arena, &joints);
	const snw_pose *pose = snw_mirror_pose(scene, &joints, &scene->poses[row->pose], arena);
	const uint32_t image = find_image(scene, example, &joints, pose), partner = joints.partners[driver];
	if (image != SNW_NONE || exchanged || partner == SNW_NONE) {
		return image != SNW_NONE ? scene->examples[image].name : NULL;
	}
	const char *name = find_pose_name(scene, pose);
	return name ? name : snw_sculpt_example_name(scene, pose, partner, arena);
}

/* In place of the command line's advice. */
static snw_status refuse_unlike_sides(const snw_scene *scene, uint32_t example, snw_error *error) {
	const snw_example *row = &scene->examples[example];
	return snw_fail(
		error, SNW_ERROR_MISSING,
		"Nothing on the other side is like %.120s where %.120s is sculpted, so it has no mirror image. To sculpt that "
		"side by hand, go to the example and mirror the pose (Ctrl+M).",
		scene->meshes[row->mesh].name, row->name);
}

static snw_status put(snw_job_context *context, void *data, snw_error *error) {
	mirror_request *request = data;
	const snw_scene *scene = context->document->scene;
	const snw_mirror_options options = {.plane = snw_symmetry_plane(scene, scene->examples[request->example].mesh)};
	snw_mirrored mirrored = {0};
	const snw_status status = snw_project_put_mirrored_example(
		context->project, scene, context->registry, &options, request->example,
		find_name(scene, &options.plane, request->example, request->arena), request->arena, &mirrored, error);
	snprintf(request->made, sizeof request->made, "%s", !snw_failed(status) && mirrored.name ? mirrored.name : "");
	request->left_count = mirrored.left_count;
	return snw_failed(status) && mirrored.is_unpaired ? refuse_unlike_sides(scene, request->example, error) : status;
}

static snw_status mirror(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put, request, error);
}

static void report_result(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const mirror_request *request = data;
	if (request->left_count > 0) {
		snw_view_state_say(
			&session->state,
			"Mirrored: %s, without %u sculpted point%s that the other side does not have. Go to it and sculpt them "
			"there.",
			request->made, request->left_count, snw_plural(request->left_count));
	} else {
		snw_view_state_say(&session->state, "Mirrored: %s.", request->made);
	}
}

static bool has_sides(const snw_scene *scene) {
	const snw_mirror_plane plane = snw_character_plane(scene);
	snw_arena *scratch = snw_arena_create();
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, &plane, 0, scratch, &joints);
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
