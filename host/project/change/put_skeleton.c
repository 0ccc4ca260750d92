/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts a whole skeleton. Joints with the same name are the same joint: references to them, their values in fields and their transforms in
 * poses are kept. New joints are at rest in every pose. A joint can be renamed alone.
 */
#include <string.h>

#include "pose/pose.h"
#include "project/database/id_lists.h"
#include "project/database/rows.h"
#include "project/journal/command.h"
#include "project/store/store.h"
#include "scene/check.h"

typedef struct skeleton_change {
	snw_project *project;
	const snw_scene *scene; /* with the new skeleton and slots */
	snw_arena *arena;
	snw_row_list old;
	uint32_t *old_index; /* [new joint]: SNW_NONE for a new one */
	int64_t *ids;        /* [new joint] */
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

static snw_status store_joints(skeleton_change *r) {
	const snw_skeleton *skeleton = &r->scene->skeleton;
	bool *survives = SNW_NEW_ARRAY(r->arena, bool, r->old.count);
	snw_status status = snw_database_execute(r->project, "DELETE FROM slot; PRAGMA defer_foreign_keys = ON", r->error);
	for (uint32_t i = 0; !snw_failed(status) && i < skeleton->joint_count; i++) {
		const uint32_t j = skeleton->order[i], parent = skeleton->parents[j], old = find_old(&r->old, skeleton->names[j]);
		r->old_index[j] = old;
		r->ids[j] = old == SNW_NONE ? 0 : r->old.ids[old];
		if (old != SNW_NONE) {
			survives[old] = true;
		}
		status = snw_store_joint(r->project, skeleton, j, parent == SNW_NONE ? 0 : r->ids[parent], &r->ids[j], r->error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < r->old.count; i++) {
		if (!survives[i]) {
			status = check_unused(r, i);
			status = snw_failed(status) ? status
										: snw_database_run(r->project, "DELETE FROM joint WHERE id = ?1",
														   SNW_CELLS(snw_integer(r->old.ids[i])), r->error);
		}
	}
	return status;
}

/* Stores a pose for the new joints with its old transforms. The rest pose is that of the new skeleton. */
static snw_status transfer_pose(const skeleton_change *r, snw_pose *pose, uint32_t channel_count) {
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
	return snw_store_pose(r->project, pose, skeleton->joint_count, channel_count, pose->clip, &pose->id, r->error);
}

static snw_status transfer_poses(const skeleton_change *r) {
	int64_t channel_count = 0, pose_count = 0;
	snw_status status = snw_database_integer(r->project, "SELECT count(*) FROM channel", NULL, 0, 0, &channel_count, r->error);
	status = snw_failed(status)
				 ? status
				 : snw_database_integer(r->project, "SELECT count(*) FROM pose", NULL, 0, 0, &pose_count, r->error);
	if (snw_failed(status)) {
		return status;
	}
	snw_pose *poses = SNW_NEW_ARRAY(r->arena, snw_pose, (size_t)pose_count);
	snw_rows rows =
		snw_rows_begin(r->project, r->arena, "pose",
					   "SELECT id, name, clip, seconds, joint_locals, joint_rotation_vectors, channels FROM pose ORDER BY id",
					   NULL, 0, r->error);
	int64_t count = 0;
	bool has_rest = false;
	for (; count < pose_count && snw_rows_next(&rows); count++) {
		snw_pose *pose = &poses[count];
		pose->id = snw_rows_integer(&rows, 0);
		pose->name = snw_rows_text(&rows, 1);
		pose->clip = snw_rows_integer(&rows, 2);
		pose->seconds = snw_rows_real(&rows, 3);
		pose->local = snw_rows_array(&rows, 4, r->old.count, sizeof(snw_transform));
		pose->rotation_vectors = snw_rows_array(&rows, 5, r->old.count, 3 * sizeof(double));
		pose->channels = snw_rows_array(&rows, 6, (size_t)channel_count, sizeof(double));
		has_rest = has_rest || (pose->name && strcmp(pose->name, "rest") == 0);
	}
	status = snw_rows_end(&rows);
	for (int64_t i = 0; !snw_failed(status) && i < count; i++) {
		status = transfer_pose(r, &poses[i], (uint32_t)channel_count);
	}
	if (!snw_failed(status) && !has_rest) { /* there were no joints and no channels before */
		snw_pose rest = {.name = "rest"};
		status = transfer_pose(r, &rest, 0);
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
	return snw_store_field(r->project, field, 0, &field->id, r->error);
}

static snw_status transfer_fields(const skeleton_change *r) {
	int64_t most = 0;
	uint32_t count = 0;
	snw_status status =
		snw_database_integer(r->project, "SELECT count(*) FROM field WHERE domain = 2", NULL, 0, 0, &most, r->error);
	if (snw_failed(status)) {
		return status;
	}
	snw_field *fields = SNW_NEW_ARRAY(r->arena, snw_field, (size_t)most);
	snw_rows rows = snw_rows_begin(r->project, r->arena, "field",
								   "SELECT id, name, components, element_count, elements, unit FROM field WHERE domain = 2",
								   NULL, 0, r->error);
	for (; count < most && snw_rows_next(&rows); count++) {
		snw_field *field = &fields[count];
		*field = (snw_field){.id = snw_rows_integer(&rows, 0), .domain = SNW_DOMAIN_JOINTS, .mesh = SNW_NONE};
		field->name = snw_rows_text(&rows, 1);
		field->components = snw_rows_count(&rows, 2);
		field->count = snw_rows_count(&rows, 3);
		field->values = snw_rows_array(&rows, 4, (size_t)field->count * field->components, sizeof(double));
		field->unit = snw_rows_text(&rows, 5);
	}
	status = snw_rows_end(&rows);
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		status = transfer_field(r, &fields[i]);
	}
	return status;
}

static snw_status put_skeleton(skeleton_change *r) {
	const snw_scene *scene = r->scene;
	snw_status status = snw_skeleton_check(&scene->skeleton, r->error);
	status = snw_failed(status) ? status
								: snw_slots_check(scene->slot_joints, scene->slot_inverse_binds, scene->slot_count,
												  scene->skeleton.joint_count, r->error);
	status = snw_failed(status) ? status : snw_row_list_read(r->project, "joint", "position", r->arena, &r->old, r->error);
	status = snw_failed(status) ? status : store_joints(r);
	status = snw_failed(status) ? status
								: snw_store_slots(r->project, scene->slot_count, scene->slot_joints, scene->slot_inverse_binds,
												  r->ids, r->error);
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
	status = snw_command_result(project, put_skeleton(&r));
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
