/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes: revisions of the format and of the kernels, the joints' names, the pose spaces, the displacements (only of
 * points that move), the checksums of the inversions. And as JSON.
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/group_falloffs.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/kit/status.h"
#include "sinew/plugin.h"
#include "sinew/report.h"
#include "sinew/sinew.h"

/* Where joints of a model that is loaded are in the character. */
typedef struct found_joints {
	uint32_t *places; /* saved joint → joint of the character */
} found_joints;

/* Joints are found by their names, so that a model survives a change of their order. */
static uint32_t find_joint(snk_bytes *bytes, uint32_t expected, const char *name) {
	const snw_skeleton_view *skeleton = bytes->character->skeleton;
	uint32_t found = strcmp(skeleton->names[expected], name) == 0 ? expected : 0;
	while (found < skeleton->joint_count && strcmp(skeleton->names[found], name) != 0) {
		found++;
	}
	if (found == skeleton->joint_count) {
		bytes->status = snw_report_fail(bytes->pool->host, SNW_ERROR_DATA,
										"the model was fitted with a joint \"%s\", which no longer exists; fit it again", name);
	}
	return found;
}

static void joint_bytes(snk_bytes *bytes, snw_model *model, found_joints *joints) {
	if (bytes->is_load) {
		model->joint_count = bytes->character->skeleton->joint_count;
	}
	snk_bytes_same(bytes, model->joint_count);
	const char **names = bytes->is_load ? snk_bytes_acquire(bytes, model->joint_count, sizeof *names) : NULL;
	joints->places = bytes->is_load ? snk_bytes_acquire(bytes, model->joint_count, sizeof *joints->places) : NULL;
	for (uint32_t j = 0; !snk_failed(bytes->status) && j < model->joint_count; j++) {
		const char *name = names ? NULL : model->joint_names[j];
		snk_bytes_text(bytes, &name);
		const uint32_t found = names && !snk_failed(bytes->status) ? find_joint(bytes, j, name) : 0;
		if (names && !snk_failed(bytes->status)) {
			joints->places[j] = found;
			names[found] = name;
		}
	}
	for (uint32_t j = 0; names && !snk_failed(bytes->status) && j < model->joint_count; j++) {
		snk_bytes_need(bytes, names[j] != NULL);
	}
	if (bytes->is_load) {
		model->joint_names = names;
	}
}

static void joint_list_bytes(snk_bytes *bytes, const found_joints *joints, uint32_t count, int may_be_none,
							 const uint32_t **list) {
	uint32_t *read = bytes->is_load ? snk_bytes_acquire(bytes, count, sizeof *read) : NULL;
	for (uint32_t j = 0; !snk_failed(bytes->status) && j < count; j++) {
		uint32_t joint = read ? 0 : (*list)[j];
		snk_bytes_u32(bytes, &joint);
		const int none = may_be_none && joint == SNW_NONE;
		if (read && snk_bytes_need(bytes, none || joint < bytes->character->skeleton->joint_count)) {
			read[j] = none ? joint : joints->places[joint];
		}
	}
	if (bytes->is_load) {
		*list = read;
	}
}

static void metric_bytes(snk_bytes *bytes, snk_joint_metric *metric) {
	snk_bytes_f64(bytes, 3, metric->axis);
	double *const numbers[] = {&metric->swing, &metric->twist, &metric->translation, &metric->scale};
	for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
		snk_bytes_f64(bytes, 1, numbers[n]);
		snk_bytes_need(bytes, *numbers[n] >= 0);
	}
	snk_bytes_index(bytes, 2, &metric->unwound);
}

/* a · b; an error if the remaining bytes of a load cannot hold this many numbers. */
static size_t product_of(snk_bytes *bytes, size_t a, size_t b) {
	return snk_bytes_need(bytes, b == 0 || a <= bytes->reader.count / sizeof(double) / b) ? a * b : 0;
}

static void name_bytes(snk_bytes *bytes, pose_space *space) {
	const char **names = (const char **)space->names, **examples = NULL;
	if (snk_bytes_need(bytes, space->coefficient_count <= bytes->reader.count / sizeof(uint32_t)) && bytes->is_load) {
		space->names = names = snk_bytes_acquire(bytes, space->coefficient_count, sizeof *names);
		space->examples = examples = snk_bytes_acquire(bytes, space->coefficient_count, sizeof *examples);
	}
	for (uint32_t k = 0; !snk_failed(bytes->status) && k < space->coefficient_count; k++) {
		const size_t prefix = strlen(space->name);
		snk_bytes_text(bytes, &names[k]);
		if (examples &&
			snk_bytes_need(bytes, names[k] && strncmp(names[k], space->name, prefix) == 0 && names[k][prefix] == '/')) {
			examples[k] = names[k] + prefix + 1;
		}
	}
}

static void find_features(snk_bytes *bytes, pose_space *space) {
	double *features = snk_bytes_acquire(bytes, feature_count(space), sizeof *features);
	if (features) {
		group_features(space, features);
	}
	space->features = features;
	double *ways = snk_bytes_acquire(bytes, way_count(space), sizeof *ways);
	if (ways) {
		group_ways(space, ways);
	}
	space->ways = ways;
}

static void settings_bytes(snk_bytes *bytes, pose_space *space) {
	uint32_t kernel = (uint32_t)space->kernel, polynomial = (uint32_t)space->polynomial;
	snk_bytes_text(bytes, &space->name);
	snk_bytes_index(bytes, 2, &space->is_forward);
	snk_bytes_index(bytes, SNK_KERNELS, &kernel);
	snk_bytes_index(bytes, SNK_POLYNOMIAL_LINEAR + 1, &polynomial);
	snk_bytes_index(bytes, 2, &space->clamps);
	snk_bytes_f64(bytes, 1, &space->width);
	if (snk_bytes_need(bytes, space->width >= 0) && bytes->is_load) {
		space->kernel = (snk_kernel)kernel;
		space->polynomial = (snk_polynomial)polynomial;
	}
}

static void metrics_bytes(snk_bytes *bytes, const found_joints *joints, pose_space *space) {
	snk_bytes_count(bytes, sizeof(uint32_t), &space->joint_count);
	joint_list_bytes(bytes, joints, space->joint_count, 0, &space->joints);
	snk_bytes_need(bytes, space->joint_count <= bytes->reader.count / (7 * sizeof(double)));
	if (bytes->is_load) {
		space->metrics = snk_bytes_acquire(bytes, space->joint_count, sizeof *space->metrics);
	}
	for (uint32_t j = 0; !snk_failed(bytes->status) && j < space->joint_count; j++) {
		metric_bytes(bytes, &space->metrics[j]);
	}
}

static void space_bytes(snk_bytes *bytes, const found_joints *joints, pose_space *space, uint32_t is_weighted) {
	settings_bytes(bytes, space);
	metrics_bytes(bytes, joints, space);
	snk_bytes_u32(bytes, &space->pose_count);
	snk_bytes_u32(bytes, &space->coefficient_count);
	snk_bytes_u32(bytes, &space->class_count);
	snk_bytes_need(bytes, space->coefficient_count <= space->pose_count && space->class_count > 0);
	snk_bytes_need(bytes,
				   space->kernel != SNK_KERNEL_CONE || space->coefficient_count < space->pose_count || space->pose_count == 0);
	snk_bytes_need(bytes, is_weighted || space->class_count == 1);
	/* A pose, or a class, occupies bytes only through its joints and its weights. */
	snk_bytes_need(bytes, (space->pose_count == 0 && space->class_count == 1) ||
							  (space->joint_count > 0 && space->coefficient_count > 0 && space->width > 0));
	const size_t joint_poses = product_of(bytes, space->pose_count, space->joint_count);
	snk_bytes_numbers(bytes, product_of(bytes, 3, joint_poses), &space->rotation_vectors);
	snk_bytes_numbers(bytes, product_of(bytes, 6, joint_poses), &space->places);
	const size_t shares = product_of(bytes, space->class_count, space->joint_count);
	snk_bytes_numbers(bytes, shares, &space->shares);
	for (size_t i = 0; !snk_failed(bytes->status) && i < shares; i++) {
		snk_bytes_need(bytes, space->shares[i] >= 0);
	}
	const size_t sets = product_of(bytes, space->class_count, space->coefficient_count);
	snk_bytes_numbers(bytes, sets > 0 ? product_of(bytes, sets, term_count(space)) : 0, &space->weights);
	name_bytes(bytes, space);
	if (bytes->is_load) {
		find_features(bytes, space);
	}
}

/* The classes of a displacement's points must exist in its group. */
static void check_classes(snk_bytes *bytes, const snw_model *model, const snw_displacements *list, const uint32_t *classes) {
	for (uint32_t n = 0; !snk_failed(bytes->status) && n < list->count; n++) {
		uint32_t g = 0, first = list->coefficients[n];
		while (first >= driven_count(&model->groups[g])) {
			first -= driven_count(&model->groups[g++]);
		}
		snk_bytes_need(bytes, first % model->groups[g].class_count == 0);
		for (uint64_t i = list->offsets[n]; i < list->offsets[n + 1]; i++) {
			snk_bytes_need(bytes, classes[i] < model->groups[g].class_count);
		}
	}
}

static void displacement_bytes(snk_bytes *bytes, const found_joints *joints, const snw_model *model, uint32_t point_count,
							   int is_posed, snw_displacements *list, const uint32_t **classes) {
	snk_bytes_displacements(bytes, model->coefficient_count, point_count, list);
	if (is_posed) {
		joint_list_bytes(bytes, joints, list->count, 1, &list->joints);
	}
	if (model->is_weighted) {
		const size_t points = snk_failed(bytes->status) ? 0 : (size_t)list->offsets[list->count];
		snk_bytes_indices(bytes, points, UINT32_MAX, classes);
	}
	if (!bytes->is_load) {
		return;
	}
	const char **names = snk_bytes_acquire(bytes, list->count, sizeof *names);
	if (!snk_failed(bytes->status) && model->is_weighted) {
		check_classes(bytes, model, list, *classes);
	}
	for (uint32_t n = 0; !snk_failed(bytes->status) && n < list->count; n++) {
		names[n] = coefficient_name(model->group_count, model->groups, list->coefficients[n]);
	}
	list->names = names;
}

static void group_bytes(snk_bytes *bytes, const found_joints *joints, snw_model *model) {
	snk_bytes_count(bytes, 44, &model->group_count); /* of a group without name, joints and poses */
	if (bytes->is_load) {
		model->groups = snk_bytes_acquire(bytes, model->group_count, sizeof *model->groups);
	}
	for (uint32_t g = 0; !snk_failed(bytes->status) && g < model->group_count; g++) {
		space_bytes(bytes, joints, &model->groups[g], model->is_weighted);
		const uint64_t driven = (uint64_t)model->groups[g].coefficient_count * model->groups[g].class_count;
		if (snk_bytes_need(bytes, driven <= UINT32_MAX - model->coefficient_count) && bytes->is_load) {
			model->coefficient_count += (uint32_t)driven;
		}
	}
}

static void mesh_bytes(snk_bytes *bytes, const found_joints *joints, snw_model *model) {
	snk_bytes_mesh_count(bytes, &model->mesh_count);
	if (bytes->is_load) {
		model->meshes = snk_bytes_acquire(bytes, model->mesh_count, sizeof *model->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < model->mesh_count; m++) {
		correction *mesh = &model->meshes[m];
		snk_bytes_point_count(bytes, m, &mesh->point_count);
		displacement_bytes(bytes, joints, model, mesh->point_count, 0, &mesh->rest, &mesh->rest_classes);
		displacement_bytes(bytes, joints, model, mesh->point_count, 1, &mesh->posed, &mesh->posed_classes);
		if (bytes->is_load && !snk_failed(bytes->status)) {
			bytes->status = copy_skin(bytes->pool, bytes->character->meshes[m], mesh);
			model->has_posed |= mesh->posed.count > 0;
		}
	}
}

static void inverted_bytes(snk_bytes *bytes, snw_model *model) {
	snk_bytes_count(bytes, 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t), &model->inverted_count);
	if (bytes->is_load) {
		model->inverted = snk_bytes_acquire(bytes, model->inverted_count, sizeof *model->inverted);
	}
	for (uint32_t i = 0; !snk_failed(bytes->status) && i < model->inverted_count; i++) {
		inverted *one = &model->inverted[i];
		snk_bytes_raw(bytes, sizeof one->input_sum, &one->input_sum);
		snk_bytes_raw(bytes, sizeof one->result_sum, &one->result_sum);
		snk_bytes_index(bytes, model->coefficient_count, &one->coefficient);
		snk_bytes_index(bytes, model->mesh_count, &one->mesh);
	}
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	uint32_t kernels = SNK_KERNEL_VERSION;
	snk_bytes_u32(bytes, &kernels);
	snk_bytes_index(bytes, 2, &model->is_weighted);
	if (!snk_failed(bytes->status) && kernels != SNK_KERNEL_VERSION) {
		bytes->status = snw_report_fail(bytes->pool->host, SNW_ERROR_DATA,
										"it was fitted with kernel version %u, and this is version %u; fit it again", kernels,
										SNK_KERNEL_VERSION);
	}
	found_joints joints;
	joint_bytes(bytes, model, &joints);
	group_bytes(bytes, &joints, model);
	mesh_bytes(bytes, &joints, model);
	inverted_bytes(bytes, model);
	if (bytes->is_load && !snk_failed(bytes->status)) {
		bytes->status = list_coefficient_examples(bytes->pool, model);
	}
}

static const snk_model_format format = {"SNWIPSD", 2, sizeof(snw_model), model_bytes};

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

/* ---- as JSON ------------------------------------------------------------------------------------------------------------- */

static snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	(void)values;
	snk_json json = snk_json_start(sink);
	snk_json_open_object(&json, NULL);
	/* Coefficients of single points drive no morph target that could be named. */
	if (!model->is_weighted) {
		snk_pose_space_open(&json);
		for (uint32_t g = 0; g < model->group_count; g++) {
			const pose_space *space = &model->groups[g];
			const snk_pose_group group = {.name = space->name,
										  .joint_count = space->joint_count,
										  .joints = space->joints,
										  .joint_names = model->joint_names,
										  .metrics = space->metrics,
										  .kernel = space->kernel,
										  .polynomial = space->polynomial,
										  .width = space->width,
										  .is_clamped = space->clamps != 0,
										  .pose_count = space->pose_count,
										  .coefficient_count = space->coefficient_count,
										  .rotation_vectors = space->rotation_vectors,
										  .places = space->places,
										  .names = space->names,
										  .weights = space->weights};
			snk_pose_space_group(&json, &group);
		}
		snk_pose_space_close(&json);
	}
	snk_json_close_object(&json);
	return snk_json_finish(&json);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

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
