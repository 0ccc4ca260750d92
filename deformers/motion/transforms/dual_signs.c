/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signs of dual quaternions. A dual quaternion and its negative move points alike, but blend differently: with their neighbours
 * in a frame, and with themselves in the next frame. All signs are chosen together, along the maximum spanning tree (R. Prim
 * 1957) of a graph whose nodes are all joints in all frames: a tree for each frame alone would change from frame to frame, and
 * relative signs with it.
 */
#include <math.h>

#include "motion/transforms/transform_block.h"

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

snw_status choose_signs(const snk_transform_fit *fit, const snk_transforms *transforms) {
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
