/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a text break between words, and nowhere in a number or before its unit.
 */
#include "check.h"

#include <string.h>

#include "window/imgui/shim.h"

static float count_letters(const char *begin, const char *end) {
	return (float)(end - begin);
}

static void expect_lines(const char *text, float width, const char *lines) {
	char written[200];
	snprintf(written, sizeof written, "%s", text);
	snw_wrap(written, width, count_letters);
	assert_string_equal(written, lines);
}

static void lines_break_between_words(void **state) {
	(void)state;
	expect_lines("one two three", 20, "one two three");
	expect_lines("one two three", 8, "one two\nthree");
	expect_lines("one two three", 3, "one\ntwo\nthree");
	expect_lines("one\ntwo three", 9, "one\ntwo three");
	expect_lines("a-word-that-is-too-long for it", 8, "a-word-that-is-too-long\nfor it");
	expect_lines("", 5, "");
}

static void numbers_stay_whole_and_with_their_units(void **state) {
	(void)state;
	expect_lines("4 influences: 564.9 kB, mean error 4.12 mm", 38, "4 influences: 564.9 kB, mean error\n4.12 mm");
	expect_lines("most 0.67 mm off.", 10, "most\n0.67 mm\noff.");
	expect_lines("at 100 % of 3 meshes", 8, "at 100 %\nof 3\nmeshes"); /* "meshes" is no unit */
}

TEST_GROUP(wrapping) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_break_between_words),
		cmocka_unit_test(numbers_stay_whole_and_with_their_units),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
