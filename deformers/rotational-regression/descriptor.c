/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "rotational-regression/rotational-regression.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"

static const char *const anchors[] = {"soft", "fixed", NULL};
static const char *const kinds[] = {"matrices", "vectors", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[PROXIES] =
		SNW_COUNT("proxies", "Proxies",
				  "The most proxy joints that each mesh gets, fewer where fewer do as well, as for few points; 0 keeps the "
				  "full model, which no engine and no GPU runs.",
				  80, 0, 320, SNW_STAGE_FIT, .role = SNW_ROLE_PROXIES),
	[ERROR] = SNW_NUMBER("error", "Error",
						 "The error (erms) that the proxies' blend may have over the samples: from 320 proxies on, a fifth is "
						 "taken away while the error stays below it. 0 leaves it to the number of proxies.",
						 "", 0, 0, 1000, SNW_STAGE_FIT, SNW_SOFT(0, 1)),
	[JOINTS] = SNW_COUNT("joints", "Joints", "The most joints whose rotations predict one gradient; the paper has 2.", 4, 1,
						 MOST_JOINTS, SNW_STAGE_FIT),
	[ANCHORS] = SNW_CHOICE("anchors", "Anchors",
						   "How points are held to a linear blend with learned weights: softly everywhere, or, as in the "
						   "paper, fixed where it is best.",
						   anchors, ANCHORS_SOFT, SNW_STAGE_FIT),
	[PULL] = SNW_NUMBER("pull", "Pull",
						"With soft anchors, how strongly each point is drawn to that blend, by what the errors over the "
						"samples ask for; 0 chooses it by what predicts held-out samples best.",
						"", 0, 0, 1000, SNW_STAGE_FIT, SNW_SOFT(0, 10)),
	[FEATURES] = SNW_CHOICE("features", "Features",
							"What scale and shear are linear in: rotation matrices, or, as in the paper, rotation vectors.",
							kinds, FEATURES_MATRICES, SNW_STAGE_FIT),
	[RIDGE] = SNW_NUMBER("ridge", "Ridge",
						 "How strongly triangles keep their shape where the samples say little; 0 chooses it for each by what "
						 "predicts held-out samples best.",
						 "", 3e-4, 0, 100, SNW_STAGE_FIT, SNW_SOFT(0, 0.1)),
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most proxies that may move one point.", 4, 1, 8, SNW_STAGE_FIT,
							 .role = SNW_ROLE_INFLUENCES),
	[GUARD] = SNK_GUARD_SWITCH,
};

static const snw_field_info *const fields[] = {SNK_RESIDUAL_FIELD};

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

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .prepare = prepare, .deform = deform, .lower = lower, .save = save,
			 .load = load, .release = snk_model_release, .transfer = transfer)
