/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "helper-joints/helper-joints.h"

#include <string.h>

#include "sinew/kit/fit/model.h"

static const char *const rest_choices[] = {"auto", "kept", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[INFLUENCES] = &(const snw_parameter){.size = sizeof(snw_parameter),
										  .key = "influences",
										  .label = "Influences",
										  .help = "The most joints and helper joints that may move one point.",
										  .unit = "",
										  .kind = SNW_PARAMETER_INTEGER,
										  .stage = SNW_STAGE_FIT,
										  .initial = SNW_NUMBER(4),
										  .minimum = 1,
										  .maximum = 12,
										  .soft_minimum = 1,
										  .soft_maximum = 8},
	[HELPERS] = &(const snw_parameter){.size = sizeof(snw_parameter),
									   .key = "helpers",
									   .label = "Helper joints",
									   .help = "The most helper joints, of all meshes together.",
									   .unit = "",
									   .kind = SNW_PARAMETER_INTEGER,
									   .stage = SNW_STAGE_FIT,
									   .initial = SNW_NUMBER(24),
									   .minimum = 1,
									   .maximum = 1024,
									   .soft_minimum = 1,
									   .soft_maximum = 64},
	[DRIVERS] = &(const snw_parameter){.size = sizeof(snw_parameter),
									   .key = "drivers",
									   .label = "Drivers",
									   .help = "The most joints whose rotations move one helper joint.",
									   .unit = "",
									   .kind = SNW_PARAMETER_INTEGER,
									   .stage = SNW_STAGE_FIT,
									   .initial = SNW_NUMBER(3),
									   .minimum = 1,
									   .maximum = MOST_DRIVERS,
									   .soft_minimum = 1,
									   .soft_maximum = MOST_DRIVERS},
	[RIDGE] = &(const snw_parameter){.size = sizeof(snw_parameter),
									 .key = "ridge",
									 .label = "Ridge",
									 .help = "How strongly helper joints stay with their parents where the samples say little.",
									 .unit = "",
									 .kind = SNW_PARAMETER_NUMBER,
									 .stage = SNW_STAGE_FIT,
									 .initial = SNW_NUMBER(1e-3),
									 .minimum = 0,
									 .maximum = 1,
									 .soft_minimum = 0,
									 .soft_maximum = 0.1},
	[JOINTS] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "joints",
			.label = "Joints",
			.help = "The most joints that may move points beside the helpers; others give their weights to joints near "
					"them, those that matter least first. 0: as many as there are.",
			.unit = "",
			.kind = SNW_PARAMETER_INTEGER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(0),
			.minimum = 0,
			.maximum = 65536,
			.soft_minimum = 0,
			.soft_maximum = 255},
	[REST] = &(const snw_parameter){.size = sizeof(snw_parameter),
									.key = "rest",
									.label = "Rest",
									.help = "Moves the mesh at rest to where the samples have it, if they have it elsewhere "
											"in all poses; or keeps it.",
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
	.id = "org.sinew.helper-joints",
	.short_name = "helper-joints",
	.name = "Helper joints",
	.version = "1.0",
	.paper = "B. Le, Z. Deng: Smooth skinning decomposition with rigid bones, 2012",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

static void SNW_CALL list(const snw_model *model, uint32_t *count, const snw_helper_joint **helpers) {
	*count = model->helper_count;
	*helpers = model->listed;
}

static const void *SNW_CALL extension(const snw_deformer *self, const char *id) {
	static const snw_bake_limits limits = {
		.size = sizeof limits, .influences = "influences", .helpers = "helpers", .joints = "joints"};
	static const snw_helper_joints helpers = {.size = sizeof helpers, .list = list};
	(void)self;
	return strcmp(id, SNW_BAKE) == 0 ? (const void *)&limits : strcmp(id, SNW_HELPER_JOINTS) == 0 ? &helpers : NULL;
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
	.describe = describe,
	.extension = extension,
};

SNW_PLUGIN(deformer)
