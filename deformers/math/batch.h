/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points of a lockstep inversion that are still alive, and one call of the box for all of them. Shared by its solvers.
 */
#ifndef SINEW_DEFORMERS_MATH_BATCH_H
#define SINEW_DEFORMERS_MATH_BATCH_H

#include "math/lockstep.h"
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
snw_status snw_batch_deform(snw_batch *own);

/* Keeps only points whose fate is open. */
void snw_batch_keep(snw_batch *own, const unsigned char *fates);

/* `chunk` over the places of the batch, over threads where the host has them. */
void snw_batch_each(const snw_batch *own, void (*chunk)(void *argument, uint32_t begin, uint32_t end), void *argument);

/* How far apart the box is asked to difference it: half of the digits that the tolerance asks for; curvature and rounding then
 * cost alike. */
double snw_batch_difference(const snw_lockstep *problem);

/* A fate that is not yet decided; never returned to the caller. */
enum { BATCH_OPEN = 255 };

/* Ends an inversion: open fates become SNW_LOCKSTEP_LEFT, and all are counted. */
void snw_batch_close(const snw_batch *own, const double *posed, unsigned char *fates, snw_lockstep_result *result);

#endif
