/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An example carried to the other side: in the mirrored pose, what the sculpt adds to the skin, reflected.
 */
#include <string.h>

#include "scene/mirror.h"
#include "scene/pose.h"
#include "window/errands.h"
#include "window/session.h"

typedef struct mirror_order {
	int64_t example;
} mirror_order;

/* What lies below the correctives, in a pose. */
static snw_status below(const snw_document *document, const snw_pose *pose, uint32_t mesh, snw_arena *arena, double *points,
						snw_error *error) {
	const snw_stack *stack = document->linear == SNW_NONE ? NULL : document->methods[document->linear].stack;
	if (!stack) {
		return snw_fail(error, SNW_ERROR_MISSING, "nothing is skinned, so there is no pose to mirror a sculpt into");
	}
	snw_stack_frame *frame = snw_stack_frame_create_truth(stack);
	snw_status status = snw_stack_drive(stack, snw_pose_view_make(document->scene, pose, arena), frame, error);
	status = status < 0 ? status : snw_stack_truth(stack, frame, mesh, NULL, points, error);
	snw_stack_frame_destroy(frame);
	return status;
}

/* The mirrored name where it has sides, else with "mirrored" behind it. */
static const char *other_name(const char *name, snw_arena *arena) {
	const char *other = snw_mirror_name(name, arena);
	return other ? other : snw_arena_format(arena, "%s-mirrored", name);
}

/* The new example joins a group called after the other side, driven by the other side's joints. */
static snw_status join(snw_desk_space *desk, uint32_t example, int64_t made, const snw_mirror_joints *joints, snw_arena *arena,
					   snw_error *error) {
	const snw_scene *scene = desk->document->scene;
	snw_status status = SNW_OK;
	for (uint32_t g = 0; g < scene->group_count && status >= 0; g++) {
		const snw_group *group = &scene->groups[g];
		bool is_member = false;
		for (uint32_t i = 0; i < group->member_count; i++) {
			is_member = is_member || group->members[i].example == example;
		}
		const char *name = snw_mirror_name(group->name, arena);
		const uint32_t other = name ? snw_scene_find_group(scene, name) : g;
		if (!is_member) {
			continue;
		}
		snw_group put = other != SNW_NONE ? scene->groups[other] : (snw_group){.name = name, .joint_count = group->joint_count};
		uint32_t *list = SNW_NEW_ARRAY(arena, uint32_t, group->joint_count);
		for (uint32_t j = 0; j < group->joint_count && other == SNW_NONE; j++) {
			const uint32_t partner = joints->partners[group->joints[j]];
			list[j] = partner == SNW_NONE ? group->joints[j] : partner;
			put.joints = list;
		}
		int64_t *examples = SNW_NEW_ARRAY(arena, int64_t, put.member_count + 1u), id;
		int64_t *masks = SNW_NEW_ARRAY(arena, int64_t, put.member_count + 1u);
		for (uint32_t i = 0; i < put.member_count; i++) {
			examples[i] = scene->examples[put.members[i].example].id;
			masks[i] = put.members[i].mask == SNW_NONE ? 0 : scene->fields[put.members[i].mask].id;
		}
		examples[put.member_count++] = made;
		status = snw_project_put_group(desk->project, &put, examples, masks, &id, error);
	}
	return status;
}

static snw_status carry(snw_desk_space *desk, uint32_t from, snw_arena *arena, snw_error *error) {
	const snw_document *document = desk->document;
	const snw_scene *scene = document->scene;
	const snw_example *example = &scene->examples[from];
	const snw_mesh *mesh = &scene->meshes[example->mesh];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	static const snw_mirror_plane middle = {0, 0};
	const snw_mirror_options options = {.plane = middle};
	snw_mirror_map map;
	snw_mirror_joints joints;
	snw_status status = snw_mirror_map_build(mesh, &options, arena, &map, error);
	if (status < 0) {
		return status;
	}
	snw_mirror_joints_find(scene, &middle, 0, arena, &joints);
	const snw_pose *pose = &scene->poses[example->pose];
	snw_pose *other = snw_mirror_pose(scene, &joints, pose, arena);
	double *here = SNW_NEW_ARRAY(arena, double, numbers), *there = SNW_NEW_ARRAY(arena, double, numbers);
	double *sculpt = SNW_NEW_ARRAY(arena, double, numbers);
	status = below(document, pose, example->mesh, arena, here, error);
	status = status < 0 ? status : below(document, other, example->mesh, arena, there, error);
	if (status < 0) {
		return status;
	}
	snw_mirror_sculpt(&map, here, example->points_posed, there, sculpt);
	const char *name = other_name(example->name, arena);
	const uint32_t old = snw_scene_find_example(scene, name);
	int64_t pose_id, id;
	other->name = other_name(pose->name, arena);
	const uint32_t old_pose = snw_scene_find_pose(scene, other->name);
	other->id = old_pose == SNW_NONE ? 0 : scene->poses[old_pose].id;
	status = snw_project_put_pose(desk->project, other, &pose_id, error);
	const snw_example made = {.id = old == SNW_NONE ? 0 : scene->examples[old].id, .name = name, .points_posed = sculpt};
	status =
		status < 0 ? status : snw_project_put_example(desk->project, &made, pose_id, mesh->id, mesh->point_count, &id, error);
	return status < 0 || old != SNW_NONE ? status : join(desk, from, id, &joints, arena, error);
}

static snw_status put(snw_desk_space *desk, void *given, snw_error *error) {
	const mirror_order *order = given;
	const snw_scene *scene = desk->document->scene;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].id == order->example) {
			snw_arena *scratch = snw_arena_create();
			const snw_status status = carry(desk, i, scratch, error);
			snw_arena_destroy(scratch);
			return status;
		}
	}
	return snw_fail(error, SNW_ERROR_MISSING, "the example is gone");
}

static snw_status mirror(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	const snw_status status = snw_errand_commit(desk, errand->what, put, order, error);
	return status < 0 ? status : snw_errand_refit(desk, errand->what, error);
}

void snw_do_example_mirror(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = command->text[0] ? snw_scene_find_example(scene, command->text) : session->state.example;
	if (example >= scene->example_count) {
		snw_view_state_warn(&session->state, "Choose an example first.");
		return;
	}
	snw_errand *errand = snw_errand_make("example mirror", sizeof(mirror_order));
	errand->what = snw_arena_format(errand->arena, "example mirror %s", scene->examples[example].name);
	((mirror_order *)errand->order)->example = scene->examples[example].id;
	errand->run = mirror;
	snw_session_send(session, errand);
}
