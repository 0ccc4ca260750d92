// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stroke as a band that faces the eye, one instance each: a little longer and wider than the stroke, so that its round ends
// and soft edges fit.

layout(location = 0) in vec3 from_world;
layout(location = 1) in vec3 to_world;
layout(location = 2) in vec4 line_color;
layout(location = 3) in vec2 width_behind; // pixels; share of the opacity behind surfaces

uniform mat4 clip_from_world;
uniform vec2 viewport; // pixels
uniform bool covered;

noperspective out vec2 place; // pixels from the middle of the stroke, along and across
flat out vec2 half_size;      // pixels: length and width
flat out vec4 color;

void main() {
	vec4 a = clip_from_world * vec4(from_world, 1);
	vec4 b = clip_from_world * vec4(to_world, 1);
	float least = 0.01 * max(a.w, b.w); // as near to the eye as a stroke is drawn
	float near_a = a.w - least, near_b = b.w - least;
	color = line_color;
	color.a *= covered ? width_behind.y : 1.0;
	half_size = vec2(0);
	place = vec2(0);
	if (color.a <= 0.0 || least <= 0.0) {
		gl_Position = vec4(0, 0, 2, 1);
		return;
	}
	vec4 cut = mix(a, b, near_a / (near_a - near_b)); // read only where one end is nearer
	a = near_a < 0.0 ? cut : a;
	b = near_b < 0.0 ? cut : b;
	vec2 from_pixel = 0.5 * viewport * a.xy / a.w, to_pixel = 0.5 * viewport * b.xy / b.w;
	float size = length(to_pixel - from_pixel);
	vec2 along = size > 1e-4 ? (to_pixel - from_pixel) / size : vec2(1, 0);
	half_size = 0.5 * vec2(size, width_behind.x);
	vec2 corner = vec2(gl_VertexID < 2 ? -1 : 1, gl_VertexID % 2 == 0 ? -1 : 1);
	float margin = half_size.y + 1.0;
	place = corner * (vec2(half_size.x, 0) + margin);
	vec4 end = gl_VertexID < 2 ? a : b;
	vec2 pixel = (gl_VertexID < 2 ? from_pixel : to_pixel) + margin * (corner.x * along + corner.y * vec2(-along.y, along.x));
	end.xy = pixel / (0.5 * viewport) * end.w;
	end.z -= 3e-4 * end.w; // toward the eye, over the surface that it lies on
	gl_Position = end;
}
