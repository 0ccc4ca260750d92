/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the best layers below a corrective: every available base is measured by the corrective's error at examples that were
 * held out of its fit.
 */
#ifndef SINEW_HOST_EDIT_CHOOSE_BASE_H
#define SINEW_HOST_EDIT_CHOOSE_BASE_H

#include "fit/fit.h"
#include "project/project.h"
#include "worker/worker.h"

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

/* snw_worker_fit on a copy of the project that has the base's layers. The copy is beside the project and is removed afterwards.
 * The project is not changed. */
snw_status snw_worker_fit_over_base(const char *path, const snw_scene *scene, const snw_base *base,
									const snw_fit_request *request, const snw_worker_limits *limits, const snw_task *task,
									snw_fit_outcome *outcome, snw_error *error);

/* Writes the layers of a base and the fit over them as one command; the layers alone if `outcome` is NULL. SNW_ERROR_CONFLICT
 * if another program has changed the project since `scene` was read. */
snw_status snw_project_commit_base(snw_project *project, const snw_scene *scene, const snw_base *base,
								   const snw_fit_outcome *outcome, const char *label, snw_error *error);

#endif
