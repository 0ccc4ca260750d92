/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skins: which slots go together, and their inverse binds.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "export/gltf/gltf.h"

typedef struct skin_set {
	bool *has;          /* [slot_count] */
	uint32_t *of_joint; /* [joint_count]: a slot of this joint; SNW_NONE */
} skin_set;

static skin_set set_create(const snw_gltf_plan *plan) {
	skin_set set = {.has = SNW_NEW_ARRAY(plan->arena, bool, plan->rig.slot_count)};
	set.of_joint = SNW_NEW_ARRAY(plan->arena, uint32_t, plan->rig.joint_count);
	memset(set.of_joint, 0xff, plan->rig.joint_count * sizeof *set.of_joint);
	return set;
}

static void set_add(const snw_gltf_plan *plan, skin_set *set, uint32_t slot) {
	set->has[slot] = true;
	set->of_joint[plan->rig.slot_joints[slot]] = slot;
}

static skin_set slots_of_mesh(const snw_gltf_plan *plan, const snw_gltf_mesh *mesh) {
	skin_set set = set_create(plan);
	for (size_t i = 0; i < (size_t)mesh->mesh->point_count * mesh->width; i++) {
		if (mesh->weights[i] > 0) {
			set_add(plan, &set, mesh->slots[i]);
		}
	}
	return set;
}

/* Meshes of one skeleton share a skin: they have slots in common, and no joint with two inverse binds between them. */
static bool can_share(const snw_gltf_plan *plan, const skin_set *a, const skin_set *b) {
	bool common = false;
	for (uint32_t s = 0; s < plan->rig.slot_count; s++) {
		if (!b->has[s]) {
			continue;
		}
		const uint32_t other = a->of_joint[plan->rig.slot_joints[s]];
		common = common || a->has[s];
		if (other != SNW_NONE && !a->has[s]) {
			return false;
		}
	}
	return common;
}

static uint32_t group_meshes(snw_gltf_plan *plan, skin_set *sets) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_gltf_mesh *mesh = &plan->meshes[m];
		if (mesh->placement != SNW_GLTF_SKINNED) {
			continue;
		}
		const skin_set set = slots_of_mesh(plan, mesh);
		uint32_t s = 0;
		while (s < count && !can_share(plan, &sets[s], &set)) {
			s++;
		}
		if (s == count) {
			sets[count++] = set;
		} else {
			for (uint32_t slot = 0; slot < plan->rig.slot_count; slot++) {
				if (set.has[slot]) {
					set_add(plan, &sets[s], slot);
				}
			}
		}
		mesh->skin = s;
	}
	return count;
}

/* Slots that pull nothing go where their joint's parent or child is, so that a skeleton stays whole in its skin. */
static void place_idle_slots(snw_gltf_plan *plan, skin_set *sets, uint32_t count) {
	const snw_gltf_rig *rig = &plan->rig;
	bool *placed = SNW_NEW_ARRAY(plan->arena, bool, rig->slot_count);
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		if (plan->meshes[m].placement == SNW_GLTF_RIGID) {
			placed[plan->meshes[m].slot] = true;
		}
	}
	for (bool again = true; again;) {
		again = false;
		for (uint32_t slot = 0; slot < rig->slot_count; slot++) {
			const uint32_t joint = rig->slot_joints[slot], parent = rig->parents[joint];
			for (uint32_t s = 0; s < count && !placed[slot]; s++) {
				placed[slot] = sets[s].has[slot];
			}
			for (uint32_t s = 0; s < count && !placed[slot]; s++) {
				bool near = parent != SNW_NONE && sets[s].of_joint[parent] != SNW_NONE;
				for (uint32_t j = 0; j < rig->joint_count && !near; j++) {
					near = rig->parents[j] == joint && sets[s].of_joint[j] != SNW_NONE;
				}
				if (near && sets[s].of_joint[joint] == SNW_NONE) {
					set_add(plan, &sets[s], slot);
					placed[slot] = again = true;
				}
			}
		}
	}
}

static uint32_t root_of(const snw_gltf_rig *skeleton, uint32_t joint) {
	while (skeleton->parents[joint] != SNW_NONE) {
		joint = skeleton->parents[joint];
	}
	return joint;
}

/* glTF wants a common root over the joints of a skin; a character with several roots gets one more node. */
static bool wants_root(const snw_gltf_plan *plan, const skin_set *sets, uint32_t count) {
	for (uint32_t s = 0; s < count; s++) {
		uint32_t root = SNW_NONE;
		for (uint32_t slot = 0; slot < plan->rig.slot_count; slot++) {
			if (sets[s].has[slot]) {
				const uint32_t indices = root_of(&plan->rig, plan->rig.slot_joints[slot]);
				if (root != SNW_NONE && root != indices) {
					return true;
				}
				root = indices;
			}
		}
	}
	return false;
}

static void add_root(snw_gltf_document *document, const snw_gltf_plan *plan, snw_gltf_nodes *nodes) {
	while (cJSON_GetArraySize(nodes->roots) > 0) {
		cJSON_DeleteItemFromArray(nodes->roots, 0);
	}
	const uint32_t root = snw_gltf_add_node(document, nodes, "skeleton", SNW_NONE);
	nodes->children[root] = snw_gltf_put_array(document, nodes->objects[root], "children");
	for (uint32_t i = 0; i < plan->rig.joint_count; i++) {
		const uint32_t joint = plan->rig.order[i];
		if (plan->rig.parents[joint] == SNW_NONE) {
			snw_gltf_put_number(document, nodes->children[root], NULL, nodes->joints[joint]);
		}
	}
}

typedef struct skin_joint {
	uint32_t node, slot;
} skin_joint;

static int compare_joints(const void *a, const void *b) {
	const skin_joint *x = a, *y = b;
	return x->node != y->node ? (x->node > y->node) - (x->node < y->node) : (x->slot > y->slot) - (x->slot < y->slot);
}

static void write_skin(snw_gltf_document *document, const snw_gltf_plan *plan, snw_gltf_nodes *nodes, const skin_set *set,
					   snw_gltf_skin *skin) {
	const snw_gltf_rig *rig = &plan->rig;
	skin_joint *joints = SNW_NEW_ARRAY(plan->arena, skin_joint, rig->slot_count);
	float *binds = SNW_NEW_ARRAY(plan->arena, float, 16 * (size_t)rig->slot_count);
	uint32_t count = 0;
	for (uint32_t slot = 0; slot < rig->slot_count; slot++) {
		if (set->has[slot]) {
			joints[count++] = (skin_joint){nodes->joints[rig->slot_joints[slot]], slot};
		}
	}
	qsort(joints, count, sizeof *joints, compare_joints);
	skin->places = SNW_NEW_ARRAY(plan->arena, uint32_t, rig->slot_count);
	memset(skin->places, 0xff, rig->slot_count * sizeof *skin->places);
	cJSON *object = snw_gltf_entry(document, "skins", &skin->index);
	cJSON *list = snw_gltf_put_array(document, object, "joints");
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t slot = joints[i].slot;
		const bool repeats = i > 0 && joints[i].node == joints[i - 1].node;
		const uint32_t node = repeats ? snw_gltf_add_node(document, nodes, NULL, joints[i].node) : joints[i].node;
		snw_gltf_put_number(document, list, NULL, node);
		skin->places[slot] = i;
		for (int c = 0; c < 4; c++) {
			for (int r = 0; r < 3; r++) {
				binds[16 * (size_t)i + (size_t)(4 * c + r)] =
					(float)rig->slot_inverse_binds[12 * (size_t)slot + (size_t)(4 * r + c)];
			}
		}
		binds[16 * (size_t)i + 15] = 1;
	}
	snw_gltf_put_number(document, object, "inverseBindMatrices",
						snw_gltf_floats(document, SNW_GLTF_INVERSE_BINDS, 16, count, binds, false));
}

void snw_gltf_write_skins(snw_gltf_document *document, snw_gltf_plan *plan, snw_gltf_nodes *nodes, snw_gltf_skin **skins) {
	skin_set *sets = SNW_NEW_ARRAY(plan->arena, skin_set, plan->mesh_count);
	const uint32_t count = group_meshes(plan, sets);
	place_idle_slots(plan, sets, count);
	if (wants_root(plan, sets, count)) {
		add_root(document, plan, nodes);
	}
	*skins = SNW_NEW_ARRAY(plan->arena, snw_gltf_skin, count);
	for (uint32_t s = 0; s < count; s++) {
		write_skin(document, plan, nodes, &sets[s], &(*skins)[s]);
	}
	plan->report.skin_count = count;
}
