/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups of a symmetric sculpt on one mesh: the joint of each side drives its half. With one group, bending one elbow would
 * also show the sculpt of the other.
 */
#ifndef SINEW_HOST_EDIT_DRIVERS_GROUPS_OF_SIDES_H
#define SINEW_HOST_EDIT_DRIVERS_GROUPS_OF_SIDES_H

#include "edit/drivers/choose_driver.h"
#include "edit/drivers/groups.h"
#include "mesh/mirror/mirror.h"

typedef enum snw_sides {
	SNW_SIDES_TOGETHER =
		0, /* one group is right: its joint is in the middle, the sculpt is on its side alone, or both sides need both joints */
	SNW_SIDES_APART,  /* each side has a joint that drives it */
	SNW_SIDES_UNBENT, /* the pose does not bend the joint of the other side, so one joint drives both */
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

#endif
