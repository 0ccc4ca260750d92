/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass over the points, each into the boxes of its joints.
 */
#include "program/bounds/slot_boxes.h"

#include <string.h>

#include "sinew/algebra.h"

#define ROUNDING 1e-5 /* of weights that were floats or bytes */
#define MARGIN 0.25   /* of what samples add: beyond it on either side */

/* What pairs are told apart by, rising; the last is never exceeded, since no other weight is larger than the pivot's. */
static const double shares[] = {0.125, 0.25, 0.5, 1};

/* Boxes by the pivot, each a list. */
typedef struct box_lists {
	snw_slot_box *boxes;
	uint32_t *next;  /* [boxes]: the next of the same pivot; SNW_NONE */
	uint32_t *heads; /* [slot_count] */
	uint32_t count;
} box_lists;

static bool is_convex(const snw_program *program) {
	bool is = program->blend == SNW_BLEND_LINEAR;
	for (uint32_t p = 0; p < program->point_count && is; p++) {
		double sum = 0;
		for (uint32_t k = program->influence_offsets[p]; k < program->influence_offsets[p + 1]; k++) {
			sum += program->influence_weights[k];
			is = is && program->influence_weights[k] >= 0;
		}
		is = is && fabs(sum - 1) < ROUNDING;
	}
	return is;
}

static bool is_sampled(const snw_coefficient_samples *samples, uint32_t coefficient) {
	return samples->ranges[coefficient].least > samples->ranges[coefficient].most;
}

static void add_free(const snw_program *program, const snw_coefficient_samples *samples, snw_box *boxes) {
	const snw_displacements *rest = &program->rest;
	for (uint32_t k = 0; k < rest->count; k++) {
		for (uint32_t i = rest->offsets[k]; i < rest->offsets[k + 1] && !is_sampled(samples, rest->coefficients[k]); i++) {
			for (size_t c = 0; c < 3; c++) {
				const snw_interval added =
					snw_interval_times(rest->vectors[3 * (size_t)i + c], samples->ranges[rest->coefficients[k]]);
				boxes[rest->points[i]].lower[c] += added.least;
				boxes[rest->points[i]].upper[c] += added.most;
			}
		}
	}
}

/* sums [point_count][3] = what one sample adds to each point. */
static void add_sample(const snw_program *program, const snw_coefficient_samples *samples, uint32_t sample, double *sums) {
	const snw_displacements *rest = &program->rest;
	const double *values = samples->values + (size_t)sample * program->d_count;
	memset(sums, 0, 3 * (size_t)program->point_count * sizeof *sums);
	for (uint32_t k = 0; k < rest->count; k++) {
		const double value = is_sampled(samples, rest->coefficients[k]) ? values[rest->coefficients[k]] : 0;
		for (uint32_t i = rest->offsets[k]; i < rest->offsets[k + 1] && value != 0; i++) {
			for (size_t c = 0; c < 3; c++) {
				sums[3 * (size_t)rest->points[i] + c] += value * rest->vectors[3 * (size_t)i + c];
			}
		}
	}
}

static void add_sampled(const snw_program *program, const snw_coefficient_samples *samples, snw_arena *scratch,
						snw_box *boxes) {
	const size_t numbers = 3 * (size_t)program->point_count;
	double *sums = SNW_NEW_ARRAY(scratch, double, numbers);
	snw_interval *added = SNW_NEW_ARRAY(scratch, snw_interval, numbers); /* the rest adds 0 */
	for (uint32_t i = 0; i < samples->count; i++) {
		add_sample(program, samples, i, sums);
		for (size_t n = 0; n < numbers; n++) {
			snw_interval_include(&added[n], sums[n]);
		}
	}
	for (size_t n = 0; n < numbers; n++) {
		const double margin = MARGIN * (added[n].most - added[n].least);
		boxes[n / 3].lower[n % 3] += added[n].least - margin;
		boxes[n / 3].upper[n % 3] += added[n].most + margin;
	}
}

/* Where the displacements take each point of the rest, as a box. */
static snw_box *displaced_points(const snw_program *program, const snw_coefficient_samples *samples, snw_arena *scratch) {
	snw_box *boxes = SNW_NEW_ARRAY(scratch, snw_box, program->point_count);
	for (uint32_t p = 0; p < program->point_count; p++) {
		memcpy(boxes[p].lower, program->points_rest + 3 * (size_t)p, sizeof boxes[p].lower);
		memcpy(boxes[p].upper, program->points_rest + 3 * (size_t)p, sizeof boxes[p].upper);
	}
	if (program->rest.count > 0) {
		add_free(program, samples, boxes);
		add_sampled(program, samples, scratch, boxes);
	}
	return boxes;
}

static void add_point(box_lists *lists, uint32_t slot, uint32_t other, double share, const snw_box *point) {
	uint32_t at = lists->heads[slot];
	while (at != SNW_NONE && (lists->boxes[at].other != other || lists->boxes[at].share != share)) {
		at = lists->next[at];
	}
	if (at == SNW_NONE) {
		at = lists->count++;
		lists->boxes[at] = (snw_slot_box){slot, other, share, snw_box_empty()};
		lists->next[at] = lists->heads[slot];
		lists->heads[slot] = at;
	}
	snw_box_add_box(&lists->boxes[at].box, point);
}

static void add_influences(const snw_program *program, uint32_t point, const snw_box *displaced, box_lists *lists) {
	const uint32_t begin = program->influence_offsets[point], end = program->influence_offsets[point + 1];
	const uint32_t pivot = program->influence_slots[snw_program_pivot(program, begin, end)];
	double rest = 0, given = 0;
	size_t i = 0;
	for (uint32_t k = begin; k < end; k++) {
		rest += program->influence_slots[k] == pivot ? 0 : program->influence_weights[k];
	}
	while (shares[i] < rest && shares[i] < 1) {
		i++;
	}
	for (uint32_t k = begin; k < end; k++) {
		const uint32_t slot = program->influence_slots[k];
		if (slot != pivot && program->influence_weights[k] > 0) {
			given += program->influence_weights[k] / shares[i];
			add_point(lists, pivot, slot, shares[i], displaced);
		}
	}
	if (given < 1) {
		add_point(lists, pivot, pivot, 0, displaced);
	}
}

snw_slot_boxes snw_slot_boxes_make(const snw_program *program, const snw_coefficient_samples *samples, snw_arena *arena) {
	if (program->point_count == 0 || !is_convex(program)) {
		return (snw_slot_boxes){0};
	}
	snw_arena *scratch = snw_arena_create();
	const size_t most = (size_t)program->influence_offsets[program->point_count] + program->point_count;
	const snw_box *displaced = displaced_points(program, samples, scratch);
	box_lists lists = {SNW_NEW_ARRAY(scratch, snw_slot_box, most), SNW_NEW_ARRAY(scratch, uint32_t, most),
					   SNW_NEW_ARRAY(scratch, uint32_t, program->slot_count), 0};
	memset(lists.heads, 0xFF, program->slot_count * sizeof *lists.heads); /* SNW_NONE */
	for (uint32_t p = 0; p < program->point_count; p++) {
		add_influences(program, p, &displaced[p], &lists);
	}
	const snw_slot_boxes made = {lists.count, snw_arena_copy(arena, lists.boxes, lists.count * sizeof *lists.boxes)};
	snw_arena_destroy(scratch);
	return made;
}

snw_box snw_slot_boxes_posed(const snw_slot_boxes *boxes, const double *palette) {
	snw_box posed = snw_box_empty();
	for (uint32_t i = 0; i < boxes->count; i++) {
		const snw_slot_box *one = &boxes->list[i];
		const double *of = palette + 12 * (size_t)one->slot, *other = palette + 12 * (size_t)one->other;
		double matrix[12], corner[3], place[3];
		for (int k = 0; k < 12; k++) {
			matrix[k] = (1 - one->share) * of[k] + one->share * other[k];
		}
		for (int c = 0; c < 8; c++) {
			snw_box_corner(&one->box, c, corner);
			snw_mat34_point(matrix, corner, place);
			snw_box_add(&posed, place);
		}
	}
	return posed;
}
