/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Crowds: who stands where, what each member shows, who is left out.
 */
#include <stdlib.h>

#include "crowd/crowd.h"
#include "graphics.h"
#include "mesh/mesh.h"
#include "playback/fit_with.h"
#include "render/draw/gpu_crowd.h"
#include "sample/sample.h"
#include "stack/layers.h"
#include "stack/setup.h"

enum { MEMBERS = 6, PICTURE = 64 };

typedef struct fixture {
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_arena *arena;
	snw_crowd crowd;
	snw_crowd_character character;
} fixture;

static fixture crowd_of(snw_scene *scene, snw_registry *registry, const char *method, uint32_t count) {
	fixture f = {.arena = snw_arena_create(), .scene = scene, .registry = registry};
	snw_error error;
	const snw_crowd_request request = {.count = count, .seed = 3, .rate = 12};
	f.stack = setup_stack(scene, registry, method);
	check_ok(snw_crowd_make(scene, &request, f.arena, &f.crowd, &error), error);
	f.character = (snw_crowd_character){.scene = scene, .stack = f.stack};
	return f;
}

static fixture open_crowd(const char *sample, const char *method, uint32_t count) {
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_sample_make(sample, &scene, &error), error);
	return crowd_of(scene, snw_registry_open(), method, count);
}

static void close_crowd(fixture *f) {
	snw_stack_destroy(f->stack);
	snw_registry_close(f->registry);
	snw_scene_destroy(f->scene);
	snw_arena_destroy(f->arena);
}

static void crowd_of_one_seed_is_always_the_same(void **state) {
	(void)state;
	fixture f = open_crowd("tiny-arm", NULL, 50), again = open_crowd("tiny-arm", NULL, 50);
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
	fixture f = open_crowd("tiny-arm", NULL, 1);
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
	fixture f = open_crowd("tiny-arm", NULL, 1);
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

/* The points that the host evaluates at a pose, in double; and the normals that a crowd has there: of the program where the GPU
 * finds them, else of the faces of those points. */
static void evaluate(const fixture *f, const snw_pose_view *pose, double *truth, float *normals) {
	const snw_mesh *mesh = &f->scene->meshes[0];
	const snw_program *program = snw_stack_segment(f->stack, 0, 0).program;
	snw_evaluation *evaluation = snw_evaluation_create_reference(f->stack);
	snw_error error;
	check_ok(snw_stack_drive(f->stack, pose, evaluation, &error), error);
	check_ok(snw_stack_reference(f->stack, evaluation, 0, NULL, truth, &error), error);
	if ((program->normals.palette == SNW_NORMALS_QUATERNIONS && program->sign_rule == SNW_SIGN_SHORTEST) ||
		!snw_stack_normals(f->stack, evaluation, 0, normals)) {
		float *points = SNW_NEW_ARRAY(f->arena, float, 3 * (size_t)mesh->point_count);
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
			points[i] = (float)truth[i];
		}
		snw_normal_plan *plan = snw_normal_plan_create(mesh);
		snw_normals_of_points(plan, points, normals);
		snw_normal_plan_destroy(plan);
	}
	snw_evaluation_destroy(evaluation);
}

/* A viewport combines such a palette in floats on the GPU; the frames of a crowd have it from the processor, in double. */
static bool is_combined(const fixture *f) {
	bool found = false;
	for (uint32_t s = 0; s < snw_stack_segment_count(f->stack, 0); s++) {
		const snw_program *program = snw_stack_segment(f->stack, 0, s).program;
		found = found || program->combined || program->combined_slots;
	}
	return found;
}

/* Points as the viewport has them, to the last bit, and as the host evaluates them; and their normals. */
static void check_member(const fixture *f, const snw_gpu_crowd *gpu_crowd, uint32_t member, double seconds) {
	const size_t floats = 3 * (size_t)f->scene->meshes[0].point_count;
	float *points = SNW_NEW_ARRAY(f->arena, float, floats), *normals = SNW_NEW_ARRAY(f->arena, float, floats);
	float *expected = SNW_NEW_ARRAY(f->arena, float, floats), *upright = SNW_NEW_ARRAY(f->arena, float, floats);
	double *truth = SNW_NEW_ARRAY(f->arena, double, floats);
	const double bound = 1e-5 * snw_scene_diagonal(f->scene, 0);
	uint32_t shown = SNW_NONE;
	snw_error error;
	assert_true(snw_gpu_crowd_read(gpu_crowd, member, &shown, points, normals));
	assert_int_equal(shown, 0);
	const snw_pose_view *pose = pose_of(f, snw_crowd_frame(&f->crowd, &f->crowd.members[member], seconds));
	check_ok(snw_renderer_skin(graphics_renderer, f->scene, f->stack, pose, 0, expected, &error), error);
	assert_true(is_combined(f) || memcmp(points, expected, floats * sizeof *points) == 0);
	evaluate(f, pose, truth, upright);
	for (size_t i = 0; i < floats; i++) {
		check_near((double)points[i], truth[i], bound);
		check_near((double)normals[i], (double)upright[i], 1e-4);
	}
}

/* At three moments. Then closes the crowd. */
static void check_members(fixture *f) {
	snw_gpu_crowd *gpu_crowd = NULL;
	snw_error error;
	check_ok(snw_gpu_crowd_create(graphics_renderer, &f->crowd, &f->character, NULL, &gpu_crowd, &error), error);
	const snw_camera camera = snw_gpu_crowd_frame_camera(gpu_crowd, &(snw_camera){.pitch = 0.4}, PICTURE, PICTURE);
	for (int moment = 0; moment < 3; moment++) {
		const double seconds = 0.45 * moment;
		check_ok(snw_gpu_crowd_pose(gpu_crowd, &camera, PICTURE, PICTURE, seconds, &error), error);
		assert_int_equal(snw_gpu_crowd_shown(gpu_crowd).count, MEMBERS);
		assert_int_equal(snw_gpu_crowd_shown(gpu_crowd).bytes_sent, 16 * MEMBERS);
		for (uint32_t i = 0; i < MEMBERS; i++) {
			check_member(f, gpu_crowd, i, seconds);
		}
	}
	snw_gpu_crowd_destroy(gpu_crowd);
	close_crowd(f);
}

static void member_has_the_points_and_normals_of_its_frame(void **state) {
	(void)state;
	graphics_need();
	fixture linear = open_crowd("tiny-arm", "linear-blend", MEMBERS), dual = open_crowd("tiny-arm", "dual-quaternion", MEMBERS);
	check_members(&linear);
	check_members(&dual);
}

/* ---- every form of a program -------------------------------------------------------------------------------------------- */

/* The tests' own layers on a small character with a clip, lowest first. */
static fixture open_layers(const char *const layers[][2], int count) {
	snw_scene *scene = snw_trial_character();
	snw_registry *registry = setup_registry(TEST_LAYERS);
	for (int i = 0; i < count; i++) {
		setup_add_layer(scene, registry, layers[i][0], layers[i][0], layers[i][1]);
	}
	return crowd_of(scene, registry, NULL, MEMBERS);
}

/* A blend under displacements of the rest and of the posed points, whose coefficients change with the pose. */
static void member_of_every_blend_has_the_points_of_its_frame(void **state) {
	(void)state;
	graphics_need();
	static const struct {
		const char *kind;
		int32_t blend;
		bool is_driven, is_dense, is_sparse; /* the palette; C of one that is combined */
	} forms[] = {{"kind=joints", SNW_BLEND_LINEAR, false, false, false},
				 {"kind=matrices", SNW_BLEND_LINEAR, true, false, false},
				 {"kind=combined", SNW_BLEND_LINEAR, true, true, false},
				 {"kind=sparse", SNW_BLEND_LINEAR, true, false, true},
				 {"kind=affine", SNW_BLEND_AFFINE, true, false, false},
				 {"kind=dual-quaternion", SNW_BLEND_DUAL_QUATERNION, true, false, false}};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const char *const layers[][2] = {{"test-blend", forms[i].kind}, {"test-corrective", ""}};
		fixture f = open_layers(layers, 2);
		const snw_segment_info info = snw_stack_segment(f.stack, 0, 0);
		assert_int_equal(snw_stack_segment_count(f.stack, 0), 1);
		assert_int_equal(info.program->blend, forms[i].blend);
		assert_true(info.has_palette == forms[i].is_driven);
		assert_true((info.program->combined != NULL) == forms[i].is_dense);
		assert_true((info.program->combined_slots != NULL) == forms[i].is_sparse);
		assert_true(info.program->rest.count >= 2 && info.program->posed.count == 2);
		check_members(&f);
	}
}

/* A joint has no scale at the first frame of the clip, and one along each axis at the others. */
static void member_with_stretched_joints_has_the_points_of_its_frame(void **state) {
	(void)state;
	graphics_need();
	fixture f = open_layers((const char *const[][2]){{"dual-quaternion", ""}, {"test-corrective", ""}}, 2);
	static const double seconds[] = {0, 1}, scales[] = {1, 1, 1, 1.4, 0.8, 1.1};
	snw_clip *clip = snw_arena_copy(f.arena, f.scene->clips, sizeof *clip);
	snw_track *tracks = SNW_NEW_ARRAY(f.arena, snw_track, clip->track_count + 1ul);
	memcpy(tracks, clip->tracks, clip->track_count * sizeof *tracks);
	tracks[clip->track_count++] = (snw_track){.target = LAYER_ELBOW,
											  .path = SNW_PATH_SCALE,
											  .interpolation = SNW_LINEAR,
											  .key_count = 2,
											  .seconds = seconds,
											  .values = scales};
	clip->tracks = tracks;
	f.scene->clips = clip;
	assert_int_equal(snw_stack_segment(f.stack, 0, 0).program->blend, SNW_BLEND_DUAL_QUATERNION);
	check_members(&f);
}

static void member_of_displacements_alone_has_the_points_of_its_frame(void **state) {
	(void)state;
	graphics_need();
	fixture f = open_layers((const char *const[][2]){{"test-corrective", ""}}, 1);
	assert_int_equal(snw_stack_segment(f.stack, 0, 0).program->blend, SNW_BLEND_NONE);
	check_members(&f);
}

/* Each over the points of the one below, at the same frame. */
static void member_of_three_programs_has_the_points_of_its_frame(void **state) {
	(void)state;
	graphics_need();
	const char *const layers[][2] = {{"test-blend", "kind=affine"},
									 {"test-corrective", ""},
									 {"test-blend", "kind=dual-quaternion"},
									 {"test-corrective", "seed=2"},
									 {"test-blend", "kind=combined"}};
	fixture f = open_layers(layers, 5);
	assert_int_equal(snw_stack_segment_count(f.stack, 0), 3);
	check_members(&f);
}

/* ---- fitted: joints that the method adds, normals of the program --------------------------------------------------- */

static fixture open_fitted(snw_scene *scene, snw_registry *registry, const char *method, const char *settings) {
	fit_with(&scene, registry, method, settings);
	return crowd_of(scene, registry, NULL, MEMBERS);
}

static void member_with_helper_joints_has_the_points_of_its_frame(void **state) {
	(void)state;
	graphics_need();
	fixture f = open_fitted(snw_trial_character(), snw_registry_open(), "helper-joints", "helpers=1");
	assert_true(snw_stack_segment(f.stack, 0, 0).helper_count > 0);
	check_members(&f);
}

static void member_with_proxy_joints_has_the_points_of_its_frame(void **state) {
	(void)state;
	graphics_need();
	snw_scene *bar = NULL;
	snw_error error;
	check_ok(snw_sample_make("twist-bar", &bar, &error), error);
	fixture f = open_fitted(bar, snw_registry_open(), "rotational-regression", "proxies=6");
	assert_non_null(snw_stack_segment(f.stack, 0, 0).program->combined_slots);
	check_members(&f);
}

static void check_normals(snw_registry *registry, const char *method, const char *settings, int32_t palette,
						  int32_t sign_rule) {
	fixture f = open_fitted(snw_trial_sequence(), registry, method, settings);
	const snw_program *program = snw_stack_segment(f.stack, 0, 0).program;
	assert_true(snw_stack_has_normals(f.stack, 0));
	assert_int_equal(program->normals.palette, palette);
	assert_int_equal(program->sign_rule, sign_rule);
	check_members(&f);
}

/* Normals of quaternions under "shortest" the processor finds: a crowd has those of the faces. */
static void member_has_the_normals_of_its_program(void **state) {
	(void)state;
	graphics_need();
	check_normals(snw_registry_open(), "sad", "joints=3 eigen=2 normals=on", SNW_NORMALS_MATRICES, SNW_SIGN_AS_GIVEN);
	check_normals(snw_registry_open(), "sad", "joints=3 eigen=2 normals=quaternions", SNW_NORMALS_QUATERNIONS,
				  SNW_SIGN_AS_GIVEN);
	check_normals(setup_registry(TEST_PLAYBACK), "test-playback", "normals=1", SNW_NORMALS_QUATERNIONS, SNW_SIGN_SHORTEST);
}

/* ---- who is shown, and what is refused ---------------------------------------------------------------------------------- */

static void members_out_of_view_are_left_out(void **state) {
	(void)state;
	graphics_need();
	fixture f = open_crowd("tiny-arm", "linear-blend", 25);
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
	fixture f = open_crowd("tiny-arm", "delta-mush", 2);
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
		cmocka_unit_test(member_of_every_blend_has_the_points_of_its_frame),
		cmocka_unit_test(member_with_stretched_joints_has_the_points_of_its_frame),
		cmocka_unit_test(member_of_displacements_alone_has_the_points_of_its_frame),
		cmocka_unit_test(member_of_three_programs_has_the_points_of_its_frame),
		cmocka_unit_test(member_with_helper_joints_has_the_points_of_its_frame),
		cmocka_unit_test(member_with_proxy_joints_has_the_points_of_its_frame),
		cmocka_unit_test(member_has_the_normals_of_its_program),
		cmocka_unit_test(members_out_of_view_are_left_out),
		cmocka_unit_test(black_box_is_refused_by_name),
		cmocka_unit_test(crowd_without_room_says_how_many_fit),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
