// SPDX-License-Identifier: GPL-3.0-or-later
//
// One colour, faded.

in float strength;

uniform vec4 wire_color;

layout(location = 0) out vec4 pixel;

void main() {
	pixel = vec4(wire_color.rgb, wire_color.a * strength);
}
