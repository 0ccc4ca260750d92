/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ground truth of the sample arm, by a formula: a tube swept along a circular arc through the elbow with a constant
 * cross-section, and the wrist's twist spread evenly along the forearm. The arc is as long as the part that it bends, so the
 * volume is that of the rest.
 */
#ifndef SINEW_HOST_SAMPLE_LIMB_ARM_GROUND_TRUTH_H
#define SINEW_HOST_SAMPLE_LIMB_ARM_GROUND_TRUTH_H

/* The positions of the joints along x, the axis of the tube, metres. The shoulder is at 0. */
#define SNW_ARM_ELBOW 0.30
#define SNW_ARM_WRIST 0.57
/* The arc covers this much of the axis to each side of the elbow. */
#define SNW_ARM_ARC 0.042
/* The largest angles in the clips and the sculpts, radians: 130° and 150°. */
#define SNW_ARM_BEND_MOST 2.2689280275926285
#define SNW_ARM_TWIST_MOST 2.6179938779914944

/* The distance of the elbow's pivot from the axis, toward the inside of the bend (+y). A pivot on the axis would need a
 * shorter axis than the arc has. With this one the arc ends on the skeleton's forearm at rest and at 115°. At other angles
 * it ends some millimetres off, which the forearm compensates up to the wrist: the hand is always where the skeleton puts
 * it. */
double snw_arm_pivot(void);

/* Maps a rest point to its position when the elbow bends about z by `bend` and the wrist twists about x by `twist`. */
void snw_arm_ground_truth(double bend, double twist, const double point_rest[3], double point_posed[3]);

#endif
