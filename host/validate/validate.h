/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of `sinew validate`: whether a plug-in follows the rules of the ABI. Each check runs in a child process under a
 * time limit, so that a crash or a hang affects only that check.
 */
#ifndef SINEW_HOST_VALIDATE_VALIDATE_H
#define SINEW_HOST_VALIDATE_VALIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "scene/scene.h"
#include "task/task.h"

/* How much is tried where something is tried again and again: reports that ask for a stop, random poses, random values. */
typedef enum snw_validate_level {
	SNW_VALIDATE_NORMAL = 0,
	SNW_VALIDATE_QUICK = 1,    /* a few of each, within a second or two */
	SNW_VALIDATE_THOROUGH = 2, /* many, and every report */
} snw_validate_level;

/* Called after each check. `name` is "load", or "METHOD: check"; `finding` is the result, or what is wrong. */
typedef struct snw_validate_listener {
	void *context;
	void (*check)(void *context, const char *name, bool passed, const char *finding);
} snw_validate_listener;

typedef struct snw_validate_options {
	uint64_t seed;        /* chooses the damage, the ranges and the values that are tried */
	double limit_seconds; /* for one check; 0 for 60 */
	snw_validate_level level;
	double random_seconds;       /* also tries random values of all parameters for so long; 0 for not */
	const char *only;            /* the name of the one check to run, without the method; NULL for all */
	const snw_setting *settings; /* of fits, in place of initial values: a deformer may fit too long for all the checks */
	uint32_t setting_count;
	const snw_task *task; /* its progress can stop the checks; NULL for none */
	bool in_process;      /* for debuggers: no check has a process of its own, and none has a time limit */
} snw_validate_options;

/* Runs every check on every deformer of the file; if its fit fails, that check alone. SNW_OK if all passed; SNW_ERROR_DATA says
 * how many failed; SNW_ERROR_IO if there is no such file; SNW_CANCELLED if the task stopped it. Because it forks, call it only
 * from a process with one thread, or whose other threads hold no locks. */
snw_status snw_validate(const char *path, const snw_validate_options *options, const snw_validate_listener *listener,
						snw_error *error);

#endif
