/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact over the clip of a dressed figure: what is at rest does not count, threads change nothing, and a task can stop it.
 */
#include "measure/contact_moments.h"

#include "check.h"
#include "contact/contact.h"
#include "example/push_out.h"
#include "kept_registry.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "task/task.h"

static snw_error fault;

/* Made once: a case changes a copy of its own. */
typedef struct fixture {
	snw_scene *scene;
	snw_stack *stack;
	snw_arena *arena;
	snw_contact_request request;
	snw_contact_moment *moments;
} fixture;

static int open_fixture(void **state) {
	fixture *f = calloc(1, sizeof *f);
	uint32_t room = 0;
	f->arena = snw_arena_create();
	check_ok(snw_sample_make("dressed", &f->scene, &fault), fault);
	check_ok(snw_stack_build(f->scene, kept_registry(), &(snw_stack_options){0}, NULL, &f->stack, &fault), fault);
	snw_contact_moments_add_clip(f->scene, 0, f->arena, &f->moments, &f->request.moment_count, &room);
	f->request.moments = f->moments;
	f->request.pairs = snw_mesh_pairs_list(f->scene, true, true, f->arena, &f->request.pair_count);
	f->request.neighbours = snw_contact_default_neighbours(f->scene);
	f->request.patch = snw_contact_default_patch(f->scene);
	*state = f;
	return 0;
}

static int close_fixture(void **state) {
	fixture *f = *state;
	snw_stack_destroy(f->stack);
	snw_scene_destroy(f->scene);
	snw_arena_destroy(f->arena);
	free(f);
	return 0;
}

static snw_contact_moments find(const fixture *f) {
	snw_contact_moments found;
	check_ok(snw_contact_moments_find(f->scene, f->stack, &f->request, NULL, f->arena, &found, &fault), fault);
	return found;
}

/* Of the pairs those of two meshes, with themselves and with each other. */
static void keep_pairs_of(fixture *f, uint32_t first, uint32_t second) {
	snw_mesh_pair *pairs = SNW_NEW_ARRAY(f->arena, snw_mesh_pair, f->request.pair_count);
	uint32_t count = 0;
	for (uint32_t p = 0; p < f->request.pair_count; p++) {
		const snw_mesh_pair pair = f->request.pairs[p];
		if ((pair.first == first || pair.first == second) && (pair.second == first || pair.second == second)) {
			pairs[count++] = pair;
		}
	}
	f->request.pairs = pairs;
	f->request.pair_count = count;
}

static void contact_at_rest_is_reported_and_not_counted(void **state) {
	fixture of = *(const fixture *)*state, *f = &of;
	const snw_contact_moment rest = {
		.name = "rest", .clip = SNW_NONE, .pose = snw_pose_view_make(f->scene, snw_pose_rest(f->scene, f->arena), f->arena)};
	f->request.moments = &rest;
	f->request.moment_count = 1;
	const snw_contact_moments found = find(f);
	uint32_t at_rest = 0;
	for (uint32_t p = 0; p < f->request.pair_count; p++) {
		at_rest += found.rest[p].triangles;
		assert_int_equal(found.found[p].through.count + found.found[p].inside.count, 0);
	}
	assert_true(at_rest > 0);
}

static void arms_that_wave_go_through_the_shirt_the_same_on_any_number_of_threads(void **state) {
	fixture of = *(const fixture *)*state, *f = &of;
	const uint32_t shirt = snw_scene_find_mesh(f->scene, "shirt"), body = snw_scene_find_mesh(f->scene, "body");
	keep_pairs_of(f, body, shirt);
	f->request.moments = &f->moments[f->request.moment_count / 2 - 1]; /* where the arms are highest */
	f->request.moment_count = 2;
	const size_t count = (size_t)f->request.moment_count * f->request.pair_count;
	snw_parallel_threads(1);
	const snw_contact_moments one = find(f);
	snw_parallel_threads(3);
	const snw_contact_moments three = find(f);
	snw_parallel_threads(0);
	assert_memory_equal(one.found, three.found, count * sizeof *one.found);
	assert_memory_equal(one.deepest[shirt], three.deepest[shirt],
						f->scene->meshes[shirt].point_count * sizeof *one.deepest[shirt]);
	double deepest = 0, of_points = 0;
	for (size_t i = 0; i < count; i++) {
		const snw_mesh_pair *pair = &f->request.pairs[i % f->request.pair_count];
		const snw_contact_depth *through = &one.found[i].through;
		if ((pair->first == body && pair->second == shirt) || (pair->first == shirt && pair->second == body)) {
			deepest = fmax(deepest, through->deepest);
			assert_true(through->count == 0 || fabs(snw_length3(through->direction) - 1) < 1e-9);
			assert_true(through->deepest < f->request.patch);
		}
	}
	for (uint32_t m = 0; m < 2; m++) {
		for (uint32_t p = 0; p < f->scene->meshes[m ? body : shirt].point_count; p++) {
			of_points = fmax(of_points, one.deepest[m ? body : shirt][p]);
		}
	}
	assert_true(deepest > 0.001 && of_points >= deepest);
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)context;
	(void)fraction;
	(void)activity;
	return false;
}

static void task_stops_it(void **state) {
	fixture of = *(const fixture *)*state, *f = &of;
	const snw_task task = {.progress = stop};
	snw_contact_moments found;
	f->request.pair_count = 1;
	assert_int_equal(snw_contact_moments_find(f->scene, f->stack, &f->request, &task, f->arena, &found, &fault), SNW_CANCELLED);
}

static void clearance_finds_what_is_near_and_neighbours_hide_what_is_folded(void **state) {
	fixture of = *(const fixture *)*state, *f = &of;
	const uint32_t trousers = snw_scene_find_mesh(f->scene, "trousers");
	const snw_mesh_pair with_itself = {trousers, trousers};
	f->request.pairs = &with_itself;
	f->request.pair_count = 1;
	f->request.moments = &f->moments[f->request.moment_count / 2];
	f->request.moment_count = 1;
	const snw_pair_contact plain = find(f).found[0];
	f->request.clearance = 0.002;
	const snw_pair_contact with_clearance = find(f).found[0];
	f->request.clearance = 0;
	f->request.neighbours *= 4;
	const snw_pair_contact wide = find(f).found[0];
	assert_true(plain.triangles > 0);
	assert_int_equal(with_clearance.triangles, plain.triangles);
	assert_true(with_clearance.near > 0);
	assert_true(wide.triangles < plain.triangles && wide.hidden > plain.hidden);
}

static void a_clip_of_one_frame_is_one_moment(void **state) {
	fixture of = *(const fixture *)*state, *f = &of;
	const snw_clip *const clips = f->scene->clips;
	snw_clip clip = clips[0];
	snw_track *tracks = snw_arena_copy(f->arena, clip.tracks, clip.track_count * sizeof *tracks);
	for (uint32_t t = 0; t < clip.track_count; t++) {
		tracks[t].key_count = 1;
	}
	clip.tracks = tracks;
	clip.duration_seconds = 0;
	f->scene->clips = &clip;
	snw_contact_moment *moments = NULL;
	uint32_t count = 0, room = 0;
	snw_contact_moments_add_clip(f->scene, 0, f->arena, &moments, &count, &room);
	f->scene->clips = clips;
	assert_int_equal(count, 1);
	f->request.moments = moments;
	f->request.moment_count = f->request.pair_count = 1;
	const snw_pair_contact alone = find(f).found[0];
	f->request.moments = f->moments;
	const snw_pair_contact first = find(f).found[0];
	assert_int_equal(alone.triangles, first.triangles);
	assert_true(alone.share == first.share);
}

/* ---- one tube around another -------------------------------------------------------------------------------------------- */

enum { ARM, SLEEVE };
static const double ARM_RADIUS = 0.04, SLEEVE_RADIUS = 0.042, ROD_RADIUS = 0.005; /* metres */

static double arm_radius(double x) {
	(void)x;
	return ARM_RADIUS;
}

static double sleeve_radius(double x) {
	(void)x;
	return SLEEVE_RADIUS;
}

static double rod_radius(double x) {
	(void)x;
	return ROD_RADIUS;
}

static void weigh_arm(const double rest[3], double *weights) {
	(void)rest;
	weights[ARM] = 1;
}

static void weigh_sleeve(const double rest[3], double *weights) {
	(void)rest;
	weights[SLEEVE] = 1;
}

/* Without the ends. */
static void leave_sides(snw_mesh *mesh, double begin, double end) {
	uint32_t *points = (uint32_t *)(uintptr_t)mesh->face_points, count = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		bool is_side = false;
		for (int k = 0; k < 4; k++) {
			const double x = mesh->points_rest[3 * (size_t)points[4 * (size_t)f + k]];
			is_side = is_side || (x > begin + 1e-6 && x < end - 1e-6);
		}
		if (is_side) {
			memmove(points + 4 * (size_t)count++, points + 4 * (size_t)f, 4 * sizeof *points);
		}
	}
	mesh->face_count = count;
}

/* Scaled; below 0 its mirror image, with faces that still look outwards. */
static void change(snw_mesh *mesh, double scale) {
	double *at = (double *)(uintptr_t)mesh->points_rest;
	uint32_t *corners = (uint32_t *)(uintptr_t)mesh->face_points;
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		at[i] *= i % 3 == 0 ? scale : fabs(scale);
	}
	for (size_t f = 0; f < mesh->face_count && scale < 0; f++) {
		const uint32_t second = corners[4 * f + 1];
		corners[4 * f + 1] = corners[4 * f + 3];
		corners[4 * f + 3] = second;
	}
}

/* An arm, and a sleeve around it that a joint of its own moves. */
static snw_scene *make_sleeve(double scale, bool is_arm_open) {
	static const snw_rig_joint rig[] = {{"arm", SNW_NONE, {0}}, {"sleeve", SNW_NONE, {0}}};
	static const snw_tube arm = {-0.3, 0.3, 1, 61, 32, arm_radius}, sleeve = {-0.1, 0.1, 1, 21, 32, sleeve_radius};
	snw_scene *scene = snw_scene_create();
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, 2);
	check_ok(snw_rig_make(scene, rig, 2, &fault), fault);
	snw_tube_build(&arm, scene->arena, &meshes[ARM]);
	snw_tube_build(&sleeve, scene->arena, &meshes[SLEEVE]);
	if (is_arm_open) {
		leave_sides(&meshes[ARM], arm.begin, arm.end);
	}
	leave_sides(&meshes[SLEEVE], sleeve.begin, sleeve.end);
	for (int m = 0; m < 2; m++) {
		meshes[m].name = rig[m].name;
		meshes[m].corner_uvs = NULL;
		meshes[m].attribute_count = 0;
		change(&meshes[m], scale);
		snw_rig_skin(&meshes[m], 2, m == ARM ? weigh_arm : weigh_sleeve, scene->arena);
	}
	scene->meshes = meshes;
	scene->mesh_count = 2;
	snw_scene_add_baseline(scene);
	return scene;
}

/* The sleeve moved aside, or made narrower. */
static const snw_pose_view *sleeve_pose(const snw_scene *scene, double by, double narrower) {
	snw_pose *pose = snw_pose_rest(scene, scene->arena);
	pose->local[SLEEVE].translation[1] = -by;
	pose->local[SLEEVE].scale[1] = pose->local[SLEEVE].scale[2] = narrower;
	return snw_pose_view_make(scene, pose, scene->arena);
}

/* `scene` is destroyed. */
static snw_pair_contact contact_at(snw_scene *scene, const snw_pose_view *pose, snw_mesh_pair pair, double scale) {
	snw_stack *stack;
	const snw_contact_moment moment = {.name = "moved", .clip = SNW_NONE, .pose = pose};
	const snw_contact_request request = {.moment_count = 1,
										 .moments = &moment,
										 .pair_count = 1,
										 .pairs = &pair,
										 .neighbours = 0.02 * fabs(scale),
										 .patch = 0.06 * fabs(scale)};
	snw_contact_moments found;
	check_ok(snw_stack_build(scene, kept_registry(), &(snw_stack_options){0}, NULL, &stack, &fault), fault);
	check_ok(snw_contact_moments_find(scene, stack, &request, NULL, scene->arena, &found, &fault), fault);
	const snw_pair_contact contact = found.found[0];
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	return contact;
}

static snw_pair_contact moved_sleeve(double by, double narrower, double scale, bool is_arm_open) {
	snw_scene *scene = make_sleeve(scale, is_arm_open);
	return contact_at(scene, sleeve_pose(scene, by * fabs(scale), narrower), (snw_mesh_pair){ARM, SLEEVE}, scale);
}

/* A sleeve with 2 mm of room, at any scale, on an arm that is closed; the mirror image of it on one that is open. */
static void a_sleeve_is_as_deep_as_it_went_through(void **state) {
	(void)state;
	static const double scales[] = {1, -1, 100};
	const double room = SLEEVE_RADIUS - ARM_RADIUS;
	for (int i = 0; i < 3; i++) {
		const double scale = scales[i], size = fabs(scale);
		const bool is_open = i == 1;
		assert_int_equal(moved_sleeve(0.001, 1, scale, is_open).triangles, 0);
		const snw_pair_contact nowhere = moved_sleeve((double)NAN, 1, scale, is_open);
		assert_int_equal(nowhere.triangles + nowhere.through.count + nowhere.inside.count, 0);
		for (int far = 0; far < 2; far++) {
			const double by = far ? 0.02 : 0.005;
			const snw_pair_contact found = moved_sleeve(by, 1, scale, is_open);
			assert_true(found.triangles > 0 && found.inside.count == 0);
			check_near(found.through.deepest / size, by - room, 1e-5);
		}
		const snw_pair_contact beyond = moved_sleeve(0.06, 1, scale, is_open); /* farther than the patch goes around the arm */
		assert_true(beyond.triangles > 0 && beyond.through.count == 0 && (beyond.inside.count > 0) == !is_open);
	}
}

/* No triangle meets another then. */
static void a_sleeve_that_is_all_in_the_arm_is_found(void **state) {
	(void)state;
	for (int is_open = 0; is_open < 2; is_open++) {
		const snw_pair_contact within = moved_sleeve(0, 0.9, 1, is_open), around = moved_sleeve(0, 0.97, 1, is_open);
		assert_int_equal(within.triangles + around.triangles + around.through.count + around.inside.count, 0);
		assert_int_equal(within.through.count, 21 * 32);
		check_near(within.through.deepest, ARM_RADIUS - 0.9 * SLEEVE_RADIUS, 2e-5);
	}
}

/* The marks of the sleeve's points, all tested. */
static double marked_share(snw_touching *touching, const snw_scene *scene, const snw_stack *stack, const snw_pose_view *pose,
						   double **marks) {
	const float *points[2];
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	check_ok(snw_stack_drive(stack, pose, evaluation, &fault), fault);
	for (uint32_t m = 0; m < 2; m++) {
		float *posed = SNW_NEW_ARRAY(scene->arena, float, 3 * (size_t)scene->meshes[m].point_count);
		check_ok(snw_stack_run(stack, evaluation, m, posed, &fault), fault);
		points[m] = posed;
	}
	snw_touching_test(touching, points, pose->global);
	snw_touching_mark(touching, NULL, marks);
	double sum = 0;
	for (uint32_t p = 0; p < scene->meshes[SLEEVE].point_count; p++) {
		sum += marks[SLEEVE][p];
	}
	snw_evaluation_destroy(evaluation);
	return sum / (21 * 32);
}

static void a_sleeve_that_is_all_in_the_arm_is_tinted(void **state) {
	(void)state;
	for (int is_open = 0; is_open < 2; is_open++) {
		snw_scene *scene = make_sleeve(1, is_open);
		snw_stack *stack;
		check_ok(snw_stack_build(scene, kept_registry(), &(snw_stack_options){0}, NULL, &stack, &fault), fault);
		snw_touching *touching = snw_touching_create(scene, 0.02, 0.06);
		double *marks[2];
		for (uint32_t m = 0; m < 2; m++) {
			marks[m] = SNW_NEW_ARRAY(scene->arena, double, scene->meshes[m].point_count);
		}
		assert_true(marked_share(touching, scene, stack, sleeve_pose(scene, 0, 0.9), marks) == 1);
		assert_int_equal(snw_touching_pairs(touching), 0);
		assert_true(marked_share(touching, scene, stack, sleeve_pose(scene, 0, 0.97), marks) == 0);
		const double part = marked_share(touching, scene, stack, sleeve_pose(scene, 0.01, 1), marks);
		assert_true(part > 0 && part < 0.7);
		snw_touching_destroy(touching);
		snw_stack_destroy(stack);
		snw_scene_destroy(scene);
	}
}

/* A clip that makes the sleeve narrower, and rotates it a little: correctives are driven by rotations. */
static void add_narrowing_clip(snw_scene *scene) {
	static const double seconds[] = {0, 1.0 / 30}, scales[] = {1, 1, 1, 1, 0.9, 0.9}, half = 0.1;
	const double rotations[] = {0, 0, 0, 1, sin(half), 0, 0, cos(half)};
	const snw_track tracks[] = {
		{SLEEVE, SNW_PATH_SCALE, SNW_LINEAR, 2, seconds, scales},
		{SLEEVE, SNW_PATH_ROTATION, SNW_LINEAR, 2, seconds, snw_arena_copy(scene->arena, rotations, sizeof rotations)}};
	const snw_clip clip = {.id = 1,
						   .name = "narrow",
						   .duration_seconds = seconds[1],
						   .track_count = 2,
						   .tracks = snw_arena_copy(scene->arena, tracks, sizeof tracks)};
	scene->clips = snw_arena_copy(scene->arena, &clip, sizeof clip);
	scene->clip_count = 1;
	scene->poses = snw_pose_rest(scene, scene->arena);
	scene->pose_count = 1;
}

static void a_sleeve_that_is_all_in_the_arm_is_pushed_out(void **state) {
	(void)state;
	static const uint32_t arm = ARM, clip = 0;
	const snw_push_request request = {.mesh = SLEEVE,
									  .other_count = 1,
									  .others = &arm,
									  .clip_count = 1,
									  .clips = &clip,
									  .most_poses = 1,
									  .deepest = 0.0005,
									  .most = 0.025,
									  .clearance = 0.001};
	snw_scene *scene = make_sleeve(1, false);
	snw_pushed_out pushed;
	add_narrowing_clip(scene);
	check_ok(snw_push_out_find(scene, kept_registry(), &request, NULL, scene->arena, &pushed, &fault), fault);
	assert_int_equal(pushed.count, 1);
	check_near(pushed.before.deepest, ARM_RADIUS - 0.9 * SLEEVE_RADIUS, 1e-4);
	assert_true(pushed.after.deepest < 0.0005 && pushed.most < 0.004);
	snw_scene_destroy(scene);
}

/* Both tubes as one mesh. */
static void join(snw_scene *scene) {
	const snw_mesh *parts = scene->meshes;
	const uint32_t first = parts[0].point_count, points = first + parts[1].point_count,
				   faces = parts[0].face_count + parts[1].face_count;
	const uint32_t corners[2] = {parts[0].face_offsets[parts[0].face_count], parts[1].face_offsets[parts[1].face_count]};
	double *rest = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)points);
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)faces + 1);
	uint32_t *of_faces = SNW_NEW_ARRAY(scene->arena, uint32_t, corners[0] + corners[1]);
	uint32_t *influences = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_NEW_ARRAY(scene->arena, uint32_t, points);
	double *weights = SNW_NEW_ARRAY(scene->arena, double, points);
	for (uint32_t p = 0; p < points; p++) {
		const snw_mesh *of = &parts[p >= first];
		memcpy(rest + 3 * (size_t)p, of->points_rest + 3 * (size_t)(p - (p >= first ? first : 0)), 3 * sizeof *rest);
		influences[p + 1] = p + 1;
		slots[p] = p >= first;
		weights[p] = 1;
	}
	for (uint32_t c = 0; c < corners[0] + corners[1]; c++) {
		of_faces[c] = c < corners[0] ? parts[0].face_points[c] : first + parts[1].face_points[c - corners[0]];
	}
	for (uint32_t f = 0; f <= faces; f++) {
		offsets[f] =
			f <= parts[0].face_count ? parts[0].face_offsets[f] : corners[0] + parts[1].face_offsets[f - parts[0].face_count];
	}
	snw_mesh *whole = snw_arena_copy(scene->arena, &parts[0], sizeof *whole);
	whole->point_count = points;
	whole->points_rest = rest;
	whole->face_count = faces;
	whole->face_offsets = offsets;
	whole->face_points = of_faces;
	whole->influence_offsets = influences;
	whole->influence_slots = slots;
	whole->influence_weights = weights;
	scene->meshes = whole;
	scene->mesh_count = 1;
}

/* A rod beside an arm of the same mesh, that goes into it. */
static void a_piece_that_is_all_in_another_of_its_mesh_is_found(void **state) {
	(void)state;
	static const snw_mesh_pair itself = {0, 0};
	static const snw_rig_joint rig[] = {{"arm", SNW_NONE, {0}}, {"rod", SNW_NONE, {0}}};
	static const snw_tube arm = {-0.3, 0.3, 1, 61, 32, arm_radius}, rod = {-0.1, 0.1, 1, 21, 12, rod_radius};
	const double moves[3] = {0.1, 0.075, 0.2};
	for (int i = 0; i < 3; i++) { /* in the middle, not in the middle, and not in the arm */
		snw_scene *scene = snw_scene_create();
		snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, 2);
		check_ok(snw_rig_make(scene, rig, 2, &fault), fault);
		snw_tube_build(&arm, scene->arena, &meshes[0]);
		snw_tube_build(&rod, scene->arena, &meshes[1]);
		for (size_t p = 0; p < meshes[1].point_count; p++) {
			((double *)(uintptr_t)meshes[1].points_rest)[3 * p + 1] += 0.1;
		}
		meshes[0].name = "both";
		meshes[0].corner_uvs = NULL;
		meshes[0].attribute_count = 0;
		scene->meshes = meshes;
		join(scene);
		snw_scene_add_baseline(scene);
		const uint32_t in_it = i < 2 ? meshes[1].point_count : 0;
		const snw_pair_contact found = contact_at(scene, sleeve_pose(scene, moves[i], 1), itself, 1);
		assert_int_equal(found.triangles + found.through.count, 0);
		assert_int_equal(found.inside.count, in_it);
		if (i == 1) {
			check_near(found.inside.deepest, ARM_RADIUS - 0.025 + ROD_RADIUS, 5e-4);
		}
	}
}

TEST_GROUP(contact_moments) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sleeve_is_as_deep_as_it_went_through),
		cmocka_unit_test(a_sleeve_that_is_all_in_the_arm_is_found),
		cmocka_unit_test(a_sleeve_that_is_all_in_the_arm_is_tinted),
		cmocka_unit_test(a_sleeve_that_is_all_in_the_arm_is_pushed_out),
		cmocka_unit_test(a_piece_that_is_all_in_another_of_its_mesh_is_found),
		cmocka_unit_test(contact_at_rest_is_reported_and_not_counted),
		cmocka_unit_test(arms_that_wave_go_through_the_shirt_the_same_on_any_number_of_threads),
		cmocka_unit_test(task_stops_it),
		cmocka_unit_test(a_clip_of_one_frame_is_one_moment),
		cmocka_unit_test(clearance_finds_what_is_near_and_neighbours_hide_what_is_folded),
	};
	return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
