/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A character that was changed in another program replaces the old one; poses, sculpts, groups, targets and layers are
 * transferred to it.
 *
 * Joints, meshes and clips are the same where their names are (two scenes of one mesh each: those), points where the faces are.
 * Poses keep each joint's rotation, translation and scale relative to rest. A sculpt stays as sculpted; a point that the new rest
 * or the new joints displace is displaced with them, by the old base skin's weights. Changed weights displace no sculpt.
 */
#ifndef SINEW_HOST_TRANSFER_TRANSFER_H
#define SINEW_HOST_TRANSFER_TRANSFER_H

#include "scene/scene.h"

typedef struct snw_transfer {
	/* The character of the new scene with the work of the old one. Rows that stay the same keep their ids; those of new rows are
	 * 0. Its arrays are in `arena`, or those of the two scenes, which must outlive it. */
	snw_scene scene;
	bool *example_moved; /* [example_count]: the sculpt was displaced with the rig */

	uint32_t joints_added, joints_gone, joints_moved;
	uint32_t meshes_added, meshes_gone;
	uint32_t points_moved;  /* of the rest */
	uint32_t skins_changed; /* meshes whose influences or weights are others */
	uint32_t clips_renewed, clips_added, clips_kept;
	uint32_t examples_moved;
} snw_transfer;

/* SNW_ERROR_CONFLICT where something of the old scene has no place in the new one, with what it is and what differs: another
 * topology, or a joint, mesh or channel that is gone and in use. */
snw_status snw_scene_transfer(const snw_scene *old, const snw_scene *fresh, snw_arena *arena, snw_transfer *transfer,
							  snw_error *error);

#endif
