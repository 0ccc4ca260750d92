/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples the tracks of clips, and unwinds their rotations: rotation vectors that continue those of earlier times.
 */
#ifndef SINEW_HOST_POSE_CLIP_H
#define SINEW_HOST_POSE_CLIP_H

#include "scene/scene.h"

/* The number of components of a track's values: 3, 4, 3 or 1, depending on its path. */
uint32_t snw_track_width(const snw_track *track);

/* The last key that is not after a time; 0 if all are after it. */
uint32_t snw_track_key(const snw_track *track, double seconds);

/* The value at a time, clamped to the track's keys; `value` has room for 4. Interpolation follows glTF 2.0, appendix C: a step
 * keeps a key's value until the next key, linear rotations use slerp along the shortest arc, and cubic values are Hermite
 * splines with tangents per second. Rotations are normalised. */
void snw_track_sample(const snw_track *track, double seconds, double value[4]);

/* The rotation at a fraction of the shortest arc between two, which need not be normalised. */
void snw_quat_slerp(const double from[4], const double to[4], double s, double dest[4]);

/* A walk along a rotation track from its first key, which unwinds the rotation vector relative to rest. The steps between keys
 * depend only on the keys, so the result at a time does not depend on earlier calls. */
typedef struct snw_rotation_walk {
	const snw_track *track;
	double rest[4];   /* the joint's rotation at rest */
	uint32_t key;     /* the walk is in the segment after this key … */
	uint32_t step;    /* … and has made this number of its steps */
	double vector[3]; /* the rotation vector there */
	bool is_set;      /* the keys have no order: each has the shortest rotation vector */
} snw_rotation_walk;

void snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], bool is_set, snw_rotation_walk *walk);
/* Walks through all keys: the rotation vector at each, [key_count][3]. */
void snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], bool is_set, double *vectors);
/* The rotation vector at any time, from those at the track's keys. */
void snw_rotation_walk_from_keys(const snw_track *track, const double rest_rotation[4], const double *vectors, double seconds,
								 double vector[3]);
/* The rotation vector at a time that is not before the time of the previous call. */
void snw_rotation_walk_to(snw_rotation_walk *walk, double seconds, double vector[3]);

/* The rotation vector of the unit quaternion `delta` (either sign) that is nearest to `near`: rotation vectors of the same
 * rotation differ by multiples of 2π about its axis. For the identity, the axis is that of `near`. */
void snw_rotation_vector_nearest(const double delta[4], const double near[3], double vector[3]);

/* A clip that goes through given poses. */

/* A key for each frame, linear between them, in tracks of the properties that ever differ from the rest pose. `seconds` is
 * ascending; there is at least one frame. In `arena`, with the texts. */
snw_clip snw_clip_from_poses(const snw_scene *scene, const char *name, uint32_t frame_count, const double *seconds,
							 const snw_pose *poses, snw_arena *arena);

#endif
