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
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/numerics/nnls.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/pool.h"

typedef struct snk_weight_options {
	uint32_t influences; /* at most, from 1 to 12 */
	double ridge, smoothness;
	uint32_t sample_count;
	const snk_sample *samples;   /* at least one */
	snk_stretch stretch;         /* of the fit, for its progress */
	const unsigned char *kept;   /* [slot_count]: whether a slot may move points (below); NULL: all may */
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

/* ---- slots that are alike ------------------------------------------------------------------------------------------------ */

/* A character whose points are moved by fewer joints: slots merged into others, the one that matters least first.
 *
 * To give the weights of slot a to slot b moves the points by w_ia (T_b − T_a)(r_i, 1). The pair whose sum of squares over all
 * points and samples is the least is merged next: with M_a = Σ_i w_ia² (r_i, 1)(r_i, 1)ᵀ that is Σ_f tr((T_b − T_a) M_a (T_b −
 * T_a)ᵀ). b is the nearest joint above a, or below it, that still moves points. So fingers merge into a hand before a hand does
 * into an arm. */

/* The input with a character of at most `most` slots that move points; 0: as many as there are. `kept` [slot_count]: whether a
 * slot may move points; NULL if all may. All the pool's, or the input's. Learn weights from `fewer` to fit them to its slots.
 * SNW_CANCELLED; SNW_ERROR_MEMORY; SNW_ERROR_LIMIT. */
snw_status snk_merge_slots(const snw_host *host, const snw_fit_input *input, uint32_t most, snw_pool *pool,
						   snw_fit_input *fewer, const unsigned char **kept);

/* ---- the rest shape ------------------------------------------------------------------------------------------------------ */

/* Where a mesh is at rest, as its samples show it. A stack that smooths shrinks a character in every pose, the rest included;
 * no weights can do that. So before weights are learned, the points are moved to
 *
 *     r_i' = argmin Σ_f |Σ_s w_is T_s^f (r_i', 1) − v_i^f|² + F ridge |r_i' − r_i|²
 *
 * with w the weights that the character came with, if that takes back nine tenths of the squared error of a mesh: what changes
 * with the pose is for weights and joints. Once weights have been learned there, the same with them moves the points again. A
 * model keeps r' − r as a displacement with the coefficient 1, which exports add to the mesh. */

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
