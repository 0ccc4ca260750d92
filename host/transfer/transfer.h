/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A character that was changed in another program replaces the old one; poses, sculpts, groups, targets and layers are
 * transferred to it.
 *
 * Joints, meshes and clips match by name (if both scenes have one mesh, these match), points by the faces, or by their
 * places. Poses keep each joint's rotation, translation and scale relative to rest. A sculpt keeps its shape; a point that
 * the new rest or the new joints displace is displaced with them, by the weights of the old base skin. Changed weights
 * displace no sculpt.
 */
#ifndef SINEW_HOST_TRANSFER_TRANSFER_H
#define SINEW_HOST_TRANSFER_TRANSFER_H

#include "scene/scene.h"

typedef struct snw_transfer {
	/* The character of the new scene with the work from the old one. Unchanged rows keep their ids; new rows have the id 0.
	 * Its arrays are in `arena` or belong to the two scenes, which must outlive it. */
	snw_scene scene;
	bool *example_moved; /* [example_count]: the sculpt was displaced with the rig */

	uint32_t joints_added, joints_gone, joints_moved;
	uint32_t meshes_added, meshes_gone;
	uint32_t meshes_ordered;  /* whose points had another order, and were matched by their places */
	uint32_t meshes_replaced; /* with other points or faces, which nothing of the old scene needed */
	uint32_t points_moved;    /* of the rest */
	uint32_t skins_changed;   /* meshes whose influences or weights changed */
	uint32_t clips_renewed, clips_added, clips_kept;
	uint32_t examples_moved;
} snw_transfer;

/* SNW_ERROR_CONFLICT if something of the old scene cannot be transferred; the message says what and why: another topology of a
 * mesh that has sculpts, targets, fields or fitted layers, or a missing joint, mesh or channel that is in use. */
snw_status snw_scene_transfer(const snw_scene *old, const snw_scene *fresh, snw_arena *arena, snw_transfer *transfer,
							  snw_error *error);

/* Whether sculpts, targets, fields or models need the points of a mesh as they are. Where they do and a mesh has other faces,
 * the old scene is taken to these first (remesh/remesh.h). */
bool snw_transfer_needs_points(const snw_scene *scene, uint32_t mesh);

#endif
