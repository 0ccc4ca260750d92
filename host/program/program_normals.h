/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals that a skin program brings itself.
 */
#ifndef SINEW_HOST_PROGRAM_PROGRAM_NORMALS_H
#define SINEW_HOST_PROGRAM_PROGRAM_NORMALS_H

#include "program/program.h"

/* program->normals evaluated: [point_count][3], unit, in posed space; zero where the blend leaves nothing. On all threads. No
 * allocation. */
void snw_normals_of_program(const snw_program *program, const snw_program_input *input, float *normals);

#endif
