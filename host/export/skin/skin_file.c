/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin files: what engines can play of a stack, for plugins/player/sinew_player.h. docs/skin-file.md defines the format.
 * A table of fields, then their numbers, written from the plan that glTF files are written from.
 */
#include <math.h>
#include <string.h>

#include "export/plan/plan.h"
#include "export/skin/fields.h"
#include "file/file.h"
#include "mesh/triangulate.h"

enum { WIDTH = 8 }; /* influences of a point */

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

/* Parents first: the place of each joint of the rig. */
static uint32_t *order_joints(const snw_plan *plan, snw_arena *arena) {
	uint32_t *places = SNW_NEW_ARRAY(arena, uint32_t, plan->rig.joint_count);
	for (uint32_t i = 0; i < plan->rig.joint_count; i++) {
		places[plan->rig.order[i]] = i;
	}
	return places;
}

/* A helper's own transform is not read: the player computes it. */
static void write_joints(snw_skin_fields *f, const snw_plan *plan, const uint32_t *places) {
	static const snw_transform none = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	for (uint32_t i = 0; i < plan->rig.joint_count; i++) {
		const uint32_t joint = plan->rig.order[i], parent = plan->rig.parents[joint];
		const bool is_helper = joint >= plan->scene->skeleton.joint_count;
		const snw_transform *rest = is_helper ? &none : &plan->scene->skeleton.rest_local[joint];
		snw_skin_put_name(f, SNW_SKIN_JOINT_NAMES, plan->rig.names[joint]);
		snw_skin_put_integer(f, SNW_SKIN_JOINT_PARENTS, parent == SNW_NONE ? SNW_NONE : places[parent]);
		snw_skin_put_numbers(f, SNW_SKIN_JOINT_RESTS, rest->translation, 3);
		snw_skin_put_numbers(f, SNW_SKIN_JOINT_RESTS, rest->rotation, 4);
		snw_skin_put_numbers(f, SNW_SKIN_JOINT_RESTS, rest->scale, 3);
	}
	for (uint32_t s = 0; s < plan->rig.slot_count; s++) {
		snw_skin_put_integer(f, SNW_SKIN_SLOT_JOINTS, places[plan->rig.slot_joints[s]]);
		snw_skin_put_numbers(f, SNW_SKIN_SLOT_BINDS, plan->rig.slot_inverse_binds + 12 * (size_t)s, 12);
	}
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* Influences without a weight are left out, so those that a point has come first. */
static void write_influences(snw_skin_fields *f, const snw_plan_mesh *mesh, uint32_t point) {
	uint32_t slots[WIDTH], count = 0;
	float weights[WIDTH] = {0};
	memset(slots, 0xff, sizeof slots);
	if (mesh->placement == SNW_PLAN_RIGID) {
		slots[0] = mesh->slot;
		weights[0] = 1;
	}
	for (uint32_t i = 0; mesh->placement == SNW_PLAN_SKINNED && i < mesh->width; i++) {
		const size_t at = (size_t)point * mesh->width + i;
		if (mesh->weights[at] > 0) {
			slots[count] = mesh->slots[at];
			weights[count++] = mesh->weights[at];
		}
	}
	for (int i = 0; i < WIDTH; i++) {
		snw_skin_put_integer(f, SNW_SKIN_POINT_SLOTS, slots[i]);
		snw_skin_put_float(f, SNW_SKIN_POINT_WEIGHTS, weights[i]);
	}
}

static void write_triangles(snw_skin_fields *f, const snw_mesh *mesh, snw_arena *arena) {
	uint32_t most = 3;
	for (uint32_t i = 0; i < mesh->face_count; i++) {
		const uint32_t corners = mesh->face_offsets[i + 1] - mesh->face_offsets[i];
		most = corners > most ? corners : most;
	}
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 3 * (size_t)most), *scratch = SNW_NEW_ARRAY(arena, uint32_t, most);
	for (uint32_t i = 0; i < mesh->face_count; i++) {
		const uint32_t begin = mesh->face_offsets[i], count = mesh->face_offsets[i + 1] - begin;
		snw_face_triangulate(mesh, i, corners, scratch);
		for (uint32_t c = 0; c < 3 * (count - 2); c++) {
			snw_skin_put_integer(f, SNW_SKIN_TRIANGLES, mesh->face_points[begin + corners[c]]);
		}
	}
}

static void write_morphs(snw_skin_fields *f, const snw_plan *plan, uint32_t m) {
	const snw_plan_mesh *mesh = &plan->meshes[m];
	for (uint32_t t = 0; t < mesh->morph_count; t++) {
		const snw_plan_morph *morph = &mesh->morphs[t];
		const double weight = plan->rest_weights[mesh->first_weight + t];
		snw_skin_put_name(f, SNW_SKIN_MORPH_NAMES, morph->name);
		snw_skin_put_integer(f, SNW_SKIN_MORPH_MESHES, m);
		snw_skin_put_numbers(f, SNW_SKIN_MORPH_WEIGHTS, &weight, 1);
		for (uint32_t i = 0; i < morph->count; i++) {
			snw_skin_put_integer(f, SNW_SKIN_MOVE_POINTS, morph->points[i]);
			for (size_t c = 0; c < 3; c++) {
				snw_skin_put_float(f, SNW_SKIN_MOVE_VECTORS, (float)morph->vectors[3 * (size_t)i + c]);
			}
		}
		snw_skin_put_integer(f, SNW_SKIN_MORPH_MOVES, snw_skin_count(f, SNW_SKIN_MOVE_POINTS));
	}
}

static void write_meshes(snw_skin_fields *f, const snw_plan *plan, snw_arena *arena) {
	snw_skin_put_integer(f, SNW_SKIN_MESH_POINTS, 0);
	snw_skin_put_integer(f, SNW_SKIN_MESH_TRIANGLES, 0);
	snw_skin_put_integer(f, SNW_SKIN_MORPH_MOVES, 0);
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		snw_skin_put_name(f, SNW_SKIN_MESH_NAMES, mesh->mesh->name);
		snw_skin_put_integer(f, SNW_SKIN_MESH_BLENDS, mesh->dual_quaternions ? 1 : 0);
		for (uint32_t i = 0; i < mesh->mesh->point_count; i++) {
			for (size_t c = 0; c < 3; c++) {
				snw_skin_put_float(f, SNW_SKIN_POINT_RESTS, (float)mesh->points_rest[3 * (size_t)i + c]);
				snw_skin_put_float(f, SNW_SKIN_POINT_SOURCES, (float)mesh->mesh->points_rest[3 * (size_t)i + c]);
			}
			write_influences(f, mesh, i);
		}
		write_triangles(f, mesh->mesh, arena);
		write_morphs(f, plan, m);
		snw_skin_put_integer(f, SNW_SKIN_MESH_POINTS, snw_skin_count(f, SNW_SKIN_POINT_RESTS));
		snw_skin_put_integer(f, SNW_SKIN_MESH_TRIANGLES, snw_skin_count(f, SNW_SKIN_TRIANGLES));
	}
}

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

static snw_status write_skin_plan(const snw_plan *plan, uint64_t *byte_count, snw_error *error) {
	snw_file_write *file = NULL;
	snw_arena *arena = snw_arena_create();
	snw_skin_fields *fields = snw_skin_fields_create(arena);
	const uint32_t *places = order_joints(plan, arena);
	write_joints(fields, plan, places);
	write_meshes(fields, plan, arena);
	snw_status status = snw_skin_write_drives(fields, plan, places, error);
	status = snw_failed(status) ? status : snw_file_write_begin(plan->request->path, &file, error);
	if (!snw_failed(status)) {
		*byte_count = snw_skin_fields_write(fields, snw_file_write_stream(file));
		status = snw_file_write_commit(file, error);
	}
	snw_arena_destroy(arena);
	return status;
}

/* What only clips move cannot be played under any pose. */
static snw_status check_plan(const snw_plan *plan, snw_error *error) {
	return plan->report.proxy_count > 0 ? snw_fail(error, SNW_ERROR_UNSUPPORTED,
												   "%s: clips alone move the proxy joints of this skin, and a skin file has no "
												   "clips; 'sinew bake' or a fit with "
												   "blend=linear makes a skin over the skeleton, and .glb holds this one",
												   plan->request->path)
										: SNW_OK;
}

/* A black box runs by its own code, which no player has. */
static snw_status check_boxes(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							  snw_error *error) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const bool is_written =
			(request->mesh == SNW_NONE || request->mesh == m) && (!request->character || request->character->meshes[m]);
		for (uint32_t s = 0; is_written && s < snw_stack_segment_count(stack, m); s++) {
			const snw_segment_info info = snw_stack_segment(stack, m, s);
			if (!info.is_program) {
				return snw_fail(error, SNW_ERROR_UNSUPPORTED,
								"%s: mesh %s: %s runs by code of its own, which a skin file cannot hold; 'sinew bake' makes a "
								"skin that it can",
								request->path, scene->meshes[m].name, info.layers);
			}
		}
	}
	return SNW_OK;
}

static snw_status export_skin(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							  const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	snw_export_request driven = *request;
	driven.plays_drives = driven.plays_dual_quaternions = true;
	snw_status status = check_boxes(scene, stack, request, error);
	status = snw_failed(status) ? status : snw_plan_make(scene, stack, &driven, "a skin file", task, &plan, error);
	status = snw_failed(status) ? status : check_plan(plan, error);
	if (!snw_failed(status)) {
		plan->report.packed_max_percent = plan->report.packed_erms = plan->report.packed_max_metres = 0; /* nobody packs it */
		plan->report.playback_normals_degrees = plan->report.playback_normals_max_degrees = (double)NAN; /* of its faces */
	}
	if (!snw_failed(status) && request->review) {
		status = request->review(request->review_context, &plan->report, error);
	}
	status = snw_failed(status) ? status : write_skin_plan(plan, &plan->report.byte_count, error);
	if (!snw_failed(status)) {
		*report = plan->report;
	}
	snw_plan_destroy(plan);
	return status;
}

const snw_export_format snw_export_skin = {
	.file = {.extensions = "snwskin", .label = "skin for the C player", .holds = SNW_FILE_MESH | SNW_FILE_SKIN},
	.write = export_skin,
};
