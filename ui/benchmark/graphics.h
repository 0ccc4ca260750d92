/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The speed of skin programs and of a character's skins on the GPU, and the times of the parts of a redraw.
 */
#ifndef SINEW_UI_BENCHMARK_GRAPHICS_H
#define SINEW_UI_BENCHMARK_GRAPHICS_H

#include "base/arena.h"
#include "plugin/registry.h"
#include "render/draw/gpu_crowd.h"
#include "render/render.h"
#include "sample/sample.h"

typedef struct snw_gpu_bench_options {
	uint32_t point_count; /* 0: 10,000, then 100,000, then 1,000,000 */
	double seconds;       /* about, for each row */
} snw_gpu_bench_options;

typedef struct snw_gpu_bench_row {
	const char *path;  /* "transform-feedback" or "compute" */
	const char *blend; /* the kind: snw_blend in words */
	uint32_t points, influences;
	bool normals;   /* from the faces, of a mesh of quads */
	double seconds; /* the shortest of several: input sent, points and, if requested, normals written to buffers */
	double points_a_second;
	double bytes_a_point; /* read and written, each number counted once */
	double bytes_a_second;
	double share;        /* of the bandwidth of a copy from buffer to buffer in the same run, reads and writes counted */
	uint32_t bytes_sent; /* by one run */
} snw_gpu_bench_row;

typedef struct snw_gpu_bench {
	const char *device;
	bool is_software;           /* a rasteriser on the CPU: the figures say nothing about graphics cards */
	const char *chosen;         /* the path that a window would use here */
	double copy_bytes_a_second; /* reads and writes counted */
	uint32_t row_count;
	snw_gpu_bench_row *rows; /* for each size, blend, influences (1, 2, 4, 8, 12), normals and path, in `arena` */
} snw_gpu_bench;
snw_status snw_bench_gpu(snw_renderer *renderer, const snw_gpu_bench_options *options, const snw_task *task, snw_arena *arena,
						 snw_gpu_bench *bench, snw_error *error);

/* One skin of a character: its layers up to and including one. */
typedef struct snw_skin_bench_row {
	const char *method;   /* the linear blend in the first row, then the name of the layer */
	uint32_t points;      /* of all meshes */
	double drive_seconds; /* driving the stack at one pose, on the CPU: the shortest of several */
	double box_seconds;   /* finding the boxes of the posed meshes, on the CPU: the shortest of several */
	double skin_seconds;  /* running black boxes, finding boxes, uploading, and computing the points: the shortest of several */
	double ratio;         /* both together, compared with the first row; 0 in the first row */
	uint32_t bytes_sent;  /* for one pose */
} snw_skin_bench_row;

typedef struct snw_skin_bench {
	const char *device;
	const char *path; /* the one that a window would use here */
	uint32_t row_count;
	snw_skin_bench_row *rows; /* in `arena` */
} snw_skin_bench;
/* Times the character at moments of its first clip. Muted layers are left out. */
snw_status snw_bench_skins(snw_renderer *renderer, const snw_scene *scene, const snw_registry *registry, double seconds,
						   const snw_task *task, snw_arena *arena, snw_skin_bench *bench, snw_error *error);

/* A crowd's redraw: surfaces alone at 1280 × 720, without shadows, all members in view at the finest level. */
typedef struct snw_crowd_bench_row {
	const char *way; /* "at once", "one by one", "points sent": snw_crowd_way */
	uint32_t members, draw_calls;
	uint64_t points;     /* of all of them */
	double seconds;      /* the shortest of several: chosen, sent, skinned, drawn */
	double times;        /* as long as the first */
	uint64_t bytes_sent; /* in one redraw */
	double share;        /* of these bytes that the first way sends */
} snw_crowd_bench_row;

typedef struct snw_crowd_bench {
	const char *device;
	size_t kept_bytes; /* sent before: the frames of all clips */
	snw_crowd_bench_row rows[SNW_CROWD_WAYS];
} snw_crowd_bench;
/* The character has no levels. Errors of snw_gpu_crowd_create. */
snw_status snw_bench_crowd(snw_renderer *renderer, snw_crowd *crowd, const snw_crowd_character *character, double seconds,
						   const snw_task *task, snw_crowd_bench *bench, snw_error *error);

typedef struct snw_view_bench_options {
	const char *method;     /* one that binds to any character; NULL: linear blend, or with examples what learns from them */
	snw_limbs_size limbs;   /* 1 mesh and 0 joints: a tube of quads with two joints, else as sample/sample.h makes it */
	double seconds;         /* about */
	uint32_t width, height; /* of the viewport, pixels; 0: 1280 × 720 */
} snw_view_bench_options;

/* A redraw of a viewport, after some that are not measured, with a new pose in each redraw. */
typedef struct snw_view_bench_row {
	uint32_t points, triangles, meshes, joints, examples, redraws;
	double cpu_seconds;    /* poses solved, the stack driven, numbers converted to float: the median */
	double upload_seconds; /* running black boxes, uploading, and computing points and normals */
	double draw_seconds;   /* shadows, surfaces, ground, resolved into the window */
	double redraw_seconds; /* the whole redraw, the median */
	double thread_seconds; /* that the thread which draws ran in a redraw, the driver within it: the median */
	double worst_seconds;
	uint32_t bytes_sent;
} snw_view_bench_row;
snw_status snw_bench_view(snw_renderer *renderer, const snw_view_bench_options *options, const snw_task *task,
						  snw_view_bench_row *row, snw_error *error);

#endif
