/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values that brushes paint: the mask and a field. Both are fields of the project. So they are undone with everything else, and
 * deformers, groups and the next session can read them.
 */
#ifndef SINEW_UI_WINDOW_SESSION_PAINTED_VALUES_H
#define SINEW_UI_WINDOW_SESSION_PAINTED_VALUES_H

#include "scene/scene.h"

struct snw_session;

#define SNW_SCULPT_MASK "sculpt-mask"

/* What is painted: the weights of the joint that is chosen, where that is asked for; else the field that is shown as a heat map,
 * else "painted". Never the mask. */
void snw_painted_values_target(const struct snw_session *session, char *name, size_t size, uint32_t *joint);
/* Follows the choice of a field or joint, where nothing is on its way. False while it cannot. */
bool snw_painted_values_follow(struct snw_session *session);

/* A mesh's numbers, one a point, of a field; NULL where the project has no such field. */
const double *snw_painted_values_stored(const snw_scene *scene, uint32_t mesh, const char *name);

/* Takes both from the project, where nothing that has been painted is on its way there. */
void snw_painted_values_read(struct snw_session *session);

/* Shows the values that the chosen brush paints as a heat map. */
void snw_painted_values_show(struct snw_session *session);

/* At the end of a stroke, or of another change: into the project. `is_mask`: the mask, else the field. */
void snw_painted_values_commit(struct snw_session *session, const char *verb, bool is_mask);

#endif
