// SPDX-License-Identifier: GPL-3.0-or-later
//
// The area vector of each polygon, captured by transform feedback.

layout(location = 0) in uvec2 span; // corners begin, count

out vec3 area;

#include "newell.glsl"

void main() {
	area = area_of(span);
}
