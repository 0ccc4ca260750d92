/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses the best kernels for this machine.
 */
#include "motion/kernels.h"

extern const snk_lane_kernels snk_lane_kernels_baseline;
#if defined(__x86_64__)
extern const snk_lane_kernels snk_lane_kernels_avx2, snk_lane_kernels_avx512;
#endif

const snk_lane_kernels *snk_lane_kernels_best(void) {
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512f")) {
		return &snk_lane_kernels_avx512;
	}
	if (__builtin_cpu_supports("avx2")) {
		return &snk_lane_kernels_avx2;
	}
#endif
	return &snk_lane_kernels_baseline;
}
