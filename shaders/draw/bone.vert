// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bones, already in world space.

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 color; // linear

uniform mat4 clip_from_world;
uniform mat3 eye_from_world;

out vec3 normal_eye;
flat out vec3 bone_color;

void main() {
	bone_color = color;
	normal_eye = eye_from_world * normal;
	gl_Position = clip_from_world * vec4(position, 1);
}
