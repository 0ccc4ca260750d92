/* SPDX-License-Identifier: MIT
 *
 * Ridge regression (A. Hoerl, R. Kennard, Ridge regression: biased estimation for nonorthogonal problems, 1970): the B that
 * makes Σ |y − Bᵀ φ|² + ridge |B|² least over samples of features φ and numbers y. The samples are summed once; then any of the
 * features are regressed on as often as wanted, such as to choose them (sinew/kit/fit/choose_forward.h). A constant is a
 * feature that is 1.
 */
#ifndef SINEW_KIT_NUMERICS_RIDGE_H
#define SINEW_KIT_NUMERICS_RIDGE_H

#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sums over samples. */
typedef struct snk_ridge {
	uint32_t feature_count, number_count;
	double *gram;  /* [feature_count][feature_count]: Σ φ φᵀ */
	double *right; /* [feature_count][number_count]: Σ φ yᵀ */
	double square; /* Σ |y|² */
} snk_ridge;

/* Over no sample yet, in the pool: check its `failed`. */
snk_ridge snk_ridge_open(snw_pool *pool, uint32_t feature_count, uint32_t number_count);

/* features [feature_count], numbers [number_count]. One thread at a time. */
void snk_ridge_add(snk_ridge *sums, const double *features, const double *numbers);

/* solution [count][number_count] is B of the features `columns` [count], NULL for the first `count`. Returns what it leaves of
 * `square`, with what the ridge costs. `scratch` [count][count]. Nothing allocates; any thread. */
double snk_ridge_solve(const snk_ridge *sums, double ridge, uint32_t count, const uint32_t *columns, double *scratch,
					   double *solution);

#ifdef __cplusplus
}
#endif

#endif
