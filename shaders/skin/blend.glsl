// SPDX-License-Identifier: GPL-3.0-or-later
//
// The blends over the palette. A slot has three texels for matrices, its rows; for dual quaternions two: the real and the dual
// part; where any slot stretches, five: and the rows of the stretch that acts on the rest point first.

uniform samplerBuffer palette;
uniform samplerBuffer influences; // x: the slot, a whole number; y: the weight; z: its bit in signs, a whole number
uniform samplerBuffer rows;       // BLEND 2: the 4-vector of each influence, rest coordinates

#if BLEND == 0

vec3 blend(vec3 displacement, uvec2 span) {
	return point_in + displacement;
}

#elif BLEND == 1 || BLEND == 2

// Sum of T_s p_s, where p_s is w_s (x, 1) or the influence's own row, whose fourth component weights the displacement.
vec3 blend(vec3 displacement, uvec2 span) {
	vec3 sum = vec3(0);
	for (uint i = span.x; i < span.y; i++) {
		vec2 influence = texelFetch(influences, int(i)).xy;
#if BLEND == 1
		vec4 p = influence.y * vec4(point_in + displacement, 1);
#else
		vec4 p = texelFetch(rows, int(i));
		p.xyz += p.w * (point_in - point_rest + displacement);
#endif
		int row = palette_begin + 3 * int(influence.x);
		sum += vec3(dot(texelFetch(palette, row), p), dot(texelFetch(palette, row + 1), p),
					dot(texelFetch(palette, row + 2), p));
	}
	return sum;
}

#else

// A bit for each slot and pivot, set for minus. Near a rotation by pi they depend on the last bit of a double, so the host
// finds them.
uniform usamplerBuffer signs;
uniform bool signed_slots; // else all are as given
uniform bool stretched;

float sign_of(int bit) {
	return signed_slots && (texelFetch(signs, signs_begin + (bit >> 5)).x >> uint(bit & 31) & 1u) != 0u ? -1.0 : 1.0;
}

vec3 rotate(vec4 q, vec3 v) {
	return v + 2 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

vec3 blend(vec3 displacement, uvec2 span) {
	vec3 rest = point_in + displacement, point = rest;
	vec4 real = vec4(0), dual = vec4(0);
	for (uint i = span.x; i < span.y; i++) {
		vec3 influence = texelFetch(influences, int(i)).xyz;
		int slot = palette_begin + (stretched ? 5 : 2) * int(influence.x);
		float weight = influence.y * sign_of(int(influence.z));
		real += weight * texelFetch(palette, slot);
		dual += weight * texelFetch(palette, slot + 1);
		if (stretched) {
			vec3 scaled = vec3(dot(texelFetch(palette, slot + 2).xyz, rest), dot(texelFetch(palette, slot + 3).xyz, rest),
							   dot(texelFetch(palette, slot + 4).xyz, rest));
			point += influence.y * (scaled - rest);
		}
	}
	float size = max(length(real), 1e-30);
	real /= size;
	dual /= size;
	vec3 translation = 2 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
	return rotate(real, point) + translation;
}

#endif
