/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times the three ways of drawing a crowd in turn, at the same moments.
 */
#include <math.h>

#include "benchmark/graphics.h"
#include "render/draw/gpu_crowd_internal.h"
#include "render/draw/gpu_path.h"
#include "render/draw/renderer.h"

enum { WIDTH = 1280, HEIGHT = 720 };
#define STEP (1 / 60.0) /* seconds of the clips between redraws */

static const char *const way_names[SNW_CROWD_WAYS] = {"at once", "one by one", "points sent"};

typedef struct bench {
	snw_gpu_crowd *gpu_crowd;
	const snw_crowd_points *points;
	snw_view view;
	snw_crowd_way way;
	double seconds; /* of the clips */
	size_t bytes_sent;
} bench;

static void redraw(void *argument) {
	bench *b = argument;
	b->bytes_sent = snw_gpu_crowd_draw_way(b->gpu_crowd, b->way, b->points, &b->view, b->seconds);
	b->seconds += STEP;
}

static void time_ways(bench *b, const snw_crowd *crowd, const snw_crowd_character *character, double seconds,
					  snw_crowd_bench *result) {
	for (snw_crowd_way way = 0; way < SNW_CROWD_WAYS; way++) {
		snw_crowd_bench_row *row = &result->rows[way];
		b->way = way;
		b->seconds = 0;
		row->way = way_names[way];
		row->members = crowd->count;
		for (uint32_t m = 0; m < character->scene->mesh_count; m++) {
			row->points += (uint64_t)character->scene->meshes[m].point_count * crowd->count;
		}
		row->draw_calls = (way == SNW_CROWD_ONE_BY_ONE ? crowd->count : 1) * character->scene->mesh_count;
		row->seconds = snw_gpu_time(redraw, b, seconds);
		row->bytes_sent = b->bytes_sent;
		row->times = row->seconds / result->rows[0].seconds;
		row->share = (double)result->rows[0].bytes_sent / (double)row->bytes_sent;
	}
}

snw_status snw_bench_crowd(snw_renderer *renderer, snw_crowd *crowd, const snw_crowd_character *character, double seconds,
						   const snw_task *task, snw_crowd_bench *result, snw_error *error) {
	bench b = {.view = {.scene = character->scene, .camera = {.yaw = 0.6, .pitch = 0.4}}};
	*result = (snw_crowd_bench){.device = snw_renderer_device(renderer)};
	snw_status status = snw_gpu_crowd_create(renderer, crowd, character, task, &b.gpu_crowd, error);
	status = snw_failed(status) ? status : snw_gpu_crowd_fit_target(b.gpu_crowd, WIDTH, HEIGHT, error);
	if (!snw_failed(status)) {
		snw_crowd_points *points = snw_crowd_points_create(b.gpu_crowd);
		b.points = points;
		b.view.camera = snw_gpu_crowd_frame_camera(b.gpu_crowd, &b.view.camera, WIDTH, HEIGHT);
		result->kept_bytes = snw_gpu_crowd_shown(b.gpu_crowd).kept_bytes;
		time_ways(&b, crowd, character, seconds, result);
		snw_crowd_points_destroy(points);
		status = snw_context_check(&renderer->context, "timing the crowd", error);
	}
	snw_gpu_crowd_destroy(b.gpu_crowd);
	return status;
}
