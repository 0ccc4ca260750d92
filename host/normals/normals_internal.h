/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the parts of baking normals. Private to host/normals.
 */
#ifndef SINEW_HOST_NORMALS_NORMALS_INTERNAL_H
#define SINEW_HOST_NORMALS_NORMALS_INTERNAL_H

#include "base/arena.h"
#include "base/error.h"
#include "mesh/mesh.h"
#include "mesh/surface.h"
#include "picture/pictures.h"
#include "scene/scene.h"
#include "task/task.h"

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

/* Normals and tangents of a mesh in many poses. */

/* Corners that are alike are one vertex. The poses of a vertex are side by side. */
typedef struct nm_frames {
	uint32_t pose_count;
	snw_vertices vertices;
	float *normals;  /* [vertices.count][3][pose_count], unit; zero where there is none */
	float *tangents; /* likewise; NULL for a mesh without tangents */
	float *signs;    /* [vertices.count], of the bitangent */
} nm_frames;

/* The mesh at rest, [corner_count][3]: its custom normals, otherwise smooth ones. In `arena`. */
float *nm_rest_normals(const snw_mesh *mesh, snw_arena *arena);

/* Of posed points [pose_count][point_count][3], as they are drawn here: normals by the faces, tangents by the edges. `tangents`
 * [corner_count][4] may be NULL. In `arena`. */
nm_frames nm_frames_by_points(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, const float *posed,
							  snw_arena *arena);

/* As an engine makes them: normals and tangents of the rest by the blended matrices of the skin; palettes
 * [pose_count][slot_count][12]. In `arena`. */
nm_frames nm_frames_by_skin(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, uint32_t slot_count,
							const double *palettes, snw_arena *arena);

/* ---- partners ------------------------------------------------------------------------------------------------------------ */

/* The nearest place of a surface in motion coordinates, for many places of a triangle.
 *
 * A place of the triangle is p(u, v) = p₀ + u e₁ + v e₂. What the distance to another triangle needs are dot products that
 * are affine or quadratic in (u, v), so that a query of one place does not depend on the number of axes. */

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

/* ---- texels -------------------------------------------------------------------------------------------------------------- */

/* Triangles drawn into a texture by their UVs, four samples a texel, and what is around them filled from them. Private to
 * host/normals. */

/* Fills the normals of samples of a triangle that are near each other: `count` ≤ NM_TILE_SAMPLES; shares of the second and
 * third corner. Any thread. */
typedef void nm_fill(void *context, uint32_t triangle, uint32_t count, const double (*shares)[2], float (*normals)[3],
					 snw_arena *scratch);

typedef struct nm_texels {
	uint32_t size;
	unsigned char *pixels;         /* [size][size][3] */
	uint64_t covered, overlapping; /* samples; the first triangle that covers a sample has it */
} nm_texels;

/* uvs [count][3][2], v down; they may be in any square, but no triangle is wider or higher than one. A texel is the mean of its
 * samples, normalised. Empty texels near others are the mean of those, farther ones flat. The same bits for any number of
 * threads. In `arena`. SNW_CANCELLED. */
snw_status nm_texels_draw(uint32_t size, uint32_t count, const float (*uvs)[3][2], nm_fill *fill, void *context,
						  const snw_task *task, snw_arena *arena, nm_texels *texels, snw_error *error);

/* ---- sheet --------------------------------------------------------------------------------------------------------------- */

/* A mesh that is given a normal map, and the surface that its normals come from. */

/* Frames of both have the same poses, at most so many. */
enum { NM_MOST_POSES = 128 };

typedef struct nm_sheet {
	const snw_mesh *mesh;
	nm_triangles triangles;
	nm_frames frames; /* with tangents */
	uint32_t axis_count;
	const double *coordinates; /* [point_count][axis_count] */
	/* The source. */
	const snw_mesh *source;
	nm_triangles source_triangles;
	nm_frames source_frames;
	const nm_tree *tree;
	/* [source_triangles.count]: its own normal maps; NULL without any. Those have source_frames with tangents. */
	const snw_mipmap *const *pictures;
	/* Of a source at rest alone: rays from the mesh, so long. NULL: partners are the nearest in motion. */
	const snw_spatial_index *rays;
	double reach;
} nm_sheet;

typedef struct nm_drawn {
	nm_texels texels;
	double met; /* of the samples that sent rays, the share that met the source */
} nm_drawn;

/* The normal map of the triangles [count], each of a sheet. The mean over poses of the source's normal in the frame of the
 * mesh: tangent and normal as they are interpolated, and their cross product times the sign. */
typedef struct nm_entry {
	const nm_sheet *sheet;
	uint32_t triangle;
} nm_entry;
snw_status nm_sheets_draw(uint32_t size, uint32_t count, const nm_entry *entries, const snw_task *task, snw_arena *arena,
						  nm_drawn *drawn, snw_error *error);

#endif
