/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cone of the chosen group in the viewport: where the bone that drives it points while the group's example acts by more
 * than a half to the sides of its pose. A handle on its edge sets the width. Places are in the desktop's units, from the
 * viewport's top left corner.
 */
#ifndef SINEW_UI_WINDOW_INPUT_DRIVER_CONE_H
#define SINEW_UI_WINDOW_INPUT_DRIVER_CONE_H

#include <stdbool.h>
#include <stdint.h>

struct snw_session;

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
