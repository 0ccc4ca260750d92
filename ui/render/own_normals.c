/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Influences, displacements and palettes of normals in buffer textures, and the pass that blends them.
 */
#include "render/own_normals.h"

#include "render/by_point.h"
#include "render/shader.h"

#define WHOLE_LIMIT (1u << 24)

/* Texture units, in the order of the recipe's samplers. */
typedef enum unit { PALETTE, INFLUENCES, ENTRIES, SCALES, UNIT_COUNT } unit;

struct snw_own_normals {
	snw_arena *arena;
	const snw_skin_shaders *shaders;
	const snw_program *program;
	GLuint array, rest, influence_offsets, entry_offsets;
	GLuint buffers[UNIT_COUNT], textures[UNIT_COUNT];
	size_t palette_floats; /* of the whole palette */
	float *sent;           /* [palette_floats], or d */
};

static bool is_turned(const snw_program *program) {
	return program->normals.palette == SNW_NORMALS_QUATERNIONS;
}

static size_t entry_count(const snw_program *program) {
	const snw_displacements *list = &program->normals.displacements;
	return list->count > 0 ? list->offsets[list->count] : 0;
}

static bool fits(const snw_skin_shaders *shaders, const snw_program *program) {
	const size_t most = (size_t)shaders->texel_limit;
	return 3 * (size_t)program->slot_count <= most && program->influence_offsets[program->point_count] <= most &&
		   entry_count(program) <= most && program->d_count <= most && program->slot_count < WHOLE_LIMIT &&
		   program->d_count < WHOLE_LIMIT;
}

static void upload(snw_own_normals *own, unit at, const void *data, size_t bytes, GLenum format, GLenum usage) {
	own->buffers[at] = snw_buffer_make(GL_TEXTURE_BUFFER, data, bytes, usage);
	own->textures[at] = snw_texture_buffer_make(own->buffers[at], format);
}

static void pack_influences(snw_own_normals *own, snw_arena *scratch) {
	const snw_program *program = own->program;
	const size_t count = program->influence_offsets[program->point_count];
	float *texels = SNW_NEW_ARRAY(scratch, float, 2 * count);
	for (size_t i = 0; i < count; i++) {
		texels[2 * i] = (float)program->influence_slots[i];
		texels[2 * i + 1] = (float)program->influence_weights[i];
	}
	upload(own, INFLUENCES, texels, 2 * count * sizeof(float), GL_RG32F, GL_STATIC_DRAW);
	own->influence_offsets = snw_buffer_make(GL_ARRAY_BUFFER, program->influence_offsets,
											 ((size_t)program->point_count + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
}

static void pack_entries(snw_own_normals *own, snw_arena *scratch) {
	const uint32_t points = own->program->point_count;
	const snw_by_point by_point =
		snw_displacements_by_point(&own->program->normals.displacements, points, SNW_ENTRY_COEFFICIENT, scratch);
	upload(own, ENTRIES, by_point.entries, 4 * by_point.count * sizeof(float), GL_RGBA32F, GL_STATIC_DRAW);
	upload(own, SCALES, NULL, own->program->d_count * sizeof(float), GL_R32F, GL_STREAM_DRAW);
	own->entry_offsets =
		snw_buffer_make(GL_ARRAY_BUFFER, by_point.offsets, ((size_t)points + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
}

static void pack_rest(snw_own_normals *own, snw_arena *scratch) {
	const size_t count = 3 * (size_t)own->program->point_count;
	float *rest = SNW_NEW_ARRAY(scratch, float, count);
	for (size_t i = 0; i < count; i++) {
		rest[i] = (float)own->program->normals.rest[i];
	}
	own->rest = snw_buffer_make(GL_ARRAY_BUFFER, rest, count * sizeof *rest, GL_STATIC_DRAW);
}

static void describe(snw_own_normals *own) {
	glGenVertexArrays(1, &own->array);
	glBindVertexArray(own->array);
	glBindBuffer(GL_ARRAY_BUFFER, own->rest);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
	snw_attribute_span(1, own->influence_offsets);
	snw_attribute_span(2, own->entry_offsets);
}

snw_own_normals *snw_own_normals_create(const snw_skin_shaders *shaders, const snw_program *program) {
	if (program->normals.palette == SNW_NORMALS_FROM_FACES || (is_turned(program) && program->sign_rule != SNW_SIGN_AS_GIVEN) ||
		!fits(shaders, program)) {
		return NULL;
	}
	snw_arena *arena = snw_arena_create(), *scratch = snw_arena_create();
	snw_own_normals *own = SNW_NEW(arena, snw_own_normals);
	*own = (snw_own_normals){.arena = arena, .shaders = shaders, .program = program};
	own->palette_floats = (size_t)(is_turned(program) ? 4 : 9) * program->slot_count;
	own->sent = SNW_NEW_ARRAY(arena, float, own->palette_floats > program->d_count ? own->palette_floats : program->d_count);
	upload(own, PALETTE, NULL, own->palette_floats * sizeof(float), is_turned(program) ? GL_RGBA32F : GL_RGB32F,
		   GL_STREAM_DRAW);
	pack_influences(own, scratch);
	pack_entries(own, scratch);
	pack_rest(own, scratch);
	describe(own);
	snw_arena_destroy(scratch);
	return own;
}

void snw_own_normals_destroy(snw_own_normals *own) {
	if (!own) {
		return;
	}
	const GLuint buffers[] = {own->rest, own->influence_offsets, own->entry_offsets};
	glDeleteTextures(UNIT_COUNT, own->textures);
	glDeleteBuffers(UNIT_COUNT, own->buffers);
	glDeleteBuffers(3, buffers);
	glDeleteVertexArrays(1, &own->array);
	snw_arena_destroy(own->arena);
}

static void send(snw_own_normals *own, unit to, const double *from, size_t count) {
	for (size_t i = 0; i < count; i++) {
		own->sent[i] = (float)from[i];
	}
	snw_buffer_send(own->buffers[to], own->sent, count * sizeof(float));
}

void snw_own_normals_run(snw_own_normals *own, const snw_program_frame *frame, GLuint normals) {
	const GLuint shader = own->shaders->own_normal;
	send(own, PALETTE, frame->normal_palette, own->palette_floats);
	if (entry_count(own->program) > 0) {
		send(own, SCALES, frame->d, own->program->d_count);
	}
	glUseProgram(shader);
	snw_uniform_whole(shader, "turns", is_turned(own->program));
	for (int i = 0; i < UNIT_COUNT; i++) {
		snw_texture_buffer_bind(i, own->textures[i]);
	}
	snw_capture_points(own->array, own->program->point_count, normals);
}

size_t snw_own_normals_bytes_sent(const snw_own_normals *own) {
	return (own->palette_floats + (entry_count(own->program) > 0 ? own->program->d_count : 0)) * sizeof(float);
}
