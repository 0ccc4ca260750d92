/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits linear blends to affine blends, for all points of a mesh in parallel.
 */
#include <string.h>

#include "export/plan/affine/affine_fit.h"
#include "task/parallel.h"

enum { POINTS_AT_ONCE = 64, RANGES_A_THREAD = 4 }; /* between two reports */

typedef struct blend_fit {
	const snw_plan_mesh *mesh;
	const snw_affine_sums *sums;
	uint32_t most;    /* influences of a point */
	uint32_t *counts; /* [point_count] */
	uint32_t *slots;  /* [point_count][most] */
	double *weights;  /* [point_count][most] */
	double *rest;     /* [point_count][3] */
	double *maps;     /* [point_count][9] */
	uint32_t first;   /* point of the current ranges */
} blend_fit;

static void store_point(const blend_fit *f, uint32_t point, const snw_affine_candidates *list, const snw_affine_solution *s) {
	uint32_t count = 0;
	for (uint32_t a = 0; a < list->count; a++) {
		if (s->weights[a] > 0) {
			f->slots[(size_t)point * f->most + count] = list->slots[a];
			f->weights[(size_t)point * f->most + count++] = s->weights[a];
		}
	}
	f->counts[point] = count;
	memcpy(f->rest + 3 * (size_t)point, s->rest, sizeof s->rest);
}

static void set_identity(double map[9]) {
	memset(map, 0, 9 * sizeof *map);
	map[0] = map[4] = map[8] = 1;
}

static void fit_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const blend_fit *f = argument;
	snw_arena *arena = snw_arena_create();
	snw_affine_point point = snw_affine_point_make(f->mesh, f->sums, arena);
	const size_t most = point.list.capacity;
	snw_affine_solution best = {.weights = SNW_NEW_ARRAY(arena, double, most)};
	snw_affine_solution other = {.weights = SNW_NEW_ARRAY(arena, double, most)};
	for (uint32_t p = f->first + begin; p < f->first + end; p++) {
		const double *rest = f->mesh->mesh->points_rest + 3 * (size_t)p;
		snw_affine_gather(f->mesh, p, &point.list);
		memcpy(f->rest + 3 * (size_t)p, rest, 3 * sizeof *rest);
		set_identity(f->maps + 9 * (size_t)p);
		if (point.list.count > 0) {
			snw_affine_fit_point(&point, rest, f->most, &best, &other);
			store_point(f, p, &point.list, &best);
			snw_affine_displacement_map(&point, best.weights, f->maps + 9 * (size_t)p);
		}
	}
	snw_arena_destroy(arena);
}

static snw_status fit_all_points(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t point_count, blend_fit *f) {
	const uint32_t most = POINTS_AT_ONCE * RANGES_A_THREAD * snw_parallel_thread_count();
	for (f->first = 0; f->first < point_count; f->first += most) {
		const uint32_t remaining = point_count - f->first;
		const double part = 0.5 + 0.5 * f->first / point_count;
		if (!snw_plan_progress(plan, SNW_PLAN_FITS_BLENDS, (mesh - plan->meshes + part) / plan->mesh_count)) {
			return SNW_CANCELLED;
		}
		snw_parallel_for(remaining < most ? remaining : most, POINTS_AT_ONCE, fit_points, f);
	}
	return SNW_OK;
}

/* Sets the mesh's skin and rest points to the fitted ones. */
static void store_blend(snw_plan *plan, snw_plan_mesh *mesh, const blend_fit *f) {
	const uint32_t points = mesh->mesh->point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_NEW_ARRAY(plan->arena, uint32_t, (size_t)points * f->most);
	double *weights = SNW_NEW_ARRAY(plan->arena, double, (size_t)points * f->most);
	for (uint32_t p = 0; p < points; p++) {
		memcpy(slots + offsets[p], f->slots + (size_t)p * f->most, f->counts[p] * sizeof *slots);
		memcpy(weights + offsets[p], f->weights + (size_t)p * f->most, f->counts[p] * sizeof *weights);
		offsets[p + 1] = offsets[p] + f->counts[p];
	}
	mesh->skin = (snw_plan_skin){offsets, slots, weights};
	mesh->points_rest = f->rest;
	mesh->displacement_maps = f->maps;
	plan->report.refined_count += points;
}

static snw_status fit_blend(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const size_t points = mesh->mesh->point_count, most = plan->request->influences;
	snw_affine_sums sums = {.slot_count = mesh->program->slot_count};
	snw_affine_find_pairs(mesh, &sums, scratch);
	snw_status status = snw_affine_add_moments(plan, mesh, &sums, error);
	if (!snw_failed(status)) {
		blend_fit f = {.mesh = mesh, .sums = &sums, .most = (uint32_t)most};
		f.counts = SNW_NEW_ARRAY(scratch, uint32_t, points);
		f.slots = SNW_NEW_ARRAY(scratch, uint32_t, points * most);
		f.weights = SNW_NEW_ARRAY(scratch, double, points *most);
		f.rest = SNW_NEW_ARRAY(plan->arena, double, 3 * points);
		f.maps = SNW_NEW_ARRAY(plan->arena, double, 9 * points);
		status = fit_all_points(plan, mesh, (uint32_t)points, &f);
		if (!snw_failed(status)) {
			store_blend(plan, mesh, &f);
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_plan_fit_affine_blends(snw_plan *plan, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		const bool is_affine = mesh->program && mesh->program->blend == SNW_BLEND_AFFINE;
		if (is_affine && (mesh->runs_on_joints || plan->clip_count > 0)) {
			status = fit_blend(plan, mesh, error);
		}
	}
	return status;
}
