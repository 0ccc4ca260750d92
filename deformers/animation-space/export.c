/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "animation-space/animation-space.h"
#include "sinew/kit/fit/model.h"

static const char *const set_choices[] = {"skin", "motion", NULL};
static const char *const choose_choices[] = {"given", "leave-one-out", NULL};

/* Defaults: learned from a human's range of motion, the erms of a held-out dance is 0.422 without smoothness, 0.429 with 1e-7,
 * 0.469 with 1e-6 and 0.563 with 1e-5. Ridges from 1e-5 to 1e-4 differ by less than 0.001; 1e-3 gives 0.447. Fewer samples need
 * more of both: the smoothness is not 0 because of a character with nine poses. */
static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[INFLUENCES] = &(const snw_parameter){.size = sizeof(snw_parameter),
										  .key = "influences",
										  .label = "Influences",
										  .help = "The most joints that may move one point; those of its skin always may.",
										  .unit = "",
										  .kind = SNW_PARAMETER_INTEGER,
										  .stage = SNW_STAGE_FIT,
										  .initial = SNW_NUMBER(4),
										  .minimum = 1,
										  .maximum = 12,
										  .soft_minimum = 1,
										  .soft_maximum = 8},
	[RINGS] = &(const snw_parameter){.size = sizeof(snw_parameter),
									 .key = "rings",
									 .label = "Rings",
									 .help = "How many edges beyond the points of its skin a joint's influence may reach.",
									 .unit = "",
									 .kind = SNW_PARAMETER_INTEGER,
									 .stage = SNW_STAGE_FIT,
									 .initial = SNW_NUMBER(2),
									 .minimum = 0,
									 .maximum = 32,
									 .soft_minimum = 0,
									 .soft_maximum = 8},
	[SETS] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "sets",
			.label = "Influence sets",
			.help = "Influences start from the skin's weights, or from the joint that explains a point's motion best.",
			.unit = "",
			.kind = SNW_PARAMETER_CHOICE,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(SETS_FROM_SKIN),
			.minimum = 0,
			.maximum = 1,
			.soft_minimum = 0,
			.soft_maximum = 1,
			.choices = set_choices},
	[RIDGE] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "ridge",
			.label = "Ridge",
			.help = "How strongly points stay with the blend that the fit starts from where the samples say little.",
			.unit = "",
			.kind = SNW_PARAMETER_NUMBER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(1e-4),
			.minimum = 1e-9,
			.maximum = 1e6,
			.soft_minimum = 1e-6,
			.soft_maximum = 1e-2},
	[SMOOTHNESS] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "smoothness",
							   .label = "Smoothness",
							   .help = "How strongly neighbouring points depart alike from the blend that the fit starts from.",
							   .unit = "",
							   .kind = SNW_PARAMETER_NUMBER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(1e-7),
							   .minimum = 0,
							   .maximum = 1,
							   .soft_minimum = 0,
							   .soft_maximum = 1e-4},
	[CHOOSE] = &(const snw_parameter){.size = sizeof(snw_parameter),
									  .key = "choose",
									  .label = "Choose",
									  .help = "Uses ridge and smoothness as given, or chooses them by holding samples out.",
									  .unit = "",
									  .kind = SNW_PARAMETER_CHOICE,
									  .stage = SNW_STAGE_FIT,
									  .initial = SNW_NUMBER(CHOOSE_GIVEN),
									  .minimum = 0,
									  .maximum = 1,
									  .soft_minimum = 0,
									  .soft_maximum = 1,
									  .choices = choose_choices},
	[MEMORY] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "memory",
			.label = "Memory",
			.help = "The memory limit of a factor in MiB; larger systems are solved by iteration, which takes longer.",
			.unit = "",
			.kind = SNW_PARAMETER_INTEGER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(1024),
			.minimum = 1,
			.maximum = 65536,
			.soft_minimum = 64,
			.soft_maximum = 4096},
};

static const snw_field_info *const fields[] = {
	&(const snw_field_info){.size = sizeof(snw_field_info),
							.name = MASK_FIELD,
							.label = "Animation space mask",
							.help = "How much the samples count at each point: 0 keeps its original skin.",
							.unit = "",
							.domain = SNW_DOMAIN_POINTS,
							.components = 1,
							.written = 0},
	&(const snw_field_info){.size = sizeof(snw_field_info),
							.name = "residual",
							.label = "Residual",
							.help = "The root mean square distance between the fit and the samples, at each point.",
							.unit = "m",
							.domain = SNW_DOMAIN_POINTS,
							.components = 1,
							.written = 1},
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.animation-space",
	.short_name = "animation-space",
	.name = "Animation space",
	.version = "1.0",
	.paper = "B. Merry, P. Marais, J. Gain: Animation space: a truly linear framework for character animation, 2006",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND | SNW_TAKES_ROWS,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

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
