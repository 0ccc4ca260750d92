/* SPDX-License-Identifier: MIT
 *
 * Rows of points are counted first, then filled.
 */
#include "sinew/kit/mesh/adjacency.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 32 };

/* Converts counts to the rows' beginnings: on entry, offsets[i + 1] is the count of row i. While rows are filled, offsets[i] is
 * where the next of row i goes. */
static void begin_rows(uint32_t *offsets, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) {
		offsets[i + 1] += offsets[i];
	}
}

/* Each row ends where the next one begins. */
static void end_rows(uint32_t *offsets, uint32_t count) {
	memmove(offsets + 1, offsets, count * sizeof *offsets);
	offsets[0] = 0;
}

void snk_point_corners(const snk_faces *faces, uint32_t *offsets, uint32_t *corners, uint32_t *corner_faces) {
	const uint32_t corner_count = snk_faces_corner_count(faces);
	memset(offsets, 0, ((size_t)faces->point_count + 1) * sizeof *offsets);
	for (uint32_t k = 0; k < corner_count; k++) {
		offsets[faces->points[k] + 1]++;
	}
	begin_rows(offsets, faces->point_count);
	for (uint32_t face = 0; face < faces->face_count; face++) {
		for (uint32_t k = faces->offsets[face]; k < faces->offsets[face + 1]; k++) {
			const uint32_t at = offsets[faces->points[k]]++;
			corners[at] = k;
			corner_faces[at] = face;
		}
	}
	end_rows(offsets, faces->point_count);
}

/* ---- neighbours in ascending order --------------------------------------------------------------------------------------- */

/* What a neighbour is sorted by, with the neighbour in the lower half: a point and its partner share the upper half. */
static uint64_t key_of(uint32_t point, const uint32_t *partners) {
	const uint32_t partner = partners ? partners[point] : SNW_NONE;
	return (uint64_t)(partner < point ? partner : point) << 32 | point;
}

/* Adds both ends of each edge of each face to the rows of its points; counts them where `keys` is NULL. */
static void add_edges(const snk_faces *faces, const uint32_t *partners, uint32_t *offsets, uint64_t *keys) {
	for (uint32_t face = 0; face < faces->face_count; face++) {
		const uint32_t first = faces->offsets[face], end = faces->offsets[face + 1];
		for (uint32_t k = first; k < end; k++) {
			const uint32_t a = faces->points[k], b = faces->points[k + 1 < end ? k + 1 : first];
			if (a != b && keys) {
				keys[offsets[a]++] = key_of(b, partners);
				keys[offsets[b]++] = key_of(a, partners);
			} else if (a != b) {
				offsets[a + 1]++;
				offsets[b + 1]++;
			}
		}
	}
}

static int by_key(const void *a, const void *b) {
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Insertion sort, since most points have few neighbours. */
static void sort_keys(uint64_t *keys, uint32_t count) {
	if (count > FEW) {
		qsort(keys, count, sizeof *keys, by_key);
		return;
	}
	for (uint32_t i = 1; i < count; i++) {
		const uint64_t key = keys[i];
		uint32_t place = i;
		for (; place > 0 && keys[place - 1] > key; place--) {
			keys[place] = keys[place - 1];
		}
		keys[place] = key;
	}
}

void snk_neighbours(const snk_faces *faces, const uint32_t *partners, uint64_t *scratch, uint32_t *offsets,
					uint32_t *neighbours, uint32_t *sides) {
	uint32_t count = 0, begin = 0;
	memset(offsets, 0, ((size_t)faces->point_count + 1) * sizeof *offsets);
	add_edges(faces, partners, offsets, NULL);
	begin_rows(offsets, faces->point_count);
	add_edges(faces, partners, offsets, scratch);
	end_rows(offsets, faces->point_count);
	for (uint32_t i = 0; i < faces->point_count; i++) {
		const uint32_t end = offsets[i + 1];
		sort_keys(scratch + begin, end - begin);
		for (uint32_t k = begin; k < end; k++) {
			if (k == begin || scratch[k] != scratch[k - 1]) {
				sides[count] = 0;
				neighbours[count++] = (uint32_t)scratch[k];
			}
			sides[count - 1]++;
		}
		begin = end;
		offsets[i + 1] = count;
	}
}

/* ---- neighbours in the order around a point ------------------------------------------------------------------------------ */

/* Each corner of a face is an arc at its point: from the corner after it to the corner before it, which is one step
 * counter-clockwise around the point. Arcs that continue each other make a fan. */

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

static void find_arcs(const snk_faces *faces, const uint32_t *corners, const uint32_t *corner_faces, arc *arcs) {
	const uint32_t count = snk_faces_corner_count(faces);
	for (uint32_t at = 0; at < count; at++) {
		const uint32_t face = corner_faces[at], corner = corners[at];
		const int is_arc = !repeats_previous(faces, face, corner);
		arcs[at].from = is_arc ? other_corner(faces, face, corner, 1) : SNW_NONE;
		arcs[at].to = is_arc ? other_corner(faces, face, corner, 0) : SNW_NONE;
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

static snw_status find_around(const snk_faces *faces, const uint32_t *corners, const snk_adjacency *found, snw_pool *scratch,
							  uint32_t *offsets, uint32_t *neighbours, uint32_t *sides, uint32_t *fans) {
	search s = {.faces = faces,
				.offsets = found->face_offsets,
				.arcs = SNW_POOL_ARRAY(scratch, arc, snk_faces_corner_count(faces)),
				.known = SNW_POOL_ARRAY(scratch, neighbour, faces->point_count)};
	if (scratch->failed) {
		return SNW_ERROR_MEMORY;
	}
	find_arcs(faces, corners, found->faces, s.arcs);
	for (uint32_t i = 0; i < faces->point_count; i++) {
		s.ring = neighbours + offsets[i];
		s.sides = sides + offsets[i];
		order_neighbours(&s, i);
		offsets[i + 1] = offsets[i] + s.count;
		fans[i] = s.fan_count;
	}
	return SNW_OK;
}

snw_status snk_adjacency_find(const snk_faces *faces, snk_neighbour_order order, snw_pool *pool, snk_adjacency *adjacency) {
	const uint32_t points = faces->point_count, corner_count = snk_faces_corner_count(faces);
	const int is_around = order == SNK_NEIGHBOURS_AROUND;
	if (corner_count > UINT32_MAX / 2) {
		return SNW_ERROR_LIMIT;
	}
	snw_pool scratch = snw_pool_open(pool->host);
	uint32_t *face_offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *around = SNW_POOL_ARRAY(pool, uint32_t, corner_count);
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *neighbours = SNW_POOL_ARRAY(pool, uint32_t, (size_t)2 * corner_count);
	uint32_t *sides = SNW_POOL_ARRAY(pool, uint32_t, (size_t)2 * corner_count);
	uint32_t *fans = is_around ? SNW_POOL_ARRAY(pool, uint32_t, points) : NULL;
	uint32_t *corners = SNW_POOL_ARRAY(&scratch, uint32_t, corner_count);
	uint64_t *keys = is_around ? NULL : SNW_POOL_ARRAY(&scratch, uint64_t, (size_t)2 * corner_count);
	snw_status status = pool->failed || scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (status == SNW_OK) {
		*adjacency = (snk_adjacency){points, offsets, neighbours, sides, fans, face_offsets, around};
		snk_point_corners(faces, face_offsets, corners, around);
		if (is_around) {
			status = find_around(faces, corners, adjacency, &scratch, offsets, neighbours, sides, fans);
		} else {
			snk_neighbours(faces, NULL, keys, offsets, neighbours, sides);
		}
	}
	snw_pool_release(&scratch);
	return status;
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
