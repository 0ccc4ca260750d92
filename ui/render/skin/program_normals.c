/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Influences, displacements and palettes of normals in buffer textures, and the pass that blends them.
 */
#include "render/skin/program_normals.h"

#include "render/gl/shader.h"
#include "render/skin/by_point.h"

#define NORMAL_WHOLE_LIMIT (1u << 24)

/* Texture units, in the order of the recipe's samplers. */
typedef enum normals_unit { PALETTE, INFLUENCES, ENTRIES, SCALES, UNIT_COUNT } normals_unit;

struct snw_gpu_program_normals {
	snw_arena *arena;
	const snw_skin_shaders *shaders;
	const snw_program *program;
	GLuint array, rest, influence_offsets, entry_offsets;
	GLuint buffers[UNIT_COUNT], textures[UNIT_COUNT];
	size_t palette_floats; /* of the whole palette */
	float *sent;           /* [palette_floats], or d */
	/* Frames that are kept for a crowd, until they are sent. */
	snw_arena *frames;
	uint32_t frame_count;
	float *palettes, *scales; /* [frame_count][palette_floats], [frame_count][d_count] */
};

static bool has_quaternions(const snw_program *program) {
	return program->normals.palette == SNW_NORMALS_QUATERNIONS;
}

static size_t normal_entry_count(const snw_program *program) {
	const snw_displacements *list = &program->normals.displacements;
	return list->count > 0 ? list->offsets[list->count] : 0;
}

static bool normals_fit(const snw_skin_shaders *shaders, const snw_program *program) {
	const size_t most = (size_t)shaders->texel_limit;
	return 3 * (size_t)program->slot_count <= most && program->influence_offsets[program->point_count] <= most &&
		   normal_entry_count(program) <= most && program->d_count <= most && program->slot_count < NORMAL_WHOLE_LIMIT &&
		   program->d_count < NORMAL_WHOLE_LIMIT;
}

static void upload_normals(snw_gpu_program_normals *normals, normals_unit at, const void *data, size_t bytes, GLenum format,
						   GLenum usage) {
	normals->buffers[at] = snw_buffer_make(GL_TEXTURE_BUFFER, data, bytes, usage);
	normals->textures[at] = snw_texture_buffer_make(normals->buffers[at], format);
}

static void pack_normal_influences(snw_gpu_program_normals *normals, snw_arena *scratch) {
	const snw_program *program = normals->program;
	const size_t count = program->influence_offsets[program->point_count];
	float *texels = SNW_NEW_ARRAY(scratch, float, 2 * count);
	for (size_t i = 0; i < count; i++) {
		texels[2 * i] = (float)program->influence_slots[i];
		texels[2 * i + 1] = (float)program->influence_weights[i];
	}
	upload_normals(normals, INFLUENCES, texels, 2 * count * sizeof(float), GL_RG32F, GL_STATIC_DRAW);
	normals->influence_offsets = snw_buffer_make(GL_ARRAY_BUFFER, program->influence_offsets,
												 ((size_t)program->point_count + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
}

static void pack_entries(snw_gpu_program_normals *normals, snw_arena *scratch) {
	const uint32_t points = normals->program->point_count;
	const snw_by_point by_point =
		snw_displacements_by_point(&normals->program->normals.displacements, points, SNW_ENTRY_COEFFICIENT, scratch);
	upload_normals(normals, ENTRIES, by_point.entries, 4 * by_point.count * sizeof(float), GL_RGBA32F, GL_STATIC_DRAW);
	upload_normals(normals, SCALES, NULL, normals->program->d_count * sizeof(float), GL_R32F, GL_STREAM_DRAW);
	normals->entry_offsets =
		snw_buffer_make(GL_ARRAY_BUFFER, by_point.offsets, ((size_t)points + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
}

static void pack_normal_rest(snw_gpu_program_normals *normals, snw_arena *scratch) {
	const size_t count = 3 * (size_t)normals->program->point_count;
	float *rest = SNW_NEW_ARRAY(scratch, float, count);
	for (size_t i = 0; i < count; i++) {
		rest[i] = (float)normals->program->normals.rest[i];
	}
	normals->rest = snw_buffer_make(GL_ARRAY_BUFFER, rest, count * sizeof *rest, GL_STATIC_DRAW);
}

static void describe_normals(snw_gpu_program_normals *normals) {
	glGenVertexArrays(1, &normals->array);
	glBindVertexArray(normals->array);
	glBindBuffer(GL_ARRAY_BUFFER, normals->rest);
	glEnableVertexAttribArray(0);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
	snw_attribute_span(1, normals->influence_offsets);
	snw_attribute_span(2, normals->entry_offsets);
}

snw_gpu_program_normals *snw_gpu_program_normals_create(const snw_skin_shaders *shaders, const snw_program *program) {
	if (program->normals.palette == SNW_NORMALS_FROM_FACES ||
		(has_quaternions(program) && program->sign_rule != SNW_SIGN_AS_GIVEN) || !normals_fit(shaders, program)) {
		return NULL;
	}
	snw_arena *arena = snw_arena_create(), *scratch = snw_arena_create();
	snw_gpu_program_normals *normals = SNW_NEW(arena, snw_gpu_program_normals);
	*normals = (snw_gpu_program_normals){.arena = arena, .shaders = shaders, .program = program};
	normals->palette_floats = (size_t)(has_quaternions(program) ? 4 : 9) * program->slot_count;
	normals->sent =
		SNW_NEW_ARRAY(arena, float, normals->palette_floats > program->d_count ? normals->palette_floats : program->d_count);
	upload_normals(normals, PALETTE, NULL, normals->palette_floats * sizeof(float),
				   has_quaternions(program) ? GL_RGBA32F : GL_RGB32F, GL_STREAM_DRAW);
	pack_normal_influences(normals, scratch);
	pack_entries(normals, scratch);
	pack_normal_rest(normals, scratch);
	describe_normals(normals);
	snw_arena_destroy(scratch);
	return normals;
}

void snw_gpu_program_normals_destroy(snw_gpu_program_normals *normals) {
	if (!normals) {
		return;
	}
	const GLuint buffers[] = {normals->rest, normals->influence_offsets, normals->entry_offsets};
	glDeleteTextures(UNIT_COUNT, normals->textures);
	glDeleteBuffers(UNIT_COUNT, normals->buffers);
	glDeleteBuffers(3, buffers);
	glDeleteVertexArrays(1, &normals->array);
	snw_arena_destroy(normals->arena);
}

static void send_numbers(snw_gpu_program_normals *normals, normals_unit to, const double *from, size_t count) {
	for (size_t i = 0; i < count; i++) {
		normals->sent[i] = (float)from[i];
	}
	snw_buffer_send(normals->buffers[to], normals->sent, count * sizeof(float));
}

void snw_gpu_program_normals_run(snw_gpu_program_normals *channel, const snw_program_input *input, GLuint normals) {
	const GLuint shader = channel->shaders->program_normal;
	send_numbers(channel, PALETTE, input->normal_palette, channel->palette_floats);
	if (normal_entry_count(channel->program) > 0) {
		send_numbers(channel, SCALES, input->d, channel->program->d_count);
	}
	glUseProgram(shader);
	snw_uniform_whole(shader, "is_quaternion", has_quaternions(channel->program));
	for (int i = 0; i < UNIT_COUNT; i++) {
		snw_texture_buffer_bind(i, channel->textures[i]);
	}
	snw_capture_points(channel->array, channel->program->point_count, normals);
}

size_t snw_gpu_program_normals_bytes_sent(const snw_gpu_program_normals *normals) {
	return (normals->palette_floats + (normal_entry_count(normals->program) > 0 ? normals->program->d_count : 0)) *
		   sizeof(float);
}

/* ---- the frames of a crowd --------------------------------------------------------------------------------------- */

static size_t kept_scales(const snw_gpu_program_normals *channel) {
	return normal_entry_count(channel->program) > 0 ? channel->program->d_count : 0;
}

snw_status snw_gpu_program_normals_keep(snw_gpu_program_normals *channel, uint32_t frame_count, snw_error *error) {
	const size_t palette = channel->palette_floats / (has_quaternions(channel->program) ? 4 : 3);
	const size_t most = palette > kept_scales(channel) ? palette : kept_scales(channel);
	if (most * frame_count > (size_t)channel->shaders->texel_limit) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"the clips have %u frames, but this graphics driver keeps the normals of %zu; choose fewer clips",
						frame_count, (size_t)channel->shaders->texel_limit / most);
	}
	channel->frames = snw_arena_create();
	channel->palettes = SNW_NEW_ARRAY(channel->frames, float, frame_count * channel->palette_floats);
	channel->scales = SNW_NEW_ARRAY(channel->frames, float, frame_count *kept_scales(channel));
	return SNW_OK;
}

static void keep_normal_frame(const double *from, size_t count, uint32_t frame, float *to) {
	for (size_t i = 0; i < count; i++) {
		to[frame * count + i] = (float)from[i];
	}
}

void snw_gpu_program_normals_add(snw_gpu_program_normals *channel, const snw_program_input *input) {
	keep_normal_frame(input->normal_palette, channel->palette_floats, channel->frame_count, channel->palettes);
	keep_normal_frame(input->d, kept_scales(channel), channel->frame_count, channel->scales);
	channel->frame_count++;
}

static size_t upload_again(snw_gpu_program_normals *channel, normals_unit at, const float *data, size_t count, GLenum format) {
	glDeleteTextures(1, &channel->textures[at]);
	glDeleteBuffers(1, &channel->buffers[at]);
	upload_normals(channel, at, data, count * sizeof *data, format, GL_STATIC_DRAW);
	return count * sizeof *data;
}

size_t snw_gpu_program_normals_end(snw_gpu_program_normals *channel) {
	const size_t count = channel->frame_count;
	const size_t bytes = upload_again(channel, PALETTE, channel->palettes, count * channel->palette_floats,
									  has_quaternions(channel->program) ? GL_RGBA32F : GL_RGB32F) +
						 upload_again(channel, SCALES, channel->scales, count * kept_scales(channel), GL_R32F);
	snw_arena_destroy(channel->frames);
	channel->frames = NULL;
	return bytes;
}

void snw_gpu_program_normals_run_instances(snw_gpu_program_normals *channel, const snw_gpu_instances *instances,
										   GLuint normals) {
	const GLuint shader = channel->shaders->instanced_normal;
	glUseProgram(shader);
	snw_uniform_whole(shader, "is_quaternion", has_quaternions(channel->program));
	snw_uniform_whole(shader, "first_instance", (int)instances->first);
	snw_uniform_whole(shader, "palette_size", (int)channel->palette_floats / (has_quaternions(channel->program) ? 4 : 3));
	snw_uniform_whole(shader, "scales_size", (int)kept_scales(channel));
	for (int i = 0; i < UNIT_COUNT; i++) {
		snw_texture_buffer_bind(i, channel->textures[i]);
	}
	snw_texture_buffer_bind(UNIT_COUNT, instances->texture);
	snw_capture_instances(channel->array, channel->program->point_count, instances->count, normals, 0);
}
