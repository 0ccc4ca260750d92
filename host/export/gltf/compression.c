/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/gltf/compression.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL_BITS = 12 };

const char *snw_gltf_filter_name(snw_gltf_filter filter) {
	return filter == SNW_GLTF_OCTAHEDRAL ? "OCTAHEDRAL" : filter == SNW_GLTF_EXPONENTIAL ? "EXPONENTIAL" : NULL;
}

/* An exponent of 8 bits above a mantissa of 24. */
void snw_gltf_encode_exponential(const float *values, size_t count, int exponent, uint32_t *dest) {
	for (size_t i = 0; i < count; i++) {
		const int32_t mantissa = (int32_t)lround(ldexp((double)values[i], -exponent));
		dest[i] = (uint32_t)exponent << 24 | ((uint32_t)mantissa & 0xffffffu);
	}
}

void snw_gltf_encode_octahedral(const float *vectors, uint32_t width, size_t count, int16_t *dest) {
	for (size_t i = 0; i < count; i++) {
		float vector[4] = {0, 0, 0, 1};
		memcpy(vector, vectors + i * width, width * sizeof *vector);
		meshopt_encodeFilterOct(dest + 4 * i, 1, 4 * sizeof *dest, NORMAL_BITS, vector);
	}
}

static unsigned char *compress_triangles(const unsigned char *elements, size_t count, size_t stride, size_t *byte_count) {
	unsigned *indices = malloc((count + 1) * sizeof *indices), most = 0;
	for (size_t i = 0; i < count && indices; i++) {
		uint16_t half;
		memcpy(&half, elements + i * stride, sizeof half);
		indices[i] = half;
		if (stride == sizeof *indices) {
			memcpy(&indices[i], elements + i * stride, sizeof *indices);
		}
		most = indices[i] > most ? indices[i] : most;
	}
	const size_t bound = meshopt_encodeIndexBufferBound(count, (size_t)most + 1);
	unsigned char *bytes = indices ? malloc(bound + 1) : NULL;
	if (bytes) {
		*byte_count = meshopt_encodeIndexBuffer(bytes, bound, indices, count);
	}
	free(indices);
	return bytes;
}

unsigned char *snw_gltf_compress(const unsigned char *elements, size_t count, size_t stride, bool are_triangles,
								 size_t *byte_count) {
	if (are_triangles) {
		return compress_triangles(elements, count, stride, byte_count);
	}
	const size_t bound = meshopt_encodeVertexBufferBound(count, stride);
	unsigned char *bytes = malloc(bound + 1);
	if (bytes) {
		*byte_count = meshopt_encodeVertexBuffer(bytes, bound, elements, count, stride);
	}
	return bytes;
}

void snw_gltf_order_triangles(uint32_t *indices, size_t count, uint32_t vertex_count) {
	meshopt_optimizeVertexCache(indices, indices, count, vertex_count);
}

void snw_gltf_order_vertices(const uint32_t *indices, size_t count, uint32_t vertex_count, uint32_t *order) {
	bool *is_placed = calloc((size_t)vertex_count + 1, sizeof *is_placed);
	uint32_t next = 0;
	for (size_t i = 0; i < count && is_placed; i++) {
		if (!is_placed[indices[i]]) {
			is_placed[indices[i]] = true;
			order[next++] = indices[i];
		}
	}
	for (uint32_t v = 0; v < vertex_count; v++) {
		if (!is_placed) {
			order[v] = v; /* out of memory: the order is only worse */
		} else if (!is_placed[v]) {
			order[next++] = v;
		}
	}
	free(is_placed);
}
