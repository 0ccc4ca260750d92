/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/rows.h"

snw_influences snw_program_rows(const snw_program *program, snw_arena *arena) {
	if (program->blend == SNW_BLEND_AFFINE) {
		return (snw_influences){program->influence_offsets, program->influence_slots, program->influence_rows};
	}
	double *rows = SNW_NEW_ARRAY(arena, double, 4 * (size_t)program->influence_offsets[program->point_count]);
	for (uint32_t p = 0; p < program->point_count; p++) {
		for (uint32_t k = program->influence_offsets[p]; k < program->influence_offsets[p + 1]; k++) {
			for (size_t c = 0; c < 4; c++) {
				rows[4 * (size_t)k + c] = program->influence_weights[k] * (c < 3 ? program->points_rest[3 * (size_t)p + c] : 1);
			}
		}
	}
	return (snw_influences){program->influence_offsets, program->influence_slots, rows};
}
