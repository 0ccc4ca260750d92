/* SPDX-License-Identifier: MIT
 *
 * The points of a lockstep inversion that are not done, and one call of the deformation for all of them. Shared by its solvers.
 */
#ifndef SINEW_DEFORMERS_KIT_INVERSION_BATCH_H
#define SINEW_DEFORMERS_KIT_INVERSION_BATCH_H

#include "sinew/kit/inversion.h"
#include "sinew/pool.h"

typedef struct snk_batch {
	const snk_lockstep *problem;
	uint32_t active;
	uint32_t *points; /* [active]: which of the problem's points, ascending */
	double *rest;     /* [active][3]: where the deformation is evaluated */
	double *posed;    /* [active][3]: where the deformation takes them */
	uint32_t calls;
} snk_batch;

/* All points are active. Arrays are in the pool, which remembers if there was no memory. */
snk_batch snk_batch_open(const snk_lockstep *problem, snw_pool *pool);

/* Evaluates the deformation once. SNW_CANCELLED where the problem says to stop. */
snw_status snk_batch_deform(snk_batch *batch);

/* Keeps only points whose fate is open. */
void snk_batch_compact(snk_batch *batch, const unsigned char *fates);

/* A range of the places of a batch. */
typedef void SNW_CALL snk_batch_part(void *argument, uint32_t begin, uint32_t end, uint32_t thread);

/* `chunk` over the places of the batch, over threads where the host has them. */
void snk_batch_each(const snk_batch *batch, snk_batch_part *chunk, void *argument);

/* What a solver does with the points of a batch, part by part. */
typedef struct snk_batch_steps {
	snk_batch_part *open;    /* once, while all are active: states and fates from what is known already */
	snk_batch_part *propose; /* writes `rest` */
	snk_batch_part *assess;  /* reads `posed`, decides fates */
} snk_batch_steps;

/* A whole inversion: opens, then proposes and assesses until every fate is decided or the problem's calls are spent. `argument` is passed
 * to the steps; `posed` is where all of the problem's points are by now. */
snw_status snk_batch_run(snk_batch *batch, const snk_batch_steps *steps, void *argument, const double *posed,
						 unsigned char *fates, snk_lockstep_result *result);

/* How far apart the deformation is evaluated to difference it: half of the digits that the tolerance asks for; curvature and rounding then
 * cost alike. */
double snk_batch_difference(const snk_lockstep *problem);

/* A fate that is not yet decided; never returned to the caller. */
enum { SNK_BATCH_OPEN = 255 };

/* Ends an inversion: open fates become SNK_LOCKSTEP_UNSOLVED, and all are counted. */
void snk_batch_close(const snk_batch *batch, const double *posed, unsigned char *fates, snk_lockstep_result *result);

#endif
