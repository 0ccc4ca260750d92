/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commits the outcome of a fit as one undoable step of the project.
 */
#ifndef SINEW_HOST_EDIT_COMMIT_FIT_H
#define SINEW_HOST_EDIT_COMMIT_FIT_H

#include "fit/fit.h"
#include "project/project.h"

/* Commits the model, its layer (a new one at the place that fit/fit.h defines, an old one at its place) and all proposals, or
 * nothing. SNW_ERROR_CONFLICT if another program has changed layers, or which points, joints or channels there are, since the
 * fit read the project; with a `registry` (it may be NULL), also if it has changed anything else that the fit read. Without a
 * registry the layer is then stale. With a NULL label it is part of the previous command, if there is one
 * (snw_project_begin_amend); SNW_ERROR_CONFLICT if the project has changed since its scene was read. */
snw_status snw_project_commit_fit(snw_project *project, const snw_registry *registry, const snw_fit_outcome *outcome,
								  const char *label, snw_error *error);

/* The weights of an outcome that are wanted. */
typedef struct snw_skin_choice {
	int64_t mesh;  /* the id of the only mesh; 0 for all */
	bool replaces; /* also in place of weights that are there */
	uint32_t lock_count;
	const uint32_t *locked; /* [lock_count]: joints that keep the weights that are there */
	const double *mask;     /* of the only mesh: as in snw_skin_mix; NULL for 1 everywhere */
} snw_skin_choice;

/* The same with these weights alone, chosen by what the project holds at the commit; the outcome loses the others. Where some
 * of the old weights stay, no point gets more influences than the most of either skin. SNW_ERROR_CONFLICT if
 * none remain. NULL `choice`: all. */
snw_status snw_project_commit_skins(snw_project *project, const snw_registry *registry, const snw_skin_choice *choice,
									snw_fit_outcome *outcome, const char *label, snw_error *error);

/* Commits an outcome whose project has changed as a muted layer, without its proposals. No other layer changes. */
snw_status snw_project_keep_fit(snw_project *project, const snw_fit_outcome *outcome, snw_error *error);

/* The same as a part of a command that is open: for a fit of what the command itself has put. `scene` is as the fit saw it, or
 * it is SNW_ERROR_CONFLICT. */
snw_status snw_project_put_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error);

#endif
