/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The job of reading one untrusted file, and its result as bytes: a sculpt, the frames of a target, a pose, or pictures.
 */
#ifndef SINEW_HOST_WORKER_JOB_READ_FILE_H
#define SINEW_HOST_WORKER_JOB_READ_FILE_H

#include "import/import.h"
#include "picture/pictures.h"
#include "pose/pose.h"

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

#endif
