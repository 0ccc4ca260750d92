/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes: each joint is a node, with its name and its transform in the default pose.
 */
#include "export/gltf/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* Materials and their pictures, which are written unchanged. */

static double clamp(double value) {
	return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void write_texture(snw_gltf_writer *writer, cJSON *parent, const char *name, uint32_t image) {
	snw_gltf_document *document = writer->document;
	if (image == SNW_NONE) {
		return;
	}
	if (writer->image_textures[image] == SNW_NONE) {
		const snw_image *source = &writer->plan->scene->images[image];
		uint32_t index;
		cJSON *object = snw_gltf_entry(document, "images", &index);
		if (source->name && source->name[0]) {
			snw_gltf_put_text(document, object, "name", source->name);
		}
		snw_gltf_put_text(document, object, "mimeType", source->media);
		snw_gltf_put_number(document, object, "bufferView", snw_gltf_image_view(document, source->bytes, source->byte_count));
		object = snw_gltf_entry(document, "textures", &writer->image_textures[image]);
		snw_gltf_put_number(document, object, "source", index);
	}
	snw_gltf_put_number(document, snw_gltf_put_object(document, parent, name), "index", writer->image_textures[image]);
}

static void write_factors(snw_gltf_document *document, cJSON *parent, const char *name, const double *values, uint32_t count,
						  double initial) {
	double factors[4];
	bool differs = false;
	for (uint32_t i = 0; i < count; i++) {
		factors[i] = clamp(values[i]);
		differs = differs || factors[i] != initial;
	}
	if (differs) {
		snw_gltf_put_numbers(document, parent, name, factors, count);
	}
}

uint32_t snw_gltf_write_material(snw_gltf_writer *writer, uint32_t material, bool has_uvs) {
	snw_gltf_document *document = writer->document;
	uint32_t *index = &writer->materials[2 * material + has_uvs];
	if (*index != SNW_NONE) {
		return *index;
	}
	const snw_material *source = &writer->plan->scene->materials[material];
	cJSON *object = snw_gltf_entry(document, "materials", index);
	if (source->name && source->name[0]) {
		snw_gltf_put_text(document, object, "name", source->name);
	}
	cJSON *surface = snw_gltf_put_object(document, object, "pbrMetallicRoughness");
	write_factors(document, surface, "baseColorFactor", source->base_color, 4, 1);
	if (clamp(source->metallic) != 1) {
		snw_gltf_put_number(document, surface, "metallicFactor", clamp(source->metallic));
	}
	if (clamp(source->roughness) != 1) {
		snw_gltf_put_number(document, surface, "roughnessFactor", clamp(source->roughness));
	}
	if (has_uvs) {
		write_texture(writer, surface, "baseColorTexture", source->base_color_image);
		write_texture(writer, surface, "metallicRoughnessTexture", source->metallic_roughness_image);
		write_texture(writer, object, "normalTexture", source->normal_image);
		write_texture(writer, object, "emissiveTexture", source->emissive_image);
	}
	write_factors(document, object, "emissiveFactor", source->emissive, 3, 0);
	if (source->alpha != 0) {
		snw_gltf_put_text(document, object, "alphaMode", source->alpha == 1 ? "MASK" : "BLEND");
	}
	if (source->alpha == 1) {
		snw_gltf_put_number(document, object, "alphaCutoff", source->alpha_cutoff < 0 ? 0 : source->alpha_cutoff);
	}
	if (source->double_sided) {
		snw_gltf_put_true(document, object, "doubleSided");
	}
	return *index;
}
