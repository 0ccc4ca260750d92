/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points of a lockstep inversion that are still alive, and one call of the box for all of them. Shared by its solvers.
 */
#ifndef SINEW_DEFORMERS_KIT_INVERSION_BATCH_H
#define SINEW_DEFORMERS_KIT_INVERSION_BATCH_H

#include "kit/inversion/black_box_inversion.h"
#include "sinew/pool.h"

typedef struct snw_batch {
	const snw_lockstep *problem;
	uint32_t alive;
	uint32_t *points; /* [alive]: which of the problem's points, ascending */
	double *rest;     /* [alive][3]: where the box is asked */
	double *posed;    /* [alive][3]: what it answered */
	uint32_t calls;
} snw_batch;

/* All points alive. Arrays are in the pool, which remembers if there was no memory. */
snw_batch snw_batch_open(const snw_lockstep *problem, snw_pool *pool);

/* Asks the box once. SNW_CANCELLED where the problem says to stop. */
snw_status snw_batch_deform(snw_batch *batch);

/* Keeps only points whose fate is open. */
void snw_batch_keep(snw_batch *batch, const unsigned char *fates);

/* A range of the places of a batch. */
typedef void snw_batch_part(void *argument, uint32_t begin, uint32_t end);

/* `chunk` over the places of the batch, over threads where the host has them. */
void snw_batch_each(const snw_batch *batch, snw_batch_part *chunk, void *argument);

/* What a solver does with the points of a batch, part by part. */
typedef struct snw_batch_steps {
	snw_batch_part *open;  /* once, while all are alive: states and fates from what is known already */
	snw_batch_part *ask;   /* writes `rest` */
	snw_batch_part *judge; /* reads `posed`, decides fates */
} snw_batch_steps;

/* A whole inversion: opens, then asks and judges until every fate is decided or the problem's calls are spent. `argument`, handed
 * to the steps, holds `own`; `posed` is where all of the problem's points are by now. */
snw_status snw_batch_run(snw_batch *batch, const snw_batch_steps *steps, void *argument, const double *posed,
						 unsigned char *fates, snw_lockstep_result *result);

/* How far apart the box is asked to difference it: half of the digits that the tolerance asks for; curvature and rounding then
 * cost alike. */
double snw_batch_difference(const snw_lockstep *problem);

/* A fate that is not yet decided; never returned to the caller. */
enum { BATCH_OPEN = 255 };

/* Ends an inversion: open fates become SNW_LOCKSTEP_LEFT, and all are counted. */
void snw_batch_close(const snw_batch *batch, const double *posed, unsigned char *fates, snw_lockstep_result *result);

#endif
