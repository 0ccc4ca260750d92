/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting dual quaternions: signs, the linear system, and steps on the distance.
 */
#include <math.h>

#include "math/transform_block.h"

/* ---- where the fit starts -------------------------------------------------------------------------------------------------- */

/* The joint's rigid motion, of points without the motion's centre; and where it takes the joint's centre. */
static void start_at_local_motions(const transform_job *job, const transform_block *own, snw_lane_dual_quaternion *q,
								   snw_lane_vector *centres) {
	const snw_blend_graph *graph = job->fit->graph;
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
			double matrix[12], real[4], dual[4], half[4] = {0, 0, 0, 0};
			for (int i = 0; i < 12; i++) {
				matrix[i] = own->matrices[j][i][lane];
			}
			const double *centre = graph->centres[j];
			for (int r = 0; r < 3; r++) {
				centres[j][r][lane] = matrix[4 * r + 3];
				half[r] = 0.5 * (matrix[4 * r + 3] - matrix[4 * r] * centre[0] - matrix[4 * r + 1] * centre[1] -
								 matrix[4 * r + 2] * centre[2]);
			}
			snw_quat_from_mat34(matrix, real);
			snw_quat_multiply(half, real, dual);
			for (int i = 0; i < 4; i++) {
				q[j][i][lane] = real[i];
				q[j][4 + i][lane] = dual[i];
			}
		}
	}
}

static double real_dot(const snw_lane_dual_quaternion a, const snw_lane_dual_quaternion b, uint32_t lane) {
	return a[0][lane] * b[0][lane] + a[1][lane] * b[1][lane] + a[2][lane] * b[2][lane] + a[3][lane] * b[3][lane];
}

/* Along the maximum spanning tree of overlap × |dot| (R. Prim 1957), each joint takes the sign of the one that it hangs on. */
static void spread_signs(const snw_blend_graph *graph, uint32_t lane, snw_lane_dual_quaternion *q, double *reach,
						 uint32_t *parents) {
	const uint32_t count = graph->joint_count;
	for (uint32_t place = 0; place < count; place++) {
		reach[place] = 0;
		parents[place] = SNW_NONE;
	}
	for (uint32_t step = 0; step < count; step++) {
		uint32_t next = SNW_NONE;
		for (uint32_t place = 0; place < count; place++) {
			if (reach[place] >= 0 && (next == SNW_NONE || reach[place] > reach[next])) {
				next = place;
			}
		}
		snw_lanes *own = q[graph->order[next]];
		if (parents[next] != SNW_NONE && real_dot(own, q[graph->order[parents[next]]], lane) < 0) {
			for (int i = 0; i < 8; i++) {
				own[i][lane] = -own[i][lane];
			}
		}
		reach[next] = -1;
		for (uint32_t other = 0; other < count; other++) {
			const uint32_t block = graph->blocks[(size_t)next * count + other];
			if (block != SNW_NONE && reach[other] >= 0 && graph->moments[block][15] > 0) {
				const double strength = graph->moments[block][15] * (1e-12 + fabs(real_dot(own, q[graph->order[other]], lane)));
				if (strength > reach[other]) {
					reach[other] = strength;
					parents[other] = next;
				}
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

static void refine(const transform_job *job, uint32_t block, transform_block *own, const snw_lane_vector *centres,
				   snw_lane_dual_quaternion *tried, snw_lanes *squares, snw_lane_dual_quaternion *q) {
	const snw_blend_graph *graph = job->fit->graph;
	snw_lanes strength = {0};
	strength += 1e-4;
	for (uint32_t round = 0; round < job->fit->rounds; round++) {
		snw_lanes tried_squares;
		job->kernels->dual_equations(job->fit->motion, graph, block, (const snw_lane_dual_quaternion *)q, centres, own->blocks,
									 own->right);
		damp(job, 8, &strength, own->blocks);
		job->kernels->factor(graph, 8, own->blocks);
		job->kernels->solve(graph, 8, own->blocks, 1, own->right);
		memcpy(tried, q, graph->joint_count * sizeof *q);
		step_all(graph, 8, centres, own->right, tried);
		keep_lengths(graph->joint_count, tried);
		measure(job, block, (const snw_lane_dual_quaternion *)tried, &tried_squares);
		if (!accept_lanes(job, (size_t)8 * graph->joint_count, tried[0], q[0], &tried_squares, squares, &strength)) {
			return;
		}
	}
}

/* Joints that start anew do so on the side where the joints that they share points with are. */
static void start_cold_joints(const transform_job *job, const snw_lane_dual_quaternion *local, snw_lane_dual_quaternion *q) {
	const snw_blend_graph *graph = job->fit->graph;
	for (uint32_t j = 0; job->fit->cold && j < graph->joint_count; j++) {
		for (uint32_t lane = 0; lane < SNW_LANES && job->fit->cold[j]; lane++) {
			double side = 0;
			for (uint32_t other = 0; other < graph->joint_count; other++) {
				side += other == j ? 0 : real_dot(local[j], q[other], lane);
			}
			for (int i = 0; i < 8; i++) {
				q[j][i][lane] = side < 0 ? -local[j][i][lane] : local[j][i][lane];
			}
		}
	}
}

void fit_dual_block(const transform_job *job, uint32_t block, transform_block *own, snw_lane_dual_quaternion *q) {
	const snw_blend_graph *graph = job->fit->graph;
	const uint32_t count = graph->joint_count;
	snw_lane_vector *centres = snw_pool_acquire(&own->pool, count, sizeof *centres);
	snw_lane_dual_quaternion *tried = snw_pool_acquire(&own->pool, count, sizeof *tried);
	double *reach = SNW_POOL_ARRAY(&own->pool, double, count);
	uint32_t *parents = SNW_POOL_ARRAY(&own->pool, uint32_t, count);
	if (own->pool.failed) {
		job->failed[block] = 1;
		return;
	}
	start_at_local_motions(job, own, tried, centres);
	snw_lanes squares, none = {0};
	if (!job->fit->warm) {
		memcpy(q, tried, count * sizeof *q);
		for (uint32_t lane = 0; lane < SNW_LANES; lane++) {
			spread_signs(graph, lane, q, reach, parents);
		}
		job->kernels->dual_linear_equations(job->fit->motion, graph, block, (const snw_lane_dual_quaternion *)q,
											(const snw_lane_vector *)centres, own->blocks, own->right);
		damp(job, 7, &none, own->blocks);
		job->kernels->factor(graph, 7, own->blocks);
		job->kernels->solve(graph, 7, own->blocks, 1, own->right);
		step_all(graph, 7, (const snw_lane_vector *)centres, own->right, q);
		keep_lengths(count, q);
	}
	start_cold_joints(job, (const snw_lane_dual_quaternion *)tried, q);
	measure(job, block, (const snw_lane_dual_quaternion *)q, &squares);
	if (!job->fit->linear_only) {
		refine(job, block, own, (const snw_lane_vector *)centres, tried, &squares, q);
	}
	store_squares(job, block, &squares);
}

/* ---- signs over time ------------------------------------------------------------------------------------------------------- */

/* The component of each joint: joints that share points, directly or through others. */
static uint32_t find_components(const snw_blend_graph *graph, uint32_t *components) {
	const uint32_t count = graph->joint_count;
	uint32_t found = 0;
	for (uint32_t j = 0; j < count; j++) {
		components[j] = SNW_NONE;
	}
	/* A column's parent in the elimination is its first row; columns are visited parents first. */
	for (uint32_t place = count; place-- > 0;) {
		const uint32_t first = graph->offsets[place];
		const int is_root = first == graph->offsets[place + 1];
		components[graph->order[place]] = is_root ? found++ : components[graph->order[graph->rows[first]]];
	}
	return found;
}

static snw_lanes *dual_at(const snw_transforms *transforms, uint32_t frame, uint32_t joint) {
	return snw_transforms_block(transforms, frame / SNW_LANES) + (size_t)8 * joint;
}

void snw_transforms_align_signs(const snw_blend_graph *graph, const snw_motion *motion, snw_transforms *transforms) {
	snw_pool pool = snw_pool_open(graph->pool.host);
	const uint32_t count = graph->joint_count;
	uint32_t *components = SNW_POOL_ARRAY(&pool, uint32_t, count);
	double *dots = SNW_POOL_ARRAY(&pool, double, count);
	const uint32_t found = pool.failed ? 0 : find_components(graph, components);
	for (uint32_t frame = 1; frame < motion->frame_count && !pool.failed; frame++) {
		const uint32_t lane = frame % SNW_LANES, before = (frame - 1) % SNW_LANES;
		memset(dots, 0, found * sizeof *dots);
		for (uint32_t j = 0; j < count; j++) {
			const snw_lanes *now = dual_at(transforms, frame, j), *then = dual_at(transforms, frame - 1, j);
			for (int i = 0; i < 4; i++) {
				dots[components[j]] += graph->masses[j] * now[i][lane] * then[i][before];
			}
		}
		for (uint32_t j = 0; j < count; j++) {
			snw_lanes *now = dual_at(transforms, frame, j);
			for (int i = 0; i < 8 && dots[components[j]] < 0; i++) {
				now[i][lane] = -now[i][lane];
			}
		}
	}
	snw_pool_release(&pool);
}
