/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of a clip's tracks at a time, and the unwound turns that its rotation tracks have made by then.
 */
#ifndef SINEW_HOST_POSE_CLIP_H
#define SINEW_HOST_POSE_CLIP_H

#include "scene/scene.h"

/* How many numbers one value of a track holds: 3, 4, 3 or 1 by path. */
uint32_t snw_track_width(const snw_track *track);

/* The last key that is not after a time; 0 where all are. */
uint32_t snw_track_key(const snw_track *track, double seconds);

/* The value at a time, clamped to the track's keys; `value` has room for 4. As glTF 2.0, appendix C: step holds a key until the
 * next, linear rotations go by slerp along the shortest arc, cubic ones by a Hermite spline whose tangents are per second;
 * rotations come out with length 1. */
void snw_track_sample(const snw_track *track, double seconds, double value[4]);

/* A rotation track walked from its first key, with the turn away from rest that it has made by then. Between keys it goes in
 * steps that depend on the keys alone, so a turn at a time is the same whether or not other times were asked for before. */
typedef struct snw_rotation_walk {
	const snw_track *track;
	double rest[4];   /* the joint's rotation at rest */
	uint32_t key;     /* the walk stands in the segment behind this key … */
	uint32_t step;    /* … after so many of its steps */
	double vector[3]; /* the turn there */
} snw_rotation_walk;

void snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], snw_rotation_walk *walk);
/* Walks past all keys: the turn at each of them, [key_count][3]. */
void snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], double *vectors);
/* The turn at any time, of a track with the turns at its keys. */
void snw_rotation_walk_from_keys(const snw_track *track, const double rest_rotation[4], const double *vectors, double seconds,
								 double vector[3]);
/* The turn at a time not before the one asked for last. */
void snw_rotation_walk_to(snw_rotation_walk *walk, double seconds, double vector[3]);

/* The rotation vector of the unit quaternion `delta` (either sign) that lies nearest to `near`: rotation vectors of one
 * rotation differ by whole turns about its axis. Where the rotation is the identity its axis is that of `near`. */
void snw_rotation_vector_nearest(const double delta[4], const double near[3], double vector[3]);

#endif
