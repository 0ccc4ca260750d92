/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands over the viewport: the moment and the method, the scale of a heat map, the gizmo.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/heat.h"
#include "render/legend.h"
#include "window/panels.h"

enum { RING_POINTS = 96 };

static void draw_scale_bar(const snw_layout *layout, const snw_view *view) {
	const float k = layout->scale, line = snw_gui_line_height(), width = 14 * k;
	const float x = layout->view_x + layout->view_width - 78 * k, y = layout->view_y + 52 * k;
	const float height = fminf(230 * k, layout->view_height - 90 * k);
	unsigned char ramp[SNW_HEAT_STEPS][3];
	const double range = view->heat_maximum - view->heat_minimum, step = snw_legend_round_step(range, 5);
	if (height < 40 * k || !(range > 0)) {
		return;
	}
	snw_heat_ramp(ramp);
	snw_gui_fill(x - 1, y - 1, width + 2, height + 2, 0, SNW_SHADE);
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
		snw_gui_fill(x + width, at - 0.5f, 5 * k, 1, 0, (uint32_t)SNW_QUIET);
		snw_gui_write(x + width + 9 * k, at - line / 2, (uint32_t)SNW_INK, words);
	}
	const float label = snw_gui_width_of(view->heat_label), right = layout->view_x + layout->view_width;
	snw_gui_write(fminf(x, right - 14 * k - label), y - 1.7f * line, (uint32_t)SNW_INK, view->heat_label);
}

static void draw_words(const snw_layout *layout, const snw_session *session) {
	const snw_view_state *state = &session->state;
	const snw_document *document = session->document;
	const snw_scene *scene = document->scene;
	const float k = layout->scale, x = layout->view_x + 18 * k, y = layout->view_y + 14 * k;
	const bool before = state->before && document->linear != SNW_NONE;
	char words[300];
	if (!document->path) {
		return;
	}
	const char *moment = session->hand                     ? "a pose in the making"
						 : state->clip != SNW_NONE         ? scene->clips[state->clip].name
						 : state->pose < scene->pose_count ? scene->poses[state->pose].name
														   : "rest";
	snw_gui_write(x, y, (uint32_t)SNW_INK, moment);
	snprintf(words, sizeof words, "%s%s",
			 before                                   ? "before: linear blend"
			 : state->method < document->method_count ? document->methods[state->method].name
													  : "",
			 state->sculpting ? "  ·  sculpting" : "");
	snw_gui_write(x, y + 1.25f * snw_gui_line_height(), before ? (uint32_t)SNW_AMBER : (uint32_t)SNW_QUIET, words);
}

/* The near half of a ring strong, the far half faint. */
static void draw_ring(const snw_layout *layout, const snw_session *session, const snw_gizmo *gizmo, snw_gizmo_part part,
					  uint32_t color) {
	float points[2 * RING_POINTS], piece[4];
	bool near_side[RING_POINTS];
	const snw_gizmo_part shown = gizmo->held != SNW_GIZMO_NONE ? gizmo->held : gizmo->hovered;
	const bool lit = shown == part;
	snw_gizmo_ring(gizmo, session, part, (double)layout->view_width, (double)layout->view_height, RING_POINTS, points,
				   near_side);
	const uint32_t strong = lit ? 0xffe08cff : color, faint = (color & 0xffffff00) | 0x30;
	for (uint32_t i = 0; i < RING_POINTS; i++) {
		const uint32_t next = (i + 1) % RING_POINTS;
		piece[0] = points[2 * i] + layout->view_x;
		piece[1] = points[2 * i + 1] + layout->view_y;
		piece[2] = points[2 * next] + layout->view_x;
		piece[3] = points[2 * next + 1] + layout->view_y;
		snw_gui_line(piece, 2, (lit ? 3.2f : 2) * layout->scale, near_side[i] ? strong : faint, false);
	}
}

static void draw_gizmo(const snw_layout *layout, const snw_session *session, const snw_input *input) {
	static const uint32_t colors[] = {0xe5534bff, 0x6bbf59ff, 0x4c8deaff, 0xb9bdc6c0};
	snw_gizmo gizmo = input->gizmo;
	snw_gizmo_place(&gizmo, session, (double)layout->view_width, (double)layout->view_height, (double)layout->scale);
	if (gizmo.radius <= 0) {
		return;
	}
	const float x = (float)gizmo.center[0] + layout->view_x, y = (float)gizmo.center[1] + layout->view_y;
	const snw_gizmo_part shown = gizmo.held != SNW_GIZMO_NONE ? gizmo.held : gizmo.hovered;
	snw_gui_disc(x, y, (float)gizmo.radius, shown == SNW_GIZMO_BALL ? 0xffffff14 : 0xffffff08);
	for (snw_gizmo_part part = SNW_GIZMO_X; part <= SNW_GIZMO_VIEW; part++) {
		draw_ring(layout, session, &gizmo, part, colors[part - SNW_GIZMO_X]);
	}
	snw_gui_disc(x, y, 4 * layout->scale, (uint32_t)SNW_AMBER);
}

static void draw_joint_name(const snw_layout *layout, const snw_session *session, const snw_input *input) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	if (input->hovered_joint < skeleton->joint_count && input->inside) {
		const char *name = skeleton->names[input->hovered_joint];
		const float x = (float)input->x + layout->view_x + 16, y = (float)input->y + layout->view_y + 12;
		snw_gui_fill(x - 6, y - 3, snw_gui_width_of(name) + 12, snw_gui_line_height() + 6, 4, 0x15161acc);
		snw_gui_write(x, y, (uint32_t)SNW_INK, name);
	}
}

/* What to begin with, where nothing is open. */
static void draw_welcome(const snw_layout *layout, snw_session *session) {
	const float k = layout->scale, width = fminf(380 * k, layout->view_width - 20), height = 300 * k;
	snw_gui_panel_begin("welcome", layout->view_x + (layout->view_width - width) / 2,
						layout->view_y + fmaxf((layout->view_height - height) / 2, 4), width, height, SNW_PANEL_PADDED);
	snw_gui_words("Sinew");
	snw_gui_quiet_words(
		"Pose a character, sculpt what its skin should look like there, and see it hold in every pose between.");
	snw_gui_gap();
	if (snw_gui_button("Open a character…", true)) {
		snw_emit(&session->queue, SNW_DO_OPEN);
	}
	snw_gui_beside(0);
	if (snw_gui_button("Make the sample arm", false)) {
		snw_emit(&session->queue, SNW_DO_SAMPLE);
	}
	snw_gui_quiet_words("Or drop a project, glTF, FBX, Collada or OBJ here.");
	const snw_preferences *preferences = &session->preferences;
	if (preferences->recent_count > 0) {
		snw_gui_heading("RECENT");
	}
	for (uint32_t i = 0; i < preferences->recent_count && i < 6; i++) {
		const char *name = strrchr(preferences->recent[i], '/');
		snw_gui_push((int)i);
		if (snw_gui_row(name ? name + 1 : preferences->recent[i], NULL, false)) {
			snw_emit_number(&session->queue, SNW_DO_RECENT, i);
		}
		snw_gui_hint(preferences->recent[i]);
		snw_gui_pop();
	}
	snw_gui_panel_end();
}

void snw_panel_over(const snw_layout *layout, snw_session *session, const snw_input *input) {
	snw_gui_panel_begin("over", layout->view_x, layout->view_y, layout->view_width, layout->view_height, SNW_PANEL_GLASS);
	draw_words(layout, session);
	draw_gizmo(layout, session, input);
	draw_joint_name(layout, session, input);
	if (session->studio.view.heat) {
		draw_scale_bar(layout, &session->studio.view);
	}
	snw_gui_panel_end();
	if (!session->document->path && session->state.dialog == SNW_DIALOG_NONE) {
		draw_welcome(layout, session);
	}
}
