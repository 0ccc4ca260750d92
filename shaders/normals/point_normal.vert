// SPDX-License-Identifier: GPL-3.0-or-later
//
// The axes of each point, captured by transform feedback, its tangent only where somebody needs it; INSTANCED, of every
// instance of a crowd.

#ifndef INSTANCED
layout(location = 0) in vec3 point;
#endif
layout(location = 1) in uvec3 around; // faces begin, count; the neighbour

out vec3 normal;
out vec3 tangent;

#include "axes.glsl"

#ifdef INSTANCED
uniform int point_count, face_count;
#endif

void main() {
#ifdef INSTANCED
	first_point = gl_InstanceID * point_count;
	first_face = gl_InstanceID * face_count;
	vec3 point = texelFetch(points, first_point + gl_VertexID).xyz;
#endif
	find_axes(point, around, normal, tangent);
}
