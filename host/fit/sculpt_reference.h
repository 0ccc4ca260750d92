/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reference of a sculpt: the skin without sculpts, from the layers below the corrective.
 */
#ifndef SINEW_HOST_FIT_SCULPT_REFERENCE_H
#define SINEW_HOST_FIT_SCULPT_REFERENCE_H

#include "plugin/registry.h"
#include "scene/scene.h"

/* The layer that learns from sculpts: the topmost unmuted one whose method needs examples; SNW_NONE if there is none. */
uint32_t snw_reference_layer(const snw_scene *scene, const snw_registry *registry);

/* One mesh below that layer (through the whole stack if there is none) in each pose: points[i] is [point_count][3]. */
snw_status snw_reference_points(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, uint32_t pose_count,
								const snw_pose *const *poses, double *const *points, snw_error *error);

/* Finds the edited points of a sculpt: those farther than `tolerance` (metres, along an axis) from `below`. If all are,
 * `edited` becomes NULL. */
void snw_example_find_edited(snw_example *example, uint32_t point_count, const double *below, double tolerance,
							 snw_arena *arena);

/* Places the unedited points of the scene's examples where the layers below the corrective put them; without a corrective,
 * where the stack puts them, but for a learned blend, which gives way to the blend that it replaces. */
snw_status snw_examples_place_unedited(snw_scene *scene, const snw_registry *registry, snw_error *error);

/* The example of a mesh in a pose, which may be a moment of a clip: of this pose, else of one that is the same; SNW_NONE if
 * there is none. */
uint32_t snw_sculpt_example(const snw_scene *scene, uint32_t mesh, const snw_pose *pose);

/* The initial points of a sculpt on a mesh in a pose, [point_count][3] each, in `arena`. `original` is the skin without
 * sculpts: the layers below the corrective. `points` is the example (an index, SNW_NONE for none) at its edited points and the
 * original elsewhere; without an example, the skin of the whole stack. `corrective` is the reference layer. */
snw_status snw_sculpt_points(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const snw_pose *pose,
							 uint32_t example, uint32_t corrective, snw_arena *arena, double **points, double **original,
							 snw_error *error);

/* ---- morph shape --------------------------------------------------------------------------------------------------------- */

/* Shapes that the morph brush moves a sculpt towards, in the pose that is sculpted. */

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
