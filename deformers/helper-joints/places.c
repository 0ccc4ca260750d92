/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where helpers begin: some between joints (between.c), the others by k-means of the points, weighted by the squared error that
 * joints and helpers leave there. A helper of these takes the points around
 * its place, the less the farther they are, and follows the joint that moves them most.
 */
#include <math.h>
#include <string.h>

#include "helper-joints/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

enum { ROUNDS = 12 };

static const double widening = 1.8;      /* of a helper's radius over the spread of its points */
static const double least_radius = 0.01; /* of the diagonal */
static const double most_share = 0.8;    /* of a point, at its place */

static double weight_of(const mesh_fit *f, uint32_t point) {
	return f->residuals[point] * f->residuals[point];
}

static uint32_t nearest_place(const mesh_fit *f, uint32_t first, uint32_t end, uint32_t point, double *squared) {
	uint32_t nearest = first;
	*squared = INFINITY;
	for (uint32_t h = first; h < end; h++) {
		const double distance = snw_squared_distance3(f->mesh->points_rest + 3 * (size_t)point, f->helpers[h].place);
		if (distance < *squared) {
			*squared = distance;
			nearest = h;
		}
	}
	return nearest;
}

/* Each place is the point with the largest weighted distance from those before it. */
static void choose_first_places(mesh_fit *f, uint32_t first) {
	for (uint32_t h = first; h < f->helper_count; h++) {
		uint32_t best = 0;
		double most = -1;
		for (uint32_t i = 0; i < f->mesh->point_count; i++) {
			double squared = 1;
			if (h > first) {
				nearest_place(f, first, h, i, &squared);
			}
			if (weight_of(f, i) * squared > most) {
				most = weight_of(f, i) * squared;
				best = i;
			}
		}
		memcpy(f->helpers[h].place, f->mesh->points_rest + 3 * (size_t)best, sizeof f->helpers[h].place);
	}
}

/* `sums` [helper_count][5]: weight, weighted place, weighted squared distance. */
static void move_places(mesh_fit *f, uint32_t first, double *sums) {
	memset(sums, 0, 5 * (size_t)f->helper_count * sizeof *sums);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		double squared;
		const double weight = weight_of(f, i), *rest = f->mesh->points_rest + 3 * (size_t)i;
		double *sum = sums + 5 * (size_t)nearest_place(f, first, f->helper_count, i, &squared);
		sum[0] += weight;
		sum[4] += weight * squared;
		for (int c = 0; c < 3; c++) {
			sum[1 + c] += weight * rest[c];
		}
	}
	for (uint32_t h = first; h < f->helper_count; h++) {
		const double *sum = sums + 5 * (size_t)h;
		if (sum[0] > 0) {
			for (int c = 0; c < 3; c++) {
				f->helpers[h].place[c] = sum[1 + c] / sum[0];
			}
			f->radii[h] = fmax(widening * sqrt(sum[4] / sum[0]), least_radius * f->diagonal);
		}
	}
}

/* ---- the points of a helper ---------------------------------------------------------------------------------------------- */

static double nearness(const mesh_fit *f, uint32_t index, uint32_t point) {
	const double radius = f->radii[index];
	const double squared = snw_squared_distance3(f->mesh->points_rest + 3 * (size_t)point, f->helpers[index].place);
	const double rest = 1 - squared / (radius * radius);
	return rest > 0 ? rest * rest : 0;
}

/* A helper's is its parent. */
static uint32_t joint_of_slot(const mesh_fit *f, uint32_t slot) {
	const uint32_t slots = f->input->character->slot_count;
	return slot < slots ? f->input->character->slot_joints[slot] : f->helpers[slot - slots].parent;
}

static void choose_parent(const mesh_fit *f, uint32_t index, double *of_joints) {
	helper *one = &f->helpers[index];
	const uint32_t joints = f->model->joint_count;
	memset(of_joints, 0, joints * sizeof *of_joints);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const double near = nearness(f, index, i) * weight_of(f, i);
		for (uint32_t k = f->skin.offsets[i]; near > 0 && k < f->skin.offsets[i + 1]; k++) {
			of_joints[joint_of_slot(f, f->skin.slots[k])] += near * f->skin.weights[k];
		}
	}
	one->parent = joint_of_slot(f, 0);
	one->toward = SNW_NONE;
	for (uint32_t j = 0; j < joints; j++) {
		one->parent = of_joints[j] > of_joints[one->parent] ? j : one->parent;
	}
}

static uint32_t main_joint(const mesh_fit *f, uint32_t point) {
	uint32_t best = f->skin.offsets[point];
	for (uint32_t k = best; k < f->skin.offsets[point + 1]; k++) {
		best = f->skin.weights[k] > f->skin.weights[best] ? k : best;
	}
	return joint_of_slot(f, f->skin.slots[best]);
}

/* Not of a helper beside it in space alone, such as on the other leg. */
static int is_near_joint(const mesh_fit *f, uint32_t a, uint32_t b) {
	const uint32_t *parents = f->input->character->skeleton->parents;
	return a == b || parents[a] == b || parents[b] == a;
}

/* The shares of the helpers in a point; returns their sum, at most `most_share`. */
static double find_shares(const mesh_fit *f, uint32_t first, uint32_t point, double *shares) {
	const uint32_t joint = main_joint(f, point);
	double sum = 0, others = 1;
	for (uint32_t h = first; h < f->helper_count; h++) {
		shares[h] = is_near_joint(f, joint, f->helpers[h].parent) ? nearness(f, h, point) : 0;
		sum += shares[h];
		others *= 1 - shares[h];
	}
	const double all = most_share * (1 - others);
	for (uint32_t h = first; h < f->helper_count && sum > 0; h++) {
		shares[h] *= all / sum;
	}
	return all;
}

static snw_status share_points(mesh_fit *f, uint32_t first, snw_pool *pool) {
	const uint32_t points = f->mesh->point_count, slots = f->input->character->slot_count;
	double *shares = SNW_POOL_ARRAY(pool, double, f->helper_count);
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	const size_t most = f->skin.offsets[points] + (size_t)points * f->helper_count;
	uint32_t *wide_slots = SNW_POOL_ARRAY(pool, uint32_t, most);
	double *weights = SNW_POOL_ARRAY(pool, double, most);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0, n = 0; i < points; i++) {
		const double all = find_shares(f, first, i, shares);
		for (uint32_t k = f->skin.offsets[i]; k < f->skin.offsets[i + 1]; k++, n++) {
			wide_slots[n] = f->skin.slots[k];
			weights[n] = f->skin.weights[k] * (1 - all);
		}
		for (uint32_t h = first; h < f->helper_count; h++) {
			if (shares[h] > 0) {
				wide_slots[n] = slots + h;
				weights[n++] = shares[h];
			}
		}
		offsets[i + 1] = n;
	}
	f->skin = (snk_base_skin_mesh){points, offsets, wide_slots, weights};
	return SNW_OK;
}

snw_status place_helpers(mesh_fit *f, int is_between, snw_pool *pool) {
	double *sums = SNW_POOL_ARRAY(pool, double, 5 * (size_t)f->helper_count);
	double *of_joints = SNW_POOL_ARRAY(pool, double, f->model->joint_count);
	f->helpers = SNW_POOL_ARRAY(pool, helper, f->helper_count);
	f->radii = SNW_POOL_ARRAY(pool, double, f->helper_count);
	f->slides = (double(*)[3])snw_pool_acquire(pool, f->helper_count, sizeof *f->slides);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t first = 0;
	const snw_status status = is_between ? place_between(f, pool, &first) : SNW_OK;
	f->between_count = first;
	if (snk_failed(status) || first == f->helper_count) {
		return status;
	}
	choose_first_places(f, first);
	for (int round = 0; round < ROUNDS; round++) {
		move_places(f, first, sums);
	}
	for (uint32_t h = first; h < f->helper_count; h++) {
		choose_parent(f, h, of_joints);
	}
	return share_points(f, first, pool);
}
