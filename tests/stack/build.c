/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building stacks: which layers, which segments, and what is refused.
 */
#include "setup.h"

#include "layers.h"
#include "stack/stack.h"

typedef struct fixture {
	snw_registry *registry;
	snw_scene *scene;
	char notices[2000];
} fixture;

static int open_fixture(void **state) {
	fixture *f = calloc(1, sizeof *f);
	f->registry = setup_registry(TEST_LAYERS);
	f->scene = snw_trial_character();
	*state = f;
	return 0;
}

static int close_fixture(void **state) {
	fixture *f = *state;
	snw_scene_destroy(f->scene);
	snw_registry_close(f->registry);
	free(f);
	return 0;
}

static void note(void *context, snw_log_level level, const char *line) {
	fixture *f = context;
	const size_t used = strlen(f->notices);
	if (level >= SNW_LOG_WARNING) {
		snprintf(f->notices + used, sizeof f->notices - used, "%s\n", line);
	}
}

static snw_stack *build(fixture *f, const char *method) {
	const snw_task task = {.context = f, .notice = note};
	const snw_stack_options options = {.method = method};
	snw_error error = {0};
	snw_stack *stack = NULL;
	check_ok(snw_stack_build(f->scene, f->registry, &options, &task, &stack, &error), error);
	return stack;
}

static snw_status refusal(fixture *f, const char *method, snw_error *error) {
	const snw_stack_options options = {.method = method};
	snw_stack *stack = NULL;
	const snw_status status = snw_stack_build(f->scene, f->registry, &options, NULL, &stack, error);
	assert_null(stack);
	return status;
}

/* All segments of the tube: programs by their layers, boxes in brackets, joined by " | ". */
static const char *segments(fixture *f, const char *method) {
	static char text[1000];
	snw_stack *stack = build(f, method);
	text[0] = 0;
	for (uint32_t s = 0; s < snw_stack_segment_count(stack, 0); s++) {
		const snw_segment_info info = snw_stack_segment(stack, 0, s);
		const size_t used = strlen(text);
		assert_int_equal(info.is_program, info.program != NULL);
		assert_int_equal(info.is_program, info.reason == NULL);
		snprintf(text + used, sizeof text - used, info.is_program ? "%s%s" : "%s[%s]", s > 0 ? " | " : "", info.layers);
	}
	snw_stack_destroy(stack);
	return text;
}

static void stack_without_layers_is_the_morphed_rest(void **state) {
	fixture *f = *state;
	assert_string_equal(segments(f, NULL), "morph");
	snw_stack *stack = build(f, NULL);
	assert_int_equal(snw_stack_segment_count(stack, 1), 0);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_error error = {0};
	double points[3000];
	float floats[3000];
	const snw_pose_view *pose = snw_pose_view_make(f->scene, &f->scene->poses[3], f->scene->arena);
	check_ok(snw_stack_drive(stack, pose, evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, 1, NULL, points, &error), error);
	check_ok(snw_stack_run(stack, evaluation, 1, floats, &error), error);
	for (uint32_t i = 0; i < 3 * f->scene->meshes[1].point_count; i++) {
		assert_true(points[i] == f->scene->meshes[1].points_rest[i]);
		check_near(floats[i], f->scene->meshes[1].points_rest[i], 1e-7);
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
}

static void neighbours_that_lower_merge_into_one_program(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "");
	setup_add_layer(f->scene, f->registry, "test-corrective", "first", "");
	setup_add_layer(f->scene, f->registry, "test-corrective", "second", "");
	assert_string_equal(segments(f, NULL), "morph + blend + first + second");
}

static void black_box_splits_and_rest_displacements_go_to_the_front(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "");
	setup_add_layer(f->scene, f->registry, "test-ring", "ring", "passes=3");
	setup_add_layer(f->scene, f->registry, "test-corrective", "corrective", "");
	assert_string_equal(segments(f, NULL), "morph + blend + corrective | [ring] | corrective");
	snw_stack *stack = build(f, NULL);
	assert_int_equal(snw_stack_rings(stack, 0), 3);
	assert_string_equal(snw_stack_segment(stack, 0, 1).reason, "its plug-in does not lower");
	assert_int_equal(snw_stack_segment(stack, 0, 0).program->rest.count, 3);
	assert_int_equal(snw_stack_segment(stack, 0, 2).program->rest.count, 0);
	snw_stack_destroy(stack);
}

static void blend_over_blend_begins_a_new_program(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "lower", "");
	setup_add_layer(f->scene, f->registry, "test-blend", "upper", "kind=matrices");
	assert_string_equal(segments(f, NULL), "morph + lower | upper");
	assert_string_equal(f->notices, "");
}

static void second_blend_by_the_joints_is_reported(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "lower", "");
	setup_add_layer(f->scene, f->registry, "test-corrective", "corrective", "");
	setup_add_layer(f->scene, f->registry, "test-blend", "upper", "");
	snw_stack_destroy(build(f, "corrective"));
	assert_string_equal(f->notices, "");
	snw_stack_destroy(build(f, NULL));
	assert_non_null(strstr(f->notices, "layer 'upper' poses points that layer 'lower' has already posed"));
}

static void method_of_a_layer_takes_it_and_the_layers_below(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "");
	setup_add_layer(f->scene, f->registry, "test-corrective", "corrective", "");
	setup_add_layer(f->scene, f->registry, "test-twist", "twist", "")->muted = true;
	assert_string_equal(segments(f, "corrective"), "morph + blend + corrective");
	assert_string_equal(segments(f, "test-blend"), "morph + blend");
	assert_string_equal(segments(f, "twist"), "morph + blend + corrective | [twist]");
	assert_string_equal(segments(f, NULL), "morph + blend + corrective");
}

static void method_outside_the_stack_gets_its_place(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-twist", "twist", "");
	setup_add_layer(f->scene, f->registry, "org.sinew.linear-blend", "base", "");
	setup_add_layer(f->scene, f->registry, "test-corrective", "corrective", "");
	/* A blend takes the place of the base blend; a black box is added on top. */
	assert_string_equal(segments(f, "test-blend"), "morph | [twist] | test-blend");
	assert_string_equal(segments(f, "test-ring"), "morph + corrective | [twist] | base + corrective | [test-ring]");
}

static void only_below_takes_the_layers_under_one(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "");
	setup_add_layer(f->scene, f->registry, "test-twist", "twist", "");
	snw_error error = {0};
	for (uint32_t below = 0; below < 4; below++) {
		const snw_stack_options options = {.only_below = true, .below_layer = below};
		snw_stack *stack;
		check_ok(snw_stack_build(f->scene, f->registry, &options, NULL, &stack, &error), error);
		assert_int_equal(snw_stack_segment_count(stack, 0), below < 2 ? 1 : 2);
		snw_stack_destroy(stack);
	}
}

static void missing_plugin_leaves_its_layer_out_with_a_notice(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "");
	setup_add_layer(f->scene, f->registry, "org.example.gone", "gone", "");
	assert_string_equal(segments(f, NULL), "morph + blend");
	assert_non_null(strstr(f->notices, "'gone'"));
	assert_non_null(strstr(f->notices, "org.example.gone"));
	assert_null(strstr(f->notices, "replaced")); /* a blend runs */
	snw_error error = {0};
	assert_int_equal(refusal(f, "gone", &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "org.example.gone"));
}

static void unknown_method_is_refused_with_a_list_of_names(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "my-blend", "");
	snw_error error = {0};
	assert_int_equal(refusal(f, "nonsense", &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "nonsense"));
	assert_non_null(strstr(error.text, "my-blend"));
	assert_non_null(strstr(error.text, "test-twist"));
}

static void setting_out_of_range_is_refused_with_the_range(void **state) {
	fixture *f = *state;
	snw_layer *layer = setup_add_layer(f->scene, f->registry, "test-twist", "twist", "strength=1");
	((snw_setting *)(uintptr_t)layer->settings)[0].value.numbers[0] = 3;
	snw_error error = {0};
	assert_int_equal(refusal(f, NULL, &error), SNW_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "strength cannot be '3'; expected numbers from 0 to 2"));
}

static void broken_parts_are_refused_by_name(void **state) {
	fixture *f = *state;
	static const struct {
		const char *method, *settings;
	} rows[] = {
		{"test-blend", "fault=slot"},
		{"test-blend", "fault=offsets"},
		{"test-blend", "kind=matrices fault=short-z"},
		{"test-blend", "kind=combined fault=short-z"},
		{"test-blend", "kind=dual-quaternion fault=short-z"},
		{"test-blend", "kind=combined fault=constant"},
		{"test-blend", "kind=sparse fault=short-z"},
		{"test-blend", "kind=sparse fault=constant"},
		{"test-blend", "kind=sparse fault=row-count"},
		{"test-blend", "kind=sparse fault=column-count"},
		{"test-blend", "kind=sparse fault=first-row"},
		{"test-blend", "kind=sparse fault=falling-rows"},
		{"test-blend", "kind=sparse fault=past-column"},
		{"test-blend", "kind=sparse fault=column-twice"},
		{"test-blend", "kind=sparse fault=entries"},
		{"test-blend", "kind=sparse fault=both"},
		{"test-blend", "kind=affine fault=offsets"},
		{"test-corrective", "fault=vector"},
		{"test-corrective", "fault=order"},
		{"test-corrective", "fault=frame"},
		{"test-corrective", "fault=coefficient"},
		{"test-corrective", "fault=no-points"},
		{"test-blend", "kind=matrices fault=loose-helper"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		f->scene->layer_count = 0;
		setup_add_layer(f->scene, f->registry, rows[i].method, "broken", rows[i].settings);
		snw_error error = {0};
		if (refusal(f, NULL, &error) != SNW_ERROR_DATA || !strstr(error.text, "'broken'")) {
			fail_msg("%s with %s: '%s'", rows[i].method, rows[i].settings, error.text);
		}
	}
}

/* The stack of one layer that fails at the second pose: in drive, or else in deform. */
static void check_failing_layer(fixture *f, const char *method, const char *settings, bool in_drive, snw_status expected,
								const char *words) {
	f->scene->layer_count = 0;
	setup_add_layer(f->scene, f->registry, method, "broken", settings);
	snw_stack *stack = build(f, NULL);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_error error = {0};
	double *points = malloc(3 * sizeof *points * f->scene->meshes[0].point_count);
	const snw_pose_view *pose = snw_pose_view_make(f->scene, &f->scene->poses[1], f->scene->arena);
	snw_status status = snw_stack_drive(stack, pose, evaluation, &error);
	if (!in_drive) {
		check_ok(status, error);
		status = snw_stack_reference(stack, evaluation, 0, NULL, points, &error);
	}
	assert_int_equal(status, expected);
	assert_non_null(strstr(error.text, "'broken'"));
	assert_non_null(strstr(error.text, words));
	free(points);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
}

static void drive_that_fails_is_an_error(void **state) {
	check_failing_layer(*state, "test-blend", "kind=matrices fault=drive-nan", true, SNW_ERROR_INTERNAL, "");
	check_failing_layer(*state, "test-blend", "kind=matrices fault=drive-error", true, SNW_ERROR_SINGULAR, "");
	check_failing_layer(*state, "test-blend", "kind=matrices fault=drive-caveat", true, SNW_ERROR_INTERNAL, "");
}

static void deform_that_fails_names_the_first_points(void **state) {
	check_failing_layer(*state, "test-twist", "fault=deform-error", false, SNW_ERROR_DATA, "points 512");
}

/* Only a fit may end with a caveat. */
static void caveat_of_prepare_or_deform_is_an_error(void **state) {
	check_failing_layer(*state, "test-twist", "fault=prepare-caveat", false, SNW_ERROR_INTERNAL, "");
	check_failing_layer(*state, "test-twist", "fault=deform-caveat", false, SNW_ERROR_INTERNAL, "");
}

static void lower_that_refuses_without_a_reason_is_reported_as_such(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-twist", "silent", "fault=no-reason");
	snw_stack *stack = build(f, NULL);
	const uint32_t top = snw_stack_segment_count(stack, 0) - 1;
	assert_string_equal(snw_stack_segment(stack, 0, top).reason, "its plug-in gives no reason");
	snw_stack_destroy(stack);
}

static void layer_that_lowers_to_a_value_of_a_later_host_runs_by_deform(void **state) {
	fixture *f = *state;
	static const char *const rows[][2] = {
		{"fault=blend", "it lowers to a blend that this version of Sinew does not know"},
		{"fault=palette", "it lowers to a palette that this version of Sinew does not know"},
		{"fault=sign-rule", "it lowers to a sign rule that this version of Sinew does not know"},
		{"fault=normals", "it lowers to normals that this version of Sinew does not know"},
		{"fault=asks", "the host has answered"}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		f->scene->layer_count = 0;
		setup_add_layer(f->scene, f->registry, "test-twist", "twist", rows[i][0]);
		assert_string_equal(segments(f, NULL), "morph | [twist]");
		snw_stack *stack = build(f, NULL);
		assert_string_equal(snw_stack_segment(stack, 0, 1).reason, rows[i][1]);
		snw_stack_destroy(stack);
	}
}

static void layer_that_lowers_to_a_value_of_a_later_host_and_has_no_deform_is_refused(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "later", "fault=blend");
	snw_error error = {0};
	assert_int_equal(refusal(f, NULL, &error), SNW_ERROR_INTERNAL);
	assert_non_null(strstr(error.text,
						   "layer 'later' (test-blend) neither lowers nor deforms mesh 'tube': it lowers to a blend that "
						   "this version of Sinew does not know"));
}

static void displacements_without_points_move_all_in_order(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-corrective", "all", "fault=all-points");
	snw_stack *stack = build(f, NULL);
	const uint32_t count = f->scene->meshes[0].point_count;
	const snw_program *program = snw_stack_segment(stack, 0, 0).program;
	for (int posed = 0; posed < 2; posed++) {
		const snw_displacements *list = posed ? &program->posed : &program->rest;
		for (uint32_t k = 0; k < 2; k++) {
			const uint64_t begin = list->offsets[list->count - 2 + k];
			assert_int_equal(list->offsets[list->count - 1 + k] - begin, count);
			for (uint32_t i = 0; i < count; i++) {
				double vector[3];
				layer_displacement(1, i, k, vector);
				assert_int_equal(list->points[begin + i], i);
				assert_memory_equal(list->vectors + 3 * (begin + i), vector, sizeof vector);
			}
		}
	}
	snw_stack_destroy(stack);
}

/* A scale that is left out is 1. */
static void helper_joints_have_axes_of_their_own(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "kind=matrices fault=turned-helper");
	snw_stack *stack = build(f, NULL);
	const snw_segment_info info = snw_stack_segment(stack, 0, 0);
	assert_int_equal(info.helper_count, 1);
	assert_string_equal(info.helpers[0].name, "helper");
	check_near(info.helpers[0].rotation[2], 0.6, 0);
	check_near(info.helpers[0].scale[1], 1, 0);
	snw_stack_destroy(stack);
}

static void deform_to_infinity_names_layer_plugin_and_first_point(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-twist", "broken", "fault=deform-nan passes=2");
	setup_add_layer(f->scene, f->registry, "test-ring", "ring", "");
	snw_stack *stack = build(f, NULL);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	const size_t numbers = (size_t)3 * f->scene->meshes[0].point_count;
	double *points = malloc(sizeof *points * numbers);
	float *floats = malloc(sizeof *floats * numbers);
	const snw_pose_view *pose = snw_pose_view_make(f->scene, &f->scene->poses[1], f->scene->arena);
	for (int run = 0; run < 2; run++) {
		snw_error error = {0};
		check_ok(snw_stack_drive(stack, pose, evaluation, &error), error);
		const snw_status status = run ? snw_stack_run(stack, evaluation, 0, floats, &error)
									  : snw_stack_reference(stack, evaluation, 0, NULL, points, &error);
		assert_int_equal(status, SNW_ERROR_DATA);
		static const char *const words[] = {"'broken'", "(test-twist)", "point 7 ", "mute"};
		for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
			if (!strstr(error.text, words[w])) {
				fail_msg("no %s in: %s", words[w], error.text);
			}
		}
	}
	free(floats);
	free(points);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
}

static void pose_of_another_character_is_refused(void **state) {
	fixture *f = *state;
	snw_stack *stack = build(f, NULL);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	snw_pose_view pose = *snw_pose_view_make(f->scene, &f->scene->poses[0], f->scene->arena);
	pose.joint_count = 2;
	snw_error error = {0};
	assert_int_equal(snw_stack_drive(stack, &pose, evaluation, &error), SNW_ERROR_ARGUMENT);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)context;
	(void)fraction;
	(void)activity;
	return false;
}

static void cancelled_build_leaves_no_stack(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "");
	const snw_task task = {.progress = stop};
	snw_error error = {0};
	snw_stack *stack = NULL;
	assert_int_equal(snw_stack_build(f->scene, f->registry, NULL, &task, &stack, &error), SNW_CANCELLED);
	assert_null(stack);
}

/* ---- stacks that are lent ------------------------------------------------------------------------------------------------ */

static const snw_stack *borrow(const fixture *f, const snw_scene *scene, const snw_stack_options *options) {
	const snw_stack *stack = NULL;
	snw_error error = {0};
	check_ok(snw_stack_borrow(scene, f->registry, options, NULL, &stack, &error), error);
	return stack;
}

/* The tube in a bent pose, [3000] numbers at most. */
static void pose_tube(const fixture *f, const snw_stack *stack, double *points) {
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const snw_pose_view *pose = snw_pose_view_make(f->scene, &f->scene->poses[3], f->scene->arena);
	snw_error error = {0};
	check_ok(snw_stack_drive(stack, pose, evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, 0, NULL, points, &error), error);
	snw_evaluation_destroy(evaluation);
}

static void owner_builds_each_stack_once_and_shares_their_layers(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "");
	setup_add_layer(f->scene, f->registry, "test-corrective", "corrective", "");
	setup_add_layer(f->scene, f->registry, "test-ring", "ring", "passes=3");
	snw_stack_owner *owner = snw_stack_owner_create(f->scene, f->registry);
	const snw_stack_options all = {0}, under = {.only_below = true, .below_layer = 2}, named = {.method = "blend"};
	const snw_stack *whole = borrow(f, f->scene, &all), *below = borrow(f, f->scene, &under);
	const snw_stack *lowest = borrow(f, f->scene, &named);
	assert_ptr_equal(borrow(f, f->scene, &all), whole);
	assert_ptr_equal(borrow(f, f->scene, &under), below);
	assert_ptr_equal(borrow(f, f->scene, &(snw_stack_options){.method = "blend"}), lowest);
	assert_true(whole != below && below != lowest && whole != lowest);
	const uint32_t *offsets = snw_stack_segment(whole, 0, 0).program->influence_offsets;
	assert_ptr_equal(snw_stack_segment(below, 0, 0).program->influence_offsets, offsets);
	assert_ptr_equal(snw_stack_segment(lowest, 0, 0).program->influence_offsets, offsets);
	snw_stack_give_back(whole); /* stays with its owner */
	const snw_stack *const lent[] = {whole, below, lowest};
	const snw_stack_options *const options[] = {&all, &under, &named};
	for (int i = 0; i < 3; i++) {
		static double points[3000], expected[3000];
		snw_error error = {0};
		snw_stack *alone = NULL;
		check_ok(snw_stack_build(f->scene, f->registry, options[i], NULL, &alone, &error), error);
		pose_tube(f, alone, expected);
		pose_tube(f, lent[i], points);
		assert_memory_equal(points, expected, 3 * f->scene->meshes[0].point_count * sizeof *points);
		snw_stack_destroy(alone);
	}
	snw_stack_owner_destroy(owner);
	assert_null(f->scene->stacks);
}

static void copy_with_other_layers_gets_a_stack_of_its_own(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "");
	setup_add_layer(f->scene, f->registry, "test-corrective", "corrective", "");
	const snw_stack_options all = {0};
	snw_stack_owner *owner = snw_stack_owner_create(f->scene, f->registry);
	const snw_stack *whole = borrow(f, f->scene, &all);
	snw_scene copy = *f->scene;
	copy.examples = snw_arena_copy(f->scene->arena, copy.examples, copy.example_count * sizeof *copy.examples);
	assert_ptr_equal(borrow(f, &copy, &all), whole); /* no layer reads examples */
	snw_layer *layers = snw_arena_copy(f->scene->arena, copy.layers, copy.layer_count * sizeof *layers);
	layers[1].muted = true;
	copy.layers = layers;
	const snw_stack *other = borrow(f, &copy, &all);
	assert_ptr_not_equal(other, whole);
	assert_string_equal(snw_stack_segment(other, 0, 0).layers, "morph + blend");
	snw_stack_give_back(other);
	snw_registry *empty = snw_registry_open_empty();
	snw_error error = {0};
	check_ok(snw_stack_borrow(f->scene, empty, &all, NULL, &other, &error), error); /* the plug-ins are missing there */
	assert_ptr_not_equal(other, whole);
	snw_stack_give_back(other);
	snw_registry_close(empty);
	snw_stack_owner_destroy(owner);
}

#define FIXTURE_TEST(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

TEST_GROUP(build) {
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(stack_without_layers_is_the_morphed_rest),
		FIXTURE_TEST(neighbours_that_lower_merge_into_one_program),
		FIXTURE_TEST(black_box_splits_and_rest_displacements_go_to_the_front),
		FIXTURE_TEST(blend_over_blend_begins_a_new_program),
		FIXTURE_TEST(second_blend_by_the_joints_is_reported),
		FIXTURE_TEST(method_of_a_layer_takes_it_and_the_layers_below),
		FIXTURE_TEST(method_outside_the_stack_gets_its_place),
		FIXTURE_TEST(only_below_takes_the_layers_under_one),
		FIXTURE_TEST(missing_plugin_leaves_its_layer_out_with_a_notice),
		FIXTURE_TEST(unknown_method_is_refused_with_a_list_of_names),
		FIXTURE_TEST(setting_out_of_range_is_refused_with_the_range),
		FIXTURE_TEST(broken_parts_are_refused_by_name),
		FIXTURE_TEST(drive_that_fails_is_an_error),
		FIXTURE_TEST(deform_that_fails_names_the_first_points),
		FIXTURE_TEST(caveat_of_prepare_or_deform_is_an_error),
		FIXTURE_TEST(lower_that_refuses_without_a_reason_is_reported_as_such),
		FIXTURE_TEST(layer_that_lowers_to_a_value_of_a_later_host_runs_by_deform),
		FIXTURE_TEST(layer_that_lowers_to_a_value_of_a_later_host_and_has_no_deform_is_refused),
		FIXTURE_TEST(displacements_without_points_move_all_in_order),
		FIXTURE_TEST(helper_joints_have_axes_of_their_own),
		FIXTURE_TEST(deform_to_infinity_names_layer_plugin_and_first_point),
		FIXTURE_TEST(pose_of_another_character_is_refused),
		FIXTURE_TEST(cancelled_build_leaves_no_stack),
		FIXTURE_TEST(owner_builds_each_stack_once_and_shares_their_layers),
		FIXTURE_TEST(copy_with_other_layers_gets_a_stack_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
