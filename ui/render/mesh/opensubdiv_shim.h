/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenSubdiv behind C: Catmull and Clark's refinement of polygons, as stencils.
 */
#ifndef SINEW_UI_RENDER_MESH_OPENSUBDIV_SHIM_H
#define SINEW_UI_RENDER_MESH_OPENSUBDIV_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of a sparse matrix: entry j of row i, offsets[i] ≤ j < offsets[i + 1], is weights[j] times value indices[j]. */
typedef struct snw_stencils {
	uint32_t count;
	uint32_t *offsets; /* [count + 1] */
	uint32_t *indices;
	float *weights;
} snw_stencils;

typedef struct snw_refinement {
	snw_stencils points;  /* over the points of the original mesh */
	snw_stencils corners; /* over its corners, bilinear: for UVs and colours */
	uint32_t quad_count;
	uint32_t *quads;        /* [quad_count][4]: refined points */
	uint32_t *quad_corners; /* [quad_count][4]: rows of `corners` */
	uint32_t *parents;      /* [quad_count]: faces of the original mesh */
} snw_refinement;

/* `level` ≥ 1; indices must be in range. False if OpenSubdiv does not accept the mesh; then there is nothing to free. */
bool snw_refine(uint32_t point_count, uint32_t face_count, const uint32_t *face_offsets, const uint32_t *face_points, int level,
				snw_refinement *refinement);
void snw_refinement_free(snw_refinement *refinement);

#ifdef __cplusplus
}
#endif

#endif
