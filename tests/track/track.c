/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tracking: poses that made a mesh are found from the mesh.
 */
#include "track/track.h"

#include "check.h"
#include "fit/fit.h"
#include "kept_registry.h"
#include "pose/pose.h"
#include "random.h"
#include "sample/sample.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "task/task.h"

enum { FRAMES = 12 };

typedef struct fixture {
	snw_registry *registry;
	snw_scene *scene;
	snw_arena *arena;
	snw_pose *poses[FRAMES]; /* the known ones */
	uint32_t mesh;           /* that is tracked */
	float *frames;           /* [FRAMES][point_count][3] */
	snw_tracked tracked;
} fixture;

static int open_fixture(void **state) {
	fixture *f = calloc(1, sizeof *f);
	snw_error error = {0};
	f->registry = kept_registry();
	f->arena = snw_arena_create();
	check_ok(snw_sample_make("tiny-arm", &f->scene, &error), error);
	*state = f;
	return 0;
}

static int close_fixture(void **state) {
	fixture *f = *state;
	snw_arena_destroy(f->arena);
	snw_scene_destroy(f->scene);
	free(f);
	return 0;
}

/* Poses along a smooth path: all joints rotate by up to `most` radians, the root moves. */
static void make_poses(fixture *f, double most) {
	uint64_t state = random_seed();
	const uint32_t joints = f->scene->skeleton.joint_count;
	double axes[8][3];
	assert_true(joints <= 8);
	for (uint32_t j = 0; j < joints; j++) {
		for (int c = 0; c < 3; c++) {
			axes[j][c] = random_between(&state, -1, 1);
		}
		snw_normalize3(axes[j]);
	}
	for (uint32_t n = 0; n < FRAMES; n++) {
		snw_pose *pose = f->poses[n] = snw_pose_rest(f->scene, f->arena);
		for (uint32_t j = 0; j < joints; j++) {
			double vector[3], rotation[4];
			for (int c = 0; c < 3; c++) {
				vector[c] = most * sin(0.4 * n + j) * axes[j][c];
			}
			snw_quat_from_rotation_vector(vector, rotation);
			snw_quat_multiply(pose->local[j].rotation, rotation, pose->local[j].rotation);
		}
		pose->local[f->scene->skeleton.order[0]].translation[1] += 0.1 * n;
		snw_pose_unwind(f->scene, pose);
	}
}

/* The frames are what the method's stack makes of the poses. */
static void make_frames(fixture *f, const char *method) {
	const size_t numbers = 3 * (size_t)f->scene->meshes[f->mesh].point_count;
	const snw_stack_options options = {.method = method, .below_layer = f->scene->layer_count};
	snw_stack *stack = NULL;
	snw_error error = {0};
	check_ok(snw_stack_build(f->scene, f->registry, &options, NULL, &stack, &error), error);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	double *points = SNW_NEW_ARRAY(f->arena, double, numbers);
	f->frames = SNW_NEW_ARRAY(f->arena, float, FRAMES *numbers);
	for (uint32_t n = 0; n < FRAMES; n++) {
		check_ok(snw_stack_drive(stack, snw_pose_view_make(f->scene, f->poses[n], f->arena), evaluation, &error), error);
		check_ok(snw_stack_reference(stack, evaluation, f->mesh, NULL, points, &error), error);
		for (size_t i = 0; i < numbers; i++) {
			f->frames[n * numbers + i] = (float)points[i];
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
}

static snw_track_request request_of(const fixture *f, const char *method) {
	snw_tracked_mesh *mesh = SNW_NEW_ARRAY(f->arena, snw_tracked_mesh, 1);
	*mesh = (snw_tracked_mesh){f->mesh, f->frames};
	return (snw_track_request){.method = method, .mesh_count = 1, .meshes = mesh, .frame_count = FRAMES};
}

static void must_track(fixture *f, const snw_track_request *request) {
	snw_error error = {0};
	check_ok(snw_track_poses(f->scene, f->registry, request, NULL, f->arena, &f->tracked, &error), error);
}

/* Degrees between the rotations of a joint in the world. */
static double angle_between(const fixture *f, const snw_pose *a, const snw_pose *b, uint32_t joint) {
	const snw_pose_view *views[2] = {snw_pose_view_make(f->scene, a, f->arena), snw_pose_view_make(f->scene, b, f->arena)};
	snw_transform parts[2];
	double back[4], between[4], vector[3];
	for (int i = 0; i < 2; i++) {
		snw_transform_from_mat34(views[i]->global + 12 * (size_t)joint, &parts[i]);
	}
	snw_quat_conjugate(parts[0].rotation, back);
	snw_quat_multiply(back, parts[1].rotation, between);
	snw_quat_to_rotation_vector(between, vector);
	return snw_length3(vector) * 180 / 3.14159265358979;
}

static void expect_poses(const fixture *f, double degrees) {
	for (uint32_t n = 0; n < FRAMES; n++) {
		const snw_tracked_frame *frame = &f->tracked.frames[n];
		if (!(frame->rms < 1e-6 * f->tracked.diagonal)) {
			fail_msg("frame %u is %g of the diagonal off", n, frame->rms / f->tracked.diagonal);
		}
		assert_false(frame->is_lost);
		for (uint32_t j = 0; j < f->scene->skeleton.joint_count; j++) {
			const double angle = angle_between(f, f->poses[n], frame->pose, j);
			if (!(angle < degrees)) {
				fail_msg("frame %u: joint %u is %g degrees off", n, j, angle);
			}
		}
	}
	assert_int_equal(f->tracked.lost_count, 0);
}

static void poses_of_a_linear_blend_are_found(void **state) {
	fixture *f = *state;
	make_poses(f, 1.2);
	make_frames(f, "linear-blend");
	const snw_track_request request = request_of(f, "linear-blend");
	must_track(f, &request);
	expect_poses(f, 1e-3);
}

static void poses_of_dual_quaternions_are_found(void **state) {
	fixture *f = *state;
	make_poses(f, 1.2);
	make_frames(f, "dual-quaternion");
	const snw_track_request request = request_of(f, "dual-quaternion");
	must_track(f, &request);
	expect_poses(f, 1e-3);
}

/* The scene with a layer that the method learned from its clips or sculpts. */
static void learn(fixture *f, const char *method) {
	const snw_fit_request request = {.method = method, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = f->arena};
	snw_scene *fitted = NULL;
	snw_error error = {0};
	check_ok(snw_fit_run(f->scene, f->registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(f->scene, &outcome, &fitted, &error), error);
	snw_scene_destroy(f->scene);
	f->scene = fitted;
}

static void poses_of_an_affine_blend_are_found(void **state) {
	fixture *f = *state;
	learn(f, "animation-space");
	make_poses(f, 0.8);
	make_frames(f, "animation-space");
	const snw_track_request request = request_of(f, "animation-space");
	must_track(f, &request);
	expect_poses(f, 1e-3);
}

/* What the sculpts add depends on the pose that is sought. */
static void poses_below_correctives_are_found(void **state) {
	fixture *f = *state;
	double worst = 0;
	learn(f, "inverse-psd");
	make_poses(f, 0.8);
	make_frames(f, NULL);
	const snw_track_request request = request_of(f, NULL), of_blend = request_of(f, "linear-blend");
	must_track(f, &request);
	expect_poses(f, 1e-3);
	must_track(f, &of_blend);
	for (uint32_t n = 0; n < FRAMES; n++) {
		worst = fmax(worst, f->tracked.frames[n].rms / f->tracked.diagonal);
	}
	assert_true(worst > 1e-3); /* so the sculpts are seen */
}

/* A mesh that is twice as large comes first, and has no frames. */
static void one_of_several_meshes_is_tracked(void **state) {
	fixture *f = *state;
	snw_scene *scene = f->scene;
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, 2);
	const size_t numbers = 3 * (size_t)scene->meshes[0].point_count;
	double *doubled = SNW_NEW_ARRAY(scene->arena, double, numbers);
	for (size_t i = 0; i < numbers; i++) {
		doubled[i] = 2 * scene->meshes[0].points_rest[i];
	}
	meshes[0] = meshes[1] = scene->meshes[0];
	meshes[0].name = "giant";
	meshes[0].points_rest = doubled;
	scene->meshes = meshes;
	scene->mesh_count = 2;
	scene->example_count = scene->group_count = scene->target_count = 0;
	scene->layer_count = 1;
	f->mesh = 1;
	make_poses(f, 1.2);
	make_frames(f, "linear-blend");
	const snw_track_request request = request_of(f, "linear-blend");
	must_track(f, &request);
	expect_poses(f, 1e-3);
}

/* Points of a mesh as a mesh of their own: those that a joint moves, or the others. Its frames are theirs. */
static snw_tracked_mesh cut(fixture *f, uint32_t joint, bool is_rest, snw_mesh *part) {
	const snw_mesh *whole = &f->scene->meshes[0];
	snw_arena *arena = f->scene->arena;
	const uint32_t influences = whole->influence_offsets[whole->point_count];
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)whole->point_count);
	float *frames = SNW_NEW_ARRAY(arena, float, 3 * (size_t)whole->point_count * FRAMES);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, whole->point_count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)whole->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, influences), count = 0;
	double *weights = SNW_NEW_ARRAY(arena, double, influences);
	for (uint32_t i = 0; i < whole->point_count; i++) {
		const uint32_t begin = whole->influence_offsets[i], size = whole->influence_offsets[i + 1] - begin;
		bool is_limb = false;
		for (uint32_t k = begin; k < begin + size; k++) {
			is_limb = is_limb || f->scene->slot_joints[whole->influence_slots[k]] == joint;
		}
		if (is_limb != is_rest) {
			memcpy(rest + 3 * (size_t)count, whole->points_rest + 3 * (size_t)i, 3 * sizeof *rest);
			memcpy(slots + offsets[count], whole->influence_slots + begin, size * sizeof *slots);
			memcpy(weights + offsets[count], whole->influence_weights + begin, size * sizeof *weights);
			points[count++] = i;
			offsets[count] = offsets[count - 1] + size;
		}
	}
	for (size_t n = 0; n < FRAMES; n++) {
		for (size_t i = 0; i < count; i++) {
			memcpy(frames + 3 * (n * count + i), f->frames + 3 * (n * whole->point_count + points[i]), 3 * sizeof *frames);
		}
	}
	*part = (snw_mesh){.name = is_rest ? "rest" : "limb",
					   .point_count = count,
					   .points_rest = rest,
					   .face_offsets = SNW_NEW_ARRAY(arena, uint32_t, 1),
					   .influence_offsets = offsets,
					   .influence_slots = slots,
					   .influence_weights = weights};
	return (snw_tracked_mesh){is_rest, frames};
}

/* One of them shows nothing of the last joint. Together they are the body, and its poses are found as those of one mesh are. */
static void meshes_of_one_body_are_tracked_together(void **state) {
	fixture *f = *state;
	snw_scene *scene = f->scene;
	scene->example_count = scene->group_count = scene->target_count = 0;
	scene->layer_count = 1;
	make_poses(f, 1.2);
	make_frames(f, "linear-blend");
	snw_track_request request = request_of(f, "linear-blend");
	must_track(f, &request);
	const double diagonal = f->tracked.diagonal;
	const uint32_t joint = scene->slot_joints[scene->slot_count - 1];
	snw_mesh *parts = SNW_NEW_ARRAY(scene->arena, snw_mesh, 2);
	const snw_tracked_mesh both[2] = {cut(f, joint, false, &parts[0]), cut(f, joint, true, &parts[1])};
	assert_true(parts[0].point_count > 10 && parts[1].point_count > 10);
	scene->meshes = parts;
	scene->mesh_count = 2;
	request.mesh_count = 2;
	request.meshes = both;
	must_track(f, &request);
	expect_poses(f, 1e-3);
	check_near(f->tracked.diagonal, diagonal, 1e-12 * diagonal);
	request.meshes = &both[1];
	request.mesh_count = 1;
	must_track(f, &request);
	double worst = 0;
	for (uint32_t n = 0; n < FRAMES; n++) {
		worst = fmax(worst, angle_between(f, f->poses[n], f->tracked.frames[n].pose, joint));
	}
	print_message("joint %s from the other mesh alone: up to %.3g degrees off\n", scene->skeleton.names[joint], worst);
	assert_true(worst > 10);
	request.meshes = (const snw_tracked_mesh[]){{7, NULL}};
	snw_error error;
	assert_int_equal(snw_track_poses(scene, f->registry, &request, NULL, f->arena, &f->tracked, &error), SNW_ERROR_ARGUMENT);
}

static void meshes_without_points_are_passed_over(void **state) {
	fixture *f = *state;
	snw_scene *scene = f->scene;
	scene->example_count = scene->group_count = scene->target_count = 0;
	scene->layer_count = 1;
	make_poses(f, 1.2);
	make_frames(f, "linear-blend");
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, 2);
	meshes[0] = scene->meshes[0];
	meshes[1] = (snw_mesh){.name = "empty",
						   .points_rest = SNW_NEW_ARRAY(scene->arena, double, 1),
						   .face_offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, 1),
						   .influence_offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, 1),
						   .influence_slots = SNW_NEW_ARRAY(scene->arena, uint32_t, 1),
						   .influence_weights = SNW_NEW_ARRAY(scene->arena, double, 1)};
	scene->meshes = meshes;
	scene->mesh_count = 2;
	snw_track_request request = request_of(f, "linear-blend");
	request.meshes = (const snw_tracked_mesh[]){{1, f->frames}, {0, f->frames}};
	request.mesh_count = 2;
	must_track(f, &request);
	expect_poses(f, 1e-3);
	request.mesh_count = 1;
	snw_error error;
	assert_int_equal(snw_track_poses(scene, f->registry, &request, NULL, f->arena, &f->tracked, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "no points"));
}

static void frames_without_order_are_found_one_by_one(void **state) {
	fixture *f = *state;
	make_poses(f, 1.2);
	make_frames(f, "linear-blend");
	snw_track_request request = request_of(f, "linear-blend");
	request.is_set = true;
	must_track(f, &request);
	expect_poses(f, 1e-3);
	/* In another order each has the same bits. */
	const snw_tracked ordered = f->tracked;
	const size_t numbers = 3 * (size_t)f->scene->meshes[0].point_count;
	float *reversed = SNW_NEW_ARRAY(f->arena, float, FRAMES *numbers);
	for (uint32_t n = 0; n < FRAMES; n++) {
		memcpy(reversed + n * numbers, f->frames + (FRAMES - 1 - n) * numbers, numbers * sizeof *reversed);
	}
	const snw_tracked_mesh reversed_mesh = {f->mesh, reversed};
	request.meshes = &reversed_mesh;
	must_track(f, &request);
	for (uint32_t n = 0; n < FRAMES; n++) {
		const snw_pose *a = ordered.frames[n].pose, *b = f->tracked.frames[FRAMES - 1 - n].pose;
		assert_memory_equal(a->local, b->local, f->scene->skeleton.joint_count * sizeof *a->local);
		assert_memory_equal(a->rotation_vectors, b->rotation_vectors, 3 * f->scene->skeleton.joint_count * sizeof(double));
	}
}

/* Jointed poses keep the rest's bones; free ones follow joints that have come apart. */
static void only_free_poses_follow_joints_that_come_apart(void **state) {
	fixture *f = *state;
	make_poses(f, 0.8);
	const uint32_t last = f->scene->skeleton.order[f->scene->skeleton.joint_count - 1];
	for (uint32_t n = 0; n < FRAMES; n++) {
		f->poses[n]->local[last].translation[0] += 0.02 * (n % 3);
	}
	make_frames(f, "linear-blend");
	snw_track_request request = request_of(f, "linear-blend");
	must_track(f, &request);
	assert_true(f->tracked.frames[2].rms > 1e-4 * f->tracked.diagonal);
	for (uint32_t n = 0; n < FRAMES; n++) {
		assert_memory_equal(f->tracked.frames[n].pose->local[last].translation, f->scene->skeleton.rest_local[last].translation,
							3 * sizeof(double));
	}
	request.is_free = true;
	must_track(f, &request);
	expect_poses(f, 1e-3);
}

/* Rotation vectors of a sequence go past π with the motion. */
static void rotations_of_a_sequence_are_unwound(void **state) {
	fixture *f = *state;
	make_poses(f, 0);
	for (uint32_t n = 0; n < FRAMES; n++) {
		snw_quat_from_rotation_vector((double[]){0.5 * n, 0, 0}, f->poses[n]->local[f->scene->skeleton.order[0]].rotation);
	}
	make_frames(f, "linear-blend");
	const snw_track_request request = request_of(f, "linear-blend");
	must_track(f, &request);
	const double *vector = f->tracked.frames[FRAMES - 1].pose->rotation_vectors + 3 * (size_t)f->scene->skeleton.order[0];
	check_near(fabs(vector[0]), 0.5 * (FRAMES - 1), 1e-4);
}

/* What the nearest translation of the rest leaves of a frame. */
static double translation_rms(const fixture *f, uint32_t frame) {
	const snw_mesh *mesh = &f->scene->meshes[0];
	const float *posed = f->frames + (size_t)frame * 3 * mesh->point_count;
	double squares = 0;
	for (size_t c = 0; c < 3; c++) {
		double sum = 0;
		for (size_t i = 0; i < mesh->point_count; i++) {
			const double away = (double)posed[3 * i + c] - mesh->points_rest[3 * i + c];
			sum += away;
			squares += away * away;
		}
		squares -= sum * sum / mesh->point_count;
	}
	return sqrt(squares / mesh->point_count);
}

static void frame_of_another_shape_is_lost(void **state) {
	fixture *f = *state;
	make_poses(f, 0.8);
	make_frames(f, "linear-blend");
	const size_t count = f->scene->meshes[0].point_count;
	uint64_t random = random_seed();
	for (size_t i = 0; i < 3 * count; i++) {
		f->frames[5 * 3 * count + i] += (float)random_between(&random, -0.2, 0.2);
	}
	const snw_track_request request = request_of(f, "linear-blend");
	must_track(f, &request);
	assert_int_equal(f->tracked.lost_count, 1);
	assert_true(f->tracked.frames[5].is_lost);
	assert_true(f->tracked.frames[6].rms < 1e-6 * f->tracked.diagonal); /* it is found again */
}

/* A mesh on a line determines no rotation; what one translation leaves is known all the same. */
static void thin_mesh_is_tracked(void **state) {
	fixture *f = *state;
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)f->scene->meshes;
	double *points = snw_arena_copy(f->arena, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof *points);
	for (size_t i = 0; i < mesh->point_count; i++) {
		points[3 * i + 1] = points[3 * i + 2] = 0;
	}
	mesh->points_rest = points;
	make_poses(f, 0.3);
	make_frames(f, "linear-blend");
	const snw_track_request request = request_of(f, "linear-blend");
	must_track(f, &request);
	for (uint32_t n = 0; n < FRAMES; n++) {
		assert_true(isfinite(f->tracked.frames[n].rigid_rms));
		assert_false(f->tracked.frames[n].is_lost);
	}
	check_near(f->tracked.frames[0].rigid_rms, translation_rms(f, 0), 1e-6);
}

static void any_number_of_threads_gives_the_same_poses(void **state) {
	fixture *f = *state;
	make_poses(f, 1);
	make_frames(f, "linear-blend");
	const snw_track_request request = request_of(f, "linear-blend");
	snw_parallel_threads(1);
	must_track(f, &request);
	const snw_tracked alone = f->tracked;
	snw_parallel_threads(3);
	must_track(f, &request);
	snw_parallel_threads(0);
	for (uint32_t n = 0; n < FRAMES; n++) {
		assert_memory_equal(alone.frames[n].pose->local, f->tracked.frames[n].pose->local,
							f->scene->skeleton.joint_count * sizeof *alone.frames[n].pose->local);
	}
}

static void expect_refused(fixture *f, const char *method, snw_status status, const char *words) {
	const snw_track_request request = request_of(f, method);
	snw_error error = {0};
	assert_int_equal(snw_track_poses(f->scene, f->registry, &request, NULL, f->arena, &f->tracked, &error), status);
	if (!strstr(error.text, words)) {
		fail_msg("'%s' was expected in: %s", words, error.text);
	}
}

static void stack_that_is_no_program_is_refused(void **state) {
	fixture *f = *state;
	make_poses(f, 0.5);
	make_frames(f, "linear-blend");
	expect_refused(f, "smooth", SNW_ERROR_UNSUPPORTED, "--method");
	expect_refused(f, "nothing", SNW_ERROR_MISSING, "nothing");
	f->scene->skeleton.joint_count = 0;
	expect_refused(f, NULL, SNW_ERROR_MISSING, "no skeleton");
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)activity;
	return fraction <= *(const double *)context;
}

static void tracking_can_be_stopped(void **state) {
	fixture *f = *state;
	make_poses(f, 0.5);
	make_frames(f, "linear-blend");
	const snw_track_request request = request_of(f, "linear-blend");
	double last = 0.5;
	const snw_task task = {.context = &last, .progress = stop};
	snw_error error = {0};
	f->tracked.lost_count = 77;
	assert_int_equal(snw_track_poses(f->scene, f->registry, &request, &task, f->arena, &f->tracked, &error), SNW_CANCELLED);
	assert_int_equal(f->tracked.lost_count, 77);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(poses_of_a_linear_blend_are_found, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(poses_of_dual_quaternions_are_found, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(poses_of_an_affine_blend_are_found, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(poses_below_correctives_are_found, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(one_of_several_meshes_is_tracked, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(meshes_of_one_body_are_tracked_together, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(meshes_without_points_are_passed_over, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(frames_without_order_are_found_one_by_one, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(only_free_poses_follow_joints_that_come_apart, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(rotations_of_a_sequence_are_unwound, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(frame_of_another_shape_is_lost, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(thin_mesh_is_tracked, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(any_number_of_threads_gives_the_same_poses, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(stack_that_is_no_program_is_refused, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(tracking_can_be_stopped, open_fixture, close_fixture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
