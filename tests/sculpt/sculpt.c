/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpting: the properties of each brush, symmetry, strokes and aborting them, the same bits on any number of threads.
 */
#include "meshes.h"

#include "sinew/algebra.h"
#include "task/task.h"

static double apart(const double *a, const double *b) {
	const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return snw_length3(d);
}

static void grab_full_strength_moves_center_exactly_by_drag(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0.1);
	snw_sculpt *sculpt = open_sculpt(&grid.mesh, NULL);
	const uint32_t middle = 20 * 41 + 11;
	const double *center = grid.mesh.points_rest + 3 * (size_t)middle;
	const snw_ray ray = from_above(center[0], center[2]);
	const snw_pick pick = snw_sculpt_pick(sculpt, &ray);
	assert_int_equal(pick.point, middle);
	snw_brush brush = usual_brush(SNW_BRUSH_GRAB, 0.3);
	brush.strength = 1;
	snw_error error = {0};
	check_ok(snw_sculpt_begin(sculpt, &brush, &pick, &error), error);
	/* Back and forth: only the mouse's position counts, not its path. */
	const double drags[][3] = {{0.5, 0.25, 0}, {-1, 0, 2}, {0.125, 0.0625, -0.25}};
	for (int k = 0; k < 3; k++) {
		snw_dab dab = {.pick = pick, .pressure = 1};
		memcpy(dab.drag, drags[k], sizeof dab.drag);
		snw_sculpt_dab(sculpt, &dab);
	}
	bool changed = false;
	snw_sculpt_end(sculpt, &changed);
	assert_true(changed);
	const double *displaced = snw_sculpt_get_view(sculpt)->points + 3 * (size_t)middle;
	for (int c = 0; c < 3; c++) {
		check_near(displaced[c] - center[c], drags[2][c], 1e-12);
	}
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void falloff_distance_rises_weight_never_rises(void **state) {
	(void)state;
	for (int falloff = 0; falloff < SNW_FALLOFF_COUNT; falloff++) {
		for (double hardness = 0; hardness <= 1; hardness += 0.25) {
			double last = 1;
			assert_true(snw_falloff_weight(falloff, hardness, 0, 2) == 1);
			for (int k = 1; k <= 1000; k++) {
				const double weight = snw_falloff_weight(falloff, hardness, 2.0 * k / 1000, 2);
				assert_true(weight >= 0 && weight <= last);
				last = weight;
			}
			assert_true(last == 0);
		}
	}
}

/* The formulas that the window shows, at 0.36 of the way to the radius, and with hardness at 0.36 of what it leaves. */
static void falloffs_are_their_formulas(void **state) {
	(void)state;
	static const double weights[SNW_FALLOFF_COUNT] = {
		1 - 3 * 0.36 * 0.36 + 2 * 0.36 * 0.36 * 0.36, 0.93295230317525, 0.8, 0.64, 0.64 * 0.64, 1};
	for (int falloff = 0; falloff < SNW_FALLOFF_COUNT; falloff++) {
		check_near(snw_falloff_weight(falloff, 0, 0.72, 2), weights[falloff], 1e-12);
		check_near(snw_falloff_weight(falloff, 0.5, 1.36, 2), weights[falloff], 1e-12);
	}
}

/* How far points stand from the mean of their neighbours on the sheet, inside. */
static double roughness(const sheet *grid, uint32_t columns, const double *points) {
	double sum = 0;
	for (uint32_t r = 1; r + 1 < grid->mesh.point_count / columns; r++) {
		for (uint32_t c = 1; c + 1 < columns; c++) {
			const uint32_t i = r * columns + c, around[4] = {i - 1, i + 1, i - columns, i + columns};
			for (size_t k = 0; k < 3; k++) {
				double mean = 0;
				for (int n = 0; n < 4; n++) {
					mean += points[3 * (size_t)around[n] + k] / 4;
				}
				sum += (points[3 * (size_t)i + k] - mean) * (points[3 * (size_t)i + k] - mean);
			}
		}
	}
	return sum;
}

static void smooth_bumps_become_less(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	sheet grid = make_sheet(arena, 20, 41, 0);
	double *points = (double *)grid.mesh.points_rest;
	uint64_t seed = 7;
	for (uint32_t i = 0; i < grid.mesh.point_count; i++) {
		points[3 * (size_t)i + 1] = 0.02 * random_between(&seed, 0, 1);
	}
	snw_sculpt *sculpt = open_sculpt(&grid.mesh, NULL);
	const snw_brush brush = usual_brush(SNW_BRUSH_SMOOTH, 3);
	const double before = roughness(&grid, 41, points);
	stroke_over(sculpt, &brush, 0, 1, 0.1, 1);
	assert_true(roughness(&grid, 41, snw_sculpt_get_view(sculpt)->points) < 0.2 * before);
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void smooth_and_relax_plane_stays_plane(void **state) {
	(void)state;
	const snw_brush_kind kinds[] = {SNW_BRUSH_SMOOTH, SNW_BRUSH_RELAX, SNW_BRUSH_FLATTEN, SNW_BRUSH_SCRAPE,
									SNW_BRUSH_FILL,   SNW_BRUSH_PINCH, SNW_BRUSH_SLIDE};
	for (int k = 0; k < 7; k++) {
		snw_arena *arena = snw_arena_create();
		sheet grid = make_sheet(arena, 10, 21, 0);
		double *points = (double *)grid.mesh.points_rest;
		uint64_t seed = 11;
		for (uint32_t i = 0; i < grid.mesh.point_count; i++) {
			points[3 * (size_t)i] += 0.03 * random_between(&seed, 0, 1);
			points[3 * (size_t)i + 2] += 0.03 * random_between(&seed, 0, 1);
		}
		snw_sculpt *sculpt = open_sculpt(&grid.mesh, NULL);
		const snw_brush brush = usual_brush(kinds[k], 0.7);
		stroke_over(sculpt, &brush, -0.4, 1, 0.4, 1.1);
		double displaced = 0;
		for (uint32_t i = 0; i < grid.mesh.point_count; i++) {
			check_near(snw_sculpt_get_view(sculpt)->points[3 * (size_t)i + 1], 0, 1e-15);
			displaced += apart(snw_sculpt_get_view(sculpt)->points + 3 * (size_t)i, points + 3 * (size_t)i);
		}
		const bool acts_along_plane = kinds[k] < SNW_BRUSH_FLATTEN || kinds[k] > SNW_BRUSH_FILL;
		assert_true(!acts_along_plane || displaced > 0.01);
		snw_sculpt_destroy(sculpt);
		snw_arena_destroy(arena);
	}
}

static void inflate_ball_moves_outward_inverted_inward(void **state) {
	(void)state;
	for (int invert = 0; invert < 2; invert++) {
		snw_arena *arena = snw_arena_create();
		const snw_mesh ball = make_ball(arena, 24, 48);
		snw_sculpt *sculpt = open_sculpt(&ball, NULL);
		snw_brush brush = usual_brush(SNW_BRUSH_INFLATE, 0.5);
		brush.invert = invert;
		stroke_over(sculpt, &brush, 0, 0, 0.1, 0);
		uint32_t count = 0;
		for (uint32_t i = 0; i < ball.point_count; i++) {
			const double radius = snw_length3(snw_sculpt_get_view(sculpt)->points + 3 * (size_t)i);
			assert_true(invert ? radius <= 1 + 1e-12 : radius >= 1 - 1e-12);
			count += fabs(radius - 1) > 1e-3;
		}
		assert_true(count > 50 && count < ball.point_count / 4);
		snw_sculpt_destroy(sculpt);
		snw_arena_destroy(arena);
	}
}

static void flatten_waves_come_nearer_to_plane(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 40, 81, 0.05);
	snw_sculpt *sculpt = open_sculpt(&grid.mesh, NULL);
	snw_brush brush = usual_brush(SNW_BRUSH_FLATTEN, 5);
	brush.falloff = SNW_FALLOFF_CONSTANT;
	brush.volume = true;
	brush.strength = 1;
	stroke_over(sculpt, &brush, 0, 1, 0, 1);
	double least = 1, most = -1;
	for (uint32_t i = 0; i < grid.mesh.point_count; i++) {
		least = fmin(least, snw_sculpt_get_view(sculpt)->points[3 * (size_t)i + 1]);
		most = fmax(most, snw_sculpt_get_view(sculpt)->points[3 * (size_t)i + 1]);
	}
	assert_true(most - least < 0.07); /* of 0.1 */
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void slide_wavy_sheet_points_stay_on_surface(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh ball = make_ball(arena, 60, 120);
	snw_sculpt *sculpt = open_sculpt(&ball, NULL);
	snw_brush brush = usual_brush(SNW_BRUSH_SLIDE, 0.6);
	brush.strength = 1;
	stroke_over(sculpt, &brush, -0.3, 0, 0.3, 0);
	double displaced = 0;
	for (uint32_t i = 0; i < ball.point_count; i++) {
		const double *point = snw_sculpt_get_view(sculpt)->points + 3 * (size_t)i;
		const double radius = snw_length3(point);
		assert_true(radius < 1 + 1e-9 && radius > 0.997); /* between the ball and its facets */
		displaced = fmax(displaced, apart(point, ball.points_rest + 3 * (size_t)i));
	}
	assert_true(displaced > 0.2);
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void erase_after_sculpting_brings_back_every_bit(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0.1);
	snw_sculpt *sculpt = open_sculpt(&grid.mesh, grid.partners);
	for (int kind = SNW_BRUSH_GRAB; kind < SNW_BRUSH_ERASE; kind++) {
		snw_brush brush = usual_brush(kind, 0.4);
		brush.symmetric = true;
		stroke_over(sculpt, &brush, -0.5, 0.5, -0.3, 1.5);
	}
	assert_memory_not_equal(snw_sculpt_get_view(sculpt)->points, grid.mesh.points_rest,
							3 * grid.mesh.point_count * sizeof(double));
	snw_brush brush = usual_brush(SNW_BRUSH_ERASE, 5);
	brush.hardness = 0.5;
	for (int k = 0; k < 25; k++) { /* half of the way each, until rounding would have the last word */
		stroke_over(sculpt, &brush, 0, 1, 0, 1);
	}
	assert_memory_equal(snw_sculpt_get_view(sculpt)->points, grid.mesh.points_rest, 3 * grid.mesh.point_count * sizeof(double));
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void check_symmetric(const sheet *grid, const snw_sculpt *sculpt, double tolerance) {
	const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
	for (uint32_t i = 0; i < grid->mesh.point_count; i++) {
		const double *a = view->points + 3 * (size_t)i, *b = view->points + 3 * (size_t)grid->partners[i];
		check_near(a[0], -b[0], tolerance);
		check_near(a[1], b[1], tolerance);
		check_near(a[2], b[2], tolerance);
		assert_true(view->mask[i] == view->mask[grid->partners[i]]);
		assert_true(view->field[i] == view->field[grid->partners[i]]);
	}
}

static void symmetry_one_side_sculpted_both_are_exact(void **state) {
	(void)state;
	for (int volume = 0; volume < 2; volume++) {
		for (int kind = 0; kind < SNW_BRUSH_COUNT; kind++) {
			snw_arena *arena = snw_arena_create();
			const sheet grid = make_sheet(arena, 20, 41, 0.1);
			snw_sculpt *sculpt = open_sculpt(&grid.mesh, grid.partners);
			snw_brush brush = usual_brush(kind, 0.35);
			brush.symmetric = true;
			brush.volume = volume;
			stroke_over(sculpt, &brush, -0.8, 0.5, 0.25, 1.25); /* over the middle */
			if (kind != SNW_BRUSH_ERASE && kind != SNW_BRUSH_MORPH && kind != SNW_BRUSH_SOFTEN && kind != SNW_BRUSH_BLUR) {
				const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
				bool displaced = memcmp(view->points, grid.mesh.points_rest, 3 * view->point_count * sizeof(double)) != 0;
				for (uint32_t i = 0; i < view->point_count; i++) {
					displaced |= view->mask[i] != 0 || view->field[i] != 0;
				}
				assert_true(displaced);
			}
			/* Relax keeps to the faces, and a bent quad's two triangles are not symmetric. */
			check_symmetric(&grid, sculpt, kind == SNW_BRUSH_RELAX ? 1e-4 : 0);
			snw_sculpt_destroy(sculpt);
			snw_arena_destroy(arena);
		}
	}
}

static void mask_full_guards_every_bit(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0.1);
	snw_sculpt *sculpt = open_sculpt(&grid.mesh, NULL);
	snw_brush mask = usual_brush(SNW_BRUSH_MASK, 0.4);
	mask.strength = 1;
	mask.hardness = 0.7;
	stroke_over(sculpt, &mask, -0.5, 1, 0, 1);
	const snw_brush brush = usual_brush(SNW_BRUSH_INFLATE, 0.5);
	stroke_over(sculpt, &brush, -0.5, 1, 0.5, 1);
	uint32_t guarded = 0, displaced = 0;
	const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
	for (uint32_t i = 0; i < view->point_count; i++) {
		const bool same = memcmp(view->points + 3 * (size_t)i, grid.mesh.points_rest + 3 * (size_t)i, 3 * sizeof(double)) == 0;
		guarded += view->mask[i] == 1;
		displaced += !same;
		assert_true(view->mask[i] < 1 || same);
	}
	assert_true(guarded > 50 && displaced > 50);
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void paint_full_strength_reaches_value_and_blur_evens_it(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0);
	snw_sculpt *sculpt = open_sculpt(&grid.mesh, NULL);
	snw_brush brush = usual_brush(SNW_BRUSH_PAINT, 0.3);
	brush.strength = 1;
	brush.falloff = SNW_FALLOFF_CONSTANT;
	brush.value = -3.25;
	stroke_over(sculpt, &brush, 0, 1, 0, 1);
	const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
	double jump = 0, after = 0;
	for (uint32_t i = 0; i + 1 < view->point_count; i++) {
		assert_true(view->field[i] == 0 || view->field[i] == -3.25);
		jump = fmax(jump, fabs(view->field[i + 1] - view->field[i]));
	}
	assert_true(jump == 3.25);
	const snw_brush held = snw_brush_with_keys(&brush, true, false);
	assert_int_equal(held.kind, SNW_BRUSH_BLUR);
	snw_brush wide = held;
	wide.radius = 3;
	stroke_over(sculpt, &wide, 0, 1, 0, 1);
	for (uint32_t i = 0; i + 1 < view->point_count; i++) {
		after = fmax(after, fabs(view->field[i + 1] - view->field[i]));
	}
	assert_true(after < 0.5 * jump);
	assert_memory_equal(view->points, grid.mesh.points_rest, 3 * view->point_count * sizeof(double));
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void abort_any_brush_restores_every_bit(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0.1);
	for (int kind = 0; kind < SNW_BRUSH_COUNT; kind++) {
		snw_sculpt *sculpt = open_sculpt(&grid.mesh, grid.partners);
		snw_brush brush = usual_brush(SNW_BRUSH_INFLATE, 0.5);
		stroke_over(sculpt, &brush, -0.5, 1, 0, 1);
		brush.kind = SNW_BRUSH_PAINT;
		stroke_over(sculpt, &brush, -0.5, 1, 0, 1);
		const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
		const size_t bytes = view->point_count * sizeof(double);
		double *points = snw_arena_copy(arena, view->points, 3 * bytes), *field = snw_arena_copy(arena, view->field, bytes);
		float *normals = snw_arena_copy(arena, view->normals, 3 * view->point_count * sizeof(float));
		brush = usual_brush(kind, 0.4);
		brush.symmetric = true;
		snw_ray ray = from_above(0.2, 1);
		const snw_pick pick = snw_sculpt_pick(sculpt, &ray);
		snw_error error = {0};
		check_ok(snw_sculpt_begin(sculpt, &brush, &pick, &error), error);
		for (int k = 0; k < 8; k++) {
			ray = from_above(0.2 - 0.05 * k, 1);
			snw_sculpt_move(sculpt, &ray, NULL, 1);
		}
		snw_sculpt_abort(sculpt);
		assert_false(snw_sculpt_is_stroking(sculpt));
		assert_memory_equal(view->points, points, 3 * bytes);
		assert_memory_equal(view->field, field, bytes);
		assert_memory_equal(view->normals, normals, 3 * view->point_count * sizeof(float));
		for (uint32_t i = 0; i < view->point_count; i++) {
			assert_true(view->mask[i] == 0);
		}
		snw_sculpt_destroy(sculpt);
	}
	snw_arena_destroy(arena);
}

static void normals_after_dabs_are_those_of_a_fresh_session(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh ball = make_ball(arena, 24, 48);
	snw_sculpt *sculpt = open_sculpt(&ball, NULL);
	for (int kind = 0; kind < SNW_BRUSH_MASK; kind++) {
		const snw_brush brush = usual_brush(kind, 0.5);
		stroke_over(sculpt, &brush, -0.4, 0.05 * kind - 0.3, 0.4, 0);
	}
	snw_mesh displaced = ball;
	displaced.points_rest = snw_sculpt_get_view(sculpt)->points;
	snw_sculpt *fresh = open_sculpt(&displaced, NULL);
	const size_t bytes = 3 * ball.point_count * sizeof(float);
	assert_memory_equal(snw_sculpt_get_view(sculpt)->normals, snw_sculpt_get_view(fresh)->normals, bytes);
	assert_memory_equal(snw_sculpt_get_view(sculpt)->points_single, snw_sculpt_get_view(fresh)->points_single, bytes);
	snw_sculpt_destroy(fresh);
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void stroke_that_ends_beyond_the_mesh_reaches_its_edge(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0);
	for (int is_slow = 0; is_slow < 2; is_slow++) {
		snw_sculpt *sculpt = open_sculpt(&grid.mesh, NULL);
		snw_brush brush = usual_brush(SNW_BRUSH_PAINT, 0.2);
		brush.strength = 1;
		brush.value = 1;
		const snw_ray first = from_above(0, 1), second = from_above(0.3, 1), beyond = from_above(3, 1);
		const snw_pick pick = snw_sculpt_pick(sculpt, &first);
		snw_error error = {0};
		check_ok(snw_sculpt_begin(sculpt, &brush, &pick, &error), error);
		if (is_slow) {
			snw_sculpt_move(sculpt, &second, NULL, 1);
		}
		snw_sculpt_move(sculpt, &beyond, NULL, 1);
		assert_int_equal(snw_sculpt_move(sculpt, &beyond, NULL, 1), 0);
		snw_sculpt_end(sculpt, NULL);
		const double *painted = snw_sculpt_get_view(sculpt)->field;
		for (uint32_t c = 20; c < 41; c++) {
			assert_true(painted[20 * 41 + c] > 0.1); /* the row at z = 1, from the middle to its end */
		}
		snw_sculpt_destroy(sculpt);
	}
	snw_arena_destroy(arena);
}

static void hidden_faces_are_passed_through_and_their_points_stay(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh ball = make_ball(arena, 24, 48);
	snw_sculpt *sculpt = open_sculpt(&ball, NULL);
	bool *upper = SNW_NEW_ARRAY(arena, bool, ball.face_count);
	for (uint32_t f = 0; f < ball.face_count; f++) {
		upper[f] = true;
		for (uint32_t c = ball.face_offsets[f]; c < ball.face_offsets[f + 1]; c++) {
			upper[f] = upper[f] && ball.points_rest[3 * (size_t)ball.face_points[c] + 1] > 0.1;
		}
	}
	const snw_ray ray = from_above(0.1, 0.1);
	snw_error error = {0};
	assert_true(snw_sculpt_pick(sculpt, &ray).position[1] > 0.5);
	check_ok(snw_sculpt_hide_faces(sculpt, upper, &error), error);
	const snw_pick pick = snw_sculpt_pick(sculpt, &ray);
	assert_true(pick.position[1] < -0.5);
	for (int kind = 0; kind < SNW_BRUSH_COUNT; kind++) {
		snw_brush brush = usual_brush(kind, 5);
		brush.volume = true;
		stroke_over(sculpt, &brush, -0.2, 0.1, 0.2, 0.1);
	}
	const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
	uint32_t changed = 0;
	for (uint32_t i = 0; i < view->point_count; i++) {
		const bool stays = memcmp(view->points + 3 * (size_t)i, ball.points_rest + 3 * (size_t)i, 3 * sizeof(double)) == 0;
		changed += !stays;
		assert_true(ball.points_rest[3 * (size_t)i + 1] < 0.3 || (stays && view->mask[i] == 0 && view->field[i] == 0));
	}
	assert_true(changed > view->point_count / 4);
	check_ok(snw_sculpt_hide_faces(sculpt, NULL, &error), error);
	assert_true(snw_sculpt_pick(sculpt, &ray).position[1] > 0.5);
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

/* What a stroke paints whose pressure and radius change on the way. */
static void paint_with_pen(const sheet *grid, const double pressures[2], double last_radius, double *painted) {
	snw_sculpt *sculpt = open_sculpt(&grid->mesh, NULL);
	snw_brush brush = usual_brush(SNW_BRUSH_PAINT, 0.1);
	brush.strength = brush.value = 1;
	const snw_ray first = from_above(-0.8, 1), last = from_above(0.8, 1);
	const snw_pick pick = snw_sculpt_pick(sculpt, &first);
	snw_error error = {0};
	check_ok(snw_sculpt_begin(sculpt, &brush, &pick, &error), error);
	const snw_dab dab = {.pick = pick, .pressure = pressures[0]};
	snw_sculpt_dab(sculpt, &dab);
	snw_sculpt_set_radius(sculpt, last_radius);
	snw_sculpt_move(sculpt, &last, NULL, pressures[1]);
	snw_sculpt_end(sculpt, NULL);
	memcpy(painted, snw_sculpt_get_view(sculpt)->field, grid->mesh.point_count * sizeof *painted);
	snw_sculpt_destroy(sculpt);
}

static void pressure_changes_evenly_between_two_moves_and_radius_at_once(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0);
	double *painted = SNW_NEW_ARRAY(arena, double, grid.mesh.point_count),
		   *wide = SNW_NEW_ARRAY(arena, double, grid.mesh.point_count);
	paint_with_pen(&grid, (const double[]){0.02, 0.2}, 0.1, painted);
	const double *row = painted + 20 * 41;
	for (uint32_t c = 8; c + 2 < 35; c++) {
		assert_true(row[c + 2] > row[c]); /* it presses harder all the way */
	}
	paint_with_pen(&grid, (const double[]){1, 1}, 0.1, painted);
	paint_with_pen(&grid, (const double[]){1, 1}, 0.3, wide);
	const size_t beside = 24 * 41 + 20; /* 0.2 from the path */
	assert_true(painted[beside] == 0 && wide[beside] > 0.1);
	snw_arena_destroy(arena);
}

static void strokes_any_number_of_threads_give_same_bits(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 50, 101, 0.1);
	const size_t bytes = 3 * grid.mesh.point_count * sizeof(double);
	double *first = NULL;
	for (uint32_t threads = 1; threads <= 3; threads += 2) {
		snw_parallel_threads(threads);
		snw_sculpt *sculpt = open_sculpt(&grid.mesh, grid.partners);
		for (int kind = 0; kind < SNW_BRUSH_COUNT; kind++) {
			snw_brush brush = usual_brush(kind, 0.6);
			brush.symmetric = kind % 2;
			brush.volume = kind % 3 == 0;
			stroke_over(sculpt, &brush, -0.2, 0.7 + 0.05 * kind, 0.2, 1);
		}
		if (threads == 1) {
			first = snw_arena_copy(arena, snw_sculpt_get_view(sculpt)->points, bytes);
		}
		assert_memory_equal(snw_sculpt_get_view(sculpt)->points, first, bytes);
		snw_sculpt_destroy(sculpt);
	}
	snw_parallel_threads(0);
	snw_arena_destroy(arena);
}

static void changes_are_all_that_differs(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 20, 41, 0.1);
	snw_sculpt *sculpt = open_sculpt(&grid.mesh, NULL);
	const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
	const size_t bytes = 3 * view->point_count * sizeof(float);
	uint32_t count = 0;
	snw_sculpt_take_changes(sculpt, &count);
	float *points = snw_arena_copy(arena, view->points_single, bytes), *normals = snw_arena_copy(arena, view->normals, bytes);
	const snw_brush brush = usual_brush(SNW_BRUSH_INFLATE, 0.3);
	stroke_over(sculpt, &brush, -0.5, 1, -0.3, 1);
	const uint32_t *changed = snw_sculpt_take_changes(sculpt, &count);
	assert_true(count > 50 && count < view->point_count / 2);
	for (uint32_t k = 0; k < count; k++) {
		memcpy(points + 3 * (size_t)changed[k], view->points_single + 3 * (size_t)changed[k], 3 * sizeof *points);
		memcpy(normals + 3 * (size_t)changed[k], view->normals + 3 * (size_t)changed[k], 3 * sizeof *normals);
	}
	assert_memory_equal(points, view->points_single, bytes);
	assert_memory_equal(normals, view->normals, bytes);
	snw_sculpt_take_changes(sculpt, &count);
	assert_int_equal(count, 0);
	snw_sculpt_destroy(sculpt);
	snw_arena_destroy(arena);
}

static void wreck_every_brush_leaves_numbers(void **state) {
	(void)state;
	for (int volume = 0; volume < 2; volume++) {
		snw_arena *arena = snw_arena_create();
		const snw_mesh wreck = make_wreck(arena);
		uint32_t partners[14];
		for (uint32_t i = 0; i < 14; i++) {
			partners[i] = i % 3 == 0 ? i : SNW_NONE;
		}
		snw_sculpt *sculpt = open_sculpt(&wreck, partners);
		for (int kind = 0; kind < SNW_BRUSH_COUNT; kind++) {
			for (uint32_t face = 0; face < wreck.face_count; face++) {
				snw_brush brush = usual_brush(kind, 2);
				brush.volume = volume;
				brush.symmetric = true;
				snw_error error = {0};
				const snw_dab dab = {
					.pick = {.face = face, .position = {0.1 * face, 0.2, 0}}, .drag = {0.1, 0, 0.2}, .pressure = 1};
				check_ok(snw_sculpt_begin(sculpt, &brush, &dab.pick, &error), error);
				snw_sculpt_dab(sculpt, &dab);
				snw_sculpt_dab(sculpt, &dab);
				snw_sculpt_end(sculpt, NULL);
			}
		}
		for (uint32_t i = 0; i < 3 * wreck.point_count; i++) {
			assert_true(isfinite(snw_sculpt_get_view(sculpt)->points[i]));
			assert_true(isfinite((double)snw_sculpt_get_view(sculpt)->normals[i]));
		}
		snw_sculpt_destroy(sculpt);
		snw_arena_destroy(arena);
	}
}

static void create_bad_setup_says_why(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const sheet grid = make_sheet(arena, 2, 3, 0);
	snw_sculpt *sculpt = NULL;
	snw_error error = {0};
	snw_sculpt_setup setup = {.mesh = &grid.mesh, .points_posed = grid.mesh.points_rest, .partners = grid.partners};
	grid.partners[3] = 4;
	assert_int_equal(snw_sculpt_create(&setup, &sculpt, &error), SNW_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "mirror map"));
	setup.partners = NULL;
	double *points = snw_arena_copy(arena, grid.mesh.points_rest, 3 * grid.mesh.point_count * sizeof(double));
	points[7] = NAN;
	setup.points_posed = points;
	assert_int_equal(snw_sculpt_create(&setup, &sculpt, &error), SNW_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "point 2"));
	assert_null(sculpt);
	snw_arena_destroy(arena);
}

TEST_GROUP(sculpt) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grab_full_strength_moves_center_exactly_by_drag),
		cmocka_unit_test(falloff_distance_rises_weight_never_rises),
		cmocka_unit_test(falloffs_are_their_formulas),
		cmocka_unit_test(smooth_bumps_become_less),
		cmocka_unit_test(smooth_and_relax_plane_stays_plane),
		cmocka_unit_test(inflate_ball_moves_outward_inverted_inward),
		cmocka_unit_test(flatten_waves_come_nearer_to_plane),
		cmocka_unit_test(slide_wavy_sheet_points_stay_on_surface),
		cmocka_unit_test(erase_after_sculpting_brings_back_every_bit),
		cmocka_unit_test(symmetry_one_side_sculpted_both_are_exact),
		cmocka_unit_test(mask_full_guards_every_bit),
		cmocka_unit_test(paint_full_strength_reaches_value_and_blur_evens_it),
		cmocka_unit_test(abort_any_brush_restores_every_bit),
		cmocka_unit_test(normals_after_dabs_are_those_of_a_fresh_session),
		cmocka_unit_test(stroke_that_ends_beyond_the_mesh_reaches_its_edge),
		cmocka_unit_test(hidden_faces_are_passed_through_and_their_points_stay),
		cmocka_unit_test(pressure_changes_evenly_between_two_moves_and_radius_at_once),
		cmocka_unit_test(strokes_any_number_of_threads_give_same_bits),
		cmocka_unit_test(changes_are_all_that_differs),
		cmocka_unit_test(wreck_every_brush_leaves_numbers),
		cmocka_unit_test(create_bad_setup_says_why),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
