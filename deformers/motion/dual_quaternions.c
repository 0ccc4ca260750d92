/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits dual quaternions: the linear system, and steps that minimise the distance.
 */
#include <math.h>

#include "motion/transform_block.h"
#include "motion/transforms.h"
#include "sinew/kit/status.h"

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

/* The local motions in block->matrices, as dual quaternions for points relative to the motion's centre. */
static void local_dual_quaternion(const transform_job *job, const transform_block *block, uint32_t joint, snk_lanes *q) {
	start_at_local_motion(job->fit->graph->centres[joint], block->matrices[joint], q);
}

/* ---- signs --------------------------------------------------------------------------------------------------------------- */

/* Signs of dual quaternions. A dual quaternion and its negative move points alike, but blend differently: with their neighbours
 * in a frame, and with themselves in the next frame. All signs are chosen together, along the maximum spanning tree (R. Prim
 * 1957) of a graph whose nodes are all joints in all frames: a tree for each frame alone would change from frame to frame, and
 * relative signs with it. */

/* Joints that share no point have weak edges to the nearest ones, because later weights can make them share points. */
enum { NEAREST = 8 };
static const float weak_tie = 1e-3F;

typedef struct sign_tree {
	const snk_transforms *transforms;
	uint32_t joint_count, frame_count;
	uint32_t *offsets, *others; /* the joints at the ends of each joint's edges */
	float *ties;                /* the edges' strengths, at most 1 */
	float *reach;               /* of each node, frame × joint: its strongest edge to the tree; −1 once it is in the tree */
	unsigned char *is_opposite; /* whether the dual quaternions at its ends have opposite signs */
	uint32_t *heap, *places;    /* nodes outside the tree, by reach */
	uint32_t heap_count;
} sign_tree;

static snk_lanes *dual_at(const snk_transforms *transforms, uint32_t frame, uint32_t joint) {
	return snk_transforms_block(transforms, frame / SNK_LANES) + (size_t)8 * joint;
}

/* ---- edges --------------------------------------------------------------------------------------------------------------- */

static void tie_sharing(const snk_blend_graph *graph, float *ties) {
	const uint32_t count = graph->joint_count;
	for (uint32_t place = 0; place < count; place++) {
		for (uint32_t k = graph->offsets[place]; k < graph->offsets[place + 1]; k++) {
			const uint32_t other = graph->rows[k];
			const double values = graph->moments[place][15] * graph->moments[other][15];
			const double shared = graph->moments[count + k][15];
			const float tie = (float)(shared > 0 && values > 0 ? shared / sqrt(values) : 0);
			ties[(size_t)graph->order[place] * count + graph->order[other]] = tie;
			ties[(size_t)graph->order[other] * count + graph->order[place]] = tie;
		}
	}
}

static void tie_nearest(const snk_blend_graph *graph, uint32_t joint, double *distances, float *ties) {
	const uint32_t count = graph->joint_count;
	for (uint32_t j = 0; j < count; j++) {
		const double *a = graph->centres[joint], *b = graph->centres[j];
		const double difference[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
		distances[j] = j == joint ? (double)INFINITY : snw_dot3(difference, difference);
	}
	for (uint32_t n = 0; n < NEAREST && n + 1 < count; n++) {
		uint32_t nearest = 0;
		for (uint32_t j = 1; j < count; j++) {
			nearest = distances[j] < distances[nearest] ? j : nearest;
		}
		distances[nearest] = (double)INFINITY;
		float *forward = &ties[(size_t)joint * count + nearest], *back = &ties[(size_t)nearest * count + joint];
		*forward = *back = fmaxf(*forward, weak_tie);
	}
}

static void list_ties(snw_pool *pool, sign_tree *tree, const float *ties) {
	const uint32_t count = tree->joint_count;
	size_t total = 0;
	for (size_t i = 0; i < (size_t)count * count; i++) {
		total += ties[i] > 0;
	}
	tree->offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)count + 1);
	tree->others = SNW_POOL_ARRAY(pool, uint32_t, total);
	float *strengths = SNW_POOL_ARRAY(pool, float, total);
	tree->ties = strengths;
	for (uint32_t j = 0; j < count && !pool->failed; j++) {
		tree->offsets[j + 1] = tree->offsets[j];
		for (uint32_t other = 0; other < count; other++) {
			if (ties[(size_t)j * count + other] > 0) {
				tree->others[tree->offsets[j + 1]] = other;
				strengths[tree->offsets[j + 1]++] = ties[(size_t)j * count + other];
			}
		}
	}
}

/* ---- the heap ------------------------------------------------------------------------------------------------------------ */

static void put(sign_tree *tree, uint32_t at, uint32_t node) {
	tree->heap[at] = node;
	tree->places[node] = at;
}

static void move_up(sign_tree *tree, uint32_t node) {
	uint32_t at = tree->places[node];
	while (at > 0 && tree->reach[tree->heap[(at - 1) / 2]] < tree->reach[node]) {
		put(tree, at, tree->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	put(tree, at, node);
}

static uint32_t pop_strongest(sign_tree *tree) {
	const uint32_t first = tree->heap[0], node = tree->heap[--tree->heap_count], count = tree->heap_count;
	uint32_t at = 0;
	for (uint32_t below = 1; below < count; below = 2 * at + 1) {
		below += below + 1 < count && tree->reach[tree->heap[below + 1]] > tree->reach[tree->heap[below]];
		if (tree->reach[tree->heap[below]] <= tree->reach[node]) {
			break;
		}
		put(tree, at, tree->heap[below]);
		at = below;
	}
	if (count > 0) {
		put(tree, at, node);
	}
	return first;
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------ */

/* The cosine of half the angle between two joints' rotations. */
static double half_cosine(const snk_lanes *a, uint32_t lane_a, const snk_lanes *b, uint32_t lane_b) {
	double dot = 0, squared_a = 0, squared_b = 0;
	for (int i = 0; i < 4; i++) {
		dot += a[i][lane_a] * b[i][lane_b];
		squared_a += a[i][lane_a] * a[i][lane_a];
		squared_b += b[i][lane_b] * b[i][lane_b];
	}
	return squared_a > 0 && squared_b > 0 ? dot / sqrt(squared_a * squared_b) : 0;
}

static void update_reach(sign_tree *tree, uint32_t from, uint32_t to, float tie) {
	if (tree->reach[to] < 0) {
		return;
	}
	const uint32_t count = tree->joint_count, frame = from / count, next = to / count;
	const double cosine = half_cosine(dual_at(tree->transforms, frame, from % count), frame % SNK_LANES,
									  dual_at(tree->transforms, next, to % count), next % SNK_LANES);
	const float strength = tie * (float)fabs(cosine);
	if (strength > tree->reach[to]) {
		tree->reach[to] = strength;
		tree->is_opposite[to] = cosine < 0;
		move_up(tree, to);
	}
}

static void add_to_tree(sign_tree *tree, uint32_t node) {
	const uint32_t count = tree->joint_count, frame = node / count, joint = node % count;
	snk_lanes *lanes = dual_at(tree->transforms, frame, joint);
	tree->reach[node] = -1;
	for (int i = 0; i < 8 && tree->is_opposite[node]; i++) {
		lanes[i][frame % SNK_LANES] = -lanes[i][frame % SNK_LANES];
	}
	if (frame > 0) {
		update_reach(tree, node, node - count, 1);
	}
	if (frame + 1 < tree->frame_count) {
		update_reach(tree, node, node + count, 1);
	}
	for (uint32_t k = tree->offsets[joint]; k < tree->offsets[joint + 1]; k++) {
		update_reach(tree, node, frame * count + tree->others[k], tree->ties[k]);
	}
}

static void open_tree(snw_pool *pool, const snk_transform_fit *fit, sign_tree *tree) {
	const snk_blend_graph *graph = fit->graph;
	const uint32_t count = graph->joint_count;
	const size_t nodes = (size_t)tree->frame_count * count;
	snw_pool scratch = snw_pool_open(fit->host);
	float *ties = SNW_POOL_ARRAY(&scratch, float, (size_t)count *count);
	double *distances = SNW_POOL_ARRAY(&scratch, double, count);
	if (scratch.failed) {
		pool->failed = 1;
	} else {
		tie_sharing(graph, ties);
		for (uint32_t j = 0; j < count; j++) {
			tie_nearest(graph, j, distances, ties);
		}
		list_ties(pool, tree, ties);
	}
	snw_pool_release(&scratch);
	tree->reach = SNW_POOL_ARRAY(pool, float, nodes);
	tree->is_opposite = SNW_POOL_ARRAY(pool, unsigned char, nodes);
	tree->heap = SNW_POOL_ARRAY(pool, uint32_t, nodes);
	tree->places = SNW_POOL_ARRAY(pool, uint32_t, nodes);
}

/* Chooses the signs of joints that start at their local motion, over all frames. SNW_ERROR_MEMORY if memory runs out. */
static snw_status choose_signs(const snk_transform_fit *fit, const snk_transforms *transforms) {
	snw_pool pool = snw_pool_open(fit->host);
	sign_tree tree = {
		.transforms = transforms, .joint_count = transforms->joint_count, .frame_count = transforms->block_count * SNK_LANES};
	open_tree(&pool, fit, &tree);
	const uint32_t nodes = tree.frame_count * tree.joint_count;
	for (uint32_t node = 0; node < nodes && !pool.failed; node++) {
		put(&tree, node, node);
		if (!starts_at_local_motion(fit, node % tree.joint_count)) {
			tree.reach[node] = 2; /* more than any edge: these are added first, unchanged */
			move_up(&tree, node);
		}
		tree.heap_count++;
	}
	while (!pool.failed && tree.heap_count > 0) {
		add_to_tree(&tree, pop_strongest(&tree));
	}
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	snw_pool_release(&pool);
	return status;
}

/* ---- regularisation ------------------------------------------------------------------------------------------------------ */

/* Regularises dual quaternions in directions that the distance does not determine: it hardly depends on their lengths and on
 * the scalar of the dual part. Without this they drift until neighbours nearly cancel, differently in each frame, so that the
 * mean of two frames is far from both. A joint's step from its local motion, x in q = x Q, is pulled towards its steps in the
 * previous and next frames, and weakly towards 0. The strength is a fraction of the joint's points. */

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

/* Fills `locals` and `local_steps` for one block, which must have its targets and matrices. */
static void find_local_steps(const transform_job *job, uint32_t block, const transform_block *transforms,
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

/* The steps towards which the joints of a block are pulled, [joint_count][8]: from `local_steps` of the neighbouring frames. */
static void find_expected_steps(const transform_job *job, uint32_t block, snk_lanes *expected_steps) {
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

/* Adds the regularisation to the squares, and to the equations unless they are NULL. */
static void add_regularisation(const transform_job *job, uint32_t block, const snk_lane_dual_quaternion *q,
							   const snk_lane_vector *centres, const snk_lanes *expected_steps, snk_lanes *squares,
							   snk_lanes *blocks, snk_lanes *right) {
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

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

static const double first_strength = 1e-4; /* of the damping */
enum { STEPS = 3 };                        /* for each frame, between updates of its neighbours' steps */
enum { BLOCKS_PER_STEP = 16 };             /* between calls of go_on: enough for as many threads */

/* ---- initial values ------------------------------------------------------------------------------------------------------ */

static double real_dot(const snk_lane_dual_quaternion a, const snk_lane_dual_quaternion b, uint32_t lane) {
	return a[0][lane] * b[0][lane] + a[1][lane] * b[1][lane] + a[2][lane] * b[2][lane] + a[3][lane] * b[3][lane];
}

/* The posed centre of each joint, about which steps rotate. */
static void move_centres(const snk_blend_graph *graph, const snk_lane_dual_quaternion *q, snk_lane_vector *centres) {
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
