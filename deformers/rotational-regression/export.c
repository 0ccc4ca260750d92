/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include <string.h>

#include "rotational-regression/rotational-regression.h"
#include "sinew/bake.h"
#include "sinew/kit/fit/model.h"

static const char *const anchors[] = {"soft", "fixed", NULL};
static const char *const kinds[] = {"matrices", "vectors", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[PROXIES] = &(
		const snw_parameter){.size = sizeof(snw_parameter),
							 .key = "proxies",
							 .label = "Proxies",
							 .help = "How many proxy joints each mesh gets; 0 keeps the full model, which no engine and no GPU "
									 "runs.",
							 .unit = "",
							 .kind = SNW_PARAMETER_INTEGER,
							 .stage = SNW_STAGE_FIT,
							 .initial = SNW_NUMBER(80),
							 .minimum = 0,
							 .maximum = 320,
							 .soft_minimum = 0,
							 .soft_maximum = 320},
	[ERROR] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "error",
			.label = "Error",
			.help = "The error (erms) that the proxies' blend may have over the samples: from 320 proxies on, a fifth is "
					"taken away while the error stays below it. 0 takes the number of proxies.",
			.unit = "",
			.kind = SNW_PARAMETER_NUMBER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(0),
			.minimum = 0,
			.maximum = 1000,
			.soft_minimum = 0,
			.soft_maximum = 1},
	[JOINTS] = &(const snw_parameter){.size = sizeof(snw_parameter),
									  .key = "joints",
									  .label = "Joints",
									  .help = "The most joints whose rotations predict one gradient; the paper has 2.",
									  .unit = "",
									  .kind = SNW_PARAMETER_INTEGER,
									  .stage = SNW_STAGE_FIT,
									  .initial = SNW_NUMBER(4),
									  .minimum = 1,
									  .maximum = MOST_JOINTS,
									  .soft_minimum = 1,
									  .soft_maximum = MOST_JOINTS},
	[ANCHORS] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "anchors",
			.label = "Anchors",
			.help = "How points are held to a linear blend with learned weights: softly everywhere, or, as in the "
					"paper, fixed where it is best.",
			.unit = "",
			.kind = SNW_PARAMETER_CHOICE,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(ANCHORS_SOFT),
			.minimum = ANCHORS_SOFT,
			.maximum = ANCHOR_KINDS - 1,
			.soft_minimum = ANCHORS_SOFT,
			.soft_maximum = ANCHOR_KINDS - 1,
			.choices = anchors},
	[PULL] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "pull",
			.label = "Pull",
			.help = "With soft anchors, how strongly each point is drawn to that blend, by what the errors over the "
					"samples ask for; 0 chooses it by what predicts held-out samples best.",
			.unit = "",
			.kind = SNW_PARAMETER_NUMBER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(0),
			.minimum = 0,
			.maximum = 1000,
			.soft_minimum = 0,
			.soft_maximum = 10},
	[FEATURES] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "features",
							   .label = "Features",
							   .help = "What scale and shear are linear in: rotation matrices, or, as in the paper, rotation "
									   "vectors.",
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
							   .help = "How strongly triangles keep their shape where the samples say little; 0 chooses it for "
									   "each by what predicts held-out samples best.",
							   .unit = "",
							   .kind = SNW_PARAMETER_NUMBER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(3e-4),
							   .minimum = 0,
							   .maximum = 100,
							   .soft_minimum = 0,
							   .soft_maximum = 0.1},
	[INFLUENCES] = &(const snw_parameter){.size = sizeof(snw_parameter),
										  .key = "influences",
										  .label = "Influences",
										  .help = "The most proxies that may move one point.",
										  .unit = "",
										  .kind = SNW_PARAMETER_INTEGER,
										  .stage = SNW_STAGE_FIT,
										  .initial = SNW_NUMBER(4),
										  .minimum = 1,
										  .maximum = 8,
										  .soft_minimum = 1,
										  .soft_maximum = 8},
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
	.id = "org.sinew.rotational-regression",
	.short_name = "rotational-regression",
	.name = "Rotational regression",
	.version = "1.0",
	.paper = "R. Wang, K. Pulli, J. Popović: Real-time enveloping with rotational regression, 2007",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FACES | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND,
	.rings = SNW_NONE,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

static const void *SNW_CALL extension(const snw_deformer *self, const char *id) {
	static const snw_bake_limits limits = {.size = sizeof limits, .influences = "influences", .proxies = "proxies"};
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
	.prepare = prepare,
	.deform = deform,
	.lower = lower,
	.save = save,
	.load = load,
	.release = snk_model_release,
	.extension = extension,
};

SNW_PLUGIN(deformer)
