/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "sad/sad.h"
#include "sinew/kit/fit/fit.h"

static const char *const transform_choices[] = {"rigid", "affine", NULL};
static const char *const blend_choices[] = {"auto", "dual-quaternion", "linear", NULL};

static const char *const normal_choices[] = {"off", "on", "quaternions", NULL};
static const char *const start_choices[] = {"auto", "clusters", "p-centre", NULL};
static const char *const auto_word[] = {"auto", NULL};
static const char *const all_word[] = {"all", NULL};
static const char *const refine_words[] = {"as-needed", "auto", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[JOINTS] = SNW_COUNT_OR(
		"joints", "Joints",
		"How many proxy joints each mesh gets; auto uses the joints of the rig, or as many as the error requires, up to 512.",
		auto_word, 100, JOINTS_AUTO, MOST_JOINTS, SNW_STAGE_FIT, SNW_SOFT(1, 200)),
	[TRANSFORMS] = SNW_CHOICE(
		"transforms", "Transforms",
		"Rigid joints rotate and translate; affine joints also stretch and shear, and take half as much space again.",
		transform_choices, RIGID, SNW_STAGE_FIT),
	[BLEND] = SNW_CHOICE("blend", "Blend",
						 "How transforms are blended. For at most 24 frames, auto is linear blend, refined unless refine says "
						 "otherwise; for more, dual quaternions for rigid joints and linear blend for affine ones.",
						 blend_choices, BLEND_AUTO, SNW_STAGE_FIT),
	[RADIUS] = SNW_NUMBER("radius", "Radius",
						  "How far a proxy joint reaches, as a multiple of the distance within which every point has one.", "",
						  1.5, 1, 10, SNW_STAGE_FIT, SNW_SOFT(1, 3)),
	[INFLUENCES] = SNW_COUNT_OR("influences", "Influences",
								"The most joints that may move one point. all: every joint moves every point, by weights of "
								"either sign and affine transforms; the least error, but no engine plays it.",
								all_word, USUAL_INFLUENCES, INFLUENCES_ALL, SNK_FIT_INFLUENCES, SNW_STAGE_FIT, SNW_SOFT(1, 8)),
	[EIGEN] = SNW_COUNT("eigen", "Eigen-displacements",
						"How many displacements of the rest pose, each with a weight over time, are added to the joints.", 0, 0,
						200, SNW_STAGE_FIT, SNW_SOFT(0, 20)),
	[REFINE] =
		SNW_COUNT_OR("refine", "Refine",
					 "How many times weights and transforms are fitted in turn; auto continues until the error stalls, "
					 "as-needed leaves it to blend and largest.",
					 refine_words, REFINE_AS_NEEDED, REFINE_AS_NEEDED, 10000, SNW_STAGE_FIT, SNW_SOFT(REFINE_AS_NEEDED, 200)),
	[START] = SNW_CHOICE("start", "Start",
						 "Where refining starts: from clusters of points that move as one, from the p-centre (or the rig's "
						 "weights), or, auto, from whichever is better after a few iterations. Where largest alone asks for "
						 "refining, auto keeps to the rig's weights.",
						 start_choices, START_AUTO, SNW_STAGE_FIT),
	[NORMALS] =
		SNW_CHOICE("normals", "Normals",
				   "off computes normals from the posed faces, which is nearer to the frames. on fits transforms for normals "
				   "too, as the paper does; quaternions fits rotations for them under any blend.",
				   normal_choices, NORMALS_OFF, SNW_STAGE_FIT),
	[ERROR] = SNW_NUMBER("error", "Error", "The distortion that joints=auto aims at.", "%", 1, 0, 100, SNW_STAGE_FIT,
						 SNW_SOFT(0.05, 10)),
	[LARGEST] = SNW_NUMBER("largest", "Largest distance",
						   "No point is to be further off than this in any frame, in percent of the bounding box's diagonal; 0 "
						   "for no bound. Refines, under linear blend.",
						   "%", 0, 0, 100, SNW_STAGE_FIT, SNW_SOFT(0, 10)),
	[SMOOTHNESS] =
		SNW_NUMBER("smoothness", "Smoothness", "How strongly neighbouring points share their weights when these are refined.",
				   "", 0, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 1e-4)),
	[MASK] = SNW_NAMED(
		SNW_PARAMETER_FIELD, "mask", "Mask",
		"A painted field: where it is 0, points keep the rig's weights or, under proxy joints, stay at rest. Linear blend.",
		SNW_STAGE_FIT),
	[LOCK] = SNW_SWITCH("lock", "Lock",
						"Whether joints of the rig move as its clips have them, while others are fitted; set it for single "
						"joints. Linear blend.",
						0, SNW_STAGE_FIT, .scopes = SNW_SCOPE_JOINT),
};

static const snw_field_info *const fields[] = {
	SNW_WRITTEN_FIELD("residual", "Residual", "The root mean square distance between the fit and the frames, at each point.",
					  "m", SNW_DOMAIN_POINTS),
	SNW_WRITTEN_FIELD("error-over-time", "Error over time",
					  "The root mean square distance in each frame: all sequences, then all targets.", "m", SNW_DOMAIN_FRAMES),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.sad",
	.short_name = "sad",
	.name = "Skinning arbitrary deformations",
	.version = "1.0",
	.paper = "L. Kavan, R. McDonnell, S. Dobbyn, J. Žára, C. O'Sullivan: Skinning arbitrary deformations, 2007",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_FRAMES,
	.traits = SNW_REPLACES_BLEND,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release, .transfer = transfer)
