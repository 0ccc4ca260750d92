/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Alternates between weights and transforms.
 */
#include <math.h>
#include <string.h>

#include "motion/decompose.h"
#include "motion/decompose_state.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/status.h"

/* ---- extrapolation ------------------------------------------------------------------------------------------------------- */

/* Extrapolates transforms in the direction in which the last iteration changed them. */

/* Replaces the linear part by the nearest rotation; the joint's posed centre is unchanged. */
static void make_rigid(const double centre[3], uint32_t lane, snk_lanes *matrix) {
	double linear[9], rotation[9];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			linear[3 * r + c] = matrix[4 * r + c][lane];
		}
	}
	snk_nearest_rotation(linear, rotation);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			matrix[4 * r + 3][lane] += (linear[3 * r + c] - rotation[3 * r + c]) * centre[c];
			matrix[4 * r + c][lane] = rotation[3 * r + c];
		}
	}
}

/* Extrapolates the transforms by `reach` times their last change. */
static void decompose_extrapolate(decomposition *d, const snk_blend_graph *graph) {
	const size_t joints = d->transforms.joint_count, width = snk_transform_width(d->transforms.kind);
	const size_t count = joints * width * d->transforms.block_count;
	snk_lanes *values = d->transforms.values;
	memcpy(d->plain, values, count * sizeof *values);
	if (d->has_previous && d->reach > 0) {
		for (size_t i = 0; i < count; i++) {
			values[i] += d->reach * (values[i] - d->previous[i]);
		}
		for (size_t n = 0; d->transforms.kind == SNK_TRANSFORMS_RIGID && n < joints * d->transforms.block_count; n++) {
			const int is_locked = d->options->locked && d->options->locked[n % joints];
			for (uint32_t lane = 0; lane < SNK_LANES && !is_locked; lane++) {
				make_rigid(graph->centres[n % joints], lane, values + 12 * n);
			}
		}
	}
	memcpy(d->previous, d->plain, count * sizeof *values);
	d->has_previous = 1;
}

/* ---- decomposition ------------------------------------------------------------------------------------------------------- */

enum {
	SEARCH_EVERY = 5,
	STALL_AFTER = 10,      /* iterations over which progress is measured */
	MOST_ITERATIONS = 400, /* of auto */
	TRIAL = 20,            /* iterations in which a moved joint must gain */
	MOST_FAILURES = 12,    /* trials without gain in a row, after which the fit has stalled */
	STEPS = 2,             /* of the transforms in an iteration */
};
static const double first_reach = 0.5, furthest = 4; /* of the extrapolation */
static const double share_before_bound = 0.6;        /* of the time, if the largest distance is bounded */
static const double stalled = 2e-3;                  /* fraction of the squared error in STALL_AFTER iterations */

static size_t transform_lanes(const decomposition *d) {
	return (size_t)d->transforms.block_count * d->transforms.joint_count * snk_transform_width(d->transforms.kind);
}

void decompose_snapshot_open(snw_pool *pool, const decomposition *d, decompose_snapshot *dest) {
	const size_t points = d->options->motion->point_count, places = points * d->options->influences;
	*dest = (decompose_snapshot){.counts = SNW_POOL_ARRAY(pool, uint32_t, points),
								 .joints = SNW_POOL_ARRAY(pool, uint32_t, places),
								 .weights = SNW_POOL_ARRAY(pool, double, places),
								 .transforms = SNW_POOL_ARRAY(pool, snk_lanes, transform_lanes(d)),
								 .squares = INFINITY};
}

void decompose_save(const decomposition *d, decompose_snapshot *dest) {
	const size_t points = d->options->motion->point_count, places = points * d->options->influences;
	memcpy(dest->counts, d->counts, points * sizeof *d->counts);
	memcpy(dest->joints, d->joints, places * sizeof *d->joints);
	memcpy(dest->weights, d->weights, places * sizeof *d->weights);
	memcpy(dest->transforms, d->transforms.values, transform_lanes(d) * sizeof(snk_lanes));
	dest->squares = d->squares;
}

void decompose_restore(const decompose_snapshot *from, decomposition *d) {
	const size_t points = d->options->motion->point_count, places = points * d->options->influences;
	memcpy(d->counts, from->counts, points * sizeof *d->counts);
	memcpy(d->next_joints, from->joints, places * sizeof *d->joints);
	memcpy(d->next_weights, from->weights, places * sizeof *d->weights);
	memcpy(d->transforms.values, from->transforms, transform_lanes(d) * sizeof(snk_lanes));
	d->squares = from->squares;
	d->has_previous = 0;
	d->reach = first_reach;
	decompose_pack(d);
}

/* ---- one iteration ------------------------------------------------------------------------------------------------------- */

static snw_status fit_transforms(decomposition *d, int warm, uint32_t steps) {
	snk_blend_graph graph;
	snw_status status = snk_blend_graph_make(d->options->host, d->options->motion->points_rest, &d->influences, &graph);
	if (snk_failed(status)) {
		return status;
	}
	const snk_transform_fit fit = {.host = d->options->host,
								   .motion = d->options->motion,
								   .graph = &graph,
								   .rounds = steps,
								   .enough = 1e-6,
								   .warm = warm,
								   .cold = d->cold,
								   .locked = d->options->locked};
	status = snk_transforms_fit(&fit, &d->transforms);
	if (!snk_failed(status)) {
		decompose_extrapolate(d, &graph);
	}
	snk_blend_graph_drop(&graph);
	memset(d->cold, 0, d->options->joint_count);
	return status;
}

static snw_status iterate(decomposition *d, int search) {
	const double before = d->squares;
	snw_status status = fit_transforms(d, 1, STEPS);
	status = snk_failed(status) ? status : decompose_fit_weights(d, search);
	if (!snk_failed(status) && d->reach > 0 && d->squares > before) {
		/* The extrapolation was too large: restore the transforms before it. */
		memcpy(d->transforms.values, d->plain, transform_lanes(d) * sizeof(snk_lanes));
		d->reach /= 2;
		return decompose_fit_weights(d, search);
	}
	d->reach = d->reach * 1.2 < furthest ? d->reach * 1.2 : furthest;
	return status;
}

/* ---- moving a joint to another place ------------------------------------------------------------------------------------- */

/* The least useful joint of those not tried since the last gain. */
static uint32_t find_cheap(const decomposition *d, const unsigned char *tried) {
	uint32_t cheap = SNW_NONE;
	for (uint32_t j = 0; j < d->options->joint_count; j++) {
		if (!tried[j] && !d->pinned[j] && (cheap == SNW_NONE || d->costs[j] < d->costs[cheap])) {
			cheap = j;
		}
	}
	return cheap;
}

/* The worst point of the joint with the largest error, or of the next ones if `skip` > 0. */
static uint32_t find_seed(const decomposition *d, uint32_t spared, uint32_t skip, double *sums) {
	const uint32_t stride = d->options->influences, points = d->options->motion->point_count;
	memset(sums, 0, d->options->joint_count * sizeof *sums);
	for (uint32_t i = 0; i < points; i++) {
		for (uint32_t k = 0; k < d->counts[i] && !decompose_is_held(d, i); k++) {
			sums[d->joints[(size_t)stride * i + k]] += d->errors[i] * d->weights[(size_t)stride * i + k];
		}
	}
	sums[spared] = -1;
	uint32_t worst = 0;
	for (uint32_t n = 0; n <= skip; n++) {
		worst = 0;
		for (uint32_t j = 1; j < d->options->joint_count; j++) {
			worst = sums[j] > sums[worst] ? j : worst;
		}
		sums[worst] = n < skip ? -1 : sums[worst];
	}
	uint32_t seed = SNW_NONE;
	double most = -1;
	for (uint32_t i = 0; i < points; i++) {
		for (uint32_t k = 0; k < d->counts[i] && !decompose_is_held(d, i); k++) {
			const double error = d->errors[i] * d->weights[(size_t)stride * i + k];
			if (d->joints[(size_t)stride * i + k] == worst && error > most) {
				most = error;
				seed = i;
			}
		}
	}
	return seed;
}

/* Removes joint `out` from all points; a point without other joints follows `instead`. */
static void remove_joint(decomposition *d, uint32_t out, uint32_t instead) {
	const uint32_t stride = d->options->influences;
	for (uint32_t i = 0; i < d->options->motion->point_count; i++) {
		if (decompose_is_held(d, i)) {
			continue; /* none of its joints is ever removed */
		}
		uint32_t *joints = d->next_joints + (size_t)stride * i, n = 0;
		double *weights = d->next_weights + (size_t)stride * i, sum = 0;
		for (uint32_t k = 0; k < d->counts[i]; k++) {
			if (joints[k] != out) {
				joints[n] = joints[k];
				weights[n++] = weights[k];
				sum += weights[n - 1];
			}
		}
		if (!(sum > 0)) {
			joints[0] = instead;
			weights[0] = sum = n = 1;
		}
		for (uint32_t k = 0; k < n; k++) {
			weights[k] /= sum;
		}
		d->counts[i] = n;
	}
}

/* Makes the points nearest to the seed follow the joint alone. */
static void attach_nearest(decomposition *d, uint32_t joint, uint32_t seed) {
	const snk_motion *motion = d->options->motion;
	const size_t stride = d->options->influences;
	uint32_t near[SNK_NEAREST];
	const uint32_t count = snk_nearest_points(motion->point_count, motion->points_rest, NULL, seed, near);
	for (uint32_t k = 0; k < count; k++) {
		if (decompose_is_held(d, near[k])) {
			continue;
		}
		d->counts[near[k]] = 1;
		d->next_joints[stride * near[k]] = joint;
		d->next_weights[stride * near[k]] = 1;
	}
	d->cold[joint] = 1;
}

/* ---- iterations ---------------------------------------------------------------------------------------------------------- */

/* The progress of the fit. */
typedef struct progress {
	decomposition *d;
	decompose_snapshot best;
	unsigned char *tried; /* [joint_count]: joints that were moved without gain */
	double *sums;         /* [joint_count] */
	uint32_t iteration, most;
	uint32_t done, all; /* over all starts */
	uint32_t failures;
	int stopped;
} progress;

static int should_continue(progress *c) {
	const snk_decompose_options *o = c->d->options;
	if (c->iteration >= c->most) {
		return 0;
	}
	c->stopped = !snk_steps_go_on(&o->steps, (o->largest > 0 ? share_before_bound : 1) * c->done / c->all);
	return !c->stopped;
}

/* Iterates until progress stalls, or `limit` times. */
static snw_status run_until_stall(progress *c, uint32_t limit) {
	decomposition *d = c->d;
	double reference = d->squares;
	snw_status status = SNW_OK;
	for (uint32_t n = 1; !snk_failed(status) && n <= limit && should_continue(c); n++) {
		status = iterate(d, n % SEARCH_EVERY == 1);
		c->iteration++;
		c->done++;
		if (!snk_failed(status) && d->squares < c->best.squares) {
			decompose_save(d, &c->best);
		}
		if (n % STALL_AFTER == 0) {
			if (d->squares > reference * (1 - stalled)) {
				break;
			}
			reference = d->squares;
		}
	}
	return status;
}

/* Moves the least useful joint to the largest error, and keeps that if it reduces the error. */
static snw_status move_joint(progress *c) {
	decomposition *d = c->d;
	const double before = c->best.squares;
	decompose_restore(&c->best, d);
	snw_status status = decompose_fit_weights(d, 1); /* for the costs */
	const uint32_t cheap = find_cheap(d, c->tried);
	if (snk_failed(status) || cheap == SNW_NONE || d->options->joint_count < 3) {
		c->failures = MOST_FAILURES;
		return status;
	}
	const uint32_t seed = find_seed(d, cheap, c->failures % 3, c->sums);
	if (seed == SNW_NONE) {
		c->failures = MOST_FAILURES;
		return SNW_OK;
	}
	const uint32_t instead = d->joints[(size_t)d->options->influences * seed];
	remove_joint(d, cheap, instead == cheap ? (cheap == 0 ? 1 : 0) : instead);
	attach_nearest(d, cheap, seed);
	decompose_pack(d);
	status = run_until_stall(c, TRIAL);
	const int has_gained = c->best.squares < before * (1 - stalled / 4);
	c->tried[cheap] = 1;
	if (has_gained) {
		memset(c->tried, 0, d->options->joint_count);
	}
	c->failures = has_gained ? 0 : c->failures + 1;
	return status;
}

/* Locked joints, and those that held points have. */
static void find_pinned(decomposition *d, const snk_influences *start) {
	for (uint32_t j = 0; j < d->options->joint_count; j++) {
		d->pinned[j] = d->options->locked && d->options->locked[j];
	}
	for (uint32_t i = 0; i < start->point_count; i++) {
		for (uint32_t k = start->offsets[i]; k < start->offsets[i + 1] && decompose_is_held(d, i); k++) {
			d->pinned[start->joints[k]] = 1;
		}
	}
}

/* Before the first fit. */
static void put_given(decomposition *d) {
	const uint32_t joints = d->options->joint_count, blocks = d->options->motion->block_count;
	for (size_t at = 0; d->options->locked && at < (size_t)joints * blocks; at++) {
		if (d->options->locked[at % joints]) {
			memcpy(d->transforms.values + 12 * at, d->options->given + 12 * at, 12 * sizeof(snk_lanes));
		}
	}
}

/* ---- starts -------------------------------------------------------------------------------------------------------------- */

static void put_weights(decomposition *d, const snk_influences *start) {
	const uint32_t most = d->options->influences;
	for (uint32_t i = 0; i < d->options->motion->point_count; i++) {
		const uint32_t first = start->offsets[i], count = start->offsets[i + 1] - first;
		d->counts[i] = count < most ? count : most;
		memcpy(d->next_joints + (size_t)most * i, start->joints + first, d->counts[i] * sizeof(uint32_t));
		memcpy(d->next_weights + (size_t)most * i, start->weights + first, d->counts[i] * sizeof(double));
	}
	d->has_previous = 0;
	d->reach = first_reach;
	decompose_pack(d);
}

/* Runs the first `limit` iterations from a start. */
static snw_status run_start(progress *c, const snk_influences *start, uint32_t limit) {
	decomposition *d = c->d;
	c->iteration = 0;
	c->best.squares = INFINITY;
	put_weights(d, start);
	put_given(d);
	find_pinned(d, start);
	snw_status status = fit_transforms(d, 0, 3 * STEPS);
	status = snk_failed(status) ? status : decompose_fit_weights(d, 1);
	if (!snk_failed(status)) {
		decompose_save(d, &c->best);
		status = run_until_stall(c, limit);
	}
	return status;
}

/* Runs a few iterations from each start, and continues from the one with the smallest error. */
static snw_status choose_start(progress *c, uint32_t count, const snk_influences *starts, decompose_snapshot *rival) {
	const uint32_t quarter = c->most / 4 > 0 ? c->most / 4 : 1, limit = quarter < STALL_AFTER ? quarter : STALL_AFTER;
	uint32_t rival_iteration = 0;
	c->all = c->most + (count - 1) * limit;
	snw_status status = SNW_OK;
	rival->squares = INFINITY;
	for (uint32_t i = 0; !snk_failed(status) && !c->stopped && i < count; i++) {
		if (i > 0 && c->best.squares < rival->squares) {
			const decompose_snapshot better = c->best;
			c->best = *rival;
			*rival = better;
			rival_iteration = c->iteration;
		}
		status = run_start(c, &starts[i], count > 1 ? limit : c->most);
	}
	if (!snk_failed(status) && rival->squares < c->best.squares) {
		const decompose_snapshot worse = c->best;
		c->best = *rival;
		*rival = worse;
		c->iteration = rival_iteration;
		decompose_restore(&c->best, c->d);
	}
	return status;
}

static snw_status run(progress *c, uint32_t count, const snk_influences *starts, decompose_snapshot *rival) {
	snw_status status = choose_start(c, count, starts, rival);
	if (!snk_failed(status) && !c->stopped && count > 1) {
		status = run_until_stall(c, c->most);
	}
	while (!snk_failed(status) && !c->stopped && c->failures < MOST_FAILURES && should_continue(c)) {
		status = move_joint(c);
	}
	if (!snk_failed(status)) {
		decompose_restore(&c->best, c->d);
	}
	if (!snk_failed(status) && !c->stopped && c->d->options->largest > 0) {
		status = decompose_bound_largest(c->d, share_before_bound);
	}
	return status;
}

static snw_status open_state(snw_pool *pool, const snk_decompose_options *options, decomposition *d) {
	const size_t points = options->motion->point_count, places = points * options->influences;
	*d = (decomposition){.options = options,
						 .kernels = snk_lane_kernels_best(),
						 .counts = SNW_POOL_ARRAY(pool, uint32_t, points),
						 .joints = SNW_POOL_ARRAY(pool, uint32_t, places),
						 .next_joints = SNW_POOL_ARRAY(pool, uint32_t, places),
						 .weights = SNW_POOL_ARRAY(pool, double, places),
						 .next_weights = SNW_POOL_ARRAY(pool, double, places),
						 .packed_offsets = SNW_POOL_ARRAY(pool, uint32_t, points + 1),
						 .packed_joints = SNW_POOL_ARRAY(pool, uint32_t, places),
						 .packed_weights = SNW_POOL_ARRAY(pool, double, places),
						 .cold = SNW_POOL_ARRAY(pool, unsigned char, options->joint_count),
						 .pinned = SNW_POOL_ARRAY(pool, unsigned char, options->joint_count),
						 .errors = SNW_POOL_ARRAY(pool, double, points),
						 .costs = SNW_POOL_ARRAY(pool, double, options->joint_count)};
	const snw_status status = snk_transforms_make(pool, options->kind, options->joint_count, options->motion, &d->transforms);
	d->previous = SNW_POOL_ARRAY(pool, snk_lanes, transform_lanes(d));
	d->plain = SNW_POOL_ARRAY(pool, snk_lanes, transform_lanes(d));
	if (snk_failed(status) || pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	d->influences = (snk_influences){options->motion->point_count, options->joint_count, d->packed_offsets, d->packed_joints,
									 d->packed_weights};
	return SNW_OK;
}

snw_status snk_decompose(const snk_decompose_options *options, uint32_t start_count, const snk_influences *starts,
						 snw_pool *pool, snk_decomposition *result) {
	decompose_snapshot rival;
	decomposition d;
	snw_pool scratch = snw_pool_open(options->host);
	snw_status status = open_state(pool, options, &d);
	progress c = {.d = &d,
				  .tried = SNW_POOL_ARRAY(&scratch, unsigned char, options->joint_count),
				  .sums = SNW_POOL_ARRAY(&scratch, double, options->joint_count),
				  .most = options->iterations > 0 ? options->iterations : MOST_ITERATIONS};
	if (!snk_failed(status)) {
		decompose_snapshot_open(&scratch, &d, &c.best);
		decompose_snapshot_open(&scratch, &d, &rival);
		status = scratch.failed ? SNW_ERROR_MEMORY : run(&c, start_count, starts, &rival);
	}
	snw_pool_release(&scratch);
	*result = (snk_decomposition){.influences = d.influences,
								  .transforms = d.transforms,
								  .squares = d.squares,
								  .iterations = c.iteration,
								  .stopped = c.stopped};
	return status;
}
