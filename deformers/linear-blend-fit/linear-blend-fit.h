/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear blend with learned weights: for each point the few weights, not negative and summing to one, with which the pose's own
 * transforms take it nearest to where the samples (examples, targets, sequences with poses) have it.
 *
 * The equation is in motion/weights/learn_weights.h. This is the best that linear blend can do with these joints: what D. James and C. Twigg (2005), L. Kavan et al. (2007) and B. Le and Z. Deng (2012) fit their weights by, with the
 * support searched for instead of cut down from the unrestricted optimum. Morph channels are taken to be at 0; where a sample's
 * are not, the fit says so.
 */
#ifndef SINEW_DEFORMERS_LINEAR_BLEND_FIT
#define SINEW_DEFORMERS_LINEAR_BLEND_FIT

#include "sinew/kit/skin/skin_model.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { INFLUENCES, RIDGE, SMOOTHNESS, PARAMETER_COUNT };

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);

#endif
