/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window shows: a small state, and the commands that change it. Panels and keys read the state and queue commands;
 * nothing else changes it.
 */
#ifndef SINEW_UI_WINDOW_STATE_H
#define SINEW_UI_WINDOW_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "render/render.h"

/* Heat maps by number: none, the error, then the studio's fields. */
enum { SNW_HEAT_NONE = 0, SNW_HEAT_ERROR = 1, SNW_HEAT_FIELDS = 2 };

typedef struct snw_view_state {
	snw_camera camera;
	uint32_t clip; /* SNW_NONE: the pose below is shown */
	uint32_t pose; /* into the scene's poses */
	double seconds;
	bool playing;
	bool before;     /* the linear blend is shown instead of the method */
	uint32_t method; /* into the studio's methods */
	uint32_t heat;   /* SNW_HEAT_… */
	uint32_t flags;  /* snw_view_flags */
	bool finished;
	char message[400]; /* what was last done or failed; stands in the status line */
} snw_view_state;

/* Everything that can be done: the name in traces, the key that does it, the words for it. `a` and `b` below are the command's
 * numbers. */
#define SNW_COMMANDS(ROW)                                                                                                      \
	ROW(ORBIT, "orbit", "", "a, b: radians of yaw and pitch")                                                                  \
	ROW(PAN, "pan", "", "a, b: of the viewport's height, to the right and up")                                                 \
	ROW(ZOOM, "zoom", "", "a: times the distance")                                                                             \
	ROW(FRAME, "frame", "F", "Frame everything")                                                                               \
	ROW(PLAY, "play", "Space", "Play or pause the clip")                                                                       \
	ROW(STEP, "step", "← →", "a: frames forward")                                                                              \
	ROW(SEEK, "seek", "", "a: seconds")                                                                                        \
	ROW(CLIP, "clip", "", "a: which")                                                                                          \
	ROW(POSE, "pose", "", "a: which")                                                                                          \
	ROW(METHOD, "method", "1-9", "a: which")                                                                                   \
	ROW(BEFORE, "before", "B", "Hold to see the linear blend; a: held")                                                        \
	ROW(HEAT, "heat", "H", "a: which; the key: the error, or none")                                                            \
	ROW(SKELETON, "skeleton", "S", "Skeleton")                                                                                 \
	ROW(WIREFRAME, "wireframe", "W", "Wireframe")                                                                              \
	ROW(FLAT, "flat", "L", "Flat facets")                                                                                      \
	ROW(GRID, "grid", "G", "Ground grid")                                                                                      \
	ROW(PICTURE, "picture", "P", "Write a picture of the window")                                                              \
	ROW(QUIT, "quit", "Esc", "Close the window")

#define SNW_COMMAND_ID(id, name, key, words) SNW_DO_##id,
typedef enum snw_command_id { SNW_COMMANDS(SNW_COMMAND_ID) SNW_DO_COUNT } snw_command_id;
#undef SNW_COMMAND_ID

typedef struct snw_command_info {
	const char *name, *key, *words;
} snw_command_info;
extern const snw_command_info snw_command_infos[SNW_DO_COUNT];

typedef struct snw_command {
	snw_command_id id;
	double a, b;
} snw_command;

/* What is to be done before the next frame. */
typedef struct snw_command_queue {
	uint32_t count;
	snw_command commands[64];
} snw_command_queue;
void snw_command_emit(snw_command_queue *queue, snw_command_id id, double a, double b); /* a full queue drops it */

/* The camera's own commands. */
void snw_camera_apply(snw_camera *camera, const snw_command *command);

#endif
