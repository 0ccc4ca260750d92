/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input: tablets, gizmos, the mouse and keys.
 */
#ifndef SINEW_UI_WINDOW_INPUT_INPUT_H
#define SINEW_UI_WINDOW_INPUT_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "window/preferences/preferences.h"
#include "window/session/session.h"

/* ---- tablets ------------------------------------------------------------------------------------------------------------- */

/* Pen tablets under X11: pressure and tilt, which SDL 2 does not report. XInput2 sends them to SDL's window; they arrive in
 * SDL's queue as events of their own, in order with the mouse's. The server's times also count the clicks of the mouse
 * (input.h). Under other window systems a pen is a mouse. */

struct SDL_Window;
union SDL_Event;

/* What a pen says at one moment. */
typedef struct snw_pen_sample {
	float x, y;     /* in the window, the desktop's units */
	float pressure; /* 0 to 1 */
	float tilt;     /* 0 upright, 1 lying flat */
} snw_pen_sample;

/* Listens to the pens of the window's server, also to those that are plugged in later. */
void snw_tablet_open(struct SDL_Window *window);
void snw_tablet_close(void);

/* Puts a sample at the end of SDL's queue. */
void snw_tablet_push(const snw_pen_sample *sample);
/* Whether the event is a sample. */
bool snw_tablet_read(const union SDL_Event *event, snw_pen_sample *sample);

/* An axis of a device. */
typedef struct snw_pen_axis {
	int number; /* of the valuator; -1: the device has none */
	double least, most;
} snw_pen_axis;
typedef struct snw_pen_axes {
	snw_pen_axis pressure, tilt_x, tilt_y;
} snw_pen_axes;

/* Pressure and tilt from the valuators of an event: those whose bit is set in `mask`, in the order of their numbers. An axis
 * that the event leaves out keeps the value of `last`. Only pressure and tilt of `last` change. */
void snw_pen_decode(const snw_pen_axes *axes, const unsigned char *mask, uint32_t mask_bytes, const double *values,
					snw_pen_sample *last);

/* ---- gizmos -------------------------------------------------------------------------------------------------------------- */

/* The rotation gizmo: rings about three axes, one about the view axis, and the ball between them. Places are in the
 * desktop's units, from the viewport's top left corner. */

struct snw_session;

typedef enum snw_gizmo_part {
	SNW_GIZMO_NONE = 0,
	SNW_GIZMO_X,
	SNW_GIZMO_Y,
	SNW_GIZMO_Z,
	SNW_GIZMO_VIEW,
	SNW_GIZMO_BALL,
} snw_gizmo_part;

typedef struct snw_gizmo {
	snw_gizmo_part hovered, grabbed;
	double radius; /* of the axes' rings; 0: hidden */
	double center[2];
	double axes[5][3]; /* world, by part; unit */
	/* Of the current drag. */
	double began[2], angle, rotation_vector[3], rotation[4], parent[4];
	double axis[3], tangent[2];
	double dragged_angle; /* by this drag, radians about the axis; 0 for the ball */
	double start_angle;   /* the ring's angle at the start of the drag, as in snw_gizmo_arc */
	bool along_tangent;   /* the ring is seen edge-on */
} snw_gizmo;

/* Moves it to the chosen joint. `width` and `height` are the viewport's, `scale` that of text. */
void snw_gizmo_place(snw_gizmo *gizmo, const struct snw_session *session, double width, double height, double scale);
/* The part at a place. */
snw_gizmo_part snw_gizmo_at(const snw_gizmo *gizmo, const struct snw_session *session, double width, double height, double x,
							double y, double scale);
void snw_gizmo_grab(snw_gizmo *gizmo, const struct snw_session *session, snw_gizmo_part part, double width, double height,
					double x, double y);
/* The joint's rotation away from rest for a position of the mouse, degrees; `snaps`: in steps of five degrees. */
void snw_gizmo_drag(snw_gizmo *gizmo, const struct snw_session *session, double x, double y, bool snaps,
					double rotation_degrees[3]);
/* Points of a ring on the screen, [count][2], at the angles `from` + i `step`, radians; true for each on the near side. */
typedef struct snw_gizmo_arc {
	double from, step;
	uint32_t count;
} snw_gizmo_arc;
void snw_gizmo_ring(const snw_gizmo *gizmo, const struct snw_session *session, snw_gizmo_part part, double width, double height,
					const snw_gizmo_arc *arc, float *points, bool *near_side);

/* ---- driver cone --------------------------------------------------------------------------------------------------------- */

/* The cone of the chosen group in the viewport: where the bone that drives it points while the group's example acts by more
 * than a half to the sides of its pose. A handle on its edge sets the width. Places are in the desktop's units, from the
 * viewport's top left corner. */

enum { SNW_DRIVER_CONE_POINTS = 49 }; /* of its edge; the last is the first */

typedef struct snw_driver_cone {
	bool is_shown;
	uint32_t joint, layer, group;
	double width; /* radians; of the drag, while it lasts */
	double apex[2], tip[2], edge[SNW_DRIVER_CONE_POINTS][2];
	double handle[2];
	bool is_disc; /* around the tip */
	bool is_hovered, is_dragged;
} snw_driver_cone;

/* Places it for the pose that is shown; it is hidden without a chosen group whose width can be set. `width` and `height` are
 * the viewport's. */
void snw_driver_cone_place(snw_driver_cone *cone, struct snw_session *session, double width, double height);
/* Whether the handle is at a place. */
bool snw_driver_cone_at(const snw_driver_cone *cone, double x, double y, double scale);
/* Drags the handle: the width whose handle is nearest to the mouse. */
void snw_driver_cone_drag(snw_driver_cone *cone, struct snw_session *session, double width, double height, double x, double y);
/* Ends the drag; the width is set if it was applied. */
void snw_driver_cone_release(snw_driver_cone *cone, struct snw_session *session, bool is_applied);

/* ---- input --------------------------------------------------------------------------------------------------------------- */

/* Mouse and keys over the viewport, as commands. */

/* ---- clicks -------------------------------------------------------------------------------------------------------------- */

/* Counts clicks by the times at which the mouse was pressed. SDL 2 counts by the times at which the program reads events:
 * after a slow redraw a double-click would be two clicks. */

/* The last press. Zero at first. */
typedef struct snw_clicks {
	uint32_t milliseconds, count;
	int button, x, y;
} snw_clicks;

/* How many clicks in a row this press makes, 1 for a single one. `milliseconds` is the server's time, which wraps; the place is
 * in pixels of the window. */
uint8_t snw_clicks_take(snw_clicks *clicks, uint32_t milliseconds, int button, int x, int y);

/* ---- key capture --------------------------------------------------------------------------------------------------------- */

/* Waits for the key that a command shall have, while the dialog of the keys is open. */

union SDL_Event;

void snw_key_capture_begin(snw_session *session, snw_command_id id, bool adds);
/* Whether the event was taken as the key. Escape ends the wait, Backspace removes the command's keys. */
bool snw_key_capture_take(snw_session *session, const union SDL_Event *event);

/* ---- pen ----------------------------------------------------------------------------------------------------------------- */

/* The pen, and the string by which the mouse or pen pulls the brush (a stabiliser). */

typedef struct snw_pen_input {
	snw_pen_sample last;
	uint32_t motions; /* of the mouse since the last sample */
	bool has_sample;
	bool strokes;            /* the pen began the stroke, so that its samples continue it, not the mouse's */
	double brush_x, brush_y; /* the end of the string, in the viewport */
} snw_pen_input;

void snw_pen_take(snw_pen_input *pen, const snw_pen_sample *sample);
/* The mouse has moved. A pen moves it too, just before or after its sample. */
void snw_pen_follow_mouse(snw_pen_input *pen);
/* A stroke begins at a place of the viewport; x and y in the window say whether it is the pen's. */
void snw_pen_begin(snw_pen_input *pen, double x, double y, double view_x, double view_y);
/* Pulls the brush to a place. False if the string is slack: the brush stays. */
bool snw_pen_pull(snw_pen_input *pen, double view_x, double view_y, double length);
/* What the stroke's next dab gets: pressure, and a factor of the radius. Those of a mouse are 1. */
void snw_pen_effect(const snw_pen_input *pen, const snw_preferences *preferences, double *pressure, double *size);

/* ---- dropped files ------------------------------------------------------------------------------------------------------- */

/* Files that are dropped together: numbered ones are a sequence, under one name with a star for the number. */

typedef struct snw_dropped_files {
	uint32_t count;
	char path[2000]; /* of the single file, or of all */
} snw_dropped_files;

/* Adds a file. Returns false, with nothing changed, if it does not belong to the files so far. */
bool snw_dropped_files_add(snw_dropped_files *dropped, const char *path);

/* ---- layout -------------------------------------------------------------------------------------------------------------- */

/* The places of the window's parts, in the desktop's units from the top left corner. Parts that do not fit into a small
 * window have size 0. */

typedef struct snw_layout {
	float scale; /* of text and spacing */
	float width, height;
	float menu_height, outliner_width, side_width, timeline_height, status_height;
	float view_x, view_y, view_width, view_height; /* the viewport; of two views the one in use */
	float room_x, room_width;                      /* of both views */
	bool is_split;
	uint32_t side; /* the view in use: 0 left, 1 right */
} snw_layout;

/* The widths of the panels that the user has set, for scale 1; 0: the usual ones. */
typedef struct snw_panel_widths {
	float outliner, side;
} snw_panel_widths;

typedef enum snw_timeline_kind {
	SNW_TIMELINE_NONE = 0,  /* there is no clip */
	SNW_TIMELINE_STRIP = 1, /* controls and a strip */
	SNW_TIMELINE_PLOT = 2,  /* and a plot of errors */
} snw_timeline_kind;

/* `bare`: only the viewport. `menu_height` is that of the last redraw. */
snw_layout snw_layout_make(int width, int height, float scale, float menu_height, bool bare, snw_timeline_kind timeline,
						   const snw_panel_widths *widths);

/* The same with two views, this one in use; a viewport that is too narrow has one. */
snw_layout snw_layout_split(const snw_layout *layout, uint32_t side);
/* In which of two views a place is, if it is in one of them; else the one in use. */
uint32_t snw_layout_side_at(const snw_layout *layout, float x, float y);

/* ---- outline ------------------------------------------------------------------------------------------------------------- */

/* A box or a lasso that the mouse draws over the viewport. */

enum { SNW_OUTLINE_POINTS = 128 };

typedef struct snw_outline {
	snw_outline_kind kind;
	uint32_t count;
	float points[2 * SNW_OUTLINE_POINTS]; /* in the viewport, the desktop's units */
} snw_outline;

void snw_outline_begin(snw_outline *outline, snw_outline_kind kind, double x, double y);
void snw_outline_extend(snw_outline *outline, double x, double y);
/* Masks what is inside, or unmasks it. */
void snw_outline_end(const snw_outline *outline, const snw_layout *layout, bool unmasks, snw_command_queue *queue);

/* ---- input --------------------------------------------------------------------------------------------------------------- */

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

/* ---- hints --------------------------------------------------------------------------------------------------------------- */

/* What the mouse buttons do, for the status line. */

/* Separates the parts of a hint; the first parts are the most important. */
#define SNW_HINT_BETWEEN "   ·   "

/* `hint` receives the text, in parts. */
void snw_hint_write(const snw_input *input, const snw_layout *layout, const snw_session *session, char *hint, size_t size);

#endif
