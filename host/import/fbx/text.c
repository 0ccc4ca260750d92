/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX as text: "Name: value, value {" and children up to "}". A value is a number, a text in quotation marks, a word, or
 * "*count { a: numbers }". The values of a node end with its line, unless that ends with a comma. A comment begins with ";".
 */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "import/fbx/document.h"

typedef struct parser {
	snw_fbx *f;
	const char *at, *end; /* a zero byte is at the end */
	snw_fbx_value *values;
	uint32_t value_count, value_room;
} parser;

static bool fail_here(const parser *p, const char *what) {
	size_t line = 1;
	for (const char *c = (const char *)p->f->file.data; c < p->at; c++) {
		line += *c == '\n';
	}
	return snw_reading_fail(&p->f->reading, SNW_ERROR_DATA,
							"line %zu: %s; it is not FBX, or the file is damaged or truncated: copy it again", line, what);
}

/* ---- words --------------------------------------------------------------------------------------------------------------- */

static void skip_comment(parser *p) {
	while (p->at < p->end && *p->at != '\n') {
		p->at++;
	}
}

static void skip_spaces(parser *p) {
	while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r') {
		p->at++;
	}
	if (*p->at == ';') {
		skip_comment(p);
	}
}

/* Spaces, ends of lines and comments. */
static void skip_blanks(parser *p) {
	skip_spaces(p);
	while (*p->at == '\n') {
		p->at++;
		skip_spaces(p);
	}
}

static bool ends_word(char c) {
	return c == '\0' || strchr(" \t\r\n,:;{}\"", c);
}

static size_t word_length(const char *at) {
	size_t length = 0;
	while (!ends_word(at[length])) {
		length++;
	}
	return length;
}

/* ---- values -------------------------------------------------------------------------------------------------------------- */

/* "*3 { a: 1,2,3 }": the numbers stay as they are until they are asked for. */
static bool read_number_array(parser *p, snw_fbx_value *value) {
	char *stop;
	const unsigned long long count = strtoull(p->at + 1, &stop, 10);
	p->at = stop;
	skip_blanks(p);
	if (*p->at == '{') {
		p->at++;
		skip_blanks(p);
		p->at += *p->at == 'a' ? 1 : 0;
	}
	if (*p->at != ':') {
		return fail_here(p, "an array without numbers");
	}
	const char *begin = p->at + 1;
	const char *end = memchr(begin, '}', (size_t)(p->end - begin));
	if (!end) {
		return fail_here(p, "an array without an end");
	}
	if (count > (size_t)(end - begin)) {
		return fail_here(p, "an array with more elements than its text can hold");
	}
	*value = (snw_fbx_value){.kind = SNW_FBX_ARRAY, .type = 't', .count = (uint32_t)count};
	value->bytes = (snw_bytes){(const unsigned char *)begin, (size_t)(end - begin)};
	p->at = end + 1;
	return true;
}

static bool read_quoted(parser *p, snw_fbx_value *value) {
	const char *begin = p->at + 1, *end = memchr(begin, '"', (size_t)(p->end - begin));
	if (!end) {
		return fail_here(p, "a text without an end");
	}
	*value = (snw_fbx_value){.kind = SNW_FBX_TEXT};
	value->bytes = (snw_bytes){(const unsigned char *)begin, (size_t)(end - begin)};
	p->at = end + 1;
	return true;
}

/* A number, or a word such as Y. An integer keeps all its digits: ids have up to 19. */
static bool read_word(parser *p, snw_fbx_value *value) {
	const size_t length = word_length(p->at);
	double number;
	const char *end = snw_read_number(p->at, &number);
	if (length == 0) {
		return fail_here(p, "a value is missing");
	}
	*value = (snw_fbx_value){.kind = SNW_FBX_TEXT};
	if (end != p->at + length) {
		value->bytes = (snw_bytes){(const unsigned char *)p->at, length};
	} else if (memchr(p->at, '.', length) || memchr(p->at, 'e', length) || memchr(p->at, 'E', length)) {
		value->kind = SNW_FBX_NUMBER;
		value->number = number;
	} else {
		value->kind = SNW_FBX_INTEGER;
		value->integer = strtoll(p->at, NULL, 10);
	}
	p->at += length;
	return true;
}

static bool read_value(parser *p) {
	snw_fbx_value value;
	if (!(*p->at == '*' ? read_number_array(p, &value) : *p->at == '"' ? read_quoted(p, &value) : read_word(p, &value))) {
		return false;
	}
	p->values = snw_arena_grow(p->f->reading.scratch, p->values, p->value_count, &p->value_room, sizeof *p->values);
	p->values[p->value_count++] = value;
	return true;
}

static bool read_values(parser *p, snw_fbx_node *node) {
	p->value_count = 0;
	skip_spaces(p);
	while (*p->at != '\n' && *p->at != '{' && *p->at != '}' && *p->at != '\0') {
		if (*p->at != ',' && !read_value(p)) {
			return false;
		}
		skip_spaces(p);
		if (*p->at != ',') {
			break;
		}
		p->at++;
		skip_blanks(p);
	}
	snw_fbx_value *values = snw_fbx_add_values(p->f, p->value_count);
	if (!values && p->value_count > 0) {
		return false;
	}
	if (p->value_count > 0) {
		memcpy(values, p->values, p->value_count * sizeof *values);
	}
	node->values = values;
	node->value_count = p->value_count;
	return true;
}

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

static bool read_list(parser *p, unsigned depth, snw_fbx_node *parent);

static bool read_node(parser *p, unsigned depth, snw_fbx_node *node) {
	const size_t length = word_length(p->at);
	if (length == 0 || p->at[length] != ':') {
		return fail_here(p, "a name with a colon is missing");
	}
	node->name = p->at;
	node->name_length = (uint32_t)length;
	p->at += length + 1;
	if (!read_values(p, node)) {
		return false;
	}
	if (*p->at != '{') {
		return true;
	}
	p->at++;
	if (!read_list(p, depth + 1, node)) {
		return false;
	}
	if (*p->at != '}') {
		return fail_here(p, "a node without an end");
	}
	p->at++;
	return true;
}

/* Reads nodes up to a "}" or the end of the file. */
static bool read_list(parser *p, unsigned depth, snw_fbx_node *parent) {
	snw_fbx_node *last = NULL;
	if (depth > SNW_FBX_DEEPEST) {
		return fail_here(p, "nodes that are nested too deeply");
	}
	for (skip_blanks(p); *p->at != '}' && p->at < p->end; skip_blanks(p)) {
		last = snw_fbx_add_node(p->f, parent, last);
		if (!last || !read_node(p, depth, last)) {
			return false;
		}
	}
	return true;
}

bool snw_fbx_parse_text(snw_fbx *f) {
	parser p = {.f = f, .at = (const char *)f->file.data, .end = (const char *)f->file.data + f->file.count};
	static const unsigned char mark[] = {0xef, 0xbb, 0xbf};
	p.at += f->file.count >= sizeof mark && memcmp(p.at, mark, sizeof mark) == 0 ? sizeof mark : 0;
	return read_list(&p, 0, &f->root) && (p.at == p.end || fail_here(&p, "a \"}\" without its node"));
}
