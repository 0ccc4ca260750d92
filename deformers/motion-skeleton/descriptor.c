/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol. The model is empty, because all that the fit finds is
 * proposed.
 */
#include "motion-skeleton/motion-skeleton.h"
#include "sinew/kit/fit/fit.h"

static const char *const auto_word[] = {"auto", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[BONES] = SNW_COUNT_OR(
		"bones", "Bones",
		"How many bones the skeleton gets, besides its root; auto finds the number, and refuses a mesh that bends everywhere.",
		auto_word, BONES_AUTO, BONES_AUTO, MOST_BONES, SNW_STAGE_FIT, SNW_SOFT(1, 60), .role = SNW_ROLE_BONES),
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most bones that may move one point.", 4, 1, 12, SNW_STAGE_FIT,
							 SNW_SOFT(1, 8)),
	[DRAWING] = SNW_NAMED(SNW_PARAMETER_FILE, "drawing", "Drawing",
						  "A .tgf file of joints and bones that the skeleton is to have; then bones has no effect.",
						  SNW_STAGE_FIT, .role = SNW_ROLE_DRAWING),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.motion-skeleton",
	.short_name = "motion-skeleton",
	.name = "Skeleton from motion",
	.version = "1.0",
	.paper = "B. Le, Z. Deng: Robust and accurate skeletal rigging from mesh sequences, 2014",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SEQUENCE,
	.traits = SNW_MAKES_SKELETON,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

SNK_SKIN_MODEL_FUNCTIONS("SNWMSKE", SNW_BLEND_LINEAR)

SNW_DEFORMER(.fit = fit, .lower = lower, .save = save, .load = load, .release = snk_model_release)
