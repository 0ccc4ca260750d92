/* SPDX-License-Identifier: MIT
 *
 * A deformer's `transfer`: what a model holds for each point follows the points of a mesh that has changed. A method loads its
 * model as that of the meshes before, and gives here each array that has an entry for each point.
 *
 *     static snw_status follow(const snw_transfer_call *call, snw_model *model) {
 *         return snk_transfer_base_skin(call, &model->pool, &model->skin);
 *     }
 *
 *     return snk_transfer_model(&format, call, follow, model);
 *
 * New arrays are the pool's. A mesh whose stencils have no offsets keeps what it has. Weights and rows are sums over the points
 * that a new one follows, with the slots of all of them, ascending; so a point has no fewer influences than these. Errors:
 * SNW_ERROR_MEMORY, and SNW_ERROR_LIMIT for more than 2³² − 1 entries. One call, one thread at a time.
 */
#ifndef SINEW_KIT_SKIN_TRANSFER_H
#define SINEW_KIT_SKIN_TRANSFER_H

#include "sinew/deformer.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/skin/skins.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Loads the bytes for the character before, and calls `follow` with the model, which then is one of the new meshes. */
snw_status snk_transfer_model(const snk_model_format *format, const snw_transfer_call *call,
							  snw_status (*follow)(const snw_transfer_call *call, snw_model *model), snw_model **model);

/* The influences of a mesh over slots below slot_count, with `width` numbers for each, as snk_bytes_influences reads them. */
snw_status snk_transfer_influences(const snw_transfer_call *call, uint32_t mesh, uint32_t slot_count, size_t width,
								   snw_pool *pool, const uint32_t **offsets, const uint32_t **slots, const double **numbers);

/* The skins of all meshes, and their numbers of points. */
snw_status snk_transfer_base_skin(const snw_transfer_call *call, snw_pool *pool, snk_base_skin *skin);
snw_status snk_transfer_row_skin(const snw_transfer_call *call, snw_pool *pool, snk_row_skin *skin);

/* The displacements of the points of all meshes, lists [mesh_count]. Those of all points stay such; of the others, a point
 * whose sources are not displaced is left out. `point_counts` [mesh_count] gets the new numbers of points; NULL where the model
 * has none. */
snw_status snk_transfer_displacements(const snw_transfer_call *call, snw_pool *pool, uint32_t mesh_count,
									  uint32_t *point_counts, snw_displacements *lists);

/* `count` arrays of `width` numbers for each point of a mesh, one after another. */
snw_status snk_transfer_numbers(const snw_transfer_call *call, uint32_t mesh, size_t count, size_t width, snw_pool *pool,
								const double **numbers);

#ifdef __cplusplus
}
#endif

#endif
