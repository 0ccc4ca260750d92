/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/copy_tables.h"

#include <string.h>

enum { LARGEST_STRUCT = 64 * 1024, LARGEST_TABLE = 100 * 1000 };

static uint32_t smaller(size_t a, size_t b) {
	return (uint32_t)(a < b ? a : b);
}

/* An array of structs whose stride is the size that its first element tells. */
static void *adopt_table(const void *rows, uint32_t count, size_t row_bytes, snw_arena *arena, const char **reason) {
	if (count == 0 || !rows) {
		return NULL;
	}
	uint32_t stride;
	memcpy(&stride, rows, sizeof stride);
	if (stride < 2 * sizeof stride || stride > LARGEST_STRUCT || stride % _Alignof(void *) != 0 || count > LARGEST_TABLE) {
		*reason = "the rows of its parameter or field table have an impossible size";
		return NULL;
	}
	unsigned char *copy = snw_arena_array(arena, count, row_bytes);
	for (uint32_t i = 0; i < count; i++) {
		memcpy(copy + i * row_bytes, (const unsigned char *)rows + (size_t)i * stride, smaller(stride, row_bytes));
	}
	return copy;
}

const snw_deformer *snw_deformer_adopt(const snw_deformer *foreign, snw_arena *arena, const char **reason) {
	*reason = NULL;
	if (foreign->size < offsetof(snw_deformer, create) || foreign->size > LARGEST_STRUCT) {
		*reason = "its deformer struct has an impossible size";
		return NULL;
	}
	snw_deformer *deformer = SNW_NEW(arena, snw_deformer);
	memcpy(deformer, foreign, smaller(foreign->size, sizeof *deformer));
	const snw_descriptor *theirs = deformer->descriptor;
	if (!theirs) {
		*reason = "it has no descriptor";
		return NULL;
	}
	if (theirs->size < sizeof theirs->size || theirs->size > LARGEST_STRUCT) {
		*reason = "its descriptor has an impossible size";
		return NULL;
	}
	snw_descriptor *descriptor = SNW_NEW(arena, snw_descriptor);
	memcpy(descriptor, theirs, smaller(theirs->size, sizeof *descriptor));
	deformer->descriptor = descriptor;
	if (descriptor->parameters) {
		descriptor->parameters =
			adopt_table(descriptor->parameters, descriptor->parameter_count, sizeof(snw_parameter), arena, reason);
	}
	if (descriptor->fields) {
		descriptor->fields = adopt_table(descriptor->fields, descriptor->field_count, sizeof(snw_field_info), arena, reason);
	}
	return *reason ? NULL : deformer;
}
