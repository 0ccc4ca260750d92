/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A push while it is found: its frames and itself. Private to host/example.
 */
#ifndef SINEW_HOST_EXAMPLE_PUSH_OUT_INTERNAL_H
#define SINEW_HOST_EXAMPLE_PUSH_OUT_INTERNAL_H

#include "contact/contact.h"
#include "example/push_out.h"
#include "fit/fit.h"

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

/* The frames of a push: how high the points of two meshes are above their patches of each other, and what that asks of the
 * displacements. Private to host/example. */

#define SNW_PUSH_STEP 0.2 /* of the largest move: how far a point goes at once */
#define SNW_NO_PUSH 1e-5  /* of the diagonal: a displacement that is shorter is none */

/* A point that may have to be pushed out at a frame, or that the mesh has to be pushed away from; as it is without a push. */
typedef struct snw_push_candidate {
	double before;     /* its height, metres; NAN: not known */
	float normal[3];   /* of the surface where it is nearest */
	uint32_t triangle; /* there */
	uint32_t point;
	uint16_t other;  /* an index into the request's others */
	bool is_of_mesh; /* a point of the pushed mesh; else of the other */
} snw_push_candidate;

typedef struct snw_push_frame {
	const snw_contact_moment *moment;
	bool is_asked; /* else nothing may be deeper than before */
	uint32_t candidate_count;
	const snw_push_candidate *candidates;
	double deepest_before, deepest; /* without displacements, and with the last ones; metres */
	double excess; /* the sum of the fourth powers of depths; where it is not asked for, of what is deeper than before */
	uint32_t row_count;
	const snw_push_row *rows;
} snw_push_frame;

typedef struct snw_push_frames snw_push_frames;

/* Poses by the stack. Destroy it in any case. */
snw_push_frames *snw_push_frames_create(const snw_scene *scene, const snw_stack *stack, const snw_push_request *request,
										uint32_t count, snw_push_frame *frames);
void snw_push_frames_destroy(snw_push_frames *all);

const snw_adjacency *snw_push_frames_around(const snw_push_frames *all);
/* How deep the mesh is at a frame without displacements: its points, and those of triangles that a point of another mesh went
 * through. Metres, [point_count]. */
void snw_push_frames_depths(const snw_push_frames *all, uint32_t frame, double *depths);

/* Finds the rows and the deepest of each frame: without displacements the candidates in place of rows, by which later calls
 * look. Rows live until the next call. Frames are divided among the threads; the result is the same for any number of them. */
snw_status snw_push_frames_find(snw_push_frames *all, const snw_push_out *push, const double *displacements,
								const snw_task *task, snw_error *error);

/* ---- the push ------------------------------------------------------------------------------------------------------------ */

/* A push while it is found. Private to host/example. */

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
