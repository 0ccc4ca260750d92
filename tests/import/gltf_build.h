/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small .gltf files written by hand for tests: numbers are appended to one buffer, each array an accessor; the rest is JSON.
 */
#ifndef SINEW_TESTS_GLTF_BUILD_H
#define SINEW_TESTS_GLTF_BUILD_H

#include "check.h"

typedef struct build {
	unsigned char bytes[4096];
	size_t count;
	char views[4096], accessors[4096];
	int accessor_count;
} build;

static inline const char *build_type(int width) {
	return width == 1 ? "SCALAR" : width == 2 ? "VEC2" : width == 3 ? "VEC3" : width == 4 ? "VEC4" : "MAT4";
}

/* An accessor over bytes of its own; `extra` is JSON to go into it: "\"normalized\": true, ". Returns its index. */
static inline int build_array(build *b, const void *values, size_t bytes, int component, int width, int count,
							  const char *extra) {
	while (b->count % 4) {
		b->count++;
	}
	assert_true(b->count + bytes <= sizeof b->bytes);
	memcpy(b->bytes + b->count, values, bytes);
	snprintf(b->views + strlen(b->views), sizeof b->views - strlen(b->views),
			 "%s{\"buffer\": 0, \"byteOffset\": %zu, \"byteLength\": %zu}", b->accessor_count ? ", " : "", b->count, bytes);
	snprintf(b->accessors + strlen(b->accessors), sizeof b->accessors - strlen(b->accessors),
			 "%s{%s\"bufferView\": %d, \"componentType\": %d, \"type\": \"%s\", \"count\": %d}", b->accessor_count ? ", " : "",
			 extra, b->accessor_count, component, build_type(width), count);
	b->count += bytes;
	return b->accessor_count++;
}

static inline int build_floats(build *b, const float *values, int width, int count) {
	return build_array(b, values, (size_t)width * (size_t)count * sizeof values[0], 5126, width, count, "");
}

static inline int build_shorts(build *b, const uint16_t *values, int width, int count) {
	return build_array(b, values, (size_t)width * (size_t)count * sizeof values[0], 5123, width, count, "");
}

/* Writes the file; `rest` is the JSON of everything but asset, buffers, views and accessors. Returns its path. */
static inline const char *build_write(const build *b, const char *name, const char *rest) {
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *path = check_scratch(name);
	FILE *stream = fopen(path, "wb");
	assert_non_null(stream);
	fprintf(stream, "{\"asset\": {\"version\": \"2.0\"}, \"bufferViews\": [%s], \"accessors\": [%s], ", b->views, b->accessors);
	fprintf(stream, "\"buffers\": [{\"byteLength\": %zu, \"uri\": \"data:application/octet-stream;base64,", b->count);
	for (size_t i = 0; i < b->count; i += 3) {
		const unsigned bits = (unsigned)b->bytes[i] << 16 | (unsigned)b->bytes[i + 1] << 8 | b->bytes[i + 2];
		fprintf(stream, "%c%c%c%c", digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63], digits[bits & 63]);
	}
	fprintf(stream, "\"}], %s}", rest);
	fclose(stream);
	return path;
}

#endif
