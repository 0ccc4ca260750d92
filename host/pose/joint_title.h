/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a joint is called on a body, for people: "Right shoulder" for upperarm_r, mixamorig:RightArm, Bip01 R UpperArm,
 * J_Bip_R_UpperArm and 右腕. A bone bends at its upper end, so an upper arm is a shoulder and a shin a knee. Where all joints of
 * a limb are called alike ("arm_joint_L_1" to "arm_joint_L_3"), their order tells what they are.
 */
#ifndef SINEW_HOST_POSE_JOINT_TITLE_H
#define SINEW_HOST_POSE_JOINT_TITLE_H

#include "scene/scene.h"

/* In `arena`. A name that is no known part of a body keeps its words, without prefixes of programs: "Spine 2", "Left tail
 * 3". */
const char *snw_joint_title(const snw_skeleton *skeleton, uint32_t joint, snw_arena *arena);

#endif
