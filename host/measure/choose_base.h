/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the best layers below a corrective: every available base is measured by the corrective's error at examples that were
 * held out of its fit.
 */
#ifndef SINEW_HOST_MEASURE_CHOOSE_BASE_H
#define SINEW_HOST_MEASURE_CHOOSE_BASE_H

#include "fit/fit.h"

/* A base: a blend, and optionally a layer over it that needs no fit. */
typedef struct snw_base {
	const char *name; /* the short names of its methods: "blend, layer" */
	uint32_t layer_count;
	/* The whole stack with this base, but without a new corrective: other blends and layers that need no fit are muted. */
	snw_layer *layers;
	double erms; /* root mean square error of the held-out examples */
	double max_percent;
	const char *failure; /* why it could not be measured; NULL */
} snw_base;

typedef struct snw_bases {
	uint32_t count, best;
	snw_base *list;
} snw_bases;

/* Bases are combined from the scene's layers, including muted ones, and from methods that need no fit, whose layers get a free
 * name. `request` names the corrective, its layer and settings. SNW_ERROR_MISSING with fewer than two examples;
 * SNW_ERROR_CONFLICT if the layer belongs to another method. All in `arena`. */
snw_status snw_bases_measure(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
							 const snw_task *task, snw_arena *arena, snw_bases *bases, snw_error *error);

#endif
