/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formula of the sample arm.
 */
#include "sample/limb/arm_ground_truth.h"

#include <math.h>

/* The end of the rigid forearm meets the end of the arc if 2a/θ · tan(θ/2) = a + p tan(θ/2), both measured from the corner
 * in which the axes of the two halves meet. Solved for p. */
double snw_arm_pivot(void) {
	const double half = 57.5 * 3.14159265358979323846 / 180;
	return SNW_ARM_ARC * (1 / half - 1 / tan(half));
}

/* sin(α)/α and (1 − cos α)/α, also at α = 0. */
static double sine_ratio(double angle) {
	return fabs(angle) < 1e-6 ? 1 : sin(angle) / angle;
}

static double versine_ratio(double angle) {
	return fabs(angle) < 1e-6 ? angle / 2 : (1 - cos(angle)) / angle;
}

static double clamp_share(double x, double from, double to) {
	return fmin(fmax((x - from) / (to - from), 0), 1);
}

/* The axis at `along`: straight, the arc, straight again. Returns the angle of its tangent. */
static double arc_axis(double bend, double along, double axis[2]) {
	const double start = SNW_ARM_ELBOW - SNW_ARM_ARC;
	const double in_arc = fmin(fmax(along - start, 0), 2 * SNW_ARM_ARC);
	const double angle = bend * in_arc / (2 * SNW_ARM_ARC);
	const double beyond = fmax(along - start - 2 * SNW_ARM_ARC, 0);
	axis[0] = fmin(along, start) + in_arc * sine_ratio(angle) + beyond * cos(angle);
	axis[1] = in_arc * versine_ratio(angle) + beyond * sin(angle);
	return angle;
}

/* The distance of the skeleton's wrist from the end of the arc's tangent. */
static void wrist_gap(double bend, double gap[2]) {
	const double pivot = snw_arm_pivot(), forearm = SNW_ARM_WRIST - SNW_ARM_ELBOW;
	double wrist[2];
	arc_axis(bend, SNW_ARM_WRIST, wrist);
	gap[0] = SNW_ARM_ELBOW + forearm * cos(bend) + pivot * sin(bend) - wrist[0];
	gap[1] = pivot + forearm * sin(bend) - pivot * cos(bend) - wrist[1];
}

void snw_arm_ground_truth(double bend, double twist, const double point_rest[3], double point_posed[3]) {
	const double along = point_rest[0];
	const double twist_angle = twist * clamp_share(along, SNW_ARM_ELBOW, SNW_ARM_WRIST);
	const double y = point_rest[1] * cos(twist_angle) - point_rest[2] * sin(twist_angle);
	const double z = point_rest[1] * sin(twist_angle) + point_rest[2] * cos(twist_angle);
	const double share = clamp_share(along, SNW_ARM_ELBOW, SNW_ARM_WRIST), smooth = share * share * (3 - 2 * share);
	double axis[2], gap[2];
	const double angle = arc_axis(bend, along, axis);
	wrist_gap(bend, gap);
	point_posed[0] = axis[0] + smooth * gap[0] - y * sin(angle);
	point_posed[1] = axis[1] + smooth * gap[1] + y * cos(angle);
	point_posed[2] = z;
}
