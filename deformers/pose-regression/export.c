/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "pose-regression/pose-regression.h"
#include "sinew/kit/fit/model.h"

#include <string.h>

#include "sinew/bake.h"

static const char *const kinds[] = {"matrices", "vectors", NULL};
static const char *const mirrors[] = {"auto", "off", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[JOINTS] = &(const snw_parameter){.size = sizeof(snw_parameter),
									  .key = "joints",
									  .label = "Joints",
									  .help = "The most joints whose rotations correct one point.",
									  .unit = "",
									  .kind = SNW_PARAMETER_INTEGER,
									  .stage = SNW_STAGE_FIT,
									  .initial = SNW_NUMBER(3),
									  .minimum = 1,
									  .maximum = 4,
									  .soft_minimum = 1,
									  .soft_maximum = 4},
	[FEATURES] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "features",
							   .label = "Features",
							   .help = "What the correction is linear in: rotation matrices, which are bounded, or rotation "
									   "vectors with their squares, which follow the samples more closely.",
							   .unit = "",
							   .kind = SNW_PARAMETER_CHOICE,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(FEATURES_MATRICES),
							   .minimum = 0,
							   .maximum = FEATURE_KINDS - 1,
							   .soft_minimum = 0,
							   .soft_maximum = FEATURE_KINDS - 1,
							   .choices = kinds},
	[RIDGE] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "ridge",
							   .label = "Ridge",
							   .help = "How strongly corrections are held small where the samples say little; 0 chooses it by "
									   "holding out blocks of samples.",
							   .unit = "",
							   .kind = SNW_PARAMETER_NUMBER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(0),
							   .minimum = 0,
							   .maximum = 100,
							   .soft_minimum = 0,
							   .soft_maximum = 0.1},
	[DISPLACEMENTS] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "displacements",
							   .label = "Displacements",
							   .help = "The most displacements that a mesh is reduced to; 0 keeps the whole regression.",
							   .unit = "",
							   .kind = SNW_PARAMETER_INTEGER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(128),
							   .minimum = 0,
							   .maximum = 4096,
							   .soft_minimum = 0,
							   .soft_maximum = 256},
	[MIRROR] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "mirror",
							   .label = "Mirror",
							   .help =
								   "Whether a symmetric character also learns from its samples mirrored; auto does where that "
								   "predicts samples better that were held out.",
							   .unit = "",
							   .kind = SNW_PARAMETER_CHOICE,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(MIRROR_AUTO),
							   .minimum = MIRROR_AUTO,
							   .maximum = MIRROR_OFF,
							   .soft_minimum = MIRROR_AUTO,
							   .soft_maximum = MIRROR_OFF,
							   .choices = mirrors},
	[CLAMP] = &(const snw_parameter){.size = sizeof(snw_parameter),
									 .key = "clamp",
									 .label = "Clamp",
									 .help = "Clamps features to the range of the samples and a quarter of it, so that "
											 "corrections do not grow without bound.",
									 .unit = "",
									 .kind = SNW_PARAMETER_SWITCH,
									 .stage = SNW_STAGE_DRIVE,
									 .initial = SNW_NUMBER(1),
									 .minimum = 0,
									 .maximum = 1,
									 .soft_minimum = 0,
									 .soft_maximum = 1},
};

static const snw_field_info *const fields[FIELD_COUNT] = {
	[FIELD_RESIDUAL] =
		&(const snw_field_info){.size = sizeof(snw_field_info),
								.name = "residual",
								.label = "Residual",
								.help = "The root mean square of what the regression leaves of the samples, at rest.",
								.unit = "m",
								.domain = SNW_DOMAIN_POINTS,
								.components = 1,
								.written = 1},
	[FIELD_RANGE] =
		&(const snw_field_info){
			.size = sizeof(snw_field_info),
			.name = "range",
			.label = "Trained range",
			.help =
				"How far the joints that correct a point rotate in the samples, about any axis; of several, the least. Poses "
				"beyond it are extrapolated; about axes that the samples lack, nothing is learned. 0: nothing is corrected.",
			.unit = "rad",
			.domain = SNW_DOMAIN_POINTS,
			.components = 1,
			.written = 1},
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.pose-regression",
	.short_name = "pose-regression",
	.name = "Pose regression",
	.version = "1.0",
	.paper = "M. Loper, N. Mahmood, J. Romero, G. Pons-Moll, M. Black: SMPL: A skinned multi-person linear model, 2015",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SAMPLES,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = FIELD_COUNT,
	.fields = fields,
};

static const snw_bake_limits limits = {.size = sizeof limits, .displacements = "displacements"};

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
	.describe = describe,
	.extension = extension,
};

SNW_PLUGIN(deformer)
