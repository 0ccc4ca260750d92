/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * M X (F Fᵀ + ridge) = B Fᵀ, for coefficients X of features F that come nearest to B, where M says how much the rows of X
 * weigh. Of the two systems that give X it takes the smaller: that of the features, or, where there are fewer columns than
 * features, M G (Fᵀ F + ridge) = B with X = G Fᵀ.
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION_REDUCED_RIDGE
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION_REDUCED_RIDGE

#include <stddef.h>

#include "sinew/host.h"

typedef struct ridge_equation {
	size_t feature_count, width;
	const double *features; /* F, [feature_count][width] */
	const double *sums;     /* B, [4][width] */
	const double *counts;   /* [width]: 1, or 0 for a column that is left out */
	double ridge;           /* above 0 */
	double *gram, *right;   /* scratch: [order][order] and [8][order], order the less of feature_count and width */
} ridge_equation;

/* Writes X, [4][feature_count]; `moments`: M, [4][4], symmetric and positive definite. */
snw_status solve_ridge(const snw_host *host, const ridge_equation *e, const double moments[16], double *solution);

#endif
