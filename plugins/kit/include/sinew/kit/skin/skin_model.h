/* SPDX-License-Identifier: MIT
 *
 * The whole model of a method that consists of influences, copied or learned: kept, lowered, saved. Its functions have the
 * thread rules and the errors of the functions of snw_deformer that they implement.
 */
#ifndef SINEW_KIT_SKIN_SKIN_MODEL_H
#define SINEW_KIT_SKIN_SKIN_MODEL_H

#include "sinew/kit/skin/base_skin.h"
#include "sinew/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snk_skin_model {
	snw_pool pool; /* holds the model itself and its arrays */
	snk_base_skin skin;
} snk_skin_model;

/* A skin model as the ABI's opaque type. */
static inline snw_model *snk_skin_model_as_model(snk_skin_model *model) {
	return (snw_model *)model;
}

/* A fit for methods with nothing to learn: the character's own influences. Its `release` is snk_model_release (fit/model.h). */
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
