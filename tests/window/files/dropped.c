/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that are dropped together.
 */
#include "window/input/input.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

static void numbered_files_are_one_sequence(void **state) {
	(void)state;
	snw_dropped_files dropped = {0};
	assert_true(snw_dropped_files_add(&dropped, "/tmp/walk_0009.obj"));
	assert_string_equal(dropped.path, "/tmp/walk_0009.obj");
	assert_true(snw_dropped_files_add(&dropped, "/tmp/walk_0010.obj"));
	assert_string_equal(dropped.path, "/tmp/walk_*.obj");
	assert_true(snw_dropped_files_add(&dropped, "/tmp/walk_0119.obj"));
	assert_string_equal(dropped.path, "/tmp/walk_*.obj");
	assert_int_equal(dropped.count, 3);
}

static void number_in_the_middle_is_found(void **state) {
	(void)state;
	snw_dropped_files dropped = {0};
	assert_true(snw_dropped_files_add(&dropped, "2024/a1b_high.obj"));
	assert_true(snw_dropped_files_add(&dropped, "2024/a12b_high.obj"));
	assert_string_equal(dropped.path, "2024/a*b_high.obj");
}

static void file_that_is_no_frame_is_not_joined(void **state) {
	(void)state;
	static const char *const others[] = {"/tmp/run_0002.obj", "/else/walk_0002.obj", "/tmp/walk_0002.fbx", "/tmp/walk_two.obj",
										 "/tmp/walk_0001.obj"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		snw_dropped_files dropped = {0};
		assert_true(snw_dropped_files_add(&dropped, "/tmp/walk_0001.obj"));
		assert_false(snw_dropped_files_add(&dropped, others[i]));
		assert_int_equal(dropped.count, 1);
		assert_string_equal(dropped.path, "/tmp/walk_0001.obj");
	}
	snw_dropped_files dropped = {0};
	assert_true(snw_dropped_files_add(&dropped, "/tmp/a1.glb"));
	assert_false(snw_dropped_files_add(&dropped, "/tmp/a2.glb"));
	char longest[3000];
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	dropped.count = 0;
	assert_false(snw_dropped_files_add(&dropped, longest));
}

TEST_GROUP(dropped) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbered_files_are_one_sequence),
		cmocka_unit_test(number_in_the_middle_is_found),
		cmocka_unit_test(file_that_is_no_frame_is_not_joined),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
