/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores structs of a scene as rows, as the tables say (database/tables.h). The caller has checked them. Private to
 * host/project.
 */
#ifndef SINEW_HOST_PROJECT_STORE_STORE_H
#define SINEW_HOST_PROJECT_STORE_STORE_H

#include "project/database/database.h"
#include "project/database/rows.h"
#include "project/database/tables.h"

/* What rows need beside their structs. */
typedef struct snw_store {
	snw_project *project;
	const snw_scene *scene;              /* what the counts of arrays depend on; it needs no more than that */
	const int64_t *ids[SNW_TABLE_COUNT]; /* the rows that indices refer to, by the scene's index */
	const snw_task *task;
	snw_error *error;
} snw_store;

/* Stores a row with its lists; a list is replaced as a whole. On entry, `id` is the row to replace, 0 for a new one; on return,
 * the row's id. Only in tables with positions does `position` matter. */
snw_status snw_store_row(const snw_store *store, snw_table_id table, const void *row, int64_t position, int64_t *id);
/* Of an example, the project has the edited points alone. */
snw_status snw_store_example(const snw_store *store, const snw_example *example, int64_t *id);
/* With its frames, each of which is reported. */
snw_status snw_store_target(const snw_store *store, const snw_target *target, int64_t *id);
/* A joint of the scene, after its parent; `ids` are those of all joints. */
snw_status snw_store_joint(const snw_store *store, uint32_t joint, int64_t *ids);
/* All slots of the scene, which replace those of the project. */
snw_status snw_store_slots(const snw_store *store);

/* Deletes the rows in all lists of a row. */
snw_status snw_store_clear_lists(snw_project *project, snw_table_id table, int64_t id, snw_error *error);

/* The rows of a whole scene, by its indices; NULL for tables of lists. */
typedef struct snw_row_ids {
	int64_t *of[SNW_TABLE_COUNT];
} snw_row_ids;
/* All 0, for new rows. */
snw_row_ids snw_row_ids_make(const snw_scene *scene, snw_arena *arena);

/* To store a scene's own rows. */
snw_store snw_store_of_scene(snw_project *project, const snw_scene *scene, const snw_row_ids *ids, const snw_task *task,
							 snw_error *error);
/* All rows of the tables from the first to the last, with the ids that `store` is of. */
snw_status snw_store_tables(const snw_store *store, const snw_row_ids *ids, snw_table_id first, snw_table_id last);

/* ---- load ---------------------------------------------------------------------------------------------------------------- */

/* Loads rows into the structs of a scene, as the tables say (database/tables.h). */

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

#endif
