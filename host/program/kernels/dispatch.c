/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses the kernels that this machine can run.
 */
#include "program/kernels/kernels.h"

extern const snw_kernels snw_kernels_baseline;
#if defined(__x86_64__)
extern const snw_kernels snw_kernels_avx2, snw_kernels_avx512;
#endif

const snw_kernels *const *snw_kernels_available(uint32_t *count) {
#if defined(__x86_64__)
	static const snw_kernels *const all[] = {&snw_kernels_baseline, &snw_kernels_avx2, &snw_kernels_avx512};
	const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	*count = !avx2 ? 1 : !__builtin_cpu_supports("avx512f") ? 2 : 3;
#else
	static const snw_kernels *const all[] = {&snw_kernels_baseline};
	*count = 1;
#endif
	return all;
}
