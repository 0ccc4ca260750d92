// SPDX-License-Identifier: GPL-3.0-or-later
//
// The blends over the palette. A slot has three texels for matrices, its rows; for dual quaternions five: the real part, the
// dual part, and the rows of the stretch that acts on the rest point first.

uniform samplerBuffer palette;
uniform samplerBuffer influences; // x: the slot, a whole number; y: the weight; z: its entry in signs, a whole number
uniform samplerBuffer rows;       // BLEND 2: the 4-vector of each influence, rest coordinates

#if BLEND == 0

vec3 blend(vec3 displacement, uint begin, uint count) {
	return point_in + displacement;
}

#elif BLEND == 1 || BLEND == 2

// Sum of T_s p_s, where p_s is w_s (x, 1) or the influence's own row, whose fourth component carries the displacement.
vec3 blend(vec3 displacement, uint begin, uint count) {
	vec3 sum = vec3(0);
	for (uint i = begin; i < begin + count; i++) {
		vec2 influence = texelFetch(influences, int(i)).xy;
#if BLEND == 1
		vec4 p = influence.y * vec4(point_in + displacement, 1);
#else
		vec4 p = texelFetch(rows, int(i));
		p.xyz += p.w * (point_in - point_rest + displacement);
#endif
		int row = 3 * int(influence.x);
		sum += vec3(dot(texelFetch(palette, row), p), dot(texelFetch(palette, row + 1), p), dot(texelFetch(palette, row + 2), p));
	}
	return sum;
}

#else

uniform samplerBuffer signs; // of a slot against a pivot's slot: at a half turn they hang on the last bit, so the host finds them

vec3 turn(vec4 q, vec3 v) {
	return v + 2 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

vec3 blend(vec3 displacement, uint begin, uint count) {
	vec3 rest = point_in + displacement, stretched = rest;
	vec4 real = vec4(0), dual = vec4(0);
	for (uint i = begin; i < begin + count; i++) {
		vec3 influence = texelFetch(influences, int(i)).xyz;
		int slot = 5 * int(influence.x);
		float weight = influence.y * texelFetch(signs, int(influence.z)).x;
		real += weight * texelFetch(palette, slot);
		dual += weight * texelFetch(palette, slot + 1);
		stretched += influence.y * (vec3(dot(texelFetch(palette, slot + 2).xyz, rest), dot(texelFetch(palette, slot + 3).xyz, rest),
										 dot(texelFetch(palette, slot + 4).xyz, rest)) -
									rest);
	}
	float size = max(length(real), 1e-30);
	real /= size;
	dual /= size;
	vec3 translation = 2 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
	return turn(real, stretched) + translation;
}

#endif
