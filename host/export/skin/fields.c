/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/skin/fields.h"

#include <string.h>

enum { FIELDS_VERSION = 1, ALIGNMENT = 16, NAME_BYTES = 16, HEAD_BYTES = 16, ENTRY_BYTES = 40, LEAST_ROOM = 4096 };

/* Of an element: the bytes of a number, and how many. */
static const struct {
	const char *name;
	uint32_t bytes_each, numbers;
} field_kinds[SNW_SKIN_FIELD_COUNT] = {
	[SNW_SKIN_NAMES] = {"names", 1, 1},
	[SNW_SKIN_JOINT_NAMES] = {"joint.names", 4, 1},
	[SNW_SKIN_JOINT_PARENTS] = {"joint.parents", 4, 1},
	[SNW_SKIN_JOINT_RESTS] = {"joint.rests", 8, 10},
	[SNW_SKIN_SLOT_JOINTS] = {"slot.joints", 4, 1},
	[SNW_SKIN_SLOT_BINDS] = {"slot.binds", 8, 12},
	[SNW_SKIN_MESH_NAMES] = {"mesh.names", 4, 1},
	[SNW_SKIN_MESH_BLENDS] = {"mesh.blends", 4, 1},
	[SNW_SKIN_MESH_POINTS] = {"mesh.points", 4, 1},
	[SNW_SKIN_MESH_TRIANGLES] = {"mesh.triangles", 4, 1},
	[SNW_SKIN_POINT_RESTS] = {"point.rests", 4, 3},
	[SNW_SKIN_POINT_SOURCES] = {"point.sources", 4, 3},
	[SNW_SKIN_POINT_SLOTS] = {"point.slots", 4, 8},
	[SNW_SKIN_POINT_WEIGHTS] = {"point.weights", 4, 8},
	[SNW_SKIN_TRIANGLES] = {"triangles", 4, 3},
	[SNW_SKIN_MORPH_NAMES] = {"morph.names", 4, 1},
	[SNW_SKIN_MORPH_MESHES] = {"morph.meshes", 4, 1},
	[SNW_SKIN_MORPH_MOVES] = {"morph.moves", 4, 1},
	[SNW_SKIN_MORPH_WEIGHTS] = {"morph.weights", 8, 1},
	[SNW_SKIN_MOVE_POINTS] = {"move.points", 4, 1},
	[SNW_SKIN_MOVE_VECTORS] = {"move.vectors", 4, 3},
	[SNW_SKIN_DRIVES] = {"drives", 4, 5},
	[SNW_SKIN_DRIVE_INTEGERS] = {"drive.integers", 4, 1},
	[SNW_SKIN_DRIVE_NUMBERS] = {"drive.numbers", 8, 1},
};

struct snw_skin_fields {
	snw_arena *arena;
	struct {
		unsigned char *bytes;
		size_t count, room;
	} list[SNW_SKIN_FIELD_COUNT];
};

snw_skin_fields *snw_skin_fields_create(snw_arena *arena) {
	snw_skin_fields *fields = SNW_NEW(arena, snw_skin_fields);
	fields->arena = arena;
	return fields;
}

static void put(snw_skin_fields *fields, snw_skin_field field, const void *bytes, size_t count) {
	unsigned char *before = fields->list[field].bytes;
	const size_t used = fields->list[field].count;
	if (used + count > fields->list[field].room) {
		fields->list[field].room = 2 * (used + count) + LEAST_ROOM;
		fields->list[field].bytes = snw_arena_array(fields->arena, fields->list[field].room, 1);
		if (used > 0) {
			memcpy(fields->list[field].bytes, before, used);
		}
	}
	memcpy(fields->list[field].bytes + used, bytes, count);
	fields->list[field].count += count;
}

/* Little endian on any processor. */
static void put_bits(snw_skin_fields *fields, snw_skin_field field, uint64_t bits, size_t count) {
	unsigned char bytes[8];
	for (size_t i = 0; i < count; i++) {
		bytes[i] = (unsigned char)(bits >> (8 * i));
	}
	put(fields, field, bytes, count);
}

void snw_skin_put_integer(snw_skin_fields *fields, snw_skin_field field, uint32_t value) {
	put_bits(fields, field, value, sizeof value);
}

void snw_skin_put_float(snw_skin_fields *fields, snw_skin_field field, float value) {
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_bits(fields, field, bits, sizeof bits);
}

void snw_skin_put_numbers(snw_skin_fields *fields, snw_skin_field field, const double *values, size_t count) {
	for (size_t i = 0; i < count; i++) {
		uint64_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		put_bits(fields, field, bits, sizeof bits);
	}
}

void snw_skin_put_name(snw_skin_fields *fields, snw_skin_field field, const char *name) {
	snw_skin_put_integer(fields, field, snw_skin_count(fields, SNW_SKIN_NAMES));
	put(fields, SNW_SKIN_NAMES, name, strlen(name) + 1);
}

uint32_t snw_skin_count(const snw_skin_fields *fields, snw_skin_field field) {
	return (uint32_t)(fields->list[field].count / ((size_t)field_kinds[field].bytes_each * field_kinds[field].numbers));
}

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

static void write_bits(FILE *stream, uint64_t bits, size_t count) {
	for (size_t i = 0; i < count; i++) {
		fputc((int)(bits >> (8 * i) & 0xff), stream);
	}
}

static uint64_t aligned(uint64_t offset) {
	return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t snw_skin_fields_write(const snw_skin_fields *fields, FILE *stream) {
	uint64_t offset = aligned(HEAD_BYTES + (uint64_t)SNW_SKIN_FIELD_COUNT * ENTRY_BYTES);
	uint64_t written = HEAD_BYTES + (uint64_t)SNW_SKIN_FIELD_COUNT * ENTRY_BYTES;
	fwrite("SNWSKIN", 1, 8, stream);
	write_bits(stream, FIELDS_VERSION, 4);
	write_bits(stream, SNW_SKIN_FIELD_COUNT, 4);
	for (int f = 0; f < SNW_SKIN_FIELD_COUNT; f++) {
		char name[NAME_BYTES] = {0};
		memcpy(name, field_kinds[f].name, strlen(field_kinds[f].name));
		fwrite(name, 1, sizeof name, stream);
		write_bits(stream, field_kinds[f].bytes_each, 4);
		write_bits(stream, 0, 4);
		write_bits(stream, offset, 8);
		write_bits(stream, snw_skin_count(fields, (snw_skin_field)f), 8);
		offset = aligned(offset + fields->list[f].count);
	}
	for (int f = 0; f < SNW_SKIN_FIELD_COUNT; f++) {
		const uint64_t padding = aligned(written) - written;
		write_bits(stream, 0, padding > 8 ? 8 : padding);
		write_bits(stream, 0, padding > 8 ? padding - 8 : 0);
		fwrite(fields->list[f].bytes ? fields->list[f].bytes : (const unsigned char *)"", 1, fields->list[f].count, stream);
		written += padding + fields->list[f].count;
	}
	return written;
}
