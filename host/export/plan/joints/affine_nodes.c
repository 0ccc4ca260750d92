/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/plan/joints/affine_nodes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/numbers.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/svd3.h"

static const double LEAST_SCALE = 1e-4;  /* smaller scales, of either sign, are replaced by this one */
static const double EQUAL_VALUES = 1e-5; /* relative to the largest: values this near count as equal */

typedef snk_svd3 decomposition; /* here U and V are rotations, s is in any order, and mirrored matrices have a negative one */

static double held_off_zero(double scale) {
	return copysign(fmax(fabs(scale), LEAST_SCALE), scale);
}

static void negate_column(double m[9], int column) {
	for (int r = 0; r < 3; r++) {
		m[3 * r + column] = -m[3 * r + column];
	}
}

static void decompose(const double matrix[12], decomposition *d) {
	static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	double a[9];
	for (int r = 0; r < 3; r++) {
		memcpy(a + 3 * r, matrix + 4 * r, 3 * sizeof *a);
	}
	snk_svd3_compute(snw_all_finite(a, 9) ? a : identity, d);
	if (snk_determinant3(d->u) < 0) {
		negate_column(d->u, 2);
		d->s[2] = -d->s[2];
	}
	if (snk_determinant3(d->v) < 0) {
		negate_column(d->v, 2);
		d->s[2] = -d->s[2];
	}
	for (int c = 0; c < 3; c++) {
		d->s[c] = held_off_zero(d->s[c]);
	}
}

static void quaternion_of(const double m[9], double q[4]) {
	const double matrix[12] = {m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0};
	snw_quat_from_mat34(matrix, q);
}

static void rotation_of(const double q[4], double m[9]) {
	double matrix[12];
	snw_quat_to_mat34(q, matrix);
	for (int r = 0; r < 3; r++) {
		memcpy(m + 3 * r, matrix + 4 * r, 3 * sizeof *m);
	}
}

/* Rotates columns a and b of both U and V by the angle that makes those of V nearest to `before`. */
static void align_pair(decomposition *d, const double before[9], int a, int b) {
	double along = 0, across = 0;
	for (int r = 0; r < 3; r++) {
		along += d->v[3 * r + a] * before[3 * r + a] + d->v[3 * r + b] * before[3 * r + b];
		across += d->v[3 * r + b] * before[3 * r + a] - d->v[3 * r + a] * before[3 * r + b];
	}
	const double length = hypot(along, across);
	if (!(length > 0)) {
		return;
	}
	const double cosine = along / length, sine = across / length;
	for (int side = 0; side < 2; side++) {
		double *m = side ? d->v : d->u;
		for (int r = 0; r < 3; r++) {
			const double x = m[3 * r + a], y = m[3 * r + b];
			m[3 * r + a] = cosine * x + sine * y;
			m[3 * r + b] = cosine * y - sine * x;
		}
	}
}

/* If all values are equal, the matrix is a rotation with a uniform scale, and V can stay the same. */
static void keep_v(decomposition *d, const double before[9]) {
	double u[9];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			u[3 * r + c] = 0;
			for (int k = 0; k < 3; k++) {
				double rotated = 0; /* (Vᵀ V_before)_kc */
				for (int i = 0; i < 3; i++) {
					rotated += d->v[3 * i + k] * before[3 * i + c];
				}
				u[3 * r + c] += d->u[3 * r + k] * rotated;
			}
		}
	}
	memcpy(d->u, u, sizeof u);
	memcpy(d->v, before, sizeof d->v);
}

/* The decomposition with its columns in another order and with other signs: one of the 24 rotations of a cube. */
static decomposition permuted(const decomposition *d, const int order[3], unsigned signs) {
	decomposition other;
	for (int c = 0; c < 3; c++) {
		const double sign = signs >> c & 1 ? -1 : 1;
		other.s[c] = d->s[order[c]];
		for (int r = 0; r < 3; r++) {
			other.u[3 * r + c] = sign * d->u[3 * r + order[c]];
			other.v[3 * r + c] = sign * d->v[3 * r + order[c]];
		}
	}
	return other;
}

/* The similarity of a decomposition's rotations to the previous ones: the squared cosines of half the angles between them. */
static double nearness(const decomposition *d, const double u_before[4], const double v_before[4]) {
	double u[4], v[4];
	quaternion_of(d->u, u);
	quaternion_of(d->v, v);
	const double by_u = snw_quat_dot(u, u_before), by_v = snw_quat_dot(v, v_before);
	return by_u * by_u + by_v * by_v;
}

static decomposition nearest_permutation(const decomposition *d, const double u_before[4], const double v_before[4]) {
	static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
	decomposition best = *d;
	double most = -1;
	for (int o = 0; o < 6; o++) {
		for (unsigned signs = 0; signs < 8; signs++) {
			/* Odd permutations need an odd number of sign changes, so that U and V stay rotations. */
			const bool is_odd = (signs & 1) ^ (signs >> 1 & 1) ^ (signs >> 2 & 1);
			if (is_odd != (o >= 3)) {
				continue;
			}
			const decomposition other = permuted(d, orders[o], signs);
			const double near = nearness(&other, u_before, v_before);
			if (near > most) {
				most = near;
				best = other;
			}
		}
	}
	return best;
}

static void align_equal_values(decomposition *d, const double before[9]) {
	const double tolerance = EQUAL_VALUES * fmax(d->s[0], fmax(d->s[1], d->s[2]));
	const bool equal[3] = {fabs(d->s[1] - d->s[2]) <= tolerance, fabs(d->s[2] - d->s[0]) <= tolerance,
						   fabs(d->s[0] - d->s[1]) <= tolerance};
	if (equal[0] + equal[1] + equal[2] >= 2) {
		keep_v(d, before);
		return;
	}
	for (int c = 0; c < 3; c++) {
		if (equal[c]) {
			align_pair(d, before, (c + 1) % 3, (c + 2) % 3);
		}
	}
}

/* Chooses the sign of a quaternion that is nearer to the previous key. */
static void keep_side(double q[4], const double before[4]) {
	const double sign = snw_quat_dot(q, before) < 0 ? -1 : 1;
	for (int c = 0; c < 4; c++) {
		q[c] *= sign;
	}
}

void snw_affine_nodes_make(const double matrix[12], const snw_affine_nodes *before, snw_affine_nodes *nodes) {
	decomposition d;
	double u_before[4], v_before[4] = {0, 0, 0, 1}, v_matrix[9];
	decompose(matrix, &d);
	if (before) {
		memcpy(u_before, before->outer.rotation, sizeof u_before);
		snw_quat_conjugate(before->inner, v_before);
	} else {
		/* Nearest to a single node: U is the rotation of the matrix, V the identity. */
		double u[4], v[4];
		quaternion_of(d.u, u);
		quaternion_of(d.v, v);
		snw_quat_conjugate(v, v);
		snw_quat_multiply(u, v, u_before);
	}
	rotation_of(v_before, v_matrix);
	d = nearest_permutation(&d, u_before, v_before);
	align_equal_values(&d, v_matrix);
	double v[4];
	quaternion_of(d.u, nodes->outer.rotation);
	quaternion_of(d.v, v);
	snw_quat_conjugate(v, nodes->inner);
	memcpy(nodes->outer.scale, d.s, sizeof d.s);
	for (int r = 0; r < 3; r++) {
		nodes->outer.translation[r] = matrix[4 * r + 3];
	}
	if (before) {
		keep_side(nodes->outer.rotation, before->outer.rotation);
		keep_side(nodes->inner, before->inner);
	}
}

void snw_affine_nodes_hold(const double matrix[12], const double inner[4], snw_affine_nodes *nodes) {
	double back[4], v[9], rotated[12] = {0}, u[9];
	decomposition d;
	snw_quat_conjugate(inner, back);
	rotation_of(back, v);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			for (int k = 0; k < 3; k++) {
				rotated[4 * r + c] += matrix[4 * r + k] * v[3 * k + c];
			}
		}
	}
	decompose(rotated, &d); /* A V: the nearest rotation is U, and what is left along its columns S */
	for (int c = 0; c < 3; c++) {
		nodes->outer.translation[c] = matrix[4 * c + 3];
		nodes->outer.scale[c] = 0;
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			u[3 * r + c] = 0;
			for (int k = 0; k < 3; k++) {
				u[3 * r + c] += d.u[3 * r + k] * d.v[3 * c + k];
			}
			nodes->outer.scale[c] += u[3 * r + c] * rotated[4 * r + c];
		}
	}
	for (int c = 0; c < 3; c++) {
		nodes->outer.scale[c] = held_off_zero(nodes->outer.scale[c]);
	}
	quaternion_of(u, nodes->outer.rotation);
	memcpy(nodes->inner, inner, sizeof nodes->inner);
}

void snw_affine_nodes_matrix(const snw_affine_nodes *nodes, double matrix[12]) {
	double outer[12], inner[12];
	snw_transform_to_mat34(&nodes->outer, outer);
	snw_quat_to_mat34(nodes->inner, inner);
	snw_mat34_multiply(outer, inner, matrix);
}
