/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads rows of a file that is not trusted: the type and size of every column is checked. The first error is kept in `status`;
 * later values are zero or NULL. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_ROWS_H
#define SINEW_HOST_PROJECT_DATABASE_ROWS_H

#include "project/database/database.h"
#include "project/database/tables.h"

typedef struct snw_rows {
	snw_project *project;
	snw_arena *arena;  /* for the values */
	const char *table; /* for messages */
	sqlite3_stmt *statement;
	snw_status status;
	snw_error *error;
} snw_rows;

/* Starts reading. Call snw_rows_end, which returns the status, even after a failure. */
snw_rows snw_rows_begin(snw_project *project, snw_arena *arena, const char *table, const char *sql, const snw_cell *cells,
						size_t cell_count, snw_error *error);
bool snw_rows_next(snw_rows *rows); /* false at the end and after a failure */
snw_status snw_rows_end(snw_rows *rows);

int64_t snw_rows_integer(snw_rows *rows, int column); /* NULL is 0 */
bool snw_rows_null(snw_rows *rows, int column);
uint32_t snw_rows_count(snw_rows *rows, int column); /* 0 to SNW_LARGEST_COUNT */
double snw_rows_real(snw_rows *rows, int column);
const char *snw_rows_text(snw_rows *rows, int column);
/* An array of exactly `count` elements. */
void *snw_rows_array(snw_rows *rows, int column, size_t count, size_t element_bytes);
void snw_rows_array_into(snw_rows *rows, int column, size_t count, size_t element_bytes, void *dest);

/* An array of any number of elements. */
void *snw_rows_counted_array(snw_rows *rows, int column, size_t element_bytes, uint32_t *count);
/* Bytes. */
void *snw_rows_bytes(snw_rows *rows, int column, size_t *count);
/* The bytes of the array whose id the column has (see below), at most `most`. */
void *snw_rows_apart_bytes(snw_rows *rows, int column, uint64_t most, size_t *count);
/* Fails unless the column has `found` bytes for `count` elements. */
bool snw_rows_expect_size(snw_rows *rows, int column, size_t found, size_t count, size_t element_bytes);
void snw_rows_fail(snw_rows *rows, const char *fault);

/* ---- ids to indices ------------------------------------------------------------------------------------------------------ */

typedef struct snw_id_entry {
	int64_t id;
	uint32_t index;
} snw_id_entry;

typedef struct snw_id_map {
	uint32_t count;
	snw_id_entry *entries; /* ascending ids */
} snw_id_map;

/* The map of a list of ids, which are `stride` bytes apart. */
snw_id_map snw_id_map_make(const int64_t *ids, uint32_t count, size_t stride, snw_arena *arena);
/* SNW_NONE for an unknown id. */
uint32_t snw_id_map_find(const snw_id_map *map, int64_t id);
/* The index for the id in a column. NULL gives SNW_NONE if `optional`; an unknown id is an error. */
uint32_t snw_rows_index(snw_rows *rows, int column, const snw_id_map *map, bool optional);

/* ---- id lists ------------------------------------------------------------------------------------------------------------ */

/* The ids and names of a table's rows, in the order of the scene's indices. */

typedef struct snw_row_list {
	uint32_t count;
	int64_t *ids;
	const char **names;
} snw_row_list;

snw_status snw_row_list_read(snw_project *project, const char *table, const char *order, snw_arena *arena, snw_row_list *list,
							 snw_error *error);

/* The names in the first column of a query, as "'a', 'b' and 3 more", in `arena`; NULL if there are none. */
snw_status snw_row_names_read(snw_project *project, const char *sql, int64_t id, snw_arena *arena, const char **names,
							  snw_error *error);

/* ---- arrays -------------------------------------------------------------------------------------------------------------- */

/* Large arrays are rows of the table 'array'. They are written once and never changed: a row of the scene that gets other
 * values refers to a new array. So a commit writes each new array once, its change in the journal holds ids alone, and
 * SQLite copies no old pages. An array stays for as long as a row or an entry of the journal needs it. */

/* Within a transaction: *id is an array with the bytes of the cell. It is the array `before` (0 for none) if that has the same
 * bytes, otherwise a new one. */
snw_status snw_array_put(snw_project *project, const snw_cell *bytes, int64_t before, int64_t *id, snw_error *error);

/* The ids of the arrays that rows of the scene refer to, ascending; to be freed with free(), also after a failure. */
snw_status snw_arrays_in_use(snw_project *project, snw_array_ids *in_use, snw_error *error);

/* SQL that selects those ids; in `arena`. */
const char *snw_arrays_in_use_sql(snw_arena *arena);

/* Within a transaction, after its entry is in the journal: notes which arrays the change needs, from those that were in use
 * before it. */
snw_status snw_arrays_note(snw_project *project, int64_t entry, const snw_array_ids *before, snw_error *error);

/* Within a transaction: deletes the arrays that neither a row nor an entry needs. */
snw_status snw_arrays_sweep(snw_project *project, snw_error *error);

#endif
