/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mesh/surface_place.h"

#include <math.h>

#include "mesh/adjacency.h"
#include "mesh/spatial_index.h"
#include "sinew/algebra.h"
#include "task/parallel.h"

/* Points whose nearest places are found by one thread, and between two reports of progress. */
enum { PLACE_GRAIN = 64, AT_ONCE = 4096 };

/* C. Ericson, Real-time collision detection, 2004, 5.1.5. */
double snw_triangle_nearest(const double point[3], const double *const corner[3], double shares[3]) {
	double ab[3], ac[3], ap[3], nearest[3];
	for (int c = 0; c < 3; c++) {
		ab[c] = corner[1][c] - corner[0][c];
		ac[c] = corner[2][c] - corner[0][c];
		ap[c] = point[c] - corner[0][c];
	}
	const double bb = snw_dot3(ab, ab), bc = snw_dot3(ab, ac), cc = snw_dot3(ac, ac), d1 = snw_dot3(ab, ap),
				 d2 = snw_dot3(ac, ap);
	const double det = bb * cc - bc * bc;
	double v = det > 0 ? (cc * d1 - bc * d2) / det : -1, u = det > 0 ? (bb * d2 - bc * d1) / det : -1;
	if (v < 0 || u < 0 || v + u > 1) { /* on the nearest of the three edges */
		double least = (double)INFINITY;
		const double along_ab = bb > 0 ? fmin(fmax(d1 / bb, 0), 1) : 0, along_ac = cc > 0 ? fmin(fmax(d2 / cc, 0), 1) : 0;
		const double edge = bb - 2 * bc + cc, along_bc = edge > 0 ? fmin(fmax((d2 - d1 + bb - bc) / edge, 0), 1) : 0;
		const double candidates[3][2] = {{along_ab, 0}, {0, along_ac}, {1 - along_bc, along_bc}};
		for (int e = 0; e < 3; e++) {
			double squares = 0;
			for (int c = 0; c < 3; c++) {
				const double away = ap[c] - candidates[e][0] * ab[c] - candidates[e][1] * ac[c];
				squares += away * away;
			}
			if (squares < least) {
				least = squares;
				v = candidates[e][0];
				u = candidates[e][1];
			}
		}
	}
	shares[0] = 1 - v - u;
	shares[1] = v;
	shares[2] = u;
	for (int c = 0; c < 3; c++) {
		nearest[c] = corner[0][c] + v * ab[c] + u * ac[c];
	}
	return snw_squared_distance3(nearest, point);
}

typedef struct search {
	const double *points, *from_points;
	const snw_mesh *from;
	const snw_spatial_index *index;
	snw_adjacency adjacency; /* of `from` */
	uint32_t first;          /* the point that the chunks count from */
	snw_surface_place *places;
} search;

/* Of a face, if one of its places is nearer than `dest`. */
static void try_face(const search *s, uint32_t face, const double point[3], snw_surface_place *dest) {
	const uint32_t begin = s->from->face_offsets[face];
	for (uint32_t k = begin + 2; k < s->from->face_offsets[face + 1]; k++) {
		snw_surface_place found = {
			.points = {s->from->face_points[begin], s->from->face_points[k - 1], s->from->face_points[k]}, .face = face};
		const double *corners[3];
		for (int n = 0; n < 3; n++) {
			corners[n] = s->from_points + 3 * (size_t)found.points[n];
		}
		found.distance = snw_triangle_nearest(point, corners, found.shares); /* squared, until all are tried */
		if (found.distance < dest->distance) {
			*dest = found;
		}
	}
}

static void try_faces_around(const search *s, uint32_t near, const double point[3], snw_surface_place *dest) {
	for (uint32_t f = s->adjacency.face_starts[near]; f < s->adjacency.face_starts[near + 1]; f++) {
		try_face(s, s->adjacency.faces[f], point, dest);
	}
}

static void find_place(const search *s, uint32_t i) {
	const double *point = s->points + 3 * (size_t)i;
	const uint32_t near = snw_spatial_index_nearest(s->index, point);
	snw_surface_place found = {{near, near, near}, SNW_NONE, {1, 0, 0}, (double)INFINITY};
	try_faces_around(s, near, point, &found);
	for (uint32_t n = s->adjacency.neighbour_starts[near]; n < s->adjacency.neighbour_starts[near + 1]; n++) {
		try_faces_around(s, s->adjacency.neighbours[n], point, &found);
	}
	if (isinf(found.distance)) {
		found.distance = snw_squared_distance3(point, s->from_points + 3 * (size_t)near);
	}
	found.distance = sqrt(found.distance);
	s->places[i] = found;
}

static void find_places(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const search *s = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_place(s, s->first + i);
	}
}

snw_status snw_surface_places_find(uint32_t count, const double *points, const snw_mesh *from, const double *from_points,
								   const char *words, const snw_task *task, snw_surface_place *places, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	search s = {.points = points,
				.from_points = from_points,
				.from = from,
				.index = snw_spatial_index_make(from, from_points, scratch),
				.adjacency = snw_adjacency_make(from, NULL, scratch),
				.places = places};
	snw_status status = SNW_OK;
	while (s.first < count && !snw_failed(status)) {
		const uint32_t size = count - s.first < AT_ONCE ? count - s.first : AT_ONCE;
		if (!snw_task_progress(task, (double)s.first / count, words)) {
			status = snw_fail(error, SNW_CANCELLED, "%s was cancelled", words);
		} else {
			snw_parallel_for(size, PLACE_GRAIN, find_places, &s);
			s.first += size;
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

void snw_surface_place_value(const snw_surface_place *place, const double *values, uint32_t width, double *dest) {
	for (uint32_t c = 0; c < width; c++) {
		dest[c] = 0;
		for (int n = 0; n < 3; n++) {
			dest[c] += place->shares[n] * values[(size_t)place->points[n] * width + c];
		}
	}
}
