/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The appearance of a view, and what is drawn for editing: clay, x-ray, edges alone, ghosts, marked joints, brush rings,
 * strokes; and picking.
 */
#include "kept_registry.h"
#include "pose/pose.h"
#include "props.h"
#include "render/draw/viewport.h"
#include "render/overlay/lines.h"
#include "render/view/view.h"
#include "sample/sample.h"

static const unsigned char *middle_of(snw_arena *arena, const snw_view *view) {
	const graphics_picture picture = graphics_draw(arena, view, 1, 1, 160, 160);
	return graphics_pixel(&picture, 0.5, 0.5);
}

/* ---- shading ------------------------------------------------------------------------------------------------------ */

static void clay_takes_the_place_of_the_material(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const snw_material red = paint(0.8, 0.02, 0.02);
	snw_view view = {.scene = painted(arena, quad(arena), &red), .camera = front};
	const unsigned char *painted_pixel = middle_of(arena, &view);
	view.flags = SNW_VIEW_CLAY;
	const unsigned char *clay = middle_of(arena, &view);
	assert_true(painted_pixel[0] > painted_pixel[1] + 80);
	assert_true(abs(clay[0] - clay[1]) < 30);
	snw_arena_destroy(arena);
}

/* Two quads, one behind the other, in one mesh of two materials. */
static snw_scene *two_quads(snw_arena *arena) {
	static const double points[24] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, -1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1};
	static const uint32_t offsets[3] = {0, 4, 8}, corners[8] = {0, 1, 2, 3, 4, 5, 6, 7}, materials[2] = {0, 1};
	const snw_material paints[2] = {paint(0.6, 0.6, 0.6), paint(0.02, 0.7, 0.02)};
	snw_scene *scene = graphics_scene(arena, (snw_mesh){.name = "quads",
														.point_count = 8,
														.points_rest = points,
														.face_count = 2,
														.face_offsets = offsets,
														.face_points = corners,
														.face_materials = materials});
	scene->material_count = 2;
	scene->materials = snw_arena_copy(arena, paints, sizeof paints);
	return scene;
}

static void xray_shows_surfaces_behind(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_view view = {.scene = two_quads(arena), .camera = front};
	const unsigned char *solid = middle_of(arena, &view);
	assert_true(abs(solid[1] - solid[0]) < 20);
	view.flags = SNW_VIEW_XRAY;
	const unsigned char *through = middle_of(arena, &view);
	assert_true(through[1] > through[0] + 10);
	snw_arena_destroy(arena);
}

static void hollow_character_shows_its_edges_alone(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_view view = {.scene = graphics_scene(arena, quad(arena)), .flags = SNW_VIEW_HOLLOW, .camera = front};
	const snw_view bare = {.scene = SNW_NEW(arena, snw_scene), .camera = front};
	for (int dark = 0; dark <= 1; dark++) {
		view.flags = SNW_VIEW_HOLLOW | (dark ? (uint32_t)SNW_VIEW_DARK : 0);
		snw_view background = bare;
		background.flags = dark ? (uint32_t)SNW_VIEW_DARK : 0;
		const graphics_picture with = graphics_draw(arena, &view, 1, 1, 160, 160);
		const graphics_picture without = graphics_draw(arena, &background, 1, 1, 160, 160);
		assert_true(graphics_difference(graphics_pixel(&with, 0.5, 0.5), graphics_pixel(&without, 0.5, 0.5)) < 4);
		assert_true(graphics_changed(&with, &without, 24) > 100);
	}
	snw_arena_destroy(arena);
}

/* ---- lights ------------------------------------------------------------------------------------------------------- */

static int brightness_under(snw_arena *arena, uint32_t lights, double yaw) {
	snw_view view = {.scene = graphics_scene(arena, quad(arena)), .camera = front, .lights = lights};
	view.camera.yaw = yaw;
	const graphics_picture picture = graphics_draw(arena, &view, 1, 1, 100, 100);
	const unsigned char *middle = graphics_pixel(&picture, 0.5, 0.5);
	return middle[0] + middle[1] + middle[2];
}

/* The quad seen from its left turns its face to the picture's right, away from a light at the left. */
static void raking_light_leaves_the_far_side_darker_than_even_light(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	int contrast[SNW_LIGHTS_COUNT];
	for (uint32_t l = 0; l < SNW_LIGHTS_COUNT; l++) {
		contrast[l] = brightness_under(arena, l, 0.9) - brightness_under(arena, l, -0.9);
	}
	assert_true(contrast[SNW_LIGHTS_RAKING] > contrast[SNW_LIGHTS_STUDIO] + 20);
	assert_true(contrast[SNW_LIGHTS_STUDIO] > contrast[SNW_LIGHTS_EVEN] + 20);
	snw_arena_destroy(arena);
}

/* ---- ghosts ------------------------------------------------------------------------------------------------------- */

static void ghost_is_drawn_beside_the_character_without_changing_it(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = graphics_scene(arena, quad(arena));
	float shifted[12];
	for (int i = 0; i < 12; i++) {
		shifted[i] = (float)scene->meshes[0].points_rest[i] + (i % 3 == 0 ? 2.5f : 0);
	}
	const float *points = shifted;
	const snw_ghost ghost = {.points = &points, .color = {0.1f, 0.4f, 1, 0.4f}};
	snw_camera camera = front;
	camera.distance = 12;
	snw_view view = {.scene = scene, .camera = camera};
	const graphics_picture alone = graphics_draw(arena, &view, 1, 1, 200, 200);
	view.ghosts = &ghost;
	view.ghost_count = 1;
	const graphics_picture both = graphics_draw(arena, &view, 1, 1, 200, 200);
	/* 200 pixels are 24 m · tan 20°: a metre is 0.1145 of the picture. */
	const unsigned char *there = graphics_pixel(&both, 0.5 + 2.5 * 0.1145, 0.5),
						*before = graphics_pixel(&alone, 0.5 + 2.5 * 0.1145, 0.5);
	assert_true(there[2] - there[0] > before[2] - before[0] + 20);
	assert_true(graphics_difference(graphics_pixel(&both, 0.5, 0.5), graphics_pixel(&alone, 0.5, 0.5)) < 2);
	snw_arena_destroy(arena);
}

static void ghost_of_a_pose_is_drawn_by_its_stack(void **state) {
	(void)state;
	graphics_need();
	snw_scene *scene = NULL;
	check_ok(snw_sample_make("small-arm", &scene, &graphics_error), graphics_error);
	snw_registry *registry = kept_registry();
	const snw_stack_options options = {.method = "linear-blend"};
	snw_stack *stack = NULL;
	check_ok(snw_stack_build(scene, registry, &options, NULL, &stack, &graphics_error), graphics_error);
	snw_arena *arena = snw_arena_create();
	snw_ghost ghosts[3];
	for (uint32_t g = 0; g < 3; g++) {
		const uint32_t example = g * (scene->example_count - 1) / 2;
		const snw_pose_view *pose = snw_pose_view_make(scene, &scene->poses[scene->examples[example].pose], arena);
		ghosts[g] = (snw_ghost){.stack = stack, .pose = pose, .color = {0.2f, 0.55f, 1, 0.3f}};
	}
	snw_view view = {.scene = scene, .flags = SNW_VIEW_GRID | SNW_VIEW_DARK, .camera = {.yaw = 0.4, .pitch = 0.2}};
	view.camera = snw_camera_frame(&view, 480, 360);
	view.camera.distance *= 1.5;
	const graphics_picture alone = graphics_draw(arena, &view, 1, 1, 480, 360);
	view.ghosts = ghosts;
	view.ghost_count = 3;
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 480, 360);
	assert_true(graphics_changed(&with, &alone, 8) > 2000);
	snw_arena_destroy(arena);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
}

/* ---- ground ------------------------------------------------------------------------------------------------------- */

/* A second method that takes the points two metres lower. */
static void views_of_one_pose_stand_on_one_floor(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = graphics_scene(arena, quad(arena));
	float lower[12];
	for (int i = 0; i < 12; i++) {
		lower[i] = (float)scene->meshes[0].points_rest[i] - (i % 3 == 1 ? 2 : 0);
	}
	const float *points = lower;
	snw_view views[2] = {{.scene = scene, .flags = SNW_VIEW_GRID, .camera = front}};
	views[0].camera.pitch = 0.3;
	views[0].camera.distance = 12;
	views[1] = views[0];
	views[1].points = &points;
	const graphics_picture both = graphics_draw(arena, views, 2, 1, 200, 200);
	const graphics_picture alone = graphics_draw(arena, &views[1], 1, 1, 200, 200);
	int same = 0, other = 0;
	for (int i = 0; i < 20; i++) { /* down the left, beside the character and its shadow */
		const double y = i / 19.0;
		const unsigned char *second = graphics_pixel(&both, 240 / 399.0, y);
		same += graphics_difference(graphics_pixel(&both, 40 / 399.0, y), second) < 3;
		other += graphics_difference(graphics_pixel(&alone, 40 / 199.0, y), second) < 3;
	}
	assert_int_equal(same, 20);
	assert_true(other < 18);
	snw_arena_destroy(arena);
}

/* ---- joints ------------------------------------------------------------------------------------------------------- */

static void marked_joint_has_a_separate_colour(void **state) {
	(void)state;
	graphics_need();
	snw_scene *scene = NULL;
	check_ok(snw_sample_make("small-arm", &scene, &graphics_error), graphics_error);
	snw_arena *arena = snw_arena_create();
	unsigned char *marks = SNW_NEW_ARRAY(arena, unsigned char, scene->skeleton.joint_count);
	snw_view view = {
		.scene = scene, .flags = SNW_VIEW_SKELETON | SNW_VIEW_XRAY | SNW_VIEW_DARK, .camera = {.yaw = 0.4, .pitch = 0.2}};
	const graphics_picture plain = graphics_draw(arena, &view, 1, 1, 320, 240);
	marks[1] = SNW_JOINT_SELECTED;
	view.joint_marks = marks;
	const graphics_picture selected = graphics_draw(arena, &view, 1, 1, 320, 240);
	marks[1] = SNW_JOINT_HOVERED;
	const graphics_picture hovered = graphics_draw(arena, &view, 1, 1, 320, 240);
	assert_true(graphics_changed(&plain, &selected, 30) > 50);
	assert_true(graphics_changed(&plain, &hovered, 20) > 50);
	assert_true(graphics_changed(&selected, &hovered, 30) > 50);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

/* ---- brush and strokes -------------------------------------------------------------------------------------------- */

static void brush_ring_lies_at_its_radius_on_the_surface(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_view view = {.scene = graphics_scene(arena, quad(arena)), .camera = front};
	const graphics_picture without = graphics_draw(arena, &view, 1, 1, 400, 400);
	view.brush = (snw_brush_ring){.radius = 0.5, .core = 0.5, .color = {1, 0.5f, 0, 1}};
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 400, 400);
	/* Half a metre is 0.1145 of the picture. */
	for (int i = 0; i < 8; i++) {
		const double x = cos(0.785 * i), y = sin(0.785 * i);
		const unsigned char *on = graphics_pixel(&with, 0.5 + 0.1145 * x, 0.5 + 0.1145 * y);
		assert_true(on[0] > on[2] + 60);
		const double outside = 0.135;
		assert_int_equal(graphics_difference(graphics_pixel(&with, 0.5 + outside * x, 0.5 + outside * y),
											 graphics_pixel(&without, 0.5 + outside * x, 0.5 + outside * y)),
						 0);
	}
	snw_arena_destroy(arena);
}

static void brush_that_works_on_both_sides_has_a_fainter_ring_on_the_other(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_view view = {.scene = graphics_scene(arena, quad(arena)), .camera = front};
	const graphics_picture without = graphics_draw(arena, &view, 1, 1, 400, 400);
	view.brush = (snw_brush_ring){
		.place = {-0.6, 0, 0}, .radius = 0.25, .color = {1, 0.5f, 0, 1}, .other = {0.6, 0, 0}, .other_radius = 0.25};
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 400, 400);
	const double metre = 0.229; /* of the picture */
	const unsigned char *here = graphics_pixel(&with, 0.5 - 0.6 * metre, 0.5 + 0.25 * metre);
	const unsigned char *there = graphics_pixel(&with, 0.5 + 0.6 * metre, 0.5 + 0.25 * metre);
	assert_true(here[0] > here[2] + 60 && there[0] > there[2] + 30);
	assert_true(here[2] < there[2]);
	assert_int_equal(graphics_difference(graphics_pixel(&with, 0.5, 0.5), graphics_pixel(&without, 0.5, 0.5)), 0);
	snw_arena_destroy(arena);
}

static void stroke_is_as_wide_as_it_says_and_faint_behind_surfaces(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_line storage[2];
	snw_lines lines = {.lines = storage, .most = 2};
	const double left[3] = {-2, 0.5, 0.1}, right[3] = {2, 0.5, 0.1}, low[3] = {-2, -0.5, -0.3}, low_end[3] = {2, -0.5, -0.3};
	snw_lines_add(&lines, left, right, &(snw_pen){{1, 0, 0, 1}, 6, 0});
	snw_lines_add(&lines, low, low_end, &(snw_pen){{1, 0, 0, 1}, 6, 0.25f});
	snw_lines_add(&lines, low, low_end, &(snw_pen){{0, 0, 1, 1}, 60, 1}); /* one too many */
	assert_int_equal(lines.count, 2);
	snw_view view = {.scene = graphics_scene(arena, quad(arena)), .camera = front, .lines = &lines};
	const graphics_picture picture = graphics_draw(arena, &view, 1, 1, 400, 400);
	uint32_t reds = 0, faint = 0;
	for (uint32_t y = 0; y < 400; y++) {
		const unsigned char *pixel = picture.pixels + 4 * (400ul * y + 200);
		reds += pixel[0] > 200 && pixel[1] < 90;
		faint += y > 200 && pixel[0] > pixel[1] + 20;
	}
	assert_in_range(reds, 5, 7);
	assert_in_range(faint, 5, 8);
	snw_arena_destroy(arena);
}

static void gizmo_of_circles_and_arrows_is_drawn_over_the_character(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_lines lines = {.lines = SNW_NEW_ARRAY(arena, snw_line, 400), .most = 400};
	static const float colors[3][4] = {{0.94f, 0.26f, 0.28f, 1}, {0.45f, 0.80f, 0.22f, 1}, {0.23f, 0.55f, 0.98f, 1}};
	for (int a = 0; a < 3; a++) {
		const double axis[3] = {a == 0, a == 1, a == 2}, tip[3] = {0.9 * axis[0], 0.9 * axis[1], 0.9 * axis[2]};
		snw_pen pen = {.width = 2.5f, .behind = 0.35f};
		memcpy(pen.color, colors[a], sizeof pen.color);
		snw_lines_circle(&lines, origin, axis, 0.7, 0, 0, &pen);
		snw_lines_arrow(&lines, origin, tip, 0.12, &pen);
	}
	snw_lines_dot(&lines, origin, 10, &(snw_pen){{1, 1, 1, 1}, 1, 1});
	assert_int_equal(lines.count, 3 * (SNW_CIRCLE_LINES + 9) + 1);
	snw_view view = {.scene = graphics_scene(arena, graphics_box(arena, half_metre, origin)),
					 .flags = SNW_VIEW_GRID | SNW_VIEW_DARK,
					 .camera = {.yaw = 0.6, .pitch = 0.5, .distance = 4}};
	const graphics_picture without = graphics_draw(arena, &view, 1, 1, 400, 400);
	view.lines = &lines;
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 400, 400);
	assert_true(graphics_changed(&with, &without, 24) > 2000);
	assert_true(graphics_pixel(&with, 0.5, 0.5)[0] > 240 && graphics_pixel(&with, 0.5, 0.5)[2] > 240);
	snw_arena_destroy(arena);
}

static void stroke_through_the_eye_is_cut_at_the_near_plane(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_line storage[1];
	snw_lines lines = {.lines = storage, .most = 1};
	const double from[3] = {0, 0.3, -3}, behind_eye[3] = {0, 0.3, 30};
	snw_lines_add(&lines, from, behind_eye, &(snw_pen){{1, 0, 0, 1}, 4, 1});
	const snw_view view = {.scene = graphics_scene(arena, quad(arena)), .camera = front, .lines = &lines};
	const graphics_picture picture = graphics_draw(arena, &view, 1, 1, 200, 200);
	assert_true(graphics_pixel(&picture, 0.5, 0.02)[0] > 200);
	assert_true(graphics_pixel(&picture, 0.5, 0.9)[0] < 200 || graphics_pixel(&picture, 0.5, 0.9)[1] > 90);
	snw_arena_destroy(arena);
}

/* ---- picking ------------------------------------------------------------------------------------------------------ */

static void ray_through_the_pixel_of_a_place_meets_it(void **state) {
	(void)state;
	const snw_camera camera = {.target = {0.2, 1, -0.3}, .yaw = 0.7, .pitch = 0.4, .distance = 3};
	const snw_picture_size sizes[2] = {{640, 480}, {300, 700}};
	const double place[3] = {0.5, 1.2, 0.1};
	for (int i = 0; i < 2; i++) {
		double x = 0, y = 0, away[3], off[3];
		assert_true(snw_camera_project(&camera, sizes[i], place, &x, &y));
		const snw_view_ray ray = snw_camera_ray(&camera, sizes[i], x, y);
		for (int c = 0; c < 3; c++) {
			away[c] = place[c] - ray.from[c];
		}
		snw_cross3(ray.along, away, off);
		check_near(snw_length3(off), 0, 1e-12);
		double shifted[3], axes[3][3], x_moved = 0, y_moved = 0;
		snw_camera_axes(&camera, axes);
		for (int c = 0; c < 3; c++) {
			shifted[c] = place[c] + 10 * snw_camera_pixel_metres(&camera, sizes[i], place) * axes[0][c];
		}
		assert_true(snw_camera_project(&camera, sizes[i], shifted, &x_moved, &y_moved));
		check_near(x_moved - x, 10, 1e-9);
	}
	const double behind[3] = {0.2 + 9 * sin(0.7), 5, -0.3 + 9 * cos(0.7)};
	double x = 1, y = 2;
	assert_false(snw_camera_project(&camera, sizes[0], behind, &x, &y));
	check_near(x + y, 3, 0);
}

/* Where the picture shows the character, a ray meets it; elsewhere none does. */
static void picking_agrees_with_the_picture(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const snw_mesh mesh = graphics_box(arena, half_metre, origin);
	snw_view view = {.scene = graphics_scene(arena, mesh), .camera = {.yaw = 0.5, .pitch = 0.4, .distance = 4}};
	const snw_view bare = {.scene = SNW_NEW(arena, snw_scene), .camera = view.camera};
	const graphics_picture with = graphics_draw(arena, &view, 1, 1, 120, 90),
						   without = graphics_draw(arena, &bare, 1, 1, 120, 90);
	float points[24];
	for (int i = 0; i < 24; i++) {
		points[i] = (float)mesh.points_rest[i];
	}
	uint32_t differing = 0, met = 0;
	for (uint32_t i = 0; i < 120 * 90; i++) {
		const uint32_t column = i % 120, row = i / 120;
		const snw_view_ray ray = snw_camera_ray(&view.camera, (snw_picture_size){120, 90}, column + 0.5, row + 0.5);
		snw_hit hit = {.distance = INFINITY};
		const bool picked = snw_pick_mesh(&mesh, 0, points, NULL, &ray, &hit);
		const bool shown = graphics_difference(with.pixels + 4ul * i, without.pixels + 4ul * i) > 6;
		differing += picked != shown;
		met += picked;
		if (picked) {
			check_near(fmax(fabs(hit.place[0]), fmax(fabs(hit.place[1]), fabs(hit.place[2]))), 0.5, 1e-9);
			assert_true(snw_dot3(hit.normal, ray.along) < 0);
			assert_true(hit.point < 8 && hit.face < 6);
		}
	}
	assert_true(met > 1000);
	assert_true(differing < met / 20); /* pixels on the outline */
	snw_arena_destroy(arena);
}

static void nearest_joint_within_reach_is_picked(void **state) {
	(void)state;
	snw_scene *scene = NULL;
	check_ok(snw_sample_make("small-arm", &scene, &graphics_error), graphics_error);
	const snw_skeleton *skeleton = &scene->skeleton;
	const snw_camera camera = {.yaw = 0.3, .pitch = 0.3, .distance = 4};
	const snw_picture_size size = {800, 600};
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const double *global = skeleton->rest_global + 12 * (size_t)j;
		const double place[3] = {global[3], global[7], global[11]};
		double x = 0, y = 0;
		assert_true(snw_camera_project(&camera, size, place, &x, &y));
		assert_int_equal(snw_pick_joint(skeleton, skeleton->rest_global, &camera, size, x + 1, y, 12), j);
		const uint32_t parent = skeleton->parents[j];
		if (parent != SNW_NONE) {
			const double *above = skeleton->rest_global + 12 * (size_t)parent;
			double half[3];
			for (int c = 0; c < 3; c++) {
				half[c] = (place[c] + above[4 * c + 3]) / 2;
			}
			assert_true(snw_camera_project(&camera, size, half, &x, &y));
			assert_int_equal(snw_pick_joint(skeleton, skeleton->rest_global, &camera, size, x, y, 12), parent);
		}
	}
	assert_int_equal(snw_pick_joint(skeleton, skeleton->rest_global, &camera, size, 5, 5, 12), SNW_NONE);
	snw_scene_destroy(scene);
}

TEST_GROUP(looks) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clay_takes_the_place_of_the_material),
		cmocka_unit_test(xray_shows_surfaces_behind),
		cmocka_unit_test(hollow_character_shows_its_edges_alone),
		cmocka_unit_test(ghost_is_drawn_beside_the_character_without_changing_it),
		cmocka_unit_test(ghost_of_a_pose_is_drawn_by_its_stack),
		cmocka_unit_test(views_of_one_pose_stand_on_one_floor),
		cmocka_unit_test(marked_joint_has_a_separate_colour),
		cmocka_unit_test(brush_ring_lies_at_its_radius_on_the_surface),
		cmocka_unit_test(brush_that_works_on_both_sides_has_a_fainter_ring_on_the_other),
		cmocka_unit_test(raking_light_leaves_the_far_side_darker_than_even_light),
		cmocka_unit_test(stroke_is_as_wide_as_it_says_and_faint_behind_surfaces),
		cmocka_unit_test(gizmo_of_circles_and_arrows_is_drawn_over_the_character),
		cmocka_unit_test(stroke_through_the_eye_is_cut_at_the_near_plane),
		cmocka_unit_test(ray_through_the_pixel_of_a_place_meets_it),
		cmocka_unit_test(picking_agrees_with_the_picture),
		cmocka_unit_test(nearest_joint_within_reach_is_picked),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
