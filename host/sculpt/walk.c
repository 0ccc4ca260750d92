/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nearest points first; a point that is done hands its distance on across its triangles. What waits stands in buckets by
 * distance, unsorted within one, as in Yatziv, Bartesaghi and Sapiro, "O(N) implementation of the fast marching algorithm"
 * (2006): what that costs in accuracy is far below what the mesh itself does.
 */
#include "sculpt/walk.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

enum { BUCKETS = 1024, DONE = BUCKETS };

/* What is known of a point in a walk. */
typedef struct visit {
	double distance;
	uint32_t round; /* of the walk that this belongs to */
	uint32_t bucket;
	uint32_t next, last; /* in the bucket; SNW_NONE at its ends */
} visit;

struct snw_walk {
	const snw_mesh *mesh;
	const snw_surroundings *around;
	visit *visits; /* [point_count] */
	uint32_t first[BUCKETS];
	/* Of the walk at hand. */
	uint32_t round;
	const double *points;
	double radius, buckets_a_metre;
};

snw_walk *snw_walk_make(const snw_mesh *mesh, const snw_surroundings *around, snw_arena *arena) {
	snw_walk *own = SNW_NEW(arena, snw_walk);
	own->mesh = mesh;
	own->around = around;
	own->visits = SNW_NEW_ARRAY(arena, visit, mesh->point_count);
	return own;
}

static bool is_done(const snw_walk *own, uint32_t point) {
	return own->visits[point].round == own->round && own->visits[point].bucket == DONE;
}

static void leave_bucket(snw_walk *own, const visit *at) {
	if (at->next != SNW_NONE) {
		own->visits[at->next].last = at->last;
	}
	if (at->last != SNW_NONE) {
		own->visits[at->last].next = at->next;
	} else {
		own->first[at->bucket] = at->next;
	}
}

/* A way of that length to a point that is not done. */
static void offer(snw_walk *own, uint32_t point, double distance) {
	visit *at = &own->visits[point];
	if (!(distance < own->radius) || (at->round == own->round && !(distance < at->distance))) {
		return;
	}
	const uint32_t wanted = (uint32_t)(distance * own->buckets_a_metre);
	const uint32_t bucket = wanted < BUCKETS ? wanted : BUCKETS - 1;
	const bool is_new = at->round != own->round;
	at->distance = distance;
	if (!is_new && at->bucket == bucket) {
		return;
	}
	if (!is_new) {
		leave_bucket(own, at);
	}
	const uint32_t next = own->first[bucket];
	*at = (visit){.distance = distance, .round = own->round, .bucket = bucket, .next = next, .last = SNW_NONE};
	if (next != SNW_NONE) {
		own->visits[next].last = point;
	}
	own->first[bucket] = point;
}

static void between(const double *from, const double *to, double dest[3]) {
	for (int c = 0; c < 3; c++) {
		dest[c] = to[c] - from[c];
	}
}

/* The distance to c through the edge from a to b, whose distances are known: the triangle and the source are laid into the
 * plane, a at the origin and b on the x axis. Negative where the straight way does not cross the edge. */
static double unfold(const double *a, const double *b, const double *c, double to_a, double to_b) {
	double ab[3], ac[3];
	between(a, b, ab);
	between(a, c, ac);
	const double edge_square = snw_dot3(ab, ab), edge = sqrt(edge_square), inverse = 1 / edge;
	const double source_x = 0.5 * inverse * (to_a * to_a - to_b * to_b + edge_square);
	const double c_x = snw_dot3(ac, ab) * inverse;
	const double source_square = to_a * to_a - source_x * source_x, c_square = snw_dot3(ac, ac) - c_x * c_x;
	if (!(source_square >= 0) || !(c_square > 0)) { /* not for an edge without length either */
		return -1;
	}
	const double source_y = sqrt(source_square), c_y = sqrt(c_square);
	const double height = source_y + c_y, crossing = source_x * c_y + c_x * source_y;
	if (!(crossing >= 0 && crossing <= edge * height)) {
		return -1;
	}
	return sqrt((c_x - source_x) * (c_x - source_x) + height * height);
}

static double along_edge(const snw_walk *own, uint32_t from, uint32_t to) {
	double edge[3];
	between(own->points + 3 * (size_t)from, own->points + 3 * (size_t)to, edge);
	return own->visits[from].distance + snw_length3(edge);
}

/* To a point of a triangle around one that is done; `known` is the third, done as well. */
static void cross_triangle(snw_walk *own, uint32_t from, uint32_t known, uint32_t to) {
	const double *points = own->points, so_far = own->visits[from].distance;
	const double straight = unfold(points + 3 * (size_t)from, points + 3 * (size_t)known, points + 3 * (size_t)to, so_far,
								   own->visits[known].distance);
	if (straight >= 0) {
		offer(own, to, fmax(straight, so_far)); /* rounding must not lead back */
	} else {
		offer(own, to, along_edge(own, from, to));
	}
}

static void hand_on(snw_walk *own, uint32_t from) {
	const snw_surroundings *around = own->around;
	for (uint32_t k = around->wedge_starts[from]; k < around->wedge_starts[from + 1]; k++) {
		const uint32_t next = around->wedges[k].next, last = around->wedges[k].last;
		const bool next_is_done = is_done(own, next), last_is_done = is_done(own, last);
		if (!next_is_done && last_is_done) {
			cross_triangle(own, from, last, next);
		} else if (next_is_done && !last_is_done) {
			cross_triangle(own, from, next, last);
		} else if (!next_is_done) {
			offer(own, next, along_edge(own, from, next));
			offer(own, last, along_edge(own, from, last));
		}
	}
}

static void start(snw_walk *own, const double *points_posed, const double center[3], uint32_t face, double radius) {
	own->round++;
	if (own->round == 0) { /* visits of the first round look like those of this one */
		memset(own->visits, 0, own->mesh->point_count * sizeof *own->visits);
		own->round = 1;
	}
	own->points = points_posed;
	own->radius = radius;
	own->buckets_a_metre = BUCKETS / radius;
	for (uint32_t b = 0; b < BUCKETS; b++) {
		own->first[b] = SNW_NONE;
	}
	for (uint32_t c = own->mesh->face_offsets[face]; c < own->mesh->face_offsets[face + 1]; c++) {
		const uint32_t point = own->mesh->face_points[c];
		double edge[3];
		between(center, points_posed + 3 * (size_t)point, edge);
		offer(own, point, snw_length3(edge));
	}
}

uint32_t snw_walk_from(snw_walk *own, const double *points_posed, const double center[3], uint32_t face, double radius,
					   uint32_t *points, double *distances) {
	uint32_t count = 0;
	start(own, points_posed, center, face, radius);
	for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
		while (own->first[bucket] != SNW_NONE) {
			const uint32_t point = own->first[bucket];
			leave_bucket(own, &own->visits[point]);
			own->visits[point].bucket = DONE;
			points[count] = point;
			distances[count++] = own->visits[point].distance;
			hand_on(own, point);
		}
	}
	return count;
}
