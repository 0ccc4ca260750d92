/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "file/file.h"
#include "parameter/parameters.h"
#include "project/database/database.h"
#include "project/database/rows.h"
#include "project/project.h"
#include "scene/scene.h"

/* ---- store --------------------------------------------------------------------------------------------------------------- */

static inline snw_cell real_cell(double value) {
	return (snw_cell){.kind = SNW_CELL_REAL, .real = value};
}

/* ---- a row --------------------------------------------------------------------------------------------------------------- */

enum { MOST_APART = 4 };

/* The arrays of a row that is to be replaced, in the order of the columns that are apart; all 0 without one. */
typedef struct row_arrays {
	int64_t row, arrays[MOST_APART];
} row_arrays;

/* What a row is, beside its struct. */
typedef struct row_place {
	int64_t id, owner, position;
	row_arrays before;
} row_place;

static snw_cell index_cell(const snw_store *store, const snw_column *column, const uint32_t *index) {
	return snw_reference(*index == SNW_NONE ? 0 : store->ids[column->refers][*index]);
}

static snw_cell text_cell(const snw_column *column, const char *text) {
	return snw_text(text || column->optional ? text : "");
}

/* Indices as ids, in memory that the caller frees. */
static uint32_t *find_ids(const snw_store *store, const snw_column *column, const uint32_t *indices, size_t count) {
	uint32_t *ids = malloc((count + 1) * sizeof *ids);
	for (size_t i = 0; ids && i < count; i++) {
		ids[i] = indices[i] == SNW_NONE ? 0 : (uint32_t)store->ids[column->refers][indices[i]];
	}
	return ids;
}

static size_t count_of(const snw_store *store, const snw_column *column, const void *row) {
	uint32_t list_count;
	size_t byte_count;
	switch (column->kind) {
	case SNW_COLUMN_LIST:
		memcpy(&list_count, (const char *)row + column->count_member, sizeof list_count);
		return list_count;
	case SNW_COLUMN_BYTES:
		memcpy(&byte_count, (const char *)row + column->count_member, sizeof byte_count);
		return byte_count;
	default:
		return column->count(row, store->scene);
	}
}

/* *owned is memory to free after the statement, if the cell needs any. */
static snw_cell array_cell(const snw_store *store, const snw_column *column, const void *row, uint32_t **owned) {
	const void *array;
	memcpy(&array, (const char *)row + column->member, sizeof array);
	if (column->optional && !array) {
		return (snw_cell){.kind = SNW_CELL_NULL};
	}
	const size_t count = count_of(store, column, row);
	if (column->kind == SNW_COLUMN_INDICES) {
		array = *owned = find_ids(store, column, array, count);
	}
	return snw_blob(array, count, column->kind == SNW_COLUMN_BYTES ? 1 : column->element_bytes);
}

static snw_cell cell_of(const snw_store *store, const snw_column *column, const void *row, const row_place *place,
						uint32_t **owned) {
	const void *member = (const char *)row + column->member;
	if (column->applies && !column->applies(row)) {
		return (snw_cell){.kind = SNW_CELL_NULL};
	}
	switch (column->kind) {
	case SNW_COLUMN_ID:
		return snw_reference(place->id);
	case SNW_COLUMN_OWNER:
		return snw_integer(place->owner);
	case SNW_COLUMN_POSITION:
		return snw_integer(place->position);
	case SNW_COLUMN_INTEGER:
		return snw_integer(*(const int64_t *)member);
	case SNW_COLUMN_COUNT:
		return snw_integer(*(const uint32_t *)member);
	case SNW_COLUMN_CHOICE:
		return snw_integer(*(const int32_t *)member);
	case SNW_COLUMN_FLAG:
		return snw_integer(*(const bool *)member);
	case SNW_COLUMN_REAL:
		return real_cell(*(const double *)member);
	case SNW_COLUMN_TEXT:
		return text_cell(column, *(const char *const *)member);
	case SNW_COLUMN_INDEX:
		return index_cell(store, column, member);
	case SNW_COLUMN_REFERENCE:
		return snw_reference(*(const int64_t *)member);
	case SNW_COLUMN_NUMBERS:
		return snw_blob(member, 1, column->element_bytes);
	default:
		return array_cell(store, column, row, owned);
	}
}

/* "INSERT INTO slot (position, joint, inverse_bind) VALUES (?, ?, ?)". A row that is not in a list can replace one. */
static snw_status prepare_insert(const snw_store *store, const snw_table *table, sqlite3_stmt **statement) {
	snw_arena *arena = snw_arena_create();
	const char *names = table->columns[0].name, *marks = "?";
	for (uint32_t c = 1; c < table->column_count; c++) {
		names = snw_arena_format(arena, "%s, %s", names, table->columns[c].name);
		marks = snw_arena_format(arena, "%s, ?", marks);
	}
	const char *verb = table->owner == SNW_TABLE_PROJECT ? "INSERT OR REPLACE" : "INSERT";
	const snw_status status = snw_database_prepare(
		store->project, snw_arena_format(arena, "%s INTO %s (%s) VALUES (%s)", verb, table->name, names, marks), NULL, 0,
		statement, store->error);
	snw_arena_destroy(arena);
	return status;
}

static snw_status insert(const snw_store *store, const snw_table *table, sqlite3_stmt *statement, const void *row,
						 const row_place *place) {
	uint32_t *owned = NULL, apart = 0;
	int result = SQLITE_OK;
	for (uint32_t c = 0; result == SQLITE_OK && c < table->column_count; c++) {
		snw_cell cell = cell_of(store, &table->columns[c], row, place, &owned);
		if (table->columns[c].kind == SNW_COLUMN_INDICES && cell.kind == SNW_CELL_BLOB && !owned) {
			return snw_fail(store->error, SNW_ERROR_MEMORY, "%s: out of memory", store->project->path);
		}
		if (table->columns[c].is_apart) {
			const int64_t before = place->before.arrays[apart++];
			int64_t array = 0;
			const snw_status status =
				cell.kind == SNW_CELL_NULL ? SNW_OK : snw_array_put(store->project, &cell, before, &array, store->error);
			if (snw_failed(status)) {
				return status;
			}
			cell = snw_reference(array);
		}
		result = snw_database_bind(statement, (int)c + 1, &cell);
	}
	const bool is_done = result == SQLITE_OK && sqlite3_step(statement) == SQLITE_DONE;
	const snw_status status = is_done ? SNW_OK : snw_database_fail(store->project, store->error);
	sqlite3_reset(statement);
	free(owned);
	return status;
}

/* ---- lists --------------------------------------------------------------------------------------------------------------- */

static snw_status clear_list(snw_project *project, const snw_table *table, int64_t owner, snw_error *error) {
	char sql[100];
	snprintf(sql, sizeof sql, "DELETE FROM %s WHERE %s = ?1", table->name, snw_table_column(table, SNW_COLUMN_OWNER)->name);
	return snw_database_run(project, sql, SNW_CELLS(snw_integer(owner)), error);
}

snw_status snw_store_clear_lists(snw_project *project, snw_table_id table, int64_t id, snw_error *error) {
	snw_status status = SNW_OK;
	for (snw_table_id t = table + 1; !snw_failed(status) && t < SNW_TABLE_COUNT; t++) {
		status = snw_tables[t].owner == table ? clear_list(project, &snw_tables[t], id, error) : status;
	}
	return status;
}

/* Rows that are about to be replaced. */
typedef struct replaced_rows {
	uint32_t count;
	row_arrays *rows;
} replaced_rows;

static row_arrays arrays_of_row(const replaced_rows *replaced, int64_t id) {
	for (uint32_t i = 0; i < replaced->count; i++) {
		if (replaced->rows[i].row == id) {
			return replaced->rows[i];
		}
	}
	return (row_arrays){0};
}

/* Reads those with that number in a column, in `arena`; none of a table without arrays that are apart. */
static snw_status read_replaced(const snw_store *store, const snw_table *table, const char *column, int64_t number,
								snw_arena *arena, replaced_rows *replaced) {
	const char *names = "id";
	uint32_t apart = 0;
	for (uint32_t c = 0; c < table->column_count; c++) {
		if (table->columns[c].is_apart) {
			names = snw_arena_format(arena, "%s, %s", names, table->columns[c].name);
			apart++;
		}
	}
	if (apart == 0) {
		return SNW_OK;
	}
	const char *from = snw_arena_format(arena, "FROM %s WHERE %s = ?1", table->name, column);
	int64_t most = 0;
	const snw_status status = snw_database_integer(store->project, snw_arena_format(arena, "SELECT count(*) %s", from),
												   SNW_CELLS(snw_integer(number)), 0, &most, store->error);
	if (snw_failed(status)) {
		return status;
	}
	replaced->rows = SNW_NEW_ARRAY(arena, row_arrays, (size_t)most);
	snw_rows read = snw_rows_begin(store->project, arena, table->name, snw_arena_format(arena, "SELECT %s %s", names, from),
								   SNW_CELLS(snw_integer(number)), store->error);
	while (replaced->count < most && snw_rows_next(&read)) {
		row_arrays *row = &replaced->rows[replaced->count++];
		row->row = snw_rows_integer(&read, 0);
		for (uint32_t a = 0; a < apart; a++) {
			row->arrays[a] = snw_rows_integer(&read, 1 + (int)a);
		}
	}
	return snw_rows_end(&read);
}

/* Rows of a list keep their ids if they have any; those of a new owner are new too. */
static snw_status store_list(const snw_store *store, const snw_table *table, const void *rows, uint32_t count, int64_t owner,
							 bool is_new, const replaced_rows *before) {
	const snw_column *id = snw_table_column(table, SNW_COLUMN_ID);
	sqlite3_stmt *statement = NULL;
	snw_status status = count > 0 ? prepare_insert(store, table, &statement) : SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		const char *row = (const char *)rows + table->row_bytes * i;
		row_place place = {.owner = owner, .position = i};
		if (id && !is_new) {
			memcpy(&place.id, row + id->member, sizeof place.id);
		}
		place.before = arrays_of_row(before, place.id);
		status = insert(store, table, statement, row, &place);
	}
	sqlite3_finalize(statement);
	return status;
}

static snw_status store_lists(const snw_store *store, snw_table_id table, const void *row, int64_t id, bool is_new) {
	snw_arena *arena = snw_arena_create();
	snw_status status = SNW_OK;
	for (snw_table_id t = table + 1; !snw_failed(status) && t < SNW_TABLE_COUNT; t++) {
		const snw_table *list = &snw_tables[t];
		replaced_rows before = {0};
		if (list->owner == table && !is_new) {
			status = read_replaced(store, list, snw_table_column(list, SNW_COLUMN_OWNER)->name, id, arena, &before);
			status = snw_failed(status) ? status : clear_list(store->project, list, id, store->error);
		}
		if (!snw_failed(status) && list->owner == table && list->list != SNW_NO_MEMBER) {
			uint32_t count;
			const void *rows = snw_table_list(list, row, &count);
			status = store_list(store, list, rows, count, id, is_new, &before);
		}
	}
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_store_row(const snw_store *store, snw_table_id table, const void *row, int64_t position, int64_t *id) {
	sqlite3_stmt *statement = NULL;
	const bool is_new = *id == 0;
	snw_arena *arena = snw_arena_create();
	replaced_rows before = {0};
	snw_status status = is_new ? SNW_OK : read_replaced(store, &snw_tables[table], "id", *id, arena, &before);
	status = snw_failed(status) ? status : prepare_insert(store, &snw_tables[table], &statement);
	if (!snw_failed(status)) {
		const row_place place = {.id = *id, .position = position, .before = arrays_of_row(&before, *id)};
		status = insert(store, &snw_tables[table], statement, row, &place);
	}
	sqlite3_finalize(statement);
	snw_arena_destroy(arena);
	if (!snw_failed(status) && is_new) {
		*id = sqlite3_last_insert_rowid(store->project->database);
	}
	return snw_failed(status) ? status : store_lists(store, table, row, *id, is_new);
}

/* ---- what is more than a row --------------------------------------------------------------------------------------------- */

snw_status snw_store_example(const snw_store *store, const snw_example *example, int64_t *id) {
	snw_example row = *example;
	double *points = example->edited ? malloc(((size_t)example->edited_count + 1) * 3 * sizeof *points) : NULL;
	if (example->edited && !points) {
		return snw_fail(store->error, SNW_ERROR_MEMORY, "example '%s': out of memory", example->name);
	}
	for (uint32_t i = 0; points && i < example->edited_count; i++) {
		memcpy(points + 3 * (size_t)i, example->points_posed + 3 * (size_t)example->edited[i], 3 * sizeof *points);
	}
	row.points_posed = points ? points : example->points_posed;
	const snw_status status = snw_store_row(store, SNW_TABLE_EXAMPLE, &row, 0, id);
	free(points);
	return status;
}

static snw_status store_frames(const snw_store *store, const snw_target *target, int64_t id) {
	const snw_table *table = &snw_tables[SNW_TABLE_TARGET_FRAME];
	const uint32_t point_count = store->scene->meshes[target->mesh].point_count;
	sqlite3_stmt *statement = NULL;
	snw_status status = prepare_insert(store, table, &statement);
	for (uint32_t f = 0; !snw_failed(status) && f < target->frame_count; f++) {
		const snw_frame_row row = {target->seconds[f], point_count, target->points_posed + 3 * (size_t)f * point_count};
		status = snw_task_progress(store->task, (double)f / target->frame_count, "writing frames")
					 ? insert(store, table, statement, &row, &(row_place){.owner = id, .position = f})
					 : snw_fail(store->error, SNW_CANCELLED, "cancelled");
	}
	sqlite3_finalize(statement);
	return status;
}

snw_status snw_store_target(const snw_store *store, const snw_target *target, int64_t *id) {
	snw_target row = *target;
	row.frames_hash = snw_frames_hash(target, store->scene->meshes[target->mesh].point_count);
	const snw_status status = snw_store_row(store, SNW_TABLE_TARGET, &row, 0, id);
	return snw_failed(status) ? status : store_frames(store, target, *id);
}

snw_status snw_store_joint(const snw_store *store, uint32_t joint, int64_t *ids) {
	const snw_skeleton *skeleton = &store->scene->skeleton;
	const uint32_t parent = skeleton->parents[joint];
	const snw_joint_row row = {skeleton->names[joint], parent == SNW_NONE ? 0 : ids[parent], skeleton->rest_local[joint]};
	return snw_store_row(store, SNW_TABLE_JOINT, &row, joint, &ids[joint]);
}

snw_status snw_store_slots(const snw_store *store) {
	const snw_table *table = &snw_tables[SNW_TABLE_SLOT];
	const snw_scene *scene = store->scene;
	sqlite3_stmt *statement = NULL;
	snw_status status = snw_database_execute(store->project, "DELETE FROM slot", store->error);
	status = snw_failed(status) ? status : prepare_insert(store, table, &statement);
	for (uint32_t s = 0; !snw_failed(status) && s < scene->slot_count; s++) {
		snw_slot_row row = {.joint = scene->slot_joints[s]};
		memcpy(row.inverse_bind, scene->slot_inverse_binds + 12 * (size_t)s, sizeof row.inverse_bind);
		status = insert(store, table, statement, &row, &(row_place){.position = s});
	}
	sqlite3_finalize(statement);
	return status;
}

/* ---- a scene ------------------------------------------------------------------------------------------------------------- */

snw_row_ids snw_row_ids_make(const snw_scene *scene, snw_arena *arena) {
	snw_row_ids ids = {0};
	for (snw_table_id t = 0; t < SNW_TABLE_COUNT; t++) {
		uint32_t count = 0;
		if (snw_tables[t].owner == SNW_TABLE_PROJECT && snw_tables[t].list != SNW_NO_MEMBER) {
			(void)snw_table_list(&snw_tables[t], scene, &count);
			ids.of[t] = SNW_NEW_ARRAY(arena, int64_t, count);
		}
	}
	ids.of[SNW_TABLE_JOINT] = SNW_NEW_ARRAY(arena, int64_t, scene->skeleton.joint_count);
	return ids;
}

snw_store snw_store_of_scene(snw_project *project, const snw_scene *scene, const snw_row_ids *ids, const snw_task *task,
							 snw_error *error) {
	snw_store store = {.project = project, .scene = scene, .task = task, .error = error};
	for (snw_table_id t = 0; t < SNW_TABLE_COUNT; t++) {
		store.ids[t] = ids->of[t];
	}
	return store;
}

/* Parents first. */
static snw_status store_skeleton_joints(const snw_store *store, int64_t *ids) {
	const snw_skeleton *skeleton = &store->scene->skeleton;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < skeleton->joint_count; i++) {
		status = snw_store_joint(store, skeleton->order[i], ids);
	}
	return status;
}

/* The scene has the clip's old id. */
static snw_status store_pose(const snw_store *store, const snw_pose *pose, int64_t *id) {
	snw_pose row = *pose;
	row.clip = 0;
	for (uint32_t c = 0; pose->clip != 0 && c < store->scene->clip_count; c++) {
		row.clip = store->scene->clips[c].id == pose->clip ? store->ids[SNW_TABLE_CLIP][c] : row.clip;
	}
	return snw_store_row(store, SNW_TABLE_POSE, &row, 0, id);
}

static snw_status store_list_of_scene(const snw_store *store, snw_table_id table, int64_t *ids) {
	uint32_t count;
	const char *rows = snw_table_list(&snw_tables[table], store->scene, &count);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		const void *row = rows + snw_tables[table].row_bytes * i;
		status = table == SNW_TABLE_POSE      ? store_pose(store, row, &ids[i])
				 : table == SNW_TABLE_EXAMPLE ? snw_store_example(store, row, &ids[i])
				 : table == SNW_TABLE_TARGET  ? snw_store_target(store, row, &ids[i])
											  : snw_store_row(store, table, row, i, &ids[i]);
	}
	return status;
}

snw_status snw_store_tables(const snw_store *store, const snw_row_ids *ids, snw_table_id first, snw_table_id last) {
	snw_status status = SNW_OK;
	for (snw_table_id t = first; !snw_failed(status) && t <= last; t++) {
		if (t == SNW_TABLE_JOINT) {
			status = store_skeleton_joints(store, ids->of[t]);
		} else if (t == SNW_TABLE_SLOT) {
			status = snw_store_slots(store);
		} else if (ids->of[t]) {
			status = store_list_of_scene(store, t, ids->of[t]);
		}
	}
	return status;
}

/* ---- rebase files -------------------------------------------------------------------------------------------------------- */

/* Whether any path of the layer's settings became another one. */
static bool rebase_layer(const snw_scene *scene, const char *folder, const snw_registry *registry, snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	snw_setting *settings = snw_settings_copy(scene->arena, layer->settings, layer->setting_count);
	bool changed = false;
	for (uint32_t i = 0; deformer && i < layer->setting_count; i++) {
		const uint32_t index = snw_parameter_of_key(deformer->descriptor, settings[i].key, NULL);
		const char *text = settings[i].value.text;
		const bool is_file = index != SNW_NONE && deformer->descriptor->parameters[index]->kind == SNW_PARAMETER_FILE;
		if (is_file && text && text[0] && text[0] != '/') {
			settings[i].value.text = snw_path_inside(scene->folder, snw_path_absolute(scene->arena, folder, text));
			changed = true;
		}
	}
	layer->settings = settings;
	return changed;
}

static snw_status rebase(snw_project *project, const char *folder, const snw_registry *registry, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_project_scene(project, &scene, error);
	status = snw_failed(status) ? status : snw_project_begin(project, "keep the paths of files", error);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		snw_layer layer = scene->layers[i];
		int64_t id;
		if (rebase_layer(scene, folder, registry, &layer)) {
			const int64_t model = layer.model == SNW_NONE ? 0 : scene->models[layer.model].id;
			status = snw_project_put_layer(project, &layer, model, -1, &id, error);
		}
	}
	status = snw_failed(status) ? status : snw_project_commit(project, error);
	snw_scene_destroy(scene);
	return status;
}

snw_status snw_project_rebase_files(const char *copy, const char *folder, const snw_registry *registry, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const bool is_elsewhere = strcmp(snw_path_absolute(scratch, NULL, snw_path_folder(copy, scratch)), folder) != 0;
	snw_arena_destroy(scratch);
	snw_project *project = NULL;
	if (!is_elsewhere) {
		return SNW_OK;
	}
	snw_status status = snw_project_open(copy, false, &project, error);
	status = snw_failed(status) ? status : rebase(project, folder, registry, error);
	snw_project_close(project);
	return status;
}

/* ---- whole projects ------------------------------------------------------------------------------------------------------ */

/* Writes a scene as a new project under a temporary name, then renames it over any existing file. */

static snw_status write_rows(snw_project *project, const snw_scene *scene, const snw_task *task, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	const snw_row_ids ids = snw_row_ids_make(scene, arena);
	const snw_store store = snw_store_of_scene(project, scene, &ids, task, error);
	const snw_status status = snw_store_tables(&store, &ids, SNW_TABLE_IMAGE, SNW_TABLE_LEVEL);
	snw_arena_destroy(arena);
	return status;
}

static snw_status write_scene(snw_project *project, const snw_scene *scene, const char *label, const snw_task *task,
							  snw_error *error) {
	/* No one else opens the file before it is complete, so commits need not be durable. */
	snw_status status = snw_database_execute(project, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN", error);
	status = snw_failed(status) ? status : snw_schema_create(project, error);
	status = snw_failed(status) ? status : write_rows(project, scene, task, error);
	if (!snw_failed(status)) {
		status =
			snw_database_run(project, "INSERT INTO journal (time, label) VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1)",
							 SNW_CELLS(snw_text(label)), error);
	}
	return snw_failed(status) ? status : snw_database_execute(project, "COMMIT", error);
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
	snw_project *project = NULL;
	status = snw_database_open(snw_file_write_path(file), false, &project, error);
	if (snw_failed(status)) {
		snw_file_write_abandon(file);
		return status;
	}
	status = snw_database_rename(project, path, error); /* errors name the requested file */
	status = snw_failed(status) ? status : write_scene(project, scene, label, task, error);
	snw_database_close(project);
	if (snw_failed(status)) {
		snw_file_write_abandon(file);
		return status;
	}
	return replace_old(path, file, error);
}
