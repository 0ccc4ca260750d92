/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The halves of a mesh: masks by which the groups of both sides share a symmetric sculpt. A field is a half if it has the name
 * and the values of one: the user may have made another field of that name.
 */
#ifndef SINEW_HOST_EDIT_DRIVERS_HALVES_H
#define SINEW_HOST_EDIT_DRIVERS_HALVES_H

#include "mesh/mirror/mirror.h"

/* The left half is on the side of larger coordinates, as the character sees it. */
typedef struct snw_half {
	uint32_t mesh;
	snw_mirror_plane plane; /* between the halves */
	bool is_left;
} snw_half;

/* The field that is this half; SNW_NONE if the mesh has none. */
uint32_t snw_half_find(const snw_scene *scene, const snw_half *half);
/* Whether a mask (an index; SNW_NONE: none) is a half on either side of a plane, and which. */
bool snw_mask_is_half(const snw_scene *scene, uint32_t mask, const snw_mirror_plane *plane, bool *is_left);
/* A field for the half, not in the scene yet: it passes softly into the other half. Called "left half" or "right half", with a
 * number if the mesh has another field of that name. In `arena`. */
snw_field snw_half_make(const snw_scene *scene, const snw_half *half, snw_arena *arena);

#endif
