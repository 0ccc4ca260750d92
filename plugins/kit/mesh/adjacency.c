/* SPDX-License-Identifier: MIT
 *
 * Each corner of a face is an arc at its point: from the corner after it to the corner before it, which is one step
 * counter-clockwise around the point. Arcs that continue each other make a fan.
 */
#include "sinew/kit/mesh/adjacency.h"

#include <stdlib.h>

/* The arcs of all points: those of point i are [offsets[i], offsets[i + 1]). `from` is SNW_NONE for a corner that repeats the
 * one before. */
typedef struct arc {
	uint32_t from, to;
} arc;

/* The data of a neighbour of the current point; valid if `seen` is that point + 1. */
typedef struct neighbour {
	uint32_t seen;
	uint32_t sides;
	uint32_t arrivals;    /* arcs that end here */
	uint32_t next, count; /* arcs that begin here and are not used: sorted arcs [next, next + count) */
	uint32_t is_listed;
} neighbour;

typedef struct search {
	const snk_faces *faces;
	const uint32_t *offsets; /* [point_count + 1], into arcs and into the faces of points */
	arc *arcs;
	neighbour *known; /* [point_count] */
	uint32_t *ring;   /* receives the point's neighbours */
	uint32_t *sides;
	uint32_t count, fan_count;
} search;

/* The corner of a face that is `step` (1 or its length less 1) further, past corners that repeat the point; SNW_NONE for
 * none. */
static uint32_t other_corner(const snk_faces *faces, uint32_t face, uint32_t corner, int forwards) {
	const uint32_t first = faces->offsets[face], end = faces->offsets[face + 1], point = faces->points[corner];
	for (uint32_t k = corner, n = first; n < end; n++) {
		k = forwards ? (k + 1 < end ? k + 1 : first) : (k > first ? k - 1 : end - 1);
		if (faces->points[k] != point) {
			return faces->points[k];
		}
	}
	return SNW_NONE;
}

static int repeats_previous(const snk_faces *faces, uint32_t face, uint32_t corner) {
	const uint32_t first = faces->offsets[face], end = faces->offsets[face + 1];
	return faces->points[corner > first ? corner - 1 : end - 1] == faces->points[corner];
}

/* `next` [point_count] counts up to the end of each point's places. */
static void place_corners(const snk_faces *faces, uint32_t *next, uint32_t *around, arc *arcs) {
	for (uint32_t face = 0; face < faces->face_count; face++) {
		for (uint32_t k = faces->offsets[face]; k < faces->offsets[face + 1]; k++) {
			const uint32_t at = next[faces->points[k]]++;
			const int is_arc = !repeats_previous(faces, face, k);
			around[at] = face;
			arcs[at].from = is_arc ? other_corner(faces, face, k, 1) : SNW_NONE;
			arcs[at].to = is_arc ? other_corner(faces, face, k, 0) : SNW_NONE;
		}
	}
}

static int by_from(const void *a, const void *b) {
	const arc *x = (const arc *)a, *y = (const arc *)b;
	return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

static neighbour *know(search *s, uint32_t point, uint32_t other) {
	neighbour *found = &s->known[other];
	if (found->seen != point + 1) {
		*found = (neighbour){.seen = point + 1};
	}
	return found;
}

/* Sorts arcs by their beginnings and counts those of each neighbour. Returns the number of neighbours. */
static uint32_t read_arcs(search *s, uint32_t point) {
	arc *arcs = s->arcs + s->offsets[point];
	const uint32_t most = s->offsets[point + 1] - s->offsets[point];
	uint32_t count = 0;
	qsort(arcs, most, sizeof *arcs, by_from);
	while (count < most && arcs[count].from != SNW_NONE) {
		neighbour *from = know(s, point, arcs[count].from), *to = know(s, point, arcs[count].to);
		from->next = from->count == 0 ? count : from->next;
		from->count++;
		from->sides++;
		to->sides++;
		to->arrivals++;
		count++;
	}
	return count;
}

static void list(search *s, uint32_t other) {
	if (!s->known[other].is_listed) {
		s->known[other].is_listed = 1;
		s->ring[s->count] = other;
		s->sides[s->count++] = s->known[other].sides;
	}
}

/* Follows unused arcs from neighbour to neighbour. A fan ends where no arc continues it, or more than one. */
static void walk_fan(search *s, const arc *arcs, uint32_t first) {
	uint32_t at = first;
	s->fan_count++;
	list(s, at);
	while (s->known[at].count > 0) {
		neighbour *from = &s->known[at];
		const int is_branch = from->count > 1 || from->arrivals > 1;
		if (is_branch && at != first) {
			return;
		}
		from->count--;
		at = arcs[from->next++].to;
		list(s, at);
		if (at == first) {
			return;
		}
	}
}

/* Open fans first, then those that close; each from the lowest neighbour that begins one. */
static void order_neighbours(search *s, uint32_t point) {
	const arc *arcs = s->arcs + s->offsets[point];
	const uint32_t count = read_arcs(s, point);
	s->count = s->fan_count = 0;
	for (uint32_t k = 0; k < count; k++) {
		if (s->known[arcs[k].from].arrivals == 0 && s->known[arcs[k].from].count > 0) {
			walk_fan(s, arcs, arcs[k].from);
		}
	}
	for (uint32_t k = 0; k < count; k++) {
		while (s->known[arcs[k].from].count > 0) {
			walk_fan(s, arcs, arcs[k].from);
		}
	}
}

typedef struct side {
	uint32_t other, sides;
} side;

static int by_other(const void *a, const void *b) {
	const side *x = (const side *)a, *y = (const side *)b;
	return (x->other > y->other) - (x->other < y->other);
}

static void sort_neighbours(search *s, side *scratch) {
	for (uint32_t k = 0; k < s->count; k++) {
		scratch[k] = (side){s->ring[k], s->sides[k]};
	}
	qsort(scratch, s->count, sizeof *scratch, by_other);
	for (uint32_t k = 0; k < s->count; k++) {
		s->ring[k] = scratch[k].other;
		s->sides[k] = scratch[k].sides;
	}
}

static void count_corners(const snk_faces *faces, uint32_t *offsets, uint32_t *next) {
	const uint32_t corners = snk_faces_corner_count(faces);
	for (uint32_t k = 0; k < corners; k++) {
		offsets[faces->points[k] + 1]++;
	}
	for (uint32_t i = 0; i < faces->point_count; i++) {
		offsets[i + 1] += offsets[i];
		next[i] = offsets[i];
	}
}

snw_status snk_adjacency_find(const snk_faces *faces, snk_neighbour_order order, snw_pool *pool, snk_adjacency *adjacency) {
	const uint32_t points = faces->point_count, corners = snk_faces_corner_count(faces);
	if (corners > UINT32_MAX / 2) {
		return SNW_ERROR_LIMIT;
	}
	snw_pool scratch = snw_pool_open(pool->host);
	uint32_t *face_offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *around = SNW_POOL_ARRAY(pool, uint32_t, corners);
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *neighbours = SNW_POOL_ARRAY(pool, uint32_t, (size_t)2 * corners);
	uint32_t *sides = SNW_POOL_ARRAY(pool, uint32_t, (size_t)2 * corners);
	uint32_t *fans = SNW_POOL_ARRAY(pool, uint32_t, points);
	uint32_t *next = SNW_POOL_ARRAY(&scratch, uint32_t, points);
	side *pairs = SNW_POOL_ARRAY(&scratch, side, (size_t)2 * corners);
	search s = {.faces = faces,
				.offsets = face_offsets,
				.arcs = SNW_POOL_ARRAY(&scratch, arc, corners),
				.known = SNW_POOL_ARRAY(&scratch, neighbour, points)};
	if (pool->failed || scratch.failed) {
		snw_pool_release(&scratch);
		return SNW_ERROR_MEMORY;
	}
	count_corners(faces, face_offsets, next);
	place_corners(faces, next, around, s.arcs);
	for (uint32_t i = 0; i < points; i++) {
		s.ring = neighbours + offsets[i];
		s.sides = sides + offsets[i];
		order_neighbours(&s, i);
		if (order == SNK_NEIGHBOURS_ASCENDING) {
			sort_neighbours(&s, pairs);
		}
		offsets[i + 1] = offsets[i] + s.count;
		fans[i] = s.fan_count;
	}
	*adjacency = (snk_adjacency){points, offsets, neighbours, sides, fans, face_offsets, around};
	snw_pool_release(&scratch);
	return SNW_OK;
}

int snk_adjacency_is_border(const snk_adjacency *adjacency, uint32_t point) {
	for (uint32_t k = adjacency->offsets[point]; k < adjacency->offsets[point + 1]; k++) {
		if (adjacency->sides[k] == 1) {
			return 1;
		}
	}
	return 0;
}

uint32_t snk_smoothing_neighbours(const snk_adjacency *adjacency, uint32_t point, uint32_t *neighbours) {
	const uint32_t first = adjacency->offsets[point], end = adjacency->offsets[point + 1];
	uint32_t count = 0, border_count = 0;
	for (int inside = 0; inside < 2; inside++) {
		for (uint32_t k = first; k < end; k++) {
			if ((adjacency->sides[k] == 2) == inside) {
				neighbours[count++] = adjacency->neighbours[k];
			}
		}
		border_count = inside ? border_count : count;
	}
	return border_count > 0 ? border_count : count;
}

/* ---- rings --------------------------------------------------------------------------------------------------------------- */

snw_status snk_rings_open(const snk_adjacency *adjacency, snw_pool *pool, snk_rings *rings) {
	*rings = (snk_rings){.adjacency = adjacency,
						 .points = SNW_POOL_ARRAY(pool, uint32_t, adjacency->point_count),
						 .marks = SNW_POOL_ARRAY(pool, uint32_t, adjacency->point_count)};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static void begin_search(snk_rings *rings) {
	if (rings->search == UINT32_MAX) {
		for (uint32_t i = 0; i < rings->adjacency->point_count; i++) {
			rings->marks[i] = 0;
		}
		rings->search = 0;
	}
	rings->search++;
	rings->count = 0;
}

static void reach(snk_rings *rings, uint32_t point) {
	if (rings->marks[point] != rings->search) {
		rings->marks[point] = rings->search;
		rings->points[rings->count++] = point;
	}
}

uint32_t snk_rings_find(snk_rings *rings, uint32_t point, uint32_t ring_count) {
	const snk_adjacency *adjacency = rings->adjacency;
	begin_search(rings);
	reach(rings, point);
	for (uint32_t ring = 0, begin = 0; ring < ring_count && begin < rings->count; ring++) {
		const uint32_t end = rings->count;
		for (; begin < end; begin++) {
			const uint32_t from = rings->points[begin];
			for (uint32_t k = adjacency->offsets[from]; k < adjacency->offsets[from + 1]; k++) {
				reach(rings, adjacency->neighbours[k]);
			}
		}
	}
	return rings->count;
}
