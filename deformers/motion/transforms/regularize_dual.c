/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What holds dual quaternions where the distance does not: it hardly knows lengths and the scalar of the dual part. Left free, they
 * drift until neighbours all but cancel, each frame in its own way, and the mix of two frames is nowhere near either. So what a
 * joint does beyond its local motion, q = x Q, leans on what it does in the frames before and after, and a little on nothing at
 * all, as if a part of its points asked for that.
 */
#include "motion/transforms/transform_block.h"

/* The part of its points that holds a joint: its length more than the rest of it. And how far it leans on the frames beside; for
 * what is left, on nothing beyond the local motion. */
static const double leaning = 1e-3, leaning_of_length = 2e-3, share_of_neighbours = 0.99;

/* x − 1, as in a step: length, turn, then the dual part about the centre. */
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

/* Turns the two vectors of a step by the local motion, or back. */
static void turn_step(const snk_lanes *local, uint32_t lane, double side, double x[8]) {
	const double q[4] = {side * local[0][lane], side * local[1][lane], side * local[2][lane], local[3][lane]};
	double m[12];
	snw_quat_to_mat34(q, m);
	snw_mat34_vector(m, x + 1, x + 1);
	snw_mat34_vector(m, x + 5, x + 5);
}

void find_beyond(const transform_job *job, uint32_t block, const transform_block *transforms, const snk_lane_dual_quaternion *q,
				 const snk_lane_vector *centres) {
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
			turn_step(local, lane, -1, x);
			for (int i = 0; i < 8; i++) {
				job->beyond[at + (size_t)i][lane] = x[i];
			}
		}
	}
}

static int follows(const snk_motion *motion, uint32_t frame) {
	return frame > 0 && frame < motion->frame_count && !(motion->breaks && motion->breaks[frame]);
}

static void add_beyond(const transform_job *job, uint32_t frame, uint32_t joint, double sum[8]) {
	const snk_lanes *x = job->beyond + 8 * ((size_t)(frame / SNK_LANES) * job->fit->graph->joint_count + joint);
	for (int i = 0; i < 8; i++) {
		sum[i] += x[i][frame % SNK_LANES];
	}
}

void find_leanings(const transform_job *job, uint32_t block, snk_lanes *leanings) {
	const snk_motion *motion = job->fit->motion;
	const uint32_t count = job->fit->graph->joint_count;
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
		const uint32_t frame = block * SNK_LANES + lane;
		const int before = follows(motion, frame), after = follows(motion, frame + 1), both = before + after;
		for (uint32_t j = 0; j < count; j++) {
			double x[8] = {0};
			if (before) {
				add_beyond(job, frame - 1, j, x);
			}
			if (after) {
				add_beyond(job, frame + 1, j, x);
			}
			turn_step(job->locals + 8 * ((size_t)block * count + j), lane, 1, x);
			for (uint32_t i = 0; i < 8; i++) {
				leanings[(size_t)8 * j + i][lane] = both > 0 ? share_of_neighbours / both * x[i] : 0;
			}
		}
	}
}

void lean(const transform_job *job, uint32_t block, const snk_lane_dual_quaternion *q, const snk_lane_vector *centres,
		  const snk_lanes *leanings, snk_lanes *squares, snk_lanes *blocks, snk_lanes *right) {
	const snk_blend_graph *graph = job->fit->graph;
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		const uint32_t place = graph->places[j];
		const double mass = 4 * graph->moments[place][15], size = job->holds[j].size;
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			double x[8];
			find_step(q[j], job->locals + 8 * ((size_t)block * graph->joint_count + j), centres[j], lane, x);
			for (uint32_t i = 0; i < 8; i++) {
				const double strength = mass * (i < 4 ? size : 1) * (i == 0 ? leaning_of_length : leaning);
				const double away = x[i] - leanings[(size_t)8 * j + i][lane];
				(*squares)[lane] += strength * away * away;
				if (blocks) {
					blocks[(size_t)64 * place + (size_t)9 * i][lane] += strength;
					right[(size_t)8 * place + i][lane] -= strength * away;
				}
			}
		}
	}
}
