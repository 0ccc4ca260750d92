/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Segments of a stack, one after another.
 */
#include "render/skin/gpu_stack.h"

#include "render/gl/shader.h"

struct snw_poser {
	snw_arena *arena;
	const snw_stack *stack;
	uint32_t mesh, point_count, segment_count;
	snw_gpu_program **segments; /* [segment_count]; NULL where the CPU runs the mesh */
	snw_own_normals *normals;   /* NULL: none on the GPU */
	float *points;              /* [point_count][3]: what the CPU made */
	GLuint between[2];          /* what one segment hands to the next */
};

static void drop_segments(snw_poser *poser) {
	for (uint32_t s = 0; s < poser->segment_count && poser->segments; s++) {
		snw_gpu_program_destroy(poser->segments[s]);
	}
	poser->segments = NULL;
}

static void make_segments(snw_poser *poser, const snw_skin_shaders *shaders, const snw_poser *donor) {
	if (poser->segment_count == 0) {
		return;
	}
	poser->segments = SNW_NEW_ARRAY(poser->arena, snw_gpu_program *, poser->segment_count);
	for (uint32_t s = 0; s < poser->segment_count; s++) {
		const snw_segment_info info = snw_stack_segment(poser->stack, poser->mesh, s);
		snw_gpu_program *given = donor && donor->segments && s < donor->segment_count ? donor->segments[s] : NULL;
		if (!info.is_program || snw_gpu_program_create(shaders, info.program, given, &poser->segments[s], NULL) < 0) {
			drop_segments(poser);
			return;
		}
	}
}

snw_poser *snw_poser_create(const snw_skin_shaders *shaders, const snw_stack *stack, uint32_t mesh, uint32_t point_count,
							snw_poser *donor) {
	const size_t bytes = 3 * (size_t)point_count * sizeof(float);
	snw_arena *arena = snw_arena_create();
	snw_poser *poser = SNW_NEW(arena, snw_poser);
	*poser = (snw_poser){.arena = arena, .stack = stack, .mesh = mesh, .point_count = point_count};
	poser->segment_count = snw_stack_segment_count(stack, mesh);
	make_segments(poser, shaders, donor);
	if (poser->segments && snw_stack_has_normals(stack, mesh)) {
		poser->normals = snw_own_normals_create(shaders, snw_stack_segment(stack, mesh, 0).program);
	}
	if (poser->segments) {
		for (int i = 0; i < 2; i++) {
			poser->between[i] = snw_buffer_make(GL_ARRAY_BUFFER, NULL, bytes, GL_DYNAMIC_COPY);
		}
	} else {
		poser->points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)point_count);
	}
	return poser;
}

void snw_poser_destroy(snw_poser *poser) {
	if (!poser) {
		return;
	}
	drop_segments(poser);
	snw_own_normals_destroy(poser->normals);
	glDeleteBuffers(2, poser->between);
	snw_arena_destroy(poser->arena);
}

bool snw_poser_is_on_gpu(const snw_poser *poser) {
	return poser->segments != NULL;
}

size_t snw_poser_bytes_sent(const snw_poser *poser) {
	size_t bytes = 0;
	for (uint32_t s = 0; s < poser->segment_count && poser->segments; s++) {
		bytes += snw_gpu_program_bytes_sent(poser->segments[s]);
	}
	bytes += poser->normals ? snw_own_normals_bytes_sent(poser->normals) : 0;
	return poser->segments ? bytes : 3 * (size_t)poser->point_count * sizeof(float);
}

static snw_status run_on_cpu(snw_poser *poser, snw_stack_frame *frame, GLuint points_out, snw_error *error) {
	const snw_status status = snw_stack_run(poser->stack, frame, poser->mesh, poser->points, error);
	if (status >= 0) {
		glBindBuffer(GL_ARRAY_BUFFER, points_out);
		glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(3 * (size_t)poser->point_count * sizeof(float)), poser->points);
	}
	return status;
}

snw_status snw_poser_run(snw_poser *poser, snw_stack_frame *frame, GLuint points_out, snw_error *error) {
	if (!poser->segments) {
		return run_on_cpu(poser, frame, points_out, error);
	}
	GLuint from = 0;
	for (uint32_t s = 0; s < poser->segment_count; s++) {
		const GLuint to = s + 1 == poser->segment_count ? points_out : poser->between[s % 2];
		snw_gpu_program_run(poser->segments[s], snw_stack_program_frame(frame, poser->mesh, s), from, to);
		from = to;
	}
	return SNW_OK;
}

bool snw_poser_find_normals(snw_poser *poser, snw_stack_frame *frame, GLuint normals) {
	if (poser->normals) {
		snw_own_normals_run(poser->normals, snw_stack_program_frame(frame, poser->mesh, 0), normals);
	}
	return poser->normals != NULL;
}
