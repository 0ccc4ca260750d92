/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Triangles drawn into a texture by their UVs, four samples a texel, and what is around them filled from them. Private to
 * host/normals.
 */
#ifndef SINEW_HOST_NORMALS_TEXELS_H
#define SINEW_HOST_NORMALS_TEXELS_H

#include "base/arena.h"
#include "base/error.h"
#include "task/task.h"

enum { NM_TILE_SAMPLES = 256 };

/* Fills the normals of samples of a triangle that are near each other: `count` ≤ NM_TILE_SAMPLES; shares of the second and
 * third corner. Any thread. */
typedef void nm_fill(void *context, uint32_t triangle, uint32_t count, const double (*shares)[2], float (*normals)[3],
					 snw_arena *scratch);

typedef struct nm_texels {
	uint32_t size;
	unsigned char *pixels;         /* [size][size][3] */
	uint64_t covered, overlapping; /* samples; the first triangle that covers a sample has it */
} nm_texels;

/* uvs [count][3][2], v down; they may be in any square, but no triangle is wider or higher than one. A texel is the mean of its
 * samples, normalised. Empty texels near others are the mean of those, farther ones flat. The same bits for any number of
 * threads. In `arena`. SNW_CANCELLED. */
snw_status nm_texels_draw(uint32_t size, uint32_t count, const float (*uvs)[3][2], nm_fill *fill, void *context,
						  const snw_task *task, snw_arena *arena, nm_texels *texels, snw_error *error);

#endif
