/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "linear-blend-fit/linear-blend-fit.h"

#include <string.h>

#include "sinew/bake.h"
#include "sinew/kit/fit/model.h"

static const char *const rest_choices[] = {"auto", "kept", NULL};

/* The ridge, learned from a human's range of motion and measured on a dance with other motions: erms 0.898, at most 2.01 %
 * with 1e-6; 0.900, 1.22 % with 1e-5; 0.952, 1.16 % with 1e-4. */
static const snw_parameter *const parameters[PARAMETER_COUNT] = {
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
	[RIDGE] = &(const snw_parameter){.size = sizeof(snw_parameter),
									 .key = "ridge",
									 .label = "Ridge",
									 .help = "How strongly weights stay at the original ones where the samples say little.",
									 .unit = "",
									 .kind = SNW_PARAMETER_NUMBER,
									 .stage = SNW_STAGE_FIT,
									 .initial = SNW_NUMBER(1e-5),
									 .minimum = 0,
									 .maximum = 1,
									 .soft_minimum = 0,
									 .soft_maximum = 1e-4},
	[SMOOTHNESS] = &(const snw_parameter){.size = sizeof(snw_parameter),
										  .key = "smoothness",
										  .label = "Smoothness",
										  .help = "How strongly neighbouring points share their weights.",
										  .unit = "",
										  .kind = SNW_PARAMETER_NUMBER,
										  .stage = SNW_STAGE_FIT,
										  .initial = SNW_NUMBER(0),
										  .minimum = 0,
										  .maximum = 1,
										  .soft_minimum = 0,
										  .soft_maximum = 1e-4},
	[JOINTS] = &(const snw_parameter){.size = sizeof(snw_parameter),
									  .key = "joints",
									  .label = "Joints",
									  .help = "The most joints that may move points; others give their weights to joints near "
											  "them, those that matter least first. 0: as many as there are.",
									  .unit = "",
									  .kind = SNW_PARAMETER_INTEGER,
									  .stage = SNW_STAGE_FIT,
									  .initial = SNW_NUMBER(0),
									  .minimum = 0,
									  .maximum = 65536,
									  .soft_minimum = 0,
									  .soft_maximum = 255},
	[MASK] = &(const snw_parameter){.size = sizeof(snw_parameter),
									.key = "mask",
									.label = "Mask",
									.help = "A painted field: its points are fitted, the others keep their weights.",
									.unit = "",
									.kind = SNW_PARAMETER_FIELD,
									.stage = SNW_STAGE_FIT,
									.initial = SNW_TEXT("")},
	[LOCK] = &(const snw_parameter){.size = sizeof(snw_parameter),
									.key = "lock",
									.label = "Lock",
									.help = "Whether joints keep their weights; set it for single joints.",
									.unit = "",
									.kind = SNW_PARAMETER_SWITCH,
									.stage = SNW_STAGE_FIT,
									.initial = SNW_NUMBER(0),
									.minimum = 0,
									.maximum = 1,
									.soft_minimum = 0,
									.soft_maximum = 1,
									.scopes = SNW_SCOPE_JOINT},
	[REST] = &(const snw_parameter){.size = sizeof(snw_parameter),
									.key = "rest",
									.label = "Rest",
									.help = "Moves the mesh at rest to where the samples have it, if they have it elsewhere "
											"in all poses and all of it is fitted; or keeps it.",
									.unit = "",
									.kind = SNW_PARAMETER_CHOICE,
									.stage = SNW_STAGE_FIT,
									.initial = SNW_NUMBER(0),
									.minimum = 0,
									.maximum = 1,
									.soft_minimum = 0,
									.soft_maximum = 1,
									.choices = rest_choices},
};

static const snw_field_info *const fields[] = {
	&(const snw_field_info){.size = sizeof(snw_field_info),
							.name = "residual",
							.label = "Residual",
							.help = "The root mean square distance between the fit and the samples, at each point.",
							.unit = "m",
							.domain = SNW_DOMAIN_POINTS,
							.components = 1,
							.written = 1}};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.linear-blend-fit",
	.short_name = "linear-blend-fit",
	.name = "Linear blend, learned weights",
	.version = "1.0",
	.paper = "D. James, C. Twigg: Skinning mesh animations, 2005",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

static const snw_bake_limits limits = {.size = sizeof limits, .influences = "influences", .joints = "joints"};

static const void *SNW_CALL extension(const snw_deformer *self, const char *id) {
	(void)self;
	return strcmp(id, SNW_BAKE) == 0 ? &limits : NULL;
}

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.lower = lower,
	.save = save,
	.load = load,
	.release = snk_model_release,
	.extension = extension,
};

SNW_PLUGIN(deformer)
