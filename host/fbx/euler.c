/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Euler angles: FBX turns about the first axis of an order first.
 */
#include <math.h>
#include <string.h>

#include "fbx/format.h"
#include "sinew/algebra.h"

#define PI 3.14159265358979323846

void snw_fbx_euler(const double degrees[3], int order, double rotation[4]) {
	static const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
	double product[4] = {0, 0, 0, 1};
	for (int i = 0; i < 3; i++) {
		const int axis = axes[order][i];
		const double half = degrees[axis] * (PI / 360);
		double about_axis[4] = {0, 0, 0, cos(half)};
		about_axis[axis] = sin(half);
		snw_quat_multiply(about_axis, product, product);
	}
	memcpy(rotation, product, sizeof product);
}

/* Where the middle axis is turned by a right angle the other two are one: then all of it goes to the first of the order. */
void snw_fbx_angles(const double rotation[4], int order, double degrees[3]) {
	const bool is_xyz = order == SNW_FBX_XYZ;
	double m[12];
	snw_quat_to_mat34(rotation, m);
	const double sine = is_xyz ? -m[8] : m[2];
	const double cosine = is_xyz ? hypot(m[0], m[4]) : hypot(m[0], m[1]);
	double x = is_xyz ? atan2(m[9], m[10]) : atan2(-m[6], m[10]);
	double z = is_xyz ? atan2(m[4], m[0]) : atan2(-m[1], m[0]);
	if (cosine < 1e-7) {
		x = is_xyz ? atan2(-m[6], m[5]) : 0;
		z = is_xyz ? 0 : atan2(m[4], m[5]);
	}
	degrees[0] = 180 / PI * x;
	degrees[1] = 180 / PI * atan2(sine, cosine);
	degrees[2] = 180 / PI * z;
}
