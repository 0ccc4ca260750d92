/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host sees: the descriptor, the functions, the one symbol.
 */
#include "inverse-psd/inverse-psd.h"

static const char *const kernels[] = {"gaussian", "linear", NULL};
static const char *const solvers[] = {"auto", "powell", "newton", "closed", NULL};

static const snw_parameter parameters[PARAMETER_COUNT] = {
	[KERNEL] = {.size = sizeof(snw_parameter),
				.key = "kernel",
				.label = "Kernel",
				.help = "How an example's influence falls off with the distance from its pose.",
				.unit = "",
				.kind = SNW_PARAMETER_CHOICE,
				.stage = SNW_STAGE_FIT,
				.initial = SNW_KERNEL_GAUSSIAN,
				.minimum = 0,
				.maximum = 1,
				.soft_minimum = 0,
				.soft_maximum = 1,
				.choices = kernels},
	[WIDTH] = {.size = sizeof(snw_parameter),
			   .key = "width",
			   .label = "Width",
			   .help = "How far the Gaussian kernel reaches; 0 chooses it from the distances between the examples' poses.",
			   .unit = "rad",
			   .kind = SNW_PARAMETER_NUMBER,
			   .stage = SNW_STAGE_FIT,
			   .initial = 0,
			   .minimum = 0,
			   .maximum = 100,
			   .soft_minimum = 0,
			   .soft_maximum = 6},
	[REGULARISATION] = {.size = sizeof(snw_parameter),
						.key = "regularisation",
						.label = "Regularisation",
						.help =
							"Directions in which the deformation below keeps less than this part of its stretch are left to "
							"displacements after it.",
						.unit = "",
						.kind = SNW_PARAMETER_NUMBER,
						.stage = SNW_STAGE_FIT,
						.initial = 1e-4,
						.minimum = 1e-12,
						.maximum = 0.1,
						.soft_minimum = 1e-6,
						.soft_maximum = 0.01},
	[SOLVER] =
		{.size = sizeof(snw_parameter),
		 .key = "solver",
		 .label = "Solver",
		 .help = "How sculpts are taken back through what lies below: in closed form where it is affine, by Newton steps, by "
				 "Powell's direction sets; auto takes the first that serves, and the next for the points that one leaves.",
		 .unit = "",
		 .kind = SNW_PARAMETER_CHOICE,
		 .stage = SNW_STAGE_FIT,
		 .initial = SOLVER_AUTO,
		 .minimum = SOLVER_AUTO,
		 .maximum = SOLVER_CLOSED,
		 .soft_minimum = SOLVER_AUTO,
		 .soft_maximum = SOLVER_CLOSED,
		 .choices = solvers},
};

static const snw_field_info fields[FIELD_COUNT] = {
	[RESIDUAL] = {.size = sizeof(snw_field_info),
				  .name = "residual",
				  .label = "Left after inversion",
				  .help = "The longest displacement that had to be added after the deformation below, over all examples.",
				  .unit = "m",
				  .domain = SNW_DOMAIN_POINTS,
				  .components = 1,
				  .written = 1},
	[CONDITIONING] = {.size = sizeof(snw_field_info),
					  .name = "conditioning",
					  .label = "Conditioning",
					  .help =
						  "The worst condition number of the deformation below at any example: 1 is rigid, large collapses.",
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
	.version = "1.0",
	.paper =
		"X. Xiao, H. S. Seah, F. Tian, J. P. Lewis, N. Fong: A Powell optimization approach for example-based skinning in a "
		"production animation environment, 2004",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_EXAMPLES,
	.traits = SNW_REFITS,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = FIELD_COUNT,
	.fields = fields,
};

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = create,
	.destroy = destroy,
	.fit = fit,
	.layout = layout,
	.scratch_bytes = scratch_bytes,
	.drive = drive,
	.lower = lower,
	.save = save,
	.load = load,
	.release = release,
	.describe = describe,
};

static const snw_deformer *deformer_at(uint32_t index) {
	return index == 0 ? &deformer : NULL;
}

SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {
	.size = sizeof(snw_entry),
	.abi_major = SNW_ABI_MAJOR,
	.abi_minor = SNW_ABI_MINOR,
	.deformer_count = 1,
	.deformer = deformer_at,
};
