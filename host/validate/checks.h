/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of a plug-in, each to be run in its own process.
 */
#ifndef SINEW_HOST_VALIDATE_CHECKS_H
#define SINEW_HOST_VALIDATE_CHECKS_H

#include "plugin/registry.h"

/* A check of one deformer of the file at `path`. SNW_OK with a message about what was tried, or a negative status with a
 * message about what is wrong. */
typedef snw_status snw_validate_check(const char *path, const char *method, uint64_t seed, snw_error *finding);

snw_validate_check snw_validate_create, snw_validate_fit, snw_validate_cancel, snw_validate_save, snw_validate_damage;
snw_validate_check snw_validate_drive, snw_validate_deform, snw_validate_threads, snw_validate_values;

#endif
