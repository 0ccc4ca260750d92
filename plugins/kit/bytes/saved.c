/* SPDX-License-Identifier: MIT */
#include "sinew/kit/bytes/saved.h"

#include <math.h>
#include <string.h>

#include "sinew/kit/fit/fit.h"
#include "sinew/kit/status.h"

/* ---- whole models -------------------------------------------------------------------------------------------------------- */

snw_status snk_save_model(const snk_model_format *format, const snw_model *model, const snw_sink *sink) {
	snk_bytes bytes = {.writer = {.sink = sink}};
	snw_write(&bytes.writer, format->mark, SNK_MARK_BYTES);
	snw_write_u32(&bytes.writer, format->revision);
	bytes.status = bytes.writer.status;
	format->bytes(&bytes, (snw_model *)model); /* a save only reads it */
	snw_write_seal(&bytes.writer);
	return snk_failed(bytes.status) ? bytes.status : bytes.writer.status;
}

static int has_mark(const snk_model_format *format, snw_reader *reader) {
	char mark[SNK_MARK_BYTES];
	snw_read(reader, mark, sizeof mark);
	const uint32_t revision = snw_read_u32(reader);
	return memcmp(mark, format->mark, sizeof mark) == 0 && revision == format->revision;
}

snw_status snk_load_model(const snk_model_format *format, const snw_load_call *call, snw_model **model) {
	snw_model *made = snk_model_open(call->host, format->model_bytes);
	snk_bytes bytes = {.is_load = 1,
					   .character = call->character,
					   .pool = (snw_pool *)made,
					   .status = made ? SNW_OK : SNW_ERROR_MEMORY,
					   .reader = snw_read_sealed(call->bytes, call->count)};
	if (made && snk_bytes_need(&bytes, has_mark(format, &bytes.reader))) {
		format->bytes(&bytes, made);
	}
	snk_bytes_need(&bytes, bytes.reader.count == 0);
	return snk_model_finish(bytes.status, made, model);
}

/* ---- checks -------------------------------------------------------------------------------------------------------------- */

int snk_bytes_need(snk_bytes *bytes, int sound) {
	if (bytes->is_load && !snk_failed(bytes->status) && (!sound || bytes->reader.failed)) {
		bytes->status = SNW_ERROR_DATA;
	}
	return !snk_failed(bytes->status);
}

void snk_bytes_same(snk_bytes *bytes, uint32_t value) {
	uint32_t found = value;
	snk_bytes_u32(bytes, &found);
	snk_bytes_need(bytes, found == value);
}

void snk_bytes_mesh_count(snk_bytes *bytes, uint32_t *mesh_count) {
	if (bytes->is_load) {
		*mesh_count = bytes->character->mesh_count;
	}
	snk_bytes_same(bytes, *mesh_count);
}

void snk_bytes_point_count(snk_bytes *bytes, uint32_t mesh, uint32_t *point_count) {
	if (bytes->is_load) {
		*point_count = bytes->character->meshes[mesh]->point_count;
	}
	snk_bytes_same(bytes, *point_count);
}

/* ---- single numbers ------------------------------------------------------------------------------------------------------ */

void snk_bytes_raw(snk_bytes *bytes, size_t count, void *values) {
	if (snk_failed(bytes->status)) {
		return;
	}
	if (bytes->is_load) {
		snw_read(&bytes->reader, values, count);
		snk_bytes_need(bytes, 1);
	} else {
		snw_write(&bytes->writer, values, count);
		bytes->status = bytes->writer.status;
	}
}

void snk_bytes_u32(snk_bytes *bytes, uint32_t *value) {
	snk_bytes_raw(bytes, sizeof *value, value);
}

void snk_bytes_index(snk_bytes *bytes, uint32_t limit, uint32_t *value) {
	snk_bytes_u32(bytes, value);
	snk_bytes_need(bytes, *value < limit);
}

void snk_bytes_count(snk_bytes *bytes, size_t element_bytes, uint32_t *count) {
	snk_bytes_u32(bytes, count);
	if (bytes->is_load && !snk_bytes_need(bytes, *count <= bytes->reader.count / element_bytes)) {
		*count = 0;
	}
}

static int are_finite(size_t count, const double *numbers) {
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(numbers[i])) {
			return 0;
		}
	}
	return 1;
}

void snk_bytes_f64(snk_bytes *bytes, size_t count, double *values) {
	snk_bytes_raw(bytes, count * sizeof *values, values);
	snk_bytes_need(bytes, snk_failed(bytes->status) || are_finite(count, values));
}

/* ---- arrays of a load's pool --------------------------------------------------------------------------------------------- */

void *snk_bytes_acquire(snk_bytes *bytes, size_t count, size_t element_bytes) {
	void *array = snk_failed(bytes->status) ? NULL : snw_pool_acquire(bytes->pool, count, element_bytes);
	if (!snk_failed(bytes->status) && !array) {
		bytes->status = SNW_ERROR_MEMORY;
	}
	return array;
}

/* An array that is there, in a save; else one that is read, or NULL. */
static void *pass_array(snk_bytes *bytes, size_t count, size_t element_bytes, const void *saved) {
	void *array = (void *)saved;
	if (bytes->is_load) {
		snk_bytes_need(bytes, count <= bytes->reader.count / element_bytes);
		array = snk_bytes_acquire(bytes, count, element_bytes);
	}
	if (array) {
		snk_bytes_raw(bytes, count * element_bytes, array);
	}
	return array;
}

void snk_bytes_numbers(snk_bytes *bytes, size_t count, const double **numbers) {
	double *array = (double *)pass_array(bytes, count, sizeof *array, *numbers);
	if (bytes->is_load) {
		*numbers = snk_bytes_need(bytes, array && are_finite(count, array)) ? array : NULL;
	}
}

void snk_bytes_indices(snk_bytes *bytes, size_t count, uint32_t limit, const uint32_t **indices) {
	uint32_t *array = (uint32_t *)pass_array(bytes, count, sizeof *array, *indices);
	if (bytes->is_load) {
		for (size_t i = 0; array && i < count; i++) {
			snk_bytes_need(bytes, array[i] < limit);
		}
		*indices = snk_failed(bytes->status) ? NULL : array;
	}
}

void snk_bytes_offsets(snk_bytes *bytes, uint32_t count, const uint32_t **offsets) {
	uint32_t *array = (uint32_t *)pass_array(bytes, (size_t)count + 1, sizeof *array, *offsets);
	if (bytes->is_load) {
		snk_bytes_need(bytes, array && array[0] == 0);
		for (uint32_t i = 0; array && i < count; i++) {
			snk_bytes_need(bytes, array[i] <= array[i + 1]);
		}
		*offsets = snk_failed(bytes->status) ? NULL : array;
	}
}

size_t snk_bytes_total(const snk_bytes *bytes, uint32_t count, const uint32_t *offsets) {
	return snk_failed(bytes->status) || !offsets ? 0 : offsets[count];
}

void snk_bytes_influences(snk_bytes *bytes, uint32_t point_count, uint32_t slot_count, size_t width, const uint32_t **offsets,
						  const uint32_t **slots, const double **numbers) {
	uint32_t has_skin = *offsets != NULL;
	snk_bytes_index(bytes, 2, &has_skin);
	if (!snk_failed(bytes->status) && has_skin) {
		snk_bytes_offsets(bytes, point_count, offsets);
		const size_t count = snk_bytes_total(bytes, point_count, *offsets);
		snk_bytes_indices(bytes, count, slot_count, slots);
		snk_bytes_numbers(bytes, width * count, numbers);
	}
}

static int rows_rise(const snw_sparse_rows *rows) {
	for (uint32_t r = 0; r < rows->row_count; r++) {
		for (uint32_t k = rows->offsets[r] + 1; k < rows->offsets[r + 1]; k++) {
			if (rows->columns[k] <= rows->columns[k - 1]) {
				return 0;
			}
		}
	}
	return 1;
}

void snk_bytes_rows(snk_bytes *bytes, snw_sparse_rows *rows) {
	snk_bytes_offsets(bytes, rows->row_count, &rows->offsets);
	const size_t count = snk_bytes_total(bytes, rows->row_count, rows->offsets);
	snk_bytes_indices(bytes, count, rows->column_count, &rows->columns);
	snk_bytes_numbers(bytes, count, &rows->values);
	snk_bytes_need(bytes, snk_failed(bytes->status) || rows_rise(rows));
}

static void pass_wide_offsets(snk_bytes *bytes, uint32_t count, const uint64_t **offsets) {
	if (bytes->is_load) {
		const uint32_t *saved = NULL;
		snk_bytes_offsets(bytes, count, &saved);
		uint64_t *wide = (uint64_t *)snk_bytes_acquire(bytes, (size_t)count + 1, sizeof *wide);
		for (uint32_t k = 0; wide && k <= count; k++) {
			wide[k] = saved[k];
		}
		*offsets = wide;
		return;
	}
	for (uint32_t k = 0; k <= count; k++) {
		uint32_t saved = (uint32_t)(*offsets)[k];
		snk_bytes_u32(bytes, &saved);
	}
}

static int points_rise(const snw_displacements *list) {
	for (uint32_t k = 0; k < list->count; k++) {
		for (uint64_t n = list->offsets[k] + 1; n < list->offsets[k + 1]; n++) {
			if (list->points[n] <= list->points[n - 1]) {
				return 0;
			}
		}
	}
	return 1;
}

void snk_bytes_displacements(snk_bytes *bytes, uint32_t coefficient_count, uint32_t point_count, snw_displacements *list) {
	if (bytes->is_load) {
		list->size = sizeof *list;
	}
	snk_bytes_count(bytes, 2 * sizeof(uint32_t), &list->count);
	snk_bytes_indices(bytes, list->count, coefficient_count, &list->coefficients);
	pass_wide_offsets(bytes, list->count, &list->offsets);
	const size_t points = snk_failed(bytes->status) ? 0 : (size_t)list->offsets[list->count];
	snk_bytes_indices(bytes, points, point_count, &list->points);
	snk_bytes_numbers(bytes, 3 * points, &list->vectors);
	snk_bytes_need(bytes, snk_failed(bytes->status) || points_rise(list));
}

void snk_bytes_text(snk_bytes *bytes, const char **text) {
	uint32_t count = bytes->is_load ? 0 : (uint32_t)strlen(*text);
	snk_bytes_count(bytes, 1, &count);
	char *array = bytes->is_load ? (char *)snk_bytes_acquire(bytes, (size_t)count + 1, 1) : (char *)*text;
	if (array) {
		snk_bytes_raw(bytes, count, array);
	}
	if (bytes->is_load) {
		*text = snk_bytes_need(bytes, array && !memchr(array, 0, count)) ? array : NULL;
	}
}

void snk_bytes_joint(snk_bytes *bytes, const char **name, uint32_t *joint) {
	snk_bytes_text(bytes, name);
	if (!bytes->is_load || snk_failed(bytes->status)) {
		return;
	}
	const snw_skeleton_view *skeleton = bytes->character->skeleton;
	for (*joint = 0; *joint < skeleton->joint_count && strcmp(skeleton->names[*joint], *name) != 0; ++*joint) {
	}
	snk_bytes_need(bytes, *joint < skeleton->joint_count);
}
