/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blend of a program as rows: a 4-vector for each influence.
 */
#ifndef SINEW_HOST_PROGRAM_ROWS_H
#define SINEW_HOST_PROGRAM_ROWS_H

#include "program/program.h"

/* Numbers for each influence of each point: weights (width 1) or rows (width 4). */
typedef struct snw_influences {
	const uint32_t *offsets; /* [point_count + 1] */
	const uint32_t *slots;
	const double *values; /* [offsets[point_count]][width] */
} snw_influences;

/* The rows of a linear or affine blend. Linear blend: w (r, 1). New arrays are in `arena`, the others the program's. */
snw_influences snw_program_rows(const snw_program *program, snw_arena *arena);

#endif
