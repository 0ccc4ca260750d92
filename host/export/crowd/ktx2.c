/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/crowd/ktx2.h"

#include <math.h>
#include <string.h>

#include "file/file.h"

enum {
	VK_RGBA16_SFLOAT = 97,
	VK_RGBA32_SFLOAT = 109,
	HEADER_BYTES = 80,
	LEVEL_INDEX_BYTES = 24,
	BLOCK_BYTES = 24 + 4 * 16, /* of the descriptor */
	DATA_OFFSET = 208,         /* the first multiple of 16 after those and the descriptor's size */
};

static unsigned char *put16(unsigned char *to, uint32_t value) {
	to[0] = (unsigned char)value;
	to[1] = (unsigned char)(value >> 8);
	return to + 2;
}

static unsigned char *put32(unsigned char *to, uint32_t value) {
	return put16(put16(to, value), value >> 16);
}

static unsigned char *put64(unsigned char *to, uint64_t value) {
	return put32(put32(to, (uint32_t)value), (uint32_t)(value >> 32));
}

static unsigned char *put_header(unsigned char *to, bool is_half, uint32_t width, uint32_t height, uint64_t bytes) {
	static const unsigned char identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
	memcpy(to, identifier, sizeof identifier);
	to = put32(to + sizeof identifier, is_half ? VK_RGBA16_SFLOAT : VK_RGBA32_SFLOAT);
	const uint32_t sizes[] = {is_half ? 2 : 4, width, height, 0, 0, 1, 1, 0}; /* one face, one level */
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		to = put32(to, sizes[i]);
	}
	to = put32(to, HEADER_BYTES + LEVEL_INDEX_BYTES); /* the descriptor */
	to = put32(to, 4 + BLOCK_BYTES);
	to = put64(to, 0); /* no keys and values */
	to = put64(put64(to, 0), 0);
	return put64(put64(put64(to, DATA_OFFSET), bytes), bytes);
}

/* Four samples, linear, signed floats from −1 to 1. */
static void put_descriptor(unsigned char *to, bool is_half) {
	static const unsigned char channels[4] = {0, 1, 2, 15};
	enum { RGBSDA = 1, BT709 = 1, LINEAR = 1, SIGNED_FLOAT = 0xC0, VERSION = 2 };
	const uint32_t bits = is_half ? 16 : 32;
	to = put32(to, 4 + BLOCK_BYTES);
	to = put32(to, 0); /* vendor and type: the basic descriptor of Khronos */
	to = put16(put16(to, VERSION), BLOCK_BYTES);
	to = put32(to, RGBSDA | BT709 << 8 | LINEAR << 16);
	to = put32(to, 0);                        /* texel blocks of one texel */
	to = put64(to, (uint64_t)4 * (bits / 8)); /* bytes of a plane */
	for (uint32_t c = 0; c < 4; c++) {
		to = put16(to, c * bits);
		to = put16(to, (bits - 1) | (uint32_t)(channels[c] | SIGNED_FLOAT) << 8);
		to = put32(put32(put32(to, 0), 0xBF800000u), 0x3F800000u);
	}
}

snw_status snw_ktx2_write(const char *path, bool is_half, uint32_t width, uint32_t height, const void *texels,
						  snw_error *error) {
	unsigned char head[DATA_OFFSET] = {0};
	const size_t bytes = (size_t)width * height * (is_half ? 8 : 16);
	snw_file_write *file = NULL;
	const snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	put_descriptor(put_header(head, is_half, width, height, bytes), is_half);
	fwrite(head, 1, sizeof head, snw_file_write_stream(file));
	fwrite(texels, 1, bytes, snw_file_write_stream(file));
	return snw_file_write_commit(file, error);
}

/* ---- half floats --------------------------------------------------------------------------------------------------- */

uint16_t snw_half_of(float value) {
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	const uint32_t sign = bits >> 16 & 0x8000;
	const float size = fabsf(value);
	if (isnan(value)) {
		return (uint16_t)(sign | 0x7E00);
	}
	if (size >= 65520.0f) {
		return (uint16_t)(sign | 0x7C00);
	}
	if (size < 0x1p-14f) { /* steps of 2^-24 */
		return (uint16_t)(sign | (uint32_t)rintf(size * 0x1p24f));
	}
	const uint32_t rounded = (bits & 0x7FFFFFFF) + 0xFFF + (bits >> 13 & 1);
	return (uint16_t)(sign | ((rounded >> 13) - (112u << 10)));
}

float snw_half_value(uint16_t half) {
	const uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3FF;
	const float sign = half & 0x8000 ? -1.0f : 1.0f;
	if (exponent == 31) {
		return mantissa ? NAN : sign * INFINITY;
	}
	return exponent == 0 ? sign * (float)mantissa * 0x1p-24f : sign * ldexpf((float)(mantissa | 0x400), (int)exponent - 25);
}
