/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a mesh is at rest, as its samples show it. A stack that smooths shrinks a character in every pose, the rest included; no
 * weights can do that. So before weights are learned, the points are moved to
 *
 *     r_i' = argmin Σ_f |Σ_s w_is T_s^f (r_i', 1) − v_i^f|² + F ridge |r_i' − r_i|²
 *
 * with w the weights that the character came with, if that takes back nine tenths of the squared error of a mesh: what changes with the pose is for
 * weights and joints. A model keeps r' − r as a displacement with the coefficient 1, which exports add to the mesh.
 */
#ifndef SINEW_DEFORMERS_MOTION_WEIGHTS_REST_SHAPE_H
#define SINEW_DEFORMERS_MOTION_WEIGHTS_REST_SHAPE_H

#include "sinew/bytes.h"
#include "sinew/deformer.h"
#include "sinew/pool.h"

/* All zero: no mesh is moved. */
typedef struct snk_rest_shape {
	uint32_t mesh_count;
	uint32_t coefficient_count;      /* 1 if a mesh is moved */
	const snw_displacements *meshes; /* [mesh_count]: one displacement or none */
} snk_rest_shape;

/* `at_new_rest` is the input with the meshes at their places; its arrays are the scratch pool's, those of the shape the pool's.
 * SNW_ERROR_MEMORY, SNW_ERROR_LIMIT. */
snw_status snk_learn_rest_shape(const snw_host *host, const snw_fit_input *input, snw_pool *scratch, snw_pool *pool,
								snw_fit_input *at_new_rest, snk_rest_shape *shape);

/* Sets the part's displacements. */
void snk_rest_shape_lower(const snk_rest_shape *shape, uint32_t mesh, snw_program_part *part);

/* Behind what a model was before it had a shape: models without one are read too. Reading gives SNW_ERROR_DATA for damaged bytes and
 * for another character, SNW_ERROR_MEMORY. */
void snk_rest_shape_write(const snk_rest_shape *shape, snw_writer *writer);
snw_status snk_rest_shape_read(snw_reader *reader, const snw_character_view *character, snw_pool *pool, snk_rest_shape *shape);

#endif
