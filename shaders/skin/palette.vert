// SPDX-License-Identifier: GPL-3.0-or-later
//
// The palette computed on the GPU: one vertex a row, captured by transform feedback.

out vec4 row_made;

#include "palette.glsl"

void main() {
	row_made = palette_row(gl_VertexID / 3, gl_VertexID % 3);
}
