/* SPDX-License-Identifier: MIT
 *
 * The whole model of a method that consists of shapes: displacements of all points of a mesh, one for each example or frame,
 * with the numbers by which drive tells them apart. Its functions have the thread rules and the errors of the functions of
 * snw_deformer that they implement.
 */
#ifndef SINEW_KIT_SKIN_SHAPE_MODEL_H
#define SINEW_KIT_SKIN_SHAPE_MODEL_H

#include "sinew/bytes.h"
#include "sinew/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Coefficient d_k scales shape k, which moves the rest under everything below. */
typedef struct snk_shape_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t count;
	uint32_t key_count;
	double *keys;     /* [count][key_count]: a time, or the rotations of a pose */
	double **vectors; /* [count]: [point_count of the shape's mesh][3], metres */
	uint64_t clip;    /* in which the frames are; 0 for none */
	uint32_t mesh_count;
	const uint32_t *meshes;                 /* [count]: which mesh a shape is of */
	const snw_displacements *displacements; /* [mesh_count]: the same vectors */
} snk_shape_model;

/* A shape model as the ABI's opaque type, and back. */
static inline snw_model *snk_shape_model_as_model(snk_shape_model *model) {
	return (snw_model *)model;
}
static inline const snk_shape_model *snk_shape_model_of(const snw_model *model) {
	return (const snk_shape_model *)model;
}

/* A model with shapes of the meshes `meshes` [count], of which keys and vectors are 0. NULL: there is no memory, or a mesh has
 * 2³² points or more in all its shapes together. */
snk_shape_model *snk_shape_model_open(const snw_host *host, const snw_character_view *character, uint32_t count,
									  const uint32_t *meshes, uint32_t key_count);

void snk_shape_model_layout(const snw_model *model, snw_model_layout *dest);

/* SNW_ERROR_ARGUMENT for a mesh that the model does not know. */
snw_status snk_shape_model_lower(const snw_lower_call *call);

/* Saving and loading: a mark of 8 bytes chosen by the method, a revision, the shapes, a seal. Loading gives SNW_ERROR_DATA for
 * damaged bytes, remaining bytes, another character than the one saved with, and other numbers for each shape than `key_count`,
 * which drive reads. */
snw_status snk_shape_model_save(const snw_model *model, const char mark[8], const snw_sink *sink);
snw_status snk_shape_model_load(const snw_load_call *call, const char mark[8], uint32_t key_count, snw_model **model);

/* Defines the method's `layout`, `lower`, `save` and `load` with these functions, for its table. `key_count_of` is the method's
 * function for the numbers of each shape of a character: uint32_t key_count_of(const snw_character_view *). Its `release` is
 * snk_model_release (fit/fit.h). */
#define SNK_SHAPE_MODEL_FUNCTIONS(mark, key_count_of)                                                                          \
	static void SNW_CALL layout(const snw_model *model, snw_model_layout *dest) {                                              \
		snk_shape_model_layout(model, dest);                                                                                   \
	}                                                                                                                          \
	static snw_status SNW_CALL lower(const snw_lower_call *call) {                                                             \
		return snk_shape_model_lower(call);                                                                                    \
	}                                                                                                                          \
	static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {                                            \
		return snk_shape_model_save(model, mark, sink);                                                                        \
	}                                                                                                                          \
	static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {                  \
		(void)self;                                                                                                            \
		return snk_shape_model_load(call, mark, key_count_of(call->character), model);                                         \
	}

#ifdef __cplusplus
}
#endif

#endif
