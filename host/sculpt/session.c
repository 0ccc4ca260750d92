/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session's beginning and end, and what is asked of it between strokes.
 */
#include "sculpt/session.h"

#include <math.h>
#include <string.h>

enum { MOST_CORNERS = 1 << 28 };

static snw_listed_set make_list(snw_arena *arena, uint32_t count) {
	return (snw_listed_set){.set = snw_set_make(count, arena), .items = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1)};
}

/* ---- checking ----------------------------------------------------------------------------------------------------------- */

static snw_status check_numbers(const snw_mesh *mesh, const char *what, const double *values, uint32_t width,
								snw_error *error) {
	for (size_t i = 0; values != NULL && i < (size_t)width * mesh->point_count; i++) {
		if (!isfinite(values[i])) {
			return snw_fail(
				error, SNW_ERROR_ARGUMENT,
				"mesh '%s': the %s of point %zu is not a number, so it cannot be sculpted; look at it in another pose "
				"or mute the layer that makes it",
				mesh->name, what, i / width);
		}
	}
	return SNW_OK;
}

static snw_status check_partners(const snw_mesh *mesh, const uint32_t *partners, snw_error *error) {
	for (uint32_t i = 0; partners != NULL && i < mesh->point_count; i++) {
		const uint32_t j = partners[i];
		if (j != SNW_NONE && (j >= mesh->point_count || partners[j] != i)) {
			return snw_fail(error, SNW_ERROR_ARGUMENT,
							"mesh '%s': the mirror map leads from point %u to %u and not back; make it anew", mesh->name, i, j);
		}
	}
	return SNW_OK;
}

static snw_status check_setup(const snw_sculpt_setup *setup, snw_error *error) {
	const snw_mesh *mesh = setup->mesh;
	if (mesh->point_count == 0 || (mesh->face_count > 0 && mesh->face_offsets[mesh->face_count] > MOST_CORNERS)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "mesh '%s' has %s to be sculpted; choose another", mesh->name,
						mesh->point_count == 0 ? "no points" : "too many corners");
	}
	if (setup->mirror_axis > 2) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "mirror axis %u is none of 0, 1, 2", setup->mirror_axis);
	}
	snw_status status = check_numbers(mesh, "place", setup->points_posed, 3, error);
	status = status ? status : check_numbers(mesh, "original place", setup->points_original, 3, error);
	status = status ? status : check_numbers(mesh, "mask", setup->mask, 1, error);
	status = status ? status : check_numbers(mesh, "field", setup->field, 1, error);
	return status ? status : check_partners(mesh, setup->partners, error);
}

/* ---- making ------------------------------------------------------------------------------------------------------------- */

static double *copy_or_zero(snw_arena *arena, const double *values, size_t count) {
	return values ? snw_arena_copy(arena, values, count * sizeof *values) : SNW_NEW_ARRAY(arena, double, count);
}

static double diagonal(const double *points, uint32_t count) {
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		double least = points[c], most = points[c];
		for (uint32_t i = 1; i < count; i++) {
			least = fmin(least, points[3 * (size_t)i + (size_t)c]);
			most = fmax(most, points[3 * (size_t)i + (size_t)c]);
		}
		sum += (most - least) * (most - least);
	}
	return sqrt(sum);
}

static void make_scratch(snw_sculpt *own) {
	snw_arena *arena = own->arena;
	const uint32_t count = own->mesh->point_count;
	own->normals = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	own->areas = SNW_NEW_ARRAY(arena, double, 3 * (size_t)own->mesh->face_count);
	own->points_single = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
	own->normals_single = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
	own->result = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	own->partial = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	own->evened = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	own->before = snw_arena_copy(arena, own->points, 3 * (size_t)count * sizeof *own->points);
	own->value_before = SNW_NEW_ARRAY(arena, double, count);
	own->anchors = SNW_NEW_ARRAY(arena, uint32_t, count);
	for (uint32_t i = 0; i < count; i++) {
		own->anchors[i] = SNW_NONE;
	}
	own->region = (snw_region){
		.points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1),
		.weights = SNW_NEW_ARRAY(arena, double, count),
		.set = snw_set_make(count, arena),
		.distances = SNW_NEW_ARRAY(arena, double, count),
		.places = SNW_NEW_ARRAY(arena, uint32_t, count),
	};
	own->changes = make_list(arena, count);
	own->stroked = snw_set_make(count, arena);
	own->ring = make_list(arena, count);
	own->faces = make_list(arena, own->mesh->face_count);
}

snw_status snw_sculpt_create(const snw_sculpt_setup *setup, snw_sculpt **sculpt, snw_error *error) {
	const snw_status status = check_setup(setup, error);
	if (status != SNW_OK) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	snw_sculpt *own = SNW_NEW(arena, snw_sculpt);
	const uint32_t count = setup->mesh->point_count;
	own->arena = arena;
	own->mesh = setup->mesh;
	own->points = copy_or_zero(arena, setup->points_posed, 3 * (size_t)count);
	own->original =
		copy_or_zero(arena, setup->points_original ? setup->points_original : setup->points_posed, 3 * (size_t)count);
	own->mask = copy_or_zero(arena, setup->mask, count);
	own->field = copy_or_zero(arena, setup->field, count);
	make_scratch(own);
	own->around = snw_surroundings_make(setup->mesh, setup->partners, arena);
	own->index = snw_index_make(setup->mesh, own->points, arena);
	own->walk = snw_walk_make(setup->mesh, &own->around, arena);
	own->view = (snw_sculpt_view){
		.point_count = count,
		.points = own->points,
		.points_single = own->points_single,
		.normals = own->normals_single,
		.mask = own->mask,
		.field = own->field,
		.face_count = setup->mesh->face_count,
		.longest = diagonal(own->points, count),
	};
	snw_apply_all(own);
	if (setup->partners) {
		snw_mirror_make(own, setup->partners, setup->mirror_axis);
	}
	*sculpt = own;
	return SNW_OK;
}

void snw_sculpt_destroy(snw_sculpt *sculpt) {
	if (sculpt) {
		snw_arena_destroy(sculpt->arena);
	}
}

/* ---- asking ------------------------------------------------------------------------------------------------------------- */

const snw_sculpt_view *snw_sculpt_look(const snw_sculpt *own) {
	return &own->view;
}

const uint32_t *snw_sculpt_take_changes(snw_sculpt *own, uint32_t *count) {
	*count = snw_set_list(&own->changes.set, own->changes.items);
	snw_set_clear(&own->changes.set);
	return own->changes.items;
}

snw_status snw_sculpt_reset(snw_sculpt *own, const double *points_posed, const double *mask, const double *field,
							snw_error *error) {
	if (own->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is under way; end or abort it first");
	}
	snw_status status = check_numbers(own->mesh, "place", points_posed, 3, error);
	status = status ? status : check_numbers(own->mesh, "mask", mask, 1, error);
	status = status ? status : check_numbers(own->mesh, "field", field, 1, error);
	if (status != SNW_OK) {
		return status;
	}
	const uint32_t count = own->mesh->point_count;
	if (mask) {
		memcpy(own->mask, mask, count * sizeof *mask);
	}
	if (field) {
		memcpy(own->field, field, count * sizeof *field);
	}
	if (points_posed) {
		memcpy(own->points, points_posed, 3 * (size_t)count * sizeof *points_posed);
		memcpy(own->before, points_posed, 3 * (size_t)count * sizeof *points_posed);
		snw_apply_all(own);
	}
	for (uint32_t i = 0; i < count; i++) {
		snw_set_add(&own->changes.set, i);
	}
	return SNW_OK;
}

snw_status snw_sculpt_set_original(snw_sculpt *own, const double *points_original, snw_error *error) {
	if (own->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is under way; end or abort it first");
	}
	const snw_status status = check_numbers(own->mesh, "original place", points_original, 3, error);
	if (status == SNW_OK) {
		memcpy(own->original, points_original, 3 * (size_t)own->mesh->point_count * sizeof *points_original);
	}
	return status;
}

snw_pick snw_sculpt_pick(const snw_sculpt *own, const snw_ray *ray) {
	snw_pick pick = snw_index_pick(own->index, ray);
	if (pick.face == SNW_NONE) {
		return pick;
	}
	double least = INFINITY;
	for (uint32_t c = own->mesh->face_offsets[pick.face]; c < own->mesh->face_offsets[pick.face + 1]; c++) {
		const double *point = own->points + 3 * (size_t)own->mesh->face_points[c];
		const double apart =
			hypot(hypot(point[0] - pick.position[0], point[1] - pick.position[1]), point[2] - pick.position[2]);
		if (apart < least) {
			least = apart;
			pick.point = own->mesh->face_points[c];
		}
	}
	return pick;
}

uint32_t snw_sculpt_reach(snw_sculpt *own, const snw_brush *brush, const snw_pick *pick, const uint32_t **points,
						  const double **weights) {
	if (!own->stroke.is_open) {
		snw_region_find(own, brush, pick);
	}
	*points = own->region.points;
	*weights = own->region.weights;
	return own->region.count;
}
