// SPDX-License-Identifier: GPL-3.0-or-later
//
// The axes of a point: its area-weighted normal, and a tangent toward a fixed neighbour. Custom normals are stored relative to
// them, so that they follow the pose.

uniform usamplerBuffer point_faces;
uniform samplerBuffer areas;
uniform samplerBuffer points;
uniform float unit;

int first_point = 0, first_face = 0; // of the instance

vec3 unit_or(vec3 v, vec3 otherwise) {
	float size = length(v);
	return size > 1e-18 ? v / size : otherwise;
}

// `around`: faces begin, count; the neighbour.
void find_axes(vec3 point, uvec3 around, out vec3 normal, out vec3 tangent) {
	vec3 sum = vec3(0);
	for (uint i = around.x; i < around.x + around.y; i++) {
		sum += texelFetch(areas, first_face + int(texelFetch(point_faces, int(i)).x)).xyz;
	}
	normal = unit_or(sum, vec3(0, 0, 1));
	vec3 along = unit * (texelFetch(points, first_point + int(around.z)).xyz - point);
	vec3 any = abs(normal.x) < 0.7 ? vec3(1, 0, 0) : vec3(0, 1, 0);
	tangent = unit_or(along - dot(along, normal) * normal, normalize(any - normal.x * normal));
	tangent = unit_or(tangent - dot(tangent, normal) * normal, vec3(0, 1, 0));
}
