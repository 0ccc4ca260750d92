/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals of a deformed mesh, from its faces, in floats and on all threads, for each redraw (fits take snk_point_normals, in
 * doubles). Points and normals are in the same space.
 */
#ifndef SINEW_HOST_MESH_NORMALS_H
#define SINEW_HOST_MESH_NORMALS_H

#include <math.h>

#include "scene/scene.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"

/* ---- normals ------------------------------------------------------------------------------------------------------------- */

/* The faces around each point, and scratch memory. Sums are in the order of the faces, so normals do not depend on threads. A
 * plan is created once for a mesh, which must outlive it, and used by one call at a time. */
typedef struct snw_normal_plan snw_normal_plan;
snw_normal_plan *snw_normal_plan_create(const snw_mesh *mesh);
void snw_normal_plan_destroy(snw_normal_plan *plan); /* NULL does nothing */

/* Area-weighted normals of the points, unit (zero where all faces are degenerate): [point_count][3]. Does not allocate. */
void snw_normals_of_points(snw_normal_plan *plan, const float *points, float *normals);

/* Normals of the corners [corner_count][3]: the mesh's custom normals rotated with their point's axes from rest to posed,
 * otherwise the points' normals. A point's axes are its normal and the direction of its longest edge at rest, made
 * perpendicular to the normal; a custom normal of a point without axes, at rest or posed, is unchanged. Does not allocate. */
void snw_normals_of_corners(snw_normal_plan *plan, const float *points, float *normals);

/* The far end of each point's longest edge at rest, [point_count] in `arena`, the first of several; SNW_NONE for a point
 * without one. The shaders compute axes from it too, so that they agree with snw_normals_of_corners. */
uint32_t *snw_longest_edges(const snw_mesh *mesh, snw_arena *arena);

/* ---- face normal --------------------------------------------------------------------------------------------------------- */

/* The unit normal of a face, for files whose corners lack one. */

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
