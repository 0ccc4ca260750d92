/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bench of brushes runs, fills its table and puts the threads back. What it measures is not judged: machines differ.
 */
#include "base/parallel.h"
#include "check.h"
#include "measure/bench_sculpt.h"

static bool stop(void *context, double fraction, const char *what) {
	(void)context;
	(void)what;
	return fraction < 0.3;
}

static void bench_sculpt_fills_its_table(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_parallel_threads(2);
	const snw_bench_sculpt_options options = {.point_count = 2000, .seconds = 1e-4};
	snw_bench_sculpt_row *rows;
	uint32_t count;
	snw_error error;
	check_ok(snw_bench_sculpt(&options, NULL, arena, &rows, &count, &error), error);
	assert_true(count > 30);
	for (uint32_t i = 0; i < count; i++) {
		const snw_bench_sculpt_row *row = &rows[i];
		assert_true(row->median_seconds > 0 && row->median_seconds <= row->p95_seconds);
		assert_true(row->p95_seconds <= row->p99_seconds && row->p99_seconds <= row->longest_seconds);
		/* Reached what was asked for; both sides a little more. */
		assert_true(i == 0 || row->reached > 0.05 * row->points);
		assert_true(row->symmetric || row->reached < 0.15 * row->points);
	}
	assert_int_equal(snw_parallel_thread_count(), 2);
	const snw_task task = {.progress = stop};
	assert_int_equal(snw_bench_sculpt(&options, &task, arena, &rows, &count, &error), SNW_CANCELLED);
	assert_int_equal(snw_parallel_thread_count(), 2);
	const snw_bench_sculpt_options wrong = {.covered = 0.9};
	assert_int_equal(snw_bench_sculpt(&wrong, NULL, arena, &rows, &count, &error), SNW_ERROR_ARGUMENT);
	snw_parallel_threads(0);
	snw_arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(bench_sculpt_fills_its_table)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
