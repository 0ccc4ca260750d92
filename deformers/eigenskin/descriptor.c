/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "eigenskin/eigenskin.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[DISPLACEMENTS] = SNW_COUNT("displacements", "Displacements", "The most displacements of a mesh, of all joints together.",
								128, 1, 4096, SNW_STAGE_FIT, SNW_SOFT(1, 256)),
	[CENTRES] = SNW_COUNT("centres", "Centres", "The most rotations of a joint that its functions are centred at.", 12, 1,
						  MOST_CENTRES, SNW_STAGE_FIT),
	[WIDTH] =
		SNW_NUMBER("width", "Width", "How far the functions of a joint's rotation reach.", "rad", 1.5, 0.1, 10, SNW_STAGE_FIT),
	[RIDGE] = SNW_NUMBER("ridge", "Ridge", "How strongly corrections are held small where the samples say little.", "", 1e-3,
						 1e-8, 100, SNW_STAGE_FIT, SNW_SOFT(1e-6, 0.1)),
	[GUARD] = SNK_GUARD_SWITCH,
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.eigenskin",
	.short_name = "eigenskin",
	.name = "EigenSkin",
	.version = "1.0",
	.paper = "P. Kry, D. James, D. Pai: EigenSkin: Real time large deformation character skinning in hardware, 2002",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SAMPLES,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release, .describe = describe, .transfer = transfer)
