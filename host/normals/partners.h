/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nearest place of a surface in motion coordinates, for many places of a triangle. Private to host/normals.
 *
 * A place of the triangle is p(u, v) = p₀ + u e₁ + v e₂. What the distance to another triangle needs are dot products that are
 * affine or quadratic in (u, v), so that a query of one place does not depend on the number of axes.
 */
#ifndef SINEW_HOST_NORMALS_PARTNERS_H
#define SINEW_HOST_NORMALS_PARTNERS_H

#include "scene/scene.h"

/* A place of a surface: a triangle, and the shares of its corners. */
typedef struct nm_place {
	uint32_t triangle; /* SNW_NONE: none */
	double shares[3];
} nm_place;

/* Triangles of a mesh, as they are drawn. */
typedef struct nm_triangles {
	uint32_t count;
	uint32_t (*corners)[3];      /* of the mesh */
	uint32_t *faces;             /* [count] */
	uint32_t *first_of_face;     /* [face_count + 1] */
	double (*normals)[3];        /* at rest, unit or zero */
	const uint32_t *face_points; /* of the mesh */
} nm_triangles;
nm_triangles nm_triangles_make(const snw_mesh *mesh, snw_arena *arena);

/* A tree of boxes over triangles in motion coordinates [point_count][axis_count]. Both must outlive it. */
typedef struct nm_tree nm_tree;
nm_tree *nm_tree_make(const nm_triangles *triangles, uint32_t axis_count, const double *coordinates, snw_arena *arena);

/* A triangle of the other mesh in the same axes, and its normal at rest. */
typedef struct nm_patch {
	const double *corners[3];
	const double *normal;
} nm_patch;

/* Triangles that may be nearest to places of a patch. */
typedef struct nm_candidates nm_candidates;
nm_candidates *nm_candidates_create(const nm_tree *tree, snw_arena *arena);
/* For places with (u, v) from `least` to `most`. Those that face away from the patch at rest are left out, unless all do. */
void nm_candidates_gather(nm_candidates *candidates, const nm_patch *patch, const double least[2], const double most[2]);
/* The nearest place; of equally near triangles the first gathered. */
nm_place nm_candidates_nearest(const nm_candidates *candidates, double u, double v);

#endif
