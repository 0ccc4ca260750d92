/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bench runs, fills its table and puts the threads back. What it measures is not judged: machines differ.
 */
#include "measure/bench.h"
#include "base/parallel.h"
#include "check.h"

static bool stop(void *context, double fraction, const char *what) {
	(void)context;
	(void)what;
	return fraction < 0.3;
}

static void bench_fills_its_table(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_parallel_threads(2);
	const snw_bench_options options = {.point_count = 3000, .slot_count = 12, .seconds = 1e-4};
	snw_bench_row *rows;
	uint32_t count;
	snw_error error;
	check_ok(snw_bench_skin(&options, NULL, arena, &rows, &count, &error), error);
	assert_int_equal(count, 3 * 9 + 1);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(rows[i].seconds > 0 && rows[i].points_a_second > 0);
		print_message("%-7s %-16s %-9s %u influences, %u threads: %8.2f million points/s, %6.2f GB/s\n", rows[i].evaluator,
					  rows[i].blend, rows[i].kernels, rows[i].influences, rows[i].threads, 1e-6 * rows[i].points_a_second,
					  1e-9 * rows[i].bytes_a_second);
	}
	assert_string_equal(rows[count - 1].evaluator, "memcpy");
	assert_int_equal(snw_parallel_thread_count(), 2);
	const snw_task task = {.progress = stop};
	assert_int_equal(snw_bench_skin(&options, &task, arena, &rows, &count, &error), SNW_CANCELLED);
	assert_int_equal(snw_parallel_thread_count(), 2);
	const snw_bench_options wrong = {.slot_count = 3};
	assert_int_equal(snw_bench_skin(&wrong, NULL, arena, &rows, &count, &error), SNW_ERROR_ARGUMENT);
	snw_parallel_threads(0);
	snw_arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(bench_fills_its_table)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
