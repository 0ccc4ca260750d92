/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores a stroke in the morph target that is edited.
 */
#ifndef SINEW_UI_WINDOW_COMMANDS_STORE_SHAPE_H
#define SINEW_UI_WINDOW_COMMANDS_STORE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

struct snw_session;

/* Whether strokes on the mesh change a morph target: one is edited, and it is shown with the joints at rest. */
bool snw_is_editing_shape(const struct snw_session *session, uint32_t mesh);
/* The mesh as the artist leaves it, [point_count][3], as one step. */
void snw_store_shape(struct snw_session *session, uint32_t mesh, const double *points, uint32_t stroke);

#endif
