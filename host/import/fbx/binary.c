/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads binary FBX: fbx/format.h has the form.
 */
#include <string.h>

#include "import/fbx/document.h"

static uint64_t read_little(const unsigned char *at, unsigned bytes) {
	uint64_t number = 0;
	for (unsigned i = 0; i < bytes; i++) {
		number |= (uint64_t)at[i] << 8 * i;
	}
	return number;
}

static bool fail_at(snw_fbx *f, const unsigned char *at, const char *what) {
	return snw_reading_fail(&f->reading, SNW_ERROR_DATA, "byte %zu: %s; the file is damaged or truncated: copy it again",
							(size_t)(at - f->file.data), what);
}

/* The same, for functions that return where something ends. */
static const unsigned char *no_end(snw_fbx *f, const unsigned char *at, const char *what) {
	(void)fail_at(f, at, what);
	return NULL;
}

/* ---- values -------------------------------------------------------------------------------------------------------------- */

static unsigned bytes_of_type(char type) {
	switch (type) {
	case 'C':
	case 'B':
	case 'Z':
	case 'b':
	case 'c':
		return 1;
	case 'Y':
		return 2;
	case 'I':
	case 'F':
	case 'i':
	case 'f':
		return 4;
	case 'L':
	case 'D':
	case 'l':
	case 'd':
		return 8;
	default:
		return 0;
	}
}

static void read_scalar(const unsigned char *at, char type, unsigned bytes, snw_fbx_value *value) {
	const uint64_t bits = read_little(at, bytes);
	value->type = type;
	value->kind = type == 'F' || type == 'D' ? SNW_FBX_NUMBER : SNW_FBX_INTEGER;
	if (type == 'F') {
		const uint32_t word = (uint32_t)bits;
		float number;
		memcpy(&number, &word, sizeof number);
		value->number = (double)number;
	} else if (type == 'D') {
		memcpy(&value->number, &bits, sizeof bits);
	} else {
		const unsigned unused = 64 - 8 * bytes;
		value->integer = (int64_t)(bits << unused) >> unused;
	}
}

/* Deflate packs at most 1032 bytes into one. */
#define MOST_PACKED 1032

/* An array: its number of elements, whether it is deflated, and its number of bytes in the file. */
static const unsigned char *read_array(snw_fbx *f, const unsigned char *at, const unsigned char *end, snw_fbx_value *value) {
	if (end - at < 12) {
		return no_end(f, at, "an array without its head");
	}
	const uint64_t count = read_little(at, 4), encoding = read_little(at + 4, 4), packed = read_little(at + 8, 4);
	const uint64_t unpacked = count * bytes_of_type(value->type), bytes = encoding == 1 ? packed : unpacked;
	if (encoding > 1 || bytes > (uint64_t)(end - at - 12)) {
		return no_end(f, at, "an array that is longer than its node");
	}
	if (encoding == 1 && unpacked / MOST_PACKED > packed) {
		return no_end(f, at, "an array with more elements than its bytes can hold");
	}
	value->kind = SNW_FBX_ARRAY;
	value->is_deflated = encoding == 1;
	value->count = (uint32_t)count;
	value->bytes = (snw_bytes){at + 12, (size_t)bytes};
	return at + 12 + bytes;
}

/* Reads one value; returns its end, NULL after a failure. */
static const unsigned char *read_value(snw_fbx *f, const unsigned char *at, const unsigned char *end, snw_fbx_value *value) {
	const char type = at < end ? (char)*at++ : '\0';
	const unsigned bytes = bytes_of_type(type);
	if (type == 'S' || type == 'R') {
		const uint64_t count = end - at < 4 ? UINT64_MAX : read_little(at, 4);
		if (count > (uint64_t)(end - at - 4)) {
			return no_end(f, at, "a text that is longer than its node");
		}
		value->kind = SNW_FBX_TEXT;
		value->bytes = (snw_bytes){at + 4, (size_t)count};
		return at + 4 + count;
	}
	if (bytes > 0 && type >= 'a') {
		value->type = type;
		return read_array(f, at, end, value);
	}
	if (bytes == 0 || (size_t)(end - at) < bytes) {
		return no_end(f, at, "a value of an unknown type");
	}
	read_scalar(at, type, bytes, value);
	return at + bytes;
}

static bool read_values(snw_fbx *f, const unsigned char *at, const unsigned char *end, uint64_t count, snw_fbx_node *node) {
	if (count > (uint64_t)(end - at)) {
		return fail_at(f, at, "a node with more values than bytes");
	}
	snw_fbx_value *values = snw_fbx_add_values(f, (uint32_t)count);
	for (uint64_t i = 0; values && i < count; i++) {
		at = read_value(f, at, end, &values[i]);
		if (!at) {
			return false;
		}
	}
	node->values = values;
	node->value_count = (uint32_t)count;
	return values || count == 0;
}

/* ---- records ------------------------------------------------------------------------------------------------------------- */

static const unsigned char *read_list(snw_fbx *f, const unsigned char *at, const unsigned char *end, unsigned depth,
									  snw_fbx_node *parent);

/* The numbers at the head of a record, and its name. All zero: the end of a list. */
typedef struct record {
	uint64_t end, value_count, value_bytes;
	const unsigned char *name, *values;
} record;

static bool read_record(snw_fbx *f, const unsigned char *at, const unsigned char *end, record *r) {
	const unsigned width = f->version >= SNW_FBX_WIDE_OFFSETS ? 8 : 4;
	if ((size_t)(end - at) < 3 * width + 1) {
		return fail_at(f, at, "ends within a node");
	}
	r->end = read_little(at, width);
	r->value_count = read_little(at + width, width);
	r->value_bytes = read_little(at + 2 * (size_t)width, width);
	r->name = at + 3 * (size_t)width + 1;
	r->values = r->name;
	if (r->end == 0) {
		return true;
	}
	r->values += r->name[-1];
	const uint64_t begin = (uint64_t)(r->name - f->file.data), most = (uint64_t)(end - f->file.data);
	if (r->end > most || r->end < begin) {
		return fail_at(f, at, "a node that ends outside of the one around it");
	}
	const uint64_t rest = r->end - begin;
	if (r->name[-1] > rest || r->value_bytes > rest - r->name[-1]) {
		return fail_at(f, at, "a node with more values than bytes");
	}
	return true;
}

static const unsigned char *read_node(snw_fbx *f, const record *r, unsigned depth, snw_fbx_node *node) {
	const unsigned char *children = r->values + r->value_bytes, *end = f->file.data + r->end;
	node->name = (const char *)r->name;
	node->name_length = (uint32_t)(r->values - r->name);
	if (!read_values(f, r->values, children, r->value_count, node)) {
		return NULL;
	}
	return children == end || read_list(f, children, end, depth + 1, node) ? end : NULL;
}

/* Reads nodes up to a record of zeros, or to `end`. Returns where they end, NULL after a failure. */
static const unsigned char *read_list(snw_fbx *f, const unsigned char *at, const unsigned char *end, unsigned depth,
									  snw_fbx_node *parent) {
	snw_fbx_node *last = NULL;
	if (depth > SNW_FBX_DEEPEST) {
		return no_end(f, at, "nodes that are nested too deeply");
	}
	while (at < end) {
		record r = {0};
		if (!read_record(f, at, end, &r)) {
			return NULL;
		}
		if (r.end == 0) {
			return r.values;
		}
		last = snw_fbx_add_node(f, parent, last);
		at = last ? read_node(f, &r, depth, last) : NULL;
		if (!at) {
			return NULL;
		}
	}
	return at;
}

bool snw_fbx_parse_binary(snw_fbx *f) {
	const unsigned char *data = f->file.data, *end = data + f->file.count;
	if (f->file.count < SNW_FBX_HEADER_BYTES) {
		return fail_at(f, end, "ends within its header");
	}
	if (data[SNW_FBX_ENDIAN_AT] != 0) {
		return snw_reading_fail(&f->reading, SNW_ERROR_UNSUPPORTED, "is a big-endian FBX file; export it again, or as .glb");
	}
	f->version = (uint32_t)read_little(data + SNW_FBX_VERSION_AT, 4);
	if (f->version / 1000 != 7) {
		return true; /* refused by its version */
	}
	const unsigned char *stop = read_list(f, data + SNW_FBX_HEADER_BYTES, end, 0, &f->root);
	/* The record of zeros is followed by a footer; a file without it was cut. */
	return stop && (stop < end || fail_at(f, stop, "ends without its footer"));
}
