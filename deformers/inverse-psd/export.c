/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include <string.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/group_falloffs.h"
#include "sinew/kit/fit/model.h"

static const char *const kernels[] = {"gaussian", "linear", "thin-plate", "inverse-multiquadric", "cone", NULL};
static const char *const polynomials[] = {"auto", "none", "constant", "linear", NULL};
static const char *const modes[] = {"inverse", "forward", NULL};
static const char *const solvers[] = {"auto", "powell", "newton", "closed", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[KERNEL] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "kernel",
			.label = "Kernel",
			.help =
				"How an example's influence changes with the pose: a cone grows from rest and holds beyond the example; the "
				"others fall off with the distance from it.",
			.unit = "",
			.kind = SNW_PARAMETER_CHOICE,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(SNK_KERNEL_CONE),
			.minimum = 0,
			.maximum = SNK_KERNELS - 1,
			.soft_minimum = 0,
			.soft_maximum = SNK_KERNELS - 1,
			.choices = kernels,
			.scopes = SNW_SCOPE_GROUP},
	[WIDTH] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "width",
			.label = "Width",
			.help = "How far the kernel reaches; 0 chooses it from the distances between poses, or by leave-one-out with "
					"three examples or more.",
			.unit = "rad",
			.kind = SNW_PARAMETER_NUMBER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(0),
			.minimum = 0,
			.maximum = 100,
			.soft_minimum = 0,
			.soft_maximum = 6,
			.scopes = SNW_SCOPE_GROUP},
	[POLYNOMIAL] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "polynomial",
			.label = "Polynomial",
			.help = "A polynomial added to the kernels; auto is a constant for the linear and thin-plate kernels and "
					"none for the others.",
			.unit = "",
			.kind = SNW_PARAMETER_CHOICE,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(POLYNOMIAL_AUTO),
			.minimum = 0,
			.maximum = 3,
			.soft_minimum = 0,
			.soft_maximum = 3,
			.choices = polynomials,
			.scopes = SNW_SCOPE_GROUP},
	[SMOOTHING] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "smoothing",
			.label = "Smoothing",
			.help = "0 reproduces every example exactly; larger values average examples that contradict each other.",
			.unit = "",
			.kind = SNW_PARAMETER_NUMBER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(0),
			.minimum = 0,
			.maximum = 10,
			.soft_minimum = 0,
			.soft_maximum = 1,
			.scopes = SNW_SCOPE_GROUP},
	[CLAMP] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "clamp",
			.label = "Clamp",
			.help = "Clamps coefficients to 0 and 1, so that nothing overshoots between the examples or beyond them.",
			.unit = "",
			.kind = SNW_PARAMETER_SWITCH,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(0),
			.minimum = 0,
			.maximum = 1,
			.soft_minimum = 0,
			.soft_maximum = 1,
			.scopes = SNW_SCOPE_GROUP},
	[MODE] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "mode",
			.label = "Mode",
			.help =
				"Inverse takes sculpts back through the layers below; forward adds them after those layers, for comparison.",
			.unit = "",
			.kind = SNW_PARAMETER_CHOICE,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(MODE_INVERSE),
			.minimum = 0,
			.maximum = 1,
			.soft_minimum = 0,
			.soft_maximum = 1,
			.choices = modes,
			.scopes = SNW_SCOPE_GROUP},
	[SWING] = &(const snw_parameter){.size = sizeof(snw_parameter),
									 .key = "swing",
									 .label = "Swing",
									 .help = "How much a joint's rotation across its bone counts in the distance.",
									 .unit = "",
									 .kind = SNW_PARAMETER_NUMBER,
									 .stage = SNW_STAGE_FIT,
									 .initial = SNW_NUMBER(1),
									 .minimum = 0,
									 .maximum = 100,
									 .soft_minimum = 0,
									 .soft_maximum = 4,
									 .scopes = SNW_SCOPE_GROUP | SNW_SCOPE_JOINT},
	[TWIST] = &(const snw_parameter){.size = sizeof(snw_parameter),
									 .key = "twist",
									 .label = "Twist",
									 .help = "How much a joint's rotation along its bone counts in the distance.",
									 .unit = "",
									 .kind = SNW_PARAMETER_NUMBER,
									 .stage = SNW_STAGE_FIT,
									 .initial = SNW_NUMBER(1),
									 .minimum = 0,
									 .maximum = 100,
									 .soft_minimum = 0,
									 .soft_maximum = 4,
									 .scopes = SNW_SCOPE_GROUP | SNW_SCOPE_JOINT},
	[TRANSLATION] =
		&(const snw_parameter){.size = sizeof(snw_parameter),
							   .key = "translation",
							   .label = "Translation",
							   .help = "How many radians a metre of translation counts for in the distance; 0 ignores it.",
							   .unit = "rad/m",
							   .kind = SNW_PARAMETER_NUMBER,
							   .stage = SNW_STAGE_FIT,
							   .initial = SNW_NUMBER(0),
							   .minimum = 0,
							   .maximum = 1e6,
							   .soft_minimum = 0,
							   .soft_maximum = 100,
							   .scopes = SNW_SCOPE_GROUP | SNW_SCOPE_JOINT},
	[SCALE] = &(const snw_parameter){.size = sizeof(snw_parameter),
									 .key = "scale",
									 .label = "Scale",
									 .help = "How many radians a scale of e (2.72) counts for in the distance; 0 ignores it.",
									 .unit = "rad",
									 .kind = SNW_PARAMETER_NUMBER,
									 .stage = SNW_STAGE_FIT,
									 .initial = SNW_NUMBER(0),
									 .minimum = 0,
									 .maximum = 1000,
									 .soft_minimum = 0,
									 .soft_maximum = 10,
									 .scopes = SNW_SCOPE_GROUP | SNW_SCOPE_JOINT},
	[WEIGHTED] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "weighted",
			.label = "Weighted",
			.help = "Measures distances for each point, where joints count by their influence on it; such a layer runs "
					"on the CPU and is not exported.",
			.unit = "",
			.kind = SNW_PARAMETER_SWITCH,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(0),
			.minimum = 0,
			.maximum = 1,
			.soft_minimum = 0,
			.soft_maximum = 1},
	[REGULARISATION] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "regularisation",
			.label = "Regularisation",
			.help = "Directions that the layers below flatten to less than this fraction are corrected after them instead.",
			.unit = "",
			.kind = SNW_PARAMETER_NUMBER,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(1e-4),
			.minimum = 1e-12,
			.maximum = 0.1,
			.soft_minimum = 1e-6,
			.soft_maximum = 0.01},
	[SOLVER] =
		&(const snw_parameter){
			.size = sizeof(snw_parameter),
			.key = "solver",
			.label = "Solver",
			.help = "How sculpts are inverted: closed form (affine layers below only), Newton steps, or Powell's direction "
					"sets; auto tries them in this order, point by point.",
			.unit = "",
			.kind = SNW_PARAMETER_CHOICE,
			.stage = SNW_STAGE_FIT,
			.initial = SNW_NUMBER(SOLVER_AUTO),
			.minimum = SOLVER_AUTO,
			.maximum = SOLVER_CLOSED,
			.soft_minimum = SOLVER_AUTO,
			.soft_maximum = SOLVER_CLOSED,
			.choices = solvers},
};

static const snw_field_info *const fields[FIELD_COUNT] = {
	[RESIDUAL] =
		&(const snw_field_info){.size = sizeof(snw_field_info),
								.name = "residual",
								.label = "Left after inversion",
								.help =
									"The longest displacement that had to be added after the layers below, over all examples.",
								.unit = "m",
								.domain = SNW_DOMAIN_POINTS,
								.components = 1,
								.written = 1},
	[CONDITIONING] =
		&(const snw_field_info){
			.size = sizeof(snw_field_info),
			.name = "conditioning",
			.label = "Conditioning",
			.help = "The worst condition number of the layers below at any example: 1 is rigid, a large number is nearly flat.",
			.unit = "",
			.domain = SNW_DOMAIN_POINTS,
			.components = 1,
			.written = 1},
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.inverse-psd",
	.short_name = "inverse-psd",
	.name = "Inverse pose space deformation",
	.version = "2.0",
	.paper =
		"X. Xiao, H. S. Seah, F. Tian, J. P. Lewis, N. Fong: A Powell optimization approach for example-based skinning in a "
		"production animation environment, 2004",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_EXAMPLES,
	.traits = SNW_REFITS | SNW_CORRECTS,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = FIELD_COUNT,
	.fields = fields,
};

/* Widths are in radians; 0 is found by the fit. */
static const char *const falloff_names[] = {"steady",      "steady-narrow", "steady-wide", "bell",
											"bell-narrow", "bell-wide",     "linear",      "thin-plate"};
static const char *const falloff_settings[] = {
	"kernel=cone width=0",       "kernel=cone width=0.5",     "kernel=cone width=1.6", "kernel=gaussian width=0",
	"kernel=gaussian width=0.4", "kernel=gaussian width=1.2", "kernel=linear width=0", "kernel=thin-plate width=0"};
static const snw_group_falloffs falloffs = {.size = sizeof falloffs,
											.count = sizeof falloff_names / sizeof *falloff_names,
											.names = falloff_names,
											.settings = falloff_settings,
											.width = "width"};

static const void *SNW_CALL extension(const snw_deformer *self, const char *id) {
	(void)self;
	return strcmp(id, SNW_GROUP_FALLOFFS) == 0 ? &falloffs : NULL;
}

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.deform = deform,
	.lower = lower,
	.save = save,
	.load = load,
	.release = snk_model_release,
	.describe = describe,
	.extension = extension,
};

SNW_PLUGIN(deformer)
