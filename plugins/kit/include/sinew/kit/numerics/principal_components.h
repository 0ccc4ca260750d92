/* SPDX-License-Identifier: MIT
 *
 * Principal components (K. Pearson, On lines and planes of closest fit to systems of points in space, 1901): the directions in
 * which observations vary most about their mean, from the eigenvectors of the smaller of X Xᵀ and Xᵀ X. That squares the
 * numbers: components with less than about 1e-6 of the largest deviation are rounding error, and are left out.
 */
#ifndef SINEW_KIT_NUMERICS_PRINCIPAL_COMPONENTS_H
#define SINEW_KIT_NUMERICS_PRINCIPAL_COMPONENTS_H

#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An observation is nearly mean + Σ_k weights[k] directions[k]. */
typedef struct snk_principal_components {
	uint32_t count, width;
	double *mean;       /* [width] */
	double *directions; /* [count][width], orthonormal, most deviation first */
	double *deviations; /* [count]: the root of the mean square of the weights of each */
} snk_principal_components;

/* observations [count][width]. At most `most` components, in the pool. It takes the time of an eigenproblem of the smaller of
 * the two numbers, which should be at most a few hundred. The same bits on any number of threads. Errors: SNW_ERROR_MEMORY.
 * Owner thread. */
snw_status snk_principal_components_find(const snw_host *host, uint32_t count, uint32_t width, const double *observations,
										 uint32_t most, snw_pool *pool, snk_principal_components *found);

/* The weights [count of the components] of an observation. Nothing allocates; any thread. */
void snk_principal_weights(const snk_principal_components *components, const double *observation, double *weights);

#ifdef __cplusplus
}
#endif

#endif
