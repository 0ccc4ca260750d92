/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a model evaluates to, as a number for each function: models that evaluate to the same bits have the same numbers.
 */
#ifndef SINEW_HOST_VALIDATE_TRIAL_EVALUATION_HASH_H
#define SINEW_HOST_VALIDATE_TRIAL_EVALUATION_HASH_H

#include "validate/trial/harness.h"

typedef struct evaluation_hash {
	uint64_t lowered;  /* the parts of all meshes, or that it does not lower */
	uint64_t driven;   /* z, d and e at all poses */
	uint64_t deformed; /* the points of all meshes at all poses, where it has deform; also of meshes that it lowers for */
} evaluation_hash;

/* Evaluates the model with the harness's values at the harness's poses. Where a function fails, its status counts. Every number
 * that a part refers to is read. Fails only if the layout is one that no stack takes. */
snw_status harness_hash_evaluation(const harness *b, const snw_model *model, evaluation_hash *hash, snw_error *finding);

#endif
