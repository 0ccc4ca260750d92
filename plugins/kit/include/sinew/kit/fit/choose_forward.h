/* SPDX-License-Identifier: MIT
 *
 * Forward selection: candidates chosen one after another, each time the one that leaves least.
 */
#ifndef SINEW_KIT_FIT_CHOOSE_FORWARD_H
#define SINEW_KIT_FIT_CHOOSE_FORWARD_H

#include <stdint.h>

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snk_forward_choice {
	uint32_t candidate_count, most; /* of those, at most so many are chosen */
	double before;                  /* the residual without any */
	double least_gain;              /* a candidate has to explain this part of the residual, or the choice ends */
	/* The residual with the first `count` of `chosen`. */
	double(SNW_CALL *residual)(void *context, uint32_t count, const uint32_t *chosen);
	void *context;
} snk_forward_choice;

/* Fills chosen [most]; returns how many. Of equal candidates the first is taken. Nothing allocates; any thread that may call
 * `residual`. */
uint32_t snk_choose_forward(const snk_forward_choice *choice, uint32_t *chosen);

#ifdef __cplusplus
}
#endif

#endif
