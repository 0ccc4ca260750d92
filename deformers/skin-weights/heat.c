/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights from heat: one sparse factorisation for a mesh, and one right-hand side for each slot.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/mesh/adjacency.h"
#include "sinew/kit/numerics/solver.h"
#include "sinew/kit/status.h"
#include "skin-weights/fit.h"

enum { GRAIN = 256, BATCH = 16 };

/* Bones whose distances differ by less than this share are equally near. */
static const double equally_near = 1e-4;

/* A bone is in sight of a point if the direction to it is at least this far behind the surface (the cosine to the normal). */
static const double in_sight = 0.1;

/* Distances count as at least this part of the diagonal. */
static const double least_distance = 1e-4;

/* What flows along an edge whose cotangents are not positive: so little that it counts only where nothing else does. */
static const double least_conductance = 1e-9;

/* By how much of it the way on the wrong side of joints makes a bone more distant. */
static const double behind = 0.4;

/* How much stronger the heat of a joint without children is: nothing beyond it moves. */
static const double leaf_heat = 8;

/* Weights are raised to this power, which shortens the long ends of heat. */
static const double sharpness = 1.25;

/* A bone's thickness is known if at least so many points are beside it. */
enum { FEWEST_BESIDE = 6 };

/* Weights below this are dropped. */
static const double least_weight = 1e-3;

/* The slots of the bones that heat a point: one, or several that are equally near. */
enum { MOST_NEAR = 4 };
typedef struct near_slots {
	uint32_t count;
	uint32_t slots[MOST_NEAR];
} near_slots;

/* A bone that a point is beside. */
typedef struct beside {
	uint32_t bone;
	double distance;
} beside;

typedef struct heat {
	const weights_fit *f;
	const snw_mesh_view *mesh;
	const surface_pieces *pieces;
	snw_pool pool;
	snk_faces triangles;
	snk_adjacency edges;
	double *conductances; /* beside edges.neighbours */
	double *areas;        /* [point_count] */
	double *normals;      /* [point_count][3]: outward */
	double *sources;      /* [point_count]: A H; 0 for a point that sees no bone */
	beside *beside;       /* [point_count] */
	double *pulls;        /* [bone_count] */
	near_slots *near;     /* [point_count] */
	double *right_sides;  /* [BATCH][point_count] */
	influence_set *sets;
} heat;

/* The distance of a bone; infinite if it is out of sight and `everywhere` is 0. */
static double distance_of(const heat *h, uint32_t point, const bone *b, int everywhere) {
	const double *place = h->mesh->points_rest + 3 * (size_t)point, *normal = h->normals + 3 * (size_t)point;
	double nearest[3], away[3];
	nearest_on_bone(b, place, nearest);
	for (int c = 0; c < 3; c++) {
		away[c] = nearest[c] - place[c];
	}
	const double distance = snw_length3(away);
	const int is_seen = everywhere || snw_dot3(away, normal) <= -in_sight * distance * snw_length3(normal);
	return is_seen ? distance : (double)INFINITY;
}

/* ---- thickness ------------------------------------------------------------------------------------------------------------- */

/* The nearest bone in sight of a point beside which the point is, and not behind one of its ends; SNW_NONE for none. */
static void find_beside(const heat *h, uint32_t point, beside *found) {
	const double *place = h->mesh->points_rest + 3 * (size_t)point;
	*found = (beside){SNW_NONE, INFINITY};
	for (uint32_t b = 0; b < h->f->bone_count; b++) {
		const double distance = distance_of(h, point, &h->f->bones[b], 0);
		if (distance < found->distance) {
			*found = (beside){b, distance};
		}
	}
	if (found->bone != SNW_NONE) {
		const bone *b = &h->f->bones[found->bone];
		double nearest[3];
		nearest_on_bone(b, place, nearest);
		const int at_end = memcmp(nearest, b->ends[0], sizeof nearest) == 0 || memcmp(nearest, b->ends[1], sizeof nearest) == 0;
		found->bone = at_end ? SNW_NONE : found->bone;
	}
}

static void SNW_CALL find_all_beside(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const heat *h = argument;
	for (uint32_t i = begin; i < end; i++) {
		find_beside(h, i, &h->beside[i]);
	}
}

static int compare_numbers(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* pulls: the roots of the thicknesses. A bone that too few points are beside has the mean of the others. */
static snw_status measure_thickness(heat *h) {
	const snk_stretch stretch = {progress_at(h->f, 0), progress_at(h->f, 0.05), "finding bones in sight"};
	const uint32_t bones = h->f->bone_count, points = h->mesh->point_count;
	double *distances = SNW_POOL_ARRAY(&h->pool, double, points), sum = 0;
	uint32_t known = 0;
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	const snw_status status = snk_ranges_run_reported(h->f->host, points, GRAIN, find_all_beside, h, &stretch);
	for (uint32_t b = 0; !snk_failed(status) && b < bones; b++) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < points; i++) {
			if (h->beside[i].bone == b) {
				distances[count++] = h->beside[i].distance;
			}
		}
		if (count >= FEWEST_BESIDE) {
			qsort(distances, count, sizeof *distances, compare_numbers);
			h->pulls[b] = sqrt(fmax(distances[3 * (count - 1) / 4], least_distance * h->f->diagonal));
			sum += h->pulls[b];
			known++;
		}
	}
	for (uint32_t b = 0; b < bones; b++) {
		h->pulls[b] = h->pulls[b] > 0 ? h->pulls[b] : known > 0 ? sum / known : 1;
	}
	return status;
}

/* ---- what heats a point ---------------------------------------------------------------------------------------------------- */

/* What bones compete by: the distance, farther on the wrong side of joints, over the pull. Infinite if the bone is out of sight. */
static double remoteness_of(const heat *h, uint32_t point, uint32_t number, int everywhere) {
	const double distance = distance_of(h, point, &h->f->bones[number], everywhere);
	const double *place = h->mesh->points_rest + 3 * (size_t)point;
	return isfinite(distance)
			   ? (distance + behind * distance_behind_planes(h->f, &h->f->bones[number], place)) / h->pulls[number]
			   : distance;
}

static void add_near(near_slots *near, uint32_t slot) {
	for (uint32_t k = 0; k < near->count; k++) {
		if (near->slots[k] == slot) {
			return;
		}
	}
	if (near->count < MOST_NEAR) {
		near->slots[near->count++] = slot;
	}
}

static void heat_point(const heat *h, uint32_t point, int everywhere) {
	const weights_fit *f = h->f;
	double least = INFINITY, distance = 0;
	near_slots *near = &h->near[point];
	for (uint32_t b = 0; b < f->bone_count; b++) {
		const double remoteness = remoteness_of(h, point, b, everywhere);
		if (remoteness < least) {
			least = remoteness;
			distance = distance_of(h, point, &f->bones[b], everywhere);
		}
	}
	near->count = 0;
	h->sources[point] = 0;
	if (!isfinite(least)) {
		return;
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		if (remoteness_of(h, point, b, everywhere) <= (1 + equally_near) * least) {
			add_near(near, f->bones[b].slot);
		}
	}
	const double bounded = fmax(distance, least_distance * f->diagonal), strength = is_leaf(f, near->slots[0]) ? leaf_heat : 1;
	h->sources[point] = strength * h->areas[point] / (f->input->values[SPREAD].numbers[0] * bounded * bounded);
}

static void SNW_CALL heat_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		heat_point(argument, i, 0);
	}
}

/* Pieces of the surface that see no bone take the nearest ones, wherever these are. */
static snw_status heat_pieces(heat *h) {
	const uint32_t count = h->mesh->point_count;
	uint32_t *queue = SNW_POOL_ARRAY(&h->pool, uint32_t, count);
	unsigned char *reached = SNW_POOL_ARRAY(&h->pool, unsigned char, count);
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t first = 0; first < count; first++) {
		uint32_t end = 0;
		double sources = 0;
		if (!reached[first]) {
			queue[end++] = first;
			reached[first] = 1;
		}
		for (uint32_t at = 0; at < end; at++) {
			sources += h->sources[queue[at]];
			for (uint32_t k = h->edges.offsets[queue[at]]; k < h->edges.offsets[queue[at] + 1]; k++) {
				const uint32_t next = h->edges.neighbours[k];
				if (!reached[next]) {
					queue[end++] = next;
					reached[next] = 1;
				}
			}
		}
		for (uint32_t at = 0; at < end && !(sources > 0); at++) {
			heat_point(h, queue[at], 1);
		}
	}
	return SNW_OK;
}

/* ---- the equations --------------------------------------------------------------------------------------------------------- */

static snw_status open_heat(heat *h) {
	const snk_faces faces = snk_faces_of(h->mesh);
	const size_t count = h->mesh->point_count;
	snw_status status = snk_triangulate(&faces, &h->pool, &h->triangles);
	status = snk_failed(status) ? status : snk_adjacency_find(&h->triangles, SNK_NEIGHBOURS_ASCENDING, &h->pool, &h->edges);
	if (snk_failed(status)) {
		return status;
	}
	h->conductances = SNW_POOL_ARRAY(&h->pool, double, h->edges.offsets[count]);
	h->areas = SNW_POOL_ARRAY(&h->pool, double, count);
	h->normals = SNW_POOL_ARRAY(&h->pool, double, 3 * count);
	h->sources = SNW_POOL_ARRAY(&h->pool, double, count);
	h->beside = SNW_POOL_ARRAY(&h->pool, beside, count);
	h->pulls = SNW_POOL_ARRAY(&h->pool, double, h->f->bone_count);
	h->near = SNW_POOL_ARRAY(&h->pool, near_slots, count);
	h->right_sides = SNW_POOL_ARRAY(&h->pool, double, BATCH *count);
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	snk_point_normals(&faces, h->mesh->points_rest, h->normals);
	for (uint32_t i = 0; i < h->mesh->point_count; i++) {
		for (size_t c = 0; c < 3; c++) {
			h->normals[3 * (size_t)i + c] *= h->pieces->signs[h->pieces->of_point[i]];
		}
	}
	status = snk_cotangent_weights(&h->edges, &h->triangles, h->mesh->points_rest, h->conductances, h->areas);
	for (uint32_t i = 0; i < h->mesh->point_count; i++) {
		h->areas[i] = fmax(h->areas[i], 1e-12 * h->f->diagonal * h->f->diagonal);
	}
	return status;
}

/* The lower triangle of L + A H by columns. */
static snw_status factorize(heat *h, snk_factor *factor) {
	const uint32_t count = h->mesh->point_count;
	uint32_t *offsets = SNW_POOL_ARRAY(&h->pool, uint32_t, (size_t)count + 1), filled = 0;
	uint32_t *rows = SNW_POOL_ARRAY(&h->pool, uint32_t, (size_t)h->edges.offsets[count] + count);
	double *values = SNW_POOL_ARRAY(&h->pool, double, (size_t)h->edges.offsets[count] + count);
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t diagonal = filled++;
		rows[diagonal] = i;
		values[diagonal] = h->sources[i];
		for (uint32_t k = h->edges.offsets[i]; k < h->edges.offsets[i + 1]; k++) {
			const double conductance = fmax(h->conductances[k], least_conductance);
			values[diagonal] += conductance;
			if (h->edges.neighbours[k] > i) {
				rows[filled] = h->edges.neighbours[k];
				values[filled++] = -conductance;
			}
		}
		offsets[i + 1] = filled;
	}
	return snk_factor_sparse(h->f->host, count, offsets, rows, values, factor);
}

/* Keeps the largest weights of a point. */
static void keep_weight(influence_set *set, uint32_t slot, double weight) {
	uint32_t at = set->count;
	if (weight < least_weight || (at == KEPT && weight <= set->weights[KEPT - 1])) {
		return;
	}
	set->count = at < KEPT ? at + 1 : KEPT;
	for (at = set->count - 1; at > 0 && set->weights[at - 1] < weight; at--) {
		set->slots[at] = set->slots[at - 1];
		set->weights[at] = set->weights[at - 1];
	}
	set->slots[at] = slot;
	set->weights[at] = weight;
}

/* Sharper weights with a sum of 1. */
static void sharpen(influence_set *set) {
	double sum = 0;
	for (uint32_t k = 0; k < set->count; k++) {
		set->weights[k] = pow(set->weights[k], sharpness);
		sum += set->weights[k];
	}
	for (uint32_t k = 0; k < set->count; k++) {
		set->weights[k] /= sum;
	}
}

static snw_status solve_batch(heat *h, const snk_factor *factor, uint32_t first, uint32_t size) {
	const uint32_t count = h->mesh->point_count;
	for (uint32_t s = 0; s < size; s++) {
		for (uint32_t i = 0; i < count; i++) {
			const near_slots *near = &h->near[i];
			double share = 0;
			for (uint32_t k = 0; k < near->count; k++) {
				share += near->slots[k] == first + s ? 1.0 / near->count : 0;
			}
			h->right_sides[(size_t)s * count + i] = share * h->sources[i];
		}
	}
	const snw_status status = snk_factor_solve(factor, size, h->right_sides);
	for (uint32_t i = 0; !snk_failed(status) && i < count; i++) {
		for (uint32_t s = 0; s < size; s++) {
			keep_weight(&h->sets[i], first + s, h->right_sides[(size_t)s * count + i]);
		}
	}
	return status;
}

static snw_status solve(heat *h) {
	const uint32_t slots = h->f->input->character->slot_count;
	snk_factor factor = {0};
	snw_status status = factorize(h, &factor);
	for (uint32_t first = 0; !snk_failed(status) && first < slots; first += BATCH) {
		status = snw_report_progress(h->f->host, progress_at(h->f, 0.1 + 0.6 * first / slots), "heat")
					 ? solve_batch(h, &factor, first, slots - first < BATCH ? slots - first : BATCH)
					 : SNW_CANCELLED;
	}
	snk_factor_release(&factor);
	return status;
}

snw_status find_heat_weights(weights_fit *f, uint32_t mesh, influence_set *sets) {
	heat h = {.f = f,
			  .mesh = f->input->character->meshes[mesh],
			  .pieces = &f->pieces[mesh],
			  .pool = snw_pool_open(f->host),
			  .sets = sets};
	snw_status status = open_heat(&h);
	status = snk_failed(status) ? status : measure_thickness(&h);
	if (!snk_failed(status)) {
		const snk_stretch stretch = {progress_at(f, 0.05), progress_at(f, 0.1), "finding bones in sight"};
		status = snk_ranges_run_reported(f->host, h.mesh->point_count, GRAIN, heat_points, &h, &stretch);
	}
	status = snk_failed(status) ? status : heat_pieces(&h);
	status = snk_failed(status) ? status : solve(&h);
	for (uint32_t i = 0; !snk_failed(status) && i < h.mesh->point_count; i++) {
		sharpen(&sets[i]);
	}
	snw_pool_release(&h.pool);
	return status;
}
