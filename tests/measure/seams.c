/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seams against posed points: two tubes at the same place with other weights, over their clips and in random poses.
 */
#include "measure/measure.h"

#include <string.h>

#include "one_registry.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "random.h"
#include "sample/sample.h"
#include "sinew/algebra.h"

enum { MOMENTS = 64, RANDOM_POSES = 300 };

static snw_error error;

/* The tube and a second one whose points all follow the first slot. */
static snw_scene *two_tubes(void) {
	snw_scene *scene = NULL;
	check_ok(snw_sample_make("tube", &scene, &error), error);
	const snw_mesh *tube = &scene->meshes[0];
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, 2);
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)tube->point_count + 1);
	double *weights = SNW_NEW_ARRAY(scene->arena, double, tube->point_count);
	for (uint32_t i = 0; i < tube->point_count; i++) {
		offsets[i + 1] = i + 1;
		weights[i] = 1;
	}
	meshes[0] = meshes[1] = *tube;
	meshes[1].name = "stiff";
	meshes[1].influence_offsets = offsets;
	meshes[1].influence_slots = SNW_NEW_ARRAY(scene->arena, uint32_t, tube->point_count);
	meshes[1].influence_weights = weights;
	scene->meshes = meshes;
	scene->mesh_count = 2;
	return scene;
}

typedef struct fixture {
	snw_scene *scene;
	snw_stack *stack;
	snw_evaluation *evaluation;
	snw_arena *arena;
	snw_seams seams;
} fixture;

static void fixture_open(fixture *f) {
	f->scene = two_tubes();
	f->arena = snw_arena_create();
	check_ok(snw_stack_build(f->scene, registry, NULL, NULL, &f->stack, &error), error);
	f->evaluation = snw_evaluation_create_reference(f->stack);
	check_ok(snw_seams_measure(f->scene, f->stack, NULL, f->arena, &f->seams, &error), error);
}

static void fixture_close(fixture *f) {
	snw_evaluation_destroy(f->evaluation);
	snw_stack_destroy(f->stack);
	snw_arena_destroy(f->arena);
	snw_scene_destroy(f->scene);
}

/* How far the pair of the seam is apart in a pose. */
static double gap_at(const fixture *f, const snw_pose *pose) {
	const snw_seam *seam = &f->seams.list[0];
	double points[2][3];
	check_ok(snw_stack_drive(f->stack, snw_pose_view_make(f->scene, pose, f->arena), f->evaluation, &error), error);
	for (size_t i = 0; i < 2; i++) {
		check_ok(snw_stack_reference_at(f->stack, f->evaluation, seam->meshes[i], 1, &seam->points[i],
										f->scene->meshes[0].points_rest + 3 * (size_t)seam->points[i], points[i], &error),
				 error);
	}
	const double gap[3] = {points[0][0] - points[1][0], points[0][1] - points[1][1], points[0][2] - points[1][2]};
	return snw_length3(gap);
}

static void clips_pull_a_seam_apart_as_posed_points_do(void **state) {
	(void)state;
	fixture f;
	fixture_open(&f);
	const snw_seam *seam = &f.seams.list[0];
	double squares = 0, most = 0;
	uint32_t poses = 0;
	assert_int_equal(f.seams.count, 1);
	assert_int_equal(seam->pair_count, f.scene->meshes[0].point_count);
	assert_in_range(seam->opening_count, 1, seam->pair_count - 1);
	for (uint32_t c = 0; c < f.scene->clip_count; c++) {
		uint32_t count;
		double *seconds;
		snw_clip_times(f.scene, c, f.arena, &seconds, &count);
		assert_in_range(count, 1, MOMENTS);
		for (uint32_t k = 0; k < count; k++) {
			const double gap = gap_at(&f, snw_pose_sample(f.scene, c, seconds[k], f.arena));
			squares += gap * gap;
			most = fmax(most, gap);
			poses++;
		}
	}
	print_message("apart %.6g m over %u poses, %.6g m shuffled, at most %.6g m, bound %.6g m\n", seam->clips, poses,
				  seam->shuffled, most, seam->bound);
	assert_int_equal(f.seams.pose_count, poses);
	check_near(seam->clips, sqrt(squares / poses), 1e-9);
	assert_true(seam->bound >= most);
	fixture_close(&f);
}

static void no_pose_breaks_the_bound(void **state) {
	(void)state;
	fixture f;
	fixture_open(&f);
	uint64_t random = random_seed();
	for (uint32_t i = 0; i < RANDOM_POSES; i++) {
		snw_pose *pose = snw_pose_rest(f.scene, f.arena);
		for (uint32_t j = 0; j < f.scene->skeleton.joint_count; j++) {
			const double vector[3] = {random_between(&random, -3, 3), random_between(&random, -3, 3),
									  random_between(&random, -3, 3)};
			snw_quat_from_rotation_vector(vector, pose->local[j].rotation);
		}
		assert_true(gap_at(&f, pose) <= f.seams.list[0].bound + 1e-12);
	}
	fixture_close(&f);
}

static void equal_skins_do_not_open(void **state) {
	(void)state;
	fixture f;
	fixture_open(&f);
	snw_mesh *meshes = (snw_mesh *)(uintptr_t)f.scene->meshes;
	meshes[1] = meshes[0];
	meshes[1].name = "twin";
	snw_stack *stack = NULL;
	check_ok(snw_stack_build(f.scene, registry, NULL, NULL, &stack, &error), error);
	check_ok(snw_seams_measure(f.scene, stack, NULL, f.arena, &f.seams, &error), error);
	assert_int_equal(f.seams.list[0].pair_count, meshes[0].point_count);
	assert_int_equal(f.seams.list[0].opening_count, 0);
	snw_stack_destroy(stack);
	fixture_close(&f);
}

/* Measures a scene with another stack or other meshes. */
static void measure_again(fixture *f) {
	snw_evaluation_destroy(f->evaluation);
	snw_stack_destroy(f->stack);
	check_ok(snw_stack_build(f->scene, registry, NULL, NULL, &f->stack, &error), error);
	f->evaluation = snw_evaluation_create_reference(f->stack);
	check_ok(snw_seams_measure(f->scene, f->stack, NULL, f->arena, &f->seams, &error), error);
}

static void meshes_that_cannot_be_compared_are_named(void **state) {
	(void)state;
	fixture f;
	fixture_open(&f);
	assert_int_equal(f.seams.left_out_count, 0);
	const snw_deformer *deformer = snw_registry_find(registry, "dual-quaternion");
	assert_int_equal(f.scene->layer_count, 1);
	((snw_layer *)(uintptr_t)f.scene->layers)[0].deformer = deformer->descriptor->id;
	measure_again(&f);
	assert_int_equal(f.seams.count, 0);
	assert_int_equal(f.seams.left_out_count, 2);
	assert_non_null(strstr(f.seams.left_out[0].reason, "dual quaternions"));
	assert_int_equal(f.seams.left_out[1].mesh, 1);
	fixture_close(&f);
}

/* As many pairs as points, not their square; each point still meets those of the other mesh. */
static void many_points_at_one_place_are_few_pairs(void **state) {
	(void)state;
	fixture f;
	fixture_open(&f);
	snw_mesh *stiff = (snw_mesh *)(uintptr_t)&f.scene->meshes[1];
	double *points = SNW_NEW_ARRAY(f.scene->arena, double, 3 * (size_t)stiff->point_count);
	for (size_t i = 0; i < 3 * (size_t)stiff->point_count; i++) {
		points[i] = f.scene->meshes[0].points_rest[i % 3];
	}
	stiff->points_rest = points;
	measure_again(&f);
	assert_int_equal(f.seams.count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		const snw_seam *seam = &f.seams.list[i];
		assert_int_equal(seam->meshes[1], 1);
		assert_int_equal(seam->pair_count, seam->meshes[0] == 0 ? stiff->point_count : stiff->point_count - 1);
	}
	fixture_close(&f);
}

/* A second root below which nothing is, and which the stiff tube follows: in each pose both roots have moved alike. */
static void add_walking_root(snw_scene *scene) {
	snw_skeleton *skeleton = &scene->skeleton;
	const uint32_t old = skeleton->joint_count, joints = old + 1;
	snw_transform *rest = SNW_NEW_ARRAY(scene->arena, snw_transform, joints);
	double *rest_global = SNW_NEW_ARRAY(scene->arena, double, (size_t)12 * joints);
	uint32_t *parents = SNW_NEW_ARRAY(scene->arena, uint32_t, joints), *order = SNW_NEW_ARRAY(scene->arena, uint32_t, joints);
	const char **names = SNW_NEW_ARRAY(scene->arena, const char *, joints);
	memcpy(rest, skeleton->rest_local, old * sizeof *rest);
	memcpy(parents, skeleton->parents, old * sizeof *parents);
	memcpy(order, skeleton->order, old * sizeof *order);
	memcpy(names, skeleton->names, old * sizeof *names);
	memcpy(rest_global, skeleton->rest_global, (size_t)12 * old * sizeof *rest_global);
	memcpy(rest_global + (size_t)12 * old, rest_global + (size_t)12 * order[0], 12 * sizeof *rest_global);
	rest[old] = rest[order[0]];
	parents[old] = SNW_NONE;
	order[old] = old;
	names[old] = "other root";
	uint32_t *slot_joints = SNW_NEW_ARRAY(scene->arena, uint32_t, scene->slot_count + 1);
	double *binds = SNW_NEW_ARRAY(scene->arena, double, (size_t)12 * (scene->slot_count + 1));
	memcpy(slot_joints, scene->slot_joints, scene->slot_count * sizeof *slot_joints);
	memcpy(binds, scene->slot_inverse_binds, (size_t)12 * scene->slot_count * sizeof *binds);
	slot_joints[scene->slot_count] = old;
	memcpy(binds + (size_t)12 * scene->slot_count, binds, 12 * sizeof *binds);
	uint32_t *slots = (uint32_t *)(uintptr_t)scene->meshes[1].influence_slots;
	for (uint32_t i = 0; i < scene->meshes[1].point_count; i++) {
		slots[i] = scene->slot_count;
	}
	scene->slot_joints = slot_joints;
	scene->slot_inverse_binds = binds;
	scene->slot_count++;
	skeleton->joint_count = joints;
	skeleton->rest_local = rest;
	skeleton->rest_global = rest_global;
	skeleton->parents = parents;
	skeleton->order = order;
	skeleton->names = names;
	scene->clip_count = scene->target_count = 0;
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, 8);
	for (uint32_t i = 0; i < 8; i++) {
		poses[i] = *snw_pose_rest(scene, scene->arena);
		poses[i].name = i == 0 ? "rest" : snw_arena_format(scene->arena, "walk %u", i);
		for (uint32_t j = 0; j < joints; j++) {
			if (parents[j] == SNW_NONE) {
				const double vector[3] = {0, 0.7 * i, 0};
				memcpy(poses[i].rotation_vectors + 3 * (size_t)j, vector, sizeof vector);
				snw_quat_from_rotation_vector(vector, poses[i].local[j].rotation);
				poses[i].local[j].translation[2] += i;
			}
		}
	}
	scene->poses = poses;
	scene->pose_count = 8;
}

static void character_that_walks_opens_no_seam_between_its_roots(void **state) {
	(void)state;
	fixture f;
	fixture_open(&f);
	add_walking_root(f.scene);
	check_ok(snw_scene_check(f.scene, &error), error);
	measure_again(&f);
	assert_int_equal(f.seams.count, 1);
	print_message("apart %.3g m, shuffled %.3g m, bound %.3g m\n", f.seams.list[0].clips, f.seams.list[0].shuffled,
				  f.seams.list[0].bound);
	assert_true(f.seams.list[0].shuffled < 1e-6);
	fixture_close(&f);
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)context;
	(void)fraction;
	(void)activity;
	return false;
}

static void search_can_be_cancelled(void **state) {
	(void)state;
	fixture f;
	fixture_open(&f);
	const snw_task task = {.progress = stop};
	assert_int_equal(snw_seams_measure(f.scene, f.stack, &task, f.arena, &f.seams, &error), SNW_CANCELLED);
	assert_int_equal(f.seams.count, 1); /* as before */
	fixture_close(&f);
}

TEST_GROUP(seams) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clips_pull_a_seam_apart_as_posed_points_do),
		cmocka_unit_test(no_pose_breaks_the_bound),
		cmocka_unit_test(equal_skins_do_not_open),
		cmocka_unit_test(meshes_that_cannot_be_compared_are_named),
		cmocka_unit_test(many_points_at_one_place_are_few_pairs),
		cmocka_unit_test(character_that_walks_opens_no_seam_between_its_roots),
		cmocka_unit_test(search_can_be_cancelled),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
