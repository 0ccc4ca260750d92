/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits: their input, their results, and what they do not change.
 */
#include "fit/fit.h"

#include <unistd.h>

#include "project/project.h"
#include "scene/scene.h"
#include "setup.h"

#include "fitter.h"
#include "layers.h"

typedef struct fixture {
	snw_registry *registry;
	snw_scene *scene;
	snw_arena *arena;
} fixture;

static int open_fixture(void **state) {
	fixture *f = calloc(1, sizeof *f);
	snw_error error = {0};
	f->registry = setup_registry(TEST_LAYERS);
	check_ok(snw_registry_load(f->registry, TEST_FITTER, &error), error);
	f->scene = snw_trial_character();
	f->arena = snw_arena_create();
	*state = f;
	return 0;
}

static int close_fixture(void **state) {
	fixture *f = *state;
	snw_arena_destroy(f->arena);
	snw_scene_destroy(f->scene);
	snw_registry_close(f->registry);
	free(f);
	return 0;
}

static snw_status fit(fixture *f, double ends_as, uint32_t left_out, const snw_task *task, snw_fit_outcome *outcome,
					  snw_error *error) {
	const snw_setting setting = {"outcome", SNW_VALUE(ends_as)};
	const snw_fit_request request = {
		.method = "test-fitter", .setting_count = 1, .settings = &setting, .left_out_example = left_out};
	*outcome = (snw_fit_outcome){.arena = f->arena};
	return snw_fit_run(f->scene, f->registry, &request, task, outcome, error);
}

/* The index of an outcome's name in the test method's choice. */
static double ending(const char *name) {
	static const char *const names[] = {FITTER_OUTCOMES};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(names[i], name) == 0) {
			return (double)i;
		}
	}
	fail_msg("no outcome '%s'", name);
	return 0;
}

static fitter_record record_of(const snw_fit_outcome *outcome) {
	fitter_record record;
	assert_int_equal(outcome->model.byte_count, sizeof record);
	memcpy(&record, outcome->model.bytes, sizeof record);
	return record;
}

static snw_fit_outcome must_fit(fixture *f, const char *ends_as) {
	snw_fit_outcome outcome;
	snw_error error = {0};
	check_ok(fit(f, ending(ends_as), SNW_NONE, NULL, &outcome, &error), error);
	return outcome;
}

static snw_scene *must_apply(const snw_scene *scene, const snw_fit_outcome *outcome) {
	snw_error error = {0};
	snw_scene *after = NULL;
	check_ok(snw_fit_apply(scene, outcome, &after, &error), error);
	return after;
}

static void fit_becomes_a_layer_that_runs(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-twist", "twist", "strength=0");
	const snw_fit_outcome outcome = must_fit(f, "ok");
	assert_string_equal(outcome.layer.name, "test-fitter");
	assert_string_equal(outcome.model.deformer, "org.sinew.test.fitter");
	snw_scene *after = must_apply(f->scene, &outcome);
	assert_int_equal(f->scene->layer_count, 1);
	assert_int_equal(after->layer_count, 2);
	assert_int_equal(after->layers[1].model, 0);
	snw_stack *stack = setup_stack(after, f->registry, NULL);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	snw_error error = {0};
	double *points = malloc(3 * sizeof *points * after->meshes[0].point_count);
	check_ok(snw_stack_drive(stack, snw_pose_view_make(after, &after->poses[0], after->arena), evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, 0, NULL, points, &error), error);
	check_near(points[1], after->meshes[0].points_rest[1] + 0.25, 1e-15);
	free(points);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_scene_destroy(after);
}

static void second_fit_replaces_the_layer_and_keeps_its_settings(void **state) {
	fixture *f = *state;
	snw_error error = {0};
	const snw_setting amount = {"amount", SNW_VALUE(0.75)};
	const snw_fit_request first = {
		.method = "test-fitter", .layer = "mine", .setting_count = 1, .settings = &amount, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = f->arena};
	check_ok(snw_fit_run(f->scene, f->registry, &first, NULL, &outcome, &error), error);
	snw_scene *after = must_apply(f->scene, &outcome);
	((snw_layer *)(uintptr_t)after->layers)[0].id = 41;
	((snw_saved_model *)(uintptr_t)after->models)[0].id = 42;
	const snw_fit_request second = {.method = "test-fitter", .layer = "mine", .left_out_example = SNW_NONE};
	outcome = (snw_fit_outcome){.arena = f->arena};
	check_ok(snw_fit_run(after, f->registry, &second, NULL, &outcome, &error), error);
	assert_true(record_of(&outcome).amount == 0.75);
	snw_scene *again = must_apply(after, &outcome);
	assert_int_equal(again->layer_count, 1);
	assert_int_equal(again->model_count, 1);
	assert_int_equal(again->layers[0].id, 41);
	assert_int_equal(again->models[0].id, 42);
	assert_int_equal(again->layers[0].setting_count, 1);
	snw_scene_destroy(again);
	snw_scene_destroy(after);
}

/* Where the twists below move point 5, at any pose. */
static void twisted(const fixture *f, double strength, double x_offset, double out[3]) {
	double in[3];
	memcpy(in, f->scene->meshes[0].points_rest + 15, sizeof in);
	in[0] += x_offset;
	layer_twist(strength, in, out);
}

static void fit_reads_only_the_layers_below(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-twist", "lower", "strength=1");
	setup_add_layer(f->scene, f->registry, "test-fitter", "test-fitter", "");
	setup_add_layer(f->scene, f->registry, "test-twist", "upper", "strength=0.5");
	double wanted[3];
	fitter_record record;
	{
		const snw_fit_outcome outcome = must_fit(f, "ok");
		record = record_of(&outcome);
	}
	assert_int_equal(record.below_status, SNW_OK);
	twisted(f, 1, 0, wanted);
	assert_true(setup_distance(wanted, record.below, 3) < 1e-14);
	twisted(f, 1, 0.5, wanted);
	assert_true(setup_distance(wanted, record.below + 3, 3) < 1e-14);
	assert_int_equal(record.affine_status, SNW_ERROR_UNSUPPORTED);
	assert_int_equal(record.past_status, SNW_ERROR_ARGUMENT);

	/* A layer of another name is added on top: everything lies below it. */
	snw_error error = {0};
	((snw_layer *)(uintptr_t)f->scene->layers)[1].muted = true;
	const snw_fit_request request = {.method = "test-fitter", .layer = "another", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = f->arena};
	check_ok(snw_fit_run(f->scene, f->registry, &request, NULL, &outcome, &error), error);
	record = record_of(&outcome);
	twisted(f, 1.5, 0, wanted);
	assert_true(setup_distance(wanted, record.below, 3) < 1e-14);
}

static void below_an_affine_stack_gives_its_matrices(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-blend", "blend", "kind=affine");
	setup_add_layer(f->scene, f->registry, "test-corrective", "corrective", "");
	const snw_fit_outcome outcome = must_fit(f, "ok");
	const fitter_record record = record_of(&outcome);
	assert_int_equal(record.affine_status, SNW_OK);
	assert_int_equal(record.rings, 0);
	double rest[3], posed[3];
	for (int displaced = 0; displaced < 2; displaced++) {
		memcpy(rest, f->scene->meshes[0].points_rest + 15, sizeof rest);
		rest[0] += 0.5 * displaced;
		snw_mat34_point(record.matrix, rest, posed);
		assert_true(setup_distance(posed, record.below + 3 * displaced, 3) < 1e-13);
	}
}

static void left_out_example_is_gone_from_examples_and_groups(void **state) {
	fixture *f = *state;
	snw_fit_outcome outcome;
	snw_error error = {0};
	check_ok(fit(f, ending("ok"), 0, NULL, &outcome, &error), error);
	const fitter_record record = record_of(&outcome);
	assert_int_equal(record.example_count, 1);
	assert_int_equal(record.group_count, 1);
	assert_int_equal(record.member_count, 1);
	f->scene->example_count = 1;
	f->scene->group_count = 1;
	assert_int_equal(fit(f, ending("ok"), 0, NULL, &outcome, &error), SNW_ERROR_MISSING);
}

static bool stop_after_three(void *context, double fraction, const char *activity) {
	assert_true(fraction >= 0 && fraction <= 1);
	assert_non_null(activity);
	return ++*(int *)context < 3;
}

static void cancelled_fit_leaves_nothing(void **state) {
	fixture *f = *state;
	int calls = 0;
	const snw_task task = {.context = &calls, .progress = stop_after_three};
	snw_fit_outcome outcome;
	snw_error error = {0};
	assert_int_equal(fit(f, ending("wait"), SNW_NONE, &task, &outcome, &error), SNW_CANCELLED);
	assert_int_equal(calls, 3);
	const snw_fit_outcome untouched = {.arena = f->arena};
	assert_memory_equal(&outcome, &untouched, sizeof outcome);
}

static void caveat_has_a_model_and_a_message(void **state) {
	fixture *f = *state;
	snw_fit_outcome outcome;
	snw_error error = {0};
	assert_int_equal(fit(f, ending("not-converged"), SNW_NONE, NULL, &outcome, &error), SNW_NOT_CONVERGED);
	assert_int_equal(outcome.status, SNW_NOT_CONVERGED);
	assert_string_equal(outcome.caveat, "stopped after 7 steps");
	assert_true(outcome.model.byte_count > 0);
}

static void failed_fit_reports_the_plugins_message_in_one_line(void **state) {
	fixture *f = *state;
	snw_fit_outcome outcome;
	snw_error error = {0};
	assert_int_equal(fit(f, ending("fail"), SNW_NONE, NULL, &outcome, &error), SNW_ERROR_SINGULAR);
	assert_string_equal(error.text, "test-fitter failed in fit: example 'bent' is singular at point 3");
}

static void fit_that_fails_without_a_message_gives_no_reason(void **state) {
	fixture *f = *state;
	snw_fit_outcome outcome;
	snw_error error = {0};
	assert_int_equal(fit(f, ending("fail-silently"), SNW_NONE, NULL, &outcome, &error), SNW_ERROR_DATA);
	assert_string_equal(error.text, "test-fitter failed in fit: the plug-in gave no reason; its status says that it was given "
									"malformed data");
}

static void fit_that_breaks_rules_is_refused(void **state) {
	fixture *f = *state;
	static const struct {
		const char *ending, *words;
		snw_status status;
	} rows[] = {
		{"no-model", "no model", SNW_ERROR_INTERNAL},
		{"bad-field", "'undeclared'", SNW_ERROR_INTERNAL},
		{"unreadable", "these are not its bytes", SNW_ERROR_DATA},
		{"skeleton", "has a skeleton", SNW_ERROR_CONFLICT},
		{"bad-colour", "field 'tint': element", SNW_ERROR_INTERNAL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snw_fit_outcome outcome;
		snw_error error = {0};
		assert_int_equal(fit(f, ending(rows[i].ending), SNW_NONE, NULL, &outcome, &error), rows[i].status);
		if (!strstr(error.text, rows[i].words)) {
			fail_msg("%s: '%s'", rows[i].ending, error.text);
		}
	}
}

static void proposals_become_part_of_the_new_scene(void **state) {
	fixture *f = *state;
	const snw_fit_outcome outcome = must_fit(f, "propose");
	assert_int_equal(snw_scene_find_pose(f->scene, "proposed"), SNW_NONE);
	snw_scene *after = must_apply(f->scene, &outcome);
	snw_scene *again = must_apply(after, &outcome);
	for (int i = 0; i < 2; i++) {
		const snw_scene *scene = i == 0 ? after : again;
		const uint32_t field = snw_scene_find_field(scene, 0, "test-fitter.residual");
		const uint32_t pose = snw_scene_find_pose(scene, "proposed"), clip = snw_scene_find_clip(scene, "tracked");
		assert_true(field != SNW_NONE && pose != SNW_NONE && clip != SNW_NONE);
		assert_true(scene->fields[field].values[7] == 7);
		check_near(scene->poses[pose].local[1].translation[1], 0.125, 0);
		assert_int_equal(scene->clips[clip].track_count, 1);
		assert_int_equal(scene->clips[clip].tracks[0].path, SNW_PATH_TRANSLATION);
		assert_int_equal(scene->clips[clip].tracks[0].target, 1);
		assert_int_equal(scene->meshes[0].influence_offsets[10], 10);
		const uint32_t target = snw_scene_find_target(scene, "meant");
		assert_int_equal(scene->targets[target].clip, clip);
		assert_int_equal(scene->targets[target].frame_count, 2);
		check_near(scene->targets[target].points_posed[107], 7, 0);
		assert_int_equal(scene->target_count, f->scene->target_count + 1);
		assert_int_equal(scene->field_count, f->scene->field_count + 1);
		assert_int_equal(scene->pose_count, f->scene->pose_count + 1);
		assert_int_equal(scene->clip_count, f->scene->clip_count + 1);
	}
	assert_true(f->scene->meshes[0].influence_offsets[10] != 10 || f->scene->meshes[0].influence_slots[9] != 1);
	snw_scene_destroy(again);
	snw_scene_destroy(after);
}

static void proposed_target_is_stored_with_the_clip_of_its_track(void **state) {
	fixture *f = *state;
	const char *path = check_scratch("proposed.sinew");
	snw_project *project = NULL;
	snw_scene *stored = NULL;
	snw_error error = {0};
	check_ok(snw_project_write(path, f->scene, "trial", &error), error);
	check_ok(snw_project_open(path, false, &project, &error), error);
	snw_scene_destroy(f->scene);
	check_ok(snw_project_scene(project, &f->scene, &error), error);
	const snw_fit_outcome outcome = must_fit(f, "propose");
	check_ok(snw_project_commit_fit(project, NULL, &outcome, "fit", &error), error);
	check_ok(snw_project_scene(project, &stored, &error), error);
	const snw_target *target = &stored->targets[snw_scene_find_target(stored, "meant")];
	assert_string_equal(stored->clips[target->clip].name, "tracked");
	assert_int_equal(target->frame_count, 2);
	check_near(target->points_posed[107], 7, 0);
	snw_scene_destroy(stored);
	snw_project_close(project);
	unlink(path);
}

static void field_keeps_the_unit_that_its_method_declares(void **state) {
	fixture *f = *state;
	static const struct {
		const char *ending, *field, *unit, *words;
	} rows[] = {{"propose", "test-fitter.residual", "m", "test-fitter.residual (mm)"},
				{"colour", "test-fitter.tint", SNW_UNIT_COLOR, "test-fitter.tint"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const snw_fit_outcome outcome = must_fit(f, rows[i].ending);
		snw_scene *after = must_apply(f->scene, &outcome);
		char words[80];
		const uint32_t found = snw_scene_find_field(after, 0, rows[i].field);
		assert_true(found != SNW_NONE);
		assert_string_equal(after->fields[found].unit, rows[i].unit);
		assert_int_equal(snw_field_is_color(&after->fields[found]), i == 1);
		snw_field_title(&after->fields[found], words, sizeof words);
		assert_string_equal(words, rows[i].words);
		snw_scene_destroy(after);
	}
}

static void skeleton_for_a_character_without_one_is_taken(void **state) {
	fixture *f = *state;
	snw_scene *scene = f->scene;
	scene->skeleton = (snw_skeleton){0};
	scene->slot_count = scene->clip_count = scene->group_count = 0;
	scene->target_count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		snw_mesh *mesh = (snw_mesh *)(uintptr_t)&scene->meshes[m];
		mesh->influence_offsets = mesh->influence_slots = NULL;
		mesh->influence_weights = NULL;
	}
	const snw_fit_outcome outcome = must_fit(f, "skeleton");
	snw_scene *after = must_apply(scene, &outcome);
	assert_int_equal(after->skeleton.joint_count, 2);
	assert_int_equal(after->slot_count, 2);
	assert_string_equal(after->skeleton.names[1], "b");
	check_near(after->poses[1].local[1].translation[0], 1, 0);
	snw_scene_destroy(after);
}

static void missing_needs_name_the_command_that_adds_them(void **state) {
	fixture *f = *state;
	f->scene->example_count = f->scene->group_count = 0;
	snw_fit_outcome outcome;
	snw_error error = {0};
	assert_int_equal(fit(f, ending("ok"), SNW_NONE, NULL, &outcome, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "test-fitter needs examples"));
	assert_non_null(strstr(error.text, "sinew example P.sinew add"));
}

static void request_that_makes_no_sense_is_refused(void **state) {
	fixture *f = *state;
	setup_add_layer(f->scene, f->registry, "test-twist", "taken", "");
	const snw_setting unknown = {"nonsense", SNW_VALUE(1)};
	const struct {
		snw_fit_request request;
		snw_status status;
		const char *words;
	} rows[] = {
		{{.method = "nonsense"}, SNW_ERROR_MISSING, "test-fitter"},
		{{.method = "test-twist"}, SNW_ERROR_UNSUPPORTED, "needs no fit"},
		{{.method = "test-fitter", .layer = "taken"}, SNW_ERROR_CONFLICT, "'taken'"},
		{{.method = "test-fitter", .setting_count = 1, .settings = &unknown}, SNW_ERROR_ARGUMENT, "outcome, amount"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snw_fit_outcome outcome = {.arena = f->arena};
		snw_error error = {0};
		snw_fit_request request = rows[i].request;
		request.left_out_example = SNW_NONE;
		assert_int_equal(snw_fit_run(f->scene, f->registry, &request, NULL, &outcome, &error), rows[i].status);
		if (!strstr(error.text, rows[i].words)) {
			fail_msg("row %zu: '%s'", i, error.text);
		}
	}
}

/* The largest distance of the stack from an example at its own pose, by the truth or the fast evaluator. */
static double example_distance(const snw_scene *scene, const snw_stack *stack, uint32_t example, bool fast) {
	snw_error error = {0};
	const uint32_t points = scene->meshes[0].point_count;
	double *truth = malloc(3 * sizeof *truth * points);
	float *floats = malloc(3 * sizeof *floats * points);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	const snw_pose *pose = &scene->poses[scene->examples[example].pose];
	check_ok(snw_stack_drive(stack, snw_pose_view_make(scene, pose, scene->arena), evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, 0, NULL, truth, &error), error);
	check_ok(snw_stack_run(stack, evaluation, 0, floats, &error), error);
	for (uint32_t i = 0; fast && i < 3 * points; i++) {
		truth[i] = (double)floats[i];
	}
	const double distance = setup_distance(truth, scene->examples[example].points_posed, 3 * (size_t)points);
	snw_evaluation_destroy(evaluation);
	free(floats);
	free(truth);
	return distance;
}

static void inverse_psd_gives_its_examples_back(void **state) {
	fixture *f = *state;
	snw_error error = {0};
	const double diagonal = snw_scene_diagonal(f->scene, 0);
	setup_add_layer(f->scene, f->registry, "linear-blend", "linear-blend", "");
	const snw_fit_request request = {.method = "inverse-psd", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = f->arena};
	check_ok(snw_fit_run(f->scene, f->registry, &request, NULL, &outcome, &error), error);
	snw_scene *after = must_apply(f->scene, &outcome);
	snw_stack *before_stack = setup_stack(after, f->registry, "linear-blend"), *stack = setup_stack(after, f->registry, NULL);
	assert_int_equal(snw_stack_segment_count(stack, 0), 1);
	for (uint32_t i = 0; i < after->example_count; i++) {
		assert_true(example_distance(after, before_stack, i, false) > 0.005 * diagonal);
		check_near(example_distance(after, stack, i, false), 0, 1e-6 * diagonal);
		check_near(example_distance(after, stack, i, true), 0, 1e-5 * diagonal);
	}
	snw_stack_destroy(before_stack);
	snw_stack_destroy(stack);
	snw_scene_destroy(after);
}

static void names_of_segments(const snw_scene *scene, const snw_registry *registry, const char *method, char *names) {
	snw_stack *stack = setup_stack(scene, registry, method);
	names[0] = 0;
	for (uint32_t s = 0; s < snw_stack_segment_count(stack, 0); s++) {
		strcat(strcat(names, s > 0 ? " | " : ""), snw_stack_segment(stack, 0, s).layers);
	}
	snw_stack_destroy(stack);
}

static void fitted_blend_takes_the_place_of_the_base_blend(void **state) {
	fixture *f = *state;
	snw_error error = {0};
	char names[400];
	setup_add_layer(f->scene, f->registry, "linear-blend", "base", "");
	setup_add_layer(f->scene, f->registry, "smooth", "smooth", "");
	const snw_fit_request request = {.method = "linear-blend-fit", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = f->arena};
	check_ok(snw_fit_run(f->scene, f->registry, &request, NULL, &outcome, &error), error);
	assert_string_equal(outcome.replaces, "base");
	snw_scene *after = must_apply(f->scene, &outcome);
	assert_int_equal(after->layer_count, 3);
	assert_string_equal(after->layers[0].name, "base");
	assert_true(after->layers[0].muted && !f->scene->layers[0].muted);
	assert_string_equal(after->layers[1].name, "linear-blend-fit");
	assert_string_equal(after->layers[2].name, "smooth");
	names_of_segments(after, f->registry, NULL, names);
	assert_string_equal(names, "morph + linear-blend-fit | smooth");
	names_of_segments(after, f->registry, "linear-blend-fit", names);
	assert_string_equal(names, "morph + linear-blend-fit");
	names_of_segments(after, f->registry, "linear-blend", names);
	assert_string_equal(names, "morph + base");
	names_of_segments(after, f->registry, "dual-quaternion", names);
	assert_string_equal(names, "morph + dual-quaternion");
	/* A second fit: there is no layer to replace, and no layer moves. Correctives go on top. */
	check_ok(snw_fit_run(after, f->registry, &request, NULL, &outcome, &error), error);
	assert_null(outcome.replaces);
	snw_scene *again = must_apply(after, &outcome);
	assert_int_equal(again->layer_count, 3);
	assert_true(again->layers[0].muted);
	assert_int_equal(again->model_count, 1);
	/* The base blend back in: the next fit takes its place again. */
	((snw_layer *)(uintptr_t)again->layers)[0].muted = false;
	check_ok(snw_fit_run(again, f->registry, &request, NULL, &outcome, &error), error);
	assert_string_equal(outcome.replaces, "base");
	snw_scene_destroy(again);
	snw_scene_destroy(after);
}

static void corrective_over_a_fitted_blend_gives_its_examples_back(void **state) {
	fixture *f = *state;
	snw_error error = {0};
	setup_add_layer(f->scene, f->registry, "linear-blend", "linear-blend", "");
	const char *const methods[] = {"inverse-psd", "linear-blend-fit", "inverse-psd"};
	snw_scene *scene = snw_scene_copy(f->scene);
	for (int i = 0; i < 3; i++) {
		const snw_fit_request request = {.method = methods[i], .left_out_example = SNW_NONE};
		snw_fit_outcome outcome = {.arena = f->arena};
		check_ok(snw_fit_run(scene, f->registry, &request, NULL, &outcome, &error), error);
		snw_scene *after = must_apply(scene, &outcome);
		snw_scene_destroy(scene);
		scene = after;
	}
	assert_int_equal(scene->layer_count, 3);
	assert_string_equal(scene->layers[2].name, "inverse-psd");
	snw_stack *stack = setup_stack(scene, f->registry, NULL);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		check_near(example_distance(scene, stack, i, false), 0, 1e-6 * snw_scene_diagonal(scene, 0));
	}
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
}

#define FIXTURE_TEST(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

TEST_GROUP(fit) {
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(fit_becomes_a_layer_that_runs),
		FIXTURE_TEST(second_fit_replaces_the_layer_and_keeps_its_settings),
		FIXTURE_TEST(fit_reads_only_the_layers_below),
		FIXTURE_TEST(below_an_affine_stack_gives_its_matrices),
		FIXTURE_TEST(left_out_example_is_gone_from_examples_and_groups),
		FIXTURE_TEST(cancelled_fit_leaves_nothing),
		FIXTURE_TEST(caveat_has_a_model_and_a_message),
		FIXTURE_TEST(failed_fit_reports_the_plugins_message_in_one_line),
		FIXTURE_TEST(fit_that_fails_without_a_message_gives_no_reason),
		FIXTURE_TEST(fit_that_breaks_rules_is_refused),
		FIXTURE_TEST(field_keeps_the_unit_that_its_method_declares),
		FIXTURE_TEST(proposals_become_part_of_the_new_scene),
		FIXTURE_TEST(proposed_target_is_stored_with_the_clip_of_its_track),
		FIXTURE_TEST(skeleton_for_a_character_without_one_is_taken),
		FIXTURE_TEST(missing_needs_name_the_command_that_adds_them),
		FIXTURE_TEST(inverse_psd_gives_its_examples_back),
		FIXTURE_TEST(fitted_blend_takes_the_place_of_the_base_blend),
		FIXTURE_TEST(corrective_over_a_fitted_blend_gives_its_examples_back),
		FIXTURE_TEST(request_that_makes_no_sense_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
