/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layer elements: values for each point, polygon, corner or for the whole mesh, directly or by an index; and normals from
 * smoothing where a mesh has no normals.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/fbx/fbx_internal.h"
#include "sinew/algebra.h"

/* ---- values at corners --------------------------------------------------------------------------------------------------- */

typedef enum mapping { NOWHERE, BY_CORNER, BY_POINT, BY_FACE, ALL_SAME } mapping;

static mapping mapping_of(const snw_fbx_node *element) {
	static const struct {
		const char *name;
		mapping by;
	} names[] = {{"ByPolygonVertex", BY_CORNER},
				 {"ByVertice", BY_POINT},
				 {"ByVertex", BY_POINT},
				 {"ByPolygon", BY_FACE},
				 {"AllSame", ALL_SAME}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (snw_fbx_text_is(snw_fbx_child(element, "MappingInformationType"), 0, names[i].name)) {
			return names[i].by;
		}
	}
	return NOWHERE;
}

static uint32_t place_of(mapping by, uint32_t corner, uint32_t face, const snw_fbx_shape *shape) {
	return by == BY_CORNER ? corner : by == BY_POINT ? shape->face_points[corner] : by == BY_FACE ? face : 0;
}

bool snw_fbx_read_corners(snw_fbx *f, const snw_fbx_node *element, const char *values, const char *indices, uint32_t width,
						  const int32_t *polygon_corners, const snw_fbx_shape *shape, float **dest) {
	const mapping by = mapping_of(element);
	const bool is_direct = snw_fbx_text_is(snw_fbx_child(element, "ReferenceInformationType"), 0, "Direct");
	*dest = NULL;
	if (by == NOWHERE || shape->corner_count == 0) {
		return true;
	}
	snw_arena *arena = snw_arena_create();
	uint32_t value_count, index_count = 0;
	const double *numbers = snw_fbx_numbers(f, snw_fbx_child(element, values), arena, &value_count);
	const int32_t *index = numbers ? snw_fbx_integers(f, snw_fbx_child(element, indices), arena, &index_count) : NULL;
	const bool ok = index && snw_reading_reserve(&f->reading, shape->corner_count, width * sizeof(float));
	float *corners =
		ok && value_count > 0 ? SNW_NEW_ARRAY(f->reading.scratch, float, (size_t)width * shape->corner_count) : NULL;
	uint32_t face = 0;
	for (uint32_t c = 0; corners && c < shape->corner_count; c++) {
		size_t at = place_of(by, c, face, shape);
		if (!is_direct && index_count > 0) {
			at = at < index_count && index[at] >= 0 ? (size_t)index[at] : SIZE_MAX;
		}
		for (size_t i = 0; at < value_count / width && i < width; i++) {
			const double number = numbers[width * at + i];
			corners[width * (size_t)c + i] = isfinite(number) ? (float)number : 0;
		}
		face += polygon_corners[c] < 0;
	}
	snw_arena_destroy(arena);
	*dest = corners;
	return ok;
}

/* ---- smoothing ----------------------------------------------------------------------------------------------------------- */

/* A side of a polygon: from a corner to the next. */
typedef struct side {
	uint64_t points; /* both, the smaller first */
	uint32_t corner, face;
} side;

static int compare_sides(const void *a, const void *b) {
	const side *x = a, *y = b;
	return x->points != y->points ? (x->points > y->points) - (x->points < y->points)
								  : (x->corner > y->corner) - (x->corner < y->corner);
}

static uint32_t next_corner(const snw_fbx_shape *shape, uint32_t corner, uint32_t face) {
	return corner + 1 < shape->face_offsets[face + 1] ? corner + 1 : shape->face_offsets[face];
}

static side *list_sides(const snw_fbx_shape *shape, snw_arena *arena) {
	side *sides = SNW_NEW_ARRAY(arena, side, shape->corner_count);
	for (uint32_t face = 0; face < shape->face_count; face++) {
		for (uint32_t c = shape->face_offsets[face]; c < shape->face_offsets[face + 1]; c++) {
			const uint64_t a = shape->face_points[c], b = shape->face_points[next_corner(shape, c, face)];
			sides[c] = (side){a < b ? a << 32 | b : b << 32 | a, c, face};
		}
	}
	qsort(sides, shape->corner_count, sizeof *sides, compare_sides);
	return sides;
}

/* Corners of a point that the same smooth surface has are one class: the root of each, by union. */
static uint32_t class_of(uint32_t *classes, uint32_t corner) {
	while (classes[corner] != corner) {
		corner = classes[corner] = classes[classes[corner]];
	}
	return corner;
}

static void join(uint32_t *classes, uint32_t a, uint32_t b) {
	const uint32_t x = class_of(classes, a), y = class_of(classes, b);
	classes[x > y ? x : y] = x > y ? y : x;
}

/* Joins the corners at both ends of an edge that two polygons share. */
static void join_sides(const snw_fbx_shape *shape, const side *a, const side *b, uint32_t *classes) {
	const uint32_t a_next = next_corner(shape, a->corner, a->face), b_next = next_corner(shape, b->corner, b->face);
	const bool same = shape->face_points[a->corner] == shape->face_points[b->corner];
	join(classes, a->corner, same ? b->corner : b_next);
	join(classes, a_next, same ? b_next : b->corner);
}

/* Edges are listed by one of their sides. An edge that is not listed is smooth. */
static void mark_hard_edges(const int32_t *edges, uint32_t edge_count, const int32_t *smooth, uint32_t smooth_count,
							bool *is_hard, uint32_t corner_count) {
	for (uint32_t e = 0; e < edge_count && e < smooth_count; e++) {
		if (edges[e] >= 0 && (uint32_t)edges[e] < corner_count && smooth[e] == 0) {
			is_hard[edges[e]] = true;
		}
	}
}

/* Corner normals: the mean of the polygons' normals, by area, over the corners of each class. */
static void average(snw_fbx *f, snw_fbx_shape *shape, uint32_t *classes, snw_arena *arena) {
	double *sums = SNW_NEW_ARRAY(arena, double, 3 * (size_t)shape->corner_count);
	for (uint32_t face = 0; face < shape->face_count; face++) {
		const uint32_t first = shape->face_offsets[face], count = shape->face_offsets[face + 1] - first;
		for (uint32_t c = first; c < first + count; c++) {
			const double *p = shape->points + 3 * (size_t)shape->face_points[first];
			const double *a = shape->points + 3 * (size_t)shape->face_points[c];
			const double *b = shape->points + 3 * (size_t)shape->face_points[next_corner(shape, c, face)];
			const double u[3] = {a[0] - p[0], a[1] - p[1], a[2] - p[2]}, v[3] = {b[0] - p[0], b[1] - p[1], b[2] - p[2]};
			double area[3];
			snw_cross3(u, v, area);
			for (uint32_t k = first; k < first + count; k++) {
				double *sum = sums + 3 * (size_t)class_of(classes, k);
				for (int i = 0; i < 3; i++) {
					sum[i] += area[i];
				}
			}
		}
	}
	shape->normals = SNW_NEW_ARRAY(f->reading.scratch, float, 3 * (size_t)shape->corner_count);
	for (uint32_t c = 0; c < shape->corner_count; c++) {
		double normal[3];
		memcpy(normal, sums + 3 * (size_t)class_of(classes, c), sizeof normal);
		snw_normalize3(normal);
		for (size_t i = 0; i < 3; i++) {
			shape->normals[3 * (size_t)c + i] = (float)normal[i];
		}
	}
}

bool snw_fbx_read_smoothing(snw_fbx *f, const snw_fbx_node *geometry, snw_fbx_shape *shape) {
	const snw_fbx_node *element = snw_fbx_child(geometry, "LayerElementSmoothing");
	const bool by_edge = snw_fbx_text_is(snw_fbx_child(element, "MappingInformationType"), 0, "ByEdge");
	if ((!by_edge && mapping_of(element) != BY_FACE) || shape->corner_count == 0) {
		return true;
	}
	snw_arena *arena = snw_arena_create();
	uint32_t smooth_count, edge_count = 0;
	const int32_t *smooth = snw_fbx_integers(f, snw_fbx_child(element, "Smoothing"), arena, &smooth_count);
	const int32_t *edges = smooth ? snw_fbx_integers(f, snw_fbx_child(geometry, "Edges"), arena, &edge_count) : NULL;
	const bool ok = edges && snw_reading_reserve(&f->reading, shape->corner_count, 80);
	if (ok) {
		bool *is_hard = SNW_NEW_ARRAY(arena, bool, shape->corner_count);
		uint32_t *classes = SNW_NEW_ARRAY(arena, uint32_t, shape->corner_count);
		const side *sides = list_sides(shape, arena);
		for (uint32_t c = 0; c < shape->corner_count; c++) {
			classes[c] = c;
		}
		if (by_edge) {
			mark_hard_edges(edges, edge_count, smooth, smooth_count, is_hard, shape->corner_count);
		}
		for (uint32_t s = 1; s < shape->corner_count; s++) {
			const side *a = &sides[s - 1], *b = &sides[s];
			const bool shares_group =
				!by_edge && a->face < smooth_count && b->face < smooth_count && (smooth[a->face] & smooth[b->face]) != 0;
			if (a->points == b->points && (by_edge ? !is_hard[a->corner] && !is_hard[b->corner] : shares_group)) {
				join_sides(shape, a, b, classes);
			}
		}
		average(f, shape, classes, arena);
	}
	snw_arena_destroy(arena);
	return ok;
}
