/* SPDX-License-Identifier: MIT
 *
 * Pose spaces as JSON, for `describe` of a deformer whose coefficients are radial basis functions of the pose: players then
 * drive them live. docs/pose-space.md defines the format.
 *
 *     snk_pose_space_open(&json);
 *     snk_pose_space_group(&json, &group); as often as there are groups
 *     snk_pose_space_close(&json);
 *
 * writes the member "poseSpace" into the object that is open. Nothing allocates; failures are the writer's (json.h).
 */
#ifndef SINEW_KIT_POSE_SPACE_DESCRIPTION_H
#define SINEW_KIT_POSE_SPACE_DESCRIPTION_H

#include "sinew/kit/bytes/json.h"
#include "sinew/kit/pose-space/pose_metric.h"
#include "sinew/kit/pose-space/rbf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One set of functions. A group without poses has no coefficients. */
typedef struct snk_pose_group {
	const char *name;
	uint32_t joint_count;
	const uint32_t *joints;          /* [joint_count]: indices into joint_names */
	const char *const *joint_names;  /* of the skeleton */
	const snk_joint_metric *metrics; /* [joint_count] */
	snk_kernel kernel;
	snk_polynomial polynomial;
	double width;   /* of the kernel, radians */
	int is_clamped; /* coefficients below 0 count as 0, those above 1 as 1 */
	/* The poses at which functions are centred. That with the index coefficient_count is the rest, for a cone. */
	uint32_t pose_count, coefficient_count;
	const double *rotation_vectors; /* [pose_count][joint_count][3] */
	const double *places;           /* [pose_count][joint_count][6]: local translation and scale */
	const char *const *names;       /* [coefficient_count]: of the displacements that they drive */
	/* [pose_count + 1 + coordinates][coefficient_count], as snk_rbf_solve has them: coordinates are SNK_POSE_COORDINATES of
	 * each joint with SNK_POLYNOMIAL_LINEAR, otherwise 0. */
	const double *weights;
} snk_pose_group;

void snk_pose_space_open(snk_json *json);
void snk_pose_space_group(snk_json *json, const snk_pose_group *group);
void snk_pose_space_close(snk_json *json);

#ifdef __cplusplus
}
#endif

#endif
