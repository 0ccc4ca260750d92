/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rotation gizmo: rings about three axes, one about the view axis, and the ball between them. Places are in the
 * desktop's units, from the viewport's top left corner.
 */
#ifndef SINEW_UI_WINDOW_INPUT_GIZMO_H
#define SINEW_UI_WINDOW_INPUT_GIZMO_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
