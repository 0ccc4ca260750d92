/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From files to a scene. Files are hostile until read: everything is checked, and the result has passed snw_scene_check.
 * The format follows from the content where that tells it, else from the extension.
 */
#ifndef SINEW_HOST_IMPORT_IMPORT_H
#define SINEW_HOST_IMPORT_IMPORT_H

#include "base/task.h"
#include "file/file_format.h"
#include "scene/scene.h"

typedef struct snw_import_request {
	const char *file;         /* a character or a mesh; NULL for a sequence */
	const char *sequence;     /* a file of frames, or a pattern */
	const char *rest;         /* an .obj: the rest of a sequence, needed where its frames have no faces; else frame 0 */
	double frames_per_second; /* of a sequence; 0: 24, or what the file says */
	bool keep_points;         /* do not unite coincident points */
} snw_import_request;

/* A format: a row of the table that import/formats lists. */
typedef struct snw_import_format {
	snw_file_format file;
	/* By the content of a file or its extension; NULL for frames, which are read as a sequence. */
	bool (*takes)(const char *path, const unsigned char *head, size_t head_count);
	snw_status (*read)(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
					   snw_error *error);
} snw_import_format;

/* The rows of the table. */
const snw_file_format *snw_import_formats(uint32_t index);

/* In this process; the worker calls it. A scene with a skin gets one layer, linear blend. */
snw_status snw_import(const snw_import_request *request, const snw_task *task, snw_scene **scene, snw_error *error);

/* One mesh from an .obj: point order, polygons, normals and UVs as in the file. In `arena`. */
snw_status snw_import_obj_mesh(const char *path, snw_arena *arena, snw_mesh *mesh, snw_error *error);

/* Frames of points from a file of frames or a pattern, checked against `point_count`. seconds is filled from the file or from
 * frames_per_second. */
typedef struct snw_point_frames {
	uint32_t frame_count;
	uint32_t point_count;
	double *seconds;
	float *points; /* [frame_count][point_count][3] */
} snw_point_frames;
snw_status snw_import_frames(const char *path, uint32_t point_count, double frames_per_second, snw_arena *arena,
							 const snw_task *task, snw_point_frames *frames, snw_error *error);

#endif
