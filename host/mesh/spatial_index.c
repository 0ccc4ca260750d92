/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points are halved along the longest side of their box until few are left; a face belongs to the leaf of its first point.
 * Parents come before children, so a pass in reverse visits children before parents. Each node has two boxes: of its points,
 * for balls, and of its faces, for rays.
 */
#include "mesh/surface.h"

#include <math.h>
#include <string.h>

#include "mesh/mesh.h"
#include "sinew/algebra.h"
#include "task/task.h"

enum { LEAF_POINTS = 32, GRAIN = 16, DEEPEST = 64 };

typedef struct box {
	double least[3], most[3];
} box;

typedef struct node {
	box points, faces;
	uint32_t begin, end;           /* of the points in the tree's order */
	uint32_t face_begin, face_end; /* a leaf's, of the faces in the tree's order */
	uint32_t right;                /* the left child is the next node; SNW_NONE for a leaf */
} node;

struct snw_spatial_index {
	const snw_mesh *mesh;
	const double *points;
	uint32_t node_count;
	node *nodes;
	uint32_t *order;        /* [point_count]: points in the tree's order */
	uint32_t *faces;        /* [face_count]: faces in the tree's order */
	uint32_t *leaf_of;      /* [point_count] */
	uint32_t *leaf_of_face; /* [face_count] */
	uint32_t *parents;      /* [node_count]; SNW_NONE for the root */
	snw_set stale;          /* nodes whose boxes are outdated, with all their ancestors */
	uint32_t *stale_nodes;  /* [node_count + 1] */
	const bool *hidden;     /* [face_count]; NULL: none */
};

static const box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void box_add(box *bounds, const double point[3]) {
	for (int c = 0; c < 3; c++) {
		bounds->least[c] = point[c] < bounds->least[c] ? point[c] : bounds->least[c];
		bounds->most[c] = point[c] > bounds->most[c] ? point[c] : bounds->most[c];
	}
}

static box box_union(const box *a, const box *b) {
	box both;
	for (int c = 0; c < 3; c++) {
		both.least[c] = a->least[c] < b->least[c] ? a->least[c] : b->least[c];
		both.most[c] = a->most[c] > b->most[c] ? a->most[c] : b->most[c];
	}
	return both;
}

/* ---- building ------------------------------------------------------------------------------------------------------------ */

/* Whether a point comes before another along an axis; equal ones by index. */
static bool comes_before(const snw_spatial_index *index, int axis, uint32_t a, uint32_t b) {
	const double x = index->points[3 * (size_t)a + (size_t)axis], y = index->points[3 * (size_t)b + (size_t)axis];
	return x != y ? x < y : a < b;
}

static void swap(uint32_t *a, uint32_t *b) {
	const uint32_t swapped = *a;
	*a = *b;
	*b = swapped;
}

/* Moves the points of [begin, end) that come first along the axis before `middle` (quickselect, median of three). */
static void divide(const snw_spatial_index *index, uint32_t begin, uint32_t end, uint32_t middle, int axis) {
	uint32_t *order = index->order;
	while (end - begin > 1) {
		uint32_t *last = &order[end - 1], *center = &order[begin + (end - begin) / 2];
		if (comes_before(index, axis, *last, order[begin])) {
			swap(last, &order[begin]);
		}
		if (comes_before(index, axis, *center, order[begin])) {
			swap(center, &order[begin]);
		}
		if (comes_before(index, axis, *center, *last)) {
			swap(center, last);
		}
		const uint32_t pivot = *last; /* the middle one of three */
		uint32_t place = begin;
		for (uint32_t i = begin; i + 1 < end; i++) {
			if (comes_before(index, axis, order[i], pivot)) {
				swap(&order[i], &order[place++]);
			}
		}
		swap(&order[place], last);
		if (place == middle) {
			return;
		}
		if (place < middle) {
			begin = place + 1;
		} else {
			end = place;
		}
	}
}

static int longest_side(const snw_spatial_index *index, uint32_t begin, uint32_t end) {
	box around = empty_box;
	for (uint32_t i = begin; i < end; i++) {
		box_add(&around, index->points + 3 * (size_t)index->order[i]);
	}
	int axis = 0;
	for (int c = 1; c < 3; c++) {
		axis = around.most[c] - around.least[c] > around.most[axis] - around.least[axis] ? c : axis;
	}
	return axis;
}

/* A part of the tree to build: its root, and its points. */
typedef struct branch {
	uint32_t at, begin, end;
} branch;

static uint32_t middle_of(const branch *part) {
	return part->begin + (part->end - part->begin) / 2;
}

static uint32_t count_nodes(uint32_t point_count) {
	return point_count <= LEAF_POINTS ? 1 : 1 + count_nodes(point_count / 2) + count_nodes(point_count - point_count / 2);
}

/* Makes the node of a branch. False for a leaf; otherwise `parts` are its two subtrees. */
static bool make_node(snw_spatial_index *index, const branch *part, branch parts[2]) {
	node *at = &index->nodes[part->at];
	*at = (node){.points = empty_box, .faces = empty_box, .begin = part->begin, .end = part->end, .right = SNW_NONE};
	if (part->end - part->begin <= LEAF_POINTS) {
		for (uint32_t i = part->begin; i < part->end; i++) {
			index->leaf_of[index->order[i]] = part->at;
		}
		return false;
	}
	const uint32_t middle = middle_of(part);
	divide(index, part->begin, part->end, middle, longest_side(index, part->begin, part->end));
	at->right = part->at + 1 + count_nodes(middle - part->begin);
	index->parents[part->at + 1] = index->parents[at->right] = part->at;
	parts[0] = (branch){part->at + 1, part->begin, middle};
	parts[1] = (branch){at->right, middle, part->end};
	return true;
}

static void build(snw_spatial_index *index, branch whole) {
	branch parts[2];
	if (make_node(index, &whole, parts)) {
		build(index, parts[0]);
		build(index, parts[1]);
	}
}

enum { BRANCHES = 16 };

typedef struct growth {
	snw_spatial_index *index;
	branch branches[2 * BRANCHES];
} growth;

static void build_branches(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const growth *job = argument;
	for (uint32_t i = begin; i < end; i++) {
		build(job->index, job->branches[i]);
	}
}

/* Builds the top nodes in sequence, then the subtrees below them in parallel. */
static void build_all(snw_spatial_index *index) {
	growth work = {.index = index, .branches = {{0, 0, index->mesh->point_count}}};
	uint32_t count = 1;
	while (count > 0 && count < BRANCHES) {
		branch next[2 * BRANCHES];
		uint32_t next_count = 0;
		for (uint32_t i = 0; i < count; i++) {
			next_count += make_node(index, &work.branches[i], next + next_count) ? 2 : 0;
		}
		memcpy(work.branches, next, next_count * sizeof *next);
		count = next_count;
	}
	snw_parallel_for(count, 1, build_branches, &work);
}

/* Assigns faces to the leaf of their first point, in the order of leaves. */
static void assign_faces(snw_spatial_index *index, snw_arena *arena) {
	const snw_mesh *mesh = index->mesh;
	uint32_t *next = SNW_NEW_ARRAY(arena, uint32_t, (size_t)index->node_count + 1);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		index->leaf_of_face[f] = index->leaf_of[mesh->face_points[mesh->face_offsets[f]]];
		next[index->leaf_of_face[f] + 1]++;
	}
	for (uint32_t i = 0; i < index->node_count; i++) {
		next[i + 1] += next[i];
		index->nodes[i].face_begin = next[i];
		index->nodes[i].face_end = next[i + 1];
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		index->faces[next[index->leaf_of_face[f]]++] = f;
	}
}

snw_spatial_index *snw_spatial_index_make(const snw_mesh *mesh, const double *points, snw_arena *arena) {
	snw_spatial_index *index = SNW_NEW(arena, snw_spatial_index);
	const uint32_t node_count = count_nodes(mesh->point_count);
	*index = (snw_spatial_index){
		.mesh = mesh,
		.points = points,
		.node_count = node_count,
		.nodes = SNW_NEW_ARRAY(arena, node, node_count),
		.order = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count),
		.faces = SNW_NEW_ARRAY(arena, uint32_t, mesh->face_count),
		.leaf_of = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count),
		.leaf_of_face = SNW_NEW_ARRAY(arena, uint32_t, mesh->face_count),
		.parents = SNW_NEW_ARRAY(arena, uint32_t, node_count),
		.stale = snw_set_make(node_count, arena),
		.stale_nodes = SNW_NEW_ARRAY(arena, uint32_t, (size_t)node_count + 1),
	};
	index->parents[0] = SNW_NONE;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		index->order[i] = i;
	}
	build_all(index);
	assign_faces(index, arena);
	snw_spatial_index_refit_all(index);
	return index;
}

/* ---- refitting ----------------------------------------------------------------------------------------------------------- */

static void refit_leaf(const snw_spatial_index *index, node *leaf) {
	const snw_mesh *mesh = index->mesh;
	box points = empty_box, faces = empty_box;
	for (uint32_t i = leaf->begin; i < leaf->end; i++) {
		box_add(&points, index->points + 3 * (size_t)index->order[i]);
	}
	for (uint32_t i = leaf->face_begin; i < leaf->face_end; i++) {
		const uint32_t f = index->faces[i];
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			box_add(&faces, index->points + 3 * (size_t)mesh->face_points[c]);
		}
	}
	leaf->points = points;
	leaf->faces = faces;
}

static void refit_leaves(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_spatial_index *index = argument;
	for (uint32_t i = begin; i < end; i++) {
		node *at = &index->nodes[index->stale_nodes[i]];
		if (at->right == SNW_NONE) {
			refit_leaf(index, at);
		}
	}
}

/* Updates the boxes of all stale nodes: leaves in parallel, then their ancestors from the bottom up. */
static void refit_stale(snw_spatial_index *index) {
	const uint32_t count = snw_set_list(&index->stale, index->stale_nodes);
	snw_parallel_for(count, GRAIN, refit_leaves, index);
	for (uint32_t i = count; i-- > 0;) {
		node *at = &index->nodes[index->stale_nodes[i]];
		if (at->right != SNW_NONE) {
			const node *left = at + 1, *right = &index->nodes[at->right];
			at->points = box_union(&left->points, &right->points);
			at->faces = box_union(&left->faces, &right->faces);
		}
	}
	snw_set_clear(&index->stale);
}

static void mark(snw_spatial_index *index, uint32_t leaf) {
	for (uint32_t i = leaf; i != SNW_NONE && !snw_set_has(&index->stale, i); i = index->parents[i]) {
		snw_set_add(&index->stale, i);
	}
}

void snw_spatial_index_refit(snw_spatial_index *index, uint32_t point_count, const uint32_t *changed, uint32_t face_count,
							 const uint32_t *faces) {
	for (uint32_t i = 0; i < point_count; i++) {
		mark(index, index->leaf_of[changed[i]]);
	}
	for (uint32_t i = 0; i < face_count; i++) {
		mark(index, index->leaf_of_face[faces[i]]);
	}
	refit_stale(index);
}

void snw_spatial_index_refit_all(snw_spatial_index *index) {
	for (uint32_t i = 0; i < index->node_count; i++) {
		snw_set_add(&index->stale, i);
	}
	refit_stale(index);
}

/* ---- queries ------------------------------------------------------------------------------------------------------------- */

/* The distance along a ray of unit direction at which it enters a box: negative from inside, INFINITY if it misses. */
static double enter(const box *bounds, const double origin[3], const double inverse[3]) {
	double from = -INFINITY, to = INFINITY;
	for (int c = 0; c < 3; c++) {
		if (isinf(inverse[c])) {
			if (origin[c] < bounds->least[c] || origin[c] > bounds->most[c]) {
				return INFINITY;
			}
			continue;
		}
		const double a = (bounds->least[c] - origin[c]) * inverse[c], b = (bounds->most[c] - origin[c]) * inverse[c];
		from = fmax(from, fmin(a, b));
		to = fmin(to, fmax(a, b));
	}
	/* Rounding must not miss a flat box. */
	const double slack = 1e-9 * (fabs(from) + fabs(to));
	return to < 0 || !(from <= to + slack) ? (double)INFINITY : from - slack;
}

/* The distance at which a ray of unit direction hits a triangle from either side (Möller and Trumbore, "Fast, minimum storage
 * ray/triangle intersection"); INFINITY if it misses. */
static double intersect(const double origin[3], const double direction[3], const double *a, const double *b, const double *c) {
	double ab[3], ac[3], from_a[3], p[3], q[3];
	for (int k = 0; k < 3; k++) {
		ab[k] = b[k] - a[k];
		ac[k] = c[k] - a[k];
		from_a[k] = origin[k] - a[k];
	}
	snw_cross3(direction, ac, p);
	const double det = snw_dot3(ab, p);
	if (det == 0) {
		return INFINITY;
	}
	snw_cross3(from_a, ab, q);
	/* A ray through the edge between two triangles must hit one of them in spite of rounding. */
	const double slack = 1e-12;
	const double u = snw_dot3(from_a, p) / det, v = snw_dot3(direction, q) / det, distance = snw_dot3(ac, q) / det;
	const bool hit = u >= -slack && v >= -slack && u + v <= 1 + slack && distance >= 0 && isfinite(distance);
	return hit ? distance : (double)INFINITY;
}

typedef struct place_search {
	const snw_spatial_index *index;
	double origin[3], direction[3], inverse[3];
	snw_pick best;
	const double *corners[3]; /* of the triangle that was hit */
} place_search;

static void intersect_face(place_search *state, uint32_t f) {
	if (state->index->hidden && state->index->hidden[f]) {
		return;
	}
	const snw_mesh *mesh = state->index->mesh;
	const uint32_t *corners = mesh->face_points + mesh->face_offsets[f];
	const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
	const double *points = state->index->points;
	for (uint32_t c = 1; c + 1 < count; c++) {
		const double *a = points + 3 * (size_t)corners[0], *b = points + 3 * (size_t)corners[c],
					 *d = points + 3 * (size_t)corners[c + 1];
		const double distance = intersect(state->origin, state->direction, a, b, d);
		if (distance < state->best.distance ||
			(distance == state->best.distance && isfinite(distance) && f < state->best.face)) {
			state->best.distance = distance;
			state->best.face = f;
			state->corners[0] = a;
			state->corners[1] = b;
			state->corners[2] = d;
		}
	}
}

static void descend(place_search *state) {
	const snw_spatial_index *index = state->index;
	uint32_t pending[DEEPEST + 1], count = 0;
	double entered[DEEPEST + 1];
	pending[count] = 0;
	entered[count++] = enter(&index->nodes[0].faces, state->origin, state->inverse);
	while (count > 0) {
		const uint32_t i = pending[--count];
		if ((isinf(entered[count]) && entered[count] > 0) || entered[count] > state->best.distance) {
			continue;
		}
		const node *at = &index->nodes[i];
		if (at->right == SNW_NONE) {
			for (uint32_t f = at->face_begin; f < at->face_end; f++) {
				intersect_face(state, index->faces[f]);
			}
			continue;
		}
		const uint32_t children[2] = {i + 1, at->right};
		double distances[2];
		for (int k = 0; k < 2; k++) {
			distances[k] = enter(&index->nodes[children[k]].faces, state->origin, state->inverse);
		}
		const int nearer = distances[1] < distances[0];
		for (int k = 1; k >= 0; k--) {
			pending[count] = children[nearer ^ k];
			entered[count++] = distances[nearer ^ k];
		}
	}
}

void snw_spatial_index_hide(snw_spatial_index *index, const bool *faces) {
	index->hidden = faces;
}

snw_pick snw_spatial_index_pick(const snw_spatial_index *index, const snw_ray *ray) {
	place_search state = {.index = index, .best = {.face = SNW_NONE, .point = SNW_NONE, .distance = INFINITY}};
	memcpy(state.origin, ray->origin, sizeof state.origin);
	memcpy(state.direction, ray->direction, sizeof state.direction);
	snw_normalize3(state.direction);
	for (int c = 0; c < 3; c++) {
		state.inverse[c] = 1 / state.direction[c];
	}
	descend(&state);
	if (state.best.face == SNW_NONE) {
		state.best.distance = 0;
		return state.best;
	}
	double ab[3], ac[3];
	for (int c = 0; c < 3; c++) {
		state.best.position[c] = state.origin[c] + state.best.distance * state.direction[c];
		ab[c] = state.corners[1][c] - state.corners[0][c];
		ac[c] = state.corners[2][c] - state.corners[0][c];
	}
	snw_cross3(ab, ac, state.best.normal);
	snw_normalize3(state.best.normal);
	if (snw_dot3(state.best.normal, state.direction) > 0) {
		for (int c = 0; c < 3; c++) {
			state.best.normal[c] = -state.best.normal[c];
		}
	}
	return state.best;
}

static double square(double x) {
	return x * x;
}

/* The square of the distance from a point to a box. */
static double squared_distance(const box *bounds, const double point[3]) {
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		sum += square(fmax(0, fmax(bounds->least[c] - point[c], point[c] - bounds->most[c])));
	}
	return sum;
}

uint32_t snw_spatial_index_ball(const snw_spatial_index *index, const double center[3], double radius, uint32_t *points,
								double *distances) {
	uint32_t pending[DEEPEST + 1], count = 0, found = 0;
	pending[count++] = 0;
	/* Slightly more than the radius: each point is tested exactly below. */
	const double reach = square(radius) * (1 + 1e-12);
	while (count > 0) {
		const uint32_t i = pending[--count];
		const node *at = &index->nodes[i];
		if (!(squared_distance(&at->points, center) <= reach)) {
			continue;
		}
		if (at->right != SNW_NONE) {
			pending[count++] = at->right;
			pending[count++] = i + 1;
			continue;
		}
		for (uint32_t k = at->begin; k < at->end; k++) {
			const double *point = index->points + 3 * (size_t)index->order[k];
			const double distance =
				sqrt(square(point[0] - center[0]) + square(point[1] - center[1]) + square(point[2] - center[2]));
			if (distance < radius) {
				points[found] = index->order[k];
				distances[found++] = distance;
			}
		}
	}
	return found;
}

uint32_t snw_spatial_index_nearest(const snw_spatial_index *index, const double place[3]) {
	uint32_t pending[DEEPEST + 1], count = 0, nearest = SNW_NONE;
	double least = INFINITY;
	pending[count++] = 0;
	while (count > 0) {
		const uint32_t i = pending[--count];
		const node *at = &index->nodes[i];
		if (!(squared_distance(&at->points, place) <= least)) {
			continue;
		}
		if (at->right != SNW_NONE) {
			const bool is_right_nearer =
				squared_distance(&index->nodes[at->right].points, place) < squared_distance(&index->nodes[i + 1].points, place);
			pending[count++] = is_right_nearer ? i + 1 : at->right;
			pending[count++] = is_right_nearer ? at->right : i + 1;
			continue;
		}
		for (uint32_t k = at->begin; k < at->end; k++) {
			const double squares = snw_squared_distance3(index->points + 3 * (size_t)index->order[k], place);
			if (squares < least || (squares == least && index->order[k] < nearest)) {
				least = squares;
				nearest = index->order[k];
			}
		}
	}
	return nearest;
}
