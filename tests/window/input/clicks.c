/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/input/input.h"

#include "check.h"

static void presses_soon_after_each_other_are_counted(void **state) {
	(void)state;
	snw_clicks clicks = {0};
	assert_int_equal(snw_clicks_take(&clicks, 100, 1, 50, 50), 1); /* however soon after the start */
	assert_int_equal(snw_clicks_take(&clicks, 400, 1, 52, 49), 2);
	assert_int_equal(snw_clicks_take(&clicks, 900, 1, 52, 49), 3);
	assert_int_equal(snw_clicks_take(&clicks, 1401, 1, 52, 49), 1);
}

static void other_places_and_buttons_begin_again(void **state) {
	(void)state;
	snw_clicks clicks = {0};
	assert_int_equal(snw_clicks_take(&clicks, 100, 1, 50, 50), 1);
	assert_int_equal(snw_clicks_take(&clicks, 200, 1, 50, 70), 1);
	assert_int_equal(snw_clicks_take(&clicks, 300, 1, 50, 70), 2);
	assert_int_equal(snw_clicks_take(&clicks, 400, 3, 50, 70), 1);
}

static void time_wraps(void **state) {
	(void)state;
	snw_clicks clicks = {0};
	assert_int_equal(snw_clicks_take(&clicks, UINT32_MAX - 50, 1, 5, 5), 1);
	assert_int_equal(snw_clicks_take(&clicks, 100, 1, 5, 5), 2);
}

TEST_GROUP(clicks) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(presses_soon_after_each_other_are_counted),
		cmocka_unit_test(other_places_and_buttons_begin_again),
		cmocka_unit_test(time_wraps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
