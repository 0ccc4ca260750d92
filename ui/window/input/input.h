/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mouse and keys over the viewport, as commands.
 */
#ifndef SINEW_UI_WINDOW_INPUT_INPUT_H
#define SINEW_UI_WINDOW_INPUT_INPUT_H

#include "window/input/driver_cone.h"
#include "window/input/dropped_files.h"
#include "window/input/gizmo.h"
#include "window/input/layout.h"
#include "window/input/outline.h"
#include "window/input/pen.h"
#include "window/session/session.h"

union SDL_Event;

/* The purpose of the current drag in the viewport. */
typedef enum snw_drag {
	SNW_DRAG_NONE = 0,
	SNW_DRAG_ORBIT,
	SNW_DRAG_PAN,
	SNW_DRAG_ZOOM,
	SNW_DRAG_GIZMO,
	SNW_DRAG_JOINT, /* moves a joint at rest, across the view */
	SNW_DRAG_REACH, /* the same in a pose, by inverse kinematics */
	SNW_DRAG_STROKE,
	SNW_DRAG_RADIUS,
	SNW_DRAG_MENU, /* the right button is down, and nothing follows it */
	SNW_DRAG_CONE,
	SNW_DRAG_OUTLINE,
} snw_drag;

/* The state of the mouse and the modifier keys. */
typedef struct snw_input {
	snw_drag drag;
	uint32_t button;              /* that began the drag */
	uint32_t modifiers;           /* SDL_Keymod, as of the last event: SDL's own state may be ahead of waiting events */
	bool holds[SNW_DO_COUNT];     /* commands that act until their key is released */
	double first_x, first_radius; /* where a drag of the radius began, and the radius then, metres */
	double first_y;               /* and of a joint */
	bool is_click;                /* the right button has hardly moved since it was pressed */
	uint32_t dragged_joint;
	double dragged_from[3]; /* where it was, metres */
	snw_gizmo gizmo;
	snw_driver_cone cone;
	uint32_t hovered_joint;   /* SNW_NONE for none */
	double x, y;              /* of the mouse in the view in use, the desktop's units */
	float window_x, window_y; /* in the window */
	bool inside;
	snw_pen_input pen;
	snw_outline outline;
	snw_dropped_files dropped; /* while more events of the drop may follow */
} snw_input;

/* Of every event, also of those that a dialog or a field takes. */
void snw_input_follow_modifiers(snw_input *input, const union SDL_Event *event);

/* `mouse_free`: no panel uses the mouse. By preference: as in Maya, Alt with the left, middle or right button orbits, pans,
 * zooms; as in Blender, the middle button orbits, with Shift it pans, with Ctrl it zooms. The left button orbits if there is
 * nothing else under it. */
void snw_input_event(snw_input *input, const union SDL_Event *event, bool mouse_free, const snw_layout *layout,
					 snw_session *session);

/* Updates what is under the resting mouse while the picture changes: once a redraw. */
void snw_input_follow(snw_input *input, bool mouse_free, const snw_layout *layout, snw_session *session);

#endif
