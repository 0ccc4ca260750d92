/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Displacements of many points: whole pieces, read in order.
 */
#ifndef SINEW_HOST_PROGRAM_KERNELS_DISPLACE_H
#define SINEW_HOST_PROGRAM_KERNELS_DISPLACE_H

#include "program/kernels/vectors.h"

static void displace(uint32_t count, const snw_displaced_piece *pieces, const float *vectors, const float *scales,
					 float *numbers) {
	for (size_t n = 0; n < count; n++) {
		const float scale = scales[pieces[n].displacement];
		const float *from = vectors + 3 * SNW_LANES * n;
		float *to = numbers + pieces[n].number;
		if (scale == 0) {
			continue;
		}
		for (size_t i = 0; i < 3 * SNW_LANES; i += VECTOR_FLOATS) {
			store(to + i, load(to + i) + scale * load(from + i));
		}
	}
}

#endif
