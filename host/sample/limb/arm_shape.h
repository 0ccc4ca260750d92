/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the samples "arm" and "muscle-arm" share: shape, joints and weights.
 */
#ifndef SINEW_HOST_SAMPLE_LIMB_ARM_SHAPE_H
#define SINEW_HOST_SAMPLE_LIMB_ARM_SHAPE_H

#include "sample/rig.h"

enum { SNW_ARM_SHOULDER_JOINT, SNW_ARM_ELBOW_JOINT, SNW_ARM_WRIST_JOINT, SNW_ARM_JOINTS };

/* The mesh "arm" with its weights. */
void snw_arm_make_mesh(uint32_t rings, uint32_t sides, snw_arena *arena, snw_mesh *mesh);
/* The rig, whose joints are on the shape's axis but for the elbow (snw_arm_pivot). */
snw_status snw_arm_make_rig(snw_scene *scene, snw_error *error);

/* The radius at a distance from the shoulder, metres: biceps, forearm, wrist, hand. */
double snw_arm_radius(double x);

/* exp(−((x − centre) / width)²). */
double snw_bump(double x, double centre, double width);
/* From 0 to 1 between two places, level at both ends. */
double snw_smooth_step(double x, double from, double to);

#endif
