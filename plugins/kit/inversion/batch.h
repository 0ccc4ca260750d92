/* SPDX-License-Identifier: MIT
 *
 * The points of a lockstep inversion that are not done, and one call of the deformation for all of them. Shared by its solvers.
 */
#ifndef SINEW_DEFORMERS_KIT_INVERSION_BATCH_H
#define SINEW_DEFORMERS_KIT_INVERSION_BATCH_H

#include "sinew/kit/inversion/inversion.h"
#include "sinew/pool.h"

typedef struct snk_batch {
	const snk_lockstep *problem;
	uint32_t active;
	uint32_t *points; /* [active]: indices in the problem, ascending */
	double *rest;     /* [active][3]: where the deformation is evaluated next */
	double *posed;    /* [active][3]: the result */
	uint32_t calls;
} snk_batch;

/* All points are active. Arrays are in the pool, which records a lack of memory. */
snk_batch snk_batch_open(const snk_lockstep *problem, snw_pool *pool);

/* Evaluates the deformation once. SNW_CANCELLED if the problem is stopped. */
snw_status snk_batch_deform(snk_batch *batch);

/* A range of the batch's elements. */
typedef void SNW_CALL snk_batch_part(void *argument, uint32_t begin, uint32_t end, uint32_t thread);

/* Runs `chunk` over the elements of the batch, on threads if the host has them. */
void snk_batch_each(const snk_batch *batch, snk_batch_part *chunk, void *argument);

/* The steps of a solver, each over a range of the batch. */
typedef struct snk_batch_steps {
	snk_batch_part *open;    /* once, while all are active: initial states and fates */
	snk_batch_part *propose; /* writes `rest` */
	snk_batch_part *assess;  /* reads `posed`, decides fates */
} snk_batch_steps;

/* A whole inversion: opens, then proposes and assesses until every fate is decided or the limit of calls is reached.
 * `argument` is passed to the steps; `posed` are the images of all of the problem's points so far. */
snw_status snk_batch_run(snk_batch *batch, const snk_batch_steps *steps, void *argument, const double *posed,
						 unsigned char *fates, snk_lockstep_result *result);

/* The step for differences: half of the digits of the tolerance, so that curvature and rounding cost the same. */
double snk_batch_difference(const snk_lockstep *problem);

/* A fate that is not yet decided; never returned to the caller. */
enum { SNK_BATCH_OPEN = 255 };

/* Ends an inversion: open fates become SNK_LOCKSTEP_UNSOLVED, and all are counted. */
void snk_batch_close(const snk_batch *batch, const double *posed, unsigned char *fates, snk_lockstep_result *result);

#endif
