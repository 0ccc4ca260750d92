// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tone mapping that keeps base colours and only rolls off what is bright: the Khronos PBR neutral curve.

vec3 tone(vec3 color) {
	const float start = 0.76, desaturation = 0.15;
	float low = min(color.r, min(color.g, color.b));
	color -= low < 0.08 ? low - 6.25 * low * low : 0.04;
	float peak = max(color.r, max(color.g, color.b));
	if (peak < start) {
		return color;
	}
	float range = 1.0 - start;
	float rolled = 1.0 - range * range / (peak + range - start);
	color *= rolled / peak;
	return mix(color, vec3(rolled), 1.0 - 1.0 / (desaturation * (peak - rolled) + 1.0));
}
