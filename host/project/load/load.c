/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads a scene in one transaction, so that it contains a command of another program completely or not at all, and checks it.
 */
#include "project/load/load.h"

#include <stdio.h>

#include "file/file.h"
#include "scene/check.h"
#include "scene/skeleton.h"

/* Counts no further than the file can hold: an outline does not check all pages, and damaged ones can repeat rows without end.
 * `condition` uses ?1. */
static snw_status count_rows(snw_load *load, const char *table, const char *condition, int64_t id, uint32_t *count) {
	enum { LEAST_ROW_BYTES = 4 };
	const uint64_t rows = load->file_bytes / LEAST_ROW_BYTES;
	const int64_t most = rows < SNW_LARGEST_COUNT ? (int64_t)rows : SNW_LARGEST_COUNT;
	char sql[150];
	int64_t value = 0;
	snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT 1 FROM %s%s LIMIT ?2)", table, condition);
	const snw_status status =
		snw_database_integer(load->project, sql, SNW_CELLS(snw_integer(id), snw_integer(most + 1)), 0, &value, load->error);
	if (!snw_failed(status) && (value < 0 || value > most)) {
		return snw_fail(load->error, SNW_ERROR_DATA,
						"%s: the table '%s' has more rows than the file or a scene can hold; use a backup", load->project->path,
						table);
	}
	*count = (uint32_t)value;
	return status;
}

snw_status snw_load_count(snw_load *load, const char *table, uint32_t *count) {
	return count_rows(load, table, "", 0, count);
}

snw_status snw_load_count_of(snw_load *load, const char *table, const char *owner, int64_t id, uint32_t *count) {
	char condition[50];
	snprintf(condition, sizeof condition, " WHERE %s = ?1", owner);
	return count_rows(load, table, condition, id, count);
}

static snw_status read_file_bytes(snw_load *load) {
	int64_t pages = 0, page_bytes = 0;
	snw_status status = snw_database_integer(load->project, "PRAGMA page_count", NULL, 0, 0, &pages, load->error);
	status = snw_failed(status) ? status
								: snw_database_integer(load->project, "PRAGMA page_size", NULL, 0, 0, &page_bytes, load->error);
	load->file_bytes = (uint64_t)pages * (uint64_t)page_bytes;
	return status;
}

snw_rows snw_load_rows(snw_load *load, const char *table, const char *sql, const snw_cell *cells, size_t cell_count) {
	return snw_rows_begin(load->project, load->scene->arena, table, sql, cells, cell_count, load->error);
}

static snw_load_table begin_table(snw_load *load, const char *table, const char *sql, const snw_cell *cells, size_t cell_count,
								  snw_status counted, uint32_t row_count, size_t element_bytes) {
	if (snw_failed(counted)) {
		return (snw_load_table){.rows.status = counted};
	}
	return (snw_load_table){.rows = snw_load_rows(load, table, sql, cells, cell_count),
							.elements = snw_arena_array(load->scene->arena, row_count, element_bytes),
							.element_bytes = element_bytes,
							.row_count = row_count};
}

snw_load_table snw_load_table_begin(snw_load *load, const char *table, const char *sql, size_t element_bytes) {
	uint32_t row_count = 0;
	const snw_status status = snw_load_count(load, table, &row_count);
	return begin_table(load, table, sql, NULL, 0, status, row_count, element_bytes);
}

snw_load_table snw_load_list_begin(snw_load *load, const char *table, const char *owner, int64_t id, const char *sql,
								   size_t element_bytes) {
	uint32_t row_count = 0;
	const snw_status status = snw_load_count_of(load, table, owner, id, &row_count);
	return begin_table(load, table, sql, SNW_CELLS(snw_integer(id)), status, row_count, element_bytes);
}

void *snw_load_next(snw_load_table *table) {
	if (table->count == table->row_count || !snw_rows_next(&table->rows)) {
		return NULL;
	}
	return (char *)table->elements + table->element_bytes * table->count++;
}

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

static snw_status load_images(snw_load *load) {
	const bool is_outline = load->scene->is_outline;
	snw_load_table table = snw_load_table_begin(load, "image",
												is_outline ? "SELECT id, name, media FROM image ORDER BY id"
														   : "SELECT id, name, media, bytes FROM image ORDER BY id",
												sizeof(snw_image));
	for (snw_image *image; (image = snw_load_next(&table));) {
		image->id = snw_rows_integer(&table.rows, 0);
		image->name = snw_rows_text(&table.rows, 1);
		image->media = snw_rows_text(&table.rows, 2);
		image->bytes = is_outline ? NULL : snw_rows_bytes(&table.rows, 3, &image->byte_count);
	}
	snw_image *images = table.elements;
	load->scene->images = images;
	load->scene->image_count = table.count;
	load->images = snw_id_map_make(&images->id, table.count, sizeof *images, load->scratch);
	return snw_rows_end(&table.rows);
}

static snw_status load_materials(snw_load *load) {
	snw_load_table table =
		snw_load_table_begin(load, "material",
							 "SELECT id, name, base_color, metallic, roughness, emissive, base_color_image, "
							 "metallic_roughness_image, normal_image, double_sided, alpha, alpha_cutoff, emissive_image "
							 "FROM material ORDER BY id",
							 sizeof(snw_material));
	for (snw_material *material; (material = snw_load_next(&table));) {
		material->id = snw_rows_integer(&table.rows, 0);
		material->name = snw_rows_text(&table.rows, 1);
		snw_rows_array_into(&table.rows, 2, 4, sizeof(double), material->base_color);
		material->metallic = snw_rows_real(&table.rows, 3);
		material->roughness = snw_rows_real(&table.rows, 4);
		snw_rows_array_into(&table.rows, 5, 3, sizeof(double), material->emissive);
		material->base_color_image = snw_rows_index(&table.rows, 6, &load->images, true);
		material->metallic_roughness_image = snw_rows_index(&table.rows, 7, &load->images, true);
		material->normal_image = snw_rows_index(&table.rows, 8, &load->images, true);
		material->double_sided = snw_rows_integer(&table.rows, 9) != 0;
		material->alpha = (int32_t)snw_rows_count(&table.rows, 10);
		material->alpha_cutoff = snw_rows_real(&table.rows, 11);
		material->emissive_image = snw_rows_index(&table.rows, 12, &load->images, true);
	}
	snw_material *materials = table.elements;
	load->scene->materials = materials;
	load->scene->material_count = table.count;
	load->materials = snw_id_map_make(&materials->id, table.count, sizeof *materials, load->scratch);
	return snw_rows_end(&table.rows);
}

snw_status snw_load_looks(snw_load *load) {
	const snw_status status = load_images(load);
	return snw_failed(status) ? status : load_materials(load);
}

/* ---- skeleton ------------------------------------------------------------------------------------------------------------ */

_Static_assert(sizeof(snw_transform) == 10 * sizeof(double), "transforms are stored as arrays of doubles");

static snw_status load_joints(snw_load *load) {
	snw_arena *arena = load->scene->arena;
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count(load, "joint", &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_skeleton *skeleton = &load->scene->skeleton;
	skeleton->names = SNW_NEW_ARRAY(arena, const char *, count);
	skeleton->parents = SNW_NEW_ARRAY(arena, uint32_t, count);
	skeleton->rest_local = SNW_NEW_ARRAY(arena, snw_transform, count);
	int64_t *ids = SNW_NEW_ARRAY(load->scratch, int64_t, count), *parents = SNW_NEW_ARRAY(load->scratch, int64_t, count);
	snw_rows rows = snw_load_rows(load, "joint", "SELECT id, name, parent, rest_local FROM joint ORDER BY position", NULL, 0);
	for (; i < count && snw_rows_next(&rows); i++) {
		ids[i] = snw_rows_integer(&rows, 0);
		skeleton->names[i] = snw_rows_text(&rows, 1);
		parents[i] = snw_rows_integer(&rows, 2);
		snw_rows_array_into(&rows, 3, 1, sizeof(snw_transform), &skeleton->rest_local[i]);
	}
	skeleton->joint_count = i;
	load->joints = snw_id_map_make(ids, i, sizeof *ids, load->scratch);
	for (uint32_t j = 0; j < i; j++) {
		skeleton->parents[j] = parents[j] ? snw_id_map_find(&load->joints, parents[j]) : SNW_NONE;
		if (parents[j] && skeleton->parents[j] == SNW_NONE) {
			snw_rows_fail(&rows, "the parent of a joint is missing");
		}
	}
	status = snw_rows_end(&rows);
	return snw_failed(status) ? status : snw_skeleton_finish(skeleton, arena, load->error);
}

static snw_status load_slots(snw_load *load) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count(load, "slot", &count);
	if (snw_failed(status)) {
		return status;
	}
	uint32_t *joints = SNW_NEW_ARRAY(load->scene->arena, uint32_t, count);
	double *inverse_binds = snw_arena_array(load->scene->arena, count, 12 * sizeof *inverse_binds);
	snw_rows rows = snw_load_rows(load, "slot", "SELECT position, joint, inverse_bind FROM slot ORDER BY position", NULL, 0);
	for (; i < count && snw_rows_next(&rows); i++) {
		if (snw_rows_integer(&rows, 0) != (int64_t)i) {
			snw_rows_fail(&rows, "its positions have a gap");
		}
		joints[i] = snw_rows_index(&rows, 1, &load->joints, false);
		snw_rows_array_into(&rows, 2, 12, sizeof(double), inverse_binds + 12 * (size_t)i);
	}
	load->scene->slot_count = i;
	load->scene->slot_joints = joints;
	load->scene->slot_inverse_binds = inverse_binds;
	return snw_rows_end(&rows);
}

static snw_status load_channels(snw_load *load) {
	uint32_t count = 0, i = 0;
	snw_status status = snw_load_count(load, "channel", &count);
	if (snw_failed(status)) {
		return status;
	}
	snw_channel *channels = SNW_NEW_ARRAY(load->scene->arena, snw_channel, count);
	int64_t *ids = SNW_NEW_ARRAY(load->scratch, int64_t, count);
	snw_rows rows = snw_load_rows(load, "channel", "SELECT id, name, initial FROM channel ORDER BY id", NULL, 0);
	for (; i < count && snw_rows_next(&rows); i++) {
		ids[i] = snw_rows_integer(&rows, 0);
		channels[i].name = snw_rows_text(&rows, 1);
		channels[i].initial = snw_rows_real(&rows, 2);
	}
	load->scene->channels = channels;
	load->scene->channel_count = i;
	load->channels = snw_id_map_make(ids, i, sizeof *ids, load->scratch);
	return snw_rows_end(&rows);
}

snw_status snw_load_skeleton(snw_load *load) {
	snw_status status = load_joints(load);
	status = snw_failed(status) ? status : load_slots(load);
	return snw_failed(status) ? status : load_channels(load);
}

/* ---- the scene ----------------------------------------------------------------------------------------------------------- */

static snw_status load_parts(snw_load *load) {
	static snw_status (*const parts[])(snw_load *) = {read_file_bytes, snw_load_looks,  snw_load_skeleton, snw_load_meshes,
													  snw_load_motion, snw_load_shapes, snw_load_stack};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const snw_status status = parts[i](load);
		if (snw_failed(status)) {
			return status;
		}
	}
	snw_error found;
	const snw_status status = snw_scene_check(load->scene, &found);
	if (snw_failed(status)) {
		return snw_fail(load->error, status, "%s: %s; use a backup", load->project->path, found.text);
	}
	if (!load->scene->is_outline) {
		snw_load_fill_examples(load);
	}
	return SNW_OK;
}

snw_status snw_project_read_scene(snw_project *project, const snw_task *task, snw_scene **scene, snw_error *error) {
	/* Inside a command, its transaction is used. */
	const bool opened_transaction = sqlite3_get_autocommit(project->database);
	if (opened_transaction) {
		const snw_status status = snw_database_execute(project, "BEGIN", error);
		if (snw_failed(status)) {
			return status;
		}
	}
	snw_load load = {
		.project = project, .scene = snw_scene_create(), .task = task, .scratch = snw_arena_create(), .error = error};
	load.scene->is_outline = project->is_outline;
	snw_status status = load_parts(&load);
	status = snw_failed(status) ? status : snw_database_version(project, &project->scene_version, error);
	if (opened_transaction) {
		sqlite3_exec(project->database, "ROLLBACK", NULL, NULL, NULL); /* it only read */
	}
	snw_arena_destroy(load.scratch);
	if (snw_failed(status)) {
		snw_scene_destroy(load.scene);
		return status;
	}
	snw_arena *arena = load.scene->arena;
	load.scene->folder = snw_path_absolute(arena, NULL, snw_path_folder(project->path, arena));
	*scene = load.scene;
	return SNW_OK;
}

snw_status snw_project_scene(snw_project *project, snw_scene **scene, snw_error *error) {
	return snw_project_read_scene(project, NULL, scene, error);
}
