/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "linear-blend-fit/linear-blend-fit.h"

#include "sinew/kit/fit/fields.h"
#include "sinew/kit/fit/model.h"

static const char *const rest_choices[] = {"auto", "kept", NULL};

/* The ridge, learned from a human's range of motion and measured on a dance with other motions: erms 0.898, at most 2.01 %
 * with 1e-6; 0.900, 1.22 % with 1e-5; 0.952, 1.16 % with 1e-4. */
static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most joints that may move one point.", 4, 1, 12, SNW_STAGE_FIT,
							 SNW_SOFT(1, 8), .role = SNW_ROLE_INFLUENCES),
	[RIDGE] = SNW_NUMBER("ridge", "Ridge", "How strongly weights stay at the original ones where the samples say little.", "",
						 1e-5, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 1e-4)),
	[SMOOTHNESS] = SNW_NUMBER("smoothness", "Smoothness", "How strongly neighbouring points share their weights.", "", 0, 0, 1,
							  SNW_STAGE_FIT, SNW_SOFT(0, 1e-4)),
	[JOINTS] = SNW_COUNT("joints", "Joints",
						 "The most joints that may move points; others give their weights to joints near them, those that "
						 "matter least first. 0: as many as there are.",
						 0, 0, 65536, SNW_STAGE_FIT, SNW_SOFT(0, 255), .role = SNW_ROLE_JOINTS),
	[MASK] = SNW_NAMED(SNW_PARAMETER_FIELD, "mask", "Mask",
					   "A painted field: its points are fitted, the others keep their weights.", SNW_STAGE_FIT),
	[LOCK] = SNW_SWITCH("lock", "Lock", "Whether joints keep their weights; set it for single joints.", 0, SNW_STAGE_FIT,
						.scopes = SNW_SCOPE_JOINT),
	[REST] = SNW_CHOICE("rest", "Rest",
						"Moves the mesh at rest to where the samples have it, if they have it elsewhere in all poses and all "
						"of it is fitted; or keeps it.",
						rest_choices, 0, SNW_STAGE_FIT),
};

static const snw_field_info *const fields[] = {SNK_RESIDUAL_FIELD};

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
