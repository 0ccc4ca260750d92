/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a mesh is at rest, as its samples show it. A stack that smooths shrinks a character in every pose, the rest included;
 * no weights can do that. So before weights are learned, the points are moved to
 *
 *     r_i' = argmin Σ_f |Σ_s w_is T_s^f (r_i', 1) − v_i^f|² + F ridge |r_i' − r_i|²
 *
 * with w the weights that the character came with, if that takes back nine tenths of the squared error of a mesh: what changes
 * with the pose is for weights and joints. Once weights have been learned there, the same with them moves the points again. A
 * model keeps r' − r as a displacement with the coefficient 1, which exports add to the mesh.
 */
#ifndef SINEW_DEFORMERS_MOTION_REST_SHAPE_H
#define SINEW_DEFORMERS_MOTION_REST_SHAPE_H

#include "sinew/deformer.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/pool.h"

/* All zero: no mesh is moved. */
typedef struct snk_rest_shape {
	uint32_t mesh_count;
	uint32_t coefficient_count; /* 1 if a mesh is moved */
	snw_displacements *meshes;  /* [mesh_count]: one displacement or none */
} snk_rest_shape;

/* An input whose meshes are where its samples have them at rest. */
typedef struct snk_new_rest {
	snw_fit_input input;
	double **points;  /* [mesh_count]: the points of a mesh of the input; NULL for one that stays where it was */
	double **vectors; /* [mesh_count]: its displacement in the shape */
} snk_new_rest;

/* The arrays of `at_new_rest` are the scratch pool's, those of the shape the pool's. SNW_ERROR_MEMORY, SNW_ERROR_LIMIT. */
snw_status snk_learn_rest_shape(const snw_host *host, const snw_fit_input *input, snw_pool *scratch, snw_pool *pool,
								snk_new_rest *at_new_rest, snk_rest_shape *shape);

/* Whether a mesh was moved. */
static inline int snk_is_at_new_rest(const snk_new_rest *at, uint32_t mesh) {
	return at->points && at->points[mesh];
}

/* Moves such a mesh to where it is best with a skin over the palettes of the samples. `residuals` [point_count]: root of the
 * mean squared distance that remains, metres. SNW_ERROR_MEMORY. */
snw_status snk_refine_rest_shape(const snw_host *host, const snk_base_skin_mesh *skin, uint32_t sample_count,
								 const snk_sample *samples, uint32_t mesh, snk_new_rest *at, double *residuals);

/* The coefficient of its displacements, in all poses alike. */
void snk_rest_shape_drive(const snk_rest_shape *shape, double *d);

/* Sets the part's displacements. */
void snk_rest_shape_lower(const snk_rest_shape *shape, uint32_t mesh, snw_program_part *part);

/* Behind what a model was before it had a shape: models without one are read too. */
void snk_rest_shape_bytes(snk_bytes *bytes, snk_rest_shape *shape);

/* To meshes that have changed (sinew/kit/skin/transfer.h). */
snw_status snk_rest_shape_transfer(const snw_transfer_call *call, snw_pool *pool, snk_rest_shape *shape);

#endif
