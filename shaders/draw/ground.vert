// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ground: a square around the character.

uniform mat4 clip_from_world;
uniform vec3 middle; // world; its y is the ground's height
uniform float reach; // half the side

uniform mat3 eye_from_world;
uniform vec3 eye; // world

out vec2 offset;      // from the middle, metres
out vec3 position_eye; // in eye axes, the eye at the origin

void main() {
	vec2 corner = vec2(gl_VertexID % 2 == 0 ? -1 : 1, gl_VertexID < 2 ? -1 : 1);
	offset = reach * corner;
	vec3 position = vec3(middle.x + offset.x, middle.y, middle.z + offset.y);
	position_eye = eye_from_world * (position - eye);
	gl_Position = clip_from_world * vec4(position, 1);
}
