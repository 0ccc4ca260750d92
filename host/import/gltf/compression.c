/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compressed buffer views: EXT_meshopt_compression, decoded by meshoptimizer. Its decoders accept any bytes; what they assume
 * of counts and strides is checked here.
 */
#include <meshoptimizer.h>
#include <string.h>

#include "import/gltf/document.h"

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
