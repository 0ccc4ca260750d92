/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Smooth, relax, soften and blur: towards the mean of the neighbours, in up to four passes, each halfway at most, so that no
 * pattern of points can swing. A point of a border follows its neighbours on the border alone.
 */
#include "sculpt/session.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "sinew/algebra.h"

enum { PASSES = 4 };

typedef struct smoothing {
	const snw_sculpt *own;
	const double *values; /* [point_count][width]: what stands outside the region */
	uint32_t width;
	const double *from; /* [region][3] */
	double *to;
	double factor;
	bool keeps_shape; /* only along the surface */
} smoothing;

static const double *value_of(const smoothing *work, uint32_t point) {
	const snw_region *region = &work->own->region;
	const uint32_t place = region->places[point];
	return place < region->count && region->points[place] == point ? work->from + 3 * (size_t)place
																   : work->values + (size_t)work->width * point;
}

/* The mean of a point's neighbours; false where it has none to follow. */
static bool find_mean(const smoothing *work, uint32_t point, double mean[3]) {
	const snw_surroundings *around = &work->own->around;
	uint32_t count = 0;
	mean[0] = mean[1] = mean[2] = 0;
	for (uint32_t k = around->neighbour_starts[point]; k < around->neighbour_starts[point + 1]; k++) {
		const uint32_t neighbour = around->neighbours[k];
		if (around->on_border[point] && !around->on_border[neighbour]) {
			continue;
		}
		const double *value = value_of(work, neighbour);
		for (uint32_t c = 0; c < work->width; c++) {
			mean[c] += value[c];
		}
		count++;
	}
	for (uint32_t c = 0; c < work->width && count > 0; c++) {
		mean[c] /= count;
	}
	return count > 0;
}

static void smooth_pass(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const smoothing *work = argument;
	const snw_sculpt *own = work->own;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = own->region.points[i];
		const double *from = work->from + 3 * (size_t)i;
		double *to = work->to + 3 * (size_t)i, step[3] = {0};
		if (!(work->keeps_shape && own->around.on_border[point]) && find_mean(work, point, step)) {
			for (uint32_t c = 0; c < work->width; c++) {
				step[c] = work->factor * own->region.weights[i] * (step[c] - from[c]);
			}
		}
		if (work->keeps_shape) {
			const double *normal = own->normals + 3 * (size_t)point;
			const double height = snw_dot3(step, normal);
			for (int c = 0; c < 3; c++) {
				step[c] -= height * normal[c];
			}
		}
		for (uint32_t c = 0; c < work->width; c++) {
			to[c] = from[c] + step[c];
		}
	}
}

/* Runs the passes; what comes of it is in own->result. */
static void run_passes(snw_sculpt *own, const double *values, uint32_t width, double amount, bool keeps_shape) {
	for (uint32_t i = 0; i < own->region.count; i++) {
		memcpy(own->result + 3 * (size_t)i, values + (size_t)width * own->region.points[i], width * sizeof *values);
	}
	smoothing work = {.own = own, .values = values, .width = width, .keeps_shape = keeps_shape};
	const int passes = amount < 0 ? 1 : PASSES;
	for (int pass = 0; pass < passes; pass++) {
		work.from = own->result;
		work.to = own->partial;
		work.factor = amount < 0 ? amount / 4 : 0.5 * fmin(1, fmax(0, PASSES * amount - pass));
		if (work.factor == 0) {
			break;
		}
		snw_parallel_for(own->region.count, SNW_SCULPT_GRAIN, smooth_pass, &work);
		double *kept = own->result;
		own->result = own->partial;
		own->partial = kept;
	}
}

static void take_difference(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *own = argument;
	for (uint32_t i = begin; i < end; i++) {
		for (size_t c = 0; c < 3; c++) {
			own->result[3 * (size_t)i + c] -= own->points[3 * (size_t)own->region.points[i] + c];
		}
	}
}

void snw_brush_smooth(snw_sculpt *own, double amount, bool along_surface) {
	run_passes(own, own->points, 3, amount, along_surface);
	snw_parallel_for(own->region.count, SNW_SCULPT_GRAIN, take_difference, own);
	if (along_surface) {
		snw_brush_keep_on_surface(own);
	}
}

void snw_brush_blur(snw_sculpt *own, const double *values, double amount) {
	run_passes(own, values, 1, amount, false);
}
