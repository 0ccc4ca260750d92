/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Crowds: who stands where, what each member shows, who is left out.
 */
#include <stdlib.h>

#include "crowd/crowd.h"
#include "graphics.h"
#include "mesh/normals.h"
#include "pose/pose.h"
#include "render/draw/gpu_crowd.h"
#include "sample/sample.h"

enum { MEMBERS = 6, PICTURE = 64 };

typedef struct fixture {
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_arena *arena;
	snw_crowd crowd;
	snw_crowd_character character;
} fixture;

static fixture open_crowd(const char *sample, const char *method, uint32_t count) {
	fixture f = {.arena = snw_arena_create(), .registry = snw_registry_open()};
	snw_error error;
	const snw_stack_options options = {.method = method};
	const snw_crowd_request request = {.count = count, .seed = 3, .rate = 12};
	check_ok(snw_sample_make(sample, &f.scene, &error), error);
	check_ok(snw_stack_build(f.scene, f.registry, &options, NULL, &f.stack, &error), error);
	check_ok(snw_crowd_make(f.scene, &request, f.arena, &f.crowd, &error), error);
	f.character = (snw_crowd_character){.scene = f.scene, .stack = f.stack};
	return f;
}

static void close_crowd(fixture *f) {
	snw_stack_destroy(f->stack);
	snw_registry_close(f->registry);
	snw_scene_destroy(f->scene);
	snw_arena_destroy(f->arena);
}

static void crowd_of_one_seed_is_always_the_same(void **state) {
	(void)state;
	fixture f = open_crowd("small-arm", NULL, 50), again = open_crowd("small-arm", NULL, 50);
	bool plays[3] = {false};
	for (uint32_t i = 0; i < 50; i++) {
		const snw_crowd_member *one = &f.crowd.members[i], *other = &again.crowd.members[i];
		assert_memory_equal(one->place, other->place, sizeof one->place);
		assert_true(one->clip == other->clip && one->phase_seconds == other->phase_seconds && one->yaw == other->yaw);
		plays[one->clip] = true;
	}
	assert_true(plays[0] && plays[1] && plays[2]);
	close_crowd(&f);
	close_crowd(&again);
}

static void clip_is_played_again_from_its_start(void **state) {
	(void)state;
	fixture f = open_crowd("small-arm", NULL, 1);
	const snw_crowd_clip *clip = &f.crowd.clips[1];
	const snw_crowd_member member = {.clip = 1, .phase_seconds = 0};
	assert_int_equal(clip->frame_count, 12); /* of one second */
	assert_int_equal(clip->first_frame, f.crowd.clips[0].frame_count);
	assert_int_equal(snw_crowd_frame(&f.crowd, &member, 0), clip->first_frame);
	assert_int_equal(snw_crowd_frame(&f.crowd, &member, 0.99), clip->first_frame + 11);
	assert_int_equal(snw_crowd_frame(&f.crowd, &member, 1.01), clip->first_frame);
	assert_int_equal(snw_crowd_frame(&f.crowd, &member, 7.51), clip->first_frame + 6);
	close_crowd(&f);
}

static void clip_of_one_moment_has_one_frame(void **state) {
	(void)state;
	fixture f = open_crowd("small-arm", NULL, 1);
	snw_error error;
	const uint32_t clips[] = {0};
	const snw_crowd_request request = {.count = 2, .rate = 30, .clip_count = 1, .clips = clips};
	snw_clip moment = f.scene->clips[0];
	moment.duration_seconds = 0;
	f.scene->clips = &moment;
	f.scene->clip_count = 1;
	check_ok(snw_crowd_make(f.scene, &request, f.arena, &f.crowd, &error), error);
	assert_int_equal(f.crowd.frame_count, 1);
	assert_int_equal(snw_crowd_frame(&f.crowd, &f.crowd.members[1], 123.4), 0);
	close_crowd(&f);
}

static const snw_pose_view *pose_of(const fixture *f, uint32_t frame) {
	for (uint32_t c = 0; c < f->crowd.clip_count; c++) {
		const snw_crowd_clip *clip = &f->crowd.clips[c];
		if (frame >= clip->first_frame && frame < clip->first_frame + clip->frame_count) {
			const double seconds = clip->duration_seconds * (frame - clip->first_frame) / clip->frame_count;
			return snw_pose_view_make(f->scene, snw_pose_sample(f->scene, clip->clip, seconds, f->arena), f->arena);
		}
	}
	abort();
}

/* Points as the viewport has them, normals as of those points. */
static void check_member(const fixture *f, const snw_gpu_crowd *gpu_crowd, uint32_t member, double seconds) {
	const snw_mesh *mesh = &f->scene->meshes[0];
	const size_t floats = 3 * (size_t)mesh->point_count;
	float *points = SNW_NEW_ARRAY(f->arena, float, floats), *normals = SNW_NEW_ARRAY(f->arena, float, floats);
	float *expected = SNW_NEW_ARRAY(f->arena, float, floats), *upright = SNW_NEW_ARRAY(f->arena, float, floats);
	uint32_t shown = SNW_NONE;
	snw_error error;
	assert_true(snw_gpu_crowd_read(gpu_crowd, member, &shown, points, normals));
	assert_int_equal(shown, 0);
	const uint32_t frame = snw_crowd_frame(&f->crowd, &f->crowd.members[member], seconds);
	check_ok(snw_renderer_skin(graphics_renderer, f->scene, f->stack, pose_of(f, frame), 0, expected, &error), error);
	assert_memory_equal(points, expected, floats * sizeof *points);
	snw_normal_plan *plan = snw_normal_plan_create(mesh);
	snw_normals_of_points(plan, expected, upright);
	snw_normal_plan_destroy(plan);
	for (size_t i = 0; i < floats; i++) {
		check_near((double)normals[i], (double)upright[i], 1e-4);
	}
}

static void check_members(const char *method) {
	fixture f = open_crowd("small-arm", method, MEMBERS);
	snw_gpu_crowd *gpu_crowd = NULL;
	snw_error error;
	check_ok(snw_gpu_crowd_create(graphics_renderer, &f.crowd, &f.character, NULL, &gpu_crowd, &error), error);
	const snw_camera camera = snw_gpu_crowd_frame_camera(gpu_crowd, &(snw_camera){.pitch = 0.4}, PICTURE, PICTURE);
	for (double seconds = 0; seconds < 1; seconds += 0.45) {
		check_ok(snw_gpu_crowd_pose(gpu_crowd, &camera, PICTURE, PICTURE, seconds, &error), error);
		assert_int_equal(snw_gpu_crowd_shown(gpu_crowd).count, MEMBERS);
		assert_int_equal(snw_gpu_crowd_shown(gpu_crowd).bytes_sent, 16 * MEMBERS);
		for (uint32_t i = 0; i < MEMBERS; i++) {
			check_member(&f, gpu_crowd, i, seconds);
		}
	}
	snw_gpu_crowd_destroy(gpu_crowd);
	close_crowd(&f);
}

static void member_has_the_points_and_normals_of_its_frame(void **state) {
	(void)state;
	graphics_need();
	check_members("linear-blend");
	check_members("dual-quaternion");
}

static void members_out_of_view_are_left_out(void **state) {
	(void)state;
	graphics_need();
	fixture f = open_crowd("small-arm", "linear-blend", 25);
	snw_gpu_crowd *gpu_crowd = NULL;
	snw_error error;
	float points[3], normals[3];
	uint32_t mesh;
	check_ok(snw_gpu_crowd_create(graphics_renderer, &f.crowd, &f.character, NULL, &gpu_crowd, &error), error);
	snw_camera camera = snw_gpu_crowd_frame_camera(gpu_crowd, &(snw_camera){.pitch = 0.4}, PICTURE, PICTURE);
	check_ok(snw_gpu_crowd_pose(gpu_crowd, &camera, PICTURE, PICTURE, 0, &error), error);
	assert_int_equal(snw_gpu_crowd_shown(gpu_crowd).count, 25);
	camera.distance /= 6;
	check_ok(snw_gpu_crowd_pose(gpu_crowd, &camera, PICTURE, PICTURE, 0, &error), error);
	const uint32_t near = snw_gpu_crowd_shown(gpu_crowd).count;
	assert_true(near > 0 && near < 25);
	camera.target[1] += 1000;
	check_ok(snw_gpu_crowd_pose(gpu_crowd, &camera, PICTURE, PICTURE, 0, &error), error);
	assert_int_equal(snw_gpu_crowd_shown(gpu_crowd).count, 0);
	assert_false(snw_gpu_crowd_read(gpu_crowd, 0, &mesh, points, normals));
	snw_gpu_crowd_destroy(gpu_crowd);
	close_crowd(&f);
}

static void black_box_is_refused_by_name(void **state) {
	(void)state;
	graphics_need();
	fixture f = open_crowd("small-arm", "delta-mush", 2);
	snw_gpu_crowd *gpu_crowd = NULL;
	snw_error error;
	assert_int_equal(snw_gpu_crowd_create(graphics_renderer, &f.crowd, &f.character, NULL, &gpu_crowd, &error),
					 SNW_ERROR_UNSUPPORTED);
	assert_non_null(strstr(error.text, "delta-mush"));
	assert_non_null(strstr(error.text, "sinew bake"));
	close_crowd(&f);
}

static void crowd_without_room_says_how_many_fit(void **state) {
	(void)state;
	graphics_need();
	fixture f = open_crowd("arm", NULL, 1);
	snw_crowd_room room;
	snw_gpu_crowd *gpu_crowd = NULL;
	snw_error error;
	char fit[32];
	check_ok(snw_gpu_crowd_room(graphics_renderer, &f.character, &room, &error), error);
	snprintf(fit, sizeof fit, "at most %llu fit", (unsigned long long)room.count);
	f.crowd.count = (uint32_t)room.count + 1;
	assert_int_equal(snw_gpu_crowd_create(graphics_renderer, &f.crowd, &f.character, NULL, &gpu_crowd, &error),
					 SNW_ERROR_LIMIT);
	assert_non_null(strstr(error.text, fit));
	close_crowd(&f);
}

TEST_GROUP(crowd) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crowd_of_one_seed_is_always_the_same),
		cmocka_unit_test(clip_is_played_again_from_its_start),
		cmocka_unit_test(clip_of_one_moment_has_one_frame),
		cmocka_unit_test(member_has_the_points_and_normals_of_its_frame),
		cmocka_unit_test(members_out_of_view_are_left_out),
		cmocka_unit_test(black_box_is_refused_by_name),
		cmocka_unit_test(crowd_without_room_says_how_many_fit),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
