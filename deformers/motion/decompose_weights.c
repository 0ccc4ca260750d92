/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The weights of a decomposition: fitted to given transforms, and so that the largest distance shrinks.
 */
#include <math.h>
#include <string.h>

#include "motion/decompose.h"
#include "motion/decompose_state.h"
#include "sinew/kit/numerics/nnls.h"
#include "sinew/kit/status.h"

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

/* Fits the weights of each point for given transforms: on its current support, or with a search for a better one.
 *
 * Smoothness adds λ |w − w'|² for each edge. Both ends change at once, so a point uses the bound 2 |w − m|² + 2 |w' − m|², with
 * m the mean of the current weights of the two: equal at the current weights, nowhere smaller, so that the sum never grows. */

enum {
	GRAIN = 128,
	NEW_CANDIDATES = 5, /* the most promising joints outside the support that a search tries */
	EXCHANGES = 2,      /* rounds of a search */
	MOST = SNK_FIT_INFLUENCES + NEW_CANDIDATES,
};

typedef struct weight_fit {
	decomposition *d;
	int search;
	snw_status status;
	double *chunk_squares; /* [chunks]: -1 where memory ran out */
	double *chunk_costs;   /* [chunks][joint_count]: the error that removing a joint would add */
} weight_fit;

/* The current point. */
typedef struct point_state {
	uint32_t point, count;
	uint32_t joints[SNK_FIT_INFLUENCES];
	double weights[SNK_FIT_INFLUENCES];
	size_t length;
	snk_lanes *columns, *mixed;
	double *slopes, *squares;
	/* Smoothness: strength |w − target|² is added. */
	double strength, *target, target_square; /* target [joint_count] */
} point_state;

/* ---- smoothness ---------------------------------------------------------------------------------------------------------- */

static void add_weights(const decomposition *d, uint32_t point, double factor, double *sums) {
	for (uint32_t k = d->influences.offsets[point]; k < d->influences.offsets[point + 1]; k++) {
		sums[d->influences.joints[k]] += factor * d->influences.weights[k];
	}
}

static void find_target(const decomposition *d, point_state *p) {
	const snk_adjacency *near = d->options->adjacency;
	const uint32_t count = near ? near->offsets[p->point + 1] - near->offsets[p->point] : 0;
	p->strength = 2 * d->options->smoothness * count;
	p->target_square = 0;
	if (!(p->strength > 0)) {
		return;
	}
	memset(p->target, 0, d->options->joint_count * sizeof *p->target);
	add_weights(d, p->point, 0.5, p->target);
	for (uint32_t n = near->offsets[p->point]; n < near->offsets[p->point + 1]; n++) {
		add_weights(d, near->neighbours[n], 0.5 / count, p->target);
	}
	for (uint32_t j = 0; j < d->options->joint_count; j++) {
		p->target_square += p->target[j] * p->target[j];
	}
}

/* Because weights sum to 1, |w − target|² is wᵀ S w with S_ab = (e_a − target) · (e_b − target), e_a the unit vector of a
 * joint. */
static double smooth_product(const point_state *p, uint32_t a, uint32_t b) {
	return p->strength * ((a == b) - p->target[a] - p->target[b] + p->target_square);
}

static void add_smoothness(const point_state *p, uint32_t count, const uint32_t *joints, double *gram) {
	for (uint32_t a = 0; a < count && p->strength > 0; a++) {
		for (uint32_t b = 0; b < count; b++) {
			gram[a * count + b] += smooth_product(p, joints[a], joints[b]);
		}
	}
}

static void add_smoothness_to_slopes(const decomposition *d, point_state *p) {
	for (uint32_t j = 0; j < d->options->joint_count && p->strength > 0; j++) {
		p->squares[j] += smooth_product(p, j, j);
		for (uint32_t k = 0; k < p->count; k++) {
			p->slopes[j] += p->weights[k] * smooth_product(p, j, p->joints[k]);
		}
	}
}

static double roughness_of(const point_state *p) {
	double sum = 0;
	for (uint32_t a = 0; a < p->count && p->strength > 0; a++) {
		for (uint32_t b = 0; b < p->count; b++) {
			sum += p->weights[a] * p->weights[b] * smooth_product(p, p->joints[a], p->joints[b]);
		}
	}
	return sum;
}

/* λ |w − w'|² over all edges. */
static double sum_roughness(const decomposition *d, double *scratch) {
	const snk_adjacency *near = d->options->adjacency;
	double sum = 0;
	for (uint32_t i = 0; near && i < near->point_count; i++) {
		for (uint32_t n = near->offsets[i]; n < near->offsets[i + 1]; n++) {
			if (near->neighbours[n] > i) {
				memset(scratch, 0, d->options->joint_count * sizeof *scratch);
				add_weights(d, i, 1, scratch);
				add_weights(d, near->neighbours[n], -1, scratch);
				for (uint32_t j = 0; j < d->options->joint_count; j++) {
					sum += scratch[j] * scratch[j];
				}
			}
		}
	}
	return d->options->smoothness * sum;
}

/* ---- a point ------------------------------------------------------------------------------------------------------------- */

static void make_columns(const decomposition *d, const point_state *p, uint32_t count, const uint32_t *joints) {
	const snk_decompose_options *o = d->options;
	if (o->kind == SNK_TRANSFORMS_DUAL_QUATERNION) {
		d->kernels->dual_columns(o->motion, &d->influences, d->transforms.values, o->joint_count, p->point, count, joints,
								 p->columns);
	} else {
		d->kernels->linear_columns(o->motion, d->transforms.values, o->joint_count, p->point, count, joints, p->columns);
	}
	for (uint32_t block = 0; block < o->motion->block_count && d->importance; block++) {
		const snk_float_lanes importance = d->importance[(size_t)o->motion->point_count * block + p->point];
		snk_lanes root;
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			root[lane] = sqrt((double)importance[lane]);
		}
		for (size_t k = 0; k < 3 * (size_t)count; k++) {
			p->columns[k / 3 * p->length + 3 * (size_t)block + k % 3] *= root;
		}
	}
}

static void store_solution(point_state *p, const uint32_t *joints, const snk_nnls_solution *solution) {
	p->count = solution->count;
	for (uint32_t k = 0; k < solution->count; k++) {
		p->joints[k] = joints[solution->support[k]];
		p->weights[k] = solution->weights[k];
	}
}

static void fit_support(const decomposition *d, point_state *p) {
	double gram[SNK_FIT_INFLUENCES * SNK_FIT_INFLUENCES];
	uint32_t joints[SNK_FIT_INFLUENCES];
	snk_nnls_solution solution;
	make_columns(d, p, p->count, p->joints);
	d->kernels->column_gram(p->length, p->count, p->columns, NULL, gram);
	add_smoothness(p, p->count, p->joints, gram);
	const snk_nnls_problem problem = {.count = p->count, .gram = gram};
	snk_nnls_solve(&problem, 0, NULL, &solution);
	memcpy(joints, p->joints, sizeof joints);
	store_solution(p, joints, &solution);
}

/* Joints outside the support, ordered by how much each alone would reduce the error: moving all weights slightly towards it
 * reduces f by (r · (r − u))² / |r − u|². Returns their number. */
static uint32_t find_promising(const decomposition *d, const point_state *p, uint32_t *promising) {
	double gains[NEW_CANDIDATES], mixed = 0;
	uint32_t count = 0;
	for (uint32_t k = 0; k < p->count; k++) {
		mixed += p->weights[k] * p->slopes[p->joints[k]];
	}
	for (uint32_t j = 0; j < d->options->joint_count; j++) {
		const double fall = mixed - p->slopes[j], width = p->squares[j] - 2 * p->slopes[j] + mixed;
		int inside = 0;
		for (uint32_t k = 0; k < p->count; k++) {
			inside |= p->joints[k] == j;
		}
		if (inside || !(fall > 0) || !(width > 0)) {
			continue;
		}
		const double gain = fall * fall / width;
		uint32_t at = count < NEW_CANDIDATES ? count : NEW_CANDIDATES - 1;
		if (count == NEW_CANDIDATES && gain <= gains[at]) {
			continue;
		}
		count += count < NEW_CANDIDATES;
		for (; at > 0 && gains[at - 1] < gain; at--) {
			gains[at] = gains[at - 1];
			promising[at] = promising[at - 1];
		}
		gains[at] = gain;
		promising[at] = j;
	}
	return count;
}

static uint32_t without(const snk_nnls_solution *from, uint32_t out, uint32_t added, uint32_t *among) {
	uint32_t n = 0;
	for (uint32_t k = 0; k < from->count; k++) {
		if (from->support[k] != out) {
			among[n++] = from->support[k];
		}
	}
	if (added != SNW_NONE) {
		uint32_t at = n++;
		for (; at > 0 && among[at - 1] > added; at--) {
			among[at] = among[at - 1];
		}
		among[at] = added;
	}
	return n;
}

/* Finds the best support after one exchange, or with one more joint. Returns whether it is better. */
static int exchange(const decomposition *d, const snk_nnls_problem *problem, snk_nnls_solution *best) {
	const snk_nnls_solution from = *best;
	uint32_t among[MOST];
	int found = 0;
	for (uint32_t c = 0; c < problem->count; c++) {
		int inside = 0;
		for (uint32_t k = 0; k < from.count; k++) {
			inside |= from.support[k] == c;
		}
		const int room = from.count < d->options->influences;
		for (uint32_t k = 0; !inside && k < (room ? 1 : from.count); k++) {
			snk_nnls_solution tried;
			const uint32_t n = without(&from, room ? SNW_NONE : from.support[k], c, among);
			snk_nnls_solve(problem, n, among, &tried);
			if (tried.cost < best->cost * (1 - 1e-9)) {
				*best = tried;
				found = 1;
			}
		}
	}
	return found;
}

static void search_support(const decomposition *d, point_state *p, double *costs) {
	const uint32_t all = d->options->joint_count;
	uint32_t joints[MOST], among[MOST];
	double gram[MOST * MOST];
	snk_nnls_solution best;
	make_columns(d, p, all, NULL);
	d->kernels->column_slopes(p->length, all, p->columns, p->count, p->joints, p->weights, p->mixed, p->slopes, p->squares);
	add_smoothness_to_slopes(d, p);
	memcpy(joints, p->joints, p->count * sizeof *joints);
	const uint32_t count = p->count + find_promising(d, p, joints + p->count);
	d->kernels->column_gram(p->length, count, p->columns, joints, gram);
	add_smoothness(p, count, joints, gram);
	const snk_nnls_problem problem = {.count = count, .gram = gram};
	for (uint32_t k = 0; k < p->count; k++) {
		among[k] = k;
	}
	snk_nnls_solve(&problem, p->count, among, &best);
	for (int round = 0; round < EXCHANGES && exchange(d, &problem, &best); round++) {
	}
	for (uint32_t k = 0; k < best.count && costs; k++) {
		snk_nnls_solution reduced;
		const uint32_t n = without(&best, best.support[k], SNW_NONE, among);
		if (n > 0) {
			snk_nnls_solve(&problem, n, among, &reduced);
			costs[joints[best.support[k]]] += fmax(reduced.cost - best.cost, 0);
		} else {
			double next = INFINITY;
			for (uint32_t j = 0; j < all; j++) {
				next = j == joints[best.support[k]] ? next : fmin(next, p->squares[j]);
			}
			costs[joints[best.support[k]]] += fmax(next - best.cost, 0);
		}
	}
	store_solution(p, joints, &best);
}

/* The squared distance over all frames with the weights in p. */
static double true_squares(const decomposition *d, const point_state *p) {
	const uint32_t offsets[2] = {0, p->count};
	const snk_motion *motion = d->options->motion;
	const size_t width = snk_transform_width(d->options->kind);
	double sum = 0;
	for (uint32_t block = 0; block < motion->block_count; block++) {
		/* A motion of this point alone. */
		const snk_motion one = {.point_count = 1,
								.frame_count = motion->frame_count,
								.block_count = 1,
								.points_rest = motion->points_rest + 3 * (size_t)p->point,
								.posed = motion->posed + 3 * ((size_t)block * motion->point_count + p->point)};
		const snk_influences list = {1, d->options->joint_count, offsets, p->joints, p->weights};
		const snk_lanes *values = d->transforms.values + width * d->options->joint_count * block;
		snk_lanes distance;
		if (width == 8) {
			d->kernels->dual_distances(&one, &list, 0, (const snk_lane_dual_quaternion *)values, 0, 1, &distance);
		} else {
			d->kernels->linear_distances(&one, &list, 0, (const snk_lane_matrix *)values, 0, 1, &distance);
		}
		for (uint32_t lane = 0; lane < snk_motion_lanes(motion, block); lane++) {
			sum += distance[lane];
		}
	}
	return sum;
}

static void fit_point(const weight_fit *w, uint32_t chunk, point_state *p) {
	decomposition *d = w->d;
	const uint32_t first = p->point * d->options->influences;
	p->count = d->counts[p->point];
	memcpy(p->joints, d->joints + first, p->count * sizeof *p->joints);
	memcpy(p->weights, d->weights + first, p->count * sizeof *p->weights);
	find_target(d, p);
	const point_state before = *p;
	if (decompose_is_held(d, p->point)) {
		/* Keeps its weights; its distance counts, because transforms change it. */
	} else if (w->search) {
		search_support(d, p, w->chunk_costs + (size_t)chunk * d->options->joint_count);
	} else if (p->count > 1) {
		fit_support(d, p);
	}
	double squares = true_squares(d, p);
	if (d->options->kind == SNK_TRANSFORMS_DUAL_QUATERNION) {
		/* The search assumed a fixed length and rotation of the blend; accept its result only if the distance is smaller. */
		const double previous = true_squares(d, &before);
		if (previous + roughness_of(&before) <= squares + roughness_of(p)) {
			*p = before;
			squares = previous;
		}
	}
	d->counts[p->point] = p->count;
	memcpy(d->next_joints + first, p->joints, p->count * sizeof *p->joints);
	memcpy(d->next_weights + first, p->weights, p->count * sizeof *p->weights);
	d->errors[p->point] = squares;
	w->chunk_squares[chunk] += squares;
}

static void SNW_CALL fit_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	weight_fit *w = argument;
	const decomposition *d = w->d;
	snw_pool pool = snw_pool_open(d->options->host);
	const size_t joints = w->search ? d->options->joint_count : SNK_FIT_INFLUENCES;
	point_state p = {.length = 3 * (size_t)d->options->motion->block_count};
	p.columns = SNW_POOL_ARRAY(&pool, snk_lanes, joints * p.length);
	p.mixed = SNW_POOL_ARRAY(&pool, snk_lanes, p.length);
	p.slopes = SNW_POOL_ARRAY(&pool, double, joints);
	p.squares = SNW_POOL_ARRAY(&pool, double, joints);
	p.target = SNW_POOL_ARRAY(&pool, double, d->options->joint_count);
	for (uint32_t i = begin; i < end && !pool.failed; i++) {
		p.point = i;
		fit_point(w, begin / GRAIN, &p);
	}
	if (pool.failed) {
		w->chunk_squares[begin / GRAIN] = -1;
	}
	snw_pool_release(&pool);
}

snw_status decompose_fit_weights(decomposition *d, int search) {
	const snw_host *host = d->options->host;
	const uint32_t points = d->options->motion->point_count, joints = d->options->joint_count;
	const size_t chunks = (size_t)points / GRAIN + 1;
	snw_pool pool = snw_pool_open(host);
	weight_fit w = {.d = d,
					.search = search,
					.chunk_squares = SNW_POOL_ARRAY(&pool, double, chunks),
					.chunk_costs = SNW_POOL_ARRAY(&pool, double, chunks *(search ? joints : 0))};
	double *scratch = SNW_POOL_ARRAY(&pool, double, joints);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		snk_ranges_run(host, points, GRAIN, fit_chunk, &w);
		d->squares = 0;
		for (size_t chunk = 0; chunk < chunks && !snk_failed(status); chunk++) {
			status = w.chunk_squares[chunk] < 0 ? SNW_ERROR_MEMORY : SNW_OK;
			d->squares += w.chunk_squares[chunk];
		}
		status = !snk_failed(status) && !isfinite(d->squares) ? SNW_ERROR_DATA : status;
	}
	for (uint32_t j = 0; !snk_failed(status) && search && j < joints; j++) {
		d->costs[j] = 0;
		for (size_t chunk = 0; chunk < chunks; chunk++) {
			d->costs[j] += w.chunk_costs[chunk * joints + j];
		}
	}
	if (!snk_failed(status)) {
		decompose_pack(d);
		d->squares += sum_roughness(d, scratch);
	}
	snw_pool_release(&pool);
	return status;
}

void decompose_pack(decomposition *d) {
	const uint32_t stride = d->options->influences, points = d->options->motion->point_count;
	uint32_t *offsets = d->packed_offsets;
	for (uint32_t i = 0; i < points; i++) {
		memcpy(d->packed_joints + offsets[i], d->next_joints + (size_t)stride * i, d->counts[i] * sizeof(uint32_t));
		memcpy(d->packed_weights + offsets[i], d->next_weights + (size_t)stride * i, d->counts[i] * sizeof(double));
		offsets[i + 1] = offsets[i] + d->counts[i];
	}
	memcpy(d->joints, d->next_joints, (size_t)stride * points * sizeof *d->joints);
	memcpy(d->weights, d->next_weights, (size_t)stride * points * sizeof *d->weights);
}

/* ---- the largest distance ------------------------------------------------------------------------------------------------ */

/* Reduces the largest distance: squared distances get a factor for each point and frame, which grows where the distance is
 * among the largest and falls slowly back to 1 elsewhere (C. Lawson, Contributions to the theory of linear least maximum
 * approximation, 1961; where we depart: factors fall back, and grow only near the maximum, so that the mean error stays small).
 *
 * Weights are fitted to the weighted squares. Transforms keep their equations, which depend on the rest points alone: a point
 * with the factor a is aimed beyond its target v', at B + a (v' − B) with B its current place. Where that is at rest, Σ a (v' −
 * B) J = 0, as for the weighted squares. Factors are relative to the mean of the point's joints in the frame, so that this
 * converges. */

enum {
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
