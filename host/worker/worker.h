/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worker process. Imports, fits and the readers of single files run in a separate program, `sinew-worker`, under limits. A
 * crash, a hang or a cancel ends that job alone. The worker's only output is a project file or a fit's outcome.
 *
 * Both calls block until the job has ended; any thread may make them. They report progress at least ten times a second, so that
 * a task can cancel. If the waiting thread ends, the worker is killed. The worker has its own process group: an interrupt at
 * the terminal reaches only the program, which then cancels the job.
 */
#ifndef SINEW_HOST_WORKER_WORKER_H
#define SINEW_HOST_WORKER_WORKER_H

#include <sys/types.h>

#include "fit/fit.h"
#include "import/import.h"
#include "picture/pictures.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "task/task.h"

typedef struct snw_worker_limits {
	uint64_t memory_bytes; /* address space; 0: the default, 8 GiB (no limit under AddressSanitizer) */
	/* Seconds of work: the worker's processor time, but no more than the clock's; of a worker that does nothing, the
	 * clock's. */
	/* Without a report of progress for this long, the job counts as hung. 0: the default, 60 (of a fit
	 * $SINEW_PLUGIN_SECONDS), or total_seconds if longer. */
	double idle_seconds;
	double total_seconds; /* 0: the default, 3600. A fit that has a result by then returns its best so far */
	bool in_process;      /* for debuggers: no process, no limits */
} snw_worker_limits;

/* Imports `request` and writes the project to `path`, atomically. The scene is that of the project, read and checked; the
 * caller destroys it. It may be NULL. A cancelled or failed import changes neither. */
snw_status snw_worker_import(const snw_import_request *request, const char *path, const snw_worker_limits *limits,
							 const snw_task *task, snw_scene **scene, snw_error *error);

/* One untrusted file, as snw_import_obj_mesh (points and faces alone), snw_import_frames and snw_pose_read_json read it. It is
 * always read in the worker. NULL limits: the defaults. */
snw_status snw_worker_read_mesh(const char *path, const snw_worker_limits *limits, const snw_task *task, snw_arena *arena,
								snw_mesh *mesh, snw_error *error);
snw_status snw_worker_read_frames(const char *path, uint32_t point_count, double frames_per_second,
								  const snw_worker_limits *limits, const snw_task *task, snw_arena *arena,
								  snw_point_frames *frames, snw_error *error);
snw_status snw_worker_read_pose(const snw_scene *scene, const char *path, const snw_worker_limits *limits, const snw_task *task,
								snw_arena *arena, snw_pose **pose, snw_error *error);
/* As snw_pictures_decode. A picture that cannot be decoded has no pixels, and a notice. */
void snw_worker_decode_pictures(const snw_picture_use *uses, uint32_t count, uint64_t budget, const snw_task *task,
								snw_arena *arena, snw_mipmap *decoded);

/* Fits on the project at `path` and fills the outcome, whose arena the caller sets. The project is not changed. A
 * task that cancels gets SNW_CANCELLED and no outcome, or SNW_NOT_CONVERGED with the best so far from a method that can give
 * it. */
snw_status snw_worker_fit(const char *path, const snw_fit_request *request, const snw_worker_limits *limits,
						  const snw_task *task, snw_fit_outcome *outcome, snw_error *error);

/* ---- the process --------------------------------------------------------------------------------------------------------- */

/* Starts, watches and ends the worker, on the program's side. */

typedef struct snw_process {
	pid_t id;
	int channel;      /* a socket for messages */
	int errors;       /* the worker's standard error */
	bool was_stopped; /* after snw_process_watch: the job was cancelled or over a limit */
} snw_process;

/* The worker reads its request from the file `request`, and writes the result to the file `result`; -1 for none. */
snw_status snw_process_start(int request, int result, snw_process *process, snw_error *error);

/* For error messages: the file or method, the part of the program that failed, and advice after a crash. */
typedef struct snw_process_texts {
	const char *subject; /* "arm.fbx" */
	const char *part;    /* "the reader" */
	const char *advice;
	bool has_fixed_limits; /* --seconds and --memory do not change them */
	double grace_seconds;  /* from the cancel message to a signal, so that a fit can return its best so far */
} snw_process_texts;

/* Reports progress and notices until the job is done, cancelled or over a limit, or the worker has died. Afterwards the worker
 * has ended in any case. Returns the job's status. `limits` has all its
 * seconds. */
snw_status snw_process_watch(snw_process *process, const snw_worker_limits *limits, const snw_process_texts *texts,
							 const snw_task *task, snw_error *error);

/* ---- refitting ----------------------------------------------------------------------------------------------------------- */

/* After a change, refits the stale layers whose methods are fast enough: SNW_REFITS, and where examples changed
 * SNW_REFITS_EXAMPLES, which keep what their last fit chose. The change and the fits are one undoable step. */

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
