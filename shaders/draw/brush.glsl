// SPDX-License-Identifier: GPL-3.0-or-later
//
// A brush's rings on the surface: where the surface is as far from the brush's middle as the rings say, whatever its shape; and
// a fainter ring where it works on the other side.

uniform vec3 brush_middle; // eye axes, the eye at the origin
uniform vec3 brush_other;  // the same on the other side
uniform vec3 brush_sizes;  // radius and core, metres; radius 0: none; radius on the other side
uniform vec4 brush_color;  // linear

float ring(float away, float radius, float width) {
	return clamp(0.5 * width + 0.5 - abs(away - radius) / max(fwidth(away), 1e-9), 0.0, 1.0);
}

// `to_eye` is from the place to the eye.
vec3 brushed(vec3 color, vec3 to_eye) {
	if (brush_sizes.x <= 0.0) {
		return color;
	}
	float away = length(to_eye + brush_middle);
	float inside = away < brush_sizes.x ? 0.10 * (1.0 - away / brush_sizes.x) : 0.0;
	float inner = brush_sizes.y > 0.0 ? 0.35 * ring(away, brush_sizes.y, 1.2) : 0.0;
	float cover = max(max(ring(away, brush_sizes.x, 2.0), inner), inside);
	if (brush_sizes.z > 0.0) {
		float other = length(to_eye + brush_other);
		cover = max(cover, max(0.6 * ring(other, brush_sizes.z, 2.0), 0.5 * max(0.0, 0.10 * (1.0 - other / brush_sizes.z))));
	}
	return mix(color, brush_color.rgb, brush_color.a * cover);
}
