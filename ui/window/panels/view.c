/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The choice of what is shown, and how.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/color.h"
#include "base/error.h"
#include "render/shading/shading.h"
#include "unwrap/unwrap.h"
#include "window/document/document.h"
#include "window/panels/panels.h"
#include "window/units/units.h"

/* ---- uvs ----------------------------------------------------------------------------------------------------------------- */

/* The UVs of the chosen mesh, or of the first: its charts over the texture of a material. */

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

/* of the chosen mesh, or of the first */
static void panel_uvs(snw_session *session) {
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

/* ---- view ---------------------------------------------------------------------------------------------------------------- */

static void list_methods(snw_session *session) {
	const snw_document *document = session->document;
	if (!snw_gui_section("METHOD")) {
		return;
	}
	for (uint32_t i = 0; i < document->method_count; i++) {
		char key[2] = {(char)(i < 9 ? '1' + i : 0), 0};
		snw_gui_push((int)i);
		if (snw_gui_row(document->methods[i].name, key, session->state.method == i)) {
			snw_emit_number(&session->queue, SNW_DO_METHOD, i);
		}
		snw_gui_hint(i == 0 ? "All layers." : "For comparison: only this.");
		snw_gui_pop();
	}
	if (document->baseline != SNW_NONE && snw_gui_switch("Linear blend (before)", "hold B", session->state.before)) {
		snw_emit_number(&session->queue, SNW_DO_BEFORE, !session->state.before);
	}
	snw_gui_hint(snw_command_help(SNW_DO_BEFORE));
}

/* The help of a field: that of the descriptor of the deformer that wrote it, if its name is LAYER.FIELD. */
static const char *field_help(const snw_session *session, const char *name) {
	const snw_scene *scene = session->document->scene;
	for (uint32_t l = 0; l < scene->layer_count; l++) {
		const size_t length = strlen(scene->layers[l].name);
		const snw_deformer *deformer = snw_registry_find(session->registry, scene->layers[l].deformer);
		for (uint32_t i = 0; deformer && i < deformer->descriptor->field_count; i++) {
			const snw_field_info *info = deformer->descriptor->fields[i];
			if (strncmp(name, scene->layers[l].name, length) == 0 && name[length] == '.' &&
				strcmp(name + length + 1, info->name) == 0) {
				return info->help;
			}
		}
	}
	return "A field of the project: painted, a mask, or written by a fit.";
}

static const char *heat_help(const snw_session *session, uint32_t heat) {
	static const char *const helps[SNW_HEAT_FIELDS] = {
		"Materials only.", "The distance of each point from the ground truth.",
		"Each joint has a colour; each point has the mix of its joints by weight.",
		"How far the sculpt of the selected example moves each point.",
		"How far the level of detail that is shown is from its mesh in this pose."};
	return heat < SNW_HEAT_FIELDS ? helps[heat] : field_help(session, snw_heat_name(session->document, heat));
}

/* The errors, or why there are none. */
static void draw_heat_summary(const snw_session *session) {
	const snw_display *display = &session->display;
	const uint32_t heat = session->state.heat;
	char words[120], mean[40], most[40];
	snw_length_write(session, display->error_mean / 1000, mean, sizeof mean);
	snw_length_write(session, (heat == SNW_HEAT_ERROR ? display->error_most : display->most_sculpt_distance) / 1000, most,
					 sizeof most);
	if (heat == SNW_HEAT_ERROR && display->has_truth) {
		snprintf(words, sizeof words, "Mean %s, largest %s", mean, most);
		snw_gui_text(words);
	} else if (heat == SNW_HEAT_ERROR) {
		snw_gui_quiet_text("No ground truth at this moment: no example or target.");
	} else if (heat == SNW_HEAT_INFLUENCES && !display->view.heat) {
		snw_gui_quiet_text("No point is moved by joints.");
	} else if (heat == SNW_HEAT_SCULPT && display->view.heat) {
		snprintf(words, sizeof words, "Largest %s", most);
		snw_gui_text(words);
	} else if (heat == SNW_HEAT_SCULPT) {
		snw_gui_quiet_text("Select an example to see what its sculpt moves.");
	} else if (heat == SNW_HEAT_LEVEL && snw_display_level(display) == 0) {
		snw_gui_quiet_text("Show a level of detail, in the Stack tab, to see how far it is from its mesh.");
	}
}

/* A field has the name that its file or plug-in gave it. */
static const char *heat_title(const snw_document *document, uint32_t heat, char *words, size_t size) {
	const char *name = snw_heat_name(document, heat);
	return heat < SNW_HEAT_FIELDS ? snw_sentence_case(name, words, size) : name;
}

static void list_heat(snw_session *session) {
	const snw_document *document = session->document;
	const uint32_t heat = session->state.heat;
	char words[40];
	if (!snw_gui_section("HEAT MAP")) {
		return;
	}
	if (snw_gui_list_begin("##heat", heat_title(document, heat, words, sizeof words))) {
		for (uint32_t i = 0; i < SNW_HEAT_FIELDS + document->field_count; i++) {
			if (snw_gui_row(heat_title(document, i, words, sizeof words), i == SNW_HEAT_ERROR ? "H" : NULL, heat == i)) {
				snw_emit_text(&session->queue, SNW_DO_FIELD, snw_heat_name(document, i));
			}
			snw_gui_hint(heat_help(session, i));
		}
		snw_gui_list_end();
	} else {
		snw_gui_hint(heat == SNW_HEAT_NONE ? "Colours the skin by the error, the influences of joints, a sculpt, or a field."
										   : heat_help(session, heat));
	}
	draw_heat_summary(session);
}

/* A label before a row of choices. */
static void name_row(const char *name, const char *help) {
	snw_gui_label(name);
	snw_gui_hint(help);
	snw_gui_same_line(78 * snw_gui_line_height() / 15);
}

static void choose_look(snw_session *session) {
	enum { PLAIN = SNW_LOOK_MATCAPS, MATCAPS = SNW_LOOK_COUNT - SNW_LOOK_MATCAPS };
	const char *labels[PLAIN], *hints[PLAIN];
	static const char *const matcaps[MATCAPS] = {"Clay##matcap", "Skin##matcap", "Chrome##matcap"};
	static const char *const matcap_hints[MATCAPS] = {"As a ball of clay in soft light.",
													  "As skin, which is red where it turns dark.",
													  "As chrome: its stripes break where the surface does."};
	uint32_t look = snw_look_of(session->state.flags), matcap = look < PLAIN ? (uint32_t)MATCAPS : look - PLAIN;
	for (int i = 0; i < PLAIN; i++) {
		labels[i] = snw_looks[i].label;
		hints[i] = "How the skin is drawn.";
	}
	if (snw_gui_choice(labels, hints, PLAIN, &look)) {
		snw_emit_number(&session->queue, SNW_DO_SHADING, look);
	}
	name_row("Matcap", "Shades the skin by its shape alone. Lights and materials do not change it. K goes to the next one.");
	if (snw_gui_choice(matcaps, matcap_hints, MATCAPS, &matcap)) {
		snw_emit_number(&session->queue, SNW_DO_SHADING, PLAIN + matcap);
	}
}

static void choose_lights(snw_session *session) {
	static const char *const hints[] = {"Light from above and the sides.", "Light from the side, which shows every dent.",
										"Light from everywhere, for colours."};
	static const char *const lights[] = {"Studio", "Raking", "Even"};
	static const snw_number angle = {.least = -180, .most = 180, .soft_least = -180, .soft_most = 180, .format = "%.0f°"};
	uint32_t light = session->state.lights;
	double degrees = session->state.light_turn * 180 / M_PI;
	name_row("Lights", "The lights follow the camera. Raking light comes from the side and shows every dent.");
	if (snw_gui_choice(lights, hints, 3, &light)) {
		snw_emit_number(&session->queue, SNW_DO_LIGHTS, light);
	}
	name_row("Light", "The brightest of the lights, and its shadow, turned about the vertical.");
	snw_gui_width(-1);
	if (snw_gui_number("##light-turn", &angle, &degrees) != SNW_EDIT_NONE) {
		snw_emit_number(&session->queue, SNW_DO_LIGHT_TURN, degrees);
	}
	snw_gui_hint("Drag, or Ctrl+click to type. 0 is where the lights above have it.");
}

static void list_looks(snw_session *session) {
	static const char *const level_hints[] = {"The mesh as it is.", "Each face becomes four.", "Each face becomes sixteen."};
	static const char *const levels[] = {"Off", "Once", "Twice"};
	const uint32_t flags = session->state.flags;
	uint32_t level = session->state.subdivision;
	if (!snw_gui_section("SHOW")) {
		return;
	}
	choose_look(session);
	name_row("Smooth", "Shows the mesh subdivided. The project does not change.");
	if (snw_gui_choice(levels, level_hints, 3, &level)) {
		snw_emit_number(&session->queue, SNW_DO_SUBDIVIDE, level);
	}
	choose_lights(session);
	snw_panel_switch(session, SNW_DO_SKELETON, flags & SNW_VIEW_SKELETON);
	snw_panel_switch(session, SNW_DO_WIREFRAME, flags & SNW_VIEW_WIREFRAME);
	snw_panel_switch(session, SNW_DO_FLAT, flags & SNW_VIEW_FLAT);
	snw_panel_switch(session, SNW_DO_GRID, flags & SNW_VIEW_GRID);
	snw_panel_switch(session, SNW_DO_GHOSTS, session->state.ghosts);
	snw_panel_switch(session, SNW_DO_CONTACT, session->state.shows_contact);
	snw_panel_switch(session, SNW_DO_DRIVER_CONE, session->state.shows_cone);
}

static void list_views(snw_session *session) {
	static const struct {
		snw_command_id id;
		const char *text;
	} views[] = {{SNW_DO_FRONT, "Front"}, {SNW_DO_SIDE, "Side"},           {SNW_DO_TOP, "Top"},
				 {SNW_DO_BACK, "Back"},   {SNW_DO_OTHER_SIDE, "Opposite"}, {SNW_DO_BELOW, "Bottom"}};
	if (!snw_gui_section("CAMERA")) {
		return;
	}
	const float gap = snw_gui_line_height() * 0.4f, width = (snw_gui_available_width() - 2 * gap) / 3;
	float x = 0, y = 0;
	for (uint32_t i = 0; i < 6; i++) {
		if (i % 3 > 0) {
			snw_gui_move_to(x + (float)(i % 3) * (width + gap), y);
		} else {
			snw_gui_cursor(&x, &y);
		}
		snw_panel_tile(session, views[i].id, views[i].text, width, true, false);
	}
	snw_panel_switch(session, SNW_DO_SPLIT, session->state.is_split);
	snw_panel_switch(session, SNW_DO_PARALLEL, snw_camera_is_flat(&session->state.camera));
	snw_panel_button(session, SNW_DO_FRAME, "Frame all", true);
	snw_gui_same_line_for("Frame joint");
	snw_panel_button(session, SNW_DO_FRAME_CHOSEN, "Frame joint", true);
}

void snw_panel_view(snw_session *session) {
	list_methods(session);
	list_heat(session);
	list_looks(session);
	list_views(session);
	panel_uvs(session);
}
