/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Greedy p-centre, and weights around the centres.
 */
#include "motion/animation/proxy_joints.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/skin/base_skin.h"

static uint32_t furthest(uint32_t count, const double *distances) {
	uint32_t at = 0;
	for (uint32_t i = 1; i < count; i++) {
		at = distances[i] > distances[at] ? i : at;
	}
	return at;
}

uint32_t snk_p_centre(uint32_t point_count, const double *points_rest, uint32_t wanted, uint32_t *centres, double *radii,
					  double *scratch) {
	double mean[3] = {0, 0, 0};
	for (size_t i = 0; i < 3 * (size_t)point_count; i++) {
		mean[i % 3] += points_rest[i] / point_count;
	}
	for (uint32_t i = 0; i < point_count; i++) {
		scratch[i] = snw_squared_distance3(points_rest + 3 * (size_t)i, mean);
	}
	uint32_t count = 0, next = point_count > 0 ? furthest(point_count, scratch) : 0;
	for (uint32_t i = 0; i < point_count; i++) {
		scratch[i] = INFINITY;
	}
	while (count < wanted && point_count > 0 && scratch[next] > 0) {
		const double *centre = points_rest + 3 * (size_t)next;
		centres[count] = next;
		for (uint32_t i = 0; i < point_count; i++) {
			scratch[i] = fmin(scratch[i], snw_squared_distance3(points_rest + 3 * (size_t)i, centre));
		}
		next = furthest(point_count, scratch);
		if (radii) {
			radii[count] = sqrt(scratch[next]);
		}
		count++;
	}
	for (uint32_t i = 0; i < point_count; i++) {
		scratch[i] = sqrt(scratch[i]);
	}
	return count;
}

/* The influences of one point, in order of descending weights. */
typedef struct point_weights {
	uint32_t count;
	uint32_t joints[SNK_FIT_INFLUENCES];
	double weights[SNK_FIT_INFLUENCES];
} point_weights;

static void find_weights(const double *point, const double *points_rest, uint32_t joint_count, const uint32_t *centres,
						 double reach, uint32_t most, point_weights *weights) {
	double nearest = INFINITY;
	uint32_t nearest_joint = 0;
	weights->count = 0;
	for (uint32_t j = 0; j < joint_count; j++) {
		const double squared = snw_squared_distance3(point, points_rest + 3 * (size_t)centres[j]);
		if (squared < nearest) {
			nearest = squared;
			nearest_joint = j;
		}
		if (squared < reach * reach) {
			snk_keep_influence(most, j, 1 - sqrt(squared) / reach, &weights->count, weights->joints, weights->weights);
		}
	}
	if (weights->count == 0) {
		snk_keep_influence(most, nearest_joint, 1, &weights->count, weights->joints, weights->weights);
	}
	double sum = 0;
	for (uint32_t k = 0; k < weights->count; k++) {
		sum += weights->weights[k];
	}
	for (uint32_t k = 0; k < weights->count; k++) {
		weights->weights[k] /= sum;
	}
}

snw_status snk_proxy_weights(snw_pool *pool, uint32_t point_count, const double *points_rest, uint32_t joint_count,
							 const uint32_t *centres, double radius, double spread, uint32_t most, snk_influences *influences) {
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)point_count + 1);
	uint32_t *joints = SNW_POOL_ARRAY(pool, uint32_t, (size_t)most * point_count);
	double *weights = SNW_POOL_ARRAY(pool, double, (size_t)most *point_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < point_count; i++) {
		point_weights nearby;
		find_weights(points_rest + 3 * (size_t)i, points_rest, joint_count, centres, spread * radius, most, &nearby);
		memcpy(joints + offsets[i], nearby.joints, nearby.count * sizeof *joints);
		memcpy(weights + offsets[i], nearby.weights, nearby.count * sizeof *weights);
		offsets[i + 1] = offsets[i] + nearby.count;
	}
	*influences = (snk_influences){point_count, joint_count, offsets, joints, weights};
	return SNW_OK;
}
