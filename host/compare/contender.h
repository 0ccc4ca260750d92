/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contenders of a comparison, and what they learn from.
 */
#ifndef SINEW_HOST_COMPARE_CONTENDER_H
#define SINEW_HOST_COMPARE_CONTENDER_H

#include "compare/compare.h"
#include "measure/measured_frames.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "stack/stack.h"
#include "task/task.h"

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
