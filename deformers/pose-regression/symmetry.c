/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the joints and points that mirror each other at the plane x = 0 of the rest. A joint's partner is one of the children
 * of its parent's partner, so that joints at the same place are not confused. A joint without one, such as a prop's, does not
 * keep the rest of the character from learning mirrored: only points that it may correct, and their partners, do not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pose-regression/pose-regression.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* How far from its mirrored place a partner may be, in units of the diagonal; and how many points and joints must have one. */
static const double tolerance = 1e-3, points_must = 0.9, joints_must = 0.5;

/* Radians. */
static const double never = 1e-3;

enum { MOST_NAMED = 4, NAME_BYTES = 240 };

/* A point, with a key that is the same for its mirror image. */
typedef struct keyed {
	double key;
	uint32_t point;
} keyed;

static double mirrored_distance(const double a[3], const double b[3]) {
	const double mirrored[3] = {-a[0], a[1], a[2]};
	return sqrt(snw_squared_distance3(mirrored, b));
}

static void joint_place(const snw_skeleton_view *skeleton, uint32_t joint, double place[3]) {
	for (int i = 0; i < 3; i++) {
		place[i] = skeleton->rest_global[12 * (size_t)joint + 4 * (size_t)i + 3];
	}
}

static uint32_t find_joint(const snw_skeleton_view *skeleton, const uint32_t *partners, uint32_t joint, double limit) {
	const uint32_t parent = skeleton->parents[joint], beside = parent == SNW_NONE ? SNW_NONE : partners[parent];
	uint32_t best = SNW_NONE;
	double here[3], nearest = limit;
	if (parent != SNW_NONE && beside == SNW_NONE) {
		return SNW_NONE;
	}
	joint_place(skeleton, joint, here);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		double there[3];
		joint_place(skeleton, j, there);
		const double distance = mirrored_distance(here, there);
		if (skeleton->parents[j] == beside && (distance < nearest || (distance <= nearest && j == joint))) {
			nearest = distance;
			best = j;
		}
	}
	return best;
}

/* The partner of each joint, or SNW_NONE. */
static uint32_t *find_joints(const mesh_fit *f, snw_pool *pool) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	uint32_t *partners = SNW_POOL_ARRAY(pool, uint32_t, skeleton->joint_count);
	for (uint32_t n = 0; partners && n < skeleton->joint_count; n++) {
		const uint32_t joint = skeleton->order[n];
		partners[joint] = find_joint(skeleton, partners, joint, tolerance * f->diagonal);
	}
	for (uint32_t n = 0; partners && n < skeleton->joint_count; n++) {
		const uint32_t joint = skeleton->order[n], partner = partners[joint];
		partners[joint] = partner != SNW_NONE && partners[partner] == joint ? partner : SNW_NONE;
	}
	return partners;
}

static int compare_keys(const void *a, const void *b) {
	const keyed *x = a, *y = b;
	return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->point > y->point) - (x->point < y->point);
}

static double key_of(const double p[3]) {
	return 0.55 * fabs(p[0]) + 0.73 * p[1] + 0.41 * p[2];
}

/* The first of the sorted points whose key is not below the limit. */
static uint32_t first_from(const keyed *all, uint32_t count, double limit) {
	uint32_t low = 0, high = count;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		*(all[middle].key < limit ? &low : &high) = all[middle].key < limit ? middle + 1 : middle;
	}
	return low;
}

static uint32_t find_point(const mesh_fit *f, const keyed *all, uint32_t point) {
	const double *here = f->mesh->points_rest + 3 * (size_t)point, key = key_of(here), limit = tolerance * f->diagonal;
	uint32_t best = SNW_NONE;
	double nearest = limit;
	for (uint32_t n = first_from(all, f->mesh->point_count, key - limit); n < f->mesh->point_count; n++) {
		const double distance = mirrored_distance(here, f->mesh->points_rest + 3 * (size_t)all[n].point);
		if (all[n].key > key + limit) {
			break;
		}
		if (distance < nearest) {
			nearest = distance;
			best = all[n].point;
		}
	}
	return best;
}

/* NULL if too many points have no partner. */
static uint32_t *find_points(const mesh_fit *f, snw_pool *pool) {
	const uint32_t count = f->mesh->point_count;
	uint32_t *partners = SNW_POOL_ARRAY(pool, uint32_t, count), found = 0;
	keyed *all = SNW_POOL_ARRAY(pool, keyed, count);
	if (pool->failed) {
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		all[i] = (keyed){key_of(f->mesh->points_rest + 3 * (size_t)i), i};
	}
	qsort(all, count, sizeof *all, compare_keys);
	for (uint32_t i = 0; i < count; i++) {
		partners[i] = find_point(f, all, i);
		found += partners[i] != SNW_NONE;
	}
	return found >= points_must * count ? partners : NULL;
}

/* ---- joints without a partner -------------------------------------------------------------------------------------------- */

/* One that never rotates is its own partner: it explains nothing on either side. */
static int rotates(const mesh_fit *f, uint32_t joint) {
	for (uint32_t s = 0; s < f->sample_count; s++) {
		if (snw_length3(f->samples[s].pose->rotation_vectors + 3 * (size_t)joint) > never) {
			return 1;
		}
	}
	return 0;
}

static int is_near_unpaired(const mesh_fit *f, const uint32_t *joints, uint32_t point) {
	const candidate_list near = find_candidates(f, point);
	int found = 0;
	for (uint32_t k = 0; k < near.count; k++) {
		found |= joints[near.joints[k]] == SNW_NONE;
	}
	return found;
}

/* Parts the points that a joint without a partner may correct from their partners. */
static void part_points(const mesh_fit *f, const uint32_t *joints, uint32_t *points) {
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const uint32_t partner = points[i];
		if (partner != SNW_NONE && is_near_unpaired(f, joints, i)) {
			points[i] = SNW_NONE;
			points[partner] = points[partner] == i ? SNW_NONE : points[partner];
		}
	}
}

static void report_unpaired(const mesh_fit *f, const uint32_t *joints, uint32_t count, int is_symmetric) {
	char names[NAME_BYTES] = "";
	for (uint32_t j = 0, named = 0; j < f->joint_count && named < MOST_NAMED; j++) {
		const size_t at = strlen(names);
		if (joints[j] == SNW_NONE) {
			snprintf(names + at, sizeof names - at, "%s'%s'", named++ > 0 ? ", " : "", f->joints[j].name);
		}
	}
	snw_report_line(f->host, SNW_LOG_INFO, "mesh '%s': joints without a partner at the plane x = 0: %s%s; %s", f->mesh->name,
					names, count > MOST_NAMED ? ", …" : "",
					is_symmetric ? "points near them do not learn from the other side" : "no sample is used mirrored");
}

snw_status find_symmetry(const mesh_fit *f, snw_pool *pool, symmetry *found) {
	uint32_t *points = find_points(f, pool), *joints = points ? find_joints(f, pool) : NULL, unpaired = 0;
	for (uint32_t j = 0; joints && j < f->joint_count; j++) {
		joints[j] = joints[j] == SNW_NONE && !rotates(f, j) ? j : joints[j];
		unpaired += joints[j] == SNW_NONE;
	}
	const int is_symmetric = joints && f->joint_count - unpaired >= joints_must * f->joint_count;
	if (joints && unpaired > 0) {
		report_unpaired(f, joints, unpaired, is_symmetric);
	}
	if (is_symmetric && unpaired > 0) {
		part_points(f, joints, points);
	}
	*found = (symmetry){.joints = is_symmetric ? joints : NULL, .points = is_symmetric ? points : NULL};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}
