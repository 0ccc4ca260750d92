/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear blend with learned weights: for each point the few weights, not negative and summing to one, with which the poses' own
 * transforms take it nearest to where the samples have it.
 *
 *     w_i = argmin 1/F Σ_f |Σ_s w_s T_s^f (r_i, 1) − v_i^f|² + L² ridge |w − base|² + L² smoothness |w − ring's mean|²
 *
 * over at most `influences` slots, L the diagonal of the mesh's rest bounding box. The support is searched for among the slots
 * near the point; of slots that move alike in all samples, among those that the point has.
 *
 * A point can be held at its base weights: to the last bit where the mask m is 0, and by L² 0.01 (1 − m) / m |w − base|² where
 * it is below 1. Locked slots keep their base weights w_l at every point. With W = Σ w_l and w = (1 − W) u, the others are
 * found from the same equation for u, whose sum is 1. A point of which locked slots leave nothing, or that has no room for
 * others, is held.
 */
#ifndef SINEW_DEFORMERS_MOTION_LEARN_WEIGHTS_H
#define SINEW_DEFORMERS_MOTION_LEARN_WEIGHTS_H

#include "sinew/deformer.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/pool.h"

typedef struct snk_weight_options {
	uint32_t influences; /* at most, from 1 to 12 */
	double ridge, smoothness;
	uint32_t sample_count;
	const snk_sample *samples;   /* at least one */
	snk_stretch stretch;         /* of the fit, for its progress */
	const unsigned char *kept;   /* [slot_count]: whether a slot may move points (merge_slots.h); NULL: all may */
	const double *mask;          /* [point_count], 0 to 1: how freely a point is fitted; NULL: all are */
	const unsigned char *locked; /* [slot_count]: whether a slot keeps its weights; NULL: none does */
} snk_weight_options;

/* [point_count]: root of the mean squared distance over samples, metres, with the base weights and with the learned ones. */
typedef struct snk_weight_residuals {
	double *before, *after;
} snk_weight_residuals;

/* The mesh has a skin. The arrays of `skin` are the pool's, those of `residuals` the caller's. SNW_CANCELLED; SNW_ERROR_MEMORY;
 * SNW_ERROR_LIMIT. */
snw_status snk_learn_weights(const snw_host *host, const snw_character_view *character, uint32_t mesh,
							 const snk_weight_options *options, snw_pool *pool, snk_base_skin_mesh *skin,
							 const snk_weight_residuals *residuals);

/* ---- held points --------------------------------------------------------------------------------------------------------- */

/* What a fit leaves alone, from its settings: points outside a painted mask, and locked joints. */

/* The mask of a mesh [point_count], from 0 (held) to 1 (fitted): the field that row `parameter` names, clamped; its first
 * component. A mesh without the field is held: nothing is painted there. *mask is NULL where the row names none. The pool's.
 * SNW_ERROR_MEMORY. */
snw_status snk_mask_read(const snw_fit_input *input, uint32_t parameter, uint32_t mesh, snw_pool *pool, const double **mask);

/* Whether the joint of each slot is locked [slot_count]: the value of row `parameter` for the joint is not 0. *locked is NULL
 * where none is. The pool's. SNW_ERROR_MEMORY. */
snw_status snk_locked_slots_read(const snw_fit_input *input, uint32_t parameter, snw_pool *pool, const unsigned char **locked);

#endif
