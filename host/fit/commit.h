/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes layers and the outcomes of fits into the project.
 */
#ifndef SINEW_HOST_FIT_COMMIT_H
#define SINEW_HOST_FIT_COMMIT_H

#include "fit/fit.h"
#include "project/project.h"

/* ---- layers, within an open command -------------------------------------------------------------------------------------- */

/* Writes a layer with its model (0 for none). A new one goes directly above `replaced`, which is muted, or on top if that is
 * SNW_NONE: a skin blends once, so a layer that blends takes the place of the blend that is there. */
snw_status snw_layer_put_over(snw_project *project, const snw_scene *scene, const snw_layer *layer, int64_t model,
							  uint32_t replaced, snw_error *error);

/* The layer that a new one of that deformer replaces, as a fit of it does (snw_fit_base_blend): SNW_NONE if it does not blend,
 * or if the blend is muted already. */
uint32_t snw_layer_replaces(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer);

/* ---- outcomes ------------------------------------------------------------------------------------------------------------ */

/* The weights of an outcome that are wanted. */
typedef struct snw_skin_choice {
	int64_t mesh;  /* the id of the only mesh; 0 for all */
	bool replaces; /* also in place of weights that are there */
	uint32_t lock_count;
	const uint32_t *locked; /* [lock_count]: joints that keep the weights that are there */
	const double *mask;     /* of the only mesh: as in snw_skin_mix; NULL for 1 everywhere */
} snw_skin_choice;

/* Within an open command: writes the model, its layer (a new one at the place that fit/fit.h defines, an old one at its place)
 * and all proposals. Of weights only the chosen ones are written (NULL `choice`: all), by what the project holds now, and the
 * outcome loses the others; where some of the old weights stay, no point gets more influences than the most of either skin.
 * SNW_ERROR_CONFLICT, and nothing is written, if no weights remain, or if another program has changed layers, or which points,
 * joints or channels there are, since the fit read the project; with a `registry` (it may be NULL) also if it has changed
 * anything else that the fit read. Without a registry the layer is then stale. */
snw_status snw_project_put_outcome(snw_project *project, const snw_registry *registry, const snw_skin_choice *choice,
								   snw_fit_outcome *outcome, snw_error *error);

/* The same as a command, with all weights, or nothing. With a NULL label it is part of the previous command, if there is one
 * (snw_project_begin_amend); SNW_ERROR_CONFLICT if the project has changed since its scene was read. */
snw_status snw_project_commit_fit(snw_project *project, const snw_registry *registry, const snw_fit_outcome *outcome,
								  const char *label, snw_error *error);

/* Within an open command, for a fit of what the command itself has put. `scene` is as the fit saw it, or it is
 * SNW_ERROR_CONFLICT. */
snw_status snw_project_put_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error);

#endif
