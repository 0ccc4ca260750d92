/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Named falloffs: what people have saved stays, and a group has each setting once.
 */
#include "check.h"
#include "kept_registry.h"

#include "example/groups.h"
#include "file/file.h"
#include "sample/sample.h"
#include "tiny_arm.h"

static snw_error error;

static void write_file(const char *path, const char *text) {
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fputs(text, file) < 0, 0);
	assert_int_equal(fclose(file), 0);
}

static void expect_file(const char *path, const char *expected) {
	char text[1000] = "";
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static void save_keeps_lines_of_other_names_as_they_are(void **state) {
	(void)state;
	const char *path = check_scratch("falloffs");
	write_file(path, "# mine\n\nsoft kernel=cone width=0.5\nlater {\"curve\": [0, 1]}\nsofter kernel=cone width=2");
	check_ok(snw_group_falloff_save(path, NULL, "soft", "kernel=gaussian width=0.25", &error), error);
	expect_file(path, "# mine\n\nlater {\"curve\": [0, 1]}\nsofter kernel=cone width=2\nsoft kernel=gaussian width=0.25\n");
	snw_arena *arena = snw_arena_create();
	uint32_t all;
	const snw_group_falloff *list = snw_group_falloffs_list(NULL, path, arena, &all);
	assert_int_equal(all, 2);
	assert_string_equal(list[all - 1].name, "soft");
	assert_string_equal(list[all - 1].settings, "kernel=gaussian width=0.25");
	snw_arena_destroy(arena);
	remove(path);
}

static void save_into_no_file_makes_one(void **state) {
	(void)state;
	const char *path = check_scratch("none/yet/falloffs");
	check_ok(snw_group_falloff_save(path, NULL, "soft", "kernel=cone width=1", &error), error);
	expect_file(path, "soft kernel=cone width=1\n");
	remove(path);
}

/* One beyond the limit of files that are read whole: unreadable for everybody. */
static void save_leaves_a_file_that_cannot_be_read(void **state) {
	(void)state;
	const char *path = check_scratch("large");
	struct stat before, after;
	write_file(path, "soft kernel=cone width=0.5\n");
	assert_int_equal(truncate(path, (off_t)SNW_FILE_LIMIT + 1), 0);
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(snw_group_falloff_save(path, NULL, "hard", "kernel=linear width=0", &error), SNW_ERROR_LIMIT);
	assert_int_equal(stat(path, &after), 0);
	assert_true(before.st_size == after.st_size && before.st_ino == after.st_ino);
	remove(path);
}

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

/* The sample arm with a corrective that is not fitted. */
static snw_project *make_project(const char *path) {
	snw_scene *scene;
	snw_project *project;
	check_ok(make_tiny_arm(&scene, &error), error);
	check_ok(snw_project_write(path, scene, "made", &error), error);
	snw_scene_destroy(scene);
	check_ok(snw_project_open(path, false, &project, &error), error);
	const snw_layer layer = {.name = "psd", .deformer = "org.sinew.inverse-psd", .deformer_version = "1", .model = SNW_NONE};
	int64_t id;
	check_ok(snw_project_begin(project, "add a layer", &error), error);
	check_ok(snw_project_put_layer(project, &layer, 0, -1, &id, &error), error);
	check_ok(snw_project_commit(project, &error), error);
	return project;
}

static snw_scene *apply(snw_project *project, const snw_registry *registry, const char *settings) {
	snw_scene *scene;
	const snw_group_falloff falloff = {"mine", settings, true};
	check_ok(snw_project_scene(project, &scene, &error), error);
	check_ok(snw_project_begin(project, "change falloff", &error), error);
	check_ok(snw_project_put_group_falloff(project, scene, registry, 0, &falloff, &error), error);
	check_ok(snw_project_commit(project, &error), error);
	snw_scene_destroy(scene);
	check_ok(snw_project_scene(project, &scene, &error), error);
	return scene;
}

static void falloffs_of_the_method_can_all_be_applied(void **state) {
	(void)state;
	const char *path = check_scratch("method.sinew");
	snw_registry *registry = kept_registry();
	snw_project *project = make_project(path);
	snw_arena *arena = snw_arena_create();
	snw_scene *scene;
	uint32_t count;
	check_ok(snw_project_scene(project, &scene, &error), error);
	const snw_group_falloffs *of_method = snw_group_falloffs_of_method(scene, registry);
	assert_non_null(of_method);
	const snw_group_falloff *list = snw_group_falloffs_list(of_method, NULL, arena, &count);
	assert_int_equal(count, of_method->count);
	for (uint32_t i = 0; i < count; i++) {
		snw_scene *changed = apply(project, registry, list[i].settings);
		assert_string_equal(snw_group_falloff_of(changed, registry, 0, arena), list[i].settings);
		snw_scene_destroy(changed);
	}
	assert_int_equal(snw_group_falloff_save(path, of_method, list[0].name, list[0].settings, &error), SNW_ERROR_ARGUMENT);
	snw_scene_destroy(scene);
	/* Without a method that learns from sculpts there are those of the file alone. */
	check_ok(make_tiny_arm(&scene, &error), error);
	assert_null(snw_group_falloffs_of_method(scene, registry));
	snw_scene_destroy(scene);
	snw_arena_destroy(arena);
	snw_project_close(project);
	remove(path);
}

static double number_of(const snw_scene *scene, const char *key, const char *group, uint32_t *count) {
	const snw_layer *layer = &scene->layers[scene->layer_count - 1];
	char whole[200];
	double number = (double)NAN;
	snprintf(whole, sizeof whole, "%s@%s", key, group);
	*count = 0;
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		if (strcmp(layer->settings[i].key, whole) == 0) {
			number = layer->settings[i].value.numbers[0];
			++*count;
		}
	}
	return number;
}

static void falloff_applied_twice_sets_each_key_once(void **state) {
	(void)state;
	const char *path = check_scratch("falloff.sinew");
	snw_registry *registry = kept_registry();
	snw_project *project = make_project(path);
	uint32_t count;
	snw_scene_destroy(apply(project, registry, "kernel=cone width=0.5 smoothing=0.1 width=0.75"));
	snw_scene *scene = apply(project, registry, "kernel=cone width=0.5 smoothing=0.2 width=0.75");
	const char *group = scene->groups[0].name;
	check_near(number_of(scene, "smoothing", group, &count), 0.2, 0);
	assert_int_equal(count, 1);
	check_near(number_of(scene, "width", group, &count), 0.75, 0); /* as the last one says */
	assert_int_equal(count, 1);
	snw_scene_destroy(scene);
	scene = apply(project, registry, "kernel=linear"); /* the width is the usual one again */
	(void)number_of(scene, "width", scene->groups[0].name, &count);
	assert_int_equal(count, 0);
	snw_scene_destroy(scene);
	snw_project_close(project);
	remove(path);
}

TEST_GROUP(falloffs) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(save_keeps_lines_of_other_names_as_they_are),
		cmocka_unit_test(save_into_no_file_makes_one),
		cmocka_unit_test(save_leaves_a_file_that_cannot_be_read),
		cmocka_unit_test(falloffs_of_the_method_can_all_be_applied),
		cmocka_unit_test(falloff_applied_twice_sets_each_key_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
