/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads a scene in one transaction, so that it contains a command of another program completely or not at all, and checks it.
 */
#include "file/file.h"
#include "project/load/load.h"
#include "scene/scene.h"

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
			return snw_load_fail(load, SNW_TABLE_JOINT, "the parent of a joint is missing");
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
			return snw_load_fail(load, SNW_TABLE_SLOT, "its positions have a gap");
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
				 : t == SNW_TABLE_EXAMPLE ? snw_load_examples(load)
				 : is_list                ? snw_load_list(load, t)
										  : SNW_OK;
	}
	return snw_failed(status) ? status : snw_load_frames(load);
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
		snw_load_fill_examples(load);
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
