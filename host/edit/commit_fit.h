/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commits the outcome of a fit as one undoable step of the project.
 */
#ifndef SINEW_HOST_EDIT_COMMIT_FIT_H
#define SINEW_HOST_EDIT_COMMIT_FIT_H

#include "fit/fit.h"
#include "project/project.h"

/* The model and its layer (a new one where stack/fit.h says, an old one where it was), and everything proposed. All of it or
 * nothing. SNW_ERROR_CONFLICT where another program has put, muted or moved layers since the fit saw the project; with a `registry`
 * (it may be NULL), also where it changed anything else that the fit read: else the layer is stale when it comes in. A NULL label: as a part of the command before (snw_project_begin_amend),
 * where there is one, and only where nobody has changed the project since its scene was read (SNW_ERROR_CONFLICT). */
snw_status snw_project_commit_fit(snw_project *project, const snw_registry *registry, const snw_fit_outcome *outcome,
								  const char *label, snw_error *error);

/* An outcome that no longer fits its place, as a muted layer: nothing that it proposed comes in, and no other layer changes. */
snw_status snw_project_keep_fit(snw_project *project, const snw_fit_outcome *outcome, snw_error *error);

/* The same as a part of a command that is open: for a fit of what the command itself has put. `scene` is as the fit saw it. */
snw_status snw_project_put_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error);

#endif
