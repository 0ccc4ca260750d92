// SPDX-License-Identifier: GPL-3.0-or-later
//
// The axes of each point, captured by transform feedback.

layout(location = 0) in vec3 point;
layout(location = 1) in uvec3 around; // faces begin, count; the neighbour

out vec3 normal;
out vec3 tangent;

#include "axes.glsl"

void main() {
	find_axes(point, around, normal, tangent);
}
