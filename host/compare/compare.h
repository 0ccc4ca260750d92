/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The comparison of methods: each is fitted to one clip and measured there, on a clip that it has not seen, and on parts of its
 * training clip that are left out of the fit. Nothing in the project changes: every fit is of a copy of the scene.
 *
 * A contender is a method, or a stack of methods: "a+b" is b over a. It stands over the character as it came, with the
 * baseline's blend. Methods that need no fit are bound; the others learn in the order of the stack.
 */
#ifndef SINEW_HOST_COMPARE_COMPARE_H
#define SINEW_HOST_COMPARE_COMPARE_H

#include "measure/measure.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "stack/stack.h"
#include "task/task.h"

typedef struct snw_compare_request {
	/* Targets of clips, or sequences that have poses; of one mesh. A set may be both if parts are left out: a row's test is
	 * then what it has at them. */
	uint32_t train, test;
	uint32_t method_count;
	const char *const *methods; /* contenders; none: those of snw_contenders_of_registry */
	/* The training clip is cut into this many parts, each is left out of a fit in turn, and the fits are measured there. If it
	 * has no more frames than that, each frame is left out. 0: no such fits. */
	uint32_t fold_count;
	uint32_t curve_count;
	const uint32_t *curve; /* numbers of training frames: fits to the frames that cover pose space best, ascending */
	/* Methods that learn from sculpts alone get the project's, or, if it has none or `sculpt_count` is not 0, this many frames
	 * of the training clip (0: SNW_COMPARE_SCULPTS). */
	uint32_t sculpt_count;
	uint32_t picture_count; /* frames of the test clip at which posed points are kept */
} snw_compare_request;
enum { SNW_COMPARE_SCULPTS = 12, SNW_COMPARE_MOST_PICTURES = 12 };

/* Errors over the frames of a clip. */
typedef struct snw_compare_score {
	bool is_known;
	snw_measure measure;
	/* Figure 11 of Wang, Pulli and Popović: the errors of the points, each over all frames, in percent of that of the best
	 * rigid prediction: their mean and their standard deviation. The root of the sum of both squares is the enveloping
	 * error. */
	double point_mean_percent, point_spread_percent;
} snw_compare_score;

/* What it takes to evaluate one pose of the mesh. */
typedef struct snw_compare_cost {
	bool is_counted;       /* false with a black box, whose operations nobody knows */
	uint64_t influences;   /* transforms that are blended, over all points */
	uint64_t displaced;    /* points that displacements move, over all of them */
	uint64_t combined;     /* entries of C in T = C z */
	uint64_t operations;   /* floating-point additions and multiplications; what drive does and normals are not counted */
	uint64_t bytes;        /* of the skin program, as floats */
	double seconds, ratio; /* of a pose, driven and run in floats; the ratio to the baseline's in the same run */
} snw_compare_cost;

/* What a glTF file of the stack loses over the test clip (export/export.h). */
typedef struct snw_compare_loss {
	bool is_known;
	double erms, max_percent, normals_degrees;
	double source_erms; /* of the file against the ground truth */
	uint32_t morph_count, proxy_count;
	const char *words; /* notices of the export, or why there is none */
} snw_compare_loss;

typedef struct snw_compare_curve_point {
	uint32_t frame_count;
	double erms; /* of the test clip; NaN if the fit failed */
} snw_compare_curve_point;

typedef struct snw_compare_row {
	const char *name;
	const char *failure;    /* why it has no figures; NULL */
	const char *caveat;     /* of a fit; NULL */
	const char *trained_on; /* "120 frames", "6 sculpts"; NULL: it needs no fit */
	double train_seconds;
	uint64_t model_bytes; /* as saved in the project */
	snw_compare_score train, test, left_out;
	const char *left_out_words; /* "5 parts of 24 frames", or why there are no figures */
	snw_compare_cost cost;
	snw_compare_loss loss;
	uint32_t curve_count;
	snw_compare_curve_point *curve;
	float **pictures; /* [picture_count][point_count][3]; NULL with `failure` */
} snw_compare_row;

typedef struct snw_comparison {
	uint32_t mesh;
	uint32_t row_count;
	snw_compare_row *rows;
	uint32_t picture_count;
	const uint32_t *picture_frames;           /* of the test target: those that cover its poses best */
	double train_rigid_erms, test_rigid_erms; /* of the best rigid prediction: the 100 percent above */
} snw_comparison;

/* All in `arena`. A contender that fails is a row with its reason. SNW_ERROR_MISSING names a method that does not exist;
 * SNW_ERROR_ARGUMENT says what is wrong with the clips; SNW_CANCELLED if the task is stopped. */
snw_status snw_compare_run(const snw_scene *scene, const snw_registry *registry, const snw_compare_request *request,
						   const snw_task *task, snw_arena *arena, snw_comparison *comparison, snw_error *error);

/* ---- by the sculpts alone ------------------------------------------------------------------------------------------------ */

/* A method that learns from the sculpts; or, first, what all learn over. */
typedef struct snw_sculpts_row {
	const char *method;  /* a short name; NULL: the layers without what learned from the sculpts */
	const char *failure; /* why it has no figures; NULL */
	const char *caveat;  /* of the fit to all; NULL */
	/* At the sculpts, of all meshes together: each by a fit that has not read it, and all by a fit to all. Of what all learn
	 * over both are the same. */
	snw_measure left_out, learned;
	double seconds; /* of the fit to all */
	float *picture; /* [point_count][3]: the points at the pictured sculpt by the fit that has not read it; NULL with failure */
} snw_sculpts_row;

typedef struct snw_sculpts_comparison {
	uint32_t row_count;
	snw_sculpts_row
		*rows; /* what all learn over; then the methods, the smallest error where left out first; then those that failed */
	uint32_t part_count, sculpt_count; /* each part is left out of a fit in turn */
	uint32_t example;                  /* the pictured sculpt: the one that is farthest from what all learn over */
	float *sculpt;   /* [point_count][3]: its points, those that are not edited where the layers below put them */
	double diagonal; /* of the box at rest of the mesh that the errors are in units of: the largest */
} snw_sculpts_comparison;

/* The layers of a scene for a fit of `method` (a deformer) that is to learn what the sculpts say: those that have learned from
 * sculpts are muted, and the blend that they replaced is not. *its_layer is the index of the method's layer, which is not
 * muted; SNW_NONE: it has none. [layer_count], in `arena`. `method` may be NULL. */
snw_layer *snw_layers_before_sculpts(const snw_scene *scene, const snw_registry *registry, const snw_deformer *method,
									 snw_arena *arena, uint32_t *its_layer);

/* Compares methods by the sculpts of the scene, over its own layers (snw_layers_before_sculpts): each sculpt is left out in
 * turn or, of many, each of SNW_SCULPTS_MOST_PARTS parts. Methods that have a layer keep its settings. No `methods`: all that
 * can learn from sculpts. All in `arena`. A method that fails is a row with its reason. SNW_ERROR_MISSING with fewer than two
 * sculpts, and for a method that does not exist; SNW_ERROR_ARGUMENT for one that does not learn from sculpts;
 * SNW_ERROR_CONFLICT for a baked scene; SNW_CANCELLED if the task is stopped. */
snw_status snw_compare_sculpts(const snw_scene *scene, const snw_registry *registry, uint32_t method_count,
							   const char *const *methods, const snw_task *task, snw_arena *arena,
							   snw_sculpts_comparison *comparison, snw_error *error);

/* SNW_ERROR_DATA with the first reason if a contender has failed that was asked for by name (`are_chosen`), or if all have;
 * SNW_ERROR_MISSING if there is none. */
snw_status snw_comparison_check(const snw_comparison *comparison, bool are_chosen, snw_error *error);

/* ---- contenders ---------------------------------------------------------------------------------------------------------- */

/* The contenders of a comparison, and what they learn from. */

/* Training sets are scenes in which some frames of the training clip are left out, or have become sculpts. They share
 * everything else with the scene that they are made from. */

/* The scene with sculpts in place of its own: the frames of a target that cover its poses best, at most `most`, in no group.
 * Fails as snw_frames_choose does. */
snw_status snw_scene_with_sculpts(const snw_scene *scene, uint32_t target, uint32_t most, const snw_task *task,
								  snw_arena *arena, snw_scene *with, snw_error *error);

/* One contender of a comparison: the methods of its stack, and fitting them. */

typedef struct snw_contender {
	const char *name; /* "a+b" */
	uint32_t method_count;
	const snw_deformer **methods; /* lowest first */
	bool reads_frames;            /* one of them learns from the frames of clips */
	bool reads_sculpts;           /* one of them learns from sculpts alone */
} snw_contender;

/* Parses "a+b". SNW_ERROR_MISSING names the method that does not exist. */
snw_status snw_contender_parse(const snw_registry *registry, const char *text, snw_arena *arena, snw_contender *contender,
							   snw_error *error);
/* Every method that learns from poses or needs no fit, and for which the scene has what it needs; the baseline first. Then the
 * correctives over each other blend that needs no fit: over a learned one they would cost its fits once more. */
void snw_contenders_of_registry(const snw_scene *scene, const snw_registry *registry, snw_arena *arena,
								snw_contender **contenders, uint32_t *count);

/* What the methods learn from. */
typedef struct snw_training {
	const snw_scene *scene;
	const char *samples;       /* for methods that read frames (fit/samples.h) */
	uint32_t left_out_example; /* SNW_NONE: none */
} snw_training;

/* A scene whose stack is the contender, fitted; the caller destroys it. `seconds` is the time of the fits; *caveat, in `arena`,
 * is what they say of their results (NULL for nothing). */
snw_status snw_contender_fit(const snw_contender *contender, const snw_registry *registry, const snw_training *training,
							 const snw_task *task, snw_arena *arena, snw_scene **fitted, double *seconds, const char **caveat,
							 snw_error *error);

/* ---- score --------------------------------------------------------------------------------------------------------------- */

/* What a contender of a comparison is judged by: what it costs to run, what its export loses, its errors. */

/* What a stack costs to evaluate: counted from its skin programs, and measured beside the baseline's. */

/* Counts the programs of a mesh, and runs both stacks in turn at poses of the series: each pose's shortest time counts, so that
 * what else the machine does falls out of the ratio. On one thread. */
snw_status snw_compare_cost_find(const snw_stack *stack, const snw_stack *baseline, uint32_t mesh, const snw_series *series,
								 snw_compare_cost *cost, snw_error *error);

/* What an exported file of a stack would lose. */

/* Over one clip. An export that fails is a loss that is not known, with its reason; only SNW_CANCELLED is returned as a
 * failure. The words are in `arena`. */
snw_status snw_compare_loss_find(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								 snw_arena *arena, snw_compare_loss *loss, snw_error *error);

/* The errors of a fitted scene over frames of a clip, and of single points over these frames. */

/* Frames, with what every contender is compared with. */
typedef struct snw_scored_series {
	snw_series series;
	double spread; /* Σ ‖P − P_average‖² */
	double rigid;  /* Σ ‖P − R‖²; NaN without a skin */
} snw_scored_series;

snw_scored_series snw_scored_series_make(const snw_series *series);
/* The root mean square distance of the best rigid prediction, as an erms. */
double snw_scored_series_rigid_erms(const snw_scored_series *scored);

/* Sums over frames that several fits may have predicted. */
typedef struct snw_tally {
	const snw_scored_series *scored;
	snw_measure_sums sums;
	double *point_squares; /* [point_count] */
	uint32_t frame_count;
} snw_tally;

snw_tally snw_tally_begin(const snw_scored_series *scored, snw_arena *arena);
/* Evaluates frames begin … end − 1 of the series by the whole stack of a scene. */
snw_status snw_tally_frames(snw_tally *tally, const snw_stack *stack, uint32_t mesh, uint32_t begin, uint32_t end,
							const snw_task *task, snw_error *error);
snw_compare_score snw_tally_score(const snw_tally *tally);

#endif
