/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups of a symmetric sculpt on one mesh: the joint of each side drives its half. With one group, bending one elbow would
 * also show the sculpt of the other. The halves of a mesh are masks by which both groups share it. A field is a half if it has
 * the name and the values of one: the user may have made another field of that name.
 */
#ifndef SINEW_HOST_EXAMPLE_SIDES_H
#define SINEW_HOST_EXAMPLE_SIDES_H

#include "example/driver.h"
#include "example/groups.h"
#include "mesh/mirror.h"
#include "project/project.h"

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

typedef enum snw_sides {
	SNW_SIDES_TOGETHER =
		0, /* one group is right: its joint is in the middle, the sculpt is on its side alone, or both sides need both joints */
	SNW_SIDES_APART, /* each side has a joint that drives it */
	/* One joint drives both: */
	SNW_SIDES_UNBENT,  /* the pose does not bend the joint of the other side */
	SNW_SIDES_UNMOVED, /* it does, but that joint hardly moves what was sculpted on its side */
} snw_sides;

typedef struct snw_groups_of_sides {
	snw_sides sides;
	snw_group_choice group, other; /* if they are apart */
	bool other_is_left;            /* on the side of larger x */
	uint32_t partner;              /* the joint of the other side */
} snw_groups_of_sides;

/* The only group of an example, if one joint drives it, it takes the whole sculpt and the user has not chosen it; SNW_NONE
 * otherwise. */
uint32_t snw_group_to_part(const snw_scene *scene, uint32_t example);

/* `query` is the sculpt, `plane` that of its symmetry (sculpt/symmetry_plane.h), and `drivers` the joints that could drive it
 * (snw_find_drivers). `example` is one that has been stored before (an index; SNW_NONE: none): it stays together if the user
 * has chosen its driver, or if it is in several groups or under a mask, since the user has arranged that. Names are in
 * `arena`. */
snw_groups_of_sides snw_choose_groups_of_sides(const snw_scene *scene, const snw_driver_query *query,
											   const snw_mirror_plane *plane, uint32_t example, uint32_t driver_count,
											   const snw_driver *drivers, snw_arena *arena);

/* ---- masks --------------------------------------------------------------------------------------------------------------- */

/* Masks given as text: which points of an example a group moves. */

/* "field:NAME" is an existing field. "x+" and "x-" are the two sides of the plane x = 0 at rest (0.5 on it); the same for y
 * and z. "joints:A,B" is the weight that the skin gives to these joints and all below them. A new mask is stored as the
 * field "mask SPEC" within the open command; an equal field that exists is used again. */
snw_status snw_mask_store(snw_project *project, const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena,
						  int64_t *field, snw_error *error);

/* The same values, without storing a field; those that are made are in `arena`. */
snw_status snw_mask_values(const snw_scene *scene, uint32_t mesh, const char *spec, snw_arena *arena, const double **values,
						   snw_error *error);

#endif
