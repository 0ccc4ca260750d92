/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formulas of docs/measures.md. Sums run over points in order, so they are the same for any number of threads.
 */
#include <math.h>
#include <string.h>

#include "measure/measured_frames.h"
#include "sinew/algebra.h"
#include "task/parallel.h"

enum { GRAIN = 512 };

static double distance_between(const double *a, const double *b) {
	const double difference[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return snw_length3(difference);
}

void snw_measure_distances(uint32_t point_count, const double *a, const double *b, double *distances) {
	for (uint32_t i = 0; i < point_count; i++) {
		distances[i] = distance_between(a + 3 * (size_t)i, b + 3 * (size_t)i);
	}
}

bool snw_series_counts(const snw_series *series, uint32_t point) {
	return !series->region || series->region[point] >= 0.5;
}

uint32_t snw_series_point_count(const snw_series *series) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < series->mesh->point_count; i++) {
		count += snw_series_counts(series, i);
	}
	return count;
}

void snw_measure_add(const snw_series *series, uint32_t frame, const double *expected, const double *actual,
					 snw_measure_sums *sums) {
	for (uint32_t i = 0; i < series->mesh->point_count; i++) {
		if (!snw_series_counts(series, i)) {
			continue;
		}
		const double distance = distance_between(expected + 3 * (size_t)i, actual + 3 * (size_t)i);
		sums->squares += distance * distance;
		/* A distance that is not a number counts as the largest. */
		if (distance > sums->max_distance || (isnan(distance) && !isnan(sums->max_distance))) {
			sums->max_distance = distance;
			sums->max_point = i;
			sums->max_frame = frame;
		}
	}
}

static void point_at(const snw_series *series, uint32_t frame, uint32_t point, double dest[3]) {
	const snw_measured_frame *measured = &series->frames[frame];
	for (size_t c = 0; c < 3; c++) {
		const size_t i = 3 * (size_t)point + c;
		dest[c] = measured->points != NULL ? measured->points[i] : (double)measured->points_single[i];
	}
}

double snw_series_spread(const snw_series *series) {
	double sum = 0;
	for (uint32_t i = 0; i < series->mesh->point_count; i++) {
		if (!snw_series_counts(series, i)) {
			continue;
		}
		double first[3], mean[3], point[3];
		point_at(series, 0, i, first);
		memcpy(mean, first, sizeof mean);
		for (uint32_t f = 1; f < series->frame_count; f++) {
			point_at(series, f, i, point);
			for (int c = 0; c < 3; c++) {
				mean[c] += (point[c] - first[c]) / series->frame_count; /* exactly 0 for a point that never moves */
			}
		}
		for (uint32_t f = 0; f < series->frame_count; f++) {
			point_at(series, f, i, point);
			for (int c = 0; c < 3; c++) {
				sum += (point[c] - mean[c]) * (point[c] - mean[c]);
			}
		}
	}
	return sum;
}

typedef struct series_point {
	const snw_series *series;
	uint32_t point, farthest; /* a frame */
} series_point;

typedef struct rigid_search {
	const snw_series *series;
	uint32_t *best; /* [point_count]: the slot */
} rigid_search;

static double rigid_square(const snw_series *series, uint32_t frame, uint32_t point, uint32_t slot) {
	double predicted[3], expected[3];
	snw_mat34_point(series->frames[frame].pose->palette + 12 * (size_t)slot, series->mesh->points_rest + 3 * (size_t)point,
					predicted);
	point_at(series, frame, point, expected);
	const double distance = distance_between(predicted, expected);
	return distance * distance;
}

/* The frame in which a point is farthest from its place at rest: most slots are far off there. */
static uint32_t farthest_frame(const snw_series *series, uint32_t point) {
	uint32_t farthest = 0;
	double most = -1, current[3];
	for (uint32_t f = 0; f < series->frame_count; f++) {
		point_at(series, f, point, current);
		const double distance = distance_between(series->mesh->points_rest + 3 * (size_t)point, current);
		if (distance > most) {
			most = distance;
			farthest = f;
		}
	}
	return farthest;
}

/* The sum of a slot's squares. One that is more than `least` need not be exact; one that is no number is infinite. */
static double sum_slot(const series_point *of, uint32_t slot, double least) {
	if (rigid_square(of->series, of->farthest, of->point, slot) > least) {
		return INFINITY;
	}
	double sum = 0;
	for (uint32_t f = 0; f < of->series->frame_count && sum <= least; f++) {
		sum += rigid_square(of->series, f, of->point, slot);
	}
	return isnan(sum) ? (double)INFINITY : sum;
}

/* The slot of least squares, the first of equals. Neighbours mostly have the same one, so that of the point before is tried
 * first and rules out most others by a single frame. */
static void find_best_slots(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const rigid_search *search = argument;
	const snw_series *series = search->series;
	uint32_t best = 0;
	for (uint32_t i = begin; i < end; i++) {
		const series_point of = {series, i, farthest_frame(series, i)};
		double least = sum_slot(&of, best, INFINITY);
		for (uint32_t s = 0; s < series->frames[0].pose->slot_count; s++) {
			const double sum = sum_slot(&of, s, least);
			if (sum < least || (sum == least && s < best)) {
				least = sum;
				best = s;
			}
		}
		search->best[i] = best;
	}
}

void snw_series_rigid(const snw_series *series, double *squares) {
	const bool has_skin = series->frames[0].pose->slot_count > 0;
	snw_arena *arena = snw_arena_create();
	const rigid_search search = {series, SNW_NEW_ARRAY(arena, uint32_t, series->mesh->point_count)};
	if (has_skin) {
		snw_parallel_for(series->mesh->point_count, GRAIN, find_best_slots, (void *)&search);
	}
	for (uint32_t f = 0; f < series->frame_count; f++) {
		squares[f] = has_skin ? 0 : (double)NAN;
		for (uint32_t i = 0; i < series->mesh->point_count && has_skin; i++) {
			squares[f] += snw_series_counts(series, i) ? rigid_square(series, f, i, search.best[i]) : 0;
		}
	}
	snw_arena_destroy(arena);
}

snw_measure snw_measure_finish(const snw_series *series, uint32_t count, const snw_measure_sums *sums, double spread,
							   double rigid) {
	const uint32_t point_count = snw_series_point_count(series);
	const double numbers = 3.0 * point_count * count, half = series->diagonal / 2;
	return (snw_measure){
		.frame_count = count,
		.point_count = point_count,
		.erms = 1000 * sqrt(sums->squares / numbers) / half,
		.distortion_percent = count > 1 && spread > 0 ? 100 * sqrt(sums->squares / spread) : (double)NAN,
		.enveloping_error = rigid > 0 ? sqrt(sums->squares / rigid) : (double)NAN,
		.max_percent = 100 * sums->max_distance / series->diagonal,
		.max_point = sums->max_point,
		.max_frame = sums->max_frame,
		.normals_degrees = snw_normal_angles_mean(&sums->normals),
		.normals_max_degrees = snw_normal_angles_most(&sums->normals),
		.squares = {.errors = sums->squares / (half * half),
					.spread = spread / (half * half),
					.rigid = rigid / (half * half),
					.angles = sums->normals.squares,
					.angle_count = sums->normals.count},
	};
}

static void add_squares(const snw_measure_squares *squares, snw_measure_squares *sums) {
	sums->errors += squares->errors;
	sums->spread += squares->spread;
	sums->rigid += squares->rigid;
	sums->angles += squares->angles;
	sums->angle_count += squares->angle_count;
}

snw_measure snw_measure_together(uint32_t count, const snw_measure *measures, uint32_t *farthest) {
	snw_measure all = {.frame_count = measures[0].frame_count, .normals_max_degrees = (double)NAN};
	*farthest = 0;
	for (uint32_t i = 0; i < count; i++) {
		all.point_count += measures[i].point_count;
		all.normals_max_degrees = fmax(all.normals_max_degrees, measures[i].normals_max_degrees);
		*farthest = measures[i].max_percent > measures[*farthest].max_percent ? i : *farthest;
		add_squares(&measures[i].squares, &all.squares);
	}
	const snw_measure_squares *sums = &all.squares;
	all.erms = 1000 * sqrt(sums->errors / (3.0 * all.point_count * all.frame_count));
	all.distortion_percent = all.frame_count > 1 && sums->spread > 0 ? 100 * sqrt(sums->errors / sums->spread) : (double)NAN;
	all.enveloping_error = sums->rigid > 0 ? sqrt(sums->errors / sums->rigid) : (double)NAN;
	all.normals_degrees = sums->angle_count > 0 ? sqrt(sums->angles / (double)sums->angle_count) : (double)NAN;
	all.max_percent = measures[*farthest].max_percent;
	all.max_point = measures[*farthest].max_point;
	all.max_frame = measures[*farthest].max_frame;
	return count == 1 ? measures[0] : all;
}
