/* SPDX-License-Identifier: MIT
 *
 * Skins: the influences of points, and models that are a skin.
 */
#ifndef SINEW_KIT_SKIN_SKINS_H
#define SINEW_KIT_SKIN_SKINS_H

#include "sinew/host.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/plugin.h"
#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- skins of weights ---------------------------------------------------------------------------------------------------- */

/* A model's copy of the skin that the character came with: the influences of every mesh.
 *
 * The arrays of a copy belong to the pool and live as long as it does. A pool, a reader and a writer are for one thread at a
 * time; a finished skin may be read by any number. */

typedef struct snk_base_skin_mesh {
	uint32_t point_count;
	const uint32_t *offsets; /* [point_count + 1]; NULL where the mesh has no skin */
	const uint32_t *slots;   /* [offsets[point_count]] */
	const double *weights;
} snk_base_skin_mesh;

typedef struct snk_base_skin {
	uint32_t slot_count;
	uint32_t mesh_count;
	snk_base_skin_mesh *meshes;
} snk_base_skin;

/* A copy of one mesh's influences; offsets are NULL where it has none. SNW_ERROR_MEMORY. */
snw_status snk_base_skin_copy_mesh(const snw_mesh_view *mesh, snw_pool *pool, snk_base_skin_mesh *copy);

/* The influences of a mesh's point with the largest weights above 0, at most `most`, the largest first, of equal ones the
 * first: slots and weights [most]. Returns how many there are. Any thread. */
uint32_t snk_largest_influences(const snw_mesh_view *mesh, uint32_t point, uint32_t most, uint32_t *slots, double *weights);

/* Puts an influence among the largest of a point, of which there are at most `most`, the largest first, of equal ones the
 * first: slots and weights [most]. Any thread. */
void snk_keep_influence(uint32_t most, uint32_t slot, double weight, uint32_t *count, uint32_t *slots, double *weights);

/* Sorts the influences of a point by slot, in place. Any thread. */
void snk_sort_influences(uint32_t count, uint32_t *slots, double *weights);

/* The linear part of linear blend at a point: Σ w T's first three columns, m row-major; the identity where the point has no
 * influences or `offsets` is NULL. `palette` as in snw_pose_view. Nothing allocates; any thread. */
void snk_linear_part(const uint32_t *offsets, const uint32_t *slots, const double *weights, const double *palette,
					 uint32_t point, double m[9]);

/* Where linear blend moves a point that is at `rest`: there where the point has no influences or `offsets` is NULL. The other
 * arguments as above. */
void snk_blend_point(const uint32_t *offsets, const uint32_t *slots, const double *weights, const double *palette,
					 uint32_t point, const double rest[3], double posed[3]);

/* A copy of all meshes' influences. SNW_ERROR_MEMORY. */
snw_status snk_base_skin_copy(const snw_character_view *character, snw_pool *pool, snk_base_skin *skin);

/* As bytes and back. A load must find the skin's slot_count, which is set before. */
void snk_base_skin_bytes(snk_bytes *bytes, snk_base_skin *skin);

/* The part of a mesh: its influences, with the blend given; SNW_BLEND_NONE if the mesh has none. SNW_ERROR_ARGUMENT for a mesh
 * that the skin does not know. */
snw_status snk_base_skin_lower(const snk_base_skin *skin, const snw_lower_call *call, snw_blend blend);

/* ---- joints that bend a skin --------------------------------------------------------------------------------------------- */

/* Which joints bend a skin. A joint above all of a skin moves the character as a whole: what its rotations seem to explain in
 * samples is chance. */

/* Whether each joint moves a part of the skin against the rest of it: whether some joint that moves points is neither this one
 * nor below it. Of the skin of a mesh or, with SNW_NONE, of all meshes: *bends [joint_count], the pool's. SNW_ERROR_MEMORY. */
snw_status snk_bending_joints(const snw_character_view *character, uint32_t mesh, snw_pool *pool, const unsigned char **bends);

/* ---- skins of 4-vectors -------------------------------------------------------------------------------------------------- */

/* A skin of 4-vectors: for each influence s of a point i a row p_is in rest coordinates, v_i = Σ_s T_s p_is. Linear blend is
 * the case p_is = w_is (r_i, 1).
 *
 * The arrays of a skin are the pool's and live as long as it does. A finished skin may be read by any number of threads. */

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

/* ---- models -------------------------------------------------------------------------------------------------------------- */

/* The whole model of a method that consists of influences, copied or learned: kept, lowered, saved. Its functions have the
 * thread rules and the errors of the functions of snw_deformer that they implement. */

typedef struct snk_skin_model {
	snw_pool pool; /* holds the model itself and its arrays */
	snk_base_skin skin;
} snk_skin_model;

/* A skin model as the ABI's opaque type. */
static inline snw_model *snk_skin_model_as_model(snk_skin_model *model) {
	return (snw_model *)model;
}

/* A fit for methods with nothing to learn: the character's own influences. Its `release` is snk_model_release (fit/fit.h). */
snw_status SNW_CALL snk_skin_model_copy(snw_instance *instance, const snw_fit_input *input, snw_model **model);

/* SNW_ERROR_ARGUMENT for a mesh that the model does not know. */
snw_status snk_skin_model_lower(const snw_lower_call *call, snw_blend blend);

/* Saving and loading: a mark of 8 bytes chosen by the method, a revision, the influences, a seal. Loading gives
 * SNW_ERROR_DATA for damaged bytes, remaining bytes, and another character than the one saved with. */
snw_status snk_skin_model_save(const snw_model *model, const char mark[8], const snw_sink *sink);
snw_status snk_skin_model_load(const snw_load_call *call, const char mark[8], snw_model **model);

/* Defines the method's `lower`, `save` and `load` with these functions, for its table. */
#define SNK_SKIN_MODEL_FUNCTIONS(mark, blend)                                                                                  \
	static snw_status SNW_CALL lower(const snw_lower_call *call) {                                                             \
		return snk_skin_model_lower(call, blend);                                                                              \
	}                                                                                                                          \
	static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {                                            \
		return snk_skin_model_save(model, mark, sink);                                                                         \
	}                                                                                                                          \
	static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {                  \
		(void)self;                                                                                                            \
		return snk_skin_model_load(call, mark, model);                                                                         \
	}

#ifdef __cplusplus
}
#endif

#endif
