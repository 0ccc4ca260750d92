/* SPDX-License-Identifier: MIT
 *
 * Small algebra in double that a deformer and the host share: vectors, quaternions (x, y, z, w) and 3×4 matrices,
 * row-major. `dest` is last and may be one of the inputs. Header only; not part of the binary interface.
 */
#ifndef SINEW_ALGEBRA_H
#define SINEW_ALGEBRA_H

#include <math.h>
#include <string.h>

#include "sinew/view.h"

static inline double snw_dot3(const double a[3], const double b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double snw_length3(const double a[3]) {
	return sqrt(snw_dot3(a, a));
}

static inline double snw_squared_distance3(const double a[3], const double b[3]) {
	const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
	return x * x + y * y + z * z;
}

static inline void snw_cross3(const double a[3], const double b[3], double dest[3]) {
	const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
	dest[0] = x;
	dest[1] = y;
	dest[2] = z;
}

/* A zero vector stays zero. */
static inline void snw_normalize3(double v[3]) {
	const double length = snw_length3(v);
	if (length > 0) {
		for (int i = 0; i < 3; i++) {
			v[i] /= length;
		}
	}
}

static inline void snw_mat34_identity(double dest[12]) {
	static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
	memcpy(dest, identity, sizeof identity);
}

/* dest = a · b, both completed by the row 0 0 0 1. */
static inline void snw_mat34_multiply(const double a[12], const double b[12], double dest[12]) {
	double m[12];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			m[4 * r + c] = a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c] + (c == 3 ? a[4 * r + 3] : 0);
		}
	}
	memcpy(dest, m, sizeof m);
}

static inline void snw_mat34_point(const double m[12], const double p[3], double dest[3]) {
	const double x = p[0], y = p[1], z = p[2];
	for (int r = 0; r < 3; r++) {
		dest[r] = m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3];
	}
}

static inline void snw_mat34_vector(const double m[12], const double v[3], double dest[3]) {
	const double x = v[0], y = v[1], z = v[2];
	for (int r = 0; r < 3; r++) {
		dest[r] = m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z;
	}
}

static inline double snw_mat34_determinant(const double m[12]) {
	return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/* Returns 0, and leaves dest alone, where the linear part has no inverse. */
static inline int snw_mat34_invert(const double m[12], double dest[12]) {
	const double det = snw_mat34_determinant(m);
	if (det == 0 || !isfinite(det)) {
		return 0;
	}
	double r[12];
	r[0] = (m[5] * m[10] - m[6] * m[9]) / det;
	r[1] = (m[2] * m[9] - m[1] * m[10]) / det;
	r[2] = (m[1] * m[6] - m[2] * m[5]) / det;
	r[4] = (m[6] * m[8] - m[4] * m[10]) / det;
	r[5] = (m[0] * m[10] - m[2] * m[8]) / det;
	r[6] = (m[2] * m[4] - m[0] * m[6]) / det;
	r[8] = (m[4] * m[9] - m[5] * m[8]) / det;
	r[9] = (m[1] * m[8] - m[0] * m[9]) / det;
	r[10] = (m[0] * m[5] - m[1] * m[4]) / det;
	for (int i = 0; i < 3; i++) {
		r[4 * i + 3] = -(r[4 * i] * m[3] + r[4 * i + 1] * m[7] + r[4 * i + 2] * m[11]);
	}
	memcpy(dest, r, sizeof r);
	return 1;
}

static inline void snw_quat_multiply(const double a[4], const double b[4], double dest[4]) {
	const double q[4] = {
		a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
		a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
		a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
		a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
	};
	memcpy(dest, q, sizeof q);
}

static inline void snw_quat_conjugate(const double q[4], double dest[4]) {
	dest[0] = -q[0];
	dest[1] = -q[1];
	dest[2] = -q[2];
	dest[3] = q[3];
}

static inline double snw_quat_dot(const double a[4], const double b[4]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* A zero quaternion becomes the identity. */
static inline void snw_quat_normalize(double q[4]) {
	const double length = sqrt(snw_quat_dot(q, q));
	for (int i = 0; i < 4; i++) {
		q[i] = length > 0 ? q[i] / length : i == 3;
	}
}

/* The rotation by |v| radians about v. */
static inline void snw_quat_from_rotation_vector(const double v[3], double dest[4]) {
	const double angle = snw_length3(v);
	const double scale = angle > 1e-8 ? sin(angle / 2) / angle : 0.5 - angle * angle / 48;
	const double w = cos(angle / 2);
	for (int i = 0; i < 3; i++) {
		dest[i] = v[i] * scale;
	}
	dest[3] = w;
}

/* The shortest rotation vector of a unit quaternion: its length is at most π. */
static inline void snw_quat_to_rotation_vector(const double q[4], double dest[3]) {
	const double sine = snw_length3(q);
	const double sign = q[3] < 0 ? -1 : 1;
	const double angle = 2 * atan2(sine, fabs(q[3]));
	const double scale = sine > 1e-12 ? sign * angle / sine : 2 * sign;
	for (int i = 0; i < 3; i++) {
		dest[i] = q[i] * scale;
	}
}

/* The linear part of dest becomes the rotation of the unit quaternion, its translation 0. */
static inline void snw_quat_to_mat34(const double q[4], double dest[12]) {
	const double x = q[0], y = q[1], z = q[2], w = q[3];
	const double m[12] = {
		1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),     0,
		2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),     0,
		2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y), 0,
	};
	memcpy(dest, m, sizeof m);
}

/* The unit quaternion of a matrix whose linear part is a rotation; w is not negative. */
static inline void snw_quat_from_mat34(const double m[12], double dest[4]) {
	const double trace = m[0] + m[5] + m[10];
	double q[4];
	if (trace > 0) {
		q[3] = 1 + trace;
		q[0] = m[9] - m[6];
		q[1] = m[2] - m[8];
		q[2] = m[4] - m[1];
	} else if (m[0] >= m[5] && m[0] >= m[10]) {
		q[0] = 1 + m[0] - m[5] - m[10];
		q[1] = m[1] + m[4];
		q[2] = m[2] + m[8];
		q[3] = m[9] - m[6];
	} else if (m[5] >= m[10]) {
		q[0] = m[1] + m[4];
		q[1] = 1 + m[5] - m[0] - m[10];
		q[2] = m[6] + m[9];
		q[3] = m[2] - m[8];
	} else {
		q[0] = m[2] + m[8];
		q[1] = m[6] + m[9];
		q[2] = 1 + m[10] - m[0] - m[5];
		q[3] = m[4] - m[1];
	}
	snw_quat_normalize(q);
	const double sign = q[3] < 0 ? -1 : 1;
	for (int i = 0; i < 4; i++) {
		dest[i] = sign * q[i];
	}
}

static inline void snw_transform_to_mat34(const snw_transform *t, double dest[12]) {
	snw_quat_to_mat34(t->rotation, dest);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			dest[4 * r + c] *= t->scale[c];
		}
		dest[4 * r + 3] = t->translation[r];
	}
}

/* A unit vector perpendicular to v; the x axis where v is zero. */
static inline void snw_perpendicular3(const double v[3], double dest[3]) {
	double unit[3] = {v[0], v[1], v[2]};
	int least = 0;
	snw_normalize3(unit);
	for (int i = 1; i < 3; i++) {
		least = fabs(unit[i]) < fabs(unit[least]) ? i : least;
	}
	const double along = unit[least];
	for (int i = 0; i < 3; i++) {
		dest[i] = (i == least) - along * unit[i];
	}
	snw_normalize3(dest);
}

/* The nearest translation, rotation and scale by Gram and Schmidt on the columns: exact where the matrix has no shear. A
 * mirrored matrix gets a negative scale on x. A column without length (a scale of 0) becomes perpendicular to the others. */
static inline void snw_transform_from_mat34(const double m[12], snw_transform *dest) {
	double column[3][3];
	for (int c = 0; c < 3; c++) {
		for (int r = 0; r < 3; r++) {
			column[c][r] = m[4 * r + c];
		}
		dest->translation[c] = m[4 * c + 3];
		dest->scale[c] = snw_length3(column[c]);
	}
	if (snw_mat34_determinant(m) < 0) {
		dest->scale[0] = -dest->scale[0];
		for (int r = 0; r < 3; r++) {
			column[0][r] = -column[0][r];
		}
	}
	if (dest->scale[0] == 0) {
		snw_cross3(column[1], column[2], column[0]);
	}
	if (snw_length3(column[0]) == 0) {
		snw_perpendicular3(dest->scale[1] > 0 ? column[1] : column[2], column[0]);
	}
	snw_normalize3(column[0]);
	const double along = snw_dot3(column[0], column[1]);
	for (int r = 0; r < 3; r++) {
		column[1][r] -= along * column[0][r];
	}
	/* What remains of a column parallel to the first is rounding. */
	if (snw_length3(column[1]) <= 1e-14 * dest->scale[1]) {
		snw_cross3(column[2], column[0], column[1]);
	}
	if (snw_length3(column[1]) == 0) {
		snw_perpendicular3(column[0], column[1]);
	}
	snw_normalize3(column[1]);
	snw_cross3(column[0], column[1], column[2]);
	double rotation[12] = {0};
	for (int c = 0; c < 3; c++) {
		for (int r = 0; r < 3; r++) {
			rotation[4 * r + c] = column[c][r];
		}
	}
	snw_quat_from_mat34(rotation, dest->rotation);
}

/* The rotation in a matrix as 3×3, row-major: its columns made orthonormal as above. F_l of a skin program is this of the
 * joint's global matrix. */
static inline void snw_mat34_rotation(const double m[12], double dest[9]) {
	snw_transform parts;
	double rotation[12];
	snw_transform_from_mat34(m, &parts);
	snw_quat_to_mat34(parts.rotation, rotation);
	for (int i = 0; i < 9; i++) {
		dest[i] = rotation[4 * (i / 3) + i % 3];
	}
}

#endif
