/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mirror maps by rest position, and how maps are applied.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "base/hash.h"
#include "mesh/mirror/mirror_internal.h"
#include "sinew/algebra.h"

static const double DEFAULT_TOLERANCE = 1e-3; /* of the diagonal */

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

double mirror_mismatch(const snw_mesh *mesh, const snw_mirror_plane *plane, uint32_t point, uint32_t partner) {
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

/* Pairs the points of sites that are nearest to each other's reflections, and repeats this for the remaining points. */
void mirror_by_position(const snw_mesh *mesh, const snw_mirror_plane *plane, double tolerance, snw_arena *arena,
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

static double mesh_diagonal(const snw_mesh *mesh) {
	snw_box box = snw_box_empty();
	snw_box_add_points(&box, mesh->points_rest, mesh->point_count);
	return snw_box_diagonal(&box);
}

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
	const double diagonal = mesh_diagonal(mesh);
	const double smallest = 1e-9 * diagonal + 1e-300;
	const double wanted = options->tolerance > 0 ? options->tolerance : DEFAULT_TOLERANCE * diagonal;
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
