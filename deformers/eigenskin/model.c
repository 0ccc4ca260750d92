/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: what a pose makes of it, and its bytes.
 */
#include <math.h>
#include <string.h>

#include "eigenskin/eigenskin.h"
#include "sinew/algebra.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* The metric in which a driver's rotations are compared. */
static snk_joint_metric driver_metric(const driver *one) {
	return (snk_joint_metric){.axis = {0, 1, 0}, .swing = 1, .twist = 1, .unwound = one->unwound};
}

static void kernels(const driver *from, double width, const double rotation_vector[3], double *values) {
	const snk_joint_metric metric = driver_metric(from);
	const snw_transform none = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	double here[SNK_POSE_FEATURES];
	_Alignas(16) double squares[MOST_CENTRES + 2];
	snk_pose_features(&metric, rotation_vector, &none, here);
	snk_pose_squared_distances(&metric, snk_pose_stride(from->count + 1), from->quaternions, here, squares);
	for (uint32_t k = 0; k <= from->count; k++) {
		values[k] = snk_kernel_value(SNK_KERNEL_GAUSSIAN, width, sqrt(squares[k]));
	}
}

void driver_prepare(driver *one, double width) {
	static const double rest[3] = {0, 0, 0};
	const snk_joint_metric metric = driver_metric(one);
	const snw_transform none = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	const uint32_t stride = snk_pose_stride(one->count + 1);
	double here[SNK_POSE_FEATURES], values[MOST_CENTRES + 1];
	memset(one->quaternions, 0, sizeof one->quaternions);
	for (uint32_t k = 0; k <= one->count; k++) {
		snk_pose_features(&metric, one->centres[k], &none, here);
		for (uint32_t f = 0; f < SNK_POSE_FEATURES; f++) {
			one->quaternions[f * stride + k] = here[f];
		}
	}
	kernels(one, width, rest, values);
	memcpy(one->at_rest, values, one->count * sizeof *values);
}

void driver_functions(const driver *from, double width, const double rotation_vector[3], double *values) {
	double all[MOST_CENTRES + 1];
	kernels(from, width, rotation_vector, all);
	for (uint32_t k = 0; k < from->count; k++) {
		values[k] = all[k] - from->at_rest[k] + (1 - all[from->count]);
	}
}

static void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	SNW_PUT(layout, snw_model_layout, .d_count = model->coefficient_count);
}

static snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	if (call->pose->joint_count != model->joint_count) {
		return SNW_ERROR_ARGUMENT;
	}
	double *d = call->output->d;
	for (uint32_t k = 0; k < model->driver_count; d += model->drivers[k++].coefficient_count) {
		const driver *from = &model->drivers[k];
		double values[MOST_CENTRES];
		driver_functions(from, model->width, call->pose->rotation_vectors + 3 * (size_t)from->joint, values);
		for (uint32_t n = 0; n < from->coefficient_count; n++) {
			d[n] = 0;
			for (uint32_t c = 0; c < from->count; c++) {
				d[n] += from->weights[(size_t)n * from->count + c] * values[c];
			}
		}
	}
	return SNW_OK;
}

static snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	SNW_PUT(call->part, snw_program_part, .blend = SNW_BLEND_NONE, .rest = &model->meshes[call->mesh]);
	return SNW_OK;
}

/* ---- bytes --------------------------------------------------------------------------------------------------------------- */

static void driver_bytes(snk_bytes *bytes, double width, driver *one) {
	snk_bytes_joint(bytes, &one->name, &one->joint);
	snk_bytes_index(bytes, MOST_CENTRES + 1, &one->count);
	snk_bytes_index(bytes, 2, &one->unwound);
	snk_bytes_f64(bytes, snk_failed(bytes->status) ? 0 : 3 * (size_t)one->count, one->centres[0]);
	snk_bytes_count(bytes, sizeof(double), &one->coefficient_count);
	snk_bytes_numbers(bytes, snk_failed(bytes->status) ? 0 : (size_t)one->coefficient_count * one->count, &one->weights);
	snk_bytes_need(bytes, one->count > 0);
	if (bytes->is_load && !snk_failed(bytes->status)) {
		driver_prepare(one, width);
	}
}

static void mesh_bytes(snk_bytes *bytes, uint32_t mesh, snw_model *model) {
	snw_displacements *list = &model->meshes[mesh];
	snk_bytes_point_count(bytes, mesh, &model->point_counts[mesh]);
	snk_bytes_displacements(bytes, model->coefficient_count, model->point_counts[mesh], list);
	if (bytes->is_load) {
		list->names = snk_bytes_acquire(bytes, list->count, sizeof *list->names);
	}
	for (uint32_t k = 0; !snk_failed(bytes->status) && k < list->count; k++) {
		snk_bytes_text(bytes, (const char **)&list->names[k]);
	}
}

static void drivers_bytes(snk_bytes *bytes, snw_model *model) {
	snk_bytes_count(bytes, 4 * sizeof(uint32_t), &model->driver_count);
	if (bytes->is_load) {
		model->joint_count = bytes->character->skeleton->joint_count;
		model->drivers = snk_bytes_acquire(bytes, model->driver_count, sizeof *model->drivers);
	}
	for (uint32_t k = 0; !snk_failed(bytes->status) && k < model->driver_count; k++) {
		driver_bytes(bytes, model->width, &model->drivers[k]);
		if (bytes->is_load &&
			snk_bytes_need(bytes, model->drivers[k].coefficient_count <= UINT32_MAX - model->coefficient_count)) {
			model->coefficient_count += model->drivers[k].coefficient_count;
		}
	}
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	snk_bytes_f64(bytes, 1, &model->width);
	snk_bytes_need(bytes, model->width > 0);
	drivers_bytes(bytes, model);
	snk_bytes_mesh_count(bytes, &model->mesh_count);
	if (bytes->is_load) {
		model->point_counts = snk_bytes_acquire(bytes, model->mesh_count, sizeof *model->point_counts);
		model->meshes = snk_bytes_acquire(bytes, model->mesh_count, sizeof *model->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < model->mesh_count; m++) {
		mesh_bytes(bytes, m, model);
	}
}

static const snk_model_format format = {"SNWEIGSK", 2, sizeof(snw_model), model_bytes};

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

static snw_status follow(const snw_transfer_call *call, snw_model *model) {
	return snk_transfer_displacements(call, &model->pool, model->mesh_count, model->point_counts, model->meshes);
}

static snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	(void)self;
	return snk_transfer_model(&format, call, follow, model);
}

/* ---- as JSON ------------------------------------------------------------------------------------------------------------- */

/* What a group needs beside its driver. */
typedef struct space_scratch {
	const char **names; /* [coefficient_count], of all drivers */
	double *weights;    /* [MOST_CENTRES + 2][coefficient_count] */
	double places[MOST_CENTRES + 1][6];
} space_scratch;

static snw_status open_space(const snw_model *model, snw_pool *pool, space_scratch *scratch) {
	const uint32_t count = model->coefficient_count;
	scratch->names = (const char **)snw_pool_acquire(pool, count, sizeof *scratch->names);
	scratch->weights = SNW_POOL_ARRAY(pool, double, (size_t)count *(MOST_CENTRES + 2));
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t k = 0; k < count; k++) {
		scratch->names[k] = ""; /* of bytes that leave a coefficient without displacement */
	}
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		for (uint32_t k = 0; k < model->meshes[m].count; k++) {
			scratch->names[model->meshes[m].coefficients[k]] = model->meshes[m].names[k];
		}
	}
	for (uint32_t k = 0; k <= MOST_CENTRES; k++) {
		for (int c = 0; c < 3; c++) {
			scratch->places[k][c] = 0;
			scratch->places[k][3 + c] = 1;
		}
	}
	return SNW_OK;
}

/* Σ_c w_c (κ(r, c) − κ(r, 0) − κ(c, 0) + 1) as weights of κ, the rest's last, and a constant. */
static void space_weights(const driver *from, double *weights) {
	const size_t count = from->coefficient_count;
	memset(weights, 0, (from->count + 2) * count * sizeof *weights);
	for (size_t k = 0; k < count; k++) {
		for (size_t c = 0; c < from->count; c++) {
			const double weight = from->weights[k * from->count + c];
			weights[c * count + k] = weight;
			weights[from->count * count + k] -= weight;
			weights[(from->count + 1) * count + k] += weight * (1 - from->at_rest[c]);
		}
	}
}

static void write_space(snk_json *json, const driver *from, double width, const char *const *names, space_scratch *scratch) {
	static const uint32_t joint = 0;
	const snk_joint_metric metric = driver_metric(from);
	space_weights(from, scratch->weights);
	const snk_pose_group group = {.name = from->name,
								  .joint_count = 1,
								  .joints = &joint,
								  .joint_names = &from->name,
								  .metrics = &metric,
								  .kernel = SNK_KERNEL_GAUSSIAN,
								  .polynomial = SNK_POLYNOMIAL_CONSTANT,
								  .width = width,
								  .pose_count = from->count + 1,
								  .coefficient_count = from->coefficient_count,
								  .rotation_vectors = from->centres[0],
								  .places = scratch->places[0],
								  .names = names,
								  .weights = scratch->weights};
	snk_pose_space_group(json, &group);
}

static snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	(void)values;
	snw_pool pool = snw_pool_open(model->pool.host);
	space_scratch scratch;
	snw_status status = open_space(model, &pool, &scratch);
	if (!snk_failed(status)) {
		snk_json json = snk_json_start(sink);
		snk_json_open_object(&json, NULL);
		snk_pose_space_open(&json);
		for (uint32_t k = 0, first = 0; k < model->driver_count; first += model->drivers[k++].coefficient_count) {
			write_space(&json, &model->drivers[k], model->width, scratch.names + first, &scratch);
		}
		snk_pose_space_close(&json);
		snk_json_close_object(&json);
		status = snk_json_finish(&json);
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

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
