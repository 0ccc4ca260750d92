/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A command is one transaction. The changeset that SQLite's session extension records of it is added to the journal in the same
 * transaction, so either both are in the file or neither.
 */
#include "project/journal/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "project/database/rows.h"

/* Changesets are stored in pieces, because the size of a row is limited. */
enum { PIECE_BYTES = 1 << 20 };

/* In place of the entry of a finished command that has cancelled the one that it continued. */
enum { NOTHING_LEFT = -1 };

snw_status snw_command_expect(snw_project *project, snw_error *error) {
	if (!project->session) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no command is open; begin one first", project->path);
	}
	if (project->spoiled || sqlite3_get_autocommit(project->database)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: the command '%s' has failed; none of its changes were kept",
						project->path, project->label);
	}
	return SNW_OK;
}

snw_status snw_command_expect_none(snw_project *project, snw_error *error) {
	if (project->read_only) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: the project is open for reading only", project->path);
	}
	if (project->session || project->unstored) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: the command '%s' is open; commit it or roll it back first",
						project->path, project->label);
	}
	return SNW_OK;
}

snw_status snw_command_result(snw_project *project, snw_status status) {
	project->spoiled = project->spoiled || snw_failed(status);
	return status;
}

snw_status snw_command_resolve(snw_project *project, const char *table, const char *name, int64_t *id, snw_error *error) {
	char sql[100];
	int64_t named = 0, known = 0;
	snprintf(sql, sizeof sql, "SELECT id FROM %s WHERE name = ?1", table);
	snw_status status = snw_database_integer(project, sql, SNW_CELLS(snw_text(name)), 0, &named, error);
	if (snw_failed(status) || *id == 0) {
		*id = snw_failed(status) ? *id : named;
		return status;
	}
	if (named != 0 && named != *id) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: another %s is called '%s'; choose another name", project->path, table,
						name);
	}
	snprintf(sql, sizeof sql, "SELECT id FROM %s WHERE id = ?1", table);
	status = snw_database_integer(project, sql, SNW_CELLS(snw_integer(*id)), 0, &known, error);
	if (!snw_failed(status) && known == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: the %s '%s' no longer exists", project->path, table, name);
	}
	return status;
}

/* ---- begin, commit, roll back -------------------------------------------------------------------------------------------- */

/* Errors of the session extension are not those of the connection. */
static snw_status fail_session(snw_project *project, int result, snw_error *error) {
	return result == SQLITE_NOMEM ? snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", project->path)
								  : snw_fail(error, SNW_ERROR_INTERNAL, "%s: the change could not be recorded (%s)",
											 project->path, sqlite3_errstr(result));
}

void snw_project_rollback(snw_project *project) {
	if (!project->session && !project->unstored) {
		return;
	}
	if (project->session) {
		sqlite3session_delete(project->session);
	}
	project->session = NULL;
	project->unstored = 0;
	if (!sqlite3_get_autocommit(project->database)) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
	}
}

static int attach_tables(sqlite3_session *session) {
	int result = SQLITE_OK;
	for (size_t i = 0; result == SQLITE_OK && i < SNW_TABLE_COUNT; i++) {
		if (snw_tables[i].row_bytes > 0) {
			result = sqlite3session_attach(session, snw_tables[i].name);
		}
	}
	return result;
}

/* A command is based on the scene that was read. If another program has changed it since, its change would be lost. */
static snw_status expect_unchanged(snw_project *project, snw_error *error) {
	int64_t version = 0;
	const snw_status status = snw_database_version(project, &version, error);
	if (!snw_failed(status) && project->scene_version != 0 && version != project->scene_version) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: another program has changed the project since it was read; try again",
						project->path);
	}
	return status;
}

snw_status snw_project_begin(snw_project *project, const char *label, snw_error *error) {
	snw_status status = snw_command_expect_none(project, error);
	if (snw_failed(status)) {
		return status; /* the open command stays */
	}
	char *copy = strdup(label);
	if (!copy) {
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", project->path);
	}
	status = snw_database_execute(project, "BEGIN IMMEDIATE", error);
	status = snw_failed(status) ? status : expect_unchanged(project, error);
	if (snw_failed(status)) {
		if (!sqlite3_get_autocommit(project->database)) {
			sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
		}
		free(copy);
		return status;
	}
	free(project->label);
	project->label = copy;
	project->spoiled = false;
	project->amended = 0;
	project->rig_changed = false;
	int result = sqlite3session_create(project->database, "main", &project->session);
	if (result == SQLITE_OK) {
		result = attach_tables(project->session);
	}
	status = result == SQLITE_OK ? SNW_OK : fail_session(project, result, error);
	free(project->arrays.ids);
	project->arrays = (snw_array_ids){0};
	status = snw_failed(status) ? status : snw_arrays_in_use(project, &project->arrays, error);
	if (snw_failed(status)) {
		snw_project_rollback(project);
		if (!sqlite3_get_autocommit(project->database)) {
			sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL);
		}
	}
	return status;
}

snw_status snw_project_begin_beside(snw_project *project, const char *label, snw_error *error) {
	project->scene_version = 0; /* as if the scene had not been read */
	return snw_project_begin(project, label, error);
}

snw_status snw_project_begin_amend(snw_project *project, snw_error *error) {
	snw_status status = snw_project_begin(project, "amend", error);
	if (snw_failed(status)) {
		return status;
	}
	int64_t last = 0, undone = 0, first = 0;
	status = snw_database_integer(project, "SELECT max(id) FROM journal", NULL, 0, 0, &last, error);
	status =
		snw_failed(status) ? status : snw_database_integer(project, "SELECT min(id) FROM journal", NULL, 0, 0, &first, error);
	status = snw_failed(status) ? status
								: snw_database_integer(project, "SELECT undone FROM journal WHERE id = ?1",
													   SNW_CELLS(snw_integer(last)), 0, &undone, error);
	if (!snw_failed(status) && (last != project->recorded || last == first || undone)) {
		status = snw_fail(error, SNW_ERROR_MISSING, "%s: no last command to continue", project->path);
	}
	project->amended = last;
	if (snw_failed(status)) {
		snw_project_rollback(project);
	}
	return status;
}

snw_status snw_project_begin_part(snw_project *project, snw_error *error) {
	const snw_status status = snw_command_expect(project, error);
	return snw_failed(status) ? status : snw_database_execute(project, "SAVEPOINT part", error);
}

/* The session compares the rows that it has seen change with what they are at the commit, so those that were taken back are no
 * change. */
snw_status snw_project_end_part(snw_project *project, bool is_kept, snw_error *error) {
	const snw_status status = is_kept ? snw_command_expect(project, error) : SNW_OK;
	if (snw_failed(status)) {
		return status;
	}
	project->spoiled = false;
	return snw_command_result(
		project, snw_database_execute(project, is_kept ? "RELEASE part" : "ROLLBACK TO part; RELEASE part", error));
}

/* Writes the session's changeset in pieces, each a row. */
typedef struct recording {
	snw_project *project;
	int64_t entry; /* 0 until the first piece */
	int64_t position;
	unsigned char *piece;
	size_t used;
	snw_status status;
	snw_error *error;
} recording;

snw_status snw_changes_delete(snw_project *project, const char *which, snw_error *error) {
	char sql[400];
	snprintf(sql, sizeof sql, "DELETE FROM journal_change WHERE journal %s; DELETE FROM journal_array WHERE journal %s", which,
			 which);
	return snw_database_execute(project, sql, error);
}

snw_status snw_entry_delete(snw_project *project, int64_t entry, snw_error *error) {
	char which[40];
	snprintf(which, sizeof which, "= %lld", (long long)entry);
	const snw_status status = snw_changes_delete(project, which, error);
	return snw_failed(status)
			   ? status
			   : snw_database_run(project, "DELETE FROM journal WHERE id = ?1", SNW_CELLS(snw_integer(entry)), error);
}

snw_status snw_command_forget_overtaken(snw_project *project, snw_error *error) {
	const snw_status status =
		snw_changes_delete(project, "IN (SELECT id FROM journal WHERE undone AND id < " SNW_NEWEST_DONE ")", error);
	return snw_failed(status)
			   ? status
			   : snw_database_execute(project, "DELETE FROM journal WHERE undone AND id < " SNW_NEWEST_DONE, error);
}

static snw_status begin_entry(recording *r) {
	snw_project *project = r->project;
	snw_status status = snw_command_forget_overtaken(project, r->error);
	if (!snw_failed(status)) {
		status =
			snw_database_run(project, "INSERT INTO journal (time, label) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1)",
							 SNW_CELLS(snw_text(project->label)), r->error);
	}
	r->entry = sqlite3_last_insert_rowid(project->database);
	return status;
}

static snw_status flush_piece(recording *r) {
	snw_status status = r->entry ? SNW_OK : begin_entry(r);
	if (!snw_failed(status)) {
		status = snw_database_run(r->project, "INSERT INTO journal_change (journal, position, changeset) VALUES (?1, ?2, ?3)",
								  SNW_CELLS(snw_integer(r->entry), snw_integer(r->position), snw_blob(r->piece, r->used, 1)),
								  r->error);
	}
	r->position++;
	r->used = 0;
	return status;
}

static int record_bytes(void *context, const void *bytes, int count) {
	recording *r = context;
	const unsigned char *from = bytes;
	size_t remaining = (size_t)count;
	while (remaining > 0 && !snw_failed(r->status)) {
		const size_t room = PIECE_BYTES - r->used, part = remaining < room ? remaining : room;
		memcpy(r->piece + r->used, from, part);
		r->used += part;
		from += part;
		remaining -= part;
		if (r->used == PIECE_BYTES) {
			r->status = flush_piece(r);
		}
	}
	return snw_failed(r->status) ? SQLITE_ABORT : SQLITE_OK;
}

/* Joins the changesets of the amended entry and of the open command. */
static int join_changes(sqlite3_changegroup *group, snw_changeset *before, int count, void *changes) {
	const int result = sqlite3changegroup_add_strm(group, snw_changeset_read, before);
	return result == SQLITE_OK ? sqlite3changegroup_add(group, count, changes) : result;
}

static int record_joined(snw_project *project, recording *r, int count, void *changes) {
	snw_changeset before;
	sqlite3_changegroup *group = NULL;
	r->status = snw_changeset_begin(project, project->amended, &before, r->error);
	if (snw_failed(r->status)) {
		snw_changeset_end(&before);
		return SQLITE_ABORT;
	}
	int result = sqlite3changegroup_new(&group);
	if (result == SQLITE_OK) {
		result = join_changes(group, &before, count, changes);
	}
	snw_changeset_end(&before);
	if (result == SQLITE_OK) {
		r->entry = project->amended;
		r->status = snw_database_run(project, "DELETE FROM journal_change WHERE journal = ?1",
									 SNW_CELLS(snw_integer(project->amended)), r->error);
		result = snw_failed(r->status) ? SQLITE_ABORT : sqlite3changegroup_output_strm(group, record_bytes, r);
	}
	sqlite3changegroup_delete(group);
	return result;
}

/* Without changes the amended entry stays as it is. */
static int record_amended(snw_project *project, recording *r) {
	int count = 0;
	void *changes = NULL;
	int result = sqlite3session_changeset(project->session, &count, &changes);
	if (result == SQLITE_OK && count > 0) {
		result = record_joined(project, r, count, changes);
	}
	sqlite3_free(changes);
	return result;
}

/* Writes the journal entry, or adds to the amended one, which goes if nothing is left of it. *entry is 0 without changes. */
static snw_status record_changes(snw_project *project, int64_t *entry, snw_error *error) {
	recording r = {.project = project, .piece = malloc(PIECE_BYTES), .error = error};
	if (!r.piece) {
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", project->path);
	}
	const int result =
		project->amended ? record_amended(project, &r) : sqlite3session_changeset_strm(project->session, record_bytes, &r);
	if (!snw_failed(r.status) && result != SQLITE_OK) {
		r.status = fail_session(project, result, error);
	}
	const bool is_cancelled = r.entry != 0 && r.position == 0 && r.used == 0;
	if (!snw_failed(r.status) && r.used > 0) {
		r.status = flush_piece(&r);
	} else if (!snw_failed(r.status) && is_cancelled) {
		r.status = snw_entry_delete(project, project->amended, error);
	}
	free(r.piece);
	project->has_changed = r.entry != 0;
	*entry = is_cancelled ? 0 : r.entry;
	return snw_failed(r.status) || *entry == 0 ? r.status : snw_arrays_note(project, *entry, &project->arrays, error);
}

/* After a change of the rig, data that depend on joints or slots may not match. */
static snw_status check_rig(snw_project *project, snw_error *error) {
	snw_scene *scene = NULL;
	const snw_status status = project->rig_changed ? snw_project_scene(project, &scene, error) : SNW_OK;
	snw_scene_destroy(scene);
	return status;
}

snw_status snw_project_relabel(snw_project *project, const char *label, snw_error *error) {
	char *copy = strdup(label);
	if (!copy) {
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", project->path);
	}
	free(project->label);
	project->label = copy;
	return SNW_OK;
}

bool snw_project_has_changed(const snw_project *project) {
	return project->has_changed;
}

snw_status snw_project_finish(snw_project *project, snw_error *error) {
	int64_t entry = 0;
	snw_status status = snw_command_expect(project, error);
	status = snw_failed(status) ? status : check_rig(project, error);
	project->has_changed = false;
	if (!snw_failed(status)) {
		/* Rows of the journal are not part of the change. */
		sqlite3session_enable(project->session, 0);
		status = record_changes(project, &entry, error);
	}
	if (snw_failed(status) || !project->has_changed) {
		project->recorded = snw_failed(status) ? project->recorded : project->amended;
		snw_project_rollback(project);
		return status;
	}
	status = snw_history_trim(project, error);
	status = snw_failed(status) ? status : snw_arrays_sweep(project, error);
	if (snw_failed(status)) {
		snw_project_rollback(project);
		return status;
	}
	project->unstored = entry ? entry : NOTHING_LEFT;
	sqlite3session_delete(project->session);
	project->session = NULL;
	return SNW_OK;
}

bool snw_project_is_unstored(const snw_project *project) {
	return project->unstored != 0;
}

snw_status snw_project_store(snw_project *project, snw_error *error) {
	if (!project->unstored) {
		return SNW_OK;
	}
	const int64_t entry = project->unstored == NOTHING_LEFT ? 0 : project->unstored;
	const snw_status status = snw_database_commit(project, error);
	if (snw_failed(status)) {
		project->has_changed = false;
		snw_project_rollback(project);
		return status;
	}
	project->unstored = 0;
	project->recorded = entry;
	return SNW_OK;
}

snw_status snw_project_commit(snw_project *project, snw_error *error) {
	const snw_status status = snw_project_finish(project, error);
	return snw_failed(status) ? status : snw_project_store(project, error);
}
