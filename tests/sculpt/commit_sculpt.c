/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From strokes to correctives: sculpts are stored in the project, reproduced by the stack, and can be undone; a killed
 * program loses only the current stroke.
 */
#include "meshes.h"

#include <signal.h>
#include <sys/wait.h>

#include "example/sculpts.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "kept_registry.h"
#include "pose/pose.h"
#include "project/project.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

static snw_error error;

/* A project with its session, as in a window. */
typedef struct sculpt_fixture {
	snw_registry *registry;
	snw_project *project;
	snw_scene *scene;
	snw_arena *arena;
	snw_sculpt *sculpt;
	double *original;
	uint32_t pose;
	uint32_t joint_count; /* that drive a new group */
	const uint32_t *joints;
	char path[1100];
} sculpt_fixture;

static void read_again(sculpt_fixture *fixture) {
	snw_scene_destroy(fixture->scene);
	fixture->scene = NULL;
	check_ok(snw_project_scene(fixture->project, &fixture->scene, &error), error);
}

static sculpt_fixture open_fixture(snw_scene *scene, const char *name, const char *pose) {
	sculpt_fixture fixture = {.registry = kept_registry(), .arena = snw_arena_create()};
	snprintf(fixture.path, sizeof fixture.path, "%s", check_scratch(name));
	check_ok(snw_project_write(fixture.path, scene, "made", &error), error);
	snw_scene_destroy(scene);
	check_ok(snw_project_open(fixture.path, false, &fixture.project, &error), error);
	read_again(&fixture);
	fixture.pose = snw_scene_find_pose(fixture.scene, pose);
	assert_int_not_equal(fixture.pose, SNW_NONE);
	return fixture;
}

static void begin_session(sculpt_fixture *fixture) {
	double *points;
	const uint32_t corrective = snw_reference_layer(fixture->scene, fixture->registry);
	check_ok(snw_sculpt_points(fixture->scene, fixture->registry, 0, &fixture->scene->poses[fixture->pose],
							   snw_sculpt_example(fixture->scene, 0, &fixture->scene->poses[fixture->pose]), corrective,
							   fixture->arena, &points, &fixture->original, &error),
			 error);
	const snw_sculpt_setup setup = {
		.mesh = &fixture->scene->meshes[0], .points_posed = points, .points_original = fixture->original};
	snw_sculpt_destroy(fixture->sculpt);
	check_ok(snw_sculpt_create(&setup, &fixture->sculpt, &error), error);
}

static void close_fixture(sculpt_fixture *fixture) {
	snw_sculpt_destroy(fixture->sculpt);
	snw_project_close(fixture->project);
	snw_scene_destroy(fixture->scene);
	snw_arena_destroy(fixture->arena);
	remove(fixture->path);
}

/* From the side, onto the limb at a height. */
static void stroke_limb(const sculpt_fixture *fixture, snw_brush_kind kind, double z, double radius) {
	snw_ray ray = {.origin = {5, 0.1, z}, .direction = {-1, 0, 0}};
	snw_brush brush = usual_brush(kind, radius);
	const snw_pick pick = snw_sculpt_pick(fixture->sculpt, &ray);
	assert_int_not_equal(pick.face, SNW_NONE);
	check_ok(snw_sculpt_begin(fixture->sculpt, &brush, &pick, &error), error);
	for (int k = 0; k < 5; k++) {
		ray.origin[2] = z + 0.05 * k;
		snw_sculpt_move(fixture->sculpt, &ray, NULL, 1);
	}
	bool changed = false;
	snw_sculpt_end(fixture->sculpt, &changed);
	assert_true(changed);
}

static snw_sculpt_committed commit_as(sculpt_fixture *fixture, const char *label, const char *name, const char *method) {
	const snw_sculpt_commit commit = {
		.label = label,
		.example = name,
		.points_posed = snw_sculpt_get_view(fixture->sculpt)->points,
		.points_original = fixture->original,
		.pose = &fixture->scene->poses[fixture->pose],
		.group = "limb",
		.joint_count = fixture->joint_count,
		.joints = fixture->joints,
		.corrective = snw_reference_layer(fixture->scene, fixture->registry),
		.method = method,
	};
	snw_sculpt_committed committed;
	check_ok(snw_sculpt_commit_example(fixture->project, fixture->scene, fixture->registry, &commit, NULL, fixture->arena,
									   &committed, &error),
			 error);
	/* The session goes over to the scene as it is read again. */
	const snw_sculpt_view view = *snw_sculpt_get_view(fixture->sculpt);
	double *points = snw_arena_copy(fixture->arena, view.points, 3 * view.point_count * sizeof *points);
	read_again(fixture);
	const snw_sculpt_setup setup = {
		.mesh = &fixture->scene->meshes[0], .points_posed = points, .points_original = fixture->original};
	snw_sculpt_destroy(fixture->sculpt);
	check_ok(snw_sculpt_create(&setup, &fixture->sculpt, &error), error);
	return committed;
}

static void check_shown(const sculpt_fixture *fixture, const double *points, double tolerance) {
	const snw_mesh *mesh = &fixture->scene->meshes[0];
	snw_arena *arena = snw_arena_create();
	double *shown = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	snw_stack *stack = NULL;
	check_ok(snw_stack_build(fixture->scene, fixture->registry, &(snw_stack_options){0}, NULL, &stack, &error), error);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const snw_pose_view *view = snw_pose_view_make(fixture->scene, &fixture->scene->poses[fixture->pose], arena);
	check_ok(snw_stack_drive(stack, view, evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, 0, NULL, shown, &error), error);
	const double diagonal = snw_scene_diagonal(fixture->scene, 0);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		check_near(shown[i], points[i], tolerance * diagonal);
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_arena_destroy(arena);
}

static uint32_t count_entries(const sculpt_fixture *fixture) {
	snw_history_entry *entries;
	uint32_t count;
	check_ok(snw_project_history(fixture->project, fixture->arena, &entries, &count, &error), error);
	return count;
}

static void strokes_are_reproduced_by_the_stack_and_undone_one_by_one(void **state) {
	(void)state;
	enum { STROKES = 4 };
	static const snw_brush_kind kinds[STROKES] = {SNW_BRUSH_INFLATE, SNW_BRUSH_SMOOTH, SNW_BRUSH_PINCH, SNW_BRUSH_FLATTEN};
	sculpt_fixture fixture = open_fixture(snw_limb_make(3000), "strokes.sinew", "bent");
	begin_session(&fixture);
	const size_t bytes = 3 * fixture.scene->meshes[0].point_count * sizeof(double);
	const double *after[STROKES + 1] = {snw_arena_copy(fixture.arena, snw_sculpt_get_view(fixture.sculpt)->points, bytes)};
	check_shown(&fixture, after[0], 1e-7);
	for (int i = 0; i < STROKES; i++) {
		stroke_limb(&fixture, kinds[i], -0.8 + 0.2 * i, 0.4);
		const snw_sculpt_committed committed = commit_as(&fixture, snw_brush_infos[kinds[i]].name, "bulge", "inverse-psd");
		assert_string_equal(committed.fitted, "inverse-psd");
		assert_null(committed.warning);
		after[i + 1] = snw_arena_copy(fixture.arena, snw_sculpt_get_view(fixture.sculpt)->points, bytes);
		check_shown(&fixture, after[i + 1], 1e-7);
		assert_int_equal(snw_layer_stale(fixture.scene, fixture.registry, snw_reference_layer(fixture.scene, fixture.registry)),
						 0);
		assert_int_equal(count_entries(&fixture), 2 + i);
		assert_int_equal(fixture.scene->example_count, 1);
		assert_true(fixture.scene->examples[0].edited && fixture.scene->examples[0].edited_count < bytes / 24 / 2);
	}
	for (int i = STROKES; i-- > 0;) {
		const char *label;
		check_ok(snw_project_undo(fixture.project, &label, &error), error);
		assert_string_equal(label, snw_brush_infos[kinds[i]].name);
		read_again(&fixture);
		check_shown(&fixture, after[i], 1e-7);
	}
	assert_int_equal(fixture.scene->example_count + fixture.scene->group_count, 0);
	for (int i = 0; i < STROKES; i++) {
		check_ok(snw_project_redo(fixture.project, NULL, &error), error);
		read_again(&fixture);
		check_shown(&fixture, after[i + 1], 1e-7);
	}
	/* The reopened state equals the stored one. */
	begin_session(&fixture);
	for (size_t i = 0; i < bytes / sizeof(double); i++) {
		check_near(snw_sculpt_get_view(fixture.sculpt)->points[i], after[STROKES][i], 1e-8);
	}
	close_fixture(&fixture);
}

static void everything_erased_leaves_the_skin_below(void **state) {
	(void)state;
	sculpt_fixture fixture = open_fixture(snw_limb_make(2000), "erased.sinew", "bent");
	begin_session(&fixture);
	stroke_limb(&fixture, SNW_BRUSH_INFLATE, -0.5, 0.4);
	commit_as(&fixture, "inflate", "bulge", "inverse-psd");
	snw_error why = {0};
	check_ok(snw_sculpt_reset(fixture.sculpt, fixture.original, NULL, NULL, &why), why);
	const snw_sculpt_committed committed = commit_as(&fixture, "erase", "bulge", NULL);
	assert_string_equal(committed.fitted, "inverse-psd");
	assert_int_equal(fixture.scene->examples[0].edited_count, 0);
	assert_non_null(fixture.scene->examples[0].edited);
	check_shown(&fixture, fixture.original, 1e-7);
	close_fixture(&fixture);
}

static void arm_with_sculpts_keeps_theirs(void **state) {
	(void)state;
	snw_scene *arm = NULL;
	check_ok(snw_sample_make("arm", &arm, &error), error);
	sculpt_fixture fixture = open_fixture(arm, "arm.sinew", "both");
	/* Both joints, or the group could not tell this pose from that of the elbow's example. */
	const uint32_t joints[] = {snw_scene_find_joint(fixture.scene, "elbow"), snw_scene_find_joint(fixture.scene, "wrist")};
	fixture.joint_count = 2;
	fixture.joints = joints;
	begin_session(&fixture);
	snw_ray ray = {.origin = {0.2, 0.01, 2}, .direction = {0, 0, -1}};
	snw_brush brush = usual_brush(SNW_BRUSH_INFLATE, 0.05);
	const snw_pick pick = snw_sculpt_pick(fixture.sculpt, &ray);
	assert_int_not_equal(pick.face, SNW_NONE);
	check_ok(snw_sculpt_begin(fixture.sculpt, &brush, &pick, &error), error);
	snw_sculpt_move(fixture.sculpt, &ray, NULL, 1);
	snw_sculpt_end(fixture.sculpt, NULL);
	const snw_sculpt_committed committed = commit_as(&fixture, "inflate", "both", "inverse-psd");
	print_message("arm: %u points kept and fitted in %.3f s, of which the fit %.3f s\n", fixture.scene->meshes[0].point_count,
				  committed.seconds, committed.fit_seconds);
	assert_string_equal(committed.fitted, "inverse-psd");
	assert_int_equal(fixture.scene->example_count, 3);
	check_shown(&fixture, snw_sculpt_get_view(fixture.sculpt)->points, 1e-7);
	for (uint32_t i = 0; i < 2; i++) {
		fixture.pose = fixture.scene->examples[i].pose;
		check_shown(&fixture, fixture.scene->examples[i].points_posed, 1e-7);
	}
	close_fixture(&fixture);
}

static void fit_that_fails_loses_no_sculpt(void **state) {
	(void)state;
	sculpt_fixture fixture = open_fixture(snw_limb_make(2000), "unfitted.sinew", "bent");
	begin_session(&fixture);
	stroke_limb(&fixture, SNW_BRUSH_INFLATE, -0.5, 0.4);
	const snw_sculpt_committed committed = commit_as(&fixture, "inflate", "bulge", "no-such-method");
	assert_null(committed.fitted);
	assert_non_null(strstr(committed.warning, "no-such-method"));
	assert_int_equal(fixture.scene->example_count, 1);
	assert_int_equal(fixture.scene->layer_count, 1);
	close_fixture(&fixture);
}

static void kill_in_stroke_loses_that_stroke_alone(void **state) {
	(void)state;
	sculpt_fixture fixture = open_fixture(snw_limb_make(2000), "killed.sinew", "bent");
	fflush(NULL);
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		snw_project_close(fixture.project);
		fixture.project = NULL;
		if (snw_failed(snw_project_open(fixture.path, false, &fixture.project, &error))) {
			_exit(1);
		}
		read_again(&fixture);
		begin_session(&fixture);
		stroke_limb(&fixture, SNW_BRUSH_INFLATE, -0.5, 0.4);
		commit_as(&fixture, "inflate", "bulge", "inverse-psd");
		const snw_ray ray = {.origin = {5, 0.1, 0}, .direction = {-1, 0, 0}};
		const snw_brush brush = usual_brush(SNW_BRUSH_PINCH, 0.4);
		const snw_pick pick = snw_sculpt_pick(fixture.sculpt, &ray);
		snw_sculpt_begin(fixture.sculpt, &brush, &pick, &error);
		for (int k = 0;; k++) {
			snw_sculpt_move(fixture.sculpt, &ray, NULL, 1);
			if (k == 3 && write(ends[1], "!", 1) != 1) {
				_exit(1);
			}
		}
	}
	char word;
	assert_int_equal(read(ends[0], &word, 1), 1);
	kill(child, SIGKILL);
	int how = 0;
	waitpid(child, &how, 0);
	assert_true(WIFSIGNALED(how));
	close(ends[0]);
	close(ends[1]);
	snw_project_close(fixture.project);
	fixture.project = NULL;
	check_ok(snw_project_open(fixture.path, false, &fixture.project, &error), error);
	read_again(&fixture);
	assert_int_equal(fixture.scene->example_count, 1);
	assert_int_equal(count_entries(&fixture), 2);
	check_shown(&fixture, fixture.scene->examples[0].points_posed, 1e-7);
	close_fixture(&fixture);
}

static void painted_field_is_kept_and_undone(void **state) {
	(void)state;
	sculpt_fixture fixture = open_fixture(snw_limb_make(2000), "painted.sinew", "bent");
	begin_session(&fixture);
	stroke_limb(&fixture, SNW_BRUSH_PAINT, -0.5, 0.4);
	const snw_sculpt_view *view = snw_sculpt_get_view(fixture.sculpt);
	for (int k = 0; k < 2; k++) {
		const snw_painted_mesh painted = {.mesh = 0, .joint = SNW_NONE, .values = view->field};
		check_ok(snw_sculpt_commit_field(fixture.project, fixture.scene, "paint", "stiffness", 1, &painted, &error), error);
		stroke_limb(&fixture, SNW_BRUSH_BLUR, -0.5, 0.4);
		snw_scene *fresh = NULL;
		check_ok(snw_project_scene(fixture.project, &fresh, &error), error);
		assert_int_equal(fresh->field_count, 1);
		assert_int_equal(fresh->fields[0].count, view->point_count);
		if (k == 0) {
			check_ok(snw_project_undo(fixture.project, NULL, &error), error);
		}
		snw_scene_destroy(fresh);
		check_ok(snw_project_scene(fixture.project, &fresh, &error), error);
		assert_int_equal(fresh->field_count, (uint32_t)k);
		snw_scene_destroy(fresh);
	}
	close_fixture(&fixture);
}

/* A limb with a bulge where its joint bends: radial about the limb, in rest coordinates. In the pose of the sculpt the shape
 * is the sculpt; at rest it is that bulge again where one joint moves a point; the rest's is the linear blend. */
static void shape_of_an_example_turns_with_the_skin_into_other_poses(void **state) {
	(void)state;
	snw_registry *registry = kept_registry();
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = snw_scene_create();
	const snw_limbs_size size = {.points = 800, .meshes = 1, .joints = 3, .examples = 1};
	check_ok(snw_limbs_make(scene, &size, &error), error);
	const snw_mesh *mesh = &scene->meshes[0];
	const snw_example *example = &scene->examples[0];
	const snw_pose *example_pose = &scene->poses[example->pose];
	double *sculpted, *below, *shape;
	check_ok(snw_sculpt_points(scene, registry, 0, example_pose, 0, SNW_NONE, arena, &sculpted, &below, &error), error);
	check_ok(snw_morph_shape(scene, registry, 0, example_pose, SNW_MORPH_EXAMPLE, 0, below, arena, &shape, &error), error);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		check_near(shape[i], sculpted[i], 1e-12);
	}
	check_ok(snw_morph_shape(scene, registry, 0, example_pose, SNW_MORPH_REST, SNW_NONE, below, arena, &shape, &error), error);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		check_near(shape[i], below[i], 1e-12); /* the only layer is the linear blend */
	}
	check_ok(snw_morph_shape(scene, registry, 0, NULL, SNW_MORPH_EXAMPLE, 0, mesh->points_rest, arena, &shape, &error), error);
	uint32_t rigid = 0;
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		const double *rest = mesh->points_rest + 3 * (size_t)p;
		const bool is_rigid = mesh->influence_offsets[p + 1] - mesh->influence_offsets[p] == 1;
		double step[3], sculpted_step[3];
		for (size_t k = 0; k < 3; k++) {
			step[k] = shape[3 * (size_t)p + k] - rest[k];
			sculpted_step[k] = sculpted[3 * (size_t)p + k] - below[3 * (size_t)p + k];
		}
		check_near(snw_length3(step), snw_length3(sculpted_step), 1e-12); /* it is rotated alone */
		if (is_rigid && snw_length3(step) > 0) {
			check_near(step[0], 0, 1e-12);
			check_near(step[1] * rest[2], step[2] * (rest[1] - 0.5), 1e-12);
			rigid++;
		}
	}
	assert_true(rigid > 10);
	check_ok(snw_morph_shape(scene, registry, 0, example_pose, SNW_MORPH_EXAMPLE, SNW_NONE, below, arena, &shape, &error),
			 error);
	assert_memory_equal(shape, below, 3 * (size_t)mesh->point_count * sizeof *below);
	snw_scene_destroy(scene);
	snw_arena_destroy(arena);
}

TEST_GROUP(commit_sculpt) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strokes_are_reproduced_by_the_stack_and_undone_one_by_one),
		cmocka_unit_test(shape_of_an_example_turns_with_the_skin_into_other_poses),
		cmocka_unit_test(everything_erased_leaves_the_skin_below),
		cmocka_unit_test(arm_with_sculpts_keeps_theirs),
		cmocka_unit_test(fit_that_fails_loses_no_sculpt),
		cmocka_unit_test(kill_in_stroke_loses_that_stroke_alone),
		cmocka_unit_test(painted_field_is_kept_and_undone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
