/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unwrap/layout.h"

#include <math.h>
#include <string.h>

#include "unwrap/charts.h"

static void add_face(const unwrap_surface *surface, const bool *seams, uint32_t face, uint32_t chart, snw_uv_layout *layout) {
	const snw_mesh *mesh = surface->mesh;
	for (uint32_t t = surface->triangle_offsets[face]; t < surface->triangle_offsets[face + 1]; t++) {
		memcpy(layout->triangles + 3 * (size_t)layout->triangle_count, surface->triangles + 3 * (size_t)t,
			   3 * sizeof *layout->triangles);
		layout->triangle_charts[layout->triangle_count++] = chart;
	}
	for (uint32_t c = mesh->face_offsets[face]; c < mesh->face_offsets[face + 1]; c++) {
		if (seams[c]) {
			uint32_t *ends = layout->borders + 2 * (size_t)layout->border_count++;
			ends[0] = c;
			ends[1] = unwrap_next_corner(surface, c);
		}
		for (size_t k = 0; k < 2; k++) {
			layout->low[k] = fminf(layout->low[k], mesh->corner_uvs[2 * (size_t)c + k]);
			layout->high[k] = fmaxf(layout->high[k], mesh->corner_uvs[2 * (size_t)c + k]);
		}
	}
}

snw_uv_layout snw_uv_layout_make(const snw_mesh *mesh, uint32_t material, snw_arena *arena) {
	snw_uv_layout layout = {.high = {1, 1}};
	if (!mesh->corner_uvs || mesh->face_count == 0) {
		return layout;
	}
	snw_arena *scratch = snw_arena_create();
	const unwrap_surface surface = unwrap_surface_make(mesh, scratch);
	const bool *seams = unwrap_seams_of_uvs(&surface, scratch);
	const unwrap_charts charts = unwrap_charts_make(&surface, seams, scratch);
	layout.triangles = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)surface.triangle_count);
	layout.triangle_charts = SNW_NEW_ARRAY(arena, uint32_t, surface.triangle_count);
	layout.borders = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)surface.corner_count);
	uint32_t *numbers = SNW_NEW_ARRAY(scratch, uint32_t, charts.count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		if ((mesh->face_materials ? mesh->face_materials[f] : SNW_NONE) == material) {
			uint32_t *number = &numbers[charts.face_charts[f]];
			*number = *number == 0 ? ++layout.chart_count : *number;
			add_face(&surface, seams, f, *number - 1, &layout);
		}
	}
	snw_arena_destroy(scratch);
	return layout;
}
