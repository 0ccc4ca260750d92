/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ground truth of the samples that three poses train, at an angle in radians: `posed` is where a rest point goes.
 */
#ifndef SINEW_HOST_SAMPLE_TRAINED_LIMBS_H
#define SINEW_HOST_SAMPLE_TRAINED_LIMBS_H

/* A section of the bar twists by its share of the bar's length. */
void snw_twist_bar_truth(double angle, const double rest[3], double posed[3]);
/* A section of the forearm twists by its share of the way from elbow to wrist. */
void snw_elbow_truth(double angle, const double rest[3], double posed[3]);
/* The elbow bends, with the volume of the sample arm, and the muscle on the inside of the upper arm grows with the angle. */
void snw_muscle_arm_truth(double angle, const double rest[3], double posed[3]);

#endif
