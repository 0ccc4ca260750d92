/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arm: its shape at rest, and what its skin looks like when it bends.
 */
#ifndef SINEW_HOST_SAMPLE_ARM_H
#define SINEW_HOST_SAMPLE_ARM_H

#include "sample/rig.h"

/* What the samples "arm" and "muscle-arm" share: shape, joints and weights. */

enum { SNW_ARM_SHOULDER_JOINT, SNW_ARM_ELBOW_JOINT, SNW_ARM_WRIST_JOINT, SNW_ARM_JOINTS };

/* The mesh "arm" with its weights. */
void snw_arm_make_mesh(uint32_t rings, uint32_t sides, snw_arena *arena, snw_mesh *mesh);
/* The rig, whose joints are on the shape's axis but for the elbow, whose pivot is beside it. */
snw_status snw_arm_make_rig(snw_scene *scene, snw_error *error);

/* The radius at a distance from the shoulder, metres: biceps, forearm, wrist, hand. */
double snw_arm_radius(double x);

/* exp(−((x − centre) / width)²). */
double snw_bump(double x, double centre, double width);

/* The ground truth of the sample arm, by a formula: a tube swept along a circular arc through the elbow with a constant
 * cross-section, and the wrist's twist spread evenly along the forearm. The arc is as long as the part that it bends, so the
 * volume is that of the rest. */

/* The positions of the joints along x, the axis of the tube, metres. The shoulder is at 0. */
#define SNW_ARM_ELBOW 0.30
#define SNW_ARM_WRIST 0.57
/* The arc covers this much of the axis to each side of the elbow. */
#define SNW_ARM_ARC 0.042
/* The largest angles in the clips and the sculpts, radians: 130° and 150°. */
#define SNW_ARM_BEND_MOST 2.2689280275926285
#define SNW_ARM_TWIST_MOST 2.6179938779914944

/* Maps a rest point to its position when the elbow bends about z by `bend` and the wrist twists about x by `twist`. */
void snw_arm_ground_truth(double bend, double twist, const double point_rest[3], double point_posed[3]);

#endif
