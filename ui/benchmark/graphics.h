/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast skin programs run on the GPU, and how long the parts of a frame take.
 */
#ifndef SINEW_UI_BENCHMARK_GRAPHICS_H
#define SINEW_UI_BENCHMARK_GRAPHICS_H

#include "base/arena.h"
#include "render/render.h"

typedef struct snw_gpu_bench_options {
	uint32_t point_count; /* 0: 10,000, then 100,000, then 1,000,000 */
	double seconds;       /* for each row, about */
} snw_gpu_bench_options;

typedef struct snw_gpu_bench_row {
	const char *path;  /* "transform-feedback" or "compute" */
	const char *blend; /* "linear", "affine", "dual-quaternion" */
	uint32_t points, influences;
	bool normals;   /* exact ones, of a mesh of quads */
	double seconds; /* the shortest of several: a frame sent, points and, where asked for, normals left in buffers */
	double points_a_second;
	double bytes_a_point; /* read and written, each number counted once */
	double bytes_a_second;
	double share;        /* of what a copy from buffer to buffer moves in the same run, both ways counted */
	uint32_t bytes_sent; /* what crossed */
} snw_gpu_bench_row;

typedef struct snw_gpu_bench {
	const char *device;
	bool is_software;           /* a rasteriser on the CPU: the figures say nothing about graphics cards */
	const char *chosen;         /* the path that a window would take here */
	double copy_bytes_a_second; /* both ways counted */
	uint32_t row_count;
	snw_gpu_bench_row *rows; /* for each size, blend, influences (1, 2, 4, 8, 12), normals and path, in `arena` */
} snw_gpu_bench;
snw_status snw_bench_gpu(snw_renderer *renderer, const snw_gpu_bench_options *options, const snw_task *task, snw_arena *arena,
						 snw_gpu_bench *bench, snw_error *error);
bool snw_device_is_software(const char *device);

/* One frame of a viewport at 1280 × 720, after some that nobody measures: a tube of quads under linear blend, 4 influences, its
 * pose another one in each frame. */
typedef struct snw_view_bench_row {
	uint32_t points, triangles, redraws;
	double cpu_seconds;    /* poses solved, the frame driven, numbers narrowed: the median frame's */
	double upload_seconds; /* what crosses, and points and normals made of it */
	double draw_seconds;   /* shadows, surfaces, ground, resolved into the window */
	double redraw_seconds; /* all of it, the median */
	double worst_seconds;
	uint32_t bytes_sent;
} snw_view_bench_row;
snw_status snw_bench_view(snw_renderer *renderer, uint32_t point_count, double seconds, const snw_task *task,
						  snw_view_bench_row *row, snw_error *error);

#endif
