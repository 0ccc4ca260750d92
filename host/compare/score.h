/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The errors of a fitted scene over frames of a clip, and of single points over these frames.
 */
#ifndef SINEW_HOST_COMPARE_SCORE_H
#define SINEW_HOST_COMPARE_SCORE_H

#include "compare/compare.h"
#include "measure/measured_frames.h"

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
