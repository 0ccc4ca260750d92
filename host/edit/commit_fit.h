/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit proposes, the host disposes: what a fit left becomes one undoable step of the project.
 */
#ifndef SINEW_HOST_EDIT_COMMIT_FIT_H
#define SINEW_HOST_EDIT_COMMIT_FIT_H

#include "fit/fit.h"
#include "project/project.h"

/* The model and its layer (a new one where stack/fit.h says, an old one where it was), and everything proposed. `scene` is the
 * project's as the fit saw it. All of it or nothing. A NULL label: as a part of the command before (snw_project_begin_amend),
 * where there is one, and only where nobody has changed the project since its scene was read (SNW_ERROR_CONFLICT). */
snw_status snw_project_commit_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome,
								  const char *label, snw_error *error);

/* The same as a part of a command that is open: for a fit of what the command itself has put. `scene` is as the fit saw it. */
snw_status snw_project_put_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error);

#endif
