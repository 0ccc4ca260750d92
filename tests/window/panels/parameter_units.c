/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units come from plug-ins: whatever they have in them is shown and never read as a format; only angles become degrees.
 */
#include "check.h"

#include "window/units/units.h"

static void expect_words(const char *unit, const char *expected) {
	char words[24];
	snw_parameter_unit_words(unit, words, sizeof words);
	assert_string_equal(words, expected);
}

static void unit_behind_a_number_follows_a_blank_but_for_degrees(void **state) {
	(void)state;
	expect_words("", "");
	expect_words("m", " m");
	expect_words("%", " %");
	expect_words("rad", "°");
	expect_words("rad/m", "°/m");
	expect_words("radius", " radius");
	expect_words("rads", " rads");
	expect_words("123456789012345", " 123456789012");
	expect_words("12345678901°", " 12345678901"); /* a letter is not parted */
}

static void only_angles_are_scaled(void **state) {
	(void)state;
	check_near(snw_parameter_unit_scale("rad"), 180 / M_PI, 0);
	check_near(snw_parameter_unit_scale("rad/m"), 180 / M_PI, 0);
	check_near(snw_parameter_unit_scale("radius"), 1, 0);
	check_near(snw_parameter_unit_scale("ra"), 1, 0);
	check_near(snw_parameter_unit_scale(""), 1, 0);
}

static void expect_format(const char *number, const char *words, size_t size, const char *expected) {
	char format[64] = "";
	assert_true(size <= sizeof format);
	snw_parameter_unit_format(number, words, format, size);
	assert_string_equal(format, expected);
}

static void per_cent_signs_of_a_unit_are_shown_as_they_are(void **state) {
	(void)state;
	expect_format("%.4g", " %", 64, "%.4g %%");
	expect_format("%.4g", " %s %n", 64, "%.4g %%s %%n");
	expect_format("", "automatic %d", 64, "automatic %%d");
	expect_format("%.0f", "°", 64, "%.0f°");
	expect_format("%.4g", " a%", 8, "%.4g a"); /* never half of a pair */
	expect_format("%.4g", " a%", 9, "%.4g a%%");
}

TEST_GROUP(parameter_units) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unit_behind_a_number_follows_a_blank_but_for_degrees),
		cmocka_unit_test(only_angles_are_scaled),
		cmocka_unit_test(per_cent_signs_of_a_unit_are_shown_as_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
