/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX, and what Assimp reads (Collada and others): units, up axis, polygons, points merged, skeletons, clips, textures,
 * names; and files that Blender makes of a glTF character, against that character.
 */
#include "through_worker.h"

#include "pose/pose.h"
#include "sinew/algebra.h"

static char last_notice[2000];

static void keep_notice(void *context, snw_log_level level, const char *line) {
	(void)context, (void)level;
	const size_t length = strlen(last_notice);
	snprintf(last_notice + length, sizeof last_notice - length, "%s\n", line);
}

static snw_scene *import_with_notices(const char *file) {
	snw_scene *scene = NULL;
	snw_error error = {0};
	const snw_task task = {.notice = keep_notice};
	last_notice[0] = '\0';
	check_ok(import_through_worker(file, 120, &task, &scene, &error), error);
	return scene;
}

static void check_box(const snw_mesh *mesh, const double low[3], const double high[3], double tolerance) {
	for (int i = 0; i < 3; i++) {
		double least = INFINITY, most = -INFINITY;
		for (size_t p = 0; p < mesh->point_count; p++) {
			least = fmin(least, mesh->points_rest[3 * p + (size_t)i]);
			most = fmax(most, mesh->points_rest[3 * p + (size_t)i]);
		}
		check_near(least, low[i], tolerance);
		check_near(most, high[i], tolerance);
	}
}

/* The palette at rest is the identity: the rest is the bind. */
static void check_rest_is_bind(const snw_scene *scene, double tolerance) {
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *view = snw_pose_view_make(scene, snw_pose_rest(scene, arena), arena);
	for (size_t s = 0; s < scene->slot_count; s++) {
		for (int i = 0; i < 12; i++) {
			check_near(view->palette[12 * s + (size_t)i], i % 5 == 0, tolerance);
		}
	}
	snw_arena_destroy(arena);
}

static void fbx_box_keeps_polygons_and_is_in_metres(void **state) {
	(void)state;
	snw_scene *scene = import_scene(check_assimp_model("FBX/box_orphant_embedded_texture.fbx"));
	assert_int_equal(scene->mesh_count, 1);
	const snw_mesh *mesh = &scene->meshes[0];
	assert_int_equal(mesh->point_count, 8);
	assert_int_equal(mesh->face_count, 6);
	assert_int_equal(mesh->face_offsets[6], 24);
	assert_non_null(mesh->corner_normals);
	double most = 0;
	for (size_t i = 0; i < 24; i++) {
		most = fmax(most, fabs(mesh->points_rest[i]));
	}
	assert_true(most > 0.1 && most < 10);
	snw_scene_destroy(scene);
}

static void collada_with_z_up_is_upright_in_metres(void **state) {
	(void)state;
	snw_scene *scene = import_scene(check_assimp_model("Collada/duck.dae")); /* centimetres */
	assert_int_equal(scene->meshes[0].face_count, 2144);
	assert_int_equal(scene->meshes[0].face_offsets[1], 4);
	check_box(&scene->meshes[0], (const double[3]){-0.693, 0.099, -0.613}, (const double[3]){0.962, 1.640, 0.539}, 2e-3);
	snw_scene_destroy(scene);
	scene = import_scene(check_assimp_model("Collada/COLLADA.dae")); /* Z up */
	const uint32_t floor = snw_scene_find_mesh(scene, "Floor");
	assert_true(floor != SNW_NONE);
	check_box(&scene->meshes[floor], (const double[3]){-4, 0, -2}, (const double[3]){4, 0, 2}, 1e-5);
	snw_scene_destroy(scene);
}

static void fbx_character_is_bound_and_its_weights_normalised(void **state) {
	(void)state;
	snw_scene *scene = import_with_notices(check_assimp_model("FBX/huesitos.fbx"));
	assert_non_null(strstr(last_notice, "normalised"));
	assert_int_equal(scene->clip_count, 1);
	assert_int_equal(scene->slot_count, 8); /* the clusters that have points */
	assert_int_equal(scene->layer_count, 1);
	assert_string_equal(scene->layers[0].name, "linear-blend");
	assert_string_equal(scene->layers[0].deformer, "org.sinew.linear-blend");
	assert_string_equal(scene->layers[0].deformer_version, "1.0");
	assert_int_equal(scene->layers[0].model, SNW_NONE);
	check_rest_is_bind(scene, 1e-9);
	const snw_mesh *mesh = &scene->meshes[0];
	assert_int_equal(mesh->point_count, 62);
	for (size_t i = 0; i < mesh->influence_offsets[mesh->point_count]; i++) {
		assert_true(mesh->influence_weights[i] > 0); /* no dummies */
	}
	snw_scene_destroy(scene);
}

static void fbx_with_nameless_nodes_gets_unique_names(void **state) {
	(void)state;
	snw_scene *scene = import_scene(check_assimp_model("FBX/cubes_nonames.fbx"));
	assert_true(scene->mesh_count > 1);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		assert_int_equal(snw_scene_find_mesh(scene, scene->meshes[m].name), m);
	}
	snw_scene_destroy(scene);
}

static void fbx_with_an_embedded_texture_keeps_it(void **state) {
	(void)state;
	snw_scene *scene = import_with_notices(check_assimp_model("FBX/embedded_ascii/box_embedded_texture_fragmented.fbx"));
	/* A picture is kept if it is PNG or JPEG; else a notice says that it is left out. */
	if (scene->image_count == 0) {
		assert_non_null(strstr(last_notice, "left out"));
	} else {
		assert_true(scene->images[0].byte_count > 8);
		assert_true(scene->materials[0].base_color_image < scene->image_count);
	}
	snw_scene_destroy(scene);
}

static void other_formats_are_read_too(void **state) {
	(void)state;
	const char *models[] = {"3DS/RotatingCube.3DS", "PLY/cube.ply", "OFF/Cube.off", "STL/Spider_ascii.stl",
							"MD5/SimpleCube.md5mesh"};
	int read = 0;
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		char path[300];
		snprintf(path, sizeof path, ASSIMP_MODELS "%s", models[i]);
		if (access(path, R_OK) == 0) {
			snw_scene *scene = import_scene(path);
			assert_true(scene->mesh_count > 0 && scene->meshes[0].face_count > 0);
			snw_scene_destroy(scene);
			read++;
		}
	}
	if (read == 0) {
		print_message("skipped: no Assimp test models\n");
		skip();
	}
}

static void malformed_file_is_refused_in_one_line(void **state) {
	(void)state;
	const char *path = check_scratch("bad.fbx");
	FILE *file = fopen(path, "wb");
	fputs("Kaydara FBX Binary  \x1a nothing more", file);
	fclose(file);
	snw_scene *scene = NULL;
	snw_error error = {0};
	assert_true(import_through_worker(path, 120, NULL, &scene, &error) < 0);
	assert_non_null(strstr(error.text, "bad.fbx"));
	assert_null(strchr(error.text, '\n'));
}

/* ---- Blender's version of a character ------------------------------------------------------------------------------------ */

/* Blender's export of a character of the test data; all of it is made at the first call for that character. */
static const char *blender_file(const char *character, const char *name) {
	static char path[1400];
	char folder[1100], command[6000];
	const char *source = check_data(character);
	check_blender();
	snprintf(folder, sizeof folder, "%s-blender", check_scratch(strrchr(source, '/') + 1));
	if (mkdir(folder, 0700) == 0) {
		snprintf(command, sizeof command,
				 "blender --background --factory-startup --python '%s' -- '%s' '%s' "
				 ">/dev/null 2>&1",
				 getenv("SINEW_BLENDER_EXPORT"), source, folder);
		if (system(command) != 0) {
			fail_msg("Blender did not export %s", source);
		}
	}
	snprintf(path, sizeof path, "%s/%s", folder, name);
	assert_int_equal(access(path, R_OK), 0);
	return path;
}

/* Every point of `b` lies where one of `a` lies, by the sum of all and by the box: their orders differ. */
static void check_same_cloud(const snw_mesh *a, const snw_mesh *b, double tolerance) {
	double low[3], high[3], sum_a[3] = {0}, sum_b[3] = {0};
	assert_int_equal(a->point_count, b->point_count);
	for (size_t i = 0; i < 3; i++) {
		low[i] = INFINITY;
		high[i] = -INFINITY;
		for (size_t p = 0; p < a->point_count; p++) {
			low[i] = fmin(low[i], a->points_rest[3 * p + i]);
			high[i] = fmax(high[i], a->points_rest[3 * p + i]);
			sum_a[i] += a->points_rest[3 * p + i];
			sum_b[i] += b->points_rest[3 * p + i];
		}
		check_near(sum_a[i] / a->point_count, sum_b[i] / b->point_count, tolerance);
	}
	check_box(b, low, high, tolerance);
}

/* The palettes of joints of one name, at one time of a clip. */
static void check_same_palettes(const snw_scene *a, uint32_t clip_a, const snw_scene *b, uint32_t clip_b, double seconds,
								double tolerance) {
	snw_arena *arena = snw_arena_create();
	const snw_pose_view *pose_a = snw_pose_view_make(a, snw_pose_sample(a, clip_a, seconds, arena), arena);
	const snw_pose_view *pose_b = snw_pose_view_make(b, snw_pose_sample(b, clip_b, seconds, arena), arena);
	uint32_t compared = 0;
	for (uint32_t s = 0; s < a->slot_count; s++) {
		const uint32_t joint = snw_scene_find_joint(b, a->skeleton.names[a->slot_joints[s]]);
		for (uint32_t t = 0; joint != SNW_NONE && t < b->slot_count; t++) {
			if (b->slot_joints[t] == joint) {
				/* At the joint itself and a tenth of a metre from it along each axis. */
				for (int axis = -1; axis < 3; axis++) {
					double p[3], pa[3], pb[3];
					for (int i = 0; i < 3; i++) {
						p[i] = a->skeleton.rest_global[12 * (size_t)a->slot_joints[s] + (size_t)(4 * i + 3)] +
							   (i == axis ? 0.1 : 0);
					}
					snw_mat34_point(pose_a->palette + 12 * (size_t)s, p, pa);
					snw_mat34_point(pose_b->palette + 12 * (size_t)t, p, pb);
					for (int i = 0; i < 3; i++) {
						check_near(pa[i], pb[i], tolerance);
					}
				}
				compared++;
			}
		}
	}
	assert_true(compared >= 10); /* FBX has clusters for joints that move points */
	snw_arena_destroy(arena);
}

static uint32_t find_clip_like(const snw_scene *scene, const char *part) {
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if (strstr(scene->clips[c].name, part)) {
			return c;
		}
	}
	return SNW_NONE;
}

static void check_blender_file(const char *name, const char *const *clips, size_t clip_count, double tolerance) {
	snw_scene *file = import_scene(blender_file("human-rig/human.glb", name));
	snw_scene *character = import_scene(check_data("human-rig/human.glb"));
	check_same_cloud(&character->meshes[0], &file->meshes[0], 1e-5);
	check_rest_is_bind(file, 1e-6);
	for (size_t c = 0; c < clip_count; c++) {
		const uint32_t indices = snw_scene_find_clip(character, clips[c]), other = find_clip_like(file, clips[c]);
		assert_true(indices != SNW_NONE && other != SNW_NONE);
		for (int i = 0; i < 10; i++) {
			check_same_palettes(character, indices, file, other, character->clips[indices].duration_seconds * i / 9, tolerance);
		}
	}
	snw_scene_destroy(character);
	snw_scene_destroy(file);
}

static void fbx_from_blender_plays_as_the_character(void **state) {
	(void)state;
	const char *clips[] = {"rom", "dance"};
	/* Between its frames FBX moves Euler angles, in straight lines: not the arcs of the character. */
	check_blender_file("y-up.fbx", clips, 2, 5e-3);
}

static void fbx_of_many_meshes_from_blender_plays_and_keeps_its_texture(void **state) {
	(void)state;
	snw_scene *file = import_scene(blender_file("characters/Knight.glb", "y-up.fbx"));
	snw_scene *character = import_scene(check_data("characters/Knight.glb"));
	assert_int_equal(file->mesh_count, character->mesh_count);
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		const uint32_t other = snw_scene_find_mesh(file, character->meshes[m].name);
		assert_true(other != SNW_NONE);
		assert_non_null(file->meshes[other].corner_uvs);
	}
	assert_int_equal(file->clip_count, character->clip_count);
	assert_int_equal(file->image_count, 1);
	assert_int_equal(file->images[0].byte_count, character->images[0].byte_count);
	assert_memory_equal(file->images[0].bytes, character->images[0].bytes, file->images[0].byte_count);
	const uint32_t indices = snw_scene_find_clip(character, "Cheer"), other = find_clip_like(file, "Cheer");
	for (int i = 0; i < 10; i++) {
		/* Blender samples at 24 frames a second what was keyed at 30, and leaves out keys: only near its frames is it the same.
		 * */
		check_same_palettes(character, indices, file, other, 4 * i / 24.0, 2e-2);
	}
	snw_scene_destroy(character);
	snw_scene_destroy(file);
}

static snw_status import_ply(const char *text, snw_error *error) {
	const char *path = check_scratch("lists.ply");
	const snw_import_request request = {.file = path};
	snw_scene *scene = NULL;
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	const snw_status status = snw_import(&request, NULL, &scene, error);
	if (!snw_failed(status)) {
		snw_scene_destroy(scene);
	}
	unlink(path);
	return status;
}

#define PLY_HEADER(count)                                                                                                      \
	"ply\nformat ascii 1.0\nelement vertex " count "\nproperty float x\nproperty float y\nproperty float z\n"                  \
	"element face 1\nproperty list uchar int vertex_indices\nend_header\n"

/* Assimp would read on behind the end, for hours. */
static void ply_with_lists_longer_than_itself_is_refused(void **state) {
	(void)state;
	static const char *const cut[] = {
		PLY_HEADER("3") "0 0 0\n1 0 0\n0 1 0\n4294967295 0 1 2\n",
		PLY_HEADER("4000000000") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
		PLY_HEADER("3") "0 0 0\n1 0 0\n",
		"ply\nformat ascii 1.0\nelement vertex 3\nend_headers\n0 0 0\n1 0 0\n0 1 0\n4294967295 0 1 2\n",
	};
	snw_error error = {0};
	check_ok(import_ply(PLY_HEADER("3") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", &error), error);
	for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
		assert_int_equal(import_ply(cut[i], &error), SNW_ERROR_DATA);
		assert_non_null(strstr(error.text, "longer than the file"));
	}
}

static void fbx_with_morphs_from_blender_keeps_them_off(void **state) {
	(void)state;
	snw_scene *file = import_scene(blender_file("characters/MorphStressTest.glb", "y-up.fbx"));
	snw_scene *character = import_scene(check_data("characters/MorphStressTest.glb"));
	assert_int_equal(file->channel_count, character->channel_count);
	assert_int_equal(file->meshes[0].point_count, character->meshes[0].point_count);
	for (uint32_t m = 0; m < character->meshes[0].morph_count; m++) {
		const snw_morph *morph = &character->meshes[0].morphs[m], *other = &file->meshes[0].morphs[m];
		double sums[2] = {0, 0};
		for (size_t i = 0; i < (size_t)3 * morph->count; i++) {
			sums[0] += fabs(morph->vectors[i]);
		}
		for (size_t i = 0; i < (size_t)3 * other->count; i++) {
			sums[1] += fabs(other->vectors[i]);
		}
		check_near(sums[0], sums[1], 1e-4 * sums[0]);
		/* Blender writes the weights of its first frame. */
		assert_true(fabs(file->channels[other->channel].initial) < 0.01);
	}
	snw_scene_destroy(character);
	snw_scene_destroy(file);
}

static void fbx_with_z_up_from_blender_equals_the_character(void **state) {
	(void)state;
	check_blender_file("z-up.fbx", NULL, 0, 0);
}

static void collada_from_blender_equals_the_character(void **state) {
	(void)state;
	check_blender_file("z-up.dae", NULL, 0, 0);
}

static void collada_with_two_uv_sets_says_that_one_is_left_out(void **state) {
	(void)state;
	snw_scene *scene = import_with_notices(check_assimp_model("Collada/cube_with_2UVs.DAE"));
	assert_non_null(strstr(last_notice, "left out: 1 mesh's UV sets beyond the first"));
	snw_scene_destroy(scene);
}

TEST_GROUP(assimp) {
	const struct CMUnitTest models[] = {
		cmocka_unit_test(fbx_box_keeps_polygons_and_is_in_metres),
		cmocka_unit_test(collada_with_z_up_is_upright_in_metres),
		cmocka_unit_test(collada_with_two_uv_sets_says_that_one_is_left_out),
		cmocka_unit_test(fbx_character_is_bound_and_its_weights_normalised),
		cmocka_unit_test(fbx_with_nameless_nodes_gets_unique_names),
		cmocka_unit_test(fbx_with_an_embedded_texture_keeps_it),
		cmocka_unit_test(other_formats_are_read_too),
		cmocka_unit_test(malformed_file_is_refused_in_one_line),
	};
	const struct CMUnitTest blender[] = {
		cmocka_unit_test(fbx_from_blender_plays_as_the_character),
		cmocka_unit_test(fbx_of_many_meshes_from_blender_plays_and_keeps_its_texture),
		cmocka_unit_test(fbx_with_morphs_from_blender_keeps_them_off),
		cmocka_unit_test(ply_with_lists_longer_than_itself_is_refused),
		cmocka_unit_test(fbx_with_z_up_from_blender_equals_the_character),
		cmocka_unit_test(collada_from_blender_equals_the_character),
	};
	return argc > 1 && strcmp(argv[1], "blender") == 0 ? cmocka_run_group_tests(blender, NULL, NULL)
													   : cmocka_run_group_tests(models, NULL, NULL);
}
