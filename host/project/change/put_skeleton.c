/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts a whole skeleton. Joints with the same name are the same joint: references to them, their values in fields and their
 * transforms in poses are kept. New joints are at rest in every pose. A joint can be renamed alone.
 */
#include <string.h>

#include "pose/pose.h"
#include "project/database/rows.h"
#include "project/journal/command.h"
#include "project/store/store.h"
#include "scene/check.h"

/* ---- put skeleton -------------------------------------------------------------------------------------------------------- */

typedef struct skeleton_change {
	snw_project *project;
	const snw_scene *scene; /* with the new skeleton and slots */
	snw_arena *arena;
	snw_row_list old;
	uint32_t *old_index;     /* [new joint]: SNW_NONE for a new one */
	int64_t *ids;            /* [new joint] */
	snw_scene before, after; /* only what the sizes of arrays depend on */
	snw_load load;
	snw_store store;
	snw_error *error;
} skeleton_change;

static uint32_t find_old(const snw_row_list *old, const char *name) {
	for (uint32_t i = 0; i < old->count; i++) {
		if (strcmp(old->names[i], name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

/* A joint that a clip or a group uses cannot be removed. */
static snw_status check_unused(const skeleton_change *r, uint32_t old) {
	const char *users = NULL;
	const snw_status status = snw_row_names_read(
		r->project,
		"SELECT name FROM clip WHERE id IN (SELECT clip FROM track WHERE joint = ?1) "
		"UNION SELECT name FROM corrective_group WHERE id IN (SELECT corrective_group FROM group_joint WHERE joint = ?1)",
		r->old.ids[old], r->arena, &users, r->error);
	if (!snw_failed(status) && users) {
		return snw_fail(r->error, SNW_ERROR_CONFLICT, "joint '%s' cannot be removed: %s use it; remove those first",
						r->old.names[old], users);
	}
	return status;
}

static snw_status store_changed_joints(skeleton_change *r) {
	const snw_skeleton *skeleton = &r->scene->skeleton;
	bool *survives = SNW_NEW_ARRAY(r->arena, bool, r->old.count);
	snw_status status = snw_database_execute(r->project, "DELETE FROM slot; PRAGMA defer_foreign_keys = ON", r->error);
	for (uint32_t i = 0; !snw_failed(status) && i < skeleton->joint_count; i++) {
		const uint32_t j = skeleton->order[i], old = find_old(&r->old, skeleton->names[j]);
		r->old_index[j] = old;
		r->ids[j] = old == SNW_NONE ? 0 : r->old.ids[old];
		if (old != SNW_NONE) {
			survives[old] = true;
		}
		status = snw_store_joint(&r->store, j, r->ids);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < r->old.count; i++) {
		if (!survives[i]) {
			status = check_unused(r, i);
			status = snw_failed(status) ? status /* a camera or a light on it */
										: snw_database_run(r->project, "DELETE FROM kept_node WHERE joint = ?1",
														   SNW_CELLS(snw_integer(r->old.ids[i])), r->error);
			status = snw_failed(status) ? status
										: snw_database_run(r->project, "DELETE FROM joint WHERE id = ?1",
														   SNW_CELLS(snw_integer(r->old.ids[i])), r->error);
		}
	}
	return status;
}

/* Stores a pose for the new joints with its old transforms. The rest pose is that of the new skeleton. */
static snw_status transfer_pose(const skeleton_change *r, snw_pose *pose) {
	const snw_skeleton *skeleton = &r->scene->skeleton;
	const bool is_rest = strcmp(pose->name, "rest") == 0;
	snw_transform *local = SNW_NEW_ARRAY(r->arena, snw_transform, skeleton->joint_count);
	double *rotation_vectors = snw_arena_array(r->arena, skeleton->joint_count, 3 * sizeof *rotation_vectors);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const uint32_t old = r->old_index[j];
		const bool is_transferred = old != SNW_NONE && !is_rest;
		local[j] = is_transferred ? pose->local[old] : skeleton->rest_local[j];
		if (is_transferred) {
			memcpy(rotation_vectors + 3 * (size_t)j, pose->rotation_vectors + 3 * (size_t)old, 3 * sizeof *rotation_vectors);
		}
	}
	pose->local = local;
	pose->rotation_vectors = rotation_vectors;
	snw_pose_unwind(r->scene, pose); /* rotation vectors are relative to the rest pose, which may have changed */
	return snw_store_row(&r->store, SNW_TABLE_POSE, pose, 0, &pose->id);
}

static snw_status transfer_poses(skeleton_change *r) {
	snw_loaded loaded = {0};
	bool has_rest = false;
	snw_status status = snw_load_table(&r->load, SNW_TABLE_POSE, 0, &loaded);
	snw_pose *poses = loaded.rows;
	for (uint32_t i = 0; !snw_failed(status) && i < loaded.count; i++) {
		has_rest = has_rest || strcmp(poses[i].name, "rest") == 0;
		status = transfer_pose(r, &poses[i]);
	}
	if (!snw_failed(status) && !has_rest) { /* there were no joints and no channels before */
		snw_pose rest = {.name = "rest"};
		status = transfer_pose(r, &rest);
	}
	return status;
}

/* Stores a field over joints for the new ones: a joint keeps its values, a new one has 0. */
static snw_status transfer_field(const skeleton_change *r, snw_field *field) {
	const uint32_t joints = r->scene->skeleton.joint_count;
	const size_t width = field->components;
	double *values = snw_arena_array(r->arena, joints, width * sizeof *values);
	memset(values, 0, joints * width * sizeof *values);
	for (size_t j = 0; j < joints; j++) {
		if (r->old_index[j] != SNW_NONE && r->old_index[j] < field->count) {
			memcpy(values + width * j, field->values + width * r->old_index[j], width * sizeof *values);
		}
	}
	field->count = joints;
	field->values = values;
	return snw_store_row(&r->store, SNW_TABLE_FIELD, field, 0, &field->id);
}

static snw_status transfer_fields(skeleton_change *r) {
	snw_row_list meshes = {0};
	snw_loaded loaded = {0};
	snw_status status = snw_row_list_read(r->project, "mesh", "id", r->arena, &meshes, r->error);
	if (snw_failed(status)) {
		return status;
	}
	r->load.maps[SNW_TABLE_MESH] = snw_id_map_make(meshes.ids, meshes.count, sizeof *meshes.ids, r->arena);
	status = snw_load_table(&r->load, SNW_TABLE_FIELD, 0, &loaded);
	snw_field *fields = loaded.rows;
	for (uint32_t i = 0; !snw_failed(status) && i < loaded.count; i++) {
		status = fields[i].domain == SNW_DOMAIN_JOINTS ? transfer_field(r, &fields[i]) : SNW_OK;
	}
	return status;
}

/* What rows are loaded for, and stored for: their arrays have the old joints, or the new ones. */
static snw_status begin_transfer(skeleton_change *r) {
	int64_t channel_count = 0;
	snw_status status = snw_row_list_read(r->project, "joint", "position", r->arena, &r->old, r->error);
	status = snw_failed(status)
				 ? status
				 : snw_database_integer(r->project, "SELECT count(*) FROM channel", NULL, 0, 0, &channel_count, r->error);
	r->before = (snw_scene){.arena = r->arena, .skeleton.joint_count = r->old.count, .channel_count = (uint32_t)channel_count};
	r->after = *r->scene;
	r->after.channel_count = (uint32_t)channel_count;
	r->store = (snw_store){.project = r->project, .scene = &r->after, .ids = {[SNW_TABLE_JOINT] = r->ids}, .error = r->error};
	return snw_failed(status) ? status : snw_load_begin(r->project, &r->before, r->arena, &r->load, r->error);
}

static snw_status put_skeleton_rows(skeleton_change *r) {
	const snw_scene *scene = r->scene;
	snw_status status = snw_skeleton_check(&scene->skeleton, r->error);
	status = snw_failed(status) ? status
								: snw_slots_check(scene->slot_joints, scene->slot_inverse_binds, scene->slot_count,
												  scene->skeleton.joint_count, r->error);
	status = snw_failed(status) ? status : begin_transfer(r);
	status = snw_failed(status) ? status : store_changed_joints(r);
	status = snw_failed(status) ? status : snw_store_slots(&r->store);
	status = snw_failed(status) ? status : transfer_fields(r);
	return snw_failed(status) ? status : transfer_poses(r);
}

snw_status snw_project_put_skeleton(snw_project *project, const snw_scene *scene, snw_error *error) {
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	skeleton_change r = {.project = project,
						 .scene = scene,
						 .arena = arena,
						 .old_index = SNW_NEW_ARRAY(arena, uint32_t, scene->skeleton.joint_count),
						 .ids = SNW_NEW_ARRAY(arena, int64_t, scene->skeleton.joint_count),
						 .error = error};
	status = snw_command_result(project, put_skeleton_rows(&r));
	project->rig_changed = true;
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_project_put_joint_name(snw_project *project, const char *name, const char *new_name, snw_error *error) {
	int64_t id = 0, taken = 0;
	snw_status status = snw_command_expect(project, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_check_name("joint", new_name, error);
	status = snw_failed(status) ? status
								: snw_database_integer(project, "SELECT id FROM joint WHERE name = ?1",
													   SNW_CELLS(snw_text(name)), 0, &id, error);
	status = snw_failed(status) ? status
								: snw_database_integer(project, "SELECT id FROM joint WHERE name = ?1",
													   SNW_CELLS(snw_text(new_name)), 0, &taken, error);
	if (!snw_failed(status) && (id == 0 || (taken != 0 && taken != id))) {
		status = id == 0 ? snw_fail(error, SNW_ERROR_MISSING, "%s: no joint has this name", name)
						 : snw_fail(error, SNW_ERROR_CONFLICT, "%s: another joint has this name; choose another", new_name);
	}
	status = snw_failed(status) ? status
								: snw_database_run(project, "UPDATE joint SET name = ?2 WHERE id = ?1",
												   SNW_CELLS(snw_integer(id), snw_text(new_name)), error);
	project->rig_changed = true;
	return snw_command_result(project, status);
}

/* ---- put character ------------------------------------------------------------------------------------------------------- */

/* Replaces the character, and keeps the work done on it. */

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
