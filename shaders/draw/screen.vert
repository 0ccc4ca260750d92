// SPDX-License-Identifier: GPL-3.0-or-later
//
// One triangle over the whole picture.

out vec2 place; // 0 to 1, up

void main() {
	vec2 corner = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
	place = 0.5 + 0.5 * corner;
	gl_Position = vec4(corner, 1, 1);
}
