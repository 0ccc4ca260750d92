/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scene's checks: a valid scene, and every way to break it.
 */
#include "pose/clip.h"
#include "scene/fixture.h"

#include "fit/samples.h"
#include "scene/check.h"
#include "scene/scene.h"

static snw_error error;

static void good_scene_passes(void **state) {
	(void)state;
	snw_scene *scene = fixture_scene(), *empty = snw_scene_create();
	check_ok(snw_scene_check(scene, &error), error);
	check_ok(snw_scene_check(empty, &error), error);
	snw_scene_destroy(scene);
	snw_scene_destroy(empty);
	snw_scene_destroy(NULL);
}

/* ---- every way to break it ----------------------------------------------------------------------------------------------- */

/* The fixture lies in memory that can be written, whatever the scene's types say. */
#define WRITABLE(type, pointer) ((type *)(uintptr_t)(pointer))
#define MESH(s) WRITABLE(snw_mesh, (s)->meshes)
#define TRACK(s, i) (&WRITABLE(snw_track, (s)->clips[0].tracks)[i])
#define GROUP(s) WRITABLE(snw_group, (s)->groups)

/* Each breaks a new scene in one place; `words` must be in the error message. */
#define BREAKS(ROW)                                                                                                            \
	ROW(point_infinite, WRITABLE(double, s->meshes[0].points_rest)[5] = INFINITY, "mesh 'body': number 5 of its rest points")  \
	ROW(point_nan, WRITABLE(double, s->meshes[0].points_rest)[5] = NAN, "mesh 'body': number 5 of its rest points")            \
	ROW(point_huge, WRITABLE(double, s->meshes[0].points_rest)[5] = 1e200, "1e+200")                                           \
	ROW(points_none, MESH(s)[1].point_count = 0, "mesh 'leaf': it has no points")                                              \
	ROW(points_too_many, MESH(s)[1].point_count = UINT32_MAX, "4294967295 points")                                             \
	ROW(faces_too_many, MESH(s)[1].face_count = UINT32_MAX, "4294967295 faces")                                                \
	ROW(face_of_two, WRITABLE(uint32_t, s->meshes[0].face_offsets)[1] = 2, "face 0 has 2 corners")                             \
	ROW(face_falling, WRITABLE(uint32_t, s->meshes[0].face_offsets)[2] = 1, "face 1 has 0 corners")                            \
	ROW(face_start, WRITABLE(uint32_t, s->meshes[0].face_offsets)[0] = 1, "face offsets do not start at 0")                    \
	ROW(corner_out_of_range, WRITABLE(uint32_t, s->meshes[0].face_points)[4] = 8, "corner 4 refers to point 8 of 8")           \
	ROW(face_points_none, MESH(s)[0].face_points = NULL, "have no points")                                                     \
	ROW(material_out_of_range, WRITABLE(uint32_t, s->meshes[0].face_materials)[0] = 2, "material 2 of 2")                      \
	ROW(uv_nan, WRITABLE(float, s->meshes[0].corner_uvs)[3] = NAN, "number 3 of its UVs")                                      \
	ROW(color_nan, WRITABLE(float, s->meshes[0].corner_colors)[3] = NAN, "number 3 of its corner colours")                     \
	ROW(attribute_short, WRITABLE(snw_attribute, s->meshes[0].attributes)[1].corner_count = 11,                                \
		"each of 11 corners; it has 12")                                                                                       \
	ROW(attribute_wide, WRITABLE(snw_attribute, s->meshes[0].attributes)[1].width = 5, "attribute 1 has 5 numbers")            \
	ROW(attribute_nan, WRITABLE(float, s->meshes[0].attributes[1].values)[3] = NAN, "number 3 of its")                         \
	ROW(in_between_whole, WRITABLE(snw_channel, s->channels)[0].in_between_percent = 100,                                      \
		"channel 'smile': is an in-between at 100")                                                                            \
	ROW(normal_zero, memset(WRITABLE(float, s->meshes[0].corner_normals) + 3, 0, 12), "normal of corner 1 has the length 0")   \
	ROW(tangent_long, WRITABLE(float, s->meshes[0].corner_tangents)[4] = 3, "tangent of corner 1")                             \
	ROW(tangent_sign, WRITABLE(float, s->meshes[0].corner_tangents)[3] = 2, "tangent of corner 0")                             \
	ROW(normal_nan, WRITABLE(float, s->meshes[0].corner_normals)[0] = NAN, "normal of corner 0")                               \
	ROW(weights_off, WRITABLE(double, s->meshes[0].influence_weights)[1] = 0.2502, "weights of point 1 sum to 1.0002")         \
	ROW(weight_nan, WRITABLE(double, s->meshes[0].influence_weights)[1] = NAN, "a weight of point 1 is")                       \
	ROW(slot_out_of_range, WRITABLE(uint32_t, s->meshes[0].influence_slots)[1] = 3, "point 1 refers to slot 3 of 3")           \
	ROW(point_without_influence, WRITABLE(uint32_t, s->meshes[0].influence_offsets)[2] = 1, "point 1 has no influence")        \
	ROW(influences_falling, WRITABLE(uint32_t, s->meshes[0].influence_offsets)[8] = 2, "point 7 has no influence")             \
	ROW(weights_none, MESH(s)[0].influence_weights = NULL, "no slots or no weights")                                           \
	ROW(morph_channel, WRITABLE(snw_morph, s->meshes[0].morphs)[0].channel = 2, "'smile' refers to channel 2 of 2")            \
	ROW(morph_point, WRITABLE(uint32_t, s->meshes[0].morphs[0].points)[1] = 8, "point 8 of 8")                                 \
	ROW(morph_order, WRITABLE(uint32_t, s->meshes[0].morphs[0].points)[0] = 7, "must ascend")                                  \
	ROW(morph_nan, WRITABLE(double, s->meshes[0].morphs[0].vectors)[4] = NAN, "morph target 'smile'")                          \
	ROW(mesh_name_none, MESH(s)[0].name = NULL, "a mesh has no name")                                                          \
	ROW(mesh_name_newline, MESH(s)[0].name = "a/b\nc", "the name of a mesh, 'a/b…', has a control character (byte 0x0a)")      \
	ROW(mesh_name_second_escape,                                                                                               \
		MESH(s)[0].name = "a\xc2\x9b"                                                                                          \
						  "2J",                                                                                                \
		"has a control character (byte 0xc2) at position 1")                                                                   \
	ROW(mesh_name_latin, MESH(s)[0].name = "a\xe4", "is not UTF-8 at position 1")                                              \
	ROW(mesh_name_escape, MESH(s)[0].name = "\x1b[2J", "has a control character (byte 0x1b) at position 0")                    \
	ROW(mesh_name_empty, MESH(s)[0].name = "", "a mesh has no name")                                                           \
	ROW(mesh_name_twice, MESH(s)[0].name = "leaf", "two meshes have the name 'leaf'")                                          \
	ROW(meshes_none, s->meshes = NULL, "2 meshes")                                                                             \
	ROW(joint_name_twice, s->skeleton.names[3] = "arm", "two joints have the name 'arm'")                                      \
	ROW(joint_cycle, s->skeleton.parents[1] = 0, "joint 'root': its parent")                                                   \
	ROW(joint_parent, s->skeleton.parents[3] = 4, "joint 'other root': its parent, number 4 of 4")                             \
	ROW(joint_order_twice, s->skeleton.order[3] = 1, "twice or out of range")                                                  \
	ROW(joint_order_range, s->skeleton.order[0] = 9, "twice or out of range")                                                  \
	ROW(joint_rotation, s->skeleton.rest_local[2].rotation[0] = 1, "joint 'arm': the rotation")                                \
	ROW(joint_scale, s->skeleton.rest_local[2].scale[0] = NAN, "joint 'arm': the translation or scale")                        \
	ROW(joint_matrix, s->skeleton.rest_global[3] = NAN, "joint 'hand'")                                                        \
	ROW(slot_joint, WRITABLE(uint32_t, s->slot_joints)[0] = 4, "slot 0 refers to joint 4 of 4")                                \
	ROW(slot_bind, WRITABLE(double, s->slot_inverse_binds)[3] = NAN, "inverse bind matrices")                                  \
	ROW(channel_value, WRITABLE(snw_channel, s->channels)[0].initial = NAN, "channel 'smile'")                                 \
	ROW(clip_lasts, WRITABLE(snw_clip, s->clips)[0].duration_seconds = -1, "clip 'walk': it lasts -1 s")                       \
	ROW(clip_name_twice, WRITABLE(snw_clip, s->clips)[0].name = "still", "two clips have the name 'still'")                    \
	ROW(track_path, TRACK(s, 0)->path = 4, "path 4")                                                                           \
	ROW(track_interpolation, TRACK(s, 0)->interpolation = -1, "interpolation -1")                                              \
	ROW(track_joint, TRACK(s, 0)->target = 4, "track 0 moves joint 4 of 4")                                                    \
	ROW(track_channel, TRACK(s, 3)->target = 2, "track 3 moves channel 2 of 2")                                                \
	ROW(track_empty, TRACK(s, 1)->key_count = 0, "track 1 has 0 keys")                                                         \
	ROW(key_times_equal, WRITABLE(double, s->clips[0].tracks[0].seconds)[1] = 0, "times do not increase: number 1")            \
	ROW(key_time_nan, WRITABLE(double, s->clips[0].tracks[0].seconds)[1] = NAN, "times do not increase: number 1")             \
	ROW(key_value_nan, WRITABLE(double, s->clips[0].tracks[1].values)[8] = NAN, "number 8 of its key values")                  \
	ROW(key_not_unit, WRITABLE(double, s->clips[0].tracks[0].values)[7] = 2, "key 0 of track 0 is not a unit quaternion")      \
	ROW(pose_first, s->poses++; s->pose_count--, "the first pose is not 'rest'")                                               \
	ROW(pose_rotation, s->poses[1].local[2].rotation[3] = 0, "pose 'bent': the rotation of joint 2")                           \
	ROW(pose_rotation_vector, s->poses[1].rotation_vectors[2] = NAN, "pose 'bent': number 2 of its rotation vectors")          \
	ROW(pose_channel, s->poses[1].channels[1] = INFINITY, "pose 'bent': number 1 of its channels")                             \
	ROW(pose_clip, WRITABLE(snw_pose, s->poses)[1].clip = 99, "pose 'bent': its clip does not exist")                          \
	ROW(pose_name_twice, WRITABLE(snw_pose, s->poses)[1].name = "rest", "two poses have the name 'rest'")                      \
	ROW(field_domain, WRITABLE(snw_field, s->fields)[0].domain = 5, "field 'mask'")                                            \
	ROW(field_mesh, WRITABLE(snw_field, s->fields)[0].mesh = 2, "field 'mask': it refers to mesh 2 of 2")                      \
	ROW(field_count, WRITABLE(snw_field, s->fields)[0].count = 7, "7 elements for 8")                                          \
	ROW(field_components, WRITABLE(snw_field, s->fields)[2].components = 0, "of 0 components")                                 \
	ROW(field_nan, WRITABLE(double, s->fields[0].values)[1] = NAN, "field 'mask': number 1")                                   \
	ROW(field_colour_of_one, WRITABLE(snw_field, s->fields)[0].unit = SNW_UNIT_COLOR,                                          \
		"field 'mask': a colour has 3 components, it has 1")                                                                   \
	ROW(field_colour_too_bright, WRITABLE(double, s->fields[1].values)[1] = 1.5, "element 0 has the colour component 1.5")     \
	ROW(field_colour_below_zero, WRITABLE(double, s->fields[1].values)[2] = -1e-3, "the colour component -0.001")              \
	ROW(field_colour_nan, WRITABLE(double, s->fields[1].values)[0] = NAN, "field 'mask': number 2")                            \
	ROW(field_name_twice, WRITABLE(snw_field, s->fields)[3].name = "stiff", "two fields of one mesh have the name 'stiff'")    \
	ROW(example_pose, WRITABLE(snw_example, s->examples)[0].pose = 3, "example 'bend': it refers to pose 3 of 3")              \
	ROW(example_mesh, WRITABLE(snw_example, s->examples)[0].mesh = 2, "mesh 2 of 2")                                           \
	ROW(example_nan, WRITABLE(double, s->examples[0].points_posed)[1] = NAN, "example 'bend': number 1")                       \
	ROW(group_joint, WRITABLE(uint32_t, s->groups[0].joints)[0] = 4,                                                           \
		"group 'left': joint 4 is out of range; the skeleton has 4 joints")                                                    \
	ROW(group_joints_huge, GROUP(s)[0].joint_count = UINT32_MAX, "4294967295 joints of 4")                                     \
	ROW(group_members_huge, GROUP(s)[0].member_count = UINT32_MAX, "4294967295 examples of 2")                                 \
	ROW(member_example, WRITABLE(snw_member, s->groups[0].members)[0].example = 2,                                             \
		"group 'left': it refers to example 2 of 2")                                                                           \
	ROW(member_twice, WRITABLE(snw_member, s->groups[0].members)[0].example = 0, "example 'bend' appears twice")               \
	ROW(member_mask, WRITABLE(snw_member, s->groups[0].members)[1].mask = 4, "is field 4 of 4")                                \
	ROW(member_mask_misfit, WRITABLE(snw_member, s->groups[0].members)[1].mask = 1, "cannot mask example 'bend'")              \
	ROW(target_mesh, WRITABLE(snw_target, s->targets)[0].mesh = 2, "target 'walked': it refers to mesh 2 of 2")                \
	ROW(target_clip, WRITABLE(snw_target, s->targets)[0].clip = 2, "clip 2 of 2")                                              \
	ROW(target_frames, WRITABLE(snw_target, s->targets)[0].frame_count = 0, "target 'walked': it has 0 frames")                \
	ROW(target_times, WRITABLE(double, s->targets[0].seconds)[1] = 0, "target 'walked': its times do not increase")            \
	ROW(target_nan, WRITABLE(float, s->targets[0].points_posed)[1] = NAN, "target 'walked': number 1")                         \
	ROW(model_bytes, WRITABLE(snw_saved_model, s->models)[0].bytes = NULL, "model 'psd'")                                      \
	ROW(model_name_twice, WRITABLE(snw_saved_model, s->models)[0].name = "none", "two models have the name 'none'")            \
	ROW(layer_model, WRITABLE(snw_layer, s->layers)[2].model = 2, "layer 'psd': it refers to model 2 of 2")                    \
	ROW(layer_deformer, WRITABLE(snw_layer, s->layers)[2].deformer = NULL, "deformer has no name")                             \
	ROW(layer_name_twice, WRITABLE(snw_layer, s->layers)[2].name = "base", "two layers have the name 'base'")                  \
	ROW(setting_nan, WRITABLE(snw_setting, s->layers[1].settings)[2].value.numbers[1] = NAN,                                   \
		"setting 'axis': number 1 of its value is nan")                                                                        \
	ROW(setting_text, WRITABLE(snw_setting, s->layers[1].settings)[3].value.text = "one\ntwo",                                 \
		"control character (byte 0x0a)")                                                                                       \
	ROW(setting_latin, WRITABLE(snw_setting, s->layers[1].settings)[3].value.text = "\xfc",                                    \
		"not UTF-8 (byte 0xfc) at position 0")                                                                                 \
	ROW(material_image, WRITABLE(snw_material, s->materials)[0].normal_image = 2,                                              \
		"material 'skin': it refers to image 2 of 2")                                                                          \
	ROW(material_kept, WRITABLE(uint32_t, s->materials[1].kept_images)[0] = 2,                                                 \
		"material 'skin': picture 0 of those that it keeps is not there")                                                      \
	ROW(kept_node_joint, WRITABLE(snw_kept_node, s->kept_nodes)[1].joint = 4, "camera or light 'sun': it is on joint 4 of 4")  \
	ROW(kept_node_nan, WRITABLE(snw_kept_node, s->kept_nodes)[0].place[3] = NAN, "number 3 of its place")                      \
	ROW(material_alpha, WRITABLE(snw_material, s->materials)[0].alpha = 3, "its alpha mode is 3")                              \
	ROW(material_nan, WRITABLE(snw_material, s->materials)[0].base_color[2] = NAN, "material 'skin': number 2")                \
	ROW(image_bytes, WRITABLE(snw_image, s->images)[0].bytes = NULL, "image 'skin'")

#define BREAK_FUNCTION(name, statement, words)                                                                                 \
	static void break_##name(snw_scene *s) {                                                                                   \
		statement;                                                                                                             \
	}
BREAKS(BREAK_FUNCTION)

static void broken_scene_is_refused_with_the_place(void **state) {
	(void)state;
	static const struct {
		const char *name;
		void (*break_it)(snw_scene *scene);
		const char *words;
	} breaks[] = {
#define BREAK_ROW(name, statement, words) {#name, break_##name, words},
		BREAKS(BREAK_ROW)
#undef BREAK_ROW
	};
	for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
		snw_scene *scene = fixture_scene();
		breaks[i].break_it(scene);
		error.text[0] = 0;
		const snw_status status = snw_scene_check(scene, &error);
		if (status != SNW_ERROR_DATA || !strstr(error.text, breaks[i].words)) {
			fail_msg("%s: status %d, '%s' does not say '%s'", breaks[i].name, status, error.text, breaks[i].words);
		}
		snw_scene_destroy(scene);
	}
}

/* ---- skeleton, look-up, views -------------------------------------------------------------------------------------------- */

static void skeleton_order_puts_parents_first(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const char *names[] = {"a", "b", "c", "d", "e"};
	snw_transform rest[5];
	for (int j = 0; j < 5; j++) {
		rest[j] = (snw_transform){.translation = {0, 1, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 2, 1}};
	}
	snw_skeleton skeleton = {
		.joint_count = 5, .names = names, .parents = (uint32_t[]){4, 0, SNW_NONE, 2, 3}, .rest_local = rest};
	check_ok(snw_skeleton_finish(&skeleton, arena, &error), error);
	const uint32_t wanted[] = {2, 3, 4, 0, 1};
	assert_memory_equal(skeleton.order, wanted, sizeof wanted);
	check_near(skeleton.rest_global[12 * 1 + 7], 1 + 2 + 4 + 8 + 16, 0); /* the fifth in the chain, scaled by each above */
	assert_true(snw_skeleton_is_below(&skeleton, 1, 3));
	assert_true(snw_skeleton_is_below(&skeleton, 3, 3));
	assert_false(snw_skeleton_is_below(&skeleton, 3, 1));
	skeleton.parents = (uint32_t[]){SNW_NONE, 0, 1, 2, 3};
	check_ok(snw_skeleton_finish(&skeleton, arena, &error), error);
	const uint32_t sorted[] = {0, 1, 2, 3, 4};
	assert_memory_equal(skeleton.order, sorted, sizeof sorted);
	snw_arena_destroy(arena);
}

static void skeleton_with_a_cycle_is_refused(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const char *names[] = {"a", "b", "c"};
	snw_transform rest[3] = {0};
	snw_skeleton skeleton = {.joint_count = 3, .names = names, .parents = (uint32_t[]){SNW_NONE, 2, 1}, .rest_local = rest};
	assert_int_equal(snw_skeleton_finish(&skeleton, arena, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "joint 'b'"));
	skeleton.parents = (uint32_t[]){0, 0, 0};
	assert_int_equal(snw_skeleton_finish(&skeleton, arena, &error), SNW_ERROR_DATA);
	skeleton.parents = (uint32_t[]){SNW_NONE, 0, 3};
	assert_int_equal(snw_skeleton_finish(&skeleton, arena, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "joint 'c'"));
	snw_arena_destroy(arena);
}

static void name_is_found_or_none(void **state) {
	(void)state;
	snw_scene *scene = fixture_scene();
	assert_int_equal(snw_scene_find_mesh(scene, "leaf"), 1);
	assert_int_equal(snw_scene_find_joint(scene, "other root"), 3);
	assert_int_equal(snw_scene_find_clip(scene, "still"), 1);
	assert_int_equal(snw_scene_find_pose(scene, "bent"), 1);
	assert_int_equal(snw_scene_find_example(scene, "leaf bend"), 1);
	assert_int_equal(snw_scene_find_group(scene, "right"), 1);
	assert_int_equal(snw_scene_find_target(scene, "sequence"), 1);
	assert_int_equal(snw_scene_find_layer(scene, "psd"), 2);
	assert_int_equal(snw_scene_find_field(scene, 0, "mask"), 0);
	assert_int_equal(snw_scene_find_field(scene, 1, "mask"), 1);
	assert_int_equal(snw_scene_find_field(scene, SNW_NONE, "mask"), SNW_NONE);
	assert_int_equal(snw_scene_find_mesh(scene, "none"), SNW_NONE);
	assert_int_equal(snw_scene_find_joint(scene, ""), SNW_NONE);
	snw_scene_destroy(scene);
}

static void diagonal_is_that_of_the_rest_box(void **state) {
	(void)state;
	snw_scene *scene = snw_scene_create();
	snw_mesh meshes[] = {{.name = "a", .point_count = 2, .points_rest = (double[]){0, 0, 0, 1, 2, 2}},
						 {.name = "b", .point_count = 1, .points_rest = (double[]){-1, 0, 6}}};
	scene->meshes = meshes;
	scene->mesh_count = 2;
	check_near(snw_scene_diagonal(scene, 0), 3, 1e-15);
	check_near(snw_scene_diagonal(scene, 1), 0, 0);
	check_near(snw_scene_diagonal(scene, SNW_NONE), sqrt(4 + 4 + 36), 1e-15);
	scene->mesh_count = 0;
	check_near(snw_scene_diagonal(scene, SNW_NONE), 0, 0);
	snw_scene_destroy(scene);
}

static void view_shows_the_scene_and_each_mesh_its_fields(void **state) {
	(void)state;
	snw_scene *scene = fixture_scene();
	const snw_character_view *view = snw_character_view_make(scene, scene->arena);
	assert_int_equal(view->mesh_count, 2);
	assert_ptr_equal(view->meshes[0]->points_rest, scene->meshes[0].points_rest);
	assert_ptr_equal(view->meshes[0]->influence_weights, scene->meshes[0].influence_weights);
	assert_int_equal(view->meshes[0]->field_count, 1);
	assert_int_equal(view->meshes[1]->field_count, 1);
	assert_ptr_equal(view->meshes[1]->fields[0]->values, scene->fields[1].values);
	assert_int_equal(view->skeleton->joint_count, 4);
	assert_int_equal(view->slot_count, 3);
	assert_string_equal(view->channel_names[1], "frown");
	snw_scene_destroy(scene);
}

static void field_over_frames_counts_sequences_before_targets(void **state) {
	(void)state;
	snw_scene *scene = fixture_scene();
	uint32_t total = 0, first[8];
	snw_field field = {.name = "errors", .domain = SNW_DOMAIN_FRAMES, .mesh = SNW_NONE, .components = 1};
	for (int of_clips = 0; of_clips < 2; of_clips++) {
		for (uint32_t t = 0; t < scene->target_count; t++) {
			if ((scene->targets[t].clip != SNW_NONE) == of_clips) {
				first[t] = total;
				total += scene->targets[t].frame_count;
			}
		}
	}
	assert_true(scene->target_count >= 2);
	field.count = total;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		assert_int_equal(snw_samples_first_frame(scene, &field, t), first[t]);
	}
	/* A layer that was fitted on some of them has their frames alone. */
	snw_layer layer = {.name = "skin", .deformer = "x", .deformer_version = "1", .model = SNW_NONE};
	const uint32_t clip = snw_target_clip(scene, &scene->targets[1]);
	layer.samples = clip == SNW_NONE ? scene->targets[1].name : scene->clips[clip].name;
	scene->layers = &layer;
	scene->layer_count = 1;
	snw_field chosen = {.name = "skin.errors", .domain = SNW_DOMAIN_FRAMES, .mesh = SNW_NONE, .components = 1};
	chosen.count = scene->targets[1].frame_count;
	assert_int_equal(snw_samples_first_frame(scene, &chosen, 1), 0);
	assert_int_equal(snw_samples_first_frame(scene, &chosen, 0), SNW_NONE);
	field.count++; /* of a time when there were others */
	assert_int_equal(snw_samples_first_frame(scene, &field, 0), SNW_NONE);
	snw_scene_destroy(scene);
}

static void field_of_several_numbers_is_shown_by_their_length(void **state) {
	(void)state;
	static const double values[6] = {3, 0, 4, 0, -2, 0};
	const snw_field field = {.name = "speed", .components = 3, .count = 2, .values = values, .unit = "m/s"};
	char words[40];
	assert_true(snw_field_number(&field, 0) == 5 && snw_field_number(&field, 1) == 2);
	snw_field_title(&field, words, sizeof words);
	assert_string_equal(words, "speed (length, m/s)");
	const snw_field flat = {.name = "speed", .components = 1, .count = 6, .values = values};
	assert_true(snw_field_number(&flat, 4) == -2 && !snw_field_is_color(&flat));
	snw_field_title(&flat, words, sizeof words);
	assert_string_equal(words, "speed");
}

TEST_GROUP(scene) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_scene_passes),
		cmocka_unit_test(broken_scene_is_refused_with_the_place),
		cmocka_unit_test(skeleton_order_puts_parents_first),
		cmocka_unit_test(skeleton_with_a_cycle_is_refused),
		cmocka_unit_test(name_is_found_or_none),
		cmocka_unit_test(diagonal_is_that_of_the_rest_box),
		cmocka_unit_test(view_shows_the_scene_and_each_mesh_its_fields),
		cmocka_unit_test(field_over_frames_counts_sequences_before_targets),
		cmocka_unit_test(field_of_several_numbers_is_shown_by_their_length),
	};
	return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
