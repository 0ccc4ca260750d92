// SPDX-License-Identifier: GPL-3.0-or-later
//
// A corner of the surface: the position of its point, with the corner's normal, UV and colour.

layout(location = 0) in uvec2 point_face;
layout(location = 1) in vec2 corner_uv;
layout(location = 2) in vec3 corner_normal; // in the axes of its point: along normal, tangent and their cross product
layout(location = 3) in vec4 corner_color;
layout(location = 4) in vec4 corner_tangent; // in the same axes; w: the sign of the bitangent, 0 without a tangent

uniform samplerBuffer points;
uniform samplerBuffer normals;
uniform samplerBuffer tangents;
uniform samplerBuffer areas;
uniform samplerBuffer heat;
uniform mat4 clip_from_world;
uniform mat3 eye_from_world;
uniform vec3 eye; // world
uniform bool flat_shaded;

centroid out vec3 normal_eye;
centroid out vec3 to_eye; // eye axes, not unit
centroid out vec2 uv;
centroid out vec4 color;
centroid out vec3 heat_value;
centroid out vec4 tangent_eye;

#include "instance.glsl"

void main() {
	int point = at_point(point_face.x);
	vec3 position = placed(texelFetch(points, point).xyz);
	vec3 n = texelFetch(normals, point).xyz;
	vec3 t = texelFetch(tangents, point).xyz;
	vec3 normal = flat_shaded ? texelFetch(areas, at_face(point_face.y)).xyz
							  : corner_normal.x * n + corner_normal.y * t + corner_normal.z * cross(n, t);
	normal_eye = eye_from_world * rotated(normal);
	to_eye = eye_from_world * (eye - position);
	vec3 tangent = corner_tangent.x * n + corner_tangent.y * t + corner_tangent.z * cross(n, t);
	tangent_eye = vec4(eye_from_world * rotated(tangent), flat_shaded ? 0.0 : corner_tangent.w);
	uv = corner_uv;
	color = corner_color;
	heat_value = texelFetch(heat, int(point_face.x)).xyz;
	gl_Position = clip_from_world * vec4(position, 1);
}
