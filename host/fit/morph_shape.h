/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes that the morph brush moves a sculpt towards, in the pose that is sculpted.
 */
#ifndef SINEW_HOST_FIT_MORPH_SHAPE_H
#define SINEW_HOST_FIT_MORPH_SHAPE_H

#include "plugin/registry.h"
#include "scene/scene.h"

typedef enum snw_morph_kind {
	SNW_MORPH_BELOW = 0, /* the skin below the sculpt */
	SNW_MORPH_REST,      /* the rest, moved by the joints alone: linear blend */
	SNW_MORPH_EXAMPLE,   /* another example */
} snw_morph_kind;

/* The shape of a mesh in a pose (NULL: the rest), [point_count][3] in `arena`. `below` is the skin below the sculpt there. An
 * example's displacement from the skin below it in its own pose is turned with each point, from that pose to this one, by the
 * rotation in the point's blended matrix, and added to `below`. In its own pose it is the example itself. `example` SNW_NONE,
 * or one of another mesh: `below`. */
snw_status snw_morph_shape(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const snw_pose *pose,
						   snw_morph_kind kind, uint32_t example, const double *below, snw_arena *arena, double **points,
						   snw_error *error);

#endif
