/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The float evaluator: the program packed once, run many times, vectorised and threaded. Within 1e-5 of the bounding box of
 * the truth; the same bits for any number of threads.
 */
#ifndef SINEW_HOST_PROGRAM_FAST_H
#define SINEW_HOST_PROGRAM_FAST_H

#include "program/program.h"

typedef struct snw_packed_program snw_packed_program;

snw_packed_program *snw_program_pack(const snw_program *program);
void snw_packed_program_destroy(snw_packed_program *packed);

/* points_in: [point_count][3] or NULL for the rest, as for the truth. Allocates nothing; one call at a time for one packed
 * program (it owns the scratch). */
void snw_program_run(snw_packed_program *packed, const snw_program_frame *frame, const float *points_in, float *points_out);

#endif
