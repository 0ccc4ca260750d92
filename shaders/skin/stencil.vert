// SPDX-License-Identifier: GPL-3.0-or-later
//
// Points of a refined mesh as weighted sums of the control mesh's, captured by transform feedback.

layout(location = 0) in uvec2 span; // entries begin and end

uniform samplerBuffer stencils; // x: a control point, a whole number; y: its weight
uniform samplerBuffer points;

out vec3 point_made;

void main() {
	vec3 sum = vec3(0);
	for (uint i = span.x; i < span.y; i++) {
		vec2 entry = texelFetch(stencils, int(i)).xy;
		sum += entry.y * texelFetch(points, int(entry.x)).xyz;
	}
	point_made = sum;
}
