/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a stack costs to evaluate: counted from its skin programs, and measured beside the baseline's.
 */
#ifndef SINEW_HOST_COMPARE_COST_H
#define SINEW_HOST_COMPARE_COST_H

#include "compare/compare.h"
#include "measure/measured_frames.h"
#include "stack/stack.h"

/* Counts the programs of a mesh, and runs both stacks in turn at poses of the series: each pose's shortest time counts, so that
 * what else the machine does falls out of the ratio. On one thread. */
snw_status snw_compare_cost_find(const snw_stack *stack, const snw_stack *baseline, uint32_t mesh, const snw_series *series,
								 snw_compare_cost *cost, snw_error *error);

#endif
