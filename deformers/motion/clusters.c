/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points that belong together: what a decomposition starts from.
 */
#include <math.h>
#include <string.h>

#include "motion/decompose.h"
#include "sinew/algebra.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"

/* ---- proxy joints -------------------------------------------------------------------------------------------------------- */

/* Greedy p-centre, and weights around the centres. */

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

/* ---- nearest points ------------------------------------------------------------------------------------------------------ */

/* One pass over the points, with the nearest ones so far in order. */

uint32_t snk_nearest_points(uint32_t point_count, const double *points_rest, const uint32_t *clusters, uint32_t from,
							uint32_t nearest[SNK_NEAREST]) {
	double distances[SNK_NEAREST];
	uint32_t count = 0;
	for (uint32_t i = 0; i < point_count; i++) {
		if (clusters && clusters[i] != clusters[from]) {
			continue;
		}
		const double distance = snw_squared_distance3(points_rest + 3 * (size_t)i, points_rest + 3 * (size_t)from);
		uint32_t at = count < SNK_NEAREST ? count : SNK_NEAREST - 1;
		if (count == SNK_NEAREST && distance >= distances[at]) {
			continue;
		}
		count += count < SNK_NEAREST;
		for (; at > 0 && distances[at - 1] > distance; at--) {
			distances[at] = distances[at - 1];
			nearest[at] = nearest[at - 1];
		}
		distances[at] = distance;
		nearest[at] = i;
	}
	return count;
}

/* ---- clusters ------------------------------------------------------------------------------------------------------------ */

/* Clusters of points with a common rigid motion, by k-means. */

enum { ROUNDS = 3, LAST_ROUNDS = 6, GRAIN = 128 };

typedef struct clustering {
	const snw_host *host;
	const snk_motion *motion;
	const snk_lane_kernels *kernels;
	snk_influences influences; /* weight 1 for the cluster */
	uint32_t *clusters;
	snk_transforms transforms;
	double *errors; /* [point_count]: the squared error under the cluster's motion */
} clustering;

snw_status snk_cluster_influences(snw_pool *pool, uint32_t point_count, uint32_t joint_count, const uint32_t *clusters,
								  snk_influences *influences) {
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)point_count + 1);
	double *weights = SNW_POOL_ARRAY(pool, double, point_count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < point_count; i++) {
		offsets[i + 1] = i + 1;
		weights[i] = 1;
	}
	*influences = (snk_influences){point_count, joint_count, offsets, clusters, weights};
	return SNW_OK;
}

static snw_status fit_motions(clustering *c, uint32_t count) {
	snk_blend_graph graph;
	c->influences.joint_count = count;
	c->transforms.joint_count = count;
	snw_status status = snk_blend_graph_make(c->host, c->motion->points_rest, &c->influences, &graph);
	if (!snk_failed(status)) {
		const snk_transform_fit fit = {.host = c->host, .motion = c->motion, .graph = &graph};
		status = snk_transforms_fit(&fit, &c->transforms);
		snk_blend_graph_drop(&graph);
	}
	return status;
}

static void SNW_CALL assign_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	clustering *c = argument;
	const uint32_t count = c->transforms.joint_count;
	const size_t length = 3 * (size_t)c->motion->block_count;
	snw_pool pool = snw_pool_open(c->host);
	snk_lanes *column = SNW_POOL_ARRAY(&pool, snk_lanes, length);
	for (uint32_t i = begin; i < end && column; i++) {
		double least = INFINITY;
		for (uint32_t joint = 0; joint < count; joint++) {
			double error;
			c->kernels->linear_columns(c->motion, c->transforms.values, count, i, 1, &joint, column);
			c->kernels->column_gram(length, 1, column, NULL, &error);
			if (error < least) {
				least = error;
				c->clusters[i] = joint;
			}
		}
		c->errors[i] = least;
	}
	snw_pool_release(&pool);
}

/* Moves the points nearest to a seed, itself included, to cluster `joint`: at most half of the seed's cluster. */
static void start_cluster(clustering *c, uint32_t seed, uint32_t joint) {
	const snk_motion *motion = c->motion;
	const uint32_t from = c->clusters[seed];
	uint32_t near[SNK_NEAREST], members = 0;
	for (uint32_t i = 0; i < motion->point_count; i++) {
		members += c->clusters[i] == from;
	}
	const uint32_t count = snk_nearest_points(motion->point_count, motion->points_rest, c->clusters, seed, near);
	for (uint32_t k = 0; k < count && 2 * k < members; k++) {
		c->clusters[near[k]] = joint;
	}
	c->clusters[seed] = joint;
}

/* Splits the clusters with the largest errors, each once: the new cluster is around the worst point. */
static void split(clustering *c, uint32_t count, uint32_t added, double *sums) {
	memset(sums, 0, count * sizeof *sums);
	for (uint32_t i = 0; i < c->motion->point_count; i++) {
		sums[c->clusters[i]] += c->errors[i];
	}
	for (uint32_t n = 0; n < added; n++) {
		uint32_t worst = 0, seed = SNW_NONE;
		for (uint32_t j = 1; j < count; j++) {
			worst = sums[j] > sums[worst] ? j : worst;
		}
		sums[worst] = -1;
		for (uint32_t i = 0; i < c->motion->point_count; i++) {
			if (c->clusters[i] == worst && (seed == SNW_NONE || c->errors[i] > c->errors[seed])) {
				seed = i;
			}
		}
		if (seed != SNW_NONE) {
			start_cluster(c, seed, count + n);
		}
	}
}

/* Gives each empty cluster the worst point of a cluster with several points. */
static void fill_empty(clustering *c, uint32_t count, uint32_t *sizes) {
	memset(sizes, 0, count * sizeof *sizes);
	for (uint32_t i = 0; i < c->motion->point_count; i++) {
		sizes[c->clusters[i]]++;
	}
	for (uint32_t j = 0; j < count; j++) {
		uint32_t worst = SNW_NONE;
		for (uint32_t i = 0; i < c->motion->point_count && sizes[j] == 0; i++) {
			if (sizes[c->clusters[i]] > 1 && (worst == SNW_NONE || c->errors[i] > c->errors[worst])) {
				worst = i;
			}
		}
		if (worst != SNW_NONE) {
			sizes[c->clusters[worst]]--;
			sizes[j]++;
			c->clusters[worst] = j;
			c->errors[worst] = 0;
		}
	}
}

static snw_status run_rounds(clustering *c, uint32_t count, uint32_t rounds, uint32_t *sizes) {
	snw_status status = SNW_OK;
	for (uint32_t round = 0; !snk_failed(status) && round < rounds; round++) {
		status = fit_motions(c, count);
		if (!snk_failed(status)) {
			snk_ranges_run(c->host, c->motion->point_count, GRAIN, assign_chunk, c);
			fill_empty(c, count, sizes);
		}
	}
	return status;
}

snw_status snk_motion_clusters(const snw_host *host, const snk_motion *motion, uint32_t joint_count, const snk_steps *steps,
							   uint32_t *clusters) {
	snw_pool pool = snw_pool_open(host);
	clustering c = {.host = host, .motion = motion, .kernels = snk_lane_kernels_best(), .clusters = clusters};
	c.errors = SNW_POOL_ARRAY(&pool, double, motion->point_count);
	double *sums = SNW_POOL_ARRAY(&pool, double, joint_count);
	uint32_t *sizes = SNW_POOL_ARRAY(&pool, uint32_t, joint_count);
	memset(clusters, 0, motion->point_count * sizeof *clusters);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	status = snk_failed(status) ? status : snk_cluster_influences(&pool, motion->point_count, 1, clusters, &c.influences);
	status = snk_failed(status) ? status : snk_transforms_make(&pool, SNK_TRANSFORMS_RIGID, joint_count, motion, &c.transforms);
	uint32_t count = 1;
	status = snk_failed(status) ? status : run_rounds(&c, count, 1, sizes);
	while (!snk_failed(status) && count < joint_count) {
		if (!snk_steps_go_on(steps, (double)count / joint_count)) {
			status = SNW_CANCELLED;
			break;
		}
		const uint32_t remaining = joint_count - count, half = count / 2 + 1, added = remaining < half ? remaining : half;
		split(&c, count, added, sums);
		count += added;
		fill_empty(&c, count, sizes);
		status = run_rounds(&c, count, count < joint_count ? ROUNDS : LAST_ROUNDS, sizes);
	}
	snw_pool_release(&pool);
	return status;
}
