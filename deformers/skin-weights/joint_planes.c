/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planes at which bones meet. That of a joint goes through it, halfway between the directions of the bones above and below it.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "skin-weights/fit.h"

/* Ways shorter than this part of the diagonal have no direction. */
static const double least_way = 1e-6;

static void place_of(const snw_skeleton_view *skeleton, uint32_t joint, double place[3]) {
	for (size_t c = 0; c < 3; c++) {
		place[c] = skeleton->rest_global[12 * (size_t)joint + 4 * c + 3];
	}
}

/* Adds the unit vector from one joint to another; 0 where they are at one place. */
static int add_direction(const weights_fit *f, uint32_t from, uint32_t to, double sum[3]) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	double begin[3], way[3];
	place_of(skeleton, from, begin);
	place_of(skeleton, to, way);
	for (int c = 0; c < 3; c++) {
		way[c] -= begin[c];
	}
	if (!(snw_length3(way) > least_way * f->diagonal)) {
		return 0;
	}
	snw_normalize3(way);
	for (int c = 0; c < 3; c++) {
		sum[c] += way[c];
	}
	return 1;
}

/* A joint without a direction from above has no plane: a normal of 0. */
static void find_plane(const weights_fit *f, uint32_t joint, joint_plane *plane) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	double above[3] = {0, 0, 0}, below[3] = {0, 0, 0}, place[3];
	uint32_t parent = skeleton->parents[joint];
	while (parent != SNW_NONE && !add_direction(f, parent, joint, above)) {
		parent = skeleton->parents[parent];
	}
	plane->is_leaf = 1;
	for (uint32_t child = 0; child < skeleton->joint_count; child++) {
		if (skeleton->parents[child] == joint) {
			plane->is_leaf = 0;
			add_direction(f, joint, child, below);
		}
	}
	if (snw_length3(below) < 0.1) { /* children on opposite sides: only rounding is left of their sum */
		memset(below, 0, sizeof below);
	} else {
		snw_normalize3(below);
	}
	for (int c = 0; c < 3; c++) {
		plane->normal[c] = above[c] + below[c];
	}
	if (snw_length3(plane->normal) < 0.1) { /* the limb turns back: no plane is halfway */
		memcpy(plane->normal, above, sizeof above);
	}
	if (parent != SNW_NONE) {
		snw_normalize3(plane->normal);
	} else {
		memset(plane->normal, 0, sizeof plane->normal);
	}
	place_of(skeleton, joint, place);
	plane->offset = snw_dot3(plane->normal, place);
}

snw_status find_joint_planes(weights_fit *f) {
	const snw_character_view *character = f->input->character;
	f->planes = SNW_POOL_ARRAY(&f->pool, joint_plane, character->skeleton->joint_count);
	if (!f->planes) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; j < character->skeleton->joint_count; j++) {
		find_plane(f, j, &f->planes[j]);
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		f->planes[character->slot_joints[f->bones[b].slot]].has_bone = 1;
	}
	return SNW_OK;
}

/* How far a point is beyond a joint's plane. */
static double height_over(const joint_plane *plane, const double point[3]) {
	return snw_dot3(plane->normal, point) - plane->offset;
}

double distance_behind_planes(const weights_fit *f, const bone *b, const double point[3]) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	const uint32_t joint = f->input->character->slot_joints[b->slot], parent = skeleton->parents[joint];
	const joint_plane *plane = &f->planes[joint];
	const int has_rival = !plane->is_leaf && parent != SNW_NONE && f->planes[parent].has_bone;
	double beyond = 0;
	for (uint32_t child = 0; child < skeleton->joint_count; child++) {
		if (skeleton->parents[child] == joint) {
			beyond = fmax(beyond, height_over(&f->planes[child], point));
		}
	}
	return beyond + (has_rival ? fmax(-height_over(plane, point), 0) : 0);
}

int is_leaf(const weights_fit *f, uint32_t slot) {
	return f->planes[f->input->character->slot_joints[slot]].is_leaf;
}
