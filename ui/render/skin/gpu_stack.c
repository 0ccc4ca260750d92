/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Segments of a stack, one after another.
 */
#include "render/skin/gpu_stack.h"

#include "render/gl/shader.h"

struct snw_gpu_mesh_stack {
	snw_arena *arena;
	const snw_stack *stack;
	uint32_t mesh, point_count, segment_count;
	snw_gpu_program **segments;       /* [segment_count]; NULL where the CPU runs the mesh */
	snw_gpu_program_normals *normals; /* NULL: none on the GPU */
	float *points;                    /* [point_count][3]: what the CPU made */
	GLuint between[2];                /* what one segment hands to the next */
};

static void drop_segments(snw_gpu_mesh_stack *gpu) {
	for (uint32_t s = 0; s < gpu->segment_count && gpu->segments; s++) {
		snw_gpu_program_destroy(gpu->segments[s]);
	}
	gpu->segments = NULL;
}

static void make_segments(snw_gpu_mesh_stack *gpu, const snw_skin_shaders *shaders, const snw_gpu_mesh_stack *previous) {
	if (gpu->segment_count == 0) {
		return;
	}
	gpu->segments = SNW_NEW_ARRAY(gpu->arena, snw_gpu_program *, gpu->segment_count);
	for (uint32_t s = 0; s < gpu->segment_count; s++) {
		const snw_segment_info info = snw_stack_segment(gpu->stack, gpu->mesh, s);
		snw_gpu_program *given = previous && previous->segments && s < previous->segment_count ? previous->segments[s] : NULL;
		if (!info.is_program || snw_gpu_program_create(shaders, info.program, given, &gpu->segments[s], NULL) < 0) {
			drop_segments(gpu);
			return;
		}
	}
}

snw_gpu_mesh_stack *snw_gpu_mesh_stack_create(const snw_skin_shaders *shaders, const snw_stack *stack, uint32_t mesh,
											  uint32_t point_count, snw_gpu_mesh_stack *previous) {
	const size_t bytes = 3 * (size_t)point_count * sizeof(float);
	snw_arena *arena = snw_arena_create();
	snw_gpu_mesh_stack *gpu = SNW_NEW(arena, snw_gpu_mesh_stack);
	*gpu = (snw_gpu_mesh_stack){.arena = arena, .stack = stack, .mesh = mesh, .point_count = point_count};
	gpu->segment_count = snw_stack_segment_count(stack, mesh);
	make_segments(gpu, shaders, previous);
	if (gpu->segments && snw_stack_has_normals(stack, mesh)) {
		gpu->normals = snw_gpu_program_normals_create(shaders, snw_stack_segment(stack, mesh, 0).program);
	}
	if (gpu->segments) {
		for (int i = 0; i < 2; i++) {
			gpu->between[i] = snw_buffer_make(GL_ARRAY_BUFFER, NULL, bytes, GL_DYNAMIC_COPY);
		}
	} else {
		gpu->points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)point_count);
	}
	return gpu;
}

void snw_gpu_mesh_stack_destroy(snw_gpu_mesh_stack *gpu) {
	if (!gpu) {
		return;
	}
	drop_segments(gpu);
	snw_gpu_program_normals_destroy(gpu->normals);
	glDeleteBuffers(2, gpu->between);
	snw_arena_destroy(gpu->arena);
}

bool snw_gpu_mesh_stack_is_on_gpu(const snw_gpu_mesh_stack *gpu) {
	return gpu->segments != NULL;
}

size_t snw_gpu_mesh_stack_bytes_sent(const snw_gpu_mesh_stack *gpu) {
	size_t bytes = 0;
	for (uint32_t s = 0; s < gpu->segment_count && gpu->segments; s++) {
		bytes += snw_gpu_program_bytes_sent(gpu->segments[s]);
	}
	bytes += gpu->normals ? snw_gpu_program_normals_bytes_sent(gpu->normals) : 0;
	return gpu->segments ? bytes : 3 * (size_t)gpu->point_count * sizeof(float);
}

static snw_status run_on_cpu(snw_gpu_mesh_stack *gpu, snw_stack_frame *frame, GLuint points_out, snw_error *error) {
	const snw_status status = snw_stack_run(gpu->stack, frame, gpu->mesh, gpu->points, error);
	if (!snw_failed(status)) {
		glBindBuffer(GL_ARRAY_BUFFER, points_out);
		glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(3 * (size_t)gpu->point_count * sizeof(float)), gpu->points);
	}
	return status;
}

snw_status snw_gpu_mesh_stack_run(snw_gpu_mesh_stack *gpu, snw_stack_frame *frame, GLuint points_out, snw_error *error) {
	if (!gpu->segments) {
		return run_on_cpu(gpu, frame, points_out, error);
	}
	GLuint from = 0;
	for (uint32_t s = 0; s < gpu->segment_count; s++) {
		const GLuint to = s + 1 == gpu->segment_count ? points_out : gpu->between[s % 2];
		snw_gpu_program_run(gpu->segments[s], snw_stack_program_frame(frame, gpu->mesh, s), from, to);
		from = to;
	}
	return SNW_OK;
}

bool snw_gpu_mesh_stack_find_normals(snw_gpu_mesh_stack *gpu, snw_stack_frame *frame, GLuint normals) {
	if (gpu->normals) {
		snw_gpu_program_normals_run(gpu->normals, snw_stack_program_frame(frame, gpu->mesh, 0), normals);
	}
	return gpu->normals != NULL;
}
