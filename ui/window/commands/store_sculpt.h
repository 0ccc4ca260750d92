/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is sculpted, into the project: an example with its pose and its group, and the corrective that follows.
 */
#ifndef SINEW_UI_WINDOW_COMMANDS_STORE_SCULPT_H
#define SINEW_UI_WINDOW_COMMANDS_STORE_SCULPT_H

#include <stdbool.h>
#include <stdint.h>

struct snw_session;

/* Whether the pose that is shown may have an example of the mesh; else a message says what to do. */
bool snw_may_store_sculpt(struct snw_session *session, uint32_t mesh);

/* `points` of the mesh in the pose that is shown (NULL: as it is shown, which the worker works out): the example of that pose gets
 * them, or a new one, called `name` (NULL: after the pose; a pose that nobody has named gets that name). `verb` says what was done to
 * it, for the history. `stroke`: its number in the sculpting session, 0 for none. */
void snw_store_sculpt(struct snw_session *session, const char *verb, const char *name, uint32_t mesh, const double *points,
					  uint32_t stroke);

#endif
