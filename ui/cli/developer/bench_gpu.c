/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew bench gpu: the speed of skin programs, or of a project's skins, on the graphics card; sinew bench view: the times of
 * the parts of a redraw.
 */
#include "benchmark/graphics.h"
#include "cli/command_line/open_project.h"
#include "cli/developer/bench.h"
#include "render/gl/context.h"

static void warn_of_software(const snw_call *call, const char *device) {
	if (snw_device_is_software(device)) {
		snw_say(call, "This ran on a software rasteriser. The figures say nothing about graphics cards.");
	}
}

static void answer_device(const snw_call *call, const char *device) {
	snw_answer_text(call->answer, "device", device);
	snw_answer_bool(call->answer, "is_software", snw_device_is_software(device));
}

static void print_row(const snw_call *call, cJSON *list, const snw_gpu_bench_row *row) {
	snw_say(call,
			"%-18s %-15s %7u points %2u influences %-12s %8.1f million points/s   %5.0f bytes a point %7.1f GB/s   "
			"%3.0f %% of a copy",
			row->path, row->blend, row->points, row->influences, row->normals ? "with normals" : "",
			1e-6 * row->points_a_second, row->bytes_a_point, 1e-9 * row->bytes_a_second, 100 * row->share);
	cJSON *answer = snw_answer_row(list);
	snw_answer_text(answer, "path", row->path);
	snw_answer_text(answer, "blend", row->blend);
	snw_answer_number(answer, "points", row->points);
	snw_answer_number(answer, "influences", row->influences);
	snw_answer_bool(answer, "normals", row->normals);
	snw_answer_number(answer, "seconds", row->seconds);
	snw_answer_number(answer, "points_a_second", row->points_a_second);
	snw_answer_number(answer, "bytes_a_point", row->bytes_a_point);
	snw_answer_number(answer, "bytes_a_second", row->bytes_a_second);
	snw_answer_number(answer, "share_of_copy", row->share);
	snw_answer_number(answer, "frame_bytes", row->bytes_sent);
}

static snw_status read_numbers(const snw_call *call, double seconds_otherwise, double *points, double *seconds,
							   snw_error *error) {
	const snw_status status = snw_call_number(call, "--points", 1000, 5e6, 0, points, error);
	return snw_failed(status) ? status : snw_call_number(call, "--seconds", 0.001, 60, seconds_otherwise, seconds, error);
}

static void print_skin(const snw_call *call, cJSON *list, const snw_skin_bench_row *row) {
	snw_say(call, "%-24s %7u points   CPU %7.3f ms   upload and skin %7.3f ms, of it boxes %6.3f ms   %6u bytes uploaded%s",
			row->method, row->points, 1e3 * row->drive_seconds, 1e3 * row->skin_seconds, 1e3 * row->box_seconds,
			row->bytes_sent, row->ratio > 0 ? snw_arena_format(call->arena, "   %.2f times as long", row->ratio) : "");
	cJSON *answer = snw_answer_row(list);
	snw_answer_text(answer, "method", row->method);
	snw_answer_number(answer, "points", row->points);
	snw_answer_number(answer, "cpu_seconds", row->drive_seconds);
	snw_answer_number(answer, "skin_seconds", row->skin_seconds);
	snw_answer_number(answer, "box_seconds", row->box_seconds);
	snw_answer_number(answer, "bytes_sent", row->bytes_sent);
	if (row->ratio > 0) {
		snw_answer_number(answer, "ratio", row->ratio);
	}
}

static snw_status bench_project(snw_call *call, snw_renderer *renderer, double seconds, snw_error *error) {
	snw_opened opened = {.queue_lock = -1};
	snw_skin_bench bench;
	snw_status status = snw_open_project(call->arguments[1], SNW_OPEN_READ | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_bench_skins(renderer, opened.scene, opened.registry, seconds, &call->task, call->arena, &bench, error);
	if (!snw_failed(status)) {
		cJSON *list = snw_answer_list(call->answer, "rows");
		answer_device(call, bench.device);
		snw_answer_text(call->answer, "path", bench.path);
		snw_say(call, "%s, %s: each skin at a pose, compared with the first", bench.device, bench.path);
		for (uint32_t i = 0; i < bench.row_count; i++) {
			print_skin(call, list, &bench.rows[i]);
		}
		warn_of_software(call, bench.device);
	}
	snw_opened_close(&opened);
	return status;
}

static snw_status bench_programs(snw_call *call, snw_renderer *renderer, double points, double seconds, snw_error *error) {
	const snw_gpu_bench_options options = {.point_count = (uint32_t)points, .seconds = seconds};
	snw_gpu_bench bench;
	const snw_status status = snw_bench_gpu(renderer, &options, &call->task, call->arena, &bench, error);
	if (snw_failed(status)) {
		return status;
	}
	cJSON *list = snw_answer_list(call->answer, "rows");
	answer_device(call, bench.device);
	snw_answer_text(call->answer, "chosen", bench.chosen);
	snw_answer_number(call->answer, "copy_bytes_a_second", bench.copy_bytes_a_second);
	snw_say(call, "%s: a copy moves %.1f GB/s, reads and writes; a window uses %s", bench.device,
			1e-9 * bench.copy_bytes_a_second, bench.chosen);
	for (uint32_t i = 0; i < bench.row_count; i++) {
		print_row(call, list, &bench.rows[i]);
	}
	warn_of_software(call, bench.device);
	return SNW_OK;
}

snw_status snw_cli_bench_gpu(snw_call *call, snw_error *error) {
	double points = 0, seconds = 0;
	snw_renderer *renderer = NULL;
	snw_status status = read_numbers(call, 0.02, &points, &seconds, error);
	status = snw_failed(status) ? status : snw_renderer_create(&renderer, error);
	if (snw_failed(status)) {
		return status;
	}
	status = call->argument_count > 1 ? bench_project(call, renderer, seconds, error)
									  : bench_programs(call, renderer, points, seconds, error);
	snw_renderer_destroy(renderer);
	return status;
}

static void print_view_row(const snw_call *call, cJSON *list, const snw_view_bench_row *row) {
	snw_say(call,
			"%7u points %7u triangles   CPU %7.3f ms   upload and skin %7.2f ms   draw %7.2f ms   frame %7.2f ms, longest "
			"%7.2f   %u bytes uploaded",
			row->points, row->triangles, 1e3 * row->cpu_seconds, 1e3 * row->upload_seconds, 1e3 * row->draw_seconds,
			1e3 * row->redraw_seconds, 1e3 * row->worst_seconds, row->bytes_sent);
	cJSON *answer = snw_answer_row(list);
	snw_answer_number(answer, "points", row->points);
	snw_answer_number(answer, "triangles", row->triangles);
	snw_answer_number(answer, "frames", row->redraws);
	snw_answer_number(answer, "cpu_seconds", row->cpu_seconds);
	snw_answer_number(answer, "upload_seconds", row->upload_seconds);
	snw_answer_number(answer, "draw_seconds", row->draw_seconds);
	snw_answer_number(answer, "frame_seconds", row->redraw_seconds);
	snw_answer_number(answer, "longest_seconds", row->worst_seconds);
	snw_answer_number(answer, "frame_bytes", row->bytes_sent);
}

snw_status snw_cli_bench_view(snw_call *call, snw_error *error) {
	static const uint32_t sizes[] = {10000, 100000, 1000000};
	double points = 0, seconds = 0;
	snw_renderer *renderer = NULL;
	snw_status status = read_numbers(call, 1, &points, &seconds, error);
	status = snw_failed(status) ? status : snw_renderer_create(&renderer, error);
	if (snw_failed(status)) {
		return status;
	}
	cJSON *list = snw_answer_list(call->answer, "rows");
	answer_device(call, snw_renderer_device(renderer));
	for (size_t i = 0; i < (points > 0 ? 1 : sizeof sizes / sizeof *sizes) && !snw_failed(status); i++) {
		snw_view_bench_row row;
		status = snw_bench_view(renderer, points > 0 ? (uint32_t)points : sizes[i], snw_call_option(call, "--method"), seconds,
								&call->task, &row, error);
		if (!snw_failed(status)) {
			print_view_row(call, list, &row);
		}
	}
	warn_of_software(call, snw_renderer_device(renderer));
	snw_renderer_destroy(renderer);
	return status;
}
