/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lod/level_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/triangulate.h"

enum { LEAF = 4, DEPTH = 64 };

typedef struct node {
	float least[3], most[3];
	uint32_t begin, end; /* of the triangles; the left child is the next node */
	uint32_t right;      /* SNW_NONE in a leaf */
} node;

struct lod_tree {
	uint32_t triangle_count, node_count;
	uint32_t (*points)[3], (*corners)[3];
	node *nodes;
	const float *places;
};

/* ---- the tree ------------------------------------------------------------------------------------------------------------ */

typedef struct center {
	double at[3];
	uint32_t triangle;
} center;

static uint32_t sort_axis(const center *centers, uint32_t count) {
	double least[3], most[3];
	for (int c = 0; c < 3; c++) {
		least[c] = most[c] = centers[0].at[c];
		for (uint32_t i = 1; i < count; i++) {
			least[c] = fmin(least[c], centers[i].at[c]);
			most[c] = fmax(most[c], centers[i].at[c]);
		}
	}
	const double x = most[0] - least[0], y = most[1] - least[1], z = most[2] - least[2];
	return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static bool is_less(const center *a, const center *b, uint32_t axis) {
	return a->at[axis] != b->at[axis] ? a->at[axis] < b->at[axis] : a->triangle < b->triangle;
}

/* Puts the half with the smaller centres first (C. Hoare, Find, 1961). */
static void part_at(center *centers, int64_t count, int64_t middle, uint32_t axis) {
	for (int64_t low = 0, high = count - 1; low < high;) {
		const center pivot = centers[(low + high) / 2];
		int64_t i = low, j = high;
		while (i <= j) {
			for (; is_less(&centers[i], &pivot, axis); i++) {
			}
			for (; is_less(&pivot, &centers[j], axis); j--) {
			}
			if (i <= j) {
				const center swapped = centers[i];
				centers[i++] = centers[j];
				centers[j--] = swapped;
			}
		}
		low = middle > j ? i : low;
		high = middle < i ? j : high;
	}
}

static void build(lod_tree *tree, center *centers, uint32_t begin, uint32_t end) {
	const uint32_t at = tree->node_count++;
	tree->nodes[at] = (node){.begin = begin, .end = end, .right = SNW_NONE};
	if (end - begin > LEAF) {
		const uint32_t middle = (begin + end) / 2;
		part_at(centers + begin, end - begin, middle - begin, sort_axis(centers + begin, end - begin));
		build(tree, centers, begin, middle);
		tree->nodes[at].right = tree->node_count;
		build(tree, centers, middle, end);
	}
}

lod_tree *lod_tree_make(const snw_mesh *mesh, snw_arena *arena) {
	lod_tree *tree = SNW_NEW(arena, lod_tree);
	snw_arena *scratch = snw_arena_create();
	uint32_t most = 3, count = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t corners = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		most = corners > most ? corners : most;
		count += corners - 2;
	}
	uint32_t *corners = SNW_NEW_ARRAY(scratch, uint32_t, 3 * (size_t)count + 3);
	uint32_t *space = SNW_NEW_ARRAY(scratch, uint32_t, most);
	center *centers = SNW_NEW_ARRAY(scratch, center, count);
	for (uint32_t f = 0, t = 0; f < mesh->face_count; t += mesh->face_offsets[f + 1] - mesh->face_offsets[f] - 2, f++) {
		snw_face_triangulate(mesh, f, corners + 3 * (size_t)t, space);
		for (uint32_t k = 3 * t; k < 3 * (t + mesh->face_offsets[f + 1] - mesh->face_offsets[f] - 2); k++) {
			corners[k] += mesh->face_offsets[f];
		}
	}
	for (uint32_t t = 0; t < count; t++) {
		centers[t].triangle = t;
		for (uint32_t k = 0; k < 9; k++) {
			centers[t].at[k % 3] += mesh->points_rest[3 * (size_t)mesh->face_points[corners[3 * (size_t)t + k / 3]] + k % 3];
		}
	}
	tree->triangle_count = count;
	tree->points = snw_arena_array(arena, count, sizeof *tree->points);
	tree->corners = snw_arena_array(arena, count, sizeof *tree->corners);
	tree->nodes = SNW_NEW_ARRAY(arena, node, 2 * (size_t)count + 1);
	if (count > 0) {
		build(tree, centers, 0, count);
	}
	for (uint32_t t = 0; t < count; t++) {
		for (uint32_t k = 0; k < 3; k++) {
			tree->corners[t][k] = corners[3 * (size_t)centers[t].triangle + k];
			tree->points[t][k] = mesh->face_points[tree->corners[t][k]];
		}
	}
	snw_arena_destroy(scratch);
	return tree;
}

void lod_tree_refit(lod_tree *tree, const float *places) {
	tree->places = places;
	for (uint32_t n = tree->node_count; n-- > 0;) { /* children come after their parents */
		node *at = &tree->nodes[n];
		for (int c = 0; c < 3; c++) {
			at->least[c] = INFINITY;
			at->most[c] = -INFINITY;
		}
		if (at->right != SNW_NONE) {
			const node *children[2] = {at + 1, &tree->nodes[at->right]};
			for (int c = 0; c < 3; c++) {
				at->least[c] = fminf(children[0]->least[c], children[1]->least[c]);
				at->most[c] = fmaxf(children[0]->most[c], children[1]->most[c]);
			}
			continue;
		}
		for (uint32_t t = at->begin; t < at->end; t++) {
			for (int k = 0; k < 3; k++) {
				const float *place = places + 3 * (size_t)tree->points[t][k];
				for (int c = 0; c < 3; c++) {
					at->least[c] = fminf(at->least[c], place[c]);
					at->most[c] = fmaxf(at->most[c], place[c]);
				}
			}
		}
	}
}

/* ---- queries ------------------------------------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The nearest place of a triangle (C. Ericson, Real-time collision detection, 2004, 5.1.5): squared distance and shares. */
static double nearest_on_triangle(const float *place, const float *const corners[3], double shares[3]) {
	double ab[3], ac[3], ap[3], bp[3], cp[3];
	for (int c = 0; c < 3; c++) {
		ab[c] = (double)corners[1][c] - (double)corners[0][c];
		ac[c] = (double)corners[2][c] - (double)corners[0][c];
		ap[c] = (double)place[c] - (double)corners[0][c];
		bp[c] = ap[c] - ab[c];
		cp[c] = ap[c] - ac[c];
	}
	const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
	const double a = d3 * d6 - d5 * d4, b = d5 * d2 - d1 * d6, c = d1 * d4 - d3 * d2;
	double v, w;
	if (d1 <= 0 && d2 <= 0) {
		v = w = 0;
	} else if (d3 >= 0 && d4 <= d3) {
		v = 1, w = 0;
	} else if (d6 >= 0 && d5 <= d6) {
		v = 0, w = 1;
	} else if (c <= 0 && d1 >= 0 && d3 <= 0) {
		v = d1 / (d1 - d3), w = 0;
	} else if (b <= 0 && d2 >= 0 && d6 <= 0) {
		v = 0, w = d2 / (d2 - d6);
	} else if (a <= 0 && d4 >= d3 && d5 >= d6) {
		w = (d4 - d3) / (d4 - d3 + d5 - d6), v = 1 - w;
	} else {
		v = b / (a + b + c), w = c / (a + b + c);
	}
	shares[0] = 1 - v - w;
	shares[1] = v;
	shares[2] = w;
	double squares = 0;
	for (int i = 0; i < 3; i++) {
		const double apart = ap[i] - v * ab[i] - w * ac[i];
		squares += apart * apart;
	}
	return squares;
}

static void try_triangle(const lod_tree *tree, uint32_t triangle, const float *place, lod_nearest *best) {
	const float *corners[3];
	double shares[3];
	for (int k = 0; k < 3; k++) {
		corners[k] = tree->places + 3 * (size_t)tree->points[triangle][k];
	}
	const double squares = nearest_on_triangle(place, corners, shares);
	if (squares < best->squares) {
		best->squares = squares;
		best->triangle = triangle;
		memcpy(best->shares, shares, sizeof shares);
	}
}

static float squares_to_box(const node *at, const float *place) {
	float squares = 0;
	for (int c = 0; c < 3; c++) {
		const float apart = fmaxf(fmaxf(at->least[c] - place[c], place[c] - at->most[c]), 0);
		squares += apart * apart;
	}
	return squares * 0.999999F; /* rounding hides no nearer triangle */
}

lod_nearest lod_tree_nearest(const lod_tree *tree, const float place[3], uint32_t hint) {
	lod_nearest best = {.squares = (double)INFINITY, .triangle = SNW_NONE};
	uint32_t waiting[DEPTH], count = 0;
	float distances[DEPTH];
	if (hint != SNW_NONE) {
		try_triangle(tree, hint, place, &best);
	}
	if (tree->node_count > 0) {
		distances[count] = 0;
		waiting[count++] = 0;
	}
	while (count > 0) {
		count--;
		const node *at = &tree->nodes[waiting[count]];
		if ((double)distances[count] >= best.squares) {
			continue;
		}
		if (at->right == SNW_NONE) {
			for (uint32_t t = at->begin; t < at->end; t++) {
				try_triangle(tree, t, place, &best);
			}
			continue;
		}
		const uint32_t children[2] = {(uint32_t)(at - tree->nodes) + 1, at->right};
		const float squares[2] = {squares_to_box(&tree->nodes[children[0]], place),
								  squares_to_box(&tree->nodes[children[1]], place)};
		const int nearer = squares[1] < squares[0];
		for (int k = 0; k < 2; k++) {
			const int child = k == 0 ? !nearer : nearer;
			if ((double)squares[child] < best.squares) {
				distances[count] = squares[child];
				waiting[count++] = children[child];
			}
		}
	}
	if (best.triangle != SNW_NONE) {
		memcpy(best.corners, tree->corners[best.triangle], sizeof best.corners);
	}
	return best;
}

uint32_t lod_tree_triangle_count(const lod_tree *tree) {
	return tree->triangle_count;
}

const uint32_t *lod_tree_corners(const lod_tree *tree, uint32_t triangle) {
	return tree->corners[triangle];
}
