/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the features of the joints, and from them one coefficient for each displacement. Lowering: displacements before the
 * blend of whatever lies below.
 */
#include <math.h>

#include "pose-regression/pose-regression.h"
#include "sinew/algebra.h"

void joint_features(uint32_t kind, const double axes[9], const double rotation_vector[3], double features[JOINT_FEATURES]) {
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

void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
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

snw_status SNW_CALL drive(const snw_drive_call *call) {
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

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	SNW_PUT(call->part, snw_program_part, .blend = SNW_BLEND_NONE, .rest = &model->meshes[call->mesh]);
	return SNW_OK;
}
