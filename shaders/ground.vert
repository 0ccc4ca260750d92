// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ground: a square around the character.

uniform mat4 clip_from_world;
uniform vec3 middle; // world; its y is the ground's height
uniform float reach; // half the side

out vec2 offset; // from the middle, metres

void main() {
	vec2 corner = vec2(gl_VertexID % 2 == 0 ? -1 : 1, gl_VertexID < 2 ? -1 : 1);
	offset = reach * corner;
	gl_Position = clip_from_world * vec4(middle.x + offset.x, middle.y, middle.z + offset.y, 1);
}
