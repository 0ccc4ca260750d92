/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads binary FBX: fbx/format.h has the form.
 */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/numbers.h"
#include "import/fbx/fbx_internal.h"

/* ---- binary -------------------------------------------------------------------------------------------------------------- */

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

/* ---- arrays -------------------------------------------------------------------------------------------------------------- */

/* Arrays of a document: from bytes, deflated bytes or text to the numbers that the reader wants. */

/* What an array is decoded to. */
typedef enum wanted { DOUBLES, INTEGERS, LONG_INTEGERS } wanted;

/* An array on the way from its form in the file. */
typedef struct decoding {
	snw_fbx *f;
	const snw_fbx_node *node;
	wanted wanted;
	void *dest;
} decoding;

static bool fail_array(const decoding *d, const char *what) {
	return snw_reading_fail(&d->f->reading, SNW_ERROR_DATA, "the array %.*s %s; the file is damaged: export it again",
							(int)(d->node->name_length < 60 ? d->node->name_length : 60), d->node->name, what);
}

static bool put_integer(const decoding *d, size_t index, int64_t value) {
	if (d->wanted == DOUBLES) {
		((double *)d->dest)[index] = (double)value;
	} else if (d->wanted == LONG_INTEGERS) {
		((int64_t *)d->dest)[index] = value;
	} else if (value >= INT32_MIN && value <= INT32_MAX) {
		((int32_t *)d->dest)[index] = (int32_t)value;
	} else {
		return fail_array(d, "has an integer that is too large");
	}
	return true;
}

static bool put_number(const decoding *d, size_t index, double value) {
	if (d->wanted == DOUBLES) {
		((double *)d->dest)[index] = value;
		return true;
	}
	return fabs(value) < 0x1p62 ? put_integer(d, index, (int64_t)value) : fail_array(d, "has a number that is no integer");
}

/* ---- numbers in bytes ---------------------------------------------------------------------------------------------------- */

static size_t element_bytes(char element) {
	return element == 'b' || element == 'c' ? 1 : element == 'i' || element == 'f' ? 4 : 8;
}

static bool put_element(const decoding *d, char element, const unsigned char *at, size_t index) {
	union {
		int32_t integer;
		int64_t long_integer;
		float number;
		double long_number;
	} bits;
	memcpy(&bits, at, element_bytes(element));
	switch (element) {
	case 'i':
		return put_integer(d, index, bits.integer);
	case 'l':
		return put_integer(d, index, bits.long_integer);
	case 'f':
		return put_number(d, index, (double)bits.number);
	case 'd':
		return put_number(d, index, bits.long_number);
	default:
		return put_integer(d, index, *at);
	}
}

static bool decode_bytes(const decoding *d, const snw_fbx_value *value) {
	const size_t step = element_bytes(value->type);
	for (size_t i = 0; i < value->count; i++) {
		if (!put_element(d, value->type, value->bytes.data + step * i, i)) {
			return false;
		}
	}
	return true;
}

/* Inflates piece by piece: what is packed is never whole in memory beside what it becomes. */
static bool decode_deflated(const decoding *d, const snw_fbx_value *value) {
	unsigned char piece[32768];
	const size_t step = element_bytes(value->type);
	size_t done = 0;
	z_stream stream = {.next_in = (unsigned char *)value->bytes.data, .avail_in = (unsigned)value->bytes.count};
	if (inflateInit(&stream) != Z_OK) {
		return fail_array(d, "cannot be unpacked");
	}
	int result = Z_OK;
	bool ok = true;
	while (ok && result == Z_OK && done < value->count) {
		stream.next_out = piece;
		stream.avail_out = sizeof piece; /* a multiple of every element's size */
		do {
			result = inflate(&stream, Z_NO_FLUSH);
		} while (result == Z_OK && stream.avail_out > 0 && stream.avail_in > 0);
		const size_t count = (sizeof piece - stream.avail_out) / step;
		for (size_t i = 0; ok && i < count && done < value->count; i++) {
			ok = put_element(d, value->type, piece + step * i, done++);
		}
		result = count == 0 && result == Z_OK ? Z_BUF_ERROR : result;
	}
	inflateEnd(&stream);
	return ok && (done == value->count || fail_array(d, "has fewer elements than it says"));
}

/* ---- numbers in text ----------------------------------------------------------------------------------------------------- */

static const char *skip_separators(const char *at, const char *end) {
	while (at < end && (*at == ',' || *at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
		at++;
	}
	return at;
}

/* An integer of up to 18 digits; its end, or NULL if the number is no such integer. */
static const char *read_integer(const char *at, int64_t *value) {
	const bool negative = *at == '-';
	const char *digits = at + negative;
	int64_t number = 0;
	for (at = digits; *at >= '0' && *at <= '9'; at++) {
		number = at - digits < 18 ? 10 * number + (*at - '0') : number;
	}
	*value = negative ? -number : number;
	return at > digits && at - digits <= 18 && *at != '.' && *at != 'e' && *at != 'E' ? at : NULL;
}

/* "nan" and the like, which some writers leave in arrays. */
static const char *skip_word(const char *at, const char *end) {
	while (at < end && skip_separators(at, end) == at) {
		at++;
	}
	return at;
}

static bool decode_text(const decoding *d, const snw_fbx_value *value) {
	const char *at = (const char *)value->bytes.data, *end = at + value->bytes.count;
	for (size_t i = 0; i < value->count; i++) {
		int64_t integer;
		double number = NAN;
		at = skip_separators(at, end);
		if (at == end) {
			return fail_array(d, "has fewer elements than it says");
		}
		const char *after = read_integer(at, &integer);
		bool ok;
		if (after) {
			ok = put_integer(d, i, integer);
		} else {
			after = snw_read_number(at, &number);
			ok = put_number(d, i, number);
		}
		if (!ok) {
			return false;
		}
		at = skip_word(after ? after : at, end);
	}
	return true;
}

/* ---- any form ------------------------------------------------------------------------------------------------------------ */

/* Values that are no array: each is an element. */
static bool decode_values(const decoding *d) {
	for (uint32_t i = 0; i < d->node->value_count; i++) {
		const snw_fbx_value *value = &d->node->values[i];
		if (value->kind != SNW_FBX_INTEGER && value->kind != SNW_FBX_NUMBER) {
			return fail_array(d, "has a value that is no number");
		}
		if (!(value->kind == SNW_FBX_INTEGER ? put_integer(d, i, value->integer) : put_number(d, i, value->number))) {
			return false;
		}
	}
	return true;
}

static void *decode(snw_fbx *f, const snw_fbx_node *node, wanted what, snw_arena *arena, uint32_t *count) {
	const size_t bytes = what == INTEGERS ? sizeof(int32_t) : sizeof(int64_t);
	const bool is_array = node && node->value_count > 0 && node->values[0].kind == SNW_FBX_ARRAY;
	*count = is_array ? node->values[0].count : node ? node->value_count : 0;
	if (!snw_reading_reserve(&f->reading, *count, bytes)) {
		return NULL;
	}
	const decoding d = {.f = f, .node = node, .wanted = what, .dest = snw_arena_array(arena, (size_t)*count + 1, bytes)};
	if (*count == 0) {
		return d.dest;
	}
	const snw_fbx_value *value = &node->values[0];
	const bool ok = !is_array            ? decode_values(&d)
					: value->is_deflated ? decode_deflated(&d, value)
					: value->type == 't' ? decode_text(&d, value)
										 : decode_bytes(&d, value);
	return ok ? d.dest : NULL;
}

double *snw_fbx_numbers(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, uint32_t *count) {
	return decode(f, node, DOUBLES, arena, count);
}

int32_t *snw_fbx_integers(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, uint32_t *count) {
	return decode(f, node, INTEGERS, arena, count);
}

int64_t *snw_fbx_long_integers(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, uint32_t *count) {
	return decode(f, node, LONG_INTEGERS, arena, count);
}
