// SPDX-License-Identifier: GPL-3.0-or-later
//
// A character of a crowd: its points among those of all instances, and its place. Without INSTANCED there is one, in its own
// place.

#ifdef INSTANCED
uniform samplerBuffer instances; // xy: x and z, metres; z: a rotation about the vertical, radians
uniform int first_instance, point_count, face_count;

int at_point(uint point) {
	return gl_InstanceID * point_count + int(point);
}

int at_face(uint face) {
	return gl_InstanceID * face_count + int(face);
}

vec3 rotated(vec3 v) {
	float yaw = texelFetch(instances, first_instance + gl_InstanceID).z, c = cos(yaw), s = sin(yaw);
	return vec3(c * v.x + s * v.z, v.y, c * v.z - s * v.x);
}

vec3 placed(vec3 v) {
	vec2 place = texelFetch(instances, first_instance + gl_InstanceID).xy;
	return rotated(v) + vec3(place.x, 0, place.y);
}
#else
int at_point(uint point) {
	return int(point);
}

int at_face(uint face) {
	return int(face);
}

vec3 rotated(vec3 v) {
	return v;
}

vec3 placed(vec3 v) {
	return v;
}
#endif
