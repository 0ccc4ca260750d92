/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/mesh.h"
#include "motion/motion.h"
#include "normals/normals_internal.h"
#include "sinew/algebra.h"

enum { LEAF = 4, DEPTH = 64 };

static const double faces_away = -0.2; /* the cosine of the normals */

/* ---- triangles ----------------------------------------------------------------------------------------------------------- */

static void find_normal(const snw_mesh *mesh, const uint32_t corners[3], double normal[3]) {
	const double *p[3];
	for (int k = 0; k < 3; k++) {
		p[k] = mesh->points_rest + 3 * (size_t)mesh->face_points[corners[k]];
	}
	const double ab[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
	const double ac[3] = {p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]};
	snw_cross3(ab, ac, normal);
	snw_normalize3(normal);
}

nm_triangles nm_triangles_make(const snw_mesh *mesh, snw_arena *arena) {
	const uint32_t count = mesh->face_offsets[mesh->face_count] - 2 * mesh->face_count;
	uint32_t most = 3, at = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t corners = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		most = corners > most ? corners : most;
	}
	nm_triangles made = {.count = count,
						 .corners = snw_arena_array(arena, count, sizeof *made.corners),
						 .faces = SNW_NEW_ARRAY(arena, uint32_t, count),
						 .first_of_face = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->face_count + 1),
						 .normals = snw_arena_array(arena, count, sizeof *made.normals),
						 .face_points = mesh->face_points};
	snw_arena *scratch = snw_arena_create();
	uint32_t *space = SNW_NEW_ARRAY(scratch, uint32_t, most);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		snw_face_triangulate(mesh, f, made.corners[at], space);
		for (; at < mesh->face_offsets[f + 1] - 2 * (f + 1); at++) {
			for (int k = 0; k < 3; k++) {
				made.corners[at][k] += mesh->face_offsets[f];
			}
			made.faces[at] = f;
			find_normal(mesh, made.corners[at], made.normals[at]);
		}
		made.first_of_face[f + 1] = at;
	}
	snw_arena_destroy(scratch);
	return made;
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------ */

typedef struct node {
	uint32_t begin, end; /* of the order; the left child is the next node */
	uint32_t right;      /* SNW_NONE in a leaf */
} node;

struct nm_tree {
	const nm_triangles *triangles;
	uint32_t axis_count, node_count;
	const double *coordinates;
	uint32_t *order; /* [count] */
	node *nodes;
	float *boxes; /* [node_count][2][axis_count], outward by rounding */
};

static const double *corner_at(const nm_tree *tree, uint32_t triangle, int k) {
	const nm_triangles *t = tree->triangles;
	return tree->coordinates + (size_t)tree->axis_count * t->face_points[t->corners[triangle][k]];
}

/* Along an axis, three times the centre. */
static double center_of(const nm_tree *tree, uint32_t triangle, uint32_t axis) {
	return corner_at(tree, triangle, 0)[axis] + corner_at(tree, triangle, 1)[axis] + corner_at(tree, triangle, 2)[axis];
}

static bool is_less(const nm_tree *tree, uint32_t axis, uint32_t a, uint32_t b) {
	const double one = center_of(tree, a, axis), other = center_of(tree, b, axis);
	return one != other ? one < other : a < b;
}

/* Puts the half with the smaller centres first (C. Hoare, Find, 1961). */
static void part_at(const nm_tree *tree, uint32_t axis, uint32_t *order, int64_t count, int64_t middle) {
	for (int64_t low = 0, high = count - 1; low < high;) {
		const uint32_t pivot = order[(low + high) / 2];
		int64_t i = low, j = high;
		while (i <= j) {
			for (; is_less(tree, axis, order[i], pivot); i++) {
			}
			for (; is_less(tree, axis, pivot, order[j]); j--) {
			}
			if (i <= j) {
				const uint32_t swapped = order[i];
				order[i++] = order[j];
				order[j--] = swapped;
			}
		}
		low = middle > j ? i : low;
		high = middle < i ? j : high;
	}
}

static void build(nm_tree *tree, uint32_t begin, uint32_t end) {
	const uint32_t at = tree->node_count++;
	float *box = tree->boxes + 2 * (size_t)tree->axis_count * at;
	uint32_t widest = 0;
	float width = -1;
	for (uint32_t a = 0; a < tree->axis_count; a++) {
		double least = (double)INFINITY, most = -(double)INFINITY;
		for (uint32_t i = begin; i < end; i++) {
			for (int k = 0; k < 3; k++) {
				const double value = corner_at(tree, tree->order[i], k)[a];
				least = fmin(least, value);
				most = fmax(most, value);
			}
		}
		box[a] = nextafterf((float)least, -INFINITY);
		box[tree->axis_count + a] = nextafterf((float)most, INFINITY);
		if (box[tree->axis_count + a] - box[a] > width) {
			width = box[tree->axis_count + a] - box[a];
			widest = a;
		}
	}
	tree->nodes[at] = (node){begin, end, SNW_NONE};
	if (end - begin > LEAF) {
		const uint32_t middle = (begin + end) / 2;
		part_at(tree, widest, tree->order + begin, end - begin, middle - begin);
		build(tree, begin, middle);
		tree->nodes[at].right = tree->node_count;
		build(tree, middle, end);
	}
}

nm_tree *nm_tree_make(const nm_triangles *triangles, uint32_t axis_count, const double *coordinates, snw_arena *arena) {
	nm_tree *tree = SNW_NEW(arena, nm_tree);
	const size_t most = triangles->count / 2 * 2 + 2; /* leaves have two triangles at least */
	*tree = (nm_tree){.triangles = triangles,
					  .axis_count = axis_count,
					  .coordinates = coordinates,
					  .order = SNW_NEW_ARRAY(arena, uint32_t, triangles->count),
					  .nodes = SNW_NEW_ARRAY(arena, node, most),
					  .boxes = SNW_NEW_ARRAY(arena, float, 2 * (size_t)axis_count * most)};
	for (uint32_t t = 0; t < triangles->count; t++) {
		tree->order[t] = t;
	}
	if (triangles->count > 0) {
		build(tree, 0, triangles->count);
	}
	return tree;
}

static double squares_to_box(const nm_tree *tree, uint32_t at, const double *place) {
	const float *least = tree->boxes + 2 * (size_t)tree->axis_count * at, *most = least + tree->axis_count;
	double squares = 0;
	for (uint32_t a = 0; a < tree->axis_count; a++) {
		const double below = (double)least[a] - place[a], above = place[a] - (double)most[a];
		const double apart = below > 0 ? below : above > 0 ? above : 0;
		squares += apart * apart;
	}
	return squares;
}

/* ---- the distance from a triangle ---------------------------------------------------------------------------------------- */

/* Of a triangle with the edges b and c at its first corner, and a place x from there: dot products. */
typedef struct products {
	double bb, bc, cc, bx, cx, xx;
} products;

/* The nearest place (C. Ericson, Real-time collision detection, 2004, 5.1.5): the squared distance, and the shares of the
 * second and third corner. */
static double nearest_shares(const products *p, double shares[2]) {
	const double d1 = p->bx, d2 = p->cx, d3 = p->bx - p->bb, d4 = p->cx - p->bc, d5 = p->bx - p->bc, d6 = p->cx - p->cc;
	const double a = d3 * d6 - d5 * d4, b = d5 * d2 - d1 * d6, c = d1 * d4 - d3 * d2;
	double v = 0, w = 0;
	if (d1 <= 0 && d2 <= 0) {
		v = w = 0;
	} else if (d3 >= 0 && d4 <= d3) {
		v = 1;
	} else if (d6 >= 0 && d5 <= d6) {
		w = 1;
	} else if (c <= 0 && d1 >= 0 && d3 <= 0) {
		v = d1 / (d1 - d3);
	} else if (b <= 0 && d2 >= 0 && d6 <= 0) {
		w = d2 / (d2 - d6);
	} else if (a <= 0 && d4 >= d3 && d5 >= d6) {
		w = (d4 - d3) / (d4 - d3 + d5 - d6);
		v = 1 - w;
	} else if (a + b + c > 0) {
		v = b / (a + b + c);
		w = c / (a + b + c);
	}
	shares[0] = v;
	shares[1] = w;
	return fmax(p->xx - 2 * (v * p->bx + w * p->cx) + v * v * p->bb + 2 * v * w * p->bc + w * w * p->cc, 0);
}

static double squares_to_triangle(const nm_tree *tree, uint32_t triangle, const double *place) {
	const double *from = corner_at(tree, triangle, 0), *second = corner_at(tree, triangle, 1),
				 *third = corner_at(tree, triangle, 2);
	products p = {0};
	double shares[2];
	for (uint32_t a = 0; a < tree->axis_count; a++) {
		const double b = second[a] - from[a], c = third[a] - from[a], x = place[a] - from[a];
		p.bb += b * b;
		p.bc += b * c;
		p.cc += c * c;
		p.bx += b * x;
		p.cx += c * x;
		p.xx += x * x;
	}
	return nearest_shares(&p, shares);
}

/* ---- candidates ---------------------------------------------------------------------------------------------------------- */

typedef struct candidate {
	double squares; /* from the middle of what it was gathered for */
	uint32_t triangle;
	double reach; /* of its corners from the first */
	double bb, bc, cc;
	double bx[3], cx[3]; /* [0] + u [1] + v [2] */
	double xx[3];        /* likewise, without the squares of the edges of the patch */
} candidate;

struct nm_candidates {
	const nm_tree *tree;
	snw_arena *arena;
	const double *normal; /* of the patch; NULL: all triangles count */
	uint32_t count, room;
	candidate *list;
	double uu, uv, vv; /* dot products of the edges of the patch */
};

nm_candidates *nm_candidates_create(const nm_tree *tree, snw_arena *arena) {
	nm_candidates *made = SNW_NEW(arena, nm_candidates);
	*made = (nm_candidates){.tree = tree, .arena = arena};
	return made;
}

static bool counts(const nm_candidates *c, uint32_t triangle) {
	return !c->normal || !(snw_dot3(c->normal, c->tree->triangles->normals[triangle]) < faces_away);
}

/* The squared distance of the nearest triangle that counts; infinite without one. */
static double nearest_squares(const nm_candidates *c, const double *place) {
	const nm_tree *tree = c->tree;
	uint32_t waiting[DEPTH], count = 0;
	double distances[DEPTH], best = (double)INFINITY;
	if (tree->node_count > 0) {
		distances[count] = 0;
		waiting[count++] = 0;
	}
	while (count > 0) {
		const uint32_t index = waiting[--count];
		const node *at = &tree->nodes[index];
		if (distances[count] >= best) {
			continue;
		}
		if (at->right == SNW_NONE) {
			for (uint32_t i = at->begin; i < at->end; i++) {
				best = counts(c, tree->order[i]) ? fmin(best, squares_to_triangle(tree, tree->order[i], place)) : best;
			}
			continue;
		}
		const uint32_t children[2] = {index + 1, at->right};
		const double squares[2] = {squares_to_box(tree, children[0], place), squares_to_box(tree, children[1], place)};
		const int nearer = squares[1] < squares[0];
		for (int k = 0; k < 2; k++) {
			const int child = k == 0 ? !nearer : nearer;
			distances[count] = squares[child];
			waiting[count++] = children[child];
		}
	}
	return best;
}

static void add(nm_candidates *c, uint32_t triangle, double squares) {
	c->list = snw_arena_grow(c->arena, c->list, c->count, &c->room, sizeof *c->list);
	c->list[c->count++] = (candidate){.squares = squares, .triangle = triangle};
}

static void gather_within(nm_candidates *c, const double *place, double most) {
	const nm_tree *tree = c->tree;
	uint32_t waiting[DEPTH], count = 0;
	c->count = 0;
	waiting[count++] = 0;
	while (count > 0) {
		const uint32_t index = waiting[--count];
		const node *at = &tree->nodes[index];
		if (squares_to_box(tree, index, place) > most) {
			continue;
		}
		if (at->right != SNW_NONE) {
			waiting[count++] = at->right;
			waiting[count++] = index + 1;
			continue;
		}
		for (uint32_t i = at->begin; i < at->end; i++) {
			const double squares =
				counts(c, tree->order[i]) ? squares_to_triangle(tree, tree->order[i], place) : (double)INFINITY;
			if (squares <= most) {
				add(c, tree->order[i], squares);
			}
		}
	}
}

static int compare_candidates(const void *a, const void *b) {
	const candidate *one = a, *other = b;
	if (one->squares != other->squares) {
		return one->squares < other->squares ? -1 : 1;
	}
	return one->triangle < other->triangle ? -1 : one->triangle > other->triangle;
}

static void find_products(const nm_tree *tree, const nm_patch *patch, candidate *to) {
	const double *from = corner_at(tree, to->triangle, 0), *second = corner_at(tree, to->triangle, 1),
				 *third = corner_at(tree, to->triangle, 2);
	for (uint32_t a = 0; a < tree->axis_count; a++) {
		const double b = second[a] - from[a], c = third[a] - from[a];
		const double x[3] = {patch->corners[0][a] - from[a], patch->corners[1][a] - patch->corners[0][a],
							 patch->corners[2][a] - patch->corners[0][a]};
		to->bb += b * b;
		to->bc += b * c;
		to->cc += c * c;
		for (int k = 0; k < 3; k++) {
			to->bx[k] += b * x[k];
			to->cx[k] += c * x[k];
			to->xx[k] += x[0] * x[k];
		}
	}
	to->reach = sqrt(fmax(to->bb, to->cc));
}

/* From the middle of the places, the nearest triangle of each is at most as far as that of the middle and twice the radius. */
void nm_candidates_gather(nm_candidates *c, const nm_patch *patch, const double least[2], const double most[2]) {
	const uint32_t axis_count = c->tree->axis_count;
	double middle[SNW_MOTION_AXES], sides[2] = {0};
	const double at[2] = {(least[0] + most[0]) / 2, (least[1] + most[1]) / 2};
	const double half[2] = {(most[0] - least[0]) / 2, (most[1] - least[1]) / 2};
	c->uu = c->uv = c->vv = 0;
	for (uint32_t a = 0; a < axis_count; a++) {
		const double u = patch->corners[1][a] - patch->corners[0][a], v = patch->corners[2][a] - patch->corners[0][a];
		middle[a] = patch->corners[0][a] + at[0] * u + at[1] * v;
		c->uu += u * u;
		c->uv += u * v;
		c->vv += v * v;
		for (int k = 0; k < 2; k++) {
			const double side = half[0] * u + (k ? -half[1] : half[1]) * v;
			sides[k] += side * side;
		}
	}
	c->normal = patch->normal;
	double squares = nearest_squares(c, middle);
	if (!isfinite(squares)) {
		c->normal = NULL;
		squares = nearest_squares(c, middle);
	}
	const double within = (sqrt(squares) + 2 * sqrt(fmax(sides[0], sides[1]))) * (1 + 1e-9);
	c->count = 0;
	if (isfinite(within)) {
		gather_within(c, middle, within * within);
	}
	if (c->count > 0) {
		qsort(c->list, c->count, sizeof *c->list, compare_candidates);
	}
	for (uint32_t i = 0; i < c->count; i++) {
		find_products(c->tree, patch, &c->list[i]);
	}
}

nm_place nm_candidates_nearest(const nm_candidates *c, double u, double v) {
	const double edges = u * u * c->uu + 2 * u * v * c->uv + v * v * c->vv;
	nm_place best = {.triangle = SNW_NONE};
	double least = (double)INFINITY, root = (double)INFINITY;
	for (uint32_t i = 0; i < c->count; i++) {
		const candidate *at = &c->list[i];
		const products p = {at->bb,
							at->bc,
							at->cc,
							at->bx[0] + u * at->bx[1] + v * at->bx[2],
							at->cx[0] + u * at->cx[1] + v * at->cx[2],
							at->xx[0] + 2 * (u * at->xx[1] + v * at->xx[2]) + edges};
		const double far = root + at->reach;
		if (p.xx > far * far) { /* its first corner is too far */
			continue;
		}
		double shares[2];
		const double squares = nearest_shares(&p, shares);
		if (squares < least) {
			least = squares;
			root = sqrt(squares);
			best = (nm_place){at->triangle, {1 - shares[0] - shares[1], shares[0], shares[1]}};
		}
	}
	return best;
}
