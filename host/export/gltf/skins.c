/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skins: the plan's sets of slots, with their inverse binds.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "export/gltf/writer.h"

static uint32_t root_of(const snw_plan_rig *skeleton, uint32_t joint) {
	while (skeleton->parents[joint] != SNW_NONE) {
		joint = skeleton->parents[joint];
	}
	return joint;
}

/* glTF requires a common root for the joints of a skin; a character with several roots gets an additional node. */
static bool needs_root(const snw_gltf_writer *w) {
	for (uint32_t s = 0; s < w->plan->skin_set_count; s++) {
		uint32_t root = SNW_NONE;
		for (uint32_t slot = 0; slot < w->plan->rig.slot_count; slot++) {
			if (w->plan->skin_sets[s].has[slot]) {
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

static void write_skin(snw_gltf_writer *w, const snw_plan_skin_set *set, snw_gltf_written_skin *skin) {
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
	const uint32_t count = w->plan->skin_set_count;
	if (needs_root(w)) {
		add_root(w);
	}
	w->skins = SNW_NEW_ARRAY(w->arena, snw_gltf_written_skin, count);
	for (uint32_t s = 0; s < count; s++) {
		write_skin(w, &w->plan->skin_sets[s], &w->skins[s]);
	}
}
