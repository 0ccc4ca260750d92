/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a fit leaves, from the worker to the program: as bytes in a file that has no name.
 */
#ifndef SINEW_HOST_WORKER_FIT_OUTCOME_H
#define SINEW_HOST_WORKER_FIT_OUTCOME_H

#include "fit/fit.h"

/* `scene` is the one that the fit ran over. */
snw_status snw_outcome_write(int file, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error);

/* Into outcome->arena, checked against the same scene: every array has the length that the scene gives it, every index is in
 * range, every number finite. SNW_ERROR_DATA else, and nothing is changed. */
snw_status snw_outcome_read(int file, const snw_scene *scene, snw_fit_outcome *outcome, snw_error *error);

#endif
