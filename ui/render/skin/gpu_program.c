/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shaders, and running a program on either path.
 */
#include "render/skin/gpu_program.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "render/gl/shader.h"

static size_t gpu_program_slot_floats(const snw_gpu_program *gpu);

/* ---- gpu program --------------------------------------------------------------------------------------------------------- */

#define WHOLE_LIMIT (1u << 24)
#define RIGID 6e-8 /* half the last bit of 1 in float: a smaller stretch counts as none */

const char *const snw_gpu_path_names[SNW_GPU_PATH_COUNT] = {"transform-feedback", "compute"};

/* ---- shaders ------------------------------------------------------------------------------------------------------------- */

static snw_status link_path(snw_skin_shaders *shaders, snw_gpu_path path, snw_error *error) {
	static const char *const defines[4] = {"#define BLEND 0\n", "#define BLEND 1\n", "#define BLEND 2\n", "#define BLEND 3\n"};
	const bool compute = path == SNW_GPU_COMPUTE;
	snw_status status = SNW_OK;
	for (int blend = 0; blend < 4 && !snw_failed(status); blend++) {
		const snw_shader_recipe recipe = {
			.vertex = compute ? NULL : "skin.vert",
			.compute = compute ? "skin.comp" : NULL,
			.defines = defines[blend],
			.captured = {compute ? NULL : "point_posed"},
			.samplers = {"palette", "influences", "rows", "signs", "rest_entries", "rest_scales", "posed_entries",
						 "posed_sources", "posed_scales", "posed_rotations"},
		};
		status = snw_shader_link(&recipe, &shaders->blends[path][blend], error);
	}
	static const char *const sparse_defines[2] = {"#define SPARSE 0\n", "#define SPARSE 1\n"};
	for (int sparse = 0; sparse < 2 && !snw_failed(status); sparse++) {
		const snw_shader_recipe palette = {.vertex = compute ? NULL : "palette.vert",
										   .compute = compute ? "palette.comp" : NULL,
										   .defines = sparse_defines[sparse],
										   .captured = {compute ? NULL : "row_made"},
										   .samplers = {"combined", "z", "combined_offsets", "combined_columns"}};
		status = snw_shader_link(&palette, &shaders->palette[path][sparse], error);
	}
	return status;
}

snw_status snw_skin_shaders_create(snw_skin_shaders *shaders, snw_error *error) {
	*shaders = (snw_skin_shaders){.path = SNW_GPU_FEEDBACK};
	glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &shaders->texel_limit);
	glGenVertexArrays(1, &shaders->empty_array);
	glGenVertexArrays(1, &shaders->point_array);
	const snw_shader_recipe program_normal = {
		.vertex = "program_normal.vert", .captured = {"normal"}, .samplers = {"palette", "influences", "entries", "scales"}};
	const snw_status status = snw_shader_link(&program_normal, &shaders->program_normal, error);
	return snw_failed(status) ? status : link_path(shaders, SNW_GPU_FEEDBACK, error);
}

snw_status snw_skin_shaders_add_instanced(snw_skin_shaders *shaders, snw_error *error) {
	static const char *const defines[4] = {"#define INSTANCED\n#define BLEND 0\n", "#define INSTANCED\n#define BLEND 1\n",
										   "#define INSTANCED\n#define BLEND 2\n", "#define INSTANCED\n#define BLEND 3\n"};
	snw_status status = SNW_OK;
	for (int blend = 0; blend < 4 && !shaders->instanced_normal && !snw_failed(status); blend++) {
		const snw_shader_recipe recipe = {
			.vertex = "skin.vert",
			.defines = defines[blend],
			.captured = {"point_posed"},
			.samplers = {"palette", "influences", "rows", "signs", "rest_entries", "rest_scales", "posed_entries",
						 "posed_sources", "posed_scales", "posed_rotations", "instances", "points_below"},
		};
		status = snw_shader_link(&recipe, &shaders->instanced[blend], error);
	}
	const snw_shader_recipe normal = {.vertex = "program_normal.vert",
									  .defines = "#define INSTANCED\n",
									  .captured = {"normal"},
									  .samplers = {"palette", "influences", "entries", "scales", "instances"}};
	return snw_failed(status) || shaders->instanced_normal ? status
														   : snw_shader_link(&normal, &shaders->instanced_normal, error);
}

snw_status snw_skin_shaders_add_compute(snw_skin_shaders *shaders, snw_error *error) {
	GLint64 bytes = 0;
	if (shaders->has_compute || !snw_shader_has_compute()) {
		return SNW_OK;
	}
	glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
	shaders->storage_limit = (uint64_t)bytes;
	const snw_status status = link_path(shaders, SNW_GPU_COMPUTE, error);
	shaders->has_compute = !snw_failed(status);
	return status;
}

void snw_skin_shaders_destroy(snw_skin_shaders *shaders) {
	for (int path = 0; path < SNW_GPU_PATH_COUNT; path++) {
		for (int blend = 0; blend < 4; blend++) {
			glDeleteProgram(shaders->blends[path][blend]);
		}
		glDeleteProgram(shaders->palette[path][0]);
		glDeleteProgram(shaders->palette[path][1]);
	}
	for (int blend = 0; blend < 4; blend++) {
		glDeleteProgram(shaders->instanced[blend]);
	}
	glDeleteProgram(shaders->program_normal);
	glDeleteProgram(shaders->instanced_normal);
	glDeleteVertexArrays(1, &shaders->empty_array);
	glDeleteVertexArrays(1, &shaders->point_array);
	*shaders = (snw_skin_shaders){0};
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static uint64_t displacement_entry_count(const snw_displacements *displacements) {
	return displacements->count ? displacements->offsets[displacements->count] : 0;
}

static bool program_fits(const snw_skin_shaders *shaders, const snw_program *program) {
	const uint64_t influences = program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
	const uint64_t counts[] = {influences,
							   displacement_entry_count(&program->rest),
							   displacement_entry_count(&program->posed),
							   program->d_count,
							   program->e_count,
							   5ull * program->slot_count,
							   3ull * program->posed.count};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		if (counts[i] > (uint64_t)shaders->texel_limit) {
			return false;
		}
	}
	/* There are at most as many pairs as influences. */
	return (program->blend != SNW_BLEND_DUAL_QUATERNION || influences < WHOLE_LIMIT) && program->slot_count < WHOLE_LIMIT &&
		   program->d_count < WHOLE_LIMIT && program->e_count < WHOLE_LIMIT && program->posed.count < WHOLE_LIMIT;
}

/* A palette that is split into rotations and stretches is computed on the CPU. */
static bool combines(const snw_skin_shaders *shaders, const snw_program *program) {
	const snw_combined_slots *sparse = program->combined_slots;
	const uint64_t slots = program->slot_count, texels = sparse ? sparse->offsets[slots] : slots * program->combined_count;
	return (program->combined || sparse) && program->combined_count > 0 && program->blend != SNW_BLEND_DUAL_QUATERNION &&
		   texels <= (uint64_t)shaders->texel_limit && program->combined_count <= (uint64_t)shaders->texel_limit;
}

snw_status snw_gpu_program_create(const snw_skin_shaders *shaders, const snw_program *program, snw_gpu_program *previous,
								  snw_gpu_program **gpu, snw_error *error) {
	if (!program_fits(shaders, program)) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"the skin program of a mesh with %u points is too large for this graphics driver",
						program->point_count);
	}
	snw_arena *arena = snw_arena_create();
	snw_gpu_program *made = SNW_NEW(arena, snw_gpu_program);
	made->arena = arena;
	made->program = program;
	made->shaders = shaders;
	made->combines = combines(shaders, program);
	made->is_long = snw_compute_is_too_long(program->point_count, 12, shaders->storage_limit);
	snw_gpu_program_pack(made, previous);
	*gpu = made;
	return SNW_OK;
}

void snw_gpu_program_destroy(snw_gpu_program *gpu) {
	if (!gpu) {
		return;
	}
	const GLuint buffers[4] = {gpu->points_rest, gpu->influence_offsets, gpu->rest_offsets, gpu->posed_offsets};
	glDeleteTextures(SNW_SKIN_UNIT_COUNT, gpu->textures);
	glDeleteBuffers(SNW_SKIN_UNIT_COUNT, gpu->buffers);
	glDeleteBuffers(4, buffers);
	snw_arena_destroy(gpu->arena);
}

/* ---- input --------------------------------------------------------------------------------------------------------------- */

static void narrow(const double *from, size_t count, float *to) {
	for (size_t i = 0; i < count; i++) {
		to[i] = (float)from[i];
	}
}

static void send_bytes(snw_gpu_program *gpu, snw_skin_unit unit, const void *data, size_t bytes) {
	snw_buffer_send(gpu->buffers[unit], data, bytes);
	gpu->bytes_sent += bytes;
}

/* The slot of the program that is in this place of the palette. */
static size_t source_of(const snw_gpu_program *gpu, size_t slot) {
	return gpu->slots ? gpu->slots[slot] : slot;
}

/* Splits matrices into dual quaternions and stretches, [slot_count][9]. True if any slot stretches. */
static bool take_apart(snw_gpu_program *gpu, const snw_program_input *input) {
	bool stretched = false;
	for (size_t slot = 0; slot < gpu->slot_count; slot++) {
		double stretch[9];
		snw_dual_quaternion_from_mat34(input->matrices + 12 * source_of(gpu, slot), gpu->dual_quaternions + 8 * slot, stretch);
		float *rows = gpu->palette + SNW_STRETCHED_FLOATS * slot + SNW_DUAL_FLOATS;
		for (int c = 0; c < 9; c++) {
			rows[4 * (c / 3) + c % 3] = (float)stretch[c];
			stretched = stretched || fabs(stretch[c] - (c % 4 == 0)) > RIGID;
		}
	}
	return stretched;
}

static size_t sign_words(const snw_gpu_program *gpu) {
	return gpu->program->sign_rule == SNW_SIGN_AS_GIVEN ? 0 : ((size_t)gpu->pair_count + 31) / 32;
}

static void find_signs(snw_gpu_program *gpu) {
	memset(gpu->signs, 0, sign_words(gpu) * sizeof *gpu->signs);
	for (uint32_t i = 0; i < gpu->pair_count && sign_words(gpu) > 0; i++) {
		const double *real = gpu->dual_quaternions + 8 * (gpu->pairs[i] >> 32);
		const double *pivot = gpu->dual_quaternions + 8 * (gpu->pairs[i] & UINT32_MAX);
		gpu->signs[i / 32] |= (uint32_t)(snw_dual_quaternion_sign(real, pivot) < 0) << i % 32;
	}
}

static void narrow_dual_quaternions(snw_gpu_program *gpu, const snw_program_input *input) {
	const size_t slots = gpu->slot_count;
	gpu->stretched = false;
	if (gpu->program->dual_quaternion_palette) {
		for (size_t slot = 0; slot < slots; slot++) {
			memcpy(gpu->dual_quaternions + 8 * slot, input->dual_quaternions + 8 * source_of(gpu, slot),
				   8 * sizeof *gpu->dual_quaternions);
		}
	} else {
		gpu->stretched = take_apart(gpu, input);
	}
	for (size_t slot = 0; slot < slots; slot++) {
		narrow(gpu->dual_quaternions + 8 * slot, 8, gpu->palette + gpu_program_slot_floats(gpu) * slot);
	}
	find_signs(gpu);
}

static void narrow_matrices(snw_gpu_program *gpu, const snw_program_input *input) {
	for (size_t slot = 0; slot < gpu->slot_count; slot++) {
		narrow(input->matrices + 12 * source_of(gpu, slot), SNW_MATRIX_FLOATS, gpu->palette + SNW_MATRIX_FLOATS * slot);
	}
}

static void narrow_displacements(snw_gpu_program *gpu, const snw_program_input *input) {
	narrow(input->d, gpu->program->d_count, gpu->scales);
	narrow(input->e, gpu->program->e_count, gpu->posed_scales);
	for (uint32_t f = 0; f < gpu->rotation_count; f++) {
		narrow(input->rotations + 9 * (size_t)gpu->rotation_displacements[f], 9, gpu->rotations + 9 * (size_t)f);
	}
}

/* of the palette, as it is now */
static size_t gpu_program_slot_floats(const snw_gpu_program *gpu) {
	return gpu->program->blend == SNW_BLEND_NONE              ? 0
		   : gpu->program->blend != SNW_BLEND_DUAL_QUATERNION ? SNW_MATRIX_FLOATS
		   : gpu->stretched                                   ? SNW_STRETCHED_FLOATS
															  : SNW_DUAL_FLOATS;
}

/* Fills the members from palette to stretched by an input. Its matrices, also where the palette is computed on the GPU. */
static void gpu_program_narrow(snw_gpu_program *gpu, const snw_program_input *input) {
	if (gpu->program->blend == SNW_BLEND_DUAL_QUATERNION) {
		narrow_dual_quaternions(gpu, input);
	} else if (gpu->program->blend != SNW_BLEND_NONE) {
		narrow_matrices(gpu, input);
	}
	narrow_displacements(gpu, input);
}

#ifndef NDEBUG
/* The number of bytes to send, by the table in gpu_program.h. */
static size_t bytes_due(const snw_gpu_program *gpu) {
	const snw_program *program = gpu->program;
	size_t bytes = 4 * ((size_t)program->d_count + program->e_count) + 36 * (size_t)gpu->rotation_count;
	if (program->blend == SNW_BLEND_DUAL_QUATERNION) {
		bytes += (size_t)(gpu->stretched ? 80 : 32) * gpu->slot_count;
		bytes += program->sign_rule == SNW_SIGN_AS_GIVEN ? 0 : ((size_t)gpu->pair_count + 31) / 32 * 4;
	} else if (program->blend != SNW_BLEND_NONE) {
		bytes += gpu->combines ? 12 * (size_t)program->combined_count : 48 * (size_t)gpu->slot_count;
	}
	return bytes;
}
#endif

static void send_input(snw_gpu_program *gpu, const snw_program_input *input) {
	const snw_program *program = gpu->program;
	gpu->bytes_sent = 0;
	if (gpu->combines) {
		narrow(input->z, 3 * (size_t)program->combined_count, gpu->palette);
		narrow_displacements(gpu, input);
		send_bytes(gpu, SNW_SKIN_Z, gpu->palette, 3 * (size_t)program->combined_count * sizeof(float));
	} else {
		gpu_program_narrow(gpu, input);
		send_bytes(gpu, SNW_SKIN_PALETTE, gpu->palette, gpu_program_slot_floats(gpu) * gpu->slot_count * sizeof(float));
	}
	if (program->blend == SNW_BLEND_DUAL_QUATERNION) {
		send_bytes(gpu, SNW_SKIN_SIGNS, gpu->signs, sign_words(gpu) * sizeof *gpu->signs);
	}
	send_bytes(gpu, SNW_SKIN_REST_SCALES, gpu->scales, program->d_count * sizeof(float));
	send_bytes(gpu, SNW_SKIN_POSED_SCALES, gpu->posed_scales, program->e_count * sizeof(float));
	send_bytes(gpu, SNW_SKIN_POSED_ROTATIONS, gpu->rotations, 9 * (size_t)gpu->rotation_count * sizeof(float));
	assert(gpu->bytes_sent == bytes_due(gpu));
}

/* ---- running ------------------------------------------------------------------------------------------------------------- */

/* T = C z. */
static void make_palette(const snw_gpu_program *gpu, snw_gpu_path path) {
	const GLuint shader = gpu->shaders->palette[path][gpu->program->combined_slots != NULL];
	const uint32_t rows = 3 * gpu->program->slot_count;
	glUseProgram(shader);
	snw_uniform_whole(shader, "combined_count", (int)gpu->program->combined_count);
	snw_texture_buffer_bind(0, gpu->textures[SNW_SKIN_COMBINED]);
	snw_texture_buffer_bind(1, gpu->textures[SNW_SKIN_Z]);
	if (gpu->program->combined_slots) {
		snw_texture_buffer_bind(2, gpu->textures[SNW_SKIN_COMBINED_OFFSETS]);
		snw_texture_buffer_bind(3, gpu->textures[SNW_SKIN_COMBINED_COLUMNS]);
	}
	if (path == SNW_GPU_FEEDBACK) {
		snw_capture_points(gpu->shaders->empty_array, rows, gpu->buffers[SNW_SKIN_PALETTE]);
	} else {
		snw_uniform_whole(shader, "row_count", (int)rows);
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, gpu->buffers[SNW_SKIN_PALETTE]);
		snw_compute_run(rows);
	}
}

/* An affine blend reads points only if they are not the rest. */
static bool reads_points(const snw_gpu_program *gpu, GLuint points_in) {
	return gpu->program->blend != SNW_BLEND_AFFINE || points_in != 0;
}

static void run_feedback(const snw_gpu_program *gpu, GLuint points_in, GLuint points_out) {
	snw_gpu_program_fill_array(gpu);
	for (GLuint attribute = 0; attribute < 2; attribute++) {
		if (reads_points(gpu, points_in)) {
			glEnableVertexAttribArray(attribute);
		} else {
			glDisableVertexAttribArray(attribute); /* both read as 0: no difference */
		}
	}
	glBindBuffer(GL_ARRAY_BUFFER, points_in ? points_in : gpu->points_rest);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
	snw_capture_points(gpu->shaders->point_array, gpu->program->point_count, points_out);
}

static void run_compute(const snw_gpu_program *gpu, GLuint shader, GLuint points_in, GLuint points_out) {
	/* Something is bound in each place: what the program does not have is not read. */
	const GLuint any = gpu->points_rest;
	const GLuint buffers[] = {points_in ? points_in : any,
							  gpu->points_rest,
							  gpu->influence_offsets ? gpu->influence_offsets : any,
							  gpu->rest_offsets ? gpu->rest_offsets : any,
							  gpu->posed_offsets ? gpu->posed_offsets : any,
							  points_out};
	snw_uniform_whole(shader, "point_count", (int)gpu->program->point_count);
	snw_uniform_whole(shader, "reads_points", reads_points(gpu, points_in));
	snw_uniform_whole(shader, "rest_displaced", gpu->program->rest.count > 0);
	snw_uniform_whole(shader, "posed_displaced", gpu->program->posed.count > 0);
	for (GLuint i = 0; i < sizeof buffers / sizeof *buffers; i++) {
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
	}
	snw_compute_run(gpu->program->point_count);
}

void snw_gpu_program_run(snw_gpu_program *gpu, const snw_program_input *input, GLuint points_in, GLuint points_out) {
	const snw_program *program = gpu->program;
	const bool compute = gpu->shaders->path == SNW_GPU_COMPUTE && gpu->shaders->has_compute && !gpu->is_long;
	const snw_gpu_path path = compute ? SNW_GPU_COMPUTE : SNW_GPU_FEEDBACK;
	const GLuint shader = gpu->shaders->blends[path][program->blend];
	send_input(gpu, input);
	if (gpu->combines) {
		make_palette(gpu, path);
	}
	glUseProgram(shader);
	snw_uniform_whole(shader, "signed_slots", program->sign_rule != SNW_SIGN_AS_GIVEN);
	snw_uniform_whole(shader, "stretched", gpu->stretched);
	for (int unit = 0; unit < SNW_SKIN_COMBINED; unit++) {
		snw_texture_buffer_bind(unit, gpu->textures[unit]);
	}
	if (compute) {
		run_compute(gpu, shader, points_in, points_out);
	} else {
		run_feedback(gpu, points_in, points_out);
	}
}

size_t snw_gpu_program_bytes_sent(const snw_gpu_program *gpu) {
	return gpu->bytes_sent;
}

double snw_gpu_program_bytes_a_point(const snw_gpu_program *gpu) {
	static const double influence[4] = {0, 8, 20, 12};
	const snw_program *program = gpu->program;
	const double points = program->point_count > 0 ? program->point_count : 1;
	const double influences = program->influence_offsets ? program->influence_offsets[program->point_count] / points : 0;
	const double entries =
		(double)(displacement_entry_count(&program->rest) + displacement_entry_count(&program->posed)) / points;
	return (program->blend == SNW_BLEND_AFFINE ? 0 : 12) + (program->influence_offsets ? 4 : 0) +
		   influence[program->blend] * influences + 16 * entries + (program->rest.count > 0 ? 4 : 0) +
		   (program->posed.count > 0 ? 4 : 0) + 12;
}

/* ---- gpu program frames -------------------------------------------------------------------------------------------------- */

/* The input of many frames on the GPU, and runs of instances that each show one of them. */

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
	gpu_program_narrow(gpu, input);
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
	const size_t room = frames->sizes.palette, packed = gpu_program_slot_floats(gpu) * gpu->slot_count;
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
	snw_uniform_whole(shader, "palette_size", (int)(gpu_program_slot_floats(gpu) * gpu->slot_count / 4));
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
