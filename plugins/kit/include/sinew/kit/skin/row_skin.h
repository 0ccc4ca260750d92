/* SPDX-License-Identifier: MIT
 *
 * A skin of 4-vectors: for each influence s of a point i a row p_is in rest coordinates, v_i = Σ_s T_s p_is. Linear blend is
 * the case p_is = w_is (r_i, 1).
 *
 * The arrays of a skin are the pool's and live as long as it does. A finished skin may be read by any number of threads.
 */
#ifndef SINEW_KIT_SKIN_ROW_SKIN_H
#define SINEW_KIT_SKIN_ROW_SKIN_H

#include "sinew/host.h"
#include "sinew/kit/bytes/saved.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snk_row_skin_mesh {
	uint32_t point_count;
	const uint32_t *offsets; /* [point_count + 1]; NULL where the mesh has no skin */
	const uint32_t *slots;   /* [offsets[point_count]] */
	const double *rows;      /* [offsets[point_count]][4] */
} snk_row_skin_mesh;

typedef struct snk_row_skin {
	uint32_t slot_count; /* of the palette that moves it */
	uint32_t mesh_count;
	snk_row_skin_mesh *meshes;
} snk_row_skin;

/* A mesh's linear blend as rows, exactly; offsets are NULL where it has none. SNW_ERROR_MEMORY. */
snw_status snk_row_skin_of_linear_blend(const snw_mesh_view *mesh, snw_pool *pool, snk_row_skin_mesh *skin);

/* A skin that the host hands over (snw_reskin_call), copied. SNW_ERROR_MEMORY. */
snw_status snk_row_skin_of_rows(const snw_character_view *character, const snw_rows_view *const *rows, snw_pool *pool,
								snk_row_skin *skin);

/* Rows have the rest in them, so nothing but displacements may act before them. SNW_ERROR_UNSUPPORTED, with a message in the
 * task that names the method, where a black box below acts on the mesh; SNW_OK outside a fit. `pose` is any pose; the mesh has
 * points. */
snw_status snk_row_skin_check_below(const snw_host *host, const snw_character_view *character, uint32_t mesh,
									const snw_pose_view *pose, const char *method);

/* As bytes and back. A load must find the skin's slot_count, which is set before. */
void snk_row_skin_bytes(snk_bytes *bytes, snk_row_skin *skin);

/* The part of a mesh over the palette given: the affine blend, or SNW_BLEND_NONE where that mesh has no skin.
 * SNW_ERROR_ARGUMENT for a mesh that the skin does not know. */
snw_status snk_row_skin_lower(const snk_row_skin *skin, const snw_lower_call *call, snw_palette palette);

#ifdef __cplusplus
}
#endif

#endif
