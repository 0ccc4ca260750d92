/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of one mesh that are measured, each with its pose and ground truth; and the sums over them.
 */
#ifndef SINEW_HOST_MEASURE_MEASURED_FRAMES_H
#define SINEW_HOST_MEASURE_MEASURED_FRAMES_H

#include "measure/measure.h"
#include "measure/normal_angles.h"
#include "scene/scene.h"
#include "stack/stack.h"

/* The ground truth at a moment, from an example or a target, and the distance of points from it. */

/* One of the scene's poses, or a time of a clip. */
typedef struct snw_moment {
	uint32_t pose; /* SNW_NONE: the moment of a clip, or no known pose */
	uint32_t clip; /* SNW_NONE: none */
	double seconds;
} snw_moment;

/* The ground truth of one mesh: one of the two, or neither. */
typedef struct snw_ground_truth {
	const double *sculpt;
	const float *frame;
	const snw_example *example; /* of the sculpt: only its edited points have a ground truth */
} snw_ground_truth;
snw_ground_truth snw_ground_truth_at(const snw_scene *scene, const snw_moment *moment, uint32_t mesh);

/* The distance of the points of a mesh [point_count][3] from it, in millimetres: each into `distances` [point_count] (may be
 * NULL), 0 for points that are not edited, and the largest as the result. Uses all threads. */
double snw_ground_truth_distances(const snw_ground_truth *truth, const float *points, uint32_t point_count, double *distances);

/* The ground truth of a frame: either doubles (an example) or floats (a target). */
typedef struct snw_measured_frame {
	const char *name; /* for messages */
	const snw_pose_view *pose;
	const double *points;       /* [point_count][3], or NULL */
	const float *points_single; /* the same in float */
	const snw_example *example; /* NULL of a target */
} snw_measured_frame;

typedef struct snw_series {
	const snw_mesh *mesh;
	double diagonal;      /* of the rest bounding box */
	const double *region; /* [point_count]: only points where it is 0.5 or more count; NULL for all */
	uint32_t frame_count;
	const snw_measured_frame *frames;
} snw_series;

/* The examples of a mesh in the scene's order, or one target or sequence, with their poses solved. All in `arena`. */
snw_status snw_series_of_examples(const snw_scene *scene, uint32_t mesh, snw_arena *arena, snw_series *series,
								  snw_error *error);
snw_status snw_series_of_target(const snw_scene *scene, uint32_t target, snw_arena *arena, snw_series *series,
								snw_error *error);

/* A frame's points as doubles, into [point_count][3]. */
void snw_series_points(const snw_series *series, uint32_t frame, double *points);

/* The sums so far. */
typedef struct snw_measure_sums {
	double spill_squares, spill_most; /* metres */
	uint64_t spill_count;             /* of points that are not edited */
	double squares;                   /* Σ ‖P − P'‖² */
	double max_distance;
	uint32_t max_point, max_frame;
	snw_normal_angles normals; /* added apart (measure/normal_angles.h); where they are not, their measures are NaN */
} snw_measure_sums;

/* Adds frame `frame`: the ground truth and the result, both [point_count][3]. */
void snw_measure_add(const snw_series *series, uint32_t frame, const double *expected, const double *actual,
					 snw_measure_sums *sums);

/* Counts the points that an example leaves unedited as right: `expected` becomes the result there. Adds to the spill how far
 * that is from what `expected` was. */
void snw_measure_spare_unedited(const snw_series *series, uint32_t frame, const double *actual, double *expected,
								snw_measure_sums *sums);

/* Σ ‖P − P_average‖² over the series. */
double snw_series_spread(const snw_series *series);

/* Σ ‖P − R‖² of the best rigid prediction R for each of the frames: each point follows the one slot that predicts it best
 * over all frames. squares is [frame_count]; NaN without a skin. */
void snw_series_rigid(const snw_series *series, double *squares);

/* The measures of `count` frames of a series from `first`, from their sums. `spread` and `rigid` are the sums above over
 * these frames. */
snw_measure snw_measure_finish(const snw_series *series, uint32_t count, const snw_measure_sums *sums, double spread,
							   double rigid);

/* ---- parts of a clip or a set -------------------------------------------------------------------------------------------- */

/* Some of a clip's frames: begin, begin + step, … below `end`. */
typedef struct snw_frame_part {
	uint32_t begin, end, step;
} snw_frame_part;

/* Part `part` of `part_count` of nearly equal size. Frames in order are cut into ranges, because neighbouring frames are alike.
 * A set's poses are dealt out in turn: its files are often sorted by kind, and a range would hold out one whole kind. */
snw_frame_part snw_frame_part_of(uint32_t frame_count, uint32_t part_count, uint32_t part, bool is_set);

/* The scene without some frames of a target. */
snw_scene snw_scene_without_frames(const snw_scene *scene, uint32_t target, snw_frame_part left_out, snw_arena *arena);

/* ---- compression --------------------------------------------------------------------------------------------------------- */

/* How much smaller a mesh animation is as a skin, counted as Kavan et al. 2007 do in Table 1: numbers of points and normals
 * in all frames against those of the rest and of both palettes, 6 m n / (12 p n + 6 m) for p rigid proxy joints; 24 p n for
 * affine ones. Displacements add their vectors and a coefficient a frame, for normals too. Weights are not counted. */

typedef struct snw_compression {
	uint32_t frame_count, proxy_count, displacement_count;
	bool rigid;         /* no joint scales or shears at the tested frames */
	double ratio;       /* as above */
	double point_bytes; /* the points of the frames as floats, to compare with the size of a saved model */
} snw_compression;

/* False if the mesh has neither a sequence nor a target, or if its stack is not a program with its own palette. */
bool snw_compression_find(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, snw_compression *compression);

#endif
