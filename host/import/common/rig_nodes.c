/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes: their order, their default pose, and those that become joints.
 */
#include "import/common/rig.h"

#include "import/common/names.h"
#include "sinew/algebra.h"

void snw_rig_begin(snw_rig *rig, uint32_t node_count) {
	rig->count = node_count;
	rig->nodes = SNW_NEW_ARRAY(rig->scratch, snw_rig_node, node_count);
	rig->order = SNW_NEW_ARRAY(rig->scratch, uint32_t, node_count);
	rig->joint_nodes = SNW_NEW_ARRAY(rig->scratch, uint32_t, node_count);
	for (uint32_t i = 0; i < node_count; i++) {
		snw_rig_node *node = &rig->nodes[i];
		node->parent = node->mesh = node->skin = node->joint = node->first_channel = node->slot = node->level_of = SNW_NONE;
	}
}

/* Walks up from each node to the first one that is in the order already. */
uint32_t snw_rig_order(snw_rig *rig) {
	enum { UNSEEN, WALKING, PLACED };
	unsigned char *state = SNW_NEW_ARRAY(rig->scratch, unsigned char, rig->count);
	uint32_t *path = SNW_NEW_ARRAY(rig->scratch, uint32_t, rig->count);
	uint32_t placed = 0;
	for (uint32_t i = 0; i < rig->count; i++) {
		uint32_t length = 0;
		for (uint32_t n = i; n != SNW_NONE && state[n] != PLACED; n = rig->nodes[n].parent) {
			if (state[n] == WALKING) {
				return n;
			}
			state[n] = WALKING;
			path[length++] = n;
		}
		while (length > 0) {
			state[path[--length]] = PLACED;
			rig->order[placed++] = path[length];
		}
	}
	return SNW_NONE;
}

void snw_rig_solve(snw_rig *rig) {
	for (uint32_t i = 0; i < rig->count; i++) {
		snw_rig_node *node = &rig->nodes[rig->order[i]];
		snw_transform_to_mat34(&node->local, node->global);
		if (node->parent != SNW_NONE) {
			snw_mat34_multiply(rig->nodes[node->parent].global, node->global, node->global);
		}
	}
}

void snw_rig_choose_joints(snw_rig *rig, bool *chosen, const char *const *names, snw_scene *scene) {
	for (uint32_t i = rig->count; i-- > 0;) {
		const uint32_t n = rig->order[i];
		const snw_rig_node *node = &rig->nodes[n];
		chosen[n] |= node->is_shown && node->mesh != SNW_NONE && node->skin == SNW_NONE;
		if (chosen[n] && node->parent != SNW_NONE) {
			chosen[node->parent] = true;
		}
	}
	for (uint32_t n = 0; n < rig->count; n++) {
		if (chosen[n]) {
			rig->nodes[n].joint = rig->joint_count;
			rig->joint_nodes[rig->joint_count++] = n;
		}
	}
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = rig->joint_count;
	skeleton->names = SNW_NEW_ARRAY(rig->arena, const char *, rig->joint_count);
	skeleton->parents = SNW_NEW_ARRAY(rig->arena, uint32_t, rig->joint_count);
	for (uint32_t j = 0; j < rig->joint_count; j++) {
		const uint32_t n = rig->joint_nodes[j], parent = rig->nodes[n].parent;
		skeleton->names[j] = names[n] ? names[n] : snw_arena_format(rig->arena, "node-%u", n);
		skeleton->parents[j] = parent == SNW_NONE ? SNW_NONE : rig->nodes[parent].joint;
	}
	snw_names_make_unique(rig->arena, skeleton->names, rig->joint_count, "joint", rig->task);
}
