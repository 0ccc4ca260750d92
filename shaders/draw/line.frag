// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stroke with round ends and edges one pixel soft.

noperspective in vec2 place;
flat in vec2 half_size;
flat in vec4 color; // sRGB

layout(location = 0) out vec4 pixel;

void main() {
	float away = length(vec2(max(abs(place.x) - half_size.x, 0.0), place.y));
	float cover = clamp(half_size.y + 0.5 - away, 0.0, 1.0);
	if (cover <= 0.0) {
		discard;
	}
	pixel = vec4(pow(color.rgb, vec3(2.2)), color.a * cover);
}
