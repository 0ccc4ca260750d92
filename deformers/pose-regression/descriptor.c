/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "pose-regression/pose-regression.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the field table. */
enum { FIELD_RESIDUAL, FIELD_RANGE, FIELD_COUNT };

static const char *const kinds[] = {"matrices", "vectors", NULL};
static const char *const mirrors[] = {"auto", "off", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[JOINTS] = SNW_COUNT("joints", "Joints", "The most joints whose rotations correct one point.", 3, 1, 4, SNW_STAGE_FIT),
	[FEATURES] = SNW_CHOICE("features", "Features",
							"What the correction is linear in: rotation matrices, which are bounded, or rotation vectors with "
							"their squares, which follow the samples more closely.",
							kinds, FEATURES_MATRICES, SNW_STAGE_FIT),
	[RIDGE] = SNW_NUMBER(
		"ridge", "Ridge",
		"How strongly corrections are held small where the samples say little; 0 chooses it by holding out blocks of samples.",
		"", 0, 0, 100, SNW_STAGE_FIT, SNW_SOFT(0, 0.1)),
	[DISPLACEMENTS] = SNW_COUNT("displacements", "Displacements",
								"The most displacements that a mesh is reduced to; 0 keeps the whole regression.", 128, 0, 4096,
								SNW_STAGE_FIT, SNW_SOFT(0, 256), .role = SNW_ROLE_DISPLACEMENTS),
	[MIRROR] = SNW_CHOICE("mirror", "Mirror",
						  "Whether a symmetric character also learns from its samples mirrored; auto does where that predicts "
						  "samples better that were held out.",
						  mirrors, MIRROR_AUTO, SNW_STAGE_FIT),
	[CLAMP] = SNW_SWITCH(
		"clamp", "Clamp",
		"Clamps features to the range of the samples and a quarter of it, so that corrections do not grow without bound.", 1,
		SNW_STAGE_DRIVE),
	[GUARD] = SNK_GUARD_SWITCH,
};

static const snw_field_info *const fields[FIELD_COUNT] = {
	[FIELD_RESIDUAL] =
		SNW_WRITTEN_FIELD("residual", "Residual", "The root mean square of what the regression leaves of the samples, at rest.",
						  "m", SNW_DOMAIN_POINTS),
	[FIELD_RANGE] = SNW_WRITTEN_FIELD(
		"range", "Trained range",
		"How far the joints that correct a point rotate in the samples, about any axis; of several, the least. Poses "
		"beyond it are extrapolated; about axes that the samples lack, nothing is learned. 0: nothing is corrected.",
		"rad", SNW_DOMAIN_POINTS),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.pose-regression",
	.short_name = "pose-regression",
	.name = "Pose regression",
	.version = "1.0",
	.paper = "M. Loper, N. Mahmood, J. Romero, G. Pons-Moll, M. Black: SMPL: A skinned multi-person linear model, 2015",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SAMPLES,
	.traits = SNW_REFITS_EXAMPLES,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = FIELD_COUNT,
	.fields = fields,
};

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release, .describe = describe, .transfer = transfer)
