/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpt layers: named parts of an example's sculpt, each with an opacity and a mute. The example's points are always their
 * sum, so that fits, exports and everything else read the points and know nothing of layers. A change of a layer changes the
 * points by the difference. What was not made in a layer (a sculpt that was read from a file, say) stays in the points.
 */
#ifndef SINEW_HOST_EXAMPLE_SCULPT_LAYERS_H
#define SINEW_HOST_EXAMPLE_SCULPT_LAYERS_H

#include "plugin/registry.h"
#include "project/project.h"

/* A stroke on a layer of less opacity would be stored many times as large. */
#define SNW_LEAST_STROKE_OPACITY 0.05

/* By name; SNW_NONE for none. */
uint32_t snw_sculpt_layer_find(const snw_example *example, const char *name);
/* By id; the topmost one if none has it; SNW_NONE without layers. */
uint32_t snw_sculpt_layer_of_id(const snw_example *example, int64_t id);
/* How much of the layer is in the points: 0 if it is muted. */
double snw_sculpt_layer_amount(const snw_sculpt_layer *layer);

/* The changes below are within an open command. `scene` is the project's current scene, `example` and `layer` indices.
 * SNW_ERROR_CONFLICT, with what to do, if they are not possible. */

/* Adds an empty layer on top, as `name` or, if that is empty, under a free name. In an example without layers, the sculpt so
 * far becomes the layer "base" below it. */
snw_status snw_project_add_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										uint32_t example, const char *name, snw_error *error);
/* Its name, opacity and mute become those of `changed`. */
snw_status snw_project_set_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										uint32_t example, uint32_t layer, const snw_sculpt_layer *changed, snw_error *error);
/* Merges it with the one below. The sum stays. */
snw_status snw_project_merge_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										  uint32_t example, uint32_t layer, snw_error *error);
snw_status snw_project_remove_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										   uint32_t example, uint32_t layer, snw_error *error);

/* In an example in memory: the difference between two sets of points [point_count][3], as far as it is above the tolerance,
 * becomes a part of the layer. The example gets a new list of layers in `arena`. */
void snw_sculpt_layer_add_change(snw_example *example, uint32_t layer, uint32_t point_count, const double *before,
								 const double *after, double tolerance, snw_arena *arena);

#endif
