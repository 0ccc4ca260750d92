// SPDX-License-Identifier: GPL-3.0-or-later
//
// The palette computed on the GPU: palette.vert as a compute shader.

layout(local_size_x = 64) in;

layout(std430, binding = 0) writeonly buffer Palette { vec4 rows_made[]; };

uniform int row_count;

#include "palette.glsl"

void main() {
	int row = int(gl_GlobalInvocationID.x);
	if (row < row_count) {
		rows_made[row] = palette_row(row / 3, row % 3);
	}
}
