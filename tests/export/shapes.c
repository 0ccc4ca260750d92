/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A handmade scene with features of real files: seams, polygons, points without faces, several roots, two inverse binds of
 * one joint, six influences a point, names that clash or are not valid text, and tracks at the limits of glTF.
 */
#include "fixture.h"
#include "scene/scene.h"

static const double SQUARE_ROOT_HALF = 0.70710678118654752;

enum { ROOT_A, CHILD, LEAF, ROOT_B, PROP, JOINTS };

static void make_skeleton(snw_scene *scene) {
	static const char *names[JOINTS] = {"root", "child", "broken \xff\xfe name", "root.2", "prop"};
	static uint32_t parents[JOINTS] = {SNW_NONE, ROOT_A, CHILD, SNW_NONE, LEAF};
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = JOINTS;
	skeleton->names = names;
	skeleton->parents = parents;
	skeleton->rest_local = SNW_NEW_ARRAY(scene->arena, snw_transform, JOINTS);
	for (uint32_t j = 0; j < JOINTS; j++) {
		skeleton->rest_local[j] = (snw_transform){.translation = {0.1 * j, 1, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	skeleton->rest_local[LEAF].scale[1] = 2;
	skeleton->rest_local[CHILD].rotation[2] = skeleton->rest_local[CHILD].rotation[3] = SQUARE_ROOT_HALF;
	snw_error error = {0};
	check_ok(snw_skeleton_finish(skeleton, scene->arena, &error), error);
	/* A slot a joint, and a second one, moved aside, for the child. */
	scene->slot_count = JOINTS + 1;
	uint32_t *joints = SNW_NEW_ARRAY(scene->arena, uint32_t, JOINTS + 1);
	double *binds = SNW_NEW_ARRAY(scene->arena, double, 12 * (JOINTS + 1));
	for (uint32_t s = 0; s <= JOINTS; s++) {
		joints[s] = s < JOINTS ? s : CHILD;
		assert_true(snw_mat34_invert(skeleton->rest_global + 12 * (size_t)joints[s], binds + 12 * (size_t)s));
	}
	binds[12 * JOINTS + 3] += 0.25;
	scene->slot_joints = joints;
	scene->slot_inverse_binds = binds;
}

/* An L of six corners, a square and a triangle beside it, with a seam, two materials and a point that no face has. */
static void make_polygons(snw_scene *scene, snw_mesh *mesh) {
	static const double points[][3] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0},
									   {0, 2, 0}, {3, 0, 0}, {3, 1, 0}, {3, 2, 0}, {9, 9, 9}};
	static const uint32_t offsets[] = {0, 6, 10, 13}, corners[] = {0, 1, 2, 3, 4, 5, 1, 6, 7, 2, 2, 7, 8},
						  materials[] = {1, 0, 1};
	static float uvs[13][2], normals[13][3], colors[13][4];
	for (int c = 0; c < 13; c++) {
		uvs[c][0] = (float)points[corners[c]][0] + (c >= 6 && c < 10 ? 5.0f : 0.0f);
		normals[c][c < 10 ? 2 : 1] = 1;
		colors[c][0] = c < 6 ? 2.0f : 0.5f;
		colors[c][3] = 1;
	}
	*mesh = (snw_mesh){.name = "polygons",
					   .point_count = 10,
					   .points_rest = points[0],
					   .face_count = 3,
					   .face_offsets = offsets,
					   .face_points = corners,
					   .face_materials = materials,
					   .corner_uvs = uvs[0],
					   .corner_normals = normals[0],
					   .corner_colors = colors[0]};
	(void)scene;
}

/* Points in a row, each on all slots, with morph targets; a material with a picture, but no UVs. */
static void make_many(snw_scene *scene, snw_mesh *mesh) {
	enum { POINTS = 12 };
	static const uint32_t offsets[] = {0, 3, 6}, corners[] = {0, 1, 2, 3, 4, 5}, materials[] = {0, 0}, moved_points[] = {1, 4};
	static const double vectors[] = {0.1, 0, 0, 0, 0.2, 0};
	static const snw_morph morphs[] = {
		{"smile", 0, 2, moved_points, vectors}, {"nothing", 1, 0, NULL, NULL}, {"smile", 2, 1, moved_points, vectors}};
	double *points = SNW_NEW_ARRAY(scene->arena, double, 3 * POINTS);
	uint32_t *influences = SNW_NEW_ARRAY(scene->arena, uint32_t, POINTS + 1);
	uint32_t *slots = SNW_NEW_ARRAY(scene->arena, uint32_t, POINTS * 6);
	double *weights = SNW_NEW_ARRAY(scene->arena, double, POINTS * 6);
	for (uint32_t p = 0; p < POINTS; p++) {
		points[3 * p] = 0.2 * p;
		points[3 * p + 1] = p % 3 == 1 ? 0.3 : 0;
		points[3 * p + 2] = p % 3 == 2 ? 0.3 : 0;
		influences[p + 1] = 6 * (p + 1);
		for (uint32_t s = 0; s < 6; s++) {
			slots[6 * p + s] = s;
			weights[6 * p + s] = (1 + (s + p) % 6) / 21.0;
		}
	}
	*mesh = (snw_mesh){.name = "root", /* the name of a joint */
					   .point_count = POINTS,
					   .points_rest = points,
					   .face_count = 2,
					   .face_offsets = offsets,
					   .face_points = corners,
					   .face_materials = materials,
					   .influence_offsets = influences,
					   .influence_slots = slots,
					   .influence_weights = weights,
					   .morph_count = 3,
					   .morphs = morphs};
}

/* A triangle on one joint, with the joint's name or another. */
static void make_rigid(snw_scene *scene, snw_mesh *mesh, const char *name) {
	static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	static const uint32_t offsets[] = {0, 3}, corners[] = {0, 1, 2}, influences[] = {0, 1, 2, 3}, slots[] = {PROP, PROP, PROP};
	static const double weights[] = {1, 1, 1};
	*mesh = (snw_mesh){.name = name,
					   .point_count = 3,
					   .points_rest = points,
					   .face_count = 1,
					   .face_offsets = offsets,
					   .face_points = corners,
					   .influence_offsets = influences,
					   .influence_slots = slots,
					   .influence_weights = weights};
	(void)scene;
}

static void make_looks(snw_scene *scene) {
	/* One grey point. */
	static const unsigned char png[] = {0x89, 'P',  'N',  'G',  0x0d, 0x0a, 0x1a, 0x0a, 0,    0,    0,    13,   'I',  'H',
										'D',  'R',  0,    0,    0,    1,    0,    0,    0,    1,    8,    0,    0,    0,
										0,    0x3a, 0x7e, 0x9b, 0x55, 0,    0,    0,    10,   'I',  'D',  'A',  'T',  0x78,
										0x9c, 0x63, 0x68, 0,    0,    0,    0x82, 0,    0x81, 0x77, 0xcd, 0x72, 0xb6, 0,
										0,    0,    0,    'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82};
	snw_image *image = SNW_NEW(scene->arena, snw_image);
	*image = (snw_image){.name = "grey", .media = "image/png", .bytes = png, .byte_count = sizeof png};
	snw_material *materials = SNW_NEW_ARRAY(scene->arena, snw_material, 2);
	materials[0] = (snw_material){.name = "picture", .base_color = {1, 1, 1, 1}, .metallic = 0, .roughness = 1};
	materials[0].metallic_roughness_image = materials[0].normal_image = materials[0].emissive_image = SNW_NONE;
	materials[1] = (snw_material){.name = "glass", .base_color = {0.2, 0.4, 1.5, 0.5}, .metallic = 1, .roughness = 0.1};
	materials[1].base_color_image = materials[1].metallic_roughness_image = SNW_NONE;
	materials[1].normal_image = materials[1].emissive_image = SNW_NONE;
	materials[1].double_sided = true;
	materials[1].alpha = 1;
	materials[1].alpha_cutoff = 0.3;
	materials[1].emissive[0] = 4;
	scene->images = image;
	scene->image_count = 1;
	scene->materials = materials;
	scene->material_count = 2;
}

static void make_clips(snw_scene *scene) {
	static const double seconds[] = {0, 0.5, 0.5 + 1e-12, 2}, once[] = {0};
	static const double rotations[] = {0, 0, 0, 1, 0, 0.6, 0, 0.8, 0, 0.6, 0, 0.8, 0.6, 0, 0, 0.8};
	static const double moves[] = {0, 0, 0, 0.5, 1, 0, 0.5, 1, 0, 1, 0, 0};
	static const double one_cubic[] = {9, 9, 9, 1, 2, 1, 9, 9, 9};
	static const double smile[] = {0, 0, 1, 0.5, 1, 0, 0, 1, 0, 1, 0.2, 0};
	static const snw_track tracks[] = {{CHILD, SNW_PATH_ROTATION, SNW_LINEAR, 4, seconds, rotations},
									   {LEAF, SNW_PATH_TRANSLATION, SNW_STEP, 4, seconds, moves},
									   {ROOT_B, SNW_PATH_SCALE, SNW_CUBIC, 1, once, one_cubic},
									   {0, SNW_PATH_CHANNEL, SNW_CUBIC, 4, seconds, smile},
									   {PROP, SNW_PATH_ROTATION, SNW_STEP, 4, seconds, rotations},
									   {PROP, SNW_PATH_ROTATION, SNW_LINEAR, 4, seconds, rotations}};
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, 2);
	clips[0] = (snw_clip){.name = "child", .duration_seconds = 2, .track_count = 6, .tracks = tracks};
	clips[1] = (snw_clip){.name = "empty", .duration_seconds = 1};
	scene->clips = clips;
	scene->clip_count = 2;
	static const snw_channel channels[] = {
		{.name = "smile", .initial = 0.25}, {.name = "nothing"}, {.name = "smile.2", .initial = 0.5}};
	scene->channels = channels;
	scene->channel_count = 3;
}

static fixture by_hand(void) {
	fixture f = {.registry = kept_registry(), .scene = snw_scene_create()};
	snw_mesh *meshes = SNW_NEW_ARRAY(f.scene->arena, snw_mesh, 6);
	make_skeleton(f.scene);
	make_polygons(f.scene, &meshes[0]);
	make_many(f.scene, &meshes[1]);
	make_rigid(f.scene, &meshes[2], "prop");
	make_rigid(f.scene, &meshes[3], "prop");
	make_rigid(f.scene, &meshes[4], "hat");
	meshes[5] = (snw_mesh){.name = "cloud", .point_count = 2, .points_rest = meshes[0].points_rest};
	f.scene->meshes = meshes;
	f.scene->mesh_count = 6;
	make_looks(f.scene);
	make_clips(f.scene);
	add_layer(f.scene, "linear-blend", "org.sinew.linear-blend", NULL, 0);
	build_stack(&f);
	return f;
}

/* ---- tests --------------------------------------------------------------------------------------------------------------- */

static void eight_influences_give_the_same_as_six(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = by_hand();
	check_ok(export_to(&f, place("by-hand-8.glb"), 8, NULL, &error), error);
	f.scene->clip_count = 1; /* the empty one is left out */
	assert_int_equal(f.report.clip_count, 1);
	assert_int_equal(f.report.dropped_influences, 0);
	assert_int_equal(f.report.morph_count, 3);
	check_near(f.report.playback_max_percent, 0, 1e-4);
	check_near(compare(&f, 20), 0, 2e-6);
	end(&f);
}

static void four_influences_have_the_reported_error(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = by_hand();
	check_ok(export_to(&f, place("by-hand-4.gltf"), 4, NULL, &error), error);
	f.scene->clip_count = 1;
	assert_int_equal(f.report.dropped_influences, 2 * f.scene->meshes[1].point_count);
	assert_true(f.report.playback_max_percent > 1);
	/* The report looks at keys, this at moments between. */
	const double percent = 100 * compare(&f, 20);
	print_message("four of six influences: %.3g %%, the report says %.3g %%\n", percent, f.report.playback_max_percent);
	check_near(percent, f.report.playback_max_percent, 0.3 * f.report.playback_max_percent);
	player *p = player_open(f.path);
	const cJSON *primitive = cJSON_GetArrayItem(cJSON_GetObjectItem(player_list(p, "meshes", 1), "primitives"), 0);
	const cJSON *attributes = cJSON_GetObjectItem(primitive, "attributes");
	int count;
	double *weights = player_values(p, cJSON_GetObjectItem(attributes, "WEIGHTS_0")->valueint, &count);
	for (int v = 0; v < count; v++) {
		check_near(weights[4 * v] + weights[4 * v + 1] + weights[4 * v + 2] + weights[4 * v + 3], 1, 1e-6);
	}
	free(weights);
	player_close(p);
	end(&f);
}

static const char *text_of(const cJSON *object, const char *name) {
	return cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
}

static void names_and_nodes_survive(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = by_hand();
	check_ok(export_to(&f, check_scratch("names.glb"), 8, NULL, &error), error);
	player *p = player_open(f.path);
	assert_string_equal(text_of(player_list(p, "nodes", 0), "name"), "root");
	/* A rigid mesh with the name of its joint is put on the joint's node, a second one below it; one with another name is
	 * skinned. */
	const cJSON *prop = player_list(p, "nodes", player_node_of_mesh(p, 2));
	assert_string_equal(text_of(prop, "name"), "prop");
	assert_null(cJSON_GetObjectItem(prop, "skin"));
	assert_int_equal(p->parents[player_node_of_mesh(p, 3)], player_node_of_mesh(p, 2));
	assert_non_null(cJSON_GetObjectItem(player_list(p, "nodes", player_node_of_mesh(p, 4)), "skin"));
	/* Two inverse binds of one joint in one mesh: six joints, five of them the skeleton's. */
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(player_list(p, "skins", 0), "joints")), 6);
	const cJSON *names = cJSON_GetObjectItem(cJSON_GetObjectItem(player_list(p, "meshes", 1), "extras"), "targetNames");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(names, 0)), "smile");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(names, 2)), "smile.2");
	/* No UVs, no picture. */
	const cJSON *primitive = cJSON_GetArrayItem(cJSON_GetObjectItem(player_list(p, "meshes", 1), "primitives"), 0);
	const cJSON *plain = player_list(p, "materials", cJSON_GetObjectItem(primitive, "material")->valueint);
	assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(plain, "pbrMetallicRoughness"), "baseColorTexture"));
	player_close(p);
	end(&f);
}

static void polygons_keep_their_area_and_their_seams(void **state) {
	(void)state;
	fixture f = by_hand();
	const snw_mesh *mesh = &f.scene->meshes[0];
	const double areas[] = {3, 1, 0.5};
	for (uint32_t face = 0; face < 3; face++) {
		const uint32_t count = mesh->face_offsets[face + 1] - mesh->face_offsets[face] - 2;
		uint32_t triangles[12], scratch[6];
		double area = 0;
		snw_face_triangulate(mesh, face, triangles, scratch);
		for (uint32_t t = 0; t < count; t++) {
			const double *corner[3];
			for (uint32_t i = 0; i < 3; i++) {
				corner[i] = mesh->points_rest + 3 * (size_t)mesh->face_points[mesh->face_offsets[face] + triangles[3 * t + i]];
			}
			const double twice = (corner[1][0] - corner[0][0]) * (corner[2][1] - corner[0][1]) -
								 (corner[2][0] - corner[0][0]) * (corner[1][1] - corner[0][1]);
			assert_true(twice > 0);
			area += twice / 2;
		}
		check_near(area, areas[face], 1e-12);
	}
	snw_vertices vertices;
	snw_vertices_split(mesh, f.scene->arena, &vertices);
	/* Points 1, 2 and 7 are on seams: 2, 3 and 2 vertices; point 9 has no face and is kept. */
	assert_int_equal(vertices.count, 10 + 1 + 2 + 1);
	assert_int_equal(vertices.points[vertices.count - 1], 9);
	assert_int_equal(vertices.corners[vertices.count - 1], SNW_NONE);
	end(&f);
}

TEST_GROUP(shapes) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_influences_give_the_same_as_six),
		cmocka_unit_test(four_influences_have_the_reported_error),
		cmocka_unit_test(names_and_nodes_survive),
		cmocka_unit_test(polygons_keep_their_area_and_their_seams),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
