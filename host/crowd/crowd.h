/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A crowd: one character many times, in a grid, each playing a clip from a moment of its own. Clips are played by frames at
 * fixed rates, so that what a stack drives at each frame is computed once and kept (on the graphics card, in a file).
 *
 * The case of Kavan, McDonnell, Dobbyn, Žára and O'Sullivan, "Skinning Arbitrary Deformations" (2007), section 6, where a
 * thousand characters are drawn from palettes instead of points.
 */
#ifndef SINEW_HOST_CROWD_CROWD_H
#define SINEW_HOST_CROWD_CROWD_H

#include "base/numbers.h"
#include "lod/lod.h"
#include "scene/scene.h"
#include "stack/stack.h"
#include "task/task.h"

enum { SNW_CROWD_MOST = 10000000, SNW_CROWD_FRAME_MOST = 1 << 20 };

/* The character, and how it is posed. */
typedef struct snw_crowd_character {
	const snw_scene *scene;
	const snw_stack *stack;        /* of the scene; where there are levels it has taken them (snw_stack_take_levels) */
	const snw_level_scene *levels; /* the meshes, then their levels; NULL: no levels */
} snw_crowd_character;

typedef struct snw_crowd_request {
	uint32_t count; /* 1 to SNW_CROWD_MOST */
	uint32_t seed;  /* the same seed gives the same crowd on every machine */
	double rate;    /* frames a second, about */
	uint32_t clip_count;
	const uint32_t *clips; /* that are played; clip_count 0: all of the scene */
} snw_crowd_request;

/* Frames first_frame … first_frame + frame_count − 1 of the crowd, evenly over the clip: frame i of n is at i / n of its
 * duration, since a clip that is played again and again has its end at its start. */
typedef struct snw_crowd_clip {
	uint32_t clip; /* of the scene; SNW_NONE: the rest, of a scene without clips */
	double duration_seconds, rate;
	uint32_t first_frame, frame_count;
	snw_box box; /* round the character at all of these frames; empty until snw_crowd_drive */
} snw_crowd_clip;

typedef struct snw_crowd_member {
	float place[2];       /* where the character's origin is: x and z, metres */
	float yaw;            /* about the vertical, radians */
	uint32_t clip;        /* of the crowd */
	double phase_seconds; /* into the clip, at time 0 */
} snw_crowd_member;

typedef struct snw_crowd {
	uint32_t count, columns, clip_count, frame_count;
	snw_crowd_clip *clips;
	snw_crowd_member *members;
	double spacing; /* of the grid, metres */
} snw_crowd;

/* All in `arena`. SNW_ERROR_LIMIT if the clips have more than SNW_CROWD_FRAME_MOST frames; SNW_ERROR_MISSING if the scene has
 * no mesh. */
snw_status snw_crowd_make(const snw_scene *scene, const snw_crowd_request *request, snw_arena *arena, snw_crowd *crowd,
						  snw_error *error);

/* The frame of a member at a time: the last that has begun. */
uint32_t snw_crowd_frame(const snw_crowd *crowd, const snw_crowd_member *member, double seconds);
/* A box round a member at all frames of its clip, in the world. */
snw_box snw_crowd_member_box(const snw_crowd *crowd, const snw_crowd_member *member);

/* SNW_ERROR_UNSUPPORTED, with the names of its layers, if a mesh has a black box. */
snw_status snw_crowd_check(const snw_scene *posed, const snw_stack *stack, snw_error *error);

/* Drives a stack, whose meshes are those of `posed` (the scene, or one with its levels), at each frame in turn, and finds the
 * clips' boxes. `keep` (NULL: none) gets each frame. Errors of snw_crowd_check; SNW_CANCELLED. */
typedef snw_status snw_crowd_keep(void *context, uint32_t frame, snw_evaluation *evaluation, snw_error *error);
snw_status snw_crowd_drive(const snw_scene *scene, const snw_scene *posed, const snw_stack *stack, snw_crowd *crowd,
						   snw_crowd_keep *keep, void *context, const snw_task *task, snw_error *error);

#endif
