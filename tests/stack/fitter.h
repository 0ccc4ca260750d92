/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the test method's model records of its fit: its saved bytes are this record.
 */
#ifndef SINEW_TESTS_STACK_FITTER_H
#define SINEW_TESTS_STACK_FITTER_H

#include "sinew/sinew.h"

#define FITTER_OUTCOMES                                                                                                        \
	"ok", "wait", "not-converged", "fail", "no-model", "bad-field", "propose", "skeleton", "unreadable", "crash",              \
		"fail-silently", "colour", "bad-colour"

typedef struct fitter_record {
	uint32_t outcome;
	uint32_t example_count, group_count, member_count;
	int32_t below_status, affine_status, past_status;
	uint32_t rings;
	double amount;
	double below[6];   /* point 5 at the first example's pose: from its rest, and from half a metre along x */
	double matrix[12]; /* of that point */
} fitter_record;

#endif
