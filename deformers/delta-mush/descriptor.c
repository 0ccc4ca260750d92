/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "delta-mush/delta-mush.h"
#include "sinew/kit/fit/model.h"

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[ITERATIONS] =
		SNW_COUNT("iterations", "Iterations", "How many times the skin is smoothed: more reaches further around a joint.", 10,
				  0, 1000, SNW_STAGE_FIT, SNW_SOFT(0, 40)),
	[STRENGTH] = SNW_NUMBER("strength", "Strength",
							"How far a point moves in each iteration: 0 stays, 1 moves to the mean of its neighbours.", "", 0.5,
							0, 1, SNW_STAGE_FIT),
};

static const snw_field_info *const fields[] = {
	SNW_MASK_FIELD(MASK_FIELD, "Delta mush mask",
				   "How much of the effect each point gets: 0 leaves it where the layers below put it."),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.delta-mush",
	.short_name = "delta-mush",
	.name = "Delta mush",
	.version = "1.0",
	.paper =
		"J. Mancewicz, M. L. Derksen, H. Rijpkema, C. A. Wilson: Delta Mush: smoothing deformations while preserving detail, "
		"2014",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FACES,
	.traits = SNW_BINDS,
	.rings = 1,
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
	.passes = passes,
	.deform = deform,
	.lower = lower,
	.release = snk_model_release,
};

SNW_PLUGIN(deformer)
