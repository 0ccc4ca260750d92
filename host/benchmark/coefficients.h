/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a corrective takes to compute the coefficients of its examples from a pose.
 */
#ifndef SINEW_HOST_BENCHMARK_COEFFICIENTS_H
#define SINEW_HOST_BENCHMARK_COEFFICIENTS_H

#include "base/error.h"
#include "plugin/registry.h"

typedef struct snw_bench_coefficients_row {
	uint32_t examples, joints; /* 64 and 12, in one group */
	double seconds;            /* of drive at one pose, on one thread: the best of many rounds */
} snw_bench_coefficients_row;

/* Fits `method` to examples at poses with a fixed seed; the fit is not timed. */
snw_status snw_bench_coefficients(const snw_registry *registry, const char *method, snw_bench_coefficients_row *row,
								  snw_error *error);

#endif
