/* SPDX-License-Identifier: MIT
 *
 * Non-negative least squares with weights that sum to one, and with a chosen number of them: the skin weights of one point.
 *
 *     minimise f(w) = wᵀ G w − 2 hᵀ w   over   w ≥ 0, Σ w = 1   (and at most K of them not 0)
 *
 * For residual columns u_s (what influence s alone would leave, over all samples), G = uᵀu and h = 0 make f the squared error.
 * Because of Σ w = 1 that loses nothing against the textbook's AᵀA and Aᵀb, and nothing cancels.
 *
 * With the support given, an active set in the manner of C. Lawson and R. Hanson, Solving Least Squares Problems, 1974, ch. 23;
 * the sum is eliminated instead of being weighted. A ridge of 1e-12 of the largest diagonal makes every G regular: duplicate
 * columns share their weight. Choosing the support is combinatorial: search finds the optimum where the unrestricted one is
 * sparse enough, and elsewhere a support that no exchange of one member improves.
 *
 * Nothing allocates; any thread; the same bits on every run.
 */
#ifndef SINEW_KIT_NUMERICS_NNLS_H
#define SINEW_KIT_NUMERICS_NNLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SNK_NNLS_CANDIDATES 64
#define SNK_NNLS_INFLUENCES 12

typedef struct snk_nnls_problem {
	uint32_t count;      /* candidates, 1 to SNK_NNLS_CANDIDATES */
	const double *gram;  /* G [count][count], symmetric, positive semidefinite, finite */
	const double *right; /* h [count]; NULL for 0 */
} snk_nnls_problem;

typedef struct snk_nnls_solution {
	uint32_t count;                        /* weights above 0, at least one */
	uint32_t support[SNK_NNLS_CANDIDATES]; /* [count] candidates, rising */
	double weights[SNK_NNLS_CANDIDATES];   /* [count], above 0, summing to 1 */
	double cost;                           /* f, with the ridge in it */
} snk_nnls_solution;

/* A support to start a search from. */
typedef struct snk_nnls_support {
	uint32_t count;
	uint32_t candidates[SNK_NNLS_INFLUENCES]; /* [count], each once */
} snk_nnls_support;

/* The optimum over the candidates in `among` [count], rising; NULL for all of them (count is not read then). */
void snk_nnls_solve(const snk_nnls_problem *problem, uint32_t count, const uint32_t *among, snk_nnls_solution *solution);

/* The best support found of at most `most` (1 to SNK_NNLS_INFLUENCES) candidates: never worse than any of the `starts` (those
 * larger than `most` are not looked at), than greedy growth, or than what stays of the unrestricted optimum's largest
 * weights. */
void snk_nnls_search(const snk_nnls_problem *problem, uint32_t most, uint32_t start_count, const snk_nnls_support *starts,
					 snk_nnls_solution *solution);

#ifdef __cplusplus
}
#endif

#endif
