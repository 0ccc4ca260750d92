/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX files: read back, they play what the stack plays, within 1e-4 of the diagonal; with the argument "blender", so does
 * Blender if it is installed.
 */
#include "fixture.h"

#include "files.h"
#include "import/import.h"
#include "players/blender.h"

static void export_for(fixture *f, const char *path, double centimetres, const char *engine) {
	snw_error error = {0};
	const snw_export_request request = {.path = path,
										.mesh = SNW_NONE,
										.clip = SNW_NONE,
										.influences = 8,
										.engine = snw_engine_find(engine),
										.weights = SNW_WEIGHTS_EXACT,
										.centimetres = centimetres};
	check_ok(snw_export(f->scene, f->stack, &request, NULL, &f->report, &error), error);
	f->path = path;
}

static void export_fbx(fixture *f, const char *path, double centimetres) {
	export_for(f, path, centimetres, "unreal");
}

static fixture read_back(const fixture *f) {
	fixture back = {.registry = kept_registry()};
	snw_error error = {0};
	const snw_import_request request = {.file = f->path, .keep_points = true};
	check_ok(snw_import(&request, NULL, &back.scene, &error), error);
	build_stack(&back);
	return back;
}

static double *points_of(const fixture *f, uint32_t mesh, const snw_pose *pose, snw_arena *arena) {
	snw_error error = {0};
	snw_evaluation *evaluation = snw_evaluation_create(f->stack);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)f->scene->meshes[mesh].point_count);
	check_ok(snw_stack_drive(f->stack, snw_pose_view_make(f->scene, pose, arena), evaluation, &error), error);
	check_ok(snw_stack_reference(f->stack, evaluation, mesh, NULL, points, &error), error);
	snw_evaluation_destroy(evaluation);
	return points;
}

static const snw_pose *initial_pose(const snw_scene *scene, snw_arena *arena) {
	const uint32_t found = snw_scene_find_pose(scene, "default");
	return found == SNW_NONE ? snw_pose_rest(scene, arena) : &scene->poses[found];
}

static double distance_at(const fixture *f, const fixture *back, const snw_pose *pose, const snw_pose *other,
						  snw_arena *arena) {
	double farthest = 0;
	assert_int_equal(f->scene->mesh_count, back->scene->mesh_count);
	for (uint32_t m = 0; m < f->scene->mesh_count; m++) {
		const snw_mesh *mesh = &f->scene->meshes[m];
		assert_int_equal(back->scene->meshes[m].point_count, mesh->point_count);
		assert_int_equal(back->scene->meshes[m].face_count, mesh->face_count);
		const double *a = points_of(f, m, pose, arena), *b = points_of(back, m, other, arena);
		for (size_t p = 0; p < mesh->point_count; p++) {
			farthest = fmax(farthest, sqrt(snw_squared_distance3(a + 3 * p, b + 3 * p)) / snw_scene_diagonal(f->scene, m));
		}
	}
	return farthest;
}

/* The largest distance at the pose of the nodes and at moments of all clips. */
static double distance(const fixture *f, const fixture *back) {
	snw_arena *arena = snw_arena_create();
	double farthest = distance_at(f, back, initial_pose(f->scene, arena), initial_pose(back->scene, arena), arena);
	assert_int_equal(f->scene->clip_count, back->scene->clip_count);
	for (uint32_t c = 0; c < f->scene->clip_count; c++) {
		enum { MOMENTS = 7 };
		const uint32_t other = snw_scene_find_clip(back->scene, f->scene->clips[c].name);
		assert_int_not_equal(other, SNW_NONE);
		for (int i = 0; i <= MOMENTS; i++) {
			const double seconds = f->scene->clips[c].duration_seconds * i / MOMENTS;
			farthest = fmax(farthest, distance_at(f, back, snw_pose_sample(f->scene, c, seconds, arena),
												  snw_pose_sample(back->scene, other, seconds, arena), arena));
		}
	}
	snw_arena_destroy(arena);
	return farthest;
}

static void check_round_trip(fixture *f, const char *name, double centimetres) {
	export_fbx(f, place("character.fbx"), centimetres);
	fixture back = read_back(f);
	const double farthest = distance(f, &back);
	if (!(farthest <= 1e-4)) {
		fail_msg("%s: %g of the diagonal", name, farthest);
	}
	end(&back);
}

static fixture imported(const char *data) {
	fixture f = {.registry = kept_registry()};
	snw_error error = {0};
	const snw_import_request request = {.file = check_data(data), .keep_points = true};
	check_ok(snw_import(&request, NULL, &f.scene, &error), error);
	build_stack(&f);
	return f;
}

static void file_plays_what_the_stack_plays(void **state) {
	(void)state;
	static const char *const files[] = {"small/tentacle.glb",       "small/pair.glb",        "small/leaf.gltf",
										"fbx/skin-bind.fbx",        "fbx/segment-scale.fbx", "fbx/curves.fbx",
										"fbx/steps-and-slopes.fbx", "fbx/shapes.fbx",        "fbx/skin-two-meshes.fbx",
										"fbx/left-handed.fbx",      "fbx/scaled-root.fbx",   "fbx/surface.fbx"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		fixture f = imported(files[i]);
		check_round_trip(&f, files[i], i % 2 ? 1 : 2.54);
		end(&f);
	}
}

/* Below a node with a scale of 2: Blender plays bones wrong that are bound with a scale. */
static void joints_are_bound_without_scale(void **state) {
	(void)state;
	fixture f = imported("small/pair.glb");
	check_near(snw_mat34_determinant(f.scene->skeleton.rest_global), 8, 1e-5);
	export_fbx(&f, place("pair.fbx"), 1);
	fixture back = read_back(&f);
	assert_int_equal(back.scene->skeleton.joint_count, f.scene->skeleton.joint_count);
	for (uint32_t j = 0; j < back.scene->skeleton.joint_count; j++) {
		check_near(snw_mat34_determinant(back.scene->skeleton.rest_global + 12 * (size_t)j), 1, 1e-5);
	}
	end(&back);
	end(&f);
}

/* The arm with two correctives: its shapes play with their weights, the same bytes are written again, what drives them is in a
 * property of the mesh, and an engine without shapes refuses them. */
static void correctives_play_as_shapes_with_their_weights(void **state) {
	(void)state;
	fixture f = fitted_arm();
	export_fbx(&f, place("arm.fbx"), 0);
	assert_true(f.report.morph_count > 0);
	fixture back = read_back(&f);
	assert_int_equal(back.scene->meshes[0].morph_count, f.report.morph_count);
	const double farthest = distance(&f, &back);
	if (!(farthest <= 1e-4 + f.report.playback_max_percent / 100)) {
		fail_msg("%g of the diagonal", farthest);
	}
	end(&back);
	size_t count, again_count;
	unsigned char *bytes = file_bytes(f.path, &count);
	assert_int_equal(count, f.report.byte_count);
	assert_non_null(memmem(bytes, count, "\"poseSpace\"", 11));
	export_fbx(&f, place("again.fbx"), 0);
	unsigned char *again = file_bytes(f.path, &again_count);
	assert_int_equal(count, again_count);
	assert_memory_equal(bytes, again, count);
	free(bytes);
	free(again);
	snw_error error = {0};
	const snw_export_request request = {.path = check_scratch("roblox.fbx"),
										.mesh = SNW_NONE,
										.clip = SNW_NONE,
										.influences = 4,
										.engine = snw_engine_find("roblox")};
	assert_int_equal(snw_export(f.scene, f.stack, &request, NULL, &f.report, &error), SNW_ERROR_LIMIT);
	assert_non_null(strstr(error.text, "Roblox plays 0"));
	assert_non_null(strstr(error.text, "morphs=0"));
	end(&f);
}

static uint32_t count_in_betweens(const snw_scene *scene) {
	uint32_t count = 0;
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		count += scene->channels[c].in_between_percent > 0;
	}
	return count;
}

/* Joined on one channel for an engine that plays that, and apart for another, the file plays alike. */
static void in_betweens_are_joined_for_engines_that_play_them(void **state) {
	(void)state;
	fixture f = imported("fbx/shapes.fbx");
	const uint32_t count = count_in_betweens(f.scene);
	assert_true(count > 0);
	static const char *const engines[] = {"maya", "babylon"};
	for (size_t i = 0; i < 2; i++) {
		export_for(&f, place("shapes.fbx"), 1, engines[i]);
		fixture back = read_back(&f);
		assert_int_equal(count_in_betweens(back.scene), i == 0 ? count : 0);
		const double farthest = distance(&f, &back);
		if (!(farthest <= 1e-4)) {
			fail_msg("%s: %g of the diagonal", engines[i], farthest);
		}
		end(&back);
	}
	end(&f);
}

/* Weights that no channel has: the shape and its in-between are both whole at rest. */
static void in_betweens_with_weights_of_their_own_stay_apart(void **state) {
	(void)state;
	fixture f = imported("fbx/shapes.fbx");
	snw_channel *channels = snw_arena_copy(f.scene->arena, f.scene->channels, f.scene->channel_count * sizeof *channels);
	snw_pose *poses = (snw_pose *)(uintptr_t)f.scene->poses;
	for (uint32_t c = 0; c < f.scene->channel_count; c++) {
		if (channels[c].in_between_percent > 0) {
			channels[c].initial = 1;
			channels[c + 1].initial = 1;
			for (uint32_t p = 0; p < f.scene->pose_count; p++) {
				poses[p].channels[c] = poses[p].channels[c + 1] = 1;
			}
		}
	}
	f.scene->channels = channels;
	snw_stack_destroy(f.stack);
	build_stack(&f);
	export_for(&f, place("apart.fbx"), 1, "maya");
	fixture back = read_back(&f);
	assert_int_equal(count_in_betweens(back.scene), 0);
	end(&back);
	end(&f);
}

static void materials_and_their_pictures_come_back(void **state) {
	(void)state;
	fixture f = imported("fbx/surface.fbx");
	export_fbx(&f, place("surface.fbx"), 100);
	fixture back = read_back(&f);
	const snw_mesh *before = &f.scene->meshes[0], *after = &back.scene->meshes[0];
	const uint32_t corners = before->face_offsets[before->face_count];
	for (uint32_t i = 0; i < 4 * corners; i++) {
		check_near((double)after->corner_colors[i], (double)before->corner_colors[i], 1e-6);
	}
	for (uint32_t i = 0; i < 3 * corners; i++) {
		check_near((double)after->corner_normals[i], (double)before->corner_normals[i], 1e-6);
	}
	for (uint32_t i = 0; i < 2 * corners; i++) {
		check_near((double)after->corner_uvs[i], (double)before->corner_uvs[i], 1e-6);
	}
	assert_int_equal(back.scene->image_count, 1);
	assert_int_equal(back.scene->images[0].byte_count, f.scene->images[0].byte_count);
	for (uint32_t face = 0; face < before->face_count; face++) {
		const snw_material *a = &f.scene->materials[before->face_materials[face]];
		const snw_material *b = &back.scene->materials[after->face_materials[face]];
		assert_string_equal(a->name, b->name);
		check_near(a->base_color[1], b->base_color[1], 1e-9);
		check_near(a->roughness, b->roughness, 1e-9);
	}
	end(&back);
	end(&f);
}

static char uv_set_notice[300];

static void keep_uv_set_notice(void *context, snw_log_level level, const char *line) {
	(void)context;
	(void)level;
	if (strstr(line, "UV set")) {
		snprintf(uv_set_notice, sizeof uv_set_notice, "%s", line);
	}
}

/* A normal map on the second UV set says so in the file, and its reader tells what it does with it. */
static void textures_name_their_uv_sets(void **state) {
	(void)state;
	fixture f = imported("fbx/surface.fbx");
	snw_material *materials = snw_arena_copy(f.scene->arena, f.scene->materials, f.scene->material_count * sizeof *materials);
	snw_material *wood = &materials[f.scene->meshes[0].face_materials[2]];
	wood->normal_image = wood->base_color_image;
	f.scene->materials = materials;
	for (int i = 0; i < 2; i++) {
		wood->has_further_uvs = i > 0;
		wood->kept = i > 0 ? "{\"normalTexture\":{\"texCoord\":1}}" : NULL;
		export_fbx(&f, place("surface.fbx"), 100);
		snw_error error = {0};
		snw_scene *back = NULL;
		const snw_import_request request = {.file = f.path};
		const snw_task task = {.notice = keep_uv_set_notice};
		uv_set_notice[0] = '\0';
		check_ok(snw_import(&request, &task, &back, &error), error);
		assert_string_equal(uv_set_notice, i > 0
											   ? "material wood: its normal map lies on the UV set wall; it is shown on map1, "
												 "where the colour is"
											   : "");
		snw_scene_destroy(back);
	}
	end(&f);
}

/* ---- Blender ------------------------------------------------------------------------------------------------------------- */

/* How far a point of a mesh is from Blender's. Of several meshes, whose order differs there, from the nearest. */
static double away(const double *point, const double *theirs, uint32_t begin, uint32_t end) {
	double nearest = INFINITY;
	for (uint32_t p = begin; p < end; p++) {
		nearest = fmin(nearest, sqrt(snw_squared_distance3(point, theirs + 3 * (size_t)p)));
	}
	return nearest;
}

/* At keys of its first clip: Blender goes straight from one to the next. */
static void check_in_blender(fixture *f, const char *name) {
	enum { MOMENTS = 4 };
	snw_error error = {0};
	const snw_export_request request = {.path = check_scratch("blender.fbx"),
										.mesh = SNW_NONE,
										.influences = 8,
										.engine = snw_engine_find("unreal"),
										.weights = SNW_WEIGHTS_EXACT};
	check_ok(snw_export(f->scene, f->stack, &request, NULL, &f->report, &error), error);
	snw_arena *arena = snw_arena_create();
	double *keys, seconds[MOMENTS], worst = 0;
	uint32_t key_count;
	snw_clip_key_seconds(&f->scene->clips[0], arena, &keys, &key_count);
	for (uint32_t i = 0; i < MOMENTS; i++) {
		seconds[i] = keys[(size_t)key_count * (i + 1) / (MOMENTS + 1)];
	}
	FILE *stream = blender_play(request.path, 0, seconds, MOMENTS);
	assert_non_null(stream);
	for (uint32_t i = 0; i < MOMENTS; i++) {
		uint32_t count;
		double *theirs = blender_points(stream, &count);
		uint32_t all = 0;
		for (uint32_t m = 0; m < f->scene->mesh_count; m++) {
			const double *ours = points_of(f, m, snw_pose_sample(f->scene, 0, seconds[i], arena), arena);
			all += f->scene->meshes[m].point_count;
			assert_in_range(count, all, UINT32_MAX);
			for (uint32_t p = 0; p < f->scene->meshes[m].point_count; p++) {
				const bool is_alone = f->scene->mesh_count == 1;
				worst = fmax(worst, away(ours + 3 * (size_t)p, theirs, is_alone ? p : 0, is_alone ? p + 1 : count));
			}
		}
		assert_int_equal(count, all);
		free(theirs);
	}
	fclose(stream);
	snw_arena_destroy(arena);
	worst /= snw_scene_diagonal(f->scene, 0);
	if (!(worst <= 1e-4 + f->report.playback_max_percent / 100)) {
		fail_msg("%s: Blender is off by %g of the diagonal", name, worst);
	}
}

static void blender_plays_what_the_stack_plays(void **state) {
	(void)state;
	check_blender();
	fixture arm = fitted_arm(), tentacle = imported("small/tentacle.glb"), pair = imported("small/pair.glb");
	check_in_blender(&arm, "the arm with correctives");
	check_in_blender(&tentacle, "the tentacle");
	check_in_blender(&pair, "two meshes below a node with a scale");
	end(&pair);
	end(&tentacle);
	end(&arm);
}

TEST_GROUP(fbx) {
	const struct CMUnitTest blender[] = {cmocka_unit_test(blender_plays_what_the_stack_plays)};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file_plays_what_the_stack_plays),
		cmocka_unit_test(joints_are_bound_without_scale),
		cmocka_unit_test(correctives_play_as_shapes_with_their_weights),
		cmocka_unit_test(in_betweens_are_joined_for_engines_that_play_them),
		cmocka_unit_test(in_betweens_with_weights_of_their_own_stay_apart),
		cmocka_unit_test(materials_and_their_pictures_come_back),
		cmocka_unit_test(textures_name_their_uv_sets),
	};
	return argc > 1 && strcmp(argv[1], "blender") == 0 ? cmocka_run_group_tests(blender, NULL, NULL)
													   : cmocka_run_group_tests(tests, NULL, NULL);
}
