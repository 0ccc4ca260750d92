/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers sculpts, fields, groups and targets.
 */
#include <math.h>
#include <string.h>

#include "pose/base_blend.h"
#include "pose/pose.h"
#include "transfer/transfer_internal.h"

/* ---- sculpts ------------------------------------------------------------------------------------------------------------- */

/* The number of slots of the same joint before a slot: several skins may bind one joint in different ways. */
static uint32_t rank_of(const snw_scene *scene, uint32_t slot) {
	uint32_t rank = 0;
	for (uint32_t s = 0; s < slot; s++) {
		rank += scene->slot_joints[s] == scene->slot_joints[slot];
	}
	return rank;
}

/* The slot of a joint with this rank, or the last one if there are fewer; SNW_NONE for a joint without slots. */
static uint32_t slot_of_rank(const snw_scene *scene, uint32_t joint, uint32_t rank) {
	uint32_t found = SNW_NONE;
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] == joint) {
			found = s;
			if (rank-- == 0) {
				break;
			}
		}
	}
	return found;
}

/* The new slot for an old one: of the same joint, or of the nearest joint above it that still exists. */
static uint32_t slot_for(const snw_transfer_state *c, uint32_t old_slot) {
	const uint32_t rank = rank_of(c->old, old_slot);
	uint32_t slot = SNW_NONE;
	for (uint32_t j = c->old->slot_joints[old_slot]; slot == SNW_NONE && j != SNW_NONE; j = c->old->skeleton.parents[j]) {
		slot = c->joints[j] == SNW_NONE ? SNW_NONE : slot_of_rank(c->fresh, c->joints[j], rank);
	}
	return slot;
}

/* The new scene with the old base skin on one mesh, to see where the old weights put the new points. False if a slot has no
 * joint in the new skeleton. */
static bool put_old_skin(const snw_transfer_state *c, uint32_t old_mesh, snw_scene *probe) {
	const snw_mesh *old = &c->old->meshes[old_mesh];
	snw_mesh *meshes = SNW_NEW_ARRAY(c->arena, snw_mesh, probe->mesh_count);
	memcpy(meshes, probe->meshes, probe->mesh_count * sizeof *meshes);
	snw_mesh *mesh = &meshes[c->meshes[old_mesh]];
	mesh->influence_offsets = old->influence_offsets;
	mesh->influence_weights = old->influence_weights;
	probe->meshes = meshes;
	if (!old->influence_offsets) {
		return true;
	}
	uint32_t *slots = SNW_NEW_ARRAY(c->arena, uint32_t, old->influence_offsets[old->point_count]);
	uint32_t *places = SNW_NEW_ARRAY(c->arena, uint32_t, c->old->slot_count);
	for (uint32_t s = 0; s < c->old->slot_count; s++) {
		places[s] = slot_for(c, s);
	}
	bool all = true;
	for (uint32_t i = 0; i < old->influence_offsets[old->point_count]; i++) {
		slots[i] = places[old->influence_slots[i]];
		all = all && slots[i] != SNW_NONE;
	}
	mesh->influence_slots = slots;
	return all;
}

/* Displaces a sculpt as the new rig and rest displace its points. */
static void move_sculpt(snw_transfer_state *c, uint32_t index, snw_example *example) {
	const snw_example *old = &c->old->examples[index];
	const uint32_t count = c->old->meshes[old->mesh].point_count;
	snw_scene probe = c->result->scene;
	if (!put_old_skin(c, old->mesh, &probe)) {
		return;
	}
	double *before = snw_arena_array(c->arena, count, 3 * sizeof *before);
	double *after = snw_arena_array(c->arena, count, 3 * sizeof *after);
	snw_blend_points(c->old, old->mesh, snw_pose_view_make(c->old, &c->old->poses[old->pose], c->arena), before);
	snw_blend_points(&probe, example->mesh, snw_pose_view_make(&probe, &probe.poses[example->pose], c->arena), after);
	const double least = SNW_TRANSFER_STILL * snw_scene_diagonal(c->old, old->mesh);
	bool is_shifted = false;
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		const double shift = fabs(after[i] - before[i]) > least ? after[i] - before[i] : 0;
		is_shifted = is_shifted || shift != 0;
		after[i] = old->points_posed[i] + shift;
	}
	if (is_shifted) {
		example->points_posed = after;
		c->result->example_moved[index] = true;
		c->result->examples_moved++;
	}
}

static void transfer_examples(snw_transfer_state *c) {
	const snw_scene *old = c->old;
	snw_example *examples = SNW_NEW_ARRAY(c->arena, snw_example, old->example_count);
	c->result->example_moved = SNW_NEW_ARRAY(c->arena, bool, old->example_count);
	for (uint32_t i = 0; i < old->example_count; i++) {
		examples[i] = old->examples[i];
		examples[i].mesh = c->meshes[old->examples[i].mesh]; /* poses keep their indices */
		move_sculpt(c, i, &examples[i]);
	}
	c->result->scene.examples = examples;
	c->result->scene.example_count = old->example_count;
}

/* ---- fields, groups, targets --------------------------------------------------------------------------------------------- */

/* Reorders a field over joints; new joints get 0. */
static void transfer_joint_field(const snw_transfer_state *c, snw_field *field) {
	const uint32_t width = field->components, count = c->fresh->skeleton.joint_count;
	double *values = snw_arena_array(c->arena, count, width * sizeof *values);
	memset(values, 0, (size_t)count * width * sizeof *values);
	for (uint32_t j = 0; j < c->old->skeleton.joint_count; j++) {
		if (c->joints[j] != SNW_NONE) {
			memcpy(values + (size_t)c->joints[j] * width, field->values + (size_t)j * width, width * sizeof *values);
		}
	}
	field->values = values;
	field->count = count;
}

/* The field of a removed mesh is removed. */
static void transfer_fields(snw_transfer_state *c) {
	const snw_scene *old = c->old;
	snw_field *fields = SNW_NEW_ARRAY(c->arena, snw_field, old->field_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < old->field_count; i++) {
		const uint32_t mesh = old->fields[i].mesh;
		if (mesh != SNW_NONE && c->meshes[mesh] == SNW_NONE) {
			continue;
		}
		fields[count] = old->fields[i];
		fields[count].mesh = mesh == SNW_NONE ? SNW_NONE : c->meshes[mesh];
		if (fields[count].domain == SNW_DOMAIN_JOINTS) {
			transfer_joint_field(c, &fields[count]);
		}
		count++;
	}
	c->result->scene.fields = fields;
	c->result->scene.field_count = count;
}

static uint32_t field_of_id(const snw_scene *scene, int64_t id) {
	for (uint32_t i = 0; i < scene->field_count; i++) {
		if (scene->fields[i].id == id) {
			return i;
		}
	}
	return SNW_NONE;
}

static snw_status transfer_groups(snw_transfer_state *c) {
	const snw_scene *old = c->old;
	snw_group *groups = SNW_NEW_ARRAY(c->arena, snw_group, old->group_count);
	for (uint32_t g = 0; g < old->group_count; g++) {
		const snw_group *group = &old->groups[g];
		uint32_t *joints = SNW_NEW_ARRAY(c->arena, uint32_t, group->joint_count);
		snw_member *members = SNW_NEW_ARRAY(c->arena, snw_member, group->member_count);
		for (uint32_t i = 0; i < group->joint_count; i++) {
			joints[i] = c->joints[group->joints[i]];
			if (joints[i] == SNW_NONE) {
				return snw_fail(c->error, SNW_ERROR_CONFLICT, "joint '%s' is gone, but it drives the group '%s'",
								old->skeleton.names[group->joints[i]], group->name);
			}
		}
		for (uint32_t i = 0; i < group->member_count; i++) {
			const uint32_t mask = group->members[i].mask;
			members[i] = group->members[i];
			members[i].mask = mask == SNW_NONE ? SNW_NONE : field_of_id(&c->result->scene, old->fields[mask].id);
		}
		groups[g] = *group;
		groups[g].joints = joints;
		groups[g].members = members;
	}
	c->result->scene.groups = groups;
	c->result->scene.group_count = old->group_count;
	return SNW_OK;
}

/* Clips keep their indices. */
static void transfer_targets(snw_transfer_state *c) {
	const snw_scene *old = c->old;
	snw_target *targets = SNW_NEW_ARRAY(c->arena, snw_target, old->target_count);
	for (uint32_t i = 0; i < old->target_count; i++) {
		targets[i] = old->targets[i];
		targets[i].mesh = c->meshes[old->targets[i].mesh];
	}
	c->result->scene.targets = targets;
	c->result->scene.target_count = old->target_count;
}

snw_status snw_transfer_sculpts(snw_transfer_state *c) {
	transfer_examples(c);
	transfer_fields(c);
	transfer_targets(c);
	const snw_scene *old = c->old;
	c->result->scene.layers = old->layers;
	c->result->scene.layer_count = old->layer_count;
	c->result->scene.models = old->models;
	c->result->scene.model_count = old->model_count;
	return transfer_groups(c);
}
