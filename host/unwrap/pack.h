/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs flat charts into a square by bitmap: each chart is tried at several angles, and put where it ends lowest. Private to
 * host/unwrap.
 */
#ifndef SINEW_HOST_UNWRAP_PACK_H
#define SINEW_HOST_UNWRAP_PACK_H

#include "base/error.h"
#include "task/task.h"

typedef struct unwrap_part {
	uint32_t vertex_count, triangle_count;
	const double (*uvs)[2];
	const uint32_t *triangles; /* [triangle_count][3] */
	double area;
	/* Where it is put: rotated by the angle, scaled, then moved, in units of the square. */
	double angle, offset[2];
} unwrap_part;

/* Returns the scale in `scale`: the same for all parts. Between two parts are `padding` of the `size` pixels along a side at
 * least, and half as many between a part and the border; they are less than half of `size`. `used` gets the share of the
 * square that the parts cover. SNW_CANCELLED; SNW_ERROR_LIMIT where the padding leaves no room for so many parts. */
snw_status unwrap_pack(uint32_t count, unwrap_part *parts, uint32_t size, uint32_t padding, const snw_task *task, double *scale,
					   double *used, snw_error *error);

/* Where a point of a part is in the square. */
void unwrap_part_place(const unwrap_part *part, double scale, const double uv[2], double placed[2]);

#endif
