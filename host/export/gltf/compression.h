/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How buffer views are compressed: by meshoptimizer's codecs and the filters of EXT_meshopt_compression.
 */
#ifndef SINEW_HOST_EXPORT_GLTF_COMPRESSION_H
#define SINEW_HOST_EXPORT_GLTF_COMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the elements of a view are stored. */
typedef enum snw_gltf_filter { SNW_GLTF_NO_FILTER, SNW_GLTF_OCTAHEDRAL, SNW_GLTF_EXPONENTIAL } snw_gltf_filter;

/* As the extension names them; NULL for none. */
const char *snw_gltf_filter_name(snw_gltf_filter filter);

/* Numbers as multiples of 2^exponent, one exponent for all, which the exponential filter decodes. */
void snw_gltf_encode_exponential(const float *values, size_t count, int exponent, uint32_t *dest);

/* Unit vectors of `width` 3 or 4 (then the last is 1 or −1) as four 16-bit numbers each, which the octahedral filter
 * decodes. */
void snw_gltf_encode_octahedral(const float *vectors, uint32_t width, size_t count, int16_t *dest);

/* Compressed elements, to be freed; NULL if memory runs out. Triangles are indices of 2 or 4 bytes, their number a multiple of
 * three; attributes have a stride that is a multiple of 4, up to 256. */
unsigned char *snw_gltf_compress(const unsigned char *elements, size_t count, size_t stride, bool are_triangles,
								 size_t *byte_count);

/* Orders triangles so that they compress well; then the vertices by their first use: place [vertex_count] → the vertex.
 * Vertices without a triangle come last. */
void snw_gltf_order_triangles(uint32_t *indices, size_t count, uint32_t vertex_count);
void snw_gltf_order_vertices(const uint32_t *indices, size_t count, uint32_t vertex_count, uint32_t *order);

#endif
