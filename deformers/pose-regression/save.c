/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as bytes and back: a mark, the drivers by name, the rows of the coefficients, the displacements of each mesh, a seal.
 */
#include <string.h>

#include "pose-regression/pose-regression.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/status.h"

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
