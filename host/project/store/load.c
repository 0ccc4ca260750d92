/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "file/file.h"
#include "pose/pose.h"
#include "project/store/store.h"
#include "scene/check.h"
#include "scene/scene.h"

/* ---- load table ---------------------------------------------------------------------------------------------------------- */

snw_status snw_load_begin(snw_project *project, snw_scene *scene, snw_arena *scratch, snw_load *load, snw_error *error) {
	int64_t pages = 0, page_bytes = 0;
	*load = (snw_load){.project = project, .scene = scene, .scratch = scratch, .error = error};
	snw_status status = snw_database_integer(project, "PRAGMA page_count", NULL, 0, 0, &pages, error);
	status = snw_failed(status) ? status : snw_database_integer(project, "PRAGMA page_size", NULL, 0, 0, &page_bytes, error);
	load->file_bytes = (uint64_t)pages * (uint64_t)page_bytes;
	return status;
}

/* Fails because of damage in a table. */
static snw_status load_fail(const snw_load *load, snw_table_id table, const char *fault) {
	snw_rows rows = {.project = load->project, .table = snw_tables[table].name, .error = load->error};
	snw_rows_fail(&rows, fault);
	return rows.status;
}

/* " WHERE mesh = ?1", or "" for all rows. */
static const char *condition_of(const snw_table *table, int64_t owner, snw_arena *arena) {
	const snw_column *column = snw_table_column(table, SNW_COLUMN_OWNER);
	return owner ? snw_arena_format(arena, " WHERE %s = ?1", column->name) : "";
}

/* The number of rows of a table, or of a list in it, which must not be too large for a scene. Counts no further than the
 * file can hold: an outline does not check all pages, and damaged ones can repeat rows without end. */
static snw_status load_count(snw_load *load, snw_table_id id, int64_t owner, uint32_t *count) {
	enum { LEAST_ROW_BYTES = 4 };
	const snw_table *table = &snw_tables[id];
	const uint64_t rows = load->file_bytes / LEAST_ROW_BYTES;
	const int64_t most = rows < SNW_LARGEST_COUNT ? (int64_t)rows : SNW_LARGEST_COUNT;
	int64_t value = 0;
	const char *sql = snw_arena_format(load->scratch, "SELECT count(*) FROM (SELECT 1 FROM %s%s LIMIT ?2)", table->name,
									   condition_of(table, owner, load->scratch));
	const snw_status status =
		snw_database_integer(load->project, sql, SNW_CELLS(snw_integer(owner), snw_integer(most + 1)), 0, &value, load->error);
	if (!snw_failed(status) && (value < 0 || value > most)) {
		return snw_fail(load->error, SNW_ERROR_DATA,
						"%s: the table '%s' has more rows than the file or a scene can hold; use a backup", load->project->path,
						table->name);
	}
	*count = (uint32_t)value;
	return status;
}

/* ---- a row --------------------------------------------------------------------------------------------------------------- */

/* Whether a column is read: it has a member, or is the id. */
static bool is_read(const snw_load *load, const snw_column *column) {
	return (column->member != SNW_NO_MEMBER || column->kind == SNW_COLUMN_ID) && !(column->is_heavy && load->scene->is_outline);
}

static const char *select_sql(const snw_load *load, const snw_table *table, int64_t owner) {
	const char *sql = NULL;
	for (uint32_t c = 0; c < table->column_count; c++) {
		const snw_column *column = &table->columns[c];
		if (is_read(load, column)) {
			sql = snw_arena_format(load->scratch, "%s %s", sql ? snw_arena_format(load->scratch, "%s,", sql) : "SELECT",
								   column->name);
		}
	}
	return snw_arena_format(load->scratch, "%s FROM %s%s ORDER BY %s", sql, table->name,
							condition_of(table, owner, load->scratch), table->order);
}

/* Ids to indices, in place. */
static uint32_t *find_indices(snw_rows *rows, const snw_id_map *map, uint32_t *ids, size_t count) {
	for (size_t i = 0; ids && i < count; i++) {
		const uint32_t id = ids[i];
		ids[i] = id ? snw_id_map_find(map, id) : SNW_NONE;
		if (id && ids[i] == SNW_NONE) {
			snw_rows_fail(rows, "a row in it refers to a missing row");
		}
	}
	return ids;
}

/* An array that is a row of the table 'array'. */
static void *load_apart(snw_load *load, snw_rows *rows, int at, const snw_column *column, void *row) {
	size_t bytes = 0;
	void *array = snw_rows_apart_bytes(rows, at, load->file_bytes - load->apart_bytes, &bytes);
	const uint32_t elements = column->kind == SNW_COLUMN_LIST ? (uint32_t)(bytes / column->element_bytes) : 0;
	load->apart_bytes += bytes;
	if (column->kind == SNW_COLUMN_BYTES) {
		memcpy((char *)row + column->count_member, &bytes, sizeof bytes);
	} else if (column->kind == SNW_COLUMN_LIST) {
		memcpy((char *)row + column->count_member, &elements, sizeof elements);
	}
	const bool is_whole =
		snw_failed(rows->status) || column->kind == SNW_COLUMN_BYTES ||
		snw_rows_expect_size(rows, at, bytes, column->kind == SNW_COLUMN_LIST ? elements : column->count(row, load->scene),
							 column->element_bytes);
	return is_whole ? array : NULL;
}

/* An array, in the scene's arena. */
static void *load_array(snw_load *load, snw_rows *rows, int at, const snw_column *column, void *row) {
	uint32_t count = 0;
	size_t byte_count = 0;
	void *array;
	if (column->is_apart) {
		return load_apart(load, rows, at, column, row);
	}
	switch (column->kind) {
	case SNW_COLUMN_LIST:
		array = snw_rows_counted_array(rows, at, column->element_bytes, &count);
		memcpy((char *)row + column->count_member, &count, sizeof count);
		return array;
	case SNW_COLUMN_BYTES:
		array = snw_rows_bytes(rows, at, &byte_count);
		memcpy((char *)row + column->count_member, &byte_count, sizeof byte_count);
		return array;
	case SNW_COLUMN_INDICES:
		array = snw_rows_array(rows, at, column->count(row, load->scene), column->element_bytes);
		return find_indices(rows, &load->maps[column->refers], array, column->count(row, load->scene));
	default:
		return snw_rows_array(rows, at, column->count(row, load->scene), column->element_bytes);
	}
}

static void load_value(snw_load *load, snw_rows *rows, int at, const snw_column *column, void *row) {
	void *member = (char *)row + column->member;
	switch (column->kind) {
	case SNW_COLUMN_COUNT:
		*(uint32_t *)member = snw_rows_count(rows, at);
		break;
	case SNW_COLUMN_CHOICE:
		*(int32_t *)member = (int32_t)snw_rows_count(rows, at);
		break;
	case SNW_COLUMN_FLAG:
		*(bool *)member = snw_rows_integer(rows, at) != 0;
		break;
	case SNW_COLUMN_REAL:
		*(double *)member = snw_rows_real(rows, at);
		break;
	case SNW_COLUMN_TEXT:
		*(const char **)member = snw_rows_text(rows, at);
		break;
	case SNW_COLUMN_INDEX:
		*(uint32_t *)member = snw_rows_index(rows, at, &load->maps[column->refers], column->optional && !column->applies);
		break;
	case SNW_COLUMN_NUMBERS:
		snw_rows_array_into(rows, at, column->element_bytes / sizeof(double), sizeof(double), member);
		break;
	case SNW_COLUMN_ARRAY:
	case SNW_COLUMN_INDICES:
	case SNW_COLUMN_LIST:
	case SNW_COLUMN_BYTES: {
		void *array = load_array(load, rows, at, column, row);
		memcpy(member, &array, sizeof array);
		break;
	}
	default:
		*(int64_t *)member = snw_rows_integer(rows, at);
	}
}

/* Arrays and texts that are NULL, and columns that do not apply, leave the zero of the row. */
static bool is_left_zero(snw_rows *rows, int at, const snw_column *column, const void *row) {
	return (column->applies && !column->applies(row)) ||
		   (column->optional && column->kind != SNW_COLUMN_INDEX && snw_rows_null(rows, at));
}

static void load_row(snw_load *load, snw_rows *rows, const snw_table *table, void *row, int64_t *id) {
	int at = 0;
	for (uint32_t c = 0; !snw_failed(rows->status) && c < table->column_count; c++) {
		const snw_column *column = &table->columns[c];
		if (column->kind == SNW_COLUMN_ID) {
			*id = snw_rows_integer(rows, at);
		}
		if (column->member != SNW_NO_MEMBER && is_read(load, column) && !is_left_zero(rows, at, column, row)) {
			load_value(load, rows, at, column, row);
		}
		at += is_read(load, column);
	}
}

/* ---- a table ------------------------------------------------------------------------------------------------------------- */

snw_status snw_load_table(snw_load *load, snw_table_id id, int64_t owner, snw_loaded *loaded) {
	const snw_table *table = &snw_tables[id];
	const bool has_ids = snw_table_column(table, SNW_COLUMN_ID) != NULL;
	uint32_t count = 0, i = 0;
	int64_t none;
	const snw_status status = load_count(load, id, owner, &count);
	if (snw_failed(status)) {
		return status;
	}
	*loaded = (snw_loaded){.rows = snw_arena_array(load->scene->arena, count, table->row_bytes),
						   .ids = has_ids ? SNW_NEW_ARRAY(load->scratch, int64_t, count) : NULL};
	const snw_cell cell = snw_integer(owner);
	snw_rows rows = snw_rows_begin(load->project, load->scene->arena, table->name, select_sql(load, table, owner), &cell,
								   owner ? 1 : 0, load->error);
	for (; i < count && snw_rows_next(&rows); i++) {
		load_row(load, &rows, table, (char *)loaded->rows + table->row_bytes * i, has_ids ? &loaded->ids[i] : &none);
	}
	loaded->count = i;
	if (!owner && has_ids) {
		load->maps[id] = snw_id_map_make(loaded->ids, i, sizeof *loaded->ids, load->scratch);
	}
	return snw_rows_end(&rows);
}

/* Sets the array and the count in the struct that a list belongs to. */
static void set_list(const snw_table *table, void *owner, const snw_loaded *loaded) {
	memcpy((char *)owner + table->list, &loaded->rows, sizeof loaded->rows);
	memcpy((char *)owner + table->list_count, &loaded->count, sizeof loaded->count);
}

/* The rows of a table that are in the lists of rows of another. */
static snw_status load_lists(snw_load *load, snw_table_id id, const snw_loaded *owners) {
	const size_t owner_bytes = snw_tables[snw_tables[id].owner].row_bytes;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < owners->count; i++) {
		snw_loaded list = {0};
		status = snw_load_table(load, id, owners->ids[i], &list);
		set_list(&snw_tables[id], (char *)owners->rows + owner_bytes * i, &list);
	}
	return status;
}

/* Loads a list of the scene, and the lists of its rows. */
static snw_status load_list(snw_load *load, snw_table_id id) {
	snw_loaded loaded = {0};
	snw_status status = snw_load_table(load, id, 0, &loaded);
	set_list(&snw_tables[id], load->scene, &loaded);
	for (snw_table_id t = id + 1; !snw_failed(status) && t < SNW_TABLE_COUNT; t++) {
		status = snw_tables[t].owner == id && snw_tables[t].list != SNW_NO_MEMBER ? load_lists(load, t, &loaded) : status;
	}
	return status;
}

/* ---- sculpts frames ------------------------------------------------------------------------------------------------------ */

/* What is more than rows: sculpts, of which a project has the edited points alone, and the frames of targets, which are one
 * array. */

/* ---- sculpts ------------------------------------------------------------------------------------------------------------- */

/* The memory limit for the points of all examples: some megabytes for a small file, otherwise a multiple of the file's size.
 * Examples with more than a few edited points in a thousand need less. */
enum { FILLED_FREE = 1 << 22, FILLED_TIMES = 256 };

/* Examples with some edited points are completed to whole meshes. Checks their total size first. */
static snw_status check_filled(snw_load *load) {
	const snw_scene *scene = load->scene;
	const uint64_t limit = FILLED_FREE + load->file_bytes / (3 * sizeof(double)) * FILLED_TIMES;
	uint64_t points = 0;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		points += example->edited ? scene->meshes[example->mesh].point_count : 0;
		if (points > limit || points > SNW_LARGEST_COUNT) {
			return load_fail(load, SNW_TABLE_EXAMPLE, "its examples claim more points than the file can hold");
		}
	}
	return SNW_OK;
}

/* Puts the edited points in their places. The others are computed once the scene is checked. */
static snw_status spread_points(const snw_load *load, snw_example *example) {
	const uint32_t point_count = load->scene->meshes[example->mesh].point_count;
	if (example->edited_count > point_count) {
		return load_fail(load, SNW_TABLE_EXAMPLE, "it has more edited points than its mesh has points");
	}
	double *points = snw_arena_array(load->scene->arena, point_count, 3 * sizeof *points);
	for (uint32_t i = 0; i < example->edited_count; i++) {
		if (example->edited[i] >= point_count) {
			return load_fail(load, SNW_TABLE_EXAMPLE, "an edited point is out of range");
		}
		memcpy(points + 3 * (size_t)example->edited[i], example->points_posed + 3 * (size_t)i, 3 * sizeof *points);
	}
	example->points_posed = points;
	return SNW_OK;
}

/* Examples; points that are not edited are 0. */
static snw_status load_examples(snw_load *load) {
	snw_status status = load_list(load, SNW_TABLE_EXAMPLE);
	status = snw_failed(status) ? status : check_filled(load);
	for (uint32_t i = 0; !snw_failed(status) && i < load->scene->example_count; i++) {
		/* The array was allocated by the load, so it can be written. */
		snw_example *example = (snw_example *)(uintptr_t)&load->scene->examples[i];
		status = example->edited ? spread_points(load, example) : SNW_OK;
	}
	return status;
}

/* Computes the points of examples that are not edited, with the base skin. The scene has been checked. */
static void load_fill_examples(snw_load *load) {
	const snw_scene *scene = load->scene;
	uint32_t most = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		most = scene->meshes[m].point_count > most ? scene->meshes[m].point_count : most;
	}
	double *points = snw_arena_array(load->scratch, most, 3 * sizeof *points);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		if (!example->edited) {
			continue;
		}
		const snw_pose_view *pose = snw_pose_view_make(scene, &scene->poses[example->pose], load->scratch);
		snw_blend_points(scene, example->mesh, pose, points);
		snw_example_apply_edited(example, scene->meshes[example->mesh].point_count, points);
		/* The array was allocated here, so it can be written. */
		memcpy((double *)(uintptr_t)example->points_posed, points,
			   3 * (size_t)scene->meshes[example->mesh].point_count * sizeof *points);
	}
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

static size_t numbers_of_frame(const snw_load *load, const snw_target *target) {
	return 3 * (size_t)load->scene->meshes[target->mesh].point_count;
}

static snw_rows begin_frames(snw_load *load, const char *sql, const snw_cell *cells, size_t cell_count) {
	return snw_rows_begin(load->project, load->scene->arena, "target_frame", sql, cells, cell_count, load->error);
}

/* The bytes in the file bound the allocation. */
static snw_status count_frames(snw_load *load, const snw_target *target, uint32_t *count) {
	const size_t numbers = numbers_of_frame(load, target);
	int64_t bytes = 0;
	size_t needed;
	snw_status status = load_count(load, SNW_TABLE_TARGET_FRAME, target->id, count);
	if (!snw_failed(status)) {
		status = snw_database_integer(load->project, "SELECT sum(length(points_posed)) FROM target_frame WHERE target = ?1",
									  SNW_CELLS(snw_integer(target->id)), 0, &bytes, load->error);
	}
	if (!snw_failed(status) && (__builtin_mul_overflow(*count, numbers * sizeof(float), &needed) || needed != (size_t)bytes)) {
		return snw_fail(load->error, SNW_ERROR_DATA,
						"%s: the table 'target_frame' is damaged: the frames of '%s' have %lld bytes for %u frames of %zu "
						"points; use a backup",
						load->project->path, target->name, (long long)bytes, *count, numbers / 3);
	}
	return status;
}

/* Loads the frames of a target as one array. */
static snw_status load_frames(snw_load *load, snw_target *target) {
	const size_t numbers = numbers_of_frame(load, target);
	uint32_t count = 0, i = 0;
	const snw_status status = count_frames(load, target, &count);
	if (snw_failed(status)) {
		return status;
	}
	double *seconds = SNW_NEW_ARRAY(load->scene->arena, double, count);
	float *points = snw_arena_array(load->scene->arena, count, numbers * sizeof *points);
	snw_rows rows = begin_frames(load, "SELECT seconds, points_posed FROM target_frame WHERE target = ?1 ORDER BY position",
								 SNW_CELLS(snw_integer(target->id)));
	for (; i < count && snw_rows_next(&rows); i++) {
		if (!snw_task_progress(load->task, (double)i / count, "reading frames")) {
			sqlite3_finalize(rows.statement);
			return snw_fail(load->error, SNW_CANCELLED, "cancelled");
		}
		seconds[i] = snw_rows_real(&rows, 0);
		snw_rows_array_into(&rows, 1, numbers, sizeof(float), points + i * numbers);
	}
	target->seconds = seconds;
	target->points_posed = points;
	target->frame_count = i;
	return snw_rows_end(&rows);
}

/* Adds a row to the frames of its target. Rows come in the order of targets, so those of a target are consecutive in
 * `seconds`. */
static void add_frame_time(snw_load *load, snw_rows *rows, snw_target *targets, double *seconds) {
	const uint32_t index = snw_rows_index(rows, 0, &load->maps[SNW_TABLE_TARGET], false);
	*seconds = snw_rows_real(rows, 1);
	if (snw_failed(rows->status)) {
		return;
	}
	snw_target *target = &targets[index];
	if (snw_rows_integer(rows, 2) != (int64_t)(numbers_of_frame(load, target) * sizeof(float))) {
		snw_rows_fail(rows, "a frame has a different number of points than its mesh");
	} else if (target->frame_count > 0 && target->seconds + target->frame_count != seconds) {
		snw_rows_fail(rows, "the frames of a target are not in order");
	}
	target->seconds = target->frame_count > 0 ? target->seconds : seconds;
	target->frame_count++;
}

/* Loads the times of the frames of all targets. A condition on the target would make SQLite read the points for the
 * comparison. */
static snw_status load_frame_times(snw_load *load, snw_target *targets) {
	uint32_t count = 0;
	const snw_status status = load_count(load, SNW_TABLE_TARGET_FRAME, 0, &count);
	if (snw_failed(status)) {
		return status;
	}
	double *seconds = SNW_NEW_ARRAY(load->scene->arena, double, count);
	snw_rows rows =
		begin_frames(load, "SELECT target, seconds, length(points_posed) FROM target_frame ORDER BY target, position", NULL, 0);
	for (uint32_t i = 0; i < count && snw_rows_next(&rows); i++) {
		add_frame_time(load, &rows, targets, seconds + i);
	}
	return snw_rows_end(&rows);
}

/* The frames of all targets; of an outline, their times. */
static snw_status load_all_frames(snw_load *load) {
	/* The array was allocated by the load, so it can be written. */
	snw_target *targets = (snw_target *)(uintptr_t)load->scene->targets;
	if (load->scene->is_outline) {
		return load_frame_times(load, targets);
	}
	snw_status status = SNW_OK;
	for (uint32_t t = 0; !snw_failed(status) && t < load->scene->target_count; t++) {
		status = load_frames(load, &targets[t]);
	}
	return status;
}

/* ---- load scene ---------------------------------------------------------------------------------------------------------- */

/* Loads a scene in one transaction, so that it contains a command of another program completely or not at all, and checks
 * it. */

static snw_status load_joints(snw_load *load) {
	snw_arena *arena = load->scene->arena;
	snw_skeleton *skeleton = &load->scene->skeleton;
	snw_loaded loaded = {0};
	const snw_status status = snw_load_table(load, SNW_TABLE_JOINT, 0, &loaded);
	if (snw_failed(status)) {
		return status;
	}
	const snw_joint_row *joints = loaded.rows;
	skeleton->joint_count = loaded.count;
	skeleton->names = SNW_NEW_ARRAY(arena, const char *, loaded.count);
	skeleton->parents = SNW_NEW_ARRAY(arena, uint32_t, loaded.count);
	skeleton->rest_local = SNW_NEW_ARRAY(arena, snw_transform, loaded.count);
	for (uint32_t j = 0; j < loaded.count; j++) {
		const int64_t parent = joints[j].parent;
		skeleton->names[j] = joints[j].name;
		skeleton->rest_local[j] = joints[j].rest_local;
		skeleton->parents[j] = parent ? snw_id_map_find(&load->maps[SNW_TABLE_JOINT], parent) : SNW_NONE;
		if (parent && skeleton->parents[j] == SNW_NONE) {
			return load_fail(load, SNW_TABLE_JOINT, "the parent of a joint is missing");
		}
	}
	return snw_skeleton_finish(skeleton, arena, load->error);
}

static snw_status load_slots(snw_load *load) {
	snw_scene *scene = load->scene;
	snw_loaded loaded = {0};
	const snw_status status = snw_load_table(load, SNW_TABLE_SLOT, 0, &loaded);
	if (snw_failed(status)) {
		return status;
	}
	const snw_slot_row *slots = loaded.rows;
	uint32_t *joints = SNW_NEW_ARRAY(scene->arena, uint32_t, loaded.count);
	double *inverse_binds = snw_arena_array(scene->arena, loaded.count, sizeof slots->inverse_bind);
	for (uint32_t s = 0; s < loaded.count; s++) {
		if (slots[s].position != (int64_t)s) {
			return load_fail(load, SNW_TABLE_SLOT, "its positions have a gap");
		}
		joints[s] = slots[s].joint;
		memcpy(inverse_binds + 12 * (size_t)s, slots[s].inverse_bind, sizeof slots->inverse_bind);
	}
	scene->slot_count = loaded.count;
	scene->slot_joints = joints;
	scene->slot_inverse_binds = inverse_binds;
	return SNW_OK;
}

/* Tables after those that they refer to. */
static snw_status load_tables(snw_load *load) {
	snw_status status = SNW_OK;
	for (snw_table_id t = 0; !snw_failed(status) && t < SNW_TABLE_COUNT; t++) {
		const bool is_list = snw_tables[t].owner == SNW_TABLE_PROJECT && snw_tables[t].list != SNW_NO_MEMBER;
		status = t == SNW_TABLE_JOINT     ? load_joints(load)
				 : t == SNW_TABLE_SLOT    ? load_slots(load)
				 : t == SNW_TABLE_EXAMPLE ? load_examples(load)
				 : is_list                ? load_list(load, t)
										  : SNW_OK;
	}
	return snw_failed(status) ? status : load_all_frames(load);
}

/* A level has the name of its mesh. */
static void name_levels(const snw_scene *scene) {
	snw_level *levels = (snw_level *)(uintptr_t)scene->levels; /* they are being loaded */
	for (uint32_t i = 0; i < scene->level_count; i++) {
		levels[i].shape.name = scene->meshes[levels[i].mesh].name;
	}
}

static snw_status load_checked(snw_load *load) {
	snw_status status = load_tables(load);
	if (snw_failed(status)) {
		return status;
	}
	name_levels(load->scene);
	snw_error found;
	status = snw_scene_check(load->scene, &found);
	if (snw_failed(status)) {
		return snw_fail(load->error, status, "%s: %s; use a backup", load->project->path, found.text);
	}
	if (!load->scene->is_outline) {
		load_fill_examples(load);
	}
	return SNW_OK;
}

snw_status snw_project_read_scene(snw_project *project, const snw_task *task, snw_scene **scene, snw_error *error) {
	/* Inside a command, its transaction is used. */
	const bool opened_transaction = sqlite3_get_autocommit(project->database);
	snw_status status = opened_transaction ? snw_database_execute(project, "BEGIN", error) : SNW_OK;
	if (snw_failed(status)) {
		return status;
	}
	snw_load load;
	snw_scene *read = snw_scene_create();
	snw_arena *scratch = snw_arena_create();
	read->is_outline = project->is_outline;
	status = snw_load_begin(project, read, scratch, &load, error);
	load.task = task;
	status = snw_failed(status) ? status : load_checked(&load);
	status = snw_failed(status) ? status : snw_database_version(project, &project->scene_version, error);
	if (opened_transaction) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL); /* it only read */
	}
	snw_arena_destroy(scratch);
	if (snw_failed(status)) {
		snw_scene_destroy(read);
		return status;
	}
	read->folder = snw_path_absolute(read->arena, NULL, snw_path_folder(project->path, read->arena));
	*scene = read;
	return SNW_OK;
}

snw_status snw_project_scene(snw_project *project, snw_scene **scene, snw_error *error) {
	return snw_project_read_scene(project, NULL, scene, error);
}
