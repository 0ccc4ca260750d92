/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "sinew/kit/fit/model.h"
#include "smooth/smooth.h"

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[PASSES] = SNW_COUNT("passes", "Passes", "How many times every point moves towards its neighbours.", 5, 1, 1000,
						 SNW_STAGE_DRIVE, SNW_SOFT(1, 20)),
	[STRENGTH] = SNW_NUMBER("strength", "Strength",
							"How far a point moves in each pass: 0 stays, 1 moves to the mean of its neighbours.", "", 0.5, 0,
							1, SNW_STAGE_DRIVE),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.smooth",
	.short_name = "smooth",
	.name = "Smooth",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FACES,
	.traits = SNW_BINDS,
	.rings = 1,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.passes = passes,
	.deform = deform,
	.lower = lower,
	.save = save,
	.load = load,
	.release = snk_model_release,
};

SNW_PLUGIN(deformer)
