// SPDX-License-Identifier: GPL-3.0-or-later
//
// An edge of a polygon as a thin band that faces the eye: one instance an edge, four vertices each. Where edges
// are short they lie close together, and fade so that the surface still shows between them.

layout(location = 0) in uvec2 ends;

uniform samplerBuffer points;
uniform mat4 clip_from_world;
uniform vec2 viewport; // pixels
uniform float width;   // pixels

out float strength;

const float unfaded = 15.0; // pixels long

void main() {
	vec4 a = clip_from_world * vec4(texelFetch(points, int(ends.x)).xyz, 1);
	vec4 b = clip_from_world * vec4(texelFetch(points, int(ends.y)).xyz, 1);
	vec2 along = b.xy / b.w * viewport - a.xy / a.w * viewport;
	float size = length(along);
	vec2 side = size > 0.0 ? vec2(-along.y, along.x) / size : vec2(0); // a hidden edge has no length
	strength = clamp(0.5 * size / unfaded, 0.05, 1.0); // `size` is in half pixels
	vec4 end = gl_VertexID < 2 ? a : b;
	end.xy += (gl_VertexID % 2 == 0 ? 1.0 : -1.0) * width / viewport * side * end.w;
	end.z -= 2e-4 * end.w; // toward the eye, over the surface
	gl_Position = end;
}
