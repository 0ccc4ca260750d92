/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document: its form and version, its nodes, and their values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "import/fbx/fbx_internal.h"
#include "sinew/algebra.h"

/* ---- elements ------------------------------------------------------------------------------------------------------------ */

/* Layer elements: values for each point, polygon, corner or for the whole mesh, directly or by an index; and normals from
 * smoothing where a mesh has no normals. */

/* ---- values at corners --------------------------------------------------------------------------------------------------- */

typedef enum mapping { NOWHERE, BY_CORNER, BY_POINT, BY_FACE, ALL_SAME } mapping;

static mapping mapping_of(const snw_fbx_node *element) {
	static const struct {
		const char *name;
		mapping by;
	} names[] = {{"ByPolygonVertex", BY_CORNER},
				 {"ByVertice", BY_POINT},
				 {"ByVertex", BY_POINT},
				 {"ByPolygon", BY_FACE},
				 {"AllSame", ALL_SAME}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (snw_fbx_text_is(snw_fbx_child(element, "MappingInformationType"), 0, names[i].name)) {
			return names[i].by;
		}
	}
	return NOWHERE;
}

static uint32_t place_of(mapping by, uint32_t corner, uint32_t face, const snw_fbx_shape *shape) {
	return by == BY_CORNER ? corner : by == BY_POINT ? shape->face_points[corner] : by == BY_FACE ? face : 0;
}

bool snw_fbx_read_corners(snw_fbx *f, const snw_fbx_node *element, const char *values, const char *indices, uint32_t width,
						  const int32_t *polygon_corners, const snw_fbx_shape *shape, float **dest) {
	const mapping by = mapping_of(element);
	const bool is_direct = snw_fbx_text_is(snw_fbx_child(element, "ReferenceInformationType"), 0, "Direct");
	*dest = NULL;
	if (by == NOWHERE || shape->corner_count == 0) {
		return true;
	}
	snw_arena *arena = snw_arena_create();
	uint32_t value_count, index_count = 0;
	const double *numbers = snw_fbx_numbers(f, snw_fbx_child(element, values), arena, &value_count);
	const int32_t *index = numbers ? snw_fbx_integers(f, snw_fbx_child(element, indices), arena, &index_count) : NULL;
	const bool ok = index && snw_reading_reserve(&f->reading, shape->corner_count, width * sizeof(float));
	float *corners =
		ok && value_count > 0 ? SNW_NEW_ARRAY(f->reading.scratch, float, (size_t)width * shape->corner_count) : NULL;
	uint32_t face = 0;
	for (uint32_t c = 0; corners && c < shape->corner_count; c++) {
		size_t at = place_of(by, c, face, shape);
		if (!is_direct && index_count > 0) {
			at = at < index_count && index[at] >= 0 ? (size_t)index[at] : SIZE_MAX;
		}
		for (size_t i = 0; at < value_count / width && i < width; i++) {
			const double number = numbers[width * at + i];
			corners[width * (size_t)c + i] = isfinite(number) ? (float)number : 0;
		}
		face += polygon_corners[c] < 0;
	}
	snw_arena_destroy(arena);
	*dest = corners;
	return ok;
}

/* ---- smoothing ----------------------------------------------------------------------------------------------------------- */

/* A side of a polygon: from a corner to the next. */
typedef struct side {
	uint64_t points; /* both, the smaller first */
	uint32_t corner, face;
} side;

static int compare_sides(const void *a, const void *b) {
	const side *x = a, *y = b;
	return x->points != y->points ? (x->points > y->points) - (x->points < y->points)
								  : (x->corner > y->corner) - (x->corner < y->corner);
}

static uint32_t next_corner(const snw_fbx_shape *shape, uint32_t corner, uint32_t face) {
	return corner + 1 < shape->face_offsets[face + 1] ? corner + 1 : shape->face_offsets[face];
}

static side *list_sides(const snw_fbx_shape *shape, snw_arena *arena) {
	side *sides = SNW_NEW_ARRAY(arena, side, shape->corner_count);
	for (uint32_t face = 0; face < shape->face_count; face++) {
		for (uint32_t c = shape->face_offsets[face]; c < shape->face_offsets[face + 1]; c++) {
			const uint64_t a = shape->face_points[c], b = shape->face_points[next_corner(shape, c, face)];
			sides[c] = (side){a < b ? a << 32 | b : b << 32 | a, c, face};
		}
	}
	qsort(sides, shape->corner_count, sizeof *sides, compare_sides);
	return sides;
}

/* Corners of a point that the same smooth surface has are one class: the root of each, by union. */
static uint32_t class_of(uint32_t *classes, uint32_t corner) {
	while (classes[corner] != corner) {
		corner = classes[corner] = classes[classes[corner]];
	}
	return corner;
}

static void join(uint32_t *classes, uint32_t a, uint32_t b) {
	const uint32_t x = class_of(classes, a), y = class_of(classes, b);
	classes[x > y ? x : y] = x > y ? y : x;
}

/* Joins the corners at both ends of an edge that two polygons share. */
static void join_sides(const snw_fbx_shape *shape, const side *a, const side *b, uint32_t *classes) {
	const uint32_t a_next = next_corner(shape, a->corner, a->face), b_next = next_corner(shape, b->corner, b->face);
	const bool same = shape->face_points[a->corner] == shape->face_points[b->corner];
	join(classes, a->corner, same ? b->corner : b_next);
	join(classes, a_next, same ? b_next : b->corner);
}

/* Edges are listed by one of their sides. An edge that is not listed is smooth. */
static void mark_hard_edges(const int32_t *edges, uint32_t edge_count, const int32_t *smooth, uint32_t smooth_count,
							bool *is_hard, uint32_t corner_count) {
	for (uint32_t e = 0; e < edge_count && e < smooth_count; e++) {
		if (edges[e] >= 0 && (uint32_t)edges[e] < corner_count && smooth[e] == 0) {
			is_hard[edges[e]] = true;
		}
	}
}

/* Corner normals: the mean of the polygons' normals, by area, over the corners of each class. */
static void average(snw_fbx *f, snw_fbx_shape *shape, uint32_t *classes, snw_arena *arena) {
	double *sums = SNW_NEW_ARRAY(arena, double, 3 * (size_t)shape->corner_count);
	for (uint32_t face = 0; face < shape->face_count; face++) {
		const uint32_t first = shape->face_offsets[face], count = shape->face_offsets[face + 1] - first;
		for (uint32_t c = first; c < first + count; c++) {
			const double *p = shape->points + 3 * (size_t)shape->face_points[first];
			const double *a = shape->points + 3 * (size_t)shape->face_points[c];
			const double *b = shape->points + 3 * (size_t)shape->face_points[next_corner(shape, c, face)];
			const double u[3] = {a[0] - p[0], a[1] - p[1], a[2] - p[2]}, v[3] = {b[0] - p[0], b[1] - p[1], b[2] - p[2]};
			double area[3];
			snw_cross3(u, v, area);
			for (uint32_t k = first; k < first + count; k++) {
				double *sum = sums + 3 * (size_t)class_of(classes, k);
				for (int i = 0; i < 3; i++) {
					sum[i] += area[i];
				}
			}
		}
	}
	shape->normals = SNW_NEW_ARRAY(f->reading.scratch, float, 3 * (size_t)shape->corner_count);
	for (uint32_t c = 0; c < shape->corner_count; c++) {
		double normal[3];
		memcpy(normal, sums + 3 * (size_t)class_of(classes, c), sizeof normal);
		snw_normalize3(normal);
		for (size_t i = 0; i < 3; i++) {
			shape->normals[3 * (size_t)c + i] = (float)normal[i];
		}
	}
}

bool snw_fbx_read_smoothing(snw_fbx *f, const snw_fbx_node *geometry, snw_fbx_shape *shape) {
	const snw_fbx_node *element = snw_fbx_child(geometry, "LayerElementSmoothing");
	const bool by_edge = snw_fbx_text_is(snw_fbx_child(element, "MappingInformationType"), 0, "ByEdge");
	if ((!by_edge && mapping_of(element) != BY_FACE) || shape->corner_count == 0) {
		return true;
	}
	snw_arena *arena = snw_arena_create();
	uint32_t smooth_count, edge_count = 0;
	const int32_t *smooth = snw_fbx_integers(f, snw_fbx_child(element, "Smoothing"), arena, &smooth_count);
	const int32_t *edges = smooth ? snw_fbx_integers(f, snw_fbx_child(geometry, "Edges"), arena, &edge_count) : NULL;
	const bool ok = edges && snw_reading_reserve(&f->reading, shape->corner_count, 80);
	if (ok) {
		bool *is_hard = SNW_NEW_ARRAY(arena, bool, shape->corner_count);
		uint32_t *classes = SNW_NEW_ARRAY(arena, uint32_t, shape->corner_count);
		const side *sides = list_sides(shape, arena);
		for (uint32_t c = 0; c < shape->corner_count; c++) {
			classes[c] = c;
		}
		if (by_edge) {
			mark_hard_edges(edges, edge_count, smooth, smooth_count, is_hard, shape->corner_count);
		}
		for (uint32_t s = 1; s < shape->corner_count; s++) {
			const side *a = &sides[s - 1], *b = &sides[s];
			const bool shares_group =
				!by_edge && a->face < smooth_count && b->face < smooth_count && (smooth[a->face] & smooth[b->face]) != 0;
			if (a->points == b->points && (by_edge ? !is_hard[a->corner] && !is_hard[b->corner] : shares_group)) {
				join_sides(shape, a, b, classes);
			}
		}
		average(f, shape, classes, arena);
	}
	snw_arena_destroy(arena);
	return ok;
}

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

/* FBX as text: "Name: value, value {" and children up to "}". A value is a number, a text in quotation marks, a word, or
 * "*count { a: numbers }". The values of a node end with its line, unless that ends with a comma. A comment begins with ";". */

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

static bool fbx_parse_text(snw_fbx *f) {
	parser p = {.f = f, .at = (const char *)f->file.data, .end = (const char *)f->file.data + f->file.count};
	static const unsigned char mark[] = {0xef, 0xbb, 0xbf};
	p.at += f->file.count >= sizeof mark && memcmp(p.at, mark, sizeof mark) == 0 ? sizeof mark : 0;
	return read_list(&p, 0, &f->root) && (p.at == p.end || fail_here(&p, "a \"}\" without its node"));
}

/* ---- making nodes -------------------------------------------------------------------------------------------------------- */

#define BLOCK_BYTES ((size_t)256 << 10)

/* Zeroed memory for small things, many in one piece of the arena. */
static void *take(snw_fbx *f, uint64_t count, size_t element_bytes) {
	if (!snw_reading_reserve(&f->reading, count, element_bytes)) {
		return NULL;
	}
	const size_t bytes = (size_t)count * element_bytes;
	if (bytes > BLOCK_BYTES / 4) {
		return snw_arena_acquire(f->reading.scratch, bytes);
	}
	if ((size_t)(f->block_end - f->block) < bytes) {
		f->block = snw_arena_acquire(f->reading.scratch, BLOCK_BYTES);
		f->block_end = f->block + BLOCK_BYTES;
	}
	void *taken = f->block;
	f->block += bytes;
	return taken;
}

snw_fbx_node *snw_fbx_add_node(snw_fbx *f, snw_fbx_node *parent, snw_fbx_node *last) {
	snw_fbx_node *node = take(f, 1, sizeof *node);
	if (node) {
		*(last ? &last->next : &parent->child) = node;
	}
	return node;
}

snw_fbx_value *snw_fbx_add_values(snw_fbx *f, uint32_t count) {
	return take(f, count, sizeof(snw_fbx_value));
}

/* ---- reading nodes ------------------------------------------------------------------------------------------------------- */

static bool are_equal(const char *bytes, size_t count, const char *text) {
	return strlen(text) == count && memcmp(bytes, text, count) == 0;
}

bool snw_fbx_is(const snw_fbx_node *node, const char *name) {
	return are_equal(node->name, node->name_length, name);
}

const snw_fbx_node *snw_fbx_child(const snw_fbx_node *node, const char *name) {
	const snw_fbx_node *child = node ? node->child : NULL;
	while (child && !snw_fbx_is(child, name)) {
		child = child->next;
	}
	return child;
}

static const snw_fbx_value *value_at(const snw_fbx_node *node, uint32_t index) {
	return node && index < node->value_count ? &node->values[index] : NULL;
}

int64_t snw_fbx_integer(const snw_fbx_node *node, uint32_t index, int64_t otherwise) {
	const snw_fbx_value *value = value_at(node, index);
	if (value && value->kind == SNW_FBX_NUMBER && fabs(value->number) < 0x1p62) {
		return (int64_t)value->number;
	}
	return value && value->kind == SNW_FBX_INTEGER ? value->integer : otherwise;
}

double snw_fbx_number(const snw_fbx_node *node, uint32_t index, double otherwise) {
	const snw_fbx_value *value = value_at(node, index);
	if (value && value->kind == SNW_FBX_INTEGER) {
		return (double)value->integer;
	}
	return value && value->kind == SNW_FBX_NUMBER && isfinite(value->number) ? value->number : otherwise;
}

bool snw_fbx_text_is(const snw_fbx_node *node, uint32_t index, const char *text) {
	const snw_fbx_value *value = value_at(node, index);
	return value && value->kind == SNW_FBX_TEXT && are_equal((const char *)value->bytes.data, value->bytes.count, text);
}

/* Text files write a quotation mark inside a text as &quot; */
static void decode_quotes(char *text) {
	static const char quote[] = "&quot;";
	char *to = text;
	for (const char *from = text; *from;) {
		const bool is_quote = strncmp(from, quote, sizeof quote - 1) == 0;
		*to++ = is_quote ? '"' : *from;
		from += is_quote ? sizeof quote - 1 : 1;
	}
	*to = '\0';
}

char *snw_fbx_text(snw_fbx *f, const snw_fbx_node *node, uint32_t index) {
	const snw_fbx_value *value = value_at(node, index);
	if (!value || value->kind != SNW_FBX_TEXT) {
		return NULL;
	}
	char *text = snw_arena_acquire(f->reading.scratch, value->bytes.count + 1);
	memcpy(text, value->bytes.data, value->bytes.count);
	if (f->is_text) {
		decode_quotes(text);
	}
	return text;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------- */

static bool check_version(snw_fbx *f) {
	if (f->version == 0) {
		return snw_reading_fail(&f->reading, SNW_ERROR_DATA, "has no FBX version; it is not FBX, or damaged");
	}
	if (f->version / 1000 != 7) {
		return snw_reading_fail(
			&f->reading, SNW_ERROR_UNSUPPORTED,
			"is FBX %u.%u; only version 7 is read: export it as FBX 2011 or later (Autodesk's free FBX Converter "
			"does), or as .glb",
			f->version / 1000, f->version % 1000 / 100);
	}
	return true;
}

bool snw_fbx_open(snw_fbx *f) {
	static const char magic[] = SNW_FBX_MAGIC;
	const snw_status status = snw_file_read(f->reading.path, f->reading.scratch, &f->file, f->reading.error);
	if (snw_failed(status)) {
		f->reading.status = status;
		return false;
	}
	snw_reading_add_file(&f->reading, f->file.count);
	f->is_text = f->file.count < sizeof magic || memcmp(f->file.data, magic, sizeof magic) != 0;
	if (f->is_text) {
		if (!fbx_parse_text(f)) {
			return false;
		}
		const snw_fbx_node *header = snw_fbx_child(&f->root, "FBXHeaderExtension");
		const int64_t version = snw_fbx_integer(snw_fbx_child(header, "FBXVersion"), 0, 0);
		f->version = version > 0 && version < 100000 ? (uint32_t)version : 0;
		return check_version(f);
	}
	return snw_fbx_parse_binary(f) && check_version(f);
}
