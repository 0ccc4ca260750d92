/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/score.h"

#include <math.h>

snw_scored_series snw_scored_series_make(const snw_series *series) {
	snw_scored_series scored = {.series = *series, .spread = snw_series_spread(series)};
	snw_arena *arena = snw_arena_create();
	double *rigid = SNW_NEW_ARRAY(arena, double, series->frame_count);
	snw_series_rigid(series, rigid);
	for (uint32_t f = 0; f < series->frame_count; f++) {
		scored.rigid += rigid[f];
	}
	snw_arena_destroy(arena);
	return scored;
}

double snw_scored_series_rigid_erms(const snw_scored_series *scored) {
	const snw_measure_sums sums = {.squares = scored->rigid};
	return snw_measure_finish(&scored->series, scored->series.frame_count, &sums, 0, 0).erms;
}

snw_tally snw_tally_begin(const snw_scored_series *scored, snw_arena *arena) {
	return (snw_tally){.scored = scored, .point_squares = SNW_NEW_ARRAY(arena, double, scored->series.mesh->point_count)};
}

static void add_frame(snw_tally *tally, uint32_t frame, const double *expected, const double *actual, double *distances) {
	const uint32_t points = tally->scored->series.mesh->point_count;
	snw_measure_add(&tally->scored->series, frame, expected, actual, &tally->sums);
	snw_measure_distances(points, expected, actual, distances);
	for (uint32_t i = 0; i < points; i++) {
		tally->point_squares[i] += distances[i] * distances[i];
	}
	tally->frame_count++;
}

snw_status snw_tally_frames(snw_tally *tally, const snw_stack *stack, uint32_t mesh, uint32_t begin, uint32_t end,
							const snw_task *task, snw_error *error) {
	const snw_series *series = &tally->scored->series;
	const size_t points = series->mesh->point_count;
	snw_arena *arena = snw_arena_create();
	double *expected = SNW_NEW_ARRAY(arena, double, 3 * points), *actual = SNW_NEW_ARRAY(arena, double, 3 * points);
	double *distances = SNW_NEW_ARRAY(arena, double, points);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_normal_comparison *normals = snw_normal_comparison_create(series->mesh);
	snw_status status = SNW_OK;
	for (uint32_t f = begin; f < end && !snw_failed(status); f++) {
		if (!snw_task_progress(task, (double)(f - begin) / (end - begin), "measuring")) {
			status = snw_fail(error, SNW_CANCELLED, "the comparison was cancelled");
			break;
		}
		status = snw_stack_drive(stack, series->frames[f].pose, evaluation, error);
		status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, mesh, NULL, actual, error);
		if (!snw_failed(status)) {
			snw_series_points(series, f, expected);
			add_frame(tally, f, expected, actual, distances);
			snw_normal_angles_add_stack(normals, expected, actual, stack, evaluation, mesh, NULL, &tally->sums.normals);
		}
	}
	snw_normal_comparison_destroy(normals);
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : SNW_OK;
}

/* The mean of the points' errors and their standard deviation. */
static void spread_over_points(const snw_tally *tally, double *mean, double *spread) {
	const uint32_t points = tally->scored->series.mesh->point_count;
	double squares = 0;
	*mean = 0;
	for (uint32_t i = 0; i < points; i++) {
		*mean += sqrt(tally->point_squares[i] / tally->frame_count) / points;
		squares += tally->point_squares[i] / tally->frame_count / points;
	}
	*spread = sqrt(fmax(0, squares - *mean * *mean));
}

snw_compare_score snw_tally_score(const snw_tally *tally) {
	const snw_scored_series *scored = tally->scored;
	const snw_series *series = &scored->series;
	snw_compare_score score = {
		.is_known = true,
		.measure = snw_measure_finish(series, tally->frame_count, &tally->sums, scored->spread, scored->rigid),
	};
	const double rigid = sqrt(scored->rigid / series->frame_count / series->mesh->point_count);
	double mean, spread;
	spread_over_points(tally, &mean, &spread);
	score.point_mean_percent = rigid > 0 ? 100 * mean / rigid : (double)NAN;
	score.point_spread_percent = rigid > 0 ? 100 * spread / rigid : (double)NAN;
	return score;
}
