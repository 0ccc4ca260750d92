// SPDX-License-Identifier: GPL-3.0-or-later
//
// Displacements of one point, gathered: each entry is (vector, index), the index a whole number in a float.

uniform samplerBuffer rest_entries;  // xyz: D_k,i in metres; w: its coefficient
uniform samplerBuffer rest_scales;   // d
uniform samplerBuffer posed_entries; // xyz: E_l,i in metres; w: l
uniform samplerBuffer posed_frames;  // rows of e_l F_l, three texels each

vec3 rest_displacement(uint begin, uint count) {
	vec3 sum = vec3(0);
	for (uint i = begin; i < begin + count; i++) {
		vec4 entry = texelFetch(rest_entries, int(i));
		sum += texelFetch(rest_scales, int(entry.w)).x * entry.xyz;
	}
	return sum;
}

vec3 posed_displacement(uint begin, uint count) {
	vec3 sum = vec3(0);
	for (uint i = begin; i < begin + count; i++) {
		vec4 entry = texelFetch(posed_entries, int(i));
		int row = 3 * int(entry.w);
		sum += vec3(dot(texelFetch(posed_frames, row).xyz, entry.xyz), dot(texelFetch(posed_frames, row + 1).xyz, entry.xyz),
					dot(texelFetch(posed_frames, row + 2).xyz, entry.xyz));
	}
	return sum;
}
