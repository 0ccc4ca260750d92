/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the operator track has found, for those who show it.
 */
#ifndef SINEW_HOST_OPERATORS_TRACK_H
#define SINEW_HOST_OPERATORS_TRACK_H

#include "track/track.h"

typedef struct snw_tracked_motion {
	const char *name;
	snw_track_request request; /* the frames */
	const double *seconds;     /* [request.frame_count] */
	bool is_stored;            /* the frames are a sequence of the project, and become its clip */
	snw_tracked found;
	double took; /* seconds */
} snw_tracked_motion;

/* "pose-3", the name of an example, or "frame 2". */
const char *snw_tracked_frame_label(const snw_tracked_motion *motion, uint32_t frame, snw_arena *arena);

#endif
