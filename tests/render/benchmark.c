/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmarks of the GPU give every row, and figures that agree with one another.
 */
#include "benchmark/graphics.h"

#include "graphics.h"
#include "render/draw/viewport.h"
#include "sample/sample.h"

static void gpu_benchmark_gives_a_row_for_each_blend_count_and_path(void **state) {
	(void)state;
	graphics_need();
	snw_arena *arena = snw_arena_create();
	const snw_gpu_bench_options options = {.point_count = 1000, .seconds = 0.0005};
	snw_gpu_bench bench;
	check_ok(snw_bench_gpu(graphics_renderer, &options, NULL, arena, &bench, &graphics_error), graphics_error);
	assert_true(bench.row_count == 3 * 5 * 2 || bench.row_count == 3 * 5 * 2 * 2);
	assert_int_equal(bench.is_software, snw_device_is_software(bench.device));
	assert_true(bench.copy_bytes_a_second > 0);
	for (uint32_t i = 0; i < bench.row_count; i++) {
		const snw_gpu_bench_row *row = &bench.rows[i];
		assert_true(row->seconds > 0 && row->points == 31 * 31);
		check_near(row->points_a_second * row->seconds, row->points, 1e-6 * row->points);
		check_near(row->share * bench.copy_bytes_a_second, row->bytes_a_second, 1e-6 * row->bytes_a_second);
		/* 60 slots of twelve floats, or of eight. */
		assert_int_equal(row->bytes_sent, strcmp(row->blend, "dual-quaternion") == 0 ? 60 * 32 : 60 * 48);
		assert_true(!row->normals || row->bytes_a_point > 100);
	}
	const snw_gpu_bench_row *first = &bench.rows[0];
	check_near(first->bytes_a_point, 12 + 4 + 8 + 12, 0); /* point, offset, one influence, out */
	snw_arena_destroy(arena);
}

/* The linear blend comes first; the black box on top of it is computed on the CPU. A muted layer is left out. */
static void skin_benchmark_gives_a_row_for_each_layer(void **state) {
	(void)state;
	graphics_need();
	snw_scene *scene = NULL;
	snw_registry *registry = snw_registry_open();
	check_ok(snw_sample_make("tiny-arm", &scene, &graphics_error), graphics_error);
	assert_int_equal(scene->layer_count, 1);
	snw_layer layers[2] = {scene->layers[0],
						   {.name = "soft",
							.deformer = snw_registry_find(registry, "smooth")->descriptor->id,
							.deformer_version = "1.0",
							.model = SNW_NONE}};
	scene->layers = layers;
	scene->layer_count = 2;
	snw_arena *arena = snw_arena_create();
	for (int muted = 0; muted <= 1; muted++) {
		snw_skin_bench bench;
		layers[1].muted = muted;
		check_ok(snw_bench_skins(graphics_renderer, scene, registry, 0.001, NULL, arena, &bench, &graphics_error),
				 graphics_error);
		assert_int_equal(bench.row_count, muted ? 1 : 2);
		assert_string_equal(bench.rows[0].method, "linear-blend");
		assert_int_equal(bench.rows[0].bytes_sent, 48 * scene->slot_count);
		check_near(bench.rows[0].ratio, 0, 0);
		const snw_skin_bench_row *first = &bench.rows[0], *last = &bench.rows[bench.row_count - 1];
		assert_int_equal(last->points, scene->meshes[0].point_count);
		assert_true(first->drive_seconds > 0 && first->box_seconds > 0 && first->skin_seconds > first->box_seconds);
		if (!muted) {
			assert_string_equal(last->method, "soft");
			assert_int_equal(last->bytes_sent, last->points * 3 * sizeof(float));
			check_near(last->ratio * (first->drive_seconds + first->skin_seconds), last->drive_seconds + last->skin_seconds,
					   1e-9);
		}
	}
	snw_arena_destroy(arena);
	snw_registry_close(registry);
	snw_scene_destroy(scene);
}

static void software_rasterisers_are_known_by_name(void **state) {
	(void)state;
	assert_true(snw_device_is_software("llvmpipe (LLVM 15.0.6, 256 bits)"));
	assert_false(snw_device_is_software("NVIDIA GeForce RTX 4070/PCIe/SSE2"));
	assert_false(snw_device_is_software("AMD Radeon RX 6800 (radeonsi, navi21)"));
}

static void view_benchmark_gives_the_parts_of_a_redraw(void **state) {
	(void)state;
	graphics_need();
	const snw_view_bench_options usual = {.limbs = {.points = 2000, .meshes = 1}, .seconds = 0.01, .width = 160, .height = 90};
	snw_view_bench_row row;
	check_ok(snw_bench_view(graphics_renderer, &usual, NULL, &row, &graphics_error), graphics_error);
	assert_true(row.points > 1000 && row.triangles > row.points && row.redraws >= 5);
	assert_true(row.cpu_seconds > 0 && row.upload_seconds > 0 && row.draw_seconds > 0);
	assert_true(row.worst_seconds >= row.redraw_seconds);
	assert_int_equal(row.bytes_sent, 2 * 48); /* two joints */
}

/* Its points are computed on the CPU and sent. */
static void view_benchmark_runs_a_black_box(void **state) {
	(void)state;
	graphics_need();
	const snw_view_bench_options black_box = {
		.method = "delta-mush", .limbs = {.points = 2000, .meshes = 1}, .seconds = 0.01, .width = 160, .height = 90};
	snw_view_bench_row row;
	check_ok(snw_bench_view(graphics_renderer, &black_box, NULL, &row, &graphics_error), graphics_error);
	assert_true(row.upload_seconds > 0 && row.redraws >= 5);
	assert_int_equal(row.bytes_sent, row.points * 3 * sizeof(float));
}

/* As many as are asked for, with a layer that has learned from the examples. */
static void view_benchmark_draws_many_meshes_with_examples(void **state) {
	(void)state;
	graphics_need();
	const snw_view_bench_options many = {.limbs = {2000, 5, 15, 10}, .seconds = 0.01, .width = 160, .height = 90};
	snw_view_bench_row row;
	check_ok(snw_bench_view(graphics_renderer, &many, NULL, &row, &graphics_error), graphics_error);
	assert_int_equal(row.meshes, 5);
	assert_int_equal(row.joints, 15);
	assert_int_equal(row.examples, 10);
	assert_true(row.bytes_sent > 15 * 48 && row.thread_seconds > 0); /* the palette of each, and coefficients */
}

TEST_GROUP(benchmark) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skin_benchmark_gives_a_row_for_each_layer),
		cmocka_unit_test(software_rasterisers_are_known_by_name),
		cmocka_unit_test(view_benchmark_gives_the_parts_of_a_redraw),
		cmocka_unit_test(view_benchmark_draws_many_meshes_with_examples),
	};
	const struct CMUnitTest long_tests[] = {
		cmocka_unit_test(gpu_benchmark_gives_a_row_for_each_blend_count_and_path),
		cmocka_unit_test(view_benchmark_runs_a_black_box),
	};
	return argc > 1 && strcmp(argv[1], "long") == 0 ? cmocka_run_group_tests(long_tests, graphics_open, graphics_close)
													: cmocka_run_group_tests(tests, graphics_open, graphics_close);
}
