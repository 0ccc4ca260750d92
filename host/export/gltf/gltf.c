/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF 2.0: what engines can play of a stack (export/plan), as one .glb or .gltf.
 *
 * The export is planned and measured first; then the document is built in memory and written.
 */
#include <string.h>

#include "export/gltf/writer.h"
#include "export/plan/plan.h"

#define BINARY_EXTENSION "glb"

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

/* The mesh that this one is a level of; SNW_NONE. */
static uint32_t level_of(const snw_gltf_writer *w, uint32_t m) {
	const uint32_t *levels = w->plan->request->level_of;
	return levels ? levels[w->plan->meshes[m].index] : SNW_NONE;
}

static bool has_levels(const snw_gltf_writer *w, uint32_t m) {
	bool has = false;
	for (uint32_t l = 0; l < w->plan->mesh_count; l++) {
		has = has || level_of(w, l) == w->plan->meshes[m].index;
	}
	return has;
}

/* MSFT_lod of the node of a mesh: the nodes of its levels, which no scene lists, and the shares of the screen down to which
 * each is shown. */
static void write_levels(snw_gltf_writer *w, uint32_t m) {
	snw_gltf_document *document = w->document;
	cJSON *node = w->nodes.objects[w->mesh_nodes[m]], *extras = cJSON_GetObjectItemCaseSensitive(node, "extras");
	extras = extras ? extras : snw_gltf_put_object(document, node, "extras");
	cJSON *extension = snw_gltf_put_object(document, snw_gltf_put_object(document, node, "extensions"), "MSFT_lod");
	cJSON *ids = snw_gltf_put_array(document, extension, "ids");
	cJSON *shares = snw_gltf_put_array(document, extras, "MSFT_screencoverage");
	for (uint32_t l = 0; l < w->plan->mesh_count; l++) {
		if (level_of(w, l) == w->plan->meshes[m].index) {
			const double share = w->plan->request->screen_shares[w->plan->meshes[l].index];
			snw_gltf_put_number(document, ids, NULL, w->mesh_nodes[l]);
			snw_gltf_put_number(document, shares, NULL, share < 1 ? share : 1);
		}
	}
	snw_gltf_put_number(document, shares, NULL, 0);
}

/* The node of a mesh: for a rigid mesh its joint's node, or a child of it if another mesh uses that; for others a root node. */
static void place_mesh(snw_gltf_writer *w, uint32_t m) {
	const snw_plan_mesh *mesh = &w->plan->meshes[m];
	const uint32_t joint = mesh->placement == SNW_PLAN_RIGID ? w->nodes.joints[w->plan->rig.slot_joints[mesh->slot]] : SNW_NONE;
	const bool is_level = level_of(w, m) != SNW_NONE;
	const bool is_free = joint != SNW_NONE && !w->nodes.has_mesh[joint] && !is_level && !has_levels(w, m);
	w->mesh_nodes[m] = is_free ? joint : snw_gltf_add_node(w, mesh->mesh->name, is_level ? SNW_NONE : joint);
	if (is_level) { /* its finest mesh's node names it, no list does */
		cJSON_DeleteItemFromArray(w->nodes.roots, cJSON_GetArraySize(w->nodes.roots) - 1);
	}
	w->nodes.has_mesh[w->mesh_nodes[m]] = true;
}

static snw_status write_meshes(snw_gltf_writer *w, snw_error *error) {
	for (uint32_t m = 0; m < w->plan->mesh_count; m++) {
		if (!snw_task_progress(w->plan->task, SNW_PLAN_SHARE + 0.15 * m / w->plan->mesh_count, "writing meshes")) {
			return SNW_CANCELLED;
		}
		uint32_t index;
		const snw_status status = snw_gltf_write_mesh(w, m, &index, error);
		if (snw_failed(status)) {
			return status;
		}
		place_mesh(w, m);
		cJSON *node = w->nodes.objects[w->mesh_nodes[m]];
		snw_gltf_put_number(w->document, node, "mesh", index);
		cJSON *meshes = cJSON_GetObjectItemCaseSensitive(snw_gltf_root(w->document), "meshes");
		snw_gltf_write_extras(w, m, node, cJSON_GetArrayItem(meshes, (int)index));
		const uint32_t skin = w->plan->meshes[m].skin_set;
		if (skin != SNW_NONE) {
			snw_gltf_put_number(w->document, node, "skin", w->skins[skin].index);
		}
	}
	for (uint32_t m = 0; w->plan->request->level_of && m < w->plan->mesh_count; m++) {
		if (has_levels(w, m)) {
			write_levels(w, m);
		}
	}
	if (w->plan->request->level_of) {
		snw_gltf_use_extension(w->document, "MSFT_lod");
	}
	return SNW_OK;
}

static snw_status write_document(snw_gltf_writer *w, uint64_t *byte_count, snw_error *error) {
	const char *path = w->plan->request->path;
	cJSON *asset = snw_gltf_put_object(w->document, snw_gltf_root(w->document), "asset");
	snw_gltf_put_text(w->document, asset, "version", "2.0");
	snw_gltf_put_text(w->document, asset, "generator", "Sinew " SINEW_VERSION);
	snw_gltf_write_nodes(w);
	snw_gltf_write_skins(w);
	snw_status status = write_meshes(w, error);
	status = snw_failed(status) || !w->plan->request->is_live ? status : snw_gltf_write_live(w, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_gltf_write_kept_nodes(w);
	snw_gltf_write_clips(w);
	if (w->nodes.count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: the project has no mesh and no skeleton to export; import one first",
						path ? path : "glTF");
	}
	if (!snw_task_progress(w->plan->task, 0.95, "writing")) {
		return SNW_CANCELLED;
	}
	const bool is_binary = !path || snw_path_has_extension(path, BINARY_EXTENSION);
	return snw_gltf_document_write(w->document, path, w->plan->request->stream, is_binary, byte_count, error);
}

/* [count], all SNW_NONE. */
static uint32_t *make_unwritten(snw_arena *arena, size_t count) {
	uint32_t *list = SNW_NEW_ARRAY(arena, uint32_t, count);
	memset(list, 0xff, count * sizeof *list);
	return list;
}

static snw_status write_plan(const snw_plan *plan, uint64_t *byte_count, snw_error *error) {
	snw_gltf_writer writer = {
		.plan = plan, .document = snw_gltf_document_create(plan->request->compresses), .arena = snw_arena_create()};
	snw_status status;
	if (writer.document) {
		writer.mesh_nodes = make_unwritten(writer.arena, plan->mesh_count);
		for (uint32_t m = 0; m < plan->mesh_count; m++) {
			const uint32_t sets = snw_gltf_count_uv_sets(plan->meshes[m].mesh);
			writer.most_uv_sets = sets > writer.most_uv_sets ? sets : writer.most_uv_sets;
		}
		writer.materials =
			make_unwritten(writer.arena, ((size_t)writer.most_uv_sets + 1) * (size_t)plan->scene->material_count);
		writer.images = make_unwritten(writer.arena, plan->scene->image_count);
		status = write_document(&writer, byte_count, error);
	} else {
		status = snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", plan->request->path ? plan->request->path : "glTF");
	}
	snw_gltf_document_destroy(writer.document);
	snw_arena_destroy(writer.arena);
	return status;
}

static snw_status export_gltf(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							  const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	snw_status status = snw_plan_make(scene, stack, request, "glTF", task, &plan, error);
	if (!snw_failed(status) && request->review) {
		status = request->review(request->review_context, &plan->report, error);
	}
	status = snw_failed(status) ? status : write_plan(plan, &plan->report.byte_count, error);
	if (!snw_failed(status)) {
		*report = plan->report;
	}
	snw_plan_destroy(plan);
	return status;
}

snw_status snw_export_losses(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	const snw_status status = snw_plan_make(scene, stack, request, "glTF", task, &plan, error);
	if (!snw_failed(status)) {
		*report = plan->report;
	}
	snw_plan_destroy(plan);
	return status;
}

snw_status snw_export_binary(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	snw_export_request unnamed = *request;
	unnamed.path = NULL;
	snw_status status = snw_plan_make(scene, stack, &unnamed, "glTF", task, &plan, error);
	status = snw_failed(status) ? status : write_plan(plan, &plan->report.byte_count, error);
	if (!snw_failed(status)) {
		*report = plan->report;
	}
	snw_plan_destroy(plan);
	return status;
}

enum { CONTENTS = SNW_FILE_MESH | SNW_FILE_SKIN | SNW_FILE_ANIMATION };

const snw_export_format snw_export_glb = {
	.file = {.extensions = BINARY_EXTENSION, .label = "glTF for engines", .holds = CONTENTS},
	.write = export_gltf,
};

const snw_export_format snw_export_gltf = {
	.file = {.extensions = "gltf", .label = "glTF as text", .holds = CONTENTS},
	.write = export_gltf,
};
