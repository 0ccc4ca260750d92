/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/job/encoding.h"

void snw_record_put_u32(FILE *out, uint32_t value) {
	fwrite(&value, sizeof value, 1, out);
}

void snw_record_put_u64(FILE *out, uint64_t value) {
	fwrite(&value, sizeof value, 1, out);
}

void snw_record_put_f64(FILE *out, double value) {
	fwrite(&value, sizeof value, 1, out);
}

void snw_record_put_text(FILE *out, const char *text) {
	const size_t length = text ? strlen(text) : 0;
	const bool fits = length < UINT32_MAX;
	snw_record_put_u32(out, text && fits ? (uint32_t)length : UINT32_MAX);
	fwrite(text ? text : "", 1, fits ? length : 0, out);
}

void snw_record_put_bytes(FILE *out, const void *bytes, size_t count) {
	snw_record_put_u64(out, count);
	if (count > 0) {
		fwrite(bytes, 1, count, out);
	}
}

void snw_record_put_u32s(FILE *out, const uint32_t *values, size_t count) {
	if (count > 0) {
		fwrite(values, sizeof *values, count, out);
	}
}

void snw_record_put_f64s(FILE *out, const double *values, size_t count) {
	if (count > 0) {
		fwrite(values, sizeof *values, count, out);
	}
}

uint64_t snw_record_get_u64(snw_reader *reader) {
	uint64_t value;
	snw_read(reader, &value, sizeof value);
	return value;
}

char *snw_record_get_text(snw_reader *reader, snw_arena *arena) {
	const uint32_t length = snw_read_u32(reader);
	if (reader->failed || length == UINT32_MAX) {
		return NULL;
	}
	if (length > reader->count) {
		reader->failed = 1;
		return NULL;
	}
	char *text = snw_arena_acquire(arena, (size_t)length + 1);
	snw_read(reader, text, length);
	return text;
}

unsigned char *snw_record_get_bytes(snw_reader *reader, snw_arena *arena, size_t *count) {
	const uint64_t stored = snw_record_get_u64(reader);
	*count = 0;
	if (reader->failed || stored > reader->count) {
		reader->failed = 1;
		return NULL;
	}
	*count = (size_t)stored;
	unsigned char *bytes = snw_arena_acquire(arena, *count);
	snw_read(reader, bytes, *count);
	return bytes;
}

static void *get_array(snw_reader *reader, snw_arena *arena, size_t count, size_t item_bytes) {
	if (reader->failed || count > reader->count / item_bytes) {
		reader->failed = 1;
		return NULL;
	}
	void *values = snw_arena_array(arena, count, item_bytes);
	snw_read(reader, values, count * item_bytes);
	return values;
}

uint32_t *snw_record_get_u32s(snw_reader *reader, snw_arena *arena, size_t count) {
	return get_array(reader, arena, count, sizeof(uint32_t));
}

double *snw_record_get_f64s(snw_reader *reader, snw_arena *arena, size_t count) {
	return get_array(reader, arena, count, sizeof(double));
}
