/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operators of each noun.
 */
#ifndef SINEW_HOST_OPERATORS_NOUNS_H
#define SINEW_HOST_OPERATORS_NOUNS_H

#include "operators/operator.h"

extern const snw_operator_noun snw_operators_bake, snw_operators_clip, snw_operators_example, snw_operators_fit,
	snw_operators_group, snw_operators_joint, snw_operators_mesh, snw_operators_pose, snw_operators_shape, snw_operators_stack,
	snw_operators_target, snw_operators_track, snw_operators_weights, snw_operators_skeleton, snw_operators_bind,
	snw_operators_lod, snw_operators_unwrap, snw_operators_normal_map;

#endif
