/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the renderer that need no GPU: triangles, edges, the heat ramp, framing, text.
 */
#include "mesh/mesh.h"
#include "program/fixture.h"
#include "render/mesh/gpu_mesh.h"
#include "render/overlay/canvas.h"
#include "render/render.h"
#include "render/view/view.h"

/* ---- triangles ---------------------------------------------------------------------------------------------------- */

static double triangle_area(const double *points, const uint32_t *t) {
	const double *a = points + 3 * t[0], *b = points + 3 * t[1], *c = points + 3 * t[2];
	return ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
}

/* In the plane z = 0, counter-clockwise: no triangle is folded over, and the areas sum to the polygon's. */
static void check_polygon(const double *points, uint32_t count) {
	uint32_t corners[64] = {0}, triangles[192], scratch[64];
	double whole = 0, sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		const double *a = points + 3 * i, *b = points + 3 * ((i + 1) % count);
		corners[i] = i;
		whole += (a[0] * b[1] - a[1] * b[0]) / 2;
	}
	snw_polygon_triangulate(points, corners, count, triangles, scratch);
	for (uint32_t t = 0; t < count - 2; t++) {
		const double area = triangle_area(points, triangles + 3 * t);
		assert_true(area >= 0);
		sum += area;
	}
	check_near(sum, whole, 1e-12);
}

static void concave_quad_is_cut_inside(void **state) {
	(void)state;
	const double dart[4][2] = {{0, 0}, {2, -1}, {0.5, 0}, {2, 1}};
	for (uint32_t first = 0; first < 4; first++) { /* the notch at each corner in turn */
		double points[12] = {0};
		for (uint32_t i = 0; i < 4; i++) {
			points[3 * i] = dart[(first + i) % 4][0];
			points[3 * i + 1] = dart[(first + i) % 4][1];
		}
		check_polygon(points, 4);
	}
}

static void star_is_cut_inside(void **state) {
	(void)state;
	double points[60] = {0};
	for (uint32_t i = 0; i < 20; i++) {
		const double angle = 6.283185307179586 * i / 20, radius = i % 2 ? 0.3 : 1;
		points[3 * i] = radius * cos(angle);
		points[3 * i + 1] = radius * sin(angle);
	}
	check_polygon(points, 20);
}

static void random_polygon_is_cut_inside(void **state) {
	(void)state;
	uint64_t random = random_seed();
	for (int round = 0; round < 200; round++) {
		double points[180] = {0};
		const uint32_t count = 3 + random_below(&random, 50);
		for (uint32_t i = 0; i < count; i++) {
			const double angle = 6.283185307179586 * i / count, radius = random_between(&random, 0.1, 1);
			points[3 * i] = radius * cos(angle);
			points[3 * i + 1] = radius * sin(angle);
		}
		check_polygon(points, count);
	}
}

static void edges_are_those_of_polygons(void **state) {
	(void)state;
	static const double points[18] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0};
	static const uint32_t offsets[3] = {0, 4, 8}, corners[8] = {0, 1, 2, 3, 1, 4, 5, 2};
	const snw_mesh mesh = {
		.point_count = 6, .points_rest = points, .face_count = 2, .face_offsets = offsets, .face_points = corners};
	snw_arena *arena = snw_arena_create();
	const snw_faces *faces = snw_faces_make(&mesh, arena);
	assert_int_equal(faces->edge_count, 7); /* no diagonals, the shared one once */
	assert_int_equal(faces->triangle_count, 4);
	assert_int_equal(faces->around[3 * 1 + 1], 2);
	snw_arena_destroy(arena);
}

static void triangles_are_sorted_by_material(void **state) {
	(void)state;
	static const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	static const uint32_t offsets[5] = {0, 3, 6, 9, 12}, corners[12] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
	static const uint32_t materials[4] = {2, SNW_NONE, 0, 2};
	const snw_mesh mesh = {.point_count = 3,
						   .points_rest = points,
						   .face_count = 4,
						   .face_offsets = offsets,
						   .face_points = corners,
						   .face_materials = materials};
	snw_arena *arena = snw_arena_create();
	const snw_faces *faces = snw_faces_make(&mesh, arena);
	assert_int_equal(faces->material_span_count, 3);
	assert_int_equal(faces->material_spans[0].material, SNW_NONE);
	assert_int_equal(faces->material_spans[0].count, 3);
	assert_int_equal(faces->triangle_corners[faces->material_spans[0].begin], 3);
	assert_int_equal(faces->material_spans[1].material, 0);
	assert_int_equal(faces->material_spans[2].material, 2);
	assert_int_equal(faces->material_spans[2].count, 6);
	snw_arena_destroy(arena);
}

/* ---- the heat ramp ------------------------------------------------------------------------------------------------ */

static double luminance(const unsigned char color[3]) {
	static const double share[3] = {0.2126, 0.7152, 0.0722};
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		const double v = color[c] / 255.0;
		sum += share[c] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static void heat_ramp_falls_in_luminance_all_the_way(void **state) {
	(void)state;
	unsigned char ramp[SNW_HEAT_STEPS][3];
	snw_heat_ramp(ramp);
	for (int i = 1; i < SNW_HEAT_STEPS; i++) {
		assert_true(luminance(ramp[i]) < luminance(ramp[i - 1]));
	}
	/* Even steps of lightness: CIE L* at the middle lies halfway. */
	const double low = cbrt(luminance(ramp[0])), middle = cbrt(luminance(ramp[127])), high = cbrt(luminance(ramp[255]));
	check_near(middle, (low + high) / 2, 0.03);
}

static void heat_range_ignores_values_that_are_not_finite(void **state) {
	(void)state;
	const double values[4] = {NAN, 3, -INFINITY, -1};
	double minimum = INFINITY, maximum = -INFINITY;
	snw_heat_range_add(values, 4, &minimum, &maximum);
	assert_true(minimum == -1 && maximum == 3);
}

static void round_steps_are_1_2_or_5(void **state) {
	(void)state;
	check_near(snw_legend_round_step(38, 5), 10, 1e-9);
	check_near(snw_legend_round_step(1, 5), 0.2, 1e-9);
	check_near(snw_legend_round_step(0.0021, 5), 0.0005, 1e-12);
	check_near(snw_legend_round_step(1e-9, 5), 2e-10, 1e-18);
}

/* ---- framing ------------------------------------------------------------------------------------------------------ */

static void check_framed(double size, double distance, double aspect, uint64_t seed) {
	uint64_t random = seed;
	double points[300];
	for (int i = 0; i < 300; i++) {
		points[i] = distance + size * random_between(&random, -1, 1);
	}
	snw_camera camera = {.yaw = random_between(&random, -3, 3), .pitch = random_between(&random, -1, 1)};
	snw_camera_fit(&camera, points, 100, aspect);
	snw_box box = snw_box_empty();
	for (int i = 0; i < 100; i++) {
		snw_box_add(&box, points + 3 * i);
	}
	snw_camera_matrices m;
	snw_camera_matrices_make(&camera, aspect, &box, &m);
	double widest = 0;
	for (int i = 0; i < 100; i++) {
		double clip[4];
		for (int r = 0; r < 4; r++) {
			clip[r] = (double)m.clip_from_world[12 + r];
			for (int c = 0; c < 3; c++) {
				clip[r] += (double)m.clip_from_world[4 * c + r] * points[3 * i + c];
			}
		}
		assert_true(clip[3] > 0);
		assert_true(fabs(clip[2]) <= clip[3]);
		widest = fmax(widest, fmax(fabs(clip[0]), fabs(clip[1])) / clip[3]);
	}
	assert_true(widest < 0.9 && widest > 0.7);
}

static void framed_points_fill_the_picture(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (uint64_t i = 0; i < 20; i++) {
		check_framed(1, 0, 0.5 + 0.1 * (double)i, seed + i);
		check_framed(1e6, 0, 1.5, seed + i);
		check_framed(1e-5, 0, 1, seed + i);
		check_framed(1, 20, 1, seed + i);
	}
}

static void framed_points_keep_to_their_margins(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	const snw_camera_margins margins = {0.05, 0.3, 0.1, 0.15};
	for (uint64_t i = 0; i < 20; i++) {
		uint64_t random = seed + i;
		double points[90], left = 2, right = -2, below = 2, above = -2;
		snw_box box = snw_box_empty();
		for (size_t c = 0; c < 90; c++) {
			points[c] = random_between(&random, -1, 1);
		}
		for (size_t p = 0; p < 30; p++) {
			snw_box_add(&box, points + 3 * p);
		}
		const double aspect = 0.5 + 0.1 * (double)i;
		snw_camera camera = {.yaw = random_between(&random, -3, 3), .pitch = random_between(&random, -1, 1)};
		snw_camera_fit_within(&camera, points, 30, aspect, &margins);
		snw_camera_matrices m;
		snw_camera_matrices_make(&camera, aspect, &box, &m);
		for (size_t p = 0; p < 30; p++) {
			double clip[4];
			for (size_t r = 0; r < 4; r++) {
				clip[r] = (double)m.clip_from_world[12 + r];
				for (size_t c = 0; c < 3; c++) {
					clip[r] += (double)m.clip_from_world[4 * c + r] * points[3 * p + c];
				}
			}
			left = fmin(left, clip[0] / clip[3]);
			right = fmax(right, clip[0] / clip[3]);
			below = fmin(below, clip[1] / clip[3]);
			above = fmax(above, clip[1] / clip[3]);
		}
		const double slack[4] = {left - (2 * margins.start - 1), 1 - 2 * margins.end - right, below - (2 * margins.below - 1),
								 1 - 2 * margins.above - above};
		for (int s = 0; s < 4; s++) {
			assert_true(slack[s] > -1e-4);
		}
		assert_true(fmin(fmax(slack[0], slack[1]), fmax(slack[2], slack[3])) < 1e-4); /* one direction is filled */
	}
}

static void nothing_and_a_single_point_are_framed(void **state) {
	(void)state;
	const double point[3] = {1, 2, 3};
	snw_camera camera = {0};
	snw_camera_fit(&camera, NULL, 0, 1);
	assert_true(camera.distance > 0);
	snw_camera_fit(&camera, point, 1, 1);
	assert_true(camera.distance > 0 && isfinite(camera.distance));
	check_near(camera.target[1], 2, 1e-9);
}

static void yaw_zero_looks_along_minus_z(void **state) {
	(void)state;
	const snw_camera camera = {.distance = 5};
	const snw_box box = snw_box_empty();
	snw_camera_matrices m;
	snw_camera_matrices_make(&camera, 1, &box, &m);
	check_near(m.eye[2], 5, 1e-6);
	check_near(m.eye[0], 0, 1e-6);
	const snw_camera left = {.distance = 5, .yaw = 1.5707963, .pitch = 0.5};
	snw_camera_matrices_make(&left, 1, &box, &m);
	assert_true(m.eye[0] > 4 && m.eye[1] > 2);
}

/* ---- text --------------------------------------------------------------------------------------------------------- */

static void check_text(snw_font *font) {
	enum { SIDE = 64 };
	unsigned char pixels[4 * SIDE * SIDE];
	memset(pixels, 255, sizeof pixels);
	const snw_canvas inner = {pixels + 4ul * (16 * SIDE + 16), SIDE, 32, 32};
	const snw_ink black = {0, 0, 0, 255};
	snw_font_draw(font, &inner, -10, 40, 40, black, "M\xc2\xb0\xff");
	snw_font_draw(font, &inner, 2, 20, 18, black, "Mg");
	size_t inside = 0;
	for (int i = 0; i < SIDE * SIDE; i++) {
		const int x = i % SIDE, y = i / SIDE;
		const bool is_inside = x >= 16 && x < 48 && y >= 16 && y < 48;
		const bool inked = pixels[4 * i] < 128;
		assert_true(is_inside || !inked);
		inside += inked;
	}
	assert_true(inside > 20);
	assert_true(snw_font_width(font, 20, "wide words") > snw_font_width(font, 20, "i"));
	snw_font_close(font);
}

static void text_leaves_ink_inside_its_canvas_alone(void **state) {
	(void)state;
	check_text(snw_font_open(NULL));
}

static void text_without_a_font_is_drawn(void **state) {
	(void)state;
	check_text(snw_font_open("/nowhere/at/all.ttf"));
}

/* ---- without OpenGL ----------------------------------------------------------------------------------------------- */

static void missing_opengl_is_an_error_with_a_message(void **state) {
	(void)state;
	snw_renderer *renderer = NULL;
	snw_error error;
	setenv("SDL_VIDEODRIVER", "dummy", 1); /* the driver that has none */
	assert_int_equal(snw_renderer_create(&renderer, &error), SNW_ERROR_UNSUPPORTED);
	unsetenv("SDL_VIDEODRIVER");
	assert_null(renderer);
	assert_non_null(strstr(error.text, "OpenGL"));
}

/* ---- fields -------------------------------------------------------------------------------------------------------- */

/* Two quads side by side, sharing points 1 and 4, and a point of its own. */
static const uint32_t quad_offsets[] = {0, 4, 8}, quad_points[] = {0, 1, 4, 3, 1, 2, 5, 4};

static bool show(snw_field *field, double *numbers, snw_view *view, snw_shown_field *shown) {
	snw_mesh mesh = {.point_count = 7, .face_count = 2};
	mesh.face_offsets = (uint32_t *)quad_offsets;
	mesh.face_points = (uint32_t *)quad_points;
	snw_scene scene = {.meshes = &mesh, .mesh_count = 1, .fields = field, .field_count = 1};
	view->scene = &scene;
	shown->numbers = (double *[]){numbers};
	const bool is_shown = snw_view_show_field(view, field->name, shown);
	view->scene = NULL;
	return is_shown;
}

static void field_over_faces_shows_at_points_as_their_mean(void **state) {
	(void)state;
	double values[] = {3, 0, 4, 0, 0, 1}, numbers[21]; /* metres: lengths 5 and 1 */
	const double *heat[1], wanted[] = {5000, 3000, 1000, 5000, 3000, 1000};
	snw_field field = {.name = "a.b", .domain = SNW_DOMAIN_FACES, .components = 3, .count = 2, .values = values, .unit = "m"};
	snw_view view = {0};
	snw_shown_field shown = {.heat = heat};
	assert_true(show(&field, numbers, &view, &shown));
	assert_false(view.heat_is_color);
	assert_string_equal(shown.label, "a.b (length, mm)");
	for (int i = 0; i < 6; i++) {
		check_near(heat[0][i], wanted[i], 1e-12);
	}
	check_near(view.heat_minimum, 1000, 1e-12);
	check_near(view.heat_maximum, 5000, 1e-12);
}

static void colours_over_faces_mix_at_their_edge(void **state) {
	(void)state;
	double values[] = {1, 0, 0, 0, 0.5, 1}, numbers[21];
	const double *heat[1];
	snw_field field = {
		.name = "a.c", .domain = SNW_DOMAIN_FACES, .components = 3, .count = 2, .values = values, .unit = SNW_UNIT_COLOR};
	snw_view view = {0};
	snw_shown_field shown = {.heat = heat};
	assert_true(show(&field, numbers, &view, &shown));
	assert_true(view.heat_is_color);
	for (size_t k = 0; k < 3; k++) {
		check_near(heat[0][k], values[k], 1e-15);
		check_near(heat[0][3 + k], (values[k] + values[3 + k]) / 2, 1e-15);
		check_near(heat[0][6 + k], values[3 + k], 1e-15);
	}
	field.domain = SNW_DOMAIN_FRAMES;
	assert_false(show(&field, numbers, &view, &shown));
}

TEST_GROUP(parts) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(concave_quad_is_cut_inside),
		cmocka_unit_test(star_is_cut_inside),
		cmocka_unit_test(random_polygon_is_cut_inside),
		cmocka_unit_test(edges_are_those_of_polygons),
		cmocka_unit_test(triangles_are_sorted_by_material),
		cmocka_unit_test(heat_ramp_falls_in_luminance_all_the_way),
		cmocka_unit_test(heat_range_ignores_values_that_are_not_finite),
		cmocka_unit_test(round_steps_are_1_2_or_5),
		cmocka_unit_test(framed_points_fill_the_picture),
		cmocka_unit_test(framed_points_keep_to_their_margins),
		cmocka_unit_test(nothing_and_a_single_point_are_framed),
		cmocka_unit_test(yaw_zero_looks_along_minus_z),
		cmocka_unit_test(text_leaves_ink_inside_its_canvas_alone),
		cmocka_unit_test(text_without_a_font_is_drawn),
		cmocka_unit_test(missing_opengl_is_an_error_with_a_message),
		cmocka_unit_test(field_over_faces_shows_at_points_as_their_mean),
		cmocka_unit_test(colours_over_faces_mix_at_their_edge),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
