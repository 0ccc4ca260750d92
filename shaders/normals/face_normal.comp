// SPDX-License-Identifier: GPL-3.0-or-later
//
// The area vector of each polygon: face_normal.vert as a compute shader.

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Spans { uvec2 spans[]; };
layout(std430, binding = 1) writeonly buffer Areas { float areas[]; };

uniform int face_count;

#include "newell.glsl"

void main() {
	uint i = gl_GlobalInvocationID.x;
	if (i < uint(face_count)) {
		vec3 area = area_of(spans[i]);
		areas[3u * i] = area.x;
		areas[3u * i + 1u] = area.y;
		areas[3u * i + 2u] = area.z;
	}
}
