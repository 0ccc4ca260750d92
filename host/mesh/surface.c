/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The neighbours of points, sets of elements; the nearest place of a surface, and distances along it.
 */
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

#include "mesh/surface.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"
#include "task/task.h"

/* ---- adjacency ----------------------------------------------------------------------------------------------------------- */

static snk_faces faces_of(const snw_mesh *mesh) {
	return (snk_faces){mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points};
}

uint32_t *snw_corner_faces(const snw_mesh *mesh, snw_arena *arena) {
	if (mesh->face_count == 0) {
		return NULL;
	}
	uint32_t *faces = SNW_NEW_ARRAY(arena, uint32_t, mesh->face_offsets[mesh->face_count]);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			faces[c] = f;
		}
	}
	return faces;
}

snw_point_corners snw_point_corners_make(const snw_mesh *mesh, snw_arena *arena) {
	const snk_faces faces = faces_of(mesh);
	const uint32_t corner_count = snk_faces_corner_count(&faces);
	const snw_point_corners at = {.starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1),
								  .corners = SNW_NEW_ARRAY(arena, uint32_t, corner_count),
								  .faces = SNW_NEW_ARRAY(arena, uint32_t, corner_count)};
	snk_point_corners(&faces, at.starts, at.corners, at.faces);
	return at;
}

/* Lists each face once. The faces of a point's corners are ascending, so repeats are consecutive. */
static void find_faces(const snw_mesh *mesh, snw_adjacency *around, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	const snw_point_corners at = snw_point_corners_make(mesh, scratch);
	uint32_t *starts = around->face_starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	around->faces = SNW_NEW_ARRAY(arena, uint32_t, at.starts[mesh->point_count]);
	uint32_t count = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = at.starts[i]; k < at.starts[i + 1]; k++) {
			if (k == at.starts[i] || at.faces[k] != at.faces[k - 1]) {
				around->faces[count++] = at.faces[k];
			}
		}
		starts[i + 1] = count;
	}
	snw_arena_destroy(scratch);
}

/* Rows are counted first, then filled. */
static void find_wedges(const snw_mesh *mesh, snw_adjacency *around, snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	uint32_t *next = SNW_NEW_ARRAY(scratch, uint32_t, mesh->point_count);
	uint32_t *starts = around->wedge_starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	for (int filling = 0; filling < 2; filling++) {
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			const uint32_t *points = mesh->face_points + mesh->face_offsets[f];
			const uint32_t count = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
			for (uint32_t c = 1; c + 1 < count; c++) {
				const uint32_t corners[3] = {points[0], points[c], points[c + 1]};
				if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
					continue;
				}
				for (int k = 0; k < 3; k++) {
					if (filling) {
						around->wedges[next[corners[k]]++] = (snw_wedge){corners[(k + 1) % 3], corners[(k + 2) % 3]};
					} else {
						starts[corners[k] + 1]++;
					}
				}
			}
		}
		if (!filling) {
			for (uint32_t i = 0; i < mesh->point_count; i++) {
				starts[i + 1] += starts[i];
			}
			around->wedges = SNW_NEW_ARRAY(arena, snw_wedge, starts[mesh->point_count]);
			memcpy(next, starts, mesh->point_count * sizeof *next);
		}
	}
	snw_arena_destroy(scratch);
}

static void find_neighbours(const snw_mesh *mesh, const uint32_t *partners, snw_adjacency *around, snw_arena *arena) {
	const snk_faces faces = faces_of(mesh);
	const size_t most = 2 * (size_t)snk_faces_corner_count(&faces);
	snw_arena *scratch = snw_arena_create();
	uint32_t *starts = around->neighbour_starts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *neighbours = SNW_NEW_ARRAY(scratch, uint32_t, most), *sides = SNW_NEW_ARRAY(scratch, uint32_t, most);
	snk_neighbours(&faces, partners, SNW_NEW_ARRAY(scratch, uint64_t, most), starts, neighbours, sides);
	around->neighbours = snw_arena_copy(arena, neighbours, starts[mesh->point_count] * sizeof *neighbours);
	around->on_border = SNW_NEW_ARRAY(arena, bool, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = starts[i]; k < starts[i + 1]; k++) {
			around->on_border[i] |= sides[k] == 1;
		}
	}
	snw_arena_destroy(scratch);
}

snw_adjacency snw_adjacency_make(const snw_mesh *mesh, const uint32_t *partners, snw_arena *arena) {
	snw_adjacency around = {0};
	find_faces(mesh, &around, arena);
	find_wedges(mesh, &around, arena);
	find_neighbours(mesh, partners, &around, arena);
	return around;
}

/* ---- element set --------------------------------------------------------------------------------------------------------- */

/* Unused blocks are skipped, eight at a time. */

enum { STRIDE = 8 };

snw_set snw_set_make(uint32_t count, snw_arena *arena) {
	const uint32_t blocks = count / SNW_SET_BLOCK + 1;
	return (snw_set){
		.block_count = (blocks + STRIDE - 1) / STRIDE * STRIDE,
		.has = SNW_NEW_ARRAY(arena, unsigned char, (size_t)blocks *SNW_SET_BLOCK),
		.is_used = SNW_NEW_ARRAY(arena, unsigned char, (blocks + STRIDE - 1) / STRIDE * STRIDE),
	};
}

/* The first used block from `block` on; block_count if there is none. */
static uint32_t next_used(const snw_set *set, uint32_t block) {
	while (block < set->block_count) {
		uint64_t eight;
		memcpy(&eight, set->is_used + block / STRIDE * STRIDE, sizeof eight);
		if (eight == 0) {
			block = (block / STRIDE + 1) * STRIDE;
		} else if (!set->is_used[block]) {
			block++;
		} else {
			break;
		}
	}
	return block;
}

void snw_set_clear(snw_set *set) {
	for (uint32_t b = next_used(set, 0); b < set->block_count; b = next_used(set, b + 1)) {
		memset(set->has + (size_t)b * SNW_SET_BLOCK, 0, SNW_SET_BLOCK);
		set->is_used[b] = 0;
	}
}

void snw_set_join(snw_set *set, const snw_set *other) {
	for (uint32_t b = next_used(other, 0); b < other->block_count; b = next_used(other, b + 1)) {
		for (uint32_t k = b * SNW_SET_BLOCK; k < (b + 1) * SNW_SET_BLOCK; k++) {
			set->has[k] |= other->has[k];
		}
		set->is_used[b] = 1;
	}
}

uint32_t snw_set_list(const snw_set *set, uint32_t *items) {
	uint32_t count = 0;
	for (uint32_t b = next_used(set, 0); b < set->block_count; b = next_used(set, b + 1)) {
		for (uint32_t k = b * SNW_SET_BLOCK; k < (b + 1) * SNW_SET_BLOCK; k++) {
			items[count] = k; /* branchless: the next item overwrites it if k is not in the set */
			count += set->has[k];
		}
	}
	return count;
}

/* ---- a surface ----------------------------------------------------------------------------------------------------------- */

/* The nearest place of a surface, and distances along it. */

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
