/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The UVs of the chosen mesh, or of the first: its charts over the texture of a material.
 */
#include <math.h>
#include <stdio.h>

#include "base/color.h"
#include "base/error.h"
#include "unwrap/unwrap.h"
#include "window/panels/panels.h"

/* Triangles that are filled; of more, only the borders of charts are drawn. */
enum { MOST_FILLED = 40000, MOST_BORDERS = 100000 };

/* What was made last, for the meshes of a document. */
static struct shown_uvs {
	snw_arena *arena;
	uint64_t shape;
	uint32_t mesh, material;
	snw_uv_layout layout;
} shown_uvs;

static void make_layout(const snw_document *document, uint32_t mesh, uint32_t material) {
	if (shown_uvs.arena && shown_uvs.shape == document->shape && shown_uvs.mesh == mesh && shown_uvs.material == material) {
		return;
	}
	snw_arena_destroy(shown_uvs.arena);
	shown_uvs = (struct shown_uvs){.arena = snw_arena_create(), .shape = document->shape, .mesh = mesh, .material = material};
	shown_uvs.layout = snw_uv_layout_make(&document->scene->meshes[mesh], material, shown_uvs.arena);
}

/* The square in the panel. */
typedef struct square {
	const float *uvs;
	float x, y, scale, low[2];
} square;

static void place(const square *s, uint32_t corner, float at[2]) {
	at[0] = s->x + (s->uvs[2 * (size_t)corner] - s->low[0]) * s->scale;
	at[1] = s->y + (s->uvs[2 * (size_t)corner + 1] - s->low[1]) * s->scale;
}

/* Neighbouring numbers have hues far apart. */
static uint32_t chart_color(uint32_t chart, uint32_t alpha) {
	double linear[3];
	uint32_t color = 0;
	snw_color_of_hue(0.72, fmod(chart * 0.61803398875, 1), 0.13, linear);
	for (int c = 0; c < 3; c++) {
		color = color << 8 | (uint32_t)lround(255 * fmin(fmax(snw_srgb_from_linear(linear[c]), 0), 1));
	}
	return color << 8 | alpha;
}

static void draw_charts(const square *s, const snw_uv_layout *layout, bool has_texture) {
	const float thickness = snw_gui_line_height() * 0.07f;
	for (uint32_t t = 0; t < layout->triangle_count && layout->triangle_count <= MOST_FILLED; t++) {
		float at[3][2];
		for (size_t k = 0; k < 3; k++) {
			place(s, layout->triangles[3 * (size_t)t + k], at[k]);
		}
		snw_gui_triangle(at[0][0], at[0][1], at[1][0], at[1][1], at[2][0], at[2][1],
						 chart_color(layout->triangle_charts[t], has_texture ? 0x50 : 0xb0));
	}
	for (uint32_t b = 0; b < layout->border_count && layout->border_count <= MOST_BORDERS; b++) {
		float ends[4];
		place(s, layout->borders[2 * (size_t)b], ends);
		place(s, layout->borders[2 * (size_t)b + 1], ends + 2);
		snw_gui_polyline(ends, 2, thickness, 0xffffffc0, false);
	}
}

static void draw_square(const snw_session *session, const snw_mesh *mesh, const snw_uv_layout *layout, uint32_t material) {
	const float width = snw_gui_available_width();
	const float span = fmaxf(layout->high[0] - layout->low[0], layout->high[1] - layout->low[1]);
	square s = {.uvs = mesh->corner_uvs, .scale = width / span, .low = {layout->low[0], layout->low[1]}};
	snw_gui_cursor(&s.x, &s.y);
	const float unit_x = s.x - s.low[0] * s.scale, unit_y = s.y - s.low[1] * s.scale;
	const uint32_t texture = material == SNW_NONE || session->display.is_uploading
								 ? 0
								 : snw_viewport_base_color(session->display.viewport, material);
	snw_gui_reserve(width, (layout->high[1] - layout->low[1]) * s.scale);
	snw_gui_hint("The UVs of the mesh: each chart has a colour. The texture lies behind them.");
	snw_gui_fill(unit_x, unit_y, s.scale, s.scale, 0, 0x16181cff);
	if (texture > 0) {
		snw_gui_picture(texture, unit_x, unit_y, s.scale, s.scale);
	}
	draw_charts(&s, layout, texture > 0);
	snw_gui_track_text("UVs", s.x, s.y, width, (layout->high[1] - layout->low[1]) * s.scale);
}

/* The first material of the mesh at or after `wanted` that faces have; SNW_NONE is after all. */
static uint32_t material_of(const snw_scene *scene, const snw_mesh *mesh, uint32_t wanted) {
	uint32_t found = SNW_NONE;
	for (uint32_t f = 0; f < mesh->face_count && mesh->face_materials; f++) {
		const uint32_t material = mesh->face_materials[f];
		found = material >= wanted && material < found && material < scene->material_count ? material : found;
	}
	return found;
}

/* The material whose square is shown: each has one of its own. */
static uint32_t choose_material(const snw_scene *scene, const snw_mesh *mesh) {
	static const snw_mesh *of;
	static uint32_t chosen;
	const uint32_t first = material_of(scene, mesh, 0);
	chosen = of == mesh && (chosen == SNW_NONE || material_of(scene, mesh, chosen) == chosen) ? chosen : first;
	of = mesh;
	const uint32_t second = first == SNW_NONE ? SNW_NONE : material_of(scene, mesh, first + 1);
	if (second != SNW_NONE &&
		snw_gui_list_begin("##uv-material", chosen == SNW_NONE ? "No material" : scene->materials[chosen].name)) {
		for (uint32_t m = first; m != SNW_NONE; m = material_of(scene, mesh, m + 1)) {
			chosen = snw_gui_row(scene->materials[m].name, NULL, m == chosen) ? m : chosen;
			snw_gui_hint("The material whose UVs are shown.");
		}
		snw_gui_list_end();
	} else if (second != SNW_NONE) {
		snw_gui_hint("The material whose UVs are shown: each has a texture of its own.");
	}
	return chosen;
}

void snw_panel_uvs(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	if (scene->mesh_count == 0 || !snw_gui_section("UVS")) {
		return;
	}
	const uint32_t index = session->state.mesh < scene->mesh_count ? session->state.mesh : 0;
	const snw_mesh *mesh = &scene->meshes[index];
	char words[160];
	if (!mesh->corner_uvs) {
		snw_gui_quiet_text("The mesh has no UVs. 'sinew unwrap' makes some.");
		return;
	}
	const uint32_t material = choose_material(scene, mesh);
	make_layout(session->document, index, material);
	snprintf(words, sizeof words, "%u chart%s", shown_uvs.layout.chart_count, snw_plural(shown_uvs.layout.chart_count));
	snw_gui_text(words);
	draw_square(session, mesh, &shown_uvs.layout, material);
}
