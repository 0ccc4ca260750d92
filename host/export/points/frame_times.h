/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When the frames of a file of frames are: those of a clip's target or sequence, its keys, or so many a second.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_FRAME_TIMES_H
#define SINEW_HOST_EXPORT_POINTS_FRAME_TIMES_H

#include "export/export.h"

typedef struct snw_frame_times {
	uint32_t clip;              /* SNW_NONE for a sequence without one */
	const snw_target *sequence; /* whose frames these are; NULL where a clip's tracks say what moves */
	uint32_t first;             /* the first of the sequence's frames */
	uint32_t count;
	const double *seconds; /* [count], rising */
} snw_frame_times;

/* `has_skin`: a layer acts on the mesh, so there is something to show between a sequence's frames. */
snw_status snw_frame_times_choose(const snw_scene *scene, uint32_t mesh, bool has_skin, const snw_export_request *request,
								  snw_arena *arena, snw_frame_times *times, snw_error *error);

/* Frames per second where they are even; 0 where they are not, or there is one. */
double snw_frame_times_rate(const snw_frame_times *times);

#endif
