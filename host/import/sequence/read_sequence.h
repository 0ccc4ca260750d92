/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mesh animations: numbered .obj files, point caches (.pc2) and LightWave's .mdd, as frames or as a scene.
 */
#ifndef SINEW_HOST_IMPORT_SEQUENCE_READ_SEQUENCE_H
#define SINEW_HOST_IMPORT_SEQUENCE_READ_SEQUENCE_H

#include "import/import.h"

/* Formats of frames, which are read as a sequence: a scene of one mesh. */
extern const snw_import_format snw_import_pc2, snw_import_mdd, snw_import_numbered_obj;

/* Whether a path is a point cache, which has points alone, or a pattern of .obj files. Fails for any other path. */
snw_status snw_frames_kind(const char *path, bool *is_cache, snw_error *error);

/* As snw_import_frames. If `rest` is not NULL, numbered .obj files must have its faces. */
snw_status snw_frames_read(const char *path, const snw_mesh *rest, uint32_t point_count, double frames_per_second,
						   snw_arena *arena, const snw_task *task, snw_point_frames *frames, snw_error *error);

/* A scene of one mesh without a skeleton, with request->sequence as a target without a clip. The rest pose is request->rest, or
 * the first frame of numbered .obj files; the pose "rest" has no joints. */
snw_status snw_sequence_read(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error);

/* The same with the further meshes of the request, each with a target of its own, and one clip for all of them, named like the
 * first. Fails if they do not have the same moments. */
snw_status snw_import_sequence(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error);

#endif
