// SPDX-License-Identifier: GPL-3.0-or-later
//
// The share of the key light that reaches a place: comparisons on a wide disk, so that the edges of a shadow are soft. A place
// is compared with the depth of its own plane under each of them, so that it does not shade itself. A surface is not its plane:
// the farther a comparison is, and the more the light grazes, the more it must differ. Without KEY_SHADOWS nothing casts a
// shadow. A condition would not do: software rasterisers compute both of its sides.

#ifdef KEY_SHADOWS
uniform sampler2DShadow key_depth;
uniform mat4 key_from_eye;
uniform float key_texel; // metres

const int key_comparisons = 24;
const float key_reach = 22.0; // texels
const float key_rise = 0.3;   // what rises less over the plane casts no shadow: the tangent

float key_compared(vec3 position, vec3 normal) {
	vec3 across = normalize(mat3(key_from_eye) * normal); // one scale for all axes; away from the light is positive
	vec3 place = (key_from_eye * vec4(position + (2.0 + 3.0 * length(across.xy)) * key_texel * normal, 1)).xyz;
	vec2 slope = -across.xy / min(across.z, -0.2);
	vec2 texel = 1.0 / vec2(textureSize(key_depth, 0));
	float sum = 0.0;
	for (int i = 0; i < key_comparisons; i++) {
		float angle = 2.39996323 * float(i); // the golden angle
		vec2 step = key_reach * sqrt((float(i) + 0.5) / float(key_comparisons)) * vec2(cos(angle), sin(angle)) * texel;
		sum += texture(key_depth, vec3(place.xy + step, place.z + dot(slope, step) - key_rise * length(step)));
	}
	return sum / float(key_comparisons);
}
#endif

// `normal` is a unit vector that faces the light's side; both in eye axes, the eye at the origin.
float key_reaching(vec3 position, vec3 normal) {
#ifdef KEY_SHADOWS
	return key_compared(position, normal);
#else
	return 1.0;
#endif
}
