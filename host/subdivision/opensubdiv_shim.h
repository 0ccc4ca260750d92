/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenSubdiv behind C: the refinement of Catmull and Clark and that of Loop, as stencils.
 */
#ifndef SINEW_HOST_SUBDIVISION_OPENSUBDIV_SHIM_H
#define SINEW_HOST_SUBDIVISION_OPENSUBDIV_SHIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum snw_subdivision_scheme {
	SNW_CATMULL_CLARK = 0, /* any polygons; the result has quads */
	SNW_LOOP = 1,          /* triangles alone */
} snw_subdivision_scheme;

/* Rows of a sparse matrix: entry j of row i, offsets[i] ≤ j < offsets[i + 1], is weights[j] times value indices[j]. Each row
 * sums to 1, and no weight is negative. */
typedef struct snw_stencils {
	uint32_t count;
	uint32_t *offsets; /* [count + 1] */
	uint32_t *indices;
	double *weights;
} snw_stencils;

typedef struct snw_refinement {
	snw_stencils points;  /* over the points of the original mesh */
	snw_stencils corners; /* over its corners, linear in each face: for UVs and colours */
	uint32_t face_size;   /* 4, or 3 for Loop */
	uint32_t face_count;
	uint32_t *faces;        /* [face_count][face_size]: refined points */
	uint32_t *face_corners; /* [face_count][face_size]: rows of `corners` */
	uint32_t *parents;      /* [face_count]: faces of the original mesh */
} snw_refinement;

typedef enum snw_refined {
	SNW_REFINED = 0,
	SNW_REFINED_BAD_FACES = 1, /* OpenSubdiv does not accept the mesh */
	SNW_REFINED_NO_MEMORY = 2,
	SNW_REFINED_TOO_LARGE = 3, /* more entries of stencils than an int counts, which is what OpenSubdiv counts by */
} snw_refined;

/* `levels` ≥ 1; indices must be in range; Loop takes triangles alone. There is nothing to free but after SNW_REFINED. */
snw_refined snw_opensubdiv_refine(uint32_t point_count, uint32_t face_count, const uint32_t *face_offsets,
								  const uint32_t *face_points, snw_subdivision_scheme scheme, uint32_t levels,
								  snw_refinement *refinement);
void snw_refinement_free(snw_refinement *refinement);

#ifdef __cplusplus
}
#endif

#endif
