/* SPDX-License-Identifier: MIT
 *
 * An extension of deformers whose fit learns from samples (SNW_NEEDS_SAMPLES) what engines play, within limits: `sinew bake` fits
 * them to what any stack makes. A plug-in that has it includes this header beside sinew/sinew.h.
 */
#ifndef SINEW_BAKE_H
#define SINEW_BAKE_H

#include "sinew/deformer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The id that snw_deformer.extension is asked for. */
#define SNW_BAKE "org.sinew.bake/0"

/* The table: the keys of the integer parameters that hold the limits. NULL for a limit that the method does not have.
 *   influences     with SNW_REPLACES_BLEND: it lowers to a linear blend of the joints with at most so many weights a point, none of
 *                  them negative
 *   displacements  without: it lowers to at most so many rest displacements a mesh over the layers below
 *   helpers        with `influences`: the blend has at most so many helper joints as well, and the deformer has SNW_HELPER_JOINTS
 *   joints         with `influences`: at most so many of the character's joints move points, helpers not counted; 0: any number
 *   proxies        with `influences`: each mesh is a blend of a palette of its own instead (SNW_PALETTE_COMBINED or
 *                  SNW_PALETTE_MATRICES), of which at most so many slots move its points */
typedef struct snw_bake_limits {
	uint32_t size;
	const char *influences;
	const char *displacements;
	const char *helpers;
	const char *joints;
	const char *proxies;
} snw_bake_limits;

/* The id of another extension: of deformers that lower to SNW_PALETTE_MATRICES with the pose's own palette in front, and behind it a
 * slot for each of some helper joints. Exports make joints of them. */
#define SNW_HELPER_JOINTS "org.sinew.helpers/0"

/* A joint that the skeleton does not have. Relative to its parent its slot stretches along the rest axes of the parent, then
 * rotates and moves, as long as the parent is rigid. */
typedef struct snw_helper_joint {
	const char *name;
	uint32_t parent; /* a joint of the skeleton */
	double place[3]; /* in rest space, metres */
} snw_helper_joint SNW_FROZEN;

typedef struct snw_helper_joints {
	uint32_t size;
	/* The helpers of a model, in the order of their slots: [count], and as long as the model lives. */
	void(SNW_CALL *list)(const snw_model *model, uint32_t *count, const snw_helper_joint **helpers) SNW_ANY_THREAD;
} snw_helper_joints;

#ifdef __cplusplus
}
#endif

#endif
