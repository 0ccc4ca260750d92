/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ids and names of a table's rows, in the order of the scene's indices. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_ID_LISTS_H
#define SINEW_HOST_PROJECT_DATABASE_ID_LISTS_H

#include "project/database/database.h"

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

#endif
