/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rest pose is the bind pose: the joints of skins rest by their first inverse bind, other joints as in the file's default
 * pose relative to their parents. Also the slots, and the poses "rest" and "default".
 */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "import/gltf/gltf_internal.h"
#include "scene/skeleton.h"
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
static snw_transform rest_local(const snw_gltf_node *node, const double *parent_rest) {
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

bool snw_gltf_rest(snw_gltf *g, const snw_gltf_nodes *nodes, snw_scene *scene) {
	snw_skeleton *skeleton = &scene->skeleton;
	double *rest = SNW_NEW_ARRAY(g->scratch, double, 12 * (size_t)nodes->joint_count);
	bool *is_default = SNW_NEW_ARRAY(g->scratch, bool, nodes->joint_count);
	skeleton->rest_local = SNW_NEW_ARRAY(g->arena, snw_transform, nodes->joint_count);
	for (uint32_t i = 0; i < nodes->count; i++) {
		const snw_gltf_node *node = &nodes->nodes[nodes->order[i]];
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
	snw_error error = {0};
	const snw_status status = snw_skeleton_finish(skeleton, g->arena, &error);
	return !snw_failed(status) || snw_gltf_fail(g, status, "%s", error.text);
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

static uint32_t find_slot(const slot_table *table, snw_gltf_slots *slots, uint32_t joint, const double inverse_bind[12]) {
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
static void slot_inverse_bind(const snw_gltf_skin *skin, uint32_t joint, const double inverse_placement[12],
							  const double rest_global[12], double inverse_bind[12]) {
	const double *values = skin->inverse_binds + 12 * (size_t)joint;
	double placed[12];
	snw_mat34_multiply(rest_global, values, placed);
	if (!(snw_gltf_distance(placed, skin->placement, (const double(*)[3])skin->box) <= SNW_GLTF_IDENTICAL) ||
		!snw_mat34_invert(rest_global, inverse_bind)) {
		snw_mat34_multiply(values, inverse_placement, inverse_bind);
	}
}

bool snw_gltf_list_slots(snw_gltf *g, snw_gltf_nodes *nodes, snw_gltf_skin *skins, const snw_scene *scene,
						 snw_gltf_slots *slots) {
	uint64_t limit = nodes->count;
	for (uint32_t s = 0; s < g->skins.count; s++) {
		limit += skins[s].is_used ? skins[s].joint_count : 0;
	}
	if (!snw_gltf_reserve(g, limit, 13 * sizeof(double))) {
		return false;
	}
	slots->joints = SNW_NEW_ARRAY(g->arena, uint32_t, limit);
	slots->inverse_binds = SNW_NEW_ARRAY(g->arena, double, 12 * limit);
	const slot_table table = make_table(g->scratch, limit);
	for (uint32_t s = 0; s < g->skins.count; s++) {
		snw_gltf_skin *skin = &skins[s];
		double inverse_placement[12], inverse_bind[12];
		if (!skin->is_used) {
			continue;
		}
		if (!snw_mat34_invert(skin->placement, inverse_placement)) {
			return snw_gltf_fail(g, SNW_ERROR_INTERNAL, "skin %u: the transform of its node has no inverse", s);
		}
		for (uint32_t j = 0; j < skin->joint_count; j++) {
			snw_gltf_node *node = &nodes->nodes[skin->nodes[j]];
			slot_inverse_bind(skin, j, inverse_placement, scene->skeleton.rest_global + 12 * (size_t)node->joint, inverse_bind);
			skin->slots[j] = find_slot(&table, slots, node->joint, inverse_bind);
			node->slot = node->slot == SNW_NONE ? skin->slots[j] : node->slot;
		}
	}
	return true;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static void fill_pose(snw_gltf *g, const snw_scene *scene, const char *name, const snw_transform *local, snw_pose *pose) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	*pose = (snw_pose){.name = name};
	pose->local = snw_arena_copy(g->arena, local, joint_count * sizeof local[0]);
	pose->rotation_vectors = SNW_NEW_ARRAY(g->arena, double, 3 * (size_t)joint_count);
	pose->channels = SNW_NEW_ARRAY(g->arena, double, scene->channel_count);
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

void snw_gltf_poses(snw_gltf *g, const snw_gltf_nodes *nodes, snw_scene *scene) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	if (joint_count == 0 && scene->channel_count == 0) {
		return;
	}
	snw_transform *locals = SNW_NEW_ARRAY(g->scratch, snw_transform, joint_count);
	for (uint32_t j = 0; j < joint_count; j++) {
		locals[j] = nodes->nodes[nodes->joint_nodes[j]].local;
	}
	const bool differs = joint_count > 0 && memcmp(locals, scene->skeleton.rest_local, joint_count * sizeof locals[0]) != 0;
	snw_pose *poses = SNW_NEW_ARRAY(g->arena, snw_pose, 2);
	fill_pose(g, scene, "rest", scene->skeleton.rest_local, &poses[0]);
	if (differs) {
		fill_pose(g, scene, "default", locals, &poses[1]);
	}
	scene->poses = poses;
	scene->pose_count = differs ? 2 : 1;
}
