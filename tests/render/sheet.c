/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of known scenes: surfaces, light, sheets. Tolerances leave room for another rasteriser.
 */
#include "file/file.h"
#include "kept_registry.h"
#include "pose/pose.h"
#include "props.h"
#include "sample/sample.h"

static void empty_scene_shows_the_background(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = SNW_NEW(arena, snw_scene);
	const uint32_t flags = SNW_VIEW_GRID | SNW_VIEW_SKELETON | SNW_VIEW_WIREFRAME | SNW_VIEW_SCALE_BAR;
	const snw_view view = {.scene = scene, .flags = flags};
	const graphics_picture picture = graphics_draw(arena, &view, 1, 1, 64, 48);
	const unsigned char *pixel = graphics_pixel(&picture, 0.5, 0.05);
	assert_true(abs(pixel[0] - pixel[2]) < 16 && pixel[0] > 100 && pixel[3] == 255);
	snw_arena_destroy(arena);
}

static void quad_covers_its_pixels(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const snw_material red = paint(0.6, 0.02, 0.02);
	const snw_view views[2] = {{.scene = painted(arena, quad(arena), &red), .camera = front},
							   {.scene = SNW_NEW(arena, snw_scene), .camera = front}};
	const graphics_picture with = graphics_draw(arena, &views[0], 1, 1, 200, 160);
	const graphics_picture without = graphics_draw(arena, &views[1], 1, 1, 200, 160);
	const double side = 160 / (6 * tan(0.349)); /* of the quad, pixels */
	check_near(graphics_changed(&with, &without, 40), side * side, 0.03 * side * side);
	const unsigned char *middle = graphics_pixel(&with, 0.5, 0.5);
	assert_true(middle[0] > 90 && middle[0] > 2 * middle[1] && middle[0] > 2 * middle[2]);
	assert_true(graphics_difference(graphics_pixel(&with, 0.02, 0.5), graphics_pixel(&without, 0.02, 0.5)) < 3);
	snw_arena_destroy(arena);
}

static void same_view_gives_the_same_pixels(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const uint32_t flags = SNW_VIEW_GRID | SNW_VIEW_WIREFRAME;
	const snw_view view = {
		.scene = graphics_scene(arena, graphics_box(arena, half_metre, origin)), .caption = "twice", .flags = flags};
	const graphics_picture a = graphics_draw(arena, &view, 1, 1, 120, 90), b = graphics_draw(arena, &view, 1, 1, 120, 90);
	assert_memory_equal(a.pixels, b.pixels, 4ul * 120 * 90);
	snw_arena_destroy(arena);
}

static void concave_polygon_shows_its_notch(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	static const double dart[12] = {-1, 1, 0, 0, -1, 0, 1, 1, 0, 0, -0.5, 0};
	snw_mesh mesh = quad(arena);
	mesh.points_rest = dart;
	const snw_material red = paint(0.6, 0.02, 0.02);
	const snw_view views[2] = {{.scene = painted(arena, mesh, &red), .camera = front},
							   {.scene = SNW_NEW(arena, snw_scene), .camera = front}};
	const graphics_picture with = graphics_draw(arena, &views[0], 1, 1, 160, 160);
	const graphics_picture without = graphics_draw(arena, &views[1], 1, 1, 160, 160);
	assert_true(graphics_difference(graphics_pixel(&with, 0.5, 0.42), graphics_pixel(&without, 0.5, 0.42)) < 3);
	assert_true(graphics_difference(graphics_pixel(&with, 0.5, 0.66), graphics_pixel(&without, 0.5, 0.66)) > 40);
	snw_arena_destroy(arena);
}

/* ---- materials ---------------------------------------------------------------------------------------------------- */

static snw_image png_image(snw_arena *arena, const unsigned char *pixels, uint32_t width, uint32_t height) {
	snw_error error;
	snw_bytes bytes;
	const char *path = check_scratch("texture.png");
	check_ok(snw_png_write(path, pixels, width, height, &error), error);
	check_ok(snw_file_read(path, arena, &bytes, &error), error);
	unlink(path);
	return (snw_image){.name = "texture", .media = "image/png", .bytes = bytes.data, .byte_count = bytes.count};
}

/* Coordinates of a quad's corners. */
static const float upright[8] = {0, 1, 1, 1, 1, 0, 0, 0};

/* A quad seen from the front, the only picture of its scene laid upon it. `tangents` are those of its corners, or NULL. */
static graphics_picture draw_textured(snw_arena *arena, const snw_material *material, const snw_image *image,
									  const float uvs[8], const float *tangents, uint32_t size) {
	snw_mesh mesh = quad(arena);
	mesh.corner_uvs = uvs;
	mesh.corner_tangents = tangents;
	snw_scene *scene = painted(arena, mesh, material);
	scene->image_count = 1;
	scene->images = image;
	const snw_view view = {.scene = scene, .camera = front};
	return graphics_draw(arena, &view, 1, 1, size, size);
}

static void texture_lies_where_its_coordinates_say(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	static unsigned char pixels[4 * 16 * 16];
	for (int i = 0; i < 256; i++) { /* red above left, green above right, blue below */
		const int x = i % 16, y = i / 16;
		const unsigned char color[4] = {y < 8 && x < 8 ? 220 : 20, y < 8 && x >= 8 ? 220 : 20, y >= 8 ? 220 : 20, 255};
		memcpy(pixels + (size_t)4 * (size_t)i, color, 4);
	}
	snw_material white = paint(1, 1, 1);
	white.base_color_image = 0;
	const snw_image image = png_image(arena, pixels, 16, 16);
	const graphics_picture picture = draw_textured(arena, &white, &image, upright, NULL, 160);
	const unsigned char *red = graphics_pixel(&picture, 0.38, 0.38), *green = graphics_pixel(&picture, 0.62, 0.38);
	const unsigned char *blue = graphics_pixel(&picture, 0.5, 0.62);
	assert_true(red[0] > 2 * red[1] && red[0] > 2 * red[2]);
	assert_true(green[1] > 2 * green[0] && green[1] > 2 * green[2]);
	assert_true(blue[2] > 2 * blue[0] && blue[2] > 2 * blue[1]);
	snw_arena_destroy(arena);
}

/* The brightness of a quad whose normals a picture of one colour bends. */
static int brightness_bent(snw_arena *arena, const unsigned char color[4], const float uvs[8], const float *tangents) {
	snw_material grey = paint(0.5, 0.5, 0.5);
	grey.normal_image = 0;
	const snw_image image = png_image(arena, color, 1, 1);
	const graphics_picture picture = draw_textured(arena, &grey, &image, uvs, tangents, 100);
	const unsigned char *middle = graphics_pixel(&picture, 0.5, 0.5);
	return middle[0] + middle[1] + middle[2];
}

/* The key light comes from above and the left. */
static void normal_map_bends_toward_its_right_and_up(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	static const float mirrored[8] = {1, 1, 0, 1, 0, 0, 1, 0};
	static const unsigned char right[4] = {200, 128, 230, 255}, left[4] = {56, 128, 230, 255}, up[4] = {128, 200, 230, 255},
							   down[4] = {128, 56, 230, 255}, plain[4] = {128, 128, 255, 255};
	assert_true(brightness_bent(arena, left, upright, NULL) > brightness_bent(arena, plain, upright, NULL) + 10);
	assert_true(brightness_bent(arena, plain, upright, NULL) > brightness_bent(arena, right, upright, NULL) + 10);
	assert_true(brightness_bent(arena, up, upright, NULL) > brightness_bent(arena, down, upright, NULL) + 20);
	assert_true(brightness_bent(arena, right, mirrored, NULL) > brightness_bent(arena, left, mirrored, NULL) + 20);
	assert_true(brightness_bent(arena, up, mirrored, NULL) > brightness_bent(arena, down, mirrored, NULL) + 20);
	snw_arena_destroy(arena);
}

/* They are rotated by half a turn against the UVs. The bitangent of the second quad is mirrored. */
static void normal_map_bends_by_the_tangents_of_a_mesh(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	static const float rotated[16] = {-1, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1};
	static const float other_hand[16] = {-1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1};
	static const unsigned char right[4] = {200, 128, 230, 255}, left[4] = {56, 128, 230, 255}, up[4] = {128, 200, 230, 255},
							   down[4] = {128, 56, 230, 255};
	assert_true(brightness_bent(arena, right, upright, rotated) > brightness_bent(arena, left, upright, rotated) + 20);
	assert_true(brightness_bent(arena, down, upright, rotated) > brightness_bent(arena, up, upright, rotated) + 20);
	assert_true(brightness_bent(arena, right, upright, other_hand) > brightness_bent(arena, left, upright, other_hand) + 20);
	assert_true(brightness_bent(arena, up, upright, other_hand) > brightness_bent(arena, down, upright, other_hand) + 20);
	snw_arena_destroy(arena);
}

static void emissive_texture_glows_where_it_is_bright(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	static unsigned char pixels[4 * 16];
	memset(pixels + sizeof pixels / 2, 255, sizeof pixels / 2);
	snw_material black = paint(0, 0, 0);
	black.emissive[1] = 0.5;
	black.emissive_image = 0;
	const snw_image image = png_image(arena, pixels, 16, 1);
	const graphics_picture picture = draw_textured(arena, &black, &image, upright, NULL, 160);
	const unsigned char *left = graphics_pixel(&picture, 0.385, 0.5), *right = graphics_pixel(&picture, 0.615, 0.5);
	assert_true(right[1] > right[0] + 60 && left[1] < left[0] + 8);
	snw_arena_destroy(arena);
}

static void damaged_texture_is_left_out(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_material red = paint(0.6, 0.02, 0.02);
	red.base_color_image = 0;
	const snw_image image = {.name = "damaged", .bytes = (const unsigned char *)"\x89PNG....", .byte_count = 8};
	const graphics_picture picture = draw_textured(arena, &red, &image, upright, NULL, 80);
	const unsigned char *middle = graphics_pixel(&picture, 0.5, 0.5);
	assert_true(middle[0] > 2 * middle[1]);
	snw_arena_destroy(arena);
}

static void blended_material_lets_the_background_through(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_material materials[3] = {paint(0.6, 0.02, 0.02), paint(0.6, 0.02, 0.02), paint(0.6, 0.02, 0.02)};
	materials[1].base_color[3] = materials[2].base_color[3] = 0.3;
	materials[1].alpha = 2;
	materials[2].alpha = 1;
	materials[2].alpha_cutoff = 0.5;
	const unsigned char *middles[3];
	for (int i = 0; i < 3; i++) {
		const snw_view view = {.scene = painted(arena, quad(arena), &materials[i]), .camera = front};
		const graphics_picture picture = graphics_draw(arena, &view, 1, 1, 80, 80);
		middles[i] = graphics_pixel(&picture, 0.5, 0.5);
	}
	assert_true(middles[1][1] > middles[0][1] + 40);      /* grey from behind */
	assert_true(abs(middles[2][0] - middles[2][1]) < 16); /* cut away: the background itself */
	snw_arena_destroy(arena);
}

static void custom_normals_rotate_with_their_points(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	static const float forward[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
	static const float tilted[12] = {0.8f, 0, 0.6f, 0.8f, 0, 0.6f, 0.8f, 0, 0.6f, 0.8f, 0, 0.6f};
	/* The quad and the tilted normals rotated by a right angle about Y. */
	static const float rotated[12] = {0, -0.8f, 1, 0, -0.8f, -1, 0, 0.8f, -1, 0, 0.8f, 1};
	static const double rest[12] = {-1, -0.8, 0, 1, -0.8, 0, 1, 0.8, 0, -1, 0.8, 0};
	static const double rotated_rest[12] = {0, -0.8, 1, 0, -0.8, -1, 0, 0.8, -1, 0, 0.8, 1};
	static const float raised[12] = {0, 0.8f, 0.6f, 0, 0.8f, 0.6f, 0, 0.8f, 0.6f, 0, 0.8f, 0.6f};
	static const float tilted_rotated[12] = {0.6f, 0, -0.8f, 0.6f, 0, -0.8f, 0.6f, 0, -0.8f, 0.6f, 0, -0.8f};
	const float *const normals[5] = {NULL, forward, tilted, tilted_rotated, raised};
	const float *posed = rotated;
	graphics_picture pictures[5];
	for (int i = 0; i < 5; i++) {
		snw_mesh mesh = quad(arena);
		mesh.corner_normals = normals[i];
		mesh.points_rest = i == 3 ? rotated_rest : rest;
		const snw_view view = {.scene = graphics_scene(arena, mesh), .points = &posed, .camera = {.yaw = 1.2, .pitch = 0.3}};
		pictures[i] = graphics_draw(arena, &view, 1, 1, 80, 80);
	}
	assert_int_equal(graphics_changed(&pictures[0], &pictures[1], 2), 0);
	assert_true(graphics_changed(&pictures[0], &pictures[2], 8) > 500);
	assert_true(graphics_changed(&pictures[0], &pictures[4], 8) > 500);
	assert_int_equal(graphics_changed(&pictures[2], &pictures[3], 2), 0);
	snw_arena_destroy(arena);
}

/* ---- light -------------------------------------------------------------------------------------------------------- */

/* A box before a wall, that throws its shadow on the wall's middle. */
static void shadow_on_a_surface_is_pale_and_stays_where_it_falls(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const double half[3] = {0.14, 0.14, 0.05}, before[3] = {-0.5, 0.53, 0.4};
	const snw_material grey = paint(0.5, 0.5, 0.5);
	snw_mesh meshes[2] = {quad(arena), graphics_box(arena, half, before)};
	snw_view views[2] = {{.scene = painted(arena, meshes[0], &grey), .camera = front}, {.camera = front}};
	for (int m = 0; m < 2; m++) {
		meshes[m].face_materials = SNW_NEW_ARRAY(arena, uint32_t, meshes[m].face_count);
	}
	snw_scene *both = painted(arena, meshes[0], &grey);
	both->meshes = meshes;
	both->mesh_count = 2;
	views[1].scene = both;
	const graphics_picture lit = graphics_draw(arena, &views[0], 1, 1, 200, 200),
						   shaded = graphics_draw(arena, &views[1], 1, 1, 200, 200);
	const double share = linear(graphics_pixel(&shaded, 0.5, 0.5)[1]) / linear(graphics_pixel(&lit, 0.5, 0.5)[1]);
	assert_true(share > 0.6 && share < 0.9);
	for (int i = 0; i < 30; i++) { /* below and to the left of it, nothing is shaded */
		assert_true(graphics_difference(graphics_pixel(&shaded, 0.3 + 0.012 * i, 0.68),
										graphics_pixel(&lit, 0.3 + 0.012 * i, 0.68)) < 4);
	}
	snw_arena_destroy(arena);
}

/* A round skin from near by, under lights that graze it: a straight arm shades no part of itself, neither in dots nor in
 * bands. */
static void skin_from_near_by_throws_no_shadow_on_itself(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = NULL;
	check_ok(snw_sample_make("small-arm", &scene, &graphics_error), graphics_error);
	static const double angles[] = {-0.9, 0, 0.9, 1.9};
	for (size_t t = 0; t < sizeof angles / sizeof *angles; t++) {
		snw_view view = {
			.scene = scene,
			.camera = {.target = {0.4, 0, 0}, .yaw = 0.4 * angles[t], .pitch = 0.3, .distance = 0.35, .field_of_view = 0.14},
			.flags = SNW_VIEW_CLAY,
			.lights = SNW_LIGHTS_RAKING,
			.light_turn = angles[t]};
		const graphics_picture shaded = graphics_draw(arena, &view, 1, 1, 160, 120);
		view.flags |= SNW_VIEW_SHADOWLESS;
		const graphics_picture plain = graphics_draw(arena, &view, 1, 1, 160, 120);
		assert_int_equal(graphics_changed(&shaded, &plain, 4), 0);
	}
	snw_scene_destroy(scene);
	snw_arena_destroy(arena);
}

/* ---- sheets ------------------------------------------------------------------------------------------------------- */

static void views_stand_row_after_row_between_gutters(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const snw_material paints[3] = {paint(0.6, 0.02, 0.02), paint(0.02, 0.6, 0.02), paint(0.02, 0.02, 0.6)};
	snw_view views[6];
	for (int i = 0; i < 6; i++) {
		views[i] = (snw_view){.scene = painted(arena, quad(arena), &paints[i % 3 == 0 ? 0 : i / 3 + 1]), .camera = front};
	}
	const graphics_picture sheet = graphics_draw(arena, views, 3, 2, 100, 80);
	assert_int_equal(sheet.width, 300);
	for (int i = 0; i < 6; i++) {
		const int column = i % 3, row = i / 3, channel = column == 0 ? 0 : row + 1;
		const unsigned char *middle = graphics_pixel(&sheet, (column + 0.5) / 3, (row + 0.5) / 2);
		assert_true(middle[channel] > 2 * middle[(channel + 1) % 3] && middle[channel] > 2 * middle[(channel + 2) % 3]);
	}
	assert_true(sheet.pixels[4 * (40 * 300 + 100)] > 240); /* between the first two */
	assert_true(sheet.pixels[4 * (80 * 300 + 50)] > 240);
	snw_arena_destroy(arena);
}

static bool stop_at_the_second(void *context, double fraction, const char *activity) {
	int *asked = context;
	(void)fraction;
	(void)activity;
	return ++*asked < 2;
}

static void stopped_sheet_draws_no_more_views(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_view views[3];
	for (int i = 0; i < 3; i++) {
		views[i] = (snw_view){.scene = graphics_scene(arena, quad(arena)), .camera = front};
	}
	unsigned char *pixels = SNW_NEW_ARRAY(arena, unsigned char, 4ul * 32 * 96);
	int asked = 0;
	const snw_task task = {.context = &asked, .progress = stop_at_the_second};
	snw_error error;
	assert_int_equal(snw_renderer_sheet(graphics_renderer, views, 1, 3, 32, 32, pixels, &task, &error), SNW_CANCELLED);
	assert_int_equal(asked, 2);
	assert_int_equal(pixels[3], 255);
	assert_int_equal(pixels[4 * 32 * 40 + 3], 0);
	snw_arena_destroy(arena);
}

static void scenes_of_any_size_look_the_same(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	graphics_picture pictures[3];
	static const double sizes[3] = {1, 1e6, 1e-6};
	for (int i = 0; i < 3; i++) {
		const double half[3] = {0.3 * sizes[i], 0.5 * sizes[i], 0.2 * sizes[i]};
		const snw_view view = {.scene = graphics_scene(arena, graphics_box(arena, half, origin)),
							   .flags = SNW_VIEW_GRID,
							   .camera = {.yaw = 0.6, .pitch = 0.4}};
		pictures[i] = graphics_draw(arena, &view, 1, 1, 160, 120);
	}
	assert_true(graphics_changed(&pictures[0], &pictures[1], 8) < 160);
	assert_true(graphics_changed(&pictures[0], &pictures[2], 8) < 160);
	snw_arena_destroy(arena);
}

static void points_that_are_not_finite_spoil_only_themselves(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_mesh meshes[2] = {quad(arena), graphics_box(arena, half_metre, (double[3]){3, 0, 0})};
	snw_scene *scene = graphics_scene(arena, meshes[0]);
	scene->meshes = meshes;
	scene->mesh_count = 2;
	static const float broken[12] = {NAN, NAN, NAN, INFINITY, 0, 0, 1, 1, 0, -1, 1, 0};
	const float *const points[2] = {broken, NULL};
	const snw_view view = {.scene = scene, .points = points, .flags = SNW_VIEW_GRID | SNW_VIEW_WIREFRAME};
	const graphics_picture picture = graphics_draw(arena, &view, 1, 1, 160, 120);
	const unsigned char *corner = graphics_pixel(&picture, 0.02, 0.02);
	assert_true(corner[0] > 100 && corner[0] < 250);
	snw_arena_destroy(arena);
}

static void view_too_large_for_the_driver_is_refused(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const snw_view view = {.scene = SNW_NEW(arena, snw_scene)};
	unsigned char pixel[4];
	snw_error error;
	assert_int_equal(snw_renderer_sheet(graphics_renderer, &view, 1, 1, 1u << 30, 1, pixel, NULL, &error), SNW_ERROR_LIMIT);
	assert_int_equal(snw_renderer_sheet(graphics_renderer, &view, 1, 1, 0, 10, pixel, NULL, &error), SNW_ERROR_LIMIT);
	snw_arena_destroy(arena);
}

/* ---- stacks ------------------------------------------------------------------------------------------------------- */

static void posed_view_shows_the_points_of_the_stack(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	snw_registry *registry = kept_registry();
	snw_scene *scene = NULL;
	snw_stack *stack = NULL;
	snw_error error;
	check_ok(snw_sample_make("small-arm", &scene, &error), error);
	const snw_stack_options options = {.method = "linear-blend"};
	check_ok(snw_stack_build(scene, registry, &options, NULL, &stack, &error), error);
	const snw_pose_view *pose = snw_pose_view_make(scene, &scene->poses[scene->examples[0].pose], arena);
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	float *posed = SNW_NEW_ARRAY(arena, float, 3 * (size_t)scene->meshes[0].point_count);
	check_ok(snw_stack_drive(stack, pose, evaluation, &error), error);
	check_ok(snw_stack_run(stack, evaluation, 0, posed, &error), error);
	const float *points = posed;
	const snw_view seen = {.scene = scene, .stack = stack, .pose = pose, .camera = {.yaw = 0.4, .pitch = 0.2}};
	const snw_camera camera = snw_camera_frame(&seen, 160, 160);
	const snw_view views[3] = {{.scene = scene, .stack = stack, .pose = pose, .camera = camera},
							   {.scene = scene, .points = &points, .camera = camera},
							   {.scene = scene, .camera = camera}};
	graphics_picture pictures[3];
	for (int i = 0; i < 3; i++) {
		pictures[i] = graphics_draw(arena, &views[i], 1, 1, 160, 160);
	}
	assert_true(graphics_changed(&pictures[0], &pictures[1], 8) < 20);
	assert_true(graphics_changed(&pictures[0], &pictures[2], 8) > 1000);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	snw_arena_destroy(arena);
}

TEST_GROUP(sheet) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_scene_shows_the_background),
		cmocka_unit_test(quad_covers_its_pixels),
		cmocka_unit_test(same_view_gives_the_same_pixels),
		cmocka_unit_test(concave_polygon_shows_its_notch),
		cmocka_unit_test(texture_lies_where_its_coordinates_say),
		cmocka_unit_test(normal_map_bends_toward_its_right_and_up),
		cmocka_unit_test(normal_map_bends_by_the_tangents_of_a_mesh),
		cmocka_unit_test(emissive_texture_glows_where_it_is_bright),
		cmocka_unit_test(damaged_texture_is_left_out),
		cmocka_unit_test(blended_material_lets_the_background_through),
		cmocka_unit_test(custom_normals_rotate_with_their_points),
		cmocka_unit_test(shadow_on_a_surface_is_pale_and_stays_where_it_falls),
		cmocka_unit_test(skin_from_near_by_throws_no_shadow_on_itself),
		cmocka_unit_test(views_stand_row_after_row_between_gutters),
		cmocka_unit_test(stopped_sheet_draws_no_more_views),
		cmocka_unit_test(scenes_of_any_size_look_the_same),
		cmocka_unit_test(points_that_are_not_finite_spoil_only_themselves),
		cmocka_unit_test(view_too_large_for_the_driver_is_refused),
		cmocka_unit_test(posed_view_shows_the_points_of_the_stack),
	};
	return cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
