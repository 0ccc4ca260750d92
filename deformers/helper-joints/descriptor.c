/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "helper-joints/helper-joints.h"

#include <string.h>

#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"

static const char *const rest_choices[] = {"auto", "kept", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most joints and helper joints that may move one point.", 4, 1, 12,
							 SNW_STAGE_FIT, SNW_SOFT(1, 8), .role = SNW_ROLE_INFLUENCES),
	[HELPERS] = SNW_COUNT("helpers", "Helper joints", "The most helper joints, of all meshes together.", 24, 1, 1024,
						  SNW_STAGE_FIT, SNW_SOFT(1, 64), .role = SNW_ROLE_HELPERS),
	[DRIVERS] = SNW_COUNT("drivers", "Drivers", "The most joints whose rotations move one helper joint.", 3, 1, MOST_DRIVERS,
						  SNW_STAGE_FIT),
	[RIDGE] = SNW_NUMBER("ridge", "Ridge", "How strongly helper joints stay with their parents where the samples say little.",
						 "", 1e-3, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 0.1)),
	[JOINTS] = SNW_COUNT("joints", "Joints",
						 "The most joints that may move points beside the helpers; others give their weights to joints near "
						 "them, those that matter least first. 0: as many as there are.",
						 0, 0, 65536, SNW_STAGE_FIT, SNW_SOFT(0, 255), .role = SNW_ROLE_JOINTS),
	[REST] =
		SNW_CHOICE("rest", "Rest",
				   "Moves the mesh at rest to where the samples have it, if they have it elsewhere in all poses; or keeps it.",
				   rest_choices, 0, SNW_STAGE_FIT),
	[GUARD] = SNK_GUARD_SWITCH,
};

static const snw_field_info *const fields[] = {SNK_RESIDUAL_FIELD};

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

static void SNW_CALL list(const snw_model *model, uint32_t *count, const snw_helper_joint *const **helpers) {
	*count = model->helper_count;
	*helpers = model->listed;
}

static const void *SNW_CALL extension(const snw_deformer *self, const char *id) {
	static const snw_helper_joints helpers = {.size = sizeof helpers, .list = list};
	(void)self;
	return strcmp(id, SNW_HELPER_JOINTS) == 0 ? &helpers : NULL;
}

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release, .describe = describe, .extension = extension, .transfer = transfer)
