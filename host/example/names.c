/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/names.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "pose/joint_title.h"
#include "sinew/algebra.h"

#define STILL_DEGREES 0.5 /* a joint that is rotated less is not named */
#define MOSTLY_TWIST 0.9  /* of the rotation is about the bone */

static const double *posed_rotation(const snw_pose *pose, uint32_t joint) {
	return pose->rotation_vectors + 3 * (size_t)joint;
}

static double degrees_of(const snw_pose *pose, uint32_t joint) {
	return snw_length3(posed_rotation(pose, joint)) * 180 / M_PI;
}

/* The direction of the bone at rest, in the joint's axes: to its first child, or of a last joint that of the bone before it.
 * False for a joint alone. */
static bool find_bone(const snw_skeleton *skeleton, uint32_t joint, double bone[3]) {
	const double *place = NULL;
	for (uint32_t j = skeleton->joint_count; j-- > 0;) {
		const bool is_child = skeleton->parents[j] == joint && snw_length3(skeleton->rest_local[j].translation) > 0;
		place = is_child ? skeleton->rest_local[j].translation : place;
	}
	double back[4], matrix[12];
	const double none[] = {0, 0, 0, 1};
	snw_quat_conjugate(place ? none : skeleton->rest_local[joint].rotation, back);
	snw_quat_to_mat34(back, matrix);
	if (!place && skeleton->parents[joint] != SNW_NONE) {
		place = skeleton->rest_local[joint].translation;
	} else if (!place) {
		return false;
	}
	snw_mat34_vector(matrix, place, bone);
	snw_normalize3(bone);
	return snw_length3(bone) > 0;
}

static bool is_twist(const snw_skeleton *skeleton, const snw_pose *pose, uint32_t joint) {
	double bone[3];
	const double *rotation = posed_rotation(pose, joint);
	return find_bone(skeleton, joint, bone) && fabs(snw_dot3(rotation, bone)) > MOSTLY_TWIST * snw_length3(rotation);
}

/* Where the end of the bone goes, as a word; NULL if the joint has no bone. */
static const char *find_direction(const snw_skeleton *skeleton, const snw_pose *pose, uint32_t joint) {
	const double *rest = skeleton->rest_global + 12 * (size_t)joint;
	double bone[3], rotation[4], matrix[12], change[3], direction[3];
	if (!find_bone(skeleton, joint, bone)) {
		return NULL;
	}
	snw_quat_from_rotation_vector(posed_rotation(pose, joint), rotation);
	snw_quat_to_mat34(rotation, matrix);
	snw_mat34_vector(matrix, bone, change);
	for (size_t c = 0; c < 3; c++) {
		change[c] -= bone[c];
	}
	snw_mat34_vector(rest, change, direction);
	if (fabs(direction[1]) >= fmax(fabs(direction[0]), fabs(direction[2]))) {
		return direction[1] > 0 ? "up" : "down";
	}
	if (fabs(direction[2]) >= fabs(direction[0])) {
		return direction[2] > 0 ? "forward" : "back";
	}
	return direction[0] > 0 ? "to the left" : "to the right";
}

/* The length of a title without the number after its words: of "Left elbow 1" that of "Left elbow". */
static size_t words_of_title(const char *title) {
	size_t length = strlen(title);
	const size_t whole = length;
	while (length > 0 && isdigit((unsigned char)title[length - 1])) {
		length--;
	}
	return length > 1 && length < whole && title[length - 1] == ' ' ? length - 1 : whole;
}

/* The joint's title; without its number where no other joint has the same words. */
static const char *find_title(const snw_skeleton *skeleton, uint32_t joint, snw_arena *arena) {
	const char *title = snw_joint_title(skeleton, joint, arena);
	const size_t words = words_of_title(title);
	bool is_alone = words < strlen(title);
	for (uint32_t j = 0; j < skeleton->joint_count && is_alone; j++) {
		const char *other = j == joint ? "" : snw_joint_title(skeleton, j, arena);
		is_alone = words_of_title(other) != words || strncmp(other, title, words) != 0;
	}
	return is_alone ? snw_arena_format(arena, "%.*s", (int)words, title) : title;
}

/* "Right shoulder 80°"; "Right index finger 2 at 80°", so that two numbers do not meet. */
static const char *describe(const snw_scene *scene, const snw_pose *pose, uint32_t joint, snw_arena *arena) {
	const char *title = find_title(&scene->skeleton, joint, arena);
	const double degrees = degrees_of(pose, joint);
	if (degrees < STILL_DEGREES) {
		return snw_arena_format(arena, "%s moved", title);
	}
	const bool twists = is_twist(&scene->skeleton, pose, joint), has_number = words_of_title(title) < strlen(title);
	return snw_arena_format(arena, "%s%s %.0f°", title, twists ? " twist" : has_number ? " at" : "", degrees);
}

static uint32_t find_either(const snw_scene *scene, const char *name) {
	const uint32_t example = snw_scene_find_example(scene, name);
	return example != SNW_NONE ? example : snw_scene_find_pose(scene, name);
}

const char *snw_sculpt_example_name(const snw_scene *scene, const snw_pose *pose, uint32_t joint, snw_arena *arena) {
	const char *name = describe(scene, pose, joint, arena);
	const char *direction = degrees_of(pose, joint) < STILL_DEGREES || is_twist(&scene->skeleton, pose, joint)
								? NULL
								: find_direction(&scene->skeleton, pose, joint);
	if (direction && find_either(scene, name) != SNW_NONE) {
		name = snw_arena_format(arena, "%s %s", name, direction);
	}
	return snw_scene_free_name(scene, find_either, name, arena);
}

const char *snw_sculpt_pose_name(const snw_scene *scene, const snw_pose *pose, const char *example, uint32_t joint,
								 snw_arena *arena) {
	const uint32_t clip_count = pose->clip != 0 ? scene->clip_count : 0;
	uint32_t others = 0, other = SNW_NONE;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (j != joint && degrees_of(pose, j) >= STILL_DEGREES) {
			others++;
			other = j;
		}
	}
	const char *name = others == 0   ? example
					   : others == 1 ? snw_arena_format(arena, "%s, %s", example, describe(scene, pose, other, arena))
									 : snw_arena_format(arena, "%s and %u joints", example, others);
	for (uint32_t c = 0; c < clip_count; c++) {
		if (scene->clips[c].id == pose->clip) {
			name = snw_arena_format(arena, "%s %.4g s", scene->clips[c].name, pose->seconds);
		}
	}
	return snw_scene_free_name(scene, snw_scene_find_pose, name, arena);
}

bool snw_sculpt_is_named_after(const snw_scene *scene, const snw_pose *pose, uint32_t joint, const char *name) {
	snw_arena *scratch = snw_arena_create();
	const char *stem = describe(scene, pose, joint, scratch);
	const bool is_so = strncmp(name, stem, strlen(stem)) == 0;
	snw_arena_destroy(scratch);
	return is_so;
}

const char *snw_sculpt_between_name(const snw_scene *scene, const snw_example *other, const snw_pose *between, double share,
									snw_arena *arena) {
	const snw_pose *pose = &scene->poses[other->pose];
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		if (degrees_of(pose, j) >= STILL_DEGREES && snw_sculpt_is_named_after(scene, pose, j, other->name)) {
			const char *after = other->name + strlen(describe(scene, pose, j, arena)); /* " up", "-shirt" */
			return snw_scene_free_name(scene, find_either,
									   snw_arena_format(arena, "%s%s", describe(scene, between, j, arena), after), arena);
		}
	}
	return snw_arena_format(arena, "%s-%.4g", other->name, 100 * share);
}

bool snw_pose_is_unnamed(const char *name) {
	return strncmp(name, SNW_UNNAMED_POSE, strlen(SNW_UNNAMED_POSE)) == 0;
}
