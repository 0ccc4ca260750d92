/* SPDX-License-Identifier: MIT */
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/model.h"
#include "sinew/kit/status.h"

#include <math.h>
#include <string.h>

void snk_write_mark(snw_writer *writer, const char mark[SNK_MARK_BYTES], uint32_t revision) {
	snw_write(writer, mark, SNK_MARK_BYTES);
	snw_write_u32(writer, revision);
}

snw_status snk_read_mark(snw_reader *reader, const char mark[SNK_MARK_BYTES], uint32_t revision) {
	char found[SNK_MARK_BYTES];
	snw_read(reader, found, sizeof found);
	const uint32_t found_revision = snw_read_u32(reader);
	const int fits = !reader->failed && memcmp(found, mark, sizeof found) == 0 && found_revision == revision;
	return fits ? SNW_OK : SNW_ERROR_DATA;
}

void snk_write_text(snw_writer *writer, const char *text) {
	const uint32_t count = (uint32_t)strlen(text);
	snw_write_u32(writer, count);
	snw_write(writer, text, count);
}

snw_status snk_load_model(const snw_load_call *call, const char mark[SNK_MARK_BYTES], uint32_t revision, size_t model_bytes,
						  snk_model_reader *read, snw_model **model) {
	snw_reader reader = snw_read_sealed(call->bytes, call->count);
	snw_model *made = snk_model_open(call->host, model_bytes);
	snw_status status = made ? snk_read_mark(&reader, mark, revision) : SNW_ERROR_MEMORY;
	status = snk_failed(status) ? status : read(&reader, call->character, made);
	if (!snk_failed(status) && (reader.failed || reader.count != 0)) {
		status = SNW_ERROR_DATA;
	}
	return snk_model_finish(status, made, model);
}

void *snk_read_array(snw_reader *reader, snw_pool *pool, size_t count, size_t element_bytes, snw_status *status) {
	if (snk_failed(*status)) {
		return NULL;
	}
	if (reader->failed || count > reader->count / element_bytes) {
		reader->failed = 1;
		*status = SNW_ERROR_DATA;
		return NULL;
	}
	void *array = snw_pool_acquire(pool, count, element_bytes);
	if (array) {
		snw_read(reader, array, count * element_bytes);
	} else {
		*status = SNW_ERROR_MEMORY;
	}
	return array;
}

int snk_all_finite(size_t count, const double *numbers) {
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(numbers[i])) {
			return 0;
		}
	}
	return 1;
}

void snk_read_numbers_into(snw_reader *reader, size_t count, double *dest, snw_status *status) {
	snw_read(reader, dest, count * sizeof *dest);
	if (!snk_failed(*status) && (reader->failed || !snk_all_finite(count, dest))) {
		*status = SNW_ERROR_DATA;
	}
}

double *snk_read_numbers(snw_reader *reader, snw_pool *pool, size_t count, snw_status *status) {
	double *numbers = (double *)snk_read_array(reader, pool, count, sizeof *numbers, status);
	if (numbers && !snk_all_finite(count, numbers)) {
		*status = SNW_ERROR_DATA;
		return NULL;
	}
	return numbers;
}

uint32_t *snk_read_indices(snw_reader *reader, snw_pool *pool, size_t count, uint32_t limit, snw_status *status) {
	uint32_t *indices = (uint32_t *)snk_read_array(reader, pool, count, sizeof *indices, status);
	for (size_t i = 0; indices && i < count; i++) {
		if (indices[i] >= limit) {
			*status = SNW_ERROR_DATA;
			return NULL;
		}
	}
	return indices;
}

uint32_t *snk_read_offsets(snw_reader *reader, snw_pool *pool, uint32_t count, snw_status *status) {
	uint32_t *offsets = (uint32_t *)snk_read_array(reader, pool, (size_t)count + 1, sizeof *offsets, status);
	int good = offsets && offsets[0] == 0;
	for (uint32_t i = 0; good && i < count; i++) {
		good = offsets[i] <= offsets[i + 1];
	}
	if (offsets && !good) {
		*status = SNW_ERROR_DATA;
	}
	return good ? offsets : NULL;
}

void snk_write_displacement_offsets(snw_writer *writer, uint32_t count, const uint64_t *offsets) {
	for (uint32_t k = 0; k <= count; k++) {
		snw_write_u32(writer, (uint32_t)offsets[k]);
	}
}

uint64_t *snk_read_displacement_offsets(snw_reader *reader, snw_pool *pool, uint32_t count, snw_status *status) {
	const uint32_t *saved = snk_read_offsets(reader, pool, count, status);
	uint64_t *offsets = saved ? SNW_POOL_ARRAY(pool, uint64_t, (size_t)count + 1) : NULL;
	for (uint32_t k = 0; offsets && k <= count; k++) {
		offsets[k] = saved[k];
	}
	if (saved && !offsets) {
		*status = SNW_ERROR_MEMORY;
	}
	return offsets;
}

char *snk_read_text(snw_reader *reader, snw_pool *pool, snw_status *status) {
	if (snk_failed(*status)) {
		return NULL;
	}
	const uint32_t count = snw_read_count(reader, 1);
	char *text = reader->failed ? NULL : (char *)snw_pool_acquire(pool, (size_t)count + 1, 1);
	if (!text) {
		*status = reader->failed ? SNW_ERROR_DATA : SNW_ERROR_MEMORY;
		return NULL;
	}
	snw_read(reader, text, count);
	if (memchr(text, 0, count)) {
		*status = SNW_ERROR_DATA;
		return NULL;
	}
	return text;
}
