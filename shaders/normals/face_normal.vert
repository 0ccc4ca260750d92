// SPDX-License-Identifier: GPL-3.0-or-later
//
// The area vector of each polygon, captured by transform feedback; INSTANCED, of every instance of a crowd.

layout(location = 0) in uvec2 span; // corners begin, count

out vec3 area;

#include "newell.glsl"

#ifdef INSTANCED
uniform int point_count;
#endif

void main() {
#ifdef INSTANCED
	first_point = gl_InstanceID * point_count;
#endif
	area = area_of(span);
}
