/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mesh animations: numbered .obj files, point caches (.pc2) and LightWave's .mdd, as frames or as a scene.
 */
#ifndef SINEW_HOST_IMPORT_SEQUENCE_READ_SEQUENCE_H
#define SINEW_HOST_IMPORT_SEQUENCE_READ_SEQUENCE_H

#include "base/arena.h"
#include "base/error.h"
#include "import/import.h"
#include "task/task.h"

/* Finds the frames of an animation in numbered .obj files. */

/* The files that match a pattern ("frames/f_*.obj"), in the order of their numbers. Files without a number beside numbered ones
 * are left out, and gaps in the numbering are closed, both with a notice to `task` (may be NULL). Fails if two animations
 * match. */
snw_status snw_numbered_paths(const char *pattern, snw_arena *arena, const snw_task *task, char ***paths, size_t *count,
							  snw_error *error);

/* Formats of frames, which are read as a sequence: a scene of one mesh. */
extern const snw_import_format snw_import_pc2, snw_import_mdd, snw_import_numbered_obj;

/* Whether a path is a point cache, which has points alone, or a pattern of .obj files. Fails for any other path. */
snw_status snw_frames_kind(const char *path, bool *is_cache, snw_error *error);

/* As snw_import_frames. If `rest` is not NULL, numbered .obj files must have its faces. */
snw_status snw_frames_read(const char *path, const snw_mesh *rest, uint32_t point_count, double frames_per_second,
						   snw_arena *arena, const snw_task *task, snw_point_frames *frames, snw_error *error);

/* The same with the further meshes of the request, each with a target of its own, and one clip for all of them, named like the
 * first. Fails if they do not have the same moments. */
snw_status snw_import_sequence(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error);

#endif
