/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Painting the base skin: converts a joint's weights to a field of the mesh and back.
 */
#ifndef SINEW_HOST_EDIT_PAINT_WEIGHTS_H
#define SINEW_HOST_EDIT_PAINT_WEIGHTS_H

#include "project/project.h"

/* The weight of a joint at each point, [point_count]: the sum over its slots; 0 for a mesh without a skin. */
void snw_sculpt_weights(const snw_scene *scene, uint32_t mesh, uint32_t joint, double *values);

/* A base skin in `arena` with these weights of the joint, clamped to 0 to 1. Points whose weight does not change are copied. The
 * other influences of a point share the remaining weight in their old proportions. If there are none, the parent joint gets it; if
 * the parent moves no skin, the point is not changed. SNW_ERROR_MISSING for a mesh without a skin or a joint without a slot. */
snw_status snw_sculpt_weights_apply(const snw_scene *scene, uint32_t mesh, uint32_t joint, const double *values,
									snw_arena *arena, snw_mesh *skin, snw_error *error);

/* Commits such a skin to the project, as one step. */
snw_status snw_sculpt_commit_weights(snw_project *project, const snw_scene *scene, const char *label, uint32_t mesh,
									 uint32_t joint, const double *values, snw_error *error);

#endif
