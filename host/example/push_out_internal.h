/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A push while it is found. Private to host/example.
 */
#ifndef SINEW_HOST_EXAMPLE_PUSH_OUT_INTERNAL_H
#define SINEW_HOST_EXAMPLE_PUSH_OUT_INTERNAL_H

#include "example/push_frames.h"
#include "fit/fit.h"

enum { SNW_MOST_PUSH_JOINTS = 12 };

/* What drives the examples on a side. */
typedef struct snw_push_side {
	const char *group; /* NULL: nothing bends there */
	uint32_t joint_count, joints[SNW_MOST_PUSH_JOINTS];
	double *coefficients; /* [frame_count][example_count] */
} snw_push_side;

typedef struct snw_pushing {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_push_request *request;
	const snw_task *task;
	snw_arena *arena;
	const snw_mesh *mesh;
	double diagonal;
	uint32_t corrective; /* a layer; SNW_NONE: there is none yet */
	snw_stack *stack;
	uint32_t moment_count, frame_count;
	snw_contact_moment *moments; /* of all clips that move joints */
	snw_push_frame *frames;      /* moments of the clips that were asked for, and some of the others */
	snw_push_frames *all;
	const double *is_left;  /* [point_count]: 0 to 1 */
	snw_mirror_plane plane; /* between the sides */
	uint32_t *chosen;       /* frames, those of the examples */
	bool *excluded;         /* [frame_count]: the drivers cannot tell it from rest or from a chosen one */
	uint32_t chosen_count;
	snw_push_side sides[2]; /* left, right; of one that both share the first */
	snw_push_out push;
	double *displacements;
	const double *still; /* [point_count][3]: one displacement for all moments; NULL: it was not needed */
	double still_deepest;
	double weight; /* of what rows lack, against smoothness, in the next step */
} snw_pushing;

bool snw_pushing_asks(const snw_push_request *request, uint32_t clip);
/* Moments of all clips that move joints, and the frames among them. */
void snw_pushing_list_frames(snw_pushing *p);
snw_pose *snw_pushing_pose(const snw_pushing *p, uint32_t frame);

/* Finds the poses, their drivers and the displacements: poses are added where it is deepest, until nothing is deeper than
 * asked. Where one is not enough, finds one displacement for all moments too. */
snw_status snw_pushing_add_poses(snw_pushing *p, snw_error *error);

/* The example at a chosen frame, over those before it. */
snw_sculpt_commit snw_pushing_commit(const snw_pushing *p, const snw_scene *scene, uint32_t frame, const double *points,
									 const double *original);

/* Fits the corrective; SNW_NONE: a first one. */
snw_fit_request snw_pushing_fit_request(const snw_scene *scene, const snw_registry *registry, uint32_t corrective);

/* The stack of a scene whose corrective is fitted anew. */
typedef struct snw_fitted_stack {
	snw_scene *scene;
	snw_stack *stack;
	snw_evaluation *evaluation;
} snw_fitted_stack;

/* Close it in any case. */
snw_status snw_fitted_open(const snw_pushing *p, const snw_scene *scene, const snw_task *task, snw_fitted_stack *fitted,
						   snw_error *error);
void snw_fitted_close(snw_fitted_stack *fitted);

#endif
