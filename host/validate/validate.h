/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of `sinew validate`: whether a plug-in follows the rules of the ABI. Each check runs in a child process under a
 * time limit, so that a crash or a hang affects only that check.
 */
#ifndef SINEW_HOST_VALIDATE_VALIDATE_H
#define SINEW_HOST_VALIDATE_VALIDATE_H

#include <stdbool.h>

#include "base/error.h"

/* Called after each check. `name` is "load", or "METHOD: check"; `finding` is the result, or what is wrong. */
typedef struct snw_validate_listener {
	void *context;
	void (*check)(void *context, const char *name, bool passed, const char *finding);
} snw_validate_listener;

/* Runs every check on every deformer of the file. `seed` chooses the damage and the ranges that are tried; `limit_seconds`
 * is for one check, 0 for the default of 60. SNW_OK if all passed; SNW_ERROR_DATA says how many failed; SNW_ERROR_IO if
 * there is no such file. Because it forks, call it only from a process with one thread, or whose other threads hold no
 * locks. */
snw_status snw_validate(const char *path, uint64_t seed, double limit_seconds, const snw_validate_listener *listener,
						snw_error *error);

#endif
