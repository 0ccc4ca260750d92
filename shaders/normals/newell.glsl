// SPDX-License-Identifier: GPL-3.0-or-later
//
// The area vector of a polygon by Newell's sum. `unit` scales lengths to the mesh's size, so that the squares of tiny meshes do
// not vanish.

uniform usamplerBuffer corner_points;
uniform samplerBuffer points;
uniform float unit;

int first_point = 0; // of the instance

vec3 area_of(uvec2 span) { // corners begin, count
	vec3 origin = texelFetch(points, first_point + int(texelFetch(corner_points, int(span.x)).x)).xyz;
	vec3 sum = vec3(0), before = vec3(0);
	for (uint i = span.x + 1u; i < span.x + span.y; i++) {
		vec3 here = unit * (texelFetch(points, first_point + int(texelFetch(corner_points, int(i)).x)).xyz - origin);
		sum += cross(before, here);
		before = here;
	}
	return sum;
}
