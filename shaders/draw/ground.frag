// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ground's grid, which fades away, and the soft shadow on it.

in vec2 offset;
in vec3 position_eye;

uniform vec2 grid_origin; // where `offset` is 0, from the nearest line of the grid, metres
uniform float grid_step;  // metres
uniform vec3 grid_color, shade_color;
uniform float reach;
uniform sampler2D shadow;
uniform float shadow_reach; // half the side of what the shadow covers, metres
uniform mat3 eye_from_world;

layout(location = 0) out vec4 pixel;

#include "key_shadow.glsl"

float lines(vec2 at, float width) {
	vec2 change = max(fwidth(at), vec2(1e-6));
	vec2 away = abs(fract(at - 0.5) - 0.5) / change;
	vec2 line = clamp(0.5 + 0.5 * width - away, 0.0, 1.0);
	vec2 crowded = clamp(2.5 * change, 0.0, 1.0); // lines closer than pixels become a tint, then nothing
	line *= 1.0 - smoothstep(0.4, 1.0, crowded);
	return max(line.x, line.y);
}

float shade_under() {
#ifdef KEY_SHADOWS
	vec2 under = 0.5 + 0.5 * offset / shadow_reach;
	float shade = all(lessThan(abs(under - 0.5), vec2(0.5))) ? texture(shadow, under).r : 0.0;
	return 0.62 * (1.0 - exp(-2.2 * shade));
#else
	return 0.0;
#endif
}

void main() {
	float away = length(offset) / reach;
	float fade = 1.0 - smoothstep(0.25, 1.0, away);
	vec2 at = (offset + grid_origin) / grid_step;
	float grid = max(0.13 * lines(at, 1.0), 0.30 * lines(at / 10.0, 1.4));
	float shade = shade_under();
	float dark = 0.26 * (1.0 - key_reaching(position_eye, eye_from_world * vec3(0, 1, 0)));
	float cover = 1.0 - (1.0 - grid * fade) * (1.0 - shade) * (1.0 - dark);
	float share = grid * fade * (1.0 - shade) * (1.0 - dark) / max(cover, 1e-4); // of the lines in the mix
	pixel = vec4(mix(shade_color, grid_color, share), cover);
}
