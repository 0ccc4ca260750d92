/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the joints and points that mirror each other at the plane x = 0 of the rest. A joint's partner is one of the children of its
 * parent's partner, so that joints at the same place are not confused.
 */
#include <math.h>
#include <stdlib.h>

#include "pose-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

/* How far from its mirrored place a partner may be, in units of the diagonal; and how many points must have one. */
static const double tolerance = 1e-3, most_must = 0.9;

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

/* NULL if a joint has no partner. */
static uint32_t *find_joints(const mesh_fit *f, snw_pool *pool) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	uint32_t *partners = SNW_POOL_ARRAY(pool, uint32_t, skeleton->joint_count);
	for (uint32_t n = 0; partners && n < skeleton->joint_count; n++) {
		const uint32_t joint = skeleton->order[n];
		partners[joint] = find_joint(skeleton, partners, joint, tolerance * f->diagonal);
		if (partners[joint] == SNW_NONE) {
			return NULL;
		}
	}
	for (uint32_t j = 0; partners && j < skeleton->joint_count; j++) {
		if (partners[partners[j]] != j) {
			return NULL;
		}
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
	return found >= most_must * count ? partners : NULL;
}

snw_status find_symmetry(const mesh_fit *f, snw_pool *pool, symmetry *found) {
	const uint32_t *joints = find_joints(f, pool), *points = joints ? find_points(f, pool) : NULL;
	*found = (symmetry){.joints = points ? joints : NULL, .points = points};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}
