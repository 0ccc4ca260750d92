/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * After a change, refits the stale layers whose methods are fast enough: SNW_REFITS, and where examples changed
 * SNW_REFITS_EXAMPLES, which keep what their last fit chose. The change and the fits are one undoable step.
 */
#ifndef SINEW_HOST_WORKER_REFRESH_H
#define SINEW_HOST_WORKER_REFRESH_H

#include "fit/fit.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "worker/worker.h"

typedef struct snw_refresh {
	uint32_t fitted_count;
	const char **fitted; /* names of layers, lowest first */
	uint32_t failed_count;
	const char **failed; /* "LAYER: why its fit failed", a line each; these layers stay stale */
	double seconds;      /* of all fits, including their processes */
} snw_refresh;

/* Call it after the change is committed. Layers are fitted lowest first, since a fit may make the layers above it stale. Muted
 * layers are skipped, except those that a bake reads, which stay muted; so are baked ones. Fits run in the worker, or in this
 * process with `limits->in_process`. `path` is the project's. A fit that fails or is cancelled does not stop the others: its
 * layer stays stale, and `refresh` (in `arena`) says why. Errors are those of reading and writing the project. */
snw_status snw_worker_refresh(snw_project *project, const char *path, const snw_registry *registry,
							  const snw_worker_limits *limits, const snw_task *task, snw_arena *arena, snw_refresh *refresh,
							  snw_error *error);

/* The scene as the project will be once a fit is committed and the stale layers are refitted: a copy, to be destroyed by the
 * caller. Fits run in this process; a layer whose fit fails stays stale. `scene` is what the fit read. */
snw_status snw_scene_after_fit(const snw_scene *scene, const snw_registry *registry, const snw_fit_outcome *outcome,
							   const snw_task *task, snw_scene **result, snw_error *error);

#endif
