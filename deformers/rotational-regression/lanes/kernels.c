/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This file is compiled once for each instruction set, with LANE_KERNELS and LANE_KERNELS_NAME.
 */
#include "rotational-regression/lanes/lanes.h"
#include "rotational-regression/lanes/pose.h"
#include "rotational-regression/lanes/predict.h"

extern const lane_kernels LANE_KERNELS;
const lane_kernels LANE_KERNELS = {.name = LANE_KERNELS_NAME, .pose = pose_side_by_side, .predict = predict_side_by_side};
