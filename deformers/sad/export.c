/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "sad/sad.h"

static const char *const transform_choices[] = {"rigid", "affine", NULL};
static const char *const blend_choices[] = {"auto", "dual-quaternion", "linear", NULL};

static const char *const auto_word[] = {"auto", NULL};

static const snw_parameter parameters[PARAMETER_COUNT] = {
	[JOINTS] = {.size = sizeof(snw_parameter),
				.key = "joints",
				.label = "Joints",
				.help = "How many proxy joints each mesh gets.",
				.unit = "",
				.kind = SNW_PARAMETER_INTEGER,
				.stage = SNW_STAGE_FIT,
				.initial = 100,
				.minimum = 1,
				.maximum = MOST_JOINTS,
				.soft_minimum = 1,
				.soft_maximum = 200},
	[TRANSFORMS] = {.size = sizeof(snw_parameter),
					.key = "transforms",
					.label = "Transforms",
					.help =
						"Rigid ones turn and shift; affine ones also stretch and shear, and take half as much again to store.",
					.unit = "",
					.kind = SNW_PARAMETER_CHOICE,
					.stage = SNW_STAGE_FIT,
					.initial = RIGID,
					.minimum = 0,
					.maximum = 1,
					.soft_minimum = 0,
					.soft_maximum = 1,
					.choices = transform_choices},
	[BLEND] = {.size = sizeof(snw_parameter),
			   .key = "blend",
			   .label = "Blend",
			   .help =
				   "How transforms mix: auto takes dual quaternions where they are rigid, linear blend where they are affine.",
			   .unit = "",
			   .kind = SNW_PARAMETER_CHOICE,
			   .stage = SNW_STAGE_FIT,
			   .initial = BLEND_AUTO,
			   .minimum = 0,
			   .maximum = 2,
			   .soft_minimum = 0,
			   .soft_maximum = 2,
			   .choices = blend_choices},
	[RADIUS] = {.size = sizeof(snw_parameter),
				.key = "radius",
				.label = "Radius",
				.help = "How far a proxy joint reaches, in units of the distance within which every point has one.",
				.unit = "",
				.kind = SNW_PARAMETER_NUMBER,
				.stage = SNW_STAGE_FIT,
				.initial = 1.5,
				.minimum = 1,
				.maximum = 10,
				.soft_minimum = 1,
				.soft_maximum = 3},
	[INFLUENCES] = {.size = sizeof(snw_parameter),
					.key = "influences",
					.label = "Influences",
					.help = "How many joints may move one point.",
					.unit = "",
					.kind = SNW_PARAMETER_INTEGER,
					.stage = SNW_STAGE_FIT,
					.initial = 4,
					.minimum = 1,
					.maximum = SNW_FIT_INFLUENCES,
					.soft_minimum = 1,
					.soft_maximum = 8},
	[REFINE] = {.size = sizeof(snw_parameter),
				.key = "refine",
				.label = "Refine",
				.help = "How many times weights and transforms are fitted to each other; auto goes on until it stalls.",
				.unit = "",
				.kind = SNW_PARAMETER_INTEGER,
				.stage = SNW_STAGE_FIT,
				.initial = 0,
				.minimum = REFINE_AUTO,
				.maximum = 10000,
				.soft_minimum = REFINE_AUTO,
				.soft_maximum = 200,
				.choices = auto_word},
};

static const snw_field_info fields[] = {{.size = sizeof(snw_field_info),
										 .name = "residual",
										 .label = "Residual",
										 .help = "The root of the mean squared distance that is left over all frames.",
										 .unit = "m",
										 .domain = SNW_DOMAIN_POINTS,
										 .components = 1,
										 .written = 1}};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.sad",
	.short_name = "sad",
	.name = "Skinning arbitrary deformations",
	.version = "1.0",
	.paper = "L. Kavan, R. McDonnell, S. Dobbyn, J. Žára, C. O'Sullivan: Skinning arbitrary deformations, 2007",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SEQUENCE,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = create,
	.destroy = destroy,
	.fit = fit,
	.layout = layout,
	.scratch_bytes = scratch_bytes,
	.drive = drive,
	.lower = lower,
	.save = save,
	.load = load,
	.release = release,
};

static const snw_deformer *deformer_at(uint32_t index) {
	return index == 0 ? &deformer : NULL;
}

SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {
	.size = sizeof(snw_entry),
	.abi_major = SNW_ABI_MAJOR,
	.abi_minor = SNW_ABI_MINOR,
	.deformer_count = 1,
	.deformer = deformer_at,
};
