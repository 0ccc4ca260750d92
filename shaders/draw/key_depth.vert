// SPDX-License-Identifier: GPL-3.0-or-later
//
// The surface seen from the key light, for its depth.

layout(location = 0) in uvec2 point_face;

uniform samplerBuffer points;
uniform mat3 eye_from_world;
uniform vec3 eye; // world
uniform mat4 key_from_eye;

#include "instance.glsl"

void main() {
	vec3 position = eye_from_world * (placed(texelFetch(points, at_point(point_face.x)).xyz) - eye);
	vec4 place = key_from_eye * vec4(position, 1);
	gl_Position = vec4(2.0 * place.xyz - 1.0, 1); // the matrix gives what textures are read with
}
