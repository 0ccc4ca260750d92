/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF export: what the file plays, read by a player of the tests' own, against the stack's truth; and what the report says.
 */
#include "check.h"

#include "base/file.h"
#include "export/export.h"
#include "export/gltf.h"
#include "import/import.h"
#include "player.h"
#include "sample/sample.h"
#include "scene/pose.h"
#include "scene/skeleton.h"
#include "sinew/algebra.h"

/* ---- fixtures --------------------------------------------------------------------------------------------------------- */

typedef struct fixture {
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_export_report report;
	const char *path;
} fixture;

static void add_layer(snw_scene *scene, const char *name, const char *deformer, const char *key, double value) {
	snw_layer *layers = SNW_NEW_ARRAY(scene->arena, snw_layer, (size_t)scene->layer_count + 1);
	if (scene->layer_count > 0) {
		memcpy(layers, scene->layers, scene->layer_count * sizeof *layers);
	}
	snw_layer *layer = &layers[scene->layer_count++];
	*layer = (snw_layer){.name = name, .deformer = deformer, .deformer_version = "1.0", .model = SNW_NONE};
	if (key) {
		snw_setting *setting = SNW_NEW(scene->arena, snw_setting);
		*setting = (snw_setting){key, value};
		layer->settings = setting;
		layer->setting_count = 1;
	}
	scene->layers = layers;
}

static fixture sample_arm(void) {
	fixture f = {.registry = snw_registry_open()};
	snw_error error = {0};
	check_ok(snw_registry_load(f.registry, TEST_CORRECTIVE, &error), error);
	check_ok(snw_sample_make("arm", &f.scene, &error), error);
	return f;
}

static void build(fixture *f) {
	snw_error error = {0};
	check_ok(snw_stack_build(f->scene, f->registry, NULL, NULL, &f->stack, &error), error);
}

static void end(fixture *f) {
	snw_stack_destroy(f->stack);
	snw_registry_close(f->registry);
	snw_scene_destroy(f->scene);
}

static snw_status export_to(fixture *f, const char *path, uint32_t influences, const snw_task *task, snw_error *error) {
	const snw_export_request request = {.path = path, .mesh = SNW_NONE, .clip = SNW_NONE, .influences = influences};
	f->path = path;
	return snw_export(f->scene, f->stack, &request, task, &f->report, error);
}

/* ---- the file against the stack ----------------------------------------------------------------------------------------- */

static double compare_pose(const fixture *f, const player *p, const snw_pose *pose, snw_arena *arena) {
	snw_error error = {0};
	double worst = 0;
	snw_stack_frame *frame = snw_stack_frame_create(f->stack);
	check_ok(snw_stack_drive(f->stack, snw_pose_view_make(f->scene, pose, arena), frame, &error), error);
	int written = 0;
	for (uint32_t m = 0; m < f->scene->mesh_count; m++) {
		const snw_mesh *mesh = &f->scene->meshes[m];
		if (mesh->point_count == 0) {
			continue;
		}
		double *truth = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
		check_ok(snw_stack_truth(f->stack, frame, m, NULL, truth, &error), error);
		snw_gltf_vertices vertices;
		snw_gltf_split_points(mesh, arena, &vertices);
		const double diagonal = snw_scene_diagonal(f->scene, m);
		int count = 0;
		double *played = player_points(p, player_node_of_mesh(p, written++), &count);
		assert_int_equal(count, vertices.count);
		for (uint32_t v = 0; v < vertices.count; v++) {
			double gap[3];
			for (size_t c = 0; c < 3; c++) {
				gap[c] = played[3 * (size_t)v + c] - truth[3 * (size_t)vertices.points[v] + c];
			}
			worst = fmax(worst, snw_length3(gap) / diagonal);
		}
		free(played);
	}
	snw_stack_frame_destroy(frame);
	return worst;
}

/* The largest distance, as a part of the diagonal, at `moments` times of each clip and at the pose of the file. */
static double compare(const fixture *f, int moments) {
	player *p = player_open(f->path);
	assert_non_null(p);
	snw_arena *arena = snw_arena_create();
	const uint32_t found = snw_scene_find_pose(f->scene, "default");
	player_pose(p, -1, 0);
	double worst = compare_pose(f, p, found == SNW_NONE ? snw_pose_rest(f->scene, arena) : &f->scene->poses[found], arena);
	for (uint32_t c = 0; c < f->scene->clip_count; c++) {
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(player_list(p, "animations", (int)c), "name"));
		assert_string_equal(name, f->scene->clips[c].name);
		for (int i = 0; i < moments; i++) {
			const double seconds = f->scene->clips[c].duration_seconds * (i + 0.37) / moments;
			player_pose(p, (int)c, seconds);
			worst = fmax(worst, compare_pose(f, p, snw_pose_sample(f->scene, c, seconds, arena), arena));
		}
	}
	snw_arena_destroy(arena);
	player_close(p);
	return worst;
}

/* ---- tests -------------------------------------------------------------------------------------------------------------- */

static void arm_by_linear_blend_plays_as_the_stack_does(void **state) {
	(void)state;
	snw_error error = {0};
	const char *names[] = {"arm.glb", "arm.gltf"};
	for (int n = 0; n < 2; n++) {
		fixture f = sample_arm();
		build(&f);
		check_ok(export_to(&f, check_scratch(names[n]), 4, NULL, &error), error);
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
	build(&f);
	check_ok(export_to(&f, check_scratch("correctives.glb"), 4, NULL, &error), error);
	assert_int_equal(f.report.morph_count, 2);
	assert_int_equal(f.report.folded_count, 0);
	const double worst = compare(&f, 40);
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
	build(&f);
	check_ok(export_to(&f, check_scratch("names.glb"), 4, NULL, &error), error);
	player *p = player_open(f.path);
	const cJSON *extras = cJSON_GetObjectItem(player_list(p, "meshes", 0), "extras");
	const cJSON *names = cJSON_GetObjectItem(extras, "targetNames"), *sinew = cJSON_GetObjectItem(extras, "sinew");
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
		hold_tracks(f.scene, every);
		build(&f);
		check_ok(export_to(&f, check_scratch(every == 1 ? "held.glb" : "mixed.glb"), 4, NULL, &error), error);
		check_near(compare(&f, 40), 0, 1e-4);
		end(&f);
	}
}

static void displacements_after_the_blend_are_folded_into_the_target_that_acts_alike(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	add_layer(f.scene, "test", "org.sinew.test.corrective", "posed", 1);
	build(&f);
	check_ok(export_to(&f, check_scratch("folded.glb"), 4, NULL, &error), error);
	print_message("folded: loss %.3g %%, playback %.3g %%\n", f.report.folded_max_percent, f.report.playback_max_percent);
	assert_int_equal(f.report.folded_count, 1);
	assert_int_equal(f.report.morph_count, 2);
	assert_true(f.report.folded_max_percent > 0);
	/* What the displacement is in percent, and so what leaving it out would cost. */
	const double whole = 100 * 0.01 * sqrt(3) / snw_scene_diagonal(f.scene, 0);
	assert_true(f.report.folded_max_percent < 0.5 * whole);
	check_near(100 * compare(&f, 20), f.report.playback_max_percent, 0.2 * f.report.playback_max_percent + 0.01);
	end(&f);
}

static void a_blend_that_is_not_linear_is_exported_with_its_error(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	((snw_layer *)(uintptr_t)f.scene->layers)[0].deformer = "org.sinew.dual-quaternion";
	build(&f);
	check_ok(export_to(&f, check_scratch("dual-quaternion.glb"), 4, NULL, &error), error);
	assert_true(f.report.playback_max_percent > 0.5);
	check_near(100 * compare(&f, 40), f.report.playback_max_percent, 0.2 * f.report.playback_max_percent);
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

static bool stop(void *context, double fraction, const char *what) {
	(void)fraction;
	(void)what;
	return ((listener *)context)->stop_after-- > 0;
}

static void a_black_box_is_left_out_with_a_notice_and_its_error(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	add_layer(f.scene, "smooth", "org.sinew.smooth", NULL, 0);
	build(&f);
	listener heard = {0};
	const snw_task task = {.context = &heard, .notice = hear};
	check_ok(export_to(&f, check_scratch("smooth.glb"), 4, &task, &error), error);
	assert_int_equal(heard.notices, 1);
	assert_true(f.report.playback_max_percent > 0.001);
	end(&f);
}

static void a_cancelled_export_leaves_the_old_file(void **state) {
	(void)state;
	for (int after = 0; after < 6; after++) {
		fixture f = sample_arm();
		add_layer(f.scene, "test", "org.sinew.test.corrective", NULL, 0);
		build(&f);
		const char *path = check_scratch("cancelled.glb");
		FILE *file = fopen(path, "w");
		fputs("old", file);
		fclose(file);
		listener heard = {.stop_after = after};
		const snw_task task = {.context = &heard, .progress = stop};
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
	build(&f);
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		snw_error error = {0};
		const snw_export_request request = {.path = paths[i], .mesh = SNW_NONE, .clip = 0, .influences = 4};
		assert_true(snw_export(f.scene, f.stack, &request, NULL, &f.report, &error) < 0);
		assert_memory_equal(error.text, paths[i], strlen(paths[i]));
	}
	snw_error error = {0};
	assert_int_equal(export_to(&f, check_scratch("five.glb"), 5, NULL, &error), SNW_ERROR_ARGUMENT);
	end(&f);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arm_by_linear_blend_plays_as_the_stack_does),
		cmocka_unit_test(correctives_as_morph_targets_play_as_the_stack_does),
		cmocka_unit_test(correctives_are_named_once_and_described),
		cmocka_unit_test(held_tracks_make_weights_jump),
		cmocka_unit_test(displacements_after_the_blend_are_folded_into_the_target_that_acts_alike),
		cmocka_unit_test(a_blend_that_is_not_linear_is_exported_with_its_error),
		cmocka_unit_test(a_black_box_is_left_out_with_a_notice_and_its_error),
		cmocka_unit_test(a_cancelled_export_leaves_the_old_file),
		cmocka_unit_test(a_path_that_cannot_be_written_is_one_clear_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
