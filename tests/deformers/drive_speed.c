/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a pose's coefficients take: 64 examples, 12 joints, one group. Beside it a plain loop over joints and examples in the
 * same run: times are printed, and judged against that loop alone.
 */
#include "bare_arm.h"

#include <time.h>

#include "mutate.h"
#include "scene/skeleton.h"

enum { JOINTS = 12, EXAMPLES = 64, REPEATS = 20, ROUNDS = 400 };

static snw_registry *registry;
static uint64_t random_state = 5;

static double now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double uniform(void) {
	return (double)(mutate_random(&random_state) >> 11) / 4503599627370496.0 - 1;
}

/* The arm with a long tail of joints behind its wrist. */
static void grow_skeleton(snw_scene *scene) {
	static char names[JOINTS][12];
	const snw_skeleton before = scene->skeleton;
	snw_skeleton *grown = &scene->skeleton;
	*grown = (snw_skeleton){.joint_count = JOINTS,
							.names = SNW_NEW_ARRAY(scene->arena, const char *, JOINTS),
							.parents = SNW_NEW_ARRAY(scene->arena, uint32_t, JOINTS),
							.rest_local = SNW_NEW_ARRAY(scene->arena, snw_transform, JOINTS)};
	for (uint32_t j = 0; j < JOINTS; j++) {
		snprintf(names[j], sizeof names[j], "joint-%u", j);
		grown->names[j] = names[j];
		grown->parents[j] = j == 0 ? SNW_NONE : j - 1;
		grown->rest_local[j] = j < before.joint_count
								   ? before.rest_local[j]
								   : (snw_transform){.translation = {0.05, 0, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	snw_error error;
	check_ok(snw_skeleton_finish(grown, scene->arena, &error), error);
}

static snw_pose *random_pose(const snw_scene *scene) {
	snw_pose *pose = snw_pose_rest(scene, scene->arena);
	for (size_t j = 0; j < JOINTS; j++) {
		for (size_t c = 0; c < 3; c++) {
			pose->rotation_vectors[3 * j + c] = 1.2 * uniform();
		}
		snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * j, pose->local[j].rotation);
	}
	return pose;
}

static void make_examples(snw_scene *scene) {
	static uint32_t joints[JOINTS];
	static char names[EXAMPLES][16];
	static snw_member members[EXAMPLES];
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, EXAMPLES + 1);
	snw_example *examples = SNW_NEW_ARRAY(scene->arena, snw_example, EXAMPLES);
	snw_group *group = SNW_NEW(scene->arena, snw_group);
	poses[0] = *snw_pose_rest(scene, scene->arena);
	poses[0].name = "rest";
	for (uint32_t e = 0; e < EXAMPLES; e++) {
		snprintf(names[e], sizeof names[e], "example-%u", e);
		poses[1 + e] = *random_pose(scene);
		poses[1 + e].name = names[e];
		examples[e] = (snw_example){.name = names[e], .pose = 1 + e, .mesh = 0, .points_posed = scene->meshes[0].points_rest};
		members[e] = (snw_member){e, SNW_NONE};
	}
	for (uint32_t j = 0; j < JOINTS; j++) {
		joints[j] = j;
	}
	*group = (snw_group){.name = "all", .joint_count = JOINTS, .joints = joints, .member_count = EXAMPLES, .members = members};
	scene->poses = poses;
	scene->pose_count = EXAMPLES + 1;
	scene->examples = examples;
	scene->example_count = EXAMPLES;
	scene->groups = group;
	scene->group_count = 1;
	scene->clip_count = 0;
}

/* The same by a plain loop: angles by arcs, kernels, sums of products. */
static void plain(const double centres[EXAMPLES + 1][JOINTS][4], const double *weights, const double *turns, double *result) {
	double here[JOINTS][4], values[EXAMPLES + 2];
	for (size_t j = 0; j < JOINTS; j++) {
		snw_quat_from_rotation_vector(turns + 3 * j, here[j]);
	}
	for (size_t c = 0; c < EXAMPLES + 1; c++) {
		double sum = 0;
		for (size_t j = 0; j < JOINTS; j++) {
			double back[4], between[4];
			snw_quat_conjugate(here[j], back);
			snw_quat_multiply(back, centres[c][j], between);
			const double angle = 2 * atan2(snw_length3(between), fabs(between[3]));
			sum += angle * angle;
		}
		values[c] = exp(-sum);
	}
	values[EXAMPLES + 1] = 1;
	for (size_t k = 0; k < EXAMPLES; k++) {
		double sum = 0;
		for (size_t c = 0; c < EXAMPLES + 2; c++) {
			sum += weights[k * (EXAMPLES + 2) + c] * values[c];
		}
		result[k] = sum;
	}
}

/* The best of many rounds, in microseconds a pose. */
static double time_plain(const snw_pose_view *pose, const snw_scene *scene) {
	static double centres[EXAMPLES + 1][JOINTS][4], weights[EXAMPLES * (EXAMPLES + 2)];
	double best = INFINITY, result[EXAMPLES], kept = 0;
	for (size_t c = 0; c < EXAMPLES + 1; c++) {
		for (size_t j = 0; j < JOINTS; j++) {
			snw_quat_from_rotation_vector(scene->poses[c].rotation_vectors + 3 * j, centres[c][j]);
		}
	}
	for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
		weights[i] = uniform();
	}
	for (int round = 0; round < ROUNDS; round++) {
		const double begun = now();
		for (int n = 0; n < REPEATS; n++) {
			plain((const double(*)[JOINTS][4])centres, weights, pose->rotation_vectors, result);
			kept += result[n % EXAMPLES];
		}
		best = fmin(best, now() - begun);
	}
	assert_true(isfinite(kept));
	return 1e6 * best / REPEATS;
}

static double time_drive(const snw_scene *scene, const snw_pose_view *pose) {
	const snw_saved_model *saved = &scene->models[0];
	const snw_deformer *deformer = snw_registry_find(registry, saved->deformer);
	snw_arena *arena = snw_arena_create();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_model *model = NULL;
	assert_int_equal(snw_deformer_load(deformer, snw_services_host(services), snw_character_view_make(scene, arena), saved->bytes,
									saved->byte_count, &model),
					 SNW_OK);
	const snw_model_layout layout = snw_deformer_layout(deformer, model);
	assert_int_equal(layout.d_count, EXAMPLES);
	snw_drive_output output = {
		.size = sizeof output, .d = SNW_NEW_ARRAY(arena, double, EXAMPLES), .e = SNW_NEW_ARRAY(arena, double, EXAMPLES)};
	void *scratch = aligned_alloc(64, (layout.scratch_bytes + 63) / 64 * 64);
	const snw_drive_call call = {
		.size = sizeof call, .model = model, .pose = pose, .scratch = scratch, .output = &output};
	double best = INFINITY;
	for (int round = 0; round < ROUNDS; round++) {
		const double begun = now();
		for (int n = 0; n < REPEATS; n++) {
			assert_int_equal(deformer->drive(&call), SNW_OK);
		}
		best = fmin(best, now() - begun);
	}
	free(scratch);
	deformer->release(model);
	snw_services_destroy(services);
	snw_arena_destroy(arena);
	return 1e6 * best / REPEATS;
}

static void coefficients_take_less_than_a_plain_loop(void **state) {
	(void)state;
	snw_scene *scene;
	snw_error error;
	check_ok(snw_sample_make("arm", &scene, &error), error);
	scene->target_count = 0;
	grow_skeleton(scene);
	make_examples(scene);
	snw_scene *fitted = fitting_run(scene, registry, "inverse-psd");
	const snw_pose_view *pose = snw_pose_view_make(scene, random_pose(scene), scene->arena);
	const double driven = time_drive(fitted, pose), looped = time_plain(pose, scene);
	print_message("%d examples, %d joints: %.1f us a pose; a plain loop %.1f us\n", EXAMPLES, JOINTS, driven, looped);
	assert_true(driven < looped);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(coefficients_take_less_than_a_plain_loop)};
	registry = snw_registry_open();
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	snw_registry_close(registry);
	return failed;
}
