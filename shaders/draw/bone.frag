// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bones: flat facets with a soft light from the eye.

in vec3 normal_eye;

flat in vec3 bone_color;

const float opacity = 0.66;

layout(location = 0) out vec4 pixel;

void main() {
	float light = 0.45 + 0.55 * max(dot(normalize(normal_eye), normalize(vec3(-0.4, 0.6, 0.7))), 0.0);
	pixel = vec4(bone_color * light, opacity);
}
