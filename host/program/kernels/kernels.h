/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inner loops of the float evaluator, compiled for each instruction set and chosen when a program is packed.
 *
 * There are two of each. For 16 points that share their set of palette entries, each point has a lane: an entry's numbers
 * are read once for all 16, and everything else is read and written in order. Other points are mixed: they run one by one,
 * and a palette entry is a row of 16 floats, which is one register with AVX-512, two with AVX2, otherwise four.
 */
#ifndef SINEW_HOST_PROGRAM_KERNELS_KERNELS_H
#define SINEW_HOST_PROGRAM_KERNELS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SNW_LANES = 16,
	SNW_NO_RUN = UINT16_MAX,
	SNW_BLOCK_POINTS = 256 /* the most points in a call: their data fit into the first-level cache */
};

/* Points with the same number n of influences. Palettes are indexed by `entries`. The shapes, for lanes (g groups of
 * SNW_LANES points) and for mixed points (p of them): */
typedef struct snw_kernel_block {
	uint32_t point_count, influence_count; /* lanes: a multiple of SNW_LANES */
	bool wide;                             /* entries are uint32_t, else uint16_t */
	const void *entries;                   /* [g][n]; [p][n] */
	const float *weights;                  /* linear and dual quaternion: [g][n][16]; [p][n] */
	uint32_t weight_stride;                /* normals: from one influence's weights to the next's */
	const float *rows;                     /* affine: [g][n][4][16]; [p][n][4] */
	/* [g][3][16]; [p][3] with 16 readable bytes after the end. Affine: the displacements, or NULL for none. */
	const float *points;
	/* [entries][16]: 3×4 matrices by columns, each padded with a zero; for dual quaternions the stretch minus the identity,
	 * NULL for none. Aligned to 64. */
	const float *matrices;
	const float *dual_quaternions; /* [entries][8], signed. Aligned to 32 */
	float stay[3];                 /* the displacement of a point whose dual quaternion has no length */
	float origin[3];               /* mixed: added to each point */
	float *posed;                  /* out: as points; nothing after the end is written */
} snw_kernel_block;

typedef struct snw_blend_kernels {
	void (*linear)(const snw_kernel_block *block);
	void (*affine)(const snw_kernel_block *block);
	void (*dual_quaternion)(const snw_kernel_block *block);
	/* `points` and `posed` are normals: unit, or zero. Affine programs use the kernel for linear ones. */
	void (*linear_normals)(const snw_kernel_block *block);
	void (*dual_quaternion_normals)(const snw_kernel_block *block);
} snw_blend_kernels;

/* What one displacement does to SNW_LANES places in a row of a block, whichever its shape: 3 · SNW_LANES numbers, 0 where it
 * does nothing. */
typedef struct snw_displaced_piece {
	uint32_t displacement, number; /* the index of the first of these numbers in the block */
} snw_displaced_piece;

typedef struct snw_kernels {
	const char *name;
	snw_blend_kernels lanes, mixed;
	/* Adds pieces times the scale of their displacement to the numbers of a block. vectors: [count][3 · SNW_LANES], aligned to
	 * 64. */
	void (*displace)(uint32_t count, const snw_displaced_piece *pieces, const float *vectors, const float *scales,
					 float *numbers);
	/* Writes groups of lanes as points, with `origin` added. runs: for each group, the first of consecutive points, or
	 * SNW_NO_RUN: then locals[16 g + lane] is the point of each lane. If lanes have the same point, the last one counts. */
	void (*deliver)(uint32_t group_count, const float *posed, const float origin[3], const uint16_t *runs,
					const uint16_t *locals, float *points_out);
	/* Copies numbers past the caches, to memory that is not read soon. */
	void (*stream)(size_t count, const float *from, float *to);
} snw_kernels;

/* The kernels that this machine can run, the fastest last; `count` of them. */
const snw_kernels *const *snw_kernels_available(uint32_t *count);

#endif
