/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regularises dual quaternions in directions that the distance does not determine: it hardly depends on their lengths and on
 * the scalar of the dual part. Without this they drift until neighbours nearly cancel, differently in each frame, so that the
 * mean of two frames is far from both. A joint's step from its local motion, x in q = x Q, is pulled towards its steps in the
 * previous and next frames, and weakly towards 0. The strength is a fraction of the joint's points.
 */
#include "motion/transforms/transform_block.h"

/* The strengths, as fractions of a joint's points, for the length of x and for its other parts. The target is this share of the
 * mean step in the neighbouring frames. */
static const double strength_of_step = 1e-3, strength_of_length = 2e-3, share_of_neighbours = 0.99;

/* x − 1, as in a step: length, rotation, then the dual part about the centre. */
static void find_step(const snk_lanes *q, const snk_lanes *local, const snk_lanes centre[3], uint32_t lane, double dest[8]) {
	double real[4], dual[4], conjugate[4], conjugate_dual[4], x[4], part[4], whole[4], lever[3];
	for (int i = 0; i < 4; i++) {
		const double sign = i < 3 ? -1 : 1;
		real[i] = q[i][lane];
		dual[i] = q[4 + i][lane];
		conjugate[i] = sign * local[i][lane];
		conjugate_dual[i] = sign * local[4 + i][lane];
	}
	snw_quat_multiply(real, conjugate, x);
	snw_quat_multiply(dual, conjugate, part);
	snw_quat_multiply(real, conjugate_dual, whole);
	const double c[3] = {centre[0][lane], centre[1][lane], centre[2][lane]};
	snw_cross3(c, x, lever);
	dest[0] = x[3] - 1;
	dest[4] = part[3] + whole[3];
	for (int i = 0; i < 3; i++) {
		dest[1 + i] = x[i];
		dest[5 + i] = part[i] + whole[i] - lever[i];
	}
}

/* Rotates the two vectors of a step by the local motion, or back. */
static void rotate_step(const snk_lanes *local, uint32_t lane, double side, double x[8]) {
	const double q[4] = {side * local[0][lane], side * local[1][lane], side * local[2][lane], local[3][lane]};
	double m[12];
	snw_quat_to_mat34(q, m);
	snw_mat34_vector(m, x + 1, x + 1);
	snw_mat34_vector(m, x + 5, x + 5);
}

void find_local_steps(const transform_job *job, uint32_t block, const transform_block *transforms,
					  const snk_lane_dual_quaternion *q, const snk_lane_vector *centres) {
	const uint32_t count = job->fit->graph->joint_count;
	for (uint32_t j = 0; j < count; j++) {
		const size_t at = 8 * ((size_t)block * count + j);
		snk_lanes *local = job->locals + at;
		local_dual_quaternion(job, transforms, j, local);
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			double dot = 0, x[8];
			for (int i = 0; i < 4; i++) {
				dot += local[i][lane] * q[j][i][lane];
			}
			for (int i = 0; i < 8; i++) {
				local[i][lane] = dot < 0 ? -local[i][lane] : local[i][lane];
			}
			find_step(q[j], local, centres[j], lane, x);
			rotate_step(local, lane, -1, x);
			for (int i = 0; i < 8; i++) {
				job->local_steps[at + (size_t)i][lane] = x[i];
			}
		}
	}
}

static int is_continuous(const snk_motion *motion, uint32_t frame) {
	return frame > 0 && frame < motion->frame_count && !(motion->breaks && motion->breaks[frame]);
}

static void add_neighbour_step(const transform_job *job, uint32_t frame, uint32_t joint, double sum[8]) {
	const snk_lanes *x = job->local_steps + 8 * ((size_t)(frame / SNK_LANES) * job->fit->graph->joint_count + joint);
	for (int i = 0; i < 8; i++) {
		sum[i] += x[i][frame % SNK_LANES];
	}
}

void find_expected_steps(const transform_job *job, uint32_t block, snk_lanes *expected_steps) {
	const snk_motion *motion = job->fit->motion;
	const uint32_t count = job->fit->graph->joint_count;
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
		const uint32_t frame = block * SNK_LANES + lane;
		const int before = is_continuous(motion, frame), after = is_continuous(motion, frame + 1), both = before + after;
		for (uint32_t j = 0; j < count; j++) {
			double x[8] = {0};
			if (before) {
				add_neighbour_step(job, frame - 1, j, x);
			}
			if (after) {
				add_neighbour_step(job, frame + 1, j, x);
			}
			rotate_step(job->locals + 8 * ((size_t)block * count + j), lane, 1, x);
			for (uint32_t i = 0; i < 8; i++) {
				expected_steps[(size_t)8 * j + i][lane] = both > 0 ? share_of_neighbours / both * x[i] : 0;
			}
		}
	}
}

void add_regularisation(const transform_job *job, uint32_t block, const snk_lane_dual_quaternion *q,
						const snk_lane_vector *centres, const snk_lanes *expected_steps, snk_lanes *squares, snk_lanes *blocks,
						snk_lanes *right) {
	const snk_blend_graph *graph = job->fit->graph;
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		const uint32_t place = graph->places[j];
		const double mass = 4 * graph->moments[place][15], size = job->ranks[j].size;
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			double x[8];
			find_step(q[j], job->locals + 8 * ((size_t)block * graph->joint_count + j), centres[j], lane, x);
			for (uint32_t i = 0; i < 8; i++) {
				const double strength = mass * (i < 4 ? size : 1) * (i == 0 ? strength_of_length : strength_of_step);
				const double difference = x[i] - expected_steps[(size_t)8 * j + i][lane];
				(*squares)[lane] += strength * difference * difference;
				if (blocks) {
					blocks[(size_t)64 * place + (size_t)9 * i][lane] += strength;
					right[(size_t)8 * place + i][lane] -= strength * difference;
				}
			}
		}
	}
}
