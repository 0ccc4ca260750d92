// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies a buffer: what skinning by compute shaders is compared with.

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer From { vec4 from[]; };
layout(std430, binding = 1) writeonly buffer To { vec4 to[]; };

uniform int thread_count; // each copies every thread_count-th

void main() {
	for (uint i = gl_GlobalInvocationID.x; i < uint(from.length()); i += uint(thread_count)) {
		to[i] = from[i];
	}
}
