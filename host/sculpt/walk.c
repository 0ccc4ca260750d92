/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dijkstra's order with a heap of four children; a point that is done hands its distance on across its triangles.
 */
#include "sculpt/walk.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

/* What waits, nearest first; equal distances by point, so that the order is one. */
typedef struct waiting {
	double distance;
	uint32_t point;
} waiting;

struct snw_walk {
	const snw_mesh *mesh;
	const snw_surroundings *around;
	uint32_t round;   /* of the walk at hand */
	uint32_t *met_in; /* [point_count]: the round in which `distance` was set */
	bool *is_done;    /* [point_count], of the round in met_in */
	double *distance; /* [point_count] */
	uint32_t *place;  /* [point_count]: where it waits in the heap */
	uint32_t heap_count;
	waiting *heap; /* [point_count] */
};

snw_walk *snw_walk_make(const snw_mesh *mesh, const snw_surroundings *around, snw_arena *arena) {
	snw_walk *own = SNW_NEW(arena, snw_walk);
	*own = (snw_walk){
		.mesh = mesh,
		.around = around,
		.met_in = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count),
		.is_done = SNW_NEW_ARRAY(arena, bool, mesh->point_count),
		.distance = SNW_NEW_ARRAY(arena, double, mesh->point_count),
		.place = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count),
		.heap = SNW_NEW_ARRAY(arena, waiting, mesh->point_count),
	};
	return own;
}

static bool comes_before(const waiting *a, const waiting *b) {
	return a->distance != b->distance ? a->distance < b->distance : a->point < b->point;
}

static void set_place(snw_walk *own, uint32_t at, waiting what) {
	own->heap[at] = what;
	own->place[what.point] = at;
}

static void rise(snw_walk *own, uint32_t at, waiting what) {
	while (at > 0 && comes_before(&what, &own->heap[(at - 1) / 4])) {
		set_place(own, at, own->heap[(at - 1) / 4]);
		at = (at - 1) / 4;
	}
	set_place(own, at, what);
}

static waiting take_nearest(snw_walk *own) {
	const waiting nearest = own->heap[0], last = own->heap[--own->heap_count];
	uint32_t at = 0;
	while (4 * at + 1 < own->heap_count) {
		uint32_t least = 4 * at + 1;
		for (uint32_t child = least + 1; child < own->heap_count && child <= 4 * at + 4; child++) {
			least = comes_before(&own->heap[child], &own->heap[least]) ? child : least;
		}
		if (!comes_before(&own->heap[least], &last)) {
			break;
		}
		set_place(own, at, own->heap[least]);
		at = least;
	}
	if (own->heap_count > 0) {
		set_place(own, at, last);
	}
	return nearest;
}

/* A way of that length to a point has been found. */
static void offer(snw_walk *own, uint32_t point, double distance, double radius) {
	if (!(distance < radius)) {
		return;
	}
	const bool is_met = own->met_in[point] == own->round;
	if (is_met && (own->is_done[point] || !(distance < own->distance[point]))) {
		return;
	}
	own->distance[point] = distance;
	if (!is_met) {
		own->met_in[point] = own->round;
		own->is_done[point] = false;
		own->place[point] = own->heap_count++;
	}
	rise(own, own->place[point], (waiting){distance, point});
}

/* The distance to c through the edge from a to b, whose distances are known: the triangle and the source are laid into the
 * plane, a at the origin and b on the x axis. INFINITY where the straight way does not cross the edge. */
static double unfold(const double *a, const double *b, const double *c, double to_a, double to_b) {
	double ab[3], ac[3];
	for (int k = 0; k < 3; k++) {
		ab[k] = b[k] - a[k];
		ac[k] = c[k] - a[k];
	}
	const double edge_square = snw_dot3(ab, ab);
	if (!(edge_square > 0)) {
		return INFINITY;
	}
	const double edge = sqrt(edge_square);
	const double source_x = (to_a * to_a - to_b * to_b + edge_square) / (2 * edge);
	const double source_square = to_a * to_a - source_x * source_x;
	const double c_x = snw_dot3(ac, ab) / edge;
	const double c_square = snw_dot3(ac, ac) - c_x * c_x;
	if (!(source_square >= 0) || !(c_square > 0)) {
		return INFINITY;
	}
	const double source_y = sqrt(source_square), c_y = sqrt(c_square);
	const double crossing = source_x + (c_x - source_x) * source_y / (source_y + c_y);
	if (!(crossing >= 0 && crossing <= edge)) {
		return INFINITY;
	}
	const double x = c_x - source_x, y = c_y + source_y;
	return sqrt(x * x + y * y);
}

static double apart(const double *a, const double *b) {
	const double between[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
	return snw_length3(between);
}

/* The two points of one triangle around a point that is done. */
static void cross_wedge(snw_walk *own, const double *points, uint32_t from, uint32_t known, uint32_t to, double radius) {
	if (own->met_in[known] == own->round && own->is_done[known] && !(own->met_in[to] == own->round && own->is_done[to])) {
		const double distance = unfold(points + 3 * (size_t)from, points + 3 * (size_t)known, points + 3 * (size_t)to,
									   own->distance[from], own->distance[known]);
		offer(own, to, fmax(distance, own->distance[from]), radius); /* rounding must not lead back */
	}
}

static void hand_on(snw_walk *own, const double *points, uint32_t from, double radius) {
	const snw_surroundings *around = own->around;
	for (uint32_t k = around->neighbour_starts[from]; k < around->neighbour_starts[from + 1]; k++) {
		const uint32_t to = around->neighbours[k];
		if (own->met_in[to] != own->round || !own->is_done[to]) {
			offer(own, to, own->distance[from] + apart(points + 3 * (size_t)from, points + 3 * (size_t)to), radius);
		}
	}
	for (uint32_t k = around->wedge_starts[from]; k < around->wedge_starts[from + 1]; k++) {
		const snw_wedge *wedge = &around->wedges[k];
		cross_wedge(own, points, from, wedge->next, wedge->last, radius);
		cross_wedge(own, points, from, wedge->last, wedge->next, radius);
	}
}

uint32_t snw_walk_from(snw_walk *own, const double *points_posed, const double center[3], uint32_t face, double radius,
					   uint32_t *points, double *distances) {
	own->round++;
	if (own->round == 0) {
		memset(own->met_in, 0, own->mesh->point_count * sizeof *own->met_in);
		own->round = 1;
	}
	own->heap_count = 0;
	for (uint32_t c = own->mesh->face_offsets[face]; c < own->mesh->face_offsets[face + 1]; c++) {
		const uint32_t point = own->mesh->face_points[c];
		offer(own, point, apart(center, points_posed + 3 * (size_t)point), radius);
	}
	uint32_t count = 0;
	while (own->heap_count > 0) {
		const waiting nearest = take_nearest(own);
		own->is_done[nearest.point] = true;
		points[count] = nearest.point;
		distances[count++] = nearest.distance;
		hand_on(own, points_posed, nearest.point, radius);
	}
	return count;
}
