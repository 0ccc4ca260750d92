/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh that is given a normal map, and the surface that its normals come from. Private to host/normals.
 */
#ifndef SINEW_HOST_NORMALS_SHEET_H
#define SINEW_HOST_NORMALS_SHEET_H

#include "mesh/spatial_index.h"
#include "normals/frames.h"
#include "normals/partners.h"
#include "normals/texels.h"
#include "picture/pictures.h"

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
