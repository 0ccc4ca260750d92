/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of loading a scene, in order of their dependencies. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_LOAD_LOAD_H
#define SINEW_HOST_PROJECT_LOAD_LOAD_H

#include "project/database/rows.h"

/* A scene being loaded, and the indices of its ids. */
typedef struct snw_load {
	snw_project *project;
	snw_scene *scene;
	const snw_task *task;
	snw_arena *scratch;
	uint64_t file_bytes; /* of the project: what it claims to hold is bounded by them */
	snw_id_map images, materials, joints, channels, meshes, clips, poses, fields, examples, targets, models;
	snw_error *error;
} snw_load;

/* The number of rows of a table, which must not be too large for a scene. */
snw_status snw_load_count(snw_load *load, const char *table, uint32_t *count);
/* The number of rows of a table that belong to a row of another. */
snw_status snw_load_count_of(snw_load *load, const char *table, const char *owner, int64_t id, uint32_t *count);
/* Starts reading rows into the scene's arena. */
snw_rows snw_load_rows(snw_load *load, const char *table, const char *sql, const snw_cell *cells, size_t cell_count);

/* A table being loaded, and the array in the scene's arena that its rows fill. */
typedef struct snw_load_table {
	snw_rows rows;
	void *elements; /* [row_count][element_bytes] */
	size_t element_bytes;
	uint32_t row_count;
	uint32_t count; /* read so far */
} snw_load_table;
/* Starts loading a table. If this or a later step fails, snw_load_next returns NULL, and snw_rows_end the status. */
snw_load_table snw_load_table_begin(snw_load *load, const char *table, const char *sql, size_t element_bytes);
/* Only the rows that belong to row `id` of another table: `owner` is the column of the reference; ?1 in `sql` is the id. */
snw_load_table snw_load_list_begin(snw_load *load, const char *table, const char *owner, int64_t id, const char *sql,
								   size_t element_bytes);
/* The element for the next row; NULL at the end. */
void *snw_load_next(snw_load_table *table);

snw_status snw_load_looks(snw_load *load);    /* images, materials */
snw_status snw_load_skeleton(snw_load *load); /* joints, slots, channels */
snw_status snw_load_meshes(snw_load *load);   /* meshes, morphs, fields */
snw_status snw_load_motion(snw_load *load);   /* clips, poses */
snw_status snw_load_shapes(snw_load *load);   /* examples, groups, targets */
snw_status snw_load_stack(snw_load *load);    /* models, layers */

/* Computes the points of examples that are not edited, with the base skin. The scene has been checked. */
void snw_load_fill_examples(snw_load *load);

#endif
