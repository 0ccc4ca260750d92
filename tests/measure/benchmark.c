/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmark runs, fills its table and restores the number of threads. The times are not checked, because machines
 * differ.
 */
#include "benchmark/benchmark.h"
#include "check.h"
#include "kept_registry.h"
#include "task/task.h"

static bool stop(void *context, double fraction, const char *activity) {
	(void)context;
	(void)activity;
	return fraction < 0.3;
}

static void benchmark_fills_its_table(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_parallel_threads(2);
	const snw_bench_options options = {.point_count = 1000, .slot_count = 20, .seconds = 1e-4};
	snw_bench_row *rows;
	uint32_t count;
	snw_error error;
	check_ok(snw_bench_skin(&options, NULL, arena, &rows, &count, &error), error);
	assert_true(count > 2 * 15 + 5 + 3);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(rows[i].seconds > 0 && isfinite(rows[i].seconds) && rows[i].points_a_second > 0);
	}
	assert_string_equal(rows[0].evaluator, "plain");
	assert_string_equal(rows[count - 2].evaluator, "memcpy");
	assert_true(rows[count - 1].ratio > 0);
	assert_int_equal(snw_parallel_thread_count(), 2);
	const snw_task task = {.progress = stop};
	assert_int_equal(snw_bench_skin(&options, &task, arena, &rows, &count, &error), SNW_CANCELLED);
	assert_int_equal(snw_parallel_thread_count(), 2);
	const snw_bench_options wrong = {.slot_count = 3};
	assert_int_equal(snw_bench_skin(&wrong, NULL, arena, &rows, &count, &error), SNW_ERROR_ARGUMENT);
	snw_parallel_threads(0);
	snw_arena_destroy(arena);
}

static void layers_are_timed_beside_a_copy(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_registry *registry = kept_registry();
	snw_registry_isolate(SNW_ISOLATE_ALL);
	snw_registry *isolated = snw_registry_open();
	snw_registry_isolate(SNW_ISOLATE_NONE);
	snw_bench_layer_row *rows;
	uint32_t count;
	snw_error error;
	snw_parallel_threads(2);
	check_ok(snw_bench_layers(registry, isolated, 2000, 1e-3, NULL, arena, &rows, &count, &error), error);
	assert_true(count >= 4 && count % 2 == 0);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(rows[i].seconds > 0 && isfinite(rows[i].seconds) && rows[i].copy_seconds > 0);
		assert_int_equal(rows[i].threads, 1 + i % 2);
		assert_true(rows[i].passes > 0 && rows[i].isolated_seconds > 0 && isfinite(rows[i].isolated_seconds));
	}
	snw_registry_close(isolated);
	assert_int_equal(snw_parallel_thread_count(), 2);
	snw_parallel_threads(0);
	snw_arena_destroy(arena);
}

/* The tail bends where a linear blend collapses, so what is learned is nearer to it. */
static void methods_that_learn_are_timed_beside_the_linear_blend(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_registry *registry = kept_registry();
	snw_scene *chain = snw_bench_chain(300, 6);
	snw_comparison comparison;
	snw_error error;
	check_ok(snw_bench_training(chain, registry, "linear-blend-fit", NULL, arena, &comparison, &error), error);
	assert_int_equal(comparison.row_count, 2);
	const snw_compare_row *rows = comparison.rows;
	assert_true(fabs(chain->meshes[0].point_count - 300.0) < 100);
	assert_int_equal(chain->skeleton.joint_count, SNW_BENCH_CHAIN_JOINTS);
	assert_true(rows[0].train.measure.erms > 0);
	assert_true(rows[1].train.measure.erms < rows[0].train.measure.erms);
	assert_true(rows[1].train_seconds > 0 && rows[1].cost.ratio > 0 && rows[1].cost.operations > 0);
	assert_int_equal(snw_bench_training(chain, registry, "nothing", NULL, arena, &comparison, &error), SNW_ERROR_MISSING);
	snw_scene_destroy(chain);
	snw_arena_destroy(arena);
}

/* Few samples say little about how the parts of a skin go together. What they do not say must not make it worse than the blend
 * that the character came with, neither at the samples nor at other poses. */
static void few_samples_do_not_make_a_skin_worse_than_the_linear_blend(void **state) {
	(void)state;
	snw_registry *registry = kept_registry();
	snw_arena *arena = snw_arena_create();
	snw_scene *chain = snw_bench_chain(300, 6);
	snw_comparison comparison;
	snw_error error;
	check_ok(snw_bench_training(chain, registry, "rotational-regression", NULL, arena, &comparison, &error), error);
	const snw_compare_row *rows = comparison.rows;
	print_message("6 frames: %.3f at them, %.3f at others; linear blend %.3f and %.3f\n", rows[1].train.measure.erms,
				  rows[1].test.measure.erms, rows[0].train.measure.erms, rows[0].test.measure.erms);
	assert_true(rows[1].train.measure.erms < rows[0].train.measure.erms);
	assert_true(rows[1].test.measure.erms < rows[0].test.measure.erms);
	snw_scene_destroy(chain);
	snw_arena_destroy(arena);
}

/* With `sinew bench train --method` and `sinew compare` alike. */
static void method_that_was_asked_for_and_fails_is_a_failure(void **state) {
	(void)state;
	snw_compare_row rows[] = {{.name = "one"}, {.name = "two", .failure = "it cannot"}};
	snw_comparison comparison = {.row_count = 2, .rows = rows};
	snw_error reason = {0};
	assert_int_equal(snw_comparison_check(&comparison, true, &reason), SNW_ERROR_DATA);
	assert_string_equal(reason.text, "1 of 2 methods failed; two: it cannot");
	assert_int_equal(snw_comparison_check(&comparison, false, NULL), SNW_OK);
	rows[0].failure = rows[1].failure;
	assert_int_equal(snw_comparison_check(&comparison, false, NULL), SNW_ERROR_DATA);
	comparison.row_count = 0;
	assert_int_equal(snw_comparison_check(&comparison, true, NULL), SNW_ERROR_MISSING);
}

static void contact_on_demand_finds_what_posing_all_finds(void **state) {
	(void)state;
	snw_registry *registry = kept_registry();
	snw_scene *chain = snw_bench_chain(400, 4);
	snw_bench_contact bench;
	snw_error error;
	check_ok(snw_bench_contact_run(chain, registry, 4, NULL, &bench, &error), error);
	for (int i = 0; i < SNW_BENCH_CONTACT_ROWS; i++) {
		assert_true(bench.rows[i].same_pairs && bench.rows[i].ratio > 0);
	}
	assert_true(bench.rows[0].pairs == 0 && bench.rows[0].skinned < bench.rows[1].skinned);
	assert_true(bench.rows[SNW_BENCH_CONTACT_ROWS - 1].pairs > 0);
	assert_true(bench.self.frames > 0 && bench.self.inside > 0 && bench.self.same_pairs);
	assert_true(bench.drag.joints > 0 && bench.drag.same_pairs && bench.drag.seconds > bench.drag.pose_seconds);
	assert_true(bench.sweep.poses == 4 && bench.sweep.stretched == 1 && bench.sweep.pairs + bench.sweep.self_pairs > 0);
	assert_true(bench.sweep.missed == 0 && bench.sweep.extra == 0 && bench.sweep.outside == 0);
	const snw_task task = {.progress = stop};
	assert_int_equal(snw_bench_contact_run(chain, registry, 0, &task, &bench, &error), SNW_CANCELLED);
	snw_scene_destroy(chain);
}

TEST_GROUP(benchmark) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(method_that_was_asked_for_and_fails_is_a_failure),
									   cmocka_unit_test(benchmark_fills_its_table),
									   cmocka_unit_test(layers_are_timed_beside_a_copy),
									   cmocka_unit_test(contact_on_demand_finds_what_posing_all_finds),
									   cmocka_unit_test(methods_that_learn_are_timed_beside_the_linear_blend),
									   cmocka_unit_test(few_samples_do_not_make_a_skin_worse_than_the_linear_blend)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
