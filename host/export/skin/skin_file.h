/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fields of a skin file (docs/skin-file.md), collected in memory.
 */
#ifndef SINEW_HOST_EXPORT_SKIN_SKIN_FILE_H
#define SINEW_HOST_EXPORT_SKIN_SKIN_FILE_H

#include <stdio.h>

#include "export/plan/plan.h"

typedef enum snw_skin_field {
	SNW_SKIN_NAMES,
	SNW_SKIN_JOINT_NAMES,
	SNW_SKIN_JOINT_PARENTS,
	SNW_SKIN_JOINT_RESTS,
	SNW_SKIN_SLOT_JOINTS,
	SNW_SKIN_SLOT_BINDS,
	SNW_SKIN_MESH_NAMES,
	SNW_SKIN_MESH_BLENDS,
	SNW_SKIN_MESH_POINTS,
	SNW_SKIN_MESH_TRIANGLES,
	SNW_SKIN_POINT_RESTS,
	SNW_SKIN_POINT_SOURCES,
	SNW_SKIN_POINT_SLOTS,
	SNW_SKIN_POINT_WEIGHTS,
	SNW_SKIN_TRIANGLES,
	SNW_SKIN_MORPH_NAMES,
	SNW_SKIN_MORPH_MESHES,
	SNW_SKIN_MORPH_MOVES,
	SNW_SKIN_MORPH_WEIGHTS,
	SNW_SKIN_MOVE_POINTS,
	SNW_SKIN_MOVE_VECTORS,
	SNW_SKIN_DRIVES,
	SNW_SKIN_DRIVE_INTEGERS,
	SNW_SKIN_DRIVE_NUMBERS,
	SNW_SKIN_FIELD_COUNT
} snw_skin_field;

typedef struct snw_skin_fields snw_skin_fields;
snw_skin_fields *snw_skin_fields_create(snw_arena *arena);

void snw_skin_put_integer(snw_skin_fields *fields, snw_skin_field field, uint32_t value);
void snw_skin_put_float(snw_skin_fields *fields, snw_skin_field field, float value);
void snw_skin_put_numbers(snw_skin_fields *fields, snw_skin_field field, const double *values, size_t count);
/* The text, and its place in a field of integers. */
void snw_skin_put_name(snw_skin_fields *fields, snw_skin_field field, const char *name);
/* How many elements a field has: points, not numbers. */
uint32_t snw_skin_count(const snw_skin_fields *fields, snw_skin_field field);

/* Returns the number of bytes. */
uint64_t snw_skin_fields_write(const snw_skin_fields *fields, FILE *stream);

#endif
