/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights from heat: one sparse factorisation for a mesh, and one right-hand side for each slot.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/numerics/solver.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/kit/status.h"
#include "skin-weights/heat.h"

enum { GRAIN = 256, BATCH = 16 };

/* What flows along an edge whose cotangents are not positive: so little that it counts only where nothing else does. */
static const double least_conductance = 1e-9;

/* Weights are raised to this power: little more than the borders of heat is left. */
static const double sharpness = 8;

/* Weights below this are dropped. */
static const double least_weight = 1e-3;

/* ---- what heats the points ----------------------------------------------------------------------------------------------- */

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

/* ---- the equations ------------------------------------------------------------------------------------------------------- */

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
	h->thicknesses = SNW_POOL_ARRAY(&h->pool, double, h->f->bone_count);
	h->farthest = SNW_POOL_ARRAY(&h->pool, double, h->f->bone_count);
	h->trunks = SNW_POOL_ARRAY(&h->pool, trunk, h->f->input->character->skeleton->joint_count);
	h->planes = SNW_POOL_ARRAY(&h->pool, joint_plane, h->f->input->character->skeleton->joint_count);
	h->smoothing = SNW_POOL_ARRAY(&h->pool, double, count);
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

/* The lower triangle of L + D by columns, for a diagonal D [point_count]. */
static snw_status factorize(heat *h, const double *added, snk_factor *factor) {
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
		values[diagonal] = added[i];
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

void keep_weight(influence_set *set, uint32_t slot, double weight) {
	if (weight >= least_weight) {
		snk_keep_influence(KEPT, slot, weight, &set->count, set->slots, set->weights);
	}
}

/* A power of the weights, with a sum of 1. */
static void raise_weights(influence_set *set, double power) {
	double sum = 0;
	for (uint32_t k = 0; k < set->count; k++) {
		set->weights[k] = pow(set->weights[k], power);
		sum += set->weights[k];
	}
	for (uint32_t k = 0; k < set->count; k++) {
		set->weights[k] /= sum;
	}
}

/* The heat that a point gets for a slot. */
static double heat_for(const heat *h, uint32_t point, uint32_t slot) {
	const near_slots *near = &h->near[point];
	double share = 0;
	for (uint32_t k = 0; k < near->count; k++) {
		share += near->slots[k] == slot ? near->shares[k] : 0;
	}
	return share * h->sources[point];
}

/* The weight that a point has for a slot, times what holds it there. */
static double held_for(const heat *h, uint32_t point, uint32_t slot) {
	const influence_set *set = &h->sharp[point];
	double weight = 0;
	for (uint32_t k = 0; k < set->count; k++) {
		weight += set->slots[k] == slot ? set->weights[k] : 0;
	}
	return weight * h->held[point];
}

typedef double right_side(const heat *h, uint32_t point, uint32_t slot);

static snw_status solve_batch(heat *h, const snk_factor *factor, right_side *right, uint32_t first, uint32_t size) {
	const uint32_t count = h->mesh->point_count;
	for (uint32_t s = 0; s < size; s++) {
		for (uint32_t i = 0; i < count; i++) {
			h->right_sides[(size_t)s * count + i] = right(h, i, first + s);
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

/* sets: the solutions of (L + D) w = `right` for all slots. */
static snw_status solve(heat *h, const double *added, right_side *right, double from, double to) {
	const uint32_t slots = h->f->input->character->slot_count;
	snk_factor factor = {0};
	snw_status status = factorize(h, added, &factor);
	for (uint32_t first = 0; !snk_failed(status) && first < slots; first += BATCH) {
		status = snw_report_progress(h->f->host, progress_at(h->f, from + (to - from) * first / slots), "heat")
					 ? solve_batch(h, &factor, right, first, slots - first < BATCH ? slots - first : BATCH)
					 : SNW_CANCELLED;
	}
	snk_factor_release(&factor);
	return status;
}

static void raise_all(const heat *h, double power) {
	for (uint32_t i = 0; i < h->mesh->point_count; i++) {
		raise_weights(&h->sets[i], power);
	}
}

/* Evens sharp weights out: a step of diffusion, longer where the body is thick. */
static snw_status even_out(heat *h) {
	const uint32_t count = h->mesh->point_count;
	influence_set *sharp = SNW_POOL_ARRAY(&h->pool, influence_set, count);
	double *held = SNW_POOL_ARRAY(&h->pool, double, count);
	if (h->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(sharp, h->sets, count * sizeof *sharp);
	for (uint32_t i = 0; i < count; i++) {
		h->sets[i].count = 0;
		held[i] = h->areas[i] / h->smoothing[i];
	}
	h->sharp = sharp;
	h->held = held;
	return solve(h, held, held_for, 0.4, 0.7);
}

snw_status find_heat_weights(weights_fit *f, uint32_t mesh, influence_set *sets) {
	heat h = {.f = f,
			  .mesh = f->input->character->meshes[mesh],
			  .pieces = &f->pieces[mesh],
			  .pool = snw_pool_open(f->host),
			  .sets = sets};
	snw_status status = open_heat(&h);
	status = snk_failed(status) ? status : measure_bones(&h);
	if (!snk_failed(status)) {
		const snk_stretch stretch = {progress_at(f, 0.05), progress_at(f, 0.1), "finding bones in sight"};
		status = snk_ranges_run_reported(f->host, h.mesh->point_count, GRAIN, heat_points, &h, &stretch);
	}
	status = snk_failed(status) ? status : heat_pieces(&h);
	status = snk_failed(status) ? status : solve(&h, h.sources, heat_for, 0.1, 0.4);
	if (!snk_failed(status)) {
		raise_all(&h, sharpness);
		status = even_out(&h);
	}
	if (!snk_failed(status)) {
		for (uint32_t i = 0; i < h.mesh->point_count; i++) {
			give_to_trunk(&h, &sets[i]);
		}
		raise_all(&h, 1);
	}
	snw_pool_release(&h.pool);
	return status;
}
