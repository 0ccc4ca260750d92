/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Binary FBX files for tests, with the nodes of a text file.
 */
#ifndef SINEW_TESTS_FBX_BINARY_H
#define SINEW_TESTS_FBX_BINARY_H

#include <zlib.h>

#include "check.h"
#include "import/fbx/fbx_internal.h"

typedef struct fbx_binary {
	FILE *stream;
	uint32_t version;
	bool deflates;
	snw_fbx *f;
} fbx_binary;

static inline void fbx_binary_number(fbx_binary *b, uint64_t number, unsigned bytes) {
	for (unsigned i = 0; i < bytes; i++) {
		fputc((int)(number >> 8 * i & 0xff), b->stream);
	}
}

/* "Model::arm" becomes "arm\0\1Model". */
static inline void fbx_binary_text(fbx_binary *b, snw_bytes text) {
	const char *data = (const char *)text.data, *separator = memmem(data, text.count, "::", 2);
	const size_t class_count = separator ? (size_t)(separator - data) : 0;
	fputc('S', b->stream);
	fbx_binary_number(b, text.count, 4);
	if (!separator) {
		fwrite(data, 1, text.count, b->stream);
		return;
	}
	fwrite(separator + 2, 1, text.count - class_count - 2, b->stream);
	fwrite("\0\1", 1, 2, b->stream);
	fwrite(data, 1, class_count, b->stream);
}

static inline void fbx_binary_array(fbx_binary *b, const snw_fbx_node *node) {
	snw_arena *arena = snw_arena_create();
	uint32_t count;
	const double *numbers = snw_fbx_numbers(b->f, node, arena, &count);
	const bool are_times = snw_fbx_is(node, "KeyTime"), are_bits = snw_fbx_is(node, "KeyAttrDataFloat");
	const bool are_integers = are_bits || snw_fbx_is(node, "PolygonVertexIndex") || snw_fbx_is(node, "Indexes") ||
							  snw_fbx_is(node, "KeyAttrFlags") || snw_fbx_is(node, "KeyAttrRefCount");
	const size_t step = are_integers ? 4 : 8;
	unsigned char *bytes = SNW_NEW_ARRAY(arena, unsigned char, step *count + 1);
	for (uint32_t i = 0; i < count; i++) {
		const int64_t integer = (int64_t)numbers[i];
		memcpy(bytes + step * i, are_times || are_integers ? (const void *)&integer : (const void *)&numbers[i], step);
	}
	uLongf packed = compressBound(step * count);
	unsigned char *deflated = SNW_NEW_ARRAY(arena, unsigned char, packed);
	assert_int_equal(compress(deflated, &packed, bytes, step * count), Z_OK);
	fputc(are_times ? 'l' : are_bits ? 'f' : are_integers ? 'i' : 'd', b->stream);
	fbx_binary_number(b, count, 4);
	fbx_binary_number(b, b->deflates, 4);
	fbx_binary_number(b, b->deflates ? packed : step * count, 4);
	fwrite(b->deflates ? deflated : bytes, 1, b->deflates ? packed : step * count, b->stream);
	snw_arena_destroy(arena);
}

static inline void fbx_binary_value(fbx_binary *b, const snw_fbx_node *node, const snw_fbx_value *value) {
	uint64_t bits;
	memcpy(&bits, &value->number, sizeof bits);
	switch (value->kind) {
	case SNW_FBX_INTEGER:
		fputc('L', b->stream);
		fbx_binary_number(b, (uint64_t)value->integer, 8);
		break;
	case SNW_FBX_NUMBER:
		fputc('D', b->stream);
		fbx_binary_number(b, bits, 8);
		break;
	case SNW_FBX_TEXT:
		fbx_binary_text(b, value->bytes);
		break;
	default:
		fbx_binary_array(b, node);
	}
}

static inline void fbx_binary_node(fbx_binary *b, const snw_fbx_node *node) {
	const unsigned width = b->version >= 7500 ? 8 : 4;
	const long head = ftell(b->stream);
	fbx_binary_number(b, 0, width);
	fbx_binary_number(b, node->value_count, width);
	fbx_binary_number(b, 0, width);
	fputc((int)node->name_length, b->stream);
	fwrite(node->name, 1, node->name_length, b->stream);
	const long values = ftell(b->stream);
	for (uint32_t i = 0; i < node->value_count; i++) {
		fbx_binary_value(b, node, &node->values[i]);
	}
	const long children = ftell(b->stream);
	for (const snw_fbx_node *child = node->child; child; child = child->next) {
		fbx_binary_node(b, child);
	}
	if (node->child) {
		fbx_binary_number(b, 0, 8);
		fbx_binary_number(b, 0, 3 * width + 1 - 8);
	}
	const long end = ftell(b->stream);
	fseek(b->stream, head, SEEK_SET);
	fbx_binary_number(b, (uint64_t)end, width);
	fseek(b->stream, head + 2 * (long)width, SEEK_SET);
	fbx_binary_number(b, (uint64_t)(children - values), width);
	fseek(b->stream, end, SEEK_SET);
}

/* Writes the nodes of a text file as a binary one of a version. */
static inline void fbx_binary_write(const char *text, const char *path, uint32_t version, bool deflates) {
	snw_error error = {0};
	snw_fbx f = {.reading = {.path = text, .scratch = snw_arena_create(), .error = &error}};
	fbx_binary b = {.stream = fopen(path, "w+b"), .version = version, .deflates = deflates, .f = &f};
	assert_non_null(b.stream);
	if (!snw_fbx_open(&f)) {
		fail_msg("%s", error.text);
	}
	fwrite("Kaydara FBX Binary  \0\x1a\0", 1, 23, b.stream);
	fbx_binary_number(&b, version, 4);
	for (const snw_fbx_node *node = f.root.child; node; node = node->next) {
		fbx_binary_node(&b, node);
	}
	static const char footer[176];
	fwrite(footer, 1, sizeof footer, b.stream);
	fclose(b.stream);
	snw_reading_end(&f.reading);
}

#endif
