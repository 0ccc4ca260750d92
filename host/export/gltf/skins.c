/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skins: slots grouped by meshes, with their inverse binds.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "export/gltf/writer.h"

typedef struct skin_set {
	bool *has;          /* [slot_count] */
	uint32_t *of_joint; /* [joint_count]: a slot of this joint; SNW_NONE */
} skin_set;

static skin_set set_create(const snw_gltf_writer *w) {
	skin_set set = {.has = SNW_NEW_ARRAY(w->arena, bool, w->plan->rig.slot_count)};
	set.of_joint = SNW_NEW_ARRAY(w->arena, uint32_t, w->plan->rig.joint_count);
	memset(set.of_joint, 0xff, w->plan->rig.joint_count * sizeof *set.of_joint);
	return set;
}

static void set_add(const snw_gltf_writer *w, skin_set *set, uint32_t slot) {
	set->has[slot] = true;
	set->of_joint[w->plan->rig.slot_joints[slot]] = slot;
}

static skin_set slots_of_mesh(const snw_gltf_writer *w, const snw_plan_mesh *mesh) {
	skin_set set = set_create(w);
	for (size_t i = 0; i < (size_t)mesh->mesh->point_count * mesh->width; i++) {
		if (mesh->weights[i] > 0) {
			set_add(w, &set, mesh->slots[i]);
		}
	}
	return set;
}

/* Whether meshes can share a skin: they have common slots, and no joint has different inverse binds. */
static bool can_share(const snw_gltf_writer *w, const skin_set *a, const skin_set *b) {
	bool common = false;
	for (uint32_t s = 0; s < w->plan->rig.slot_count; s++) {
		if (!b->has[s]) {
			continue;
		}
		const uint32_t other = a->of_joint[w->plan->rig.slot_joints[s]];
		common = common || a->has[s];
		if (other != SNW_NONE && !a->has[s]) {
			return false;
		}
	}
	return common;
}

static uint32_t group_meshes(snw_gltf_writer *w, skin_set *sets) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < w->plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &w->plan->meshes[m];
		if (mesh->placement != SNW_PLAN_SKINNED) {
			continue;
		}
		const skin_set set = slots_of_mesh(w, mesh);
		uint32_t s = 0;
		while (s < count && !can_share(w, &sets[s], &set)) {
			s++;
		}
		if (s == count) {
			sets[count++] = set;
		} else {
			for (uint32_t slot = 0; slot < w->plan->rig.slot_count; slot++) {
				if (set.has[slot]) {
					set_add(w, &sets[s], slot);
				}
			}
		}
		w->mesh_skins[m] = s;
	}
	return count;
}

/* Adds slots without weight to the skin that has the parent or a child of their joint, so that a skin has its whole
 * skeleton. */
static void place_idle_slots(const snw_gltf_writer *w, skin_set *sets, uint32_t count) {
	const snw_plan_rig *rig = &w->plan->rig;
	bool *placed = SNW_NEW_ARRAY(w->arena, bool, rig->slot_count);
	for (uint32_t m = 0; m < w->plan->mesh_count; m++) {
		if (w->plan->meshes[m].placement == SNW_PLAN_RIGID) {
			placed[w->plan->meshes[m].slot] = true;
		}
	}
	for (bool added = true; added;) {
		added = false;
		for (uint32_t slot = 0; slot < rig->slot_count; slot++) {
			const uint32_t joint = rig->slot_joints[slot], parent = rig->parents[joint];
			for (uint32_t s = 0; s < count && !placed[slot]; s++) {
				placed[slot] = sets[s].has[slot];
			}
			for (uint32_t s = 0; s < count && !placed[slot]; s++) {
				bool is_adjacent = parent != SNW_NONE && sets[s].of_joint[parent] != SNW_NONE;
				for (uint32_t j = 0; j < rig->joint_count && !is_adjacent; j++) {
					is_adjacent = rig->parents[j] == joint && sets[s].of_joint[j] != SNW_NONE;
				}
				if (is_adjacent && sets[s].of_joint[joint] == SNW_NONE) {
					set_add(w, &sets[s], slot);
					placed[slot] = added = true;
				}
			}
		}
	}
}

static uint32_t root_of(const snw_plan_rig *skeleton, uint32_t joint) {
	while (skeleton->parents[joint] != SNW_NONE) {
		joint = skeleton->parents[joint];
	}
	return joint;
}

/* glTF requires a common root for the joints of a skin; a character with several roots gets an additional node. */
static bool needs_root(const snw_gltf_writer *w, const skin_set *sets, uint32_t count) {
	for (uint32_t s = 0; s < count; s++) {
		uint32_t root = SNW_NONE;
		for (uint32_t slot = 0; slot < w->plan->rig.slot_count; slot++) {
			if (sets[s].has[slot]) {
				const uint32_t other = root_of(&w->plan->rig, w->plan->rig.slot_joints[slot]);
				if (root != SNW_NONE && root != other) {
					return true;
				}
				root = other;
			}
		}
	}
	return false;
}

static void add_root(snw_gltf_writer *w) {
	while (cJSON_GetArraySize(w->nodes.roots) > 0) {
		cJSON_DeleteItemFromArray(w->nodes.roots, 0);
	}
	const uint32_t root = snw_gltf_add_node(w, "skeleton", SNW_NONE);
	w->nodes.children[root] = snw_gltf_put_array(w->document, w->nodes.objects[root], "children");
	for (uint32_t i = 0; i < w->plan->rig.joint_count; i++) {
		const uint32_t joint = w->plan->rig.order[i];
		if (w->plan->rig.parents[joint] == SNW_NONE) {
			snw_gltf_put_number(w->document, w->nodes.children[root], NULL, w->nodes.joints[joint]);
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

static void write_skin(snw_gltf_writer *w, const skin_set *set, snw_gltf_written_skin *skin) {
	const snw_plan_rig *rig = &w->plan->rig;
	skin_joint *joints = SNW_NEW_ARRAY(w->arena, skin_joint, rig->slot_count);
	float *binds = SNW_NEW_ARRAY(w->arena, float, 16 * (size_t)rig->slot_count);
	uint32_t count = 0;
	for (uint32_t slot = 0; slot < rig->slot_count; slot++) {
		if (set->has[slot]) {
			joints[count++] = (skin_joint){w->nodes.joints[rig->slot_joints[slot]], slot};
		}
	}
	qsort(joints, count, sizeof *joints, compare_joints);
	skin->places = SNW_NEW_ARRAY(w->arena, uint32_t, rig->slot_count);
	memset(skin->places, 0xff, rig->slot_count * sizeof *skin->places);
	cJSON *object = snw_gltf_entry(w->document, "skins", &skin->index);
	cJSON *list = snw_gltf_put_array(w->document, object, "joints");
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t slot = joints[i].slot;
		const bool repeats = i > 0 && joints[i].node == joints[i - 1].node;
		const uint32_t node = repeats ? snw_gltf_add_node(w, NULL, joints[i].node) : joints[i].node;
		snw_gltf_put_number(w->document, list, NULL, node);
		skin->places[slot] = i;
		for (int c = 0; c < 4; c++) {
			for (int r = 0; r < 3; r++) {
				binds[16 * (size_t)i + (size_t)(4 * c + r)] =
					(float)rig->slot_inverse_binds[12 * (size_t)slot + (size_t)(4 * r + c)];
			}
		}
		binds[16 * (size_t)i + 15] = 1;
	}
	snw_gltf_put_number(w->document, object, "inverseBindMatrices",
						snw_gltf_floats(w->document, SNW_GLTF_INVERSE_BINDS, 16, count, binds, false));
}

void snw_gltf_write_skins(snw_gltf_writer *w) {
	skin_set *sets = SNW_NEW_ARRAY(w->arena, skin_set, w->plan->mesh_count);
	w->skin_count = group_meshes(w, sets);
	place_idle_slots(w, sets, w->skin_count);
	if (needs_root(w, sets, w->skin_count)) {
		add_root(w);
	}
	w->skins = SNW_NEW_ARRAY(w->arena, snw_gltf_written_skin, w->skin_count);
	for (uint32_t s = 0; s < w->skin_count; s++) {
		write_skin(w, &sets[s], &w->skins[s]);
	}
}
