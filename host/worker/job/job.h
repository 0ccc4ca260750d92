/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program and the worker process share: requests, files that jobs read, and outcomes.
 */
#ifndef SINEW_HOST_WORKER_JOB_JOB_H
#define SINEW_HOST_WORKER_JOB_JOB_H

#include "fit/fit.h"
#include "import/import.h"
#include "message/message.h"
#include "picture/pictures.h"
#include "pose/pose.h"
#include "scene/scene.h"

/* ---- settings ------------------------------------------------------------------------------------------------------------ */

/* Settings as bytes: a part of requests and of outcomes. */

void snw_put_settings(snw_stream *out, const snw_setting *settings, uint32_t count);

/* Everything in `arena`. False where one is incomplete. */
bool snw_get_settings(snw_stream *in, snw_arena *arena, const snw_setting **settings, uint32_t *count);

/* ---- jobs ---------------------------------------------------------------------------------------------------------------- */

/* The jobs of a worker. With `in_process` they run in the caller's process instead. */

/* Imports into a project at `path`. */
snw_status snw_job_import(const snw_import_request *request, const char *path, const snw_task *task, snw_error *error);

/* Reads the scene of the project at `path`. */
snw_status snw_job_open(const char *path, const snw_task *task, snw_scene **scene, snw_error *error);

/* Fits on that scene with the installed plug-ins. */
snw_status snw_job_fit(const snw_scene *scene, const snw_fit_request *request, const snw_task *task, snw_fit_outcome *outcome,
					   snw_error *error);

/* ---- read file ----------------------------------------------------------------------------------------------------------- */

/* The job of reading one untrusted file, and its result as bytes: a sculpt, the frames of a target, a pose, or pictures. */

typedef enum snw_file_kind {
	SNW_FILE_KIND_MESH,
	SNW_FILE_KIND_FRAMES,
	SNW_FILE_KIND_POSE,
	SNW_FILE_KIND_PICTURES,
	SNW_FILE_KIND_COUNT
} snw_file_kind;

typedef struct snw_read_request {
	snw_file_kind kind;
	uint32_t count;           /* frames: the points of the mesh; pictures: how many */
	double frames_per_second; /* of frames; 0 where nothing says it */
	uint64_t picture_bytes;   /* the budget of pictures */
} snw_read_request;

/* What the request's kind says. */
typedef struct snw_read_result {
	snw_mesh mesh; /* points, faces and their corners */
	snw_point_frames frames;
	snw_pose_values values;
	uint32_t picture_count;
	snw_mipmap *pictures;
} snw_read_result;

/* Pictures come to the worker in the file that later holds the result. */
snw_status snw_read_put_pictures(int file, const snw_picture_use *uses, uint32_t count, snw_error *error);

/* In the worker: reads the file at `path` (pictures: what `file` holds), and writes the result to `file`. */
snw_status snw_job_read(const snw_read_request *request, const char *path, int file, const snw_task *task, snw_arena *arena,
						snw_error *error);

/* In the program: the result, checked, in `arena`. SNW_ERROR_DATA where the worker wrote something else. */
snw_status snw_read_get_result(const snw_read_request *request, const char *subject, int file, snw_arena *arena,
							   snw_read_result *result, snw_error *error);

/* ---- request ------------------------------------------------------------------------------------------------------------- */

/* The request to a worker, which it finds in the file that is its standard input. */

typedef enum snw_worker_job { SNW_WORKER_IMPORT, SNW_WORKER_FIT, SNW_WORKER_READ, SNW_WORKER_JOB_COUNT } snw_worker_job;

/* With the limits that the worker sets for itself before it begins. */
typedef struct snw_worker_request {
	snw_worker_job job;
	uint64_t memory_bytes;     /* 0: none */
	uint64_t cpu_seconds;      /* of all threads; 0: none */
	const char *path;          /* the project, which an import writes and a fit reads; the file to read */
	snw_import_request import; /* the job says which of these is used */
	snw_fit_request fit;
	bool needs_all_layers; /* a fit fails where a layer below it would be left out */
	snw_read_request read;
} snw_worker_request;

void snw_worker_request_put(snw_stream *out, const snw_worker_request *request);

/* SNW_ERROR_DATA if the stream does not have exactly one request of this version. */
snw_status snw_worker_request_get(snw_stream *in, snw_arena *arena, snw_worker_request *request, snw_error *error);

/* ---- fit outcome --------------------------------------------------------------------------------------------------------- */

/* A fit's outcome as bytes, with the layers that its stacks were built without. The worker writes them to an unnamed file,
 * from which the program reads them. */

/* `scene` is the one that was fitted. */
snw_status snw_outcome_write(int file, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error);

/* Reads into outcome->arena and checks against the same scene: every array has the length that the scene requires, every index
 * is in range, every number is finite. Otherwise SNW_ERROR_DATA, and `outcome` is unchanged. */
snw_status snw_outcome_read(int file, const snw_scene *scene, snw_fit_outcome *outcome, snw_error *error);

/* ---- the worker ---------------------------------------------------------------------------------------------------------- */

/* The worker's side: it reads one request from its standard input, sets its limits, runs the job and reports how it ended. */

/* The worker's file descriptors: its socket, and the file for the result. */
enum { SNW_WORKER_CHANNEL = 3, SNW_WORKER_RESULT = 4 };

/* Returns the exit status of the worker. A failed job is reported over the channel; the worker still exits with 0. */
int snw_worker_serve(int request, int channel, int result);

#endif
