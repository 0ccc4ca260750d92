/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A glTF document in memory: JSON, buffer views and accessors, and the container.
 */
#include "export/gltf/document.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "export/gltf/writer.h"
#include "export/plan/plan.h"
#include "file/file.h"

enum {
	COMPONENT_SIGNED_SHORT = 5122,
	COMPONENT_BYTE = 5121,
	COMPONENT_SHORT = 5123,
	COMPONENT_INT = 5125,
	COMPONENT_FLOAT = 5126
};

static const char COMPRESSION[] = "EXT_meshopt_compression";

typedef struct document_view {
	int32_t use;     /* snw_gltf_use */
	int32_t filter;  /* snw_gltf_filter */
	uint32_t stride; /* of an element, for compression */
	unsigned char *bytes;
	size_t count, capacity;
} document_view;

/* An array of the root with its length, which cJSON would count each time. */
typedef struct document_list {
	const char *name;
	cJSON *array;
	uint32_t count;
} document_list;

struct snw_gltf_document {
	cJSON *root;
	bool out_of_memory, compresses;
	document_list lists[16];
	uint32_t list_count;
	document_view *views;
	uint32_t view_count, view_capacity;
	uint32_t shared[SNW_GLTF_USE_COUNT]; /* views of several accessors; SNW_NONE before the first */
};

snw_gltf_document *snw_gltf_document_create(bool compresses) {
	snw_gltf_document *document = calloc(1, sizeof *document);
	if (document) {
		document->root = cJSON_CreateObject();
		document->compresses = compresses;
		document->out_of_memory = !document->root;
		for (uint32_t u = 0; u < SNW_GLTF_USE_COUNT; u++) {
			document->shared[u] = SNW_NONE;
		}
	}
	return document;
}

void snw_gltf_document_destroy(snw_gltf_document *document) {
	if (document) {
		for (uint32_t v = 0; v < document->view_count; v++) {
			free(document->views[v].bytes);
		}
		free(document->views);
		cJSON_Delete(document->root);
		free(document);
	}
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------------- */

cJSON *snw_gltf_root(snw_gltf_document *document) {
	return document->root;
}

void snw_gltf_put_item(snw_gltf_document *document, cJSON *parent, const char *name, cJSON *item) {
	const bool added = item && (name ? cJSON_AddItemToObject(parent, name, item) : cJSON_AddItemToArray(parent, item));
	if (!added) {
		cJSON_Delete(item);
		document->out_of_memory = true;
	}
}

/* If memory runs out, returns the root, so that the caller can add members to an object that is destroyed with the document. */
static cJSON *put_container(snw_gltf_document *document, cJSON *parent, const char *name, cJSON *item) {
	snw_gltf_put_item(document, parent, name, item);
	return document->out_of_memory ? document->root : item;
}

cJSON *snw_gltf_put_object(snw_gltf_document *document, cJSON *parent, const char *name) {
	return put_container(document, parent, name, cJSON_CreateObject());
}

cJSON *snw_gltf_put_array(snw_gltf_document *document, cJSON *parent, const char *name) {
	return put_container(document, parent, name, cJSON_CreateArray());
}

void snw_gltf_put_number(snw_gltf_document *document, cJSON *parent, const char *name, double value) {
	snw_gltf_put_item(document, parent, name, cJSON_CreateNumber(value));
}

void snw_gltf_put_numbers(snw_gltf_document *document, cJSON *parent, const char *name, const double *values, uint32_t count) {
	snw_gltf_put_item(document, parent, name, cJSON_CreateDoubleArray(values, (int)count));
}

/* Names come from any file: bytes that are not UTF-8 would make the document unreadable. */
void snw_gltf_put_text(snw_gltf_document *document, cJSON *parent, const char *name, const char *text) {
	char *clean = strdup(text);
	if (clean) {
		(void)snw_text_clean(clean, '?');
	}
	snw_gltf_put_item(document, parent, name, clean ? cJSON_CreateString(clean) : NULL);
	free(clean);
}

void snw_gltf_put_true(snw_gltf_document *document, cJSON *parent, const char *name) {
	snw_gltf_put_item(document, parent, name, cJSON_CreateTrue());
}

cJSON *snw_gltf_entry(snw_gltf_document *document, const char *name, uint32_t *index) {
	document_list *list = document->lists;
	while (list < document->lists + document->list_count && strcmp(list->name, name) != 0) {
		list++;
	}
	if (list == document->lists + document->list_count) {
		assert(document->list_count < sizeof document->lists / sizeof document->lists[0]);
		*list = (document_list){.name = name, .array = snw_gltf_put_array(document, document->root, name)};
		document->list_count++;
	}
	*index = list->count++;
	return snw_gltf_put_object(document, list->array, list->array == document->root ? name : NULL);
}

/* ---- buffer views -------------------------------------------------------------------------------------------------------- */

/* The view for one more accessor of this use: a new or a shared one. */
static uint32_t open_view(snw_gltf_document *document, snw_gltf_use use) {
	const bool shares =
		use == SNW_GLTF_SPARSE || use == SNW_GLTF_INVERSE_BINDS || (use == SNW_GLTF_CLIP && !document->compresses);
	if (shares && document->shared[use] != SNW_NONE) {
		return document->shared[use];
	}
	if (document->view_count == document->view_capacity) {
		const uint32_t capacity = document->view_capacity ? 2 * document->view_capacity : 64;
		document_view *views = realloc(document->views, capacity * sizeof *views);
		if (!views) {
			document->out_of_memory = true;
			return SNW_NONE;
		}
		document->views = views;
		document->view_capacity = capacity;
	}
	document->views[document->view_count] = (document_view){.use = (int32_t)use, .stride = 4};
	document->shared[use] = document->view_count;
	return document->view_count++;
}

/* Appends bytes at a multiple of four; returns their offset. */
static size_t append(snw_gltf_document *document, uint32_t index, const void *bytes, size_t count) {
	if (index == SNW_NONE) {
		return 0;
	}
	document_view *view = &document->views[index];
	const size_t begin = (view->count + 3) & ~(size_t)3;
	if (begin + count > view->capacity) {
		size_t capacity = view->capacity ? 2 * view->capacity : 0;
		capacity = capacity < begin + count ? begin + count : capacity;
		unsigned char *grown = realloc(view->bytes, capacity ? capacity : 1);
		if (!grown) {
			document->out_of_memory = true;
			return 0;
		}
		view->bytes = grown;
		view->capacity = capacity;
	}
	memset(view->bytes + view->count, 0, begin - view->count);
	if (count > 0) {
		memcpy(view->bytes + begin, bytes, count);
	}
	view->count = begin + count;
	return begin;
}

static void put_view(snw_gltf_document *document, cJSON *object, uint32_t view, size_t offset) {
	snw_gltf_put_number(document, object, "bufferView", view);
	if (offset > 0) {
		snw_gltf_put_number(document, object, "byteOffset", (double)offset);
	}
}

static cJSON *accessor(snw_gltf_document *document, int component, uint32_t width, uint32_t count, uint32_t *index) {
	const char *type = width == 1 ? "SCALAR" : width == 2 ? "VEC2" : width == 3 ? "VEC3" : width == 4 ? "VEC4" : "MAT4";
	cJSON *object = snw_gltf_entry(document, "accessors", index);
	snw_gltf_put_number(document, object, "componentType", component);
	snw_gltf_put_number(document, object, "count", count);
	snw_gltf_put_text(document, object, "type", type);
	return object;
}

static void write_value_bounds(snw_gltf_document *document, cJSON *object, uint32_t width, uint32_t count,
							   const float *values) {
	double low[16], high[16];
	for (uint32_t c = 0; c < width; c++) {
		low[c] = high[c] = (double)values[c];
		for (uint32_t i = 1; i < count; i++) {
			const double value = (double)values[(size_t)i * width + c];
			low[c] = value < low[c] ? value : low[c];
			high[c] = value > high[c] ? value : high[c];
		}
	}
	snw_gltf_put_numbers(document, object, "min", low, width);
	snw_gltf_put_numbers(document, object, "max", high, width);
}

/* Sets how a view of one accessor is compressed. */
static void describe_view(snw_gltf_document *document, uint32_t view, uint32_t stride, snw_gltf_filter filter) {
	if (view != SNW_NONE) {
		document->views[view].stride = stride;
		document->views[view].filter = (int32_t)filter;
	}
}

uint32_t snw_gltf_floats(snw_gltf_document *document, snw_gltf_use use, uint32_t width, uint32_t count, const float *values,
						 bool bounds) {
	const uint32_t view = open_view(document, use);
	const size_t offset = append(document, view, values, (size_t)count * width * sizeof *values);
	if (use == SNW_GLTF_VERTICES || (use == SNW_GLTF_CLIP && document->compresses)) {
		describe_view(document, view, width * (uint32_t)sizeof *values, SNW_GLTF_NO_FILTER);
	}
	uint32_t index;
	cJSON *object = accessor(document, COMPONENT_FLOAT, width, count, &index);
	put_view(document, object, view, offset);
	if (bounds && count > 0) {
		write_value_bounds(document, object, width, count, values);
	}
	return index;
}

uint32_t snw_gltf_vectors(snw_gltf_document *document, uint32_t width, uint32_t count, const float *values, int bits,
						  bool bounds) {
	const size_t numbers = (size_t)width * count;
	if (!document->compresses) {
		return snw_gltf_floats(document, SNW_GLTF_VERTICES, width, count, values, bounds);
	}
	uint32_t *encoded = malloc((numbers + 1) * sizeof *encoded);
	float *rounded = malloc((numbers + 1) * sizeof *rounded);
	uint32_t index = 0;
	if (encoded && rounded) {
		double largest = 0;
		for (size_t i = 0; i < numbers; i++) {
			largest = fmax(largest, fabs((double)values[i]));
		}
		const int exponent = snw_grid_exponent(largest, bits);
		for (size_t i = 0; i < numbers; i++) {
			rounded[i] = (float)snw_grid_round((double)values[i], exponent);
		}
		snw_gltf_encode_exponential(rounded, numbers, exponent, encoded);
		const uint32_t view = open_view(document, SNW_GLTF_VERTICES);
		append(document, view, encoded, numbers * sizeof *encoded);
		describe_view(document, view, 4 * width, SNW_GLTF_EXPONENTIAL);
		cJSON *object = accessor(document, COMPONENT_FLOAT, width, count, &index);
		put_view(document, object, view, 0);
		if (bounds && count > 0) {
			write_value_bounds(document, object, width, count, rounded);
		}
	} else {
		document->out_of_memory = true;
	}
	free(encoded);
	free(rounded);
	return index;
}

uint32_t snw_gltf_units(snw_gltf_document *document, uint32_t width, uint32_t count, const float *values) {
	int16_t *encoded = document->compresses ? malloc(((size_t)count + 1) * 4 * sizeof *encoded) : NULL;
	if (!encoded) {
		document->out_of_memory = document->out_of_memory || document->compresses;
		return snw_gltf_floats(document, SNW_GLTF_VERTICES, width, count, values, false);
	}
	snw_gltf_encode_octahedral(values, width, count, encoded);
	const uint32_t view = open_view(document, SNW_GLTF_VERTICES);
	append(document, view, encoded, (size_t)count * 4 * sizeof *encoded);
	describe_view(document, view, 4 * sizeof *encoded, SNW_GLTF_OCTAHEDRAL);
	free(encoded);
	uint32_t index;
	cJSON *object = accessor(document, COMPONENT_SIGNED_SHORT, width, count, &index);
	snw_gltf_put_true(document, object, "normalized");
	put_view(document, object, view, 0);
	return index;
}

uint32_t snw_gltf_weights(snw_gltf_document *document, uint32_t count, const float *values, bool are_bytes) {
	unsigned char *bytes = document->compresses && are_bytes ? malloc((size_t)count * 4 + 1) : NULL;
	if (!bytes) {
		document->out_of_memory = document->out_of_memory || (document->compresses && are_bytes);
		return snw_gltf_floats(document, SNW_GLTF_VERTICES, 4, count, values, false);
	}
	for (size_t i = 0; i < (size_t)count * 4; i++) {
		bytes[i] = (unsigned char)lround(255 * (double)values[i]);
	}
	const uint32_t view = open_view(document, SNW_GLTF_VERTICES);
	append(document, view, bytes, (size_t)count * 4);
	free(bytes);
	uint32_t index;
	cJSON *object = accessor(document, COMPONENT_BYTE, 4, count, &index);
	snw_gltf_put_true(document, object, "normalized");
	put_view(document, object, view, 0);
	return index;
}

uint32_t snw_gltf_sparse(snw_gltf_document *document, uint32_t count, const float *vectors, int bits, bool bounds) {
	uint32_t nonzero = 0;
	for (uint32_t i = 0; i < count; i++) {
		nonzero += vectors[3 * i] != 0 || vectors[3 * i + 1] != 0 || vectors[3 * i + 2] != 0;
	}
	/* An index takes a third of the bytes of a vector. */
	if (document->compresses || nonzero == 0 || nonzero > count / 4 * 3) {
		return snw_gltf_vectors(document, 3, count, vectors, bits, bounds);
	}
	uint32_t *places = malloc(nonzero * sizeof *places);
	float *values = malloc(nonzero * 3 * sizeof *values);
	if (!places || !values) {
		document->out_of_memory = true;
		free(places);
		free(values);
		return 0;
	}
	nonzero = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (vectors[3 * i] != 0 || vectors[3 * i + 1] != 0 || vectors[3 * i + 2] != 0) {
			memcpy(values + 3 * nonzero, vectors + 3 * i, 3 * sizeof *values);
			places[nonzero++] = i;
		}
	}
	uint32_t index;
	cJSON *object = accessor(document, COMPONENT_FLOAT, 3, count, &index);
	cJSON *sparse = snw_gltf_put_object(document, object, "sparse");
	snw_gltf_put_number(document, sparse, "count", nonzero);
	const uint32_t view = open_view(document, SNW_GLTF_SPARSE);
	cJSON *indices = snw_gltf_put_object(document, sparse, "indices");
	put_view(document, indices, view, append(document, view, places, nonzero * sizeof *places));
	snw_gltf_put_number(document, indices, "componentType", COMPONENT_INT);
	put_view(document, snw_gltf_put_object(document, sparse, "values"), view,
			 append(document, view, values, nonzero * 3 * sizeof *values));
	if (bounds) {
		write_value_bounds(document, object, 3, count, vectors);
	}
	free(places);
	free(values);
	return index;
}

uint32_t snw_gltf_integers(snw_gltf_document *document, snw_gltf_use use, uint32_t width, uint32_t count,
						   const uint32_t *values, uint32_t largest) {
	/* The largest value of a type restarts a strip and is not allowed as an index. Single bytes would break the alignment. */
	const size_t size = largest < UINT8_MAX && width == 4 ? 1 : largest < UINT16_MAX ? 2 : 4;
	const size_t total = (size_t)count * width;
	unsigned char *packed = malloc(total * size + 1);
	if (!packed) {
		document->out_of_memory = true;
		return 0;
	}
	for (size_t i = 0; i < total; i++) {
		const uint8_t byte = (uint8_t)values[i];
		const uint16_t half = (uint16_t)values[i];
		memcpy(packed + i * size, size == 1 ? (const void *)&byte : size == 2 ? (const void *)&half : &values[i], size);
	}
	const uint32_t view = open_view(document, use);
	const size_t offset = append(document, view, packed, total * size);
	describe_view(document, view, (uint32_t)(width * size), SNW_GLTF_NO_FILTER);
	free(packed);
	uint32_t index;
	cJSON *object = accessor(document,
							 size == 1   ? COMPONENT_BYTE
							 : size == 2 ? COMPONENT_SHORT
										 : COMPONENT_INT,
							 width, count, &index);
	put_view(document, object, view, offset);
	return index;
}

uint32_t snw_gltf_image_view(snw_gltf_document *document, const unsigned char *bytes, size_t count) {
	const uint32_t view = open_view(document, SNW_GLTF_IMAGE);
	append(document, view, bytes, count);
	return view;
}

/* ---- the container ------------------------------------------------------------------------------------------------------- */

static cJSON *list_view(snw_gltf_document *document, const document_view *view, uint32_t buffer, size_t offset) {
	uint32_t index;
	cJSON *object = snw_gltf_entry(document, "bufferViews", &index);
	snw_gltf_put_number(document, object, "buffer", buffer);
	if (offset > 0) {
		snw_gltf_put_number(document, object, "byteOffset", (double)offset);
	}
	snw_gltf_put_number(document, object, "byteLength", (double)view->count);
	if (view->use == SNW_GLTF_VERTICES || view->use == SNW_GLTF_INDICES) {
		snw_gltf_put_number(document, object, "target", view->use == SNW_GLTF_VERTICES ? 34962 : 34963);
	}
	return object;
}

static size_t padded(size_t count) {
	return (count + 3) & ~(size_t)3;
}

/* Lists the views and joins their bytes; NULL if memory runs out. */
static unsigned char *join_views(snw_gltf_document *document, size_t *count) {
	*count = 0;
	for (uint32_t v = 0; v < document->view_count; v++) {
		list_view(document, &document->views[v], 0, *count);
		*count += padded(document->views[v].count);
	}
	unsigned char *bytes = calloc(*count + 1, 1);
	document->out_of_memory = document->out_of_memory || !bytes;
	unsigned char *at = bytes;
	for (uint32_t v = 0; v < document->view_count && bytes; v++) {
		memcpy(at, document->views[v].bytes, document->views[v].count);
		at += padded(document->views[v].count);
	}
	return bytes;
}

static void put_compression(snw_gltf_document *document, cJSON *object, const document_view *view, size_t offset,
							size_t count) {
	if (view->use == SNW_GLTF_VERTICES) {
		snw_gltf_put_number(document, object, "byteStride", view->stride);
	}
	cJSON *extension = snw_gltf_put_object(document, snw_gltf_put_object(document, object, "extensions"), COMPRESSION);
	snw_gltf_put_number(document, extension, "buffer", 0);
	snw_gltf_put_number(document, extension, "byteOffset", (double)offset);
	snw_gltf_put_number(document, extension, "byteLength", (double)count);
	snw_gltf_put_number(document, extension, "byteStride", view->stride);
	const size_t element_count = view->count / view->stride;
	snw_gltf_put_number(document, extension, "count", (double)element_count);
	snw_gltf_put_text(document, extension, "mode", view->use == SNW_GLTF_INDICES ? "TRIANGLES" : "ATTRIBUTES");
	if (view->filter != SNW_GLTF_NO_FILTER) {
		snw_gltf_put_text(document, extension, "filter", snw_gltf_filter_name((snw_gltf_filter)view->filter));
	}
}

/* The same with compressed views, which name a second buffer that no file has; *decoded is its size. Pictures are as they
 * were. */
static unsigned char *join_compressed_views(snw_gltf_document *document, size_t *count, size_t *decoded) {
	unsigned char *bytes = calloc(1, 1);
	*count = *decoded = 0;
	for (uint32_t v = 0; v < document->view_count && bytes && !document->out_of_memory; v++) {
		document_view *view = &document->views[v];
		const bool is_picture = view->use == SNW_GLTF_IMAGE;
		size_t length = view->count;
		unsigned char *packed = is_picture ? view->bytes
										   : snw_gltf_compress(view->bytes, view->count / view->stride, view->stride,
															   view->use == SNW_GLTF_INDICES, &length);
		unsigned char *grown = packed ? realloc(bytes, padded(*count + length) + 1) : NULL;
		document->out_of_memory = !grown;
		bytes = grown ? grown : bytes;
		if (grown) {
			memset(bytes + *count + length, 0, padded(*count + length) - *count - length + 1);
			memcpy(bytes + *count, packed, length);
			cJSON *object = list_view(document, view, is_picture ? 0 : 1, is_picture ? *count : *decoded);
			if (!is_picture) {
				put_compression(document, object, view, *count, length);
				*decoded += padded(view->count);
			}
			*count += padded(length);
		}
		if (!is_picture) {
			free(packed);
		}
	}
	document->out_of_memory = document->out_of_memory || !bytes;
	return bytes;
}

static cJSON *list_extensions(snw_gltf_document *document) {
	cJSON *used = cJSON_GetObjectItemCaseSensitive(document->root, "extensionsUsed");
	return used ? used : snw_gltf_put_array(document, document->root, "extensionsUsed");
}

void snw_gltf_use_extension(snw_gltf_document *document, const char *name) {
	cJSON *list = list_extensions(document);
	for (const cJSON *used = list ? list->child : NULL; used; used = used->next) {
		if (strcmp(used->valuestring, name) == 0) {
			return;
		}
	}
	snw_gltf_put_text(document, list, NULL, name);
}

cJSON *snw_gltf_root_extensions(snw_gltf_document *document) {
	return snw_gltf_put_object(document, document->root, "extensions");
}

/* The buffer that compressed views are in once they are decoded. */
static void put_decoded_buffer(snw_gltf_document *document, size_t byte_count) {
	static const char *const extensions[] = {"KHR_mesh_quantization", COMPRESSION};
	uint32_t index;
	cJSON *object = snw_gltf_entry(document, "buffers", &index);
	snw_gltf_put_number(document, object, "byteLength", (double)byte_count);
	cJSON *extension = snw_gltf_put_object(document, snw_gltf_put_object(document, object, "extensions"), COMPRESSION);
	snw_gltf_put_true(document, extension, "fallback");
	cJSON *used = list_extensions(document);
	cJSON *required = snw_gltf_put_array(document, document->root, "extensionsRequired");
	for (int i = 0; i < 2; i++) {
		snw_gltf_put_text(document, used, NULL, extensions[i]);
		snw_gltf_put_text(document, required, NULL, extensions[i]);
	}
}

/* A data URI, RFC 2397 and 4648. `count` need not be a multiple of three. */
static char *data_uri(const unsigned char *bytes, size_t count) {
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	static const char head[] = "data:application/octet-stream;base64,";
	char *uri = malloc(sizeof head + (count + 2) / 3 * 4);
	if (!uri) {
		return NULL;
	}
	memcpy(uri, head, sizeof head - 1);
	char *out = uri + sizeof head - 1;
	for (size_t i = 0; i < count; i += 3) {
		const size_t remaining = count - i;
		const uint32_t three = (uint32_t)bytes[i] << 16 | (remaining > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
							   (remaining > 2 ? (uint32_t)bytes[i + 2] : 0);
		*out++ = digits[three >> 18];
		*out++ = digits[three >> 12 & 63];
		*out++ = remaining > 1 ? digits[three >> 6 & 63] : '=';
		*out++ = remaining > 2 ? digits[three & 63] : '=';
	}
	*out = 0;
	return uri;
}

/* Header, JSON padded by spaces, buffer padded by zeros: glTF 2.0, section 4.4. */
typedef struct file_head {
	uint32_t magic, version, whole, json, type;
} file_head;

static file_head binary_head(const char *json, size_t buffer_count) {
	const uint32_t padded = ((uint32_t)strlen(json) + 3) / 4 * 4, chunk = buffer_count > 0 ? 8 + (uint32_t)buffer_count : 0;
	return (file_head){0x46546c67, 2, (uint32_t)sizeof(file_head) + padded + chunk, padded, 0x4e4f534a};
}

static void write_binary(FILE *stream, const char *json, const unsigned char *buffer, size_t buffer_count) {
	const file_head head = binary_head(json, buffer_count);
	const size_t json_count = strlen(json);
	fwrite(&head, 1, sizeof head, stream);
	fwrite(json, 1, json_count, stream);
	fwrite("   ", 1, head.json - json_count, stream);
	if (buffer_count > 0) {
		const uint32_t chunk[2] = {(uint32_t)buffer_count, 0x004e4942};
		fwrite(chunk, 1, sizeof chunk, stream);
		fwrite(buffer, 1, buffer_count, stream);
	}
}

static snw_status write_gltf_file(const char *path, bool binary, const char *json, const unsigned char *buffer,
								  size_t buffer_count, snw_error *error) {
	snw_file_write *file = NULL;
	const snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	if (binary) {
		write_binary(snw_file_write_stream(file), json, buffer, buffer_count);
	} else {
		fputs(json, snw_file_write_stream(file));
	}
	return snw_file_write_commit(file, error);
}

snw_status snw_gltf_document_write(snw_gltf_document *document, const char *path, FILE *stream, bool is_binary,
								   uint64_t *byte_count, snw_error *error) {
	size_t buffer_count = 0, decoded_count = 0;
	char *uri = NULL, *json = NULL;
	snw_status status = SNW_OK;
	unsigned char *buffer = document->compresses ? join_compressed_views(document, &buffer_count, &decoded_count)
												 : join_views(document, &buffer_count);
	if (buffer && buffer_count > 0) {
		uint32_t index;
		cJSON *object = snw_gltf_entry(document, "buffers", &index);
		snw_gltf_put_number(document, object, "byteLength", (double)buffer_count);
		if (!is_binary) {
			uri = data_uri(buffer, buffer_count);
			snw_gltf_put_item(document, object, "uri", uri ? cJSON_CreateStringReference(uri) : NULL);
		}
	}
	if (decoded_count > 0) {
		put_decoded_buffer(document, decoded_count);
	}
	json = document->out_of_memory ? NULL : is_binary ? cJSON_PrintUnformatted(document->root) : cJSON_Print(document->root);
	if (!json) {
		status = snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory for %zu MB of glTF; export fewer clips at a time", path,
						  buffer_count >> 20);
	} else if (buffer_count + strlen(json) > UINT32_MAX - 32) {
		status = snw_fail(error, SNW_ERROR_LIMIT, "%s: over 4 GiB, which glTF cannot hold; export fewer clips at a time", path);
	} else {
		*byte_count = is_binary ? binary_head(json, buffer_count).whole : strlen(json);
		status = path ? write_gltf_file(path, is_binary, json, buffer, buffer_count, error) : SNW_OK;
		if (!path && stream) {
			write_binary(stream, json, buffer, buffer_count);
		}
	}
	free(json);
	free(uri);
	free(buffer);
	return status;
}
