/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values that brushes paint: the mask and a field. Both are fields of the project, so undo covers them, and deformers,
 * groups and later sessions can read them.
 */
#ifndef SINEW_UI_WINDOW_SESSION_PAINTED_VALUES_H
#define SINEW_UI_WINDOW_SESSION_PAINTED_VALUES_H

#include "scene/scene.h"
#include "sculpt/sculpt.h"

struct snw_sculpted_part;
struct snw_session;

#define SNW_SCULPT_MASK "sculpt-mask"

/* Whether the weights of the chosen joint are painted, and not a field. */
bool snw_painted_values_are_weights(const struct snw_session *session);
/* What is painted: the weights of the chosen joint, if that is asked for; else the field of the heat map; else "painted".
 * Never the mask. */
void snw_painted_values_target(const struct snw_session *session, char *name, size_t size, uint32_t *joint);
/* Follows the choice of a field or joint, unless values are still being stored. Returns false while it cannot. */
bool snw_painted_values_follow(struct snw_session *session);

/* A field's values for a mesh, one a point; NULL if the project has no such field. */
const double *snw_painted_values_stored(const snw_scene *scene, uint32_t mesh, const char *name);

/* Loads both from the project, unless painted values are still being stored. */
void snw_painted_values_read(struct snw_session *session);

/* Shows the values that the chosen brush paints as a heat map. */
void snw_painted_values_show(struct snw_session *session);

/* The counterpart of the mesh that is painted, if symmetry takes strokes of this kind to it; NULL: none. The weights that they
 * paint there are those of the joint of the other side. */
const struct snw_sculpted_part *snw_painted_values_counterpart(const struct snw_session *session, snw_brush_target target);
/* The joint of the other side; the joint itself in the middle, SNW_NONE for none. */
uint32_t snw_painted_values_partner(const struct snw_session *session, uint32_t joint);

/* Stores the mask or the field in the project, at the end of a stroke or after another change. */
void snw_painted_values_commit(struct snw_session *session, const char *verb, bool is_mask);

/* Whether the stack blends by the skin weights, so that painting them changes what is shown. If not, `layer` has weights of its
 * own. */
bool snw_painted_values_show_through(const struct snw_session *session, uint32_t *layer);

#endif
