/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes files of points: OBJ, PC2 and MDD.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_POINT_FILES_H
#define SINEW_HOST_EXPORT_POINTS_POINT_FILES_H

#include "base/error.h"
#include "scene/scene.h"

/* Writes one mesh as Wavefront .obj for a sculpting program: points and polygons in order, UVs and custom normals of the
 * corners, with nine digits, so that coordinates are read back as the same floats. */

/* `points` [point_count][3] replaces the rest points. Custom normals belong to the rest pose, so they are written only if
 * `points` is NULL. Atomic. */
snw_status snw_export_obj(const char *path, const snw_mesh *mesh, const double *points, snw_error *error);

/* Writes mesh animations as point caches, frame by frame: .pc2 (little-endian, evenly spaced) and .mdd (big-endian, with
 * times). */

typedef enum snw_cache_kind { SNW_CACHE_PC2, SNW_CACHE_MDD } snw_cache_kind;
typedef struct snw_cache_write snw_cache_write;

/* `seconds` [frame_count] is written to .mdd only. `path` is unchanged until the commit. SNW_ERROR_LIMIT for counts that the
 * formats cannot hold. */
snw_status snw_cache_begin(const char *path, snw_cache_kind kind, uint32_t point_count, uint32_t frame_count,
						   const double *seconds, snw_cache_write **cache, snw_error *error);
/* Writes the next frame, [point_count][3]. A write error is reported by the commit. */
void snw_cache_frame(snw_cache_write *cache, const float *points);
/* Call it after exactly frame_count frames. Frees `cache` even if it fails. */
snw_status snw_cache_commit(snw_cache_write *cache, snw_error *error);
void snw_cache_abandon(snw_cache_write *cache); /* NULL does nothing */

#endif
