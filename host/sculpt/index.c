/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points are halved along the longer side of their box until few are left; a face lives with the first of its points. Nodes
 * stand parents first, so going through them backwards meets children before parents. Each has two boxes: that of its points,
 * for balls, and that of its faces, for rays.
 */
#include "sculpt/index.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "sculpt/set.h"
#include "sinew/algebra.h"

enum { LEAF_POINTS = 32, GRAIN = 16, DEEPEST = 64 };

typedef struct box {
	double least[3], most[3];
} box;

typedef struct node {
	box points, faces;
	uint32_t begin, end;           /* of the points in the tree's order */
	uint32_t face_begin, face_end; /* a leaf's, of the faces in the tree's order */
	uint32_t right;                /* the left child stands next; SNW_NONE for a leaf */
} node;

struct snw_index {
	const snw_mesh *mesh;
	const double *points;
	uint32_t node_count;
	node *nodes;
	uint32_t *order;        /* [point_count]: points in the tree's order */
	uint32_t *faces;        /* [face_count]: faces in the tree's order */
	uint32_t *leaf_of;      /* [point_count] */
	uint32_t *leaf_of_face; /* [face_count] */
	uint32_t *parents;      /* [node_count]; SNW_NONE of the root */
	snw_set stale;          /* nodes whose boxes are to be made anew; with each, all above it */
	uint32_t *stale_nodes;  /* [node_count + 1] */
};

static const box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void box_add(box *own, const double point[3]) {
	for (int c = 0; c < 3; c++) {
		own->least[c] = point[c] < own->least[c] ? point[c] : own->least[c];
		own->most[c] = point[c] > own->most[c] ? point[c] : own->most[c];
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

/* ---- building ----------------------------------------------------------------------------------------------------------- */

/* Whether a point stands before another along an axis; equal ones by their numbers. */
static bool stands_before(const snw_index *own, int axis, uint32_t a, uint32_t b) {
	const double x = own->points[3 * (size_t)a + (size_t)axis], y = own->points[3 * (size_t)b + (size_t)axis];
	return x != y ? x < y : a < b;
}

static void swap(uint32_t *a, uint32_t *b) {
	const uint32_t kept = *a;
	*a = *b;
	*b = kept;
}

/* Puts the points of [begin, end) that stand first along the axis before `middle` (quickselect, median of three). */
static void divide(const snw_index *own, uint32_t begin, uint32_t end, uint32_t middle, int axis) {
	uint32_t *order = own->order;
	while (end - begin > 1) {
		uint32_t *last = &order[end - 1], *center = &order[begin + (end - begin) / 2];
		if (stands_before(own, axis, *last, order[begin])) {
			swap(last, &order[begin]);
		}
		if (stands_before(own, axis, *center, order[begin])) {
			swap(center, &order[begin]);
		}
		if (stands_before(own, axis, *center, *last)) {
			swap(center, last);
		}
		const uint32_t pivot = *last; /* the middle one of three */
		uint32_t place = begin;
		for (uint32_t i = begin; i + 1 < end; i++) {
			if (stands_before(own, axis, order[i], pivot)) {
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

static int longer_side(const snw_index *own, uint32_t begin, uint32_t end) {
	box around = nothing;
	for (uint32_t i = begin; i < end; i++) {
		box_add(&around, own->points + 3 * (size_t)own->order[i]);
	}
	int axis = 0;
	for (int c = 1; c < 3; c++) {
		axis = around.most[c] - around.least[c] > around.most[axis] - around.least[axis] ? c : axis;
	}
	return axis;
}

/* A part of the tree that is still to be built: its points, and the place of its root. */
typedef struct branch {
	uint32_t at, begin, end;
} branch;

static uint32_t middle_of(const branch *own) {
	return own->begin + (own->end - own->begin) / 2;
}

static uint32_t count_nodes(uint32_t point_count) {
	return point_count <= LEAF_POINTS ? 1 : 1 + count_nodes(point_count / 2) + count_nodes(point_count - point_count / 2);
}

/* The node of a branch; its two parts, where it has any, in `parts`. */
static bool make_node(snw_index *own, const branch *made, branch parts[2]) {
	node *at = &own->nodes[made->at];
	*at = (node){.points = nothing, .faces = nothing, .begin = made->begin, .end = made->end, .right = SNW_NONE};
	if (made->end - made->begin <= LEAF_POINTS) {
		for (uint32_t i = made->begin; i < made->end; i++) {
			own->leaf_of[own->order[i]] = made->at;
		}
		return false;
	}
	const uint32_t middle = middle_of(made);
	divide(own, made->begin, made->end, middle, longer_side(own, made->begin, made->end));
	at->right = made->at + 1 + count_nodes(middle - made->begin);
	own->parents[made->at + 1] = own->parents[at->right] = made->at;
	parts[0] = (branch){made->at + 1, made->begin, middle};
	parts[1] = (branch){at->right, middle, made->end};
	return true;
}

static void build(snw_index *own, branch whole) {
	branch parts[2];
	if (make_node(own, &whole, parts)) {
		build(own, parts[0]);
		build(own, parts[1]);
	}
}

enum { BRANCHES = 16 };

typedef struct growth {
	snw_index *index;
	branch branches[2 * BRANCHES];
} growth;

static void build_branches(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const growth *own = argument;
	for (uint32_t i = begin; i < end; i++) {
		build(own->index, own->branches[i]);
	}
}

/* The uppermost nodes one after the other, then what hangs below them side by side. */
static void build_all(snw_index *own) {
	growth work = {.index = own, .branches = {{0, 0, own->mesh->point_count}}};
	uint32_t count = 1;
	while (count > 0 && count < BRANCHES) {
		branch next[2 * BRANCHES];
		uint32_t next_count = 0;
		for (uint32_t i = 0; i < count; i++) {
			next_count += make_node(own, &work.branches[i], next + next_count) ? 2 : 0;
		}
		memcpy(work.branches, next, next_count * sizeof *next);
		count = next_count;
	}
	snw_parallel_for(count, 1, build_branches, &work);
}

/* Faces go to the leaf of their first point, in the order of leaves. */
static void house_faces(snw_index *own, snw_arena *arena) {
	const snw_mesh *mesh = own->mesh;
	uint32_t *next = SNW_NEW_ARRAY(arena, uint32_t, (size_t)own->node_count + 1);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		own->leaf_of_face[f] = own->leaf_of[mesh->face_points[mesh->face_offsets[f]]];
		next[own->leaf_of_face[f] + 1]++;
	}
	for (uint32_t i = 0; i < own->node_count; i++) {
		next[i + 1] += next[i];
		own->nodes[i].face_begin = next[i];
		own->nodes[i].face_end = next[i + 1];
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		own->faces[next[own->leaf_of_face[f]]++] = f;
	}
}

snw_index *snw_index_make(const snw_mesh *mesh, const double *points, snw_arena *arena) {
	snw_index *own = SNW_NEW(arena, snw_index);
	const uint32_t node_count = count_nodes(mesh->point_count);
	*own = (snw_index){
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
	own->parents[0] = SNW_NONE;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		own->order[i] = i;
	}
	build_all(own);
	house_faces(own, arena);
	snw_index_refit_all(own);
	return own;
}

/* ---- refitting ---------------------------------------------------------------------------------------------------------- */

static void refit_leaf(const snw_index *own, node *leaf) {
	const snw_mesh *mesh = own->mesh;
	box points = nothing, faces = nothing;
	for (uint32_t i = leaf->begin; i < leaf->end; i++) {
		box_add(&points, own->points + 3 * (size_t)own->order[i]);
	}
	for (uint32_t i = leaf->face_begin; i < leaf->face_end; i++) {
		const uint32_t f = own->faces[i];
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			box_add(&faces, own->points + 3 * (size_t)mesh->face_points[c]);
		}
	}
	leaf->points = points;
	leaf->faces = faces;
}

static void refit_leaves(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_index *own = argument;
	for (uint32_t i = begin; i < end; i++) {
		node *at = &own->nodes[own->stale_nodes[i]];
		if (at->right == SNW_NONE) {
			refit_leaf(own, at);
		}
	}
}

/* The boxes of all nodes marked stale: leaves side by side, then what is above them from the bottom up. */
static void refit_stale(snw_index *own) {
	const uint32_t count = snw_set_list(&own->stale, own->stale_nodes);
	snw_parallel_for(count, GRAIN, refit_leaves, own);
	for (uint32_t i = count; i-- > 0;) {
		node *at = &own->nodes[own->stale_nodes[i]];
		if (at->right != SNW_NONE) {
			const node *left = at + 1, *right = &own->nodes[at->right];
			at->points = box_union(&left->points, &right->points);
			at->faces = box_union(&left->faces, &right->faces);
		}
	}
	snw_set_clear(&own->stale);
}

static void mark(snw_index *own, uint32_t leaf) {
	for (uint32_t i = leaf; i != SNW_NONE && !snw_set_has(&own->stale, i); i = own->parents[i]) {
		snw_set_add(&own->stale, i);
	}
}

void snw_index_refit(snw_index *own, uint32_t point_count, const uint32_t *moved, uint32_t face_count, const uint32_t *faces) {
	for (uint32_t i = 0; i < point_count; i++) {
		mark(own, own->leaf_of[moved[i]]);
	}
	for (uint32_t i = 0; i < face_count; i++) {
		mark(own, own->leaf_of_face[faces[i]]);
	}
	refit_stale(own);
}

void snw_index_refit_all(snw_index *own) {
	for (uint32_t i = 0; i < own->node_count; i++) {
		snw_set_add(&own->stale, i);
	}
	refit_stale(own);
}

/* ---- asking ------------------------------------------------------------------------------------------------------------- */

/* The distance along a ray of unit direction at which it enters a box: negative from inside, INFINITY where it misses. */
static double enter(const box *own, const double origin[3], const double inverse[3]) {
	double from = -INFINITY, to = INFINITY;
	for (int c = 0; c < 3; c++) {
		if (isinf(inverse[c])) {
			if (origin[c] < own->least[c] || origin[c] > own->most[c]) {
				return INFINITY;
			}
			continue;
		}
		const double a = (own->least[c] - origin[c]) * inverse[c], b = (own->most[c] - origin[c]) * inverse[c];
		from = fmax(from, fmin(a, b));
		to = fmin(to, fmax(a, b));
	}
	/* A face as thin as rounding must not be missed. */
	const double slack = 1e-9 * (fabs(from) + fabs(to));
	return to < 0 || !(from <= to + slack) ? (double)INFINITY : from - slack;
}

/* Where a ray of unit direction meets a triangle (Möller and Trumbore, "Fast, minimum storage ray/triangle intersection"),
 * from either side; INFINITY where it does not. */
static double meet(const double origin[3], const double direction[3], const double *a, const double *b, const double *c) {
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
	/* Neighbours share an edge to within rounding: a ray through it must not slip between them. */
	const double slack = 1e-12;
	const double u = snw_dot3(from_a, p) / det, v = snw_dot3(direction, q) / det, distance = snw_dot3(ac, q) / det;
	const bool hit = u >= -slack && v >= -slack && u + v <= 1 + slack && distance >= 0 && isfinite(distance);
	return hit ? distance : (double)INFINITY;
}

typedef struct search {
	const snw_index *index;
	double origin[3], direction[3], inverse[3];
	snw_pick best;
	const double *corners[3]; /* of the triangle that was hit */
} search;

static void meet_face(search *own, uint32_t f) {
	const snw_mesh *mesh = own->index->mesh;
	const uint32_t *corners = mesh->face_points + mesh->face_offsets[f];
	const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
	const double *points = own->index->points;
	for (uint32_t c = 1; c + 1 < count; c++) {
		const double *a = points + 3 * (size_t)corners[0], *b = points + 3 * (size_t)corners[c],
					 *d = points + 3 * (size_t)corners[c + 1];
		const double distance = meet(own->origin, own->direction, a, b, d);
		if (distance < own->best.distance || (distance == own->best.distance && isfinite(distance) && f < own->best.face)) {
			own->best.distance = distance;
			own->best.face = f;
			own->corners[0] = a;
			own->corners[1] = b;
			own->corners[2] = d;
		}
	}
}

static void descend(search *own) {
	const snw_index *index = own->index;
	uint32_t waiting[DEEPEST + 1], count = 0;
	double entered[DEEPEST + 1];
	waiting[count] = 0;
	entered[count++] = enter(&index->nodes[0].faces, own->origin, own->inverse);
	while (count > 0) {
		const uint32_t i = waiting[--count];
		if ((isinf(entered[count]) && entered[count] > 0) || entered[count] > own->best.distance) {
			continue;
		}
		const node *at = &index->nodes[i];
		if (at->right == SNW_NONE) {
			for (uint32_t f = at->face_begin; f < at->face_end; f++) {
				meet_face(own, index->faces[f]);
			}
			continue;
		}
		const uint32_t children[2] = {i + 1, at->right};
		double distances[2];
		for (int k = 0; k < 2; k++) {
			distances[k] = enter(&index->nodes[children[k]].faces, own->origin, own->inverse);
		}
		const int nearer = distances[1] < distances[0];
		for (int k = 1; k >= 0; k--) {
			waiting[count] = children[nearer ^ k];
			entered[count++] = distances[nearer ^ k];
		}
	}
}

snw_pick snw_index_pick(const snw_index *index, const snw_ray *ray) {
	search own = {.index = index, .best = {.face = SNW_NONE, .point = SNW_NONE, .distance = INFINITY}};
	memcpy(own.origin, ray->origin, sizeof own.origin);
	memcpy(own.direction, ray->direction, sizeof own.direction);
	snw_normalize3(own.direction);
	for (int c = 0; c < 3; c++) {
		own.inverse[c] = 1 / own.direction[c];
	}
	descend(&own);
	if (own.best.face == SNW_NONE) {
		own.best.distance = 0;
		return own.best;
	}
	double ab[3], ac[3];
	for (int c = 0; c < 3; c++) {
		own.best.position[c] = own.origin[c] + own.best.distance * own.direction[c];
		ab[c] = own.corners[1][c] - own.corners[0][c];
		ac[c] = own.corners[2][c] - own.corners[0][c];
	}
	snw_cross3(ab, ac, own.best.normal);
	snw_normalize3(own.best.normal);
	if (snw_dot3(own.best.normal, own.direction) > 0) {
		for (int c = 0; c < 3; c++) {
			own.best.normal[c] = -own.best.normal[c];
		}
	}
	return own.best;
}

static double square(double x) {
	return x * x;
}

/* The square of the distance from a point to a box. */
static double apart(const box *own, const double point[3]) {
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		sum += square(fmax(0, fmax(own->least[c] - point[c], point[c] - own->most[c])));
	}
	return sum;
}

uint32_t snw_index_ball(const snw_index *index, const double center[3], double radius, uint32_t *points, double *distances) {
	uint32_t waiting[DEEPEST + 1], count = 0, found = 0;
	waiting[count++] = 0;
	/* A little more than the radius: the exact question is asked of each point. */
	const double reach = square(radius) * (1 + 1e-12);
	while (count > 0) {
		const uint32_t i = waiting[--count];
		const node *at = &index->nodes[i];
		if (!(apart(&at->points, center) <= reach)) {
			continue;
		}
		if (at->right != SNW_NONE) {
			waiting[count++] = at->right;
			waiting[count++] = i + 1;
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
