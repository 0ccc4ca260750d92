/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Creates and destroys a sculpt, and answers queries between strokes.
 */
#include "sculpt/sculpt_internal.h"

#include <math.h>
#include <string.h>

enum { MOST_CORNERS = 1 << 28 };

static snw_listed_set make_list(snw_arena *arena, uint32_t count) {
	return (snw_listed_set){.set = snw_set_make(count, arena), .items = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1)};
}

/* ---- checking ------------------------------------------------------------------------------------------------------------ */

static snw_status check_numbers(const snw_mesh *mesh, const char *kind, const double *values, uint32_t width,
								snw_error *error) {
	for (size_t i = 0; values != NULL && i < (size_t)width * mesh->point_count; i++) {
		if (!isfinite(values[i])) {
			return snw_fail(
				error, SNW_ERROR_ARGUMENT,
				"mesh '%s': the %s of point %zu is not finite, so the mesh cannot be sculpted; choose another pose, or "
				"mute the layer that causes it",
				mesh->name, kind, i / width);
		}
	}
	return SNW_OK;
}

static snw_status check_partners(const snw_mesh *mesh, const uint32_t *partners, snw_error *error) {
	for (uint32_t i = 0; partners != NULL && i < mesh->point_count; i++) {
		const uint32_t j = partners[i];
		if (j != SNW_NONE && (j >= mesh->point_count || partners[j] != i)) {
			return snw_fail(error, SNW_ERROR_ARGUMENT,
							"mesh '%s': the mirror map pairs point %u with %u but not back; rebuild it", mesh->name, i, j);
		}
	}
	return SNW_OK;
}

static snw_status check_setup(const snw_sculpt_setup *setup, snw_error *error) {
	const snw_mesh *mesh = setup->mesh;
	if (mesh->point_count == 0 || (mesh->face_count > 0 && mesh->face_offsets[mesh->face_count] > MOST_CORNERS)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "mesh '%s' has %s, so it cannot be sculpted; choose another mesh",
						mesh->name, mesh->point_count == 0 ? "no points" : "too many corners");
	}
	if (setup->mirror_axis > 2) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "mirror axis %u is not 0, 1 or 2", setup->mirror_axis);
	}
	snw_status status = check_numbers(mesh, "position", setup->points_posed, 3, error);
	status = snw_failed(status) ? status : check_numbers(mesh, "original position", setup->points_original, 3, error);
	status = snw_failed(status) ? status : check_numbers(mesh, "mask", setup->mask, 1, error);
	status = snw_failed(status) ? status : check_numbers(mesh, "field", setup->field, 1, error);
	return snw_failed(status) ? status : check_partners(mesh, setup->partners, error);
}

/* ---- making -------------------------------------------------------------------------------------------------------------- */

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

static void make_scratch(snw_sculpt *sculpt) {
	snw_arena *arena = sculpt->arena;
	const uint32_t count = sculpt->mesh->point_count;
	sculpt->normals = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	sculpt->areas = SNW_NEW_ARRAY(arena, double, 3 * (size_t)sculpt->mesh->face_count);
	sculpt->points_single = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
	sculpt->normals_single = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
	sculpt->result = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	sculpt->partial = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	sculpt->smoothed = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	sculpt->before = snw_arena_copy(arena, sculpt->points, 3 * (size_t)count * sizeof *sculpt->points);
	sculpt->value_before = SNW_NEW_ARRAY(arena, double, count);
	sculpt->anchors = SNW_NEW_ARRAY(arena, uint32_t, count);
	for (uint32_t i = 0; i < count; i++) {
		sculpt->anchors[i] = SNW_NONE;
	}
	sculpt->region = (snw_region){
		.points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1),
		.weights = SNW_NEW_ARRAY(arena, double, count),
		.set = snw_set_make(count, arena),
		.distances = SNW_NEW_ARRAY(arena, double, count),
		.places = SNW_NEW_ARRAY(arena, uint32_t, count),
	};
	sculpt->changes = make_list(arena, count);
	sculpt->stroked = snw_set_make(count, arena);
	sculpt->ring = make_list(arena, count);
	sculpt->faces = make_list(arena, sculpt->mesh->face_count);
}

snw_status snw_sculpt_create(const snw_sculpt_setup *setup, snw_sculpt **sculpt, snw_error *error) {
	const snw_status status = check_setup(setup, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	snw_sculpt *made = SNW_NEW(arena, snw_sculpt);
	const uint32_t count = setup->mesh->point_count;
	made->arena = arena;
	made->mesh = setup->mesh;
	made->points = copy_or_zero(arena, setup->points_posed, 3 * (size_t)count);
	made->original =
		copy_or_zero(arena, setup->points_original ? setup->points_original : setup->points_posed, 3 * (size_t)count);
	made->goal = made->original;
	made->mask = copy_or_zero(arena, setup->mask, count);
	made->field = copy_or_zero(arena, setup->field, count);
	make_scratch(made);
	made->around = snw_adjacency_make(setup->mesh, setup->partners, arena);
	made->split_starts = made->around.face_starts;
	made->split_faces = made->around.faces;
	made->weld = snw_weld_make(setup->mesh, made->original, setup->partners, &made->around, arena);
	made->index = snw_spatial_index_make(setup->mesh, made->points, arena);
	made->walk = snw_surface_walk_make(&made->weld.mesh, &made->around, arena);
	made->view = (snw_sculpt_view){
		.point_count = count,
		.points = made->points,
		.points_single = made->points_single,
		.normals = made->normals_single,
		.mask = made->mask,
		.field = made->field,
		.face_count = setup->mesh->face_count,
		.longest = diagonal(made->points, count),
	};
	snw_refresh_all(made);
	if (setup->partners) {
		snw_mirror_make(made, setup->partners, setup->mirror_axis);
	}
	*sculpt = made;
	return SNW_OK;
}

void snw_sculpt_destroy(snw_sculpt *sculpt) {
	if (sculpt) {
		snw_arena_destroy(sculpt->walls.arena);
		snw_arena_destroy(sculpt->arena);
	}
}

/* ---- queries ------------------------------------------------------------------------------------------------------------- */

const snw_sculpt_view *snw_sculpt_get_view(const snw_sculpt *sculpt) {
	return &sculpt->view;
}

const uint32_t *snw_sculpt_take_changes(snw_sculpt *sculpt, uint32_t *count) {
	*count = snw_set_list(&sculpt->changes.set, sculpt->changes.items);
	snw_set_clear(&sculpt->changes.set);
	return sculpt->changes.items;
}

snw_status snw_sculpt_reset(snw_sculpt *sculpt, const double *points_posed, const double *mask, const double *field,
							snw_error *error) {
	if (sculpt->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is in progress; end or abort it first");
	}
	snw_status status = check_numbers(sculpt->mesh, "position", points_posed, 3, error);
	status = snw_failed(status) ? status : check_numbers(sculpt->mesh, "mask", mask, 1, error);
	status = snw_failed(status) ? status : check_numbers(sculpt->mesh, "field", field, 1, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t count = sculpt->mesh->point_count;
	if (mask) {
		memcpy(sculpt->mask, mask, count * sizeof *mask);
	}
	if (field) {
		memcpy(sculpt->field, field, count * sizeof *field);
	}
	if (points_posed) {
		memcpy(sculpt->points, points_posed, 3 * (size_t)count * sizeof *points_posed);
		memcpy(sculpt->before, points_posed, 3 * (size_t)count * sizeof *points_posed);
		snw_refresh_all(sculpt);
	}
	for (uint32_t i = 0; i < count; i++) {
		snw_set_add(&sculpt->changes.set, i);
	}
	return SNW_OK;
}

snw_status snw_sculpt_set_original(snw_sculpt *sculpt, const double *points_original, snw_error *error) {
	if (sculpt->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is in progress; end or abort it first");
	}
	const snw_status status = check_numbers(sculpt->mesh, "original position", points_original, 3, error);
	if (!snw_failed(status)) {
		memcpy(sculpt->original, points_original, 3 * (size_t)sculpt->mesh->point_count * sizeof *points_original);
	}
	return status;
}

snw_status snw_sculpt_set_morph(snw_sculpt *sculpt, const double *points, snw_error *error) {
	const size_t size = 3 * (size_t)sculpt->mesh->point_count;
	if (sculpt->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is in progress; end or abort it first");
	}
	const snw_status status = check_numbers(sculpt->mesh, "morph's position", points, 3, error);
	if (snw_failed(status)) {
		return status;
	}
	sculpt->goal = sculpt->original;
	if (points) {
		sculpt->morph = sculpt->morph ? sculpt->morph : SNW_NEW_ARRAY(sculpt->arena, double, size);
		memcpy(sculpt->morph, points, size * sizeof *points);
		sculpt->goal = sculpt->morph;
	}
	return SNW_OK;
}

snw_status snw_sculpt_hide_faces(snw_sculpt *sculpt, const bool *faces, snw_error *error) {
	const snw_mesh *mesh = sculpt->mesh;
	if (sculpt->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is in progress; end or abort it first");
	}
	if (!sculpt->hidden_faces) {
		sculpt->hidden_faces = SNW_NEW_ARRAY(sculpt->arena, bool, mesh->face_count);
		sculpt->hidden_points = snw_set_make(mesh->point_count, sculpt->arena);
	}
	snw_set_clear(&sculpt->hidden_points);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		sculpt->hidden_faces[f] = faces && faces[f];
	}
	for (uint32_t i = 0; i < mesh->point_count && faces; i++) {
		const uint32_t begin = sculpt->around.face_starts[i], end = sculpt->around.face_starts[i + 1];
		bool is_hidden = end > begin;
		for (uint32_t k = begin; k < end; k++) {
			is_hidden = is_hidden && faces[sculpt->around.faces[k]];
		}
		if (is_hidden) {
			snw_set_add(&sculpt->hidden_points, i);
		}
	}
	snw_spatial_index_hide(sculpt->index, sculpt->hidden_faces);
	return SNW_OK;
}

snw_pick snw_sculpt_pick(const snw_sculpt *sculpt, const snw_ray *ray) {
	snw_pick pick = snw_spatial_index_pick(sculpt->index, ray);
	if (pick.face == SNW_NONE) {
		return pick;
	}
	double least = INFINITY;
	for (uint32_t c = sculpt->mesh->face_offsets[pick.face]; c < sculpt->mesh->face_offsets[pick.face + 1]; c++) {
		const double *point = sculpt->points + 3 * (size_t)sculpt->mesh->face_points[c];
		const double apart =
			hypot(hypot(point[0] - pick.position[0], point[1] - pick.position[1]), point[2] - pick.position[2]);
		if (apart < least) {
			least = apart;
			pick.point = sculpt->mesh->face_points[c];
		}
	}
	return pick;
}

uint32_t snw_sculpt_reach(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick, const uint32_t **points,
						  const double **weights) {
	if (!sculpt->stroke.is_open) {
		snw_region_find(sculpt, brush, pick);
	}
	*points = sculpt->region.points;
	*weights = sculpt->region.weights;
	return sculpt->region.count;
}
