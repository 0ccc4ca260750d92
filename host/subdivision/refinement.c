/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "subdivision/refinement.h"

#include <limits.h>
#include <math.h>

/* At least as many entries as the stencils of all levels have. A refined point follows from the points around the corners of
 * its face, so many faces at one point make many entries. */
static double count_entries(const snw_mesh *mesh, uint32_t levels) {
	snw_arena *arena = snw_arena_create();
	double *around = SNW_NEW_ARRAY(arena, double, mesh->point_count), entries = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
			double near = 0;
			for (uint32_t c = begin; c < end; c++) {
				double *of_point = &around[mesh->face_points[c]];
				*of_point += pass == 0 ? end - begin - 2.0 : 0;
				near += *of_point;
			}
			entries += pass == 0 ? 0 : (end - begin) * near;
		}
	}
	snw_arena_destroy(arena);
	return ldexp(entries, 2 * (int)levels - 2) * 4 / 3; /* four times as many faces a level; the levels together */
}

/* Whether the scheme can refine every face, and how many corners and entries there will be. */
static snw_status check(const snw_mesh *mesh, snw_subdivision_scheme scheme, uint32_t levels, snw_error *error) {
	const uint64_t corners = mesh->face_count ? mesh->face_offsets[mesh->face_count] : 0;
	if (mesh->face_count == 0 || levels > 12 || corners << 2 * levels >= UINT32_MAX / 8) {
		return snw_fail(error, SNW_ERROR_LIMIT, "mesh '%s' cannot be subdivided: it has %s", mesh->name,
						mesh->face_count ? "too many faces; ask for fewer levels" : "no faces");
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
		if (scheme == SNW_LOOP && end - begin != 3) {
			return snw_fail(error, SNW_ERROR_DATA,
							"mesh '%s' cannot be subdivided by Loop's scheme: face %u has %u corners; use catmull-clark",
							mesh->name, f, end - begin);
		}
		for (uint32_t i = begin + 1; i < end; i++) {
			if (mesh->face_points[i] == mesh->face_points[i - 1] || mesh->face_points[i] == mesh->face_points[begin]) {
				return snw_fail(error, SNW_ERROR_DATA, "mesh '%s' cannot be subdivided: face %u has a point twice", mesh->name,
								f);
			}
		}
	}
	if (count_entries(mesh, levels) > INT_MAX) { /* OpenSubdiv counts them in an int */
		return snw_fail(error, SNW_ERROR_LIMIT,
						"mesh '%s' cannot be subdivided: it has too many faces, or too many at one point; ask for fewer levels",
						mesh->name);
	}
	return SNW_OK;
}

snw_status snw_refinement_make(const snw_mesh *mesh, snw_subdivision_scheme scheme, uint32_t levels, snw_refinement *refinement,
							   snw_error *error) {
	const snw_status status = check(mesh, scheme, levels, error);
	if (snw_failed(status)) {
		return status;
	}
	switch (snw_opensubdiv_refine(mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points, scheme, levels,
								  refinement)) {
	case SNW_REFINED:
		return SNW_OK;
	case SNW_REFINED_NO_MEMORY:
		return snw_fail(error, SNW_ERROR_MEMORY, "mesh '%s' cannot be subdivided: memory ran out; ask for fewer levels",
						mesh->name);
	case SNW_REFINED_TOO_LARGE:
		return snw_fail(error, SNW_ERROR_LIMIT, "mesh '%s' cannot be subdivided: it has too many faces; ask for fewer levels",
						mesh->name);
	case SNW_REFINED_BAD_FACES:
		break;
	}
	return snw_fail(error, SNW_ERROR_DATA,
					"mesh '%s' cannot be subdivided: OpenSubdiv does not accept its faces; an edge may have more than two",
					mesh->name);
}

void snw_stencils_apply(const snw_stencils *stencils, const double *values, size_t width, double *made) {
	for (size_t p = 0; p < stencils->count; p++) {
		for (size_t i = 0; i < width; i++) {
			double sum = 0;
			for (uint32_t j = stencils->offsets[p]; j < stencils->offsets[p + 1]; j++) {
				sum += stencils->weights[j] * values[width * stencils->indices[j] + i];
			}
			made[width * p + i] = sum;
		}
	}
}

void snw_stencils_apply_floats(const snw_stencils *stencils, const float *values, size_t width, float *made) {
	for (size_t p = 0; p < stencils->count; p++) {
		for (size_t i = 0; i < width; i++) {
			double sum = 0;
			for (uint32_t j = stencils->offsets[p]; j < stencils->offsets[p + 1]; j++) {
				sum += stencils->weights[j] * (double)values[width * stencils->indices[j] + i];
			}
			made[width * p + i] = (float)sum;
		}
	}
}

/* `width` numbers for each corner of the refined faces. */
static const float *refine_corners(const snw_refinement *refinement, const float *values, size_t width, snw_arena *arena) {
	if (!values) {
		return NULL;
	}
	const size_t corners = (size_t)refinement->face_size * refinement->face_count;
	snw_arena *scratch = snw_arena_create();
	float *rows = SNW_NEW_ARRAY(scratch, float, width * refinement->corners.count);
	float *made = SNW_NEW_ARRAY(arena, float, width *corners);
	snw_stencils_apply_floats(&refinement->corners, values, width, rows);
	for (size_t c = 0; c < corners; c++) {
		for (size_t i = 0; i < width; i++) {
			made[width * c + i] = rows[width * refinement->face_corners[c] + i];
		}
	}
	snw_arena_destroy(scratch);
	return made;
}

static const snw_attribute *refine_attributes(const snw_refinement *refinement, const snw_mesh *mesh, snw_arena *arena) {
	snw_attribute *made = SNW_NEW_ARRAY(arena, snw_attribute, mesh->attribute_count);
	for (uint32_t i = 0; i < mesh->attribute_count; i++) {
		made[i] = mesh->attributes[i];
		made[i].name = snw_arena_text(arena, made[i].name);
		made[i].corner_count = refinement->face_size * refinement->face_count;
		made[i].values = refine_corners(refinement, made[i].values, made[i].width, arena);
	}
	return made;
}

snw_mesh snw_refined_mesh(const snw_refinement *refinement, const snw_mesh *mesh, snw_arena *arena) {
	const size_t points = refinement->points.count, faces = refinement->face_count, size = refinement->face_size;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, faces + 1);
	uint32_t *materials = mesh->face_materials ? SNW_NEW_ARRAY(arena, uint32_t, faces) : NULL;
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * points);
	for (size_t f = 0; f < faces; f++) {
		offsets[f + 1] = (uint32_t)(size * (f + 1));
		if (materials) {
			materials[f] = mesh->face_materials[refinement->parents[f]];
		}
	}
	snw_stencils_apply(&refinement->points, mesh->points_rest, 3, rest);
	return (snw_mesh){.id = mesh->id,
					  .name = snw_arena_text(arena, mesh->name),
					  .point_count = (uint32_t)points,
					  .points_rest = rest,
					  .face_count = (uint32_t)faces,
					  .face_offsets = offsets,
					  .face_points = snw_arena_copy(arena, refinement->faces, size * faces * sizeof *refinement->faces),
					  .face_materials = materials,
					  .corner_uvs = refine_corners(refinement, mesh->corner_uvs, 2, arena),
					  .corner_colors = refine_corners(refinement, mesh->corner_colors, 4, arena),
					  .attribute_count = mesh->attribute_count,
					  .attributes = refine_attributes(refinement, mesh, arena)};
}
