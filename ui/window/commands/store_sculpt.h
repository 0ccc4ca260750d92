/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores a sculpt in the project: an example with its pose and group, and the fit of the corrective.
 */
#ifndef SINEW_UI_WINDOW_COMMANDS_STORE_SCULPT_H
#define SINEW_UI_WINDOW_COMMANDS_STORE_SCULPT_H

#include <stdbool.h>
#include <stdint.h>

struct snw_session;

/* Whether the pose that is shown may have an example of the mesh; if not, a message says what to do. */
bool snw_may_store_sculpt(struct snw_session *session, uint32_t mesh);
/* Whether a stroke would be seen once it is stored. If something that is muted would hide it, a message says what. */
bool snw_would_stroke_show(struct snw_session *session, uint32_t mesh);

/* Stores `points` of the mesh as the example of the pose that is shown. If the pose has none, creates one that is called after
 * it, or that gives an unnamed pose its name. `verb` is for the history. `stroke`: its number in the sculpt; 0 if it is no
 * stroke. What a stroke moved of meshes beyond a seam or, by symmetry, of the counterpart is stored with it, as their examples
 * of this pose. */
void snw_store_sculpt(struct snw_session *session, const char *verb, uint32_t mesh, const double *points, uint32_t stroke);

#endif
