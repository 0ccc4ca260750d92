/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample/limb/arm_shape.h"

#include <math.h>

#include "sample/limb/arm_ground_truth.h"
#include "sample/tube.h"

double snw_bump(double x, double centre, double width) {
	const double t = (x - centre) / width;
	return exp(-t * t);
}

double snw_smooth_step(double x, double from, double to) {
	const double t = fmin(fmax((x - from) / (to - from), 0), 1);
	return t * t * (3 - 2 * t);
}

double snw_arm_radius(double x) {
	return 0.034 + 0.010 * snw_bump(x, 0.13, 0.09) + 0.008 * snw_bump(x, 0.42, 0.07) - 0.008 * snw_smooth_step(x, 0.45, 0.57) +
		   0.009 * snw_bump(x, 0.66, 0.05);
}

snw_status snw_arm_make_rig(snw_scene *scene, snw_error *error) {
	const double pivot = snw_arm_pivot();
	const snw_rig_joint joints[SNW_ARM_JOINTS] = {{"shoulder", SNW_NONE, {0, 0, 0}},
												  {"elbow", SNW_ARM_SHOULDER_JOINT, {SNW_ARM_ELBOW, pivot, 0}},
												  {"wrist", SNW_ARM_ELBOW_JOINT, {SNW_ARM_WRIST - SNW_ARM_ELBOW, -pivot, 0}}};
	return snw_rig_make(scene, joints, SNW_ARM_JOINTS, error);
}

/* The elbow begins around its joint, the wrist at the middle of the forearm. */
static void find_weights(const double rest[3], double *weights) {
	const double below = snw_smooth_step(rest[0], SNW_ARM_ELBOW - 0.07, SNW_ARM_ELBOW + 0.07);
	const double wrist = snw_smooth_step(rest[0], 0.43, 0.61);
	weights[SNW_ARM_SHOULDER_JOINT] = 1 - below;
	weights[SNW_ARM_ELBOW_JOINT] = below * (1 - wrist);
	weights[SNW_ARM_WRIST_JOINT] = below * wrist;
}

void snw_arm_make_mesh(uint32_t rings, uint32_t sides, snw_arena *arena, snw_mesh *mesh) {
	const snw_tube tube = {.begin = -0.06, .end = 0.71, .dome = 0.8, .rings = rings, .sides = sides, .radius = snw_arm_radius};
	*mesh = (snw_mesh){.name = "arm"};
	snw_tube_build(&tube, arena, mesh);
	snw_rig_skin(mesh, SNW_ARM_JOINTS, find_weights, arena);
}
