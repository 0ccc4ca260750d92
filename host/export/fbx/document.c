/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "export/fbx/writer.h"

/* ---- values -------------------------------------------------------------------------------------------------------------- */

static snw_fbx_open add_node(snw_fbx_document *d, snw_fbx_open *parent, const char *name, uint32_t value_count,
							 snw_fbx_value **values) {
	snw_fbx_node *node = SNW_NEW(d->arena, snw_fbx_node);
	*values = SNW_NEW_ARRAY(d->arena, snw_fbx_value, value_count);
	node->name = name;
	node->name_length = (uint32_t)strlen(name);
	node->value_count = value_count;
	node->values = *values;
	*(parent->last ? &parent->last->next : &parent->node->child) = node;
	parent->last = node;
	return (snw_fbx_open){.node = node};
}

static snw_fbx_value integer_value(char type, int64_t integer) {
	return (snw_fbx_value){.kind = SNW_FBX_INTEGER, .type = type, .integer = integer};
}

static snw_fbx_value number_value(double number) {
	return (snw_fbx_value){.kind = SNW_FBX_NUMBER, .type = 'D', .number = number};
}

static snw_fbx_value bytes_value(char type, const void *bytes, size_t count) {
	return (snw_fbx_value){.kind = SNW_FBX_TEXT, .type = type, .bytes = {bytes, count}};
}

/* Names come from any file: bytes that are not UTF-8 would make the document unreadable. */
static snw_fbx_value text_value(snw_fbx_document *d, const char *text) {
	char *clean = snw_arena_text(d->arena, text);
	(void)snw_text_clean(clean, '?');
	return bytes_value('S', clean, strlen(clean));
}

/* "arm", then a zero and a one, then "Model". */
static snw_fbx_value class_value(snw_fbx_document *d, const char *name, const char *class) {
	const snw_fbx_value text = text_value(d, name);
	const size_t class_length = strlen(class), count = text.bytes.count + 2 + class_length;
	char *bytes = SNW_NEW_ARRAY(d->arena, char, count + 1);
	memcpy(bytes, text.bytes.data, text.bytes.count);
	bytes[text.bytes.count + 1] = '\1';
	memcpy(bytes + text.bytes.count + 2, class, class_length + 1);
	return bytes_value('S', bytes, count);
}

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

snw_fbx_open snw_fbx_put_node(snw_fbx_document *d, snw_fbx_open *parent, const char *name) {
	snw_fbx_value *values;
	return add_node(d, parent, name, 0, &values);
}

static void put_value(snw_fbx_document *d, snw_fbx_open *parent, const char *name, snw_fbx_value value) {
	snw_fbx_value *values;
	add_node(d, parent, name, 1, &values);
	values[0] = value;
}

void snw_fbx_put_integer(snw_fbx_document *d, snw_fbx_open *parent, const char *name, int32_t value) {
	put_value(d, parent, name, integer_value('I', value));
}

void snw_fbx_put_long(snw_fbx_document *d, snw_fbx_open *parent, const char *name, int64_t value) {
	put_value(d, parent, name, integer_value('L', value));
}

void snw_fbx_put_number(snw_fbx_document *d, snw_fbx_open *parent, const char *name, double value) {
	put_value(d, parent, name, number_value(value));
}

void snw_fbx_put_text(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const char *text) {
	put_value(d, parent, name, text_value(d, text));
}

void snw_fbx_put_name(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const char *text, const char *class) {
	put_value(d, parent, name, class_value(d, text, class));
}

void snw_fbx_put_bytes(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const void *bytes, size_t count) {
	put_value(d, parent, name, bytes_value('R', bytes, count));
}

/* ---- arrays -------------------------------------------------------------------------------------------------------------- */

enum { LEAST_DEFLATED = 128 }; /* bytes */

/* Level 1: a character's arrays deflate in less time than they take to compute. */
static void put_array(snw_fbx_document *d, snw_fbx_open *parent, const char *name, char type, const void *values, size_t count,
					  size_t element_bytes) {
	const size_t bytes = count * element_bytes;
	snw_fbx_value value = {.kind = SNW_FBX_ARRAY, .type = type, .count = (uint32_t)count};
	uLongf packed = compressBound(bytes);
	unsigned char *deflated = bytes >= LEAST_DEFLATED ? SNW_NEW_ARRAY(d->arena, unsigned char, packed) : NULL;
	if (deflated && compress2(deflated, &packed, values, bytes, Z_BEST_SPEED) == Z_OK && packed < bytes) {
		value.is_deflated = true;
		value.bytes = (snw_bytes){deflated, packed};
	} else {
		value.bytes = (snw_bytes){snw_arena_copy(d->arena, values, bytes), bytes};
	}
	put_value(d, parent, name, value);
}

void snw_fbx_put_numbers(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const double *values, size_t count) {
	put_array(d, parent, name, 'd', values, count, sizeof *values);
}

void snw_fbx_put_floats(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const float *values, size_t count) {
	put_array(d, parent, name, 'f', values, count, sizeof *values);
}

void snw_fbx_put_integers(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const int32_t *values, size_t count) {
	put_array(d, parent, name, 'i', values, count, sizeof *values);
}

void snw_fbx_put_longs(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const int64_t *values, size_t count) {
	put_array(d, parent, name, 'l', values, count, sizeof *values);
}

void snw_fbx_put_matrix(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const double matrix[12]) {
	double columns[16] = {0};
	for (int c = 0; c < 4; c++) {
		for (int r = 0; r < 3; r++) {
			columns[4 * c + r] = matrix[4 * r + c];
		}
	}
	columns[15] = 1;
	snw_fbx_put_numbers(d, parent, name, columns, 16);
}

/* ---- objects ------------------------------------------------------------------------------------------------------------- */

snw_fbx_open snw_fbx_put_object(snw_fbx_document *d, const char *kind, const char *name, const char *name_class,
								const char *class, int64_t *id) {
	snw_fbx_value *values;
	const snw_fbx_open object = add_node(d, &d->objects, kind, 3, &values);
	*id = d->next_id++;
	values[0] = integer_value('L', *id);
	values[1] = class_value(d, name, name_class);
	values[2] = text_value(d, class);
	return object;
}

void snw_fbx_connect(snw_fbx_document *d, int64_t source, int64_t owner, const char *property) {
	snw_fbx_value *values;
	add_node(d, &d->connections, "C", property ? 4 : 3, &values);
	values[0] = text_value(d, property ? "OP" : "OO");
	values[1] = integer_value('L', source);
	values[2] = integer_value('L', owner);
	if (property) {
		values[3] = text_value(d, property);
	}
}

static snw_fbx_value *put_property(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type,
								   const char *label, const char *flags, uint32_t count) {
	snw_fbx_value *values;
	add_node(d, list, "P", 4 + count, &values);
	values[0] = text_value(d, key);
	values[1] = text_value(d, type);
	values[2] = text_value(d, label);
	values[3] = text_value(d, flags);
	return values + 4;
}

void snw_fbx_put_property_numbers(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type, const char *label,
								  const char *flags, const double *values, uint32_t count) {
	snw_fbx_value *dest = put_property(d, list, key, type, label, flags, count);
	for (uint32_t i = 0; i < count; i++) {
		dest[i] = number_value(values[i]);
	}
}

void snw_fbx_put_property_integer(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type, const char *label,
								  int32_t value) {
	*put_property(d, list, key, type, label, "", 1) = integer_value('I', value);
}

void snw_fbx_put_property_time(snw_fbx_document *d, snw_fbx_open *list, const char *key, double seconds) {
	*put_property(d, list, key, "KTime", "Time", "", 1) = integer_value('L', snw_fbx_time(seconds));
}

void snw_fbx_put_property_text(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *flags, const char *text) {
	*put_property(d, list, key, "KString", "", flags, 1) = text_value(d, text);
}

int64_t snw_fbx_time(double seconds) {
	return llround(seconds * SNW_FBX_TICKS);
}
