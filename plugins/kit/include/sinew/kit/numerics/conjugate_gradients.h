/* SPDX-License-Identifier: MIT
 *
 * A sparse symmetric positive definite system without a factor, for those whose factor takes too much memory: conjugate
 * gradients (M. Hestenes, E. Stiefel, 1952), preconditioned with the Cholesky factors of the blocks on the diagonal. If all
 * other entries are 0, the first step is exact.
 */
#ifndef SINEW_KIT_NUMERICS_CONJUGATE_GRADIENTS_H
#define SINEW_KIT_NUMERICS_CONJUGATE_GRADIENTS_H

#include "sinew/host.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snk_descent {
	double tolerance;    /* ends when the preconditioned residual has fallen to this part of the right-hand side's */
	uint32_t most_steps; /* ends after this many */
	uint32_t steps;      /* gets how many there were */
} snk_descent;

/* The system as for the solver service, with blocks. `right` [n]; `x` [n]: where to start, then the solution. SNW_NOT_CONVERGED
 * after the most steps, with x as near as they came; SNW_CANCELLED where the task's progress said so; SNW_ERROR_SINGULAR where
 * a block is not positive definite; SNW_ERROR_MEMORY. The same bits on every run. From the thread of the fit. */
snw_status snk_conjugate_gradients(const snw_host *host, const snw_sparse_call *system, const double *right, double *x,
								   snk_descent *descent);

#ifdef __cplusplus
}
#endif

#endif
