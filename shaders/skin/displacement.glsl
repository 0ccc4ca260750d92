// SPDX-License-Identifier: GPL-3.0-or-later
//
// Displacements of one point, gathered: each entry is (vector, index), the index a whole number in a float.

uniform samplerBuffer rest_entries;  // xyz: D_k,i in metres; w: its coefficient
uniform samplerBuffer rest_scales;   // d
uniform samplerBuffer posed_entries; // xyz: E_l,i in metres; w: l
uniform samplerBuffer posed_sources; // of l: x: its coefficient; y: its rotation, negative for none
uniform samplerBuffer posed_scales;  // e
uniform samplerBuffer posed_rotations; // rows of F, three texels for each joint that rotates any

vec3 rest_displacement(uvec2 span) {
	vec3 sum = vec3(0);
	for (uint i = span.x; i < span.y; i++) {
		vec4 entry = texelFetch(rest_entries, int(i));
		sum += texelFetch(rest_scales, rest_begin + int(entry.w)).x * entry.xyz;
	}
	return sum;
}

vec3 posed_displacement(uvec2 span) {
	vec3 sum = vec3(0);
	for (uint i = span.x; i < span.y; i++) {
		vec4 entry = texelFetch(posed_entries, int(i));
		vec2 source = texelFetch(posed_sources, int(entry.w)).xy;
		vec3 offset = texelFetch(posed_scales, posed_begin + int(source.x)).x * entry.xyz;
		if (source.y >= 0.0) {
			int row = rotations_begin + 3 * int(source.y);
			offset = vec3(dot(texelFetch(posed_rotations, row).xyz, offset),
						  dot(texelFetch(posed_rotations, row + 1).xyz, offset),
						  dot(texelFetch(posed_rotations, row + 2).xyz, offset));
		}
		sum += offset;
	}
	return sum;
}
