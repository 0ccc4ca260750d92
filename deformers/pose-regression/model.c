/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: what a pose makes of it, as bytes, and as JSON for engines.
 */
#include <math.h>
#include <string.h>

#include "pose-regression/pose-regression.h"
#include "sinew/algebra.h"
#include "sinew/kit/bytes/json.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"

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

/* ---- bytes --------------------------------------------------------------------------------------------------------------- */

/* A model as bytes and back: a mark, the drivers by name, the rows of the coefficients, the displacements of each mesh, a seal.
 */

static const char mark[SNK_MARK_BYTES] = {'S', 'N', 'W', 'P', 'O', 'S', 'E', 'R'};
enum { REVISION = 1 };

static void write_mesh(snw_writer *writer, uint32_t point_count, const snw_displacements *list) {
	const size_t count = list->offsets[list->count];
	snw_write_u32(writer, point_count);
	snw_write_u32(writer, list->count);
	snw_write(writer, list->coefficients, list->count * sizeof *list->coefficients);
	snk_write_displacement_offsets(writer, list->count, list->offsets);
	snw_write(writer, list->points, count * sizeof *list->points);
	snw_write(writer, list->vectors, 3 * count * sizeof *list->vectors);
	for (uint32_t k = 0; k < list->count; k++) {
		snk_write_text(writer, list->names[k]);
	}
}

snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	const snw_sparse_rows *rows = &model->rows;
	snw_writer writer = {.sink = sink};
	snk_write_mark(&writer, mark, REVISION);
	snw_write_u32(&writer, model->kind);
	snw_write_u32(&writer, model->driver_count);
	for (uint32_t k = 0; k < model->driver_count; k++) {
		const driver *from = &model->drivers[k];
		snk_write_text(&writer, from->name);
		snw_write(&writer, from->axes, sizeof from->axes);
		snw_write(&writer, from->lowest, sizeof from->lowest);
		snw_write(&writer, from->highest, sizeof from->highest);
	}
	snw_write_u32(&writer, rows->row_count);
	snw_write(&writer, rows->offsets, ((size_t)rows->row_count + 1) * sizeof *rows->offsets);
	snw_write(&writer, rows->columns, rows->offsets[rows->row_count] * sizeof *rows->columns);
	snw_write(&writer, rows->values, rows->offsets[rows->row_count] * sizeof *rows->values);
	snw_write_u32(&writer, model->mesh_count);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		write_mesh(&writer, model->point_counts[m], &model->meshes[m]);
	}
	snw_write_seal(&writer);
	return writer.status;
}

/* ---- back ---------------------------------------------------------------------------------------------------------------- */

static uint32_t find_joint(const snw_skeleton_view *skeleton, const char *name) {
	uint32_t joint = 0;
	while (joint < skeleton->joint_count && strcmp(skeleton->names[joint], name) != 0) {
		joint++;
	}
	return joint;
}

static snw_status read_drivers(snw_reader *reader, const snw_skeleton_view *skeleton, snw_model *model) {
	snw_status status = SNW_OK;
	model->driver_count = snw_read_count(reader, sizeof(uint32_t) + 27 * sizeof(double));
	driver *drivers = SNW_POOL_ARRAY(&model->pool, driver, model->driver_count);
	for (uint32_t k = 0; drivers && !snk_failed(status) && k < model->driver_count; k++) {
		drivers[k].name = snk_read_text(reader, &model->pool, &status);
		snk_read_numbers_into(reader, 9, drivers[k].axes, &status);
		snk_read_numbers_into(reader, JOINT_FEATURES, drivers[k].lowest, &status);
		snk_read_numbers_into(reader, JOINT_FEATURES, drivers[k].highest, &status);
		drivers[k].joint = drivers[k].name ? find_joint(skeleton, drivers[k].name) : skeleton->joint_count;
		if (!snk_failed(status) && drivers[k].joint == skeleton->joint_count) {
			status = SNW_ERROR_DATA;
		}
	}
	model->drivers = drivers;
	return drivers ? status : SNW_ERROR_MEMORY;
}

static snw_status read_rows(snw_reader *reader, snw_model *model) {
	snw_status status = SNW_OK;
	const uint32_t count = snw_read_count(reader, sizeof(uint32_t)), width = JOINT_FEATURES * model->driver_count + 1;
	uint32_t *offsets = snk_read_offsets(reader, &model->pool, count, &status);
	const size_t entries = offsets ? offsets[count] : 0;
	uint32_t *columns = snk_read_indices(reader, &model->pool, entries, width, &status);
	double *values = snk_read_numbers(reader, &model->pool, entries, &status);
	model->rows =
		(snw_sparse_rows){.row_count = count, .column_count = width, .offsets = offsets, .columns = columns, .values = values};
	return status;
}

static int rises_within(const uint64_t *offsets, uint32_t count, const uint32_t *points) {
	for (uint32_t k = 0; k < count; k++) {
		for (uint64_t n = offsets[k] + 1; n < offsets[k + 1]; n++) {
			if (points[n] <= points[n - 1]) {
				return 0;
			}
		}
	}
	return 1;
}

static snw_status read_mesh(snw_reader *reader, uint32_t point_count, snw_model *model, snw_displacements *list) {
	snw_status status = snw_read_u32(reader) == point_count && !reader->failed ? SNW_OK : SNW_ERROR_DATA;
	const uint32_t count = snw_read_count(reader, 3 * sizeof(uint32_t));
	uint32_t *coefficients = snk_read_indices(reader, &model->pool, count, model->rows.row_count, &status);
	const uint64_t *offsets = snk_read_displacement_offsets(reader, &model->pool, count, &status);
	const size_t total = offsets ? offsets[count] : 0;
	uint32_t *points = snk_read_indices(reader, &model->pool, total, point_count, &status);
	double *vectors = snk_read_numbers(reader, &model->pool, 3 * total, &status);
	const char **names = (const char **)snw_pool_acquire(&model->pool, count, sizeof *names);
	for (uint32_t k = 0; names && !snk_failed(status) && k < count; k++) {
		names[k] = snk_read_text(reader, &model->pool, &status);
	}
	if (!snk_failed(status)) {
		status = !names ? SNW_ERROR_MEMORY : rises_within(offsets, count, points) ? SNW_OK : SNW_ERROR_DATA;
	}
	*list = (snw_displacements){.size = sizeof *list,
								.count = count,
								.coefficients = coefficients,
								.offsets = offsets,
								.points = points,
								.vectors = vectors,
								.names = names};
	return status;
}

static snw_status read_meshes(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	model->mesh_count = snw_read_u32(reader);
	if (reader->failed || model->mesh_count != character->mesh_count) {
		return SNW_ERROR_DATA;
	}
	uint32_t *counts = SNW_POOL_ARRAY(&model->pool, uint32_t, model->mesh_count);
	snw_displacements *lists = SNW_POOL_ARRAY(&model->pool, snw_displacements, model->mesh_count);
	snw_status status = model->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < model->mesh_count; m++) {
		counts[m] = character->meshes[m]->point_count;
		status = read_mesh(reader, counts[m], model, &lists[m]);
	}
	model->point_counts = counts;
	model->meshes = lists;
	return status;
}

static snw_status read_model(snw_reader *reader, const snw_character_view *character, snw_model *model) {
	model->joint_count = character->skeleton->joint_count;
	model->kind = snw_read_u32(reader);
	if (reader->failed || model->kind >= FEATURE_KINDS) {
		return SNW_ERROR_DATA;
	}
	snw_status status = read_drivers(reader, character->skeleton, model);
	status = snk_failed(status) ? status : read_rows(reader, model);
	return snk_failed(status) ? status : read_meshes(reader, character, model);
}

snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(call, mark, REVISION, sizeof(snw_model), read_model, model);
}

/* ---- as JSON ------------------------------------------------------------------------------------------------------------- */

/* The regression as JSON, for engines that evaluate it live. docs/pose-space.md defines the format. */

static const char *const kinds[FEATURE_KINDS] = {"matrices", "vectors"};

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

snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
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
