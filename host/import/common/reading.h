/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file that is being read: where it is, where its data go, and how much memory it may take. A reader's document begins with
 * one.
 *
 * Functions that can fail return false and set the status and the error; their callers return at once.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_READING_H
#define SINEW_HOST_IMPORT_COMMON_READING_H

#include "scene/scene.h"
#include "task/task.h"

typedef struct snw_reading {
	const char *path;
	snw_arena *scratch; /* until the document is closed */
	snw_arena *arena;   /* the scene's */
	const snw_task *task;
	snw_error *error;
	snw_status status;
	uint64_t file_bytes; /* of the file and those that belong to it */
	uint64_t budget;     /* bytes that may still be allocated; see snw_reading_reserve */
} snw_reading;

/* The budget of a document is a fixed amount, and a multiple of the file's size: a corner of a triangle, two bytes of index,
 * becomes forty bytes; each instance of a mesh becomes a mesh. */
#define SNW_READING_BUDGET ((uint64_t)64 << 20)
#define SNW_READING_GROWTH ((uint64_t)256)

/* Begins a document with no bytes; each file that belongs to it adds its own. */
snw_reading snw_reading_begin(const char *path, const snw_task *task, snw_scene *scene, snw_error *error);
void snw_reading_end(snw_reading *reading);
/* Counts the bytes of a file that belongs to the document, which add to its budget. */
void snw_reading_add_file(snw_reading *reading, uint64_t bytes);

/* Sets the status and the error "path: …"; returns false. */
bool snw_reading_fail(snw_reading *reading, snw_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Reports progress; false after a cancellation. */
bool snw_reading_progress(snw_reading *reading, double fraction, const char *activity);
/* Takes memory from the budget before an allocation whose size comes from the file. False if too little is left. */
bool snw_reading_reserve(snw_reading *reading, uint64_t count, uint64_t element_bytes);
/* False if a scene may not have so many joints or meshes (scene/check.h); asked before their data are read. */
bool snw_reading_check_size(snw_reading *reading, uint32_t joint_count, uint32_t mesh_count);

#endif
