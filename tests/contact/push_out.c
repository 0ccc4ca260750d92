/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pushing out: the patch of a point, folds, displacements that rows ask for, and a shirt that is pushed out of a body.
 */
#include <math.h>

#include "check.h"
#include "contact/contact.h"
#include "example/push_out.h"
#include "sample/sample.h"
#include "sinew/algebra.h"

static snw_error fault;

enum { SIDE = 10, ROW = SIDE + 1, MIDDLE = SIDE / 2 * ROW + SIDE / 2 };

/* Square sheets of SIDE quads along a side of 1, one over the other. */
static snw_mesh sheets(snw_arena *arena, uint32_t count, double apart) {
	const uint32_t points_of_one = ROW * ROW, faces_of_one = SIDE * SIDE;
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count * points_of_one);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count * faces_of_one + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)count * faces_of_one);
	for (uint32_t p = 0; p < count * points_of_one; p++) {
		const uint32_t sheet = p / points_of_one, row = p % points_of_one / ROW, column = p % ROW;
		points[3 * (size_t)p] = (double)column / SIDE;
		points[3 * (size_t)p + 1] = apart * sheet;
		points[3 * (size_t)p + 2] = (double)row / SIDE;
	}
	for (uint32_t f = 0; f < count * faces_of_one; f++) {
		const uint32_t in_one = f % faces_of_one, at = f / faces_of_one * points_of_one + in_one / SIDE * ROW + in_one % SIDE;
		const uint32_t four[4] = {at, at + ROW, at + ROW + 1, at + 1};
		memcpy(corners + 4 * (size_t)f, four, sizeof four);
		offsets[f + 1] = 4 * (f + 1);
	}
	return (snw_mesh){.name = "sheets",
					  .point_count = count * points_of_one,
					  .points_rest = points,
					  .face_count = count * faces_of_one,
					  .face_offsets = offsets,
					  .face_points = corners};
}

static float *floats_of(const snw_mesh *mesh, snw_arena *arena) {
	float *points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->point_count);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[i] = (float)mesh->points_rest[i];
	}
	return points;
}

static snw_contact_mesh_pose *pose_of(const snw_contact_tree *tree, const float *points, snw_arena *arena) {
	snw_contact_mesh_pose *pose = snw_contact_mesh_pose_make(tree, arena);
	snw_contact_pose_points(pose, points);
	snw_contact_make_dipoles(pose);
	return pose;
}

/* At rest. */
static snw_contact_mesh_pose *mesh_pose(const snw_mesh *mesh, snw_arena *arena) {
	return pose_of(snw_contact_tree_make(mesh, NULL, arena), floats_of(mesh, arena), arena);
}

/* How high the first point of a mesh without faces is, at a place. */
static bool height_of(const snw_mesh *mesh, const double at[3], snw_contact_mesh_pose *other, const snw_rest_place *rest,
					  double radius, double *height) {
	snw_arena *arena = snw_arena_create();
	const snw_posed_point point = {mesh_pose(mesh, arena), 0, {at[0], at[1], at[2]}};
	snw_contact_place place;
	const bool is_known = snw_own_patch_height(&point, other, rest, radius, &place, height);
	snw_arena_destroy(arena);
	return is_known;
}

/* ---- patches and folds --------------------------------------------------------------------------------------------------- */

static void a_patch_is_of_the_piece_that_was_nearest(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh other = sheets(arena, 2, 0.05);
	const double point[3] = {0.51, 0.02, 0.51};
	const snw_mesh cloth = {.name = "cloth", .point_count = 1, .points_rest = point};
	const snw_contact_tree *tree = snw_contact_tree_make(&other, NULL, arena);
	float *points = floats_of(&other, arena);
	snw_contact_mesh_pose *pose = pose_of(tree, points, arena);
	const snw_rest_place *rest = snw_rest_places_find(mesh_pose(&cloth, arena), pose, 0.3, arena);
	assert_true(fabs(rest->height - 0.02) < 1e-6);
	for (uint32_t p = ROW * ROW; p < other.point_count; p++) { /* the upper sheet comes down to below the point */
		points[3 * (size_t)p + 1] = 0.01F;
	}
	snw_contact_pose_points(pose, points);
	double height = 0;
	assert_true(height_of(&cloth, point, pose, rest, 0.3, &height));
	assert_true(fabs(height - 0.02) < 1e-6);
	assert_true(height_of(&cloth, (const double[3]){0.51, -0.03, 0.51}, pose, rest, 0.3, &height));
	assert_true(fabs(height + 0.03) < 1e-6);
	snw_arena_destroy(arena);
}

/* The right half folds over and comes through the left half, so that a point below that is on the wrong side of it. */
static void a_patch_is_where_a_walk_along_the_surface_leads(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh other = sheets(arena, 1, 0);
	const double point[3] = {0.21, -0.02, 0.51}, through[3] = {0.21, 0.02, 0.51};
	const snw_mesh body = {.name = "body", .point_count = 1, .points_rest = point};
	float *points = floats_of(&other, arena);
	snw_contact_mesh_pose *pose = pose_of(snw_contact_tree_make(&other, NULL, arena), points, arena);
	const snw_rest_place *rest = snw_rest_places_find(mesh_pose(&body, arena), pose, 0.6, arena);
	for (uint32_t p = 0; p < ROW * ROW; p++) {
		const float x = points[3 * (size_t)p];
		points[3 * (size_t)p] = x > 0.5F ? 1 - x : x;
		points[3 * (size_t)p + 1] = x > 0.5F ? -0.01F : 0;
	}
	snw_contact_pose_points(pose, points);
	const snw_contact_place place = snw_contact_nearest(pose, point, 1, NULL, NULL);
	double height = 0;
	assert_true(fabs(place.distance - 0.01) < 1e-6);
	assert_true(height_of(&body, point, pose, rest, 0.6, &height));
	assert_true(fabs(height - 0.02) < 1e-6 && rest->height < 0); /* above 0: on its own side */
	assert_true(height_of(&body, through, pose, rest, 0.6, &height));
	assert_true(fabs(height + 0.02) < 1e-6);
	snw_arena_destroy(arena);
}

static void points_that_are_through_at_rest_have_no_patch(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh other = sheets(arena, 1, 0);
	const double points[] = {0.31, 0.02, 0.5, 0.51, -0.02, 0.5, 0.71, 0.02, 0.5, 0.51, 0.5, 0.5};
	const snw_mesh cloth = {.name = "cloth", .point_count = 4, .points_rest = points};
	snw_contact_mesh_pose *pose = pose_of(snw_contact_tree_make(&other, NULL, arena), floats_of(&other, arena), arena);
	const snw_rest_place *rest = snw_rest_places_find(mesh_pose(&cloth, arena), pose, 0.3, arena);
	assert_true(rest[0].height > 0 && rest[2].height > 0);
	assert_true(rest[1].height == 0); /* below, where most are above */
	assert_true(rest[3].height == 0); /* too far away */
	snw_arena_destroy(arena);
}

static void a_fold_is_where_a_mesh_meets_itself_and_did_not_at_rest(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh mesh = sheets(arena, 1, 0);
	bool marks[ROW * ROW];
	const snw_contact_tree *tree = snw_contact_tree_make(&mesh, NULL, arena);
	float *points = floats_of(&mesh, arena);
	snw_contact_mesh_pose *pose = pose_of(tree, points, arena);
	const snw_meeting folds = snw_meeting_at_rest(pose, NULL, arena);
	snw_contact_neighbours *neighbours = snw_contact_neighbours_make(tree, 0.05, arena);
	snw_folds_mark(&folds, pose, neighbours, mesh.point_count, marks);
	for (uint32_t p = 0; p < ROW * ROW; p++) {
		assert_false(marks[p]);
	}
	for (uint32_t p = 0; p < ROW * ROW; p++) { /* the right half folds over, and its end goes down through the left half */
		const float x = points[3 * (size_t)p];
		if (x > 0.45F) {
			points[3 * (size_t)p] = 0.93F - x;
			points[3 * (size_t)p + 1] = x > 0.85F ? -0.05F : 0.05F;
		}
	}
	snw_contact_pose_points(pose, points);
	snw_folds_mark(&folds, pose, neighbours, mesh.point_count, marks);
	assert_true(marks[SIDE / 2 * ROW + SIDE - 1]);
	assert_false(marks[SIDE / 2 * ROW + SIDE / 2 - 1]);
	snw_arena_destroy(arena);
}

/* ---- displacements ------------------------------------------------------------------------------------------------------- */

/* A row that asks the middle of a sheet to go up. */
static snw_push_row up(uint32_t frame, double least) {
	return (snw_push_row){
		.frame = frame, .points = {MIDDLE, MIDDLE, MIDDLE}, .vectors = {{0, 1, 0}}, .least = least, .weight = 1};
}

static void rows_are_met_by_smooth_displacements_that_are_not_too_long(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh mesh = sheets(arena, 1, 0);
	const snw_adjacency around = snw_adjacency_make(&mesh, NULL, arena);
	const double one = 1;
	snw_push_out push = {.point_count = mesh.point_count,
						 .frame_count = 1,
						 .example_count = 1,
						 .around = &around,
						 .coefficients = {&one},
						 .most = 1};
	const snw_push_row row = up(0, 0.05);
	double x[3 * ROW * ROW] = {0}, length = 0;
	check_ok(snw_push_out_solve(&push, 1, &row, 1000, 0, NULL, x, &fault), fault);
	assert_true(fabs(x[3 * MIDDLE + 1] - 0.05) < 1e-3);
	assert_true(x[3 * (MIDDLE + 1) + 1] > 0.02 && fabs(x[1]) < x[3 * (MIDDLE + 1) + 1]);
	push.most = 0.02;
	check_ok(snw_push_out_solve(&push, 1, &row, 10, 0, NULL, x, &fault), fault);
	snw_push_out_limit(&push, x);
	for (uint32_t p = 0; p < mesh.point_count; p++) {
		length = fmax(length, snw_length3(x + 3 * (size_t)p));
	}
	assert_true(fabs(length - 0.02) < 1e-9);
	memset(x, 0, sizeof x);
	const snw_push_row is_met = up(0, -0.01);
	check_ok(snw_push_out_solve(&push, 1, &is_met, 1000, 0, NULL, x, &fault), fault);
	assert_true(x[3 * MIDDLE + 1] == 0);
	snw_arena_destroy(arena);
}

static void frames_between_examples_ask_both_and_each_side_has_its_own(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh mesh = sheets(arena, 1, 0);
	const snw_adjacency around = snw_adjacency_make(&mesh, NULL, arena);
	const double first[] = {1, 0, 0, 1, 0.5, 0.5}, second[] = {0, 0, 0, 0, 0, 0};
	double shares[ROW * ROW], displaced[3 * ROW * ROW];
	for (uint32_t p = 0; p < ROW * ROW; p++) {
		shares[p] = p % ROW > SIDE / 2 - 1 ? 1 : 0;
	}
	const snw_push_out push = {.point_count = mesh.point_count,
							   .frame_count = 3,
							   .example_count = 2,
							   .around = &around,
							   .coefficients = {first, second},
							   .shares = shares,
							   .most = 1};
	const snw_push_row row = up(2, 0.05);
	double *x = SNW_NEW_ARRAY(arena, double, 2 * (size_t)3 * mesh.point_count);
	check_ok(snw_push_out_solve(&push, 1, &row, 1000, 0, NULL, x, &fault), fault);
	snw_push_out_at(&push, x, 2, displaced);
	assert_true(fabs(displaced[3 * MIDDLE + 1] - 0.05) < 1e-3);
	assert_true(fabs(x[3 * MIDDLE + 1] - x[3 * (ROW * ROW + MIDDLE) + 1]) < 1e-6);
	assert_true(displaced[3 * (MIDDLE - 1) + 1] == 0 && displaced[3 * (MIDDLE + 1) + 1] > 0);
	snw_arena_destroy(arena);
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

enum { RISING = 5 }; /* keys */

/* The clip of the figure until its arm is highest, played so fast that there is no moment between its keys, and one in which
 * the elbow bends without the shoulder. */
static snw_scene *figure(void) {
	snw_scene *scene = NULL;
	check_ok(snw_sample_make("dressed", &scene, &fault), fault);
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, 2);
	clips[0] = scene->clips[0];
	clips[0].tracks = snw_arena_copy(scene->arena, clips[0].tracks, clips[0].track_count * sizeof *clips[0].tracks);
	for (uint32_t t = 0; t < clips[0].track_count; t++) {
		snw_track *track = (snw_track *)&clips[0].tracks[t];
		double *seconds = snw_arena_copy(scene->arena, track->seconds, track->key_count * sizeof *seconds);
		track->key_count = RISING;
		for (uint32_t k = 0; k < RISING; k++) {
			seconds[k] /= 6;
		}
		track->seconds = seconds;
		clips[0].duration_seconds = seconds[RISING - 1];
	}
	clips[1] = clips[0];
	clips[1].name = "bend";
	clips[1].id = clips[0].id + 1;
	clips[1].tracks = clips[0].tracks + 1;
	clips[1].track_count = 1;
	scene->clips = clips;
	scene->clip_count = 2;
	return scene;
}

/* What progress says: its parts, trial fits too, are shares of the whole. */
typedef struct watched {
	double last;
	bool falls, fits;
} watched;

static bool watch(void *context, double fraction, const char *activity) {
	watched *w = context;
	w->falls = w->falls || fraction < w->last - 1e-9 || fraction > 1;
	w->fits =
		w->fits || (fraction > 0.1 && fraction < 0.9 && activity && !strstr(activity, "deep") && !strstr(activity, "push"));
	w->last = fraction;
	return true;
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)activity;
	return fraction < *(const double *)context;
}

static void a_shirt_is_pushed_out_in_one_clip_and_is_no_deeper_in_another(void **state) {
	(void)state;
	snw_registry *registry = snw_registry_open();
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = figure();
	const uint32_t body = snw_scene_find_mesh(scene, "body"), clip = 0;
	snw_push_request request = {.mesh = snw_scene_find_mesh(scene, "shirt"),
								.other_count = 1,
								.others = &body,
								.clip_count = 1,
								.clips = &clip,
								.most_poses = 1,
								.deepest = 0.0005,
								.most = 0.025,
								.clearance = 0.001};
	snw_pushed_out pushed;
	watched seen = {0};
	const snw_task watching = {.context = &seen, .progress = watch};
	check_ok(snw_push_out_find(scene, registry, &request, &watching, arena, &pushed, &fault), fault);
	assert_true(seen.fits && !seen.falls);
	assert_int_equal(pushed.count, 1);
	assert_true(isnan(pushed.still_deepest)); /* one pose was enough */
	assert_true(pushed.before.deepest > 0.005);
	assert_true(pushed.after.deepest < pushed.before.deepest / 3);
	assert_true(pushed.most > 0.005 && pushed.most < 0.0251);
	assert_int_equal(pushed.clip_count, 2);
	assert_true(pushed.clips[0].is_asked && !pushed.clips[1].is_asked);
	assert_true(pushed.clips[1].before.deepest > 0.005);
	assert_true(pushed.clips[1].after.deepest <= pushed.clips[1].before.deepest);
	if (getenv("CONTACT_POSES")) {
		request.most = 0.006; /* too little */
		check_ok(snw_push_out_find(scene, registry, &request, NULL, arena, &pushed, &fault), fault);
		assert_true(pushed.most < 0.0061);
		assert_true(pushed.after.deepest < pushed.still_deepest && pushed.still_deepest < pushed.before.deepest);
	}
	for (int i = 0; i < (getenv("CONTACT_POSES") ? 3 : 1); i++) {
		double until = 0.05 + 0.4 * i;
		const snw_task task = {.context = &until, .progress = stop};
		assert_int_equal(snw_push_out_find(scene, registry, &request, &task, arena, &pushed, &fault), SNW_CANCELLED);
	}
	snw_scene_destroy(scene);
	snw_arena_destroy(arena);
	snw_registry_close(registry);
}

TEST_GROUP(push_out) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_patch_is_of_the_piece_that_was_nearest),
		cmocka_unit_test(a_patch_is_where_a_walk_along_the_surface_leads),
		cmocka_unit_test(points_that_are_through_at_rest_have_no_patch),
		cmocka_unit_test(a_fold_is_where_a_mesh_meets_itself_and_did_not_at_rest),
		cmocka_unit_test(rows_are_met_by_smooth_displacements_that_are_not_too_long),
		cmocka_unit_test(frames_between_examples_ask_both_and_each_side_has_its_own),
		cmocka_unit_test(a_shirt_is_pushed_out_in_one_clip_and_is_no_deeper_in_another),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
