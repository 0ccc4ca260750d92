/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C while it is found: first by the Poisson equation (combine.c), then from the samples (refit.c).
 */
#ifndef SINEW_DEFORMERS_ROTATIONAL_REGRESSION_REDUCED_SYSTEM
#define SINEW_DEFORMERS_ROTATIONAL_REGRESSION_REDUCED_SYSTEM

#include "rotational-regression/fit.h"

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

#endif
