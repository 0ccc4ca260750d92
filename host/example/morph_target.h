/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Edits morph targets that came with a file, within an open command.
 */
#ifndef SINEW_HOST_EXAMPLE_MORPH_TARGET_H
#define SINEW_HOST_EXAMPLE_MORPH_TARGET_H

#include "project/project.h"

/* The morph target of a mesh that a channel moves; SNW_NONE if there is none. */
uint32_t snw_mesh_shape(const snw_mesh *mesh, uint32_t channel);

/* Changes the shape so that its points are where they are wanted, at rest with this weight alone changed: `wanted` and `shown`,
 * [point_count][3], are as the artist leaves and as the skin was. SNW_ERROR_MISSING if the mesh has no such shape,
 * SNW_ERROR_ARGUMENT for a weight of almost 0. Returns the number of points that the shape moves in *count (may be NULL). */
snw_status snw_project_put_shape_sculpt(snw_project *project, const snw_scene *scene, uint32_t mesh, uint32_t channel,
										double weight, const double *wanted, const double *shown, uint32_t *count,
										snw_error *error);

/* Whether all joints of a pose are at rest, where a shape can be edited. */
bool snw_pose_has_joints_at_rest(const snw_scene *scene, const snw_pose *pose);

#endif
