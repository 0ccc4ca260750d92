/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals of weights and points for each group.
 */
#include "program/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "sinew/algebra.h"

enum { CELLS = 32 };       /* along the longest side of the rest: a group is within one of them, so that no box is long */
enum { WEIGHT_STEPS = 8 }; /* weights within a group differ by up to 1 / WEIGHT_STEPS */

typedef struct interval {
	double least, most;
} interval;

/* The contribution of a slot to a group. */
typedef struct slot_reach {
	uint32_t slot;
	interval weight;
	interval pulled[3]; /* p_s */
	uint32_t points;    /* how many points it moves; the others have the weight 0 */
} slot_reach;

typedef struct point_group {
	double middle[3];   /* at rest */
	interval offset[3]; /* of its points from `middle` */
	interval weight_sum;
	uint32_t point_count, reach_begin, reach_end;
} point_group;

/* The contribution of one displacement to a group's points, as a box that contains 0, since it may not move all of them. */
typedef struct group_displacement {
	uint32_t group, coefficient;
	uint32_t rotation; /* the index of a posed one's rotation in the input; SNW_NONE: none */
	interval vector[3];
} group_displacement;

typedef struct displacement_list {
	uint32_t count;
	group_displacement *list;
} displacement_list;

struct snw_program_bounds {
	uint32_t group_count, most_reaches; /* of one group */
	point_group *groups;
	slot_reach *reaches;
	displacement_list rest, posed;
};

/* ---- intervals ---------------------------------------------------------------------------------------------------- */

static void include(interval *in, double value) {
	in->least = fmin(in->least, value);
	in->most = fmax(in->most, value);
}

static interval times(double factor, interval in) {
	return factor >= 0 ? (interval){factor * in.least, factor * in.most} : (interval){factor * in.most, factor * in.least};
}

static void add(interval *to, interval in) {
	to->least += in.least;
	to->most += in.most;
}

/* A row of a matrix times a box of vectors. */
static interval row_times(const double row[3], const interval box[3]) {
	interval sum = {0, 0};
	for (int c = 0; c < 3; c++) {
		add(&sum, times(row[c], box[c]));
	}
	return sum;
}

static interval product(interval a, interval b) {
	const interval low = times(a.least, b), high = times(a.most, b);
	return (interval){fmin(low.least, high.least), fmax(low.most, high.most)};
}

/* ---- groups ------------------------------------------------------------------------------------------------------- */

typedef struct keyed_point {
	uint64_t key;
	uint32_t point;
} keyed_point;

static int compare_keys(const void *a, const void *b) {
	const keyed_point *one = a, *other = b;
	return one->key != other->key ? (one->key > other->key) - (one->key < other->key)
								  : (one->point > other->point) - (one->point < other->point);
}

static double weight_of(const snw_program *program, uint32_t influence) {
	return program->blend == SNW_BLEND_AFFINE ? program->influence_rows[4 * (size_t)influence + 3]
											  : program->influence_weights[influence];
}

static uint32_t influence_begin(const snw_program *program, uint32_t point) {
	return program->blend == SNW_BLEND_NONE ? 0 : program->influence_offsets[point];
}

static uint32_t influence_end(const snw_program *program, uint32_t point) {
	return program->blend == SNW_BLEND_NONE ? 0 : program->influence_offsets[point + 1];
}

/* A key for the cell of a rest point, its slots, and the steps of their weights, in any order: a sum of hashes. If two keys
 * collide, they make one group, whose bounds are wider but still valid. */
static uint64_t key_of(const snw_program *program, uint32_t point, double cell) {
	snw_hash place = {0};
	for (size_t c = 0; c < 3; c++) {
		const double at = cell > 0 ? floor(program->points_rest[3 * (size_t)point + c] / cell) : 0;
		snw_hash_f64s(&place, &at, 1);
	}
	uint64_t key = snw_hash_value(&place);
	for (uint32_t k = influence_begin(program, point); k < influence_end(program, point); k++) {
		const double step = round(WEIGHT_STEPS * weight_of(program, k));
		if (step != 0) {
			snw_hash hash = {0};
			snw_hash_u64(&hash, program->influence_slots[k]);
			snw_hash_f64s(&hash, &step, 1);
			key += snw_hash_value(&hash);
		}
	}
	return key;
}

static double cell_of(const snw_program *program) {
	snw_box box = snw_box_empty();
	double longest = 0;
	for (uint32_t p = 0; p < program->point_count; p++) {
		snw_box_add(&box, program->points_rest + 3 * (size_t)p);
	}
	for (int c = 0; c < 3 && !snw_box_is_empty(&box); c++) {
		longest = fmax(longest, box.upper[c] - box.lower[c]);
	}
	return longest / CELLS;
}

/* Adds w_s and p_s of one influence. */
static void add_influence(const snw_program *program, uint32_t point, uint32_t influence, const double middle[3],
						  double *weight, double pulled[3]) {
	const double *rest = program->points_rest + 3 * (size_t)point, w = weight_of(program, influence);
	const double *row = program->blend == SNW_BLEND_AFFINE ? program->influence_rows + 4 * (size_t)influence : NULL;
	for (int c = 0; c < 3; c++) {
		pulled[c] += (row ? row[c] : w * rest[c]) - w * middle[c];
	}
	*weight += w;
}

/* The entry of a slot in a group whose entries so far are [begin, *end): found or added. */
static slot_reach *reach_of(slot_reach *reaches, uint32_t begin, uint32_t *end, uint32_t slot) {
	for (uint32_t i = begin; i < *end; i++) {
		if (reaches[i].slot == slot) {
			return &reaches[i];
		}
	}
	slot_reach *made = &reaches[(*end)++];
	*made = (slot_reach){.slot = slot, .weight = {INFINITY, -INFINITY}};
	for (int c = 0; c < 3; c++) {
		made->pulled[c] = (interval){INFINITY, -INFINITY};
	}
	return made;
}

static void find_middle(const snw_program *program, const keyed_point *points, point_group *group) {
	snw_box box = snw_box_empty();
	for (uint32_t i = 0; i < group->point_count; i++) {
		snw_box_add(&box, program->points_rest + 3 * (size_t)points[i].point);
	}
	for (int c = 0; c < 3 && !snw_box_is_empty(&box); c++) {
		group->middle[c] = (box.lower[c] + box.upper[c]) / 2;
		group->offset[c] = (interval){box.lower[c] - group->middle[c], box.upper[c] - group->middle[c]};
	}
}

/* A point may have a slot several times; it then counts once, with the sum of its weights. */
static double include_point(const snw_program *program, uint32_t point, point_group *group, slot_reach *reaches) {
	const uint32_t begin = influence_begin(program, point), end = influence_end(program, point);
	double sum = 0;
	for (uint32_t k = begin; k < end; k++) {
		const uint32_t slot = program->influence_slots[k];
		double pulled[3] = {0}, weight = 0;
		bool is_met = false;
		for (uint32_t i = begin; i < end; i++) {
			is_met = is_met || (i < k && program->influence_slots[i] == slot);
			if (program->influence_slots[i] == slot) {
				add_influence(program, point, i, group->middle, &weight, pulled);
			}
		}
		if (is_met) {
			continue;
		}
		slot_reach *reach = reach_of(reaches, group->reach_begin, &group->reach_end, slot);
		for (int c = 0; c < 3; c++) {
			include(&reach->pulled[c], pulled[c]);
		}
		include(&reach->weight, weight);
		sum += weight;
		reach->points++;
	}
	return sum;
}

static void find_reaches(const snw_program *program, const keyed_point *points, point_group *group, slot_reach *reaches) {
	group->weight_sum = (interval){INFINITY, -INFINITY};
	for (uint32_t i = 0; i < group->point_count; i++) {
		include(&group->weight_sum, include_point(program, points[i].point, group, reaches));
	}
	for (uint32_t r = group->reach_begin; r < group->reach_end; r++) {
		for (int c = 0; c < 3 && reaches[r].points < group->point_count; c++) {
			include(&reaches[r].pulled[c], 0);
			include(&reaches[r].weight, 0);
		}
	}
}

/* `group_of` [point_count] receives the group of each point. */
static void make_groups(const snw_program *program, snw_program_bounds *bounds, uint32_t *group_of, snw_arena *arena,
						snw_arena *scratch) {
	const uint32_t count = program->point_count;
	const double cell = cell_of(program);
	keyed_point *points = SNW_NEW_ARRAY(scratch, keyed_point, count);
	for (uint32_t p = 0; p < count; p++) {
		points[p] = (keyed_point){key_of(program, p, cell), p};
	}
	qsort(points, count, sizeof *points, compare_keys);
	point_group *groups = SNW_NEW_ARRAY(scratch, point_group, count);
	slot_reach *reaches = SNW_NEW_ARRAY(scratch, slot_reach, count > 0 ? influence_end(program, count - 1) : 0);
	uint32_t reach_count = 0;
	for (uint32_t begin = 0, end; begin < count; begin = end, bounds->group_count++) {
		for (end = begin; end < count && points[end].key == points[begin].key; end++) {
			group_of[points[end].point] = bounds->group_count;
		}
		point_group *group = &groups[bounds->group_count];
		*group = (point_group){.point_count = end - begin, .reach_begin = reach_count, .reach_end = reach_count};
		find_middle(program, points + begin, group);
		find_reaches(program, points + begin, group, reaches);
		const uint32_t slots = group->reach_end - reach_count;
		bounds->most_reaches = slots > bounds->most_reaches ? slots : bounds->most_reaches;
		reach_count = group->reach_end;
	}
	bounds->groups = snw_arena_copy(arena, groups, bounds->group_count * sizeof *groups);
	bounds->reaches = snw_arena_copy(arena, reaches, reach_count * sizeof *reaches);
}

static void make_displacements(const snw_displacements *source, const uint32_t *group_of, uint32_t group_count,
							   displacement_list *made, snw_arena *arena, snw_arena *scratch) {
	uint32_t *last = SNW_NEW_ARRAY(scratch, uint32_t, group_count); /* a group's entry for this displacement, from 1 */
	const uint32_t most = source->count > 0 ? source->offsets[source->count] : 0;
	group_displacement *list = SNW_NEW_ARRAY(scratch, group_displacement, most);
	for (uint32_t k = 0; k < source->count; k++) {
		const uint32_t begin = made->count;
		for (uint32_t i = source->offsets[k]; i < source->offsets[k + 1]; i++) {
			const uint32_t group = group_of[source->points[i]];
			if (last[group] <= begin) {
				const bool is_turned = source->joints && source->joints[k] != SNW_NONE;
				list[made->count] = (group_displacement){
					.group = group, .coefficient = source->coefficients[k], .rotation = is_turned ? k : SNW_NONE};
				last[group] = ++made->count;
			}
			for (size_t c = 0; c < 3; c++) {
				include(&list[last[group] - 1].vector[c], source->vectors[3 * (size_t)i + c]);
			}
		}
	}
	made->list = snw_arena_copy(arena, list, made->count * sizeof *list);
}

snw_program_bounds *snw_program_bounds_make(const snw_program *program, snw_arena *arena) {
	if (program->blend == SNW_BLEND_DUAL_QUATERNION) {
		return NULL;
	}
	snw_program_bounds *bounds = SNW_NEW(arena, snw_program_bounds);
	snw_arena *scratch = snw_arena_create();
	uint32_t *group_of = SNW_NEW_ARRAY(scratch, uint32_t, program->point_count);
	make_groups(program, bounds, group_of, arena, scratch);
	make_displacements(&program->rest, group_of, bounds->group_count, &bounds->rest, arena, scratch);
	make_displacements(&program->posed, group_of, bounds->group_count, &bounds->posed, arena, scratch);
	snw_arena_destroy(scratch);
	return bounds;
}

uint32_t snw_program_bounds_group_count(const snw_program_bounds *bounds) {
	return bounds->group_count;
}

/* ---- a pose ------------------------------------------------------------------------------------------------------- */

/* The largest Σ w_s value_s: the largest weights where the values are largest. `taken` is scratch, [count]. */
static double most_weighted(const slot_reach *reaches, const double *values, uint32_t count, interval weight_sum, bool *taken) {
	double given = 0, sum = 0;
	for (uint32_t s = 0; s < count; s++) {
		given += reaches[s].weight.least;
		sum += reaches[s].weight.least * values[s];
		taken[s] = false;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t best = count;
		for (uint32_t s = 0; s < count; s++) {
			best = !taken[s] && (best == count || values[s] > values[best]) ? s : best;
		}
		const double room = reaches[best].weight.most - reaches[best].weight.least;
		const double rest = (values[best] > 0 ? weight_sum.most : weight_sum.least) - given;
		const double more = fmax(fmin(room, rest), 0);
		taken[best] = true;
		given += more;
		sum += more * values[best];
	}
	return sum;
}

/* One axis of a group's points; `shift` is what its rest displacements add before the blend. */
static interval blend_axis(const snw_program_bounds *bounds, const point_group *group, const double *matrices, size_t axis,
						   const interval shift[3], double *values, bool *taken) {
	const slot_reach *reaches = bounds->reaches + group->reach_begin;
	const uint32_t count = group->reach_end - group->reach_begin;
	interval sum = {0, 0};
	for (uint32_t s = 0; s < count; s++) {
		const double *row = matrices + 12 * (size_t)reaches[s].slot + 4 * axis;
		values[s] = snw_dot3(row, group->middle) + row[3];
		add(&sum, row_times(row, reaches[s].pulled));
		add(&sum, product(reaches[s].weight, row_times(row, shift)));
	}
	const double most = most_weighted(reaches, values, count, group->weight_sum, taken);
	for (uint32_t s = 0; s < count; s++) {
		values[s] = -values[s];
	}
	const double least = -most_weighted(reaches, values, count, group->weight_sum, taken);
	return (interval){least + sum.least, most + sum.most};
}

static void find_shifts(const snw_program_bounds *bounds, const double *d, interval (*shifts)[3]) {
	for (uint32_t i = 0; i < bounds->rest.count; i++) {
		const group_displacement *one = &bounds->rest.list[i];
		for (int c = 0; c < 3; c++) {
			add(&shifts[one->group][c], times(d[one->coefficient], one->vector[c]));
		}
	}
}

static void add_posed(const snw_program_bounds *bounds, const snw_program_input *input, snw_box *boxes) {
	static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	for (uint32_t i = 0; i < bounds->posed.count; i++) {
		const group_displacement *one = &bounds->posed.list[i];
		const double *rotation = one->rotation == SNW_NONE ? none : input->rotations + 9 * (size_t)one->rotation;
		for (size_t c = 0; c < 3; c++) {
			const interval added = times(input->e[one->coefficient], row_times(rotation + 3 * c, one->vector));
			boxes[one->group].lower[c] += added.least;
			boxes[one->group].upper[c] += added.most;
		}
	}
}

void snw_program_bounds_posed(const snw_program_bounds *bounds, const snw_program_input *input, snw_arena *scratch,
							  snw_box *boxes) {
	interval(*shifts)[3] = snw_arena_array(scratch, bounds->group_count, sizeof *shifts);
	double *values = SNW_NEW_ARRAY(scratch, double, bounds->most_reaches);
	bool *taken = SNW_NEW_ARRAY(scratch, bool, bounds->most_reaches);
	find_shifts(bounds, input->d, shifts);
	for (uint32_t g = 0; g < bounds->group_count; g++) {
		const point_group *group = &bounds->groups[g];
		for (size_t c = 0; c < 3; c++) {
			interval reached = group->reach_begin < group->reach_end
								   ? blend_axis(bounds, group, input->matrices, c, shifts[g], values, taken)
								   : (interval){group->middle[c] + group->offset[c].least + shifts[g][c].least,
												group->middle[c] + group->offset[c].most + shifts[g][c].most};
			boxes[g].lower[c] = reached.least;
			boxes[g].upper[c] = reached.most;
		}
	}
	add_posed(bounds, input, boxes);
}
