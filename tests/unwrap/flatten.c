/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One chart in the plane, in double precision, before it is packed and stored: lengths over poses, surfaces that can be flat,
 * maps that turn a triangle over, and Newton steps that end too early.
 */
#include "check.h"

#include "random.h"
#include "services/services.h"
#include "sheets.h"
#include "unwrap/unwrapping.h"

typedef struct sheet {
	snw_scene *scene;
	snw_arena *arena;
	snw_services *services;
	unwrap_surface surface;
	unwrap_lengths lengths;
	unwrap_chart chart;
	unwrap_flat flat;
} sheet;

/* The whole surface as a chart, with its lengths at rest. */
static sheet begin(surface_function *on) {
	sheet s = {.scene = sheet_of(on), .arena = snw_arena_create(), .services = snw_services_create(NULL, NULL, NULL, NULL)};
	const snw_mesh *mesh = &s.scene->meshes[0];
	float *points = SNW_NEW_ARRAY(s.arena, float, 3 * (size_t)mesh->point_count);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[i] = (float)mesh->points_rest[i];
	}
	s.surface = unwrap_surface_make(mesh, s.arena);
	s.lengths = unwrap_lengths_make(&s.surface, 1, points, s.arena);
	const bool *seams = unwrap_seams_of_uvs(&s.surface, s.arena);
	const unwrap_charts charts = unwrap_charts_make(&s.surface, seams, s.arena);
	assert_int_equal(charts.count, 1);
	s.chart = unwrap_chart_make(&s.surface, seams, &charts, 0, s.arena);
	assert_true(s.chart.is_flat);
	s.flat.uvs = snw_arena_array(s.arena, s.chart.vertex_count, sizeof *s.flat.uvs);
	return s;
}

static void end(sheet *s) {
	snw_services_destroy(s->services);
	snw_arena_destroy(s->arena);
	snw_scene_destroy(s->scene);
}

static snw_status flatten(sheet *s, bool is_trial) {
	return unwrap_flatten(snw_services_host(s->services), &s->chart, &s->lengths, is_trial, NULL, &s->flat);
}

/* ---- lengths ------------------------------------------------------------------------------------------------------------- */

/* Means of squares over poses that have nothing in common are those of a triangle, and the stretch by them is the mean. */
static void stretch_by_mean_lengths_is_the_mean_over_the_poses(void **state) {
	(void)state;
	enum { POSES = 5 };
	sheet s = begin(on_saddle);
	const uint32_t count = s.scene->meshes[0].point_count;
	float *posed = SNW_NEW_ARRAY(s.arena, float, 3 * (size_t)POSES * count);
	double uvs[3][2] = {{0, 0}, {0.9, 0.1}, {0.3, 1.2}}, largest = 0;
	const double *const corners[3] = {uvs[0], uvs[1], uvs[2]};
	uint64_t random = random_seed();
	for (size_t i = 0; i < 3 * (size_t)POSES * count; i++) {
		posed[i] = (float)random_between(&random, -1, 1);
	}
	const unwrap_lengths mean = unwrap_lengths_make(&s.surface, POSES, posed, s.arena);
	for (uint32_t t = 0; t < s.surface.triangle_count; t++) {
		const double *squares = mean.squares + 3 * (size_t)t;
		unwrap_stretch together = {0}, apart = {0};
		for (int k = 0; k < 3; k++) {
			assert_true(sqrt(squares[k]) < sqrt(squares[(k + 1) % 3]) + sqrt(squares[(k + 2) % 3]));
		}
		unwrap_stretch_add(squares, mean.areas[t], corners, &together);
		for (uint32_t p = 0; p < POSES; p++) {
			double of_pose[3], normal[3];
			unwrap_triangle_squares(&s.surface, t, posed + 3 * (size_t)p * count, of_pose, normal);
			unwrap_stretch_add(of_pose, sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) / 2,
							   corners, &apart);
		}
		largest = fmax(largest, fabs(apart.stretched / POSES - together.stretched) / together.stretched);
	}
	print_message("the largest difference is %.1e of the stretch\n", largest);
	assert_true(largest < 1e-12);
	end(&s);
}

/* ---- maps ---------------------------------------------------------------------------------------------------------------- */

static double twice_area(const sheet *s, uint32_t triangle) {
	const uint32_t *v = s->chart.triangles + 3 * (size_t)triangle;
	const double *a = s->flat.uvs[v[0]], *b = s->flat.uvs[v[1]], *c = s->flat.uvs[v[2]];
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static void expect_none_turned_over(const sheet *s) {
	for (uint32_t t = 0; t < s->chart.triangle_count; t++) {
		assert_true(twice_area(s, t) > 0);
	}
}

static void surfaces_that_can_be_flat_keep_each_length(void **state) {
	(void)state;
	surface_function *const surfaces[] = {on_plane, on_cylinder, on_cone};
	for (int i = 0; i < 3; i++) {
		sheet s = begin(surfaces[i]);
		double largest = 0;
		assert_int_equal(flatten(&s, false), SNW_OK);
		for (size_t c = 0; c < 3 * (size_t)s.chart.triangle_count; c++) {
			const size_t next = c % 3 == 2 ? c - 2 : c + 1;
			const double *a = s.flat.uvs[s.chart.triangles[c]], *b = s.flat.uvs[s.chart.triangles[next]];
			const double length = sqrt(s.lengths.squares[3 * (size_t)s.chart.origins[c / 3] + c % 3]);
			largest = fmax(largest, fabs(hypot(b[0] - a[0], b[1] - a[1]) / length - 1));
		}
		print_message("an edge is at most %.1e of its length longer or shorter\n", largest);
		assert_true(largest < 1e-6);
		expect_none_turned_over(&s);
		end(&s);
	}
}

static void on_needle(double u, double v, double point[3]) {
	point[0] = u;
	point[1] = v;
	point[2] = 4 * exp(-60 * ((u - 0.55) * (u - 0.55) + (v - 0.45) * (v - 0.45)));
}

/* A trial takes none from Tutte's map: so the first of both fails where the conformal map turns a triangle over. */
static void a_chart_whose_conformal_map_turns_over_is_flattened_by_tuttes(void **state) {
	(void)state;
	sheet s = begin(on_needle);
	assert_int_equal(flatten(&s, true), SNW_ERROR_DATA);
	assert_int_equal(flatten(&s, false), SNW_OK);
	print_message("stretch %.4f\n", unwrap_stretch_value(&s.flat.stretch));
	assert_true(unwrap_stretch_value(&s.flat.stretch) < 4);
	expect_none_turned_over(&s);
	end(&s);
}

static void on_long_needle(double u, double v, double point[3]) {
	on_needle(u, v, point);
	point[2] *= 4;
}

/* From Tutte's map, where the needle is smaller than a thousandth of the chart, this takes many steps. */
static void a_long_needle_reaches_its_least_stretch(void **state) {
	(void)state;
	sheet s = begin(on_long_needle);
	assert_int_equal(flatten(&s, false), SNW_OK);
	print_message("stretch %.4f\n", unwrap_stretch_value(&s.flat.stretch));
	assert_false(s.flat.is_short);
	expect_none_turned_over(&s);
	end(&s);
}

/* ---- steps --------------------------------------------------------------------------------------------------------------- */

static double stretch_of(const sheet *s) {
	const unwrap_stretch sum = unwrap_chart_stretch(&s->chart, &s->lengths, (const double(*)[2])s->flat.uvs);
	return unwrap_stretch_value(&sum);
}

static void steps_that_end_before_the_least_stretch_say_so(void **state) {
	(void)state;
	sheet s = begin(on_needle);
	unwrap_problem p = {.chart = &s.chart, .host = snw_services_host(s.services)};
	bool is_least = true;
	for (size_t c = 0; c < 3 * (size_t)s.chart.triangle_count; c++) { /* seen from above */
		const uint32_t point = s.scene->meshes[0].face_points[s.surface.triangles[3 * (size_t)s.chart.origins[c / 3] + c % 3]];
		memcpy(s.flat.uvs[s.chart.triangles[c]], s.scene->meshes[0].points_rest + 3 * (size_t)point, sizeof *s.flat.uvs);
	}
	unwrap_elements_make(&p, &s.lengths, s.arena);
	unwrap_pattern_make(&p, s.arena);
	const double first = stretch_of(&s);
	assert_int_equal(unwrap_stretch_reduce(&p, 3, s.flat.uvs, &is_least), SNW_OK);
	const double soon = stretch_of(&s);
	assert_false(is_least);
	expect_none_turned_over(&s);
	assert_int_equal(unwrap_stretch_reduce(&p, 400, s.flat.uvs, &is_least), SNW_OK);
	const double last = stretch_of(&s);
	print_message("stretch %.4f, after 3 steps %.4f, at last %.4f\n", first, soon, last);
	assert_true(is_least && last < soon && soon < first);
	expect_none_turned_over(&s);
	snk_factor_release(&p.factor);
	end(&s);
}

TEST_GROUP(unwrap_flatten) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stretch_by_mean_lengths_is_the_mean_over_the_poses),
		cmocka_unit_test(surfaces_that_can_be_flat_keep_each_length),
		cmocka_unit_test(a_chart_whose_conformal_map_turns_over_is_flattened_by_tuttes),
		cmocka_unit_test(a_long_needle_reaches_its_least_stretch),
		cmocka_unit_test(steps_that_end_before_the_least_stretch_say_so),
	};
	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
