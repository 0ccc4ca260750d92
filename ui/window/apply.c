/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the state.
 */
#include "window/apply.h"

#include <math.h>
#include <stdio.h>

static void say(snw_view_state *state, const char *words) {
	snprintf(state->message, sizeof state->message, "%.390s", words);
}

/* Everything that is shown, all of the clip: so that the camera may stay while it plays. */
static void frame_all(snw_studio *studio, snw_view_state *state) {
	snw_arena *scratch = snw_arena_create();
	double *points;
	const size_t count = snw_studio_points(studio, state, scratch, &points);
	snw_camera_fit(&state->camera, points, count, 1);
	snw_arena_destroy(scratch);
}

static void choose_clip(snw_studio *studio, snw_view_state *state, uint32_t clip) {
	if (clip < studio->scene->clip_count && clip != state->clip) {
		state->clip = clip;
		state->seconds = 0;
		snw_studio_choose_clip(studio, clip);
	}
}

static void choose_pose(snw_studio *studio, snw_view_state *state, uint32_t pose) {
	if (pose < studio->scene->pose_count) {
		state->clip = SNW_NONE;
		state->pose = pose;
		state->playing = false;
		snw_studio_choose_clip(studio, SNW_NONE);
	}
}

static void choose_method(snw_studio *studio, snw_view_state *state, uint32_t method) {
	snw_error error = {0};
	if (method >= studio->method_count) {
		say(state, "There is no method with that number.");
	} else if (snw_studio_ready(studio, method, &error) < 0) {
		say(state, error.text);
	} else {
		state->method = method;
	}
}

static void play(snw_studio *studio, snw_view_state *state) {
	if (studio->scene->clip_count == 0) {
		say(state, "There is no clip to play: 'sinew import' brings clips with a character.");
	} else if (state->clip == SNW_NONE) {
		choose_clip(studio, state, 0);
		state->playing = true;
	} else {
		state->playing = !state->playing;
	}
}

static void step(const snw_studio *studio, snw_view_state *state, int steps) {
	if (state->clip != SNW_NONE) {
		state->playing = false;
		state->seconds = snw_clip_reel_step(&studio->reel, state->seconds, steps);
	}
}

static void seek(const snw_studio *studio, snw_view_state *state, double seconds) {
	if (state->clip != SNW_NONE) {
		state->playing = false;
		state->seconds = fmin(fmax(seconds, 0), studio->reel.duration_seconds);
	}
}

static void toggle(snw_view_state *state, uint32_t flag) {
	state->flags ^= flag;
}

void snw_view_state_start(snw_studio *studio, snw_view_state *state) {
	*state = (snw_view_state){.clip = SNW_NONE, .flags = SNW_VIEW_GRID | SNW_VIEW_DARK};
	state->camera = (snw_camera){.yaw = 0.6, .pitch = 0.25, .distance = 1};
	choose_clip(studio, state, 0);
	frame_all(studio, state);
}

void snw_command_apply(snw_studio *studio, snw_view_state *state, const snw_command *command) {
	const uint32_t which = command->a >= 0 ? (uint32_t)command->a : 0;
	switch (command->id) {
	case SNW_DO_ORBIT:
	case SNW_DO_PAN:
	case SNW_DO_ZOOM:
		snw_camera_apply(&state->camera, command);
		break;
	case SNW_DO_FRAME:
		frame_all(studio, state);
		break;
	case SNW_DO_PLAY:
		play(studio, state);
		break;
	case SNW_DO_STEP:
		step(studio, state, (int)command->a);
		break;
	case SNW_DO_SEEK:
		seek(studio, state, command->a);
		break;
	case SNW_DO_CLIP:
		choose_clip(studio, state, which);
		break;
	case SNW_DO_POSE:
		choose_pose(studio, state, which);
		break;
	case SNW_DO_METHOD:
		choose_method(studio, state, which);
		break;
	case SNW_DO_BEFORE:
		state->before = command->a != 0;
		break;
	case SNW_DO_HEAT:
		state->heat = which < SNW_HEAT_FIELDS + studio->field_count ? which : SNW_HEAT_NONE;
		break;
	case SNW_DO_SKELETON:
		toggle(state, SNW_VIEW_SKELETON);
		break;
	case SNW_DO_WIREFRAME:
		toggle(state, SNW_VIEW_WIREFRAME);
		break;
	case SNW_DO_FLAT:
		toggle(state, SNW_VIEW_FLAT);
		break;
	case SNW_DO_GRID:
		toggle(state, SNW_VIEW_GRID);
		break;
	case SNW_DO_QUIT:
		state->finished = true;
		break;
	case SNW_DO_PICTURE: /* the window writes it once the frame is drawn */
	case SNW_DO_COUNT:
		break;
	}
}
