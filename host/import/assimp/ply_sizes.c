/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a PLY file has what its header and its lists say. Assimp reads on where a file ends: a list of 2^32 numbers that are
 * not there takes it hours.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/assimp/assimp_internal.h"

enum { MOST_ELEMENTS = 64, MOST_PROPERTIES = 256 };

typedef struct property {
	unsigned count_bytes; /* of the length of a list; 0: a number */
	unsigned bytes;       /* of a number */
} property;

typedef struct element {
	uint64_t count;
	uint32_t first, property_count;
} element;

typedef struct ply {
	const char *at, *end;
	bool is_text, is_big_endian;
	bool is_unknown; /* the header has what this does not know; Assimp says what is wrong with it */
	element elements[MOST_ELEMENTS];
	property properties[MOST_PROPERTIES];
	uint32_t element_count, property_count;
} ply;

static unsigned bytes_of_type(const char *name) {
	static const struct {
		const char *names;
		unsigned bytes;
	} types[] = {{" char uchar int8 uint8 ", 1},
				 {" short ushort int16 uint16 ", 2},
				 {" int uint int32 uint32 float float32 ", 4},
				 {" double float64 ", 8}};
	char wanted[20];
	snprintf(wanted, sizeof wanted, " %.16s ", name);
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (strstr(types[i].names, wanted)) {
			return types[i].bytes;
		}
	}
	return 0;
}

static bool read_ply_property(ply *p, const char *line) {
	char type[17] = "", length[17] = "";
	if (p->element_count == 0 || p->property_count == MOST_PROPERTIES) {
		return false;
	}
	property *added = &p->properties[p->property_count];
	if (sscanf(line, "property list %16s %16s", length, type) == 2) {
		*added = (property){bytes_of_type(length), bytes_of_type(type)};
	} else if (sscanf(line, "property %16s", type) == 1) {
		*added = (property){0, bytes_of_type(type)};
	}
	p->property_count++;
	p->elements[p->element_count - 1].property_count++;
	return added->bytes > 0 && (!length[0] || added->count_bytes > 0);
}

/* False if it does not end. */
static bool read_header(ply *p) {
	char line[200];
	while (p->at < p->end) {
		const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
		const char *next = newline ? newline + 1 : p->end;
		snprintf(line, sizeof line, "%.*s", (int)(next - p->at < 199 ? next - p->at : 199), p->at);
		p->at = next;
		unsigned long long count;
		if (strncmp(line, "end_header", 10) == 0 && strchr(" \t\r\n", line[10])) {
			return true;
		} else if (strncmp(line, "format", 6) == 0) {
			p->is_text = strstr(line, "ascii") != NULL;
			p->is_big_endian = strstr(line, "big_endian") != NULL;
		} else if (sscanf(line, "element %*s %llu", &count) == 1) {
			p->is_unknown = p->is_unknown || p->element_count == MOST_ELEMENTS;
			p->elements[p->is_unknown ? 0 : p->element_count++] = (element){.count = count, .first = p->property_count};
		} else if (strncmp(line, "property", 8) == 0) {
			p->is_unknown = p->is_unknown || !read_ply_property(p, line);
		}
	}
	return false;
}

/* ---- the data ------------------------------------------------------------------------------------------------------------ */

static bool skip_words(ply *p, uint64_t count) {
	for (; count > 0; count--) {
		while (p->at < p->end && strchr(" \t\r\n", *p->at)) {
			p->at++;
		}
		if (p->at == p->end) {
			return false;
		}
		while (p->at < p->end && !strchr(" \t\r\n", *p->at)) {
			p->at++;
		}
	}
	return true;
}

static bool skip_bytes(ply *p, uint64_t count, unsigned bytes) {
	if (count > (uint64_t)(p->end - p->at) / bytes) {
		return false;
	}
	p->at += count * bytes;
	return true;
}

static bool skip_list(ply *p, const property *list) {
	const unsigned char *place = (const unsigned char *)p->at;
	uint64_t count = 0;
	if (p->is_text) {
		count = strtoull(p->at, NULL, 10);
		return skip_words(p, 1) && count <= (uint64_t)(p->end - p->at) && skip_words(p, count);
	}
	if (!skip_bytes(p, 1, list->count_bytes)) {
		return false;
	}
	for (unsigned i = 0; i < list->count_bytes; i++) {
		count |= (uint64_t)place[p->is_big_endian ? list->count_bytes - 1 - i : i] << 8 * i;
	}
	return skip_bytes(p, count, list->bytes);
}

static bool skip_elements(ply *p, const element *e) {
	bool is_there = e->count <= (uint64_t)(p->end - p->at);
	for (uint64_t i = 0; i < e->count && is_there; i++) {
		for (uint32_t k = 0; k < e->property_count && is_there; k++) {
			const property *one = &p->properties[e->first + k];
			is_there = one->count_bytes > 0 ? skip_list(p, one) : p->is_text ? skip_words(p, 1) : skip_bytes(p, 1, one->bytes);
		}
	}
	return is_there;
}

bool snw_assimp_ply_is_whole(const char *bytes, size_t count) {
	ply p = {.at = bytes, .end = bytes + count};
	bool is_whole = read_header(&p);
	for (uint32_t e = 0; e < p.element_count && is_whole && !p.is_unknown; e++) {
		is_whole = skip_elements(&p, &p.elements[e]);
	}
	return is_whole;
}
