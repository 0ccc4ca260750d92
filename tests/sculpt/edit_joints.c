/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints drawn at rest: known places and weights, what poses and clips keep, and what is refused.
 */
#include "operate.h"

#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"

enum { SHOULDER, ELBOW, WRIST, JOINTS };

typedef struct drawn {
	const char *path;
	snw_project *project;
	snw_registry *registry;
	snw_scene *scene;
	snw_operator_report report;
	snw_arena *arena;
} drawn;

static snw_error error;

static void read_scene(drawn *d) {
	snw_scene_destroy(d->scene);
	check_ok(snw_project_scene(d->project, &d->scene, &error), error);
}

/* A sample without its sculpts. */
static drawn open_sample(const char *name, bool with_examples) {
	drawn d = {.path = check_scratch("joints.sinew"), .registry = snw_registry_open_empty(), .arena = snw_arena_create()};
	snw_scene *made = NULL;
	check_ok(snw_sample_make(name, &made, &error), error);
	if (!with_examples) {
		made->example_count = made->group_count = 0;
	}
	check_ok(snw_project_write(d.path, made, "test", &error), error);
	snw_scene_destroy(made);
	check_ok(snw_project_open(d.path, false, &d.project, &error), error);
	read_scene(&d);
	return d;
}

static void close_sample(drawn *d) {
	snw_scene_destroy(d->scene);
	snw_project_close(d->project);
	snw_registry_close(d->registry);
	snw_arena_destroy(d->arena);
	unlink(d->path);
}

typedef enum edit_kind { ADD, MOVE, PARENT, REMOVE, RENAME } edit_kind;

/* As the line of a script. */
static const char *line_of(const drawn *d, edit_kind kind, uint32_t joint, uint32_t parent, const char *name,
						   const double place[3]) {
	const char *const *names = d->scene->skeleton.names;
	const char *at = place ? snw_arena_format(d->arena, "--at=%.17g,%.17g,%.17g", place[0], place[1], place[2]) : "";
	const char *above = parent == SNW_NONE ? NULL : snw_arena_format(d->arena, "--parent='%s'", names[parent]);
	switch (kind) {
	case ADD:
		return snw_arena_format(d->arena, "joint add '%s' %s %s", name, at, above ? above : "");
	case MOVE:
		return snw_arena_format(d->arena, "joint move '%s' %s", names[joint], at);
	case PARENT:
		return snw_arena_format(d->arena, "joint parent '%s' %s", names[joint], above ? above : "--root");
	case REMOVE:
		return snw_arena_format(d->arena, "joint remove '%s'", names[joint]);
	case RENAME:
		return snw_arena_format(d->arena, "joint name '%s' '%s'", names[joint], name);
	}
	return "";
}

static snw_status edit(drawn *d, edit_kind kind, uint32_t joint, uint32_t parent, const char *name, const double place[3]) {
	const snw_operator_context context = {
		.project = d->project, .path = d->path, .scene = d->scene, .registry = d->registry, .arena = d->arena};
	error = (snw_error){0};
	const snw_status status = operate(line_of(d, kind, joint, parent, name, place), &context, &d->report, &error);
	if (!snw_failed(status)) {
		read_scene(d);
	}
	return status;
}

static void undo(drawn *d) {
	check_ok(snw_project_undo(d->project, NULL, &error), error);
	read_scene(d);
}

static void place_of(const snw_scene *scene, uint32_t joint, double place[3]) {
	for (int c = 0; c < 3; c++) {
		place[c] = scene->skeleton.rest_global[12 * (size_t)joint + 4 * (size_t)c + 3];
	}
}

static void expect_place(const snw_scene *scene, const char *name, const double place[3]) {
	double found[3];
	const uint32_t joint = snw_scene_find_joint(scene, name);
	assert_int_not_equal(joint, SNW_NONE);
	place_of(scene, joint, found);
	assert_true(snw_squared_distance3(found, place) < 1e-24);
}

/* Every bind leaves the rest where it is. */
static void expect_rest(const snw_scene *scene) {
	double m[12], one[12];
	snw_mat34_identity(one);
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		snw_mat34_multiply(scene->skeleton.rest_global + 12 * (size_t)scene->slot_joints[s],
						   scene->slot_inverse_binds + 12 * (size_t)s, m);
		for (int i = 0; i < 12; i++) {
			check_near(m[i], one[i], 1e-12);
		}
	}
}

static double weight_at(const snw_scene *scene, uint32_t point, const char *joint) {
	const snw_mesh *mesh = &scene->meshes[0];
	double weight = 0;
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		const char *name = scene->skeleton.names[scene->slot_joints[mesh->influence_slots[k]]];
		weight += strcmp(name, joint) == 0 ? mesh->influence_weights[k] : 0;
	}
	return weight;
}

static uint32_t key_count(const snw_scene *scene, const char *joint) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		for (uint32_t t = 0; t < scene->clips[i].track_count; t++) {
			const snw_track *track = &scene->clips[i].tracks[t];
			const bool of_joint = track->path != SNW_PATH_CHANNEL;
			count += of_joint && strcmp(scene->skeleton.names[track->target], joint) == 0 ? track->key_count : 0;
		}
	}
	return count;
}

static void added_joint_is_where_it_was_drawn(void **state) {
	(void)state;
	drawn d = open_sample("small-arm", true);
	const double place[3] = {0.1, 0.2, 0.3};
	check_ok(edit(&d, ADD, SNW_NONE, WRIST, "finger", place), error);
	assert_int_equal(d.scene->skeleton.joint_count, JOINTS + 1);
	assert_int_equal(d.scene->skeleton.parents[JOINTS], WRIST);
	expect_place(d.scene, "finger", place);
	for (int i = 0; i < 12; i++) {
		check_near(d.scene->skeleton.rest_global[12 * (size_t)JOINTS + (size_t)i], i % 4 == 3 ? place[i / 4] : i % 5 == 0,
				   1e-12);
	}
	expect_rest(d.scene);
	undo(&d);
	assert_int_equal(d.scene->skeleton.joint_count, JOINTS);
	close_sample(&d);
}

static void joints_are_drawn_where_there_are_none(void **state) {
	(void)state;
	drawn d = open_sample("cloth", false);
	const double place[3] = {0, 1, 0}, below[3] = {0, 0, 0};
	assert_int_equal(d.scene->skeleton.joint_count, 0);
	check_ok(edit(&d, ADD, SNW_NONE, SNW_NONE, "first", place), error);
	check_ok(edit(&d, ADD, SNW_NONE, 0, "second", below), error);
	expect_place(d.scene, "second", below);
	assert_string_equal(d.scene->poses[0].name, "rest");
	check_ok(edit(&d, REMOVE, 0, SNW_NONE, NULL, NULL), error);
	assert_int_equal(d.scene->skeleton.parents[0], SNW_NONE);
	expect_place(d.scene, "second", below);
	check_ok(edit(&d, REMOVE, 0, SNW_NONE, NULL, NULL), error);
	assert_int_equal(d.scene->skeleton.joint_count, 0);
	close_sample(&d);
}

static void moved_joint_takes_neither_the_skin_nor_what_is_below(void **state) {
	(void)state;
	drawn d = open_sample("small-arm", false);
	double wrist[3], elbow[3], before[3];
	place_of(d.scene, WRIST, wrist);
	place_of(d.scene, ELBOW, elbow);
	snw_pose *bent = snw_pose_sample(d.scene, 0, d.scene->clips[0].duration_seconds, d.scene->arena);
	memcpy(before, bent->rotation_vectors + (size_t)3 * ELBOW, sizeof before);
	elbow[0] += 0.03;
	elbow[2] -= 0.02;
	check_ok(edit(&d, MOVE, ELBOW, SNW_NONE, NULL, elbow), error);
	expect_place(d.scene, "elbow", elbow);
	expect_place(d.scene, "wrist", wrist);
	expect_rest(d.scene);
	bent = snw_pose_sample(d.scene, 0, d.scene->clips[0].duration_seconds, d.scene->arena);
	for (size_t c = 0; c < 3; c++) {
		check_near(bent->rotation_vectors[(size_t)3 * ELBOW + c], before[c], 1e-9);
		check_near(bent->local[ELBOW].translation[c], d.scene->skeleton.rest_local[ELBOW].translation[c], 1e-12);
	}
	close_sample(&d);
}

/* A sculpt follows the joints by the weights of the skin. */
static void sculpts_are_displaced_with_a_moved_joint(void **state) {
	(void)state;
	drawn d = open_sample("small-arm", true);
	double elbow[3];
	const snw_example *example = &d.scene->examples[0];
	const uint32_t count = d.scene->meshes[example->mesh].point_count;
	double *points = malloc(3 * (size_t)count * sizeof *points), most = 0;
	assert_non_null(points);
	memcpy(points, example->points_posed, 3 * (size_t)count * sizeof *points);
	place_of(d.scene, ELBOW, elbow);
	elbow[0] += 0.03;
	elbow[1] += 0.03;
	check_ok(edit(&d, MOVE, ELBOW, SNW_NONE, NULL, elbow), error);
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		most = fmax(most, fabs(d.scene->examples[0].points_posed[i] - points[i]));
	}
	assert_true(most > 0.01 && most < 0.1);
	free(points);
	close_sample(&d);
}

static void joint_with_another_parent_stays_in_place(void **state) {
	(void)state;
	drawn d = open_sample("small-arm", false);
	double wrist[3];
	place_of(d.scene, WRIST, wrist);
	check_ok(edit(&d, PARENT, WRIST, SHOULDER, NULL, NULL), error);
	assert_int_equal(d.scene->skeleton.parents[WRIST], SHOULDER);
	expect_place(d.scene, "wrist", wrist);
	expect_rest(d.scene);
	check_ok(edit(&d, PARENT, ELBOW, WRIST, NULL, NULL), error); /* a parent with a larger index */
	check_ok(edit(&d, PARENT, WRIST, SNW_NONE, NULL, NULL), error);
	assert_int_equal(d.scene->skeleton.parents[WRIST], SNW_NONE);
	expect_place(d.scene, "wrist", wrist);
	close_sample(&d);
}

static void circles_of_joints_are_refused(void **state) {
	(void)state;
	drawn d = open_sample("small-arm", false);
	assert_int_equal(edit(&d, PARENT, SHOULDER, WRIST, NULL, NULL), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "'shoulder' cannot be below wrist"));
	assert_int_equal(edit(&d, PARENT, ELBOW, ELBOW, NULL, NULL), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "itself"));
	close_sample(&d);
}

static void removed_joint_leaves_its_weights_to_its_parent(void **state) {
	(void)state;
	drawn d = open_sample("small-arm", false);
	const uint32_t count = d.scene->meshes[0].point_count;
	double *expected = malloc(count * sizeof *expected), wrist[3];
	uint32_t with_weight = 0;
	assert_non_null(expected);
	for (uint32_t i = 0; i < count; i++) {
		expected[i] = weight_at(d.scene, i, "shoulder") + weight_at(d.scene, i, "elbow");
		with_weight += weight_at(d.scene, i, "elbow") > 0;
	}
	place_of(d.scene, WRIST, wrist);
	assert_true(key_count(d.scene, "elbow") > 0);
	check_ok(edit(&d, REMOVE, ELBOW, SNW_NONE, NULL, NULL), error);
	assert_true(reported_number(&d.report, "points") >= with_weight && reported_number(&d.report, "clips") > 0);
	for (uint32_t i = 0; i < count; i++) {
		check_near(weight_at(d.scene, i, "shoulder"), expected[i], 1e-12);
	}
	assert_int_equal(snw_scene_find_joint(d.scene, "elbow"), SNW_NONE);
	assert_int_equal(d.scene->skeleton.parents[snw_scene_find_joint(d.scene, "wrist")], SHOULDER);
	expect_place(d.scene, "wrist", wrist);
	expect_rest(d.scene);
	undo(&d);
	assert_true(key_count(d.scene, "elbow") > 0);
	free(expected);
	close_sample(&d);
}

static void joint_that_is_needed_is_not_removed(void **state) {
	(void)state;
	drawn d = open_sample("small-arm", true);
	assert_int_equal(edit(&d, REMOVE, SHOULDER, SNW_NONE, NULL, NULL), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "is a root"));
	assert_int_equal(edit(&d, REMOVE, ELBOW, SNW_NONE, NULL, NULL), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "example"));
	assert_int_equal(d.scene->skeleton.joint_count, JOINTS);
	close_sample(&d);
}

static void renamed_joint_keeps_its_keys(void **state) {
	(void)state;
	drawn d = open_sample("small-arm", false);
	const uint32_t keys = key_count(d.scene, "elbow");
	check_ok(edit(&d, RENAME, ELBOW, SNW_NONE, "ellbogen", NULL), error);
	assert_int_equal(key_count(d.scene, "ellbogen"), keys);
	assert_int_equal(snw_scene_find_joint(d.scene, "elbow"), SNW_NONE);
	assert_int_equal(edit(&d, RENAME, ELBOW, SNW_NONE, "wrist", NULL), SNW_ERROR_CONFLICT);
	undo(&d);
	assert_int_equal(snw_scene_find_joint(d.scene, "elbow"), ELBOW);
	close_sample(&d);
}

static void names_and_places_that_are_none_are_refused(void **state) {
	(void)state;
	drawn d = open_sample("small-arm", false);
	const double place[3] = {0, 0, 0}, nowhere[3] = {0, NAN, 0}, far[3] = {1e300, 0, 0};
	char longest[1200];
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = 0;
	const char *const names[] = {"", "two\nlines", longest, "elbow"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_true(snw_failed(edit(&d, ADD, SNW_NONE, WRIST, names[i], place)));
		assert_true(i == 3 || snw_failed(edit(&d, RENAME, WRIST, SNW_NONE, names[i], NULL)));
	}
	assert_true(snw_failed(edit(&d, ADD, SNW_NONE, WRIST, "new", nowhere)));
	assert_true(snw_failed(edit(&d, ADD, SNW_NONE, WRIST, "new", far)));
	assert_true(snw_failed(edit(&d, MOVE, WRIST, SNW_NONE, NULL, nowhere)));
	assert_int_equal(d.scene->skeleton.joint_count, JOINTS);
	close_sample(&d);
}

TEST_GROUP(edit_joints) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(added_joint_is_where_it_was_drawn),
		cmocka_unit_test(joints_are_drawn_where_there_are_none),
		cmocka_unit_test(moved_joint_takes_neither_the_skin_nor_what_is_below),
		cmocka_unit_test(sculpts_are_displaced_with_a_moved_joint),
		cmocka_unit_test(joint_with_another_parent_stays_in_place),
		cmocka_unit_test(circles_of_joints_are_refused),
		cmocka_unit_test(removed_joint_leaves_its_weights_to_its_parent),
		cmocka_unit_test(joint_that_is_needed_is_not_removed),
		cmocka_unit_test(renamed_joint_keeps_its_keys),
		cmocka_unit_test(names_and_places_that_are_none_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
