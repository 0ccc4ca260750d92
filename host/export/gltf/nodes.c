/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes: each joint is a node, with its name and its transform in the default pose.
 */
#include "export/gltf/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/algebra.h"

uint32_t snw_gltf_add_node(snw_gltf_writer *writer, const char *name, uint32_t parent) {
	snw_gltf_document *document = writer->document;
	snw_gltf_written_nodes *nodes = &writer->nodes;
	uint32_t index;
	cJSON *object = snw_gltf_entry(document, "nodes", &index);
	if (name && name[0]) {
		snw_gltf_put_text(document, object, "name", name);
	}
	if (parent != SNW_NONE) {
		if (!nodes->children[parent]) {
			nodes->children[parent] = snw_gltf_put_array(document, nodes->objects[parent], "children");
		}
		snw_gltf_put_number(document, nodes->children[parent], NULL, index);
	} else {
		snw_gltf_put_number(document, nodes->roots, NULL, index);
	}
	nodes->objects[index] = object;
	nodes->count = index + 1;
	return index;
}

static void write_transform(snw_gltf_document *document, cJSON *node, const snw_transform *transform) {
	static const snw_transform identity = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	if (memcmp(transform->translation, identity.translation, sizeof identity.translation) != 0) {
		snw_gltf_put_numbers(document, node, "translation", transform->translation, 3);
	}
	if (memcmp(transform->rotation, identity.rotation, sizeof identity.rotation) != 0) {
		snw_gltf_put_numbers(document, node, "rotation", transform->rotation, 4);
	}
	if (memcmp(transform->scale, identity.scale, sizeof identity.scale) != 0) {
		snw_gltf_put_numbers(document, node, "scale", transform->scale, 3);
	}
}

void snw_gltf_write_nodes(snw_gltf_writer *writer) {
	snw_gltf_document *document = writer->document;
	snw_gltf_written_nodes *nodes = &writer->nodes;
	const snw_plan_rig *rig = &writer->plan->rig;
	/* At most one node more for each mesh, slot, camera and light, and one over all roots. */
	const size_t most =
		(size_t)rig->joint_count + writer->plan->mesh_count + rig->slot_count + writer->plan->scene->kept_node_count + 1;
	nodes->joints = SNW_NEW_ARRAY(writer->arena, uint32_t, rig->joint_count);
	nodes->objects = SNW_NEW_ARRAY(writer->arena, cJSON *, most);
	nodes->children = SNW_NEW_ARRAY(writer->arena, cJSON *, most);
	nodes->has_mesh = SNW_NEW_ARRAY(writer->arena, bool, most);
	uint32_t index;
	snw_gltf_put_number(document, snw_gltf_root(document), "scene", 0);
	nodes->roots = snw_gltf_put_array(document, snw_gltf_entry(document, "scenes", &index), "nodes");
	for (uint32_t i = 0; i < rig->joint_count; i++) {
		const uint32_t joint = rig->order[i], parent = rig->parents[joint];
		if (rig->is_left_out[joint]) {
			continue;
		}
		nodes->joints[joint] =
			snw_gltf_add_node(writer, rig->names[joint], parent == SNW_NONE ? SNW_NONE : nodes->joints[parent]);
		write_transform(document, nodes->objects[nodes->joints[joint]], &rig->local[joint]);
	}
}

/* ---- skins --------------------------------------------------------------------------------------------------------------- */

/* Skins: the plan's sets of slots, with their inverse binds. */

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
		if (w->plan->rig.parents[joint] == SNW_NONE && !w->plan->rig.is_left_out[joint]) {
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

/* ---- cameras and lights -------------------------------------------------------------------------------------------------- */

static bool is_written(const snw_gltf_writer *w, const snw_kept_node *node) {
	const snw_plan *plan = w->plan;
	return node->joint == SNW_NONE ? !plan->request->character : !plan->rig.is_left_out[node->joint];
}

static void write_camera(snw_gltf_writer *w, cJSON *node, const cJSON *camera) {
	uint32_t index;
	cJSON *object = snw_gltf_entry(w->document, "cameras", &index);
	for (const cJSON *member = camera->child; member; member = member->next) {
		snw_gltf_put_item(w->document, object, member->string, cJSON_Duplicate(member, true));
	}
	snw_gltf_put_number(w->document, node, "camera", index);
}

static void write_light(snw_gltf_writer *w, cJSON *node, const cJSON *light) {
	static const char name[] = "KHR_lights_punctual";
	snw_gltf_document *d = w->document;
	if (!w->lights) {
		w->lights = snw_gltf_put_array(d, snw_gltf_put_object(d, snw_gltf_root_extensions(d), name), "lights");
		snw_gltf_use_extension(d, name);
	}
	const int index = cJSON_GetArraySize(w->lights);
	snw_gltf_put_item(d, w->lights, NULL, cJSON_Duplicate(light, true));
	snw_gltf_put_number(d, snw_gltf_put_object(d, snw_gltf_put_object(d, node, "extensions"), name), "light", index);
}

/* The joint's node if it was that, otherwise one of its own. */
static cJSON *node_of(snw_gltf_writer *w, const snw_kept_node *source) {
	const uint32_t joint = source->joint;
	double identity[12];
	snw_mat34_identity(identity);
	const bool is_joint = joint != SNW_NONE && strcmp(source->name, w->plan->rig.names[joint]) == 0 &&
						  memcmp(source->place, identity, sizeof identity) == 0;
	if (is_joint) {
		return w->nodes.objects[w->nodes.joints[joint]];
	}
	snw_transform place;
	snw_transform_from_mat34(source->place, &place);
	cJSON *node = w->nodes.objects[snw_gltf_add_node(w, source->name, joint == SNW_NONE ? SNW_NONE : w->nodes.joints[joint])];
	write_transform(w->document, node, &place);
	return node;
}

void snw_gltf_write_kept_nodes(snw_gltf_writer *w) {
	const snw_scene *scene = w->plan->scene;
	for (uint32_t i = 0; i < scene->kept_node_count; i++) {
		const snw_kept_node *source = &scene->kept_nodes[i];
		cJSON *kept = is_written(w, source) ? cJSON_Parse(source->kept) : NULL;
		const cJSON *camera = cJSON_GetObjectItemCaseSensitive(kept, "camera");
		const cJSON *light = cJSON_GetObjectItemCaseSensitive(kept, "light");
		if (cJSON_IsObject(camera) || cJSON_IsObject(light)) {
			cJSON *node = node_of(w, source);
			if (cJSON_IsObject(camera)) {
				write_camera(w, node, camera);
			}
			if (cJSON_IsObject(light)) {
				write_light(w, node, light);
			}
		}
		cJSON_Delete(kept);
	}
}
