/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors as the papers measure them; docs/measures.md gives the formulas.
 */
#ifndef SINEW_HOST_MEASURE_MEASURE_H
#define SINEW_HOST_MEASURE_MEASURE_H

#include "stack/stack.h"
#include "task/task.h"

/* What measures are made of: sums of squares, of lengths in units of half the diagonal and of angles in degrees. */
typedef struct snw_measure_squares {
	double errors, spread, rigid, angles;
	uint64_t angle_count;
} snw_measure_squares;

/* Over the frames of one mesh; P is the ground truth, P' the result. At an example the ground truth is its edited points: the
 * others count as right (P = P'), and what becomes of them is the spill. */
typedef struct snw_measure {
	uint32_t frame_count, point_count;
	double erms;               /* 1000 ‖P − P'‖_F / √(3VF) ÷ half the diagonal of the rest bounding box */
	double distortion_percent; /* 100 ‖P − P'‖_F / ‖P − P_average‖_F; NaN where not defined (one frame) */
	double enveloping_error;   /* rotational regression, section 7.1: against the best rigid prediction; NaN without a skin */
	double max_percent;        /* of the diagonal */
	uint32_t max_point, max_frame;
	/* At the points that examples leave unedited: how far the stack takes them from where the layers below put them, in
	 * millimetres, root mean square and largest. NaN where there are none. */
	double spill_mm, spill_max_mm;
	/* Of the angles between the normals, degrees: root mean square and largest; NaN without faces. */
	double normals_degrees, normals_max_degrees;
	snw_measure_squares squares;
} snw_measure;

/* The ground truth to measure against: the examples, or one target or sequence. */
typedef struct snw_measure_request {
	uint32_t mesh;
	uint32_t target;      /* SNW_NONE: the examples of that mesh */
	const char *method;   /* as in snw_stack_options; "source" compares the ground truth with itself */
	const double *region; /* [point_count]: only points where it is 0.5 or more are measured; NULL: all */
} snw_measure_request;

snw_status snw_measure_run(const snw_scene *scene, const snw_registry *registry, const snw_measure_request *request,
						   const snw_task *task, snw_measure *measure, snw_error *error);

/* Of several meshes together at the same frames, each in units of its own size; `farthest` is the index of the one that
 * `max_percent` is of. One measure is returned as it is. */
snw_measure snw_measure_together(uint32_t count, const snw_measure *measures, uint32_t *farthest);

/* For each example that is not muted: fits the method of `layer` without it, and measures there. `measures` is
 * [example_count], in the scene's order, zeros for muted ones. */
snw_status snw_measure_leave_one_out(const snw_scene *scene, const snw_registry *registry, const char *layer,
									 const snw_task *task, snw_measure *measures, snw_error *error);

/* For each pose of a set (a target of scene with is_set): fits the method of `layer` without it, and measures there. `measures`
 * is [frame_count]. */
snw_status snw_measure_leave_poses_out(const snw_scene *scene, const snw_registry *registry, const char *layer, uint32_t set,
									   const snw_task *task, snw_measure *measures, snw_error *error);

/* The distance between two point sets at each point, metres, for error maps. */
void snw_measure_distances(uint32_t point_count, const double *a, const double *b, double *distances);

#endif
