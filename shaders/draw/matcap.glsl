// SPDX-License-Identifier: GPL-3.0-or-later
//
// Matcaps: the colour of the surface by its normal in the eye's axes alone, as on a ball that is lit in a studio. They show
// the shape and nothing else: they follow neither the lights nor the materials.

uniform int matcap; // snw_matcap; 0: none

// The part of a soft lamp in this direction that is seen; `size` is 0 to 1, from a point to half of the sphere.
float lamp(vec3 normal, vec3 direction, float size) {
	return smoothstep(1.0 - 2.0 * size, 1.0, dot(normal, normalize(direction)));
}

// Warm clay: one large lamp above left, a cool one low on the other side, dark towards the edge, a broad dull highlight.
vec3 clay_ball(vec3 n) {
	vec3 color = mix(vec3(0.030, 0.018, 0.016), vec3(0.36, 0.185, 0.125), lamp(n, vec3(-0.55, 0.65, 0.5), 0.85));
	color += vec3(0.035, 0.050, 0.070) * lamp(n, vec3(0.95, -0.3, 0.15), 0.5);
	color += vec3(0.26, 0.20, 0.16) * pow(lamp(n, vec3(-0.42, 0.55, 0.72), 0.3), 1.6);
	return color * mix(0.4, 1.0, smoothstep(0.0, 0.65, n.z));
}

// Skin: light that has passed through it is red where it turns dark; a soft sheen at the edge, a small moist highlight.
vec3 skin_ball(vec3 n) {
	float lit = dot(n, normalize(vec3(-0.5, 0.6, 0.62)));
	vec3 reach = smoothstep(vec3(-0.7, -0.3, -0.2), vec3(1.05, 1.1, 1.1), vec3(lit)); // red reaches furthest
	vec3 color = vec3(0.66, 0.42, 0.325) * reach + vec3(0.050, 0.026, 0.024);
	color += vec3(0.12, 0.07, 0.065) * pow(1.0 - max(n.z, 0.0), 2.5) * lamp(n, vec3(0.5, 0.6, 0.2), 0.9);
	return color + vec3(0.16) * pow(lamp(n, vec3(-0.36, 0.5, 0.79), 0.2), 2.0);
}

// Chrome: bands of a striped room, which bend where the curvature changes; a break in a band is a dent or a crease.
vec3 chrome_ball(vec3 n) {
	float height = 0.5 + asin(clamp(n.y, -1.0, 1.0)) / 3.1415927; // 0 the floor, 1 the ceiling
	float wave = abs(fract(height * 6.0) - 0.5) * 2.0; // 0 in the middle of a dark band, 1 in that of a light one
	float width = clamp(fwidth(height) * 12.0, 0.02, 0.5);
	float band = smoothstep(0.5 - width, 0.5 + width, wave);
	vec3 dark = mix(vec3(0.035, 0.030, 0.028), vec3(0.12, 0.14, 0.17), height);
	vec3 light = mix(vec3(0.26, 0.23, 0.21), vec3(0.78, 0.82, 0.88), smoothstep(0.2, 0.75, height));
	float side = 1.0 - smoothstep(0.55, 1.0, abs(n.x)) * 0.55; // the room is darker at its sides
	return mix(dark, light, band) * side + vec3(0.4) * pow(lamp(n, vec3(-0.4, 0.55, 0.73), 0.1), 2.0);
}

// `normal` and `view` in eye axes. The normal is taken towards the eye of each pixel, so that a flat side has one colour
// however wide the lens is.
vec3 matcap_color(vec3 normal, vec3 view) {
	vec3 right = normalize(vec3(view.z, 0.0, -view.x));
	vec3 n = vec3(dot(normal, right), dot(normal, cross(view, right)), dot(normal, view));
	return matcap == 1 ? clay_ball(n) : matcap == 2 ? skin_ball(n) : chrome_ball(n);
}
