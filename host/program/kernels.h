/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inner loops of the float evaluator, built once for each instruction set and chosen when a program is packed. Every set
 * adds the same numbers in the same order, so all give the same bits.
 */
#ifndef SINEW_HOST_PROGRAM_KERNELS_H
#define SINEW_HOST_PROGRAM_KERNELS_H

#include <stdint.h>

enum { SNW_BLOCK_POINTS = 256 }; /* the most points that one call gets: what it touches stays in the first cache */

/* Points that all have the same number of influences. Palettes are indexed by `entries`. */
typedef struct snw_kernel_block {
	uint32_t point_count, influence_count;
	const uint32_t *entries; /* [point_count][influence_count] */
	const float *weights;    /* the same shape; linear and dual quaternion */
	const float *rows;       /* [point_count][influence_count][4]; affine */
	/* [point_count][4]: the point, and 1; for affine its displacement, or NULL for none. */
	const float *points;
	/* [entries][16]: 3×4 matrices by columns, a zero below each; the stretch less the identity for dual quaternions, NULL for
	 * none. Aligned to 64. */
	const float *matrices;
	const float *dual_quaternions; /* [entries][8], signed. Aligned to 32 */
	float stay[3];                 /* what a point whose dual quaternion has no length moves by */
	float *posed;                  /* [point_count][4], out */
} snw_kernel_block;

typedef struct snw_kernels {
	const char *name;
	void (*linear)(const snw_kernel_block *block);
	void (*affine)(const snw_kernel_block *block);
	void (*dual_quaternion)(const snw_kernel_block *block);
} snw_kernels;

/* Those that this machine can run, the best last; `count` of them. */
const snw_kernels *const *snw_kernels_available(uint32_t *count);

#endif
