/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/examples/mirrored_name.h"

#include <math.h>

#include "edit/drivers/groups.h"
#include "edit/examples/mirror_examples.h"
#include "edit/examples/sculpt_names.h"

#define ALIKE 1e-6 /* radians: rotations that differ by less are the same */

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

/* The example that is the mirror image of one already: in the mirrored pose, driven by the joint of the other side. SNW_NONE
 * for none. */
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

const char *snw_mirrored_example_name(const snw_scene *scene, const snw_mirror_plane *plane, uint32_t example,
									  snw_arena *arena) {
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
