/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals of a skin program.
 */
#ifndef SINEW_HOST_PROGRAM_PROGRAM_NORMALS_H
#define SINEW_HOST_PROGRAM_PROGRAM_NORMALS_H

#include "program/program.h"

/* Evaluates program->normals: [point_count][3], unit, in posed space; zero if the blend is zero. Uses all threads. Allocates
 * nothing. */
void snw_normals_of_program(const snw_program *program, const snw_program_input *input, float *normals);

#endif
