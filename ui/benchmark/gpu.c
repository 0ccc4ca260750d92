/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times skin programs and normals on both paths, compared with a copy from buffer to buffer.
 */
#include <math.h>
#include <string.h>

#include "benchmark/graphics.h"
#include "render/draw/gpu_path.h"
#include "render/draw/renderer.h"
#include "render/gl/shader.h"
#include "sample/synthetic_program.h"

enum { SLOTS = 60, INFLUENCE_STEPS = 5, BLENDS = 3, SIZES = 3, MEBI = 1 << 20 };

static const uint32_t influence_steps[INFLUENCE_STEPS] = {1, 2, 4, 8, 12};
static const char *const blend_names[4] = {"none", "linear", "affine", "dual-quaternion"};

/* ---- copying ------------------------------------------------------------------------------------------------------------- */

enum { COPY_THREADS = 1 << 20 };

typedef struct copy {
	GLuint from, to;
	GLsizeiptr bytes;
	GLuint shader; /* 0: the driver copies */
} copy;

static void run_copy(void *argument) {
	const copy *buffers = argument;
	if (buffers->shader) {
		glUseProgram(buffers->shader);
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers->from);
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers->to);
		snw_compute_run(COPY_THREADS);
		return;
	}
	glBindBuffer(GL_COPY_READ_BUFFER, buffers->from);
	glBindBuffer(GL_COPY_WRITE_BUFFER, buffers->to);
	glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, buffers->bytes);
}

/* By the driver or by a compute shader, whichever is faster. */
static snw_status copy_rate(bool is_software, double seconds, double *rate, snw_error *error) {
	static const snw_shader_recipe recipe = {.compute = "copy.comp"};
	copy buffers = {.bytes = (GLsizeiptr)(is_software ? 64 : 256) * MEBI};
	if (snw_shader_has_compute()) {
		const snw_status status = snw_shader_link(&recipe, &buffers.shader, error);
		if (snw_failed(status)) {
			return status;
		}
		snw_uniform_whole(buffers.shader, "thread_count", COPY_THREADS);
	}
	buffers.from = snw_buffer_make(GL_COPY_READ_BUFFER, NULL, (size_t)buffers.bytes, GL_STATIC_COPY);
	buffers.to = snw_buffer_make(GL_COPY_WRITE_BUFFER, NULL, (size_t)buffers.bytes, GL_STATIC_COPY);
	double time = INFINITY;
	if (buffers.shader) {
		time = snw_gpu_time(run_copy, &buffers, seconds);
		glDeleteProgram(buffers.shader);
		buffers.shader = 0;
	}
	time = fmin(time, snw_gpu_time(run_copy, &buffers, seconds));
	glDeleteBuffers(1, &buffers.from);
	glDeleteBuffers(1, &buffers.to);
	*rate = 2 * (double)buffers.bytes / time;
	return SNW_OK;
}

/* ---- skinning ------------------------------------------------------------------------------------------------------------ */

/* A square grid of quads with about this many points. */
static snw_mesh make_grid(uint32_t point_count, snw_arena *arena) {
	const uint32_t side = (uint32_t)sqrt((double)point_count), quads = (side - 1) * (side - 1);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)side * side);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)quads + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)quads);
	for (uint32_t i = 0; i < side * side; i++) {
		const uint32_t column = i % side, row = i / side;
		points[3 * (size_t)i] = column;
		points[3 * (size_t)i + 1] = row;
	}
	for (uint32_t f = 0; f < quads; f++) {
		const uint32_t first = f / (side - 1) * side + f % (side - 1);
		const uint32_t indices[4] = {first, first + 1, first + side + 1, first + side};
		memcpy(corners + 4 * (size_t)f, indices, sizeof indices);
		offsets[f + 1] = 4 * (f + 1);
	}
	return (snw_mesh){.name = "bench",
					  .point_count = side * side,
					  .points_rest = points,
					  .face_count = quads,
					  .face_offsets = offsets,
					  .face_points = corners};
}

typedef struct subject {
	snw_gpu_program *program;
	const snw_program_input *input;
	snw_gpu_mesh *gpu_mesh;
	bool normals;
} subject;

static void run_subject(void *argument) {
	const subject *measured = argument;
	snw_gpu_program_run(measured->program, measured->input, 0, snw_gpu_mesh_points(measured->gpu_mesh));
	if (measured->normals) {
		snw_gpu_mesh_find_normals(measured->gpu_mesh);
	}
}

typedef struct bench {
	snw_renderer *renderer;
	const snw_gpu_bench_options *options;
	const snw_task *task;
	snw_gpu_bench *result;
} bench;

static void time_subject(const bench *b, subject *measured, snw_gpu_bench_row shared) {
	const double skin_bytes = snw_gpu_program_bytes_a_point(measured->program);
	const double normal_bytes = snw_gpu_mesh_normal_bytes(measured->gpu_mesh) / shared.points;
	for (int normals = 0; normals <= 1; normals++) {
		for (snw_gpu_path path = 0; path <= (b->renderer->skin_shaders.has_compute ? SNW_GPU_COMPUTE : SNW_GPU_FEEDBACK);
			 path++) {
			snw_gpu_bench_row *row = &b->result->rows[b->result->row_count++];
			*row = shared;
			measured->normals = normals;
			b->renderer->skin_shaders.path = b->renderer->mesh_shaders.path = path;
			row->path = snw_gpu_path_names[path];
			row->normals = normals;
			row->seconds = snw_gpu_time(run_subject, measured, b->options->seconds);
			row->points_a_second = row->points / row->seconds;
			row->bytes_a_point = skin_bytes + (normals ? normal_bytes : 0);
			row->bytes_a_second = row->bytes_a_point * row->points_a_second;
			row->share = row->bytes_a_second / b->result->copy_bytes_a_second;
			row->bytes_sent = (uint32_t)snw_gpu_program_bytes_sent(measured->program);
		}
	}
}

static snw_status bench_program(const bench *b, snw_gpu_mesh *gpu_mesh, uint32_t points, int32_t blend, uint32_t influences,
								snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_synthetic_program made = snw_synthetic_program_make(points, SLOTS, blend, influences, SNW_SLOTS_SHARED, 0, scratch);
	subject measured = {.input = &made.input, .gpu_mesh = gpu_mesh};
	snw_status status = snw_gpu_program_create(&b->renderer->skin_shaders, &made.program, NULL, &measured.program, error);
	if (status == SNW_ERROR_LIMIT) {
		snw_task_notice(b->task, SNW_LOG_WARNING, "%s; skipped", error->text);
		status = SNW_OK;
	} else if (!snw_failed(status)) {
		time_subject(b, &measured,
					 (snw_gpu_bench_row){.blend = blend_names[blend], .points = points, .influences = influences});
		status = snw_context_check(&b->renderer->context, "timing the GPU", error);
	}
	snw_gpu_program_destroy(measured.program);
	snw_packed_program_destroy(made.packed);
	snw_arena_destroy(scratch);
	return status;
}

static snw_status bench_size(const bench *b, uint32_t point_count, double begun, double share, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const snw_mesh grid = make_grid(point_count, scratch);
	snw_gpu_mesh *gpu_mesh = NULL;
	snw_status status = snw_gpu_mesh_create(&b->renderer->mesh_shaders, &grid, NULL, NULL, &gpu_mesh, error);
	for (int i = 0; i < BLENDS * INFLUENCE_STEPS && !snw_failed(status); i++) {
		if (!snw_task_progress(b->task, begun + share * i / (BLENDS * INFLUENCE_STEPS), "timing")) {
			status = snw_fail(error, SNW_CANCELLED, "stopped");
			continue;
		}
		status = bench_program(b, gpu_mesh, grid.point_count, SNW_BLEND_LINEAR + i / INFLUENCE_STEPS,
							   influence_steps[i % INFLUENCE_STEPS], error);
	}
	snw_gpu_mesh_destroy(gpu_mesh);
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_bench_gpu(snw_renderer *renderer, const snw_gpu_bench_options *options, const snw_task *task, snw_arena *arena,
						 snw_gpu_bench *result, snw_error *error) {
	static const uint32_t sizes[SIZES] = {10000, 100000, 1000000};
	const bench b = {renderer, options, task, result};
	const int size_count = options->point_count ? 1 : SIZES;
	snw_status status = snw_context_enter(&renderer->context, error);
	if (snw_failed(status)) {
		return status;
	}
	*result = (snw_gpu_bench){.device = snw_renderer_device(renderer)};
	result->is_software = snw_device_is_software(result->device);
	result->rows = SNW_NEW_ARRAY(arena, snw_gpu_bench_row, (size_t)SIZES * BLENDS * INFLUENCE_STEPS * 2 * SNW_GPU_PATH_COUNT);
	status = snw_path_choose(&renderer->skin_shaders, &renderer->mesh_shaders, error);
	const snw_gpu_path chosen = renderer->skin_shaders.path;
	result->chosen = snw_gpu_path_names[chosen];
	status =
		snw_failed(status) ? status : copy_rate(result->is_software, options->seconds, &result->copy_bytes_a_second, error);
	for (int i = 0; i < size_count && !snw_failed(status); i++) {
		status = bench_size(&b, options->point_count ? options->point_count : sizes[i], (double)i / size_count,
							1.0 / size_count, error);
	}
	renderer->skin_shaders.path = renderer->mesh_shaders.path = chosen;
	return status;
}
