/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes: each joint is a node, with its name and its transform in the default pose.
 */
#include <string.h>

#include "export/gltf/writer.h"

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
	/* At most one node more for each mesh and slot, and one over all roots. */
	const size_t most = (size_t)rig->joint_count + writer->plan->mesh_count + rig->slot_count + 1;
	nodes->joints = SNW_NEW_ARRAY(writer->arena, uint32_t, rig->joint_count);
	nodes->objects = SNW_NEW_ARRAY(writer->arena, cJSON *, most);
	nodes->children = SNW_NEW_ARRAY(writer->arena, cJSON *, most);
	nodes->has_mesh = SNW_NEW_ARRAY(writer->arena, bool, most);
	uint32_t index;
	snw_gltf_put_number(document, snw_gltf_root(document), "scene", 0);
	nodes->roots = snw_gltf_put_array(document, snw_gltf_entry(document, "scenes", &index), "nodes");
	for (uint32_t i = 0; i < rig->joint_count; i++) {
		const uint32_t joint = rig->order[i], parent = rig->parents[joint];
		nodes->joints[joint] =
			snw_gltf_add_node(writer, rig->names[joint], parent == SNW_NONE ? SNW_NONE : nodes->joints[parent]);
		write_transform(document, nodes->objects[nodes->joints[joint]], &rig->local[joint]);
	}
}
