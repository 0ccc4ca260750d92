/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dual quaternion blend: the rigid motions of the joints are averaged as dual quaternions, so that the skin between two
 * joints rotates and does not collapse. It uses the rig's weights; the scales of joints are blended linearly and applied to
 * the rest point first.
 */
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/sinew.h"

SNK_SKIN_MODEL_FUNCTIONS("SNWDUAL", SNW_BLEND_DUAL_QUATERNION)

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.dual-quaternion",
	.short_name = "dual-quaternion",
	.name = "Dual quaternion",
	.version = "1.0",
	.paper = "L. Kavan, S. Collins, J. Žára, C. O'Sullivan: Geometric skinning with approximate dual quaternion blending, 2008",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN,
	.traits = SNW_BINDS | SNW_REPLACES_BLEND,
};

SNW_DEFORMER(.fit = snk_skin_model_copy, .lower = lower, .save = save, .load = load, .release = snk_model_release)
