/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A method with neither skeleton nor skin: it is fitted to a mesh animation, and the stack evaluates it by clip and time.
 */
#include "fit_with.h"

#include "measure/measure.h"
#include "pose/clip.h"
#include "sinew/algebra.h"
#include "validate/validate.h"

typedef struct playback_fixture {
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_evaluation *evaluation;
} playback_fixture;

static playback_fixture open_fixture(const char *settings) {
	playback_fixture s = {.registry = snw_registry_open(), .scene = snw_trial_sequence()};
	snw_error error = {0};
	check_ok(snw_registry_load(s.registry, TEST_PLAYBACK, &error), error);
	fit_with(&s.scene, s.registry, "test-playback", settings);
	check_ok(snw_stack_build(s.scene, s.registry, NULL, NULL, &s.stack, &error), error);
	s.evaluation = snw_evaluation_create(s.stack);
	return s;
}

static void close_fixture(playback_fixture *s) {
	snw_evaluation_destroy(s->evaluation);
	snw_stack_destroy(s->stack);
	snw_registry_close(s->registry);
	snw_scene_destroy(s->scene);
}

static double *points_at(playback_fixture *s, const char *moment) {
	snw_error error = {0};
	snw_pose *pose = NULL;
	double *points = SNW_NEW_ARRAY(s->scene->arena, double, 3 * (size_t)s->scene->meshes[0].point_count);
	check_ok(snw_pose_resolve(s->scene, moment, s->scene->arena, &pose, &error), error);
	check_ok(snw_stack_drive(s->stack, snw_pose_view_make(s->scene, pose, s->scene->arena), s->evaluation, &error), error);
	check_ok(snw_stack_reference(s->stack, s->evaluation, 0, NULL, points, &error), error);
	return points;
}

static double farthest(const playback_fixture *s, const double *a, const double *b) {
	double most = 0;
	for (size_t i = 0; i < 3 * (size_t)s->scene->meshes[0].point_count; i++) {
		most = fmax(most, fabs(a[i] - b[i]));
	}
	return most;
}

static void model_moves_with_the_seconds_of_its_clip_alone(void **state) {
	(void)state;
	static const char *const kinds[] = {"kind=rigid", "kind=affine", "kind=dual-quaternion"};
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		playback_fixture s = open_fixture(kinds[k]);
		const double *rest = s.scene->meshes[0].points_rest;
		/* Dual quaternions go through a normalisation; everything else at phase 0 is exact. */
		check_near(farthest(&s, points_at(&s, "rest"), rest), 0, 1e-14);
		check_near(farthest(&s, points_at(&s, "swing:0"), rest), 0, 1e-14);
		double *middle = points_at(&s, "swing:0.5"), *later = points_at(&s, "swing:0.50001");
		assert_true(farthest(&s, middle, rest) > 0.05);
		assert_true(farthest(&s, later, middle) > 0 && farthest(&s, later, middle) < 1e-3);
		assert_int_equal(snw_stack_segment_count(s.stack, 0), 1);
		assert_true(snw_stack_segment(s.stack, 0, 0).is_program);
		close_fixture(&s);
	}
}

static void measure_plays_the_sequence(void **state) {
	(void)state;
	playback_fixture s = open_fixture("slots=3");
	/* The frames become the result of the stack, except for a thousandth at one point of one frame. */
	snw_target *target = (snw_target *)(uintptr_t)&s.scene->targets[0];
	const size_t numbers = 3 * (size_t)s.scene->meshes[0].point_count;
	float *frames = SNW_NEW_ARRAY(s.scene->arena, float, numbers * target->frame_count);
	for (uint32_t f = 0; f < target->frame_count; f++) {
		char moment[40];
		snprintf(moment, sizeof moment, "swing:%.17g", target->seconds[f]);
		const double *points = points_at(&s, moment);
		for (size_t i = 0; i < numbers; i++) {
			frames[f * numbers + i] = (float)points[i];
		}
	}
	frames[2 * numbers + 3 * 5] += 1e-3f;
	target->points_posed = frames;
	const snw_measure_request request = {.target = 0};
	snw_measure measure;
	snw_error error = {0};
	check_ok(snw_measure_run(s.scene, s.registry, &request, NULL, &measure, &error), error);
	assert_int_equal(measure.max_frame, 2);
	assert_int_equal(measure.max_point, 5);
	check_near(measure.max_percent, 100 * 1e-3 / snw_scene_diagonal(s.scene, 0), 1e-3);
	close_fixture(&s);
}

static void program_normals_rotate_with_their_palette(void **state) {
	(void)state;
	playback_fixture s = open_fixture("normals=1 slots=2 detail=0");
	const uint32_t count = s.scene->meshes[0].point_count;
	float *normals = SNW_NEW_ARRAY(s.scene->arena, float, 3 * (size_t)count);
	points_at(&s, "swing:1");
	assert_true(snw_stack_normals(s.stack, s.evaluation, 0, normals));
	const snw_program *program = snw_stack_segment(s.stack, 0, 0).program;
	const snw_program_input *input = snw_stack_program_input(s.evaluation, 0, 0);
	for (uint32_t i = 0; i < count; i++) {
		double q[4] = {0}, m[12], n[3];
		for (uint32_t k = program->influence_offsets[i]; k < program->influence_offsets[i + 1]; k++) {
			for (int c = 0; c < 4; c++) {
				q[c] += program->influence_weights[k] * input->normal_palette[4 * program->influence_slots[k] + (uint32_t)c];
			}
		}
		snw_quat_normalize(q);
		snw_quat_to_mat34(q, m);
		snw_mat34_vector(m, program->normals.rest + 3 * (size_t)i, n);
		for (size_t c = 0; c < 3; c++) {
			check_near((double)normals[3 * (size_t)i + c], n[c], 1e-6);
		}
	}
	close_fixture(&s);
}

static void program_normals_are_unused_if_another_layer_moves_points(void **state) {
	(void)state;
	playback_fixture s = open_fixture("normals=1");
	float *normals = SNW_NEW_ARRAY(s.scene->arena, float, 3 * (size_t)s.scene->meshes[0].point_count);
	points_at(&s, "swing:1");
	assert_true(snw_stack_normals(s.stack, s.evaluation, 0, normals));
	snw_evaluation_destroy(s.evaluation);
	snw_stack_destroy(s.stack);
	/* A morph target of the file moves the rest beneath the layer. */
	snw_scene *character = snw_trial_character();
	snw_mesh *mesh = snw_arena_copy(s.scene->arena, s.scene->meshes, sizeof *mesh);
	mesh->morph_count = 1;
	mesh->morphs = character->meshes[0].morphs;
	s.scene->meshes = mesh;
	s.scene->channel_count = 1;
	s.scene->channels = character->channels;
	snw_error error = {0};
	s.scene->pose_count = 0;
	check_ok(snw_stack_build(s.scene, s.registry, NULL, NULL, &s.stack, &error), error);
	s.evaluation = snw_evaluation_create(s.stack);
	points_at(&s, "swing:1");
	assert_false(snw_stack_normals(s.stack, s.evaluation, 0, normals));
	close_fixture(&s);
	snw_scene_destroy(character);
}

static void moments_of_a_clip_without_tracks_are_the_frames(void **state) {
	(void)state;
	snw_scene *scene = snw_trial_sequence();
	double *seconds;
	uint32_t count;
	assert_int_equal(snw_target_clip(scene, &scene->targets[0]), 0);
	snw_clip_times(scene, 0, scene->arena, &seconds, &count);
	assert_int_equal(count, scene->targets[0].frame_count);
	assert_memory_equal(seconds, scene->targets[0].seconds, count * sizeof *seconds);
	scene->clip_count = 0;
	assert_int_equal(snw_target_clip(scene, &scene->targets[0]), SNW_NONE);
	snw_scene_clip_sequences(scene);
	assert_int_equal(scene->clip_count, 1);
	assert_string_equal(scene->clips[0].name, scene->targets[0].name);
	check_near(scene->clips[0].duration_seconds, seconds[count - 1], 0);
	snw_scene_destroy(scene);
}

static void compression_is_counted_as_the_paper_does(void **state) {
	(void)state;
	playback_fixture s = open_fixture("kind=dual-quaternion slots=6 detail=0"),
					 affine = open_fixture("kind=affine slots=6 detail=1");
	snw_compression found;
	assert_true(snw_compression_find(s.scene, s.stack, 0, &found));
	const double m = s.scene->meshes[0].point_count, n = s.scene->targets[0].frame_count;
	assert_true(found.rigid);
	check_near(found.ratio, 6 * m * n / (12 * 6 * n + 6 * m), 1e-12);
	assert_true(snw_compression_find(affine.scene, affine.stack, 0, &found));
	assert_false(found.rigid);
	check_near(found.ratio, 6 * m * n / (24 * 6 * n + 6 * m + 6 * m + 2 * n), 1e-12);
	s.scene->target_count = 0;
	assert_false(snw_compression_find(s.scene, s.stack, 0, &found));
	close_fixture(&s);
	close_fixture(&affine);
}

static void hear(void *context, const char *name, bool passed, const char *words) {
	(void)context;
	if (!passed) {
		fail_msg("%s: %s", name, words);
	}
}

static void method_without_a_rig_passes_the_validator(void **state) {
	(void)state;
	const snw_validate_listener listener = {NULL, hear};
	snw_error error = {0};
	check_ok(snw_validate(TEST_PLAYBACK,
						  &(snw_validate_options){
							  .seed = 20261122, .limit_seconds = CHECK_PATIENCE_SECONDS, .level = SNW_VALIDATE_QUICK},
						  &listener, &error),
			 error);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(model_moves_with_the_seconds_of_its_clip_alone),
		cmocka_unit_test(measure_plays_the_sequence),
		cmocka_unit_test(program_normals_rotate_with_their_palette),
		cmocka_unit_test(program_normals_are_unused_if_another_layer_moves_points),
		cmocka_unit_test(moments_of_a_clip_without_tracks_are_the_frames),
		cmocka_unit_test(compression_is_counted_as_the_paper_does),
		cmocka_unit_test(method_without_a_rig_passes_the_validator),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
