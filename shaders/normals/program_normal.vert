// SPDX-License-Identifier: GPL-3.0-or-later
//
// The normal channel of a skin program, one point a vertex, captured by transform feedback: that of the rest with its
// displacements, through a palette of its own and the influences of the point. INSTANCED, of every instance of a crowd: palette
// and d then have the input of many frames.

layout(location = 0) in vec3 normal_rest;
layout(location = 1) in uvec2 influence_span; // begin and end
layout(location = 2) in uvec2 entry_span;

uniform samplerBuffer palette;    // three texels a slot, the rows of its matrix; or one, a quaternion
uniform samplerBuffer influences; // x: the slot, a whole number; y: the weight
uniform samplerBuffer entries;    // xyz: what d adds to the normal of the rest; w: its coefficient, a whole number
uniform samplerBuffer scales;     // d
uniform bool is_quaternion;        // the palette has quaternions, else matrices

out vec3 normal;

int palette_begin = 0, scales_begin = 0; // texels

#ifdef INSTANCED
uniform samplerBuffer instances; // w: the frame, a whole number
uniform int first_instance;
uniform int palette_size, scales_size; // of a frame, texels
#endif

vec3 by_matrices(vec3 n) {
	vec3 sum = vec3(0);
	for (uint i = influence_span.x; i < influence_span.y; i++) {
		vec2 influence = texelFetch(influences, int(i)).xy;
		int row = palette_begin + 3 * int(influence.x);
		sum += influence.y * vec3(dot(texelFetch(palette, row).xyz, n), dot(texelFetch(palette, row + 1).xyz, n),
								  dot(texelFetch(palette, row + 2).xyz, n));
	}
	return sum;
}

vec3 by_quaternions(vec3 n) {
	vec4 q = vec4(0);
	for (uint i = influence_span.x; i < influence_span.y; i++) {
		vec2 influence = texelFetch(influences, int(i)).xy;
		q += influence.y * texelFetch(palette, palette_begin + int(influence.x));
	}
	float size = length(q);
	q = size > 0.0 ? q / size : vec4(0, 0, 0, 1);
	return n + 2.0 * cross(q.xyz, cross(q.xyz, n) + q.w * n);
}

void main() {
#ifdef INSTANCED
	int frame = int(texelFetch(instances, first_instance + gl_InstanceID).w);
	palette_begin = frame * palette_size;
	scales_begin = frame * scales_size;
#endif
	vec3 n = normal_rest;
	for (uint i = entry_span.x; i < entry_span.y; i++) {
		vec4 entry = texelFetch(entries, int(i));
		n += texelFetch(scales, scales_begin + int(entry.w)).x * entry.xyz;
	}
	n = is_quaternion ? by_quaternions(n) : by_matrices(n);
	float size = length(n);
	normal = size > 0.0 ? n / size : vec3(0);
}
