/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where limbs branch off a trunk, and where bones meet.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "skin-weights/skin-weights.h"

/* ---- trunks -------------------------------------------------------------------------------------------------------------- */

/* Limbs that branch off a trunk. A collarbone begins at the spine, deep in a chest that follows the spine: it moves only what
 * is outside of the trunk, as far as the trunk is thick. */

/* The child with which a limb goes on has a direction that is this much nearer to the limb's than any other child's: cosines,
 * of the way to the child and of the way on from it. */
static const double stands_out = 0.05;

/* The direction from one joint to another; 0 where they are at one place. */
static int find_direction(const heat *h, uint32_t from, uint32_t to, double way[3]) {
	double begin[3], end[3];
	place_of(h->f, from, begin);
	place_of(h->f, to, end);
	for (int c = 0; c < 3; c++) {
		way[c] = end[c] - begin[c];
	}
	if (!(snw_length3(way) > 1e-6 * h->f->diagonal)) {
		return 0;
	}
	snw_normalize3(way);
	return 1;
}

/* How well a child goes on in a direction, from -2 to 2. */
static double goes_on(const heat *h, uint32_t joint, uint32_t child, const double above[3]) {
	const snw_skeleton_view *skeleton = h->f->input->character->skeleton;
	double way[3], sum = 0;
	uint32_t count = 0;
	if (!find_direction(h, joint, child, way)) {
		return -HUGE_VAL;
	}
	const double first = snw_dot3(above, way);
	for (uint32_t k = 0; k < skeleton->joint_count; k++) {
		if (skeleton->parents[k] == child && find_direction(h, child, k, way)) {
			sum += snw_dot3(above, way);
			count++;
		}
	}
	return first + (count > 0 ? sum / count : first);
}

/* The child with which a limb goes on at a joint, and how many children there are. */
static uint32_t find_next(const heat *h, uint32_t joint, uint32_t *count) {
	const snw_skeleton_view *skeleton = h->f->input->character->skeleton;
	double above[3], best = -HUGE_VAL, second = -HUGE_VAL;
	uint32_t next = SNW_NONE;
	*count = 0;
	if (skeleton->parents[joint] == SNW_NONE || !find_direction(h, skeleton->parents[joint], joint, above)) {
		return SNW_NONE;
	}
	for (uint32_t child = 0; child < skeleton->joint_count; child++) {
		if (skeleton->parents[child] == joint) {
			const double score = goes_on(h, joint, child, above);
			second = fmax(second, fmin(score, best));
			next = score > best ? child : next;
			best = fmax(best, score);
			++*count;
		}
	}
	return best > second + stands_out ? next : SNW_NONE;
}

/* The bone of a joint that ends at another. */
static uint32_t bone_to(const heat *h, uint32_t joint, uint32_t end) {
	double place[3];
	place_of(h->f, end, place);
	for (uint32_t b = 0; b < h->f->bone_count; b++) {
		if (joint_of(h, b) == joint && memcmp(h->f->bones[b].ends[1], place, sizeof place) == 0) {
			return b;
		}
	}
	return SNW_NONE;
}

void find_trunks(const heat *h) {
	const snw_skeleton_view *skeleton = h->f->input->character->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		trunk *t = &h->trunks[j];
		uint32_t count;
		*t = (trunk){find_next(h, j, &count), {SNW_NONE, SNW_NONE}, 0};
		if (t->next == SNW_NONE || count < 2) {
			continue;
		}
		t->bones[0] = bone_to(h, j, t->next);
		t->bones[1] = bone_to(h, skeleton->parents[j], j);
		for (uint32_t b = 0; b < h->f->bone_count; b++) {
			t->radius = joint_of(h, b) == j ? fmax(t->radius, h->farthest[b]) : t->radius;
		}
	}
}

/* The trunk that a joint branches off; NULL for none. */
static const trunk *trunk_of(const heat *h, uint32_t joint) {
	const uint32_t parent = h->f->input->character->skeleton->parents[joint];
	const trunk *t = parent == SNW_NONE ? NULL : &h->trunks[parent];
	return t && t->next != SNW_NONE && t->next != joint ? t : NULL;
}

double depth_in_trunk(const heat *h, uint32_t joint, const double point[3]) {
	const trunk *t = trunk_of(h, joint);
	double depth = 0;
	for (int k = 0; k < 2 && t; k++) {
		if (t->bones[k] != SNW_NONE) {
			double nearest[3];
			nearest_on_bone(&h->f->bones[t->bones[k]], point, nearest);
			depth = fmax(depth, t->radius - sqrt(snw_squared_distance3(point, nearest)));
		}
	}
	return depth;
}

double trunk_radius(const heat *h, uint32_t number) {
	const trunk *t = &h->trunks[joint_of(h, number)];
	return t->bones[0] == number ? t->radius : 0;
}

/* ---- what branches share ------------------------------------------------------------------------------------------------- */

/* The weights of all joints that branch off a trunk. */
static double sum_of_branches(const heat *h, const trunk *t, const influence_set *set) {
	double sum = 0;
	for (uint32_t k = 0; k < set->count; k++) {
		sum += trunk_of(h, h->f->input->character->slot_joints[set->slots[k]]) == t ? set->weights[k] : 0;
	}
	return sum;
}

static void add_weight(influence_set *set, uint32_t slot, double weight) {
	uint32_t at = 0;
	while (at < set->count && set->slots[at] != slot) {
		at++;
	}
	if (at == set->count && at < KEPT) {
		set->slots[set->count] = slot;
		set->weights[set->count++] = 0;
	}
	if (at < KEPT) {
		set->weights[at] += weight;
	}
}

void give_to_trunk(const heat *h, influence_set *set) {
	const influence_set old = *set;
	influence_set next = old;
	for (uint32_t k = 0; k < old.count; k++) {
		const trunk *t = trunk_of(h, h->f->input->character->slot_joints[old.slots[k]]);
		const double sum = t && t->bones[0] != SNW_NONE ? sum_of_branches(h, t, &old) : 0;
		if (sum > old.weights[k]) {
			const double kept = old.weights[k] * old.weights[k] / sum;
			next.weights[k] -= old.weights[k] - kept;
			add_weight(&next, h->f->bones[t->bones[0]].slot, old.weights[k] - kept);
		}
	}
	set->count = 0;
	for (uint32_t k = 0; k < next.count; k++) {
		keep_weight(set, next.slots[k], next.weights[k]);
	}
}

/* ---- planes at joints ---------------------------------------------------------------------------------------------------- */

/* The planes at which bones meet. That of a joint is at a right angle to the way that the limb takes there: from a place above
 * the joint to one below it, both as far along the bones as the limb is thick. So short bones, as those of a spine, that zigzag
 * in a thick body, do not tilt it. */

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
