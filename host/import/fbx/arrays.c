/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays of a document: from bytes, deflated bytes or text to the numbers that the reader wants.
 */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/numbers.h"
#include "import/fbx/document.h"

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
