/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduces the largest distance: squared distances get a factor for each point and frame, which grows where the distance is
 * among the largest and falls slowly back to 1 elsewhere (C. Lawson, Contributions to the theory of linear least maximum
 * approximation, 1961; where we depart: factors fall back, and grow only near the maximum, so that the mean error stays small).
 *
 * Weights are fitted to the weighted squares. Transforms keep their equations, which depend on the rest points alone: a point
 * with the factor a is aimed beyond its target v', at B + a (v' − B) with B its current place. Where that is at rest, Σ a (v' −
 * B) J = 0, as for the weighted squares. Factors are relative to the mean of the point's joints in the frame, so that this
 * converges.
 */
#include <math.h>

#include "motion/decompose.h"
#include "motion/decompose_state.h"
#include "sinew/kit/status.h"

enum {
	GRAIN = 128,
	SEARCH_EVERY = 5,
	MOST_ROUNDS = 400,
	STALL_AFTER = 60, /* rounds without gain */
};
static const double gain = 5e-3;           /* of the largest distance, that counts */
static const double near_largest = 0.7;    /* of it: distances beyond that count as among the largest */
static const double margin = 0.97;         /* the part of the bound aimed at, because the last percent comes slowly */
static const double most_growth = 2;       /* of a factor in a round */
static const double fall = 0.95;           /* of a factor's excess over 1 in a round */
static const double most_importance = 1e3; /* factors stay below, or one point would hold its joints alone */
static const double step = 0.7;            /* of the way to the aim */

typedef struct bound {
	decomposition *d;
	snk_motion aims;        /* the motion, with the points' aims */
	snk_lanes *joint_means; /* [block_count][joint_count]: mean factors of each joint's points */
	double *chunk_largest;  /* [chunks]: squared */
	unsigned char *failed;  /* [chunks]: out of memory */
	double ceiling;         /* distances beyond it get larger factors */
	decompose_snapshot best;
	double largest, best_largest;
} bound;

static size_t chunk_count(const decomposition *d) {
	return (size_t)d->options->motion->point_count / GRAIN + 1;
}

/* ---- the largest distance ------------------------------------------------------------------------------------------------ */

static void SNW_CALL measure_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	bound *b = argument;
	const decomposition *d = b->d;
	const snk_motion *motion = d->options->motion;
	snk_lanes distances[GRAIN];
	double *largest = &b->chunk_largest[begin / GRAIN];
	*largest = 0;
	for (uint32_t block = 0; block < motion->block_count; block++) {
		d->kernels->linear_distances(motion, &d->influences, block,
									 (const snk_lane_matrix *)snk_transforms_block(&d->transforms, block), begin, end,
									 distances);
		for (uint32_t i = begin; i < end; i++) {
			for (uint32_t lane = 0; lane < snk_motion_lanes(motion, block); lane++) {
				*largest = fmax(*largest, distances[i - begin][lane]);
			}
		}
	}
}

static void measure_largest(bound *b) {
	const decomposition *d = b->d;
	snk_ranges_run(d->options->host, d->options->motion->point_count, GRAIN, measure_chunk, b);
	b->largest = 0;
	for (size_t chunk = 0; chunk < chunk_count(d); chunk++) {
		b->largest = fmax(b->largest, sqrt(b->chunk_largest[chunk]));
	}
}

/* ---- factors and aims ---------------------------------------------------------------------------------------------------- */

static void average_over_joints(bound *b, uint32_t block) {
	const decomposition *d = b->d;
	const uint32_t joints = d->options->joint_count, points = d->options->motion->point_count;
	snk_lanes *means = b->joint_means + (size_t)joints * block;
	for (uint32_t j = 0; j < joints; j++) {
		means[j] = (snk_lanes){0};
	}
	for (uint32_t i = 0; i < points; i++) {
		const snk_lanes importance = __builtin_convertvector(d->importance[(size_t)points * block + i], snk_lanes);
		for (uint32_t k = d->influences.offsets[i]; k < d->influences.offsets[i + 1]; k++) {
			means[d->influences.joints[k]] += d->influences.weights[k] * importance;
		}
	}
}

static void SNW_CALL average_blocks(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t block = begin; block < end; block++) {
		average_over_joints(argument, block);
	}
}

/* Sums of factors become means by the sums of weights. */
static void divide_by_masses(bound *b, double *masses) {
	const decomposition *d = b->d;
	const uint32_t joints = d->options->joint_count;
	for (uint32_t k = 0; k < d->influences.offsets[d->influences.point_count]; k++) {
		masses[d->influences.joints[k]] += d->influences.weights[k];
	}
	for (size_t n = 0; n < (size_t)joints * d->options->motion->block_count; n++) {
		b->joint_means[n] /= masses[n % joints] > 0 ? masses[n % joints] : 1;
	}
}

/* Of a point in the frames of a block, from its gap there. */
static void update_importance(const bound *b, const snk_lanes gap[3], snk_float_lanes *importance) {
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
		const double squared = gap[0][lane] * gap[0][lane] + gap[1][lane] * gap[1][lane] + gap[2][lane] * gap[2][lane];
		const double excess = squared / (b->ceiling * b->ceiling), before = (double)(*importance)[lane];
		const double after = excess > 1 ? before * fmin(excess, most_growth) : 1 + fall * (before - 1);
		(*importance)[lane] = (float)fmin(after, most_importance);
	}
}

static void aim_point(const bound *b, uint32_t block, uint32_t point, const snk_lanes gap[3]) {
	const decomposition *d = b->d;
	const snk_motion *motion = d->options->motion;
	const size_t at = (size_t)motion->point_count * block + point;
	snk_lanes mean = {0};
	for (uint32_t k = d->influences.offsets[point]; k < d->influences.offsets[point + 1]; k++) {
		mean += d->influences.weights[k] * b->joint_means[(size_t)d->options->joint_count * block + d->influences.joints[k]];
	}
	const snk_lanes beyond = step * (__builtin_convertvector(d->importance[at], snk_lanes) / mean) - 1;
	for (size_t c = 0; c < 3; c++) {
		const snk_lanes posed = __builtin_convertvector(motion->posed[3 * at + c], snk_lanes) + beyond * gap[c];
		b->aims.posed[3 * at + c] = __builtin_convertvector(posed, snk_float_lanes);
	}
}

/* Runs over points: with new factors first, then, when their means are known, for the aims. */
typedef struct gap_pass {
	bound *b;
	int aims;
} gap_pass;

static void SNW_CALL pass_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const gap_pass *pass = argument;
	const decomposition *d = pass->b->d;
	const snk_motion *motion = d->options->motion;
	const size_t blocks = motion->block_count, count = end - begin;
	snw_pool pool = snw_pool_open(d->options->host);
	snk_lanes *gaps = SNW_POOL_ARRAY(&pool, snk_lanes, 3 * blocks * count);
	snk_lanes *linear = SNW_POOL_ARRAY(&pool, snk_lanes, 9 * blocks * count);
	pass->b->failed[begin / GRAIN] = pool.failed != 0;
	if (!pool.failed) {
		d->kernels->blend_gaps(motion, &d->influences, snk_transform_width(d->transforms.kind), d->transforms.values, begin,
							   end, gaps, linear);
		for (uint32_t i = begin; i < end; i++) {
			for (uint32_t block = 0; block < blocks; block++) {
				const snk_lanes *gap = gaps + 3 * (blocks * (i - begin) + block);
				if (pass->aims) {
					aim_point(pass->b, block, i, gap);
				} else {
					update_importance(pass->b, gap, &d->importance[(size_t)motion->point_count * block + i]);
				}
			}
		}
	}
	snw_pool_release(&pool);
}

static snw_status run_pass(bound *b, int aims) {
	gap_pass pass = {b, aims};
	snk_ranges_run(b->d->options->host, b->d->options->motion->point_count, GRAIN, pass_chunk, &pass);
	int failed = 0;
	for (size_t chunk = 0; chunk < chunk_count(b->d); chunk++) {
		failed |= b->failed[chunk];
	}
	return failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status aim(bound *b) {
	const decomposition *d = b->d;
	snw_pool scratch = snw_pool_open(d->options->host);
	double *masses = SNW_POOL_ARRAY(&scratch, double, d->options->joint_count);
	snw_status status = scratch.failed ? SNW_ERROR_MEMORY : run_pass(b, 0);
	if (!snk_failed(status)) {
		snk_ranges_run(d->options->host, d->options->motion->block_count, 1, average_blocks, b);
		divide_by_masses(b, masses);
		status = run_pass(b, 1);
	}
	snw_pool_release(&scratch);
	return status;
}

/* ---- rounds -------------------------------------------------------------------------------------------------------------- */

static snw_status fit_to_aims(bound *b) {
	decomposition *d = b->d;
	snk_blend_graph graph;
	snw_status status = snk_blend_graph_make(d->options->host, d->options->motion->points_rest, &d->influences, &graph);
	if (snk_failed(status)) {
		return status;
	}
	const snk_transform_fit fit = {
		.host = d->options->host, .motion = &b->aims, .graph = &graph, .rounds = 2, .enough = 1e-6, .warm = 1};
	status = snk_transforms_fit(&fit, &d->transforms);
	snk_blend_graph_drop(&graph);
	return status;
}

static snw_status run_rounds(bound *b, double from) {
	decomposition *d = b->d;
	const snk_decompose_options *o = d->options;
	const uint32_t most = o->iterations > 0 ? o->iterations : MOST_ROUNDS;
	uint32_t since_gain = 0;
	snw_status status = SNW_OK;
	for (uint32_t round = 0;; round++) {
		measure_largest(b);
		since_gain = b->largest < (1 - gain) * b->best_largest ? 0 : since_gain + 1;
		if (b->largest < b->best_largest) {
			b->best_largest = b->largest;
			decompose_save(d, &b->best);
		}
		if (b->largest <= o->largest || round == most || since_gain == STALL_AFTER ||
			!snk_steps_go_on(&o->steps, from + (1 - from) * round / most)) {
			return SNW_OK;
		}
		b->ceiling = fmax(margin * o->largest, near_largest * b->largest);
		status = aim(b);
		status = snk_failed(status) ? status : fit_to_aims(b);
		status = snk_failed(status) ? status : decompose_fit_weights(d, round % SEARCH_EVERY == 0);
		if (snk_failed(status)) {
			return status;
		}
	}
}

snw_status decompose_bound_largest(decomposition *d, double from) {
	const snk_motion *motion = d->options->motion;
	const size_t cells = (size_t)motion->block_count * motion->point_count;
	snw_pool pool = snw_pool_open(d->options->host);
	bound b = {.d = d,
			   .aims = *motion,
			   .joint_means = SNW_POOL_ARRAY(&pool, snk_lanes, (size_t)motion->block_count * d->options->joint_count),
			   .chunk_largest = SNW_POOL_ARRAY(&pool, double, chunk_count(d)),
			   .failed = SNW_POOL_ARRAY(&pool, unsigned char, chunk_count(d)),
			   .best_largest = INFINITY};
	b.aims.posed = SNW_POOL_ARRAY(&pool, snk_float_lanes, 3 * cells);
	d->importance = SNW_POOL_ARRAY(&pool, snk_float_lanes, cells);
	decompose_snapshot_open(&pool, d, &b.best);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (size_t i = 0; i < cells && !snk_failed(status); i++) {
		d->importance[i] = (snk_float_lanes){0} + 1;
	}
	status = snk_failed(status) ? status : run_rounds(&b, from);
	if (!snk_failed(status)) {
		decompose_restore(&b.best, d);
	}
	d->importance = NULL;
	snw_pool_release(&pool);
	return status;
}
