/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Smooth, relax, soften and blur move values towards the mean of the neighbours, in up to four passes. Each pass goes halfway
 * at most, so that no pattern of points oscillates. A point on a border uses only its neighbours on the border.
 */
#include <math.h>
#include <string.h>

#include "sculpt/sculpt_internal.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- sliding ------------------------------------------------------------------------------------------------------------- */

/* The slide brush, and the projection that keeps points on the surface. The surface is the one at the start of the stroke,
 * so that a long stroke does not erode it. The search for a point's place starts at its last face and walks from neighbour
 * to neighbour, so a point never jumps to a nearby fold. */

enum { MOST_HOPS = 32 };

/* The point of a triangle nearest to p (Ericson, "Real-time collision detection", 5.1.5): a + v (b - a) + w (c - a). */
static void nearest_of_triangle(const double p[3], const double *a, const double *b, const double *c, double weights[2],
								double dest[3]) {
	double ab[3], ac[3], ap[3];
	for (int k = 0; k < 3; k++) {
		ab[k] = b[k] - a[k];
		ac[k] = c[k] - a[k];
		ap[k] = p[k] - a[k];
	}
	const double b_b = snw_dot3(ab, ab), c_c = snw_dot3(ac, ac), b_c = snw_dot3(ab, ac);
	const double d1 = snw_dot3(ab, ap), d2 = snw_dot3(ac, ap);
	const double d3 = d1 - b_b, d4 = d2 - b_c, d5 = d1 - b_c, d6 = d2 - c_c;
	const double on_ab = d1 * d4 - d3 * d2, on_ac = d5 * d2 - d1 * d6, on_bc = d3 * d6 - d5 * d4;
	double v = 0, w = 0;
	if (on_ab > 0 && on_ac > 0 && on_bc > 0) { /* inside, the most frequent case */
		const double inverse = 1 / (on_ab + on_ac + on_bc);
		v = on_ac * inverse;
		w = on_ab * inverse;
	} else if (d1 <= 0 && d2 <= 0) {
		v = w = 0;
	} else if (d3 >= 0 && d4 <= d3) {
		v = 1;
	} else if (on_ab <= 0 && d1 >= 0 && d3 <= 0) {
		v = d1 / (d1 - d3);
	} else if (d6 >= 0 && d5 <= d6) {
		w = 1;
	} else if (on_ac <= 0 && d2 >= 0 && d6 <= 0) {
		w = d2 / (d2 - d6);
	} else if (on_bc <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
		w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
		v = 1 - w;
	} else {
		const double inverse = 1 / (on_ab + on_ac + on_bc);
		v = on_ac * inverse;
		w = on_ab * inverse;
	}
	weights[0] = v;
	weights[1] = w;
	for (int k = 0; k < 3; k++) {
		dest[k] = a[k] + v * ab[k] + w * ac[k];
	}
}

/* The nearest place so far. */
typedef struct slide_search {
	double wanted[3], best[3];
	double least; /* the square of the distance */
	uint32_t face;
	bool is_inside; /* not on an edge of the face: no neighbour can be nearer without a fold */
} slide_search;

/* Takes the face's nearest place if it is nearer than the one found so far; returns whether it is. */
static bool try_face(const snw_sculpt *sculpt, uint32_t face, slide_search *found) {
	const uint32_t *corners = sculpt->mesh->face_points + sculpt->mesh->face_offsets[face];
	const uint32_t count = sculpt->mesh->face_offsets[face + 1] - sculpt->mesh->face_offsets[face];
	const double *first = sculpt->before + 3 * (size_t)corners[0], *b = sculpt->before + 3 * (size_t)corners[1];
	bool is_nearer = false;
	for (uint32_t c = 1; c + 1 < count; c++) {
		const double *d = sculpt->before + 3 * (size_t)corners[c + 1];
		double place[3], weights[2];
		nearest_of_triangle(found->wanted, first, b, d, weights, place);
		const double apart = snw_squared_distance3(found->wanted, place);
		if (apart < found->least) { /* false for NaN, which a triangle without area gives */
			found->least = apart;
			found->face = face;
			found->is_inside = (weights[1] > 0 || c > 1) && (weights[0] > 0 || c + 2 < count) && weights[0] + weights[1] < 1;
			memcpy(found->best, place, sizeof place);
			is_nearer = true;
		}
		b = d;
	}
	return is_nearer;
}

static uint32_t nearest_corner(const snw_sculpt *sculpt, uint32_t face, const double p[3]) {
	uint32_t nearest = sculpt->mesh->face_points[sculpt->mesh->face_offsets[face]];
	double least = INFINITY;
	for (uint32_t c = sculpt->mesh->face_offsets[face]; c < sculpt->mesh->face_offsets[face + 1]; c++) {
		const double apart = snw_squared_distance3(p, sculpt->before + 3 * (size_t)sculpt->mesh->face_points[c]);
		if (apart < least) {
			least = apart;
			nearest = sculpt->mesh->face_points[c];
		}
	}
	return nearest;
}

/* Tries the faces around a corner; returns whether one of them is nearer. It stops at a face that has the place inside. */
static bool try_around(const snw_sculpt *sculpt, uint32_t corner, slide_search *found) {
	bool is_nearer = false;
	for (uint32_t k = sculpt->around.face_starts[corner]; k < sculpt->around.face_starts[corner + 1] && !found->is_inside;
		 k++) {
		is_nearer |= try_face(sculpt, sculpt->around.faces[k], found);
	}
	return is_nearer;
}

/* Walks over neighbouring faces to the nearest place, from the point's anchor, or from its own faces if it has no anchor
 * yet. */
static void find_place(const snw_sculpt *sculpt, uint32_t point, slide_search *found) {
	bool is_nearer = true;
	found->least = INFINITY;
	found->face = sculpt->anchors[point];
	if (found->face == SNW_NONE) {
		is_nearer = try_around(sculpt, point, found);
	} else {
		try_face(sculpt, found->face, found);
	}
	for (int hop = 0; hop < MOST_HOPS && is_nearer && !found->is_inside; hop++) {
		is_nearer = try_around(sculpt, nearest_corner(sculpt, found->face, found->wanted), found);
	}
}

static void project_to_surface(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	snw_sculpt *sculpt = argument;
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t point = sculpt->region.points[i];
		double *step = sculpt->result + 3 * (size_t)i;
		const double *position = sculpt->points + 3 * (size_t)point;
		if (snw_dot3(step, step) == 0 || sculpt->around.face_starts[point] == sculpt->around.face_starts[point + 1]) {
			continue;
		}
		slide_search found = {.is_inside = false};
		for (int c = 0; c < 3; c++) {
			found.wanted[c] = found.best[c] = position[c] + step[c];
		}
		find_place(sculpt, point, &found);
		sculpt->anchors[point] = found.face;
		for (int c = 0; c < 3; c++) {
			step[c] = found.best[c] - position[c];
		}
	}
}

/* Changes sculpt->result so that points end on the surface at the start of the stroke. */
static void brush_project_to_surface(snw_sculpt *sculpt) {
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN / 4, project_to_surface, sculpt);
}

typedef struct sliding {
	snw_sculpt *sculpt;
	const double *drag;
	double amount;
} sliding;

static void slide(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const sliding *work = argument;
	snw_sculpt *sculpt = work->sculpt;
	for (uint32_t i = begin; i < end; i++) {
		const double *normal = sculpt->normals + 3 * (size_t)sculpt->region.points[i];
		const double height = snw_dot3(work->drag, normal), reach = work->amount * sculpt->region.weights[i];
		for (int c = 0; c < 3; c++) {
			sculpt->result[3 * (size_t)i + (size_t)c] = reach * (work->drag[c] - height * normal[c]);
		}
	}
	project_to_surface(sculpt, begin, end, thread);
}

void snw_brush_slide(snw_sculpt *sculpt, const double drag[3], double amount) {
	sliding work = {.sculpt = sculpt, .drag = drag, .amount = amount};
	snw_parallel_for(sculpt->region.count, SNW_SCULPT_GRAIN / 4, slide, &work);
}

/* ---- smoothing ----------------------------------------------------------------------------------------------------------- */

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
		brush_project_to_surface(sculpt);
	}
}

void snw_brush_blur(snw_sculpt *sculpt, const double *values, double amount) {
	smoothing work = {.sculpt = sculpt, .values = values, .width = 1};
	run_passes(&work, amount);
}
