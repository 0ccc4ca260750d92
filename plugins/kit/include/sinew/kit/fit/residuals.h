/* SPDX-License-Identifier: MIT
 *
 * Residuals: what the layers below leave of samples, blends and black boxes alike. A corrective that is added after them learns
 * the posed ones; one that moves the rest learns the offsets of the rest.
 */
#ifndef SINEW_KIT_FIT_RESIDUALS_H
#define SINEW_KIT_FIT_RESIDUALS_H

#include "sinew/kit/fit/samples.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of one mesh. */
typedef struct snk_residuals {
	const snw_host *host;
	const snw_below_service *below;
	const snw_mesh_view *mesh;
	uint32_t mesh_index;
	int is_affine; /* the layers below are affine at each point, as far as is known */
	/* Of the last sample. */
	const snk_sample *sample;
	double *rest, *posed; /* [point_count][3] */
	double *matrices;     /* [point_count][12] */
} snk_residuals;

/* The view and the pool must outlive it. Errors: SNW_ERROR_MISSING where the host has no service `below`, SNW_ERROR_MEMORY. */
snw_status snk_residuals_open(const snw_host *host, const snw_character_view *character, uint32_t mesh, snw_pool *pool,
							  snk_residuals *residuals);

/* posed [point_count][3]: the sample's points, less where the layers below put them. Errors: those of the layers below. Owner
 * thread. */
snw_status snk_residuals_posed(snk_residuals *residuals, const snk_sample *sample, double *posed);

/* offsets [point_count][3]: the offset of each rest point with which the layers below reproduce its position in the sample. If
 * they are affine at each point, it follows from their matrices. Otherwise the matrices of the base skin approximate theirs,
 * and a few rounds correct the result. Directions that a matrix nearly flattens are not inverted: one bad sample would spoil a
 * regression. Errors: those of the layers below. Owner thread; the same bits on any number of threads. */
snw_status snk_residuals_rest(snk_residuals *residuals, const snk_sample *sample, double *offsets);

#ifdef __cplusplus
}
#endif

#endif
