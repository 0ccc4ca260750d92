/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns what devices send into commands.
 */
#include <SDL.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "import/import.h"
#include "render/view/view.h"
#include "sinew/algebra.h"
#include "window/imgui/shim.h"
#include "window/input/input.h"
#include "window/preferences/preferences.h"

/* ---- devices ------------------------------------------------------------------------------------------------------------- */

/* What devices send: clicks, keys that are captured, pens, files that are dropped. */

/* ---- clicks -------------------------------------------------------------------------------------------------------------- */

enum { LONGEST = 500, FARTHEST = 6, COUNT_MOST = 200 }; /* milliseconds; pixels, as Dear ImGui has it */

uint8_t snw_clicks_take(snw_clicks *clicks, uint32_t milliseconds, int button, int x, int y) {
	const bool continues = clicks->count > 0 && clicks->button == button && milliseconds - clicks->milliseconds <= LONGEST &&
						   abs(x - clicks->x) < FARTHEST && abs(y - clicks->y) < FARTHEST;
	const uint32_t count = continues && clicks->count < COUNT_MOST ? clicks->count + 1 : 1;
	*clicks = (snw_clicks){.milliseconds = milliseconds, .count = count, .button = button, .x = x, .y = y};
	return (uint8_t)count;
}

/* ---- key capture --------------------------------------------------------------------------------------------------------- */

/* Turns the pressed key into a command that binds it. */

void snw_key_capture_begin(snw_session *session, snw_command_id id, bool adds) {
	session->key_capture = (snw_key_capture){.is_on = true, .adds = adds, .id = id};
}

static bool is_modifier(SDL_Keycode key) {
	return (key >= SDLK_LCTRL && key <= SDLK_RGUI) || key == SDLK_MODE || key == SDLK_CAPSLOCK || key == SDLK_NUMLOCKCLEAR;
}

static void bind(snw_session *session, const char *pressed) {
	const snw_key_capture *capture = &session->key_capture;
	const snw_command_info *info = &snw_command_infos[capture->id];
	const bool is_held = strncmp(info->keys, "hold:", 5) == 0 && *pressed;
	char words[SNW_COMMAND_WORDS];
	snprintf(words, sizeof words, "%s %s%s%s%s", info->name, capture->adds ? session->preferences.keys[capture->id] : "",
			 capture->adds ? " " : "", is_held ? "hold:" : "", pressed);
	snw_emit_text(&session->queue, SNW_DO_BIND, words);
}

bool snw_key_capture_take(snw_session *session, const union SDL_Event *event) {
	snw_key_capture *capture = &session->key_capture;
	capture->is_on =
		capture->is_on && session->state.dialog == SNW_DIALOG_KEYS && event->type != SDL_MOUSEBUTTONDOWN; /* a click ends it */
	if (!capture->is_on || event->type != SDL_KEYDOWN || is_modifier(event->key.keysym.sym)) {
		return false;
	}
	char pressed[SNW_KEY_SIZE];
	snw_key_name(&event->key, pressed);
	const bool removes = strcmp(pressed, "Backspace") == 0;
	if (strcmp(pressed, "Escape") != 0) {
		bind(session, removes ? "" : pressed);
	}
	capture->is_on = false;
	return true;
}

/* ---- pen ----------------------------------------------------------------------------------------------------------------- */

#define SAME_PLACE 2.0  /* units between a pen's sample and the mouse that it moves */
#define LEAST_SIZE 0.05 /* of the radius, at the slightest pressure */

void snw_pen_take(snw_pen_input *pen, const snw_pen_sample *sample) {
	pen->last = *sample;
	pen->motions = 0;
	pen->has_sample = true;
}

void snw_pen_follow_mouse(snw_pen_input *pen) {
	pen->motions++;
}

void snw_pen_begin(snw_pen_input *pen, double x, double y, double view_x, double view_y) {
	const double away = hypot(x - (double)pen->last.x, y - (double)pen->last.y);
	pen->strokes = pen->has_sample && pen->motions <= 1 && away <= SAME_PLACE;
	pen->brush_x = view_x;
	pen->brush_y = view_y;
}

bool snw_pen_pull(snw_pen_input *pen, double view_x, double view_y, double length) {
	const double dx = view_x - pen->brush_x, dy = view_y - pen->brush_y, away = hypot(dx, dy);
	if (away <= length) {
		return length <= 0;
	}
	pen->brush_x = length > 0 ? pen->brush_x + dx * (1 - length / away) : view_x;
	pen->brush_y = length > 0 ? pen->brush_y + dy * (1 - length / away) : view_y;
	return true;
}

void snw_pen_effect(const snw_pen_input *pen, const snw_preferences *preferences, double *pressure, double *size) {
	const double pressed = pen->strokes ? (double)pen->last.pressure : 1;
	const double tilt = pen->strokes && preferences->pen_tilt ? (double)pen->last.tilt : 0;
	*pressure = preferences->pen_strength ? pressed : 1;
	*size = (preferences->pen_radius ? fmax(pressed, LEAST_SIZE) : 1) * (1 + tilt);
}

/* ---- dropped files ------------------------------------------------------------------------------------------------------- */

/* The common start and end of the names, without digits of the number between. */

static bool is_digit(char letter) {
	return letter >= '0' && letter <= '9';
}

/* Whether files of this kind may be numbered frames. */
static bool may_be_frame(const char *path) {
	const snw_file_format *format;
	for (uint32_t i = 0; (format = snw_import_formats(i)); i++) {
		if (format->is_numbered && snw_path_has_extension(path, format->extensions)) {
			return true;
		}
	}
	return false;
}

/* The length of the common start of two paths, up to a star or a number. */
static size_t same_start(const char *one, const char *other) {
	size_t count = 0;
	while (one[count] && one[count] == other[count] && one[count] != '*') {
		count++;
	}
	while (count > 0 && is_digit(other[count - 1])) {
		count--;
	}
	return count;
}

static size_t same_end(const char *one, const char *other, size_t start) {
	const size_t length = strlen(one), other_length = strlen(other);
	size_t count = 0;
	while (count < length - start && count < other_length - start &&
		   one[length - 1 - count] == other[other_length - 1 - count] && one[length - 1 - count] != '*') {
		count++;
	}
	while (count > 0 && is_digit(other[other_length - count])) {
		count--;
	}
	return count;
}

static bool is_number(const char *text, size_t length) {
	for (size_t i = 0; i < length; i++) {
		if (!is_digit(text[i])) {
			return false;
		}
	}
	return length > 0;
}

bool snw_dropped_files_add(snw_dropped_files *dropped, const char *path) {
	const size_t length = strlen(path);
	if (length >= sizeof dropped->path) {
		return false;
	}
	if (dropped->count == 0) {
		memcpy(dropped->path, path, length + 1);
		dropped->count = 1;
		return true;
	}
	const size_t start = same_start(dropped->path, path), end = same_end(dropped->path, path, start);
	if (!may_be_frame(path) || !may_be_frame(dropped->path) || start < (size_t)(snw_path_name(path) - path) ||
		!is_number(path + start, length - start - end)) {
		return false;
	}
	char pattern[sizeof dropped->path];
	snprintf(pattern, sizeof pattern, "%.*s*%s", (int)start, path, path + length - end);
	memcpy(dropped->path, pattern, sizeof pattern);
	dropped->count++;
	return true;
}

/* ---- commands ------------------------------------------------------------------------------------------------------------ */

/* Turns events into commands. */

#define RADIANS_PER_VIEW 3.5 /* for a drag across the viewport's height */
#define WHEEL_ZOOM 0.88
#define JOINT_REACH 11
#define CLICK_MOST 3                                   /* the desktop's units: the mouse moves no farther in a click */
#define COMMANDS_WAITING_MOST (3 * SNW_QUEUE_MOST / 4) /* commands that wait: the window takes no events if the queue is full */
#define RADIUS_GROWTH 0.008                            /* of its logarithm, for a pixel */

/* ---- the view ------------------------------------------------------------------------------------------------------------ */

static snw_drag navigation_of(const snw_preferences *preferences, uint32_t button, uint32_t keys) {
	if (keys & KMOD_ALT) {
		return button == SDL_BUTTON_LEFT ? SNW_DRAG_ORBIT : button == SDL_BUTTON_MIDDLE ? SNW_DRAG_PAN : SNW_DRAG_ZOOM;
	}
	if (button == SDL_BUTTON_MIDDLE && preferences->navigation == SNW_NAVIGATION_BLENDER) {
		return keys & KMOD_SHIFT ? SNW_DRAG_PAN : keys & KMOD_CTRL ? SNW_DRAG_ZOOM : SNW_DRAG_ORBIT;
	}
	return SNW_DRAG_NONE;
}

static void navigate(const snw_input *input, int dx, int dy, const snw_layout *layout, snw_command_queue *queue) {
	const double side = fmax((double)layout->view_height, 1), right = dx / side, down = dy / side;
	if (input->drag == SNW_DRAG_ORBIT) {
		snw_emit_numbers(queue, SNW_DO_ORBIT, -RADIANS_PER_VIEW * right, RADIANS_PER_VIEW * down);
	} else if (input->drag == SNW_DRAG_PAN) {
		snw_emit_numbers(queue, SNW_DO_PAN, right, -down);
	} else {
		snw_emit_number(queue, SNW_DO_ZOOM, exp(2 * (down - right)));
	}
}

/* Towards what is under the mouse. */
static void place_mouse(snw_input *input, int x, int y, const snw_layout *layout) {
	input->window_x = (float)x;
	input->window_y = (float)y;
	input->x = x - (double)layout->view_x;
	input->y = y - (double)layout->view_y;
}

/* Without a drag the mouse uses the view that it is in. At once: what is pressed next is taken there. */
static void follow_side(const snw_input *input, const snw_layout *layout, snw_session *session) {
	const uint32_t side = snw_layout_side_at(layout, input->window_x, input->window_y);
	if (side != layout->side && input->drag == SNW_DRAG_NONE && !snw_gui_is_dragging() &&
		session->state.dialog == SNW_DIALOG_NONE) {
		snw_emit_number(&session->queue, SNW_DO_VIEW_SIDE, side);
	}
}

static void handle_wheel(const snw_input *input, int clicks, const snw_layout *layout, snw_command_queue *queue) {
	const double x = input->x / fmax((double)layout->view_width, 1), y = input->y / fmax((double)layout->view_height, 1);
	const double numbers[3] = {pow(WHEEL_ZOOM, clicks), 2 * x - 1, 1 - 2 * y};
	snw_emit_with(queue, SNW_DO_ZOOM, numbers, 3, NULL);
}

/* ---- what is under the mouse --------------------------------------------------------------------------------------------- */

static uint32_t joint_under(const snw_input *input, const snw_layout *layout, const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const snw_picture_size size = {(double)layout->view_width, (double)layout->view_height};
	if (!(session->state.flags & SNW_VIEW_SKELETON) || !session->display.posed || scene->skeleton.joint_count == 0) {
		return SNW_NONE;
	}
	/* A joint's position has priority over the bones that end there. */
	uint32_t nearest = SNW_NONE;
	double best = JOINT_REACH * (double)layout->scale;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		double place[3], x, y;
		for (size_t c = 0; c < 3; c++) {
			place[c] = session->display.global[12 * (size_t)j + 4 * c + 3];
		}
		if (snw_camera_project(&session->state.camera, size, place, &x, &y) && hypot(x - input->x, y - input->y) < best) {
			best = hypot(x - input->x, y - input->y);
			nearest = j;
		}
	}
	if (nearest != SNW_NONE || session->state.drawing_joints) { /* a joint may be drawn on a bone */
		return nearest;
	}
	return snw_pick_joint(&scene->skeleton, session->display.global, &session->state.camera, size, input->x, input->y,
						  JOINT_REACH * (double)layout->scale);
}

static void hover(snw_input *input, bool inside, const snw_layout *layout, snw_session *session) {
	const double width = (double)layout->view_width, height = (double)layout->view_height;
	input->inside = inside;
	input->hovered_joint = SNW_NONE;
	input->gizmo.hovered = SNW_GIZMO_NONE;
	if (session->state.sculpting) {
		snw_sculpting_hover(session, input->x / fmax(width, 1), input->y / fmax(height, 1), inside);
		input->cone.is_shown = false;
	} else if (inside && !session->state.playing) {
		snw_driver_cone_place(&input->cone, session, width, height);
		input->cone.is_hovered = snw_driver_cone_at(&input->cone, input->x, input->y, (double)layout->scale);
		snw_gizmo_place(&input->gizmo, session, width, height, (double)layout->scale);
		input->gizmo.hovered = snw_gizmo_at(&input->gizmo, session, width, height, input->x, input->y, (double)layout->scale);
		const bool taken =
			input->cone.is_hovered || (input->gizmo.hovered != SNW_GIZMO_NONE && input->gizmo.hovered != SNW_GIZMO_BALL);
		input->hovered_joint = taken ? SNW_NONE : joint_under(input, layout, session);
	}
}

/* ---- buttons ------------------------------------------------------------------------------------------------------------- */

/* The stroke begins or goes on where the brush is. */
static void emit_stroke(const snw_input *input, const snw_layout *layout, snw_session *session, snw_command_id id, int keys) {
	double pressure, size;
	snw_pen_effect(&input->pen, &session->preferences, &pressure, &size);
	const double x = input->pen.brush_x / fmax((double)layout->view_width, 1);
	const double y = input->pen.brush_y / fmax((double)layout->view_height, 1);
	const double begin[5] = {x, y, pressure, keys, size}, dab[4] = {x, y, pressure, size};
	snw_emit_with(&session->queue, id, id == SNW_DO_STROKE ? begin : dab, id == SNW_DO_STROKE ? 5 : 4, NULL);
}

/* By the mouse or by a sample of the pen, in the viewport. A grab is not held back: it has no path. */
static void continue_stroke(snw_input *input, double x, double y, const snw_layout *layout, snw_session *session) {
	const snw_brush_kind kind = session->sculpting.brush.kind;
	const bool drags = snw_brush_drags(kind) || kind == SNW_BRUSH_SLIDE;
	const double length = drags ? 0 : session->preferences.stabiliser * (double)layout->scale;
	if (snw_pen_pull(&input->pen, x, y, length)) {
		emit_stroke(input, layout, session, SNW_DO_DAB, 0);
	}
}

static void emit_at(const snw_input *input, const snw_layout *layout, snw_command_queue *queue, snw_command_id id) {
	snw_emit_numbers(queue, id, input->x / fmax((double)layout->view_width, 1),
					 input->y / fmax((double)layout->view_height, 1));
}

static void begin_joint_drag(snw_input *input, snw_drag drag, const double *global) {
	input->drag = drag;
	input->dragged_joint = input->hovered_joint;
	input->first_x = input->x;
	input->first_y = input->y;
	for (size_t c = 0; c < 3; c++) {
		input->dragged_from[c] = global[12 * (size_t)input->dragged_joint + 4 * c + 3];
	}
}

/* Takes the joint under the mouse, or draws one on the skin. False if there is neither. */
static bool press_to_draw(snw_input *input, const snw_layout *layout, snw_session *session) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	double place[3];
	if (input->hovered_joint < skeleton->joint_count) {
		snw_emit_text(&session->queue, SNW_DO_JOINT, skeleton->names[input->hovered_joint]);
		begin_joint_drag(input, SNW_DRAG_JOINT, skeleton->rest_global);
		return true;
	}
	if (snw_session_limb_middle(session, input->x / fmax((double)layout->view_width, 1),
								input->y / fmax((double)layout->view_height, 1), place)) {
		emit_at(input, layout, &session->queue, SNW_DO_JOINT_DRAW);
		return true;
	}
	return false;
}

/* In the plane through the joint's first place that faces the eye. */
static void drag_joint(const snw_input *input, const snw_layout *layout, snw_session *session, snw_command_id id) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	if (input->dragged_joint >= skeleton->joint_count) { /* the character may have been replaced during the drag */
		return;
	}
	const snw_view_ray ray =
		snw_camera_ray(&session->state.camera, (snw_picture_size){(double)layout->view_width, (double)layout->view_height},
					   input->x, input->y);
	double axes[3][3], away[3], place[3];
	snw_camera_axes(&session->state.camera, axes);
	for (size_t c = 0; c < 3; c++) {
		away[c] = input->dragged_from[c] - ray.from[c];
	}
	const double distance = snw_dot3(away, axes[2]) / snw_dot3(ray.along, axes[2]);
	for (int c = 0; c < 3; c++) {
		place[c] = ray.from[c] + distance * ray.along[c];
	}
	snw_emit_with(&session->queue, id, place, 3, skeleton->names[input->dragged_joint]);
}

static void press_first(snw_input *input, const snw_layout *layout, snw_session *session) {
	snw_command_queue *queue = &session->queue;
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	hover(input, true, layout, session);
	if (session->state.sculpting) {
		if (session->sculpting.outline != SNW_OUTLINE_NONE) {
			snw_outline_begin(&input->outline, session->sculpting.outline, input->x, input->y);
			input->drag = SNW_DRAG_OUTLINE;
			return;
		}
		if (queue->count > COMMANDS_WAITING_MOST) {
			snw_view_state_say(&session->state, "Too many strokes are waiting to be stored; continue when Sinew is ready.");
			return;
		}
		if (session->sculpting.is_over || snw_sculpting_is_preparing(session)) {
			const int keys =
				(input->modifiers & KMOD_SHIFT ? 1 : 0) | (input->modifiers & KMOD_CTRL ? 2 : 0) | (layout->side == 1 ? 4 : 0);
			snw_pen_begin(&input->pen, input->x + (double)layout->view_x, input->y + (double)layout->view_y, input->x,
						  input->y);
			emit_stroke(input, layout, session, SNW_DO_STROKE, keys);
			input->drag = SNW_DRAG_STROKE;
			return;
		}
	} else if (session->state.drawing_joints) {
		if (press_to_draw(input, layout, session)) {
			return;
		}
	} else if (input->cone.is_hovered) {
		input->cone.is_dragged = true;
		input->drag = SNW_DRAG_CONE;
		return;
	} else if (input->hovered_joint != SNW_NONE && input->modifiers & KMOD_SHIFT) {
		begin_joint_drag(input, SNW_DRAG_REACH, session->display.global);
		return;
	} else if (input->hovered_joint != SNW_NONE && input->hovered_joint != session->state.joint &&
			   input->modifiers & KMOD_CTRL) {
		snw_emit_text(queue, SNW_DO_JOINT_ALSO, skeleton->names[input->hovered_joint]);
		return;
	} else if (input->hovered_joint != SNW_NONE && input->hovered_joint != session->state.joint) {
		snw_emit_text(queue, SNW_DO_JOINT, skeleton->names[input->hovered_joint]);
		return;
	} else if (input->gizmo.hovered != SNW_GIZMO_NONE) {
		snw_gizmo_grab(&input->gizmo, session, input->gizmo.hovered, (double)layout->view_width, (double)layout->view_height,
					   input->x, input->y);
		input->drag = SNW_DRAG_GIZMO;
		return;
	}
	input->drag = session->preferences.drag_orbits ? SNW_DRAG_ORBIT : SNW_DRAG_NONE;
}

static void press(snw_input *input, uint32_t button, const snw_layout *layout, snw_session *session) {
	input->button = button;
	input->drag = navigation_of(&session->preferences, button, input->modifiers);
	if (input->drag == SNW_DRAG_NONE && button == SDL_BUTTON_LEFT) {
		press_first(input, layout, session);
	} else if (input->drag == SNW_DRAG_NONE && button == SDL_BUTTON_RIGHT) {
		input->drag = session->state.sculpting ? SNW_DRAG_RADIUS : SNW_DRAG_MENU;
		input->is_click = true;
		input->first_x = input->x;
		input->first_y = input->y;
		input->first_radius = session->sculpting.brush.radius;
	}
}

/* By the whole way since the press: the radius itself changes only when the commands run, after all waiting events. */
static void drag_radius(const snw_input *input, snw_session *session) {
	const double metres = input->first_radius * exp(RADIUS_GROWTH * (input->x - input->first_x));
	snw_emit_number(&session->queue, SNW_DO_RADIUS, 100 * metres);
}

static void drag_gizmo(snw_input *input, snw_session *session, snw_command_id id) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	double rotation[4] = {0};
	if (session->state.joint < skeleton->joint_count) { /* the character may have been replaced during the drag */
		snw_gizmo_drag(&input->gizmo, session, input->x, input->y, input->modifiers & KMOD_CTRL, rotation);
		snw_emit_with(&session->queue, id, rotation, 3, skeleton->names[session->state.joint]);
	}
}

static void end_drag(snw_input *input, const snw_layout *layout, snw_session *session) {
	const bool is_elsewhere = input->x != input->first_x || input->y != input->first_y;
	if (input->drag == SNW_DRAG_STROKE) {
		snw_emit(&session->queue, SNW_DO_STROKE_END);
	} else if (input->drag == SNW_DRAG_OUTLINE) {
		snw_outline_end(&input->outline, layout, input->modifiers & KMOD_CTRL, &session->queue);
	} else if (input->drag == SNW_DRAG_CONE) {
		snw_driver_cone_release(&input->cone, session, true);
	} else if (input->drag == SNW_DRAG_JOINT && is_elsewhere) {
		drag_joint(input, layout, session, SNW_DO_JOINT_MOVE);
	} else if (input->drag == SNW_DRAG_REACH && is_elsewhere) {
		drag_joint(input, layout, session, SNW_DO_REACH);
	} else if (input->drag == SNW_DRAG_GIZMO && (input->x != input->gizmo.began[0] || input->y != input->gizmo.began[1])) {
		drag_gizmo(input, session, SNW_DO_ROTATE);
	} else if ((input->drag == SNW_DRAG_GIZMO || input->drag == SNW_DRAG_JOINT || input->drag == SNW_DRAG_REACH) &&
			   session->edit_is_trial) {
		snw_emit(&session->queue, SNW_DO_ESCAPE); /* the drag ended where it began: nothing changes */
	}
	input->gizmo.grabbed = SNW_GIZMO_NONE;
	input->drag = SNW_DRAG_NONE;
}

/* A right click: the menu of what is under the mouse. */
static void open_menu(const snw_input *input, const snw_layout *layout, snw_session *session) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t joint = session->state.sculpting ? SNW_NONE : joint_under(input, layout, session);
	const double place[2] = {input->x / fmax((double)layout->view_width, 1), input->y / fmax((double)layout->view_height, 1)};
	snw_emit_with(&session->queue, SNW_DO_VIEW_MENU, place, 2, joint < skeleton->joint_count ? skeleton->names[joint] : NULL);
}

static void move(snw_input *input, const SDL_MouseMotionEvent *event, bool mouse_free, const snw_layout *layout,
				 snw_session *session) {
	const double way = hypot(input->x - input->first_x, input->y - input->first_y);
	input->is_click = input->is_click && way <= CLICK_MOST * (double)layout->scale;
	switch (input->drag) {
	case SNW_DRAG_NONE:
		hover(input, mouse_free, layout, session);
		break;
	case SNW_DRAG_GIZMO:
		drag_gizmo(input, session, SNW_DO_TRY_ROTATE);
		break;
	case SNW_DRAG_JOINT:
		drag_joint(input, layout, session, SNW_DO_TRY_JOINT_MOVE);
		break;
	case SNW_DRAG_REACH:
		drag_joint(input, layout, session, SNW_DO_TRY_REACH);
		break;
	case SNW_DRAG_STROKE:
		if (!input->pen.strokes) {
			continue_stroke(input, input->x, input->y, layout, session);
		}
		break;
	case SNW_DRAG_CONE:
		snw_driver_cone_drag(&input->cone, session, (double)layout->view_width, (double)layout->view_height, input->x,
							 input->y);
		break;
	case SNW_DRAG_OUTLINE:
		snw_outline_extend(&input->outline, input->x, input->y);
		break;
	case SNW_DRAG_RADIUS:
		if (!input->is_click) {
			drag_radius(input, session);
		}
		break;
	case SNW_DRAG_MENU:
		break;
	default:
		navigate(input, event->xrel, event->yrel, layout, &session->queue);
		break;
	}
}

/* The drag ends as if it had not begun. */
static void cancel_drag(snw_input *input, snw_session *session) {
	if (input->drag == SNW_DRAG_RADIUS) {
		snw_emit_number(&session->queue, SNW_DO_RADIUS, 100 * input->first_radius);
	} else if (input->drag == SNW_DRAG_CONE) {
		snw_driver_cone_release(&input->cone, session, false);
	} else if (input->drag == SNW_DRAG_OUTLINE) {
		session->sculpting.outline = SNW_OUTLINE_NONE;
	} else {
		snw_emit(&session->queue, SNW_DO_DRAG_CANCEL);
	}
	input->gizmo.grabbed = SNW_GIZMO_NONE;
	input->drag = SNW_DRAG_NONE;
}

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

/* What a key does in a drag that changes something: Undo and Escape cancel it, and the project cannot change under it.
 * Returns whether that is all. */
static bool press_key_in_drag(snw_input *input, snw_command_id id, snw_session *session) {
	if ((id == SNW_DO_UNDO || id == SNW_DO_ESCAPE) && snw_gui_cancel_drag()) {
		return true;
	}
	if (!snw_gui_is_dragging() && input->drag != SNW_DRAG_STROKE && input->drag != SNW_DRAG_GIZMO &&
		input->drag != SNW_DRAG_JOINT && input->drag != SNW_DRAG_REACH && input->drag != SNW_DRAG_RADIUS &&
		input->drag != SNW_DRAG_CONE && input->drag != SNW_DRAG_OUTLINE) {
		return false;
	}
	if (id == SNW_DO_UNDO || id == SNW_DO_ESCAPE) {
		cancel_drag(input, session);
		return true;
	}
	if (snw_command_edits(id)) {
		snw_view_state_say(&session->state, "%s: release the mouse button first", snw_command_title(id));
		return true;
	}
	return false;
}

/* Over a dialog, which asks something, nothing else opens or changes. */
static bool acts_over_dialog(snw_command_id id) {
	return id == SNW_DO_REPORT || id == SNW_DO_REPORT_AT_ONCE || id == SNW_DO_PICTURE;
}

static void press_key(snw_input *input, const SDL_KeyboardEvent *event, snw_session *session) {
	char pressed[SNW_KEY_SIZE];
	const char *mode = session->state.sculpting ? "as" : "ap";
	const SDL_Keycode key = event->keysym.sym;
	snw_key_name(event, pressed);
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		const snw_command_info *info = &snw_command_infos[i];
		const char *keys = session->preferences.keys[i];
		const bool steps = i == SNW_DO_STEP_ON || i == SNW_DO_STEP_BACK || i == SNW_DO_LARGER || i == SNW_DO_SMALLER;
		const bool is_free = session->state.dialog == SNW_DIALOG_NONE || acts_over_dialog((snw_command_id)i);
		if (!is_free || !strchr(mode, info->when[0]) || (event->repeat && !steps)) {
			continue;
		}
		if (snw_keys_contain(keys, "", pressed) && press_key_in_drag(input, (snw_command_id)i, session)) {
			return;
		}
		if (snw_keys_contain(keys, "hold:", pressed)) {
			input->holds[i] = true;
			snw_emit_number(&session->queue, (snw_command_id)i, 1);
			return;
		}
		if (snw_keys_contain(keys, "", pressed)) {
			snw_emit(&session->queue, (snw_command_id)i);
			return;
		}
	}
	if (key >= SDLK_1 && key <= SDLK_9 && !event->repeat && !(event->keysym.mod & (KMOD_CTRL | KMOD_ALT)) &&
		!session->state.sculpting) {
		snw_emit_number(&session->queue, SNW_DO_METHOD, key - SDLK_1);
	}
}

static void release_key(snw_input *input, const SDL_KeyboardEvent *event, snw_session *session) {
	char name[SNW_KEY_SIZE];
	SDL_KeyboardEvent plain = *event;
	plain.keysym.mod = 0;
	snw_key_name(&plain, name);
	for (int i = 0; i < SNW_DO_COUNT; i++) {
		if (input->holds[i] && snw_keys_contain(session->preferences.keys[i], "hold:", name)) {
			input->holds[i] = false;
			snw_emit_number(&session->queue, (snw_command_id)i, 0);
		}
	}
}

/* ---- events -------------------------------------------------------------------------------------------------------------- */

static void lose_focus(snw_input *input, const snw_layout *layout, snw_session *session) {
	end_drag(input, layout, session);
	input->modifiers = KMOD_NONE;
	memset(input->holds, 0, sizeof input->holds);
	if (session->state.before) {
		snw_emit_number(&session->queue, SNW_DO_BEFORE, 0);
	}
}

static void end_drop(snw_input *input, snw_session *session) {
	if (input->dropped.count > 0) {
		snw_emit_text(&session->queue, SNW_DO_DROP, input->dropped.path);
		input->dropped.count = 0;
	}
}

static void drop_file(snw_input *input, const char *path, snw_session *session) {
	if (!snw_dropped_files_add(&input->dropped, path)) {
		end_drop(input, session);
		if (!snw_dropped_files_add(&input->dropped, path)) {
			snw_view_state_warn(&session->state, "The path of the dropped file is too long.");
		}
	}
}

void snw_input_follow_modifiers(snw_input *input, const union SDL_Event *event) {
	if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP) {
		input->modifiers = event->key.keysym.mod;
	}
}

void snw_input_event(snw_input *input, const union SDL_Event *event, bool mouse_free, const snw_layout *layout,
					 snw_session *session) {
	snw_pen_sample sample;
	if (snw_tablet_read(event, &sample)) {
		snw_pen_take(&input->pen, &sample);
		if (input->drag == SNW_DRAG_STROKE && input->pen.strokes) {
			continue_stroke(input, (double)(sample.x - layout->view_x), (double)(sample.y - layout->view_y), layout, session);
		}
	} else if (event->type == SDL_MOUSEMOTION) {
		snw_pen_follow_mouse(&input->pen);
		place_mouse(input, event->motion.x, event->motion.y, layout);
		move(input, &event->motion, mouse_free, layout, session);
		follow_side(input, layout, session);
	} else if (event->type == SDL_MOUSEBUTTONDOWN && mouse_free && input->drag == SNW_DRAG_NONE) {
		place_mouse(input, event->button.x, event->button.y, layout);
		press(input, event->button.button, layout, session);
	} else if (event->type == SDL_MOUSEBUTTONUP && event->button.button == input->button) {
		if (input->is_click && (input->drag == SNW_DRAG_RADIUS || input->drag == SNW_DRAG_MENU)) {
			open_menu(input, layout, session);
		}
		end_drag(input, layout, session);
		follow_side(input, layout, session);
	} else if (event->type == SDL_MOUSEWHEEL && mouse_free && event->wheel.y != 0) {
		handle_wheel(input, event->wheel.y, layout, &session->queue);
	} else if (event->type == SDL_KEYDOWN) {
		press_key(input, &event->key, session);
	} else if (event->type == SDL_KEYUP) {
		release_key(input, &event->key, session);
	} else if (event->type == SDL_DROPFILE && event->drop.file) {
		drop_file(input, event->drop.file, session);
	} else if (event->type == SDL_DROPCOMPLETE) {
		end_drop(input, session);
	} else if (event->type == SDL_QUIT) {
		snw_emit(&session->queue, SNW_DO_QUIT);
	} else if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
		lose_focus(input, layout, session);
	}
}

void snw_input_follow(snw_input *input, bool mouse_free, const snw_layout *layout, snw_session *session) {
	if (input->drag == SNW_DRAG_NONE) {
		place_mouse(input, (int)input->window_x, (int)input->window_y, layout); /* another view may be in use now */
		const bool inside =
			input->x >= 0 && input->y >= 0 && input->x < (double)layout->view_width && input->y < (double)layout->view_height;
		hover(input, mouse_free && inside, layout, session);
	}
}
