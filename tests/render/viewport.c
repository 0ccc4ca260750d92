/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A viewport from frame to frame: what crosses, what lies under the mouse, and a context that is lost and made anew.
 */
#include "render/draw/viewport.h"
#include "render/overlay/lines.h"

#include <GL/glew.h>

#include "kept_registry.h"
#include "pose/pose.h"
#include "props.h"
#include "sample/sample.h"

enum { SIDE = 64 }; /* of the hidden window */

typedef struct viewport_fixture {
	snw_scene *scene;
	snw_stack *stack;
	snw_arena *arena;
	snw_viewport *viewport;
	snw_view view;
} viewport_fixture;

static viewport_fixture fixture_open(const char *method) {
	viewport_fixture d = {.arena = snw_arena_create()};
	check_ok(snw_sample_make("tiny-arm", &d.scene, &graphics_error), graphics_error);
	const snw_stack_options options = {.method = method};
	check_ok(snw_stack_build(d.scene, kept_registry(), &options, NULL, &d.stack, &graphics_error), graphics_error);
	check_ok(snw_viewport_create(graphics_renderer, d.scene, 2, NULL, &d.viewport, &graphics_error), graphics_error);
	d.view = (snw_view){.scene = d.scene,
						.stack = d.stack,
						.pose = snw_pose_view_make(d.scene, &d.scene->poses[d.scene->examples[0].pose], d.arena),
						.flags = SNW_VIEW_GRID | SNW_VIEW_DARK,
						.camera = {.yaw = 0.4, .pitch = 0.2}};
	d.view.camera = snw_camera_frame(&d.view, SIDE, SIDE);
	return d;
}

static void fixture_close(viewport_fixture *d) {
	snw_viewport_destroy(d->viewport);
	snw_stack_destroy(d->stack);
	snw_scene_destroy(d->scene);
	snw_arena_destroy(d->arena);
}

/* Draws what was posed, unless it stands already, and reads what stands in the window. */
static graphics_picture fixture_draw_again(viewport_fixture *d, bool changed) {
	const snw_viewport_place place = {.width = SIDE, .height = SIDE};
	graphics_picture picture = {SIDE, SIDE, SNW_NEW_ARRAY(d->arena, unsigned char, 4ul * SIDE * SIDE)};
	snw_viewport_clear(SIDE, SIDE, (const float[3]){0});
	bool drawn;
	check_ok(snw_viewport_draw(d->viewport, &d->view, &place, &drawn, &graphics_error), graphics_error);
	assert_int_equal(drawn, changed);
	check_ok(snw_viewport_put_on_window(d->viewport, &place, &graphics_error), graphics_error);
	snw_renderer_read_window(graphics_renderer, SIDE, SIDE, picture.pixels);
	return picture;
}

static graphics_picture fixture_draw(viewport_fixture *d) {
	check_ok(snw_viewport_pose(d->viewport, &d->view, &graphics_error), graphics_error);
	return fixture_draw_again(d, true);
}

static void pose_sends_the_palette_and_nothing_else(void **state) {
	(void)state;
	graphics_need();
	viewport_fixture d = fixture_open("linear-blend");
	fixture_draw(&d);
	assert_int_equal(snw_viewport_bytes_sent(d.viewport), 48 * d.scene->slot_count + 4 * d.scene->channel_count);
	fixture_close(&d);
	d = fixture_open("smooth"); /* a black box, which the CPU runs */
	fixture_draw(&d);
	assert_int_equal(snw_viewport_bytes_sent(d.viewport), 12 * d.scene->meshes[0].point_count);
	fixture_close(&d);
}

static void scene_that_takes_the_place_of_another_is_drawn_as_if_it_were_the_first(void **state) {
	(void)state;
	graphics_need();
	static const char *const methods[] = {"linear-blend", "linear-blend", "dual-quaternion", "smooth", "linear-blend"};
	viewport_fixture d = fixture_open(methods[0]);
	fixture_draw(&d);
	for (int i = 1; i < 5; i++) {
		viewport_fixture next = fixture_open(methods[i]);
		const graphics_picture wanted = fixture_draw(&next);
		const snw_stack_change change = {d.stack, next.stack};
		snw_viewport *survivor = d.viewport;
		snw_viewport_replace_scene(survivor, next.scene, 1, &change, 1);
		d.viewport = NULL;
		fixture_close(&d);
		snw_viewport_destroy(next.viewport);
		next.viewport = survivor;
		d = next;
		const graphics_picture drawn = fixture_draw(&d);
		assert_int_equal(graphics_changed(&wanted, &drawn, 0), 0);
	}
	fixture_close(&d);
	assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void scene_prepared_in_advance_is_drawn_the_same(void **state) {
	(void)state;
	graphics_need();
	viewport_fixture d = fixture_open("linear-blend");
	check_ok(snw_viewport_subdivide(d.viewport, 1, &graphics_error), graphics_error);
	const graphics_picture wanted = fixture_draw(&d);
	snw_viewport_destroy(d.viewport);
	snw_gpu_scene_data *data = snw_gpu_scene_data_create(d.scene, 1);
	check_ok(snw_viewport_create(graphics_renderer, d.scene, 2, data, &d.viewport, &graphics_error), graphics_error);
	snw_gpu_scene_data_destroy(data);
	while (!snw_viewport_upload(d.viewport, 0)) {
	}
	assert_true(snw_viewport_has_level(d.viewport, 1));
	assert_false(snw_viewport_has_level(d.viewport, 2));
	check_ok(snw_viewport_subdivide(d.viewport, 1, &graphics_error), graphics_error);
	assert_memory_equal(fixture_draw(&d).pixels, wanted.pixels, 4ul * SIDE * SIDE);
	check_ok(snw_gpu_scene_data_refine(d.scene, 2, &data, &graphics_error), graphics_error);
	check_ok(snw_viewport_refine(d.viewport, data, &graphics_error), graphics_error);
	snw_gpu_scene_data_destroy(data);
	while (!snw_viewport_upload(d.viewport, 0)) {
	}
	assert_true(snw_viewport_has_level(d.viewport, 2));
	fixture_close(&d);
}

static void refined_meshes_of_another_scene_are_refused(void **state) {
	(void)state;
	graphics_need();
	viewport_fixture d = fixture_open("linear-blend");
	snw_scene *other = NULL;
	snw_gpu_scene_data *data = NULL;
	check_ok(snw_sample_make("bar", &other, &graphics_error), graphics_error);
	assert_int_not_equal(other->meshes[0].point_count, d.scene->meshes[0].point_count);
	check_ok(snw_gpu_scene_data_refine(other, 1, &data, &graphics_error), graphics_error);
	assert_int_equal(snw_viewport_refine(d.viewport, data, &graphics_error), SNW_ERROR_DATA);
	assert_false(snw_viewport_has_level(d.viewport, 1));
	snw_gpu_scene_data_destroy(data);
	snw_scene_destroy(other);
	fixture_close(&d);
}

static void pixel_of_the_character_has_a_point_under_it(void **state) {
	(void)state;
	graphics_need();
	viewport_fixture d = fixture_open("linear-blend");
	check_ok(snw_viewport_pose(d.viewport, &d.view, &graphics_error), graphics_error);
	const uint32_t point = d.scene->meshes[0].point_count / 2;
	float *points = SNW_NEW_ARRAY(d.arena, float, 3 * (size_t)d.scene->meshes[0].point_count);
	snw_viewport_points(d.viewport, 0, points);
	const float *at = points + 3 * (size_t)point;
	const double place[3] = {(double)at[0], (double)at[1], (double)at[2]};
	const snw_picture_size size = {SIDE, SIDE};
	double x = 0, y = 0;
	snw_hit hit;
	assert_true(snw_camera_project(&d.view.camera, size, place, &x, &y));
	assert_true(snw_viewport_pick(d.viewport, &d.view.camera, size, x, y, NULL, &hit));
	assert_true(hit.mesh == 0 && hit.point < d.scene->meshes[0].point_count);
	assert_false(snw_viewport_pick(d.viewport, &d.view.camera, size, 1, 1, NULL, &hit));
	const bool left_out[] = {true};
	assert_int_equal(d.scene->mesh_count, 1);
	assert_false(snw_viewport_pick(d.viewport, &d.view.camera, size, x, y, left_out, &hit));
	fixture_close(&d);
}

static bool same(const graphics_picture *one, const graphics_picture *other) {
	return memcmp(one->pixels, other->pixels, 4ul * SIDE * SIDE) == 0;
}

static void look_that_changes_is_drawn_without_posing_again(void **state) {
	(void)state;
	graphics_need();
	viewport_fixture d = fixture_open("linear-blend");
	const snw_view plain = d.view;
	unsigned char marks[8] = {SNW_JOINT_SELECTED};
	snw_line line = {.to = {0.3f, 0.3f, 0.3f}, .color = {1, 1, 1, 1}, .width = 3, .behind = 1};
	const snw_lines lines = {&line, 1, 1};
	graphics_picture seen[6];
	seen[0] = fixture_draw(&d);
	d.view.camera.yaw += 0.3;
	seen[1] = fixture_draw_again(&d, true);
	d.view.flags |= SNW_VIEW_SKELETON;
	d.view.joint_marks = marks;
	seen[2] = fixture_draw_again(&d, true);
	marks[0] = SNW_JOINT_PLAIN; /* the same array, with something else in it */
	seen[3] = fixture_draw_again(&d, true);
	d.view.lines = &lines;
	seen[4] = fixture_draw_again(&d, true);
	line.color[1] = 0;
	seen[5] = fixture_draw_again(&d, true);
	for (int i = 1; i < 6; i++) {
		assert_false(same(&seen[i - 1], &seen[i]));
	}
	d.view = plain;
	const graphics_picture back = fixture_draw_again(&d, true), twice = fixture_draw_again(&d, false);
	assert_true(same(&back, &seen[0]) && same(&twice, &back));
	fixture_close(&d);
}

static void large_pixels_cover_squares_of_the_window(void **state) {
	(void)state;
	graphics_need();
	enum { SIZE = 4 };
	viewport_fixture d = fixture_open("linear-blend");
	const graphics_picture usual = fixture_draw(&d);
	snw_viewport_pixel_size(d.viewport, SIZE);
	const graphics_picture coarse = fixture_draw_again(&d, true);
	for (size_t y = 0; y < SIDE; y++) {
		for (size_t x = 0; x < SIDE; x++) {
			const size_t corner = (y - y % SIZE) * SIDE + x - x % SIZE;
			assert_memory_equal(coarse.pixels + 4 * (y * SIDE + x), coarse.pixels + 4 * corner, 4);
		}
	}
	assert_true(graphics_changed(&usual, &coarse, 0) > 0);
	fixture_draw_again(&d, false);
	snw_viewport_pixel_size(d.viewport, 1);
	const graphics_picture again = fixture_draw_again(&d, true);
	assert_int_equal(graphics_changed(&usual, &again, 0), 0);
	fixture_close(&d);
}

static void lost_context_is_reported_once_and_restored(void **state) {
	(void)state;
	graphics_need();
	const snw_viewport_place place = {.width = SIDE, .height = SIDE};
	viewport_fixture d = fixture_open("linear-blend"), other = fixture_open("dual-quaternion");
	const graphics_picture before = fixture_draw(&d), other_before = fixture_draw(&other);
	for (int time = 0; time < 2; time++) {
		assert_false(snw_renderer_is_lost(graphics_renderer));
		snw_renderer_lose(graphics_renderer);
		assert_true(snw_renderer_is_lost(graphics_renderer));
		bool changed;
		assert_int_equal(snw_viewport_draw(d.viewport, &d.view, &place, &changed, &graphics_error), SNW_ERROR_INTERNAL);
		assert_non_null(strstr(graphics_error.text, "the graphics driver was reset"));
		check_ok(snw_renderer_recover(graphics_renderer, &graphics_error), graphics_error);
		const graphics_picture after = fixture_draw(&d), other_after = fixture_draw(&other);
		assert_int_equal(graphics_changed(&before, &after, 0), 0);
		assert_int_equal(graphics_changed(&other_before, &other_after, 0), 0);
	}
	fixture_close(&d); /* in another order than they were made */
	fixture_close(&other);
	assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void lost_context_leaves_no_names_of_the_old_one(void **state) {
	(void)state;
	graphics_need();
	viewport_fixture d = fixture_open("linear-blend");
	fixture_draw(&d);
	GLuint before = 0, after = 0;
	glGenBuffers(1, &before);
	glDeleteBuffers(1, &before);
	snw_renderer_lose(graphics_renderer);
	check_ok(snw_renderer_recover(graphics_renderer, &graphics_error), graphics_error);
	fixture_draw(&d);
	glGenBuffers(1, &after);
	glDeleteBuffers(1, &after);
	assert_true(after <= before + 1);
	fixture_close(&d);
}

/* They are kept in one place for as long as the window is open, however often they change. */
static void faces_that_are_hidden_again_take_no_more_memory(void **state) {
	(void)state;
	viewport_fixture d = fixture_open("linear-blend");
	const uint32_t count = d.scene->meshes[0].face_count;
	bool *faces = SNW_NEW_ARRAY(d.arena, bool, count);
	const bool *kept = NULL;
	assert_null(snw_viewport_hidden_faces(d.viewport, 0));
	for (uint32_t round = 0; round < 20; round++) {
		for (uint32_t f = 0; f < count; f++) {
			faces[f] = (f + round) % 3 == 0;
		}
		snw_viewport_hide_faces(d.viewport, 0, faces);
		const bool *hidden = snw_viewport_hidden_faces(d.viewport, 0);
		assert_memory_equal(hidden, faces, count * sizeof *faces);
		assert_true(round == 0 || hidden == kept);
		kept = hidden;
		if (round % 4 == 0) {
			snw_viewport_hide_faces(d.viewport, 0, NULL);
			assert_null(snw_viewport_hidden_faces(d.viewport, 0));
		}
	}
	fixture_close(&d);
}

TEST_GROUP(viewport) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pose_sends_the_palette_and_nothing_else),
		cmocka_unit_test(scene_that_takes_the_place_of_another_is_drawn_as_if_it_were_the_first),
		cmocka_unit_test(scene_prepared_in_advance_is_drawn_the_same),
		cmocka_unit_test(refined_meshes_of_another_scene_are_refused),
		cmocka_unit_test(pixel_of_the_character_has_a_point_under_it),
		cmocka_unit_test(look_that_changes_is_drawn_without_posing_again),
		cmocka_unit_test(large_pixels_cover_squares_of_the_window),
		cmocka_unit_test(faces_that_are_hidden_again_take_no_more_memory),
		cmocka_unit_test(lost_context_is_reported_once_and_restored),
		cmocka_unit_test(lost_context_leaves_no_names_of_the_old_one),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
