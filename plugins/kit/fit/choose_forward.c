/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/choose_forward.h"

#include "sinew/view.h"

static int is_taken(uint32_t candidate, uint32_t count, const uint32_t *chosen) {
	int taken = 0;
	for (uint32_t i = 0; i < count; i++) {
		taken |= chosen[i] == candidate;
	}
	return taken;
}

/* Lowers *left and returns 1 if a candidate gains enough. */
static int choose_next(const snk_forward_choice *choice, uint32_t count, uint32_t *chosen, double *residual) {
	double least = (1 - choice->least_gain) * *residual;
	uint32_t best = SNW_NONE;
	for (uint32_t k = 0; k < choice->candidate_count; k++) {
		if (is_taken(k, count, chosen)) {
			continue;
		}
		chosen[count] = k;
		const double with = choice->residual(choice->context, count + 1, chosen);
		if (with < least) {
			least = with;
			best = k;
		}
	}
	if (best != SNW_NONE) {
		chosen[count] = best;
		*residual = least;
	}
	return best != SNW_NONE;
}

uint32_t snk_choose_forward(const snk_forward_choice *choice, uint32_t *chosen) {
	double residual = choice->before;
	uint32_t count = 0;
	while (count < choice->most && choose_next(choice, count, chosen, &residual)) {
		count++;
	}
	return count;
}
