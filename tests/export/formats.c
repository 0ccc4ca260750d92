/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of formats: which format a path selects, lists of extensions, and what export refuses.
 */
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "import/import.h"

static uint32_t contents(snw_file_formats *formats, const char *path) {
	const snw_file_format *format = snw_file_format_of(formats, path);
	return format ? format->holds : 0;
}

static void path_names_a_format_by_its_extension_and_star(void **state) {
	(void)state;
	assert_true(contents(snw_export_formats, "a/b.glb") & SNW_FILE_SKIN);
	assert_true(contents(snw_export_formats, "B.GLTF") & SNW_FILE_SKIN);
	assert_true(contents(snw_export_formats, "pose.obj") & SNW_FILE_POSE);
	assert_true(contents(snw_export_formats, "frame*.obj") & SNW_FILE_FRAMES);
	assert_false(contents(snw_export_formats, "frame*.obj") & SNW_FILE_POSE);
	assert_true(contents(snw_export_formats, "folder*/pose.obj") & SNW_FILE_POSE);
	assert_int_equal(contents(snw_export_formats, "a.abc"), 0);
	assert_int_equal(contents(snw_export_formats, "glb"), 0);
	assert_int_equal(contents(snw_export_formats, "a.glb.b"), 0);
	assert_true(contents(snw_import_formats, "a.fbx") & SNW_FILE_SKIN);
	assert_int_equal(contents(snw_import_formats, "a.pc2"), SNW_FILE_FRAMES);
	assert_int_equal(contents(snw_import_formats, "a.obj"), SNW_FILE_MESH);
}

static void lists_name_every_extension_once(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	assert_string_equal(snw_file_extensions(snw_export_formats, UINT32_MAX, arena), "glb|gltf|fbx|snwskin|obj|pc2|mdd");
	assert_string_equal(snw_file_extensions(snw_import_formats, UINT32_MAX, arena), "glb|gltf|obj|fbx|bvh|dae|pc2|mdd");
	assert_string_equal(snw_file_extensions(snw_import_formats, SNW_FILE_FRAMES, arena), "pc2|mdd|obj");
	assert_string_equal(snw_file_extensions(snw_import_formats, 0, arena), "");
	assert_string_equal(snw_file_formats_text(snw_export_formats, UINT32_MAX, arena),
						".glb, .gltf, .fbx, .snwskin, .obj, .pc2, .mdd or numbered 'frame*.obj'");
	assert_string_equal(snw_file_formats_text(snw_export_formats, SNW_FILE_POSE, arena), ".obj");
	snw_arena_destroy(arena);
}

static void check_refused(fixture *f, const snw_export_request *request, snw_status expected, const char *words) {
	snw_error error = {0};
	assert_int_equal(snw_export(f->scene, f->stack, request, NULL, &f->report, &error), expected);
	if (!strstr(error.text, words)) {
		fail_msg("\"%s\" does not say \"%s\"", error.text, words);
	}
	assert_int_not_equal(access(request->path, F_OK), 0);
}

static void unsupported_format_is_refused_with_a_list_of_formats(void **state) {
	(void)state;
	fixture f = sample_arm();
	build_stack(&f);
	const snw_pose *pose = &f.scene->poses[0];
	const uint32_t none = SNW_NONE;
	check_refused(
		&f, &(snw_export_request){.path = check_scratch("no.abc"), .mesh = none, .clip = none, .pose = NULL, .influences = 4},
		SNW_ERROR_UNSUPPORTED, ".glb, .gltf");
	check_refused(
		&f, &(snw_export_request){.path = check_scratch("no.obj"), .mesh = none, .clip = 0, .pose = NULL, .influences = 4},
		SNW_ERROR_ARGUMENT, "'frame*.obj'");
	check_refused(
		&f, &(snw_export_request){.path = check_scratch("no.glb"), .mesh = none, .clip = none, .pose = pose, .influences = 4},
		SNW_ERROR_ARGUMENT, "use .obj");
	check_refused(
		&f, &(snw_export_request){.path = check_scratch("no.pc2"), .mesh = none, .clip = 0, .pose = pose, .influences = 4},
		SNW_ERROR_ARGUMENT, "use .obj");
	check_refused(
		&f, &(snw_export_request){.path = check_scratch("no.glb"), .mesh = none, .clip = 99, .pose = NULL, .influences = 4},
		SNW_ERROR_ARGUMENT, "no clip");
	check_refused(
		&f, &(snw_export_request){.path = check_scratch("no.glb"), .mesh = none, .clip = none, .pose = NULL, .influences = 5},
		SNW_ERROR_ARGUMENT, "4 or 8");
	end(&f);
}

/* Where there is a truth, a file may be as far from the stack again as that from the truth, and half as much. */
static void a_file_is_far_off_by_what_it_adds_to_the_error_of_the_stack(void **state) {
	(void)state;
	snw_export_report report = {.playback_max_percent = 2, .playback_erms = 3, .source_erms = 4, .stack_source_erms = 2.1};
	assert_false(snw_export_is_far_off(&report));
	report.stack_source_erms = 1.9;
	assert_true(snw_export_is_far_off(&report));
	report.playback_max_percent = 0.4; /* too little to see */
	assert_false(snw_export_is_far_off(&report));
	report = (snw_export_report){.playback_max_percent = 2, .source_erms = -1, .stack_source_erms = -1};
	assert_true(snw_export_is_far_off(&report));
}

TEST_GROUP(formats) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(path_names_a_format_by_its_extension_and_star),
		cmocka_unit_test(lists_name_every_extension_once),
		cmocka_unit_test(unsupported_format_is_refused_with_a_list_of_formats),
		cmocka_unit_test(a_file_is_far_off_by_what_it_adds_to_the_error_of_the_stack),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
