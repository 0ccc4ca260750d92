/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planes at which bones meet. That of a joint is at a right angle to the way that the limb takes there: from a place above
 * the joint to one below it, both as far along the bones as the limb is thick. So short bones, as those of a spine, that zigzag
 * in a thick body, do not tilt it.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "skin-weights/heat.h"

/* Ways shorter than this part of the diagonal have no direction. */
static const double least_way = 1e-6;

/* A limb turns back where the way is shorter than this part of what is looked at: then no plane is halfway. */
static const double turning_back = 0.1;

/* A joint's plane is this part of the limb's thickness below the joint, or of a bone that is shorter: skin above a joint folds
 * over it. */
static const double below_joint = 0.216;

/* Adds the way from one joint to another, at most `reach` of it. Returns its length. */
static double add_way(const heat *h, uint32_t from, uint32_t to, double reach, double sum[3]) {
	double begin[3], end[3];
	place_of(h->f, from, begin);
	place_of(h->f, to, end);
	const double length = sqrt(snw_squared_distance3(begin, end)), share = length > reach ? reach / length : 1;
	for (int c = 0; c < 3; c++) {
		sum[c] += share * (end[c] - begin[c]);
	}
	return length;
}

/* The way to a joint, along bones and as far as the next joint that is elsewhere. */
static void way_above(const heat *h, uint32_t joint, double reach, double way[3]) {
	const uint32_t *parents = h->f->input->character->skeleton->parents;
	const double least = least_way * h->f->diagonal;
	double done = 0;
	for (uint32_t parent = parents[joint]; parent != SNW_NONE && done < reach; parent = parents[joint]) {
		if (done > least && !h->planes[parent].has_bone) {
			break;
		}
		done += add_way(h, parent, joint, reach - done, way);
		joint = parent;
	}
}

/* The mean way to what is below a joint. */
static void way_below(const heat *h, uint32_t joint, double reach, double way[3]) {
	const snw_skeleton_view *skeleton = h->f->input->character->skeleton;
	uint32_t count = 0;
	for (uint32_t child = 0; child < skeleton->joint_count; child++) {
		if (skeleton->parents[child] == joint) {
			uint32_t from = joint;
			double done = 0;
			for (uint32_t to = child; to != SNW_NONE && done < reach; to = h->trunks[to].next) {
				done += add_way(h, from, to, reach - done, way);
				from = to;
			}
			count++;
		}
	}
	for (int c = 0; c < 3 && count > 0; c++) {
		way[c] /= count;
	}
}

/* The mean thickness of a joint's bones and their mean length; 0 for a joint without. */
static double measure_at(const heat *h, uint32_t joint, double *length) {
	double sum = 0;
	uint32_t count = 0;
	*length = 0;
	for (uint32_t b = 0; joint != SNW_NONE && b < h->f->bone_count; b++) {
		if (joint_of(h, b) == joint) {
			sum += h->thicknesses[b];
			*length += sqrt(snw_squared_distance3(h->f->bones[b].ends[0], h->f->bones[b].ends[1]));
			count++;
		}
	}
	*length = count > 0 ? *length / count : 0;
	return count > 0 ? sum / count : 0;
}

/* The lesser of two lengths; the other where one is 0. */
static double lesser(double a, double b) {
	return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

/* A joint without a way from above has no plane: a normal of 0. */
static void find_plane(const heat *h, uint32_t joint) {
	const uint32_t parent = h->f->input->character->skeleton->parents[joint];
	joint_plane *plane = &h->planes[joint];
	double place[3], above[3] = {0}, below[3] = {0}, mine, parents;
	const double thickness = measure_at(h, joint, &mine), thickness_above = measure_at(h, parent, &parents);
	const double reach = fmax(lesser(thickness, thickness_above), 2 * least_way * h->f->diagonal);
	way_above(h, joint, reach, above);
	if (!(snw_length3(above) > least_way * h->f->diagonal)) {
		return;
	}
	way_below(h, joint, reach, below);
	for (int c = 0; c < 3; c++) {
		plane->normal[c] = above[c] + below[c];
	}
	if (snw_length3(plane->normal) < turning_back * reach) {
		memcpy(plane->normal, above, sizeof above);
	}
	snw_normalize3(plane->normal);
	double between[3] = {0};
	const double way = add_way(h, parent, joint, HUGE_VAL, between);
	const double shift = below_joint * lesser(fmin(thickness, mine), fmin(thickness_above, way));
	place_of(h->f, joint, place);
	plane->offset = snw_dot3(plane->normal, place) + shift;
}

void find_joint_planes(const heat *h) {
	const snw_skeleton_view *skeleton = h->f->input->character->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		h->planes[j] = (joint_plane){.is_leaf = 1};
	}
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (skeleton->parents[j] != SNW_NONE) {
			h->planes[skeleton->parents[j]].is_leaf = 0;
		}
	}
	for (uint32_t b = 0; b < h->f->bone_count; b++) {
		h->planes[joint_of(h, b)].has_bone = 1;
	}
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		find_plane(h, j);
	}
}

/* How far a point is beyond a joint's plane. */
static double height_over(const joint_plane *plane, const double point[3]) {
	return snw_dot3(plane->normal, point) - plane->offset;
}

double distance_behind_planes(const heat *h, const bone *b, const double point[3]) {
	const snw_character_view *character = h->f->input->character;
	const snw_skeleton_view *skeleton = character->skeleton;
	const uint32_t joint = character->slot_joints[b->slot], parent = skeleton->parents[joint];
	const joint_plane *plane = &h->planes[joint];
	const int has_rival = !plane->is_leaf && parent != SNW_NONE && h->planes[parent].has_bone;
	double beyond = 0;
	for (uint32_t child = 0; child < skeleton->joint_count; child++) {
		if (skeleton->parents[child] == joint) {
			beyond = fmax(beyond, height_over(&h->planes[child], point));
		}
	}
	return beyond + (has_rival ? fmax(-height_over(plane, point), 0) : 0);
}
