/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nearest points are finished first; a finished point propagates its distance across its triangles. Open points are in
 * buckets by distance, unsorted within a bucket, as in Yatziv, Bartesaghi and Sapiro, "O(N) implementation of the fast marching
 * algorithm" (2006): the error of that is far below the error of the mesh.
 */
#include "mesh/surface_distance.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

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
