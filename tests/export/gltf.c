/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF export: the file, read by the tests' player, compared with the stack; and the report.
 */
#include "file/file.h"
#include "fixture.h"

/* ---- tests -------------------------------------------------------------------------------------------------------------- */

static void arm_by_linear_blend_plays_as_the_stack_does(void **state) {
	(void)state;
	snw_error error = {0};
	const char *names[] = {"arm.glb", "arm.gltf"};
	for (int n = 0; n < 2; n++) {
		fixture f = sample_arm();
		build_stack(&f);
		check_ok(export_to(&f, place(names[n]), 4, NULL, &error), error);
		assert_int_equal(f.report.dropped_influences, 0);
		assert_int_equal(f.report.morph_count, 0);
		assert_int_equal(f.report.clip_count, f.scene->clip_count);
		check_near(f.report.playback_max_percent, 0, 1e-4);
		check_near(compare(&f, 10), 0, 1e-6);
		end(&f);
	}
}

static void correctives_as_morph_targets_play_as_the_stack_does(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	add_layer(f.scene, "test", "org.sinew.test.corrective", NULL, 0);
	build_stack(&f);
	check_ok(export_to(&f, place("correctives.glb"), 4, NULL, &error), error);
	assert_int_equal(f.report.morph_count, 2);
	assert_int_equal(f.report.folded_count, 0);
	const double worst = compare(&f, 20);
	print_message("correctives: %.2g of the diagonal from the truth, the report says %.2g %%\n", worst,
				  f.report.playback_max_percent);
	check_near(worst, 0, 1e-4);
	check_near(f.report.playback_max_percent, 0, 1e-2);
	end(&f);
}

static void correctives_are_named_once_and_described(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	add_layer(f.scene, "test", "org.sinew.test.corrective", NULL, 0);
	build_stack(&f);
	check_ok(export_to(&f, check_scratch("names.glb"), 4, NULL, &error), error);
	player *p = player_open(f.path);
	const cJSON *extras = cJSON_GetObjectItem(player_list(p, "meshes", 0), "extras");
	const cJSON *node = player_list(p, "nodes", player_node_of_mesh(p, 0));
	const cJSON *names = cJSON_GetObjectItem(extras, "targetNames");
	const cJSON *sinew = cJSON_GetObjectItem(cJSON_GetObjectItem(node, "extras"), "sinew"); /* a packer keeps that */
	assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(names, 0)), "elbow/bend");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(names, 1)), "elbow/bend.2");
	assert_int_equal(cJSON_GetObjectItem(sinew, "version")->valueint, 1);
	assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(sinew, "other"), "version")->valueint, 3);
	const cJSON *group = cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetObjectItem(sinew, "poseSpace"), "groups"), 0);
	const cJSON *targets = cJSON_GetObjectItem(group, "targets");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(group, "layer")), "test");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(targets, 0)), "elbow/bend");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(targets, 1)), "elbow/bend.2");
	assert_true(cJSON_IsNull(cJSON_GetArrayItem(targets, 2)));
	const cJSON *copy = cJSON_GetObjectItem(extras, "sinew"); /* others keep that; without the bounds */
	assert_true(cJSON_Compare(cJSON_GetObjectItem(copy, "poseSpace"), cJSON_GetObjectItem(sinew, "poseSpace"), true));
	assert_int_equal(cJSON_GetObjectItem(copy, "version")->valueint, 1);
	assert_null(cJSON_GetObjectItem(copy, "bounds"));
	player_close(p);
	end(&f);
}

/* The normals of points from the faces around them, by their area. */
static double *normals_of(const snw_mesh *mesh, const double *points, snw_arena *arena) {
	double *normals = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	for (uint32_t face = 0; face < mesh->face_count; face++) {
		const uint32_t begin = mesh->face_offsets[face], end_corner = mesh->face_offsets[face + 1];
		double area[3] = {0, 0, 0}, cross[3];
		for (uint32_t c = begin; c < end_corner; c++) {
			const uint32_t next = c + 1 == end_corner ? begin : c + 1;
			snw_cross3(points + 3 * (size_t)mesh->face_points[c], points + 3 * (size_t)mesh->face_points[next], cross);
			for (int i = 0; i < 3; i++) {
				area[i] += cross[i];
			}
		}
		for (uint32_t c = begin; c < end_corner; c++) {
			for (size_t i = 0; i < 3; i++) {
				normals[3 * (size_t)mesh->face_points[c] + i] += area[i];
			}
		}
	}
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		snw_normalize3(normals + 3 * (size_t)p);
	}
	return normals;
}

static double *target_values(const player *p, const char *name, int t, int *count) {
	const cJSON *primitive = cJSON_GetArrayItem(cJSON_GetObjectItem(player_list(p, "meshes", 0), "primitives"), 0);
	const cJSON *object =
		t < 0 ? cJSON_GetObjectItem(primitive, "attributes") : cJSON_GetArrayItem(cJSON_GetObjectItem(primitive, "targets"), t);
	return player_values(p, cJSON_GetObjectItem(object, name)->valueint, count);
}

/* Without a pose to be right in. */
static void targets_that_no_pose_uses_are_lit_as_the_displaced_rest(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	const snw_mesh *mesh = &f.scene->meshes[0];
	assert_null(mesh->corner_normals);
	add_layer(f.scene, "test", "org.sinew.test.corrective", NULL, 0);
	f.scene->clip_count = f.scene->pose_count = f.scene->example_count = 0;
	build_stack(&f);
	check_ok(export_to(&f, check_scratch("lit.glb"), 4, NULL, &error), error);
	player *p = player_open(f.path);
	snw_vertices vertices;
	snw_vertices_split(mesh, f.scene->arena, &vertices);
	for (int t = 0; t < 2; t++) {
		int count;
		double *vectors = target_values(p, "POSITION", t, &count), *normal_offsets = target_values(p, "NORMAL", t, &count);
		double *normals = target_values(p, "NORMAL", -1, &count), worst = 0;
		double *points = snw_arena_copy(f.scene->arena, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof *points);
		for (uint32_t v = 0; v < vertices.count; v++) {
			for (size_t c = 0; c < 3; c++) {
				const size_t at = 3 * (size_t)vertices.points[v] + c;
				points[at] = mesh->points_rest[at] + vectors[3 * (size_t)v + c];
			}
		}
		const double *right = normals_of(mesh, points, f.scene->arena);
		for (uint32_t v = 0; v < vertices.count; v++) {
			for (size_t c = 0; c < 3; c++) {
				const double is = normals[3 * (size_t)v + c] + normal_offsets[3 * (size_t)v + c];
				worst = fmax(worst, fabs(is - right[3 * (size_t)vertices.points[v] + c]));
			}
		}
		print_message("target %d: normals at most %.2g off\n", t, worst);
		check_near(worst, 0, 1e-3);
		free(vectors);
		free(normal_offsets);
		free(normals);
	}
	player_close(p);
	end(&f);
}

/* Every `every`-th track of each clip is held. */
static void hold_tracks(snw_scene *scene, uint32_t every) {
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		for (uint32_t t = 0; t < scene->clips[c].track_count; t += every) {
			((snw_track *)(uintptr_t)&scene->clips[c].tracks[t])->interpolation = SNW_STEP;
		}
	}
}

static void held_tracks_make_weights_jump(void **state) {
	(void)state;
	snw_error error = {0};
	for (uint32_t every = 1; every <= 2; every++) {
		fixture f = sample_arm();
		add_layer(f.scene, "test", "org.sinew.test.corrective", NULL, 0);
		f.scene->clips += 2; /* elbow and wrist at once */
		f.scene->clip_count = 1;
		hold_tracks(f.scene, every);
		build_stack(&f);
		check_ok(export_to(&f, place(every == 1 ? "held.glb" : "mixed.glb"), 4, NULL, &error), error);
		check_near(compare(&f, 20), 0, 1e-4);
		/* Directly before a jump nothing has moved. */
		double *keys;
		uint32_t key_count;
		snw_clip_key_seconds(&f.scene->clips[0], f.scene->arena, &keys, &key_count);
		for (uint32_t k = 1; k < key_count; k += 5) {
			check_near(compare_at(&f, 0, keys[k] - 1e-6), 0, 1e-4);
		}
		end(&f);
	}
}

/* The time at which a joint of the first clip has rotated most. */
static double seconds_of_most_turn(const fixture *f, uint32_t joint) {
	double *keys, most = 0, seconds = 0;
	uint32_t key_count;
	snw_clip_key_seconds(&f->scene->clips[0], f->scene->arena, &keys, &key_count);
	for (uint32_t k = 0; k < key_count; k++) {
		const snw_pose *pose = snw_pose_sample(f->scene, 0, keys[k], f->scene->arena);
		const double angle = snw_length3(pose->rotation_vectors + 3 * (size_t)joint);
		seconds = angle > most ? keys[k] : seconds;
		most = fmax(most, angle);
	}
	return seconds;
}

static void losses_of_a_mesh_without_extent_are_finite(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	add_layer(f.scene, "test", "org.sinew.test.corrective", "posed", 1);
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)&f.scene->meshes[0];
	double *points = SNW_NEW_ARRAY(f.scene->arena, double, 3 * (size_t)mesh->point_count);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[i] = mesh->points_rest[i % 3];
	}
	mesh->points_rest = points;
	assert_true(snw_scene_diagonal(f.scene, 0) == 0);
	build_stack(&f);
	check_ok(export_to(&f, place("point.glb"), 4, NULL, &error), error);
	assert_int_equal(f.report.folded_count, 1);
	/* In percent of a metre: the displacement is 17 mm long. */
	assert_true(f.report.folded_max_percent > 0 && f.report.folded_max_percent < 2);
	assert_true(f.report.playback_max_percent > 0 && f.report.playback_max_percent < 2);
	end(&f);
}

static void displacements_after_the_blend_are_folded_into_the_target_that_acts_alike(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	add_layer(f.scene, "test", "org.sinew.test.corrective", "posed", 1);
	build_stack(&f);
	check_ok(export_to(&f, place("folded.glb"), 4, NULL, &error), error);
	print_message("folded: loss %.3g %%, playback %.3g %%\n", f.report.folded_max_percent, f.report.playback_max_percent);
	assert_int_equal(f.report.folded_count, 1);
	assert_int_equal(f.report.morph_count, 2);
	assert_true(f.report.folded_max_percent > 0);
	/* What the displacement is in percent, and so what leaving it out would cost. */
	const double whole = 100 * 0.01 * sqrt(3) / snw_scene_diagonal(f.scene, 0);
	assert_true(f.report.folded_max_percent < 0.5 * whole);
	/* At the pose it was folded for, that loss is all there is. */
	check_near(100 * compare_at(&f, 0, seconds_of_most_turn(&f, 1)), 0, 1.05 * f.report.folded_max_percent + 0.01);
	check_near(100 * compare(&f, 20), f.report.playback_max_percent, 0.2 * f.report.playback_max_percent + 0.01);
	end(&f);
}

static void a_blend_that_is_not_linear_is_exported_with_its_error(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	((snw_layer *)(uintptr_t)f.scene->layers)[0].deformer = "org.sinew.dual-quaternion";
	f.scene->clip_count = 1;
	build_stack(&f);
	check_ok(export_to(&f, place("dual-quaternion.glb"), 4, NULL, &error), error);
	assert_true(f.report.playback_max_percent > 0.5);
	check_near(100 * compare(&f, 20), f.report.playback_max_percent, 0.2 * f.report.playback_max_percent);
	end(&f);
}

typedef struct listener {
	int notices;
	int stop_after;
} listener;

static void hear(void *context, snw_log_level level, const char *line) {
	((listener *)context)->notices += level >= SNW_LOG_WARNING;
	print_message("notice: %s\n", line);
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)fraction;
	(void)activity;
	return ((listener *)context)->stop_after-- > 0;
}

static void a_black_box_is_left_out_with_a_notice_and_its_error(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	add_layer(f.scene, "smooth", "org.sinew.smooth", NULL, 0);
	f.scene->clip_count = 1;
	build_stack(&f);
	listener notices = {0};
	const snw_task task = {.context = &notices, .notice = hear};
	check_ok(export_to(&f, check_scratch("smooth.glb"), 4, &task, &error), error);
	assert_int_equal(notices.notices, 1);
	assert_true(f.report.playback_max_percent > 0.001);
	end(&f);
}

/* Every point follows one joint: an engine rotates its normal as the faces rotate. With morph targets, the file brings their
 * normals. */
static void normals_of_the_file_are_reported_in_degrees(void **state) {
	(void)state;
	fixture f = sample_arm();
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)&f.scene->meshes[0];
	uint32_t *offsets = SNW_NEW_ARRAY(f.scene->arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(f.scene->arena, uint32_t, mesh->point_count);
	double *weights = SNW_NEW_ARRAY(f.scene->arena, double, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		offsets[i + 1] = i + 1;
		slots[i] = 1;
		weights[i] = 1;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
	snw_error error = {0};
	build_stack(&f);
	check_ok(export_to(&f, place("rigid-arm.glb"), 4, NULL, &error), error);
	assert_true(f.report.playback_normals_degrees < 0.01 && f.report.playback_normals_max_degrees < 0.1);
	end(&f);
	f = fitted_arm();
	check_ok(export_to(&f, place("lit-arm.glb"), 4, NULL, &error), error);
	const double with_targets = f.report.playback_normals_degrees;
	print_message("an engine shows normals %.2f degrees off, at most %.1f\n", with_targets,
				  f.report.playback_normals_max_degrees);
	assert_true(with_targets > 2 &&
				with_targets < 7); /* the wrist twists by 150 degrees; the displaced faces' would be 12 off */
	assert_true(f.report.playback_normals_max_degrees > with_targets);
	/* The same without a file. */
	snw_export_report planned = {0};
	const snw_export_request request = {.mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4};
	check_ok(snw_export_losses(f.scene, f.stack, &request, NULL, &planned, &error), error);
	assert_true(planned.playback_normals_degrees == with_targets && planned.playback_erms == f.report.playback_erms);
	end(&f);
}

/* The root mean square angle between the normals that the file shows at a moment of its first clip and the stack's, degrees. */
static double lit_off(const fixture *f, player *p, double seconds, snw_arena *arena) {
	snw_error error = {0};
	const snw_mesh *mesh = &f->scene->meshes[0];
	snw_vertices vertices;
	snw_vertices_split(mesh, arena, &vertices);
	snw_evaluation *evaluation = snw_evaluation_create(f->stack);
	const snw_pose *pose = snw_pose_sample(f->scene, 0, seconds, arena);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count), sum = 0;
	check_ok(snw_stack_drive(f->stack, snw_pose_view_make(f->scene, pose, arena), evaluation, &error), error);
	check_ok(snw_stack_reference(f->stack, evaluation, 0, NULL, points, &error), error);
	snw_evaluation_destroy(evaluation);
	const double *right = normals_of(mesh, points, arena);
	int count;
	player_pose(p, 0, seconds);
	double *shown = player_normals(p, player_node_of_mesh(p, 0), &count);
	assert_int_equal(count, vertices.count);
	for (uint32_t v = 0; v < vertices.count; v++) {
		snw_normalize3(shown + 3 * (size_t)v);
		sum += pow(acos(fmin(fmax(snw_dot3(shown + 3 * (size_t)v, right + 3 * (size_t)vertices.points[v]), -1), 1)), 2);
	}
	free(shown);
	return 180 / M_PI * sqrt(sum / vertices.count);
}

/* The wrist's sculpt repairs a blend that collapses. What the displaced faces have at rest would be 25 degrees off in it, 16
 * on the way. */
static void normals_of_targets_are_right_where_their_sculpts_act(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = fitted_arm();
	f.scene->clips = &f.scene->clips[1]; /* the twist */
	f.scene->clip_count = 1;
	f.scene->target_count = 0;
	check_ok(export_to(&f, place("twisted.glb"), 4, NULL, &error), error);
	player *p = player_open(f.path);
	const double end_seconds = f.scene->clips[0].duration_seconds;
	const double whole = lit_off(&f, p, end_seconds / 2, f.scene->arena),
				 part = lit_off(&f, p, 0.375 * end_seconds, f.scene->arena);
	print_message("an engine shows the twist %.2f degrees off, %.2f on the way\n", whole, part);
	assert_true(whole < 12 && part < 4);
	player_close(p);
	end(&f);
}

static void a_cancelled_export_leaves_the_old_file(void **state) {
	(void)state;
	for (int after = 0; after < 6; after++) {
		fixture f = sample_arm();
		add_layer(f.scene, "test", "org.sinew.test.corrective", NULL, 0);
		f.scene->clip_count = 1;
		build_stack(&f);
		const char *path = check_scratch("cancelled.glb");
		FILE *file = fopen(path, "w");
		fputs("old", file);
		fclose(file);
		listener notices = {.stop_after = after};
		const snw_task task = {.context = &notices, .progress = stop};
		snw_error error = {0};
		assert_int_equal(export_to(&f, path, 4, &task, &error), SNW_CANCELLED);
		snw_bytes bytes;
		check_ok(snw_file_read(path, f.scene->arena, &bytes, &error), error);
		assert_string_equal((const char *)bytes.data, "old");
		unlink(path);
		end(&f);
	}
}

static void a_path_that_cannot_be_written_is_one_clear_line(void **state) {
	(void)state;
	static const char *const paths[] = {"/nowhere/at/all.glb", "/proc/arm.glb", "/nowhere/*.obj", "/proc/arm.mdd", "arm.dae"};
	fixture f = sample_arm();
	build_stack(&f);
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		snw_error error = {0};
		const snw_export_request request = {.path = paths[i], .mesh = SNW_NONE, .clip = 0, .influences = 4};
		assert_true(snw_failed(snw_export(f.scene, f.stack, &request, NULL, &f.report, &error)));
		assert_memory_equal(error.text, paths[i], strlen(paths[i]));
	}
	snw_error error = {0};
	assert_int_equal(export_to(&f, check_scratch("five.glb"), 5, NULL, &error), SNW_ERROR_ARGUMENT);
	end(&f);
}

TEST_GROUP(gltf) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arm_by_linear_blend_plays_as_the_stack_does),
		cmocka_unit_test(correctives_as_morph_targets_play_as_the_stack_does),
		cmocka_unit_test(correctives_are_named_once_and_described),
		cmocka_unit_test(targets_that_no_pose_uses_are_lit_as_the_displaced_rest),
		cmocka_unit_test(held_tracks_make_weights_jump),
		cmocka_unit_test(losses_of_a_mesh_without_extent_are_finite),
		cmocka_unit_test(displacements_after_the_blend_are_folded_into_the_target_that_acts_alike),
		cmocka_unit_test(a_blend_that_is_not_linear_is_exported_with_its_error),
		cmocka_unit_test(a_black_box_is_left_out_with_a_notice_and_its_error),
		cmocka_unit_test(normals_of_the_file_are_reported_in_degrees),
		cmocka_unit_test(normals_of_targets_are_right_where_their_sculpts_act),
		cmocka_unit_test(a_cancelled_export_leaves_the_old_file),
		cmocka_unit_test(a_path_that_cannot_be_written_is_one_clear_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
