/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The times of exported frames: those of a clip's target or sequence, its keys, or a given rate.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_FRAME_TIMES_H
#define SINEW_HOST_EXPORT_POINTS_FRAME_TIMES_H

#include "export/export.h"

typedef struct snw_frame_times {
	uint32_t clip;              /* SNW_NONE for a sequence without one */
	const snw_target *sequence; /* with these frames; NULL if a clip's tracks move the mesh */
	uint32_t first;             /* the first of the sequence's frames */
	uint32_t count;
	const double *seconds; /* [count], ascending */
} snw_frame_times;

/* `has_skin`: a layer acts on the mesh, so it can be evaluated between a sequence's frames. */
snw_status snw_frame_times_choose(const snw_scene *scene, uint32_t mesh, bool has_skin, const snw_export_request *request,
								  snw_arena *arena, snw_frame_times *times, snw_error *error);

/* Frames per second; 0 for uneven times, or a single frame. */
double snw_frame_times_rate(const snw_frame_times *times);

#endif
