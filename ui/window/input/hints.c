/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hints for every tool and state. Keys are those of the keymap, which can be changed.
 */
#include <SDL.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "window/document/document.h"
#include "window/input/input.h"

/* ---- hints --------------------------------------------------------------------------------------------------------------- */

typedef struct hint_words {
	char *text;
	size_t size, used;
	const snw_session *session;
} hint_words;

/* Adds a part. */
static void add(hint_words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(hint_words *w, const char *format, ...) {
	va_list values;
	va_start(values, format);
	if (w->used > 0 && w->used < w->size) {
		w->used += (size_t)snprintf(w->text + w->used, w->size - w->used, SNW_HINT_BETWEEN);
	}
	if (w->used < w->size) {
		w->used += (size_t)vsnprintf(w->text + w->used, w->size - w->used, format, values);
	}
	va_end(values);
}

static bool is_first(const char *keys, const char *key) {
	const size_t length = strcspn(keys, " ");
	return length == strlen(key) && strncmp(keys, key, length) == 0;
}

/* A command's first key. "Left" and "right" mean the mouse's buttons here, so the arrow keys are shown as arrows. */
static void add_key(hint_words *w, snw_command_id id, const char *action) {
	const char *keys = w->session->preferences.keys[id];
	const int length = (int)strcspn(keys, " ");
	if (length > 0 && is_first(keys, "Left")) {
		add(w, "←: %s", action);
	} else if (length > 0 && is_first(keys, "Right")) {
		add(w, "→: %s", action);
	} else if (length > 0) {
		add(w, "%.*s: %s", length, keys, action);
	}
}

/* ---- during a drag or a dialog ------------------------------------------------------------------------------------------- */

static void hint_drag(hint_words *w, snw_drag drag) {
	switch (drag) {
	case SNW_DRAG_ORBIT:
		add(w, "Left/right: orbit");
		add(w, "up/down: tilt");
		break;
	case SNW_DRAG_PAN:
		add(w, "Drag: pan");
		break;
	case SNW_DRAG_ZOOM:
		add(w, "Right/up: zoom in");
		add(w, "left/down: zoom out");
		break;
	case SNW_DRAG_GIZMO:
		add(w, "Release: apply");
		add(w, "Ctrl: snap to 5°");
		add_key(w, SNW_DO_ESCAPE, "cancel");
		break;
	case SNW_DRAG_JOINT:
	case SNW_DRAG_REACH:
	case SNW_DRAG_STROKE:
		add(w, "Release: apply");
		add_key(w, SNW_DO_ESCAPE, "cancel");
		break;
	case SNW_DRAG_RADIUS:
		add(w, "Right: larger");
		add(w, "left: smaller");
		break;
	case SNW_DRAG_OUTLINE:
		add(w, "Release: mask what is inside");
		add(w, "with Ctrl: unmask it");
		add_key(w, SNW_DO_ESCAPE, "cancel");
		break;
	case SNW_DRAG_CONE:
		add(w, "Release: set the width");
		add_key(w, SNW_DO_ESCAPE, "cancel");
		break;
	case SNW_DRAG_MENU:
	case SNW_DRAG_NONE:
		break;
	}
}

static void hint_dialog(hint_words *w, snw_dialog dialog) {
	if (dialog == SNW_DIALOG_PALETTE) {
		add(w, "Type a few letters");
		add(w, "Return: run the first");
		add(w, "Click: run");
	} else if (dialog == SNW_DIALOG_KEYS) {
		add(w, w->session->key_capture.is_on ? "Press the new key" : "Click: change");
		add(w, "Backspace: no key");
	} else if (dialog >= SNW_DIALOG_OPEN && dialog <= SNW_DIALOG_FOLDER) {
		add(w, "Click: select");
		add(w, "Double-click: open");
	} else {
		add(w, "Return: the highlighted button");
	}
	add_key(w, SNW_DO_ESCAPE, "close");
}

/* A command waits for a change, and will then ask for a text. */
static void hint_waiting(hint_words *w, snw_command_id id) {
	const snw_session *session = w->session;
	const char *title = snw_command_title(id), *label = session->progress.label;
	char words[160];
	add(w, "%.*s opens after %s; what you type goes into it", (int)strcspn(title, "\xe2"), title,
		label ? snw_words_with_titles(session->registry, label, words, sizeof words) : "this change");
}

/* ---- over panels --------------------------------------------------------------------------------------------------------- */

static void hint_panel(hint_words *w, const snw_layout *layout, double x, double y) {
	const double from_room = x + (double)(layout->view_x - layout->room_x);
	const bool is_before = from_room < 0, is_below = y >= (double)layout->view_height;
	const bool is_after = from_room >= (double)layout->room_width;
	if (is_below && !is_after) {
		add(w, "Click: go to time");
		add_key(w, SNW_DO_STEP_BACK, "previous frame");
		add_key(w, SNW_DO_STEP_ON, "next frame");
		add_key(w, SNW_DO_PLAY, "play or pause");
	} else if (is_before) {
		add(w, "Click: select");
		add(w, "Double-click a joint: frame it");
		add(w, "Wheel: scroll");
	} else {
		add(w, "Hover: help");
		add(w, "Drag a number: change");
		add(w, "Ctrl+click: type");
	}
	add_key(w, SNW_DO_PALETTE, "find a command");
}

/* ---- over the viewport --------------------------------------------------------------------------------------------------- */

static void hint_navigation(hint_words *w) {
	const snw_preferences *preferences = &w->session->preferences;
	const char *first_button = preferences->drag_orbits ? "Left, " : "";
	if (preferences->navigation == SNW_NAVIGATION_MAYA) {
		add(w, "%sAlt+Left: orbit", first_button);
		add(w, "Alt+Middle: pan");
		add(w, "Alt+Right, wheel: zoom");
	} else {
		add(w, "%sMiddle: orbit", first_button);
		add(w, "Shift+Middle: pan");
		add(w, "Ctrl+Middle, wheel: zoom");
	}
}

static void hint_sculpting(hint_words *w, uint32_t modifiers) {
	const snw_sculpting *s = &w->session->sculpting;
	const snw_brush brush = snw_brush_with_keys(&s->brush, modifiers & KMOD_SHIFT, modifiers & KMOD_CTRL);
	const bool inverted = modifiers & KMOD_CTRL && brush.kind == s->brush.kind;
	if (s->reaches_none) {
		add(w, "The brush reaches no point here");
		add_key(w, SNW_DO_LARGER, "larger");
		add(w, "Right: radius");
		return;
	}
	const char *twice = s->brush.symmetric && s->partners ? ", both sides" : "";
	add(w, "Left: %s%s%s", snw_brush_infos[brush.kind].name, inverted ? ", inverted" : "", twice);
	if (!(modifiers & (KMOD_SHIFT | KMOD_CTRL))) {
		const snw_brush smoothing = snw_brush_with_keys(&s->brush, true, false);
		add(w, "Shift: %s", snw_brush_infos[smoothing.kind].name);
		add(w, "Ctrl: %s", brush.kind == SNW_BRUSH_MASK ? "unmask" : "invert");
	}
	add(w, "Right: radius, click: menu");
	add(w, w->session->preferences.navigation == SNW_NAVIGATION_MAYA ? "Alt+Left: orbit" : "Middle: orbit");
	add_key(w, SNW_DO_POSING, "pose");
}

static void hint_gizmo(hint_words *w, snw_gizmo_part part) {
	static const char *const parts[] = {"", "about x", "about y", "about z", "about the view axis", "freely"};
	add(w, "Left: rotate %s", parts[part]);
	add(w, "Ctrl: snap to 5°");
	add_key(w, SNW_DO_SPACE, "change axes");
	add_key(w, SNW_DO_JOINT_RESET, "reset");
}

static void hint_drawing(hint_words *w, const snw_input *input) {
	const snw_session *session = w->session;
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	if (input->hovered_joint < skeleton->joint_count) {
		add(w, "Left: select %.60s, drag: move it", skeleton->names[input->hovered_joint]);
	} else if (session->state.joint < skeleton->joint_count) {
		add(w, "Left on the skin: a joint below %.60s", skeleton->names[session->state.joint]);
		add_key(w, SNW_DO_ESCAPE, "select none");
	} else {
		add(w, "Left on the skin: draw a root");
	}
	add_key(w, SNW_DO_DRAW_JOINTS, "done");
	hint_navigation(w);
}

static void hint_viewport(hint_words *w, const snw_input *input) {
	const snw_session *session = w->session;
	const snw_view_state *state = &session->state;
	const snw_scene *scene = session->document->scene;
	if (state->before) {
		add(w, "Linear blend");
		add(w, "Release the key: the method");
	} else if (state->sculpting && session->sculpting.outline != SNW_OUTLINE_NONE) {
		add(w, session->sculpting.outline == SNW_OUTLINE_BOX ? "Left: drag a box around what to mask"
															 : "Left: draw a lasso around what to mask");
		add(w, "Ctrl: unmask");
		add_key(w, SNW_DO_ESCAPE, "cancel");
	} else if (state->sculpting && session->sculpting.is_over) {
		hint_sculpting(w, input->modifiers);
	} else if (state->drawing_joints) {
		hint_drawing(w, input);
	} else if (input->cone.is_hovered) {
		add(w, "Left: drag the width");
	} else if (input->gizmo.hovered != SNW_GIZMO_NONE) {
		hint_gizmo(w, input->gizmo.hovered);
	} else if (input->hovered_joint < scene->skeleton.joint_count) {
		add(w, "Left: select %.120s", scene->skeleton.names[input->hovered_joint]);
		add(w, "Shift+Left: drag it");
		add(w, "Right: menu");
		hint_navigation(w);
	} else {
		hint_navigation(w);
		add(w, "Right: menu");
		add_key(w, SNW_DO_FRAME_CHOSEN, "frame");
		if (state->playing) {
			add_key(w, SNW_DO_PLAY, "pause");
		} else if (session->document->path) {
			add_key(w, SNW_DO_POSING, state->sculpting ? "pose" : "sculpt");
		}
		add_key(w, SNW_DO_PALETTE, "find a command");
	}
}

void snw_hint_write(const snw_input *input, const snw_layout *layout, const snw_session *session, char *hint, size_t size) {
	hint_words w = {.text = hint, .size = size, .session = session};
	hint[0] = '\0';
	const uint32_t asking = snw_queue_asking(&session->queue);
	if (asking < session->queue.count) {
		hint_waiting(&w, session->queue.commands[asking].id);
	} else if (session->state.dialog != SNW_DIALOG_NONE) {
		hint_dialog(&w, session->state.dialog);
	} else if (input->drag != SNW_DRAG_NONE) {
		hint_drag(&w, input->drag);
	} else if (!session->document->path) {
		add(&w, "Drop a character or a project here");
		add_key(&w, SNW_DO_OPEN, "open one");
		add_key(&w, SNW_DO_PALETTE, "find a command");
	} else if (input->inside) {
		hint_viewport(&w, input);
	} else {
		hint_panel(&w, layout, input->x, input->y);
	}
}

/* ---- layout -------------------------------------------------------------------------------------------------------------- */

/* The layout of the window. */

enum { LEAST_PANEL_WIDTH = 140, LEAST_VIEW_WIDTH = 100 };

/* As set, but so that the viewport keeps more than a third of the window. */
static float width_of(float set, float usual, float whole, float scale) {
	const float most = fmaxf(whole * 0.32f, usual);
	return set > 0 ? fminf(fmaxf(set, LEAST_PANEL_WIDTH) * scale, most) : usual;
}

/* The height of the timeline: its controls and the strip, and a plot; a low window has only the strip. */
static float timeline_height(float height, float scale, snw_timeline_kind kind) {
	const bool plots = kind == SNW_TIMELINE_PLOT && height >= 600 * scale;
	return (kind == SNW_TIMELINE_NONE || height < 220 * scale ? 0 : height < 480 * scale ? 40 : plots ? 148 : 84) * scale;
}

snw_layout snw_layout_make(int width, int height, float scale, float menu_height, bool bare, snw_timeline_kind timeline,
						   const snw_panel_widths *widths) {
	snw_layout layout = {.scale = scale, .width = (float)width, .height = (float)height};
	const bool tall = layout.height >= 300 * scale;
	layout.menu_height = bare || layout.height < 200 * scale ? 0 : menu_height;
	layout.side_width =
		!bare && tall && layout.width >= 560 * scale ? width_of(widths->side, 300 * scale, layout.width, scale) : 0;
	const float usual = (layout.width < 1200 * scale ? 208 : 240) * scale;
	layout.outliner_width =
		!bare && tall && layout.width >= 900 * scale ? width_of(widths->outliner, usual, layout.width, scale) : 0;
	layout.timeline_height = bare ? 0 : timeline_height(layout.height, scale, timeline);
	layout.status_height = bare || layout.height < 120 * scale ? 0 : 27 * scale;
	layout.view_x = layout.outliner_width;
	layout.view_y = layout.menu_height;
	layout.view_width = layout.width - layout.side_width - layout.outliner_width;
	layout.view_height = layout.height - layout.menu_height - layout.timeline_height - layout.status_height;
	layout.room_x = layout.view_x;
	layout.room_width = layout.view_width;
	return layout;
}

snw_layout snw_layout_split(const snw_layout *layout, uint32_t side) {
	const float gap = 2 * layout->scale, width = floorf((layout->room_width - gap) / 2);
	snw_layout split = *layout;
	if (width >= LEAST_VIEW_WIDTH * layout->scale) {
		split.is_split = true;
		split.side = side;
		split.view_x = side == 0 ? layout->room_x : layout->room_x + layout->room_width - width;
		split.view_width = width;
	}
	return split;
}

uint32_t snw_layout_side_at(const snw_layout *layout, float x, float y) {
	const bool is_in = x >= layout->room_x && x < layout->room_x + layout->room_width && y >= layout->view_y &&
					   y < layout->view_y + layout->view_height;
	return layout->is_split && is_in ? x >= layout->room_x + layout->room_width / 2 : layout->side;
}
