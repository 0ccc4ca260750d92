/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "fbx/format.h"
#include "sinew/algebra.h"

/* ---- rotations ----------------------------------------------------------------------------------------------------------- */

/* Euler angles: FBX turns about the first axis of an order first. */

#define PI 3.14159265358979323846

void snw_fbx_euler(const double degrees[3], int order, double rotation[4]) {
	static const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
	double product[4] = {0, 0, 0, 1};
	for (int i = 0; i < 3; i++) {
		const int axis = axes[order][i];
		const double half = degrees[axis] * (PI / 360);
		double about_axis[4] = {0, 0, 0, cos(half)};
		about_axis[axis] = sin(half);
		snw_quat_multiply(about_axis, product, product);
	}
	memcpy(rotation, product, sizeof product);
}

/* Where the middle axis is turned by a right angle the other two are one: then all of it goes to the first of the order. */
void snw_fbx_angles(const double rotation[4], int order, double degrees[3]) {
	const bool is_xyz = order == SNW_FBX_XYZ;
	double m[12];
	snw_quat_to_mat34(rotation, m);
	const double sine = is_xyz ? -m[8] : m[2];
	const double cosine = is_xyz ? hypot(m[0], m[4]) : hypot(m[0], m[1]);
	double x = is_xyz ? atan2(m[9], m[10]) : atan2(-m[6], m[10]);
	double z = is_xyz ? atan2(m[4], m[0]) : atan2(-m[1], m[0]);
	if (cosine < 1e-7) {
		x = is_xyz ? atan2(-m[6], m[5]) : 0;
		z = is_xyz ? 0 : atan2(m[4], m[5]);
	}
	degrees[0] = 180 / PI * x;
	degrees[1] = 180 / PI * atan2(sine, cosine);
	degrees[2] = 180 / PI * z;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

typedef struct writer {
	FILE *stream;
	uint32_t version;
	uint64_t at; /* bytes written */
} writer;

static void write_bytes(writer *w, const void *bytes, size_t count) {
	fwrite(bytes, 1, count, w->stream);
	w->at += count;
}

static void write_little(writer *w, uint64_t number, unsigned bytes) {
	unsigned char little[8];
	for (unsigned i = 0; i < bytes; i++) {
		little[i] = (unsigned char)(number >> 8 * i);
	}
	write_bytes(w, little, bytes);
}

static void write_zeros(writer *w, unsigned count) {
	static const unsigned char zeros[120];
	write_bytes(w, zeros, count);
}

/* ---- sizes --------------------------------------------------------------------------------------------------------------- */

static unsigned width_of(uint32_t version) {
	return version >= SNW_FBX_WIDE_OFFSETS ? 8 : 4;
}

static unsigned scalar_bytes(char type) {
	return type == 'C' ? 1 : type == 'Y' ? 2 : type == 'I' || type == 'F' ? 4 : 8;
}

static uint64_t value_bytes(const snw_fbx_value *value) {
	const bool has_head = value->kind == SNW_FBX_ARRAY, has_count = value->kind == SNW_FBX_TEXT;
	return 1 + (has_head ? 12 + value->bytes.count : has_count ? 4 + value->bytes.count : scalar_bytes(value->type));
}

static uint64_t values_bytes(const snw_fbx_node *node) {
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < node->value_count; i++) {
		bytes += value_bytes(&node->values[i]);
	}
	return bytes;
}

/* The record of zeros after the children of a node, which readers also expect in one that could have some. */
static unsigned end_bytes(const snw_fbx_node *node, uint32_t version) {
	return node->child || node->value_count == 0 ? 3 * width_of(version) + 1 : 0;
}

uint64_t snw_fbx_node_bytes(const snw_fbx_node *node, uint32_t version) {
	uint64_t bytes = 3 * width_of(version) + 1 + node->name_length + values_bytes(node) + end_bytes(node, version);
	for (const snw_fbx_node *child = node->child; child; child = child->next) {
		bytes += snw_fbx_node_bytes(child, version);
	}
	return bytes;
}

/* ---- records ------------------------------------------------------------------------------------------------------------- */

static void write_value(writer *w, const snw_fbx_value *value) {
	write_bytes(w, &value->type, 1);
	if (value->kind == SNW_FBX_ARRAY) {
		write_little(w, value->count, 4);
		write_little(w, value->is_deflated, 4);
		write_little(w, value->bytes.count, 4);
		write_bytes(w, value->bytes.data, value->bytes.count);
	} else if (value->kind == SNW_FBX_TEXT) {
		write_little(w, value->bytes.count, 4);
		write_bytes(w, value->bytes.data, value->bytes.count);
	} else if (value->kind == SNW_FBX_INTEGER) {
		write_little(w, (uint64_t)value->integer, scalar_bytes(value->type));
	} else {
		const float number = (float)value->number;
		uint64_t bits = 0;
		memcpy(&bits, value->type == 'F' ? (const void *)&number : &value->number, scalar_bytes(value->type));
		write_little(w, bits, scalar_bytes(value->type));
	}
}

static void write_node(writer *w, const snw_fbx_node *node) {
	const unsigned width = width_of(w->version);
	write_little(w, w->at + snw_fbx_node_bytes(node, w->version), width);
	write_little(w, node->value_count, width);
	write_little(w, values_bytes(node), width);
	write_little(w, node->name_length, 1);
	write_bytes(w, node->name, node->name_length);
	for (uint32_t i = 0; i < node->value_count; i++) {
		write_value(w, &node->values[i]);
	}
	for (const snw_fbx_node *child = node->child; child; child = child->next) {
		write_node(w, child);
	}
	write_zeros(w, end_bytes(node, w->version));
}

/* The numbers around the version are the same in every file. */
static void write_footer(writer *w) {
	static const unsigned char first[] = {0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66,
										  0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e};
	static const unsigned char last[] = {0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e,
										 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b};
	write_bytes(w, first, sizeof first);
	write_zeros(w, 4);
	write_zeros(w, 16 - w->at % 16);
	write_little(w, w->version, 4);
	write_zeros(w, 120);
	write_bytes(w, last, sizeof last);
}

void snw_fbx_write_binary(FILE *stream, const snw_fbx_node *root, uint32_t version) {
	static const char head[SNW_FBX_VERSION_AT] = SNW_FBX_MAGIC "\0\x1a";
	writer w = {.stream = stream, .version = version};
	write_bytes(&w, head, sizeof head);
	write_little(&w, version, 4);
	for (const snw_fbx_node *node = root->child; node; node = node->next) {
		write_node(&w, node);
	}
	write_zeros(&w, 3 * width_of(version) + 1);
	write_footer(&w);
}
