/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C while it is found: first by the Poisson equation (combine.c), then from the samples (refit.c).
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION_SYSTEM_H
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION_SYSTEM_H

#include <stddef.h>

#include "rotational-regression/fit.h"
#include "sinew/host.h"

typedef struct proxy_system {
	const mesh_fit *f;
	const reduction *r;
	size_t n, key_inputs, slot_inputs; /* 4 a proxy; 3 a key; 4 a slot */
	double (*centres)[3], *radii;      /* [proxies] */
	double *matrix;                    /* [n][n] */
	double *rights;                    /* [key_inputs + slot_inputs][n]; solved, C by columns, about the centres */
	unsigned char *selected;           /* [proxies][key_inputs + slot_inputs]: inputs that are not dropped */
	size_t *strongest;                 /* [proxies]: the first input of the key that moves a proxy's points most */
} proxy_system;

static inline size_t input_count(const proxy_system *s) {
	return s->key_inputs + s->slot_inputs;
}

/* Fits C to the samples. */
snw_status refit(const proxy_system *s);

/* ---- ridge --------------------------------------------------------------------------------------------------------------- */

/* M X (F Fᵀ + ridge) = B Fᵀ, for coefficients X of features F that come nearest to B, where M says how much the rows of X
 * weigh. Of the two systems that give X it takes the smaller: that of the features, or, where there are fewer columns than
 * features, M G (Fᵀ F + ridge) = B with X = G Fᵀ. */

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
