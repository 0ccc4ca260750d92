/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmark of brushes runs, fills its table and restores the number of threads. The times are not checked, because
 * machines differ.
 */
#include "benchmark/benchmark.h"
#include "check.h"
#include "task/task.h"

static bool stop(void *context, double fraction, const char *activity) {
	(void)context;
	(void)activity;
	return fraction < 0.3;
}

static void check_ascending(const snw_bench_times *times) {
	assert_true(times->median_seconds > 0 && times->median_seconds <= times->p99_seconds);
	assert_true(times->p99_seconds <= times->longest_seconds);
}

static void benchmark_of_sculpting_fills_its_table(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_parallel_threads(2);
	const snw_bench_sculpt_options options = {.point_count = 400, .seconds = 1e-6, .dabs = 40, .repeats = 2};
	snw_bench_sculpt_table table = {0};
	snw_error error = {0};
	check_ok(snw_bench_sculpt(&options, NULL, arena, &table, &error), error);
	assert_true(table.row_count > 30);
	for (uint32_t i = 0; i < table.row_count; i++) {
		const snw_bench_sculpt_row *row = &table.rows[i];
		check_ascending(&row->all);
		check_ascending(&row->best);
		assert_int_equal(row->repeats, i == 0 ? 1 : 2);
		/* The best of several repeats is no longer than any of them. */
		assert_true(row->best.longest_seconds <= row->all.longest_seconds && row->best.p99_seconds <= row->all.p99_seconds);
		/* Reached as many points as requested; with both sides slightly more. */
		assert_true(i == 0 || row->reached > 0.05 * row->points);
		assert_true(row->symmetric || row->reached < 0.15 * row->points);
	}
	check_ascending(&table.reference.times);
	assert_true(table.reference.pieces >= 2 * (table.row_count - 1));
	assert_int_equal(snw_parallel_thread_count(), 2);
	const snw_task task = {.progress = stop};
	assert_int_equal(snw_bench_sculpt(&options, &task, arena, &table, &error), SNW_CANCELLED);
	assert_int_equal(snw_parallel_thread_count(), 2);
	const snw_bench_sculpt_options wrong[] = {{.covered = 0.9}, {.repeats = 21}};
	for (int k = 0; k < 2; k++) {
		assert_int_equal(snw_bench_sculpt(&wrong[k], NULL, arena, &table, &error), SNW_ERROR_ARGUMENT);
	}
	snw_parallel_threads(0);
	snw_arena_destroy(arena);
}

static void benchmark_of_commits_fills_its_table(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_registry *registry = snw_registry_open();
	snw_bench_commit_row rows[SNW_BENCH_COMMIT_ROWS];
	snw_error error;
	char folder[1100];
	snprintf(folder, sizeof folder, "%s", check_scratch(""));
	check_ok(snw_bench_commit(registry, "inverse-psd", 300, folder, NULL, arena, rows, &error), error);
	for (int i = 0; i < SNW_BENCH_COMMIT_ROWS; i++) {
		assert_true(rows[i].edited <= rows[i].points && rows[i].edited >= rows[i].points / 11);
		assert_true(rows[i].fit_seconds > 0 && rows[i].fit_seconds <= rows[i].commit_seconds && rows[i].show_seconds > 0);
		assert_true(rows[i].commit_seconds < rows[i].shown_seconds && rows[i].shown_seconds <= rows[i].stored_seconds);
	}
	assert_int_equal(snw_bench_commit(registry, "no-such-method", 300, folder, NULL, arena, rows, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "no-such-method"));
	assert_int_equal(rmdir(folder), 0); /* nothing remains in it */
	snw_registry_close(registry);
	snw_arena_destroy(arena);
}

TEST_GROUP(benchmark) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(benchmark_of_sculpting_fills_its_table),
		cmocka_unit_test(benchmark_of_commits_fills_its_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
