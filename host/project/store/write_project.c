/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a scene as a new project under a temporary name, then renames it over any existing file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/changed_file.h"
#include "file/file.h"
#include "project/database/companions.h"
#include "project/database/schema.h"
#include "project/store/character.h"
#include "project/store/store.h"

/* A scene being written, and the ids of its rows by the scene's indices. */
typedef struct project_writer {
	snw_project *project;
	const snw_scene *scene;
	snw_arena *arena;
	snw_character_ids ids;
	int64_t *fields, *examples, *models;
	const snw_task *task;
	snw_error *error;
} project_writer;

static int64_t *make_ids(project_writer *w, uint32_t count) {
	return SNW_NEW_ARRAY(w->arena, int64_t, count);
}

/* 0 for SNW_NONE. */
static int64_t optional_id(const int64_t *ids, uint32_t index) {
	return index == SNW_NONE ? 0 : ids[index];
}

static snw_status write_character(project_writer *w) {
	w->ids = snw_character_ids_make(w->scene, w->arena);
	return snw_store_character(w->project, w->scene, &w->ids, w->error);
}

static snw_status write_fields(project_writer *w) {
	const snw_scene *scene = w->scene;
	snw_status status = SNW_OK;
	w->fields = make_ids(w, scene->field_count);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->field_count; i++) {
		const int64_t mesh = optional_id(w->ids.meshes, scene->fields[i].mesh);
		status = snw_store_field(w->project, &scene->fields[i], mesh, &w->fields[i], w->error);
	}
	return status;
}

static snw_status write_group(project_writer *w, const snw_group *group) {
	int64_t *examples = make_ids(w, group->member_count), *masks = make_ids(w, group->member_count), id = 0;
	for (uint32_t i = 0; i < group->member_count; i++) {
		examples[i] = w->examples[group->members[i].example];
		masks[i] = optional_id(w->fields, group->members[i].mask);
	}
	return snw_store_group(w->project, group, w->ids.joints, examples, masks, &id, w->error);
}

static snw_status write_shapes(project_writer *w) {
	const snw_scene *scene = w->scene;
	snw_status status = SNW_OK;
	w->examples = make_ids(w, scene->example_count);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		status = snw_store_example(w->project, example, w->ids.poses[example->pose], w->ids.meshes[example->mesh],
								   scene->meshes[example->mesh].point_count, &w->examples[i], w->error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->group_count; i++) {
		status = write_group(w, &scene->groups[i]);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		int64_t id = 0;
		status = snw_store_target(w->project, target, w->ids.meshes[target->mesh], scene->meshes[target->mesh].point_count,
								  optional_id(w->ids.clips, target->clip), w->task, &id, w->error);
	}
	return status;
}

static snw_status write_stack(project_writer *w) {
	const snw_scene *scene = w->scene;
	snw_status status = SNW_OK;
	w->models = make_ids(w, scene->model_count);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->model_count; i++) {
		status = snw_store_model(w->project, &scene->models[i], &w->models[i], w->error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		const int64_t model = optional_id(w->models, scene->layers[i].model);
		int64_t id = 0;
		status = snw_store_layer(w->project, &scene->layers[i], i, model, &id, w->error);
	}
	return status;
}

static snw_status write_scene(project_writer *w, const char *label) {
	static snw_status (*const parts[])(project_writer *) = {write_character, write_fields, write_shapes, write_stack};
	/* No one else opens the file before it is complete, so commits need not be durable. */
	snw_status status =
		snw_database_execute(w->project, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN", w->error);
	status = snw_failed(status) ? status : snw_schema_create(w->project, w->error);
	for (size_t i = 0; !snw_failed(status) && i < sizeof parts / sizeof *parts; i++) {
		status = parts[i](w);
	}
	if (!snw_failed(status)) {
		status =
			snw_database_run(w->project, "INSERT INTO journal (time, label) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1)",
							 SNW_CELLS(snw_text(label)), w->error);
	}
	return snw_failed(status) ? status : snw_database_execute(w->project, "COMMIT", w->error);
}

/* ---- replacing the old file ---------------------------------------------------------------------------------------------- */

/* Opens and locks the database that a new project replaces. This also rolls back the journal of a killed program, which would
 * otherwise be applied to the new file. */
static snw_status lock_old(const char *path, snw_project **old, snw_error *error) {
	*old = NULL;
	if (!snw_file_exists(path)) {
		return SNW_OK;
	}
	snw_project *project = NULL;
	if (snw_failed(snw_database_open(path, false, &project, NULL))) {
		return SNW_OK; /* not a database: replaced like any file */
	}
	const int result = sqlite3_exec(project->database, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
	if (result == SQLITE_BUSY) {
		const snw_status status = snw_database_fail(project, error);
		snw_database_close(project);
		return status;
	}
	*old = project;
	return SNW_OK;
}

/* Renames the finished file over the old one while that is locked. */
static snw_status replace_old(const char *path, snw_file_write *file, snw_error *error) {
	snw_project *old = NULL;
	snw_status status = lock_old(path, &old, error);
	status = snw_failed(status) ? status : snw_companions_remove(path, error);
	if (!snw_failed(status)) {
		status = snw_file_write_commit(file, error);
		if (!snw_failed(status)) {
			snw_changed_file_set(path);
		}
	} else {
		snw_file_write_abandon(file);
	}
	snw_database_close(old);
	return status;
}

/* The bytes must be on the disk before the rename. A worker cannot give its file the permissions of other new files. */
static bool finish(const char *path) {
	const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (file >= 0) {
		snw_file_permit(file);
	}
	const bool flushed = file >= 0 && fsync(file) == 0;
	if (file >= 0) {
		close(file);
	}
	return flushed;
}

snw_status snw_project_move(const char *finished, const char *path, snw_error *error) {
	snw_project *old = NULL;
	snw_status status = lock_old(path, &old, error);
	status = snw_failed(status) ? status : snw_companions_remove(path, error);
	if (!snw_failed(status) && (!finish(finished) || rename(finished, path) != 0)) {
		status =
			snw_fail(error, SNW_ERROR_IO, "%s: could not be written: %s; the old file is unchanged", path, strerror(errno));
	} else if (!snw_failed(status)) {
		snw_changed_file_set(path);
	}
	snw_database_close(old);
	snw_file_sync_folder(path);
	return status;
}

/* Copies with SQLite, because a copy of the file's bytes could contain half a command. */
static snw_status back_up(snw_project *from, snw_project *to, snw_error *error) {
	sqlite3_backup *backup = sqlite3_backup_init(to->database, "main", from->database, "main");
	if (!backup) {
		return snw_database_fail(to, error);
	}
	const int result = sqlite3_backup_step(backup, -1);
	const int finished = sqlite3_backup_finish(backup);
	if (result == SQLITE_DONE && finished == SQLITE_OK) {
		return SNW_OK;
	}
	return snw_fail(error, SNW_ERROR_IO, "%s: could not be copied (%s); free some space, or try again when no program uses it",
					from->path, sqlite3_errstr(result == SQLITE_DONE ? finished : result));
}

snw_status snw_project_copy(const char *path, const char *copy, snw_error *error) {
	snw_project *from = NULL, *to = NULL;
	snw_status status = snw_project_open(path, true, &from, error);
	if (!snw_failed(status)) {
		status = snw_database_open(copy, false, &to, error);
	}
	if (!snw_failed(status)) {
		status = back_up(from, to, error);
	}
	snw_database_close(to);
	snw_project_close(from);
	return status;
}

snw_status snw_project_write(const char *path, const snw_scene *scene, const char *label, snw_error *error) {
	snw_error found;
	const snw_status status = snw_scene_check(scene, &found);
	if (snw_failed(status)) {
		return snw_fail(error, status, "%s: not written: %s", path, found.text);
	}
	return snw_project_write_checked(path, scene, label, NULL, error);
}

snw_status snw_project_write_checked(const char *path, const snw_scene *scene, const char *label, const snw_task *task,
									 snw_error *error) {
	snw_file_write *file = NULL;
	snw_file_sweep(path);
	snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	project_writer w = {.scene = scene, .task = task, .error = error};
	status = snw_database_open(snw_file_write_path(file), false, &w.project, error);
	if (snw_failed(status)) {
		snw_file_write_abandon(file);
		return status;
	}
	w.arena = snw_arena_create();
	status = snw_database_rename(w.project, path, error); /* errors name the requested file */
	status = snw_failed(status) ? status : write_scene(&w, label);
	snw_arena_destroy(w.arena);
	snw_database_close(w.project);
	if (snw_failed(status)) {
		snw_file_write_abandon(file);
		return status;
	}
	return replace_old(path, file, error);
}
