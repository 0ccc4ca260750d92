/* SPDX-License-Identifier: MIT
 *
 * Inverts a black box: finds the rest points that a deformation moves to given targets. All points go in lockstep: one call
 * of the deformation serves every point that is not solved yet, and solved points leave the batch.
 *
 * Three solvers, each in its own file:
 *   - snk_lockstep_newton: differences, then Broyden's rank-one updates; for smooth deformations, a handful of calls.
 *   - snk_lockstep_powell: Powell's direction sets; for deformations with kinks, one or two hundred calls.
 *   - snk_lockstep_coupled: for deformations in which points depend on their neighbours; the whole mesh is one unknown.
 * The first two assume that each point depends on itself alone.
 *
 * Everything is allocated before the first call. Every point's steps depend on that point alone (in `coupled` on all, summed
 * in the order of their indices), so the same input gives the same bits for any number of threads. Call from the thread that
 * may use the host's parallel service.
 */
#ifndef SINEW_KIT_INVERSION_INVERSION_H
#define SINEW_KIT_INVERSION_INVERSION_H

#include "sinew/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The problem. Points are in one unit of length throughout. */
typedef struct snk_lockstep {
	const snw_host *host; /* memory; and threads, where it has them */
	uint32_t count;
	const double *targets; /* [count][3] */
	/* The size of the coordinates, as the diagonal of the rest's bounding box, and what part of it may remain between a target
	 * and what the deformation gives. A deformation in float cannot be asked for less than about 1e-6. */
	double size;
	double tolerance;
	/* Directions that the deformation shortens below this part of its longest stretch are left alone (Tikhonov; Powell's
	 * method has no matrix to tell by, and knows `longest` alone). */
	double ratio;
	/* How far a point may go, times its distance from the target at the start: each of Newton's steps (over the longest
	 * stretch), all of Powell's together. All of Newton's together: times the furthest point's distance, over the mean stretch.
	 * Where points are coupled, all together: times the furthest point's distance. */
	double longest;
	uint32_t call_limit;
	void *context;
	/* The deformation at one pose: rest [count][3] → posed [count][3]. points [count], ascending, says which of the problem's
	 * points these are. Any failure ends the inversion with that status. */
	snw_status (*deform)(void *context, uint32_t count, const uint32_t *points, const double *rest, double *posed);
	/* Optional; 0 to stop, which returns SNW_CANCELLED. Asked after each call. */
	int (*go_on)(void *context, uint32_t calls);
} snk_lockstep;

/* The result for a point. */
enum {
	SNK_LOCKSTEP_UNSOLVED = 0, /* not within the tolerance: the best found */
	SNK_LOCKSTEP_SOLVED = 1,   /* within the tolerance */
	SNK_LOCKSTEP_SINGULAR = 2  /* as near as it can be had without going far: the deformation flattens space here */
};

typedef struct snk_lockstep_result {
	uint32_t calls;
	uint32_t unsolved; /* points that are SNK_LOCKSTEP_UNSOLVED */
	double worst;      /* the largest distance from a target, of all points */
} snk_lockstep_result;

/* The deformation's Jacobians at `points`, which it moves to `posed` [count][3], by forward differences; three calls.
 * jacobians [count][9], row-major. Assumes that all points around a point move with it. */
snw_status snk_lockstep_differences(const snk_lockstep *problem, const double *points, const double *posed, double *jacobians,
									uint32_t *calls);

/* `points` [count][3]: the start, then what was found. `posed`: where the deformation takes the start, `jacobians`: as from
 * snk_lockstep_differences there; overwritten: posed is where the deformation takes what was found. `fates` [count]: what
 * became of each point. */
snw_status snk_lockstep_newton(const snk_lockstep *problem, double *points, double *posed, double *jacobians,
							   unsigned char *fates, snk_lockstep_result *result);

/* `posed`: where the deformation takes the start, then what was found. */
snw_status snk_lockstep_powell(const snk_lockstep *problem, double *points, double *posed, unsigned char *fates,
							   snk_lockstep_result *result);

/* `fixed` [count] (NULL: none): points that must stay and whose targets do not count. Stops when every other point is within
 * the tolerance, or when the distances no longer fall; `points` is the best found, for all points together. */
snw_status snk_lockstep_coupled(const snk_lockstep *problem, const unsigned char *fixed, double *points, double *posed,
								const double *jacobians, unsigned char *fates, snk_lockstep_result *result);

#ifdef __cplusplus
}
#endif

#endif
