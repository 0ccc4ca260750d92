/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commits the outcome of a fit as one undoable step of the project.
 */
#ifndef SINEW_HOST_EDIT_COMMIT_FIT_H
#define SINEW_HOST_EDIT_COMMIT_FIT_H

#include "fit/fit.h"
#include "project/project.h"

/* Commits the model, its layer and all proposals, or nothing. A new layer goes where fit/fit.h says; an existing one keeps its
 * place. `scene` is the scene that was fitted. A NULL label adds the commit to the last command, if there is one
 * (snw_project_begin_amend); SNW_ERROR_CONFLICT if the project has changed since its scene was read. */
snw_status snw_project_commit_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome,
								  const char *label, snw_error *error);

/* The same within an open command, for a fit of data that the command itself writes. `scene` is the scene that was fitted. */
snw_status snw_project_put_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error);

#endif
