/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packing a skin program into buffers, and running it. Indices travel as whole numbers in floats, exact up to 2^24.
 */
#include "render/skin.h"

#include <stdlib.h>
#include <string.h>

#include "render/shader.h"

#define WHOLE_LIMIT (1u << 24)

enum { MATRIX_FLOATS = 12, DUAL_FLOATS = 20 }; /* of one slot in the palette */

/* Texture units, in the order of the recipe's samplers. */
enum { PALETTE, INFLUENCES, ROWS, SIGNS, REST_ENTRIES, REST_SCALES, POSED_ENTRIES, POSED_FRAMES, TEXTURE_COUNT };

struct snw_gpu_program {
	const snw_program *program;
	const snw_skin_shaders *shaders;
	snw_arena *arena; /* owns this struct and what follows */
	GLuint vertices;  /* vertex array */
	GLuint points_rest, spans, posed_spans;
	GLuint buffers[TEXTURE_COUNT], textures[TEXTURE_COUNT];
	uint32_t pair_count;
	uint64_t *pairs;          /* dual quaternions: (slot, pivot's slot) in the upper and the lower half; each once, rising */
	float *palette;           /* [slot_count][texels][4]: what is sent */
	float *signs;             /* [pair_count] */
	double *dual_quaternions; /* [slot_count][8] */
	float *scales;            /* [d_count] */
	float *frames;            /* [posed.count][12] */
};

snw_status snw_skin_shaders_create(snw_skin_shaders *shaders, snw_error *error) {
	static const char *const defines[4] = {"#define BLEND 0\n", "#define BLEND 1\n", "#define BLEND 2\n", "#define BLEND 3\n"};
	*shaders = (snw_skin_shaders){0};
	glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &shaders->texel_limit);
	snw_status status = SNW_OK;
	for (int blend = 0; blend < 4 && status == SNW_OK; blend++) {
		const snw_shader_recipe recipe = {
			.vertex = "skin.vert",
			.defines = defines[blend],
			.captured = {"point_posed"},
			.samplers = {"palette", "influences", "rows", "signs", "rest_entries", "rest_scales", "posed_entries",
						 "posed_frames"},
		};
		status = snw_shader_link(&recipe, &shaders->blends[blend], error);
	}
	return status;
}

void snw_skin_shaders_destroy(snw_skin_shaders *shaders) {
	for (int blend = 0; blend < 4; blend++) {
		glDeleteProgram(shaders->blends[blend]);
	}
	*shaders = (snw_skin_shaders){0};
}

/* ---- packing ------------------------------------------------------------------------------------------------------ */

static size_t palette_floats(const snw_program *program) {
	const size_t slot = program->blend == SNW_BLEND_DUAL_QUATERNION ? DUAL_FLOATS : MATRIX_FLOATS;
	return slot * program->slot_count;
}

static bool fits(const snw_skin_shaders *shaders, const snw_program *program) {
	const uint64_t influences = program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
	const uint64_t rest = program->rest.count ? program->rest.offsets[program->rest.count] : 0;
	const uint64_t posed = program->posed.count ? program->posed.offsets[program->posed.count] : 0;
	const uint64_t counts[] = {
		influences, rest, posed, program->d_count, palette_floats(program) / 4, 3ull * program->posed.count};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		if (counts[i] > (uint64_t)shaders->texel_limit) {
			return false;
		}
	}
	/* Pairs are no more than influences. */
	return (program->blend != SNW_BLEND_DUAL_QUATERNION || influences < WHOLE_LIMIT) && program->slot_count < WHOLE_LIMIT &&
		   program->d_count < WHOLE_LIMIT && program->posed.count < WHOLE_LIMIT;
}

static void upload_texture(snw_gpu_program *gpu, int unit, const void *data, size_t bytes, GLenum format, GLenum usage) {
	gpu->buffers[unit] = snw_buffer_make(GL_TEXTURE_BUFFER, data, bytes, usage);
	gpu->textures[unit] = snw_texture_buffer_make(gpu->buffers[unit], format);
}

static int compare_pairs(const void *a, const void *b) {
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* The pairs whose signs the frames bring, and to keys[influence] the pair of each influence. */
static void find_pairs(snw_gpu_program *gpu, uint64_t *keys, snw_arena *scratch) {
	const snw_program *program = gpu->program;
	const size_t count = program->influence_offsets[program->point_count];
	for (uint32_t p = 0; p < program->point_count; p++) {
		const uint32_t begin = program->influence_offsets[p], end = program->influence_offsets[p + 1];
		for (uint32_t i = begin; i < end; i++) {
			const uint32_t pivot = snw_program_pivot(program, begin, end);
			keys[i] = (uint64_t)program->influence_slots[i] << 32 | program->influence_slots[pivot];
		}
	}
	uint64_t *sorted = snw_arena_copy(scratch, keys, count * sizeof *keys);
	qsort(sorted, count, sizeof *sorted, compare_pairs);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || sorted[i] != sorted[i - 1]) {
			sorted[gpu->pair_count++] = sorted[i];
		}
	}
	gpu->pairs = snw_arena_copy(gpu->arena, sorted, gpu->pair_count * sizeof *sorted);
}

static float pair_index(const snw_gpu_program *gpu, uint64_t key) {
	const uint64_t *found = bsearch(&key, gpu->pairs, gpu->pair_count, sizeof key, compare_pairs);
	return (float)(found - gpu->pairs);
}

static void pack_influences(snw_gpu_program *gpu, snw_arena *scratch) {
	const snw_program *program = gpu->program;
	const bool dual = program->blend == SNW_BLEND_DUAL_QUATERNION, affine = program->blend == SNW_BLEND_AFFINE;
	const size_t count = program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
	float *influences = SNW_NEW_ARRAY(scratch, float, 3 * count);
	float *rows = SNW_NEW_ARRAY(scratch, float, affine ? 4 * count : 0);
	uint64_t *keys = SNW_NEW_ARRAY(scratch, uint64_t, dual ? count : 0);
	if (dual) {
		find_pairs(gpu, keys, scratch);
	}
	for (size_t i = 0; i < count; i++) {
		influences[3 * i] = (float)program->influence_slots[i];
		influences[3 * i + 1] = program->influence_weights ? (float)program->influence_weights[i] : 0;
		influences[3 * i + 2] = dual ? pair_index(gpu, keys[i]) : 0;
		for (size_t c = 0; c < 4 && affine; c++) {
			rows[4 * i + c] = (float)program->influence_rows[4 * i + c];
		}
	}
	upload_texture(gpu, INFLUENCES, influences, count * 3 * sizeof(float), GL_RGB32F, GL_STATIC_DRAW);
	upload_texture(gpu, ROWS, rows, affine ? count * 4 * sizeof(float) : 0, GL_RGBA32F, GL_STATIC_DRAW);
}

/* Displacements gathered by point: entries (vector, index), where `index` is the coefficient for rest ones and the displacement
 * itself for posed ones. spans is [point_count][stride]; begin and count go to its first two. */
static void pack_displacements(snw_gpu_program *gpu, snw_arena *scratch, const snw_displacements *from, bool posed,
							   uint32_t *spans, size_t stride) {
	const uint32_t points = gpu->program->point_count;
	const size_t count = from->count ? from->offsets[from->count] : 0;
	float *entries = SNW_NEW_ARRAY(scratch, float, 4 * count);
	uint32_t *next = SNW_NEW_ARRAY(scratch, uint32_t, (size_t)points + 1);
	for (size_t i = 0; i < count; i++) {
		next[from->points[i] + 1]++;
	}
	for (uint32_t p = 0; p < points; p++) {
		spans[stride * p] = next[p];
		spans[stride * p + 1] = next[p + 1];
		next[p + 1] += next[p];
	}
	for (uint32_t k = 0; k < from->count; k++) {
		for (uint32_t i = from->offsets[k]; i < from->offsets[k + 1]; i++) {
			float *entry = entries + 4 * (size_t)next[from->points[i]]++;
			for (int c = 0; c < 3; c++) {
				entry[c] = (float)from->vectors[3 * (size_t)i + c];
			}
			entry[3] = (float)(posed ? k : from->coefficients[k]);
		}
	}
	upload_texture(gpu, posed ? POSED_ENTRIES : REST_ENTRIES, entries, count * 4 * sizeof(float), GL_RGBA32F, GL_STATIC_DRAW);
}

static void pack_points(snw_gpu_program *gpu, snw_arena *scratch) {
	const snw_program *program = gpu->program;
	const size_t count = program->point_count;
	uint32_t *spans = SNW_NEW_ARRAY(scratch, uint32_t, 4 * count);
	uint32_t *posed_spans = SNW_NEW_ARRAY(scratch, uint32_t, 2 * count);
	float *rest = SNW_NEW_ARRAY(scratch, float, 3 * count);
	for (size_t i = 0; i < 3 * count; i++) {
		rest[i] = (float)program->points_rest[i];
	}
	for (size_t p = 0; p < count && program->influence_offsets; p++) {
		spans[4 * p] = program->influence_offsets[p];
		spans[4 * p + 1] = program->influence_offsets[p + 1] - program->influence_offsets[p];
	}
	pack_displacements(gpu, scratch, &program->rest, false, spans + 2, 4);
	pack_displacements(gpu, scratch, &program->posed, true, posed_spans, 2);
	gpu->points_rest = snw_buffer_make(GL_ARRAY_BUFFER, rest, count * 3 * sizeof *rest, GL_STATIC_DRAW);
	gpu->spans = snw_buffer_make(GL_ARRAY_BUFFER, spans, count * 4 * sizeof *spans, GL_STATIC_DRAW);
	gpu->posed_spans = snw_buffer_make(GL_ARRAY_BUFFER, posed_spans, count * 2 * sizeof *posed_spans, GL_STATIC_DRAW);
}

static void describe_vertices(snw_gpu_program *gpu) {
	glGenVertexArrays(1, &gpu->vertices);
	glBindVertexArray(gpu->vertices);
	for (GLuint attribute = 0; attribute < 4; attribute++) {
		glEnableVertexAttribArray(attribute);
	}
	glBindBuffer(GL_ARRAY_BUFFER, gpu->points_rest);
	glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 0, NULL);
	glBindBuffer(GL_ARRAY_BUFFER, gpu->spans);
	glVertexAttribIPointer(2, 4, GL_UNSIGNED_INT, 0, NULL);
	glBindBuffer(GL_ARRAY_BUFFER, gpu->posed_spans);
	glVertexAttribIPointer(3, 2, GL_UNSIGNED_INT, 0, NULL);
}

snw_status snw_gpu_program_create(const snw_skin_shaders *shaders, const snw_program *program, snw_gpu_program **gpu,
								  snw_error *error) {
	if (!fits(shaders, program)) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"the skin program of a mesh with %u points is too large for this graphics driver",
						program->point_count);
	}
	snw_arena *arena = snw_arena_create(), *scratch = snw_arena_create();
	snw_gpu_program *made = SNW_NEW(arena, snw_gpu_program);
	made->arena = arena;
	made->program = program;
	made->shaders = shaders;
	made->palette = SNW_NEW_ARRAY(arena, float, palette_floats(program));
	made->dual_quaternions = SNW_NEW_ARRAY(arena, double, 8 * (size_t)program->slot_count);
	made->scales = SNW_NEW_ARRAY(arena, float, program->d_count);
	made->frames = SNW_NEW_ARRAY(arena, float, 12 * (size_t)program->posed.count);
	pack_influences(made, scratch);
	pack_points(made, scratch);
	made->signs = SNW_NEW_ARRAY(arena, float, made->pair_count);
	snw_arena_destroy(scratch);
	upload_texture(made, PALETTE, NULL, palette_floats(program) * sizeof(float), GL_RGBA32F, GL_STREAM_DRAW);
	upload_texture(made, SIGNS, NULL, made->pair_count * sizeof(float), GL_R32F, GL_STREAM_DRAW);
	upload_texture(made, REST_SCALES, NULL, program->d_count * sizeof(float), GL_R32F, GL_STREAM_DRAW);
	upload_texture(made, POSED_FRAMES, NULL, program->posed.count * 12 * sizeof(float), GL_RGBA32F, GL_STREAM_DRAW);
	describe_vertices(made);
	*gpu = made;
	return SNW_OK;
}

void snw_gpu_program_destroy(snw_gpu_program *gpu) {
	if (!gpu) {
		return;
	}
	const GLuint buffers[3] = {gpu->points_rest, gpu->spans, gpu->posed_spans};
	glDeleteTextures(TEXTURE_COUNT, gpu->textures);
	glDeleteBuffers(TEXTURE_COUNT, gpu->buffers);
	glDeleteBuffers(3, buffers);
	glDeleteVertexArrays(1, &gpu->vertices);
	snw_arena_destroy(gpu->arena);
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

static void pack_matrices(snw_gpu_program *gpu, const snw_program_frame *frame) {
	for (size_t i = 0; i < 12 * (size_t)gpu->program->slot_count; i++) {
		gpu->palette[i] = (float)frame->matrices[i];
	}
}

static void pack_dual_quaternions(snw_gpu_program *gpu, const snw_program_frame *frame) {
	const snw_program *program = gpu->program;
	for (size_t slot = 0; slot < program->slot_count; slot++) {
		double *q = gpu->dual_quaternions + 8 * slot, stretch[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
		if (program->dual_quaternion_palette) {
			memcpy(q, frame->dual_quaternions + 8 * slot, 8 * sizeof *q);
		} else {
			snw_dual_quaternion_from_mat34(frame->matrices + 12 * slot, q, stretch);
		}
		float *texels = gpu->palette + DUAL_FLOATS * slot;
		for (int c = 0; c < 8; c++) {
			texels[c] = (float)q[c];
		}
		for (int c = 0; c < 9; c++) {
			texels[8 + 4 * (c / 3) + c % 3] = (float)stretch[c];
		}
	}
	for (uint32_t i = 0; i < gpu->pair_count; i++) {
		const double *real = gpu->dual_quaternions + 8 * (gpu->pairs[i] >> 32);
		const double *pivot = gpu->dual_quaternions + 8 * (gpu->pairs[i] & UINT32_MAX);
		gpu->signs[i] = program->sign_rule == SNW_SIGN_AS_GIVEN ? 1 : (float)snw_dual_quaternion_sign(real, pivot);
	}
}

static void pack_frames(snw_gpu_program *gpu, const snw_program_frame *frame) {
	const snw_displacements *posed = &gpu->program->posed;
	for (size_t l = 0; l < posed->count; l++) {
		const double e = frame->e[posed->coefficients[l]];
		const bool turned = posed->frames && posed->frames[l] != SNW_NONE;
		for (size_t c = 0; c < 9; c++) {
			const double rotation = turned ? frame->rotations[9 * l + c] : c % 4 == 0;
			gpu->frames[12 * l + 4 * (c / 3) + c % 3] = (float)(e * rotation);
		}
	}
}

static void send(snw_gpu_program *gpu, int unit, const void *data, size_t bytes) {
	if (bytes) {
		glBindBuffer(GL_TEXTURE_BUFFER, gpu->buffers[unit]);
		glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)bytes, data);
	}
}

void snw_gpu_program_run(snw_gpu_program *gpu, const snw_program_frame *frame, GLuint points_in, GLuint points_out) {
	const snw_program *program = gpu->program;
	if (program->blend == SNW_BLEND_DUAL_QUATERNION) {
		pack_dual_quaternions(gpu, frame);
	} else if (program->blend != SNW_BLEND_NONE) {
		pack_matrices(gpu, frame);
	}
	pack_frames(gpu, frame);
	for (uint32_t k = 0; k < program->d_count; k++) {
		gpu->scales[k] = (float)frame->d[k];
	}
	send(gpu, PALETTE, gpu->palette, palette_floats(program) * sizeof(float));
	send(gpu, SIGNS, gpu->signs, gpu->pair_count * sizeof(float));
	send(gpu, REST_SCALES, gpu->scales, program->d_count * sizeof(float));
	send(gpu, POSED_FRAMES, gpu->frames, program->posed.count * 12 * sizeof(float));

	const GLuint shader = gpu->shaders->blends[program->blend];
	glUseProgram(shader);
	for (int unit = 0; unit < TEXTURE_COUNT; unit++) {
		snw_texture_buffer_bind(unit, gpu->textures[unit]);
	}
	glBindVertexArray(gpu->vertices);
	glBindBuffer(GL_ARRAY_BUFFER, points_in ? points_in : gpu->points_rest);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, points_out);
	glEnable(GL_RASTERIZER_DISCARD);
	glBeginTransformFeedback(GL_POINTS);
	glDrawArrays(GL_POINTS, 0, (GLsizei)program->point_count);
	glEndTransformFeedback();
	glDisable(GL_RASTERIZER_DISCARD);
	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
}
