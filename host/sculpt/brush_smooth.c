/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Smooth, relax, soften and blur move values towards the mean of the neighbours, in up to four passes. Each pass goes halfway
 * at most, so that no pattern of points oscillates. A point on a border uses only its neighbours on the border.
 */
#include "sculpt/sculpt_internal.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "task/parallel.h"

enum { PASSES = 4 };

/* Arrays are indexed by point. They include the ring around the region, whose values do not change. */
typedef struct smoothing {
	snw_sculpt *sculpt;
	const double *values; /* [point_count][width]: before the dab */
	uint32_t width;       /* 3 for positions, 1 for mask and field */
	const double *from;   /* [point_count][width]: the last pass */
	double *to;
	double factor;
	bool keeps_shape; /* moves points along the surface only */
} smoothing;

/* Sums over a point's neighbours; returns how many were used. */
static inline uint32_t sum_neighbours(const smoothing *work, uint32_t point, uint32_t width, double sum[3]) {
	const snw_adjacency *around = &work->sculpt->around;
	const uint32_t begin = around->neighbour_starts[point], end = around->neighbour_starts[point + 1];
	const bool on_border = around->on_border[point];
	uint32_t count = 0;
	for (uint32_t k = begin; k < end; k++) {
		const uint32_t neighbour = around->neighbours[k];
		if (on_border && !around->on_border[neighbour]) {
			continue;
		}
		for (uint32_t c = 0; c < width; c++) {
			sum[c] += work->from[(size_t)width * neighbour + c];
		}
		count++;
	}
	return count;
}

/* Smooths one point; `width` is a compile-time constant at each call. */
static inline void smooth_point(const smoothing *work, uint32_t i, uint32_t width) {
	const snw_sculpt *sculpt = work->sculpt;
	const uint32_t point = sculpt->region.points[i];
	const double *from = work->from + (size_t)width * point, reach = work->factor * sculpt->region.weights[i];
	double *to = work->to + (size_t)width * point, step[3] = {0};
	const bool is_fixed = work->keeps_shape && sculpt->around.on_border[point];
	const uint32_t count = is_fixed ? 0 : sum_neighbours(work, point, width, step);
	for (uint32_t c = 0; c < width; c++) {
		step[c] = count > 0 ? reach * (step[c] / count - from[c]) : 0;
	}
	if (work->keeps_shape) {
		const double *normal = sculpt->normals + 3 * (size_t)point;
		const double height = snw_dot3(step, normal);
		for (int c = 0; c < 3; c++) {
			step[c] -= height * normal[c];
		}
	}
	for (uint32_t c = 0; c < width; c++) {
		to[c] = from[c] + step[c];
	}
}

static void smooth_pass(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const smoothing *work = argument;
	for (uint32_t i = begin; i < end && work->width == 3; i++) {
		smooth_point(work, i, 3);
	}
	for (uint32_t i = begin; i < end && work->width == 1; i++) {
		smooth_point(work, i, 1);
	}
}

/* Copies the region and its ring into both buffers: passes write the region alone, but read the ring. */
static void copy_ring(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const smoothing *work = argument;
	const snw_sculpt *sculpt = work->sculpt;
	const size_t width = work->width;
	for (uint32_t i = begin; i < end; i++) {
		const size_t at = width * sculpt->ring.items[i];
		for (size_t c = at; c < at + width; c++) {
			sculpt->partial[c] = sculpt->smoothed[c] = work->values[c];
		}
	}
}

/* The result: displacements of positions, or the new values of mask or field. */
static void take_result(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const smoothing *work = argument;
	snw_sculpt *sculpt = work->sculpt;
	for (uint32_t i = begin; i < end; i++) {
		const size_t at = (size_t)work->width * sculpt->region.points[i];
		for (size_t c = 0; c < work->width; c++) {
			sculpt->result[3 * (size_t)i + c] = work->from[at + c] - (work->width == 3 ? sculpt->points[at + c] : 0);
		}
	}
}

static void run_passes(smoothing *work, double amount) {
	snw_sculpt *sculpt = work->sculpt;
	const int passes = amount < 0 ? 1 : PASSES;
	snw_parallel_for(sculpt->ring.count, SNW_SCULPT_GRAIN, copy_ring, work);
	work->from = sculpt->partial;
	work->to = sculpt->smoothed;
	for (int pass = 0; pass < passes; pass++) {
		work->factor = amount < 0 ? amount / 4 : 0.5 * fmin(1, fmax(0, PASSES * amount - pass));
		if (work->factor == 0) {
			break;
		}
		snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, smooth_pass, work);
		work->from = work->to;
		work->to = work->from == sculpt->partial ? sculpt->smoothed : sculpt->partial;
	}
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN, take_result, work);
}

void snw_brush_smooth(snw_sculpt *sculpt, double amount, bool along_surface) {
	smoothing work = {.sculpt = sculpt, .values = sculpt->points, .width = 3, .keeps_shape = along_surface};
	run_passes(&work, amount);
	if (along_surface) {
		snw_brush_project_to_surface(sculpt);
	}
}

void snw_brush_blur(snw_sculpt *sculpt, const double *values, double amount) {
	smoothing work = {.sculpt = sculpt, .values = values, .width = 1};
	run_passes(&work, amount);
}
