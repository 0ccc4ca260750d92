/* SPDX-License-Identifier: MIT
 *
 * An extension of deformers that lower to SNW_PALETTE_MATRICES with the pose's own palette in front, and behind it a slot for
 * each of some helper joints. Exports make joints of them. A plug-in that has it includes this header beside sinew/sinew.h.
 */
#ifndef SINEW_HELPER_JOINTS_H
#define SINEW_HELPER_JOINTS_H

#include "sinew/deformer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The id that snw_deformer.extension is asked for. */
#define SNW_HELPER_JOINTS "org.sinew.helpers/0"

/* A joint that the skeleton does not have. Relative to its parent its slot stretches along the axes that the helper has at
 * rest, then rotates and moves, as long as the parent is rigid. */
typedef struct snw_helper_joint {
	uint32_t size;
	const char *name;
	uint32_t parent;    /* a joint of the skeleton */
	double place[3];    /* in rest space, metres */
	double rotation[4]; /* at rest, of its axes against those of its parent: a unit quaternion; all 0 for none */
	double scale[3];    /* at rest, of its axes against those of its parent; all 0 for none */
} snw_helper_joint;

typedef struct snw_helper_joints {
	uint32_t size;
	/* The helpers of a model, in the order of their slots: [count], and as long as the model lives. */
	void(SNW_CALL *list)(const snw_model *model, uint32_t *count, const snw_helper_joint *const **helpers) SNW_ANY_THREAD;
} snw_helper_joints;

#ifdef __cplusplus
}
#endif

#endif
