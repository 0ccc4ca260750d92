/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a contender of a comparison is judged by: what it costs to run, what its export loses, its errors.
 */
#ifndef SINEW_HOST_COMPARE_SCORE_H
#define SINEW_HOST_COMPARE_SCORE_H

#include "compare/compare.h"
#include "measure/measured_frames.h"
#include "stack/stack.h"

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
