// SPDX-License-Identifier: GPL-3.0-or-later
//
// A calm background: grey, a little darker toward the bottom and the corners.

in vec2 place;

uniform vec3 low, high; // linear

layout(location = 0) out vec4 pixel;

float noise(vec2 at) {
	return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715))));
}

void main() {
	vec2 from_middle = place - vec2(0.5, 0.55);
	vec3 color = mix(low, high, smoothstep(-0.1, 0.95, place.y));
	color *= 1.0 - 0.22 * dot(from_middle, from_middle);
	pixel = vec4(color + (noise(gl_FragCoord.xy) - 0.5) / 400.0, 1); // against banding
}
