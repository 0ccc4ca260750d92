/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Accessors: typed, strided, normalised and sparse views of a buffer, all checked to be inside it.
 */
#include <math.h>
#include <meshoptimizer.h>
#include <string.h>

#include "import/gltf/gltf_internal.h"

/* ---- accessor ------------------------------------------------------------------------------------------------------------ */

enum { BYTE = 5120, UNSIGNED_BYTE = 5121, SHORT = 5122, UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125, FLOAT = 5126 };

/* A checked accessor: all its elements can be read. */
typedef struct accessor {
	uint32_t count, width;
	uint32_t component;
	bool normalized;
	const unsigned char *data; /* NULL: zeros */
	uint32_t stride;
	uint32_t sparse_count;
	uint32_t sparse_component;
	const unsigned char *sparse_indices, *sparse_values;
} accessor;

static uint32_t component_bytes(uint64_t component) {
	switch (component) {
	case BYTE:
	case UNSIGNED_BYTE:
		return 1;
	case SHORT:
	case UNSIGNED_SHORT:
		return 2;
	case UNSIGNED_INT:
	case FLOAT:
		return 4;
	default:
		return 0;
	}
}

static uint32_t type_width(const char *type) {
	static const struct {
		const char *name;
		uint32_t width;
	} types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};
	for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++) {
		if (strcmp(type, types[i].name) == 0) {
			return types[i].width;
		}
	}
	return 0;
}

/* The first byte and the stride of `count` elements of `element_bytes` each, at `offset` in a view. */
static bool view_elements(snw_gltf *g, snw_gltf_place place, uint32_t view, uint64_t offset, uint64_t count,
						  uint32_t element_bytes, const unsigned char **data, uint32_t *stride) {
	snw_bytes bytes;
	if (!snw_gltf_view_bytes(g, view, &bytes, stride)) {
		return false;
	}
	*stride = *stride ? *stride : element_bytes;
	if (*stride < element_bytes) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"%s %u: its stride of %u bytes is less than the %u of an element; the file is damaged",
								place.noun, place.index, *stride, element_bytes);
	}
	if (count > 0 && (offset > bytes.count || element_bytes > bytes.count - offset ||
					  count - 1 > (bytes.count - offset - element_bytes) / *stride)) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"%s %u: its %llu elements extend past the end of buffer view %u; the file is damaged",
								place.noun, place.index, (unsigned long long)count, view);
	}
	*data = bytes.data + (count > 0 ? offset : 0);
	return true;
}

static bool open_sparse(snw_gltf *g, snw_gltf_place place, const cJSON *sparse, accessor *a) {
	const cJSON *indices = snw_gltf_member(sparse, "indices"), *values = snw_gltf_member(sparse, "values");
	uint64_t count = 0, component = 0, index_offset = 0, value_offset = 0;
	uint32_t index_view, value_view, index_stride, value_stride;
	if (!snw_gltf_integer(g, place, sparse, "count", &count) ||
		!snw_gltf_integer(g, place, indices, "componentType", &component) ||
		!snw_gltf_integer(g, place, indices, "byteOffset", &index_offset) ||
		!snw_gltf_integer(g, place, values, "byteOffset", &value_offset) ||
		!snw_gltf_required_index(g, place, indices, "bufferView", &g->views, &index_view) ||
		!snw_gltf_required_index(g, place, values, "bufferView", &g->views, &value_view)) {
		return false;
	}
	if (count > a->count || (component != UNSIGNED_BYTE && component != UNSIGNED_SHORT && component != UNSIGNED_INT)) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "%s %u: its sparse part is malformed; the file is damaged",
								place.noun, place.index);
	}
	a->sparse_count = (uint32_t)count;
	a->sparse_component = (uint32_t)component;
	const uint32_t index_bytes = component_bytes(component), value_bytes = a->width * component_bytes(a->component);
	if (!view_elements(g, place, index_view, index_offset, count, index_bytes, &a->sparse_indices, &index_stride) ||
		!view_elements(g, place, value_view, value_offset, count, value_bytes, &a->sparse_values, &value_stride)) {
		return false;
	}
	if (index_stride != index_bytes || value_stride != value_bytes) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"%s %u: its sparse part has a stride, which glTF does not allow; the file is damaged",
								place.noun, place.index);
	}
	return true;
}

static bool open_accessor(snw_gltf *g, uint32_t index, accessor *a) {
	const snw_gltf_place place = {"accessor", index};
	const cJSON *object = g->accessors.items[index], *sparse = snw_gltf_member(object, "sparse");
	uint64_t count = 0, component = 0, offset = 0;
	uint32_t view;
	if (!snw_gltf_integer(g, place, object, "count", &count) ||
		!snw_gltf_integer(g, place, object, "componentType", &component) ||
		!snw_gltf_integer(g, place, object, "byteOffset", &offset) ||
		!snw_gltf_index(g, place, object, "bufferView", &g->views, &view)) {
		return false;
	}
	*a = (accessor){.component = (uint32_t)component,
					.width = type_width(snw_gltf_text(object, "type")),
					.normalized = snw_gltf_flag(object, "normalized")};
	const uint32_t bytes = component_bytes(component);
	if (bytes == 0 || a->width == 0) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "accessor %u: its type is not a glTF type; the file is damaged",
								index);
	}
	if (count >= SNW_NONE / 16) {
		return snw_reading_fail(&g->reading, SNW_ERROR_LIMIT,
								"accessor %u: %llu elements are too many; the file may be damaged", index,
								(unsigned long long)count);
	}
	a->count = (uint32_t)count;
	return (view == SNW_NONE || view_elements(g, place, view, offset, count, bytes * a->width, &a->data, &a->stride)) &&
		   (!sparse || open_sparse(g, place, sparse, a));
}

/* ---- elements ------------------------------------------------------------------------------------------------------------ */

/* glTF is little-endian, and so are all supported machines. The bytes need not be aligned. */
static double read_component(const unsigned char *at, uint32_t component, bool normalized) {
	switch (component) {
	case BYTE: {
		const double value = (int8_t)*at;
		return normalized ? fmax(value / 127, -1) : value;
	}
	case UNSIGNED_BYTE:
		return normalized ? *at / 255.0 : *at;
	case SHORT: {
		int16_t value;
		memcpy(&value, at, sizeof value);
		return normalized ? fmax(value / 32767.0, -1) : value;
	}
	case UNSIGNED_SHORT: {
		uint16_t value;
		memcpy(&value, at, sizeof value);
		return normalized ? value / 65535.0 : value;
	}
	case UNSIGNED_INT: {
		uint32_t value;
		memcpy(&value, at, sizeof value);
		return normalized ? value / 4294967295.0 : value;
	}
	default: {
		float value;
		memcpy(&value, at, sizeof value);
		return (double)value;
	}
	}
}

static void read_element(const accessor *a, const unsigned char *at, double *element) {
	const uint32_t bytes = component_bytes(a->component);
	for (uint32_t i = 0; i < a->width; i++) {
		element[i] = read_component(at + i * bytes, a->component, a->normalized);
	}
}

static bool read_sparse(snw_gltf *g, uint32_t index, const accessor *a, double *values) {
	const uint32_t index_bytes = component_bytes(a->sparse_component), value_bytes = a->width * component_bytes(a->component);
	for (uint32_t i = 0; i < a->sparse_count; i++) {
		const double target = read_component(a->sparse_indices + (size_t)i * index_bytes, a->sparse_component, false);
		if (target >= a->count) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
									"accessor %u: a sparse index is out of range; the file is damaged", index);
		}
		read_element(a, a->sparse_values + (size_t)i * value_bytes, values + (size_t)target * a->width);
	}
	return true;
}

bool snw_gltf_read_numbers(snw_gltf *g, uint32_t index, uint32_t width, snw_arena *arena, double **values, uint32_t *count,
						   uint32_t *actual_width) {
	accessor a;
	if (!open_accessor(g, index, &a)) {
		return false;
	}
	if (width != 0 && a.width != width) {
		return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								"accessor %u: has %u numbers per element, not %u; the file is damaged", index, a.width, width);
	}
	const size_t total = (size_t)a.count * a.width;
	if (!snw_reading_reserve(&g->reading, total, sizeof(double))) {
		return false;
	}
	double *read = SNW_NEW_ARRAY(arena, double, total);
	for (uint32_t i = 0; a.data && i < a.count; i++) {
		read_element(&a, a.data + (size_t)i * a.stride, read + (size_t)i * a.width);
	}
	if (!read_sparse(g, index, &a, read)) {
		return false;
	}
	for (size_t i = 0; i < total; i++) {
		if (!isfinite(read[i])) {
			return snw_reading_fail(&g->reading, SNW_ERROR_DATA,
									"accessor %u: element %zu is not a finite number; the file is damaged", index, i / a.width);
		}
	}
	*values = read;
	*count = a.count;
	if (actual_width) {
		*actual_width = a.width;
	}
	return true;
}

bool snw_gltf_read_integers(snw_gltf *g, uint32_t index, uint32_t width, snw_arena *arena, uint32_t **values, uint32_t *count) {
	double *numbers;
	snw_arena *scratch = snw_arena_create();
	bool ok = snw_gltf_read_numbers(g, index, width, scratch, &numbers, count, NULL);
	const size_t total = ok ? (size_t)*count * width : 0;
	uint32_t *read = SNW_NEW_ARRAY(arena, uint32_t, total);
	for (size_t i = 0; ok && i < total; i++) {
		if (!(numbers[i] >= 0 && numbers[i] < SNW_NONE) || numbers[i] != floor(numbers[i])) {
			ok = snw_reading_fail(&g->reading, SNW_ERROR_DATA,
								  "accessor %u: element %zu is not a non-negative integer; the file is damaged", index,
								  i / width);
			break;
		}
		read[i] = (uint32_t)numbers[i];
	}
	snw_arena_destroy(scratch);
	*values = read;
	return ok;
}

/* ---- compression --------------------------------------------------------------------------------------------------------- */

/* Compressed buffer views: EXT_meshopt_compression, decoded by meshoptimizer. Its decoders accept any bytes; what they
 * assume of counts and strides is checked here. */

/* The extension of one view. */
typedef struct compressed_view {
	uint32_t buffer;
	uint64_t offset, length, stride, count;
	const char *mode, *filter; /* NULL: no filter */
} compressed_view;

static bool is_one_of(const char *text, const char *const *names) {
	while (*names && (!text || strcmp(text, *names) != 0)) {
		names++;
	}
	return *names;
}

static bool damaged(snw_gltf *g, uint32_t view, const char *what) {
	return snw_reading_fail(&g->reading, SNW_ERROR_DATA, "buffer view %u: %s; the file is damaged", view, what);
}

static bool read_extension(snw_gltf *g, uint32_t view, const cJSON *object, compressed_view *c) {
	const snw_gltf_place place = {"buffer view", view};
	*c = (compressed_view){.mode = snw_gltf_text(object, "mode"), .filter = snw_gltf_text(object, "filter")};
	return snw_gltf_required_index(g, place, object, "buffer", &g->buffer_list, &c->buffer) &&
		   snw_gltf_integer(g, place, object, "byteOffset", &c->offset) &&
		   snw_gltf_integer(g, place, object, "byteLength", &c->length) &&
		   snw_gltf_integer(g, place, object, "byteStride", &c->stride) &&
		   snw_gltf_integer(g, place, object, "count", &c->count);
}

/* What the decoders take for granted. */
static bool check_extension(snw_gltf *g, uint32_t view, const compressed_view *c) {
	static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES", NULL};
	static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", NULL};
	const snw_bytes *whole = &g->buffers[c->buffer];
	if (!is_one_of(c->mode, modes) || (c->filter && !is_one_of(c->filter, filters))) {
		return damaged(g, view, "its compression is not one of EXT_meshopt_compression");
	}
	const bool is_vertices = strcmp(c->mode, modes[0]) == 0;
	const bool fits = is_vertices ? c->stride > 0 && c->stride <= 256 && c->stride % 4 == 0 : c->stride == 2 || c->stride == 4;
	const bool is_oct = c->filter && strcmp(c->filter, filters[1]) == 0,
			   is_quat = c->filter && strcmp(c->filter, filters[2]) == 0;
	if (!fits || (is_oct && c->stride != 4 && c->stride != 8) || (is_quat && c->stride != 8) ||
		(!is_vertices && c->filter && strcmp(c->filter, filters[0]) != 0)) {
		return damaged(g, view, "the stride of its compressed elements is none that its mode has");
	}
	if (c->count >= SNW_NONE / 16 || (strcmp(c->mode, modes[1]) == 0 && c->count % 3 != 0)) {
		return damaged(g, view, "the number of its compressed elements is impossible");
	}
	if (c->offset > whole->count || c->length > whole->count - c->offset) {
		return damaged(g, view, "its compressed bytes extend past the end of their buffer");
	}
	return true;
}

static void apply_filter(const compressed_view *c, void *elements) {
	if (!c->filter) {
		return;
	}
	const size_t count = (size_t)c->count, stride = (size_t)c->stride;
	if (strcmp(c->filter, "OCTAHEDRAL") == 0) {
		meshopt_decodeFilterOct(elements, count, stride);
	} else if (strcmp(c->filter, "QUATERNION") == 0) {
		meshopt_decodeFilterQuat(elements, count, stride);
	} else if (strcmp(c->filter, "EXPONENTIAL") == 0) {
		meshopt_decodeFilterExp(elements, count, stride);
	}
}

static bool decode(snw_gltf *g, uint32_t view, const compressed_view *c, unsigned char *elements) {
	const unsigned char *from = g->buffers[c->buffer].data + c->offset;
	const size_t count = (size_t)c->count, stride = (size_t)c->stride, length = (size_t)c->length;
	int failed;
	if (strcmp(c->mode, "ATTRIBUTES") == 0) {
		failed = meshopt_decodeVertexBuffer(elements, count, stride, from, length);
	} else if (strcmp(c->mode, "TRIANGLES") == 0) {
		failed = meshopt_decodeIndexBuffer(elements, count, stride, from, length);
	} else {
		failed = meshopt_decodeIndexSequence(elements, count, stride, from, length);
	}
	if (failed) {
		return damaged(g, view, "its compressed bytes cannot be decoded");
	}
	apply_filter(c, elements);
	return true;
}

const cJSON *snw_gltf_compression_of(const cJSON *object) {
	return snw_gltf_member(snw_gltf_member(object, "extensions"), "EXT_meshopt_compression");
}

bool snw_gltf_decompress(snw_gltf *g, uint32_t view, snw_bytes *bytes) {
	snw_bytes *decoded = &g->decoded[view];
	compressed_view c;
	if (!decoded->data) {
		if (!read_extension(g, view, snw_gltf_compression_of(g->views.items[view]), &c) || !check_extension(g, view, &c) ||
			!snw_reading_reserve(&g->reading, c.count, c.stride)) {
			return false;
		}
		const size_t count = (size_t)(c.count * c.stride);
		unsigned char *elements = SNW_NEW_ARRAY(g->reading.scratch, unsigned char, count + 1);
		if (c.count > 0 && !decode(g, view, &c, elements)) {
			return false;
		}
		*decoded = (snw_bytes){elements, count};
	}
	*bytes = *decoded;
	return true;
}
