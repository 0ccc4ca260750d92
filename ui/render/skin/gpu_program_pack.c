/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs a skin program into buffers. Indices are stored as whole numbers in floats, exact up to 2^24.
 */
#include <stdlib.h>
#include <string.h>

#include "render/gl/shader.h"
#include "render/skin/gpu_program.h"

/* ---- gpu program pack ---------------------------------------------------------------------------------------------------- */

/* What a program does not have stays 0: a driver keeps kilobytes for a buffer and its texture. */
static void upload_packed(snw_gpu_program *gpu, snw_skin_unit unit, const void *data, size_t bytes, GLenum format,
						  GLenum usage) {
	if (bytes == 0) {
		return;
	}
	gpu->buffers[unit] = snw_buffer_make(GL_TEXTURE_BUFFER, data, bytes, usage);
	gpu->textures[unit] = snw_texture_buffer_make(gpu->buffers[unit], format);
}

/* ---- comparison with the previous program -------------------------------------------------------------------------------- */

static bool same(const void *one, const void *other, size_t bytes) {
	return one == other || bytes == 0 || (one && other && memcmp(one, other, bytes) == 0);
}

static void take(snw_gpu_program *gpu, snw_gpu_program *previous, snw_skin_unit unit) {
	gpu->buffers[unit] = previous->buffers[unit];
	gpu->textures[unit] = previous->textures[unit];
	previous->buffers[unit] = previous->textures[unit] = 0;
}

static GLuint take_buffer(GLuint *from) {
	const GLuint taken = *from;
	*from = 0;
	return taken;
}

static bool same_influences(const snw_program *a, const snw_program *b) {
	const size_t points = a->point_count;
	if (a->blend != b->blend || points != b->point_count || !a->influence_offsets != !b->influence_offsets ||
		!a->influence_weights != !b->influence_weights ||
		(a->influence_offsets && !same(a->influence_offsets, b->influence_offsets, (points + 1) * sizeof(uint32_t)))) {
		return false;
	}
	const size_t count = a->influence_offsets ? a->influence_offsets[points] : 0;
	return same(a->influence_slots, b->influence_slots, count * sizeof(uint32_t)) &&
		   same(a->influence_weights, b->influence_weights, a->influence_weights ? count * sizeof(double) : 0) &&
		   (a->blend != SNW_BLEND_AFFINE || same(a->influence_rows, b->influence_rows, 4 * count * sizeof(double)));
}

/* Without the joints that rotate them: those are few, and always sent. */
static bool same_displacements(const snw_displacements *a, const snw_displacements *b) {
	if (a->count != b->count) {
		return false;
	}
	if (a->count == 0) {
		return true;
	}
	const size_t listed = a->count * sizeof(uint32_t), count = a->offsets[a->count];
	return same(a->offsets, b->offsets, ((size_t)a->count + 1) * sizeof *a->offsets) &&
		   same(a->coefficients, b->coefficients, listed) && same(a->points, b->points, count * sizeof(uint32_t)) &&
		   same(a->vectors, b->vectors, 3 * count * sizeof(double));
}

/* ---- slots --------------------------------------------------------------------------------------------------------------- */

/* A palette of all slots for each mesh would grow with the square of the meshes. Returns the place of each slot in the palette;
 * NULL if it has all. */
static const uint32_t *choose_slots(snw_gpu_program *gpu, snw_arena *scratch) {
	const snw_program *program = gpu->program;
	const size_t influences = program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
	uint32_t *places = SNW_NEW_ARRAY(scratch, uint32_t, program->slot_count), count = 0;
	gpu->slot_count = program->slot_count;
	for (size_t i = 0; i < influences; i++) {
		count += places[program->influence_slots[i]] == 0;
		places[program->influence_slots[i]] = 1;
	}
	if (gpu->combines || count == program->slot_count) {
		return NULL;
	}
	gpu->slots = SNW_NEW_ARRAY(gpu->arena, uint32_t, count);
	gpu->slot_count = 0;
	for (uint32_t slot = 0; slot < program->slot_count; slot++) {
		if (places[slot]) {
			places[slot] = gpu->slot_count;
			gpu->slots[gpu->slot_count++] = slot;
		}
	}
	return places;
}

static uint32_t place_of(const uint32_t *places, uint32_t slot) {
	return places ? places[slot] : slot;
}

/* ---- influences ---------------------------------------------------------------------------------------------------------- */

static int compare_pairs(const void *a, const void *b) {
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* The pairs whose signs each pose sets; keys[influence] becomes the pair of each influence. */
static void find_pairs(snw_gpu_program *gpu, const uint32_t *places, uint64_t *keys, snw_arena *scratch) {
	const snw_program *program = gpu->program;
	const size_t count = program->influence_offsets[program->point_count];
	for (uint32_t p = 0; p < program->point_count; p++) {
		const uint32_t begin = program->influence_offsets[p], end = program->influence_offsets[p + 1];
		const uint32_t pivot =
			begin < end ? place_of(places, program->influence_slots[snw_program_pivot(program, begin, end)]) : 0;
		for (uint32_t i = begin; i < end; i++) {
			keys[i] = (uint64_t)place_of(places, program->influence_slots[i]) << 32 | pivot;
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

/* A texel for each influence. Dual quaternions: slot, weight and pair. Linear: slot and weight. Affine: slot alone; its rows
 * are in another buffer. */
static void pack_influences(snw_gpu_program *gpu, snw_gpu_program *previous, snw_arena *scratch) {
	static const GLenum formats[4] = {0, GL_R32F, GL_RG32F, GL_RGB32F};
	const snw_program *program = gpu->program;
	const uint32_t *places = choose_slots(gpu, scratch);
	if (previous && previous->combines == gpu->combines && same_influences(program, previous->program)) {
		take(gpu, previous, SNW_SKIN_INFLUENCES);
		take(gpu, previous, SNW_SKIN_ROWS);
		gpu->influence_offsets = take_buffer(&previous->influence_offsets);
		gpu->pair_count = previous->pair_count;
		gpu->pairs = previous->pairs
						 ? snw_arena_copy(gpu->arena, previous->pairs, previous->pair_count * sizeof *previous->pairs)
						 : NULL;
		return;
	}
	const bool dual = program->blend == SNW_BLEND_DUAL_QUATERNION, affine = program->blend == SNW_BLEND_AFFINE;
	const size_t width = dual ? 3 : affine ? 1 : 2;
	const size_t count = program->influence_offsets ? program->influence_offsets[program->point_count] : 0;
	float *influences = SNW_NEW_ARRAY(scratch, float, width *count);
	float *rows = SNW_NEW_ARRAY(scratch, float, affine ? 4 * count : 0);
	uint64_t *keys = SNW_NEW_ARRAY(scratch, uint64_t, dual ? count : 0);
	if (dual) {
		find_pairs(gpu, places, keys, scratch);
	}
	for (size_t i = 0; i < count; i++) {
		const float texel[3] = {(float)place_of(places, program->influence_slots[i]),
								program->influence_weights ? (float)program->influence_weights[i] : 0,
								dual ? pair_index(gpu, keys[i]) : 0};
		memcpy(influences + width * i, texel, width * sizeof *texel);
		for (size_t c = 0; c < 4 && affine; c++) {
			rows[4 * i + c] = (float)program->influence_rows[4 * i + c];
		}
	}
	upload_packed(gpu, SNW_SKIN_INFLUENCES, influences, count * width * sizeof(float), formats[width], GL_STATIC_DRAW);
	upload_packed(gpu, SNW_SKIN_ROWS, rows, affine ? count * 4 * sizeof(float) : 0, GL_RGBA32F, GL_STATIC_DRAW);
	if (program->influence_offsets) {
		gpu->influence_offsets = snw_buffer_make(GL_ARRAY_BUFFER, program->influence_offsets,
												 ((size_t)program->point_count + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
	}
}

/* ---- displacements ------------------------------------------------------------------------------------------------------- */

/* Sorted by point. The index is that of the coefficient for rest displacements, and that of the displacement itself for
 * posed ones. The returned buffer holds where the entries of each point begin, [point_count + 1]; 0 without displacements. */
static GLuint pack_displacements(snw_gpu_program *gpu, snw_gpu_program *previous, snw_arena *scratch, bool posed) {
	const uint32_t points = gpu->program->point_count;
	const snw_displacements *from = posed ? &gpu->program->posed : &gpu->program->rest;
	if (previous && points == previous->program->point_count &&
		same_displacements(from, posed ? &previous->program->posed : &previous->program->rest)) {
		take(gpu, previous, posed ? SNW_SKIN_POSED_ENTRIES : SNW_SKIN_REST_ENTRIES);
		return take_buffer(posed ? &previous->posed_offsets : &previous->rest_offsets);
	}
	if (from->count == 0) {
		return 0;
	}
	const snw_by_point by_point =
		snw_displacements_by_point(from, points, posed ? SNW_ENTRY_DISPLACEMENT : SNW_ENTRY_COEFFICIENT, scratch);
	upload_packed(gpu, posed ? SNW_SKIN_POSED_ENTRIES : SNW_SKIN_REST_ENTRIES, by_point.entries,
				  4 * by_point.count * sizeof(float), GL_RGBA32F, GL_STATIC_DRAW);
	return snw_buffer_make(GL_ARRAY_BUFFER, by_point.offsets, ((size_t)points + 1) * sizeof(uint32_t), GL_STATIC_DRAW);
}

/* The joint that rotates a posed displacement, SNW_NONE for none. */
static uint32_t joint_of(const snw_displacements *posed, uint32_t displacement) {
	return posed->joints ? posed->joints[displacement] : SNW_NONE;
}

/* The coefficient and the rotation of each posed displacement; displacements with the same joint share a rotation. */
static void pack_sources(snw_gpu_program *gpu, snw_arena *scratch) {
	const snw_displacements *posed = &gpu->program->posed;
	float *sources = SNW_NEW_ARRAY(scratch, float, 2 * (size_t)posed->count);
	uint32_t most = 0;
	for (uint32_t l = 0; l < posed->count; l++) {
		most = joint_of(posed, l) != SNW_NONE && joint_of(posed, l) >= most ? joint_of(posed, l) + 1 : most;
	}
	uint32_t *rotation_of = SNW_NEW_ARRAY(scratch, uint32_t, most); /* plus 1; 0 for none */
	gpu->rotation_displacements = SNW_NEW_ARRAY(gpu->arena, uint32_t, posed->count);
	for (uint32_t l = 0; l < posed->count; l++) {
		const uint32_t joint = joint_of(posed, l);
		if (joint != SNW_NONE && rotation_of[joint] == 0) {
			gpu->rotation_displacements[gpu->rotation_count++] = l;
			rotation_of[joint] = gpu->rotation_count;
		}
		sources[2 * (size_t)l] = (float)posed->coefficients[l];
		sources[2 * (size_t)l + 1] = joint == SNW_NONE ? -1 : (float)(rotation_of[joint] - 1);
	}
	upload_packed(gpu, SNW_SKIN_POSED_SOURCES, sources, 2 * (size_t)posed->count * sizeof(float), GL_RG32F, GL_STATIC_DRAW);
}

/* ---- C, points, and buffers for the input -------------------------------------------------------------------------------- */

static bool same_combined(const snw_program *a, const snw_program *b) {
	const snw_combined_slots *one = a->combined_slots, *other = b->combined_slots;
	const size_t slots = a->slot_count;
	if (a->slot_count != b->slot_count || a->combined_count != b->combined_count || !one != !other) {
		return false;
	}
	if (!one) {
		return same(a->combined, b->combined, 4 * slots * a->combined_count * sizeof(double));
	}
	const size_t count = one->offsets[slots];
	return same(one->offsets, other->offsets, (slots + 1) * sizeof(uint32_t)) &&
		   same(one->columns, other->columns, count * sizeof(uint32_t)) &&
		   same(one->entries, other->entries, count * sizeof *one->entries);
}

static void pack_sparse(snw_gpu_program *gpu, snw_arena *scratch) {
	const snw_combined_slots *sparse = gpu->program->combined_slots;
	const size_t slots = gpu->program->slot_count, count = sparse->offsets[slots];
	float *texels = SNW_NEW_ARRAY(scratch, float, 4 * count);
	for (size_t i = 0; i < 4 * count; i++) {
		texels[i] = (float)sparse->entries[i / 4][i % 4];
	}
	upload_packed(gpu, SNW_SKIN_COMBINED, texels, 4 * count * sizeof(float), GL_RGBA32F, GL_STATIC_DRAW);
	upload_packed(gpu, SNW_SKIN_COMBINED_OFFSETS, sparse->offsets, (slots + 1) * sizeof(uint32_t), GL_R32UI, GL_STATIC_DRAW);
	upload_packed(gpu, SNW_SKIN_COMBINED_COLUMNS, sparse->columns, count * sizeof(uint32_t), GL_R32UI, GL_STATIC_DRAW);
}

static void pack_combined(snw_gpu_program *gpu, snw_gpu_program *previous, snw_arena *scratch) {
	const snw_program *program = gpu->program;
	const size_t n = gpu->combines ? program->combined_count : 0;
	if (previous && previous->combines == gpu->combines && (!gpu->combines || same_combined(program, previous->program))) {
		take(gpu, previous, SNW_SKIN_COMBINED);
		take(gpu, previous, SNW_SKIN_COMBINED_OFFSETS);
		take(gpu, previous, SNW_SKIN_COMBINED_COLUMNS);
		return;
	}
	if (gpu->combines && program->combined_slots) {
		pack_sparse(gpu, scratch);
		return;
	}
	float *texels = SNW_NEW_ARRAY(scratch, float, 4 * n * program->slot_count);
	for (size_t row = 0; row < 4 * (size_t)program->slot_count && n > 0; row++) {
		for (size_t k = 0; k < n; k++) {
			texels[4 * (row / 4 * n + k) + row % 4] = (float)program->combined[row * n + k];
		}
	}
	upload_packed(gpu, SNW_SKIN_COMBINED, texels, 4 * n * program->slot_count * sizeof(float), GL_RGBA32F, GL_STATIC_DRAW);
}

static void pack_rest(snw_gpu_program *gpu, snw_gpu_program *previous, snw_arena *scratch) {
	const size_t count = 3 * (size_t)gpu->program->point_count;
	if (previous && previous->program->point_count == gpu->program->point_count &&
		same(gpu->program->points_rest, previous->program->points_rest, count * sizeof(double))) {
		gpu->points_rest = take_buffer(&previous->points_rest);
		return;
	}
	float *rest = SNW_NEW_ARRAY(scratch, float, count);
	for (size_t i = 0; i < count; i++) {
		rest[i] = (float)gpu->program->points_rest[i];
	}
	gpu->points_rest = snw_buffer_make(GL_ARRAY_BUFFER, rest, count * sizeof *rest, GL_STATIC_DRAW);
}

static void make_streams(snw_gpu_program *gpu) {
	const snw_program *program = gpu->program;
	const bool dual = program->blend == SNW_BLEND_DUAL_QUATERNION;
	const size_t slot = dual ? SNW_STRETCHED_FLOATS : SNW_MATRIX_FLOATS, slots = gpu->slot_count;
	const size_t z = gpu->combines ? 3 * (size_t)program->combined_count : 0;
	gpu->palette = SNW_NEW_ARRAY(gpu->arena, float, slot *slots > z ? slot * slots : z);
	gpu->dual_quaternions = SNW_NEW_ARRAY(gpu->arena, double, dual ? 8 * slots : 0);
	gpu->signs = SNW_NEW_ARRAY(gpu->arena, uint32_t, ((size_t)gpu->pair_count + 31) / 32);
	gpu->scales = SNW_NEW_ARRAY(gpu->arena, float, program->d_count);
	gpu->posed_scales = SNW_NEW_ARRAY(gpu->arena, float, program->e_count);
	gpu->rotations = SNW_NEW_ARRAY(gpu->arena, float, 9 * (size_t)gpu->rotation_count);
	upload_packed(gpu, SNW_SKIN_PALETTE, NULL, slot * slots * sizeof(float), GL_RGBA32F, GL_STREAM_DRAW);
	upload_packed(gpu, SNW_SKIN_Z, NULL, z * sizeof(float), GL_RGB32F, GL_STREAM_DRAW);
	upload_packed(gpu, SNW_SKIN_SIGNS, NULL, ((size_t)gpu->pair_count + 31) / 32 * sizeof(uint32_t), GL_R32UI, GL_STREAM_DRAW);
	upload_packed(gpu, SNW_SKIN_REST_SCALES, NULL, program->d_count * sizeof(float), GL_R32F, GL_STREAM_DRAW);
	upload_packed(gpu, SNW_SKIN_POSED_SCALES, NULL, program->e_count * sizeof(float), GL_R32F, GL_STREAM_DRAW);
	upload_packed(gpu, SNW_SKIN_POSED_ROTATIONS, NULL, 9 * (size_t)gpu->rotation_count * sizeof(float), GL_RGB32F,
				  GL_STREAM_DRAW);
}

/* Buffers that a program does not have stay 0. */
static void describe_span(GLuint attribute, GLuint buffer) {
	if (buffer) {
		snw_attribute_span(attribute, buffer);
	} else {
		glDisableVertexAttribArray(attribute);
	}
}

void snw_gpu_program_fill_array(const snw_gpu_program *gpu) {
	glBindVertexArray(gpu->shaders->point_array);
	describe_span(2, gpu->influence_offsets);
	describe_span(3, gpu->rest_offsets);
	describe_span(4, gpu->posed_offsets);
	glBindBuffer(GL_ARRAY_BUFFER, gpu->points_rest);
	glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 0, NULL);
}

void snw_gpu_program_pack(snw_gpu_program *gpu, snw_gpu_program *previous) {
	snw_arena *scratch = snw_arena_create();
	pack_influences(gpu, previous, scratch);
	gpu->rest_offsets = pack_displacements(gpu, previous, scratch, false);
	gpu->posed_offsets = pack_displacements(gpu, previous, scratch, true);
	pack_sources(gpu, scratch);
	pack_combined(gpu, previous, scratch);
	pack_rest(gpu, previous, scratch);
	make_streams(gpu);
	snw_arena_destroy(scratch);
}

/* ---- by point ------------------------------------------------------------------------------------------------------------ */

snw_by_point snw_displacements_by_point(const snw_displacements *list, uint32_t points, snw_entry_index index,
										snw_arena *arena) {
	const size_t count = list->count ? list->offsets[list->count] : 0;
	float *entries = SNW_NEW_ARRAY(arena, float, 4 * count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)points + 1);
	for (size_t i = 0; i < count; i++) {
		offsets[list->points[i] + 1]++;
	}
	for (uint32_t p = 0; p < points; p++) {
		offsets[p + 1] += offsets[p];
	}
	uint32_t *next = snw_arena_copy(arena, offsets, ((size_t)points + 1) * sizeof *offsets);
	for (uint32_t k = 0; k < list->count; k++) {
		for (uint64_t i = list->offsets[k]; i < list->offsets[k + 1]; i++) {
			float *entry = entries + 4 * (size_t)next[list->points[i]]++;
			for (size_t c = 0; c < 3; c++) {
				entry[c] = (float)list->vectors[3 * i + c];
			}
			entry[3] = (float)(index == SNW_ENTRY_COEFFICIENT ? list->coefficients[k] : k);
		}
	}
	return (snw_by_point){.count = count, .entries = entries, .offsets = offsets};
}
