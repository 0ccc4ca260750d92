/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses what this machine can run.
 */
#include "rotational-regression/lanes/lanes.h"

extern const lane_kernels lane_kernels_baseline;
#if defined(__x86_64__)
extern const lane_kernels lane_kernels_avx2, lane_kernels_avx512;
#endif

const lane_kernels *const *lane_kernels_available(uint32_t *count) {
#if defined(__x86_64__)
	static const lane_kernels *const all[] = {&lane_kernels_baseline, &lane_kernels_avx2, &lane_kernels_avx512};
	const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	*count = !avx2 ? 1 : !__builtin_cpu_supports("avx512f") ? 2 : 3;
#else
	static const lane_kernels *const all[] = {&lane_kernels_baseline};
	*count = 1;
#endif
	return all;
}

static const lane_kernels *fastest(void) {
	uint32_t count;
	const lane_kernels *const *all = lane_kernels_available(&count);
	return all[count - 1];
}

void pose_joints(uint32_t features, uint32_t count, const regressed_joint *joints, const snw_pose_view *pose,
				 posed_joint *posed) {
	fastest()->pose(features, count, joints, pose, posed);
}

void predict_gradients(const posed_joint *posed, const predictor_group *group, uint32_t count, double (*gradients)[9]) {
	fastest()->predict(posed, group, count, gradients);
}
