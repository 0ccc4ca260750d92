/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The unit normal of a face, for files whose corners lack one.
 */
#ifndef SINEW_HOST_MESH_FACE_NORMAL_H
#define SINEW_HOST_MESH_FACE_NORMAL_H

#include <math.h>

#include "sinew/algebra.h"
#include "sinew/kit/mesh/face_area.h"

/* Scales a vector to unit length, also one whose squares would underflow or overflow. False, with v unchanged, if it has no
 * direction. */
static inline bool snw_unit_vector(double v[3]) {
	const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
	if (!(largest > 0) || !isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		v[i] /= largest;
	}
	snw_normalize3(v);
	return true;
}

/* Arguments as snk_face_area. A face without area has (0, 1, 0). */
static inline void snw_face_normal(const double *points, const uint32_t *corners, uint32_t count, double normal[3]) {
	snk_face_area(points, corners, count, normal);
	if (!snw_unit_vector(normal)) {
		normal[0] = normal[2] = 0;
		normal[1] = 1;
	}
}

#endif
