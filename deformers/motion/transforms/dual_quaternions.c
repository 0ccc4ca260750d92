/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits dual quaternions: the linear system, and steps that minimise the distance.
 */
#include <math.h>

#include "motion/transforms/transform_block.h"
#include "sinew/kit/status.h"

static const double first_strength = 1e-4; /* of the damping */
enum { STEPS = 3 };                        /* for each frame, between updates of its neighbours' steps */
enum { BLOCKS_PER_STEP = 16 };             /* between calls of go_on: enough for as many threads */

/* ---- initial values ------------------------------------------------------------------------------------------------------ */

/* Starts at the joint's rigid motion, for points relative to the motion's centre. */
static void start_at_local_motion(const double *centre, const snk_lanes *matrices, snk_lanes *q) {
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
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

void local_dual_quaternion(const transform_job *job, const transform_block *block, uint32_t joint, snk_lanes *q) {
	start_at_local_motion(job->fit->graph->centres[joint], block->matrices[joint], q);
}

static double real_dot(const snk_lane_dual_quaternion a, const snk_lane_dual_quaternion b, uint32_t lane) {
	return a[0][lane] * b[0][lane] + a[1][lane] * b[1][lane] + a[2][lane] * b[2][lane] + a[3][lane] * b[3][lane];
}

void move_centres(const snk_blend_graph *graph, const snk_lane_dual_quaternion *q, snk_lane_vector *centres) {
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
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

/* ---- steps --------------------------------------------------------------------------------------------------------------- */

/* q ← x q with x = (1 + scale) + rotation + ε (s + shift + centre × rotation). */
static void step_dual(const snk_lanes centre[3], double lane_scale, const double rotation_vector[3], const double eps[4],
					  uint32_t lane, snk_lanes *q) {
	const double c[3] = {centre[0][lane], centre[1][lane], centre[2][lane]};
	double real[4] = {rotation_vector[0], rotation_vector[1], rotation_vector[2], 1 + lane_scale}, dual[4], q_real[4],
		   q_dual[4], a[4], b[4];
	snw_cross3(c, rotation_vector, dual);
	for (int i = 0; i < 3; i++) {
		dual[i] += eps[1 + i];
	}
	dual[3] = eps[0];
	for (int i = 0; i < 4; i++) {
		q_real[i] = q[i][lane];
		q_dual[i] = q[4 + i][lane];
	}
	snw_quat_multiply(dual, q_real, a);
	snw_quat_multiply(real, q_dual, b);
	snw_quat_multiply(real, q_real, q_real);
	for (int i = 0; i < 4; i++) {
		q[i][lane] = q_real[i];
		q[4 + i][lane] = a[i] + b[i];
	}
}

static void step_all(const snk_blend_graph *graph, uint32_t size, const snk_lane_vector *centres, const snk_lanes *right,
					 snk_lane_dual_quaternion *q) {
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		const snk_lanes *x = right + (size_t)size * graph->places[j] + (size - 7);
		for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
			const double rotation_vector[3] = {x[0][lane], x[1][lane], x[2][lane]};
			const double eps[4] = {x[3][lane], x[4][lane], x[5][lane], x[6][lane]};
			step_dual(centres[j], size == 8 ? right[(size_t)8 * graph->places[j]][lane] : 0, rotation_vector, eps, lane, q[j]);
		}
	}
}

/* Adds each joint's stiffness to the diagonal, and `strength` times the diagonal. The rotation in x is half the joint's. */
static void damp(const transform_job *job, uint32_t size, const snk_lanes *strength, snk_lanes *blocks) {
	const snk_blend_graph *graph = job->fit->graph;
	for (uint32_t place = 0; place < graph->joint_count; place++) {
		const snk_joint_rank *rank = &job->ranks[graph->order[place]];
		snk_lanes *block = blocks + (size_t)place * size * size;
		for (uint32_t i = 0; i < size; i++) {
			const int is_rotation = i + 7 >= size && i + 7 < size + 3;
			const double spread = is_rotation || (size == 8 && i == 0) ? rank->size : 1;
			const double stiffness = 4 * rank->metric[15] * spread * (is_rotation && rank->collinear ? 1e6 : 1);
			block[i * size + i] += *strength * block[i * size + i] + stiffness;
		}
	}
}

static void measure(const transform_job *job, uint32_t block, const snk_lane_dual_quaternion *q, snk_lanes *squares) {
	enum { AT_A_TIME = 256 };
	snk_lanes distances[AT_A_TIME], sum = {0};
	const snk_influences *all = job->fit->graph->influences;
	for (uint32_t first = 0; first < all->point_count; first += AT_A_TIME) {
		const uint32_t remaining = all->point_count - first, count = remaining < AT_A_TIME ? remaining : AT_A_TIME;
		job->kernels->dual_distances(job->fit->motion, all, block, q, first, first + count, distances);
		for (uint32_t i = 0; i < count; i++) {
			sum += distances[i];
		}
	}
	*squares = sum;
}

static void normalise_lengths(uint32_t count, snk_lane_dual_quaternion *q) {
	for (uint32_t lane = 0; lane < SNK_LANES; lane++) {
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

static void take_steps(const transform_job *job, uint32_t block, transform_block *transforms, uint32_t rounds,
					   const snk_lane_vector *centres, snk_lane_dual_quaternion *tried, const snk_lanes *expected_steps,
					   snk_lane_dual_quaternion *q) {
	const snk_blend_graph *graph = job->fit->graph;
	snk_lanes squares, unused = {0}, *strength = &job->strengths[block];
	measure(job, block, (const snk_lane_dual_quaternion *)q, &squares);
	add_regularisation(job, block, (const snk_lane_dual_quaternion *)q, centres, expected_steps, &squares, NULL, NULL);
	for (uint32_t round = 0; round < rounds; round++) {
		snk_lanes tried_squares;
		job->kernels->dual_equations(job->fit->motion, graph, block, (const snk_lane_dual_quaternion *)q, centres,
									 transforms->blocks, transforms->right);
		add_regularisation(job, block, (const snk_lane_dual_quaternion *)q, centres, expected_steps, &unused,
						   transforms->blocks, transforms->right);
		damp(job, 8, strength, transforms->blocks);
		job->kernels->factor(graph, 8, transforms->blocks);
		job->kernels->solve(graph, 8, transforms->blocks, 1, transforms->right);
		memcpy(tried, q, graph->joint_count * sizeof *q);
		step_all(graph, 8, centres, transforms->right, tried);
		measure(job, block, (const snk_lane_dual_quaternion *)tried, &tried_squares);
		add_regularisation(job, block, (const snk_lane_dual_quaternion *)tried, centres, expected_steps, &tried_squares, NULL,
						   NULL);
		if (!accept_lanes(job, (size_t)8 * graph->joint_count, tried[0], q[0], &tried_squares, &squares, strength)) {
			break;
		}
	}
}

/* ---- passes over all blocks ---------------------------------------------------------------------------------------------- */

/* A pass over blocks of frames. */
typedef struct dual_pass {
	transform_job *job;
	void (*visit)(transform_job *job, uint32_t block, transform_block *transforms, snk_lane_dual_quaternion *q);
	uint32_t first; /* the block of index 0 in a chunk */
} dual_pass;

static void find_locals(const transform_job *job, uint32_t block, transform_block *transforms) {
	job->kernels->target_moments(job->fit->motion, job->fit->graph, block, transforms->targets, &transforms->squares);
	find_local_motions(job, transforms);
}

/* All blocks are initialised before any is fitted, because signs depend on each other over time. */
static void start(transform_job *job, uint32_t block, transform_block *transforms, snk_lane_dual_quaternion *q) {
	find_locals(job, block, transforms);
	for (uint32_t j = 0; j < job->fit->graph->joint_count; j++) {
		if (starts_at_local_motion(job->fit, j)) {
			local_dual_quaternion(job, transforms, j, q[j]);
		}
	}
}

static void solve_linear(transform_job *job, uint32_t block, transform_block *transforms, snk_lane_dual_quaternion *q) {
	const snk_blend_graph *graph = job->fit->graph;
	const snk_lanes none = {0};
	snk_lane_vector *centres = snw_pool_acquire(&transforms->pool, graph->joint_count, sizeof *centres);
	if (!centres) {
		return;
	}
	move_centres(graph, (const snk_lane_dual_quaternion *)q, centres);
	job->kernels->dual_linear_equations(job->fit->motion, graph, block, (const snk_lane_dual_quaternion *)q,
										(const snk_lane_vector *)centres, transforms->blocks, transforms->right);
	damp(job, 7, &none, transforms->blocks);
	job->kernels->factor(graph, 7, transforms->blocks);
	job->kernels->solve(graph, 7, transforms->blocks, 1, transforms->right);
	step_all(graph, 7, (const snk_lane_vector *)centres, transforms->right, q);
	normalise_lengths(graph->joint_count, q);
}

static void find_neighbour_steps(transform_job *job, uint32_t block, transform_block *transforms, snk_lane_dual_quaternion *q) {
	snk_lane_vector *centres = snw_pool_acquire(&transforms->pool, job->fit->graph->joint_count, sizeof *centres);
	if (centres) {
		find_locals(job, block, transforms);
		move_centres(job->fit->graph, (const snk_lane_dual_quaternion *)q, centres);
		find_local_steps(job, block, transforms, (const snk_lane_dual_quaternion *)q, (const snk_lane_vector *)centres);
	}
}

static void step(transform_job *job, uint32_t block, transform_block *transforms, snk_lane_dual_quaternion *q) {
	const uint32_t count = job->fit->graph->joint_count;
	snk_lane_vector *centres = snw_pool_acquire(&transforms->pool, count, sizeof *centres);
	snk_lane_dual_quaternion *tried = snw_pool_acquire(&transforms->pool, count, sizeof *tried);
	snk_lanes *expected_steps = SNW_POOL_ARRAY(&transforms->pool, snk_lanes, (size_t)8 * count);
	if (!transforms->pool.failed) {
		move_centres(job->fit->graph, (const snk_lane_dual_quaternion *)q, centres);
		find_expected_steps(job, block, expected_steps);
		take_steps(job, block, transforms, job->fit->rounds < STEPS ? job->fit->rounds : STEPS,
				   (const snk_lane_vector *)centres, tried, expected_steps, q);
	}
}

static void sum_squares(transform_job *job, uint32_t block, transform_block *transforms, snk_lane_dual_quaternion *q) {
	measure(job, block, (const snk_lane_dual_quaternion *)q, &transforms->squares);
	store_squares(job, block, &transforms->squares);
}

static void SNW_CALL visit_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const dual_pass *pass = argument;
	transform_job *job = pass->job;
	for (uint32_t block = pass->first + begin; block < pass->first + end; block++) {
		transform_block transforms;
		open_transform_block(job, &transforms);
		if (!transforms.pool.failed) {
			pass->visit(job, block, &transforms, (snk_lane_dual_quaternion *)snk_transforms_block(job->transforms, block));
		}
		job->failed[block] |= (unsigned char)transforms.pool.failed;
		snw_pool_release(&transforms.pool);
	}
}

/* Runs a pass over all blocks, a few at a time. Its progress is from `from` to `from` + `part`. Returns 0 if it was stopped. */
static int pass_in_steps(dual_pass *pass, double from, double part) {
	const snk_transform_fit *fit = pass->job->fit;
	const uint32_t blocks = fit->motion->block_count;
	for (uint32_t begin = 0; begin < blocks; begin += BLOCKS_PER_STEP) {
		if (!snk_steps_go_on(&fit->steps, from + part * begin / blocks)) {
			return 0;
		}
		pass->first = begin;
		snk_ranges_run(fit->host, blocks - begin < BLOCKS_PER_STEP ? blocks - begin : BLOCKS_PER_STEP, 1, visit_chunk, pass);
	}
	return 1;
}

/* Takes all steps, a few at a time; before that, the steps of the neighbouring frames are updated. */
static void take_all_steps(transform_job *job) {
	const uint32_t most = job->fit->rounds, passes = (most + STEPS - 1) / STEPS;
	int going = 1;
	for (uint32_t k = 0; k < passes && going; k++) {
		const double from = (double)k / passes, part = 0.5 / passes;
		going = pass_in_steps(&(dual_pass){.job = job, .visit = find_neighbour_steps}, from, part) &&
				pass_in_steps(&(dual_pass){.job = job, .visit = step}, from + part, part);
	}
}

static int any_starts_at_local_motion(const snk_transform_fit *fit) {
	for (uint32_t j = 0; j < fit->graph->joint_count; j++) {
		if (starts_at_local_motion(fit, j)) {
			return 1;
		}
	}
	return 0;
}

snw_status fit_dual_quaternions(transform_job *job, snw_pool *pool) {
	const snk_transform_fit *fit = job->fit;
	const uint32_t blocks = fit->motion->block_count;
	const size_t numbers = (size_t)8 * fit->graph->joint_count * blocks;
	snw_status status = SNW_OK;
	if (any_starts_at_local_motion(fit)) {
		snk_ranges_run(fit->host, blocks, 1, visit_chunk, &(dual_pass){.job = job, .visit = start});
		status = choose_signs(fit, job->transforms);
	}
	if (!fit->warm) {
		snk_ranges_run(fit->host, blocks, 1, visit_chunk, &(dual_pass){.job = job, .visit = solve_linear});
	}
	job->locals = fit->linear_only ? NULL : SNW_POOL_ARRAY(pool, snk_lanes, numbers);
	job->local_steps = fit->linear_only ? NULL : SNW_POOL_ARRAY(pool, snk_lanes, numbers);
	job->strengths = SNW_POOL_ARRAY(pool, snk_lanes, blocks);
	status = !snk_failed(status) && pool->failed ? SNW_ERROR_MEMORY : status;
	for (uint32_t block = 0; !snk_failed(status) && block < blocks; block++) {
		job->strengths[block] += first_strength;
	}
	if (!snk_failed(status) && !fit->linear_only) {
		take_all_steps(job);
	}
	snk_ranges_run(fit->host, blocks, 1, visit_chunk, &(dual_pass){.job = job, .visit = sum_squares});
	return status;
}
