/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads rows into the structs of a scene, as the tables say (database/tables.h). Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_LOAD_LOAD_H
#define SINEW_HOST_PROJECT_LOAD_LOAD_H

#include "project/database/rows.h"
#include "project/database/tables.h"

/* A scene being loaded, and the indices of its ids. */
typedef struct snw_load {
	snw_project *project;
	snw_scene *scene;
	const snw_task *task;
	snw_arena *scratch;
	uint64_t file_bytes;  /* of the project: what it claims to hold is bounded by them */
	uint64_t apart_bytes; /* read so far of arrays that are apart: each is of one row */
	snw_id_map maps[SNW_TABLE_COUNT];
	snw_error *error;
} snw_load;

/* Starts to load into the arena of `scene`, with memory for the meantime from `scratch`. */
snw_status snw_load_begin(snw_project *project, snw_scene *scene, snw_arena *scratch, snw_load *load, snw_error *error);

/* Rows of a table, with their ids, NULL if it has none. */
typedef struct snw_loaded {
	void *rows;
	int64_t *ids;
	uint32_t count;
} snw_loaded;

/* Loads the rows of a table: all, or those in the list of the row `owner`. `load` maps the ids of all. Columns that refer to
 * other tables need their maps. */
snw_status snw_load_table(snw_load *load, snw_table_id table, int64_t owner, snw_loaded *loaded);
/* Loads a list of the scene, and the lists of its rows. */
snw_status snw_load_list(snw_load *load, snw_table_id table);

/* The number of rows of a table, or of a list in it, which must not be too large for a scene. */
snw_status snw_load_count(snw_load *load, snw_table_id table, int64_t owner, uint32_t *count);
/* Fails because of damage in a table. */
snw_status snw_load_fail(const snw_load *load, snw_table_id table, const char *fault);

/* Examples; points that are not edited are 0. */
snw_status snw_load_examples(snw_load *load);
/* Computes the points of examples that are not edited, with the base skin. The scene has been checked. */
void snw_load_fill_examples(snw_load *load);
/* The frames of all targets; of an outline, their times. */
snw_status snw_load_frames(snw_load *load);

#endif
