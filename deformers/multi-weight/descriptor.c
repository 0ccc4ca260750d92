/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "multi-weight/multi-weight.h"
#include "sinew/kit/fit/fields.h"
#include "sinew/kit/fit/model.h"

/* The default ridge: learned from a human's range of motion, the erms of a held-out dance is 1.143 with 1e-4, 0.954 with 1e-3,
 * 0.743 with 1e-2 and 0.877 with 1e-1. */
static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[RIDGE] = SNW_NUMBER("ridge", "Ridge", "How strongly points stay with the original skin where the samples say little.", "",
						 1e-2, 1e-9, 1e6, SNW_STAGE_FIT, SNW_SOFT(1e-5, 1e-1)),
};

static const snw_field_info *const fields[] = {
	SNK_RESIDUAL_FIELD,
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.multi-weight",
	.short_name = "multi-weight",
	.name = "Multi-weight enveloping",
	.version = "1.0",
	.paper = "X. Wang, C. Phillips: Multi-weight enveloping: least-squares approximation techniques for skin animation, 2002",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND,
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
	.layout = layout,
	.drive = drive,
	.lower = lower,
	.save = save,
	.load = load,
	.release = snk_model_release,
};

SNW_PLUGIN(deformer)
