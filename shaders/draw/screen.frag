// SPDX-License-Identifier: GPL-3.0-or-later
//
// A picture, as it is.

in vec2 place;

uniform sampler2D picture;

layout(location = 0) out vec4 pixel;

void main() {
	pixel = texture(picture, place);
}
