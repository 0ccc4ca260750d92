/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass over the points, each into the boxes of its joints, and one over the displacements.
 */
#include "program/bounds/bounds.h"

#include <string.h>

#include "sinew/algebra.h"

#define ROUNDING 1e-5 /* of weights that were floats or bytes */
#define MARGIN 0.25   /* of what samples add: beyond it on either side */

#define FAR 0.012          /* of the diagonal: what moves a point farther is narrowed by cells and shares */
enum { SLOT_CELLS = 24 };  /* in the diagonal, of points that are moved far */
enum { SHARES = 4 };       /* pairs have shares of 1 / SHARES, 2 / SHARES … 1 */
enum { FINER_SHARES = 2 }; /* shares of such points between two of those */

/* Boxes by the pivot, each a list, and which boxes a point is in. */
typedef struct box_lists {
	snw_slot_box *boxes;
	uint32_t *cells;        /* [boxes] */
	uint32_t *point_counts; /* [boxes] */
	uint32_t *next;         /* [boxes]: the next of the same pivot; SNW_NONE */
	uint32_t *heads;        /* [slot_count] */
	uint32_t count;
	uint32_t *offsets; /* [point_count + 1] */
	uint32_t *members; /* boxes, point by point */
	uint32_t member_count;
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
		for (uint64_t i = rest->offsets[k]; i < rest->offsets[k + 1] && !is_sampled(samples, rest->coefficients[k]); i++) {
			for (size_t c = 0; c < 3; c++) {
				const snw_interval added = snw_interval_times(rest->vectors[3 * i + c], samples->ranges[rest->coefficients[k]]);
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
		for (uint64_t i = rest->offsets[k]; i < rest->offsets[k + 1] && value != 0; i++) {
			for (size_t c = 0; c < 3; c++) {
				sums[3 * (size_t)rest->points[i] + c] += value * rest->vectors[3 * i + c];
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

/* [point_count]: cells of the rest for points that a displacement moves far, in which neighbours move alike; 0 for all
 * others. */
static uint32_t *find_cells(const snw_program *program, snw_arena *scratch) {
	const snw_displacements *rest = &program->rest;
	uint32_t *cells = SNW_NEW_ARRAY(scratch, uint32_t, program->point_count);
	snw_box box = snw_box_empty();
	snw_box_add_points(&box, program->points_rest, program->point_count);
	const double diagonal = snw_box_diagonal(&box);
	for (uint64_t i = 0; rest->count > 0 && i < rest->offsets[rest->count]; i++) {
		const uint32_t point = rest->points[i];
		if (snw_length3(rest->vectors + 3 * i) > FAR * diagonal && diagonal > 0) {
			cells[point] = 1;
			for (size_t c = 0; c < 3; c++) {
				const double at = program->points_rest[3 * (size_t)point + c] - box.lower[c];
				cells[point] = cells[point] << 8 | (uint32_t)(SLOT_CELLS * at / diagonal);
			}
		}
	}
	return cells;
}

static box_lists lists_make(const snw_program *program, snw_arena *scratch) {
	const size_t influences = program->influence_offsets[program->point_count];
	const size_t most = 2 * influences + program->point_count; /* two shares of each, or the pivot alone */
	box_lists lists = {.boxes = SNW_NEW_ARRAY(scratch, snw_slot_box, most),
					   .cells = SNW_NEW_ARRAY(scratch, uint32_t, most),
					   .point_counts = SNW_NEW_ARRAY(scratch, uint32_t, most),
					   .next = SNW_NEW_ARRAY(scratch, uint32_t, most),
					   .heads = SNW_NEW_ARRAY(scratch, uint32_t, program->slot_count),
					   .offsets = SNW_NEW_ARRAY(scratch, uint32_t, (size_t)program->point_count + 1),
					   .members = SNW_NEW_ARRAY(scratch, uint32_t, most)};
	memset(lists.heads, 0xFF, program->slot_count * sizeof *lists.heads); /* SNW_NONE */
	return lists;
}

static uint32_t find_box(box_lists *lists, uint32_t slot, uint32_t other, double share, uint32_t cell) {
	uint32_t at = lists->heads[slot];
	while (at != SNW_NONE && (lists->boxes[at].other != other || lists->boxes[at].share != share || lists->cells[at] != cell)) {
		at = lists->next[at];
	}
	if (at == SNW_NONE) {
		at = lists->count++;
		lists->boxes[at] =
			(snw_slot_box){.slot = slot, .other = other, .share = share, .plain = snw_box_empty(), .box = snw_box_empty()};
		lists->cells[at] = cell;
		lists->next[at] = lists->heads[slot];
		lists->heads[slot] = at;
	}
	return at;
}

/* The point is the one after those that have offsets. */
static void add_boxed_point(box_lists *lists, uint32_t point, uint32_t box, const double rest[3], const snw_box *displaced) {
	for (uint32_t i = lists->offsets[point]; i < lists->member_count; i++) {
		if (lists->members[i] == box) {
			return;
		}
	}
	snw_box_add(&lists->boxes[box].plain, rest);
	snw_box_add_box(&lists->boxes[box].box, displaced);
	lists->point_counts[box]++;
	lists->members[lists->member_count++] = box;
}

/* In the shares below and above what the others pull. */
static void add_pairs(const snw_program *program, uint32_t point, uint32_t pivot, double others, uint32_t cell,
					  const snw_box *displaced, box_lists *lists) {
	const double steps = cell > 0 ? SHARES * FINER_SHARES : SHARES;
	const double shares[] = {floor(steps * others) / steps, ceil(steps * others) / steps};
	for (uint32_t k = program->influence_offsets[point]; k < program->influence_offsets[point + 1]; k++) {
		const uint32_t slot = program->influence_slots[k];
		for (int side = 0; side < 2 && slot != pivot && program->influence_weights[k] > 0; side++) {
			const uint32_t box = find_box(lists, pivot, shares[side] > 0 ? slot : pivot, shares[side], cell);
			add_boxed_point(lists, point, box, program->points_rest + 3 * (size_t)point, displaced);
		}
	}
}

static void add_influences(const snw_program *program, uint32_t point, uint32_t cell, const snw_box *displaced,
						   box_lists *lists) {
	const uint32_t begin = program->influence_offsets[point], end = program->influence_offsets[point + 1];
	const uint32_t pivot = program->influence_slots[snw_program_pivot(program, begin, end)];
	double others = 0;
	for (uint32_t k = begin; k < end; k++) {
		others += program->influence_slots[k] == pivot ? 0 : program->influence_weights[k];
	}
	if (others > 0) {
		add_pairs(program, point, pivot, others, cell, displaced, lists);
	} else {
		const uint32_t box = find_box(lists, pivot, pivot, 0, cell);
		add_boxed_point(lists, point, box, program->points_rest + 3 * (size_t)point, displaced);
	}
	lists->offsets[point + 1] = lists->member_count;
}

/* ---- what displacements add ---------------------------------------------------------------------------------------------- */

/* Additions box by box: which boxes a displacement reaches is known before they are made. */
typedef struct additions {
	uint32_t *ends;         /* [boxes]: of those made */
	uint32_t *last;         /* [boxes]: the displacement that reached it last, from 1 */
	uint32_t *point_counts; /* [additions] */
	snw_slot_box_addition *list;
} additions;

static void count_additions(const snw_displacements *rest, const box_lists *lists, uint32_t *last) {
	for (uint32_t k = 0; k < rest->count; k++) {
		for (uint64_t i = rest->offsets[k]; i < rest->offsets[k + 1]; i++) {
			for (uint32_t m = lists->offsets[rest->points[i]]; m < lists->offsets[rest->points[i] + 1]; m++) {
				const uint32_t box = lists->members[m];
				lists->boxes[box].addition_end += last[box] != k + 1;
				last[box] = k + 1;
			}
		}
	}
}

static void add_vector(const snw_displacements *rest, uint32_t k, const double vector[3], uint32_t box, additions *to) {
	if (to->last[box] != k + 1) {
		to->last[box] = k + 1;
		to->list[to->ends[box]++] =
			(snw_slot_box_addition){.displacement = k, .coefficient = rest->coefficients[k], .box = snw_box_empty()};
	}
	snw_box_add(&to->list[to->ends[box] - 1].box, vector);
	to->point_counts[to->ends[box] - 1]++;
}

/* To points of a box that it does not move, a displacement adds 0. */
static void add_zeros(const box_lists *lists, const additions *made) {
	static const double zero[3] = {0, 0, 0};
	for (uint32_t b = 0; b < lists->count; b++) {
		for (uint32_t a = lists->boxes[b].addition_begin; a < lists->boxes[b].addition_end; a++) {
			if (made->point_counts[a] < lists->point_counts[b]) {
				snw_box_add(&made->list[a].box, zero);
			}
		}
	}
}

static snw_slot_box_addition *make_additions(const snw_displacements *rest, const box_lists *lists, snw_arena *arena,
											 snw_arena *scratch) {
	uint32_t count = 0;
	additions made = {.ends = SNW_NEW_ARRAY(scratch, uint32_t, lists->count),
					  .last = SNW_NEW_ARRAY(scratch, uint32_t, lists->count)};
	count_additions(rest, lists, made.last);
	for (uint32_t b = 0; b < lists->count; b++) {
		made.ends[b] = lists->boxes[b].addition_begin = count;
		count += lists->boxes[b].addition_end;
		lists->boxes[b].addition_end = count;
	}
	made.list = SNW_NEW_ARRAY(arena, snw_slot_box_addition, count);
	made.point_counts = SNW_NEW_ARRAY(scratch, uint32_t, count);
	memset(made.last, 0, lists->count * sizeof *made.last);
	for (uint32_t k = 0; k < rest->count; k++) {
		for (uint64_t i = rest->offsets[k]; i < rest->offsets[k + 1]; i++) {
			for (uint32_t m = lists->offsets[rest->points[i]]; m < lists->offsets[rest->points[i] + 1]; m++) {
				add_vector(rest, k, rest->vectors + 3 * i, lists->members[m], &made);
			}
		}
	}
	add_zeros(lists, &made);
	return made.list;
}

/* ---- making and posing --------------------------------------------------------------------------------------------------- */

snw_slot_boxes snw_slot_boxes_make(const snw_program *program, const snw_coefficient_samples *samples, snw_arena *arena) {
	if (program->point_count == 0 || !is_convex(program)) {
		return (snw_slot_boxes){0};
	}
	snw_arena *scratch = snw_arena_create();
	const snw_box *displaced = displaced_points(program, samples, scratch);
	const uint32_t *cells = find_cells(program, scratch);
	box_lists lists = lists_make(program, scratch);
	for (uint32_t p = 0; p < program->point_count; p++) {
		add_influences(program, p, cells[p], &displaced[p], &lists);
	}
	snw_slot_boxes made = {.count = lists.count, .additions = make_additions(&program->rest, &lists, arena, scratch)};
	made.list = snw_arena_copy(arena, lists.boxes, lists.count * sizeof *lists.boxes);
	snw_arena_destroy(scratch);
	return made;
}

/* The box of the rest at these coefficients. */
static snw_box displaced_box(const snw_slot_boxes *boxes, const snw_slot_box *one, const double *d) {
	snw_box box = one->plain;
	for (uint32_t a = one->addition_begin; a < one->addition_end; a++) {
		const snw_slot_box_addition *addition = &boxes->additions[a];
		for (int c = 0; c < 3; c++) {
			const snw_interval vector = {addition->box.lower[c], addition->box.upper[c]};
			const snw_interval added = snw_interval_times(d[addition->coefficient], vector);
			box.lower[c] += added.least;
			box.upper[c] += added.most;
		}
	}
	return box;
}

snw_box snw_slot_boxes_posed(const snw_slot_boxes *boxes, const double *palette, const double *d) {
	snw_box posed = snw_box_empty();
	for (uint32_t i = 0; i < boxes->count; i++) {
		const snw_slot_box *one = &boxes->list[i];
		const double *of = palette + 12 * (size_t)one->slot, *other = palette + 12 * (size_t)one->other;
		const snw_box box = d ? displaced_box(boxes, one, d) : one->box;
		double matrix[12], corner[3], place[3];
		for (int k = 0; k < 12; k++) {
			matrix[k] = (1 - one->share) * of[k] + one->share * other[k];
		}
		for (int c = 0; c < 8; c++) {
			snw_box_corner(&box, c, corner);
			snw_mat34_point(matrix, corner, place);
			snw_box_add(&posed, place);
		}
	}
	return posed;
}
