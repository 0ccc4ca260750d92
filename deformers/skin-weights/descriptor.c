/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol. The model is only the skin from before, because all that
 * the fit finds is proposed.
 */
#include "sinew/kit/fit/fit.h"
#include "skin-weights/skin-weights.h"

static const char *const sources[] = {"auto", "heat", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[SOURCE] = SNW_CHOICE("source", "Source", "Where weights come from: motion where there is any, or heat alone.", sources,
						  SOURCE_AUTO, SNW_STAGE_FIT),
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most joints that may move one point.", 4, 1, 12, SNW_STAGE_FIT,
							 SNW_SOFT(1, 8), .role = SNW_ROLE_INFLUENCES),
	[SPREAD] =
		SNW_NUMBER("spread", "Spread", "How far weights reach past the middle between two bones; heat starts from 1/spread.",
				   "", 0.264, 1e-3, 1e3, SNW_STAGE_FIT, SNW_SOFT(0.1, 10)),
	[RIDGE] =
		SNW_NUMBER("ridge", "Ridge", "How strongly weights from motion stay at those from heat where the motion says little.",
				   "", 1e-6, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 1e-5)),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.skin-weights",
	.short_name = "skin-weights",
	.name = "Weights for a skeleton",
	.version = "1.0",
	.paper = "I. Baran, J. Popović: Automatic rigging and animation of 3D characters, 2007",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON,
	.traits = SNW_MAKES_WEIGHTS,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

SNK_SKIN_MODEL_FUNCTIONS("SNWSKWT", SNW_BLEND_LINEAR)

SNW_DEFORMER(.fit = fit, .lower = lower, .save = save, .load = load, .release = snk_model_release)
