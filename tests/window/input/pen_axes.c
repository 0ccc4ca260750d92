/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The axes of pens, samples in SDL's queue, and the string of the stabiliser.
 */
#include "window/input/input.h"

#include <SDL.h>
#include <math.h>

#include "check.h"

/* As the drivers of tablets describe them: x and y, then pressure and the tilts. */
static const snw_pen_axes axes = {{2, 0, 2047}, {3, -64, 63}, {4, -64, 63}};

static void valuators_become_pressure_and_tilt(void **state) {
	(void)state;
	snw_pen_sample sample = {.x = 3, .y = 4};
	snw_pen_decode(&axes, (const unsigned char[]){0x1f}, 1, (const double[]){100, 200, 2047, -64, 0}, &sample);
	assert_true(sample.pressure == 1 && sample.tilt == 1 && sample.x == 3 && sample.y == 4);
	snw_pen_decode(&axes, (const unsigned char[]){0x1f}, 1, (const double[]){100, 200, 0, 0, 32}, &sample);
	assert_true(sample.pressure == 0 && sample.tilt == 0.5f);
}

static void axes_that_an_event_leaves_out_keep_their_values(void **state) {
	(void)state;
	snw_pen_sample sample = {.pressure = 0.75f, .tilt = 0.25f};
	snw_pen_decode(&axes, (const unsigned char[]){0x03}, 1, (const double[]){100, 200}, &sample);
	assert_true(sample.pressure == 0.75f && sample.tilt == 0.25f);
	snw_pen_decode(&axes, (const unsigned char[]){0x04}, 1, (const double[]){4000}, &sample); /* beyond its range */
	assert_true(sample.pressure == 1 && sample.tilt == 0.25f);
	const snw_pen_axes far = {{70, 0, 1}, {.number = -1}, {.number = -1}};
	snw_pen_decode(&far, (const unsigned char[]){0xff}, 1, (const double[]){9, 9, 9, 9, 9, 9, 9, 9}, &sample);
	assert_true(sample.pressure == 1);
}

static void samples_pass_through_the_queue_unchanged(void **state) {
	(void)state;
	assert_int_equal(SDL_Init(SDL_INIT_EVENTS), 0);
	const snw_pen_sample sent = {12.25f, -3.5f, 0.125f, 0.75f};
	snw_pen_sample read = {0};
	SDL_Event event = {.type = SDL_MOUSEMOTION};
	snw_tablet_push(&sent);
	assert_false(snw_tablet_read(&event, &read));
	SDL_FlushEvent(SDL_MOUSEMOTION);
	bool found = false;
	while (!found && SDL_PollEvent(&event)) {
		found = snw_tablet_read(&event, &read);
	}
	assert_true(found);
	assert_memory_equal(&read, &sent, sizeof sent);
	SDL_Quit();
}

static void mouse_after_a_pen_has_full_pressure(void **state) {
	(void)state;
	const snw_preferences preferences = {.pen_strength = true, .pen_radius = true, .pen_tilt = true};
	snw_pen_input pen = {0};
	double pressure, size;
	snw_pen_take(&pen, &(snw_pen_sample){50, 60, 0.5f, 0.25f});
	snw_pen_follow_mouse(&pen); /* the server moves the mouse with the pen */
	snw_pen_begin(&pen, 50, 60, 40, 30);
	snw_pen_effect(&pen, &preferences, &pressure, &size);
	assert_true(pressure == 0.5 && size == 0.5 * 1.25);
	snw_pen_effect(&pen, &(snw_preferences){0}, &pressure, &size);
	assert_true(pressure == 1 && size == 1);
	snw_pen_follow_mouse(&pen);
	snw_pen_begin(&pen, 90, 60, 80, 30);
	snw_pen_effect(&pen, &preferences, &pressure, &size);
	assert_true(pressure == 1 && size == 1);
}

static void string_smooths_a_shaking_path(void **state) {
	(void)state;
	snw_pen_input pen = {0};
	double most = 0;
	snw_pen_begin(&pen, 0, 0, 0, 0);
	assert_false(snw_pen_pull(&pen, 15, 0, 20)); /* slack */
	for (int k = 0; k < 60; k++) {
		(void)snw_pen_pull(&pen, 5.0 * k, k % 2 ? 6 : -6, 20);
		most = fmax(most, fabs(pen.brush_y));
		assert_true(hypot(5.0 * k - pen.brush_x, (k % 2 ? 6 : -6) - pen.brush_y) < 20 + 1e-9);
	}
	assert_true(most < 3 && pen.brush_x > 250);
	assert_true(snw_pen_pull(&pen, 7, 8, 0) && pen.brush_x == 7 && pen.brush_y == 8);
}

TEST_GROUP(pen_axes) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valuators_become_pressure_and_tilt),
		cmocka_unit_test(axes_that_an_event_leaves_out_keep_their_values),
		cmocka_unit_test(samples_pass_through_the_queue_unchanged),
		cmocka_unit_test(mouse_after_a_pen_has_full_pressure),
		cmocka_unit_test(string_smooths_a_shaking_path),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
