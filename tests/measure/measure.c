/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The measures against closed forms.
 */
#include "measure/measure.h"
#include "check.h"
#include "mesh/mesh.h"
#include "pose/pose.h"
#include "random.h"
#include "sinew/algebra.h"

/* Two joints side by side and eight points, the corners of a box of diagonal 2·√3 = 3.46…; one clip. */
enum { POINTS = 8, JOINTS = 2, FRAMES = 3 };

typedef struct measure_fixture {
	snw_scene *scene;
	snw_target target;
	float posed[FRAMES][POINTS][3];
} measure_fixture;

static const double half_diagonal = 1.7320508075688772;

static void fixture_skeleton(snw_scene *scene) {
	snw_arena *arena = scene->arena;
	const char **names = SNW_NEW_ARRAY(arena, const char *, JOINTS);
	names[0] = "left";
	names[1] = "right";
	scene->skeleton = (snw_skeleton){
		.joint_count = JOINTS,
		.names = names,
		.parents = SNW_NEW_ARRAY(arena, uint32_t, JOINTS),
		.order = SNW_NEW_ARRAY(arena, uint32_t, JOINTS),
		.rest_local = SNW_NEW_ARRAY(arena, snw_transform, JOINTS),
		.rest_global = SNW_NEW_ARRAY(arena, double, 12 * JOINTS),
	};
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, JOINTS);
	double *binds = SNW_NEW_ARRAY(arena, double, 12 * JOINTS);
	for (uint32_t j = 0; j < JOINTS; j++) {
		scene->skeleton.parents[j] = SNW_NONE;
		scene->skeleton.order[j] = joints[j] = j;
		scene->skeleton.rest_local[j] = (snw_transform){{j == 0 ? -1 : 1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
		snw_transform_to_mat34(&scene->skeleton.rest_local[j], scene->skeleton.rest_global + 12 * (size_t)j);
		assert_true(snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)j, binds + 12 * (size_t)j));
	}
	scene->slot_count = JOINTS;
	scene->slot_joints = joints;
	scene->slot_inverse_binds = binds;
}

/* The left joint moves up by one a second, the right one stays. */
static void fixture_clip(snw_scene *scene) {
	static const double seconds[2] = {0, 2}, values[6] = {-1, 0, 0, -1, 2, 0};
	snw_track *track = SNW_NEW(scene->arena, snw_track);
	*track = (snw_track){.target = 0,
						 .path = SNW_PATH_TRANSLATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = 2,
						 .seconds = seconds,
						 .values = values};
	snw_clip *clip = SNW_NEW(scene->arena, snw_clip);
	*clip = (snw_clip){.id = 4, .name = "lift", .duration_seconds = 2, .track_count = 1, .tracks = track};
	scene->clip_count = 1;
	scene->clips = clip;
}

/* The fixture must stay where it is: the target's points are in it. */
static void fixture_make(measure_fixture *fixture) {
	*fixture = (measure_fixture){.scene = snw_scene_create()};
	snw_scene *scene = fixture->scene;
	fixture_skeleton(scene);
	fixture_clip(scene);
	double *rest = SNW_NEW_ARRAY(scene->arena, double, 3 * POINTS);
	for (int i = 0; i < POINTS; i++) {
		rest[3 * i] = i & 1 ? 1 : -1;
		rest[3 * i + 1] = i & 2 ? 1 : -1;
		rest[3 * i + 2] = i & 4 ? 1 : -1;
	}
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	*mesh = (snw_mesh){.name = "box", .point_count = POINTS, .points_rest = rest};
	scene->mesh_count = 1;
	scene->meshes = mesh;
	static const double seconds[FRAMES] = {0, 1, 2};
	fixture->target =
		(snw_target){.name = "lifted", .frame_count = FRAMES, .seconds = seconds, .points_posed = fixture->posed[0][0]};
	scene->target_count = 1;
	scene->targets = &fixture->target;
	for (int f = 0; f < FRAMES; f++) {
		for (int i = 0; i < POINTS; i++) {
			for (int c = 0; c < 3; c++) {
				fixture->posed[f][i][c] = (float)rest[3 * i + c];
			}
			fixture->posed[f][i][1] += i & 1 ? 0 : (float)f; /* as the left joint, for the points on the left */
		}
	}
}

static snw_series fixture_series(const measure_fixture *fixture) {
	snw_series series;
	snw_error error;
	check_ok(snw_series_of_target(fixture->scene, 0, fixture->scene->arena, &series, &error), error);
	return series;
}

/* The series measured against itself shifted by t. */
static snw_measure measure_shifted(const snw_series *series, const double t[3]) {
	snw_measure_sums sums = {0};
	double rigid[FRAMES], rigid_sum = 0;
	for (uint32_t f = 0; f < series->frame_count; f++) {
		double expected[3 * POINTS], actual[3 * POINTS];
		snw_series_points(series, f, expected);
		for (int i = 0; i < 3 * POINTS; i++) {
			actual[i] = expected[i] + t[i % 3];
		}
		snw_measure_add(series, f, expected, actual, &sums);
	}
	snw_series_rigid(series, rigid);
	for (uint32_t f = 0; f < series->frame_count; f++) {
		rigid_sum += rigid[f];
	}
	return snw_measure_finish(series, series->frame_count, &sums, snw_series_spread(series), rigid_sum);
}

static void measure_of_a_shift_has_its_closed_form(void **state) {
	(void)state;
	measure_fixture fixture;
	fixture_make(&fixture);
	/* The truth also leaves the joints, by 0.5 along z at frame 1, so that the rigid prediction is not exact. */
	for (int i = 0; i < POINTS; i++) {
		fixture.posed[1][i][2] += 0.5f;
	}
	const snw_series series = fixture_series(&fixture);
	const double t[3] = {0.1, -0.2, 0.2}, length = 0.3;
	const snw_measure measure = measure_shifted(&series, t);
	check_near(measure.erms, 1000 * length / sqrt(3) / half_diagonal, 1e-9);
	check_near(measure.max_percent, 100 * length / (2 * half_diagonal), 1e-9);
	/* About the mean over frames: 4 points at heights 0, 1, 2 (squares 2), 8 at depths 0, 0.5, 0 (squares 1/6). */
	const double spread = 4 * 2 + 8 / 6.0, error = POINTS * FRAMES * length * length;
	check_near(measure.distortion_percent, 100 * sqrt(error / spread), 1e-5);
	/* The rigid prediction misses frame 1 by 0.5 at every point. */
	check_near(measure.enveloping_error, sqrt(error / (8 * 0.25)), 1e-6);
	assert_int_equal(measure.frame_count, FRAMES);
	assert_int_equal(measure.point_count, POINTS);
	snw_scene_destroy(fixture.scene);
}

static void rigid_prediction_picks_one_joint_over_all_frames(void **state) {
	(void)state;
	measure_fixture fixture;
	fixture_make(&fixture);
	double rigid[FRAMES];
	snw_series series = fixture_series(&fixture);
	snw_series_rigid(&series, rigid);
	for (int f = 0; f < FRAMES; f++) {
		check_near(rigid[f], 0, 1e-12);
	}
	/* One point of the left now follows the left joint at frame 1 only. Left: misses frame 2 by 2. Right: frame 1 by 1. */
	fixture.posed[2][0][1] = -1;
	series = fixture_series(&fixture);
	snw_series_rigid(&series, rigid);
	check_near(rigid[0], 0, 1e-12);
	check_near(rigid[1], 1, 1e-12);
	check_near(rigid[2], 0, 1e-12);
	snw_scene_destroy(fixture.scene);
}

enum { TRIED_SLOTS = 12, TRIED_POINTS = 600, TRIED_FRAMES = 7 };

/* The squares of a slot at a point, added to `squares`, and their sum. */
static double add_tried(const snw_series *series, uint32_t point, uint32_t slot, double *squares) {
	double sum = 0;
	for (uint32_t f = 0; f < series->frame_count; f++) {
		double at[3];
		snw_mat34_point(series->frames[f].pose->palette + 12 * (size_t)slot, series->mesh->points_rest + 3 * (size_t)point, at);
		const double *to = series->frames[f].points + 3 * (size_t)point;
		const double apart[3] = {at[0] - to[0], at[1] - to[1], at[2] - to[2]}, distance = snw_length3(apart);
		sum += distance * distance;
		squares[f] += distance * distance;
	}
	return sum;
}

/* Joints that move alike, and joints that move alike in most frames, are among them. */
static void rigid_prediction_is_that_of_trying_every_joint(void **state) {
	(void)state;
	uint64_t random = random_seed();
	double rest[TRIED_POINTS][3], points[TRIED_FRAMES][TRIED_POINTS][3], palettes[TRIED_FRAMES][TRIED_SLOTS][12];
	snw_pose_view poses[TRIED_FRAMES];
	snw_measured_frame frames[TRIED_FRAMES];
	const snw_mesh mesh = {.name = "cloud", .point_count = TRIED_POINTS, .points_rest = rest[0]};
	for (uint32_t i = 0; i < TRIED_POINTS; i++) {
		for (int c = 0; c < 3; c++) {
			rest[i][c] = random_between(&random, -1, 1);
		}
	}
	for (uint32_t f = 0; f < TRIED_FRAMES; f++) {
		for (uint32_t s = 0; s < TRIED_SLOTS; s++) {
			const uint32_t like = s == 9 || (s == 5 && f != 4) ? s - 4 : s; /* 9 as 5; 5 as 1 but for a frame */
			for (size_t c = 0; c < 12; c++) {
				palettes[f][s][c] =
					like < s ? palettes[f][like][c] : (double)(c % 5 == 0) + random_between(&random, -0.2, 0.2) * f;
			}
		}
		for (uint32_t i = 0; i < TRIED_POINTS; i++) {
			snw_mat34_point(palettes[f][i % TRIED_SLOTS], rest[i], points[f][i]);
			points[f][i][0] += random_between(&random, -1, 1) * (i % 3); /* so that joints come out close to each other */
		}
		poses[f] = (snw_pose_view){.size = sizeof *poses, .slot_count = TRIED_SLOTS, .palette = palettes[f][0]};
		frames[f] = (snw_measured_frame){.pose = &poses[f], .points = points[f][0]};
	}
	const snw_series series = {.mesh = &mesh, .frame_count = TRIED_FRAMES, .frames = frames};
	double expected[TRIED_FRAMES] = {0}, rigid[TRIED_FRAMES];
	for (uint32_t i = 0; i < TRIED_POINTS; i++) {
		double ignored[TRIED_FRAMES] = {0}, least = INFINITY;
		uint32_t best = 0;
		for (uint32_t s = 0; s < TRIED_SLOTS; s++) {
			const double sum = add_tried(&series, i, s, ignored);
			best = sum < least ? s : best;
			least = sum < least ? sum : least;
		}
		(void)add_tried(&series, i, best, expected);
	}
	snw_series_rigid(&series, rigid);
	assert_memory_equal(rigid, expected, sizeof rigid);
}

static void distortion_of_one_frame_is_not_defined(void **state) {
	(void)state;
	measure_fixture fixture;
	fixture_make(&fixture);
	fixture.target.frame_count = 1;
	const snw_series series = fixture_series(&fixture);
	const double t[3] = {0.1, 0, 0};
	const snw_measure measure = measure_shifted(&series, t);
	assert_true(isnan(measure.distortion_percent));
	assert_true(isnan(measure.enveloping_error)); /* the rigid prediction is exact */
	assert_true(measure.erms > 0);
	snw_scene_destroy(fixture.scene);
}

static void enveloping_error_without_a_skin_is_not_defined(void **state) {
	(void)state;
	measure_fixture fixture;
	fixture_make(&fixture);
	fixture.scene->slot_count = 0;
	const snw_series series = fixture_series(&fixture);
	const double t[3] = {0.1, 0, 0};
	assert_true(isnan(measure_shifted(&series, t).enveloping_error));
	snw_scene_destroy(fixture.scene);
}

static void largest_distance_says_where_it_is(void **state) {
	(void)state;
	measure_fixture fixture;
	fixture_make(&fixture);
	const snw_series series = fixture_series(&fixture);
	snw_measure_sums sums = {0};
	for (uint32_t f = 0; f < FRAMES; f++) {
		double expected[3 * POINTS], actual[3 * POINTS];
		snw_series_points(&series, f, expected);
		memcpy(actual, expected, sizeof actual);
		actual[3 * 5 + 1] += f == 1 ? 0.7 : 0.2;
		actual[3 * 2 + 1] += f == 2 ? 0.6 : 0;
		snw_measure_add(&series, f, expected, actual, &sums);
	}
	const snw_measure measure = snw_measure_finish(&series, FRAMES, &sums, 1, 1);
	assert_int_equal(measure.max_frame, 1);
	assert_int_equal(measure.max_point, 5);
	check_near(measure.max_percent, 100 * 0.7 / (2 * half_diagonal), 1e-6);
	snw_scene_destroy(fixture.scene);
}

static void distances_are_euclidean(void **state) {
	(void)state;
	const double a[] = {0, 0, 0, 1, 2, 3}, b[] = {3, 4, 0, 1, 2, 3};
	double distances[2];
	snw_measure_distances(2, a, b, distances);
	check_near(distances[0], 5, 0);
	check_near(distances[1], 0, 0);
}

static void source_measured_against_itself_is_zero(void **state) {
	(void)state;
	measure_fixture fixture;
	fixture_make(&fixture);
	fixture.posed[1][3][0] += 0.25f;
	const snw_measure_request request = {.mesh = 0, .target = 0, .method = "source"};
	snw_measure measure;
	snw_error error;
	check_ok(snw_measure_run(fixture.scene, NULL, &request, NULL, &measure, &error), error);
	check_near(measure.erms, 0, 0);
	check_near(measure.distortion_percent, 0, 0);
	check_near(measure.enveloping_error, 0, 0);
	snw_scene_destroy(fixture.scene);
}

/* A square of two triangles' width in the plane z = 0. */
static snw_mesh flat_square(void) {
	static const double rest[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
	static const uint32_t offsets[] = {0, 4}, points[] = {0, 1, 2, 3};
	return (snw_mesh){.name = "square",
					  .point_count = 4,
					  .points_rest = rest,
					  .face_count = 1,
					  .face_offsets = offsets,
					  .face_points = points};
}

static void normals_of_a_tilted_square_are_off_by_the_angle(void **state) {
	(void)state;
	const snw_mesh mesh = flat_square();
	snw_normal_comparison *comparison = snw_normal_comparison_create(&mesh);
	snw_normal_angles angles = {0};
	assert_true(isnan(snw_normal_angles_mean(&angles)));
	double tilted[12];
	for (int frame = 0; frame < 2; frame++) {
		const double angle = frame == 0 ? 0.3 : 1e-5;
		for (size_t i = 0; i < 12; i += 3) {
			tilted[i] = mesh.points_rest[i];
			tilted[i + 1] = cos(angle) * mesh.points_rest[i + 1];
			tilted[i + 2] = sin(angle) * mesh.points_rest[i + 1];
		}
		snw_normal_angles_add(comparison, mesh.points_rest, tilted, NULL, &angles);
	}
	const double degrees = 180 / M_PI;
	check_near(snw_normal_angles_most(&angles), 0.3 * degrees, 1e-5);
	check_near(snw_normal_angles_mean(&angles), degrees * sqrt((0.3 * 0.3 + 1e-10) / 2), 1e-5);
	/* A small angle alone, which a cosine in floats would lose; at two of four points. */
	const double region[] = {1, 0, 0, 1};
	snw_normal_angles small = {0};
	snw_normal_angles_add(comparison, mesh.points_rest, tilted, region, &small);
	check_near(snw_normal_angles_mean(&small), 1e-5 * degrees, 1e-8);
	assert_int_equal(small.count, 2);
	/* A shape without an area has no normals. */
	const double collapsed[12] = {0};
	snw_normal_angles none = {0};
	snw_normal_angles_add(comparison, mesh.points_rest, collapsed, NULL, &none);
	assert_int_equal(none.count, 0);
	snw_normal_comparison_destroy(comparison);
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)context;
	(void)fraction;
	(void)activity;
	return false;
}

static void measure_without_examples_says_so_and_cancel_stops(void **state) {
	(void)state;
	measure_fixture fixture;
	fixture_make(&fixture);
	snw_measure measure = {.erms = 7};
	snw_error error;
	const snw_measure_request examples = {.mesh = 0, .target = SNW_NONE};
	assert_int_equal(snw_measure_run(fixture.scene, NULL, &examples, NULL, &measure, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "box"));
	const snw_task task = {.progress = stop};
	const snw_measure_request target = {.mesh = 0, .target = 0, .method = "source"};
	assert_int_equal(snw_measure_run(fixture.scene, NULL, &target, &task, &measure, &error), SNW_CANCELLED);
	check_near(measure.erms, 7, 0);
	snw_scene_destroy(fixture.scene);
}

TEST_GROUP(measure) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measure_of_a_shift_has_its_closed_form),
		cmocka_unit_test(rigid_prediction_picks_one_joint_over_all_frames),
		cmocka_unit_test(rigid_prediction_is_that_of_trying_every_joint),
		cmocka_unit_test(distortion_of_one_frame_is_not_defined),
		cmocka_unit_test(enveloping_error_without_a_skin_is_not_defined),
		cmocka_unit_test(largest_distance_says_where_it_is),
		cmocka_unit_test(distances_are_euclidean),
		cmocka_unit_test(source_measured_against_itself_is_zero),
		cmocka_unit_test(normals_of_a_tilted_square_are_off_by_the_angle),
		cmocka_unit_test(measure_without_examples_says_so_and_cancel_stops),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
