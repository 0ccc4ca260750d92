/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Masks given as text: which points of an example a group moves.
 */
#ifndef SINEW_HOST_EXAMPLE_MASKS_H
#define SINEW_HOST_EXAMPLE_MASKS_H

#include "project/project.h"

/* "field:NAME" is an existing field. "x+" and "x-" are the two sides of the plane x = 0 at rest (0.5 on it); the same for y
 * and z. "joints:A,B" is the weight that the skin gives to these joints and all below them. A new mask is stored as the
 * field "mask SPEC" within the open command; an equal field that exists is used again. */
snw_status snw_mask_store(snw_project *project, const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena,
						  int64_t *field, snw_error *error);

/* The same values, without storing a field; those that are made are in `arena`. */
snw_status snw_mask_values(const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena, const double **values,
						   snw_error *error);

#endif
