/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rigid motion of each joint separately, by its nearest rotation (W. Kabsch 1976). If a joint's points do not determine a
 * rotation, the points of its neighbours do, and otherwise the whole mesh.
 */
#include "motion/transforms/transform_block.h"
#include "sinew/kit/numerics/svd3.h"

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
