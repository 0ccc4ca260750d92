/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A clip made ready to be scrubbed: its poses are sampled when they are first met, some of its frames at a time, so that no clip
 * is too long to be taken up and showing a pose is mostly a look-up.
 */
#ifndef SINEW_UI_WINDOW_DISPLAY_SAMPLED_CLIP_H
#define SINEW_UI_WINDOW_DISPLAY_SAMPLED_CLIP_H

#include "pose/pose.h"

typedef struct snw_sampled_clip {
	snw_arena *arena; /* NULL: empty */
	uint32_t clip;
	double duration_seconds;
	uint32_t key_count;
	double *key_seconds; /* the frames that arrow keys step through: rising, at least one */
	uint32_t count;
	double *seconds; /* [count]: the keys, the targets' frames, and as many moments between as make motion smooth */
	const snw_scene *scene;
	snw_pose **poses; /* [count]; NULL while they have not been met */
	uint32_t truth_count;
	double *truth_seconds; /* [truth_count]: where a target says what the character should look like */
} snw_sampled_clip;

void snw_sampled_clip_load(snw_sampled_clip *sampled, const snw_scene *scene, uint32_t clip);
void snw_sampled_clip_free(snw_sampled_clip *sampled); /* an empty one does nothing */

/* The latest pose at or before a time; or by its place. */
const snw_pose *snw_sampled_clip_pose(const snw_sampled_clip *sampled, double seconds);
const snw_pose *snw_sampled_clip_pose_at(const snw_sampled_clip *sampled, uint32_t index);
/* The frame that is `steps` frames on, round the ends, in seconds. */
double snw_sampled_clip_step(const snw_sampled_clip *sampled, double seconds, int steps);

#endif
