// SPDX-License-Identifier: GPL-3.0-or-later
//
// The surface seen straight from above, for the soft shadow on the ground.

layout(location = 0) in uvec2 point_face;

uniform samplerBuffer points;
uniform vec3 middle; // world; its y is the ground's height
uniform float shadow_reach;

out float height; // above the ground, over the reach

#include "instance.glsl"

void main() {
	vec3 from_middle = (placed(texelFetch(points, at_point(point_face.x)).xyz) - middle) / shadow_reach;
	height = from_middle.y;
	gl_Position = vec4(from_middle.xz, 0, 1);
}
