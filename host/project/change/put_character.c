/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replaces the character, and keeps the work done on it.
 */
#include <string.h>

#include "project/database/id_lists.h"
#include "project/journal/command.h"
#include "project/store/store.h"

/* Rows are removed and written again; unchanged rows leave nothing in the journal. Other rows refer to them in between. */
static const char clear[] =
	"PRAGMA defer_foreign_keys = ON;"
	"DELETE FROM pose; DELETE FROM track; DELETE FROM clip; DELETE FROM morph; DELETE FROM attribute;"
	"DELETE FROM level; DELETE FROM mesh;"
	"DELETE FROM slot; DELETE FROM kept_node; DELETE FROM joint; DELETE FROM channel; DELETE FROM material; DELETE FROM image";

static int64_t id_of_name(const snw_row_list *rows, const char *name) {
	for (uint32_t i = 0; i < rows->count; i++) {
		if (strcmp(rows->names[i], name) == 0) {
			return rows->ids[i];
		}
	}
	return 0;
}

/* The order of channels is that of their ids. So their rows are kept only if all names and their order are unchanged. */
static void name_channels(const snw_scene *scene, const snw_row_list *rows, int64_t *ids) {
	bool same = rows->count <= scene->channel_count;
	for (uint32_t i = 0; same && i < rows->count; i++) {
		same = strcmp(rows->names[i], scene->channels[i].name) == 0;
	}
	for (uint32_t i = 0; same && i < rows->count; i++) {
		ids[i] = rows->ids[i];
	}
}

/* The other tables of a character. */
static const snw_table_id kept_tables[] = {SNW_TABLE_IMAGE, SNW_TABLE_MATERIAL, SNW_TABLE_KEPT_NODE,
										   SNW_TABLE_MESH,  SNW_TABLE_CLIP,     SNW_TABLE_POSE};

/* Rows keep the ids that the scene has of them. */
static void keep_ids(const snw_scene *scene, snw_table_id id, int64_t *ids) {
	const snw_table *table = &snw_tables[id];
	uint32_t count;
	const char *rows = snw_table_list(table, scene, &count);
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&ids[i], rows + table->row_bytes * i + snw_table_column(table, SNW_COLUMN_ID)->member, sizeof *ids);
	}
}

static snw_status name_rows(snw_project *project, const snw_scene *scene, snw_arena *arena, snw_row_ids *ids,
							snw_error *error) {
	snw_row_list joints = {0}, channels = {0};
	snw_status status = snw_row_list_read(project, "joint", "position", arena, &joints, error);
	status = snw_failed(status) ? status : snw_row_list_read(project, "channel", "id", arena, &channels, error);
	if (snw_failed(status)) {
		return status;
	}
	*ids = snw_row_ids_make(scene, arena);
	for (uint32_t i = 0; i < scene->skeleton.joint_count; i++) {
		ids->of[SNW_TABLE_JOINT][i] = id_of_name(&joints, scene->skeleton.names[i]);
	}
	name_channels(scene, &channels, ids->of[SNW_TABLE_CHANNEL]);
	for (size_t t = 0; t < sizeof kept_tables / sizeof *kept_tables; t++) {
		keep_ids(scene, kept_tables[t], ids->of[kept_tables[t]]);
	}
	return SNW_OK;
}

/* Puts transferred sculpts, and fields over joints, whose number or order may have changed. Removes fields of removed
 * meshes. */
static snw_status put_dependents(snw_project *project, const snw_transfer *transfer, const snw_row_ids *ids, snw_error *error) {
	const snw_scene *scene = &transfer->scene;
	snw_status status =
		snw_database_execute(project, "DELETE FROM field WHERE mesh NOT NULL AND mesh NOT IN (SELECT id FROM mesh)", error);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		int64_t id = example->id;
		if (transfer->example_moved[i]) {
			status = snw_project_put_example(project, example, ids->of[SNW_TABLE_POSE][example->pose],
											 ids->of[SNW_TABLE_MESH][example->mesh], scene->meshes[example->mesh].point_count,
											 &id, error);
		}
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->field_count; i++) {
		int64_t id = scene->fields[i].id;
		if (scene->fields[i].domain == SNW_DOMAIN_JOINTS) {
			status = snw_project_put_field(project, &scene->fields[i], 0, &id, error);
		}
	}
	return status;
}

snw_status snw_project_put_character(snw_project *project, const snw_transfer *transfer, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	snw_row_ids ids;
	status = name_rows(project, &transfer->scene, arena, &ids, error);
	status = snw_failed(status) ? status : snw_database_execute(project, clear, error);
	if (!snw_failed(status)) {
		const snw_store store = snw_store_of_scene(project, &transfer->scene, &ids, NULL, error);
		status = snw_store_tables(&store, &ids, SNW_TABLE_IMAGE, SNW_TABLE_POSE);
	}
	status = snw_failed(status) ? status : put_dependents(project, transfer, &ids, error);
	snw_arena_destroy(arena);
	project->rig_changed = true;
	return snw_command_result(project, status);
}

snw_status snw_project_put_points(snw_project *project, const snw_scene *scene, const snw_task *task, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		if (field->domain == SNW_DOMAIN_POINTS || field->domain == SNW_DOMAIN_FACES) {
			status = snw_project_put_field(project, field, scene->meshes[field->mesh].id, NULL, error);
		}
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		const snw_mesh *mesh = &scene->meshes[target->mesh];
		const int64_t clip = target->clip == SNW_NONE ? 0 : scene->clips[target->clip].id;
		if (!snw_task_progress(task, (double)i / scene->target_count, "saving targets")) {
			return snw_fail(error, SNW_CANCELLED, "the change was cancelled");
		}
		status = snw_project_put_target(project, target, mesh->id, mesh->point_count, clip, NULL, error);
	}
	return status;
}
