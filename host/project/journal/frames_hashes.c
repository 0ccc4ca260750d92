/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/journal/frames_hashes.h"

#include <string.h>

#include "project/database/rows.h"
#include "project/journal/changeset.h"
#include "scene/frames_hash.h"

/* Reads the frames one at a time, because together they can be larger than the memory. */
static snw_status hash_frames(snw_project *project, int64_t target, uint64_t *value, snw_error *error) {
	snw_hash hash = {0};
	snw_rows rows = snw_rows_begin(project, NULL, "target_frame",
								   "SELECT seconds, points_posed FROM target_frame WHERE target = ?1 ORDER BY position",
								   SNW_CELLS(snw_integer(target)), error);
	while (snw_rows_next(&rows)) {
		const void *points = sqlite3_column_blob(rows.statement, 1);
		snw_frames_hash_add(&hash, snw_rows_real(&rows, 0), points, (size_t)sqlite3_column_bytes(rows.statement, 1));
	}
	*value = snw_hash_value(&hash);
	return snw_rows_end(&rows);
}

snw_status snw_frames_hash_store(snw_project *project, int64_t target, snw_error *error) {
	uint64_t hash = 0;
	const snw_status status = hash_frames(project, target, &hash, error);
	return snw_failed(status) ? status
							  : snw_database_run(project, "UPDATE target SET frames_hash = ?2 WHERE id = ?1",
												 SNW_CELLS(snw_integer(target), snw_integer((int64_t)hash)), error);
}

/* ---- targets in a changeset ---------------------------------------------------------------------------------------------- */

enum { HASH_COLUMN = 4 }; /* of the table target */

typedef struct id_set {
	snw_arena *arena;
	uint32_t count, room;
	int64_t *ids;
} id_set;

static bool has_id(const id_set *set, int64_t id) {
	uint32_t i = 0;
	while (i < set->count && set->ids[i] != id) {
		i++;
	}
	return i < set->count;
}

static void add_id(id_set *set, int64_t id) {
	if (has_id(set, id)) {
		return;
	}
	if (set->count == set->room) {
		set->room = 2 * set->room + 16;
		int64_t *ids = SNW_NEW_ARRAY(set->arena, int64_t, set->room);
		for (uint32_t i = 0; i < set->count; i++) {
			ids[i] = set->ids[i];
		}
		set->ids = ids;
	}
	set->ids[set->count++] = id;
}

/* The present change: a frame of a target, or a target with its hash. */
static int add_change(sqlite3_changeset_iter *change, id_set *of_frames, id_set *hashed) {
	const char *table;
	int columns, operation;
	sqlite3_value *id = NULL;
	int result = sqlite3changeset_op(change, &table, &columns, &operation, NULL);
	if (result != SQLITE_OK) {
		return result;
	}
	const bool is_frame = strcmp(table, "target_frame") == 0;
	if (!is_frame && (strcmp(table, "target") != 0 || columns <= HASH_COLUMN)) {
		return SQLITE_OK;
	}
	/* Either table begins with the target's id, which is a part of the key. */
	result = operation == SQLITE_INSERT ? sqlite3changeset_new(change, 0, &id) : sqlite3changeset_old(change, 0, &id);
	if (result == SQLITE_OK && id) {
		add_id(is_frame ? of_frames : hashed, sqlite3_value_int64(id));
	}
	return result;
}

static int find_targets(snw_changeset *changeset, id_set *of_frames, id_set *hashed) {
	sqlite3_changeset_iter *change = NULL;
	int result = sqlite3changeset_start_strm(&change, snw_changeset_read, changeset);
	if (result != SQLITE_OK) {
		return result;
	}
	while ((result = sqlite3changeset_next(change)) == SQLITE_ROW) {
		if ((result = add_change(change, of_frames, hashed)) != SQLITE_OK) {
			break;
		}
	}
	const int finished = sqlite3changeset_finalize(change);
	return result == SQLITE_DONE ? finished : result;
}

snw_status snw_frames_hashes_renew(snw_project *project, int64_t entry, snw_error *error) {
	snw_changeset changeset;
	snw_arena *arena = snw_arena_create();
	id_set of_frames = {.arena = arena}, hashed = {.arena = arena};
	snw_status status = snw_changeset_begin(project, entry, &changeset, error);
	if (!snw_failed(status) && find_targets(&changeset, &of_frames, &hashed) != SQLITE_OK) {
		status =
			snw_fail(error, SNW_ERROR_IO, "%s: its history cannot be read%s", project->path, snw_database_unchanged_text());
	}
	snw_changeset_end(&changeset);
	for (uint32_t i = 0; !snw_failed(status) && i < of_frames.count; i++) {
		if (!has_id(&hashed, of_frames.ids[i])) {
			status = snw_frames_hash_store(project, of_frames.ids[i], error);
		}
	}
	snw_arena_destroy(arena);
	return status;
}
