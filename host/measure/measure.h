/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors as the papers measure them; docs/measures.md gives the formulas.
 */
#ifndef SINEW_HOST_MEASURE_MEASURE_H
#define SINEW_HOST_MEASURE_MEASURE_H

#include "fit/fit.h"
#include "scene/scene.h"
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

/* ---- angles of normals --------------------------------------------------------------------------------------------------- */

/* The angles between the normals of two shapes of one mesh: of a result and its ground truth, or of a file and the stack that
 * it was exported from. A point's normal is the area-weighted one of its faces (mesh/mesh.h), unless the result has its
 * own. */

/* Sums over points and frames. A point without a normal in one of the shapes is not counted. */
typedef struct snw_normal_angles {
	double squares; /* Σ angle², degrees */
	double most;    /* degrees */
	uint64_t count;
} snw_normal_angles;

/* The root mean square angle, degrees; NaN if nothing was counted. And the largest one, likewise. */
double snw_normal_angles_mean(const snw_normal_angles *angles);
double snw_normal_angles_most(const snw_normal_angles *angles);

/* The memory to compare shapes of one mesh in, which must outlive it. For one call at a time. */
typedef struct snw_normal_comparison snw_normal_comparison;
snw_normal_comparison *snw_normal_comparison_create(const snw_mesh *mesh);
void snw_normal_comparison_destroy(snw_normal_comparison *comparison); /* NULL does nothing */

/* Adds the angles between the normals of two shapes, both [point_count][3]. `region` [point_count]: only points where it is 0.5
 * or more; NULL: all. */
void snw_normal_angles_add(snw_normal_comparison *comparison, const double *expected, const double *actual,
						   const double *region, snw_normal_angles *angles);
/* The same for a result that was just evaluated: a stack that brings normals (snw_stack_has_normals) is compared by these. */
void snw_normal_angles_add_stack(snw_normal_comparison *comparison, const double *expected, const double *actual,
								 const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, const double *region,
								 snw_normal_angles *angles);
/* Adds the angles between the normals of a shape and given ones, [point_count][3], of any length; zero for none. */
void snw_normal_angles_add_normals(snw_normal_comparison *comparison, const double *expected, const float *normals,
								   const double *region, snw_normal_angles *angles);

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

/* The frames of one mesh that are measured, each with its pose and ground truth; and the sums over them. */

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
	snw_normal_angles normals; /* added apart (measure/measure.h); where they are not, their measures are NaN */
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

/* ---- the choice of a base ------------------------------------------------------------------------------------------------ */

/* Finds the best layers below a corrective: every available base is measured by the corrective's error at examples that were
 * held out of its fit. */

/* A base: a blend, and optionally a layer over it that needs no fit. */
typedef struct snw_base {
	const char *name; /* the short names of its methods: "blend, layer" */
	uint32_t layer_count;
	/* The whole stack with this base, but without a new corrective: other blends and layers that need no fit are muted. */
	snw_layer *layers;
	double erms; /* root mean square error of the held-out examples */
	double max_percent;
	const char *failure; /* why it could not be measured; NULL */
} snw_base;

typedef struct snw_bases {
	uint32_t count, best;
	snw_base *list;
} snw_bases;

/* Bases are combined from the scene's layers, including muted ones, and from methods that need no fit, whose layers get a free
 * name. `request` names the corrective, its layer and settings. SNW_ERROR_MISSING with fewer than two examples;
 * SNW_ERROR_CONFLICT if the layer belongs to another method. All in `arena`. */
snw_status snw_bases_measure(const snw_scene *scene, const snw_registry *registry, const snw_fit_request *request,
							 const snw_task *task, snw_arena *arena, snw_bases *bases, snw_error *error);

/* ---- suggested poses ----------------------------------------------------------------------------------------------------- */

/* Which pose to sculpt next: how much one more example would reduce the error of a clip, found by trial. The clip's target
 * is the ground truth; its frames are added as examples, fitted, and the whole clip is measured. */

typedef struct snw_suggest_request {
	uint32_t target;        /* a target of a clip */
	const char *method;     /* a deformer's short name or id; it must learn from examples */
	const snw_layer *layer; /* a layer of that method, whose name and settings are used; NULL if there is none */
	uint32_t count;         /* how many examples to choose, one after another */
} snw_suggest_request;

/* A frame of the clip. Its figures include the frames before it in the list. */
typedef struct snw_suggestion {
	uint32_t frame; /* of the target */
	double seconds;
	const char *pose;   /* "walk:1.25" */
	double erms_before; /* of this frame alone, before it is added */
	double erms;        /* of the whole clip, afterwards */
	uint32_t group_count;
	const char **groups; /* those that the example joins */
} snw_suggestion;

typedef struct snw_suggestions {
	double erms; /* of the clip, with the scene's examples */
	uint32_t example_count;
	const char **examples; /* [example_count]: their names */
	/* [example_count], in the scene's order: of the clip without this example; NaN for examples of other meshes. */
	double *erms_without;
	uint32_t count; /* at most the requested number: fewer if no tried frame reduces the error */
	snw_suggestion *list;
} snw_suggestions;

/* A greedy search: each round tries the frames with the largest errors, at some distance from each other, and keeps the best. A
 * frame joins every group of its mesh whose joints it moves elsewhere than the group's examples do, under the mask of the
 * group's first member; if there is none, a new one. A frame that the method cannot fit is skipped. The result is in `arena`.
 * SNW_CANCELLED if the task is stopped. */
snw_status snw_suggest(const snw_scene *scene, const snw_registry *registry, const snw_suggest_request *request,
					   const snw_task *task, snw_arena *arena, snw_suggestions *suggestions, snw_error *error);

/* ---- seams --------------------------------------------------------------------------------------------------------------- */

/* Seams: points at the same place whose skins differ, and how far poses pull them apart. Distances are those of the point
 * metric (point_metric.h), so no mesh is posed. */

/* The seam between two meshes, or within one. Distances are those of the pair that is farthest apart in the clips. */
typedef struct snw_seam {
	uint32_t meshes[2];
	uint32_t pair_count;    /* pairs of points at the same place: each point with the first one of each mesh there */
	uint32_t opening_count; /* those that move apart by more than a millionth of the diagonal */
	uint32_t points[2];
	double clips;    /* root mean square over the poses of all clips, metres */
	double shuffled; /* the same where each joint is in a pose of its own: combinations that no clip shows */
	double bound;    /* the largest in any pose whose joints stay within their ranges in the clips */
} snw_seam;

/* A mesh whose points are not compared, and why. */
typedef struct snw_seam_omission {
	uint32_t mesh;
	const char *reason; /* "it is posed by dual quaternions" */
} snw_seam_omission;

typedef struct snw_seams {
	uint32_t count;
	snw_seam *list;
	uint32_t left_out_count;
	snw_seam_omission *left_out;
	uint32_t pose_count; /* of the clips; poses of the scene without any */
} snw_seams;

/* Compares the meshes that the stack poses by one linear or affine blend of the joints; the others are left out. In `arena`.
 * SNW_CANCELLED if the task is stopped. */
snw_status snw_seams_measure(const snw_scene *scene, const snw_stack *stack, const snw_task *task, snw_arena *arena,
							 snw_seams *seams, snw_error *error);

#endif
