/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times by the clock around glFinish: the timer queries of some drivers return nothing useful.
 */
#include "render/draw/gpu_path.h"

#include <math.h>

#include "render/gl/shader.h"
#include "sample/synthetic_program.h"
#include "sinew/kit/clock.h"

enum { POINTS = 20000, SLOTS = 60, INFLUENCES = 4, MOST_RUNS = 64 };

#define SECONDS 0.004 /* a path */
#define GAIN 0.9      /* compute must take less than this part of transform feedback's time */
#define LEAST_BATCH 2e-4

static double batch(void (*run)(void *argument), void *argument, int runs) {
	glFinish();
	const double start = snk_clock_seconds();
	for (int i = 0; i < runs; i++) {
		run(argument);
	}
	glFinish();
	return (snk_clock_seconds() - start) / runs;
}

double snw_gpu_time(void (*run)(void *argument), void *argument, double seconds) {
	const double begin = snk_clock_seconds();
	double shortest = batch(run, argument, 1); /* the driver finishes compiling in it */
	int runs = 1;
	for (int i = 0; i < 3 || snk_clock_seconds() - begin < seconds; i++) {
		const double values = batch(run, argument, runs);
		shortest = i == 0 ? values : fmin(shortest, values);
		runs = values * runs < LEAST_BATCH && runs < MOST_RUNS ? 2 * runs : runs;
	}
	return shortest;
}

typedef struct subject {
	snw_gpu_program *program;
	const snw_program_input *input;
	GLuint points;
} subject;

static void pose(void *argument) {
	const subject *measured = argument;
	snw_gpu_program_run(measured->program, measured->input, 0, measured->points);
}

snw_status snw_path_choose(snw_skin_shaders *skin, snw_gpu_mesh_shaders *gpu_mesh, snw_error *error) {
	snw_status status = snw_skin_shaders_add_compute(skin, error);
	status = snw_failed(status) ? status : snw_gpu_mesh_shaders_add_compute(gpu_mesh, error);
	if (snw_failed(status) || !skin->has_compute) {
		return status;
	}
	snw_arena *scratch = snw_arena_create();
	snw_synthetic_program made =
		snw_synthetic_program_make(POINTS, SLOTS, SNW_BLEND_LINEAR, INFLUENCES, SNW_SLOTS_SHARED, 0, scratch);
	subject measured = {.input = &made.input};
	double seconds[SNW_GPU_PATH_COUNT] = {0};
	status = snw_gpu_program_create(skin, &made.program, NULL, &measured.program, error);
	if (!snw_failed(status)) {
		measured.points = snw_buffer_make(GL_ARRAY_BUFFER, NULL, POINTS * 3 * sizeof(float), GL_DYNAMIC_COPY);
		for (skin->path = 0; skin->path < SNW_GPU_PATH_COUNT; skin->path++) {
			seconds[skin->path] = snw_gpu_time(pose, &measured, SECONDS);
		}
		skin->path = seconds[SNW_GPU_COMPUTE] < GAIN * seconds[SNW_GPU_FEEDBACK] ? SNW_GPU_COMPUTE : SNW_GPU_FEEDBACK;
		gpu_mesh->path = skin->path;
		glDeleteBuffers(1, &measured.points);
	}
	snw_gpu_program_destroy(measured.program);
	snw_packed_program_destroy(made.packed);
	snw_arena_destroy(scratch);
	return status;
}
