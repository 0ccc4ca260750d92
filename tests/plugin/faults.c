/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faults of plug-ins are remembered for as long as the program runs, however many follow and however long names are; and texts
 * that plug-in processes share are read by their length.
 */
#include "check.h"

#include "fault/fault.h"
#include "isolation/isolated_deformer.h"
#include "isolation/plugin_process.h"
#include "message/message.h"

static void layers_that_have_failed_stay_left_out(void **state) {
	(void)state;
	char name[1001], other[1001];
	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	memcpy(other, name, sizeof other);
	other[sizeof other - 2] = 'b';
	const uint32_t before = snw_plugin_fault_count();
	snw_plugin_fault_add("test-first", "crashed in drive", true);
	snw_plugin_fault_add("test-release", "crashed in release", false);
	snw_plugin_failure_add("test-second", name, "failed in drive");
	assert_null(snw_plugin_fault_leaves_out("test-first", "any"));
	for (int i = 0; i < 200; i++) {
		snw_plugin_fault_add("test-release", "crashed in release", false);
	}
	assert_int_equal(snw_plugin_fault_count(), before + 203);
	snw_plugin_faults_leave_out();
	assert_string_equal(snw_plugin_fault_leaves_out("test-first", "any"), "crashed in drive");
	assert_string_equal(snw_plugin_fault_leaves_out("test-second", name), "failed in drive");
	assert_null(snw_plugin_fault_leaves_out("test-second", other));
	assert_null(snw_plugin_fault_leaves_out("test-release", "any"));
}

static void layer_that_is_left_out_is_listed_once(void **state) {
	(void)state;
	const uint32_t before = snw_left_out_count();
	snw_left_out_add("bulge", "test-small", "crashed in drive");
	snw_left_out_add("bulge", "test-small", "crashed in deform");
	snw_left_out_add("dent", "test-small", "crashed in drive");
	assert_int_equal(snw_left_out_count(), before + 2);
	assert_string_equal(snw_left_out_at(before).why, "crashed in drive");
	assert_string_equal(snw_left_out_at(before + 1).layer, "dent");
}

static void first_fault_of_a_layer_is_distinct_from_later_ones(void **state) {
	(void)state;
	const uint32_t first = snw_plugin_fault_count();
	snw_plugin_failure_add("test-third", "one", "failed in drive");
	snw_plugin_failure_add("test-third", "one", "failed in deform");
	snw_plugin_failure_add("test-third", "two", "failed in drive");
	snw_plugin_fault_add("test-fourth", "crashed in release", false);
	static const bool are_first[] = {true, false, true, false};
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(snw_plugin_fault_at(first + i).is_first, are_first[i]);
	}
	assert_string_equal(snw_plugin_fault_at(first + 1).problem, "failed in deform");
	assert_string_equal(snw_plugin_fault_at(first + 2).layer, "two");
	assert_string_equal(snw_plugin_fault_at(0).layer, ""); /* long overwritten */
}

static void time_that_a_process_waits_counts_a_tenth(void **state) {
	(void)state;
	check_near(snw_call_limit_used(0.25, 0), 0.025, 1e-15);
	check_near(snw_call_limit_used(0.25, 0.125), 0.125, 0);
	check_near(snw_call_limit_used(0.25, 4), 0.25, 0); /* on several threads */
}

static void texts_are_read_by_their_length(void **state) {
	(void)state;
	_Alignas(64) unsigned char room[512] = {0};
	snw_arena *arena = snw_arena_create();
	snw_stream out = {.at = room, .end = room + sizeof room}, in = out;
	snw_put_text(&out, "words");
	snw_put_text(&out, "");
	snw_put_text(&out, NULL);
	snw_put_number(&out, (uint64_t)UINT32_MAX + 6); /* a length that an int does not hold */
	assert_false(out.is_broken);
	assert_string_equal(snw_get_text(&in, arena), "words");
	assert_string_equal(snw_get_text(&in, arena), "");
	assert_null(snw_get_text(&in, arena));
	assert_false(in.is_broken);
	assert_null(snw_get_text(&in, arena));
	assert_true(in.is_broken);
	assert_null(snw_get_text(&in, arena));
	snw_arena_destroy(arena);
}

/* Of a plug-in process, which may answer with anything. */
static void falloffs_are_read_whole_or_not_at_all(void **state) {
	(void)state;
	static const char *const names[] = {"near", "far"}, *const settings[] = {"reach=1", "reach=2"};
	static const char *const broken[] = {"near", NULL};
	snw_group_falloffs falloffs = {.size = sizeof falloffs, .count = 2, .names = names, .settings = settings};
	_Alignas(64) unsigned char room[8192] = {0};
	snw_arena *arena = snw_arena_create();
	snw_stream out = {.at = room, .end = room + sizeof room}, in = out;
	snw_put_falloffs(&out, &falloffs);
	falloffs.names = broken;
	snw_put_falloffs(&out, &falloffs);
	snw_put_number(&out, UINT64_MAX);
	assert_false(out.is_broken);
	const snw_group_falloffs *found = snw_get_falloffs(&in, arena);
	assert_int_equal(found->count, 2);
	assert_string_equal(found->names[1], "far");
	assert_string_equal(found->settings[1], "reach=2");
	assert_null(snw_get_falloffs(&in, arena));
	assert_false(in.is_broken);
	assert_null(snw_get_falloffs(&in, arena));
	snw_arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_that_have_failed_stay_left_out),
		cmocka_unit_test(layer_that_is_left_out_is_listed_once),
		cmocka_unit_test(first_fault_of_a_layer_is_distinct_from_later_ones),
		cmocka_unit_test(time_that_a_process_waits_counts_a_tenth),
		cmocka_unit_test(texts_are_read_by_their_length),
		cmocka_unit_test(falloffs_are_read_whole_or_not_at_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
