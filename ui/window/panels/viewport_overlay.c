/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawn over the viewport: the time and the method, the scale of a heat map, the gizmo.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/overlay/canvas.h"
#include "render/view/view.h"
#include "window/panels/panels.h"
#include "window/units/units.h"

enum { RING_POINTS = 96, SECTOR_STEPS = 24 };

static void draw_scale_bar(const snw_layout *layout, const snw_session *session) {
	const snw_view *view = &session->display.view;
	const double metres = session->display.heat_metres, unit = metres > 0 ? metres * snw_lengths_per_metre(session) : 1;
	const float k = layout->scale, line = snw_gui_line_height(), width = 14 * k;
	const float x = layout->view_x + layout->view_width - 78 * k, y = layout->view_y + 52 * k;
	const float height = fminf(230 * k, layout->view_height - 90 * k);
	unsigned char ramp[SNW_HEAT_STEPS][3];
	const double range = view->heat_maximum - view->heat_minimum, step = snw_legend_round_step(range, 5);
	if (height < 70 * k || !(range > 0)) {
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
	const int first = (int)ceil(view->heat_minimum / step - 1e-6), last = (int)floor(view->heat_maximum / step + 1e-6);
	for (int mark = first; mark <= last; mark++) {
		char words[32];
		const double value = mark * step;
		const float at = y + height * (float)(1 - (value - view->heat_minimum) / range);
		snprintf(words, sizeof words, "%.4g", value * unit);
		snw_gui_fill(x + width, at - 0.5f, 5 * k, 1, 0, (uint32_t)SNW_QUIET);
		snw_gui_write(x + width + 9 * k, at - line / 2, (uint32_t)SNW_INK, words);
	}
	char title[300];
	snprintf(title, sizeof title, metres > 0 ? "%.200s (%s)" : "%.200s", view->heat_label, snw_length_unit_name(session));
	const float label = snw_gui_width_of(title), right = layout->view_x + layout->view_width;
	snw_gui_write(fminf(x, right - 14 * k - label), y - 1.7f * line, (uint32_t)SNW_INK, title);
}

/* Text on a translucent plate, legible over any picture. */
static void write_on_glass(float x, float y, uint32_t color, const char *text, float k) {
	snw_gui_fill(x - 7 * k, y - 3 * k, snw_gui_width_of(text) + 14 * k, snw_gui_line_height() + 6 * k, 4 * k,
				 (uint32_t)SNW_GLASS);
	snw_gui_write(x, y, color, text);
}

/* The name of a view along an axis; NULL for other views. */
static const char *name_view(const snw_camera *camera) {
	static const struct {
		double yaw, pitch;
		const char *name;
	} views[] = {{0, 0, "front"},
				 {M_PI, 0, "back"},
				 {-M_PI, 0, "back"},
				 {M_PI / 2, 0, "side"},
				 {-M_PI / 2, 0, "opposite side"},
				 {0, M_PI / 2, "top"},
				 {0, -M_PI / 2, "bottom"}};
	for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
		if (fabs(camera->yaw - views[i].yaw) < 1e-3 && fabs(camera->pitch - views[i].pitch) < 1e-3) {
			return views[i].name;
		}
	}
	return NULL;
}

/* Influence colours have no scale, only a name. */
static void draw_color_words(const snw_layout *layout, const snw_view *view) {
	const float k = layout->scale, width = snw_gui_width_of(view->heat_label);
	if (layout->view_height >= 110 * k) {
		write_on_glass(layout->view_x + layout->view_width - 20 * k - width, layout->view_y + 16 * k, (uint32_t)SNW_INK,
					   view->heat_label, k);
	}
}

static void draw_words(const snw_layout *layout, const snw_session *session, const snw_camera *camera) {
	const snw_view_state *state = &session->state;
	const snw_document *document = session->document;
	const snw_scene *scene = document->scene;
	const float k = layout->scale, x = layout->view_x + 20 * k, y = layout->view_y + 16 * k;
	const bool before = state->before && document->baseline != SNW_NONE, is_flat = snw_camera_is_flat(camera);
	char words[300], skin[100] = "";
	if (!document->path || layout->view_height < 110 * k) {
		return;
	}
	if (state->method == 0 && document->variant != SNW_NONE && snw_shown_bake_is_current(session)) {
		snw_bake_variant_name(&session->bake->baked.variants[document->variant], skin, sizeof skin);
	}
	const char *moment = session->edited_pose              ? "unsaved pose"
						 : state->clip != SNW_NONE         ? scene->clips[state->clip].name
						 : state->pose < scene->pose_count ? scene->poses[state->pose].name
														   : "rest";
	write_on_glass(x, y, (uint32_t)SNW_INK, moment, k);
	const char *side = name_view(camera);
	snprintf(words, sizeof words, "%s%s%s%s%s%s%s", !before && skin[0] ? "baked: " : "",
			 before                                   ? "Linear blend (before)"
			 : skin[0]                                ? skin
			 : state->method < document->method_count ? document->methods[state->method].name
													  : "",
			 state->sculpting ? "  ·  sculpting" : "",
			 state->sculpting && snw_sculpting_is_masked(&session->sculpting) ? ", masked" : "", side ? "  ·  " : "",
			 side ? side : "", is_flat ? "  ·  orthographic" : "");
	write_on_glass(x, y + snw_gui_line_height() + 8 * k, before ? (uint32_t)SNW_AMBER : (uint32_t)SNW_PALE, words, k);
}

/* ---- the world's axes ---------------------------------------------------------------------------------------------------- */

static const uint32_t axis_colors[] = {0xe5604fff, 0x7cc45fff, 0x5c9bf0ff, 0xb9bdc6c0};

/* In the lower left corner, the nearest axis last. */
static void draw_compass(const snw_layout *layout, const snw_camera *camera) {
	static const char *const names[] = {"x", "y", "z"};
	const float k = layout->scale, x = layout->view_x + 38 * k, y = layout->view_y + layout->view_height - 38 * k;
	double axes[3][3];
	int order[3] = {0, 1, 2};
	if (layout->view_height < 260 * k || layout->view_width < 260 * k) {
		return;
	}
	snw_camera_axes(camera, axes);
	for (int i = 0; i < 3; i++) {
		for (int j = i + 1; j < 3; j++) {
			if (axes[2][order[j]] < axes[2][order[i]]) {
				const int swapped = order[i];
				order[i] = order[j];
				order[j] = swapped;
			}
		}
	}
	for (int i = 0; i < 3; i++) {
		const int a = order[i];
		const float right = (float)axes[0][a], up = (float)axes[1][a], length = 22 * k;
		const float line[] = {x, y, x + length * right, y - length * up};
		const uint32_t color = axes[2][a] < -0.05 ? (axis_colors[a] & 0xffffff00) | 0x80 : axis_colors[a];
		snw_gui_polyline(line, 2, 2 * k, color, false);
		snw_gui_write_small(x + 29 * k * right - 3.5f * k, y - 29 * k * up - 8 * k, color, names[a]);
	}
}

/* ---- the gizmo ----------------------------------------------------------------------------------------------------------- */

/* The position of the gizmo in the window. */
static void place_ring(const snw_layout *layout, const snw_session *session, const snw_gizmo *gizmo, snw_gizmo_part part,
					   const snw_gizmo_arc *arc, float *points, bool *near_side) {
	snw_gizmo_ring(gizmo, session, part, (double)layout->view_width, (double)layout->view_height, arc, points, near_side);
	for (uint32_t i = 0; i < arc->count; i++) {
		points[2 * i] += layout->view_x;
		points[2 * i + 1] += layout->view_y;
	}
}

/* The near half of a ring is bright, the far half dim; each is one stroke. */
static void draw_ring(const snw_layout *layout, const snw_session *session, const snw_gizmo *gizmo, snw_gizmo_part part) {
	const snw_gizmo_arc arc = {0, 2 * M_PI / RING_POINTS, RING_POINTS};
	float points[2 * (2 * RING_POINTS + 1)];
	bool near_side[RING_POINTS];
	const uint32_t color = axis_colors[part - SNW_GIZMO_X];
	const bool lit = (gizmo->grabbed != SNW_GIZMO_NONE ? gizmo->grabbed : gizmo->hovered) == part;
	const uint32_t strong = lit ? 0xffe08cff : color, faint = (color & 0xffffff00) | 0x38;
	const float width = (lit ? 3.2f : 2.2f) * layout->scale;
	uint32_t begin = 0;
	place_ring(layout, session, gizmo, part, &arc, points, near_side);
	memcpy(points + 2 * RING_POINTS, points, 2 * RING_POINTS * sizeof *points);
	points[4 * RING_POINTS] = points[0];
	points[4 * RING_POINTS + 1] = points[1];
	while (begin < RING_POINTS && near_side[begin] == near_side[(begin + RING_POINTS - 1) % RING_POINTS]) {
		begin++; /* to the beginning of a half; a ring that is all near has none */
	}
	begin %= RING_POINTS;
	for (uint32_t i = begin; i < begin + RING_POINTS;) {
		uint32_t end = i;
		while (end < begin + RING_POINTS && near_side[end % RING_POINTS] == near_side[i % RING_POINTS]) {
			end++;
		}
		snw_gui_polyline(points + 2 * (size_t)i, end - i + 1, width, near_side[i % RING_POINTS] ? strong : faint, false);
		i = end;
	}
}

/* The angle of the drag: a sector, and degrees next to the mouse. */
static void draw_drag_angle(const snw_layout *layout, const snw_session *session, const snw_gizmo *gizmo,
							const snw_input *input) {
	const float k = layout->scale, x = (float)gizmo->center[0] + layout->view_x, y = (float)gizmo->center[1] + layout->view_y;
	const snw_gizmo_arc arc = {gizmo->start_angle, gizmo->dragged_angle / SECTOR_STEPS, SECTOR_STEPS + 1};
	float points[2 * (SECTOR_STEPS + 1)];
	bool near_side[SECTOR_STEPS + 1];
	char words[40];
	if (gizmo->grabbed == SNW_GIZMO_NONE || gizmo->grabbed == SNW_GIZMO_BALL) {
		return;
	}
	place_ring(layout, session, gizmo, gizmo->grabbed, &arc, points, near_side);
	for (int i = 0; i < SECTOR_STEPS; i++) {
		const float *a = points + 2 * (size_t)i, piece[] = {x, y, a[0], a[1], a[2], a[3]};
		snw_gui_polygon(piece, 3, 0xffe08c2c);
	}
	for (int i = 0; i <= SECTOR_STEPS; i += SECTOR_STEPS) {
		const float ray[] = {x, y, points[2 * (size_t)i], points[2 * (size_t)i + 1]};
		snw_gui_polyline(ray, 2, 1.4f * k, 0xffe08cb0, false);
	}
	snprintf(words, sizeof words, "%+.1f°", gizmo->dragged_angle * 180 / M_PI);
	write_on_glass((float)input->x + layout->view_x + 22 * k, (float)input->y + layout->view_y - 6 * k, (uint32_t)SNW_INK,
				   words, k);
}

static void draw_gizmo(const snw_layout *layout, const snw_session *session, const snw_input *input) {
	snw_gizmo gizmo = input->gizmo;
	snw_gizmo_place(&gizmo, session, (double)layout->view_width, (double)layout->view_height, (double)layout->scale);
	if (gizmo.radius <= 0) {
		return;
	}
	const float x = (float)gizmo.center[0] + layout->view_x, y = (float)gizmo.center[1] + layout->view_y;
	const snw_gizmo_part shown = gizmo.grabbed != SNW_GIZMO_NONE ? gizmo.grabbed : gizmo.hovered;
	snw_gui_disc(x, y, (float)gizmo.radius, shown == SNW_GIZMO_BALL ? 0xffffff16 : 0xffffff0a);
	draw_drag_angle(layout, session, &gizmo, input);
	for (snw_gizmo_part part = SNW_GIZMO_X; part <= SNW_GIZMO_VIEW; part++) {
		if (gizmo.grabbed == SNW_GIZMO_NONE || gizmo.grabbed == part || gizmo.grabbed == SNW_GIZMO_BALL) {
			draw_ring(layout, session, &gizmo, part);
		}
	}
	snw_gui_disc(x, y, 4 * layout->scale, (uint32_t)SNW_AMBER);
}

/* ---- the driver's cone --------------------------------------------------------------------------------------------------- */

/* As the mouse left it, at the pose that is shown now. */
static void draw_cone(const snw_layout *layout, snw_session *session, const snw_input *input) {
	snw_driver_cone cone = input->cone;
	const float k = layout->scale, view_x = layout->view_x, view_y = layout->view_y;
	float edge[2 * SNW_DRIVER_CONE_POINTS];
	snw_driver_cone_place(&cone, session, (double)layout->view_width, (double)layout->view_height);
	if (!cone.is_shown) {
		return;
	}
	for (int i = 0; i < SNW_DRIVER_CONE_POINTS; i++) {
		edge[2 * i] = view_x + (float)cone.edge[i][0];
		edge[2 * i + 1] = view_y + (float)cone.edge[i][1];
	}
	const float x = view_x + (float)cone.apex[0], y = view_y + (float)cone.apex[1];
	const bool lit = cone.is_hovered || cone.is_dragged;
	for (int i = 0; !cone.is_disc && i + 1 < SNW_DRIVER_CONE_POINTS; i += (SNW_DRIVER_CONE_POINTS - 1) / 8) {
		const float ray[] = {x, y, edge[2 * i], edge[2 * i + 1]};
		snw_gui_polyline(ray, 2, 1 * k, 0xeda84748, false);
	}
	const float way[] = {x, y, view_x + (float)cone.tip[0], view_y + (float)cone.tip[1]};
	snw_gui_polyline(way, 2, 1.6f * k, 0xeda847a0, false);
	snw_gui_polyline(edge, SNW_DRIVER_CONE_POINTS, (lit ? 2.4f : 1.6f) * k, lit ? 0xffe08cff : (uint32_t)SNW_AMBER, false);
	snw_gui_disc(edge[0], edge[1], (lit ? 6 : 4.5f) * k, lit ? 0xffe08cff : (uint32_t)SNW_AMBER);
	snw_gui_track_text(cone.is_disc ? "driver-disc" : "driver-cone", edge[0], edge[1], 0, 0);
	if (lit) {
		char words[40];
		snprintf(words, sizeof words, "%.0f°", cone.width * 180 / M_PI);
		write_on_glass(edge[0] + 14 * k, edge[1] - 6 * k, (uint32_t)SNW_INK, words, k);
	}
}

/* The point whose weights are listed. */
static void draw_chosen_point(const snw_layout *layout, const snw_session *session) {
	const snw_sculpting *s = &session->sculpting;
	const snw_picture_size size = {(double)layout->view_width, (double)layout->view_height};
	double x, y;
	if (!s->sculpt || !s->paints_weights || s->chosen_point == SNW_NONE) {
		return;
	}
	const double *place = snw_sculpt_get_view(s->sculpt)->points + 3 * (size_t)s->chosen_point;
	if (snw_camera_project(&session->state.camera, size, place, &x, &y)) {
		snw_gui_disc(layout->view_x + (float)x, layout->view_y + (float)y, 4 * layout->scale, (uint32_t)SNW_AMBER);
		snw_gui_track_text("chosen-point", layout->view_x + (float)x, layout->view_y + (float)y, 0, 0);
	}
}

/* The box or lasso that is being drawn. */
static void draw_outline(const snw_layout *layout, const snw_input *input) {
	float points[2 * SNW_OUTLINE_POINTS];
	if (input->drag != SNW_DRAG_OUTLINE) {
		return;
	}
	for (uint32_t i = 0; i < input->outline.count; i++) {
		points[2 * i] = layout->view_x + input->outline.points[2 * i];
		points[2 * i + 1] = layout->view_y + input->outline.points[2 * i + 1];
	}
	snw_gui_polyline(points, input->outline.count, 1.6f * layout->scale, (uint32_t)SNW_AMBER, true);
}

static void draw_joint_name(const snw_layout *layout, const snw_session *session, const snw_input *input) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	if (input->hovered_joint < skeleton->joint_count && input->inside) {
		const float k = layout->scale;
		write_on_glass((float)input->x + layout->view_x + 18 * k, (float)input->y + layout->view_y + 14 * k, (uint32_t)SNW_INK,
					   skeleton->names[input->hovered_joint], k);
	}
}

/* Projects of sessions that crashed. Each is offered until it is opened or all are dismissed. */
static void draw_crashed(snw_session *session) {
	const snw_preferences *preferences = &session->preferences;
	if (preferences->crashed_count == 0) {
		return;
	}
	snw_gui_heading("UNSAVED SESSIONS");
	snw_gui_quiet_text("Sinew ended unexpectedly. Every change is kept: open a project to continue.");
	for (uint32_t i = 0; i < preferences->crashed_count; i++) {
		const char *name = strrchr(preferences->crashed[i], '/');
		snw_gui_push(100 + (int)i);
		if (snw_gui_row(name ? name + 1 : preferences->crashed[i], NULL, false)) {
			snw_emit_text(&session->queue, SNW_DO_OPEN, preferences->crashed[i]);
		}
		snw_gui_hint(preferences->crashed[i]);
		snw_gui_pop();
	}
	if (snw_gui_button(preferences->crashed_count == 1 ? "Dismiss" : "Dismiss all", false)) {
		snw_emit(&session->queue, SNW_DO_FORGET_CRASHED);
	}
	snw_gui_hint("Stops offering these sessions. The projects do not change.");
}

/* Shown while no project is open. */
static void draw_welcome(const snw_layout *layout, snw_session *session) {
	const float k = layout->scale, width = fminf(400 * k, layout->view_width - 20);
	const uint32_t shown = session->preferences.recent_count < 6 ? session->preferences.recent_count : 6;
	const uint32_t crashed = session->preferences.crashed_count;
	const float height = (172 + (shown > 0 ? 40 + 20 * (float)shown : 0) + (crashed > 0 ? 96 + 20 * (float)crashed : 0)) * k;
	snw_gui_panel_begin("welcome", layout->view_x + (layout->view_width - width) / 2,
						layout->view_y + fmaxf((layout->view_height - height) / 2, 4), width, height, SNW_PANEL_CARD);
	snw_gui_title("Sinew");
	snw_gui_quiet_text("Pose a character, sculpt its skin there, and see the correction in every pose between.");
	snw_gui_spacing();
	if (snw_gui_button("Open character…", true)) {
		snw_emit(&session->queue, SNW_DO_OPEN);
	}
	snw_gui_hint(snw_command_help(SNW_DO_OPEN));
	snw_gui_same_line(0);
	if (snw_gui_button("New sample arm", false)) {
		snw_emit(&session->queue, SNW_DO_SAMPLE);
	}
	snw_gui_hint(snw_command_help(SNW_DO_SAMPLE));
	snw_gui_quiet_text("Or drop a project, glTF, FBX, Collada, OBJ or sequence here.");
	draw_crashed(session);
	const snw_preferences *preferences = &session->preferences;
	if (shown > 0) {
		snw_gui_heading("RECENT");
	}
	for (uint32_t i = 0; i < shown; i++) {
		const char *name = strrchr(preferences->recent[i], '/');
		snw_gui_push((int)i);
		if (snw_gui_row(name ? name + 1 : preferences->recent[i], NULL, false)) {
			snw_emit_text(&session->queue, SNW_DO_OPEN, preferences->recent[i]);
		}
		snw_gui_hint(preferences->recent[i]);
		snw_gui_pop();
	}
	snw_gui_panel_end();
}

/* What the right one of two views shows otherwise than the left one. */
static void draw_side_words(const snw_layout *layout, const snw_camera *camera) {
	const char *side = name_view(camera);
	const bool is_flat = snw_camera_is_flat(camera);
	char words[80];
	if ((side || is_flat) && layout->view_height >= 110 * layout->scale) {
		snprintf(words, sizeof words, "%s%s%s", side ? side : "", side && is_flat ? "  ·  " : "",
				 is_flat ? "orthographic" : "");
		write_on_glass(layout->view_x + 20 * layout->scale, layout->view_y + 16 * layout->scale, (uint32_t)SNW_PALE, words,
					   layout->scale);
	}
}

/* Around the view in use. */
static void draw_frame(const snw_layout *layout) {
	const float x = layout->view_x + 0.5f, y = layout->view_y + 0.5f, right = x + layout->view_width - 1;
	const float points[] = {x, y, right, y, right, y + layout->view_height - 1, x, y + layout->view_height - 1};
	snw_gui_polyline(points, 4, 1, 0xeda84780, true);
}

/* The words of the left view, and those of the right one; the scale stands at the right. */
static void draw_sides(const snw_layout *layout, const snw_session *session) {
	const snw_view *view = &session->display.view;
	const uint32_t sides = layout->is_split ? 2 : 1;
	snw_layout shown = *layout;
	for (uint32_t side = 0; side < sides; side++) {
		const snw_camera camera = snw_view_state_side(&session->state, layout->is_split ? side : layout->side).camera;
		shown = layout->is_split ? snw_layout_split(layout, side) : *layout;
		draw_compass(&shown, &camera);
		if (side == 0) {
			draw_words(&shown, session, &camera);
		} else {
			draw_side_words(&shown, &camera);
		}
	}
	if (view->heat && view->heat_is_color) {
		draw_color_words(&shown, view);
	} else if (view->heat && !view->heat_is_shade) {
		draw_scale_bar(&shown, session);
	}
	if (layout->is_split) {
		draw_frame(layout);
	}
}

void snw_panel_viewport(const snw_layout *layout, snw_session *session, const snw_input *input) {
	snw_gui_panel_begin("over", layout->room_x, layout->view_y, layout->room_width, layout->view_height, SNW_PANEL_GLASS);
	draw_sides(layout, session);
	draw_cone(layout, session, input);
	draw_gizmo(layout, session, input);
	draw_chosen_point(layout, session);
	draw_outline(layout, input);
	draw_joint_name(layout, session, input);
	snw_panel_viewport_menu(session);
	snw_gui_panel_end();
	if (!session->document->path && session->state.dialog == SNW_DIALOG_NONE) {
		draw_welcome(layout, session);
	}
}
