/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What single brushes do to shapes whose result is known: draw, clay, scrape, fill, crease, and the elastic grab.
 */
#include "meshes.h"

#include "sculpt/sculpt_internal.h"
#include "sinew/algebra.h"

typedef struct fixture {
	snw_arena *arena;
	sheet grid;
	snw_sculpt *sculpt;
	const double *before, *after;
} fixture;

/* A sheet that is flat but for random heights up to `wild`. */
static void open_fixture(fixture *f, double wild) {
	uint64_t seed = 5;
	f->arena = snw_arena_create();
	f->grid = make_sheet(f->arena, 20, 41, 0);
	for (uint32_t i = 0; i < f->grid.mesh.point_count; i++) {
		((double *)f->grid.mesh.points_rest)[3 * (size_t)i + 1] = wild * random_between(&seed, -1, 1);
	}
	f->sculpt = open_sculpt(&f->grid.mesh, NULL);
	f->before = f->grid.mesh.points_rest;
	f->after = snw_sculpt_get_view(f->sculpt)->points;
}

static void close_fixture(fixture *f) {
	snw_sculpt_destroy(f->sculpt);
	snw_arena_destroy(f->arena);
}

/* One dab at the middle, of even strength within 0.3. */
static void dab(fixture *f, snw_brush_kind kind, bool invert) {
	snw_brush brush = usual_brush(kind, 0.3);
	const snw_ray ray = from_above(0, 1);
	snw_dab one = {.pick = snw_sculpt_pick(f->sculpt, &ray), .pressure = 1};
	snw_error error = {0};
	brush.strength = 1;
	brush.falloff = SNW_FALLOFF_CONSTANT;
	brush.volume = true;
	brush.invert = invert;
	check_ok(snw_sculpt_begin(f->sculpt, &brush, &one.pick, &error), error);
	snw_sculpt_dab(f->sculpt, &one);
	snw_sculpt_end(f->sculpt, NULL);
}

static double rise(const fixture *f, uint32_t point) {
	return f->after[3 * (size_t)point + 1] - f->before[3 * (size_t)point + 1];
}

static double from_middle(const double *points, uint32_t point) {
	return hypot(points[3 * (size_t)point], points[3 * (size_t)point + 2] - 1);
}

/* A sheet seen from above: u goes to the right (x), v away (-z). The left half of the stamp is empty. */
static void alpha_stamps_its_picture_the_right_way_round(void **state) {
	(void)state;
	static const float values[] = {0, 1, 0, 0.5f}; /* the upper row, then the lower one */
	static const snw_brush_alpha alpha = {2, 2, values};
	fixture f;
	open_fixture(&f, 0);
	snw_brush brush = usual_brush(SNW_BRUSH_DRAW, 0.3);
	const snw_ray ray = from_above(0, 1);
	snw_dab one = {.pick = snw_sculpt_pick(f.sculpt, &ray), .pressure = 1};
	snw_error error = {0};
	brush.strength = 1;
	brush.falloff = SNW_FALLOFF_CONSTANT;
	brush.volume = true;
	brush.alpha = &alpha;
	check_ok(snw_sculpt_begin(f.sculpt, &brush, &one.pick, &error), error);
	snw_sculpt_dab(f.sculpt, &one);
	snw_sculpt_end(f.sculpt, NULL);
	double upper = 0, lower = 0;
	for (uint32_t p = 0; p < f.grid.mesh.point_count; p++) {
		const double x = f.before[3 * (size_t)p], z = f.before[3 * (size_t)p + 2] - 1, distance = fabs(rise(&f, p));
		if (x < -0.155) {
			assert_true(distance < 1e-9);
		}
		upper = x > 0.155 && z < -0.155 ? fmax(upper, distance) : upper;
		lower = x > 0.155 && z > 0.155 ? fmax(lower, distance) : lower;
	}
	assert_true(lower > 0 && fabs(upper / lower - 2) < 0.2);
	close_fixture(&f);
}

static void draw_moves_all_points_in_one_direction(void **state) {
	(void)state;
	for (int invert = 0; invert < 2; invert++) {
		fixture f;
		open_fixture(&f, 0.02);
		dab(&f, SNW_BRUSH_DRAW, invert);
		const uint32_t middle = 20 * 41 + 20;
		const double *first = f.after + 3 * (size_t)middle;
		uint32_t count = 0;
		for (uint32_t i = 0; i < f.grid.mesh.point_count; i++) {
			const double step[3] = {f.after[3 * (size_t)i] - f.before[3 * (size_t)i], rise(&f, i),
									f.after[3 * (size_t)i + 2] - f.before[3 * (size_t)i + 2]};
			for (size_t c = 0; c < 3 && snw_length3(step) > 0; c++) {
				check_near(step[c], first[c] - f.before[3 * (size_t)middle + c], 1e-12);
			}
			count += snw_length3(step) > 0;
			assert_true(rise(&f, i) * (invert ? -1 : 1) >= 0);
			check_near(snw_length3(step) > 0 ? snw_length3(step) : 0.015, 0.015, 1e-12); /* a twentieth of the radius */
		}
		assert_true(count > 50);
		close_fixture(&f);
	}
}

/* The least and the largest rise, and how the spread of heights near the middle changes. */
typedef struct change {
	double least, most, spread_before, spread_after;
} change;

static change measure(const fixture *f) {
	change result = {0};
	double low[2] = {1, 1}, high[2] = {-1, -1};
	for (uint32_t i = 0; i < f->grid.mesh.point_count; i++) {
		result.least = fmin(result.least, rise(f, i));
		result.most = fmax(result.most, rise(f, i));
		for (int k = 0; k < 2 && from_middle(f->before, i) < 0.25; k++) {
			const double height = (k ? f->after : f->before)[3 * (size_t)i + 1];
			low[k] = fmin(low[k], height);
			high[k] = fmax(high[k], height);
		}
	}
	result.spread_before = high[0] - low[0];
	result.spread_after = high[1] - low[1];
	return result;
}

static void clay_adds_a_layer_and_evens_it_out(void **state) {
	(void)state;
	for (int invert = 0; invert < 2; invert++) {
		fixture f;
		open_fixture(&f, 0.02);
		dab(&f, SNW_BRUSH_CLAY, invert);
		const change c = measure(&f);
		/* Half of the way to a plane 0.03 above the mean: no point falls, the lowest rises most. */
		assert_true(invert ? c.most < 1e-9 && c.least < -0.02 : c.least > -1e-9 && c.most > 0.02);
		assert_true(c.most < 0.5 * (0.03 + 0.025) && c.least > -0.5 * (0.03 + 0.025));
		check_near(c.spread_after / c.spread_before, 0.5, 0.1);
		close_fixture(&f);
	}
}

static void scrape_lowers_and_fill_raises_alone(void **state) {
	(void)state;
	for (int k = 0; k < 4; k++) {
		const bool invert = k % 2;
		fixture f;
		open_fixture(&f, 0.02);
		dab(&f, k < 2 ? SNW_BRUSH_SCRAPE : SNW_BRUSH_FILL, invert);
		const change c = measure(&f);
		const bool raises = (k >= 2) != invert;
		assert_true(raises ? c.least > -1e-6 && c.most > 0.005 : c.most < 1e-6 && c.least < -0.005);
		assert_true(c.spread_after < 0.85 * c.spread_before);
		close_fixture(&f);
	}
}

static void crease_cuts_and_draws_together_inverted_it_raises(void **state) {
	(void)state;
	for (int invert = 0; invert < 2; invert++) {
		fixture f;
		open_fixture(&f, 0);
		dab(&f, SNW_BRUSH_CREASE, invert);
		uint32_t count = 0;
		for (uint32_t i = 0; i < f.grid.mesh.point_count; i++) {
			const double distance = from_middle(f.before, i);
			if (distance < 0.29) {
				check_near(rise(&f, i), invert ? 0.015 : -0.015, 1e-12);
				assert_true(distance == 0 || from_middle(f.after, i) < 0.95 * distance);
				count++;
			}
		}
		assert_true(count > 50);
		close_fixture(&f);
	}
}

/* ---- the elastic grab ---------------------------------------------------------------------------------------------------- */

static void kelvinlet_moves_its_place_by_the_drag_and_keeps_volumes(void **state) {
	(void)state;
	const double drag[3] = {0.3, -0.2, 0.5}, zero[3] = {0}, scale = 0.7, small = 1e-5;
	double step[3], sides[2][3];
	snw_kelvinlet_grab(scale, zero, drag, step);
	for (int c = 0; c < 3; c++) {
		check_near(step[c], drag[c], 1e-12);
	}
	uint64_t seed = 3;
	for (int k = 0; k < 100; k++) {
		double divergence = 0, place[3];
		for (int c = 0; c < 3; c++) {
			place[c] = random_between(&seed, -2, 2);
		}
		for (int c = 0; c < 3; c++) {
			for (int s = 0; s < 2; s++) {
				double at[3] = {place[0], place[1], place[2]};
				at[c] += s ? small : -small;
				snw_kelvinlet_grab(scale, at, drag, sides[s]);
			}
			divergence += (sides[1][c] - sides[0][c]) / (2 * small);
		}
		check_near(divergence, 0, 1e-8);
	}
}

static void kelvinlet_fades_with_the_fifth_power(void **state) {
	(void)state;
	const double drag[3] = {0, 1, 0};
	double near[3], far[3];
	snw_kelvinlet_grab(1, (double[3]){20, 0, 0}, drag, near);
	snw_kelvinlet_grab(1, (double[3]){40, 0, 0}, drag, far);
	check_near(near[1] / far[1], 32, 1);
}

static double volume_of(const snw_mesh *mesh, const double *points) {
	double sum = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t *corners = mesh->face_points + mesh->face_offsets[f];
		double cross[3];
		snw_cross3(points + 3 * (size_t)corners[1], points + 3 * (size_t)corners[2], cross);
		sum += snw_dot3(points + 3 * (size_t)corners[0], cross) / 6;
	}
	return sum;
}

/* How much a pull at the top of a ball changes its volume. */
static double pull_ball(snw_brush_kind kind, double *top) {
	snw_arena *arena = snw_arena_create();
	const snw_mesh ball = make_ball(arena, 60, 120);
	snw_sculpt *sculpt = open_sculpt(&ball, NULL);
	snw_brush brush = usual_brush(kind, 0.3);
	const snw_ray ray = from_above(0, 0);
	const snw_pick pick = snw_sculpt_pick(sculpt, &ray);
	const snw_dab one = {.pick = pick, .drag = {0, 0.05, 0}, .pressure = 1};
	snw_error error = {0};
	brush.strength = 1;
	brush.volume = true;
	check_ok(snw_sculpt_begin(sculpt, &brush, &pick, &error), error);
	snw_sculpt_dab(sculpt, &one);
	snw_sculpt_end(sculpt, NULL);
	const double *points = snw_sculpt_get_view(sculpt)->points;
	const double difference = fabs(volume_of(&ball, points) - volume_of(&ball, ball.points_rest));
	*top = points[1];
	for (uint32_t i = 0; i < ball.point_count; i++) {
		const double *place = ball.points_rest + 3 * (size_t)i;
		if (hypot(hypot(place[0], place[2]), place[1] - 1) > 3 * brush.radius + 1e-9) {
			assert_memory_equal(points + 3 * (size_t)i, place, 3 * sizeof *place);
		}
	}
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
	return difference;
}

static void elastic_pull_nearly_keeps_the_volume_that_a_grab_changes(void **state) {
	(void)state;
	double top, elastic_top;
	const double by_grab = pull_ball(SNW_BRUSH_GRAB, &top), by_elastic = pull_ball(SNW_BRUSH_ELASTIC, &elastic_top);
	check_near(top, 1.05, 1e-12);
	check_near(elastic_top, 1.05, 1e-12);
	assert_true(by_grab > 1e-3 && by_elastic < 0.25 * by_grab); /* what ends it between two and three radii changes it */
}

/* Its field is wider than the brush, so the fields of both sides overlap where a grab's do not. */
static void elastic_brush_takes_the_point_along_on_both_sides_of_symmetry(void **state) {
	(void)state;
	static const uint32_t columns_from_middle[] = {0, 2, 5, 7, 10, 15};
	for (size_t k = 0; k < sizeof columns_from_middle / sizeof *columns_from_middle; k++) {
		snw_arena *arena = snw_arena_create();
		const sheet grid = make_sheet(arena, 20, 41, 0);
		const uint32_t point = 20 * 41 + 20 + columns_from_middle[k];
		const double *place = grid.mesh.points_rest + 3 * (size_t)point;
		snw_sculpt *sculpt = open_sculpt(&grid.mesh, grid.partners);
		snw_brush brush = usual_brush(SNW_BRUSH_ELASTIC, 0.25);
		const snw_ray ray = from_above(place[0], place[2]);
		const snw_pick pick = snw_sculpt_pick(sculpt, &ray);
		const snw_dab one = {.pick = pick, .drag = {0, 0.05, 0}, .pressure = 1};
		snw_error error = {0};
		brush.strength = 1;
		brush.volume = brush.symmetric = true;
		check_ok(snw_sculpt_begin(sculpt, &brush, &pick, &error), error);
		snw_sculpt_dab(sculpt, &one);
		snw_sculpt_end(sculpt, NULL);
		const double *points = snw_sculpt_get_view(sculpt)->points;
		assert_true(points[3 * (size_t)point + 1] > 0.9 * 0.05 && points[3 * (size_t)point + 1] <= 0.05 * (1 + 1e-12));
		assert_true(points[3 * (size_t)grid.partners[point] + 1] == points[3 * (size_t)point + 1]);
		snw_sculpt_destroy(sculpt);
		snw_arena_destroy(arena);
	}
}

static void brush_that_drags_keeps_the_radius_it_began_with(void **state) {
	(void)state;
	double height[2];
	for (int grows = 0; grows < 2; grows++) {
		fixture f;
		open_fixture(&f, 0);
		snw_brush brush = usual_brush(SNW_BRUSH_ELASTIC, 0.2);
		const snw_ray ray = from_above(0, 1);
		const snw_dab one = {.pick = snw_sculpt_pick(f.sculpt, &ray), .drag = {0, 0.05, 0}, .pressure = 1};
		snw_error error = {0};
		brush.volume = true;
		check_ok(snw_sculpt_begin(f.sculpt, &brush, &one.pick, &error), error);
		snw_sculpt_set_radius(f.sculpt, grows ? 0.6 : 0.2);
		snw_sculpt_dab(f.sculpt, &one);
		snw_sculpt_end(f.sculpt, NULL);
		height[grows] = rise(&f, 20 * 41 + 22);
		close_fixture(&f);
	}
	assert_true(height[0] > 0 && height[1] == height[0]);
}

/* A sheet over another: drawn up it stops below the other, from where it may go back; without the option it goes through. */
static void point_is_not_pushed_through_a_wall(void **state) {
	(void)state;
	for (int stays = 0; stays < 2; stays++) {
		fixture f;
		open_fixture(&f, 0);
		sheet above = make_sheet(f.arena, 20, 41, 0);
		for (uint32_t i = 0; i < above.mesh.point_count; i++) {
			((double *)above.mesh.points_rest)[3 * (size_t)i + 1] = 0.004;
		}
		const snw_sculpt_wall wall = {&above.mesh, above.mesh.points_rest};
		snw_sculpt_set_walls(f.sculpt, 1, &wall, 0.1);
		snw_brush brush = usual_brush(SNW_BRUSH_DRAW, 0.3);
		brush.strength = 1;
		brush.stays_outside = stays;
		const snw_ray ray = from_above(0, 1);
		snw_error error = {0};
		double highest = 0;
		for (int n = 0; n < 12; n++) {
			snw_dab one = {.pick = snw_sculpt_pick(f.sculpt, &ray), .pressure = 1};
			brush.invert = n >= 10;
			check_ok(snw_sculpt_begin(f.sculpt, &brush, &one.pick, &error), error);
			snw_sculpt_dab(f.sculpt, &one);
			snw_sculpt_end(f.sculpt, NULL);
			double top = -INFINITY;
			for (uint32_t p = 0; p < f.grid.mesh.point_count; p++) {
				top = fmax(top, rise(&f, p));
			}
			assert_true(n < 10 || top < highest);
			highest = top;
			assert_true(!stays || top < 0.004);
			assert_true(n != 9 || (stays ? top > 0.0039 : top > 0.008));
		}
		close_fixture(&f);
	}
}

/* On both sides of symmetry. A point that is through at rest already has no side, so it is pushed neither way. */
static void walls_stop_both_sides_of_symmetry(void **state) {
	(void)state;
	fixture f;
	open_fixture(&f, 0);
	const uint32_t through = 20 * 41 + 24, partner = f.grid.partners[through];
	sheet above = make_sheet(f.arena, 20, 41, 0);
	for (uint32_t i = 0; i < above.mesh.point_count; i++) {
		((double *)above.mesh.points_rest)[3 * (size_t)i + 1] = 0.004;
	}
	((double *)f.grid.mesh.points_rest)[3 * (size_t)through + 1] = 0.006;
	snw_sculpt *sculpt = open_sculpt(&f.grid.mesh, f.grid.partners);
	const snw_sculpt_wall wall = {&above.mesh, above.mesh.points_rest};
	snw_sculpt_set_walls(sculpt, 1, &wall, 0.1);
	snw_brush brush = usual_brush(SNW_BRUSH_DRAW, 0.3);
	const snw_ray ray = from_above(0.2, 1);
	snw_error error = {0};
	brush.strength = 1;
	brush.symmetric = brush.stays_outside = true;
	for (int n = 0; n < 12; n++) {
		const snw_dab one = {.pick = snw_sculpt_pick(sculpt, &ray), .pressure = 1};
		brush.invert = n == 11;
		check_ok(snw_sculpt_begin(sculpt, &brush, &one.pick, &error), error);
		snw_sculpt_dab(sculpt, &one);
		snw_sculpt_end(sculpt, NULL);
		const double *points = snw_sculpt_get_view(sculpt)->points;
		for (uint32_t p = 0; p < f.grid.mesh.point_count; p++) {
			assert_true((points[3 * (size_t)p + 1] > 0.004) == (p == through));
		}
		assert_true(n != 10 || points[3 * (size_t)partner + 1] > 0.0039);
	}
	snw_sculpt_destroy(sculpt);
	close_fixture(&f);
}

/* A goal that lies 0.1 above the sheet: one dab of full strength reaches it, to the bit, and nothing beyond its radius moves.
 * Inverted, it goes a tenth of the way away. What is masked stays. */
static void morph_goes_to_its_goal_and_inverted_away(void **state) {
	(void)state;
	for (int invert = 0; invert < 2; invert++) {
		fixture f;
		snw_error error = {0};
		open_fixture(&f, 0.02);
		const uint32_t count = f.grid.mesh.point_count, masked = 20 * 41 + 20;
		double *goal = SNW_NEW_ARRAY(f.arena, double, 3 * (size_t)count), *mask = SNW_NEW_ARRAY(f.arena, double, count);
		for (size_t i = 0; i < 3 * (size_t)count; i++) {
			goal[i] = f.before[i] + (i % 3 == 1 ? 0.1 : 0);
		}
		mask[masked] = 1;
		check_ok(snw_sculpt_reset(f.sculpt, NULL, mask, NULL, &error), error);
		check_ok(snw_sculpt_set_morph(f.sculpt, goal, &error), error);
		dab(&f, SNW_BRUSH_MORPH, invert);
		uint32_t reached = 0;
		for (uint32_t i = 0; i < count; i++) {
			const bool is_reached = from_middle(f.before, i) < 0.28 && i != masked;
			const bool is_beyond = from_middle(f.before, i) > 0.32 || i == masked;
			assert_true(invert || !is_reached || f.after[3 * (size_t)i + 1] == goal[3 * (size_t)i + 1]);
			assert_true(!invert || !is_reached || fabs(rise(&f, i) + 0.01) < 1e-12);
			assert_true(!is_beyond || rise(&f, i) == 0);
			reached += is_reached;
		}
		assert_true(reached > 50);
		close_fixture(&f);
	}
}

/* On both sides, with a goal that is alike on both; without a goal it erases. */
static void morph_works_on_both_sides_and_without_a_goal_erases(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f;
	open_fixture(&f, 0);
	snw_sculpt *sculpt = open_sculpt(&f.grid.mesh, f.grid.partners);
	const double *points = snw_sculpt_get_view(sculpt)->points;
	const uint32_t count = f.grid.mesh.point_count;
	double *goal = SNW_NEW_ARRAY(f.arena, double, 3 * (size_t)count);
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		goal[i] = f.before[i] + (i % 3 == 1 ? 0.1 : 0);
	}
	snw_brush brush = usual_brush(SNW_BRUSH_MORPH, 0.2);
	brush.symmetric = true;
	brush.strength = 0.5;
	check_ok(snw_sculpt_set_morph(sculpt, goal, &error), error);
	stroke_over(sculpt, &brush, 0.5, 0.6, 0.9, 1.1);
	double most = 0;
	for (uint32_t i = 0; i < count; i++) {
		const double height = points[3 * (size_t)i + 1];
		assert_true(height >= 0 && height <= 0.1);
		check_near(height, points[3 * (size_t)f.grid.partners[i] + 1], 0);
		most = fmax(most, height);
	}
	assert_true(most > 0.05);
	check_ok(snw_sculpt_set_morph(sculpt, NULL, &error), error);
	brush.hardness = 0.9;
	for (int k = 0; k < 30; k++) {
		stroke_over(sculpt, &brush, 0.3, 0.8, 0.7, 1.3);
	}
	const uint32_t middle = 20 * 41 + 20 + 11; /* at x 0.55 */
	assert_true(points[3 * (size_t)middle + 1] == 0);
	goal[4] = (double)NAN;
	assert_true(snw_failed(snw_sculpt_set_morph(sculpt, goal, &error)));
	snw_sculpt_destroy(sculpt);
	close_fixture(&f);
}

TEST_GROUP(brushes) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(point_is_not_pushed_through_a_wall),
		cmocka_unit_test(walls_stop_both_sides_of_symmetry),
		cmocka_unit_test(alpha_stamps_its_picture_the_right_way_round),
		cmocka_unit_test(draw_moves_all_points_in_one_direction),
		cmocka_unit_test(clay_adds_a_layer_and_evens_it_out),
		cmocka_unit_test(scrape_lowers_and_fill_raises_alone),
		cmocka_unit_test(crease_cuts_and_draws_together_inverted_it_raises),
		cmocka_unit_test(kelvinlet_moves_its_place_by_the_drag_and_keeps_volumes),
		cmocka_unit_test(kelvinlet_fades_with_the_fifth_power),
		cmocka_unit_test(elastic_pull_nearly_keeps_the_volume_that_a_grab_changes),
		cmocka_unit_test(elastic_brush_takes_the_point_along_on_both_sides_of_symmetry),
		cmocka_unit_test(brush_that_drags_keeps_the_radius_it_began_with),
		cmocka_unit_test(morph_goes_to_its_goal_and_inverted_away),
		cmocka_unit_test(morph_works_on_both_sides_and_without_a_goal_erases),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
