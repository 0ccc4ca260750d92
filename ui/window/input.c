/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events to commands.
 */
#include "window/input.h"

#include <SDL.h>
#include <math.h>

#define TURN_PER_VIEW 3.5 /* radians for a drag across the viewport's height */
#define WHEEL_ZOOM 0.88

static snw_drag drag_of(uint32_t button, uint32_t keys) {
	if (keys & KMOD_ALT) {
		return button == SDL_BUTTON_LEFT ? SNW_DRAG_ORBIT : button == SDL_BUTTON_MIDDLE ? SNW_DRAG_PAN : SNW_DRAG_ZOOM;
	}
	if (button == SDL_BUTTON_RIGHT) {
		return SNW_DRAG_NONE;
	}
	return keys & KMOD_SHIFT ? SNW_DRAG_PAN : keys & KMOD_CTRL ? SNW_DRAG_ZOOM : SNW_DRAG_ORBIT;
}

static void drag_by(const snw_input *input, int x, int y, const snw_layout *layout, snw_command_queue *queue) {
	const double side = fmax((double)layout->view_height, 1), right = x / side, down = y / side;
	if (input->drag == SNW_DRAG_ORBIT) {
		snw_command_emit(queue, SNW_DO_ORBIT, -TURN_PER_VIEW * right, TURN_PER_VIEW * down);
	} else if (input->drag == SNW_DRAG_PAN) {
		snw_command_emit(queue, SNW_DO_PAN, right, -down);
	} else if (input->drag == SNW_DRAG_ZOOM) {
		snw_command_emit(queue, SNW_DO_ZOOM, exp(2 * (down - right)), 0);
	}
}

/* Keys that do one thing. */
static const struct {
	SDL_Keycode key;
	snw_command_id id;
	double a;
} keys[] = {
	{SDLK_f, SNW_DO_FRAME, 0},    {SDLK_HOME, SNW_DO_FRAME, 0}, {SDLK_SPACE, SNW_DO_PLAY, 0},  {SDLK_LEFT, SNW_DO_STEP, -1},
	{SDLK_RIGHT, SNW_DO_STEP, 1}, {SDLK_s, SNW_DO_SKELETON, 0}, {SDLK_w, SNW_DO_WIREFRAME, 0}, {SDLK_l, SNW_DO_FLAT, 0},
	{SDLK_g, SNW_DO_GRID, 0},     {SDLK_p, SNW_DO_PICTURE, 0},  {SDLK_F12, SNW_DO_PICTURE, 0}, {SDLK_ESCAPE, SNW_DO_QUIT, 0},
};

static void press(const SDL_KeyboardEvent *event, const snw_view_state *state, snw_command_queue *queue) {
	const SDL_Keycode key = event->keysym.sym;
	const bool held = event->keysym.mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI);
	if (held) {
		return;
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (keys[i].key == key && (!event->repeat || keys[i].id == SNW_DO_STEP)) {
			snw_command_emit(queue, keys[i].id, keys[i].a, 0);
		}
	}
	if (key >= SDLK_1 && key <= SDLK_9 && !event->repeat) {
		snw_command_emit(queue, SNW_DO_METHOD, key - SDLK_1, 0);
	} else if (key == SDLK_b && !event->repeat) {
		snw_command_emit(queue, SNW_DO_BEFORE, 1, 0);
	} else if (key == SDLK_h && !event->repeat) {
		snw_command_emit(queue, SNW_DO_HEAT, state->heat == SNW_HEAT_ERROR ? SNW_HEAT_NONE : SNW_HEAT_ERROR, 0);
	}
}

void snw_input_event(snw_input *input, const union SDL_Event *event, bool mouse_free, const snw_layout *layout,
					 const snw_view_state *state, snw_command_queue *queue) {
	switch (event->type) {
	case SDL_MOUSEBUTTONDOWN:
		if (mouse_free && input->drag == SNW_DRAG_NONE) {
			input->drag = drag_of(event->button.button, input->modifiers);
			input->button = event->button.button;
		}
		break;
	case SDL_MOUSEBUTTONUP:
		if (event->button.button == input->button) {
			input->drag = SNW_DRAG_NONE;
		}
		break;
	case SDL_MOUSEMOTION:
		drag_by(input, event->motion.xrel, event->motion.yrel, layout, queue);
		break;
	case SDL_MOUSEWHEEL:
		if (mouse_free && event->wheel.y != 0) {
			snw_command_emit(queue, SNW_DO_ZOOM, pow(WHEEL_ZOOM, event->wheel.y), 0);
		}
		break;
	case SDL_KEYDOWN:
		input->modifiers = event->key.keysym.mod;
		press(&event->key, state, queue);
		break;
	case SDL_KEYUP:
		input->modifiers = event->key.keysym.mod;
		if (event->key.keysym.sym == SDLK_b) {
			snw_command_emit(queue, SNW_DO_BEFORE, 0, 0);
		}
		break;
	case SDL_QUIT:
		snw_command_emit(queue, SNW_DO_QUIT, 0, 0);
		break;
	default:
		break;
	}
	if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
		input->drag = SNW_DRAG_NONE;
		input->modifiers = KMOD_NONE;
		if (state->before) {
			snw_command_emit(queue, SNW_DO_BEFORE, 0, 0);
		}
	}
}
