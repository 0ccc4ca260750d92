/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The slide brush, and the projection that keeps points on the surface. The surface is the one at the start of the stroke, so
 * that a long stroke does not erode it. The search for a point's place starts at its last face and walks from neighbour to
 * neighbour, so a point never jumps to a nearby fold.
 */
#include "sculpt/sculpt_internal.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "task/parallel.h"

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

void snw_brush_project_to_surface(snw_sculpt *sculpt) {
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
