/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mesh animations: numbered .obj files, point caches (.pc2) and LightWave's .mdd; and the scene of one.
 */
#ifndef SINEW_HOST_IMPORT_SEQUENCE_READ_SEQUENCE_H
#define SINEW_HOST_IMPORT_SEQUENCE_READ_SEQUENCE_H

#include "import/import.h"

/* Frames, read as a sequence: a scene of one mesh. */
extern const snw_import_format snw_import_pc2, snw_import_mdd, snw_import_numbered_obj;

/* Whether a path is a point cache, which has points alone, or names .obj files; else an error that says what to name. */
snw_status snw_frames_kind(const char *path, bool *is_cache, snw_error *error);

/* As snw_import_frames; where `rest` is given, the faces of numbered .obj files must be its faces. */
snw_status snw_frames_read(const char *path, const snw_mesh *rest, uint32_t point_count, double frames_per_second,
						   snw_arena *arena, const snw_task *task, snw_point_frames *frames, snw_error *error);

/* A scene of one mesh, which request->sequence moves: a target without a clip. The rest is request->rest, or the first frame of
 * numbered .obj files. There is no skeleton; the pose "rest" has no joints. */
snw_status snw_import_sequence(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error);

#endif
