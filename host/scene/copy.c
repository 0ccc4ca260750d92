/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene.h"

#include <string.h>

/* A copy of `count` elements; NULL stays NULL. */
static void *copy_array(snw_arena *arena, const void *items, size_t count, size_t item_bytes) {
	if (!items) {
		return NULL;
	}
	void *copy = snw_arena_array(arena, count, item_bytes);
	if (count > 0) {
		memcpy(copy, items, count * item_bytes);
	}
	return copy;
}

#define COPY_ARRAY(arena, items, count) copy_array((arena), (items), (count), sizeof *(items))

static void copy_skeleton(snw_arena *arena, snw_skeleton *s) {
	const uint32_t count = s->joint_count;
	s->names = COPY_ARRAY(arena, s->names, count);
	for (uint32_t i = 0; i < count; i++) {
		s->names[i] = snw_arena_text(arena, s->names[i]);
	}
	s->parents = COPY_ARRAY(arena, s->parents, count);
	s->order = COPY_ARRAY(arena, s->order, count);
	s->rest_local = COPY_ARRAY(arena, s->rest_local, count);
	s->rest_global = COPY_ARRAY(arena, s->rest_global, (size_t)12 * count);
}

static void copy_morphs(snw_arena *arena, snw_mesh *mesh) {
	snw_morph *morphs = COPY_ARRAY(arena, mesh->morphs, mesh->morph_count);
	for (uint32_t i = 0; i < mesh->morph_count; i++) {
		morphs[i].name = snw_arena_text(arena, morphs[i].name);
		morphs[i].points = COPY_ARRAY(arena, morphs[i].points, morphs[i].count);
		morphs[i].vectors = COPY_ARRAY(arena, morphs[i].vectors, (size_t)3 * morphs[i].count);
	}
	mesh->morphs = morphs;
}

static void copy_attributes(snw_arena *arena, snw_mesh *mesh) {
	snw_attribute *attributes = COPY_ARRAY(arena, mesh->attributes, mesh->attribute_count);
	for (uint32_t i = 0; i < mesh->attribute_count; i++) {
		const size_t numbers = (size_t)attributes[i].width * attributes[i].corner_count;
		attributes[i].name = snw_arena_text(arena, attributes[i].name);
		attributes[i].values = COPY_ARRAY(arena, attributes[i].values, numbers);
	}
	mesh->attributes = attributes;
}

static void copy_mesh(snw_arena *arena, snw_mesh *m) {
	const size_t points = m->point_count, corners = m->face_count > 0 ? m->face_offsets[m->face_count] : 0;
	const size_t influences = m->influence_offsets ? m->influence_offsets[points] : 0;
	m->name = snw_arena_text(arena, m->name);
	m->points_rest = COPY_ARRAY(arena, m->points_rest, 3 * points);
	m->face_offsets = COPY_ARRAY(arena, m->face_offsets, (size_t)m->face_count + 1);
	m->face_points = COPY_ARRAY(arena, m->face_points, corners);
	m->face_materials = COPY_ARRAY(arena, m->face_materials, m->face_count);
	m->corner_uvs = COPY_ARRAY(arena, m->corner_uvs, 2 * corners);
	m->corner_normals = COPY_ARRAY(arena, m->corner_normals, 3 * corners);
	m->corner_tangents = COPY_ARRAY(arena, m->corner_tangents, 4 * corners);
	m->corner_colors = COPY_ARRAY(arena, m->corner_colors, 4 * corners);
	m->influence_offsets = COPY_ARRAY(arena, m->influence_offsets, points + 1);
	m->influence_slots = COPY_ARRAY(arena, m->influence_slots, influences);
	m->influence_weights = COPY_ARRAY(arena, m->influence_weights, influences);
	copy_morphs(arena, m);
	copy_attributes(arena, m);
}

static void copy_clip(snw_arena *arena, snw_clip *clip) {
	static const uint32_t widths[] = {
		[SNW_PATH_TRANSLATION] = 3, [SNW_PATH_ROTATION] = 4, [SNW_PATH_SCALE] = 3, [SNW_PATH_CHANNEL] = 1};
	clip->name = snw_arena_text(arena, clip->name);
	snw_track *tracks = COPY_ARRAY(arena, clip->tracks, clip->track_count);
	for (uint32_t i = 0; i < clip->track_count; i++) {
		const size_t values = (size_t)widths[tracks[i].path] * (tracks[i].interpolation == SNW_CUBIC ? 3 : 1);
		tracks[i].seconds = COPY_ARRAY(arena, tracks[i].seconds, tracks[i].key_count);
		tracks[i].values = COPY_ARRAY(arena, tracks[i].values, values * tracks[i].key_count);
	}
	clip->tracks = tracks;
}

static void copy_pose(snw_arena *arena, const snw_scene *scene, snw_pose *pose) {
	const uint32_t joints = scene->skeleton.joint_count;
	pose->name = snw_arena_text(arena, pose->name);
	pose->local = COPY_ARRAY(arena, pose->local, joints);
	pose->rotation_vectors = COPY_ARRAY(arena, pose->rotation_vectors, (size_t)3 * joints);
	pose->channels = COPY_ARRAY(arena, pose->channels, scene->channel_count);
}

static void copy_group(snw_arena *arena, snw_group *group) {
	group->name = snw_arena_text(arena, group->name);
	group->joints = COPY_ARRAY(arena, group->joints, group->joint_count);
	group->members = COPY_ARRAY(arena, group->members, group->member_count);
}

snw_setting *snw_settings_copy(snw_arena *arena, const snw_setting *settings, uint32_t count) {
	snw_setting *copies = COPY_ARRAY(arena, settings, count);
	for (uint32_t i = 0; i < count; i++) {
		copies[i].key = snw_arena_text(arena, copies[i].key);
		copies[i].value.text = snw_arena_text(arena, copies[i].value.text);
	}
	return copies;
}

static void copy_layer(snw_arena *arena, snw_layer *layer) {
	layer->name = snw_arena_text(arena, layer->name);
	layer->deformer = snw_arena_text(arena, layer->deformer);
	layer->deformer_version = snw_arena_text(arena, layer->deformer_version);
	layer->settings = snw_settings_copy(arena, layer->settings, layer->setting_count);
	layer->samples = layer->samples ? snw_arena_text(arena, layer->samples) : NULL;
}

static void copy_model(snw_arena *arena, snw_saved_model *model) {
	model->name = snw_arena_text(arena, model->name);
	model->deformer = snw_arena_text(arena, model->deformer);
	model->deformer_version = snw_arena_text(arena, model->deformer_version);
	model->bytes = COPY_ARRAY(arena, model->bytes, model->byte_count);
	model->reads = COPY_ARRAY(arena, model->reads, SNW_READ_KINDS);
}

/* Replaces an array of the copied scene by a copy, declared as the writable variable `items`. */
#define COPY_ITEMS(type, items, count)                                                                                         \
	type *items = COPY_ARRAY(arena, copy->items, copy->count);                                                                 \
	copy->items = items

static void copy_looks(snw_arena *arena, snw_scene *copy) {
	COPY_ITEMS(snw_material, materials, material_count);
	COPY_ITEMS(snw_image, images, image_count);
	for (uint32_t i = 0; i < copy->material_count; i++) {
		materials[i].name = snw_arena_text(arena, materials[i].name);
		materials[i].kept = snw_arena_text(arena, materials[i].kept);
		materials[i].kept_images = COPY_ARRAY(arena, materials[i].kept_images, materials[i].kept_image_count);
	}
	COPY_ITEMS(snw_kept_node, kept_nodes, kept_node_count);
	for (uint32_t i = 0; i < copy->kept_node_count; i++) {
		kept_nodes[i].name = snw_arena_text(arena, kept_nodes[i].name);
		kept_nodes[i].kept = snw_arena_text(arena, kept_nodes[i].kept);
	}
	for (uint32_t i = 0; i < copy->image_count; i++) {
		images[i].name = snw_arena_text(arena, images[i].name);
		images[i].media = snw_arena_text(arena, images[i].media);
		images[i].bytes = COPY_ARRAY(arena, images[i].bytes, images[i].byte_count);
	}
}

static void copy_motion(snw_arena *arena, snw_scene *copy) {
	copy_skeleton(arena, &copy->skeleton);
	copy->slot_joints = COPY_ARRAY(arena, copy->slot_joints, copy->slot_count);
	copy->slot_inverse_binds = COPY_ARRAY(arena, copy->slot_inverse_binds, (size_t)12 * copy->slot_count);
	COPY_ITEMS(snw_channel, channels, channel_count);
	COPY_ITEMS(snw_clip, clips, clip_count);
	COPY_ITEMS(snw_pose, poses, pose_count);
	for (uint32_t i = 0; i < copy->channel_count; i++) {
		channels[i].name = snw_arena_text(arena, channels[i].name);
	}
	for (uint32_t i = 0; i < copy->clip_count; i++) {
		copy_clip(arena, &clips[i]);
	}
	for (uint32_t i = 0; i < copy->pose_count; i++) {
		copy_pose(arena, copy, &poses[i]);
	}
}

static void copy_sculpt_layers(snw_arena *arena, snw_example *example) {
	snw_sculpt_layer *layers = COPY_ARRAY(arena, example->layers, example->layer_count);
	for (uint32_t i = 0; i < example->layer_count; i++) {
		layers[i].name = snw_arena_text(arena, layers[i].name);
		layers[i].points = COPY_ARRAY(arena, layers[i].points, layers[i].count);
		layers[i].vectors = COPY_ARRAY(arena, layers[i].vectors, 3 * (size_t)layers[i].count);
	}
	example->layers = layers;
}

static void copy_shapes(snw_arena *arena, snw_scene *copy) {
	COPY_ITEMS(snw_mesh, meshes, mesh_count);
	COPY_ITEMS(snw_field, fields, field_count);
	COPY_ITEMS(snw_example, examples, example_count);
	COPY_ITEMS(snw_target, targets, target_count);
	for (uint32_t i = 0; i < copy->mesh_count; i++) {
		copy_mesh(arena, &meshes[i]);
	}
	for (uint32_t i = 0; i < copy->field_count; i++) {
		fields[i].name = snw_arena_text(arena, fields[i].name);
		fields[i].unit = snw_arena_text(arena, fields[i].unit ? fields[i].unit : "");
		fields[i].values = COPY_ARRAY(arena, fields[i].values, (size_t)fields[i].count * fields[i].components);
	}
	for (uint32_t i = 0; i < copy->example_count; i++) {
		examples[i].name = snw_arena_text(arena, examples[i].name);
		const size_t points = meshes[examples[i].mesh].point_count;
		examples[i].points_posed = COPY_ARRAY(arena, examples[i].points_posed, 3 * points);
		examples[i].edited = COPY_ARRAY(arena, examples[i].edited, examples[i].edited_count);
		copy_sculpt_layers(arena, &examples[i]);
	}
	for (uint32_t i = 0; i < copy->target_count; i++) {
		const size_t numbers = (size_t)3 * meshes[targets[i].mesh].point_count * targets[i].frame_count;
		targets[i].name = snw_arena_text(arena, targets[i].name);
		targets[i].seconds = COPY_ARRAY(arena, targets[i].seconds, targets[i].frame_count);
		targets[i].points_posed = COPY_ARRAY(arena, targets[i].points_posed, numbers);
	}
}

static void copy_level(snw_arena *arena, snw_level *level) {
	const size_t points = level->shape.point_count, entries = level->stencil_offsets[points];
	level->request = snw_arena_text(arena, level->request);
	level->samples = level->samples ? snw_arena_text(arena, level->samples) : NULL;
	level->worst_pose = snw_arena_text(arena, level->worst_pose);
	level->stencil_offsets = COPY_ARRAY(arena, level->stencil_offsets, points + 1);
	level->stencil_points = COPY_ARRAY(arena, level->stencil_points, entries);
	level->stencil_weights = COPY_ARRAY(arena, level->stencil_weights, entries);
	copy_mesh(arena, &level->shape);
}

static void copy_stack(snw_arena *arena, snw_scene *copy) {
	COPY_ITEMS(snw_group, groups, group_count);
	COPY_ITEMS(snw_layer, layers, layer_count);
	COPY_ITEMS(snw_saved_model, models, model_count);
	COPY_ITEMS(snw_level, levels, level_count);
	for (uint32_t i = 0; i < copy->group_count; i++) {
		copy_group(arena, &groups[i]);
	}
	for (uint32_t i = 0; i < copy->layer_count; i++) {
		copy_layer(arena, &layers[i]);
	}
	for (uint32_t i = 0; i < copy->model_count; i++) {
		copy_model(arena, &models[i]);
	}
	for (uint32_t i = 0; i < copy->level_count; i++) {
		copy_level(arena, &levels[i]);
	}
}

snw_scene *snw_scene_copy(const snw_scene *scene) {
	snw_scene *copy = snw_scene_create();
	snw_arena *arena = copy->arena;
	*copy = *scene;
	copy->stacks = NULL;
	copy->arena = arena;
	copy->folder = snw_arena_text(arena, scene->folder);
	copy_looks(arena, copy);
	copy_motion(arena, copy);
	copy_shapes(arena, copy);
	copy_stack(arena, copy);
	return copy;
}
