/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol. The model is only the skin from before, because all that the fit
 * finds is proposed.
 */
#include "sinew/kit/fit/model.h"
#include "skin-weights/skin-weights.h"

static const char *const sources[] = {"auto", "heat", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[SOURCE] = &(const snw_parameter){.size = sizeof(snw_parameter),
									  .key = "source",
									  .label = "Source",
									  .help = "Where weights come from: motion where there is any, or heat alone.",
									  .unit = "",
									  .kind = SNW_PARAMETER_CHOICE,
									  .stage = SNW_STAGE_FIT,
									  .initial = SNW_NUMBER(SOURCE_AUTO),
									  .minimum = SOURCE_AUTO,
									  .maximum = SOURCE_HEAT,
									  .soft_minimum = SOURCE_AUTO,
									  .soft_maximum = SOURCE_HEAT,
									  .choices = sources},
	[INFLUENCES] = &(const snw_parameter){.size = sizeof(snw_parameter),
										  .key = "influences",
										  .label = "Influences",
										  .help = "The most joints that may move one point.",
										  .unit = "",
										  .kind = SNW_PARAMETER_INTEGER,
										  .stage = SNW_STAGE_FIT,
										  .initial = SNW_NUMBER(4),
										  .minimum = 1,
										  .maximum = 12,
										  .soft_minimum = 1,
										  .soft_maximum = 8},
	[SPREAD] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "spread",
							   .label = "Spread",
							   .help = "How far weights reach past the middle between two bones; heat starts from 1/spread.",
							   .unit = "",
							   .kind = SNW_PARAMETER_NUMBER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(0.264),
							   .minimum = 1e-3,
							   .maximum = 1e3,
							   .soft_minimum = 0.1,
							   .soft_maximum = 10},
	[RIDGE] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "ridge",
							   .label = "Ridge",
							   .help = "How strongly weights from motion stay at those from heat where the motion says little.",
							   .unit = "",
							   .kind = SNW_PARAMETER_NUMBER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(1e-6),
							   .minimum = 0,
							   .maximum = 1,
							   .soft_minimum = 0,
							   .soft_maximum = 1e-5},
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
