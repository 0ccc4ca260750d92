/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear blend: the weighted mean of its joints' transforms moves each point. The original rig: nothing is learned, and the
 * only input is the pose's palette.
 */
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/sinew.h"

SNK_SKIN_MODEL_FUNCTIONS("SNWLINB", SNW_BLEND_LINEAR)

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.linear-blend",
	.short_name = "linear-blend",
	.name = "Linear blend",
	.version = "1.0",
	.paper = "N. Magnenat-Thalmann, R. Laperrière, D. Thalmann: Joint-dependent local deformations for hand animation and "
			 "object grasping, 1988",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN,
	.traits = SNW_BINDS | SNW_REPLACES_BLEND | SNW_BASELINE,
};

SNW_DEFORMER(.fit = snk_skin_model_copy, .lower = lower, .save = save, .load = load, .release = snk_model_release)
