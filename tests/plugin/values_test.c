/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters that are more than a number, with the plug-in values.c: as text, against a scene, through a fit, and their
 * effect on staleness.
 */
#include "check.h"

#include "fit/fit.h"
#include "fit/stale.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "stack/stack.h"

typedef struct fixture {
	snw_registry *registry;
	const snw_descriptor *descriptor;
	snw_scene *scene;
} fixture;

static int open_fixture(void **state) {
	static fixture f;
	snw_error error = {0};
	f.registry = snw_registry_open_empty();
	check_ok(snw_registry_load(f.registry, TEST_PLUGINS "/values-fitted.so", &error), error);
	check_ok(snw_registry_load(f.registry, TEST_PLUGINS "/values-bound.so", &error), error);
	f.descriptor = snw_registry_find(f.registry, "test-values")->descriptor;
	f.scene = snw_trial_character();
	const char *file = check_scratch("curve.txt");
	f.scene->folder = snw_arena_text(f.scene->arena, file);
	*strrchr((char *)(uintptr_t)f.scene->folder, '/') = '\0';
	*state = &f;
	return 0;
}

static int close_fixture(void **state) {
	fixture *f = *state;
	snw_scene_destroy(f->scene);
	snw_registry_close(f->registry);
	return 0;
}

static void write_curve(const char *text) {
	FILE *file = fopen(check_scratch("curve.txt"), "w");
	fputs(text, file);
	fclose(file);
}

/* ---- as text ------------------------------------------------------------------------------------------------------------- */

static void value_of_each_kind_is_read_and_written_as_text(void **state) {
	const fixture *f = *state;
	static const struct {
		const char *text, *again;
		double numbers[3];
		const char *value;
	} rows[] = {
		{"offset=0,1,-2.5", "0,1,-2.5", {0, 1, -2.5}, NULL},
		{"offset= 1, 2, 3", "1,2,3", {1, 2, 3}, NULL},
		{"tint=#ff8800", "#ff8800", {1, 0.24620132670783548, 0}, NULL},
		{"tint=#FFFFFF", "#ffffff", {1, 1, 1}, NULL},
		{"tint=0.5,0.25,0", "0.5,0.25,0", {0.5, 0.25, 0}, NULL},
		{"pivot=elbow", "elbow", {0}, "elbow"},
		{"pivot=", "", {0}, ""},
		{"pivot@wrist=elbow", "elbow", {0}, "elbow"},
		{"mask=mask", "mask", {0}, "mask"},
		{"note=a = b @ c", "a = b @ c", {0}, "a = b @ c"},
		{"note=", "", {0}, ""},
		{"note=Ärmel €", "Ärmel €", {0}, "Ärmel €"},
		{"curve=../a b.txt", "../a b.txt", {0}, "../a b.txt"},
	};
	snw_arena *arena = snw_arena_create();
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snw_error error = {0};
		snw_value value;
		uint32_t index;
		check_ok(snw_parameter_parse(f->descriptor, rows[i].text, &index, &value, &error), error);
		for (int c = 0; c < 3; c++) {
			check_near(value.numbers[c], rows[i].numbers[c], 1e-15);
		}
		assert_int_equal(value.text == NULL, rows[i].value == NULL);
		assert_string_equal(value.text ? value.text : "", rows[i].value ? rows[i].value : "");
		assert_string_equal(snw_parameter_text(f->descriptor->parameters[index], &value, arena), rows[i].again);
	}
	snw_arena_destroy(arena);
}

static void hostile_value_is_refused_in_one_line(void **state) {
	const fixture *f = *state;
	char too_long[SNW_LONGEST_TEXT + 20] = "note=";
	memset(too_long + 5, 'x', SNW_LONGEST_TEXT + 1);
	const struct {
		const char *text, *words;
	} rows[] = {
		{"offset=0,nan,0", "offset cannot be '0,nan,0'; expected x,y,z, each from -10 to 10"},
		{"offset=0,1", "offset cannot be '0,1'"},
		{"offset=0,1,2,3", "offset cannot be '0,1,2,3'"},
		{"offset=0,0,11", "each from -10 to 10"},
		{"offset=inf,0,0", "offset cannot be 'inf,0,0'"},
		{"tint=#ff88", "tint cannot be '#ff88'; expected a colour as #ff8800"},
		{"tint=#gg8800", "tint cannot be '#gg8800'"},
		{"tint=red", "tint cannot be 'red'"},
		{"tint=1,1,1.5", "tint cannot be '1,1,1.5'"},
		{"note=one\ntwo", "its text has a control character (byte 0x0a) at position 3"},
		{"note=\xff", "its text has a byte that is not UTF-8 (byte 0xff) at position 0"},
		{"note=\xed\xa0\x80", "not UTF-8"},
		{too_long, "its text has more than 1000 bytes; shorten it"},
		{"offset@elbow=0,0,0", "offset cannot be set for 'elbow' alone"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snw_error error = {0};
		uint32_t index;
		snw_value value;
		assert_int_equal(snw_parameter_parse(f->descriptor, rows[i].text, &index, &value, &error), SNW_ERROR_ARGUMENT);
		if (!strstr(error.text, rows[i].words) || strchr(error.text, '\n')) {
			fail_msg("%s: '%s'", rows[i].text, error.text);
		}
	}
}

/* ---- against a scene ----------------------------------------------------------------------------------------------------- */

static void missing_object_is_refused_where_it_would_be_read(void **state) {
	const fixture *f = *state;
	snw_field *field = (snw_field *)(uintptr_t)&f->scene->fields[0];
	const struct {
		snw_setting setting;
		snw_status status;
		const char *words;
		bool is_faces;
	} rows[] = {
		{{"pivot", SNW_TEXT("knee")}, SNW_ERROR_MISSING, "pivot: the character has no joint 'knee'", false},
		{{"follow", SNW_TEXT("knee")}, SNW_ERROR_MISSING, "follow: the character has no joint 'knee'", false},
		{{"pivot@elbow", SNW_TEXT("knee")}, SNW_ERROR_MISSING, "pivot@elbow: the character has no joint 'knee'", false},
		{{"mask", SNW_TEXT("stain")}, SNW_ERROR_MISSING, "mask: no mesh has a field 'stain'", false},
		{{"mask", SNW_TEXT("mask")}, SNW_ERROR_ARGUMENT, "mask: the field 'mask' is over faces; choose one over points", true},
		{{"curve", SNW_TEXT("absent.txt")}, SNW_ERROR_MISSING, "/absent.txt: cannot be read: No such file", false},
		{{"curve", SNW_TEXT(".")}, SNW_ERROR_IO, "not a regular file", false},
		{{"offset", SNW_VECTOR(0, NAN, 0)}, SNW_ERROR_ARGUMENT, "offset cannot be '0,nan,0'", false},
		{{"note", SNW_TEXT("\x01")}, SNW_ERROR_ARGUMENT, "control character", false},
		{{"note", SNW_VALUE(1)}, SNW_ERROR_ARGUMENT, "note cannot be '1'; expected a line", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		field->domain = rows[i].is_faces ? SNW_DOMAIN_FACES : SNW_DOMAIN_POINTS;
		snw_error error = {0};
		snw_fit_outcome outcome = {.arena = snw_arena_create()};
		const snw_fit_request request = {
			.method = "test-values", .left_out_example = SNW_NONE, .setting_count = 1, .settings = &rows[i].setting};
		const snw_status status = snw_fit_run(f->scene, f->registry, &request, NULL, &outcome, &error);
		if (status != rows[i].status || !strstr(error.text, rows[i].words) || strchr(error.text, '\n')) {
			fail_msg("%zu: status %d, '%s'", i, status, error.text);
		}
		snw_arena_destroy(outcome.arena);
	}
	field->domain = SNW_DOMAIN_POINTS;
}

/* Objects that only a fit reads may be missing while its model runs; objects that drive reads may not. */
static void values_of_fits_are_looked_up_for_fits_alone(void **state) {
	const fixture *f = *state;
	const snw_setting settings[] = {{"pivot", SNW_TEXT("knee")},
									{"mask", SNW_TEXT("stain")},
									{"curve", SNW_TEXT("absent.txt")},
									{"follow", SNW_TEXT("wrist")}};
	snw_layer layer = {.setting_count = 4, .settings = settings};
	snw_value values[7];
	snw_error error = {0};
	snw_arena *arena = snw_arena_create();
	check_ok(snw_parameters_resolve(f->descriptor, &layer, f->scene, SNW_STAGE_LOWER, arena, values, &error), error);
	assert_true(values[2].numbers[0] == -1 && values[2].text[0] == 0);
	assert_true(values[3].numbers[0] == 2);
	assert_string_equal(values[3].text, "wrist");
	assert_string_equal(values[5].text, "plain");
	values[0].numbers[0] = 9;
	assert_int_equal(snw_parameters_resolve(f->descriptor, &layer, f->scene, SNW_STAGE_FIT, arena, values, &error),
					 SNW_ERROR_MISSING);
	assert_true(values[0].numbers[0] == 9); /* untouched */
	snw_arena_destroy(arena);
}

/* ---- through a fit ------------------------------------------------------------------------------------------------------- */

static snw_scene *fit_with(const fixture *f, const snw_scene *scene, uint32_t count, const snw_setting *settings) {
	snw_error error = {0};
	snw_scene *fitted = NULL;
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	const snw_fit_request request = {
		.method = "test-values", .left_out_example = SNW_NONE, .setting_count = count, .settings = settings};
	check_ok(snw_fit_run(scene, f->registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(scene, &outcome, &fitted, &error), error);
	snw_arena_destroy(outcome.arena);
	return fitted;
}

/* Every point of the tube, bent, by the formula of values.c; only the layer of values is there. */
static void check_points(const fixture *f, const snw_scene *scene, const double offset[3], uint32_t follow, bool is_masked) {
	snw_error error = {0};
	snw_stack *stack = NULL;
	const snw_stack_options options = {0};
	check_ok(snw_stack_build(scene, f->registry, &options, NULL, &stack, &error), error);
	const snw_mesh *mesh = &scene->meshes[0];
	const uint32_t bent = snw_scene_find_pose(scene, "bent");
	const snw_pose_view *pose = snw_pose_view_make(scene, &scene->poses[bent], scene->arena);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	double *points = snw_arena_array(scene->arena, mesh->point_count, 3 * sizeof *points);
	check_ok(snw_stack_drive(stack, pose, evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, 0, NULL, points, &error), error);
	for (size_t i = 0; i < mesh->point_count; i++) {
		const double mask = is_masked ? scene->fields[0].values[i] : 1;
		for (uint32_t c = 0; c < 3; c++) {
			const size_t entry = 12 * (size_t)follow + 4 * c + 3;
			const double shift = follow == SNW_NONE ? 0 : pose->global[entry] - scene->skeleton.rest_global[entry];
			check_near(points[3 * i + c] - mesh->points_rest[3 * i + c], mask * offset[c] + shift, 1e-12);
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
}

static void values_reach_fit_drive_and_deform(void **state) {
	const fixture *f = *state;
	write_curve("0.125");
	const snw_setting settings[] = {
		{"offset", SNW_VECTOR(0.5, 0.25, -1)}, {"pivot", SNW_TEXT("elbow")},   {"pivot@wrist", SNW_TEXT("wrist")},
		{"follow", SNW_TEXT("wrist")},         {"mask", SNW_TEXT("mask")},     {"note", SNW_TEXT("vier")},
		{"curve", SNW_TEXT("curve.txt")},      {"tint", SNW_VECTOR(1, 0.5, 0)}};
	snw_scene *plain = fit_with(f, f->scene, 0, NULL), *fitted = fit_with(f, f->scene, 8, settings);
	check_points(f, plain, (const double[]){0, 0, 0.005}, SNW_NONE, false); /* the note's default has 5 bytes */
	check_points(f, fitted, (const double[]){0.625, 0.25 + 0.4 + 0.8, -1 + 0.004}, 2, true);
	assert_int_equal(fitted->layers[0].setting_count, 8);
	const uint32_t tint = snw_scene_find_field(fitted, 0, "test-values.tint");
	assert_int_not_equal(tint, SNW_NONE);
	assert_true(fitted->fields[tint].values[0] == 1 && fitted->fields[tint].values[1] == 0.5);
	snw_scene_destroy(plain);
	snw_scene_destroy(fitted);
}

static uint32_t stale_of(const fixture *f, const snw_scene *scene) {
	return snw_layer_stale(scene, f->registry, 0);
}

static void change_of_what_a_value_names_makes_the_model_stale(void **state) {
	const fixture *f = *state;
	write_curve("0.125");
	const snw_setting settings[] = {{"pivot", SNW_TEXT("elbow")},     {"mask", SNW_TEXT("mask")},
									{"curve", SNW_TEXT("curve.txt")}, {"note", SNW_TEXT("vier")},
									{"tint", SNW_VECTOR(1, 0.5, 0)},  {"offset", SNW_VECTOR(1, 2, 3)}};
	snw_scene *scene = fit_with(f, f->scene, 6, settings);
	snw_setting *set = (snw_setting *)(uintptr_t)scene->layers[0].settings;
	assert_int_equal(stale_of(f, scene), 0);
	for (uint32_t s = 0; s < 6; s++) {
		const snw_value before = set[s].value;
		const bool is_drive = strcmp(set[s].key, "offset") == 0;
		set[s].value.numbers[2] += before.text ? 0 : 0.25;
		set[s].value.text = before.text ? "other" : NULL;
		if (is_drive ? stale_of(f, scene) != 0 : !(stale_of(f, scene) & 1u << SNW_READ_METHOD)) {
			fail_msg("%s: stale is %x", set[s].key, stale_of(f, scene));
		}
		set[s].value = before;
	}
	assert_int_equal(stale_of(f, scene), 0);
	write_curve("0.25");
	assert_int_equal(stale_of(f, scene), 1u << SNW_READ_METHOD);
	write_curve("0.125"); /* a restored file is current again */
	assert_int_equal(stale_of(f, scene), 0);
	((double *)(uintptr_t)scene->fields[0].values)[0] += 0.5;
	assert_int_equal(stale_of(f, scene), 1u << SNW_READ_MESHES);
	snw_scene_destroy(scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(value_of_each_kind_is_read_and_written_as_text),
		cmocka_unit_test(hostile_value_is_refused_in_one_line),
		cmocka_unit_test(missing_object_is_refused_where_it_would_be_read),
		cmocka_unit_test(values_of_fits_are_looked_up_for_fits_alone),
		cmocka_unit_test(values_reach_fit_drive_and_deform),
		cmocka_unit_test(change_of_what_a_value_names_makes_the_model_stale),
	};
	return cmocka_run_group_tests_name("values", tests, open_fixture, close_fixture);
}
