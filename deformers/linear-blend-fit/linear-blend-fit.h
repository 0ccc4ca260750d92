/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear blend with learned weights: for each point the few weights, not negative and summing to one, with which the pose's own
 * transforms take it nearest to where the samples (examples, targets, sequences with poses) have it.
 *
 * The equation is in motion/weights/learn_weights.h. This is the best that linear blend can do with these joints: what D. James
 * and C. Twigg (2005), L. Kavan et al. (2007) and B. Le and Z. Deng (2012) fit their weights by, with the support searched for
 * instead of cut down from the unrestricted optimum. Morph channels are taken to be at 0; where a sample's are not, the fit
 * says so. A mesh that the samples show elsewhere in all poses is moved there first (motion/weights/rest_shape.h). With fewer
 * joints than the skin has, those that matter least are merged into others first (motion/weights/merge_slots.h). Points outside
 * a mask and locked joints keep the weights that they have.
 */
#ifndef SINEW_DEFORMERS_LINEAR_BLEND_FIT
#define SINEW_DEFORMERS_LINEAR_BLEND_FIT

#include "motion/weights/rest_shape.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { INFLUENCES, RIDGE, SMOOTHNESS, JOINTS, MASK, LOCK, REST, PARAMETER_COUNT };

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	snk_base_skin skin;
	snk_rest_shape rest;
};

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
void SNW_CALL layout(const snw_model *model, snw_model_layout *layout);
snw_status SNW_CALL drive(const snw_drive_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);
snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink);
snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model);

#endif
