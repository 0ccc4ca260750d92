/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partners of points across a plane: by their places, or by the topology of faces.
 */
#include "mesh/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"

/* ---- by places ----------------------------------------------------------------------------------------------------------- */

/* Mirror maps by rest position, and how maps are applied. */

static const double POINT_TOLERANCE = 1e-3; /* of the diagonal */

/* ---- coincident points --------------------------------------------------------------------------------------------------- */

/* A site: points at the same position, ascending. They are paired in this order, so that any number of them needs one
 * search. */
typedef struct sites {
	uint32_t count;
	uint32_t *offsets; /* [count + 1], into points */
	uint32_t *points;
	uint32_t *paired;  /* [count]: how many of its points have a partner, always the first ones */
	double *positions; /* [count][3] */
} sites;

static int compare_positions(const void *a, const void *b, void *context) {
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const double *p = (const double *)context + 3 * (size_t)i, *q = (const double *)context + 3 * (size_t)k;
	for (int c = 0; c < 3; c++) {
		if (p[c] != q[c]) {
			return p[c] < q[c] ? -1 : 1;
		}
	}
	return i < k ? -1 : i > k;
}

static bool positions_are_equal(const double a[3], const double b[3]) {
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static sites sites_find(const double *points, uint32_t count, snw_arena *arena) {
	sites found = {.offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1),
				   .points = SNW_NEW_ARRAY(arena, uint32_t, count),
				   .paired = SNW_NEW_ARRAY(arena, uint32_t, count),
				   .positions = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count)};
	for (uint32_t i = 0; i < count; i++) {
		found.points[i] = i;
	}
	qsort_r(found.points, count, sizeof *found.points, compare_positions, (void *)(uintptr_t)points);
	for (uint32_t n = 0; n < count; n++) {
		const double *position = points + 3 * (size_t)found.points[n];
		if (n == 0 || !positions_are_equal(position, found.positions + 3 * (size_t)(found.count - 1))) {
			memcpy(found.positions + 3 * (size_t)found.count, position, 3 * sizeof *position);
			found.offsets[found.count++] = n;
		}
		found.offsets[found.count] = n + 1;
	}
	return found;
}

static uint32_t site_remaining(const sites *all, uint32_t site) {
	return all->offsets[site + 1] - all->offsets[site] - all->paired[site];
}

/* Its first point without a partner. */
static uint32_t site_next(const sites *all, uint32_t site) {
	return all->points[all->offsets[site] + all->paired[site]];
}

/* ---- a grid over the sites ----------------------------------------------------------------------------------------------- */

/* A hashed grid. Its cells are as wide as the tolerance, so that all sites within the tolerance of a position are in the 27
 * cells around it. */
typedef struct grid {
	const sites *all;
	double cell;
	uint32_t bucket_mask;
	uint32_t *heads, *next; /* SNW_NONE ends a bucket; its sites are ascending */
} grid;

static uint32_t bucket_of(const grid *g, const int64_t cell[3]) {
	snw_hash hash = {0};
	for (int i = 0; i < 3; i++) {
		snw_hash_u64(&hash, (uint64_t)cell[i]);
	}
	return (uint32_t)snw_hash_value(&hash) & g->bucket_mask;
}

static void cell_of(const grid *g, const double p[3], int64_t cell[3]) {
	for (int i = 0; i < 3; i++) {
		cell[i] = (int64_t)floor(fmax(fmin(p[i] / g->cell, 1e15), -1e15));
	}
}

static grid grid_make(const sites *all, double cell, snw_arena *arena) {
	grid g = {.all = all, .cell = cell, .bucket_mask = 1};
	while (g.bucket_mask < all->count) {
		g.bucket_mask = 2 * g.bucket_mask + 1;
	}
	g.heads = SNW_NEW_ARRAY(arena, uint32_t, (size_t)g.bucket_mask + 1);
	g.next = SNW_NEW_ARRAY(arena, uint32_t, all->count);
	memset(g.heads, 0xff, ((size_t)g.bucket_mask + 1) * sizeof *g.heads);
	for (uint32_t i = all->count; i-- > 0;) {
		int64_t cell_index[3];
		cell_of(&g, all->positions + 3 * (size_t)i, cell_index);
		const uint32_t bucket = bucket_of(&g, cell_index);
		g.next[i] = g.heads[bucket];
		g.heads[bucket] = i;
	}
	return g;
}

static double distance(const double a[3], const double b[3]) {
	return snw_length3((double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

/* The nearest site with unpaired points within a cell's width of `position`; of equals, the one with the lowest unpaired
 * point. */
static uint32_t grid_nearest(const grid *g, const double position[3]) {
	int64_t middle[3];
	uint32_t nearest = SNW_NONE;
	double least = g->cell;
	cell_of(g, position, middle);
	for (int k = 0; k < 27; k++) {
		const int64_t cell[3] = {middle[0] + k % 3 - 1, middle[1] + k / 3 % 3 - 1, middle[2] + k / 9 - 1};
		for (uint32_t i = g->heads[bucket_of(g, cell)]; i != SNW_NONE; i = g->next[i]) {
			const double d =
				site_remaining(g->all, i) > 0 ? distance(position, g->all->positions + 3 * (size_t)i) : 2 * g->cell;
			if (d < least || (d == least && (nearest == SNW_NONE || site_next(g->all, i) < site_next(g->all, nearest)))) {
				least = d;
				nearest = i;
			}
		}
	}
	return nearest;
}

/* ---- by position --------------------------------------------------------------------------------------------------------- */

void snw_mirror_reflect(const snw_mirror_plane *plane, const double point[3], double reflected[3]) {
	for (uint32_t i = 0; i < 3; i++) {
		reflected[i] = i == plane->axis ? snw_mirror_coordinate(plane, point[i]) : point[i];
	}
}

/* The distance in metres from the point's reflection to its partner. */
static double mirror_mismatch(const snw_mesh *mesh, const snw_mirror_plane *plane, uint32_t point, uint32_t partner) {
	double reflected[3];
	snw_mirror_reflect(plane, mesh->points_rest + 3 * (size_t)point, reflected);
	return distance(reflected, mesh->points_rest + 3 * (size_t)partner);
}

/* Pairs the unpaired points of two sites in order. A site on the plane is its own partner, and so are its points. */
static uint32_t pair_sites(sites *all, uint32_t site, uint32_t other, uint32_t *partners) {
	const uint32_t remaining = site_remaining(all, site), others = site_remaining(all, other),
				   count = remaining < others ? remaining : others;
	for (uint32_t n = 0; n < count; n++) {
		const uint32_t point = site_next(all, site), partner = site_next(all, other);
		partners[point] = partner;
		partners[partner] = point;
		all->paired[site]++;
		all->paired[other] += other == site ? 0 : 1;
	}
	return count;
}

/* Both fill partners [point_count]. Scratch is in `arena`.
 * Pairs the points of sites that are nearest to each other's reflections, and repeats this for the remaining points. */
static void mirror_by_position(const snw_mesh *mesh, const snw_mirror_plane *plane, double tolerance, snw_arena *arena,
							   uint32_t *partners) {
	sites all = sites_find(mesh->points_rest, mesh->point_count, arena);
	const grid g = grid_make(&all, tolerance, arena);
	uint32_t *nearest = SNW_NEW_ARRAY(arena, uint32_t, all.count);
	memset(partners, 0xff, mesh->point_count * sizeof *partners);
	uint32_t found = 1;
	while (found > 0) {
		found = 0;
		for (uint32_t i = 0; i < all.count; i++) {
			double reflected[3];
			snw_mirror_reflect(plane, all.positions + 3 * (size_t)i, reflected);
			nearest[i] = site_remaining(&all, i) > 0 ? grid_nearest(&g, reflected) : SNW_NONE;
		}
		for (uint32_t i = 0; i < all.count; i++) {
			if (nearest[i] != SNW_NONE && nearest[i] >= i && nearest[nearest[i]] == i) {
				found += pair_sites(&all, i, nearest[i], partners);
			}
		}
	}
}

/* ---- the map ------------------------------------------------------------------------------------------------------------- */

static void count_map(const snw_mesh *mesh, snw_mirror_map *map) {
	map->point_count = mesh->point_count;
	map->worst_point = SNW_NONE;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const uint32_t partner = map->partners[i];
		if (partner == SNW_NONE) {
			map->unpaired_count++;
			continue;
		}
		map->middle_count += partner == i;
		map->pair_count += partner > i;
		const double mismatch = mirror_mismatch(mesh, &map->plane, i, partner);
		if (map->worst_point == SNW_NONE || mismatch > map->largest_mismatch) {
			map->largest_mismatch = mismatch;
			map->worst_point = i;
		}
	}
}

/* ---- by the topology of faces -------------------------------------------------------------------------------------------- */

/* Mirror maps by topology. From an edge and its mirror image, both sides are walked face by face in parallel. A reflection
 * reverses faces, so one side is walked forwards and the other backwards. Each connected piece of the mesh needs a seed: an
 * edge on the plane, or the edge that best matches its image by rest position. The walk continues where the two sides match
 * best, so that a region where the faces differ is reached last, from all sides, and does not affect what is beyond it. If a
 * free walk meets contradictions (quads cut along the other diagonal), a strict one accepts only faces that also have a similar
 * shape. */

/* The tolerance for seeds, relative to the mesh's extent along the axis: rest positions may match badly. */
static const double SEED_TOLERANCE = 0.05;
/* The largest difference between an edge and its image in a strict walk, relative to its length. Across the wrong diagonal of a
 * quad it is a whole length. */
static const double STRICT_STRAIN = 0.5;
enum { TRIES = 8 }; /* seeds for each piece */

/* Half-edge c goes from corner c's point to that of the next corner in its face. */
typedef struct side_walk {
	const snw_mesh *mesh;
	const snw_mirror_plane *plane;
	uint32_t *faces;    /* [corner_count]: the face of each corner */
	uint32_t *offsets;  /* [point_count + 1], into `leaving` */
	uint32_t *leaving;  /* half-edges from each point, ascending */
	uint32_t *pieces;   /* [point_count]: the piece of the mesh that a point is in */
	uint32_t *partners; /* [point_count] */
	uint32_t *stamps;   /* [face_count]: the last walk that reached the face */
	uint32_t stamp;
	struct walk_step *heap; /* the best step first */
	uint32_t heap_count;
	uint32_t *touched; /* points paired by this walk */
	uint32_t touched_count, conflict_count;
	bool strict;
} side_walk;

/* A pair of half-edges that should be images of each other, across which the walk can continue. */
typedef struct walk_step {
	double mismatch;
	uint32_t edge, image;
} walk_step;

typedef struct seed {
	uint32_t edge, image; /* half-edges */
	bool on_plane;
	double mismatch;
} seed;

static uint32_t next_corner(const side_walk *w, uint32_t corner) {
	const uint32_t face = w->faces[corner];
	return corner + 1 < w->mesh->face_offsets[face + 1] ? corner + 1 : w->mesh->face_offsets[face];
}

static uint32_t previous_corner(const side_walk *w, uint32_t corner) {
	const uint32_t face = w->faces[corner];
	return corner > w->mesh->face_offsets[face] ? corner - 1 : w->mesh->face_offsets[face + 1] - 1;
}

/* The half-edge from one point to another; SNW_NONE at a border. */
static uint32_t find_edge(const side_walk *w, uint32_t from, uint32_t to) {
	for (uint32_t i = w->offsets[from]; i < w->offsets[from + 1]; i++) {
		if (w->mesh->face_points[next_corner(w, w->leaving[i])] == to) {
			return w->leaving[i];
		}
	}
	return SNW_NONE;
}

/* ---- the mesh as half-edges ---------------------------------------------------------------------------------------------- */

static void index_edges(side_walk *w, snw_arena *arena) {
	const snw_point_corners at = snw_point_corners_make(w->mesh, arena);
	w->faces = snw_corner_faces(w->mesh, arena);
	w->offsets = at.starts;
	w->leaving = at.corners;
}

/* Finds the pieces of connected points, each identified by its lowest point. */
static void find_pieces(side_walk *w, snw_arena *arena) {
	const snw_mesh *mesh = w->mesh;
	w->pieces = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	snk_pieces_find(&(snk_faces){mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points}, w->pieces);
}

/* ---- the walk ------------------------------------------------------------------------------------------------------------ */

/* Whether two edges, given by their ends, are reflections of each other up to STRICT_STRAIN. */
static bool edges_alike(const side_walk *w, uint32_t a, uint32_t b, uint32_t image_a, uint32_t image_b) {
	const double *points = w->mesh->points_rest;
	double edge[3], difference[3];
	for (uint32_t i = 0; i < 3; i++) {
		const double side = i == w->plane->axis ? -1 : 1;
		edge[i] = points[3 * (size_t)b + i] - points[3 * (size_t)a + i];
		difference[i] = side * edge[i] - (points[3 * (size_t)image_b + i] - points[3 * (size_t)image_a + i]);
	}
	return snw_length3(difference) <= STRICT_STRAIN * snw_length3(edge);
}

static bool faces_alike(const side_walk *w, uint32_t edge, uint32_t image) {
	const uint32_t *points = w->mesh->face_points;
	uint32_t c = edge, d = image;
	do {
		if (!edges_alike(w, points[c], points[next_corner(w, c)], points[next_corner(w, d)], points[d])) {
			return false;
		}
		c = next_corner(w, c);
		d = previous_corner(w, d);
	} while (c != edge);
	return true;
}

static bool pair_points(side_walk *w, uint32_t a, uint32_t b) {
	if (w->partners[a] == b && w->partners[b] == a) {
		return true;
	}
	if (w->partners[a] != SNW_NONE || w->partners[b] != SNW_NONE) {
		return false;
	}
	w->partners[a] = b;
	w->partners[b] = a;
	w->touched[w->touched_count++] = a;
	if (a != b) {
		w->touched[w->touched_count++] = b;
	}
	return true;
}

/* Pairs the points of the faces of two half-edges, the second one backwards. False if they cannot be images. */
static bool pair_faces(side_walk *w, uint32_t edge, uint32_t image) {
	const snw_mesh *mesh = w->mesh;
	const uint32_t f = w->faces[edge], g = w->faces[image];
	const uint32_t size = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
	if (size != mesh->face_offsets[g + 1] - mesh->face_offsets[g] || (w->strict && !faces_alike(w, edge, image))) {
		return false;
	}
	uint32_t c = edge, d = next_corner(w, image);
	for (uint32_t i = 0; i < size; i++, c = next_corner(w, c), d = previous_corner(w, d)) {
		if (!pair_points(w, mesh->face_points[c], mesh->face_points[d])) {
			return false;
		}
	}
	return true;
}

static bool is_better(const walk_step *a, const walk_step *b) {
	return a->mismatch < b->mismatch || (a->mismatch == b->mismatch && a->edge < b->edge);
}

static void push_step(side_walk *w, walk_step added) {
	uint32_t at = w->heap_count++;
	for (; at > 0 && is_better(&added, &w->heap[(at - 1) / 2]); at = (at - 1) / 2) {
		w->heap[at] = w->heap[(at - 1) / 2];
	}
	w->heap[at] = added;
}

static walk_step pop_step(side_walk *w) {
	const walk_step top = w->heap[0], last = w->heap[--w->heap_count];
	uint32_t at = 0;
	for (uint32_t child = 1; child < w->heap_count; child = 2 * at + 1) {
		child += child + 1 < w->heap_count && is_better(&w->heap[child + 1], &w->heap[child]);
		if (!is_better(&w->heap[child], &last)) {
			break;
		}
		w->heap[at] = w->heap[child];
		at = child;
	}
	w->heap[at] = last;
	return top;
}

/* Adds steps across the edges of two paired faces, to faces that this walk has not reached. */
static void push_neighbours(side_walk *w, uint32_t edge, uint32_t image) {
	const uint32_t *points = w->mesh->face_points;
	uint32_t c = edge, d = image;
	do {
		const uint32_t a = points[c], b = points[next_corner(w, c)], e = points[d], f = points[next_corner(w, d)];
		const uint32_t beyond = find_edge(w, b, a), beyond_image = find_edge(w, f, e);
		if (beyond != SNW_NONE && beyond_image != SNW_NONE && w->stamps[w->faces[beyond]] != w->stamp) {
			const double mismatch = mirror_mismatch(w->mesh, w->plane, a, f) + mirror_mismatch(w->mesh, w->plane, b, e);
			push_step(w, (walk_step){mismatch, beyond, beyond_image});
		}
		c = next_corner(w, c);
		d = previous_corner(w, d);
	} while (c != edge);
}

static void run_walk(side_walk *w, uint32_t edge, uint32_t image, bool strict) {
	w->strict = strict;
	w->stamp++;
	w->touched_count = w->conflict_count = w->heap_count = 0;
	push_step(w, (walk_step){0, edge, image});
	while (w->heap_count > 0) {
		const walk_step current = pop_step(w);
		if (w->stamps[w->faces[current.edge]] == w->stamp) {
			continue;
		}
		w->stamps[w->faces[current.edge]] = w->stamp;
		if (pair_faces(w, current.edge, current.image)) {
			push_neighbours(w, current.edge, current.image);
		} else {
			w->conflict_count++;
		}
	}
}

static void undo_walk(side_walk *w) {
	for (uint32_t i = 0; i < w->touched_count; i++) {
		w->partners[w->touched[i]] = SNW_NONE;
	}
}

/* ---- seeds --------------------------------------------------------------------------------------------------------------- */

static int compare_seeds(const void *a, const void *b) {
	const seed *s = a, *t = b;
	if (s->on_plane != t->on_plane) {
		return s->on_plane ? -1 : 1;
	}
	if (s->mismatch != t->mismatch) {
		return s->mismatch < t->mismatch ? -1 : 1;
	}
	return (s->edge > t->edge) - (s->edge < t->edge);
}

/* Lists the edges whose images by position are edges too, the best first. */
static uint32_t list_seeds(const side_walk *w, const uint32_t *guess, seed *seeds) {
	const snw_mesh *mesh = w->mesh;
	const uint32_t corners = mesh->face_offsets[mesh->face_count];
	uint32_t count = 0;
	for (uint32_t c = 0; c < corners; c++) {
		const uint32_t a = mesh->face_points[c], b = mesh->face_points[next_corner(w, c)];
		const uint32_t image = guess[a] == SNW_NONE || guess[b] == SNW_NONE ? SNW_NONE : find_edge(w, guess[b], guess[a]);
		if (image != SNW_NONE) {
			seeds[count++] = (seed){
				.edge = c,
				.image = image,
				.on_plane = guess[a] == a && guess[b] == b,
				.mismatch = mirror_mismatch(mesh, w->plane, a, guess[a]) + mirror_mismatch(mesh, w->plane, b, guess[b]),
			};
		}
	}
	qsort(seeds, count, sizeof *seeds, compare_seeds);
	return count;
}

/* The attempts for a piece, by its lowest point. */
typedef struct attempt {
	uint32_t tries, best;  /* best: an index of seeds */
	uint32_t paired_count; /* points that the best one pairs */
} attempt;

/* Keeps a free walk that pairs its whole piece without a contradiction. Otherwise remembers the best strict one. */
static void try_seed(side_walk *w, const seed *seeds, uint32_t index, const uint32_t *sizes, attempt *tried) {
	const uint32_t from = w->pieces[w->mesh->face_points[seeds[index].edge]];
	const uint32_t to = w->pieces[w->mesh->face_points[seeds[index].image]];
	const uint32_t whole = from == to ? sizes[from] : sizes[from] + sizes[to];
	attempt *state = &tried[from];
	state->tries++;
	run_walk(w, seeds[index].edge, seeds[index].image, false);
	if (w->conflict_count == 0 && w->touched_count == whole) {
		state->tries = tried[to].tries = TRIES;
		state->best = tried[to].best = SNW_NONE;
		return;
	}
	undo_walk(w);
	run_walk(w, seeds[index].edge, seeds[index].image, true);
	undo_walk(w);
	if (state->best == SNW_NONE || w->touched_count > state->paired_count) {
		state->best = index;
		state->paired_count = w->touched_count;
	}
}

static void mirror_by_topology(const snw_mesh *mesh, const snw_mirror_plane *plane, snw_arena *arena, uint32_t *partners) {
	const uint32_t points = mesh->point_count, corners = mesh->face_offsets[mesh->face_count];
	side_walk w = {.mesh = mesh, .plane = plane, .partners = partners};
	double reach = 0;
	for (uint32_t p = 0; p < points; p++) {
		reach = fmax(reach, fabs(mesh->points_rest[3 * (size_t)p + plane->axis] - plane->offset));
	}
	index_edges(&w, arena);
	find_pieces(&w, arena);
	w.stamps = SNW_NEW_ARRAY(arena, uint32_t, mesh->face_count);
	w.heap = SNW_NEW_ARRAY(arena, walk_step, (size_t)corners + 1); /* each edge of a face at most once */
	w.touched = SNW_NEW_ARRAY(arena, uint32_t, points);
	uint32_t *guess = SNW_NEW_ARRAY(arena, uint32_t, points), *sizes = SNW_NEW_ARRAY(arena, uint32_t, points);
	mirror_by_position(mesh, plane, fmax(SEED_TOLERANCE * reach, 1e-300), arena, guess);
	memset(partners, 0xff, points * sizeof *partners);
	seed *seeds = SNW_NEW_ARRAY(arena, seed, corners);
	const uint32_t count = list_seeds(&w, guess, seeds);
	attempt *tried = SNW_NEW_ARRAY(arena, attempt, points);
	for (uint32_t p = 0; p < points; p++) {
		sizes[w.pieces[p]]++;
		tried[p].best = SNW_NONE;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t a = mesh->face_points[seeds[i].edge];
		if (tried[w.pieces[a]].tries < TRIES && partners[a] == SNW_NONE) {
			try_seed(&w, seeds, i, sizes, tried);
		}
	}
	for (uint32_t p = 0; p < points; p++) {
		if (tried[p].best != SNW_NONE && partners[mesh->face_points[seeds[tried[p].best].edge]] == SNW_NONE) {
			run_walk(&w, seeds[tried[p].best].edge, seeds[tried[p].best].image, true);
		}
	}
}

/* ---- the map ------------------------------------------------------------------------------------------------------------- */

static void map_by(const snw_mesh *mesh, snw_mirror_method method, const snw_mirror_options *options, double tolerance,
				   snw_arena *arena, snw_mirror_map *map) {
	uint32_t *partners = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	*map = (snw_mirror_map){.method = method, .plane = options->plane, .partners = partners};
	if (method == SNW_MIRROR_POSITION) {
		mirror_by_position(mesh, &options->plane, tolerance, arena, partners);
	} else {
		mirror_by_topology(mesh, &options->plane, arena, partners);
	}
	count_map(mesh, map);
}

snw_status snw_mirror_map_build(const snw_mesh *mesh, const snw_mirror_options *options, snw_arena *arena, snw_mirror_map *map,
								snw_error *error) {
	const double diagonal = snw_points_diagonal(mesh->points_rest, mesh->point_count);
	const double smallest = 1e-9 * diagonal + 1e-300;
	const double wanted = options->tolerance > 0 ? options->tolerance : POINT_TOLERANCE * diagonal;
	const double tolerance = fmax(wanted, smallest);
	snw_mirror_map best, by_topology;
	if (options->method == SNW_MIRROR_TOPOLOGY && mesh->face_count == 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "mesh %s has no faces; mirror it by position", mesh->name);
	}
	const snw_mirror_method first = options->method == SNW_MIRROR_TOPOLOGY ? SNW_MIRROR_TOPOLOGY : SNW_MIRROR_POSITION;
	map_by(mesh, first, options, tolerance, arena, &best);
	if (options->method == SNW_MIRROR_AUTO && best.unpaired_count > 0 && mesh->face_count > 0) {
		map_by(mesh, SNW_MIRROR_TOPOLOGY, options, tolerance, arena, &by_topology);
		best = by_topology.unpaired_count < best.unpaired_count ? by_topology : best;
	}
	if (best.worst_point == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"mesh %s: no point has a partner on the other side of %c = %g m; check the axis and the plane, or give "
						"a tolerance larger than %g m",
						mesh->name, "xyz"[options->plane.axis % 3], options -> plane.offset, tolerance);
	}
	*map = best;
	return SNW_OK;
}

/* ---- applying a map ------------------------------------------------------------------------------------------------------ */

void snw_mirror_sculpt(const snw_mirror_map *map, const double *below, const double *sculpt, const double *below_mirrored,
					   double *mirrored) {
	memmove(mirrored, below_mirrored, 3 * (size_t)map->point_count * sizeof *mirrored);
	for (uint32_t i = 0; i < map->point_count; i++) {
		const uint32_t partner = map->partners[i];
		for (uint32_t k = 0; partner != SNW_NONE && k < 3; k++) {
			const double added = sculpt[3 * (size_t)i + k] - below[3 * (size_t)i + k];
			mirrored[3 * (size_t)partner + k] += k == map->plane.axis ? -added : added;
		}
	}
}

void snw_mirror_values(const snw_mirror_map *map, const double *values, double *mirrored) {
	for (uint32_t i = 0; i < map->point_count; i++) {
		mirrored[i] = map->partners[i] == SNW_NONE ? 0 : values[map->partners[i]];
	}
}
