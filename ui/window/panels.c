/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Side panel, timeline, status line, and what is written over the viewport.
 */
#include "window/panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/heat.h"
#include "render/legend.h"
#include "window/imgui_shim.h"

enum {
	INK = (int)0xe1e3e8ff,
	QUIET = (int)0x878c96ff,
	AMBER = (int)0xeda847ff,
	GROOVE = 0x2a2c32ff,
	TICK = 0x4a4e57ff,
	TRUTH = (int)0x8f6c3cff,
	SHADE = 0x000000a0,
};

snw_layout snw_layout_make(int width, int height, float scale) {
	snw_layout layout = {.scale = scale, .width = (float)width, .height = (float)height};
	layout.side_width = layout.width >= 620 * scale && layout.height >= 240 * scale ? 264 * scale : 0;
	layout.timeline_height = layout.height >= 200 * scale ? 44 * scale : 0;
	layout.status_height = layout.height >= 120 * scale ? 27 * scale : 0;
	layout.view_width = layout.width - layout.side_width;
	layout.view_height = layout.height - layout.timeline_height - layout.status_height;
	return layout;
}

/* ---- the side panel ----------------------------------------------------------------------------------------------- */

static void list_methods(const snw_studio *studio, const snw_view_state *state, snw_command_queue *queue) {
	snw_gui_heading("METHOD");
	for (uint32_t i = 0; i < studio->method_count; i++) {
		char key[2] = {(char)(i < 9 ? '1' + i : 0), 0};
		if (snw_gui_row(studio->methods[i].name, key, state->method == i)) {
			snw_command_emit(queue, SNW_DO_METHOD, i, 0);
		}
	}
	if (studio->linear != SNW_NONE) {
		if (snw_gui_switch("before: linear blend", "hold B", state->before)) {
			snw_command_emit(queue, SNW_DO_BEFORE, !state->before, 0);
		}
	}
}

static void list_moments(const snw_studio *studio, const snw_view_state *state, snw_command_queue *queue) {
	const snw_scene *scene = studio->scene;
	snw_gui_heading("CLIP");
	if (snw_gui_list_begin("##clip", state->clip == SNW_NONE ? "none" : scene->clips[state->clip].name)) {
		for (uint32_t i = 0; i < scene->clip_count; i++) {
			if (snw_gui_row(scene->clips[i].name, NULL, state->clip == i)) {
				snw_command_emit(queue, SNW_DO_CLIP, i, 0);
			}
		}
		snw_gui_list_end();
	}
	snw_gui_heading("POSE");
	const bool posed = state->clip == SNW_NONE && state->pose < scene->pose_count;
	if (snw_gui_list_begin("##pose", posed ? scene->poses[state->pose].name : "of the clip")) {
		for (uint32_t i = 0; i < scene->pose_count; i++) {
			if (snw_gui_row(scene->poses[i].name, NULL, posed && state->pose == i)) {
				snw_command_emit(queue, SNW_DO_POSE, i, 0);
			}
		}
		snw_gui_list_end();
	}
}

static const char *heat_name(const snw_studio *studio, uint32_t heat) {
	return heat == SNW_HEAT_NONE ? "none" : heat == SNW_HEAT_ERROR ? "error" : studio->fields[heat - SNW_HEAT_FIELDS];
}

static void list_heat(const snw_studio *studio, const snw_view_state *state, snw_command_queue *queue) {
	char words[120];
	snw_gui_heading("HEAT MAP");
	if (snw_gui_list_begin("##heat", heat_name(studio, state->heat))) {
		for (uint32_t i = 0; i < SNW_HEAT_FIELDS + studio->field_count; i++) {
			if (snw_gui_row(heat_name(studio, i), i == SNW_HEAT_ERROR ? "H" : NULL, state->heat == i)) {
				snw_command_emit(queue, SNW_DO_HEAT, i, 0);
			}
		}
		snw_gui_list_end();
	}
	if (state->heat == SNW_HEAT_ERROR && studio->has_truth) {
		snprintf(words, sizeof words, "mean %.2f mm, largest %.2f mm", studio->error_mean, studio->error_most);
		snw_gui_words(words);
	} else if (state->heat == SNW_HEAT_ERROR) {
		snw_gui_words("No example or target says what this moment should look like.");
	}
}

static void list_looks(const snw_view_state *state, snw_command_queue *queue) {
	static const struct {
		snw_command_id id;
		uint32_t flag;
	} looks[] = {
		{SNW_DO_SKELETON, SNW_VIEW_SKELETON},
		{SNW_DO_WIREFRAME, SNW_VIEW_WIREFRAME},
		{SNW_DO_FLAT, SNW_VIEW_FLAT},
		{SNW_DO_GRID, SNW_VIEW_GRID},
	};
	snw_gui_heading("SHOW");
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
		const snw_command_info *info = &snw_command_infos[looks[i].id];
		if (snw_gui_switch(info->words, info->key, state->flags & looks[i].flag)) {
			snw_command_emit(queue, looks[i].id, 0, 0);
		}
	}
}

static void draw_side(const snw_layout *layout, const snw_studio *studio, const snw_view_state *state, const char *title,
					  snw_command_queue *queue) {
	const snw_scene *scene = studio->scene;
	char words[160];
	size_t points = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		points += scene->meshes[m].point_count;
	}
	snw_gui_panel_begin("side", layout->view_width, 0, layout->side_width, layout->height - layout->status_height,
						SNW_PANEL_PADDED);
	snw_gui_words(title);
	snprintf(words, sizeof words, "%zu points, %u joints", points, scene->skeleton.joint_count);
	snw_gui_heading(words);
	list_methods(studio, state, queue);
	list_moments(studio, state, queue);
	list_heat(studio, state, queue);
	list_looks(state, queue);
	snw_gui_panel_end();
}

/* ---- the timeline ------------------------------------------------------------------------------------------------- */

/* Where a clip's moments lie on the strip. */
typedef struct strip {
	float x, y, width, height;
	double duration;
} strip;

static float place_of(const strip *s, double seconds) {
	return s->x + (float)(s->duration > 0 ? seconds / s->duration : 0) * s->width;
}

/* Marks at times, thinned out where they would touch. */
static void draw_marks(const strip *s, const double *times, uint32_t count, float top, float height, uint32_t color) {
	float last = -10;
	for (uint32_t i = 0; i < count; i++) {
		const float at = place_of(s, times[i]);
		if (at - last >= 3) {
			snw_gui_fill(at - 0.5f, top, 1, height, 0, color);
			last = at;
		}
	}
}

static void draw_play_button(const snw_layout *layout, float x, float y, bool playing) {
	const float side = 7 * layout->scale;
	if (playing) {
		snw_gui_fill(x - side, y - side, 0.7f * side, 2 * side, 1, INK);
		snw_gui_fill(x + 0.3f * side, y - side, 0.7f * side, 2 * side, 1, INK);
	} else {
		snw_gui_triangle(x - 0.8f * side, y - side, x - 0.8f * side, y + side, x + side, y, (uint32_t)INK);
	}
}

static void draw_timeline(const snw_layout *layout, const snw_studio *studio, const snw_view_state *state,
						  snw_command_queue *queue) {
	const float k = layout->scale, top = layout->view_height, height = layout->timeline_height;
	const snw_clip_reel *reel = &studio->reel;
	const float middle = top + height / 2, unused = 0;
	float fraction = unused;
	char words[80];
	snw_gui_panel_begin("timeline", 0, top, layout->view_width, height, SNW_PANEL_BARE);
	if (!reel->arena) {
		snw_gui_write(16 * k, middle - snw_gui_line_height() / 2, (uint32_t)QUIET,
					  studio->scene->clip_count ? "Choose a clip, or press Space, to play and scrub." : "No clip.");
		snw_gui_panel_end();
		return;
	}
	snprintf(words, sizeof words, "%.2f / %.2f s", state->seconds, reel->duration_seconds);
	const strip s = {.x = 46 * k,
					 .y = top + 10 * k,
					 .width = fmaxf(layout->view_width - 46 * k - 130 * k, 20),
					 .height = height - 20 * k,
					 .duration = reel->duration_seconds};
	bool pressed = snw_gui_strip("play", 6 * k, top + 4 * k, 32 * k, height - 8 * k, &fraction);
	draw_play_button(layout, 22 * k, middle, state->playing);
	snw_gui_fill(s.x, s.y, s.width, s.height, 3 * k, GROOVE);
	draw_marks(&s, reel->key_seconds, reel->key_count, s.y + s.height * 0.55f, s.height * 0.45f, TICK);
	draw_marks(&s, reel->truth_seconds, reel->truth_count, s.y, s.height * 0.3f, (uint32_t)TRUTH);
	const float at = place_of(&s, state->seconds);
	snw_gui_fill(at - 1.5f * k, s.y - 3 * k, 3 * k, s.height + 6 * k, 1.5f * k, (uint32_t)AMBER);
	snw_gui_write(s.x + s.width + 14 * k, middle - snw_gui_line_height() / 2, (uint32_t)INK, words);
	if (snw_gui_strip("scrub", s.x, top, s.width, height, &fraction)) {
		snw_command_emit(queue, SNW_DO_SEEK, (double)fraction * s.duration, 0);
		pressed = false;
	}
	if (pressed) {
		snw_command_emit(queue, SNW_DO_PLAY, 1, 0);
	}
	snw_gui_panel_end();
}

/* ---- over the viewport -------------------------------------------------------------------------------------------- */

static void draw_scale_bar(const snw_layout *layout, const snw_view *view) {
	const float k = layout->scale, line = snw_gui_line_height(), width = 14 * k;
	const float x = layout->view_width - 78 * k, y = 52 * k, height = fminf(230 * k, layout->view_height - 90 * k);
	unsigned char ramp[SNW_HEAT_STEPS][3];
	const double range = view->heat_maximum - view->heat_minimum, step = snw_legend_round_step(range, 5);
	if (height < 40 * k || !(range > 0)) {
		return;
	}
	snw_heat_ramp(ramp);
	snw_gui_fill(x - 1, y - 1, width + 2, height + 2, 0, SHADE);
	for (int i = 0; i < 32; i++) {
		uint32_t colors[2];
		for (int end = 0; end < 2; end++) {
			const unsigned char *c = ramp[(SNW_HEAT_STEPS - 1) * (32 - i - end) / 32];
			colors[end] = (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | 255;
		}
		snw_gui_gradient(x, y + height * (float)i / 32, width, height / 32, colors[0], colors[1]);
	}
	for (double value = ceil(view->heat_minimum / step - 1e-6) * step; value <= view->heat_maximum + step * 1e-6;
		 value += step) {
		char words[32];
		const float at = y + height * (float)(1 - (value - view->heat_minimum) / range);
		snprintf(words, sizeof words, "%.4g", fabs(value) < step * 1e-6 ? 0 : value);
		snw_gui_fill(x + width, at - 0.5f, 5 * k, 1, 0, (uint32_t)QUIET);
		snw_gui_write(x + width + 9 * k, at - line / 2, (uint32_t)INK, words);
	}
	const float label = snw_gui_width_of(view->heat_label);
	snw_gui_write(fminf(x, layout->view_width - 14 * k - label), y - 1.7f * line, (uint32_t)INK, view->heat_label);
}

static void draw_over(const snw_layout *layout, const snw_studio *studio, const snw_view_state *state) {
	const snw_scene *scene = studio->scene;
	const float k = layout->scale;
	const bool before = state->before && studio->linear != SNW_NONE;
	const char *moment = state->clip != SNW_NONE           ? scene->clips[state->clip].name
						 : state->pose < scene->pose_count ? scene->poses[state->pose].name
														   : "rest";
	snw_gui_panel_begin("over", 0, 0, layout->view_width, layout->view_height, SNW_PANEL_GLASS);
	snw_gui_write(18 * k, 14 * k, (uint32_t)INK, moment);
	snw_gui_write(18 * k, 14 * k + 1.25f * snw_gui_line_height(), before ? (uint32_t)AMBER : (uint32_t)QUIET,
				  before ? "before: linear blend" : studio->methods[state->method].name);
	if (studio->view.heat) {
		draw_scale_bar(layout, &studio->view);
	}
	snw_gui_panel_end();
}

/* ---- the status line ---------------------------------------------------------------------------------------------- */

static const char *hints(const snw_view_state *state, snw_drag drag) {
	switch (drag) {
	case SNW_DRAG_ORBIT:
		return "Turning: left and right go round, up and down tilt";
	case SNW_DRAG_PAN:
		return "Panning";
	case SNW_DRAG_ZOOM:
		return "Zooming: right or up goes nearer";
	case SNW_DRAG_NONE:
		break;
	}
	if (state->before) {
		return "This is the linear blend; let B go for the method";
	}
	return "Drag turn  ·  Shift pan  ·  Wheel zoom  ·  F frame  ·  Space play  ·  ← → step  ·  B before  ·  H error  ·  P "
		   "picture";
}

static void draw_status(const snw_layout *layout, const snw_view_state *state, snw_drag drag) {
	const float k = layout->scale, top = layout->height - layout->status_height;
	const float y = top + (layout->status_height - snw_gui_line_height()) / 2;
	const char *words = state->message[0] ? state->message : hints(state, drag);
	snw_gui_panel_begin("status", 0, top, layout->width, layout->status_height, SNW_PANEL_BARE);
	snw_gui_fill(0, top, layout->width, 1, 0, GROOVE);
	snw_gui_write(16 * k, y, state->message[0] ? (uint32_t)AMBER : (uint32_t)QUIET, words);
	snw_gui_panel_end();
}

void snw_panels_draw(const snw_layout *layout, const snw_studio *studio, const snw_view_state *state, snw_drag drag,
					 const char *title, snw_command_queue *queue) {
	if (layout->status_height > 0) {
		draw_over(layout, studio, state);
		draw_status(layout, state, drag);
	}
	if (layout->side_width > 0) {
		draw_side(layout, studio, state, title, queue);
	}
	if (layout->timeline_height > 0) {
		draw_timeline(layout, studio, state, queue);
	}
}
