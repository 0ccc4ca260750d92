// SPDX-License-Identifier: GPL-3.0-or-later
//
// How much of the key light reaches a place: 16 comparisons around it, each blended between four texels.

uniform sampler2DShadow key_depth;
uniform mat4 key_from_eye;
uniform float key_texel; // metres

// `normal` is a unit vector that faces the light's side; both in eye axes, the eye at the origin.
float key_reaching(vec3 position, vec3 normal) {
	vec3 place = (key_from_eye * vec4(position + 3.0 * key_texel * normal, 1)).xyz;
	vec2 texel = 1.0 / vec2(textureSize(key_depth, 0));
	float sum = 0.0;
	for (int i = 0; i < 16; i++) {
		vec2 step = 1.6 * (vec2(i % 4, i / 4) - 1.5);
		sum += texture(key_depth, vec3(place.xy + step * texel, place.z));
	}
	return sum / 16.0;
}
