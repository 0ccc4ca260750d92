/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF export from the top: plan, sample, measure, then build the document and put it in place.
 */
#include "export/gltf/gltf.h"

#include <string.h>

#include "pose/pose.h"

/* The node that a mesh is on: a rigid one on its joint's, or below it where another mesh has taken that; others at the root. */
static void place_mesh(snw_gltf_document *document, const snw_gltf_plan *plan, snw_gltf_nodes *nodes, snw_gltf_mesh *mesh) {
	const uint32_t joint = mesh->placement == SNW_GLTF_RIGID ? nodes->joints[plan->rig.slot_joints[mesh->slot]] : SNW_NONE;
	mesh->node =
		joint != SNW_NONE && !nodes->has_mesh[joint] ? joint : snw_gltf_add_node(document, nodes, mesh->mesh->name, joint);
	nodes->has_mesh[mesh->node] = true;
}

static snw_status write_meshes(snw_gltf_document *document, snw_gltf_plan *plan, snw_gltf_nodes *nodes,
							   const snw_gltf_skin *skins, snw_error *error) {
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_gltf_mesh *mesh = &plan->meshes[m];
		if (!snw_task_progress(plan->task, 0.8 + 0.15 * m / plan->mesh_count, "writing meshes")) {
			return SNW_CANCELLED;
		}
		const snw_gltf_skin *skin = mesh->placement == SNW_GLTF_SKINNED ? &skins[mesh->skin] : NULL;
		uint32_t index;
		const snw_status status = snw_gltf_write_mesh(document, plan, mesh, skin ? skin->places : NULL, &index, error);
		if (status < 0) {
			return status;
		}
		place_mesh(document, plan, nodes, mesh);
		snw_gltf_put_number(document, nodes->objects[mesh->node], "mesh", index);
		if (skin) {
			snw_gltf_put_number(document, nodes->objects[mesh->node], "skin", skin->index);
		}
	}
	return SNW_OK;
}

static snw_status write_document(snw_gltf_document *document, snw_gltf_plan *plan, snw_error *error) {
	cJSON *asset = snw_gltf_put_object(document, snw_gltf_root(document), "asset");
	snw_gltf_put_text(document, asset, "version", "2.0");
	snw_gltf_put_text(document, asset, "generator", "Sinew " SINEW_VERSION);
	snw_gltf_nodes nodes = {0};
	snw_gltf_skin *skins;
	snw_gltf_write_nodes(document, plan, &nodes);
	snw_gltf_write_skins(document, plan, &nodes, &skins);
	const snw_status status = write_meshes(document, plan, &nodes, skins, error);
	if (status != SNW_OK) {
		return status;
	}
	snw_gltf_write_clips(document, plan, &nodes);
	if (nodes.count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: there is neither a mesh nor a skeleton to export; import one first",
						plan->request->path);
	}
	if (!snw_task_progress(plan->task, 0.95, "writing")) {
		return SNW_CANCELLED;
	}
	return snw_gltf_document_write(document, plan->request->path, error);
}

static snw_status run(snw_gltf_plan *plan, snw_error *error) {
	snw_status status = snw_gltf_plan_make(plan, error);
	if (status == SNW_OK) {
		status = snw_stack_describe(plan->stack, plan->arena, &plan->descriptions, &plan->description_count, error);
	}
	if (status == SNW_OK) {
		status = snw_gltf_sample_weights(plan, error);
	}
	if (status == SNW_OK) {
		snw_gltf_choose_shapes(plan);
		status = snw_gltf_refit(plan, error);
	}
	if (status == SNW_OK) {
		status = snw_gltf_measure_playback(plan, error);
	}
	if (status != SNW_OK) {
		return status;
	}
	snw_gltf_document *document = snw_gltf_document_create();
	if (!document) {
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", plan->request->path);
	}
	status = write_document(document, plan, error);
	snw_gltf_document_destroy(document);
	return status;
}

snw_status snw_gltf_export(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
						   const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_gltf_plan plan = {.scene = scene, .stack = stack, .request = request, .task = task, .arena = snw_arena_create()};
	const uint32_t found = snw_scene_find_pose(scene, "default");
	plan.rest = found != SNW_NONE ? &scene->poses[found] : snw_pose_rest(scene, plan.arena);
	plan.frame = snw_stack_frame_create(stack);
	plan.materials = SNW_NEW_ARRAY(plan.arena, uint32_t, 2 * (size_t)scene->material_count);
	plan.image_textures = SNW_NEW_ARRAY(plan.arena, uint32_t, scene->image_count);
	memset(plan.materials, 0xff, 2 * (size_t)scene->material_count * sizeof *plan.materials);
	memset(plan.image_textures, 0xff, scene->image_count * sizeof *plan.image_textures);
	const snw_status status = run(&plan, error);
	if (status >= 0 && status != SNW_CANCELLED) {
		*report = plan.report;
	}
	snw_stack_frame_destroy(plan.frame);
	snw_arena_destroy(plan.arena);
	return status;
}
