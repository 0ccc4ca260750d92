// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is near to the ground takes most light from it.

in float height;

layout(location = 0) out vec4 pixel;

void main() {
	pixel = vec4(exp(-3.5 * max(height, 0.0)));
}
