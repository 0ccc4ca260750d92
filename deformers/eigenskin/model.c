/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: what a pose makes of it, and its bytes.
 */
#include <math.h>
#include <string.h>

#include "eigenskin/eigenskin.h"
#include "sinew/algebra.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/pose-space/rbf.h"
#include "sinew/kit/status.h"

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

void driver_features(const driver *from, double width, const double rotation_vector[3], double *features) {
	for (uint32_t k = 0; k < from->count; k++) {
		double away[3];
		for (int c = 0; c < 3; c++) {
			away[c] = fmin(fmax(rotation_vector[c], from->lowest[c]), from->highest[c]) - from->centres[k][c];
		}
		features[k] = snk_kernel_value(SNK_KERNEL_GAUSSIAN, width, snw_length3(away)) -
					  snk_kernel_value(SNK_KERNEL_GAUSSIAN, width, snw_length3(from->centres[k]));
	}
}

void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	SNW_PUT(layout, snw_model_layout, .d_count = model->rows.row_count, .scratch_bytes = model->feature_count * sizeof(double));
}

snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	const snw_sparse_rows *rows = &model->rows;
	if (call->pose->joint_count != model->joint_count) {
		return SNW_ERROR_ARGUMENT;
	}
	double *features = call->scratch;
	for (uint32_t k = 0, at = 0; k < model->driver_count; at += model->drivers[k++].count) {
		const driver *from = &model->drivers[k];
		driver_features(from, model->width, call->pose->rotation_vectors + 3 * (size_t)from->joint, features + at);
	}
	for (uint32_t k = 0; k < rows->row_count; k++) {
		double sum = 0;
		for (uint32_t n = rows->offsets[k]; n < rows->offsets[k + 1]; n++) {
			sum += rows->values[n] * features[rows->columns[n]];
		}
		call->output->d[k] = sum;
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

/* ---- bytes --------------------------------------------------------------------------------------------------------------- */

static uint32_t find_joint(const snw_skeleton_view *skeleton, const char *name) {
	uint32_t joint = 0;
	while (joint < skeleton->joint_count && strcmp(skeleton->names[joint], name) != 0) {
		joint++;
	}
	return joint;
}

/* Joints are found by their names. */
static void driver_bytes(snk_bytes *bytes, driver *one) {
	snk_bytes_text(bytes, &one->name);
	snk_bytes_f64(bytes, 3, one->lowest);
	snk_bytes_f64(bytes, 3, one->highest);
	snk_bytes_index(bytes, MOST_CENTRES + 2, &one->count);
	snk_bytes_f64(bytes, snk_failed(bytes->status) ? 0 : 3 * (size_t)one->count, one->centres[0]);
	if (bytes->is_load && !snk_failed(bytes->status)) {
		one->joint = find_joint(bytes->character->skeleton, one->name);
		snk_bytes_need(bytes, one->joint < bytes->character->skeleton->joint_count);
	}
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

static void drivers_bytes(snk_bytes *bytes, snw_model *model) {
	snk_bytes_count(bytes, 2 * sizeof(uint32_t) + 6 * sizeof(double), &model->driver_count);
	if (bytes->is_load) {
		model->joint_count = bytes->character->skeleton->joint_count;
		model->drivers = snk_bytes_acquire(bytes, model->driver_count, sizeof *model->drivers);
		model->feature_count = 0;
	}
	for (uint32_t k = 0; !snk_failed(bytes->status) && k < model->driver_count; k++) {
		driver_bytes(bytes, &model->drivers[k]);
		model->feature_count += bytes->is_load ? model->drivers[k].count : 0;
	}
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	snk_bytes_f64(bytes, 1, &model->width);
	snk_bytes_need(bytes, model->width > 0);
	drivers_bytes(bytes, model);
	snk_bytes_count(bytes, sizeof(uint32_t), &model->rows.row_count);
	if (bytes->is_load) {
		model->rows.column_count = model->feature_count;
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
}

static const snk_model_format format = {"SNWEIGSK", 1, sizeof(snw_model), model_bytes};

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}
