/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses: sampled, unwound, resolved by name, solved, and read from JSON.
 */
#include <cjson/cJSON.h>

#include "check.h"
#include "file/file.h"

#include "files.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

static const double pi = 3.14159265358979323846;

/* A chain of `count` joints along x, one metre each, each rotated a little relative to its parent; one channel. */
static snw_scene *chain_make(uint32_t count) {
	snw_scene *scene = snw_scene_create();
	snw_arena *arena = scene->arena;
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = scene->slot_count = count;
	skeleton->names = SNW_NEW_ARRAY(arena, const char *, count);
	skeleton->parents = SNW_NEW_ARRAY(arena, uint32_t, count);
	skeleton->rest_local = SNW_NEW_ARRAY(arena, snw_transform, count);
	for (uint32_t j = 0; j < count; j++) {
		skeleton->names[j] = snw_arena_format(arena, "joint%u", j);
		skeleton->parents[j] = j == 0 ? SNW_NONE : j - 1;
		skeleton->rest_local[j] = (snw_transform){{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
		const double rotation_vector[3] = {0.1 * (j + 1), -0.2, 0.3};
		snw_quat_from_rotation_vector(rotation_vector, skeleton->rest_local[j].rotation);
	}
	snw_error error;
	check_ok(snw_skeleton_finish(skeleton, arena, &error), error);
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, count);
	double *binds = SNW_NEW_ARRAY(arena, double, 12 * (size_t)count);
	for (uint32_t j = 0; j < count; j++) {
		joints[j] = j;
		assert_true(snw_mat34_invert(skeleton->rest_global + 12 * (size_t)j, binds + 12 * (size_t)j));
	}
	scene->slot_joints = joints;
	scene->slot_inverse_binds = binds;
	static const snw_channel channels[1] = {{.name = "smile", .initial = 0.25}};
	scene->channels = channels;
	scene->channel_count = 1;
	snw_pose *poses = SNW_NEW_ARRAY(arena, snw_pose, 3);
	poses[0] = *snw_pose_rest(scene, arena);
	poses[1] = *snw_pose_rest(scene, arena);
	poses[1].name = "bent";
	poses[1].channels[0] = 0.75;
	scene->poses = poses;
	scene->pose_count = 2;
	return scene;
}

/* Gives the scene one clip, of these tracks. */
static void chain_clip(snw_scene *scene, const snw_track *tracks, uint32_t count, double duration) {
	snw_clip *clip = SNW_NEW(scene->arena, snw_clip);
	*clip = (snw_clip){.id = 11, .name = "a:clip", .duration_seconds = duration, .track_count = count, .tracks = tracks};
	scene->clips = clip;
	scene->clip_count = 1;
}

/* Keys every `step` radians about `axis`, after the rest of the joint, up to `whole`; one a second. */
static snw_track turning_track(snw_scene *scene, uint32_t joint, const double axis[3], double step, double whole) {
	const uint32_t count = (uint32_t)lround(fabs(whole / step)) + 1;
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, count), *values = SNW_NEW_ARRAY(scene->arena, double, 4 * count);
	for (uint32_t k = 0; k < count; k++) {
		double rotation_vector[3], q[4];
		for (int c = 0; c < 3; c++) {
			rotation_vector[c] = axis[c] * step * k;
		}
		seconds[k] = k;
		snw_quat_from_rotation_vector(rotation_vector, q);
		snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, values + 4 * (size_t)k);
		if (k % 3 == 1) { /* a file may hold either sign */
			for (size_t c = 0; c < 4; c++) {
				values[4 * (size_t)k + c] = -values[4 * (size_t)k + c];
			}
		}
	}
	return (snw_track){joint, SNW_PATH_ROTATION, SNW_LINEAR, count, seconds, values};
}

static void check_rotation(const double a[4], const double b[4], double tolerance) {
	check_near(fabs(snw_quat_dot(a, b)), 1, tolerance);
}

static void track_linear_rotation_is_a_slerp(void **state) {
	(void)state;
	snw_scene *scene = chain_make(2);
	const double axis[3] = {0, 0.6, 0.8};
	const snw_track track = turning_track(scene, 1, axis, 1.2, 2.4);
	for (int step = -4; step < 24; step++) {
		const double t = step / 8.0;
		double value[4], expected[4], rotation_vector[3];
		const double clamped = fmin(fmax(t, 0), 2);
		for (int c = 0; c < 3; c++) {
			rotation_vector[c] = axis[c] * 1.2 * clamped;
		}
		snw_quat_from_rotation_vector(rotation_vector, expected);
		snw_quat_multiply(scene->skeleton.rest_local[1].rotation, expected, expected);
		snw_track_sample(&track, t, value);
		check_rotation(value, expected, 1e-14);
		check_near(snw_quat_dot(value, value), 1, 1e-14);
	}
	snw_scene_destroy(scene);
}

static void track_step_holds_until_the_next_key(void **state) {
	(void)state;
	const double seconds[] = {1, 2, 4}, values[] = {10, 20, 30};
	const snw_track track = {0, SNW_PATH_CHANNEL, SNW_STEP, 3, seconds, values};
	const double expected[][2] = {{0, 10}, {1, 10}, {1.999, 10}, {2, 20}, {3.9, 20}, {4, 30}, {9, 30}};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		double value[4];
		snw_track_sample(&track, expected[i][0], value);
		check_near(value[0], expected[i][1], 0);
	}
}

static void track_cubic_gives_a_cubic_back(void **state) {
	(void)state;
	/* x(t) = t³ − 2t² + 3, with its slopes per second as tangents, at uneven keys. */
	const double seconds[] = {0, 0.5, 2.5, 3};
	double values[4 * 9];
	for (size_t k = 0; k < 4; k++) {
		const double t = seconds[k], slope = 3 * t * t - 4 * t, x = t * t * t - 2 * t * t + 3;
		for (size_t c = 0; c < 3; c++) {
			values[9 * k + c] = values[9 * k + 6 + c] = (double)(c + 1) * slope;
			values[9 * k + 3 + c] = (double)(c + 1) * x;
		}
	}
	const snw_track track = {0, SNW_PATH_SCALE, SNW_CUBIC, 4, seconds, values};
	for (int step = 0; step <= 30; step++) {
		const double t = step / 10.0;
		double value[4];
		snw_track_sample(&track, t, value);
		for (int c = 0; c < 3; c++) {
			check_near(value[c], (c + 1) * (t * t * t - 2 * t * t + 3), 1e-12);
		}
	}
}

static void rotations_by_two_revolutions_are_four_pi_long(void **state) {
	(void)state;
	const double axes[][3] = {{1, 0, 0}, {0, -1, 0}, {0.48, 0.6, 0.64}};
	const double steps[] = {0.1, 0.5, 1, 0.75};
	for (size_t a = 0; a < 3; a++) {
		for (size_t s = 0; s < 4; s++) {
			snw_scene *scene = chain_make(3);
			const double step = steps[s] * pi / (s == 2 ? 1.5 : 1), whole = 4 * pi;
			snw_track track = turning_track(scene, 2, axes[a], whole / round(whole / step), whole);
			chain_clip(scene, &track, 1, track.seconds[track.key_count - 1]);
			for (int moment = 0; moment <= 32; moment++) {
				const double part = moment / 32.0;
				const snw_pose *pose = snw_pose_sample(scene, 0, part * scene->clips[0].duration_seconds, scene->arena);
				for (int c = 0; c < 3; c++) {
					check_near(pose->rotation_vectors[6 + c], axes[a][c] * whole * part, 1e-9);
					check_near(pose->rotation_vectors[c], 0, 1e-12);
				}
			}
			snw_scene_destroy(scene);
		}
	}
}

static void rotations_follow_an_axis_that_tilts_near_two_pi(void **state) {
	(void)state;
	/* Keys on a path of rotation vectors that spirals out to 3π while its axis swings by a radian. */
	snw_scene *scene = chain_make(1);
	enum { KEYS = 200 };
	double seconds[KEYS], values[4 * KEYS], vectors[KEYS][3];
	for (int k = 0; k < KEYS; k++) {
		const double part = k / (KEYS - 1.0), swing = part, length = 3 * pi * part;
		vectors[k][0] = length * cos(swing);
		vectors[k][1] = length * sin(swing);
		vectors[k][2] = 0.2 * length;
		double q[4];
		snw_quat_from_rotation_vector(vectors[k], q);
		snw_quat_multiply(scene->skeleton.rest_local[0].rotation, q, values + 4 * k);
		seconds[k] = k / 24.0;
	}
	const snw_track track = {0, SNW_PATH_ROTATION, SNW_LINEAR, KEYS, seconds, values};
	chain_clip(scene, &track, 1, seconds[KEYS - 1]);
	for (int k = 0; k < KEYS; k++) {
		const snw_pose *pose = snw_pose_sample(scene, 0, seconds[k], scene->arena);
		for (int c = 0; c < 3; c++) {
			check_near(pose->rotation_vectors[c], vectors[k][c], 1e-9);
		}
	}
	snw_scene_destroy(scene);
}

static void rotations_between_distant_keys_follow_the_arc(void **state) {
	(void)state;
	/* From 1.8 π about x, a slerp of 2.6 radians about an axis across: where it ends depends on the way there. */
	snw_scene *scene = chain_make(1);
	const double seconds[] = {0, 1, 2, 3};
	const double first[3] = {0.9 * pi, 0, 0}, second[3] = {1.8 * pi, 0, 0};
	double values[16], q[4];
	const double across[3] = {0.3, 2.4, 0.9};
	memcpy(values, scene->skeleton.rest_local[0].rotation, 4 * sizeof *values);
	snw_quat_from_rotation_vector(first, q);
	snw_quat_multiply(values, q, values + 4);
	snw_quat_from_rotation_vector(second, q);
	snw_quat_multiply(values, q, values + 8);
	snw_quat_from_rotation_vector(across, q);
	snw_quat_multiply(values + 8, q, values + 12);
	const snw_track track = {0, SNW_PATH_ROTATION, SNW_LINEAR, 4, seconds, values};
	chain_clip(scene, &track, 1, 3);
	double walked[3] = {0, 0, 0}, inverse[4], value[4], delta[4];
	snw_quat_conjugate(values, inverse);
	for (int k = 0; k <= 6000; k++) {
		snw_track_sample(&track, k / 2000.0, value);
		snw_quat_multiply(inverse, value, delta);
		snw_rotation_vector_nearest(delta, walked, walked);
	}
	double jumped[3];
	snw_rotation_vector_nearest(delta, second, jumped);
	const snw_pose *pose = snw_pose_sample(scene, 0, 3, scene->arena);
	for (int c = 0; c < 3; c++) {
		check_near(pose->rotation_vectors[c], walked[c], 1e-9);
	}
	assert_true(fabs(snw_length3(jumped) - snw_length3(walked)) > 1); /* so that the case is one */
	snw_scene_destroy(scene);
}

static void rotation_of_a_noisy_identity_keeps_the_previous_axis(void **state) {
	(void)state;
	const double before[3] = {0, 2 * pi - 0.01, 0}, noise[4] = {3e-7, 0, -2e-7, 1};
	double rotation_vector[3];
	snw_rotation_vector_nearest(noise, before, rotation_vector);
	check_near(rotation_vector[1], 2 * pi, 1e-6);
	check_near(snw_length3(rotation_vector), 2 * pi, 1e-6);
}

static void series_equals_single_samples(void **state) {
	(void)state;
	snw_scene *scene = chain_make(3);
	const double axis[3] = {0, 0, 1};
	snw_track tracks[2] = {turning_track(scene, 1, axis, 2, 20), turning_track(scene, 2, axis, -0.7, -14)};
	tracks[1].interpolation = SNW_STEP;
	chain_clip(scene, tracks, 2, 10);
	enum { COUNT = 57 };
	double seconds[COUNT];
	snw_pose *poses[COUNT];
	for (int i = 0; i < COUNT; i++) {
		seconds[i] = i * 0.19;
	}
	snw_pose_sample_series(scene, 0, COUNT, seconds, scene->arena, poses);
	for (int i = 0; i < COUNT; i++) {
		const snw_pose *single = snw_pose_sample(scene, 0, seconds[i], scene->arena);
		assert_memory_equal(poses[i]->rotation_vectors, single->rotation_vectors, 9 * sizeof(double));
		assert_memory_equal(poses[i]->local, single->local, 3 * sizeof(snw_transform));
	}
	snw_scene_destroy(scene);
}

static void a_sampler_gives_single_samples_in_any_order(void **state) {
	(void)state;
	snw_scene *scene = chain_make(3);
	const double axis[3] = {0, 0, 1};
	snw_track tracks[2] = {turning_track(scene, 1, axis, 2, 20), turning_track(scene, 2, axis, -0.7, -14)};
	tracks[1].interpolation = SNW_STEP;
	chain_clip(scene, tracks, 2, 10);
	const snw_clip_sampler *sampler = snw_clip_sampler_create(scene, 0, scene->arena);
	for (int i = 0; i < 57; i++) {
		const double seconds = i * 23 % 57 * 0.19;
		const snw_pose *single = snw_pose_sample(scene, 0, seconds, scene->arena);
		const snw_pose *pose = snw_clip_sampler_pose(sampler, seconds, scene->arena);
		assert_memory_equal(pose->rotation_vectors, single->rotation_vectors, 9 * sizeof(double));
		assert_memory_equal(pose->local, single->local, 3 * sizeof(snw_transform));
		assert_string_equal(pose->name, single->name);
	}
	snw_scene_destroy(scene);
}

/* The others may be anything: they are read once, when the sampler is created. So a pose costs the same at any place of a
 * clip. */
static void a_pose_of_a_sampler_reads_the_keys_beside_it_alone(void **state) {
	(void)state;
	enum { KEYS = 50000, LAST = KEYS - 2 };
	snw_scene *scene = chain_make(3);
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, KEYS), *values = SNW_NEW_ARRAY(scene->arena, double, 4 * KEYS);
	for (int k = 0; k < KEYS; k++) {
		seconds[k] = 0.01 * k;
		snw_quat_from_rotation_vector((const double[3]){0.3 * k, 0, 0}, values + 4 * (size_t)k);
	}
	const snw_track track = {.target = 1,
							 .path = SNW_PATH_ROTATION,
							 .key_count = KEYS,
							 .seconds = seconds,
							 .values = values,
							 .interpolation = SNW_LINEAR};
	chain_clip(scene, &track, 1, 0.01 * (KEYS - 1));
	const snw_clip_sampler *sampler = snw_clip_sampler_create(scene, 0, scene->arena);
	const double time = 0.01 * (LAST + 0.5);
	const snw_pose *before = snw_clip_sampler_pose(sampler, time, scene->arena);
	assert_true(isfinite(before->rotation_vectors[3]));
	for (int i = 0; i < 4 * LAST; i++) {
		values[i] = NAN;
	}
	const snw_pose *after = snw_clip_sampler_pose(sampler, time, scene->arena);
	assert_memory_equal(after->rotation_vectors, before->rotation_vectors, 9 * sizeof(double));
	assert_memory_equal(after->local, before->local, 3 * sizeof(snw_transform));
	snw_scene_destroy(scene);
}

static void sample_leaves_silent_joints_as_in_the_default_pose(void **state) {
	(void)state;
	snw_scene *scene = chain_make(3);
	const double axis[3] = {0, 0, 1}, raised[3] = {1, 5, 0};
	const snw_track track = turning_track(scene, 1, axis, 0.5, 1);
	chain_clip(scene, &track, 1, 2);
	snw_pose *file = (snw_pose *)&scene->poses[2];
	*file = *snw_pose_rest(scene, scene->arena);
	file->name = "default";
	memcpy(file->local[2].translation, raised, sizeof raised);
	scene->pose_count = 3;
	const snw_pose *pose = snw_pose_sample(scene, 0, 1, scene->arena);
	assert_memory_equal(pose->local[2].translation, raised, sizeof raised);
	check_near(pose->channels[0], 0.25, 0);
	assert_int_equal(pose->clip, 11);
	check_near(pose->seconds, 1, 0);
	snw_scene_destroy(scene);
}

static void key_seconds_of_all_tracks_rise_without_repeats(void **state) {
	(void)state;
	const double a[] = {0, 1, 2}, b[] = {0.5, 1, 3}, values[9] = {0};
	const snw_track tracks[] = {{0, SNW_PATH_TRANSLATION, SNW_LINEAR, 3, a, values},
								{0, SNW_PATH_SCALE, SNW_LINEAR, 3, b, values}};
	const snw_clip clip = {.track_count = 2, .tracks = tracks};
	const double expected[] = {0, 0.5, 1, 2, 3};
	snw_arena *arena = snw_arena_create();
	double *seconds;
	uint32_t count;
	snw_clip_key_seconds(&clip, arena, &seconds, &count);
	assert_int_equal(count, 5);
	assert_memory_equal(seconds, expected, sizeof expected);
	snw_arena_destroy(arena);
}

/* In a set of poses nothing leads from one to the next, so each has the shortest rotation. */
static void poses_of_a_set_are_not_unwound_along_it(void **state) {
	(void)state;
	snw_scene *scene = chain_make(2);
	const double axis[3] = {0, 0, 1}, half_way = 2.5;
	const snw_track track = turning_track(scene, 1, axis, 2, 8);
	chain_clip(scene, &track, 1, 4);
	check_near(snw_pose_sample(scene, 0, 4, scene->arena)->rotation_vectors[5], 8, 1e-12);
	const snw_target set = {.name = scene->clips[0].name, .clip = SNW_NONE, .is_set = true};
	scene->targets = &set;
	scene->target_count = 1;
	for (int k = 0; k <= 4; k++) {
		check_near(snw_pose_sample(scene, 0, k, scene->arena)->rotation_vectors[5], remainder(2 * k, 2 * M_PI), 1e-12);
	}
	const snw_clip_sampler *sampler = snw_clip_sampler_create(scene, 0, scene->arena);
	check_near(snw_clip_sampler_pose(sampler, 4, scene->arena)->rotation_vectors[5], 8 - 2 * M_PI, 1e-12);
	check_near(snw_clip_sampler_pose(sampler, half_way, scene->arena)->rotation_vectors[5],
			   snw_pose_sample(scene, 0, half_way, scene->arena)->rotation_vectors[5], 0);
	scene->target_count = 0;
	snw_scene_destroy(scene);
}

static void resolve_finds_names_and_moments_and_lists_them_else(void **state) {
	(void)state;
	snw_scene *scene = chain_make(2);
	const double axis[3] = {0, 0, 1};
	const snw_track track = turning_track(scene, 1, axis, 0.5, 1);
	chain_clip(scene, &track, 1, 2);
	snw_pose *pose;
	snw_error error;
	check_ok(snw_pose_resolve(scene, "bent", scene->arena, &pose, &error), error);
	check_near(pose->channels[0], 0.75, 0);
	assert_ptr_not_equal(pose->local, scene->poses[1].local);
	check_ok(snw_pose_resolve(scene, "rest", scene->arena, &pose, &error), error);
	check_ok(snw_pose_resolve(scene, "a:clip:1.5", scene->arena, &pose, &error), error);
	check_near(pose->rotation_vectors[5], 0.75, 1e-12);
	check_ok(snw_pose_resolve(scene, "a:clip:2.0000005", scene->arena, &pose, &error), error);
	check_near(pose->seconds, 2, 0);
	const char *outside[] = {"a:clip:99", "a:clip:2.001", "a:clip:-0.1"};
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		assert_int_equal(snw_pose_resolve(scene, outside[i], scene->arena, &pose, &error), SNW_ERROR_ARGUMENT);
		assert_non_null(strstr(error.text, "'a:clip' lasts 2 s"));
	}
	const char *wrong[] = {"bend", "a:clip", "a:clip:", "a:clip:x", "a:clip:1s", "a:clip:nan", "b:1", ""};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_int_equal(snw_pose_resolve(scene, wrong[i], scene->arena, &pose, &error), SNW_ERROR_MISSING);
		assert_non_null(strstr(error.text, "rest, bent"));
		assert_non_null(strstr(error.text, "a:clip (0 to 2 s)"));
	}
	snw_scene_destroy(scene);
}

static void solve_at_rest_gives_an_identity_palette(void **state) {
	(void)state;
	snw_scene *scene = chain_make(5);
	const snw_pose_view *view = snw_pose_view_make(scene, snw_pose_rest(scene, scene->arena), scene->arena);
	double identity[12];
	snw_mat34_identity(identity);
	for (size_t i = 0; i < 12 * 5; i++) {
		check_near(view->palette[i], identity[i % 12], 1e-14);
		check_near(view->global[i], scene->skeleton.rest_global[i], 1e-14);
	}
	snw_scene_destroy(scene);
}

static void solve_rotates_the_descendants_of_a_joint(void **state) {
	(void)state;
	snw_scene *scene = chain_make(4);
	snw_pose *pose = snw_pose_rest(scene, scene->arena);
	const double rotation_vector[3] = {0.4, -1.1, 0.7}, point[3] = {0.3, 0.2, 2};
	double q[4];
	snw_quat_from_rotation_vector(rotation_vector, q);
	snw_quat_multiply(pose->local[1].rotation, q, pose->local[1].rotation);
	snw_pose_unwind(scene, pose);
	const snw_pose_view *view = snw_pose_view_make(scene, pose, scene->arena);
	for (int c = 0; c < 3; c++) {
		check_near(view->rotation_vectors[3 + c], rotation_vector[c], 1e-13);
	}
	/* A point that joint 3 moves rotates about joint 1's own place, by the rotation in that joint's axes. */
	double local[3], inverse[12], about_joint[12], expected[3], posed[3];
	const double *global = scene->skeleton.rest_global + 12;
	assert_true(snw_mat34_invert(global, inverse));
	snw_mat34_point(inverse, point, local);
	snw_quat_to_mat34(q, about_joint);
	snw_mat34_point(about_joint, local, local);
	snw_mat34_point(global, local, expected);
	snw_mat34_point(view->palette + 36, point, posed);
	for (int c = 0; c < 3; c++) {
		check_near(posed[c], expected[c], 1e-13);
	}
	snw_scene_destroy(scene);
}

static void json_maps_and_arrays_say_the_same(void **state) {
	(void)state;
	snw_scene *scene = chain_make(3);
	snw_pose *map, *array;
	snw_error error;
	const char *map_path = file_of_text("map.json", "{\"local_rotations_xyzw\": {\"joint2\": [0, 0, 2, 2]}, \"translations\": "
													"{\"joint0\": [7, 8, 9]}, \"channels\": {\"smile\": 0.5}}");
	const char *array_path = file_of_text("array.json", "{\"joints\": [\"joint2\", \"joint0\"], \"local_rotations_xyzw\": "
														"[[0, 0, 2, 2], [0, 0, 0, 1]]}");
	check_ok(snw_pose_read_json(scene, map_path, scene->arena, &map, &error), error);
	check_ok(snw_pose_read_json(scene, array_path, scene->arena, &array, &error), error);
	for (int c = 0; c < 3; c++) {
		check_near(map->rotation_vectors[6 + c], c == 2 ? pi / 2 : 0, 1e-14);
		check_near(array->rotation_vectors[6 + c], map->rotation_vectors[6 + c], 0);
		check_near(map->local[0].translation[c], 7 + c, 0);
		check_near(array->local[0].translation[c], scene->skeleton.rest_local[0].translation[c], 0);
	}
	check_rotation(map->local[2].rotation, array->local[2].rotation, 1e-15);
	check_near(map->channels[0], 0.5, 0);
	snw_scene_destroy(scene);
}

static void json_that_is_wrong_is_refused_by_name(void **state) {
	(void)state;
	snw_scene *scene = chain_make(2);
	const struct {
		const char *text, *words;
	} cases[] = {
		{"", "not JSON"},
		{"[1]", "not a JSON object"},
		{"{}", "local_rotations_xyzw"},
		{"{\"local_rotations_xyzw\": {\"elbow\": [0,0,0,1], \"joint1\": [0,0,0,1], \"knee\": [0,0,0,1]}}", "elbow, knee"},
		{"{\"channels\": {\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0,\"h\":0,\"i\":0,\"j\":0,\"k\":0,\"l\":0}}",
		 "h, i, j and others;"},
		{"{\"local_rotations_xyzw\": {\"joint1\": [0,0,0]}}", "'joint1'"},
		{"{\"local_rotations_xyzw\": {\"joint1\": [0,0,0,\"1\"]}}", "4 numbers"},
		{"{\"local_rotations_xyzw\": {\"joint1\": [0,0,0,0]}}", "length zero"},
		{"{\"local_rotations_xyzw\": {\"joint1\": [0,0,0,1e999]}}", "4 numbers"},
		{"{\"local_rotations_xyzw\": [[0,0,0,1]]}", "\"joints\""},
		{"{\"joints\": [\"joint0\"], \"local_rotations_xyzw\": []}", "0 values, but there are 1"},
		{"{\"joints\": [3], \"local_rotations_xyzw\": [[0,0,0,1]]}", "array of names"},
		{"{\"channels\": {\"frown\": 1}}", "frown"},
		{"{\"channels\": {\"smile\": true}}", "smile"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snw_pose *pose = NULL;
		snw_error error = {0};
		const char *path = file_of_text("wrong.json", cases[i].text);
		assert_true(snw_failed(snw_pose_read_json(scene, path, scene->arena, &pose, &error)));
		assert_null(pose);
		if (strstr(error.text, cases[i].words) == NULL || strstr(error.text, "wrong.json") == NULL) {
			fail_msg("'%s' does not say '%s'", error.text, cases[i].words);
		}
	}
	snw_scene_destroy(scene);
}

static void json_of_the_human_sculpts_reads_as_it_is(void **state) {
	(void)state;
	const char *names[] = {"elbow120", "elbow120_twist70", "hip90", "knee110", "neck60", "shoulder_up"};
	check_data("human-sculpts");
	snw_scene *scene = chain_make(53);
	snw_error error;
	for (size_t i = 0; i < 6; i++) {
		char name[64];
		snprintf(name, sizeof name, "human-sculpts/%s.json", names[i]);
		const char *path = check_data(name);
		snw_bytes bytes;
		check_ok(snw_file_read(path, scene->arena, &bytes, &error), error);
		cJSON *root = cJSON_ParseWithLength((const char *)bytes.data, bytes.count);
		const cJSON *joints = cJSON_GetObjectItem(root, "joints"), *given = cJSON_GetObjectItem(root, "local_rotations_xyzw");
		for (int j = 0; j < 53; j++) {
			scene->skeleton.names[j] = cJSON_GetArrayItem(joints, j)->valuestring;
		}
		snw_pose *pose;
		check_ok(snw_pose_read_json(scene, path, scene->arena, &pose, &error), error);
		double most = 0;
		for (int j = 0; j < 53; j++) {
			const cJSON *quaternion = cJSON_GetArrayItem(given, j);
			double q[4], back[4], inverse[4];
			for (int c = 0; c < 4; c++) {
				q[c] = cJSON_GetArrayItem(quaternion, c)->valuedouble;
			}
			snw_quat_conjugate(scene->skeleton.rest_local[j].rotation, inverse);
			snw_quat_multiply(inverse, pose->local[j].rotation, back);
			check_rotation(back, q, 1e-5);
			most = fmax(most, snw_length3(pose->rotation_vectors + 3 * (size_t)j));
		}
		assert_true(most > 0.3 && most < pi);
		cJSON_Delete(root);
	}
	snw_scene_destroy(scene);
}

static void transform_of_a_matrix_gives_it_back_also_where_scales_are_zero_or_mirror(void **state) {
	(void)state;
	for (int n = 0; n < 125; n++) {
		const double scales[5] = {0, 1, -1, 1e-3, 40}, rotation_vector[3] = {0.7, -1.9, 0.4};
		const snw_transform made = {
			.translation = {1, 2, 3}, .rotation = {0, 0, 0, 1}, .scale = {scales[n % 5], scales[n / 5 % 5], scales[n / 25]}};
		snw_transform rotated = made, found;
		snw_quat_from_rotation_vector(rotation_vector, rotated.rotation);
		double matrix[12], again[12];
		snw_transform_to_mat34(&rotated, matrix);
		snw_transform_from_mat34(matrix, &found);
		snw_transform_to_mat34(&found, again);
		for (int i = 0; i < 12; i++) {
			check_near(again[i], matrix[i], 1e-13);
		}
		check_near(snw_quat_dot(found.rotation, found.rotation), 1, 1e-14);
	}
}

static void transform_of_a_singular_matrix_is_a_rotation(void **state) {
	(void)state;
	/* Columns without length, and columns along each other. */
	static const double singular[][12] = {
		{0}, {1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0}, {0, 0.1, 0, 0, 0, 0.3, 0, 0, 0, 0.7, 0, 0}};
	for (size_t n = 0; n < sizeof singular / sizeof *singular; n++) {
		snw_transform found;
		double rotation[9];
		snw_transform_from_mat34(singular[n], &found);
		check_near(snw_quat_dot(found.rotation, found.rotation), 1, 1e-14);
		snw_mat34_rotation(singular[n], rotation);
		for (int c = 0; c < 3 && n > 0; c++) { /* the first column that has a length keeps its direction */
			const int column = n == 1 ? 0 : 1;
			const double length =
				sqrt(singular[n][column] * singular[n][column] + singular[n][4 + column] * singular[n][4 + column] +
					 singular[n][8 + column] * singular[n][8 + column]);
			check_near(rotation[3 * c + column], singular[n][4 * c + column] / length, 1e-12);
		}
		for (int i = 0; i < 9 && n == 0; i++) {
			check_near(rotation[i], i % 4 == 0, 0);
		}
	}
}

TEST_GROUP(pose) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(track_linear_rotation_is_a_slerp),
		cmocka_unit_test(track_step_holds_until_the_next_key),
		cmocka_unit_test(track_cubic_gives_a_cubic_back),
		cmocka_unit_test(rotations_by_two_revolutions_are_four_pi_long),
		cmocka_unit_test(rotations_follow_an_axis_that_tilts_near_two_pi),
		cmocka_unit_test(rotations_between_distant_keys_follow_the_arc),
		cmocka_unit_test(rotation_of_a_noisy_identity_keeps_the_previous_axis),
		cmocka_unit_test(series_equals_single_samples),
		cmocka_unit_test(a_sampler_gives_single_samples_in_any_order),
		cmocka_unit_test(a_pose_of_a_sampler_reads_the_keys_beside_it_alone),
		cmocka_unit_test(sample_leaves_silent_joints_as_in_the_default_pose),
		cmocka_unit_test(key_seconds_of_all_tracks_rise_without_repeats),
		cmocka_unit_test(poses_of_a_set_are_not_unwound_along_it),
		cmocka_unit_test(resolve_finds_names_and_moments_and_lists_them_else),
		cmocka_unit_test(solve_at_rest_gives_an_identity_palette),
		cmocka_unit_test(solve_rotates_the_descendants_of_a_joint),
		cmocka_unit_test(transform_of_a_matrix_gives_it_back_also_where_scales_are_zero_or_mirror),
		cmocka_unit_test(transform_of_a_singular_matrix_is_a_rotation),
		cmocka_unit_test(json_maps_and_arrays_say_the_same),
		cmocka_unit_test(json_that_is_wrong_is_refused_by_name),
		cmocka_unit_test(json_of_the_human_sculpts_reads_as_it_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
