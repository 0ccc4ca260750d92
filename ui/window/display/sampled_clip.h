/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A clip prepared for scrubbing. Its poses are sampled when they are first needed, and a few in each redraw, so that even a
 * long clip is shown at once and showing a pose is usually a look-up.
 */
#ifndef SINEW_UI_WINDOW_DISPLAY_SAMPLED_CLIP_H
#define SINEW_UI_WINDOW_DISPLAY_SAMPLED_CLIP_H

#include "pose/pose.h"

typedef struct snw_sampled_clip {
	snw_arena *arena; /* NULL: empty */
	uint32_t clip;
	double duration_seconds;
	uint32_t key_count;
	double *key_seconds; /* the frames that the arrow keys step through: ascending, at least one */
	uint32_t count;
	double *seconds; /* [count]: the keys, the targets' frames, and moments between them for smooth motion */
	const snw_scene *scene;
	snw_pose **poses; /* [count]; NULL until needed */
	uint32_t truth_count;
	double *truth_seconds; /* [truth_count]: moments with a target */
} snw_sampled_clip;

void snw_sampled_clip_load(snw_sampled_clip *sampled, const snw_scene *scene, uint32_t clip);
void snw_sampled_clip_free(snw_sampled_clip *sampled); /* an empty one does nothing */

/* The latest pose at or before a time; or by index. */
const snw_pose *snw_sampled_clip_pose(const snw_sampled_clip *sampled, double seconds);
const snw_pose *snw_sampled_clip_pose_at(const snw_sampled_clip *sampled, uint32_t index);
/* The time of the frame `steps` frames later, wrapping around the ends, in seconds. */
double snw_sampled_clip_step(const snw_sampled_clip *sampled, double seconds, int steps);

#endif
