/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting dual quaternions: the linear system, and steps on the distance.
 */
#include <math.h>

#include "math/transform_block.h"

/* ---- where the fit starts -------------------------------------------------------------------------------------------------- */

/* The joint's rigid motion, of points without the motion's centre. */
static void start_at_local_motion(const double *centre, const snw_lanes *matrices, snw_lanes *q) {
	for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
		double matrix[12], real[4], dual[4], half[4] = {0, 0, 0, 0};
		for (int i = 0; i < 12; i++) {
			matrix[i] = matrices[i][lane];
		}
		for (int r = 0; r < 3; r++) {
			half[r] = 0.5 * (matrix[4 * r + 3] - matrix[4 * r] * centre[0] - matrix[4 * r + 1] * centre[1] -
							 matrix[4 * r + 2] * centre[2]);
		}
		snw_quat_from_mat34(matrix, real);
		snw_quat_multiply(half, real, dual);
		for (int i = 0; i < 4; i++) {
			q[i][lane] = real[i];
			q[4 + i][lane] = dual[i];
		}
	}
}

void start_dual_block(const transform_job *job, const transform_block *own, snw_lane_dual_quaternion *q) {
	const snw_blend_graph *graph = job->fit->graph;
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		if (starts_anew(job->fit, j)) {
			start_at_local_motion(graph->centres[j], own->matrices[j], q[j]);
		}
	}
}

static double real_dot(const snw_lane_dual_quaternion a, const snw_lane_dual_quaternion b, uint32_t lane) {
	return a[0][lane] * b[0][lane] + a[1][lane] * b[1][lane] + a[2][lane] * b[2][lane] + a[3][lane] * b[3][lane];
}

/* Where each joint takes its centre: steps turn about it. */
static void move_centres(const snw_blend_graph *graph, const snw_lane_dual_quaternion *q, snw_lane_vector *centres) {
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
			const double *centre = graph->centres[j], square = fmax(real_dot(q[j], q[j], lane), 1e-200);
			const double conjugate[4] = {-q[j][0][lane], -q[j][1][lane], -q[j][2][lane], q[j][3][lane]};
			const double real[4] = {q[j][0][lane], q[j][1][lane], q[j][2][lane], q[j][3][lane]};
			const double point[4] = {centre[0], centre[1], centre[2], 0};
			double half[4], whole[4];
			snw_quat_multiply(real, point, half);
			for (int i = 0; i < 4; i++) {
				half[i] += 2 * q[j][4 + i][lane];
			}
			snw_quat_multiply(half, conjugate, whole);
			for (int i = 0; i < 3; i++) {
				centres[j][i][lane] = whole[i] / square;
			}
		}
	}
}

/* ---- steps ----------------------------------------------------------------------------------------------------------------- */

/* q ← x q with x = (1 + scale) + turn + ε (s + shift + centre × turn). */
static void step_dual(const snw_lanes centre[3], double lane_scale, const double turn[3], const double eps[4], uint32_t lane,
					  snw_lanes *q) {
	const double c[3] = {centre[0][lane], centre[1][lane], centre[2][lane]};
	double real[4] = {turn[0], turn[1], turn[2], 1 + lane_scale}, dual[4], own_real[4], own_dual[4], a[4], b[4];
	snw_cross3(c, turn, dual);
	for (int i = 0; i < 3; i++) {
		dual[i] += eps[1 + i];
	}
	dual[3] = eps[0];
	for (int i = 0; i < 4; i++) {
		own_real[i] = q[i][lane];
		own_dual[i] = q[4 + i][lane];
	}
	snw_quat_multiply(dual, own_real, a);
	snw_quat_multiply(real, own_dual, b);
	snw_quat_multiply(real, own_real, own_real);
	for (int i = 0; i < 4; i++) {
		q[i][lane] = own_real[i];
		q[4 + i][lane] = a[i] + b[i];
	}
}

static void step_all(const snw_blend_graph *graph, uint32_t size, const snw_lane_vector *centres, const snw_lanes *right,
					 snw_lane_dual_quaternion *q) {
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		const snw_lanes *x = right + (size_t)size * graph->places[j] + (size - 7);
		for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
			const double turn[3] = {x[0][lane], x[1][lane], x[2][lane]};
			const double eps[4] = {x[3][lane], x[4][lane], x[5][lane], x[6][lane]};
			step_dual(centres[j], size == 8 ? right[(size_t)8 * graph->places[j]][lane] : 0, turn, eps, lane, q[j]);
		}
	}
}

/* Adds the holds to the diagonal, and `strength` of it. A turn of x is half that of the joint. */
static void damp(const transform_job *job, uint32_t size, const snw_lanes *strength, snw_lanes *blocks) {
	const snw_blend_graph *graph = job->fit->graph;
	for (uint32_t place = 0; place < graph->joint_count; place++) {
		const snw_joint_hold *hold = &job->holds[graph->order[place]];
		snw_lanes *block = blocks + (size_t)place * size * size;
		for (uint32_t i = 0; i < size; i++) {
			const int turns = i + 7 >= size && i + 7 < size + 3;
			const double spread = turns || (size == 8 && i == 0) ? hold->size : 1;
			const double held = 4 * hold->metric[15] * spread * (turns && hold->collinear ? 1e6 : 1);
			block[i * size + i] += *strength * block[i * size + i] + held;
		}
	}
}

static void measure(const transform_job *job, uint32_t block, const snw_lane_dual_quaternion *q, snw_lanes *squares) {
	enum { AT_A_TIME = 256 };
	snw_lanes distances[AT_A_TIME], sum = {0};
	const snw_influences *all = job->fit->graph->influences;
	for (uint32_t first = 0; first < all->point_count; first += AT_A_TIME) {
		const uint32_t left = all->point_count - first, count = left < AT_A_TIME ? left : AT_A_TIME;
		job->kernels->dual_distances(job->fit->motion, all, block, q, first, first + count, distances);
		for (uint32_t i = 0; i < count; i++) {
			sum += distances[i];
		}
	}
	*squares = sum;
}

static void keep_lengths(uint32_t count, snw_lane_dual_quaternion *q) {
	for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
		double sum = 0;
		for (uint32_t j = 0; j < count; j++) {
			sum += real_dot(q[j], q[j], lane);
		}
		const double scale = sum > 0 ? sqrt(count / sum) : 1;
		for (uint32_t j = 0; j < count; j++) {
			for (int i = 0; i < 8; i++) {
				q[j][i][lane] *= scale;
			}
		}
	}
}

/* What the joint does beyond its local motion, q = x Q, as in a step: x − 1, length, turn, then the dual part about the centre. */
static void find_beyond(const snw_lanes *q, const snw_lanes *local, const snw_lanes centre[3], uint32_t lane, double dest[8]) {
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

/* What is beyond the local motion costs as if this part of the joint's points stayed behind. The distance hardly knows lengths and
 * the scalar of the dual part: left free, they drift until neighbours all but cancel, each frame in its own way, and the mix of two
 * frames is nowhere near either. Lengths help the blend most, and cost little. */
static const double leaning = 1e-3, leaning_of_length = 3e-5;

/* Adds that cost to the squares, and to the equations where these are not NULL. */
static void lean(const transform_job *job, const snw_lane_dual_quaternion *q, const snw_lane_dual_quaternion *local,
				 const snw_lane_vector *centres, snw_lanes *squares, snw_lanes *blocks, snw_lanes *right) {
	const snw_blend_graph *graph = job->fit->graph;
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		const uint32_t place = graph->places[j];
		const double mass = 4 * graph->moments[place][15], size = job->holds[j].size;
		for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
			double x[8];
			find_beyond(q[j], local[j], centres[j], lane, x);
			for (uint32_t i = 0; i < 8; i++) {
				const double strength = mass * (i < 4 ? size : 1) * (i == 0 ? leaning_of_length : leaning);
				(*squares)[lane] += strength * x[i] * x[i];
				if (blocks) {
					blocks[(size_t)64 * place + (size_t)9 * i][lane] += strength;
					right[(size_t)8 * place + i][lane] -= strength * x[i];
				}
			}
		}
	}
}

/* The joints' local motions, on the side where the joints are. */
static void find_local(const transform_job *job, uint32_t block, transform_block *own, const snw_lane_dual_quaternion *q,
					   snw_lane_dual_quaternion *local) {
	const snw_blend_graph *graph = job->fit->graph;
	job->kernels->target_moments(job->fit->motion, graph, block, own->targets, &own->squares);
	find_local_motions(job, own);
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		start_at_local_motion(graph->centres[j], own->matrices[j], local[j]);
		for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
			const double side = real_dot(local[j], q[j], lane) < 0 ? -1 : 1;
			for (int i = 0; i < 8; i++) {
				local[j][i][lane] *= side;
			}
		}
	}
}

static void refine(const transform_job *job, uint32_t block, transform_block *own, const snw_lane_vector *centres,
				   snw_lane_dual_quaternion *tried, snw_lane_dual_quaternion *local, snw_lanes *squares,
				   snw_lane_dual_quaternion *q) {
	const snw_blend_graph *graph = job->fit->graph;
	snw_lanes strength = {0}, unused = {0};
	strength += 1e-4;
	lean(job, (const snw_lane_dual_quaternion *)q, (const snw_lane_dual_quaternion *)local, centres, squares, NULL, NULL);
	for (uint32_t round = 0; round < job->fit->rounds; round++) {
		snw_lanes tried_squares;
		job->kernels->dual_equations(job->fit->motion, graph, block, (const snw_lane_dual_quaternion *)q, centres, own->blocks,
									 own->right);
		lean(job, (const snw_lane_dual_quaternion *)q, (const snw_lane_dual_quaternion *)local, centres, &unused, own->blocks,
			 own->right);
		damp(job, 8, &strength, own->blocks);
		job->kernels->factor(graph, 8, own->blocks);
		job->kernels->solve(graph, 8, own->blocks, 1, own->right);
		memcpy(tried, q, graph->joint_count * sizeof *q);
		step_all(graph, 8, centres, own->right, tried);
		measure(job, block, (const snw_lane_dual_quaternion *)tried, &tried_squares);
		lean(job, (const snw_lane_dual_quaternion *)tried, (const snw_lane_dual_quaternion *)local, centres, &tried_squares,
			 NULL, NULL);
		if (!accept_lanes(job, (size_t)8 * graph->joint_count, tried[0], q[0], &tried_squares, squares, &strength)) {
			break;
		}
	}
}

void fit_dual_block(const transform_job *job, uint32_t block, transform_block *own, snw_lane_dual_quaternion *q) {
	const snw_blend_graph *graph = job->fit->graph;
	const uint32_t count = graph->joint_count;
	snw_lane_vector *centres = snw_pool_acquire(&own->pool, count, sizeof *centres);
	snw_lane_dual_quaternion *tried = snw_pool_acquire(&own->pool, count, sizeof *tried);
	if (own->pool.failed) {
		job->failed[block] = 1;
		return;
	}
	move_centres(graph, (const snw_lane_dual_quaternion *)q, centres);
	snw_lanes squares, none = {0};
	if (!job->fit->warm) {
		job->kernels->dual_linear_equations(job->fit->motion, graph, block, (const snw_lane_dual_quaternion *)q,
											(const snw_lane_vector *)centres, own->blocks, own->right);
		damp(job, 7, &none, own->blocks);
		job->kernels->factor(graph, 7, own->blocks);
		job->kernels->solve(graph, 7, own->blocks, 1, own->right);
		step_all(graph, 7, (const snw_lane_vector *)centres, own->right, q);
		keep_lengths(count, q);
	}
	measure(job, block, (const snw_lane_dual_quaternion *)q, &squares);
	if (!job->fit->linear_only) {
		snw_lane_dual_quaternion *local = snw_pool_acquire(&own->pool, count, sizeof *local);
		if (!local) {
			job->failed[block] = 1;
			return;
		}
		find_local(job, block, own, (const snw_lane_dual_quaternion *)q, local);
		refine(job, block, own, (const snw_lane_vector *)centres, tried, local, &squares, q);
		measure(job, block, (const snw_lane_dual_quaternion *)q, &squares);
	}
	store_squares(job, block, &squares);
}
