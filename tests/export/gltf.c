/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF export: what the file plays, read by a player of the tests' own, against the stack's truth; and what the report says.
 */
#include "base/file.h"
#include "fixture.h"

/* ---- tests -------------------------------------------------------------------------------------------------------------- */

static void arm_by_linear_blend_plays_as_the_stack_does(void **state) {
	(void)state;
	snw_error error = {0};
	const char *names[] = {"arm.glb", "arm.gltf"};
	for (int n = 0; n < 2; n++) {
		fixture f = sample_arm();
		build(&f);
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
	build(&f);
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
		f.scene->clips += 2; /* elbow and wrist at once */
		f.scene->clip_count = 1;
		hold_tracks(f.scene, every);
		build(&f);
		check_ok(export_to(&f, place(every == 1 ? "held.glb" : "mixed.glb"), 4, NULL, &error), error);
		check_near(compare(&f, 20), 0, 1e-4);
		end(&f);
	}
}

static void displacements_after_the_blend_are_folded_into_the_target_that_acts_alike(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = sample_arm();
	add_layer(f.scene, "test", "org.sinew.test.corrective", "posed", 1);
	build(&f);
	check_ok(export_to(&f, place("folded.glb"), 4, NULL, &error), error);
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
	f.scene->clip_count = 1;
	build(&f);
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
	f.scene->clip_count = 1;
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
		f.scene->clip_count = 1;
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
