// SPDX-License-Identifier: GPL-3.0-or-later
//
// One colour.

uniform vec4 wire_color;

layout(location = 0) out vec4 pixel;

void main() {
	pixel = wire_color;
}
