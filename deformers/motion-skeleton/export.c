/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol. The model is empty, because all that the fit finds is proposed.
 */
#include "motion-skeleton/motion-skeleton.h"
#include "sinew/kit/fit/model.h"

static const char *const auto_word[] = {"auto", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[BONES] = &(const snw_parameter){.size = sizeof(snw_parameter),
									 .key = "bones",
									 .label = "Bones",
									 .help = "How many bones the skeleton gets, besides its root; auto finds the number, and "
											 "refuses a mesh that bends everywhere.",
									 .unit = "",
									 .kind = SNW_PARAMETER_INTEGER,
									 .stage = SNW_STAGE_FIT,
									 .initial = SNW_NUMBER(BONES_AUTO),
									 .minimum = BONES_AUTO,
									 .maximum = MOST_BONES,
									 .soft_minimum = 1,
									 .soft_maximum = 60,
									 .choices = auto_word},
	[INFLUENCES] = &(const snw_parameter){.size = sizeof(snw_parameter),
										  .key = "influences",
										  .label = "Influences",
										  .help = "The most bones that may move one point.",
										  .unit = "",
										  .kind = SNW_PARAMETER_INTEGER,
										  .stage = SNW_STAGE_FIT,
										  .initial = SNW_NUMBER(4),
										  .minimum = 1,
										  .maximum = 12,
										  .soft_minimum = 1,
										  .soft_maximum = 8},
	[DRAWING] = &(
		const snw_parameter){.size = sizeof(snw_parameter),
							 .key = "drawing",
							 .label = "Drawing",
							 .help = "A .tgf file of joints and bones that the skeleton is to have; then bones has no effect.",
							 .unit = "",
							 .kind = SNW_PARAMETER_FILE,
							 .stage = SNW_STAGE_FIT,
							 .initial = SNW_TEXT("")},
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

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.lower = lower,
	.save = save,
	.load = load,
	.release = snk_model_release,
};

SNW_PLUGIN(deformer)
