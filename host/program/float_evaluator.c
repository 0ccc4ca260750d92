/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a packed program: the input is converted to float palettes relative to the centre, then blocks of points run
 * independently on any thread.
 */
#include "program/program.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mesh/mesh.h"
#include "program/packed.h"
#include "sinew/algebra.h"
#include "task/task.h"

enum { BLOCKS_A_CHUNK = 16 };

/* ---- the input ----------------------------------------------------------------------------------------------------------- */

/* (q, d) applied between translations by `before` and `after`: d + q before / 2 + after q / 2. */
static void shift_dual_quaternion(const double before[3], const double after[3], double q[8]) {
	const double first[4] = {before[0] / 2, before[1] / 2, before[2] / 2, 0};
	const double last[4] = {after[0] / 2, after[1] / 2, after[2] / 2, 0};
	double right[4], left[4];
	snw_quat_multiply(q, first, right);
	snw_quat_multiply(last, q, left);
	for (int c = 0; c < 4; c++) {
		q[4 + c] += right[c] + left[c];
	}
}

/* The image of the origin under a dual quaternion's translation. */
static void unit_translation(const double q[8], double translation[3]) {
	const double square = snw_quat_dot(q, q);
	double cross[3];
	snw_cross3(q, q + 4, cross);
	for (int c = 0; c < 3; c++) {
		translation[c] = square > 0 ? 2 * (q[3] * q[4 + c] - q[7] * q[c] + cross[c]) / square : 0;
	}
}

/* The mean image of the centre under all slots, weighted by their share of the weights; representable in float. */
static void set_origin(snw_packed_program *packed, const double mean[3]) {
	for (int c = 0; c < 3; c++) {
		packed->origin[c] = (float)mean[c];
	}
}

static void prepare_matrices(snw_packed_program *packed, const double *matrices) {
	double mean[3] = {0, 0, 0};
	for (uint32_t s = 0; s < packed->slot_count; s++) {
		double shifted[3];
		snw_mat34_point(matrices + 12 * (size_t)packed->slots[s].slot, packed->centre, shifted);
		for (int c = 0; c < 3 && packed->slots[s].share > 0; c++) {
			mean[c] += packed->slots[s].share * shifted[c];
		}
	}
	set_origin(packed, mean);
	for (uint32_t e = 0; e < packed->entry_count; e++) {
		const double *m = matrices + 12 * (size_t)packed->slots[packed->entries[e].slot].slot;
		float *values = packed->matrices + 16 * (size_t)e;
		double shifted[3];
		snw_mat34_point(m, packed->centre, shifted);
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++) {
				values[4 * c + r] = (float)m[4 * r + c];
			}
			values[12 + r] = (float)(shifted[r] - (double)packed->origin[r]);
		}
	}
}

/* Dual quaternions and stretches of the used slots, in double. True if any slot stretches. */
static bool split_slots(snw_packed_program *packed, const snw_program_input *input) {
	const double far = packed->diagonal + snw_length3(packed->centre);
	bool stretched = false;
	for (uint32_t s = 0; s < packed->slot_count; s++) {
		double *q = packed->slot_dual_quaternions + 8 * (size_t)s, *stretch = packed->slot_stretches + 9 * (size_t)s;
		const size_t slot = packed->slots[s].slot;
		if (packed->slots[s].share == 0) {
			continue;
		}
		if (packed->dual_quaternion_palette) {
			memcpy(q, input->dual_quaternions + 8 * slot, 8 * sizeof *q);
			continue;
		}
		snw_dual_quaternion_from_mat34(input->matrices + 12 * slot, q, stretch);
		for (int c = 0; c < 9; c++) {
			stretch[c] -= c % 4 == 0;
			stretched = stretched || fabs(stretch[c]) * far > 1e-8 * packed->diagonal;
		}
	}
	return stretched;
}

/* The stretches as matrices relative to the centre; `mean` receives the average displacement of the centre. */
static void prepare_stretches(snw_packed_program *packed, double mean[3]) {
	for (uint32_t s = 0; s < packed->slot_count && packed->excess == NULL; s++) {
		for (int r = 0; r < 3; r++) {
			mean[r] += packed->slots[s].share * snw_dot3(packed->slot_stretches + 9 * (size_t)s + 3 * r, packed->centre);
		}
	}
	for (uint32_t e = 0; e < packed->entry_count; e++) {
		const double *stretch = packed->slot_stretches + 9 * (size_t)packed->entries[e].slot;
		float *values = packed->matrices + 16 * (size_t)e;
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++) {
				values[4 * c + r] = (float)stretch[3 * r + c];
			}
			values[12 + r] = (float)(snw_dot3(stretch + 3 * r, packed->centre) - mean[r]);
		}
	}
}

static void prepare_dual_quaternions(snw_packed_program *packed, const snw_program_input *input) {
	double shifted[3] = {0, 0, 0}, mean[3] = {0, 0, 0}, after[3];
	packed->stretched = split_slots(packed, input);
	if (packed->stretched) {
		prepare_stretches(packed, shifted);
	}
	for (int c = 0; c < 3; c++) {
		shifted[c] += packed->centre[c];
	}
	static const double no_move[3] = {0, 0, 0};
	for (uint32_t s = 0; s < packed->slot_count; s++) {
		if (packed->slots[s].share > 0) {
			double *q = packed->slot_dual_quaternions + 8 * (size_t)s, there[3];
			shift_dual_quaternion(shifted, no_move, q);
			unit_translation(q, there);
			for (int c = 0; c < 3; c++) {
				mean[c] += packed->slots[s].share * there[c];
			}
		}
	}
	set_origin(packed, mean);
	for (int c = 0; c < 3; c++) {
		after[c] = -(double)packed->origin[c];
		packed->stay[c] = (float)(shifted[c] + after[c]);
	}
	for (uint32_t e = 0; e < packed->entry_count; e++) {
		const double *pivot = packed->slot_dual_quaternions + 8 * (size_t)packed->entries[e].pivot;
		double q[8];
		memcpy(q, packed->slot_dual_quaternions + 8 * (size_t)packed->entries[e].slot, sizeof q);
		const double sign = packed->sign_rule == SNW_SIGN_AS_GIVEN ? 1 : snw_dual_quaternion_sign(q, pivot);
		shift_dual_quaternion(no_move, after, q);
		for (int c = 0; c < 8; c++) {
			packed->dual_quaternions[8 * (size_t)e + (size_t)c] = (float)(sign * q[c]);
		}
	}
}

static void prepare_displacements(snw_packed_displacements *displacements, const double *coefficients,
								  const double *rotations) {
	for (uint32_t k = 0; k < displacements->count; k++) {
		const double coefficient = coefficients[displacements->coefficients[k]];
		displacements->scales[k] = (float)coefficient;
		for (int c = 0; c < 9 && displacements->rotated[k]; c++) {
			displacements->rotations[9 * (size_t)k + (size_t)c] = (float)(coefficient * rotations[9 * (size_t)k + (size_t)c]);
		}
	}
}

static void prepare_input(snw_packed_program *packed, const snw_program_input *input) {
	switch (packed->blend) {
	case SNW_BLEND_LINEAR:
	case SNW_BLEND_AFFINE:
		prepare_matrices(packed, input->matrices);
		break;
	case SNW_BLEND_DUAL_QUATERNION:
		prepare_dual_quaternions(packed, input);
		break;
	default:
		set_origin(packed, packed->centre);
		break;
	}
	prepare_displacements(&packed->displaced_rest, input->d, NULL);
	prepare_displacements(&packed->displaced_posed, input->e, input->rotations);
}

/* ---- a block ------------------------------------------------------------------------------------------------------------- */

/* The numbers of a block's points, with room to read past the end. */
typedef float block_numbers[3 * SNW_BLOCK_POINTS + SNW_LANES] __attribute__((aligned(64)));

/* The index of x of a place of a block; y and z follow at stride_of(). */
static size_t number_of(const snw_packed_block *block, uint32_t place) {
	return block->lanes ? place / SNW_LANES * (3 * SNW_LANES) + place % SNW_LANES : 3 * (size_t)place;
}

static size_t stride_of(const snw_packed_block *block) {
	return block->lanes ? SNW_LANES : 1;
}

static void add_packed_displacements(const snw_packed_program *packed, const snw_packed_displacements *displacements,
									 uint32_t block, float *numbers) {
	const size_t stride = stride_of(&packed->blocks[block]);
	const uint32_t first = displacements->piece_begins[block], *points = displacements->point_begins + block;
	packed->kernels->displace(displacements->piece_begins[block + 1] - first, displacements->pieces + first,
							  displacements->piece_vectors + 3 * SNW_LANES * (size_t)first, displacements->scales, numbers);
	for (const snw_displaced_point *p = displacements->points + points[0]; p < displacements->points + points[1]; p++) {
		const float scale = displacements->scales[p->displacement], *v = p->vector;
		const float *rotation = displacements->rotations + 9 * (size_t)p->displacement;
		float *point = numbers + p->number;
		for (size_t r = 0; r < 3 && scale != 0; r++) {
			point[r * stride] += displacements->rotated[p->displacement]
									 ? rotation[3 * r] * v[0] + rotation[3 * r + 1] * v[1] + rotation[3 * r + 2] * v[2]
									 : scale * v[r];
		}
	}
}

static bool is_displaced(const snw_packed_displacements *displacements, uint32_t block) {
	if (displacements->count == 0) {
		return false;
	}
	bool is = false;
	for (uint32_t n = displacements->piece_begins[block]; n < displacements->piece_begins[block + 1] && !is; n++) {
		is = displacements->scales[displacements->pieces[n].displacement] != 0;
	}
	for (uint32_t n = displacements->point_begins[block]; n < displacements->point_begins[block + 1] && !is; n++) {
		is = displacements->scales[displacements->points[n].displacement] != 0;
	}
	return is;
}

/* The caller's points relative to the centre; padding has rest points. */
static void gather_given(const snw_packed_program *packed, const snw_packed_block *block, float *numbers) {
	const size_t stride = stride_of(block);
	for (uint32_t i = 0; i < block->count; i++) {
		const uint32_t point = packed->points_of[block->first + i];
		float *at = numbers + number_of(block, i);
		for (size_t c = 0; c < 3 && point != SNW_NONE; c++) {
			at[c * stride] = packed->points_in[3 * (size_t)point + c] - (float)packed->centre[c];
		}
	}
}

/* The points that are blended, relative to the centre; for affine, their displacements, or NULL. */
static const float *gather_points(const snw_packed_program *packed, uint32_t block, block_numbers numbers) {
	const snw_packed_block *packed_block = &packed->blocks[block];
	const float *rest = packed->rest + 3 * (size_t)packed_block->first;
	const bool affine = packed->blend == SNW_BLEND_AFFINE;
	const bool displaced = is_displaced(&packed->displaced_rest, block);
	if (packed->points_in == NULL && !displaced) {
		return affine ? NULL : rest;
	}
	memcpy(numbers, rest, 3 * packed_block->count * sizeof *numbers);
	if (packed->points_in != NULL) {
		gather_given(packed, packed_block, numbers);
	}
	for (uint32_t i = 0; i < 3 * packed_block->count && affine; i++) {
		numbers[i] -= rest[i];
	}
	if (displaced) {
		add_packed_displacements(packed, &packed->displaced_rest, block, numbers);
	}
	return numbers;
}

static const void *entries_of(const snw_packed_program *packed, const snw_packed_block *block) {
	return (const char *)packed->entries_of + block->entry * (packed->wide ? sizeof(uint32_t) : sizeof(uint16_t));
}

static void blend_block(const snw_packed_program *packed, const snw_packed_block *block, const float *points,
						const float *origin, float *posed) {
	const snw_blend_kernels *kernels = block->lanes ? &packed->kernels->lanes : &packed->kernels->mixed;
	if (packed->blend == SNW_BLEND_NONE) {
		memcpy(posed, points, 3 * block->count * sizeof *posed);
		return;
	}
	snw_kernel_block work = {
		.point_count = block->count,
		.influence_count = block->influence_count,
		.wide = packed->wide,
		.entries = entries_of(packed, block),
		.points = points,
		.matrices = packed->matrices,
		.dual_quaternions = packed->dual_quaternions,
		.stay = {packed->stay[0], packed->stay[1], packed->stay[2]},
		.origin = {origin[0], origin[1], origin[2]},
		.posed = posed,
	};
	if (packed->blend == SNW_BLEND_AFFINE) {
		work.rows = packed->influence_rows + 4 * block->influence;
		kernels->affine(&work);
		return;
	}
	work.weights = packed->influence_weights + block->influence;
	if (packed->blend == SNW_BLEND_LINEAR) {
		kernels->linear(&work);
		return;
	}
	work.matrices = packed->stretched ? packed->matrices : NULL;
	kernels->dual_quaternion(&work);
}

/* What weights that do not sum to one add at the origin. */
static void add_excess(const snw_packed_program *packed, const snw_packed_block *block, float *posed) {
	const size_t stride = stride_of(block);
	for (uint32_t i = 0; i < block->count; i++) {
		for (size_t c = 0; c < 3; c++) {
			posed[number_of(block, i) + c * stride] += packed->excess[block->first + i] * packed->origin[c];
		}
	}
}

static void deliver_points(const snw_packed_program *packed, const snw_packed_block *block, const float *posed,
						   const float origin[3], float *out) {
	const uint16_t *locals = packed->locals + block->first;
	if (block->lanes) {
		packed->kernels->deliver(block->count / SNW_LANES, posed, origin, packed->runs + block->first / SNW_LANES, locals, out);
		return;
	}
	for (uint32_t i = 0; i < block->count; i++) {
		for (size_t c = 0; c < 3; c++) {
			out[3 * (size_t)locals[i] + c] = posed[3 * (size_t)i + c] + origin[c];
		}
	}
}

static const float no_move[3] = {0, 0, 0};

/* out: the first point of the block's tile. */
static void run_block(const snw_packed_program *packed, uint32_t block, float *out) {
	const bool with_excess = packed->excess != NULL && packed->blend != SNW_BLEND_DUAL_QUATERNION;
	block_numbers numbers, posed;
	const snw_packed_block *packed_block = &packed->blocks[block];
	const float *points = gather_points(packed, block, numbers);
	const bool displaced = is_displaced(&packed->displaced_posed, block);
	if (!packed_block->lanes && packed_block->run != SNW_NONE && packed->blend != SNW_BLEND_NONE && !displaced &&
		!with_excess) {
		blend_block(packed, packed_block, points, packed->origin, out + 3 * (size_t)packed_block->run);
		return;
	}
	blend_block(packed, packed_block, points, no_move, posed);
	if (with_excess) {
		add_excess(packed, packed_block, posed);
	}
	if (displaced) {
		add_packed_displacements(packed, &packed->displaced_posed, block, posed);
	}
	deliver_points(packed, packed_block, posed, packed->origin, out);
}

/* out: the normal of the first point of the block's tile. */
static void rotate_block(const snw_packed_program *packed, uint32_t block, float *out) {
	block_numbers posed;
	const snw_packed_block *packed_block = &packed->blocks[block];
	const snw_blend_kernels *kernels = packed_block->lanes ? &packed->kernels->lanes : &packed->kernels->mixed;
	const float *normals = packed->normals + 3 * (size_t)packed_block->first;
	const bool affine = packed->blend == SNW_BLEND_AFFINE;
	const size_t lanes = stride_of(packed_block);
	if (packed->blend == SNW_BLEND_NONE) {
		deliver_points(packed, packed_block, normals, no_move, out);
		return;
	}
	const snw_kernel_block work = {
		.point_count = packed_block->count,
		.influence_count = packed_block->influence_count,
		.wide = packed->wide,
		.entries = entries_of(packed, packed_block),
		.weights = affine ? packed->influence_rows + 4 * packed_block->influence + 3 * lanes
						  : packed->influence_weights + packed_block->influence,
		.weight_stride = (uint32_t)(affine ? 4 * lanes : lanes),
		.points = normals,
		.matrices = packed->blend != SNW_BLEND_DUAL_QUATERNION || packed->stretched ? packed->matrices : NULL,
		.dual_quaternions = packed->dual_quaternions,
		.posed = posed,
	};
	if (packed->blend == SNW_BLEND_DUAL_QUATERNION) {
		kernels->dual_quaternion_normals(&work);
	} else {
		kernels->linear_normals(&work);
	}
	deliver_points(packed, packed_block, posed, no_move, out);
}

/* For a mesh of one tile. */
static void run_blocks(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snw_packed_program *packed = argument;
	for (uint32_t block = begin; block < end; block++) {
		run_block(packed, block, packed->points_out);
		if (packed->normals_out != NULL) {
			rotate_block(packed, block, packed->normals_out);
		}
	}
}

/* For a mesh larger than the caches: a tile is assembled in the cache and written in order. */
static void run_tile(const snw_packed_program *packed, const snw_packed_tile *tile,
					 void (*run)(const snw_packed_program *packed, uint32_t block, float *out), float *out) {
	float together[3 * SNW_TILE_POINTS] __attribute__((aligned(64))), *dest = out + 3 * (size_t)tile->point;
	for (uint32_t block = tile->block; block < tile->block + tile->block_count; block++) {
		run(packed, block, packed->streamed ? together : dest);
	}
	if (packed->streamed) {
		packed->kernels->stream(3 * (size_t)tile->point_count, together, dest);
	}
}

static void run_tiles(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snw_packed_program *packed = argument;
	for (const snw_packed_tile *tile = packed->tiles + begin; tile < packed->tiles + end; tile++) {
		run_tile(packed, tile, run_block, packed->points_out);
		if (packed->normals_out != NULL) {
			run_tile(packed, tile, rotate_block, packed->normals_out);
		}
	}
}

static void run_all(snw_packed_program *packed, const snw_program_input *input, const float *points_in, float *points_out,
					float *normals_out) {
	prepare_input(packed, input);
	packed->points_in = points_in;
	packed->points_out = points_out;
	packed->normals_out = normals_out;
	if (packed->tile_count == 1) {
		snw_parallel_for(packed->block_count, BLOCKS_A_CHUNK, run_blocks, packed);
	} else {
		snw_parallel_for(packed->tile_count, 1, run_tiles, packed);
	}
}

void snw_program_run(snw_packed_program *packed, const snw_program_input *input, const float *points_in, float *points_out) {
	run_all(packed, input, points_in, points_out, NULL);
}

void snw_program_run_with_normals(snw_packed_program *packed, const snw_program_input *input, const float *points_in,
								  float *points_out, float *normals_out) {
	assert(packed->normals != NULL);
	run_all(packed, input, points_in, points_out, normals_out);
}

void snw_program_run_with_face_normals(snw_packed_program *packed, const snw_program_input *input, const float *points_in,
									   snw_normal_plan *plan, float *points_out, float *normals_out) {
	run_all(packed, input, points_in, points_out, NULL);
	snw_normals_of_points(plan, points_out, normals_out);
}

/* ---- the kernels of this machine ----------------------------------------------------------------------------------------- */

extern const snw_kernels snw_kernels_baseline;
#if defined(__x86_64__)
extern const snw_kernels snw_kernels_avx2, snw_kernels_avx512;
#endif

const snw_kernels *const *snw_kernels_available(uint32_t *count) {
#if defined(__x86_64__)
	static const snw_kernels *const all[] = {&snw_kernels_baseline, &snw_kernels_avx2, &snw_kernels_avx512};
	const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	*count = !avx2 ? 1 : !__builtin_cpu_supports("avx512f") ? 2 : 3;
#else
	static const snw_kernels *const all[] = {&snw_kernels_baseline};
	*count = 1;
#endif
	return all;
}
