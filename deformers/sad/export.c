/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "sad/sad.h"
#include "sinew/kit/fit/model.h"

static const char *const transform_choices[] = {"rigid", "affine", NULL};
static const char *const blend_choices[] = {"auto", "dual-quaternion", "linear", NULL};

static const char *const start_choices[] = {"auto", "clusters", "p-centre", NULL};
static const char *const auto_word[] = {"auto", NULL};
static const char *const all_word[] = {"all", NULL};
static const char *const refine_words[] = {"as-needed", "auto", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[JOINTS] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "joints",
			.label = "Joints",
			.help = "How many proxy joints each mesh gets; auto uses the joints of the rig, or as many as the error "
					"requires, up to 512.",
			.unit = "",
			.kind = SNW_PARAMETER_INTEGER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(100),
			.minimum = JOINTS_AUTO,
			.maximum = MOST_JOINTS,
			.soft_minimum = 1,
			.soft_maximum = 200,
			.choices = auto_word},
	[TRANSFORMS] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "transforms",
			.label = "Transforms",
			.help =
				"Rigid joints rotate and translate; affine joints also stretch and shear, and take half as much space again.",
			.unit = "",
			.kind = SNW_PARAMETER_CHOICE,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(RIGID),
			.minimum = 0,
			.maximum = 1,
			.soft_minimum = 0,
			.soft_maximum = 1,
			.choices = transform_choices},
	[BLEND] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "blend",
			.label = "Blend",
			.help = "How transforms are blended. For at most 24 frames, auto is linear blend, refined unless refine says "
					"otherwise; for more, dual quaternions for rigid joints and linear blend for affine ones.",
			.unit = "",
			.kind = SNW_PARAMETER_CHOICE,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(BLEND_AUTO),
			.minimum = 0,
			.maximum = 2,
			.soft_minimum = 0,
			.soft_maximum = 2,
			.choices = blend_choices},
	[RADIUS] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "radius",
			.label = "Radius",
			.help = "How far a proxy joint reaches, as a multiple of the distance within which every point has one.",
			.unit = "",
			.kind = SNW_PARAMETER_NUMBER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(1.5),
			.minimum = 1,
			.maximum = 10,
			.soft_minimum = 1,
			.soft_maximum = 3},
	[INFLUENCES] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "influences",
							   .label = "Influences",
							   .help =
								   "The most joints that may move one point. all: every joint moves every point, by weights of "
								   "either sign and affine transforms; the least error, but no engine plays it.",
							   .unit = "",
							   .kind = SNW_PARAMETER_INTEGER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(USUAL_INFLUENCES),
							   .minimum = INFLUENCES_ALL,
							   .maximum = SNK_FIT_INFLUENCES,
							   .soft_minimum = 1,
							   .soft_maximum = 8,
							   .choices = all_word},
	[EIGEN] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "eigen",
			.label = "Eigen-displacements",
			.help = "How many displacements of the rest pose, each with a weight over time, are added to the joints.",
			.unit = "",
			.kind = SNW_PARAMETER_INTEGER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(0),
			.minimum = 0,
			.maximum = 200,
			.soft_minimum = 0,
			.soft_maximum = 20},
	[REFINE] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "refine",
			.label = "Refine",
			.help =
				"How many times weights and transforms are fitted in turn; auto continues until the error stalls, as-needed "
				"leaves it to blend and largest.",
			.unit = "",
			.kind = SNW_PARAMETER_INTEGER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(REFINE_AS_NEEDED),
			.minimum = REFINE_AS_NEEDED,
			.maximum = 10000,
			.soft_minimum = REFINE_AS_NEEDED,
			.soft_maximum = 200,
			.choices = refine_words},
	[START] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "start",
			.label = "Start",
			.help = "Where refining starts: from clusters of points that move as one, from the p-centre (or the rig's "
					"weights), or, auto, from whichever is better after a few iterations. Where largest alone asks for "
					"refining, "
					"auto keeps to the rig's weights.",
			.unit = "",
			.kind = SNW_PARAMETER_CHOICE,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(START_AUTO),
			.minimum = 0,
			.maximum = 2,
			.soft_minimum = 0,
			.soft_maximum = 2,
			.choices = start_choices},
	[NORMALS] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "normals",
							   .label = "Normals",
							   .help = "Fits transforms for normals too, instead of computing normals from the posed faces.",
							   .unit = "",
							   .kind = SNW_PARAMETER_SWITCH,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(1),
							   .minimum = 0,
							   .maximum = 1,
							   .soft_minimum = 0,
							   .soft_maximum = 1},
	[ERROR] = &(const snw_parameter){.size = sizeof(snw_parameter),
									 .key = "error",
									 .label = "Error",
									 .help = "The distortion that joints=auto aims at.",
									 .unit = "%",
									 .kind = SNW_PARAMETER_NUMBER,
									 .stage = SNW_STAGE_FIT,
									 .initial = SNW_NUMBER(1),
									 .minimum = 0,
									 .maximum = 100,
									 .soft_minimum = 0.05,
									 .soft_maximum = 10},
	[LARGEST] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "largest",
							   .label = "Largest distance",
							   .help = "No point is to be further off than this in any frame, in percent of the bounding "
									   "box's diagonal; 0 for no bound. Refines, under linear blend.",
							   .unit = "%",
							   .kind = SNW_PARAMETER_NUMBER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(0),
							   .minimum = 0,
							   .maximum = 100,
							   .soft_minimum = 0,
							   .soft_maximum = 10},
	[SMOOTHNESS] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "smoothness",
							   .label = "Smoothness",
							   .help = "How strongly neighbouring points share their weights when these are refined.",
							   .unit = "",
							   .kind = SNW_PARAMETER_NUMBER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(0),
							   .minimum = 0,
							   .maximum = 1,
							   .soft_minimum = 0,
							   .soft_maximum = 1e-4},
	[MASK] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "mask",
							   .label = "Mask",
							   .help = "A painted field: where it is 0, points keep the rig's weights or, under proxy joints, "
									   "stay at rest. Linear blend.",
							   .unit = "",
							   .kind = SNW_PARAMETER_FIELD,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_TEXT("")},
	[LOCK] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "lock",
							   .label = "Lock",
							   .help = "Whether joints of the rig move as its clips have them, while others are fitted; set it "
									   "for single joints. Linear blend.",
							   .unit = "",
							   .kind = SNW_PARAMETER_SWITCH,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(0),
							   .minimum = 0,
							   .maximum = 1,
							   .soft_minimum = 0,
							   .soft_maximum = 1,
							   .scopes = SNW_SCOPE_JOINT},
};

static const snw_field_info *const fields[] = {
	&(const snw_field_info){.size = sizeof(snw_field_info),
							.name = "residual",
							.label = "Residual",
							.help = "The root mean square distance between the fit and the frames, at each point.",
							.unit = "m",
							.domain = SNW_DOMAIN_POINTS,
							.components = 1,
							.written = 1},
	&(const snw_field_info){.size = sizeof(snw_field_info),
							.name = "error-over-time",
							.label = "Error over time",
							.help = "The root mean square distance in each frame: all sequences, then all targets.",
							.unit = "m",
							.domain = SNW_DOMAIN_FRAMES,
							.components = 1,
							.written = 1},
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
