/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A palette that is linear in z: T = C z. Row 4s + c of C z is column c of T_s.
 */
#include "program/program.h"

static void add_term(double column[3], double c, const double z[3]) {
	for (int r = 0; r < 3; r++) {
		column[r] += c * z[r];
	}
}

void snw_program_combine(const snw_program *program, const double *z, double *matrices) {
	const snw_sparse_rows *sparse = program->combined_rows;
	const uint32_t n = program->combined_count;
	for (size_t row = 0; row < (size_t)4 * program->slot_count; row++) {
		double column[3] = {0, 0, 0};
		if (sparse) {
			for (uint32_t i = sparse->offsets[row]; i < sparse->offsets[row + 1]; i++) {
				add_term(column, sparse->values[i], z + (size_t)3 * sparse->columns[i]);
			}
		} else {
			for (uint32_t k = 0; k < n; k++) {
				add_term(column, program->combined[row * n + k], z + (size_t)3 * k);
			}
		}
		for (size_t r = 0; r < 3; r++) {
			matrices[12 * (row / 4) + 4 * r + row % 4] = column[r];
		}
	}
}
