/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rest pose is the bind pose: the joints of skins rest by their first inverse bind, other joints as in the file's default
 * pose relative to their parents. Also the slots, and the poses "rest" and "default".
 */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "import/common/rig.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

/* ---- joints at rest ------------------------------------------------------------------------------------------------------ */

#define NEAR 1e-6 /* relative: the rounding of a bind written in floats */

static bool transforms_are_near(const snw_transform *a, const snw_transform *b) {
	const double cosine = snw_quat_dot(a->rotation, b->rotation);
	double distance = 0, size = 0, scale_off = 0;
	for (int i = 0; i < 3; i++) {
		distance = fmax(distance, fabs(a->translation[i] - b->translation[i]));
		size = fmax(size, fabs(b->translation[i]));
		scale_off = fmax(scale_off, fabs(a->scale[i] - b->scale[i]) - NEAR * fabs(b->scale[i]));
	}
	return distance <= NEAR * size && scale_off <= 0 && fabs(cosine) >= 1 - NEAR * NEAR;
}

/* The local transform of a joint whose parent rests at `parent_rest` (NULL for a root). */
static snw_transform rest_local(const snw_rig_node *node, const double *parent_rest) {
	double inverse[12], local[12];
	snw_transform found;
	if (!parent_rest) {
		snw_transform_from_mat34(node->bind_global, &found);
	} else {
		if (!snw_mat34_invert(parent_rest, inverse)) {
			return node->local;
		}
		snw_mat34_multiply(inverse, node->bind_global, local);
		snw_transform_from_mat34(local, &found);
	}
	return transforms_are_near(&found, &node->local) ? node->local : found;
}

snw_status snw_rig_rest(const snw_rig *rig, snw_scene *scene, snw_error *error) {
	snw_skeleton *skeleton = &scene->skeleton;
	double *rest = SNW_NEW_ARRAY(rig->scratch, double, 12 * (size_t)rig->joint_count);
	bool *is_default = SNW_NEW_ARRAY(rig->scratch, bool, rig->joint_count);
	skeleton->rest_local = SNW_NEW_ARRAY(rig->arena, snw_transform, rig->joint_count);
	for (uint32_t i = 0; i < rig->count; i++) {
		const snw_rig_node *node = &rig->nodes[rig->order[i]];
		if (node->joint == SNW_NONE) {
			continue;
		}
		const uint32_t j = node->joint, parent = skeleton->parents[j];
		const double *parent_rest = parent == SNW_NONE ? NULL : rest + 12 * (size_t)parent;
		/* If a joint and all its parents are bound in the default pose, the file's local transforms are used unchanged. */
		is_default[j] = (parent == SNW_NONE || is_default[parent]) && (!node->has_bind || node->bind_is_default);
		skeleton->rest_local[j] = is_default[j] || !node->has_bind ? node->local : rest_local(node, parent_rest);
		double *values = rest + 12 * (size_t)j;
		snw_transform_to_mat34(&skeleton->rest_local[j], values);
		if (parent_rest) {
			snw_mat34_multiply(parent_rest, values, values);
		}
	}
	return snw_skeleton_finish(skeleton, rig->arena, error);
}

/* ---- slots --------------------------------------------------------------------------------------------------------------- */

typedef struct slot_table {
	uint32_t *entries; /* slots; SNW_NONE if free */
	size_t mask;
} slot_table;

static uint64_t hash_slot(uint32_t joint, const double inverse_bind[12]) {
	snw_hash hash = {0};
	snw_hash_u64(&hash, joint);
	snw_hash_f64s(&hash, inverse_bind, 12);
	return snw_hash_value(&hash);
}

static uint32_t find_slot(const slot_table *table, snw_rig_slots *slots, uint32_t joint, const double inverse_bind[12]) {
	size_t at = (size_t)hash_slot(joint, inverse_bind) & table->mask;
	for (; table->entries[at] != SNW_NONE; at = (at + 1) & table->mask) {
		const uint32_t slot = table->entries[at];
		if (slots->joints[slot] == joint &&
			memcmp(slots->inverse_binds + 12 * (size_t)slot, inverse_bind, 12 * sizeof(double)) == 0) {
			return slot;
		}
	}
	const uint32_t slot = slots->count++;
	table->entries[at] = slot;
	slots->joints[slot] = joint;
	memcpy(slots->inverse_binds + 12 * (size_t)slot, inverse_bind, 12 * sizeof(double));
	return slot;
}

static slot_table make_table(snw_arena *arena, uint64_t count) {
	size_t size = 16;
	while (size < 2 * count) {
		size *= 2;
	}
	const slot_table table = {SNW_NEW_ARRAY(arena, uint32_t, size), size - 1};
	memset(table.entries, 0xff, size * sizeof table.entries[0]);
	return table;
}

/* The inverse bind of a skin's joint, from rest space. */
static void slot_inverse_bind(const snw_rig_skin *skin, uint32_t joint, const double inverse_placement[12],
							  const double rest_global[12], double inverse_bind[12]) {
	const double *values = skin->inverse_binds + 12 * (size_t)joint;
	double placed[12];
	snw_mat34_multiply(rest_global, values, placed);
	if (!(snw_rig_distance(placed, skin->placement, (const double(*)[3])skin->box) <= SNW_RIG_IDENTICAL) ||
		!snw_mat34_invert(rest_global, inverse_bind)) {
		snw_mat34_multiply(values, inverse_placement, inverse_bind);
	}
}

uint64_t snw_rig_slot_limit(const snw_rig *rig, const snw_rig_skin *skins, uint32_t skin_count) {
	uint64_t limit = rig->count;
	for (uint32_t s = 0; s < skin_count; s++) {
		limit += skins[s].is_used ? skins[s].joint_count : 0;
	}
	return limit;
}

uint32_t snw_rig_list_slots(snw_rig *rig, snw_rig_skin *skins, uint32_t skin_count, const snw_scene *scene,
							snw_rig_slots *slots) {
	const uint64_t limit = snw_rig_slot_limit(rig, skins, skin_count);
	slots->joints = SNW_NEW_ARRAY(rig->arena, uint32_t, limit);
	slots->inverse_binds = SNW_NEW_ARRAY(rig->arena, double, 12 * limit);
	const slot_table table = make_table(rig->scratch, limit);
	for (uint32_t s = 0; s < skin_count; s++) {
		snw_rig_skin *skin = &skins[s];
		double inverse_placement[12], inverse_bind[12];
		if (!skin->is_used) {
			continue;
		}
		if (!snw_mat34_invert(skin->placement, inverse_placement)) {
			return s;
		}
		for (uint32_t j = 0; j < skin->joint_count; j++) {
			snw_rig_node *node = &rig->nodes[skin->nodes[j]];
			slot_inverse_bind(skin, j, inverse_placement, scene->skeleton.rest_global + 12 * (size_t)node->joint, inverse_bind);
			skin->slots[j] = find_slot(&table, slots, node->joint, inverse_bind);
			node->slot = node->slot == SNW_NONE ? skin->slots[j] : node->slot;
		}
	}
	return SNW_NONE;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static void fill_pose(const snw_rig *rig, const snw_scene *scene, const char *name, const snw_transform *local,
					  snw_pose *pose) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	*pose = (snw_pose){.name = name};
	pose->local = snw_arena_copy(rig->arena, local, joint_count * sizeof local[0]);
	pose->rotation_vectors = SNW_NEW_ARRAY(rig->arena, double, 3 * (size_t)joint_count);
	pose->channels = SNW_NEW_ARRAY(rig->arena, double, scene->channel_count);
	for (uint32_t j = 0; j < joint_count; j++) {
		double inverse_rest[4], change[4];
		snw_quat_conjugate(scene->skeleton.rest_local[j].rotation, inverse_rest);
		snw_quat_multiply(inverse_rest, local[j].rotation, change);
		snw_quat_to_rotation_vector(change, pose->rotation_vectors + 3 * (size_t)j);
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		pose->channels[c] = scene->channels[c].initial;
	}
}

void snw_rig_poses(const snw_rig *rig, snw_scene *scene) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	if (joint_count == 0 && scene->channel_count == 0) {
		return;
	}
	snw_transform *locals = SNW_NEW_ARRAY(rig->scratch, snw_transform, joint_count);
	for (uint32_t j = 0; j < joint_count; j++) {
		locals[j] = rig->nodes[rig->joint_nodes[j]].local;
	}
	const bool differs = joint_count > 0 && memcmp(locals, scene->skeleton.rest_local, joint_count * sizeof locals[0]) != 0;
	snw_pose *poses = SNW_NEW_ARRAY(rig->arena, snw_pose, 2);
	fill_pose(rig, scene, "rest", scene->skeleton.rest_local, &poses[0]);
	if (differs) {
		fill_pose(rig, scene, "default", locals, &poses[1]);
	}
	scene->poses = poses;
	scene->pose_count = differs ? 2 : 1;
}

/* ---- rigid meshes ------------------------------------------------------------------------------------------------------- */

/* A matrix that flattens space cannot be inverted in floats. */
static bool is_usable(const double m[12]) {
	double largest = 0;
	for (int i = 0; i < 12; i++) {
		if (!isfinite(m[i])) {
			return false;
		}
		largest = i % 4 < 3 ? fmax(largest, fabs(m[i])) : largest;
	}
	return fabs(snw_mat34_determinant(m)) > 1e-9 * largest * largest * largest;
}

/* A mesh without a skin follows its node. It is placed by the node's rest transform and bound to a slot of its joint. If that
 * transform is flat (hidden objects are often scaled to zero), the mesh rests in its own space. */
uint32_t snw_rig_rigid_slot(const snw_rig_node *node, const snw_scene *scene, snw_rig_slots *slots, double world[12]) {
	if (node->slot != SNW_NONE && is_usable(slots->inverse_binds + 12 * (size_t)node->slot)) {
		snw_mat34_invert(slots->inverse_binds + 12 * (size_t)node->slot, world);
		return node->slot;
	}
	const uint32_t slot = slots->count++;
	double *inverse_bind = slots->inverse_binds + 12 * (size_t)slot;
	memcpy(world, scene->skeleton.rest_global + 12 * (size_t)node->joint, 12 * sizeof world[0]);
	if (!is_usable(world)) {
		snw_mat34_identity(world);
	}
	snw_mat34_invert(world, inverse_bind);
	slots->joints[slot] = node->joint;
	return slot;
}

void snw_rig_bind_rigid(snw_mesh *mesh, uint32_t slot, snw_arena *arena) {
	const uint32_t count = mesh->point_count;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, count);
	double *weights = SNW_NEW_ARRAY(arena, double, count);
	for (uint32_t p = 0; p < count; p++) {
		offsets[p + 1] = p + 1;
		slots[p] = slot;
		weights[p] = 1;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}
