/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks behind `sinew validate`: does a plug-in keep the rules of the ABI? Each check runs in a child process under a time
 * limit, so that a crash or a hang costs that check and nothing else.
 */
#ifndef SINEW_HOST_VALIDATE_VALIDATE_H
#define SINEW_HOST_VALIDATE_VALIDATE_H

#include <stdbool.h>

#include "base/error.h"

/* Hears of each check as it ends. `name` is "load", or "METHOD: check"; `words` say what was found, and, where it failed, what is
 * wrong. */
typedef struct snw_validate_listener {
	void *context;
	void (*check)(void *context, const char *name, bool passed, const char *words);
} snw_validate_listener;

/* Runs every check on every deformer of the file. `seed` chooses the damage and the splits that are tried; `limit_seconds` is for
 * one check, 0 for the default of 60. SNW_OK where all passed; SNW_ERROR_DATA tells how many did not; SNW_ERROR_IO where there is
 * no such file. Only from a process with one thread, or whose other threads hold no locks, since it forks. */
snw_status snw_validate(const char *path, uint64_t seed, double limit_seconds, const snw_validate_listener *listener,
						snw_error *error);

#endif
