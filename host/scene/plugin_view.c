/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/plugin_view.h"

/* The fields over one mesh, in the scene's order. */
static void view_fields(const snw_scene *scene, uint32_t mesh, snw_arena *arena, snw_mesh_view *view) {
	snw_field_view *views = SNW_NEW_ARRAY(arena, snw_field_view, scene->field_count);
	const snw_field_view **fields = SNW_NEW_ARRAY(arena, const snw_field_view *, scene->field_count);
	for (uint32_t i = 0; i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		if (field->mesh == mesh) {
			views[i] = (snw_field_view){
				.size = sizeof(snw_field_view),
				.name = field->name,
				.domain = field->domain,
				.components = field->components,
				.count = field->count,
				.values = field->values,
			};
			fields[view->field_count++] = &views[i];
		}
	}
	view->fields = fields;
}

static const snw_mesh_view *const *view_meshes(const snw_scene *scene, snw_arena *arena) {
	snw_mesh_view *views = SNW_NEW_ARRAY(arena, snw_mesh_view, scene->mesh_count);
	const snw_mesh_view **list = SNW_NEW_ARRAY(arena, const snw_mesh_view *, scene->mesh_count);
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		const snw_mesh *mesh = &scene->meshes[i];
		views[i] = (snw_mesh_view){
			.size = sizeof(snw_mesh_view),
			.name = mesh->name,
			.point_count = mesh->point_count,
			.points_rest = mesh->points_rest,
			.face_count = mesh->face_count,
			.face_offsets = mesh->face_offsets,
			.face_points = mesh->face_points,
			.influence_offsets = mesh->influence_offsets,
			.influence_slots = mesh->influence_slots,
			.influence_weights = mesh->influence_weights,
			.corner_uvs = mesh->corner_uvs,
			.corner_normals = mesh->corner_normals,
		};
		view_fields(scene, i, arena, &views[i]);
		list[i] = &views[i];
	}
	return list;
}

static const double *find_limits(const snw_scene *scene) {
	const uint32_t found = snw_scene_find_field(scene, SNW_NONE, SNW_JOINT_LIMITS);
	const snw_field *field = found == SNW_NONE ? NULL : &scene->fields[found];
	const bool is_valid = field && field->domain == SNW_DOMAIN_JOINTS && field->components == 1;
	return is_valid && field->count == scene->skeleton.joint_count ? field->values : NULL;
}

static const snw_skeleton_view *view_skeleton(const snw_scene *scene, snw_arena *arena) {
	const snw_skeleton *skeleton = &scene->skeleton;
	snw_skeleton_view *view = SNW_NEW(arena, snw_skeleton_view);
	*view = (snw_skeleton_view){
		.size = sizeof *view,
		.joint_count = skeleton->joint_count,
		.names = skeleton->names,
		.parents = skeleton->parents,
		.order = skeleton->order,
		.rest_local = skeleton->rest_local,
		.rest_global = skeleton->rest_global,
		.limits = find_limits(scene),
	};
	return view;
}

const snw_character_view *snw_character_view_make(const snw_scene *scene, snw_arena *arena) {
	const char **channel_names = SNW_NEW_ARRAY(arena, const char *, scene->channel_count);
	for (uint32_t i = 0; i < scene->channel_count; i++) {
		channel_names[i] = scene->channels[i].name;
	}
	snw_character_view *view = SNW_NEW(arena, snw_character_view);
	*view = (snw_character_view){
		.size = sizeof *view,
		.mesh_count = scene->mesh_count,
		.meshes = view_meshes(scene, arena),
		.skeleton = view_skeleton(scene, arena),
		.slot_count = scene->slot_count,
		.slot_joints = scene->slot_joints,
		.slot_inverse_binds = scene->slot_inverse_binds,
		.channel_count = scene->channel_count,
		.channel_names = channel_names,
	};
	return view;
}
