/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Large arrays are rows of the table 'array'. They are written once and never changed: a row of the scene that gets other
 * values refers to a new array. So a commit writes each new array once, its change in the journal holds ids alone, and SQLite
 * copies no old pages. An array stays for as long as a row or an entry of the journal needs it. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_ARRAYS_H
#define SINEW_HOST_PROJECT_DATABASE_ARRAYS_H

#include "project/database/database.h"
#include "project/database/tables.h"

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
