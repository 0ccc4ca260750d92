/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data that glTF does not define: the names of morph targets in the extras of the mesh, where importers look for them; and in
 * those of its node, which gltfpack keeps where it drops a mesh's, descriptions of what drives correctives, so that an engine
 * can evaluate them live, and bounds (bounds.c). The mesh has a copy of the descriptions, for programs that drop those of
 * nodes.
 *
 * extras.sinew is {"version": 1, "poseSpace": {…}, …}: the members that the layers' models describe (snw_deformer.describe). If
 * several layers have a pose space, their groups are in one list, lowest layer first, each with its "layer". "targets" are
 * names of the mesh's morph targets; null for those of other meshes.
 */
#include <stdlib.h>
#include <string.h>

#include "export/gltf/writer.h"

/* Replaces the model's names of morph targets by the mesh's. Each morph target is used for one name, in order. */
static void rename_morphs(const snw_plan_mesh *mesh, cJSON *names, bool *claimed) {
	for (int i = 0; i < cJSON_GetArraySize(names); i++) {
		const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(names, i));
		cJSON *replaced = NULL;
		for (uint32_t t = 0; t < mesh->morph_count && name && !replaced; t++) {
			const snw_plan_morph *morph = &mesh->morphs[t];
			if (!claimed[t] && morph->channel == SNW_NONE && morph->model_name && strcmp(morph->model_name, name) == 0) {
				claimed[t] = true;
				replaced = cJSON_CreateString(morph->name);
			}
		}
		cJSON_ReplaceItemInArray(names, i, replaced ? replaced : cJSON_CreateNull());
	}
}

/* Appends the groups of one layer's pose space to the list. */
static void join_groups(snw_gltf_document *document, const snw_plan_mesh *mesh, cJSON *sinew, cJSON *space, const char *layer,
						bool *claimed) {
	cJSON *existing = cJSON_GetObjectItemCaseSensitive(sinew, "poseSpace");
	cJSON *groups = cJSON_GetObjectItemCaseSensitive(space, "groups"), *group;
	cJSON_ArrayForEach(group, groups) {
		snw_gltf_put_text(document, group, "layer", layer);
		rename_morphs(mesh, cJSON_GetObjectItemCaseSensitive(group, "targets"), claimed);
	}
	if (!existing) {
		snw_gltf_put_item(document, sinew, "poseSpace", space);
		return;
	}
	while ((group = cJSON_DetachItemFromArray(groups, 0))) {
		snw_gltf_put_item(document, cJSON_GetObjectItemCaseSensitive(existing, "groups"), NULL, group);
	}
	cJSON_Delete(space);
}

static void add_description(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, cJSON *sinew,
							const snw_stack_description *description, bool *claimed) {
	cJSON *parsed = cJSON_Parse(description->json), *member;
	if (!cJSON_IsObject(parsed)) {
		snw_task_notice(writer->plan->task, SNW_LOG_WARNING,
						"layer %s: the description from %s is not a JSON object; it is left out of extras", description->layer,
						description->deformer);
	}
	while (cJSON_IsObject(parsed) && (member = parsed->child)) {
		cJSON_DetachItemViaPointer(parsed, member);
		const bool is_space = member->string && strcmp(member->string, "poseSpace") == 0 &&
							  cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(member, "groups"));
		char *name = strdup(member->string ? member->string : "");
		if (is_space) {
			join_groups(writer->document, mesh, sinew, member, description->layer, claimed);
		} else if (name && !cJSON_GetObjectItemCaseSensitive(sinew, name)) {
			snw_gltf_put_item(writer->document, sinew, name, member);
		} else {
			cJSON_Delete(member);
		}
		free(name);
	}
	cJSON_Delete(parsed);
}

void snw_gltf_write_morph_names(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, cJSON *mesh_object) {
	if (mesh->shape_count == 0) {
		return;
	}
	cJSON *extras = snw_gltf_put_object(writer->document, mesh_object, "extras");
	cJSON *names = snw_gltf_put_array(writer->document, extras, "targetNames");
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		snw_gltf_put_text(writer->document, names, NULL, snw_plan_shape_name(mesh, &mesh->shapes[s], writer->arena));
	}
}

/* How the weight of a morph target becomes those of the shapes that it is written as. */
static void write_sides(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, cJSON *sinew) {
	cJSON *list = NULL;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		const snw_plan_shape *shape = &mesh->shapes[s];
		if (shape->is_side) {
			list = list ? list : snw_gltf_put_array(writer->document, sinew, "sides");
			cJSON *side = snw_gltf_put_object(writer->document, list, NULL);
			snw_gltf_put_text(writer->document, side, "target", mesh->morphs[shape->morph].name);
			snw_gltf_put_text(writer->document, side, "shape", snw_plan_shape_name(mesh, shape, writer->arena));
			snw_gltf_put_number(writer->document, side, "reach", shape->reach);
		}
	}
}

static bool has_sides(const snw_plan_mesh *mesh) {
	bool has = false;
	for (uint32_t s = 0; s < mesh->shape_count; s++) {
		has = has || mesh->shapes[s].is_side;
	}
	return has;
}

/* Into the extras that the mesh may have. */
static void copy_to_mesh(const snw_gltf_writer *writer, const cJSON *sinew, cJSON *mesh_object) {
	cJSON *extras = cJSON_GetObjectItemCaseSensitive(mesh_object, "extras");
	extras = extras ? extras : snw_gltf_put_object(writer->document, mesh_object, "extras");
	snw_gltf_put_item(writer->document, extras, "sinew", cJSON_Duplicate(sinew, true));
}

void snw_gltf_write_extras(const snw_gltf_writer *writer, uint32_t m, cJSON *node, cJSON *mesh_object) {
	const snw_plan *plan = writer->plan;
	const snw_plan_mesh *mesh = &plan->meshes[m];
	bool is_driven = false;
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		is_driven = is_driven || mesh->morphs[t].channel == SNW_NONE;
	}
	const bool is_helped = m == plan->helper_mesh && plan->helper_count > 0;
	const bool is_described = ((mesh->shape_count > 0 && is_driven) || is_helped) && plan->description_count > 0;
	const bool has_bounds = snw_gltf_has_bounds(mesh);
	if (!is_described && !has_sides(mesh) && !has_bounds) {
		return;
	}
	cJSON *sinew = snw_gltf_put_object(writer->document, snw_gltf_put_object(writer->document, node, "extras"), "sinew");
	snw_gltf_put_number(writer->document, sinew, "version", 1);
	bool *claimed = SNW_NEW_ARRAY(writer->arena, bool, mesh->morph_count);
	for (uint32_t d = 0; is_described && d < plan->description_count; d++) {
		add_description(writer, mesh, sinew, &plan->descriptions[d], claimed);
	}
	write_sides(writer, mesh, sinew);
	if (is_described || has_sides(mesh)) {
		copy_to_mesh(writer, sinew, mesh_object);
	}
	if (has_bounds) {
		snw_gltf_write_bounds(writer, m, sinew);
	}
}
