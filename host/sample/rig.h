/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rigs of characters made by code: joints that rest without rotation, a slot for each, and weights by a function of the rest
 * point.
 */
#ifndef SINEW_HOST_SAMPLE_RIG_H
#define SINEW_HOST_SAMPLE_RIG_H

#include "base/error.h"
#include "scene/scene.h"

typedef struct snw_rig_joint {
	const char *name;
	uint32_t parent; /* SNW_NONE for a root */
	double translation[3];
} snw_rig_joint;

/* Fills the scene's skeleton and slots. The names are borrowed. */
snw_status snw_rig_make(snw_scene *scene, const snw_rig_joint *joints, uint32_t joint_count, snw_error *error);

/* Writes the weight of each slot for a point in rest space. */
typedef void snw_rig_weights(const double rest[3], double *weights);

/* Fills the mesh's influences with the weights above 0. */
void snw_rig_skin(snw_mesh *mesh, uint32_t slot_count, snw_rig_weights *weights, snw_arena *arena);

#endif
