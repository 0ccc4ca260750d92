/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include <string.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/group_falloffs.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the field table. */
enum { RESIDUAL, CONDITIONING, FIELD_COUNT };

static const char *const kernels[] = {"gaussian", "linear", "thin-plate", "inverse-multiquadric", "cone", NULL};
static const char *const polynomials[] = {"auto", "none", "constant", "linear", NULL};
static const char *const modes[] = {"inverse", "forward", NULL};
static const char *const solvers[] = {"auto", "powell", "newton", "closed", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[KERNEL] = SNW_CHOICE("kernel", "Kernel",
						  "How an example's influence changes with the pose: a cone grows from rest and holds beyond the "
						  "example; the others fall off with the distance from it.",
						  kernels, SNK_KERNEL_CONE, SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP),
	[WIDTH] = SNW_NUMBER("width", "Width",
						 "How far the kernel reaches; 0 chooses it from the distances between poses, or by leave-one-out with "
						 "three examples or more.",
						 "rad", 0, 0, 100, SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP, SNW_SOFT(0, 6), .role = SNW_ROLE_WIDTH),
	[POLYNOMIAL] = SNW_CHOICE(
		"polynomial", "Polynomial",
		"A polynomial added to the kernels; auto is a constant for the linear and thin-plate kernels and none for the others.",
		polynomials, POLYNOMIAL_AUTO, SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP),
	[SMOOTHING] = SNW_NUMBER("smoothing", "Smoothing",
							 "0 reproduces every example exactly; larger values average examples that contradict each other.",
							 "", 0, 0, 10, SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP, SNW_SOFT(0, 1)),
	[CLAMP] = SNW_SWITCH("clamp", "Clamp",
						 "Clamps coefficients to 0 and 1, so that nothing overshoots between the examples or beyond them.", 0,
						 SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP),
	[MODE] =
		SNW_CHOICE("mode", "Mode",
				   "Inverse takes sculpts back through the layers below; forward adds them after those layers, for comparison.",
				   modes, MODE_INVERSE, SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP),
	[SWING] = SNW_NUMBER("swing", "Swing", "How much a joint's rotation across its bone counts in the distance.", "", 1, 0, 100,
						 SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP | SNW_SCOPE_JOINT, SNW_SOFT(0, 4)),
	[TWIST] = SNW_NUMBER("twist", "Twist", "How much a joint's rotation along its bone counts in the distance.", "", 1, 0, 100,
						 SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP | SNW_SCOPE_JOINT, SNW_SOFT(0, 4)),
	[TRANSLATION] = SNW_NUMBER("translation", "Translation",
							   "How many radians a metre of translation counts for in the distance; 0 ignores it.", "rad/m", 0,
							   0, 1e6, SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP | SNW_SCOPE_JOINT, SNW_SOFT(0, 100)),
	[SCALE] = SNW_NUMBER("scale", "Scale", "How many radians a scale of e (2.72) counts for in the distance; 0 ignores it.",
						 "rad", 0, 0, 1000, SNW_STAGE_FIT, .scopes = SNW_SCOPE_GROUP | SNW_SCOPE_JOINT, SNW_SOFT(0, 10)),
	[WEIGHTED] = SNW_SWITCH("weighted", "Weighted",
							"Measures distances for each point, where joints count by their influence on it; such a layer runs "
							"on the CPU and is not exported.",
							0, SNW_STAGE_FIT),
	[REGULARISATION] =
		SNW_NUMBER("regularisation", "Regularisation",
				   "Directions that the layers below flatten to less than this fraction are corrected after them instead.", "",
				   1e-4, 1e-12, 0.1, SNW_STAGE_FIT, SNW_SOFT(1e-6, 0.01)),
	[SOLVER] = SNW_CHOICE("solver", "Solver",
						  "How sculpts are inverted: closed form (affine layers below only), Newton steps, or Powell's "
						  "direction sets; auto tries them in this order, point by point.",
						  solvers, SOLVER_AUTO, SNW_STAGE_FIT),
};

static const snw_field_info *const fields[FIELD_COUNT] = {
	[RESIDUAL] = SNW_WRITTEN_FIELD("residual", "Left after inversion",
								   "The longest displacement that had to be added after the layers below, over all examples.",
								   "m", SNW_DOMAIN_POINTS),
	[CONDITIONING] = SNW_WRITTEN_FIELD(
		"conditioning", "Conditioning",
		"The worst condition number of the layers below at any example: 1 is rigid, a large number is nearly flat.", "",
		SNW_DOMAIN_POINTS),
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
											.settings = falloff_settings};

static const void *SNW_CALL extension(const snw_deformer *self, const char *id) {
	(void)self;
	return strcmp(id, SNW_GROUP_FALLOFFS) == 0 ? &falloffs : NULL;
}

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .deform = deform, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release, .describe = describe, .extension = extension)
