/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Subdivision: known points of Loop's scheme, subdivided rows against subdivided results, and what belongs to points.
 */
#include "must_fit.h"
#include "tiny_arm.h"

#include "fit/stale.h"
#include "operate.h"
#include "subdivision/subdivide.h"

static snw_error error;

/* ---- stencils ------------------------------------------------------------------------------------------------------------ */

/* The octahedron with corners at distance 1 on the axes. */
static snw_mesh octahedron(void) {
	static const double points[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
	static const uint32_t offsets[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
	static const uint32_t corners[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
	return (snw_mesh){.name = "octahedron",
					  .point_count = 6,
					  .points_rest = points,
					  .face_count = 8,
					  .face_offsets = offsets,
					  .face_points = corners};
}

/* Loop: an edge is 3/8 of its ends and 1/8 of the points across; a point of four edges keeps 1 − 4 β, β = 31/256, and its
 * neighbours' mean is the middle. */
static void octahedron_takes_the_points_of_loop(void **state) {
	(void)state;
	const snw_mesh mesh = octahedron();
	snw_refinement refinement;
	snw_arena *arena = snw_arena_create();
	check_ok(snw_refinement_make(&mesh, SNW_LOOP, 1, &refinement, &error), error);
	const snw_mesh refined = snw_refined_mesh(&refinement, &mesh, arena);
	assert_int_equal(refined.point_count, 18);
	assert_int_equal(refined.face_count, 32);
	uint32_t corners = 0, edges = 0;
	for (size_t p = 0; p < 18; p++) {
		const double *at = refined.points_rest + 3 * p;
		const double sum = fabs(at[0]) + fabs(at[1]) + fabs(at[2]), most = fmax(fabs(at[0]), fmax(fabs(at[1]), fabs(at[2])));
		corners += fabs(sum - (1 - 31.0 / 64)) < 1e-14 && fabs(most - sum) < 1e-14;
		edges += fabs(sum - 0.75) < 1e-14 && fabs(most - 0.375) < 1e-14;
	}
	assert_int_equal(corners, 6);
	assert_int_equal(edges, 12);
	snw_refinement_free(&refinement);
	snw_arena_destroy(arena);
}

static void loop_names_the_face_that_is_no_triangle(void **state) {
	(void)state;
	static const uint32_t offsets[2] = {0, 4}, corners[4] = {0, 2, 1, 3};
	snw_mesh mesh = octahedron();
	mesh.face_count = 1;
	mesh.face_offsets = offsets;
	mesh.face_points = corners;
	snw_refinement refinement;
	assert_int_equal(snw_refinement_make(&mesh, SNW_LOOP, 1, &refinement, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "catmull-clark"));
}

static void weights_of_a_stencil_sum_to_one_and_none_is_negative(void **state) {
	(void)state;
	snw_scene *arm = NULL;
	check_ok(snw_sample_make("small-arm", &arm, &error), error);
	for (uint32_t levels = 1; levels <= 2; levels++) {
		snw_refinement refinement;
		check_ok(snw_refinement_make(&arm->meshes[0], SNW_CATMULL_CLARK, levels, &refinement, &error), error);
		const snw_stencils *stencils = &refinement.points;
		for (uint32_t p = 0; p < stencils->count; p++) {
			double sum = 0;
			for (uint32_t j = stencils->offsets[p]; j < stencils->offsets[p + 1]; j++) {
				assert_true(stencils->weights[j] >= 0);
				sum += stencils->weights[j];
			}
			check_near(sum, 1, 1e-13);
		}
		snw_refinement_free(&refinement);
	}
	snw_scene_destroy(arm);
}

/* A valid skin whose weights are not all between 0 and 1. */
static void weights_above_one_keep_their_sum(void **state) {
	(void)state;
	snw_scene *arm = NULL;
	snw_arena *arena = snw_arena_create();
	check_ok(snw_sample_make("small-arm", &arm, &error), error);
	const snw_mesh *mesh = &arm->meshes[0];
	double *weights = (double *)(uintptr_t)mesh->influence_weights;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const uint32_t begin = mesh->influence_offsets[p], end = mesh->influence_offsets[p + 1];
		for (uint32_t k = begin; k < end; k++) {
			weights[k] = k == begin ? (end - begin > 1 ? 1.3 : 1) : k == begin + 1 ? -0.3 : 0;
		}
	}
	snw_refinement *refinement = SNW_NEW(arena, snw_refinement);
	check_ok(snw_refinement_make(mesh, SNW_CATMULL_CLARK, 1, refinement, &error), error);
	snw_scene refined;
	check_ok(snw_refined_scene(arm, refinement, NULL, arena, &refined, &error), error);
	const snw_mesh *fine = &refined.meshes[0];
	double most = 0;
	for (uint32_t p = 0; p < fine->point_count; p++) {
		double sum = 0;
		for (uint32_t k = fine->influence_offsets[p]; k < fine->influence_offsets[p + 1]; k++) {
			sum += fine->influence_weights[k];
			most = fmax(most, fine->influence_weights[k]);
		}
		check_near(sum, 1, 1e-14);
	}
	assert_true(most > 1.25);
	snw_refinement_free(refinement);
	snw_scene_destroy(arm);
	snw_arena_destroy(arena);
}

/* Points near the top follow from all the others: the square of their number times 4 a level. */
static void too_many_entries_are_refused_before_they_are_made(void **state) {
	(void)state;
	enum { AROUND = 20000 };
	snw_arena *arena = snw_arena_create();
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (AROUND + 1));
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, AROUND + 1), *corners = SNW_NEW_ARRAY(arena, uint32_t, 3 * AROUND);
	for (uint32_t i = 0; i < AROUND; i++) {
		points[3 * i + 3] = cos(2 * M_PI * i / AROUND);
		points[3 * i + 4] = sin(2 * M_PI * i / AROUND);
		offsets[i + 1] = 3 * (i + 1);
		corners[3 * i + 1] = 1 + i;
		corners[3 * i + 2] = 1 + (i + 1) % AROUND;
	}
	const snw_mesh fan = {.name = "fan",
						  .point_count = AROUND + 1,
						  .points_rest = points,
						  .face_count = AROUND,
						  .face_offsets = offsets,
						  .face_points = corners};
	snw_refinement refinement;
	assert_int_equal(snw_refinement_make(&fan, SNW_LOOP, 4, &refinement, &error), SNW_ERROR_LIMIT);
	assert_non_null(strstr(error.text, "at one point"));
	snw_arena_destroy(arena);
}

/* ---- a project ----------------------------------------------------------------------------------------------------------- */

/* A scene subdivided by the operator, before and after. */
typedef struct subdivided {
	snw_scene *before, *after;
	snw_arena *arena;
	snw_refinement *refinements;
	snw_operator_report report;
	snw_project *project;
} subdivided;

static snw_status run_on(const subdivided *s, const char *path, const snw_task *task, snw_subdivision_scheme scheme,
						 uint32_t levels, snw_operator_report *report) {
	const snw_operator_context context = {.project = s->project,
										  .path = path,
										  .scene = s->before,
										  .registry = registry,
										  .limits = &(const snw_worker_limits){.in_process = true},
										  .task = task,
										  .arena = s->arena};
	const char *line = snw_arena_format(s->arena, "mesh subdivide --scheme=%s --levels=%u",
										scheme == SNW_LOOP ? "loop" : "catmull-clark", levels);
	return operate(line, &context, report, &error);
}

static subdivided subdivide(const snw_scene *scene, snw_subdivision_scheme scheme, uint32_t levels) {
	subdivided s = {.arena = snw_arena_create()};
	const char *path = check_scratch("subdivided.sinew");
	check_ok(snw_project_write(path, scene, "made", &error), error);
	check_ok(snw_project_open(path, false, &s.project, &error), error);
	check_ok(snw_project_scene(s.project, &s.before, &error), error);
	s.refinements = SNW_NEW_ARRAY(s.arena, snw_refinement, s.before->mesh_count);
	check_ok(snw_refinements_make(s.before, scheme, levels, NULL, s.refinements, &error), error);
	check_ok(run_on(&s, path, NULL, scheme, levels, &s.report), error);
	check_ok(snw_project_scene(s.project, &s.after, &error), error);
	return s;
}

static void subdivided_drop(subdivided *s) {
	snw_refinements_free(s->refinements, s->before->mesh_count);
	snw_scene_destroy(s->before);
	snw_scene_destroy(s->after);
	snw_project_close(s->project);
	snw_arena_destroy(s->arena);
}

/* The largest distance over poses between the subdivided scene by a method and the subdivided results of the original, in units
 * of the box. */
static double apart(const subdivided *s, const char *method) {
	const snw_mesh *coarse = &s->before->meshes[0], *fine = &s->after->meshes[0];
	double *posed = malloc(sizeof *posed * 3 * coarse->point_count), most = 0;
	double *expected = malloc(sizeof *expected * 3 * fine->point_count),
		   *actual = malloc(sizeof *actual * 3 * fine->point_count);
	fitting_stack old = fitting_stack_of(s->before, registry, NULL), new = fitting_stack_of(s->after, registry, method);
	for (uint32_t i = 0; i < s->before->pose_count; i++) {
		fitting_truth(&old, snw_pose_view_make(s->before, &s->before->poses[i], s->before->arena), 0, posed);
		fitting_truth(&new, snw_pose_view_make(s->after, &s->after->poses[i], s->after->arena), 0, actual);
		snw_stencils_apply(&s->refinements[0].points, posed, 3, expected);
		most = fmax(most, fitting_distance(fine->point_count, expected, actual));
	}
	fitting_stack_drop(&old);
	fitting_stack_drop(&new);
	free(posed);
	free(expected);
	free(actual);
	return most / snw_scene_diagonal(s->before, 0);
}

/* The small arm with triangles in place of its faces. */
static snw_scene *triangulated(const snw_scene *scene) {
	snw_scene *copy = snw_scene_copy(scene);
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)&copy->meshes[0];
	uint32_t count = 0, corners = mesh->face_offsets[mesh->face_count];
	uint32_t *offsets = SNW_NEW_ARRAY(copy->arena, uint32_t, corners),
			 *points = SNW_NEW_ARRAY(copy->arena, uint32_t, 3 * corners);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f] + 2; c < mesh->face_offsets[f + 1]; c++) {
			points[3 * count] = mesh->face_points[mesh->face_offsets[f]];
			points[3 * count + 1] = mesh->face_points[c - 1];
			points[3 * count + 2] = mesh->face_points[c];
			count++;
			offsets[count] = 3 * count;
		}
	}
	mesh->face_count = count;
	mesh->face_offsets = offsets;
	mesh->face_points = points;
	mesh->face_materials = NULL;
	mesh->corner_uvs = mesh->corner_normals = mesh->corner_colors = NULL;
	return copy;
}

static void posing_and_subdividing_commute(void **state) {
	(void)state;
	snw_scene *arm = tiny_arm(), *triangles = triangulated(arm), *rows = must_fit(arm, "animation-space", "");
	const struct {
		const snw_scene *scene;
		snw_subdivision_scheme scheme;
		uint32_t levels;
	} cases[] = {
		{arm, SNW_CATMULL_CLARK, 1}, {arm, SNW_CATMULL_CLARK, 2}, {triangles, SNW_LOOP, 2}, {rows, SNW_CATMULL_CLARK, 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		subdivided s = subdivide(cases[i].scene, cases[i].scheme, cases[i].levels);
		const double exact = apart(&s, NULL);
		print_message("apart %.2g of the box; the naive way %.2g, erms %.4g over %g poses\n", exact,
					  reported_number(&s.report, "naive_max_percent") / 100, reported_number(&s.report, "naive_erms"),
					  reported_number(&s.report, "naive_poses"));
		assert_true(exact < 1e-6);
		assert_true(reported_number(&s.report, "naive_max_percent") > 0.01);
		const snw_fact *made = reported(&s.report, SNW_FACT_MADE, SNW_NOUN_LAYER);
		const snw_fact *replaced = reported(&s.report, SNW_FACT_CHANGED, SNW_NOUN_LAYER); /* it keeps the name */
		const uint32_t layer = snw_scene_find_layer(s.after, made ? made->name : replaced->name);
		assert_int_equal(snw_layer_stale(s.after, registry, layer), 0);
		subdivided_drop(&s);
	}
	snw_scene_destroy(rows);
	snw_scene_destroy(triangles);
	snw_scene_destroy(arm);
}

static void the_naive_error_is_that_of_the_base_skin(void **state) {
	(void)state;
	snw_scene *arm = tiny_arm();
	arm->clip_count = arm->target_count = 0; /* poses alone are measured */
	subdivided s = subdivide(arm, SNW_CATMULL_CLARK, 1);
	check_near(100 * apart(&s, "linear-blend"), reported_number(&s.report, "naive_max_percent"), 1e-9);
	subdivided_drop(&s);
	snw_scene_destroy(arm);
}

/* ---- what belongs to points ---------------------------------------------------------------------------------------------- */

static void sculpts_targets_fields_and_morphs_are_refined(void **state) {
	(void)state;
	snw_scene *arm = tiny_arm();
	const uint32_t count = arm->meshes[0].point_count, only = count / 2;
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)&arm->meshes[0];
	arm->channels = &(const snw_channel){.name = "swell"};
	arm->channel_count = 1;
	snw_pose *poses = snw_arena_copy(arm->arena, arm->poses, arm->pose_count * sizeof *poses);
	for (uint32_t i = 0; i < arm->pose_count; i++) {
		poses[i].channels = SNW_NEW_ARRAY(arm->arena, double, 1);
	}
	arm->poses = poses;
	const double up[3] = {0, 0.01, 0};
	mesh->morphs = &(const snw_morph){.name = "swell", .count = 1, .points = &only, .vectors = up};
	mesh->morph_count = 1;
	double *mask = SNW_NEW_ARRAY(arm->arena, double, count);
	mask[only] = 1;
	arm->fields = &(const snw_field){.name = "mask", .components = 1, .count = count, .values = mask};
	arm->field_count = 1;
	arm->group_count = 0;
	((snw_example *)(uintptr_t)arm->examples)[0].edited = &only;
	((snw_example *)(uintptr_t)arm->examples)[0].edited_count = 1;
	subdivided s = subdivide(arm, SNW_CATMULL_CLARK, 1);
	const snw_stencils *stencils = &s.refinements[0].points;
	const snw_morph *morph = &s.after->meshes[0].morphs[0];
	const snw_example *example = &s.after->examples[0];
	assert_int_equal(s.after->target_count, arm->target_count);
	assert_int_equal(s.after->fields[0].count, stencils->count);
	uint32_t touched = 0;
	for (uint32_t p = 0; p < stencils->count; p++) {
		double share = 0;
		for (uint32_t j = stencils->offsets[p]; j < stencils->offsets[p + 1]; j++) {
			share += stencils->indices[j] == only ? stencils->weights[j] : 0;
		}
		check_near(s.after->fields[0].values[p], share, 1e-15);
		if (share > 0) {
			assert_int_equal(morph->points[touched], p);
			check_near(morph->vectors[3 * touched + 1], 0.01 * share, 1e-15);
			assert_int_equal(example->edited[touched++], p);
		}
	}
	assert_int_equal(morph->count, touched);
	assert_int_equal(example->edited_count, touched);
	float *frame = malloc(sizeof *frame * 3 * stencils->count);
	snw_stencils_apply_floats(stencils, arm->targets[0].points_posed, 3, frame);
	assert_memory_equal(frame, s.after->targets[0].points_posed, sizeof *frame * 3 * stencils->count);
	free(frame);
	subdivided_drop(&s);
	snw_scene_destroy(arm);
}

static void one_undo_takes_it_back(void **state) {
	(void)state;
	snw_scene *arm = tiny_arm();
	subdivided s = subdivide(arm, SNW_CATMULL_CLARK, 1);
	const char *label;
	snw_scene *undone = NULL;
	assert_string_equal(reported(&s.report, SNW_FACT_MADE, SNW_NOUN_LAYER)->name, "animation-space");
	assert_true(s.after->layers[0].muted);
	check_ok(snw_project_undo(s.project, &label, &error), error);
	check_ok(snw_project_scene(s.project, &undone, &error), error);
	assert_int_equal(undone->meshes[0].point_count, arm->meshes[0].point_count);
	assert_int_equal(undone->layer_count, arm->layer_count);
	assert_false(undone->layers[0].muted);
	assert_memory_equal(undone->examples[0].points_posed, s.before->examples[0].points_posed,
						sizeof(double) * 3 * arm->meshes[0].point_count);
	snw_scene_destroy(undone);
	subdivided_drop(&s);
	snw_scene_destroy(arm);
}

/* A learned blend takes its name and settings along; other learned layers go. */
/* The base goes, whose rows the new layer has; what is muted follows the stencils. */
static void base_with_a_model_goes_and_others_follow(void **state) {
	(void)state;
	snw_scene *arm = tiny_arm(), *weights = must_fit(arm, "linear-blend-fit", ""),
			  *rows = must_fit(weights, "animation-space", "influences=3");
	subdivided s = subdivide(rows, SNW_CATMULL_CLARK, 1);
	assert_null(reported(&s.report, SNW_FACT_REMOVED, SNW_NOUN_LAYER));
	assert_int_equal(s.after->layer_count, 3);
	assert_string_equal(s.after->layers[1].name, "linear-blend-fit");
	assert_true(s.after->layers[1].muted);
	assert_int_equal(snw_layer_stale(s.after, registry, 1), snw_layer_stale(s.before, registry, 1));
	assert_string_equal(s.after->layers[2].name, "animation-space");
	assert_int_equal(s.after->layers[2].setting_count, 1);
	assert_int_equal(s.after->model_count, 2);
	subdivided_drop(&s);
	snw_scene_destroy(rows);
	snw_scene_destroy(weights);
	snw_scene_destroy(arm);
}

/* Another shell can change the project between the commit and the measurement. */
static void a_scene_that_was_changed_since_is_not_measured(void **state) {
	(void)state;
	snw_scene *arm = tiny_arm();
	subdivided s = subdivide(arm, SNW_CATMULL_CLARK, 1);
	snw_subdivision_error measured;
	check_ok(snw_subdivision_measure(s.before, s.after, registry, s.refinements, NULL, &measured, &error), error);
	/* The old meshes, as after an undo. */
	assert_int_equal(snw_subdivision_measure(s.before, s.before, registry, s.refinements, NULL, &measured, &error),
					 SNW_ERROR_CONFLICT);
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)&s.after->meshes[0];
	mesh->id++;
	assert_int_equal(snw_subdivision_measure(s.before, s.after, registry, s.refinements, NULL, &measured, &error),
					 SNW_ERROR_CONFLICT);
	mesh->id--;
	s.after->skeleton.joint_count--;
	assert_int_equal(snw_subdivision_measure(s.before, s.after, registry, s.refinements, NULL, &measured, &error),
					 SNW_ERROR_CONFLICT);
	s.after->skeleton.joint_count++;
	subdivided_drop(&s);
	snw_scene_destroy(arm);
}

/* Stops at a report of an activity, and records which there were. */
typedef struct stopping {
	const char *activity;
	bool is_found;
} stopping;

static bool stop_at(void *context, double fraction, const char *activity) {
	stopping *s = context;
	(void)fraction;
	s->is_found = s->is_found || strcmp(activity, s->activity) == 0;
	return !s->is_found;
}

static void every_stage_can_be_cancelled(void **state) {
	(void)state;
	static const char *const stages[] = {"subdividing", "subdividing the skin", "subdividing sculpts", "subdividing targets",
										 "measuring",   "saving targets"};
	snw_scene *arm = tiny_arm(), *after = NULL;
	const char *path = check_scratch("cancelled.sinew");
	subdivided s = {.arena = snw_arena_create()};
	check_ok(snw_project_write(path, arm, "made", &error), error);
	check_ok(snw_project_open(path, false, &s.project, &error), error);
	check_ok(snw_project_scene(s.project, &s.before, &error), error);
	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
		stopping at = {.activity = stages[i]};
		const snw_task task = {.context = &at, .progress = stop_at};
		print_message("%s\n", stages[i]);
		assert_int_equal(run_on(&s, path, &task, SNW_CATMULL_CLARK, 1, &s.report), SNW_CANCELLED);
		assert_true(at.is_found);
	}
	check_ok(snw_project_scene(s.project, &after, &error), error);
	assert_int_equal(after->meshes[0].point_count, s.before->meshes[0].point_count);
	snw_project_close(s.project);
	snw_arena_destroy(s.arena);
	snw_scene_destroy(after);
	snw_scene_destroy(s.before);
	snw_scene_destroy(arm);
}

TEST_GROUP(subdivision) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(octahedron_takes_the_points_of_loop),
		cmocka_unit_test(loop_names_the_face_that_is_no_triangle),
		cmocka_unit_test(weights_of_a_stencil_sum_to_one_and_none_is_negative),
		cmocka_unit_test(weights_above_one_keep_their_sum),
		cmocka_unit_test(too_many_entries_are_refused_before_they_are_made),
		cmocka_unit_test(posing_and_subdividing_commute),
		cmocka_unit_test(the_naive_error_is_that_of_the_base_skin),
		cmocka_unit_test(sculpts_targets_fields_and_morphs_are_refined),
		cmocka_unit_test(one_undo_takes_it_back),
		cmocka_unit_test(base_with_a_model_goes_and_others_follow),
		cmocka_unit_test(a_scene_that_was_changed_since_is_not_measured),
		cmocka_unit_test(every_stage_can_be_cancelled),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
