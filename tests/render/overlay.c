/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is drawn over a surface, in pictures of known scenes: heat maps, wireframe, skeleton, captions.
 */
#include "pose/pose.h"
#include "props.h"
#include "render/overlay/canvas.h"

/* ---- heat maps ---------------------------------------------------------------------------------------------------- */

static void heat_map_shows_the_colours_of_the_ramp(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	unsigned char ramp[SNW_HEAT_STEPS][3];
	snw_heat_ramp(ramp);
	snw_scene *scene = graphics_scene(arena, quad(arena));
	for (int step = 0; step <= 4; step++) {
		const double value = 10 + step;
		const double values[4] = {value, value, value, value};
		const double *heat = values;
		const snw_view view = {.scene = scene, .heat = &heat, .heat_minimum = 10, .heat_maximum = 14, .camera = front};
		const graphics_picture picture = graphics_draw(arena, &view, 1, 1, 80, 80);
		assert_true(is_shade_of(graphics_pixel(&picture, 0.5, 0.5), ramp[255 * step / 4]));
	}
	snw_arena_destroy(arena);
}

static void heat_that_is_not_finite_has_a_separate_colour(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const double values[4] = {NAN, NAN, NAN, NAN};
	const double *heat = values;
	const snw_view view = {
		.scene = graphics_scene(arena, quad(arena)), .heat = &heat, .flags = SNW_VIEW_SCALE_BAR, .camera = front};
	const graphics_picture picture = graphics_draw(arena, &view, 1, 1, 200, 200);
	const unsigned char *middle = graphics_pixel(&picture, 0.5, 0.5);
	assert_true(middle[2] > middle[0] + 20); /* bluish, as nothing on the ramp */
	snw_arena_destroy(arena);
}

/* As two joints' influences: the left side of the quad is the one's, the right the other's. */
static void colours_are_shown_as_they_are_and_mix_in_linear_light(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	static const double one[3] = {0.9, 0.1, 0.15}, other[3] = {0.1, 0.3, 0.95};
	const double values[12] = {0.9, 0.1, 0.15, 0.1, 0.3, 0.95, 0.1, 0.3, 0.95, 0.9, 0.1, 0.15};
	const double *heat = values;
	for (uint32_t level = 0; level < 2; level++) {
		snw_view view = {.scene = graphics_scene(arena, quad(arena)),
						 .heat = &heat,
						 .heat_is_color = true,
						 .flags = SNW_VIEW_SCALE_BAR,
						 .subdivision = level,
						 .camera = front};
		const graphics_picture picture = graphics_draw(arena, &view, 1, 1, 240, 240);
		for (int i = 1; i < 16 && level == 0; i++) { /* the quad is seen from 0.271 to 0.729 */
			const double part = i / 16.0, x = 0.5 + (part - 0.5) * 2 / (6 * 2 * tan(0.349));
			double mixed[3];
			for (int c = 0; c < 3; c++) {
				mixed[c] = one[c] + part * (other[c] - one[c]);
			}
			assert_true(is_shade_of_linear(graphics_pixel(&picture, x, 0.5), mixed));
		}
		const double half[3] = {0.5, 0.2, 0.55};
		assert_true(is_shade_of_linear(graphics_pixel(&picture, 0.5, 0.5), half));
		/* The same surface, the same buffers: from colours to a scale, and back. */
		view.heat_is_color = false;
		const graphics_picture scaled = graphics_draw(arena, &view, 1, 1, 240, 240);
		assert_true(graphics_changed(&picture, &scaled, 12) > 5000);
	}
	snw_arena_destroy(arena);
}

static void colours_have_a_label_and_no_scale(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const double values[12] = {0.2, 0.5, 0.2, 0.2, 0.5, 0.2, 0.2, 0.5, 0.2, 0.2, 0.5, 0.2};
	const double *heat = values;
	snw_view view = {.scene = graphics_scene(arena, quad(arena)), .heat = &heat, .heat_is_color = true, .camera = front};
	const graphics_picture without = graphics_draw(arena, &view, 1, 1, 320, 240);
	view.flags = SNW_VIEW_SCALE_BAR;
	const graphics_picture bare = graphics_draw(arena, &view, 1, 1, 320, 240);
	assert_int_equal(graphics_changed(&bare, &without, 0), 0);
	view.heat_label = "influences of 2 joints";
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 320, 240);
	size_t above = 0, elsewhere = 0;
	for (size_t i = 0; i < 320ul * 240; i++) {
		const bool changed = graphics_difference(with.pixels + 4 * i, without.pixels + 4 * i) > 12;
		above += changed && i / 320 < 40 && i % 320 > 100;
		elsewhere += changed && !(i / 320 < 40 && i % 320 > 100);
	}
	assert_true(above > 100);
	assert_int_equal(elsewhere, 0);
	snw_arena_destroy(arena);
}

static void scale_bar_is_at_the_right(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	unsigned char ramp[SNW_HEAT_STEPS][3];
	snw_heat_ramp(ramp);
	const double values[4] = {0, 1, 2, 3};
	const double *heat = values;
	snw_view view = {.scene = graphics_scene(arena, quad(arena)), .heat = &heat, .heat_label = "error (mm)", .camera = front};
	const graphics_picture without = graphics_draw(arena, &view, 1, 1, 320, 240);
	view.flags = SNW_VIEW_SCALE_BAR;
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 320, 240);
	size_t strange = 0, wanted = 0;
	bool low = false, high = false;
	for (size_t i = 0; i < 320ul * 240; i++) {
		const unsigned char *pixel = with.pixels + 4 * i;
		const bool changed = graphics_difference(pixel, without.pixels + 4 * i) > 12;
		strange += changed && i % 320 < 220;
		wanted += changed && i % 320 >= 220;
		low = low || graphics_difference(pixel, ramp[2]) <= 4;
		high = high || graphics_difference(pixel, ramp[253]) <= 4;
	}
	assert_int_equal(strange, 0);
	assert_true(wanted > 500 && low && high);
	snw_arena_destroy(arena);
}

static void scale_bar_keeps_off_a_framed_character(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const double values[4] = {0, 10, 20, 30};
	const double *heat = values;
	static const uint32_t sizes[3][2] = {{160, 160}, {400, 200}, {180, 320}};
	for (int i = 0; i < 3; i++) {
		const uint32_t width = sizes[i][0], height = sizes[i][1];
		snw_view view = {.scene = graphics_scene(arena, quad(arena)), .flags = SNW_VIEW_SCALE_BAR};
		view.camera = snw_camera_frame(&view, width, height);
		const snw_view bare = {.scene = SNW_NEW(arena, snw_scene), .camera = view.camera};
		view.heat = &heat;
		view.heat_label = "error (mm)";
		const graphics_picture with = graphics_draw(arena, &view, 1, 1, width, height);
		view.flags = 0;
		const graphics_picture without = graphics_draw(arena, &view, 1, 1, width, height);
		const graphics_picture background = graphics_draw(arena, &bare, 1, 1, width, height);
		size_t written = 0, covered = 0;
		for (size_t p = 0; p < (size_t)width * height; p++) {
			const bool changed = graphics_difference(with.pixels + 4 * p, without.pixels + 4 * p) > 3;
			written += changed;
			covered += changed && graphics_difference(without.pixels + 4 * p, background.pixels + 4 * p) > 3;
		}
		assert_true(written > 100);
		assert_int_equal(covered, 0);
		assert_true(graphics_changed(&without, &background, 3) > (size_t)width * height / 6);
	}
	snw_arena_destroy(arena);
}

/* ---- what is drawn over ------------------------------------------------------------------------------------------- */

static void wireframe_shows_edges_but_no_diagonals(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_view view = {.scene = graphics_scene(arena, quad(arena)), .camera = front};
	const graphics_picture without = graphics_draw(arena, &view, 1, 1, 200, 200);
	view.flags = SNW_VIEW_WIREFRAME;
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 200, 200);
	const size_t changed = graphics_changed(&with, &without, 24);
	const double side = 200 / (6 * tan(0.349));
	assert_true((double)changed > 3 * side && (double)changed < 10 * side);
	for (int i = 0; i < 16; i++) {
		const double at = 0.42 + 0.01 * i;
		assert_true(graphics_difference(graphics_pixel(&with, at, at), graphics_pixel(&without, at, at)) < 3);
		assert_true(graphics_difference(graphics_pixel(&with, at, 1 - at), graphics_pixel(&without, at, 1 - at)) < 3);
	}
	snw_arena_destroy(arena);
}

/* The quad cut into side × side quads. */
static snw_mesh fine_quad(snw_arena *arena, uint32_t side) {
	const uint32_t across = side + 1;
	double *points = SNW_NEW_ARRAY(arena, double, 3ul * across * across);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, side * side + 1ul),
			 *corners = SNW_NEW_ARRAY(arena, uint32_t, 4ul * side * side);
	for (uint32_t p = 0; p < across * across; p++) {
		points[3ul * p] = 2.0 * (p % across) / side - 1;
		const int row = p / across;
		points[3ul * p + 1] = 2.0 * row / side - 1;
	}
	for (uint32_t f = 0; f < side * side; f++) {
		const uint32_t first = f / side * across + f % side;
		const uint32_t indices[4] = {first, first + 1, first + across + 1, first + across};
		memcpy(corners + 4ul * f, indices, sizeof indices);
		offsets[f + 1] = 4 * (f + 1);
	}
	return (snw_mesh){.name = "fine",
					  .point_count = across * across,
					  .points_rest = points,
					  .face_count = side * side,
					  .face_offsets = offsets,
					  .face_points = corners};
}

static void dense_wireframe_lets_the_surface_through(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_view view = {.scene = graphics_scene(arena, fine_quad(arena, 60)), .camera = front};
	const graphics_picture without = graphics_draw(arena, &view, 1, 1, 200, 200);
	view.flags = SNW_VIEW_WIREFRAME;
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 200, 200);
	double bare = 0, wired = 0;
	for (int i = 0; i < 900; i++) {
		const int column = i % 30, row = i / 30;
		const double x = 0.35 + 0.01 * column, y = 0.35 + 0.01 * row;
		bare += linear(graphics_pixel(&without, x, y)[1]);
		wired += linear(graphics_pixel(&with, x, y)[1]);
	}
	assert_true(wired > 0.75 * bare && wired < 0.995 * bare);
	snw_arena_destroy(arena);
}

static snw_skeleton two_joints(snw_arena *arena) {
	static const char *names[2] = {"root", "tip"};
	snw_skeleton skeleton = {.joint_count = 2, .names = names};
	skeleton.parents = SNW_NEW_ARRAY(arena, uint32_t, 2);
	skeleton.rest_local = SNW_NEW_ARRAY(arena, snw_transform, 2);
	for (int j = 0; j < 2; j++) {
		skeleton.rest_local[j] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	skeleton.parents[0] = SNW_NONE;
	skeleton.rest_local[0].translation[1] = -0.8;
	skeleton.rest_local[1].translation[1] = 1.6;
	snw_error error;
	check_ok(snw_skeleton_finish(&skeleton, arena, &error), error);
	return skeleton;
}

static void skeleton_shows_through_the_mesh(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = graphics_scene(arena, graphics_box(arena, (double[3]){1, 1, 1}, origin));
	scene->skeleton = two_joints(arena);
	snw_view view = {.scene = scene, .camera = front};
	const graphics_picture without = graphics_draw(arena, &view, 1, 1, 160, 160);
	view.flags = SNW_VIEW_SKELETON;
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 160, 160);
	assert_true(graphics_difference(graphics_pixel(&with, 0.5, 0.55), graphics_pixel(&without, 0.5, 0.55)) > 20);
	assert_true(graphics_difference(graphics_pixel(&with, 0.35, 0.5), graphics_pixel(&without, 0.35, 0.5)) < 3);
	snw_arena_destroy(arena);
}

static void caption_is_at_the_bottom_left(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_view view = {.scene = SNW_NEW(arena, snw_scene)};
	const graphics_picture without = graphics_draw(arena, &view, 1, 1, 320, 240);
	view.caption = "caption";
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 320, 240);
	size_t inside = 0, outside = 0;
	for (size_t i = 0; i < 320ul * 240; i++) {
		const bool changed = graphics_difference(with.pixels + 4 * i, without.pixels + 4 * i) > 40;
		const bool corner = i % 320 < 120 && i / 320 > 205;
		inside += changed && corner;
		outside += changed && !corner;
	}
	assert_true(inside > 60);
	assert_int_equal(outside, 0);
	snw_arena_destroy(arena);
}

TEST_GROUP(overlay) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heat_map_shows_the_colours_of_the_ramp),
		cmocka_unit_test(heat_that_is_not_finite_has_a_separate_colour),
		cmocka_unit_test(colours_are_shown_as_they_are_and_mix_in_linear_light),
		cmocka_unit_test(colours_have_a_label_and_no_scale),
		cmocka_unit_test(scale_bar_is_at_the_right),
		cmocka_unit_test(scale_bar_keeps_off_a_framed_character),
		cmocka_unit_test(wireframe_shows_edges_but_no_diagonals),
		cmocka_unit_test(dense_wireframe_lets_the_surface_through),
		cmocka_unit_test(skeleton_shows_through_the_mesh),
		cmocka_unit_test(caption_is_at_the_bottom_left),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
