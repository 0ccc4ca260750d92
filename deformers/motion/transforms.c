/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits transforms under linear blend: affine ones directly, rigid ones iteratively.
 */
#include <math.h>
#include <string.h>

#include "motion/transform_block.h"
#include "motion/transforms.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/status.h"

/* ---- rigid motions ------------------------------------------------------------------------------------------------------- */

/* The rigid motion of each joint separately, by its nearest rotation (W. Kabsch 1976). If a joint's points do not determine a
 * rotation, the points of its neighbours do, and otherwise the whole mesh. */

/* The weight of a neighbour relative to its overlap, and that of the whole mesh. */
static const double neighbour_weight = 1e-2, whole_weight = 1e-6;

/* Moments of points about the motion's centre: Σ w v' vᵀ, Σ w v', Σ w v, Σ w. */
typedef struct point_moments {
	double product[9], posed[3], rest[3], mass;
} point_moments;

static void add_joint(const transform_job *job, const transform_block *block, uint32_t joint, uint32_t lane, double strength,
					  point_moments *sum) {
	const double *centre = job->fit->graph->centres[joint], mass = strength * job->fit->graph->masses[joint];
	const snk_lanes *target = block->targets[joint];
	for (uint32_t r = 0; r < 3; r++) {
		const double posed = strength * target[4 * r + 3][lane];
		for (uint32_t c = 0; c < 3; c++) {
			sum->product[3 * r + c] += strength * target[4 * r + c][lane] + posed * centre[c];
		}
		sum->posed[r] += posed;
		sum->rest[r] += mass * centre[r];
	}
	sum->mass += mass;
}

static void add_moments(const point_moments *from, double strength, point_moments *sum) {
	for (int i = 0; i < 9; i++) {
		sum->product[i] += strength * from->product[i];
	}
	for (int i = 0; i < 3; i++) {
		sum->posed[i] += strength * from->posed[i];
		sum->rest[i] += strength * from->rest[i];
	}
	sum->mass += strength * from->mass;
}

static void add_neighbours(const transform_job *job, const transform_block *transforms, uint32_t joint, uint32_t lane,
						   point_moments *sum) {
	const snk_blend_graph *graph = job->fit->graph;
	const uint32_t place = graph->places[joint], count = graph->joint_count;
	const double mass = graph->moments[place][15];
	for (uint32_t other = 0; other < count; other++) {
		const uint32_t block = graph->blocks[(size_t)place * count + other];
		if (block != SNW_NONE && other != place && graph->moments[block][15] > 0 && mass > 0) {
			add_joint(job, transforms, graph->order[other], lane, neighbour_weight * graph->moments[block][15] / mass, sum);
		}
	}
}

/* The rotation nearest to the covariance, and the translation that moves the joint's centre. */
static void nearest_motion(const point_moments *all, const double centre[3], uint32_t lane, snk_lanes *matrix) {
	double covariance[9], rotation[9], posed[3];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			covariance[3 * r + c] = all->product[3 * r + c] - all->posed[r] * all->rest[c] / all->mass;
		}
	}
	snk_nearest_rotation(covariance, rotation);
	for (int r = 0; r < 3; r++) {
		posed[r] = all->posed[r] / all->mass;
		for (int c = 0; c < 3; c++) {
			matrix[4 * r + c][lane] = rotation[3 * r + c];
			posed[r] += rotation[3 * r + c] * (centre[c] - all->rest[c] / all->mass);
		}
		matrix[4 * r + 3][lane] = posed[r];
	}
}

void find_local_motions(const transform_job *job, transform_block *block) {
	const snk_blend_graph *graph = job->fit->graph;
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
		point_moments whole = {.mass = 0};
		for (uint32_t j = 0; j < graph->joint_count; j++) {
			add_joint(job, block, j, lane, 1, &whole);
		}
		for (uint32_t j = 0; j < graph->joint_count; j++) {
			point_moments sum = {.mass = 0};
			add_joint(job, block, j, lane, 1, &sum);
			add_neighbours(job, block, j, lane, &sum);
			add_moments(&whole, sum.mass > 0 ? whole_weight * sum.mass / whole.mass : 1, &sum);
			nearest_motion(&sum, graph->centres[j], lane, block->matrices[j]);
		}
	}
}

/* ---- joints that points do not determine --------------------------------------------------------------------------------- */

/* The directions of a joint's motion that its points do not determine. */

/* Relative to the squared spread: below flat_ratio a direction counts as missing and is held with `strong`; otherwise with
 * `weak`, which is far above rounding errors and far below visible ones. */
static const double flat_ratio = 1e-4, strong = 1e-3, weak = 1e-9;

static void find_spread(const double *moment, double covariance[9]) {
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			covariance[3 * r + c] = moment[15] > 0 ? moment[4 * r + c] / moment[15] -
														 moment[4 * r + 3] * moment[4 * c + 3] / (moment[15] * moment[15])
												   : 0;
		}
	}
}

/* The mean squared spread of all points, for joints without points. */
static double spread_of_all(const snk_blend_graph *graph) {
	double sum = 0, mean[3] = {0, 0, 0};
	const uint32_t count = graph->influences->point_count;
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		mean[i % 3] += graph->points_rest[i] / count;
		sum += graph->points_rest[i] * graph->points_rest[i] / count;
	}
	sum -= mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2];
	return sum > 0 ? sum : 1;
}

uint32_t snk_joint_ranks(const snk_blend_graph *graph, snk_joint_rank *ranks) {
	const double whole = spread_of_all(graph);
	uint32_t flat = 0;
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		const double *moment = graph->moments[graph->places[j]];
		const double mass = moment[15] > 0 ? moment[15] : 1;
		double covariance[9];
		snk_svd3 svd;
		find_spread(moment, covariance);
		snk_svd3_compute(covariance, &svd);
		snk_joint_rank *rank = &ranks[j];
		memset(rank, 0, sizeof *rank);
		const int none = !(svd.s[0] > 1e-14 * whole);
		rank->size = none ? 1e-4 * whole : svd.s[0];
		rank->flat = none || svd.s[2] < flat_ratio * svd.s[0];
		rank->collinear = none || svd.s[1] < flat_ratio * svd.s[0];
		flat += (uint32_t)rank->flat;
		for (int k = 0; k < 3; k++) {
			const double strength = mass * rank->size * (none || svd.s[k] < flat_ratio * svd.s[0] ? strong : weak);
			for (int r = 0; r < 3; r++) {
				for (int c = 0; c < 3; c++) {
					rank->metric[4 * r + c] += strength * svd.v[3 * r + k] * svd.v[3 * c + k];
				}
			}
		}
		rank->metric[15] = mass * weak;
	}
	return flat;
}

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

uint32_t snk_transform_width(snk_transform_kind kind) {
	return kind == SNK_TRANSFORMS_DUAL_QUATERNION ? 8 : 12;
}

snw_status snk_transforms_make(snw_pool *pool, snk_transform_kind kind, uint32_t joint_count, const snk_motion *motion,
							   snk_transforms *transforms) {
	*transforms = (snk_transforms){
		.kind = kind,
		.joint_count = joint_count,
		.block_count = motion->block_count,
		.values = SNW_POOL_ARRAY(pool, snk_lanes, (size_t)motion->block_count * joint_count * snk_transform_width(kind)),
	};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* ---- locked joints ------------------------------------------------------------------------------------------------------- */

static const double lock_strength = 1e8; /* relative to the equations */

static int is_locked(const transform_job *job, uint32_t joint) {
	return job->fit->locked && job->fit->locked[joint];
}

/* In the equations a locked joint is held by a strong metric; its matrix is copied. */
static void hold_ranks(const transform_job *job) {
	const snk_blend_graph *graph = job->fit->graph;
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		snk_joint_rank *rank = &job->ranks[j];
		const double *moments = graph->moments[graph->places[j]];
		if (is_locked(job, j)) {
			memset(rank->metric, 0, sizeof rank->metric);
			for (int i = 0; i < 4; i++) {
				rank->metric[5 * i] = lock_strength * (moments[5 * i] + moments[15] + 1e-12);
			}
		}
	}
}

static void copy_locked(const transform_job *job, const snk_lane_matrix *from, snk_lane_matrix *to) {
	for (uint32_t j = 0; j < job->fit->graph->joint_count; j++) {
		if (is_locked(job, j)) {
			memcpy(to[j], from[j], sizeof *to);
		}
	}
}

/* ---- affine -------------------------------------------------------------------------------------------------------------- */

/* Factors the matrix, which depends on the rest points alone and is the same in all lanes. */
static void factor_affine(transform_job *job) {
	const snk_blend_graph *graph = job->fit->graph;
	for (uint32_t block = 0; block < graph->block_count; block++) {
		for (int i = 0; i < 16; i++) {
			const double rank = block < graph->joint_count ? job->ranks[graph->order[block]].metric[i] : 0;
			job->affine[(size_t)16 * block + (size_t)i] = (snk_lanes){0} + (graph->moments[block][i] + rank);
		}
	}
	job->kernels->factor(graph, 4, job->affine);
}

static void fit_affine_block(const transform_job *job, uint32_t block, transform_block *transforms) {
	const snk_blend_graph *graph = job->fit->graph;
	snk_lanes *right = transforms->right;
	for (uint32_t r = 0; r < 3; r++) {
		for (uint32_t j = 0; j < graph->joint_count; j++) {
			const double *metric = job->ranks[j].metric;
			const snk_lanes *rigid = transforms->matrices[j] + (size_t)4 * r;
			for (uint32_t c = 0; c < 4; c++) {
				right[((size_t)r * graph->joint_count + graph->places[j]) * 4 + c] =
					transforms->targets[j][4 * r + c] + rigid[0] * metric[c] + rigid[1] * metric[4 + c] +
					rigid[2] * metric[8 + c] + rigid[3] * metric[12 + c];
			}
		}
	}
	job->kernels->solve(graph, 4, job->affine, 3, right);
	for (uint32_t r = 0; r < 3; r++) {
		for (uint32_t j = 0; j < graph->joint_count; j++) {
			memcpy(transforms->matrices[j] + (size_t)4 * r, right + ((size_t)r * graph->joint_count + graph->places[j]) * 4,
				   4 * sizeof(snk_lanes));
		}
	}
	copy_locked(job, (const snk_lane_matrix *)transforms->given, transforms->matrices);
	snk_lanes squares = transforms->squares;
	job->kernels->rigid_equations(graph, (const snk_lane_matrix *)transforms->matrices,
								  (const snk_lane_matrix *)transforms->targets, NULL, NULL, &squares);
	store_squares(job, block, &squares);
}

/* ---- rigid --------------------------------------------------------------------------------------------------------------- */

/* matrix ← translation · rotation · matrix; the rotation is about the joint's posed centre. */
static void step_matrix(snk_lanes *matrix, const snk_lanes step[6], uint32_t lane) {
	const double rotation_vector[3] = {step[0][lane], step[1][lane], step[2][lane]};
	double q[4], r[12];
	snw_quat_from_rotation_vector(rotation_vector, q);
	snw_quat_to_mat34(q, r);
	for (uint32_t c = 0; c < 3; c++) {
		const double x = matrix[c][lane], y = matrix[4 + c][lane], z = matrix[8 + c][lane];
		for (uint32_t i = 0; i < 3; i++) {
			matrix[4 * i + c][lane] = r[4 * i] * x + r[4 * i + 1] * y + r[4 * i + 2] * z;
		}
	}
	for (uint32_t i = 0; i < 3; i++) {
		matrix[4 * i + 3][lane] += step[3 + i][lane];
	}
}

static void damp(const transform_job *job, uint32_t size, const snk_lanes *strength, snk_lanes *blocks) {
	const uint32_t count = job->fit->graph->joint_count;
	for (uint32_t place = 0; place < count; place++) {
		snk_lanes *block = blocks + (size_t)place * size * size;
		const snk_joint_rank *rank = &job->ranks[job->fit->graph->order[place]];
		for (uint32_t i = 0; i < size; i++) {
			/* Directions without points need a diagonal too. */
			const double floor = i < 3 ? rank->metric[15] * rank->size : rank->metric[15];
			block[i * size + i] += *strength * block[i * size + i] + floor;
		}
	}
}

/* Steps of locked joints are not taken; the others' are found as if they were 0. */
static void stiffen_locked(const transform_job *job, uint32_t size, snk_lanes *blocks) {
	for (uint32_t place = 0; place < job->fit->graph->joint_count; place++) {
		const uint32_t joint = job->fit->graph->order[place];
		for (uint32_t i = 0; is_locked(job, joint) && i < size; i++) {
			snk_lanes *diagonal = &blocks[(size_t)place * size * size + i * size + i];
			*diagonal += lock_strength * (*diagonal + 1e-12);
		}
	}
}

/* If a joint's points do not determine a rotation, it keeps that of its neighbours: other steps are damped. */
static void stiffen_collinear(const transform_job *job, uint32_t size, uint32_t first, snk_lanes *blocks) {
	const uint32_t count = job->fit->graph->joint_count;
	for (uint32_t place = 0; place < count; place++) {
		const snk_joint_rank *rank = &job->ranks[job->fit->graph->order[place]];
		for (uint32_t i = first; rank->collinear && i < first + 3; i++) {
			blocks[(size_t)place * size * size + i * size + i] += 1e6 * rank->metric[15] * rank->size;
		}
	}
}

static void fit_rigid_block(const transform_job *job, uint32_t block, transform_block *transforms) {
	const snk_blend_graph *graph = job->fit->graph;
	const snk_lane_matrix *targets = (const snk_lane_matrix *)transforms->targets;
	snk_lanes squares = transforms->squares, strength = {0};
	const size_t bytes = graph->joint_count * sizeof *transforms->matrices;
	strength += 1e-6;
	job->kernels->rigid_equations(graph, (const snk_lane_matrix *)transforms->matrices, targets, NULL, NULL, &squares);
	for (uint32_t round = 0; round < job->fit->rounds; round++) {
		snk_lanes tried = transforms->squares, unused = transforms->squares;
		job->kernels->rigid_equations(graph, (const snk_lane_matrix *)transforms->matrices, targets, transforms->blocks,
									  transforms->right, &unused);
		damp(job, 6, &strength, transforms->blocks);
		stiffen_collinear(job, 6, 0, transforms->blocks);
		stiffen_locked(job, 6, transforms->blocks);
		job->kernels->factor(graph, 6, transforms->blocks);
		job->kernels->solve(graph, 6, transforms->blocks, 1, transforms->right);
		memcpy(transforms->tried, transforms->matrices, bytes);
		for (uint32_t j = 0; j < graph->joint_count; j++) {
			for (uint32_t lane = 0; lane < SNK_LANES && !is_locked(job, j); lane++) {
				step_matrix(transforms->tried[j], transforms->right + (size_t)6 * graph->places[j], lane);
			}
		}
		job->kernels->rigid_equations(graph, (const snk_lane_matrix *)transforms->tried, targets, NULL, NULL, &tried);
		if (!accept_lanes(job, graph->joint_count * 12, transforms->tried[0], transforms->matrices[0], &tried, &squares,
						  &strength)) {
			break;
		}
	}
	store_squares(job, block, &squares);
}

/* ---- all blocks ---------------------------------------------------------------------------------------------------------- */

void open_transform_block(const transform_job *job, transform_block *block) {
	const snk_blend_graph *graph = job->fit->graph;
	const size_t joints = graph->joint_count, size = job->kind == SNK_TRANSFORMS_DUAL_QUATERNION ? 8 : 6;
	*block = (transform_block){.pool = snw_pool_open(job->fit->host)};
	block->targets = snw_pool_acquire(&block->pool, joints, sizeof *block->targets);
	block->matrices = snw_pool_acquire(&block->pool, joints, sizeof *block->matrices);
	block->right = SNW_POOL_ARRAY(&block->pool, snk_lanes, joints * 12);
	if (job->fit->locked) {
		block->given = snw_pool_acquire(&block->pool, joints, sizeof *block->given);
		block->stored = snw_pool_acquire(&block->pool, joints, sizeof *block->stored);
	}
	if (job->kind != SNK_TRANSFORMS_AFFINE) {
		block->tried = snw_pool_acquire(&block->pool, joints, sizeof *block->tried);
		block->blocks = SNW_POOL_ARRAY(&block->pool, snk_lanes, size * size * graph->block_count);
	}
}

/* Converts matrices for v̂ of the joint to ones for points relative to the motion's centre, or back. */
static void shift_matrices(const snk_blend_graph *graph, double sign, const snk_lanes *from, snk_lanes *to) {
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		const double *c = graph->centres[j];
		for (uint32_t r = 0; r < 3; r++) {
			const snk_lanes *row = from + (size_t)12 * j + (size_t)4 * r;
			snk_lanes *dest = to + (size_t)12 * j + (size_t)4 * r;
			const snk_lanes shift = row[3] - sign * (row[0] * c[0] + row[1] * c[1] + row[2] * c[2]);
			memmove(dest, row, 3 * sizeof *row);
			dest[3] = shift;
		}
	}
}

/* Starts from the current matrices, except for joints that start at their local motion. */
static void start_warm(const transform_job *job, const snk_lanes *values, transform_block *block) {
	const snk_blend_graph *graph = job->fit->graph;
	shift_matrices(graph, -1, values, block->tried[0]);
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		if (!job->fit->cold || !job->fit->cold[j]) {
			memcpy(block->matrices[j], block->tried[j], sizeof *block->tried);
		}
	}
}

int starts_at_local_motion(const snk_transform_fit *fit, uint32_t joint) {
	return !fit->warm || (fit->cold && fit->cold[joint]);
}

static void fit_matrix_block(const transform_job *job, uint32_t block, transform_block *transforms, snk_lanes *values) {
	job->kernels->target_moments(job->fit->motion, job->fit->graph, block, transforms->targets, &transforms->squares);
	find_local_motions(job, transforms);
	if (job->fit->warm && job->kind == SNK_TRANSFORMS_RIGID) {
		start_warm(job, values, transforms);
	}
	if (job->fit->locked) {
		memcpy(transforms->stored, values, job->fit->graph->joint_count * sizeof *transforms->stored);
		shift_matrices(job->fit->graph, -1, values, transforms->given[0]);
		copy_locked(job, (const snk_lane_matrix *)transforms->given, transforms->matrices);
	}
	(job->kind == SNK_TRANSFORMS_AFFINE ? fit_affine_block : fit_rigid_block)(job, block, transforms);
	shift_matrices(job->fit->graph, 1, transforms->matrices[0], values);
	copy_locked(job, (const snk_lane_matrix *)transforms->stored, (snk_lane_matrix *)values);
}

static void SNW_CALL fit_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	transform_job *job = argument;
	const snk_transforms *transforms = job->transforms;
	for (uint32_t block = begin; block < end; block++) {
		transform_block local;
		open_transform_block(job, &local);
		if (local.pool.failed) {
			job->failed[block] = 1;
			snw_pool_release(&local.pool);
			continue;
		}
		fit_matrix_block(job, block, &local, snk_transforms_block(transforms, block));
		snw_pool_release(&local.pool);
	}
}

void store_squares(const transform_job *job, uint32_t block, const snk_lanes *squares) {
	for (uint32_t lane = 0; lane < snk_motion_lanes(job->fit->motion, block); lane++) {
		job->squares[block] += (*squares)[lane] > 0 ? (*squares)[lane] : 0;
	}
}

int accept_lanes(const transform_job *job, size_t count, const snk_lanes *tried, snk_lanes *best,
				 const snk_lanes *tried_squares, snk_lanes *squares, snk_lanes *strength) {
	int going = 0;
	snk_lanes better = {0};
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
		const double before = (*squares)[lane], after = (*tried_squares)[lane];
		const int gained = after < before;
		better[lane] = gained;
		if (gained) {
			going |= after < before * (1 - job->fit->enough);
			(*squares)[lane] = after;
			(*strength)[lane] = fmax((*strength)[lane] / 4, 1e-10);
		} else {
			going |= before > 0 && (*strength)[lane] < 1;
			(*strength)[lane] = fmin((*strength)[lane] * 10, 1e6);
		}
	}
	for (size_t i = 0; i < count; i++) {
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			best[i][lane] = better[lane] > 0 ? tried[i][lane] : best[i][lane];
		}
	}
	return going;
}

snw_status snk_transforms_fit(const snk_transform_fit *fit, snk_transforms *transforms) {
	snw_pool pool = snw_pool_open(fit->host);
	const snk_blend_graph *graph = fit->graph;
	transform_job job = {
		.fit = fit,
		.kind = transforms->kind,
		.kernels = snk_lane_kernels_best(),
		.transforms = transforms,
		.ranks = SNW_POOL_ARRAY(&pool, snk_joint_rank, graph->joint_count),
		.squares = SNW_POOL_ARRAY(&pool, double, fit->motion->block_count),
		.failed = SNW_POOL_ARRAY(&pool, unsigned char, fit->motion->block_count),
	};
	if (transforms->kind == SNK_TRANSFORMS_AFFINE) {
		job.affine = SNW_POOL_ARRAY(&pool, snk_lanes, (size_t)16 * graph->block_count);
	}
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		snk_joint_ranks(graph, job.ranks);
		hold_ranks(&job);
		if (job.affine) {
			factor_affine(&job);
		}
		if (transforms->kind == SNK_TRANSFORMS_DUAL_QUATERNION) {
			status = fit_dual_quaternions(&job, &pool);
		} else {
			snk_ranges_run(fit->host, fit->motion->block_count, 1, fit_chunk, &job);
		}
	}
	transforms->squares = 0;
	for (uint32_t block = 0; !snk_failed(status) && block < fit->motion->block_count; block++) {
		transforms->squares += job.squares[block];
		status = job.failed[block] ? SNW_ERROR_MEMORY : SNW_OK;
	}
	snw_pool_release(&pool);
	return status;
}
