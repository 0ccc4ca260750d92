/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nearest place of a surface, and distances along it.
 */
#include "mesh/surface.h"

#include <math.h>
#include <string.h>

#include "mesh/mesh.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- surface place ------------------------------------------------------------------------------------------------------- */

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

/* ---- surface distance ---------------------------------------------------------------------------------------------------- */

/* The nearest points are finished first; a finished point propagates its distance across its triangles. Open points are in
 * buckets by distance, unsorted within a bucket, as in Yatziv, Bartesaghi and Sapiro, "O(N) implementation of the fast
 * marching algorithm" (2006): the error of that is far below the error of the mesh. */

enum { BUCKETS = 1024 };

/* The state of a point in a walk. */
typedef struct visit {
	double distance;
	uint32_t stamp;      /* of the walk while open, plus 1 when finished; others are from earlier walks */
	uint32_t bucket;     /* while it is open */
	uint32_t next, last; /* in the bucket; SNW_NONE at its ends */
} visit;

struct snw_surface_walk {
	const snw_mesh *mesh;
	const snw_adjacency *around;
	visit *visits; /* [point_count] */
	uint32_t first[BUCKETS];
	/* Of the current walk. */
	uint32_t stamp;
	const double *points;
	double radius, buckets_per_metre;
};

snw_surface_walk *snw_surface_walk_make(const snw_mesh *mesh, const snw_adjacency *around, snw_arena *arena) {
	snw_surface_walk *walk = SNW_NEW(arena, snw_surface_walk);
	walk->mesh = mesh;
	walk->around = around;
	walk->visits = SNW_NEW_ARRAY(arena, visit, mesh->point_count);
	return walk;
}

static inline bool is_finished(const snw_surface_walk *walk, uint32_t point) {
	return walk->visits[point].stamp == walk->stamp + 1;
}

/* A path to a point is of use only if it is shorter than this. */
static inline double limit_of(const snw_surface_walk *walk, const visit *at) {
	return at->stamp == walk->stamp ? at->distance : walk->radius;
}

static void leave_bucket(snw_surface_walk *walk, const visit *at) {
	if (at->next != SNW_NONE) {
		walk->visits[at->next].last = at->last;
	}
	if (at->last != SNW_NONE) {
		walk->visits[at->last].next = at->next;
	} else {
		walk->first[at->bucket] = at->next;
	}
}

/* Records a path of that length, below the limit, to an unfinished point. */
static void record_path(snw_surface_walk *walk, uint32_t point, double distance) {
	visit *at = &walk->visits[point];
	const uint32_t wanted = (uint32_t)(distance * walk->buckets_per_metre);
	const uint32_t bucket = wanted < BUCKETS ? wanted : BUCKETS - 1;
	const bool is_new = at->stamp != walk->stamp;
	at->distance = distance;
	if (!is_new && at->bucket == bucket) {
		return;
	}
	if (!is_new) {
		leave_bucket(walk, at);
	}
	const uint32_t next = walk->first[bucket];
	*at = (visit){.distance = distance, .stamp = walk->stamp, .bucket = bucket, .next = next, .last = SNW_NONE};
	if (next != SNW_NONE) {
		walk->visits[next].last = point;
	}
	walk->first[bucket] = point;
}

static inline void difference(const double *from, const double *to, double dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = to[c] - from[c];
	}
}

/* Offers a point the path along an edge from a finished point. The root of the edge's squared length is taken only if it is of
 * use. */
static inline void offer_edge(snw_surface_walk *walk, double so_far, uint32_t to, double squared_edge) {
	const double limit = limit_of(walk, &walk->visits[to]) - so_far;
	if (limit > 0 && squared_edge < limit * limit) {
		record_path(walk, to, so_far + sqrt(squared_edge));
	}
}

/* Offers `to` the path through the edge of a triangle whose ends `from` and `known` are finished. Triangle and source are
 * unfolded into a plane, with `from` at the origin and `known` on the x axis at e. With a and b the distances of the two, the
 * source lies at x = (a² - b² + e²) / 2e. The only roots needed are of P = (e times the height of `to`)² and Q = (2e times that
 * of the source)². If the straight path does not cross the edge, the path goes along the edge from `from`. */
static void cross_triangle(snw_surface_walk *walk, uint32_t from, uint32_t known, uint32_t to) {
	const double *points = walk->points, *origin = points + 3 * (size_t)from;
	const double a = walk->visits[from].distance, b = walk->visits[known].distance;
	double edge[3], other[3];
	difference(origin, points + 3 * (size_t)known, edge);
	difference(origin, points + 3 * (size_t)to, other);
	const double e_e = snw_dot3(edge, edge), o_o = snw_dot3(other, other), e_o = snw_dot3(edge, other);
	const double source = (a - b) * (a + b) + e_e; /* 2e times its x */
	const double p = e_e * o_o - e_o * e_o, q = 4 * a * a * e_e - source * source;
	if (!(q >= 0) || !(p > 0)) { /* also for an edge of no length */
		offer_edge(walk, a, to, o_o);
		return;
	}
	const double root_p = sqrt(p), root_q = sqrt(q);
	if (!(source * root_p + e_o * root_q >= 0 && (2 * e_e - source) * root_p + (e_e - e_o) * root_q >= 0)) {
		offer_edge(walk, a, to, o_o);
		return;
	}
	const double limit = limit_of(walk, &walk->visits[to]);
	const double squared = o_o + a * a + (root_p * root_q - e_o * source) / e_e;
	if (squared < limit * limit) {
		const double straight = sqrt(squared), path = straight > a ? straight : a; /* rounding must not make it shorter */
		if (path < limit) {
			record_path(walk, to, path);
		}
	}
}

static void propagate(snw_surface_walk *walk, uint32_t from) {
	const snw_adjacency *around = walk->around;
	const double *points = walk->points, so_far = walk->visits[from].distance;
	for (uint32_t k = around->wedge_starts[from]; k < around->wedge_starts[from + 1]; k++) {
		const uint32_t ends[2] = {around->wedges[k].next, around->wedges[k].last};
		const bool next_is_finished = is_finished(walk, ends[0]), last_is_finished = is_finished(walk, ends[1]);
		if (next_is_finished != last_is_finished) {
			cross_triangle(walk, from, ends[last_is_finished], ends[next_is_finished]);
			continue;
		}
		for (int e = 0; e < 2 && !next_is_finished; e++) {
			double edge[3];
			difference(points + 3 * (size_t)from, points + 3 * (size_t)ends[e], edge);
			offer_edge(walk, so_far, ends[e], snw_dot3(edge, edge));
		}
	}
}

static void start(snw_surface_walk *walk, const double *points_posed, const double center[3], uint32_t face, double radius) {
	walk->stamp += 2;
	if (walk->stamp == 0) { /* the stamps of the first walks come again */
		memset(walk->visits, 0, walk->mesh->point_count * sizeof *walk->visits);
		walk->stamp = 2;
	}
	walk->points = points_posed;
	walk->radius = radius;
	walk->buckets_per_metre = BUCKETS / radius;
	for (uint32_t b = 0; b < BUCKETS; b++) {
		walk->first[b] = SNW_NONE;
	}
	for (uint32_t c = walk->mesh->face_offsets[face]; c < walk->mesh->face_offsets[face + 1]; c++) {
		const uint32_t point = walk->mesh->face_points[c];
		double edge[3];
		difference(center, points_posed + 3 * (size_t)point, edge);
		offer_edge(walk, 0, point, snw_dot3(edge, edge));
	}
}

/* Prefetches the data of the point that is likely to be next. */
static inline void prefetch(const snw_surface_walk *walk, uint32_t next) {
	if (next != SNW_NONE) {
		const snw_wedge *wedges = walk->around->wedges + walk->around->wedge_starts[next];
		__builtin_prefetch(wedges);
		__builtin_prefetch(wedges + 7);
		__builtin_prefetch(walk->points + 3 * (size_t)next);
	}
}

uint32_t snw_surface_walk_from(snw_surface_walk *walk, const double *points_posed, const double center[3], uint32_t face,
							   double radius, uint32_t *points, double *distances) {
	uint32_t count = 0;
	start(walk, points_posed, center, face, radius);
	for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
		while (walk->first[bucket] != SNW_NONE) {
			const uint32_t point = walk->first[bucket];
			visit *at = &walk->visits[point];
			leave_bucket(walk, at);
			prefetch(walk, walk->first[bucket]);
			at->stamp = walk->stamp + 1;
			points[count] = point;
			distances[count++] = at->distance;
			propagate(walk, point);
		}
	}
	return count;
}
