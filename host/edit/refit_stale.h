/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lasting sculpts: after a change, the layers whose fits it has made stale are fitted again by themselves, where their method
 * says that this is a matter of a moment (SNW_REFITS). The change and the fits are one undoable step.
 */
#ifndef SINEW_HOST_EDIT_REFIT_STALE_H
#define SINEW_HOST_EDIT_REFIT_STALE_H

#include "plugin/registry.h"
#include "project/project.h"
#include "worker/worker.h"

typedef struct snw_refresh {
	uint32_t fitted_count;
	const char **fitted; /* names of layers, lowest first */
	uint32_t failed_count;
	const char **failed; /* "inverse-psd: why not", a line each: these layers stay stale */
	double seconds;      /* of all the fits, with their processes */
} snw_refresh;

/* Call it when the change is committed. Layers are fitted lowest first, since a fit may make those above it stale; a muted layer
 * waits until it is unmuted. Fits run in the worker, or with `limits->in_process` here, where one of 100,000 points takes a
 * twentieth of a second. `path` is the project's. A fit that fails, or is cancelled, fails nothing else: its layer stays stale,
 * and `refresh` (in `arena`) says why. Errors are those of reading and writing the project. */
snw_status snw_worker_refresh(snw_project *project, const char *path, const snw_registry *registry,
							  const snw_worker_limits *limits, const snw_task *task, snw_arena *arena, snw_refresh *refresh,
							  snw_error *error);

#endif
