/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the sample arm really moves, by formula: a tube swept along a circular arc through the elbow with its cross-section
 * kept, the wrist's twist spread evenly along the forearm. The arc is as long as what it bends, so the volume stays what it is
 * at rest.
 */
#ifndef SINEW_HOST_SAMPLE_ARM_GROUND_TRUTH_H
#define SINEW_HOST_SAMPLE_ARM_GROUND_TRUTH_H

/* Where the joints stand along x, the axis of the tube, metres. The shoulder is at 0. */
#define SNW_ARM_ELBOW 0.30
#define SNW_ARM_WRIST 0.57
/* The arc covers this much of the axis to each side of the elbow. */
#define SNW_ARM_ARC 0.042
/* The furthest that the clips and the sculpts go, radians: 130° and 150°. */
#define SNW_ARM_BEND_MOST 2.2689280275926285
#define SNW_ARM_TWIST_MOST 2.6179938779914944

/* How far the elbow's pivot lies from the axis, toward the inside of the bend (+y). A pivot on the axis would need a shorter
 * axis than the arc has; with this one the arc ends on the skeleton's forearm both at rest and bent by 115°. Elsewhere it ends
 * some millimetres off, which the forearm makes up until the wrist: the hand is where the skeleton has it. */
double snw_arm_pivot(void);

/* A rest point → where it is when the elbow bends about z by `bend` and the wrist twists about x by `twist`. */
void snw_arm_ground_truth(double bend, double twist, const double point_rest[3], double point_posed[3]);

#endif
