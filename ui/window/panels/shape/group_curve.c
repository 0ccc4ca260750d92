/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much the group's example acts: on the way from rest to its pose and beyond, and to the sides, where a handle sets the
 * width.
 */
#include <math.h>
#include <stdio.h>

#include "sinew/algebra.h"
#include "window/panels/panels.h"
#include "window/session/group_curve.h"

#define DEGREES (180 / M_PI)

/* A box of the panel with room for a curve: weights up to `top` above its floor. */
typedef struct plot {
	float x, y, width, height;
	double top;
} plot;

static void draw_curve(const plot *box, const double *weights) {
	float points[2 * SNW_GROUP_CURVE_POINTS];
	for (int i = 0; i < SNW_GROUP_CURVE_POINTS; i++) {
		const double height = fmin(fmax(weights[i] / box->top, 0), 1);
		points[2 * i] = box->x + box->width * (float)i / (SNW_GROUP_CURVE_POINTS - 1);
		points[2 * i + 1] = box->y + box->height * (float)(1 - height);
	}
	snw_gui_fill(box->x, box->y, box->width, box->height, 3, SNW_GROOVE);
	snw_gui_polyline(points, SNW_GROUP_CURVE_POINTS, 1.6f, (uint32_t)SNW_AMBER, false);
}

static void write_below(const plot *box, double part, const char *text) {
	const float width = snw_gui_small_width_of(text), x = box->x + (float)part * box->width - (float)part * width;
	snw_gui_write_small(x, box->y + box->height + 2, (uint32_t)SNW_QUIET, text);
}

/* Drags the width of the group's kernel; the fit follows when it is released, as one step of the history. */
static void drag_width(snw_session *session, const snw_group_curve *curve, const plot *box) {
	static double dragged; /* the edge, radians; 0: not dragged */
	const double shown = dragged > 0 ? dragged : curve->edge;
	const float x = box->x + box->width * (float)fmin(shown / M_PI, 1);
	char words[300];
	float at;
	snw_gui_fill(x - 1, box->y, 2, box->height, 0, (uint32_t)SNW_PALE);
	snw_gui_disc(x, box->y + box->height / 2, 4 * snw_gui_line_height() / 15, (uint32_t)SNW_AMBER);
	const snw_edit_state change = snw_gui_edge("group-width", x, box->y, box->height, &at);
	snprintf(words, sizeof words, "%.0f°: how far to the sides the examples of the group act. Drag to change it.",
			 shown * DEGREES);
	snw_gui_hint(words);
	const double edge = fmin(fmax((double)((at - box->x) / box->width), 0.02), 1) * M_PI;
	if (change == SNW_EDIT_DONE || change == SNW_EDIT_CANCELLED) {
		dragged = 0;
	}
	if (change == SNW_EDIT_DONE) {
		snw_emit_number(&session->queue, SNW_DO_LAYER, curve->layer);
		snprintf(words, sizeof words, "%s@%.200s=%.4g", curve->width_key, session->document->scene->groups[curve->group].name,
				 snw_group_curve_width(curve, edge));
		snw_emit_text(&session->queue, SNW_DO_SET, words);
	} else if (change == SNW_EDIT_LIVE) {
		dragged = edge;
	}
}

void snw_panel_group_curve(snw_session *session) {
	const snw_group_curve *curve = snw_group_curve_read(session);
	if (!curve) {
		return;
	}
	const float line = snw_gui_line_height(), gap = line * 0.6f, room = snw_gui_available_width();
	float x, y;
	char words[300];
	snprintf(words, sizeof words, "Weight of %.150s", session->document->scene->examples[curve->example].name);
	snw_gui_quiet_text(words);
	snw_gui_cursor(&x, &y);
	double top = 1;
	for (int i = 0; i < SNW_GROUP_CURVE_POINTS; i++) {
		top = fmax(top, fmax(curve->along[i], curve->around[i]));
	}
	const plot along = {x, y, (room - gap) / 2, 3.2f * line, 1.05 * top};
	const plot around = {x + along.width + gap, y, along.width, along.height, along.top};
	draw_curve(&along, curve->along);
	draw_curve(&around, curve->around);
	write_below(&along, 0, "rest");
	write_below(&along, 1 / curve->end, "pose");
	write_below(&around, 0, "0°");
	write_below(&around, 0.5, "to the side");
	write_below(&around, 1, "180°");
	if (curve->layer != SNW_NONE && curve->edge > 0) {
		drag_width(session, curve, &around);
	}
	snw_gui_move_to(x, y);
	snw_gui_reserve(room, along.height + 1.2f * line);
}
