/* SPDX-License-Identifier: MIT
 *
 * The scalar product of vectors of any length. Nothing allocates; any thread.
 */
#ifndef SINEW_KIT_NUMERICS_DOT_H
#define SINEW_KIT_NUMERICS_DOT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline double snk_dot(size_t count, const double *a, const double *b) {
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

#ifdef __cplusplus
}
#endif

#endif
