// SPDX-License-Identifier: GPL-3.0-or-later
//
// The axes of each point: point_normal.vert as a compute shader.

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Around { uint surroundings[]; };
layout(std430, binding = 1) writeonly buffer Normals { float normals[]; };
#ifdef TANGENTS
layout(std430, binding = 2) writeonly buffer Tangents { float tangents[]; };
#endif

uniform int point_count;

#include "axes.glsl"

void main() {
	uint i = gl_GlobalInvocationID.x;
	if (i < uint(point_count)) {
		uvec3 around = uvec3(surroundings[3u * i], surroundings[3u * i + 1u], surroundings[3u * i + 2u]);
		vec3 normal, tangent;
		find_axes(texelFetch(points, int(i)).xyz, around, normal, tangent);
		for (int c = 0; c < 3; c++) {
			normals[3u * i + uint(c)] = normal[c];
#ifdef TANGENTS
			tangents[3u * i + uint(c)] = tangent[c];
#endif
		}
	}
}
