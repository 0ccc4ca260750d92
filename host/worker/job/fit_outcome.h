/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit's outcome as bytes, with the layers that its stacks were built without. The worker writes them to an unnamed file, from
 * which the program reads them.
 */
#ifndef SINEW_HOST_WORKER_JOB_FIT_OUTCOME_H
#define SINEW_HOST_WORKER_JOB_FIT_OUTCOME_H

#include "fit/fit.h"

/* `scene` is the one that was fitted. */
snw_status snw_outcome_write(int file, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error);

/* Reads into outcome->arena and checks against the same scene: every array has the length that the scene requires, every index
 * is in range, every number is finite. Otherwise SNW_ERROR_DATA, and `outcome` is unchanged. */
snw_status snw_outcome_read(int file, const snw_scene *scene, snw_fit_outcome *outcome, snw_error *error);

#endif
