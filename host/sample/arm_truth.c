/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the sample arm really moves.
 */
#include "sample/arm_truth.h"

#include <math.h>

/* The rigid forearm's end meets the arc's end where 2a/θ · tan(θ/2) = a + p tan(θ/2), both measured from the corner in which
 * the two halves' axes meet: solved for p. */
double snw_arm_pivot(void) {
	const double half = SNW_ARM_BEND_MOST / 2;
	return SNW_ARM_ARC * (1 / half - 1 / tan(half));
}

/* sin(α)/α and (1 − cos α)/α, also where α is 0. */
static double sine_ratio(double angle) {
	return fabs(angle) < 1e-6 ? 1 : sin(angle) / angle;
}

static double versine_ratio(double angle) {
	return fabs(angle) < 1e-6 ? angle / 2 : (1 - cos(angle)) / angle;
}

void snw_arm_truth(double bend, double twist, const double point_rest[3], double point_posed[3]) {
	const double along = point_rest[0];
	const double share = fmin(fmax((along - SNW_ARM_ELBOW) / (SNW_ARM_WRIST - SNW_ARM_ELBOW), 0), 1);
	const double turn = twist * share;
	const double y = point_rest[1] * cos(turn) - point_rest[2] * sin(turn);
	const double z = point_rest[1] * sin(turn) + point_rest[2] * cos(turn);
	/* The axis: straight, the arc, straight again. */
	const double start = SNW_ARM_ELBOW - SNW_ARM_ARC;
	const double in_arc = fmin(fmax(along - start, 0), 2 * SNW_ARM_ARC);
	const double angle = bend * in_arc / (2 * SNW_ARM_ARC);
	const double beyond = fmax(along - start - 2 * SNW_ARM_ARC, 0);
	const double axis_x = fmin(along, start) + in_arc * sine_ratio(angle) + beyond * cos(angle);
	const double axis_y = in_arc * versine_ratio(angle) + beyond * sin(angle);
	point_posed[0] = axis_x - y * sin(angle);
	point_posed[1] = axis_y + y * cos(angle);
	point_posed[2] = z;
}
