/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clips of many keys: walked no more often than short ones, and exported with few keys of the morph weights. The linker puts the counted
 * functions here in place of the host's (--wrap).
 */
#include <math.h>
#include <stdatomic.h>

#include "fixture.h"
#include "pose/clip.h"

/* Walks along tracks from their first keys, and drives of the stack. */
static atomic_uint walks, drives;

void __real_snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], snw_rotation_walk *walk);
void __wrap_snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], snw_rotation_walk *walk);
void __wrap_snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], snw_rotation_walk *walk) {
	walks++;
	__real_snw_rotation_walk_begin(track, rest_rotation, walk);
}

void __real_snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], double *vectors);
void __wrap_snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], double *vectors);
void __wrap_snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], double *vectors) {
	walks++;
	__real_snw_rotation_walk_keys(track, rest_rotation, vectors);
}

snw_status __real_snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_evaluation *evaluation,
								  snw_error *error);
snw_status __wrap_snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_evaluation *evaluation,
								  snw_error *error);
snw_status __wrap_snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_evaluation *evaluation,
								  snw_error *error) {
	drives++;
	return __real_snw_stack_drive(stack, pose, evaluation, error);
}

/* The arm's elbow swings for as many keys, 30 a second, at this many radians of its phase from key to key. */
static void swing(snw_scene *scene, uint32_t keys, double speed) {
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, keys),
		   *values = SNW_NEW_ARRAY(scene->arena, double, 4 * (size_t)keys);
	for (uint32_t k = 0; k < keys; k++) {
		seconds[k] = k / 30.0;
		snw_quat_from_rotation_vector((const double[3]){0, 0, 1 - cos(speed * k)}, values + 4 * (size_t)k);
	}
	snw_track *track = SNW_NEW(scene->arena, snw_track);
	*track = (snw_track){.target = 1,
						 .path = SNW_PATH_ROTATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = keys,
						 .seconds = seconds,
						 .values = values};
	snw_clip *clip = SNW_NEW(scene->arena, snw_clip);
	*clip = (snw_clip){.id = 77, .name = "swing", .duration_seconds = seconds[keys - 1], .track_count = 1, .tracks = track};
	scene->clips = clip;
	scene->clip_count = 1;
	scene->target_count = 0;
}

static fixture swinging_arm(uint32_t keys, double speed) {
	snw_error error = {0};
	fixture f = sample_arm();
	snw_scene_destroy(f.scene);
	check_ok(snw_sample_make("small-arm", &f.scene, &error), error);
	swing(f.scene, keys, speed);
	add_layer(f.scene, "test", "org.sinew.test.corrective", NULL, 0);
	build_stack(&f);
	return f;
}

static void count_in_export(uint32_t keys) {
	snw_error error = {0};
	fixture f = swinging_arm(keys, 0.1);
	walks = drives = 0;
	check_ok(export_to(&f, check_scratch("long.glb"), 4, NULL, &error), error);
	print_message("%u keys: %u walks, %u drives, %u moments\n", keys, walks, drives, f.report.frame_count);
	assert_true(walks > 0 && drives > 0);
	end(&f);
}

/* Were each moment's rotation unwound from the start of its clip, there would be as many walks as moments, each as long as the clip. */
static void long_clip_is_walked_as_often_as_a_short_one(void **state) {
	(void)state;
	count_in_export(300);
	const unsigned few_walks = walks, few_drives = drives;
	count_in_export(2400);
	assert_int_equal(walks, few_walks);
	assert_in_range(drives, 1, 8 * few_drives + 8);
}

/* How many keys the weights of the first animation have. */
static int count_weight_keys(const player *p) {
	const cJSON *animation = player_list(p, "animations", 0), *channel;
	int count = 0;
	cJSON_ArrayForEach(channel, cJSON_GetObjectItem(animation, "channels")) {
		const cJSON *target = cJSON_GetObjectItem(channel, "target");
		if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(target, "path")), "weights") == 0) {
			const int sampler = cJSON_GetObjectItem(channel, "sampler")->valueint;
			const cJSON *input =
				cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(animation, "samplers"), sampler), "input");
			free(player_values(p, input->valueint, &count));
		}
	}
	return count;
}

static void slow_weights_have_few_keys_that_hold_a_thousandth(void **state) {
	(void)state;
	enum { KEYS = 1000 };
	snw_error error = {0};
	fixture f = swinging_arm(KEYS, 0.01);
	check_ok(export_to(&f, place("slow.glb"), 4, NULL, &error), error);
	player *p = player_open(f.path);
	const int keys = count_weight_keys(p), node = player_node_of_mesh(p, 0);
	snw_evaluation *evaluation = snw_evaluation_create(f.stack);
	double worst = 0;
	for (int i = 0; i < 3 * KEYS; i++) {
		const double seconds = i * f.scene->clips[0].duration_seconds / (3 * KEYS);
		const snw_pose *pose = snw_pose_sample(f.scene, 0, seconds, f.scene->arena);
		check_ok(snw_stack_drive(f.stack, snw_pose_view_make(f.scene, pose, f.scene->arena), evaluation, &error), error);
		player_pose(p, 0, seconds);
		const double *driven = snw_stack_program_input(evaluation, 0, 0)->d;
		for (int t = 0; t < p->target_counts[node]; t++) {
			worst = fmax(worst, fabs(p->weights[node][t] - driven[t]));
		}
	}
	print_message("%d keys for %d of the clip, at most %.2g off\n", keys, KEYS, worst);
	assert_in_range(keys, 2, KEYS / 4);
	check_near(worst, 0, 1e-3);
	snw_evaluation_destroy(evaluation);
	player_close(p);
	end(&f);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_weights_have_few_keys_that_hold_a_thousandth),
		cmocka_unit_test(long_clip_is_walked_as_often_as_a_short_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
