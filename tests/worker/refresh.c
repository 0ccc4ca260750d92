/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lasting sculpts: a model knows when what its fit read has changed, and is fitted again as part of the step that changed it.
 */
#include "check.h"

#include "fit/fit.h"
#include "fit/stale.h"
#include "kept_registry.h"
#include "operate.h"
#include "pose/pose.h"
#include "project/project.h"
#include "sample/sample.h"
#include "stack/stack.h"
#include "tiny_arm.h"
#include "worker/worker.h"

/* The arm, fitted, open for commands. */
typedef struct refresh_fixture {
	const char *path;
	snw_project *project;
	snw_scene *scene;
	snw_arena *arena;
} refresh_fixture;

static snw_error error;

static void read_scene(refresh_fixture *d) {
	snw_scene_destroy(d->scene);
	d->scene = NULL;
	check_ok(snw_project_scene(d->project, &d->scene, &error), error);
}

static refresh_fixture open_fixture(const char *name) {
	refresh_fixture d = {.path = check_scratch(name), .arena = snw_arena_create()};
	snw_scene *made = NULL;
	check_ok(make_tiny_arm(&made, &error), error);
	check_ok(snw_project_write(d.path, made, "sample arm", &error), error);
	snw_scene_destroy(made);
	check_ok(snw_project_open(d.path, false, &d.project, &error), error);
	read_scene(&d);
	const snw_fit_request request = {.method = "inverse-psd", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = d.arena};
	assert_true(!snw_failed(snw_fit_run(d.scene, kept_registry(), &request, NULL, &outcome, &error)));
	check_ok(snw_project_commit_fit(d.project, kept_registry(), &outcome, "fit", &error), error);
	read_scene(&d);
	return d;
}

static void close_fixture(refresh_fixture *d) {
	snw_scene_destroy(d->scene);
	snw_project_close(d->project);
	snw_arena_destroy(d->arena);
	unlink(d->path);
}

static uint32_t corrective(const refresh_fixture *d) {
	const uint32_t layer = snw_scene_find_layer(d->scene, "inverse-psd");
	assert_true(layer != SNW_NONE);
	return layer;
}

static uint32_t stale(const refresh_fixture *d) {
	return snw_layer_stale(d->scene, kept_registry(), corrective(d));
}

static void begin(refresh_fixture *d) {
	check_ok(snw_project_begin(d->project, "change", &error), error);
}

static void commit(refresh_fixture *d) {
	check_ok(snw_project_commit(d->project, &error), error);
	read_scene(d);
}

static void undo(refresh_fixture *d) {
	check_ok(snw_project_undo(d->project, NULL, &error), error);
	read_scene(d);
}

/* ---- changes ------------------------------------------------------------------------------------------------------------- */

static void change_sculpt(refresh_fixture *d) {
	snw_example example = d->scene->examples[0];
	const snw_mesh *mesh = &d->scene->meshes[0];
	double *points = snw_arena_copy(d->arena, example.points_posed, 3 * (size_t)mesh->point_count * sizeof *points);
	points[0] += 0.01;
	example.points_posed = points;
	begin(d);
	check_ok(snw_project_put_example(d->project, &example, d->scene->poses[example.pose].id, mesh->id, mesh->point_count, NULL,
									 &error),
			 error);
	commit(d);
}

static void change_group(refresh_fixture *d) {
	snw_group group = d->scene->groups[0];
	group.joints = (uint32_t[]){0};
	group.joint_count = 1;
	int64_t *examples = SNW_NEW_ARRAY(d->arena, int64_t, group.member_count);
	for (uint32_t m = 0; m < group.member_count; m++) {
		examples[m] = d->scene->examples[group.members[m].example].id;
	}
	begin(d);
	check_ok(snw_project_put_group(d->project, &group, examples, NULL, NULL, &error), error);
	commit(d);
}

static void change_setting(refresh_fixture *d) {
	snw_layer layer = d->scene->layers[corrective(d)];
	layer.settings = &(snw_setting){"kernel", SNW_VALUE(1)};
	layer.setting_count = 1;
	begin(d);
	check_ok(snw_project_put_layer(d->project, &layer, d->scene->models[layer.model].id, -1, NULL, &error), error);
	commit(d);
}

static void change_weights(refresh_fixture *d) {
	const snw_mesh *mesh = &d->scene->meshes[0];
	const uint32_t count = mesh->influence_offsets[mesh->point_count];
	double *weights = snw_arena_copy(d->arena, mesh->influence_weights, count * sizeof *weights);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const uint32_t begins = mesh->influence_offsets[i];
		if (mesh->influence_offsets[i + 1] - begins >= 2) {
			const double share = 0.3 * weights[begins];
			weights[begins] -= share;
			weights[begins + 1] += share;
		}
	}
	begin(d);
	check_ok(snw_project_put_skin(d->project, mesh->id, mesh->point_count, mesh->influence_offsets, mesh->influence_slots,
								  weights, &error),
			 error);
	commit(d);
}

static void change_below(refresh_fixture *d) {
	const snw_layer layer = {.name = "smooth", .deformer = "org.sinew.smooth", .deformer_version = "1.0", .model = SNW_NONE};
	begin(d);
	check_ok(snw_project_put_layer(d->project, &layer, 0, 1, NULL, &error), error);
	commit(d);
}

static void change_above(refresh_fixture *d) {
	const snw_layer layer = {.name = "smooth", .deformer = "org.sinew.smooth", .deformer_version = "1.0", .model = SNW_NONE};
	begin(d);
	check_ok(snw_project_put_layer(d->project, &layer, 0, -1, NULL, &error), error);
	commit(d);
}

static void change_target(refresh_fixture *d) {
	snw_target target = d->scene->targets[0];
	const snw_mesh *mesh = &d->scene->meshes[0];
	target.frame_count--;
	begin(d);
	check_ok(
		snw_project_put_target(d->project, &target, mesh->id, mesh->point_count, d->scene->clips[target.clip].id, NULL, &error),
		error);
	commit(d);
}

/* ---- tests --------------------------------------------------------------------------------------------------------------- */

static void model_names_the_changes_since_its_fit(void **state) {
	(void)state;
	static const struct {
		void (*change)(refresh_fixture *);
		uint32_t stale;
		const char *words;
	} rows[] = {
		{change_sculpt, 1u << SNW_READ_EXAMPLES, "the examples changed"},
		{change_group, 1u << SNW_READ_GROUPS, "the groups changed"},
		{change_setting, 1u << SNW_READ_METHOD, "its parameters changed"},
		{change_weights, 1u << SNW_READ_SKINS, "the weights changed"},
		{change_below, 1u << SNW_READ_BELOW, "the layers below it changed"},
		{change_above, 0, NULL},
		{change_target, 0, NULL},
	};
	refresh_fixture d = open_fixture("stale.sinew");
	assert_int_equal(stale(&d), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		rows[i].change(&d);
		assert_int_equal(stale(&d), rows[i].stale);
		if (rows[i].words) {
			assert_string_equal(snw_stale_words(rows[i].stale, d.arena), rows[i].words);
		}
		undo(&d);
		assert_int_equal(stale(&d), 0);
	}
	assert_string_equal(snw_stale_words(1u << SNW_READ_MESHES | 1u << SNW_READ_SKINS | 1u << SNW_READ_BELOW, d.arena),
						"the mesh, the weights and the layers below it changed");
	close_fixture(&d);
}

static void model_from_before_hashes_is_of_unknown_state(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("unknown.sinew");
	snw_saved_model model = d.scene->models[0];
	model.reads = NULL;
	begin(&d);
	check_ok(snw_project_put_model(d.project, &model, NULL, &error), error);
	commit(&d);
	assert_int_equal(stale(&d), SNW_STALE_UNKNOWN);
	close_fixture(&d);
}

/* The farthest that the whole stack is from the first sculpt, at its pose. */
static double miss(const refresh_fixture *d) {
	snw_stack *stack = NULL;
	const snw_example *example = &d->scene->examples[0];
	const size_t numbers = 3 * (size_t)d->scene->meshes[0].point_count;
	double *points = snw_arena_array(d->arena, numbers, sizeof *points), most = 0;
	check_ok(snw_stack_build(d->scene, kept_registry(), NULL, NULL, &stack, &error), error);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	check_ok(
		snw_stack_drive(stack, snw_pose_view_make(d->scene, &d->scene->poses[example->pose], d->arena), evaluation, &error),
		error);
	check_ok(snw_stack_reference(stack, evaluation, 0, NULL, points, &error), error);
	for (size_t i = 0; i < numbers; i++) {
		most = fmax(most, fabs(points[i] - example->points_posed[i]));
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	return most;
}

static void refresh(refresh_fixture *d, bool in_process, snw_refresh *done) {
	const snw_worker_limits limits = {.in_process = in_process};
	check_ok(snw_worker_refresh(d->project, d->path, kept_registry(), &limits, NULL, d->arena, done, &error), error);
	read_scene(d);
}

static uint32_t history_length(refresh_fixture *d) {
	snw_history_entry *entries;
	uint32_t count;
	check_ok(snw_project_history(d->project, d->arena, &entries, &count, &error), error);
	return count;
}

static void sculpts_last_when_weights_change(void **state) {
	(void)state;
	const double near = 1e-6 * 0.7;
	for (int in_process = 0; in_process < 2; in_process++) {
		refresh_fixture d = open_fixture("lasting.sinew");
		snw_refresh done;
		assert_true(miss(&d) < near);
		change_weights(&d);
		const uint32_t length = history_length(&d);
		assert_true(miss(&d) > 100 * near);
		refresh(&d, in_process, &done);
		assert_int_equal(done.fitted_count, 1);
		assert_string_equal(done.fitted[0], "inverse-psd");
		assert_int_equal(stale(&d), 0);
		assert_true(miss(&d) < near);
		assert_int_equal(history_length(&d), length); /* one step with the change */
		refresh(&d, in_process, &done);
		assert_int_equal(done.fitted_count, 0);
		undo(&d); /* takes back both */
		assert_int_equal(stale(&d), 0);
		assert_true(miss(&d) < near);
		check_ok(snw_project_redo(d.project, NULL, &error), error);
		read_scene(&d);
		assert_int_equal(stale(&d), 0);
		assert_true(miss(&d) < near);
		close_fixture(&d);
	}
}

/* Fits a layer, and what is stale by that. */
static void fit_layer_of(refresh_fixture *d, const char *method, const char *name, const char *samples) {
	snw_refresh done;
	const snw_fit_request request = {.method = method, .layer = name, .samples = samples, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = d->arena};
	assert_true(!snw_failed(snw_fit_run(d->scene, kept_registry(), &request, NULL, &outcome, &error)));
	check_ok(snw_project_commit_fit(d->project, kept_registry(), &outcome, "fit", &error), error);
	refresh(d, true, &done);
}

static uint32_t stale_layers(const refresh_fixture *d) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < d->scene->layer_count; i++) {
		count += snw_layer_stale(d->scene, kept_registry(), i) != 0;
	}
	return count;
}

/* Of methods whose refit is quick: after a change of sculpts, as a part of its step, where they learned from these alone. */
static void slow_methods_are_refitted_to_sculpts(void **state) {
	(void)state;
	static const char *const methods[] = {"animation-space", "pose-regression"};
	for (int m = 0; m < 2; m++) {
		refresh_fixture d = open_fixture("refitted.sinew");
		snw_refresh done;
		fit_layer_of(&d, methods[m], NULL, "examples");
		assert_int_equal(stale_layers(&d), 0);
		change_sculpt(&d);
		const uint32_t length = history_length(&d);
		refresh(&d, m == 0, &done);
		assert_int_equal(done.failed_count, 0);
		assert_int_equal(done.fitted_count, 2); /* the corrective is above the blend, or below the regression */
		assert_string_equal(done.fitted[m], methods[m]);
		assert_string_equal(done.fitted[!m], "inverse-psd");
		assert_int_equal(history_length(&d), length);
		undo(&d);
		assert_int_equal(stale_layers(&d), 0);
		change_weights(&d); /* the fit chose for other weights */
		refresh(&d, true, &done);
		assert_int_equal(done.fitted_count, 1);
		assert_string_equal(done.fitted[0], "inverse-psd");
		undo(&d);
		fit_layer_of(&d, methods[m], NULL, ""); /* all samples: its frames may be many */
		change_sculpt(&d);
		refresh(&d, true, &done);
		assert_int_equal(done.fitted_count, 1);
		assert_int_equal(stale_layers(&d), 1);
		close_fixture(&d);
	}
}

static void all_correctives_are_refitted_from_the_lowest(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("two.sinew");
	snw_refresh done;
	fit_layer_of(&d, "inverse-psd", "second", NULL);
	change_sculpt(&d);
	assert_int_equal(stale_layers(&d), 2);
	refresh(&d, true, &done);
	assert_int_equal(done.fitted_count, 2);
	assert_string_equal(done.fitted[0], "inverse-psd");
	assert_string_equal(done.fitted[1], "second");
	assert_int_equal(stale_layers(&d), 0);
	undo(&d);
	assert_int_equal(stale_layers(&d), 0);
	close_fixture(&d);
}

static void muted_layer_is_refitted_when_unmuted(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("muted.sinew");
	snw_refresh done;
	for (int is_active = 0; is_active < 2; is_active++) {
		snw_layer layer = d.scene->layers[corrective(&d)];
		layer.muted = !is_active;
		begin(&d);
		check_ok(snw_project_put_layer(d.project, &layer, d.scene->models[layer.model].id, -1, NULL, &error), error);
		commit(&d);
		if (!is_active) {
			change_sculpt(&d);
		}
		refresh(&d, true, &done);
		assert_int_equal(done.fitted_count, is_active);
	}
	close_fixture(&d);
}

/* Mutes what is below, as a bake does; the layer itself is without a model. */
static void put_bake(refresh_fixture *d, bool muted) {
	const snw_bake_record record = {.budget = ""};
	const snw_layer baked = {.name = "baked",
							 .deformer = "org.sinew.linear-blend-fit",
							 .deformer_version = "1.0",
							 .model = SNW_NONE,
							 .muted = muted,
							 .samples = snw_bake_record_write(d->scene, 0, NULL, &record, d->arena)};
	begin(d);
	for (uint32_t i = 0; i < d->scene->layer_count; i++) {
		snw_layer layer = d->scene->layers[i];
		layer.muted = true;
		const int64_t model = layer.model == SNW_NONE ? 0 : d->scene->models[layer.model].id;
		check_ok(snw_project_put_layer(d->project, &layer, model, -1, NULL, &error), error);
	}
	check_ok(snw_project_put_layer(d->project, &baked, 0, -1, NULL, &error), error);
	commit(d);
}

/* While the bake is muted, nothing reads the corrective. */
static void corrective_that_a_bake_reads_is_refitted_and_stays_muted(void **state) {
	(void)state;
	for (int is_muted = 0; is_muted < 2; is_muted++) {
		refresh_fixture d = open_fixture("below.sinew");
		snw_refresh done;
		put_bake(&d, is_muted);
		change_sculpt(&d);
		refresh(&d, true, &done);
		assert_int_equal(done.failed_count, 0);
		assert_int_equal(done.fitted_count, !is_muted);
		assert_true(d.scene->layers[corrective(&d)].muted);
		assert_int_equal(stale(&d) != 0, is_muted);
		close_fixture(&d);
	}
}

static void last_example_takes_the_corrective_with_it(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("last.sinew");
	snw_refresh done;
	assert_true(d.scene->example_count == 2 && miss(&d) < 1e-6);
	begin(&d);
	for (uint32_t e = 0; e < 2; e++) {
		check_ok(snw_project_remove(d.project, SNW_PROJECT_EXAMPLE, d.scene->examples[e].id, &error), error);
	}
	commit(&d);
	const uint32_t length = history_length(&d);
	refresh(&d, true, &done);
	assert_int_equal(done.failed_count, 0);
	assert_int_equal(stale(&d), 0);
	assert_int_equal(history_length(&d), length);
	snw_stack *stack = NULL;
	check_ok(snw_stack_build(d.scene, kept_registry(), NULL, NULL, &stack, &error), error);
	const snw_program *program = snw_stack_segment(stack, 0, 0).program;
	assert_true(program && program->rest.count == 0 && program->posed.count == 0);
	snw_stack_destroy(stack);
	undo(&d);
	assert_int_equal(stale(&d), 0);
	assert_true(d.scene->example_count == 2 && miss(&d) < 1e-6);
	close_fixture(&d);
}

/* Beyond what was sculpted, the skin follows the new weights; a sculpt of every point would hold it where it was. */
static void points_that_were_left_alone_follow_the_stack(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("alone.sinew");
	const snw_mesh *mesh = &d.scene->meshes[0];
	snw_example example = d.scene->examples[0];
	snw_refresh done;
	example.edited = (uint32_t[]){10, 20};
	example.edited_count = 2;
	begin(&d);
	check_ok(snw_project_put_example(d.project, &example, d.scene->poses[example.pose].id, mesh->id, mesh->point_count, NULL,
									 &error),
			 error);
	commit(&d);
	refresh(&d, true, &done);
	change_weights(&d);
	refresh(&d, true, &done);
	assert_int_equal(done.fitted_count, 1);
	/* What was left alone is where the base skin puts it, which is what lies below. */
	assert_true(miss(&d) < 1e-6);
	close_fixture(&d);
}

static void command_that_is_amended_must_be_the_last(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("amend.sinew");
	begin(&d);
	commit(&d); /* nothing; what comes next is no part of the fit before it */
	assert_int_equal(snw_project_begin_amend(d.project, &error), SNW_ERROR_MISSING);
	undo(&d); /* the fit; the file's first entry is all that is left */
	assert_int_equal(snw_project_begin_amend(d.project, &error), SNW_ERROR_MISSING);
	begin(&d); /* nothing is open */
	snw_project_rollback(d.project);
	close_fixture(&d);
}

/* ---- what a fit reads ---------------------------------------------------------------------------------------------------- */

static void model_of_frames_does_not_depend_on_examples_or_layers_below(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("frames.sinew");
	snw_example *example = (snw_example *)(uintptr_t)d.scene->examples; /* of the scene's own arena */
	example->edited = (const uint32_t[]){0};
	example->edited_count = 1;
	const snw_fit_request request = {
		.method = "sad", .left_out_example = SNW_NONE, .setting_count = 1, .settings = &(snw_setting){"joints", SNW_VALUE(4)}};
	snw_fit_outcome outcome = {.arena = d.arena};
	assert_true(!snw_failed(snw_fit_run(d.scene, kept_registry(), &request, NULL, &outcome, &error)));
	assert_int_equal(outcome.model.reads[SNW_READ_EXAMPLES], 0);
	assert_int_equal(outcome.model.reads[SNW_READ_BELOW], 0);
	close_fixture(&d);
}

static void other_corners_make_a_model_stale(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("corners.sinew");
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)d.scene->meshes; /* of the scene's own arena */
	const uint32_t corners = mesh->face_offsets[mesh->face_count];
	const float *uvs = mesh->corner_uvs, *normals = mesh->corner_normals;
	float *changed = SNW_NEW_ARRAY(d.arena, float, (size_t)3 * corners);
	changed[0] = 0.25F;
	assert_int_equal(stale(&d), 0);
	mesh->corner_uvs = changed; /* which the method does not read */
	assert_int_equal(stale(&d), 0);
	mesh->corner_uvs = uvs;
	mesh->corner_normals = changed;
	assert_int_equal(stale(&d), 1U << SNW_READ_MESHES);
	mesh->corner_normals = normals;
	assert_int_equal(stale(&d), 0);
	close_fixture(&d);
}

/* ---- weights that are made while the project changes --------------------------------------------------------------------- */

static snw_fit_outcome make_weights(refresh_fixture *d) {
	const snw_fit_request request = {.method = "skin-weights",
									 .left_out_example = SNW_NONE,
									 .setting_count = 1,
									 .settings = &(snw_setting){"source", SNW_VALUE(1)}};
	snw_fit_outcome outcome = {.arena = d->arena};
	check_ok(snw_fit_run(d->scene, kept_registry(), &request, NULL, &outcome, &error), error);
	return outcome;
}

/* The chosen ones, as one step. */
static snw_status commit_skins(refresh_fixture *d, const snw_skin_choice *choice, snw_fit_outcome *outcome) {
	check_ok(snw_project_begin_beside(d->project, "bind", &error), error);
	snw_status status = snw_project_put_outcome(d->project, kept_registry(), choice, outcome, &error);
	status = snw_failed(status) ? status : snw_project_commit(d->project, &error);
	if (snw_failed(status)) {
		snw_project_rollback(d->project);
	}
	return status;
}

static void expect_refused(refresh_fixture *d, const snw_skin_choice *choice, snw_fit_outcome outcome, const char *words) {
	const uint32_t length = history_length(d);
	assert_int_equal(commit_skins(d, choice, &outcome), SNW_ERROR_CONFLICT);
	if (!strstr(error.text, words)) {
		fail_msg("'%s' does not say '%s'", error.text, words);
	}
	assert_int_equal(history_length(d), length);
}

static void weights_from_data_that_changed_are_refused(void **state) {
	(void)state;
	static const struct {
		void (*change)(refresh_fixture *);
		const char *words;
	} rows[] = {{change_weights, "the weights changed"},
				{change_sculpt, "the examples changed"},
				{change_target, "the clips, targets or sequences changed"},
				{change_above, "its layers changed"}};
	refresh_fixture d = open_fixture("bind.sinew");
	const snw_fit_outcome outcome = make_weights(&d);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		rows[i].change(&d);
		expect_refused(&d, NULL, outcome, rows[i].words);
		undo(&d);
	}
	check_ok(snw_project_commit_fit(d.project, kept_registry(), &outcome, "bind", &error), error);
	close_fixture(&d);
}

/* It is never indexed with the new mesh. */
static void outcome_for_a_mesh_that_was_subdivided_is_refused(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("finer.sinew");
	const snw_fit_outcome outcome = make_weights(&d);
	snw_operator_report report;
	const snw_operator_context context = {
		.project = d.project, .path = d.path, .scene = d.scene, .registry = kept_registry(), .arena = d.arena};
	check_ok(operate("mesh subdivide", &context, &report, &error), error);
	expect_refused(&d, NULL, outcome, "the character");
	close_fixture(&d);
}

static void weights_that_are_there_at_the_commit_are_replaced_on_request(void **state) {
	(void)state;
	refresh_fixture d = open_fixture("choice.sinew");
	const int64_t mesh = d.scene->meshes[0].id;
	snw_fit_outcome outcome = make_weights(&d);
	expect_refused(&d, &(snw_skin_choice){.replaces = false}, outcome, "the weights changed");
	expect_refused(&d, &(snw_skin_choice){.mesh = mesh + 1, .replaces = true}, outcome, "the weights changed");
	const snw_skin_choice choice = {.mesh = mesh, .replaces = true};
	check_ok(commit_skins(&d, &choice, &outcome), error);
	assert_int_equal(outcome.proposals.skin_count, 1);
	close_fixture(&d);
}

TEST_GROUP(refresh) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(model_of_frames_does_not_depend_on_examples_or_layers_below),
		cmocka_unit_test(other_corners_make_a_model_stale),
		cmocka_unit_test(model_names_the_changes_since_its_fit),
		cmocka_unit_test(model_from_before_hashes_is_of_unknown_state),
		cmocka_unit_test(sculpts_last_when_weights_change),
		cmocka_unit_test(slow_methods_are_refitted_to_sculpts),
		cmocka_unit_test(all_correctives_are_refitted_from_the_lowest),
		cmocka_unit_test(muted_layer_is_refitted_when_unmuted),
		cmocka_unit_test(corrective_that_a_bake_reads_is_refitted_and_stays_muted),
		cmocka_unit_test(last_example_takes_the_corrective_with_it),
		cmocka_unit_test(points_that_were_left_alone_follow_the_stack),
		cmocka_unit_test(command_that_is_amended_must_be_the_last),
		cmocka_unit_test(weights_from_data_that_changed_are_refused),
		cmocka_unit_test(outcome_for_a_mesh_that_was_subdivided_is_refused),
		cmocka_unit_test(weights_that_are_there_at_the_commit_are_replaced_on_request),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
