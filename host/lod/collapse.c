/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lod/lod_internal.h"
#include "task/task.h"

/* Vertices that a new one is a combination of, at most; edges of one thread; collapses between two reports. */
enum { RING = QUADRIC_RING, MOST_PAIRS = 8, EDGE_GRAIN = 64, AT_ONCE = 256, MOST_STENCIL = 192 };

static const double ridge = 1e-3;        /* of the quadric's mean, toward the middle of the edge */
static const double line_weight = 1;     /* of a feature against the faces beside it */
static const double least_weight = 1e-4; /* of a stencil */
static const double least_cosine = 0.2;  /* between a triangle's normals before and after, at rest */
static const double most_error = 0.03;   /* of the diagonal: a collapse that moves the surface farther is none */
static const double protection = 100;    /* costs times this, just below a full mask */

typedef struct entry {
	double cost;
	uint32_t from, to, from_stamp, to_stamp;
} entry;

struct lod_collapse {
	lod_surface *s;
	snw_arena *arena;
	uint32_t n, n_padded;
	double diagonal;
	const double *first_coordinates; /* before any collapse */
	const float *first_checks;
	float *matrices;   /* [vertex_count][n][n_padded]: of the quadrics, about their vertex */
	double *vectors;   /* [vertex_count][n] */
	double *constants; /* [vertex_count] */
	double *areas;     /* [vertex_count]: the faces' around */
	wedge_sums wedges;
	lod_stencil *stencils;
	uint32_t *stamps; /* of the vertices, a change each */
	uint32_t *first;  /* [vertex_count]: the first corner, 3 · triangle + corner, SNW_NONE where the vertex is gone */
	uint32_t *next;   /* [corner]: the vertex's next one */
	uint32_t triangle_count;
	entry *heap;
	size_t heap_count, heap_room;
	double *shares;  /* [vertex_count]: of the stencil that is made */
	uint32_t *marks; /* [vertex_count] */
	uint32_t mark;
};

/* ---- around a vertex ----------------------------------------------------------------------------------------------------- */

static lod_triangle *triangle_of(const lod_collapse *c, uint32_t corner) {
	return &c->s->triangles[corner / 3];
}

static const double *place_of(const lod_collapse *c, uint32_t vertex) {
	return c->s->coordinates + (size_t)vertex * c->n;
}

/* The vertices around `vertex` but for `other` and those in the list already, at its end while there is room. */
static uint32_t add_neighbours(const lod_collapse *c, uint32_t vertex, uint32_t other, uint32_t count, uint32_t room,
							   uint32_t *list) {
	for (uint32_t i = c->first[vertex]; i != SNW_NONE; i = c->next[i]) {
		for (uint32_t k = 1; k < 3; k++) {
			const uint32_t found = triangle_of(c, i)->vertices[(i % 3 + k) % 3];
			bool is_new = found != other;
			for (uint32_t j = 0; j < count && is_new; j++) {
				is_new = list[j] != found;
			}
			if (is_new && count < room) {
				list[count++] = found;
			}
		}
	}
	return count;
}

/* The same along features alone. */
static uint32_t add_line_neighbours(const lod_collapse *c, uint32_t vertex, uint32_t other, uint32_t count, uint32_t room,
									uint32_t *list) {
	for (uint32_t i = c->first[vertex]; i != SNW_NONE; i = c->next[i]) {
		const lod_triangle *t = triangle_of(c, i);
		for (uint32_t k = 1; k < 3; k++) {
			const uint32_t found = t->vertices[(i % 3 + k) % 3];
			bool is_new = found != other && t->features[k == 1 ? i % 3 : (i + 2) % 3];
			for (uint32_t j = 0; j < count && is_new; j++) {
				is_new = list[j] != found;
			}
			if (is_new && count < room) {
				list[count++] = found;
			}
		}
	}
	return count;
}

/* Whether the edge is a feature; the wedges of both ends in each of its faces, at most two pairs. */
typedef struct edge_faces {
	uint32_t count;
	bool is_feature;
	uint32_t triangles[2], opposite[2];
	uint32_t from_wedges[2], to_wedges[2];
} edge_faces;

static edge_faces find_faces(const lod_collapse *c, uint32_t from, uint32_t to) {
	edge_faces found = {0};
	for (uint32_t i = c->first[from]; i != SNW_NONE; i = c->next[i]) {
		const lod_triangle *t = triangle_of(c, i);
		const uint32_t k = i % 3, next = (k + 1) % 3, last = (k + 2) % 3;
		const bool after = t->vertices[next] == to;
		if (!after && t->vertices[last] != to) {
			continue;
		}
		if (found.count < 2) {
			found.triangles[found.count] = i / 3;
			found.opposite[found.count] = t->vertices[after ? last : next];
			found.from_wedges[found.count] = t->wedges[k];
			found.to_wedges[found.count] = t->wedges[after ? next : last];
		}
		found.is_feature = found.is_feature || t->features[after ? k : last];
		found.count++;
	}
	return found;
}

/* ---- where the new vertex is --------------------------------------------------------------------------------------------- */

/* A combination of `ring`, of which the first two are the ends of the edge. */
typedef struct placement {
	double cost;
	uint32_t count;
	uint32_t ring[RING];
	double weights[RING];
} placement;

/* Which of the two an edge collapses to: fixed ones and lines stay where they are. False if it has to stay. */
static bool find_ends(const lod_collapse *c, uint32_t *from, uint32_t *to, bool *moves, const edge_faces *faces) {
	const uint8_t *kinds = c->s->kinds;
	if (kinds[*from] > kinds[*to]) {
		const uint32_t swapped = *from;
		*from = *to;
		*to = swapped;
	}
	*moves = kinds[*from] == kinds[*to];
	if (kinds[*from] == LOD_FIXED || faces->count == 0 || faces->count > 2) {
		return false;
	}
	return kinds[*from] == LOD_INNER || faces->is_feature;
}

/* The wedges of both ends: those that become one, and those that stay alone. */
static uint32_t pair_wedges(const lod_collapse *c, uint32_t from, uint32_t to, wedge_pair pairs[MOST_PAIRS]) {
	const edge_faces faces = find_faces(c, from, to);
	uint32_t count = 0;
	for (uint32_t f = 0; f < faces.count && f < 2; f++) {
		if (count == 0 || pairs[0].from != faces.from_wedges[f]) {
			pairs[count++] = (wedge_pair){faces.from_wedges[f], faces.to_wedges[f]};
		}
	}
	for (uint32_t i = c->first[to]; i != SNW_NONE; i = c->next[i]) {
		const uint32_t wedge = triangle_of(c, i)->wedges[i % 3];
		bool is_new = count < MOST_PAIRS;
		for (uint32_t p = 0; p < count && is_new; p++) {
			is_new = pairs[p].to != wedge;
		}
		if (is_new) {
			pairs[count++] = (wedge_pair){SNW_NONE, wedge};
		}
	}
	return count;
}

static double cost_factor(const lod_collapse *c, uint32_t from, uint32_t to) {
	const double kept = fmax(c->s->shares_kept[from], c->s->shares_kept[to]);
	return 1 + (protection - 1) * kept * kept;
}

static void place(const lod_collapse *c, uint32_t from, uint32_t to, placement *p) {
	const edge_faces faces = find_faces(c, from, to);
	bool moves;
	uint32_t ends[2] = {from, to};
	p->cost = (double)INFINITY;
	if (!find_ends(c, &ends[0], &ends[1], &moves, &faces)) {
		return;
	}
	p->ring[0] = ends[0];
	p->ring[1] = ends[1];
	p->count = 2;
	if (moves && c->s->kinds[from] == LOD_ON_LINE) {
		p->count = add_line_neighbours(c, ends[0], SNW_NONE, p->count, RING, p->ring);
		p->count = add_line_neighbours(c, ends[1], SNW_NONE, p->count, RING, p->ring);
	} else if (moves) {
		p->count = add_neighbours(c, ends[0], SNW_NONE, p->count, RING, p->ring);
		p->count = add_neighbours(c, ends[1], SNW_NONE, p->count, RING, p->ring);
	}
	reduced_quadric q;
	const double *places[RING];
	for (uint32_t k = 0; k < p->count; k++) {
		places[k] = place_of(c, p->ring[k]);
	}
	const quadric a = {c->matrices + (size_t)ends[0] * c->n * c->n_padded, c->vectors + (size_t)ends[0] * c->n,
					   c->constants[ends[0]]};
	const quadric b = {c->matrices + (size_t)ends[1] * c->n * c->n_padded, c->vectors + (size_t)ends[1] * c->n,
					   c->constants[ends[1]]};
	reduce_quadrics(c->n, c->n_padded, &a, &b, p->count, places, &q);
	if (c->wedges.value_count > 0) {
		wedge_pair pairs[MOST_PAIRS];
		const uint32_t count = pair_wedges(c, ends[0], ends[1], pairs);
		reduce_wedges(&c->wedges, count, pairs, &q);
	}
	if (moves) {
		solve_reduced(&q, ridge * (c->areas[ends[0]] + c->areas[ends[1]]), p->weights);
	} else {
		memset(p->weights, 0, sizeof p->weights);
		p->weights[1] = 1;
	}
	const double cost = cost_reduced(&q, p->weights), most = most_error * c->diagonal;
	if (cost <= most * most * (c->areas[from] + c->areas[to])) {
		p->cost = cost * cost_factor(c, from, to);
	}
}

/* ---- whether an edge may go ---------------------------------------------------------------------------------------------- */

/* The ends have no neighbours in common but those opposite to the edge, and these keep three. */
static bool keeps_topology(lod_collapse *c, uint32_t from, uint32_t to, const edge_faces *faces) {
	uint32_t common = 0;
	c->mark++;
	for (uint32_t i = c->first[from]; i != SNW_NONE; i = c->next[i]) {
		for (uint32_t k = 1; k < 3; k++) {
			c->marks[triangle_of(c, i)->vertices[(i % 3 + k) % 3]] = c->mark;
		}
	}
	const uint32_t around = c->mark++;
	for (uint32_t i = c->first[to]; i != SNW_NONE; i = c->next[i]) {
		for (uint32_t k = 1; k < 3; k++) {
			uint32_t *mark = &c->marks[triangle_of(c, i)->vertices[(i % 3 + k) % 3]];
			common += *mark == around;
			*mark = *mark == around ? c->mark : *mark;
		}
	}
	bool keeps = common == faces->count;
	for (uint32_t f = 0; f < faces->count && keeps; f++) {
		const lod_triangle *t = &c->s->triangles[faces->triangles[f]];
		uint32_t count = 0, features = 0;
		for (uint32_t i = c->first[faces->opposite[f]]; i != SNW_NONE; i = c->next[i]) {
			count++;
		}
		for (int k = 0; k < 3; k++) {
			features += t->features[k];
		}
		keeps = count > (c->s->kinds[faces->opposite[f]] == LOD_INNER ? 3 : 1) && features - faces->is_feature < 2;
	}
	return keeps;
}

/* Twice the area vector of a triangle. */
static void normal_of(const float *a, const float *b, const float *d, float normal[3]) {
	const float ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ad[3] = {d[0] - a[0], d[1] - a[1], d[2] - a[2]};
	normal[0] = ab[1] * ad[2] - ab[2] * ad[1];
	normal[1] = ab[2] * ad[0] - ab[0] * ad[2];
	normal[2] = ab[0] * ad[1] - ab[1] * ad[0];
}

static float dot(const float *a, const float *b) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Whether no triangle at `vertex` turns over in any of the poses when it moves to `checks`. */
static bool turns_nothing(const lod_collapse *c, uint32_t vertex, uint32_t other, const float *checks) {
	for (uint32_t i = c->first[vertex]; i != SNW_NONE; i = c->next[i]) {
		const lod_triangle *t = triangle_of(c, i);
		const uint32_t next = t->vertices[(i % 3 + 1) % 3], last = t->vertices[(i % 3 + 2) % 3];
		if (next == other || last == other) {
			continue;
		}
		const float *at = c->s->checks + (size_t)3 * LOD_CHECKS * vertex;
		const float *b = c->s->checks + (size_t)3 * LOD_CHECKS * next, *d = c->s->checks + (size_t)3 * LOD_CHECKS * last;
		for (size_t n = 0; n < LOD_CHECKS; n++) {
			float before[3], after[3];
			normal_of(at + 3 * n, b + 3 * n, d + 3 * n, before);
			normal_of(checks + 3 * n, b + 3 * n, d + 3 * n, after);
			const float product = dot(before, after), cosine = n == 0 ? (float)least_cosine : 0.05F;
			if (product <= 0 || product * product < cosine * cosine * dot(before, before) * dot(after, after)) {
				return false;
			}
		}
	}
	return true;
}

static void combine_checks(const lod_collapse *c, const placement *p, float checks[3 * LOD_CHECKS]) {
	memset(checks, 0, 3 * LOD_CHECKS * sizeof *checks);
	for (uint32_t k = 0; k < p->count; k++) {
		const float *from = c->s->checks + (size_t)3 * LOD_CHECKS * p->ring[k], weight = (float)p->weights[k];
		for (uint32_t i = 0; i < 3 * LOD_CHECKS; i++) {
			checks[i] += weight * from[i];
		}
	}
}

/* ---- the queue ----------------------------------------------------------------------------------------------------------- */

static bool is_before(const entry *a, const entry *b) {
	return a->cost != b->cost ? a->cost < b->cost : a->from != b->from ? a->from < b->from : a->to < b->to;
}

static void push(lod_collapse *c, const entry *e) {
	if (c->heap_count == c->heap_room) {
		entry *grown = SNW_NEW_ARRAY(c->arena, entry, 2 * c->heap_room + 64);
		if (c->heap_count > 0) {
			memcpy(grown, c->heap, c->heap_count * sizeof *grown);
		}
		c->heap_room = 2 * c->heap_room + 64;
		c->heap = grown;
	}
	size_t at = c->heap_count++;
	for (; at > 0 && is_before(e, &c->heap[(at - 1) / 2]); at = (at - 1) / 2) {
		c->heap[at] = c->heap[(at - 1) / 2];
	}
	c->heap[at] = *e;
}

static entry pop(lod_collapse *c) {
	const entry top = c->heap[0], e = c->heap[--c->heap_count];
	size_t at = 0;
	for (size_t child = 1; child < c->heap_count; child = 2 * at + 1) {
		child += child + 1 < c->heap_count && is_before(&c->heap[child + 1], &c->heap[child]);
		if (!is_before(&c->heap[child], &e)) {
			break;
		}
		c->heap[at] = c->heap[child];
		at = child;
	}
	c->heap[at] = e;
	return top;
}

static void push_edge(lod_collapse *c, uint32_t from, uint32_t to) {
	placement p;
	place(c, from, to, &p);
	if (isfinite(p.cost)) {
		push(c, &(entry){p.cost, from, to, c->stamps[from], c->stamps[to]});
	}
}

/* ---- one collapse -------------------------------------------------------------------------------------------------------- */

static int by_vertex(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Smallest weights are left out; what they had goes to the largest. */
static lod_stencil make_stencil(lod_collapse *c, const placement *p) {
	uint32_t found[4096], count = 0, kept = 0, largest = 0;
	c->mark++;
	for (uint32_t k = 0; k < p->count; k++) {
		const lod_stencil *from = &c->stencils[p->ring[k]];
		for (uint32_t i = 0; i < from->count; i++) {
			const uint32_t v = from->vertices[i];
			if (c->marks[v] != c->mark && count < 4096) {
				c->marks[v] = c->mark;
				c->shares[v] = 0;
				found[count++] = v;
			}
			c->shares[v] += c->marks[v] == c->mark ? p->weights[k] * from->weights[i] : 0;
		}
	}
	double least = least_weight, sum = 0;
	for (kept = MOST_STENCIL + 1; kept > MOST_STENCIL; least *= 2) {
		kept = 0;
		for (uint32_t i = 0; i < count; i++) {
			kept += fabs(c->shares[found[i]]) > least;
		}
	}
	least /= 2;
	kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (fabs(c->shares[found[i]]) > least) {
			found[kept++] = found[i];
		}
	}
	qsort(found, kept, sizeof *found, by_vertex);
	const lod_stencil made = {kept, SNW_NEW_ARRAY(c->arena, uint32_t, kept), SNW_NEW_ARRAY(c->arena, double, kept)};
	for (uint32_t i = 0; i < kept; i++) {
		made.vertices[i] = found[i];
		made.weights[i] = c->shares[found[i]];
		sum += made.weights[i];
		largest = made.weights[i] > made.weights[largest] ? i : largest;
	}
	made.weights[largest] += 1 - sum;
	return made;
}

/* Coordinates and checks of a vertex by its stencil. */
static void put_vertex(lod_collapse *c, uint32_t vertex) {
	const lod_stencil *s = &c->stencils[vertex];
	double *to = c->s->coordinates + (size_t)vertex * c->n, checks[3 * LOD_CHECKS] = {0};
	memset(to, 0, c->n * sizeof *to);
	for (uint32_t i = 0; i < s->count; i++) {
		const double *from = c->first_coordinates + (size_t)s->vertices[i] * c->n;
		const float *from_checks = c->first_checks + (size_t)3 * LOD_CHECKS * s->vertices[i];
		for (uint32_t k = 0; k < c->n; k++) {
			to[k] += s->weights[i] * from[k];
		}
		for (uint32_t k = 0; k < 3 * LOD_CHECKS; k++) {
			checks[k] += s->weights[i] * (double)from_checks[k];
		}
	}
	for (uint32_t k = 0; k < 3 * LOD_CHECKS; k++) {
		c->s->checks[(size_t)3 * LOD_CHECKS * vertex + k] = (float)checks[k];
	}
}

static void unlink_corner(lod_collapse *c, uint32_t vertex, uint32_t corner) {
	uint32_t *at = &c->first[vertex];
	while (*at != corner) {
		at = &c->next[*at];
	}
	*at = c->next[corner];
}

/* The edge that a triangle's going makes of two: it is a feature where one of them was. */
static void join_features(lod_collapse *c, uint32_t triangle, uint32_t vertex, uint32_t opposite) {
	const lod_triangle *gone = &c->s->triangles[triangle];
	uint32_t features = 0;
	for (uint32_t k = 0; k < 3; k++) {
		features += gone->features[k] && (gone->vertices[k] == opposite || gone->vertices[(k + 1) % 3] == opposite);
	}
	for (uint32_t i = c->first[opposite]; features > 0 && i != SNW_NONE; i = c->next[i]) {
		lod_triangle *t = triangle_of(c, i);
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t a = t->vertices[k], b = t->vertices[(k + 1) % 3];
			t->features[k] = t->features[k] || (a == opposite && b == vertex) || (a == vertex && b == opposite);
		}
	}
}

/* The triangles of an edge go; the others of `from` become `to`'s, with its wedges. */
static void join_triangles(lod_collapse *c, uint32_t from, uint32_t to, const edge_faces *faces) {
	for (uint32_t f = 0; f < faces->count; f++) {
		lod_triangle *t = &c->s->triangles[faces->triangles[f]];
		for (uint32_t k = 0; k < 3; k++) {
			unlink_corner(c, t->vertices[k], 3 * faces->triangles[f] + k);
		}
		t->face = SNW_NONE;
		c->triangle_count--;
	}
	for (uint32_t i = c->first[from]; i != SNW_NONE;) {
		const uint32_t next = c->next[i];
		lod_triangle *t = triangle_of(c, i);
		t->vertices[i % 3] = to;
		for (uint32_t f = 0; f < faces->count; f++) {
			if (t->wedges[i % 3] == faces->from_wedges[f]) {
				t->wedges[i % 3] = faces->to_wedges[f];
				break;
			}
		}
		c->next[i] = c->first[to];
		c->first[to] = i;
		i = next;
	}
	c->first[from] = SNW_NONE;
	for (uint32_t f = 0; f < faces->count; f++) {
		join_features(c, faces->triangles[f], to, faces->opposite[f]);
	}
}

static bool collapse_edge(lod_collapse *c, uint32_t from, uint32_t to) {
	placement p = {0};
	place(c, from, to, &p);
	if (!isfinite(p.cost)) {
		return false;
	}
	from = p.ring[0];
	to = p.ring[1];
	const edge_faces faces = find_faces(c, from, to);
	float checks[3 * LOD_CHECKS];
	combine_checks(c, &p, checks);
	if (!keeps_topology(c, from, to, &faces) || !turns_nothing(c, from, to, checks) || !turns_nothing(c, to, from, checks)) {
		return false;
	}
	double before[2][LOD_MOST_AXES];
	memcpy(before[0], place_of(c, from), c->n * sizeof(double));
	memcpy(before[1], place_of(c, to), c->n * sizeof(double));
	c->stencils[to] = make_stencil(c, &p);
	put_vertex(c, to);
	const size_t square = (size_t)c->n * c->n_padded;
	join_quadrics(c->n, c->n_padded, c->matrices + from * square, c->vectors + (size_t)from * c->n, c->constants[from],
				  before[0], c->matrices + to * square, c->vectors + (size_t)to * c->n, &c->constants[to], before[1],
				  place_of(c, to));
	c->areas[to] += c->areas[from];
	const bool is_end = c->s->kinds[from] != c->s->kinds[to];
	wedge_pair pairs[MOST_PAIRS];
	join_wedges(&c->wedges, pair_wedges(c, from, to, pairs), pairs, before[0], before[1], place_of(c, to), is_end);
	join_triangles(c, from, to, &faces);
	c->s->shares_kept[to] = fmax(c->s->shares_kept[to], c->s->shares_kept[from]);
	c->stamps[from]++;
	c->stamps[to]++;
	uint32_t around[256];
	const uint32_t count = add_neighbours(c, to, to, 0, 256, around);
	for (uint32_t k = 0; k < count; k++) {
		push_edge(c, around[k] < to ? around[k] : to, around[k] < to ? to : around[k]);
	}
	return true;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

typedef struct edge_list {
	lod_collapse *collapse;
	uint32_t count;
	entry *edges;
} edge_list;

static void score_edges(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const edge_list *list = argument;
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		placement p;
		place(list->collapse, list->edges[i].from, list->edges[i].to, &p);
		list->edges[i].cost = p.cost;
	}
}

/* All edges, once each. */
static void fill_queue(lod_collapse *c) {
	edge_list list = {c, 0, NULL};
	snw_arena *scratch = snw_arena_create();
	list.edges = SNW_NEW_ARRAY(scratch, entry, 3 * (size_t)c->s->triangle_count);
	for (uint32_t t = 0; t < c->s->triangle_count; t++) {
		const lod_triangle *triangle = &c->s->triangles[t];
		for (uint32_t k = 0; triangle->face != SNW_NONE && k < 3; k++) {
			uint32_t from = triangle->vertices[k], to = triangle->vertices[(k + 1) % 3];
			const edge_faces faces = find_faces(c, from, to);
			if (faces.count > 0 && faces.triangles[0] == t) {
				list.edges[list.count++] = (entry){0, from < to ? from : to, from < to ? to : from, 0, 0};
			}
		}
	}
	snw_parallel_for(list.count, EDGE_GRAIN, score_edges, &list);
	c->heap_count = 0;
	for (uint32_t i = 0; i < list.count; i++) {
		entry *e = &list.edges[i];
		e->from_stamp = c->stamps[e->from];
		e->to_stamp = c->stamps[e->to];
		if (isfinite(e->cost)) {
			push(c, e);
		}
	}
	snw_arena_destroy(scratch);
}

static void link_corners(lod_collapse *c) {
	const lod_surface *s = c->s;
	memset(c->first, 0xFF, s->vertex_count * sizeof *c->first);
	for (uint32_t i = 3 * s->triangle_count; i-- > 0;) {
		uint32_t *first = &c->first[s->triangles[i / 3].vertices[i % 3]];
		c->next[i] = *first;
		*first = i;
	}
}

static void add_triangle_quadrics(lod_collapse *c) {
	const lod_surface *s = c->s;
	const pose_places places = pose_places_make(s->motion, c->n_padded, c->arena);
	for (uint32_t t = 0; t < s->triangle_count; t++) {
		const lod_triangle *triangle = &s->triangles[t];
		const double *corners[3];
		float *matrices[3];
		for (int k = 0; k < 3; k++) {
			corners[k] = place_of(c, triangle->vertices[k]);
			matrices[k] = c->matrices + (size_t)triangle->vertices[k] * c->n * c->n_padded;
		}
		const double area = add_face_quadric(c->n, &places, corners, matrices);
		for (int k = 0; k < 3; k++) {
			c->areas[triangle->vertices[k]] += area;
			if (triangle->features[k]) {
				const uint32_t next = (uint32_t)(k + 1) % 3;
				add_line_quadric(c->n, c->n_padded, line_weight, corners[k], corners[next], matrices[k], matrices[next]);
			}
		}
		add_face_values(&c->wedges, c->n_padded, triangle, corners, area, matrices, c->vectors, c->constants);
	}
}

lod_collapse *lod_collapse_make(lod_surface *s, snw_arena *arena) {
	lod_collapse *c = SNW_NEW(arena, lod_collapse);
	*c = (lod_collapse){.s = s, .arena = arena, .n = s->axis_count, .n_padded = (s->axis_count + 3) / 4 * 4};
	const size_t count = s->vertex_count;
	c->diagonal = snw_scene_diagonal(s->scene, SNW_NONE);
	c->first_coordinates = snw_arena_copy(arena, s->coordinates, count * c->n * sizeof *s->coordinates);
	c->first_checks = snw_arena_copy(arena, s->checks, 3 * LOD_CHECKS * count * sizeof *s->checks);
	c->matrices = SNW_NEW_ARRAY(arena, float, count * c->n * c->n_padded);
	c->vectors = SNW_NEW_ARRAY(arena, double, count * c->n);
	c->constants = SNW_NEW_ARRAY(arena, double, count);
	c->areas = SNW_NEW_ARRAY(arena, double, count);
	c->stencils = SNW_NEW_ARRAY(arena, lod_stencil, count);
	c->stamps = SNW_NEW_ARRAY(arena, uint32_t, count);
	c->first = SNW_NEW_ARRAY(arena, uint32_t, count);
	c->next = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)s->triangle_count);
	c->shares = SNW_NEW_ARRAY(arena, double, count);
	c->marks = SNW_NEW_ARRAY(arena, uint32_t, count);
	c->wedges = wedge_sums_make(s, arena);
	uint32_t *selves = SNW_NEW_ARRAY(arena, uint32_t, count);
	double *whole = SNW_NEW(arena, double);
	*whole = 1;
	for (uint32_t v = 0; v < count; v++) {
		selves[v] = v;
		c->stencils[v] = (lod_stencil){1, selves + v, whole};
	}
	for (uint32_t t = 0; t < s->triangle_count; t++) {
		c->triangle_count += s->takes_part[s->triangles[t].mesh];
	}
	link_corners(c);
	add_triangle_quadrics(c);
	fill_queue(c);
	return c;
}

snw_status lod_collapse_to(lod_collapse *c, uint32_t triangles, const char *activity, const snw_task *task, snw_error *error) {
	const uint32_t before = c->triangle_count;
	uint32_t done = 0, done_before = 0;
	while (c->triangle_count > triangles) {
		if (c->heap_count == 0 && done == done_before) {
			break;
		}
		if (c->heap_count == 0) { /* what could not go may go now */
			done_before = done;
			fill_queue(c);
			continue;
		}
		const entry e = pop(c);
		if (c->first[e.from] == SNW_NONE || c->first[e.to] == SNW_NONE || c->stamps[e.from] != e.from_stamp ||
			c->stamps[e.to] != e.to_stamp) {
			continue;
		}
		done += collapse_edge(c, e.from, e.to);
		if (done % AT_ONCE == 0 &&
			!snw_task_progress(task, (double)(before - c->triangle_count) / (before - triangles), activity)) {
			return snw_fail(error, SNW_CANCELLED, "making levels was cancelled");
		}
	}
	return SNW_OK;
}

const lod_stencil *lod_collapse_stencil(const lod_collapse *c, uint32_t vertex) {
	return &c->stencils[vertex];
}
