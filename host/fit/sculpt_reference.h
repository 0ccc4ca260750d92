/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sculpt is a change of: the character without sculpts, as the layers under the corrective pose it.
 */
#ifndef SINEW_HOST_FIT_SCULPT_REFERENCE_H
#define SINEW_HOST_FIT_SCULPT_REFERENCE_H

#include "plugin/registry.h"
#include "scene/scene.h"

/* The layer that sculpts go into: the topmost one that is not muted and whose method learns from examples; SNW_NONE where there is
 * none. */
uint32_t snw_reference_layer(const snw_scene *scene, const snw_registry *registry);

/* One mesh under that layer (over the whole stack where there is none) in each of the poses: points[i] is [point_count][3]. */
snw_status snw_reference_points(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, uint32_t pose_count,
								const snw_pose *const *poses, double *const *points, snw_error *error);

/* Makes of a whole sculpt one that knows where it was edited: the points that are further than `tolerance` (metres, along an
 * axis) from where they are `below`. All of them: edited becomes NULL. */
void snw_example_find_edited(snw_example *example, uint32_t point_count, const double *below, double tolerance,
							 snw_arena *arena);

/* Puts the points that the scene's sculpts leave alone where the layers under the corrective have them. */
snw_status snw_examples_settle(snw_scene *scene, const snw_registry *registry, snw_error *error);

#endif
