/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a packed program: the frame is turned into float palettes relative to the centre, then blocks of points run by
 * themselves, each on whatever thread comes.
 */
#include "program/fast.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "program/packed.h"
#include "sinew/algebra.h"

enum { BLOCKS_A_CHUNK = 16 };

/* ---- the frame ---------------------------------------------------------------------------------------------------- */

/* (q, d) applied after moving by `before`, then moved by `after`: d + q before / 2 + after q / 2. */
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

/* Where a dual quaternion's translation takes the origin. */
static void translation_of(const double q[8], double translation[3]) {
	const double square = snw_quat_dot(q, q);
	double cross[3];
	snw_cross3(q, q + 4, cross);
	for (int c = 0; c < 3; c++) {
		translation[c] = square > 0 ? 2 * (q[3] * q[4 + c] - q[7] * q[c] + cross[c]) / square : 0;
	}
}

/* The mean place of the centre under all slots, by their share of the weights; each a float's value. */
static void set_origin(snw_packed_program *packed, const double mean[3]) {
	for (int c = 0; c < 3; c++) {
		packed->origin[c] = (float)mean[c];
	}
}

static void prepare_matrices(snw_packed_program *packed, const double *matrices) {
	double mean[3] = {0, 0, 0};
	for (uint32_t s = 0; s < packed->slot_count; s++) {
		double moved[3];
		snw_mat34_point(matrices + 12 * (size_t)s, packed->centre, moved);
		for (int c = 0; c < 3 && packed->slot_shares[s] > 0; c++) {
			mean[c] += packed->slot_shares[s] * moved[c];
		}
	}
	set_origin(packed, mean);
	for (uint32_t e = 0; e < packed->entry_count; e++) {
		const double *m = matrices + 12 * (size_t)packed->entries[e].slot;
		float *own = packed->matrices + 16 * (size_t)e;
		double moved[3];
		snw_mat34_point(m, packed->centre, moved);
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++) {
				own[4 * c + r] = (float)m[4 * r + c];
			}
			own[12 + r] = (float)(moved[r] - (double)packed->origin[r]);
		}
	}
}

/* Dual quaternions and stretches of the slots in use, in double. True where a stretch shows. */
static bool split_slots(snw_packed_program *packed, const snw_program_frame *frame) {
	const double far = packed->diagonal + snw_length3(packed->centre);
	bool stretched = false;
	for (uint32_t s = 0; s < packed->slot_count; s++) {
		double *q = packed->slot_dual_quaternions + 8 * (size_t)s, *stretch = packed->slot_stretches + 9 * (size_t)s;
		if (packed->slot_shares[s] == 0) {
			continue;
		}
		if (packed->dual_quaternion_palette) {
			memcpy(q, frame->dual_quaternions + 8 * (size_t)s, 8 * sizeof *q);
			continue;
		}
		snw_dual_quaternion_from_mat34(frame->matrices + 12 * (size_t)s, q, stretch);
		for (int c = 0; c < 9; c++) {
			stretch[c] -= c % 4 == 0;
			stretched = stretched || fabs(stretch[c]) * far > 1e-8 * packed->diagonal;
		}
	}
	return stretched;
}

/* The stretches as matrices that move points relative to the centre; `mean` gets what they move the centre by on average. */
static void prepare_stretches(snw_packed_program *packed, double mean[3]) {
	for (uint32_t s = 0; s < packed->slot_count && packed->excess == NULL; s++) {
		for (int r = 0; r < 3; r++) {
			mean[r] += packed->slot_shares[s] * snw_dot3(packed->slot_stretches + 9 * (size_t)s + 3 * r, packed->centre);
		}
	}
	for (uint32_t e = 0; e < packed->entry_count; e++) {
		const double *stretch = packed->slot_stretches + 9 * (size_t)packed->entries[e].slot;
		float *own = packed->matrices + 16 * (size_t)e;
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++) {
				own[4 * c + r] = (float)stretch[3 * r + c];
			}
			own[12 + r] = (float)(snw_dot3(stretch + 3 * r, packed->centre) - mean[r]);
		}
	}
}

static void prepare_dual_quaternions(snw_packed_program *packed, const snw_program_frame *frame) {
	double moved[3] = {0, 0, 0}, mean[3] = {0, 0, 0}, after[3];
	packed->stretched = split_slots(packed, frame);
	if (packed->stretched) {
		prepare_stretches(packed, moved);
	}
	for (int c = 0; c < 3; c++) {
		moved[c] += packed->centre[c];
	}
	static const double nowhere[3] = {0, 0, 0};
	for (uint32_t s = 0; s < packed->slot_count; s++) {
		if (packed->slot_shares[s] > 0) {
			double *q = packed->slot_dual_quaternions + 8 * (size_t)s, there[3];
			shift_dual_quaternion(moved, nowhere, q);
			translation_of(q, there);
			for (int c = 0; c < 3; c++) {
				mean[c] += packed->slot_shares[s] * there[c];
			}
		}
	}
	set_origin(packed, mean);
	for (int c = 0; c < 3; c++) {
		after[c] = -(double)packed->origin[c];
		packed->stay[c] = (float)(moved[c] + after[c]);
	}
	for (uint32_t e = 0; e < packed->entry_count; e++) {
		const double *pivot = packed->slot_dual_quaternions + 8 * (size_t)packed->entries[e].pivot;
		double q[8];
		memcpy(q, packed->slot_dual_quaternions + 8 * (size_t)packed->entries[e].slot, sizeof q);
		const double sign = packed->sign_rule == SNW_SIGN_AS_GIVEN ? 1 : snw_dual_quaternion_sign(q, pivot);
		shift_dual_quaternion(nowhere, after, q);
		for (int c = 0; c < 8; c++) {
			packed->dual_quaternions[8 * (size_t)e + (size_t)c] = (float)(sign * q[c]);
		}
	}
}

static void prepare_displacements(snw_packed_displacements *displacements, const double *coefficients,
								  const double *rotations) {
	displacements->active_count = 0;
	for (uint32_t k = 0; k < displacements->count; k++) {
		const double coefficient = coefficients[displacements->coefficients[k]];
		if (coefficient == 0) {
			continue;
		}
		float *scale = displacements->scales + 9 * (size_t)displacements->active_count;
		for (int c = 0; c < 9; c++) {
			scale[c] = (float)(coefficient * (displacements->turned[k] ? rotations[9 * (size_t)k + (size_t)c] : c % 4 == 0));
		}
		displacements->active[displacements->active_count++] = k;
	}
}

static void prepare_frame(snw_packed_program *packed, const snw_program_frame *frame) {
	switch (packed->blend) {
	case SNW_BLEND_LINEAR:
	case SNW_BLEND_AFFINE:
		prepare_matrices(packed, frame->matrices);
		break;
	case SNW_BLEND_DUAL_QUATERNION:
		prepare_dual_quaternions(packed, frame);
		break;
	default:
		set_origin(packed, packed->centre);
		break;
	}
	prepare_displacements(&packed->displaced_rest, frame->d, NULL);
	prepare_displacements(&packed->displaced_posed, frame->e, frame->rotations);
}

/* ---- a block ------------------------------------------------------------------------------------------------------ */

typedef float block_points[SNW_BLOCK_POINTS][4] __attribute__((aligned(64)));

static void add_displacements(const snw_packed_program *packed, const snw_packed_displacements *displacements, uint32_t block,
							  float (*points)[4]) {
	for (uint32_t a = 0; a < displacements->active_count; a++) {
		const uint32_t k = displacements->active[a];
		const uint32_t *offsets = displacements->offsets + k * ((size_t)packed->block_count + 1) + block;
		const float *scale = displacements->scales + 9 * (size_t)a;
		for (uint32_t j = offsets[0]; j < offsets[1]; j++) {
			const float *v = displacements->vectors + 3 * (size_t)j;
			float *point = points[displacements->points[j]];
			if (displacements->turned[k]) {
				for (int r = 0; r < 3; r++) {
					point[r] += scale[3 * r] * v[0] + scale[3 * r + 1] * v[1] + scale[3 * r + 2] * v[2];
				}
			} else {
				for (int r = 0; r < 3; r++) {
					point[r] += scale[0] * v[r];
				}
			}
		}
	}
}

static bool is_displaced(const snw_packed_program *packed, uint32_t block) {
	const snw_packed_displacements *displacements = &packed->displaced_rest;
	for (uint32_t a = 0; a < displacements->active_count; a++) {
		const uint32_t *offsets = displacements->offsets + displacements->active[a] * ((size_t)packed->block_count + 1) + block;
		if (offsets[1] > offsets[0]) {
			return true;
		}
	}
	return false;
}

/* The points that go into the blend, relative to the centre; for affine their displacements, or NULL. */
static const float *gather_points(const snw_packed_program *packed, uint32_t block, block_points points) {
	const snw_packed_block *own = &packed->blocks[block];
	const float *rest = packed->rest + 4 * (size_t)own->first;
	const bool affine = packed->blend == SNW_BLEND_AFFINE;
	if (packed->points_in == NULL && !is_displaced(packed, block)) {
		return affine ? NULL : rest;
	}
	if (packed->points_in == NULL) {
		memcpy(points, rest, own->count * sizeof points[0]);
	} else {
		for (uint32_t i = 0; i < own->count; i++) {
			const float *in = packed->points_in + 3 * (size_t)packed->points_of[own->first + i];
			for (int c = 0; c < 3; c++) {
				points[i][c] = in[c] - (float)packed->centre[c];
			}
			points[i][3] = 1;
		}
	}
	if (affine) {
		for (uint32_t i = 0; i < own->count; i++) {
			for (int c = 0; c < 4; c++) {
				points[i][c] -= rest[4 * (size_t)i + (size_t)c];
			}
		}
	}
	add_displacements(packed, &packed->displaced_rest, block, points);
	return points[0];
}

static void blend_block(const snw_packed_program *packed, const snw_packed_block *own, const float *points,
						block_points posed) {
	snw_kernel_block work = {
		.point_count = own->count,
		.influence_count = own->influence_count,
		.points = points,
		.posed = posed[0],
		.stay = {packed->stay[0], packed->stay[1], packed->stay[2]},
	};
	if (packed->blend == SNW_BLEND_NONE) {
		memcpy(posed, points, own->count * sizeof posed[0]);
		return;
	}
	work.entries = packed->influence_entries + own->influence;
	work.matrices = packed->matrices;
	if (packed->blend == SNW_BLEND_AFFINE) {
		work.rows = packed->influence_rows + 4 * own->influence;
		packed->kernels->affine(&work);
		return;
	}
	work.weights = packed->influence_weights + own->influence;
	if (packed->blend == SNW_BLEND_LINEAR) {
		packed->kernels->linear(&work);
		return;
	}
	work.matrices = packed->stretched ? packed->matrices : NULL;
	work.dual_quaternions = packed->dual_quaternions;
	packed->kernels->dual_quaternion(&work);
}

static void scatter_points(const snw_packed_program *packed, const snw_packed_block *own, block_points posed) {
	const bool with_excess = packed->excess != NULL && packed->blend != SNW_BLEND_DUAL_QUATERNION;
	for (uint32_t i = 0; i < own->count; i++) {
		const uint32_t p = own->first + i;
		float *out = packed->points_out + 3 * (size_t)packed->points_of[p];
		for (int c = 0; c < 3; c++) {
			const float extra = with_excess ? packed->excess[p] * packed->origin[c] : 0;
			out[c] = posed[i][c] + extra + packed->origin[c];
		}
	}
}

static void run_blocks(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snw_packed_program *packed = argument;
	for (uint32_t block = begin; block < end; block++) {
		block_points points, posed;
		const snw_packed_block *own = &packed->blocks[block];
		blend_block(packed, own, gather_points(packed, block, points), posed);
		add_displacements(packed, &packed->displaced_posed, block, posed);
		scatter_points(packed, own, posed);
	}
}

void snw_program_run(snw_packed_program *packed, const snw_program_frame *frame, const float *points_in, float *points_out) {
	prepare_frame(packed, frame);
	packed->points_in = points_in;
	packed->points_out = points_out;
	snw_parallel_for(packed->block_count, BLOCKS_A_CHUNK, run_blocks, packed);
}
