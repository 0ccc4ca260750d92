/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: what a pose makes of it, as bytes, and as JSON for engines.
 */
#include <math.h>

#include "pose-regression/pose-regression.h"
#include "sinew/algebra.h"
#include "sinew/kit/bytes/json.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* Driving: the features of the joints, and from them one coefficient for each displacement. Lowering: displacements before the
 * blend of whatever lies below. */

/* The features of a rotation vector, in the axes of the rest space: R − I row by row, or the vector with its squares. */
static void joint_features(uint32_t kind, const double axes[9], const double rotation_vector[3],
						   double features[JOINT_FEATURES]) {
	double v[3];
	if (kind != FEATURES_VECTORS) {
		snk_rotation_features(axes, rotation_vector, features);
		return;
	}
	for (size_t r = 0; r < 3; r++) {
		v[r] = snw_dot3(axes + 3 * r, rotation_vector);
	}
	for (int c = 0; c < 3; c++) {
		features[c] = v[c];
		features[3 + c] = v[c] * v[c];
		features[6 + c] = v[c] * v[(c + 1) % 3];
	}
}

void pose_features(uint32_t kind, uint32_t count, const driver *drivers, const snw_pose_view *pose, int clamps,
				   double *features) {
	for (uint32_t k = 0; k < count; k++, features += JOINT_FEATURES) {
		const driver *from = &drivers[k];
		joint_features(kind, from->axes, pose->rotation_vectors + 3 * (size_t)from->joint, features);
		for (int i = 0; clamps && i < JOINT_FEATURES; i++) {
			features[i] = fmin(fmax(features[i], from->lowest[i]), from->highest[i]);
		}
	}
	*features = 1;
}

static void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	SNW_PUT(layout, snw_model_layout, .d_count = model->rows.row_count,
			.scratch_bytes = model->rows.column_count * sizeof(double));
}

/* A row times the features, in four sums that do not wait for each other. */
static double multiply_row(const snw_sparse_rows *rows, uint32_t row, const double *features) {
	const uint32_t end = rows->offsets[row + 1], *columns = rows->columns;
	const double *values = rows->values;
	double a = 0, b = 0, c = 0, d = 0;
	uint32_t n = rows->offsets[row];
	for (; n + 4 <= end; n += 4) {
		a += values[n] * features[columns[n]];
		b += values[n + 1] * features[columns[n + 1]];
		c += values[n + 2] * features[columns[n + 2]];
		d += values[n + 3] * features[columns[n + 3]];
	}
	for (; n < end; n++) {
		a += values[n] * features[columns[n]];
	}
	return (a + b) + (c + d);
}

static snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	const snw_sparse_rows *rows = &model->rows;
	if (call->pose->joint_count != model->joint_count) {
		return SNW_ERROR_ARGUMENT;
	}
	double *features = call->scratch;
	pose_features(model->kind, model->driver_count, model->drivers, call->pose, call->values[CLAMP].numbers[0] != 0, features);
	for (uint32_t k = 0; k < rows->row_count; k++) {
		call->output->d[k] = multiply_row(rows, k, features);
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

static void driver_bytes(snk_bytes *bytes, driver *one) {
	snk_bytes_joint(bytes, &one->name, &one->joint);
	snk_bytes_f64(bytes, 9, one->axes);
	snk_bytes_f64(bytes, JOINT_FEATURES, one->lowest);
	snk_bytes_f64(bytes, JOINT_FEATURES, one->highest);
}

static void mesh_bytes(snk_bytes *bytes, uint32_t mesh, snw_model *model) {
	snw_displacements *list = &model->meshes[mesh];
	snk_bytes_point_count(bytes, mesh, &model->point_counts[mesh]);
	snk_bytes_displacements(bytes, model->rows.row_count, model->point_counts[mesh], list);
	if (bytes->is_load) {
		list->names = snk_bytes_acquire(bytes, list->count, sizeof *list->names);
	}
	for (uint32_t k = 0; !snk_failed(bytes->status) && k < list->count; k++) {
		snk_bytes_text(bytes, (const char **)&list->names[k]);
	}
}

static void choices_bytes(snk_bytes *bytes, mesh_choices *choices) {
	snk_bytes_index(bytes, 2, &choices->is_made);
	snk_bytes_index(bytes, 2, &choices->uses_mirrored);
	snk_bytes_f64(bytes, 1, &choices->ridge);
	snk_guard_regions_bytes(bytes, &choices->region_count, &choices->regions);
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	snk_bytes_index(bytes, FEATURE_KINDS, &model->kind);
	snk_bytes_count(bytes, sizeof(uint32_t) + 27 * sizeof(double), &model->driver_count);
	if (bytes->is_load) {
		model->joint_count = bytes->character->skeleton->joint_count;
		model->drivers = snk_bytes_acquire(bytes, model->driver_count, sizeof *model->drivers);
	}
	for (uint32_t k = 0; !snk_failed(bytes->status) && k < model->driver_count; k++) {
		driver_bytes(bytes, &model->drivers[k]);
	}
	snk_bytes_count(bytes, sizeof(uint32_t), &model->rows.row_count);
	if (bytes->is_load) {
		model->rows.column_count = JOINT_FEATURES * model->driver_count + 1;
	}
	snk_bytes_rows(bytes, &model->rows);
	snk_bytes_mesh_count(bytes, &model->mesh_count);
	if (bytes->is_load) {
		model->point_counts = snk_bytes_acquire(bytes, model->mesh_count, sizeof *model->point_counts);
		model->meshes = snk_bytes_acquire(bytes, model->mesh_count, sizeof *model->meshes);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < model->mesh_count; m++) {
		mesh_bytes(bytes, m, model);
	}
	if (bytes->is_load) {
		model->choices = snk_bytes_acquire(bytes, model->mesh_count, sizeof *model->choices);
	}
	for (uint32_t m = 0; !snk_failed(bytes->status) && m < model->mesh_count; m++) {
		choices_bytes(bytes, &model->choices[m]);
	}
}

static const snk_model_format format = {"SNWPOSER", 2, sizeof(snw_model), model_bytes};

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

/* The regression as JSON, for engines that evaluate it live. docs/pose-space.md defines the format. */

static const char *const kinds[] = {"matrices", "vectors", NULL};

static void write_drivers(snk_json *json, const snw_model *model) {
	snk_json_open_array(json, "joints");
	for (uint32_t k = 0; k < model->driver_count; k++) {
		const driver *from = &model->drivers[k];
		snk_json_open_object(json, NULL);
		snk_json_text(json, "name", from->name);
		snk_json_numbers(json, "axes", 9, from->axes);
		snk_json_numbers(json, "lowest", JOINT_FEATURES, from->lowest);
		snk_json_numbers(json, "highest", JOINT_FEATURES, from->highest);
		snk_json_close_object(json);
	}
	snk_json_close_array(json);
}

static void print_mesh(snk_json *json, const snw_model *model, const snw_displacements *list) {
	const snw_sparse_rows *rows = &model->rows;
	for (uint32_t k = 0; k < list->count; k++) {
		const uint32_t row = list->coefficients[k], first = rows->offsets[row], end = rows->offsets[row + 1];
		snk_json_open_object(json, NULL);
		snk_json_text(json, "name", list->names[k]);
		snk_json_open_array(json, "features");
		for (uint32_t n = first; n < end; n++) {
			snk_json_integer(json, NULL, rows->columns[n]);
		}
		snk_json_close_array(json);
		snk_json_numbers(json, "factors", end - first, rows->values + first);
		snk_json_close_object(json);
	}
}

static snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	snk_json json = snk_json_start(sink);
	snk_json_open_object(&json, NULL);
	snk_json_open_object(&json, "poseRegression");
	snk_json_integer(&json, "version", 1);
	snk_json_text(&json, "format", "org.sinew.pose-regression");
	snk_json_text(&json, "features", kinds[model->kind]);
	snk_json_boolean(&json, "clamp", values[CLAMP].numbers[0] != 0);
	write_drivers(&json, model);
	snk_json_open_array(&json, "coefficients");
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		print_mesh(&json, model, &model->meshes[m]);
	}
	snk_json_close_array(&json);
	snk_json_close_object(&json);
	snk_json_close_object(&json);
	return snk_json_finish(&json);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

/* Rows of the field table. */
enum { FIELD_RESIDUAL, FIELD_RANGE, FIELD_COUNT };

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
