/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pushes a mesh out of others: displacements of its rest points, a set for each of a few examples, that together leave nothing
 * deep in many frames.
 *
 * At a frame f a point p is displaced by u = Σ_k c_fk x_kp: x are the displacements of the examples, c the coefficients by
 * which a corrective interpolates them. With two sides each has coefficients of its own, mixed by the share of the point.
 *
 * A row asks that a place of the mesh goes far enough along a direction at a frame: Σ_j vectors_j · u(points_j) ≥ least. All
 * rows are met at once, in the sense of least squares of what they lack, against the smoothness of each x (its umbrella
 * Laplacian) and a little of its size. No displacement is longer than `most`.
 *
 * Deterministic. Any thread.
 */
#ifndef SINEW_HOST_CONTACT_PUSH_OUT_H
#define SINEW_HOST_CONTACT_PUSH_OUT_H

#include "base/error.h"
#include "mesh/adjacency.h"
#include "task/task.h"

typedef struct snw_push_row {
	uint32_t frame;
	uint32_t points[3];
	double vectors[3][3]; /* the direction taken back to rest, times the share of the point in the place */
	double least;         /* metres */
	double weight;        /* against other rows */
} snw_push_row;

typedef struct snw_push_out {
	uint32_t point_count, frame_count, example_count;
	const snw_adjacency *around;
	const double *coefficients[2]; /* [frame_count][example_count] of each side; the second NULL: there is one side */
	const double *shares;          /* [point_count]: of the first side; NULL with one side */
	double most;                   /* metres */
} snw_push_out;

/* Improves displacements [example_count][point_count][3]. `weight` says how much what the rows lack counts against
 * smoothness, `damping` how much the change does. SNW_CANCELLED if the task stops. */
snw_status snw_push_out_solve(const snw_push_out *push, uint32_t row_count, const snw_push_row *rows, double weight,
							  double damping, const snw_task *task, double *displacements, snw_error *error);

/* Shortens them where a point goes farther than `most` in an example or at a frame. */
void snw_push_out_limit(const snw_push_out *push, double *displacements);

/* How far points are displaced at a frame, [point_count][3]. */
void snw_push_out_at(const snw_push_out *push, const double *displacements, uint32_t frame, double *displaced);

#endif
