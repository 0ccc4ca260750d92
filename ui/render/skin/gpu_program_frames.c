/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The input of many frames on the GPU, and runs of instances that each show one of them.
 */
#include <string.h>

#include "render/gl/shader.h"
#include "render/skin/gpu_program_pack.h"

enum { UNIT_INSTANCES = SNW_SKIN_COMBINED, UNIT_BELOW };

/* What a frame has of each kind, floats but for the signs, which are words. */
typedef struct frame_sizes {
	size_t palette, signs, rest, posed, rotations;
} frame_sizes;

struct snw_gpu_frames {
	snw_arena *arena;
	snw_gpu_program *gpu;
	uint32_t count, added;
	frame_sizes sizes;
	bool *stretched; /* [count] */
	float *palettes; /* [count][sizes.palette] */
	uint32_t *signs;
	float *rest, *posed, *rotations;
};

static size_t most_slot_floats(const snw_program *program) {
	return program->blend == SNW_BLEND_NONE              ? 0
		   : program->blend == SNW_BLEND_DUAL_QUATERNION ? SNW_STRETCHED_FLOATS
														 : SNW_MATRIX_FLOATS;
}

static frame_sizes sizes_of(const snw_gpu_program *gpu) {
	const snw_program *program = gpu->program;
	const bool has_signs = program->blend == SNW_BLEND_DUAL_QUATERNION && program->sign_rule != SNW_SIGN_AS_GIVEN;
	return (frame_sizes){.palette = most_slot_floats(program) * gpu->slot_count,
						 .signs = has_signs ? ((size_t)gpu->pair_count + 31) / 32 : 0,
						 .rest = program->d_count,
						 .posed = program->e_count,
						 .rotations = 9 * (size_t)gpu->rotation_count};
}

/* The most frames that buffer textures of this length hold. */
static uint64_t frames_that_fit(const frame_sizes *sizes, uint64_t texels) {
	const size_t needs[] = {sizes->palette / 4, sizes->signs, sizes->rest, sizes->posed, sizes->rotations / 3, 1};
	size_t most = 1;
	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
		most = needs[i] > most ? needs[i] : most;
	}
	return texels / most;
}

snw_status snw_gpu_frames_begin(snw_gpu_program *gpu, uint32_t frame_count, snw_gpu_frames **frames, snw_error *error) {
	const frame_sizes sizes = sizes_of(gpu);
	const uint64_t fit = frames_that_fit(&sizes, (uint64_t)gpu->shaders->texel_limit);
	if (frame_count > fit) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"the clips have %u frames, but this graphics driver keeps %llu of this character; choose fewer clips",
						frame_count, (unsigned long long)fit);
	}
	snw_arena *arena = snw_arena_create();
	snw_gpu_frames *made = SNW_NEW(arena, snw_gpu_frames);
	*made = (snw_gpu_frames){.arena = arena, .gpu = gpu, .count = frame_count, .sizes = sizes};
	made->stretched = SNW_NEW_ARRAY(arena, bool, frame_count);
	made->palettes = SNW_NEW_ARRAY(arena, float, frame_count *sizes.palette);
	made->signs = SNW_NEW_ARRAY(arena, uint32_t, frame_count * sizes.signs);
	made->rest = SNW_NEW_ARRAY(arena, float, frame_count *sizes.rest);
	made->posed = SNW_NEW_ARRAY(arena, float, frame_count *sizes.posed);
	made->rotations = SNW_NEW_ARRAY(arena, float, frame_count *sizes.rotations);
	*frames = made;
	return SNW_OK;
}

static void keep_frame(float *to, const float *from, size_t count, uint32_t frame) {
	if (count > 0) {
		memcpy(to + frame * count, from, count * sizeof *to);
	}
}

void snw_gpu_frames_add(snw_gpu_frames *frames, const snw_program_input *input) {
	snw_gpu_program *gpu = frames->gpu;
	const frame_sizes *sizes = &frames->sizes;
	const uint32_t frame = frames->added++;
	snw_gpu_program_narrow(gpu, input);
	keep_frame(frames->palettes, gpu->palette, sizes->palette, frame);
	if (sizes->signs > 0) {
		memcpy(frames->signs + frame * sizes->signs, gpu->signs, sizes->signs * sizeof *gpu->signs);
	}
	keep_frame(frames->rest, gpu->scales, sizes->rest, frame);
	keep_frame(frames->posed, gpu->posed_scales, sizes->posed, frame);
	keep_frame(frames->rotations, gpu->rotations, sizes->rotations, frame);
	frames->stretched[frame] = gpu->stretched;
}

/* A frame without stretches, in the form of those that have them; in place. */
static void add_identities(float *palette, size_t slots) {
	for (size_t slot = slots; slot-- > 0;) {
		float *to = palette + SNW_STRETCHED_FLOATS * slot;
		memmove(to, palette + SNW_DUAL_FLOATS * slot, SNW_DUAL_FLOATS * sizeof *to);
		memset(to + SNW_DUAL_FLOATS, 0, (SNW_STRETCHED_FLOATS - SNW_DUAL_FLOATS) * sizeof *to);
		for (size_t row = 0; row < 3; row++) {
			to[SNW_DUAL_FLOATS + 5 * row] = 1;
		}
	}
}

/* All frames in one form: with stretches if any has them, else closely packed. */
static void unify(snw_gpu_frames *frames) {
	snw_gpu_program *gpu = frames->gpu;
	gpu->stretched = false;
	for (uint32_t f = 0; f < frames->count; f++) {
		gpu->stretched = gpu->stretched || frames->stretched[f];
	}
	const size_t room = frames->sizes.palette, packed = snw_gpu_program_slot_floats(gpu) * gpu->slot_count;
	for (uint32_t f = 0; f < frames->count; f++) {
		if (gpu->stretched && !frames->stretched[f]) {
			add_identities(frames->palettes + f * room, gpu->slot_count);
		}
		memmove(frames->palettes + f * packed, frames->palettes + f * room, packed * sizeof(float));
	}
	frames->sizes.palette = packed;
}

/* Buffer textures have fixed sizes: this one is made anew. */
static size_t upload_frame(snw_gpu_program *gpu, snw_skin_unit unit, const void *data, size_t bytes, GLenum format) {
	glDeleteTextures(1, &gpu->textures[unit]);
	glDeleteBuffers(1, &gpu->buffers[unit]);
	gpu->buffers[unit] = snw_buffer_make(GL_TEXTURE_BUFFER, data, bytes, GL_STATIC_DRAW);
	gpu->textures[unit] = snw_texture_buffer_make(gpu->buffers[unit], format);
	return bytes;
}

size_t snw_gpu_frames_end(snw_gpu_frames *frames) {
	snw_gpu_program *gpu = frames->gpu;
	const frame_sizes *sizes = &frames->sizes;
	const size_t count = frames->count;
	unify(frames);
	size_t bytes = upload_frame(gpu, SNW_SKIN_PALETTE, frames->palettes, count * sizes->palette * sizeof(float), GL_RGBA32F);
	bytes += upload_frame(gpu, SNW_SKIN_SIGNS, frames->signs, count * sizes->signs * sizeof(uint32_t), GL_R32UI);
	bytes += upload_frame(gpu, SNW_SKIN_REST_SCALES, frames->rest, count * sizes->rest * sizeof(float), GL_R32F);
	bytes += upload_frame(gpu, SNW_SKIN_POSED_SCALES, frames->posed, count * sizes->posed * sizeof(float), GL_R32F);
	bytes +=
		upload_frame(gpu, SNW_SKIN_POSED_ROTATIONS, frames->rotations, count * sizes->rotations * sizeof(float), GL_RGB32F);
	snw_arena_destroy(frames->arena);
	return bytes;
}

static void set_sizes(const snw_gpu_program *gpu, GLuint shader) {
	const frame_sizes sizes = sizes_of(gpu);
	snw_uniform_whole(shader, "palette_size", (int)(snw_gpu_program_slot_floats(gpu) * gpu->slot_count / 4));
	snw_uniform_whole(shader, "signs_size", (int)sizes.signs);
	snw_uniform_whole(shader, "rest_size", (int)sizes.rest);
	snw_uniform_whole(shader, "posed_size", (int)sizes.posed);
	snw_uniform_whole(shader, "rotations_size", (int)sizes.rotations / 3);
}

void snw_gpu_program_run_instances(snw_gpu_program *gpu, const snw_gpu_instances *instances, GLuint points_below,
								   GLuint points_out) {
	const snw_program *program = gpu->program;
	const GLuint shader = gpu->shaders->instanced[program->blend];
	glUseProgram(shader);
	snw_uniform_whole(shader, "signed_slots", program->sign_rule != SNW_SIGN_AS_GIVEN);
	snw_uniform_whole(shader, "stretched", gpu->stretched);
	snw_uniform_whole(shader, "first_instance", (int)instances->first);
	snw_uniform_whole(shader, "reads_below", points_below != 0);
	snw_uniform_whole(shader, "point_count", (int)program->point_count);
	set_sizes(gpu, shader);
	for (int unit = 0; unit < SNW_SKIN_COMBINED; unit++) {
		snw_texture_buffer_bind(unit, gpu->textures[unit]);
	}
	snw_texture_buffer_bind(UNIT_INSTANCES, instances->texture);
	snw_texture_buffer_bind(UNIT_BELOW, points_below);
	snw_gpu_program_fill_array(gpu);
	glDisableVertexAttribArray(0);
	glEnableVertexAttribArray(1);
	snw_capture_instances(gpu->shaders->point_array, program->point_count, instances->count, points_out, 0);
}
