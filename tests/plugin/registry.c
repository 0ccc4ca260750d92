/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads plug-ins: valid ones load, each broken one is refused with its reason, and the others load anyway.
 */
#include "plugin/registry.h"

#include <sys/wait.h>

#include "scene/scene.h"

#include "check.h"

static const char *plugin(const char *name) {
	static char path[1024];
	snprintf(path, sizeof path, TEST_PLUGINS "/small-%s.so", name);
	return path;
}

static void good_plugin_is_loaded_and_found(void **state) {
	(void)state;
	snw_error error = {0};
	snw_registry *registry = snw_registry_open_empty();
	check_ok(snw_registry_load(registry, plugin("good"), &error), error);
	assert_int_equal(snw_registry_count(registry), 1);
	const snw_deformer *deformer = snw_registry_find(registry, "test-small");
	assert_non_null(deformer);
	assert_ptr_equal(deformer, snw_registry_find(registry, "org.sinew.test.small"));
	assert_int_equal(deformer->descriptor->parameter_count, 4);
	assert_string_equal(deformer->descriptor->parameters[1]->choices[1], "two");
	assert_null(snw_registry_find(registry, "small"));
	snw_registry_close(registry);
}

static void plugin_of_a_later_minor_is_loaded(void **state) {
	(void)state;
	snw_error error = {0};
	snw_registry *registry = snw_registry_open_empty();
	check_ok(snw_registry_load(registry, plugin("later-minor"), &error), error);
	snw_registry_close(registry);
}

static void broken_plugin_is_refused_with_its_reason(void **state) {
	(void)state;
	static const struct {
		const char *name, *words;
	} rows[] = {
		{"wrong-abi", "it was built for ABI 99, this program has ABI 2; build it again"},
		{"major-1", "it was built for ABI 1, this program has ABI 2; build it again"},
		{"small-entry", "impossible size 8"},
		{"no-entry", "no symbol 'sinew_entry'"},
		{"no-fit", "'fit' is missing"},
	};
	snw_registry *registry = snw_registry_open_empty();
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snw_error error = {0};
		assert_int_equal(snw_registry_load(registry, plugin(rows[i].name), &error), SNW_ERROR_DATA);
		const snw_plugin_info *info = snw_registry_get(registry, snw_registry_count(registry) - 1);
		assert_null(info->deformer);
		if (!strstr(info->reason, rows[i].words) || !strstr(error.text, rows[i].words)) {
			fail_msg("%s: '%s'", rows[i].name, info->reason);
		}
	}
	/* The others load. */
	snw_error error = {0};
	check_ok(snw_registry_load(registry, plugin("good"), &error), error);
	assert_non_null(snw_registry_find(registry, "test-small"));
	snw_registry_close(registry);
}

static void file_that_is_no_plugin_is_refused(void **state) {
	(void)state;
	const char *path = check_scratch("text.so");
	FILE *file = fopen(path, "w");
	fputs("this is no shared object\n", file);
	fclose(file);
	snw_registry *registry = snw_registry_open_empty();
	snw_error error = {0};
	assert_int_equal(snw_registry_load(registry, path, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "is not a shared object; name a .so"));
	char folder[1024];
	snprintf(folder, sizeof folder, "%s", path);
	*strrchr(folder, '/') = '\0';
	assert_int_equal(snw_registry_load(registry, folder, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "this is a folder; name the .so in it"));
	assert_int_equal(snw_registry_load(registry, check_scratch("absent.so"), &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "cannot be read"));
	remove(path);
	snw_registry_close(registry);
}

static void second_of_one_id_or_name_is_refused_naming_the_first(void **state) {
	(void)state;
	snw_registry *registry = snw_registry_open_empty();
	snw_error error = {0};
	check_ok(snw_registry_load(registry, plugin("good"), &error), error);
	assert_int_equal(snw_registry_load(registry, plugin("other-name"), &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "the id 'org.sinew.test.small' is taken by"));
	assert_non_null(strstr(error.text, "small-good.so"));
	assert_int_equal(snw_registry_load(registry, plugin("other-id"), &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "the short name 'test-small' is taken by"));
	snw_registry_close(registry);
}

static void name_of_a_shipped_deformer_cannot_be_taken(void **state) {
	(void)state;
	char old[4000];
	snprintf(old, sizeof old, "%s", getenv("SINEW_PLUGIN_PATH") ? getenv("SINEW_PLUGIN_PATH") : "");
	setenv("SINEW_PLUGIN_PATH", plugin("shipped-name"), 1);
	snw_registry *registry = snw_registry_open();
	const snw_plugin_info *info = snw_registry_get(registry, snw_registry_count(registry) - 1);
	assert_string_equal(info->path, plugin("shipped-name"));
	assert_null(info->deformer);
	assert_non_null(strstr(info->reason, "the short name 'linear-blend' is taken by"));
	assert_ptr_equal(snw_registry_find(registry, "linear-blend"), snw_registry_find_trait(registry, SNW_BASELINE));
	assert_null(snw_registry_find(registry, "org.sinew.test.taker"));
	snw_registry_close(registry);
	setenv("SINEW_PLUGIN_PATH", old, 1);
}

static void same_file_twice_is_silently_one(void **state) {
	(void)state;
	snw_registry *registry = snw_registry_open_empty();
	snw_error error = {0};
	check_ok(snw_registry_load(registry, plugin("good"), &error), error);
	const char *link = check_scratch("link.so");
	assert_int_equal(symlink(plugin("good"), link), 0);
	check_ok(snw_registry_load(registry, link, &error), error);
	assert_int_equal(snw_registry_count(registry), 1);
	unlink(link);
	snw_registry_close(registry);
}

static void functions_past_an_older_plugins_size_count_as_absent(void **state) {
	(void)state;
	snw_registry *registry = snw_registry_open_empty();
	snw_error error = {0};
	check_ok(snw_registry_load(registry, plugin("older"), &error), error);
	const snw_deformer *deformer = snw_registry_find(registry, "test-older");
	assert_non_null(deformer);
	assert_null(deformer->describe);
	assert_non_null(deformer->release);
	snw_registry_close(registry);
}

static uint32_t index_of(const snw_registry *registry, const char *path) {
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		if (strcmp(snw_registry_get(registry, i)->path, path) == 0) {
			return i;
		}
	}
	fail_msg("%s was not found", path);
	return 0;
}

/* Anyone who can write there could have their code run. */
static void entry_that_others_could_fill_is_refused(void **state) {
	(void)state;
	char old[4000], path[4000], folder[1024], file[1100];
	snprintf(old, sizeof old, "%s", getenv("SINEW_PLUGIN_PATH") ? getenv("SINEW_PLUGIN_PATH") : "");
	snprintf(folder, sizeof folder, "%s", check_scratch("anybody's"));
	snprintf(file, sizeof file, "%s/older.so", folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(symlink(plugin("older"), file), 0);
	assert_int_equal(chmod(folder, 0777), 0);
	snprintf(path, sizeof path, "%s:plugins:./mine.so", folder);
	setenv("SINEW_PLUGIN_PATH", path, 1);
	snw_registry *registry = snw_registry_open();
	assert_non_null(strstr(snw_registry_get(registry, index_of(registry, folder))->reason, "everybody may write to it"));
	assert_non_null(strstr(snw_registry_get(registry, index_of(registry, "plugins"))->reason, "relative path"));
	assert_non_null(strstr(snw_registry_get(registry, index_of(registry, "./mine.so"))->reason, "relative path"));
	assert_null(snw_registry_find(registry, "test-older"));
	snw_registry_close(registry);
	assert_int_equal(chmod(folder, 0700), 0);
	registry = snw_registry_open();
	assert_non_null(snw_registry_find(registry, "test-older"));
	snw_registry_close(registry);
	setenv("SINEW_PLUGIN_PATH", old, 1);
	unlink(file);
	rmdir(folder);
}

static void check_reason(const char *search_path, const char *path, const char *words) {
	setenv("SINEW_PLUGIN_PATH", search_path, 1);
	snw_registry *registry = snw_registry_open();
	const char *reason = snw_registry_get(registry, index_of(registry, path))->reason;
	if (!reason || !strstr(reason, words)) {
		fail_msg("%s: '%s' does not say '%s'", path, reason ? reason : "loaded", words);
	}
	assert_null(snw_registry_find(registry, "test-older"));
	snw_registry_close(registry);
}

static void copy_file(const char *from, const char *to) {
	char bytes[4096];
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	assert_true(in && out);
	for (size_t count; (count = fread(bytes, 1, sizeof bytes, in)) > 0;) {
		assert_int_equal(fwrite(bytes, 1, count, out), count);
	}
	fclose(in);
	fclose(out);
}

/* Anyone who can write to the folder of a file can replace the file, whether it is named itself or by a link. */
static void file_in_a_folder_of_everybody_is_refused(void **state) {
	(void)state;
	char old[4000], open_folder[1024], file[1100], closed[1024], link[1100];
	snprintf(old, sizeof old, "%s", getenv("SINEW_PLUGIN_PATH") ? getenv("SINEW_PLUGIN_PATH") : "");
	snprintf(open_folder, sizeof open_folder, "%s", check_scratch("open"));
	snprintf(file, sizeof file, "%s/older.so", open_folder);
	snprintf(closed, sizeof closed, "%s", check_scratch("closed"));
	snprintf(link, sizeof link, "%s/link.so", closed);
	assert_int_equal(mkdir(open_folder, 0700) | mkdir(closed, 0755), 0);
	copy_file(plugin("older"), file);
	assert_int_equal(symlink(file, link) | chmod(open_folder, 0777), 0);
	check_reason(file, file, "to which everybody may write");
	check_reason(link, link, open_folder);
	check_reason(closed, link, "to which everybody may write");
	assert_int_equal(chmod(open_folder, 0755) | chmod(file, 0666), 0);
	check_reason(closed, link, "everybody may write to it");
	assert_int_equal(chmod(file, 0644), 0);
	snw_registry *registry = snw_registry_open();
	assert_non_null(snw_registry_find(registry, "test-older"));
	snw_registry_close(registry);
	setenv("SINEW_PLUGIN_PATH", old, 1);
	unlink(link);
	unlink(file);
	rmdir(open_folder);
	rmdir(closed);
}

static const snw_deformer *small_of(const snw_registry *registry) {
	return snw_registry_find(registry, "test-small");
}

/* A file that changes is loaded beside its earlier version; one that is rejected leaves it, and one that is gone too. */
static void new_version_is_loaded_beside_the_old_one(void **state) {
	(void)state;
	char old[4000], file[1100];
	snprintf(old, sizeof old, "%s", getenv("SINEW_PLUGIN_PATH") ? getenv("SINEW_PLUGIN_PATH") : "");
	snprintf(file, sizeof file, "%s.so", check_scratch("renewed"));
	copy_file(plugin("good"), file);
	setenv("SINEW_PLUGIN_PATH", file, 1);
	snw_registry_renewal found;
	snw_registry *first = snw_registry_open_renewable(), *same = snw_registry_renew(first, &found);
	assert_ptr_equal(small_of(first), small_of(same));
	assert_int_equal(found.loaded_count, 0);
	assert_int_equal(snw_registry_count(first), snw_registry_count(same));
	copy_file(plugin("sinks"), file); /* in place, under the code that runs */
	snw_registry *second = snw_registry_renew(same, &found);
	assert_int_equal(found.loaded_count, 1);
	assert_string_equal(found.loaded, "Small");
	assert_true(small_of(second) != small_of(first) && small_of(second)->drive != small_of(first)->drive);
	copy_file(plugin("no-fit"), file);
	snw_registry *third = snw_registry_renew(second, &found);
	assert_ptr_equal(small_of(third), small_of(second));
	assert_string_equal(found.kept, file);
	assert_non_null(strstr(found.reason, "'fit' is missing"));
	unlink(file);
	snw_registry *fourth = snw_registry_renew(third, &found);
	assert_ptr_equal(small_of(fourth), small_of(second));
	double d[1] = {0}, scratch[8];
	const snw_drive_output output = {.size = sizeof output, .d = d};
	const snw_value values[4] = {SNW_VALUE(0.5)};
	const snw_drive_call call = {.size = sizeof call, .values = values, .scratch = scratch, .output = &output};
	assert_int_equal(small_of(first)->drive(&call), SNW_OK);
	assert_true(d[0] == 0.5);
	assert_int_equal(small_of(fourth)->drive(&call), SNW_OK);
	assert_true(d[0] == -0.5);
	snw_registry *const all[] = {fourth, third, second, same, first};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		snw_registry_close(all[i]);
	}
	setenv("SINEW_PLUGIN_PATH", old, 1);
}

static void write_file(const char *path) {
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
}

/* A process that has ended. */
static pid_t ended_process(void) {
	const pid_t child = fork();
	if (child == 0) {
		_exit(0);
	}
	assert_true(child > 0 && waitpid(child, NULL, 0) == child);
	return child;
}

/* Also where the plug-in itself is gone. */
static void copies_of_ended_programs_are_swept(void **state) {
	(void)state;
	char old[4000], folder[1024], names[5][1100];
	snprintf(old, sizeof old, "%s", getenv("SINEW_PLUGIN_PATH") ? getenv("SINEW_PLUGIN_PATH") : "");
	snprintf(folder, sizeof folder, "%s", check_scratch("swept"));
	assert_int_equal(mkdir(folder, 0700), 0);
	snprintf(names[0], sizeof names[0], "%s/.mine.so-%ld-0", folder, (long)ended_process());
	snprintf(names[1], sizeof names[1], "%s/.mine.so-%ld-0", folder, (long)getpid());
	snprintf(names[2], sizeof names[2], "%s/.mine.so-%ld-0~", folder, (long)ended_process());
	snprintf(names[3], sizeof names[3], "%s/mine.so-%ld-0", folder, (long)ended_process());
	snprintf(names[4], sizeof names[4], "%s/.mine.so-99999999999999999999-0", folder);
	for (int i = 0; i < 5; i++) {
		write_file(names[i]);
	}
	setenv("SINEW_PLUGIN_PATH", folder, 1);
	snw_registry_close(snw_registry_open());
	for (int i = 0; i < 5; i++) {
		assert_int_equal(access(names[i], F_OK) == 0, i > 0);
		unlink(names[i]);
	}
	rmdir(folder);
	setenv("SINEW_PLUGIN_PATH", old, 1);
}

static void missing_entry_of_the_path_is_named(void **state) {
	(void)state;
	char old[4000];
	snprintf(old, sizeof old, "%s", getenv("SINEW_PLUGIN_PATH") ? getenv("SINEW_PLUGIN_PATH") : "");
	check_reason("/nowhere/plugins", "/nowhere/plugins", "neither a folder nor a .so");
	check_reason("/nowhere/one.so", "/nowhere/one.so", "neither a folder nor a .so");
	setenv("SINEW_PLUGIN_PATH", old, 1);
}

/* Where HOME is relative, the folder depends on where the program is started. */
static void relative_home_is_not_searched(void **state) {
	(void)state;
	char folder[1024], place[1100], file[1200], back[1024], home[1024], data[1024];
	snprintf(home, sizeof home, "%s", getenv("HOME") ? getenv("HOME") : "");
	snprintf(data, sizeof data, "%s", getenv("XDG_DATA_HOME") ? getenv("XDG_DATA_HOME") : "");
	snprintf(folder, sizeof folder, "%s", check_scratch("home"));
	const char *const parts[] = {"", "/.local", "/.local/share", "/.local/share/sinew", "/.local/share/sinew/plugins"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		snprintf(place, sizeof place, "%s%s", folder, parts[i]);
		assert_int_equal(mkdir(place, 0700), 0);
	}
	snprintf(file, sizeof file, "%s/older.so", place);
	copy_file(plugin("older"), file);
	assert_non_null(getcwd(back, sizeof back));
	assert_int_equal(chdir(folder), 0);
	setenv("XDG_DATA_HOME", "", 1);
	for (int is_absolute = 0; is_absolute < 2; is_absolute++) {
		setenv("HOME", is_absolute ? folder : ".", 1);
		snw_registry *registry = snw_registry_open();
		assert_int_equal(snw_registry_find(registry, "test-older") != NULL, is_absolute);
		snw_registry_close(registry);
	}
	assert_int_equal(chdir(back), 0);
	setenv("HOME", home, 1);
	setenv("XDG_DATA_HOME", data, 1);
	unlink(file);
	for (size_t i = sizeof parts / sizeof *parts; i-- > 0;) {
		snprintf(place, sizeof place, "%s%s", folder, parts[i]);
		rmdir(place);
	}
}

/* Folders and files of the path, in its order, one level down, and nothing else. */
static void search_path_is_followed_in_order(void **state) {
	(void)state;
	char old[4000], path[4000], folder[1024], inner[1100], deep[1200];
	snprintf(old, sizeof old, "%s", getenv("SINEW_PLUGIN_PATH") ? getenv("SINEW_PLUGIN_PATH") : "");
	snprintf(folder, sizeof folder, "%s", check_scratch("path"));
	snprintf(inner, sizeof inner, "%s/inner", folder);
	snprintf(deep, sizeof deep, "%s/deep", inner);
	assert_int_equal(mkdir(folder, 0700) | mkdir(inner, 0700) | mkdir(deep, 0700), 0);
	char one[1300], two[1300];
	snprintf(one, sizeof one, "%s/one.so", inner);
	snprintf(two, sizeof two, "%s/two.so", deep);
	assert_int_equal(symlink(plugin("older"), one) | symlink(plugin("wrong-abi"), two), 0);
	snprintf(path, sizeof path, "%s::%s", folder, plugin("good"));
	setenv("SINEW_PLUGIN_PATH", path, 1);
	snw_registry *registry = snw_registry_open();
	assert_true(snw_registry_count(registry) >= 2);
	const uint32_t first = index_of(registry, one);
	assert_string_equal(snw_registry_get(registry, first + 1)->path, plugin("good"));
	assert_non_null(snw_registry_get(registry, 0)->deformer); /* the shipped ones come before */
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		assert_null(strstr(snw_registry_get(registry, i)->path, "two.so"));
	}
	snw_registry_close(registry);
	setenv("SINEW_PLUGIN_PATH", old, 1);
	unlink(one);
	unlink(two);
	rmdir(deep);
	rmdir(inner);
	rmdir(folder);
}

static void shipped_deformers_are_found_beside_the_program(void **state) {
	(void)state;
	char old[4000];
	snprintf(old, sizeof old, "%s", getenv("SINEW_PLUGIN_PATH") ? getenv("SINEW_PLUGIN_PATH") : "");
	unsetenv("SINEW_PLUGIN_PATH");
	snw_registry *registry = snw_registry_open();
	assert_non_null(snw_registry_find(registry, "linear-blend"));
	assert_non_null(snw_registry_find(registry, "smooth"));
	snw_registry_close(registry);
	setenv("SINEW_PLUGIN_PATH", old, 1);
}

static void deformers_are_found_by_their_traits(void **state) {
	(void)state;
	snw_registry *registry = snw_registry_open();
	assert_string_equal(snw_registry_trait_name(registry, SNW_BASELINE), "linear-blend");
	assert_string_equal(snw_registry_trait_name(registry, SNW_CORRECTS), "inverse-psd");
	/* Of several the first by name, whatever the order in which their files were found; and one that has all of them. */
	assert_string_equal(snw_registry_trait_name(registry, SNW_BINDS), "delta-mush");
	assert_string_equal(snw_registry_trait_name(registry, SNW_BINDS | SNW_BASELINE), "linear-blend");
	assert_null(snw_registry_trait_name(registry, SNW_CORRECTS | SNW_BASELINE));
	snw_registry_close(registry);
}

/* A new scene gets its layer before any plug-in is loaded: by an id, which must be that of the trait. */
static void first_layer_of_a_scene_is_the_baseline(void **state) {
	(void)state;
	snw_registry *registry = snw_registry_open();
	snw_scene scene = {.arena = snw_arena_create()};
	snw_scene_add_baseline(&scene);
	assert_int_equal(scene.layer_count, 1);
	const snw_descriptor *baseline = snw_registry_find_trait(registry, SNW_BASELINE)->descriptor;
	assert_string_equal(scene.layers[0].deformer, baseline->id);
	assert_string_equal(scene.layers[0].name, baseline->short_name);
	assert_string_equal(scene.layers[0].deformer_version, baseline->version);
	snw_scene_add_dual_quaternions(&scene);
	const snw_deformer *other = snw_registry_find(registry, scene.layers[0].name);
	assert_non_null(other);
	assert_string_equal(scene.layers[0].deformer, other->descriptor->id);
	assert_string_equal(scene.layers[0].deformer_version, other->descriptor->version);
	snw_arena_destroy(scene.arena);
	snw_registry_close(registry);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_plugin_is_loaded_and_found),
		cmocka_unit_test(broken_plugin_is_refused_with_its_reason),
		cmocka_unit_test(file_that_is_no_plugin_is_refused),
		cmocka_unit_test(second_of_one_id_or_name_is_refused_naming_the_first),
		cmocka_unit_test(name_of_a_shipped_deformer_cannot_be_taken),
		cmocka_unit_test(same_file_twice_is_silently_one),
		cmocka_unit_test(functions_past_an_older_plugins_size_count_as_absent),
		cmocka_unit_test(search_path_is_followed_in_order),
		cmocka_unit_test(entry_that_others_could_fill_is_refused),
		cmocka_unit_test(file_in_a_folder_of_everybody_is_refused),
		cmocka_unit_test(copies_of_ended_programs_are_swept),
		cmocka_unit_test(missing_entry_of_the_path_is_named),
		cmocka_unit_test(relative_home_is_not_searched),
		cmocka_unit_test(plugin_of_a_later_minor_is_loaded),
		cmocka_unit_test(new_version_is_loaded_beside_the_old_one),
		cmocka_unit_test(deformers_are_found_by_their_traits),
		cmocka_unit_test(first_layer_of_a_scene_is_the_baseline),
		cmocka_unit_test(shipped_deformers_are_found_beside_the_program),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
