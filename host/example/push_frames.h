/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of a push: how high the points of two meshes are above their patches of each other, and what that asks of the
 * displacements. Private to host/example.
 */
#ifndef SINEW_HOST_EXAMPLE_PUSH_FRAMES_H
#define SINEW_HOST_EXAMPLE_PUSH_FRAMES_H

#include "contact/push_out.h"
#include "example/push_out.h"

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

#endif
