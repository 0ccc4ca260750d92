/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small scene with one of everything, for tests that store, check or show scenes.
 */
#ifndef SINEW_TESTS_SCENE_FIXTURE_H
#define SINEW_TESTS_SCENE_FIXTURE_H

#include "check.h"

#include "scene/scene.h"

#define FIXTURE_COPY(arena, ...) snw_arena_copy((arena), (__VA_ARGS__), sizeof(__VA_ARGS__))

static inline void fixture_skeleton(snw_scene *scene) {
	snw_arena *arena = scene->arena;
	snw_skeleton *skeleton = &scene->skeleton;
	static const char *names[] = {"hand", "root", "arm", "other root"};
	skeleton->joint_count = 4;
	skeleton->names = FIXTURE_COPY(arena, names);
	skeleton->parents = FIXTURE_COPY(arena, (uint32_t[]){2, SNW_NONE, 1, SNW_NONE});
	skeleton->rest_local = SNW_NEW_ARRAY(arena, snw_transform, 4);
	for (int j = 0; j < 4; j++) {
		skeleton->rest_local[j] =
			(snw_transform){.translation = {0.1 * j, 1.0 / 3, -2}, .rotation = {0, 0.6, 0, 0.8}, .scale = {1, 1.5, 1}};
	}
	snw_error error;
	check_ok(snw_skeleton_finish(skeleton, arena, &error), error);
	scene->slot_count = 3;
	scene->slot_joints = FIXTURE_COPY(arena, (uint32_t[]){1, 0, 1});
	double *binds = SNW_NEW_ARRAY(arena, double, 36);
	for (int i = 0; i < 36; i++) {
		binds[i] = i * 0.7 - 3;
	}
	scene->slot_inverse_binds = binds;
	scene->channel_count = 2;
	scene->channels =
		FIXTURE_COPY(arena, (snw_channel[]){{.name = "smile", .initial = 0.25, .in_between_percent = 40}, {.name = "frown"}});
}

static inline void fixture_looks(snw_scene *scene) {
	snw_arena *arena = scene->arena;
	scene->image_count = 2;
	scene->images = FIXTURE_COPY(
		arena,
		(snw_image[]){{.name = "skin", .media = "image/png", .bytes = (const unsigned char *)"\x89PNG\0x", .byte_count = 6},
					  {.name = "empty", .media = "image/jpeg"}});
	scene->material_count = 2;
	scene->materials = FIXTURE_COPY(arena, (snw_material[]){{.name = "skin",
															 .base_color = {0.1, 0.2, 0.3, 0.4},
															 .metallic = 0.5,
															 .roughness = 0.6,
															 .emissive = {0.7, 0.8, 0.9},
															 .base_color_image = 0,
															 .metallic_roughness_image = 1,
															 .normal_image = SNW_NONE,
															 .emissive_image = 1,
															 .double_sided = true,
															 .alpha = 1,
															 .alpha_cutoff = 0.4},
															{.name = "skin",
															 .base_color_image = SNW_NONE,
															 .metallic_roughness_image = SNW_NONE,
															 .normal_image = 0,
															 .kept = "{\"occlusionTexture\":{\"index\":0}}",
															 .kept_image_count = 1,
															 .kept_images = FIXTURE_COPY(arena, (uint32_t[]){1}),
															 .has_further_uvs = true,
															 .emissive_image = SNW_NONE,
															 .alpha = 2}});
	scene->kept_node_count = 2;
	scene->kept_nodes = FIXTURE_COPY(
		arena, (snw_kept_node[]){{.name = "sun", .joint = SNW_NONE, .place = {1, 0, 0, 0.1}, .kept = "{\"light\":{}}"},
								 {.name = "sun", .joint = 2, .place = {0, 1, 0, 1e-9}, .kept = "{\"camera\":{}}"}});
}

/* A triangle, a quad and a pentagon over eight points, with everything; and a lone triangle with nothing. */
static inline void fixture_meshes(snw_scene *scene) {
	snw_arena *arena = scene->arena;
	double *points = SNW_NEW_ARRAY(arena, double, 24);
	float *uvs = SNW_NEW_ARRAY(arena, float, 24), *normals = SNW_NEW_ARRAY(arena, float, 36),
		  *tangents = SNW_NEW_ARRAY(arena, float, 48), *colors = SNW_NEW_ARRAY(arena, float, 48);
	for (int i = 0; i < 48; i++) {
		if (i < 24) {
			points[i] = sin(i * 1.7);
			uvs[i] = (float)i / 24;
		}
		if (i < 36) {
			normals[i] = i % 3 == i / 3 % 3;
		}
		tangents[i] = i % 4 == 3 ? (float)(i % 8 == 3 ? -1 : 1) : (float)(i % 4 == i / 4 % 3);
		colors[i] = (float)(i % 5) / 5;
	}
	snw_morph *morphs =
		FIXTURE_COPY(arena, (snw_morph[]){{.name = "smile", .channel = 0, .count = 2}, {.name = "nothing", .channel = 1}});
	morphs[0].points = FIXTURE_COPY(arena, (uint32_t[]){2, 7});
	morphs[0].vectors = FIXTURE_COPY(arena, (double[]){0.1, 0.2, 0.3, -1, -2, -3});
	const snw_attribute attributes[] = {{.name = "lightmap", .is_uv = true, .width = 2, .corner_count = 12, .values = uvs},
										{.name = "_MASK", .width = 1, .corner_count = 12, .values = colors}};
	snw_mesh *meshes = SNW_NEW_ARRAY(arena, snw_mesh, 2);
	meshes[0] = (snw_mesh){.name = "body",
						   .point_count = 8,
						   .points_rest = points,
						   .face_count = 3,
						   .corner_uvs = uvs,
						   .corner_normals = normals,
						   .corner_tangents = tangents,
						   .corner_colors = colors,
						   .morph_count = 2,
						   .morphs = morphs,
						   .attribute_count = 2,
						   .attributes = FIXTURE_COPY(arena, attributes)};
	meshes[0].face_offsets = FIXTURE_COPY(arena, (uint32_t[]){0, 3, 7, 12});
	meshes[0].face_points = FIXTURE_COPY(arena, (uint32_t[]){0, 1, 2, 2, 1, 3, 4, 4, 3, 5, 6, 7});
	meshes[0].face_materials = FIXTURE_COPY(arena, (uint32_t[]){1, SNW_NONE, 0});
	meshes[0].influence_offsets = FIXTURE_COPY(arena, (uint32_t[]){0, 1, 3, 4, 5, 6, 7, 8, 11});
	meshes[0].influence_slots = FIXTURE_COPY(arena, (uint32_t[]){0, 0, 1, 2, 2, 1, 0, 0, 0, 1, 2});
	meshes[0].influence_weights = FIXTURE_COPY(arena, (double[]){1, 0.25, 0.75, 1, 1, 1, 1, 1, 0.5, 0.625, -0.125});
	meshes[1] = (snw_mesh){.name = "leaf", .point_count = 3, .points_rest = points + 3, .face_count = 1};
	meshes[1].face_offsets = FIXTURE_COPY(arena, (uint32_t[]){0, 3});
	meshes[1].face_points = FIXTURE_COPY(arena, (uint32_t[]){2, 1, 0});
	scene->mesh_count = 2;
	scene->meshes = meshes;
}

static inline void fixture_fields(snw_scene *scene) {
	snw_arena *arena = scene->arena;
	double *mask = SNW_NEW_ARRAY(arena, double, 12);
	for (int i = 0; i < 12; i++) {
		mask[i] = i / 12.0;
	}
	scene->field_count = 4;
	scene->fields = FIXTURE_COPY(
		arena,
		(snw_field[]){
			{.name = "mask", .domain = SNW_DOMAIN_POINTS, .mesh = 0, .components = 1, .count = 8, .values = mask},
			{.name = "mask",
			 .domain = SNW_DOMAIN_FACES,
			 .mesh = 1,
			 .components = 3,
			 .count = 1,
			 .values = mask + 2,
			 .unit = SNW_UNIT_COLOR},
			{.name = "stiff", .domain = SNW_DOMAIN_JOINTS, .mesh = SNW_NONE, .components = 2, .count = 4, .values = mask},
			{.name = "residual",
			 .domain = SNW_DOMAIN_EXAMPLES,
			 .mesh = SNW_NONE,
			 .components = 1,
			 .count = 2,
			 .values = mask}});
}

static inline void fixture_motion(snw_scene *scene) {
	snw_arena *arena = scene->arena;
	snw_track *tracks = SNW_NEW_ARRAY(arena, snw_track, 4);
	const double *seconds = FIXTURE_COPY(arena, (double[]){0, 0.5, 1.25});
	tracks[0] =
		(snw_track){.target = 2, .path = SNW_PATH_ROTATION, .interpolation = SNW_CUBIC, .key_count = 2, .seconds = seconds};
	tracks[0].values =
		FIXTURE_COPY(arena, (double[]){9, 9, 9, 9, 0, 0, 0, 1, 8, 8, 8, 8, 7, 7, 7, 7, 0, 0.6, 0, 0.8, 6, 6, 6, 6});
	tracks[1] =
		(snw_track){.target = 0, .path = SNW_PATH_TRANSLATION, .interpolation = SNW_LINEAR, .key_count = 3, .seconds = seconds};
	tracks[1].values = FIXTURE_COPY(arena, (double[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
	tracks[2] =
		(snw_track){.target = 3, .path = SNW_PATH_SCALE, .interpolation = SNW_STEP, .key_count = 1, .seconds = seconds + 1};
	tracks[2].values = FIXTURE_COPY(arena, (double[]){1, 1, 2});
	tracks[3] =
		(snw_track){.target = 1, .path = SNW_PATH_CHANNEL, .interpolation = SNW_LINEAR, .key_count = 2, .seconds = seconds};
	tracks[3].values = FIXTURE_COPY(arena, (double[]){0, 1});
	scene->clip_count = 2;
	scene->clips = FIXTURE_COPY(
		arena, (snw_clip[]){{.id = 7, .name = "walk", .duration_seconds = 1.25, .track_count = 4, .tracks = tracks},
							{.id = 8, .name = "still"}});
	snw_pose *poses = SNW_NEW_ARRAY(arena, snw_pose, 3);
	for (int i = 0; i < 3; i++) {
		poses[i].name = (const char *[]){"rest", "bent", "Ellbögen"}[i];
		poses[i].local = snw_arena_copy(arena, scene->skeleton.rest_local, 4 * sizeof(snw_transform));
		poses[i].local[2].translation[0] += i;
		poses[i].rotation_vectors = SNW_NEW_ARRAY(arena, double, 12);
		poses[i].rotation_vectors[5] = 4.5 * i;
		poses[i].channels = FIXTURE_COPY(arena, (double[]){0.25, 0.5 * i});
	}
	poses[1].clip = 7;
	poses[1].seconds = 0.75;
	scene->pose_count = 3;
	scene->poses = poses;
}

static inline void fixture_shapes(snw_scene *scene) {
	snw_arena *arena = scene->arena;
	double *points = SNW_NEW_ARRAY(arena, double, 24);
	float *frames = SNW_NEW_ARRAY(arena, float, 48);
	for (int i = 0; i < 48; i++) {
		points[i / 2] = cos(i);
		frames[i] = (float)sin(i);
	}
	scene->example_count = 2;
	scene->examples =
		FIXTURE_COPY(arena, (snw_example[]){{.name = "bend", .pose = 1, .mesh = 0, .points_posed = points},
											{.name = "leaf bend", .pose = 2, .mesh = 1, .points_posed = points + 5}});
	snw_group *groups = FIXTURE_COPY(
		arena, (snw_group[]){{.name = "left", .joint_count = 2, .member_count = 2}, {.name = "right", .member_count = 1}});
	groups[0].joints = FIXTURE_COPY(arena, (uint32_t[]){3, 0});
	groups[0].members = FIXTURE_COPY(arena, (snw_member[]){{1, SNW_NONE}, {0, 0}});
	groups[1].members = FIXTURE_COPY(arena, (snw_member[]){{0, SNW_NONE}});
	scene->group_count = 2;
	scene->groups = groups;
	const double *seconds = FIXTURE_COPY(arena, (double[]){0, 0.5});
	scene->target_count = 2;
	scene->targets = FIXTURE_COPY(
		arena,
		(snw_target[]){{.name = "walked", .mesh = 0, .clip = 0, .frame_count = 2, .seconds = seconds, .points_posed = frames},
					   {.name = "sequence",
						.mesh = 1,
						.clip = SNW_NONE,
						.frame_count = 1,
						.seconds = seconds,
						.points_posed = frames + 7}});
}

static inline void fixture_stack(snw_scene *scene) {
	snw_arena *arena = scene->arena;
	scene->model_count = 2;
	scene->models =
		FIXTURE_COPY(arena, (snw_saved_model[]){{.name = "psd",
												 .deformer = "org.nobody.unknown",
												 .deformer_version = "9.1",
												 .bytes = (const unsigned char *)"\0\1\2\xff",
												 .byte_count = 4,
												 .reads = FIXTURE_COPY(arena, (uint64_t[SNW_READ_KINDS]){1, 0, 3, UINT64_MAX})},
												{.name = "none", .deformer = "org.sinew.none", .deformer_version = ""}});
	scene->layer_count = 3;
	scene->layers = FIXTURE_COPY(
		arena, (snw_layer[]){{.name = "base", .deformer = "org.sinew.linear-blend", .deformer_version = "1", .model = SNW_NONE},
							 {.name = "smooth",
							  .deformer = "org.sinew.smooth",
							  .deformer_version = "1",
							  .muted = true,
							  .model = SNW_NONE,
							  .setting_count = 4,
							  .settings = FIXTURE_COPY(arena, (snw_setting[]){{"passes", SNW_VALUE(4)},
																			  {"amount", SNW_VALUE(0.3)},
																			  {"axis", SNW_VECTOR(0, 1, -0.25)},
																			  {"joint@bent", SNW_TEXT("ellbogen_ü")}})},
							 {.name = "psd", .deformer = "org.nobody.unknown", .deformer_version = "9.1", .model = 0}});
}

static inline snw_scene *fixture_scene(void) {
	snw_scene *scene = snw_scene_create();
	fixture_skeleton(scene);
	fixture_looks(scene);
	fixture_meshes(scene);
	fixture_fields(scene);
	fixture_motion(scene);
	fixture_shapes(scene);
	fixture_stack(scene);
	return scene;
}

#endif
