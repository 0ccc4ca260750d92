/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points in clusters, with boxes of what each slot pulls of them.
 */
#include <string.h>

#include "program/bounds_internal.h"

enum { CELLS = 12 }; /* at most 15, along the longest side of the rest: a cluster lies in one of them, so that no box is long */
enum {
	WEIGHT_STEPS = 4
}; /* at most 7: how finely the pivot's weight is told apart: a cluster's differ by up to 1 / WEIGHT_STEPS */

/* ---- which cluster -------------------------------------------------------------------------------------------------- */

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

/* The slot of the largest weight but that of `but` (SNW_NONE: of all), ties to the lowest, as snw_program_pivot has it; SNW_NONE where
 * there is none. */
static uint32_t largest_slot(const snw_program *program, uint32_t point, uint32_t but) {
	uint32_t slot = SNW_NONE;
	double most = -INFINITY;
	for (uint32_t k = influence_begin(program, point); k < influence_end(program, point); k++) {
		const double weight = weight_of(program, k);
		const uint32_t other = program->influence_slots[k];
		if (other != but && (weight > most || (weight == most && other < slot))) {
			most = weight;
			slot = other;
		}
	}
	return slot;
}

static double slot_weight(const snw_program *program, uint32_t point, uint32_t slot) {
	double weight = 0;
	for (uint32_t k = influence_begin(program, point); k < influence_end(program, point); k++) {
		weight += program->influence_slots[k] == slot ? weight_of(program, k) : 0;
	}
	return weight;
}

/* The rest in cells. */
typedef struct cell_grid {
	double origin[3], side; /* 0: one cell */
} cell_grid;

static cell_grid grid_of(const snw_program *program) {
	snw_box box = snw_box_empty();
	cell_grid grid = {0};
	for (uint32_t p = 0; p < program->point_count; p++) {
		snw_box_add(&box, program->points_rest + 3 * (size_t)p);
	}
	for (int c = 0; c < 3 && !snw_box_is_empty(&box); c++) {
		grid.origin[c] = box.lower[c];
		grid.side = fmax(grid.side, (box.upper[c] - box.lower[c]) / CELLS);
	}
	return grid;
}

/* The cell at rest, the step of the pivot's weight, the pivot, and the slot that comes next; never 0. Two slots beyond 2^24 may look alike:
 * their points make one cluster, whose bounds are wider and still true. */
static uint64_t key_of(const snw_program *program, uint32_t point, uint32_t pivot, const cell_grid *grid) {
	const double weight = pivot == SNW_NONE ? 0 : slot_weight(program, point, pivot);
	const uint64_t step = (uint64_t)fmin(fmax(round(WEIGHT_STEPS * weight), 0), WEIGHT_STEPS);
	const uint32_t next = step < WEIGHT_STEPS ? largest_slot(program, point, pivot) : SNW_NONE;
	uint64_t key = 1;
	for (size_t c = 0; c < 3; c++) {
		const double at = grid->side > 0 ? (program->points_rest[3 * (size_t)point + c] - grid->origin[c]) / grid->side : 0;
		key = key << 4 | (uint64_t)at;
	}
	return ((key << 3 | step) << 24 | (pivot & 0xFFFFFF)) << 24 | (next & 0xFFFFFF);
}

/* Keys met so far, in a table of twice as many places: open addressing. */
typedef struct cluster_table {
	size_t mask;
	uint64_t *keys;
	uint32_t *pivots, *clusters;
} cluster_table;

static cluster_table table_make(uint32_t count, snw_arena *arena) {
	size_t size = 2;
	while (size < 2 * (size_t)count) {
		size *= 2;
	}
	return (cluster_table){size - 1, SNW_NEW_ARRAY(arena, uint64_t, size), SNW_NEW_ARRAY(arena, uint32_t, size),
						   SNW_NEW_ARRAY(arena, uint32_t, size)};
}

/* The cluster of a key, of which `*count` have been met: found or new. */
static uint32_t find_cluster(cluster_table *table, uint64_t key, uint32_t pivot, uint32_t *count) {
	size_t at = (size_t)(key * 0x9E3779B97F4A7C15u >> 32) & table->mask;
	while (table->keys[at] && (table->keys[at] != key || table->pivots[at] != pivot)) {
		at = (at + 1) & table->mask;
	}
	if (!table->keys[at]) {
		table->keys[at] = key;
		table->pivots[at] = pivot;
		table->clusters[at] = (*count)++;
	}
	return table->clusters[at];
}

/* ---- what slots pull ---------------------------------------------------------------------------------------------- */

static void include_all(snw_interval box[3], const double vector[3]) {
	for (int c = 0; c < 3; c++) {
		snw_interval_include(&box[c], vector[c]);
	}
}

/* Adds w_s and p_s − w_s c of one influence. */
static void add_influence(const snw_program *program, uint32_t point, uint32_t influence, const double middle[3],
						  double *weight, double pulled[3]) {
	const double *rest = program->points_rest + 3 * (size_t)point, w = weight_of(program, influence);
	const double *row = program->blend == SNW_BLEND_AFFINE ? program->influence_rows + 4 * (size_t)influence : NULL;
	for (int c = 0; c < 3; c++) {
		pulled[c] += row ? row[c] - w * middle[c] : w * (rest[c] - middle[c]);
	}
	*weight += w;
}

/* The reach of a slot in a cluster: found or new. */
static slot_reach *reach_of(slot_reach *reaches, point_cluster *cluster, uint32_t slot) {
	for (uint32_t i = cluster->reach_begin; i < cluster->reach_end; i++) {
		if (reaches[i].slot == slot) {
			return &reaches[i];
		}
	}
	slot_reach *made = &reaches[cluster->reach_end++];
	*made = (slot_reach){.slot = slot, .weight = snw_interval_empty()};
	for (int c = 0; c < 3; c++) {
		made->pulled[c] = snw_interval_empty();
	}
	return made;
}

/* A point may name a slot more than once: what it names counts once, with all its weight. */
static void include_point(const snw_program *program, uint32_t point, point_cluster *cluster, slot_reach *reaches) {
	const uint32_t begin = influence_begin(program, point), end = influence_end(program, point);
	double weight_sum = 0, pulled_sum[3] = {0};
	for (uint32_t k = begin; k < end; k++) {
		const uint32_t slot = program->influence_slots[k];
		double pulled[3] = {0}, weight = 0;
		bool is_met = false;
		for (uint32_t i = begin; i < end; i++) {
			is_met = is_met || (i < k && program->influence_slots[i] == slot);
			if (program->influence_slots[i] == slot) {
				add_influence(program, point, i, cluster->middle, &weight, pulled);
			}
		}
		if (is_met) {
			continue;
		}
		slot_reach *reach = reach_of(reaches, cluster, slot);
		include_all(reach->pulled, pulled);
		snw_interval_include(&reach->weight, weight);
		reach->points++;
		weight_sum += weight;
		for (int c = 0; c < 3; c++) {
			pulled_sum[c] += pulled[c];
		}
	}
	snw_interval_include(&cluster->weight_sum, weight_sum);
	include_all(cluster->pulled_sum, pulled_sum);
}

static void find_middle(const snw_program *program, const uint32_t *points, point_cluster *cluster) {
	snw_box box = snw_box_empty();
	for (uint32_t i = 0; i < cluster->point_count; i++) {
		snw_box_add(&box, program->points_rest + 3 * (size_t)points[i]);
	}
	for (int c = 0; c < 3 && !snw_box_is_empty(&box); c++) {
		cluster->middle[c] = (box.lower[c] + box.upper[c]) / 2;
		cluster->offset[c] = (snw_interval){box.lower[c] - cluster->middle[c], box.upper[c] - cluster->middle[c]};
	}
}

static void find_reaches(const snw_program *program, const uint32_t *points, point_cluster *cluster, slot_reach *reaches) {
	const uint32_t pivot = largest_slot(program, points[0], SNW_NONE);
	if (pivot != SNW_NONE) {
		reach_of(reaches, cluster, pivot);
	}
	cluster->weight_sum = snw_interval_empty();
	for (int c = 0; c < 3; c++) {
		cluster->pulled_sum[c] = snw_interval_empty();
	}
	for (uint32_t i = 0; i < cluster->point_count; i++) {
		include_point(program, points[i], cluster, reaches);
	}
	for (uint32_t r = cluster->reach_begin; r < cluster->reach_end; r++) {
		for (int c = 0; c < 3 && reaches[r].points < cluster->point_count; c++) {
			snw_interval_include(&reaches[r].pulled[c], 0);
			snw_interval_include(&reaches[r].weight, 0);
		}
	}
}

/* ---- making ------------------------------------------------------------------------------------------------------- */

/* `cluster_of` [point_count] gets the cluster of each point. Returns how many clusters there are. */
static uint32_t assign_clusters(const snw_program *program, uint32_t *cluster_of, snw_arena *scratch) {
	cluster_table table = table_make(program->point_count, scratch);
	const cell_grid grid = grid_of(program);
	uint32_t count = 0;
	for (uint32_t p = 0; p < program->point_count; p++) {
		const uint32_t pivot = largest_slot(program, p, SNW_NONE);
		cluster_of[p] = find_cluster(&table, key_of(program, p, pivot, &grid), pivot, &count);
	}
	return count;
}

/* The points cluster by cluster; `begins` [cluster_count + 1]. */
static uint32_t *sort_points(const uint32_t *cluster_of, uint32_t count, uint32_t cluster_count, uint32_t *begins,
							 snw_arena *scratch) {
	uint32_t *sorted = SNW_NEW_ARRAY(scratch, uint32_t, count), *filled = SNW_NEW_ARRAY(scratch, uint32_t, cluster_count);
	for (uint32_t p = 0; p < count; p++) {
		begins[cluster_of[p] + 1]++;
	}
	for (uint32_t g = 0; g < cluster_count; g++) {
		begins[g + 1] += begins[g];
	}
	for (uint32_t p = 0; p < count; p++) {
		sorted[begins[cluster_of[p]] + filled[cluster_of[p]]++] = p;
	}
	return sorted;
}

static void make_clusters(const snw_program *program, const uint32_t *cluster_of, snw_program_bounds *bounds, snw_arena *arena,
						  snw_arena *scratch) {
	const uint32_t count = program->point_count;
	uint32_t *begins = SNW_NEW_ARRAY(scratch, uint32_t, (size_t)bounds->cluster_count + 1);
	const uint32_t *points = sort_points(cluster_of, count, bounds->cluster_count, begins, scratch);
	slot_reach *reaches = SNW_NEW_ARRAY(scratch, slot_reach, count > 0 ? influence_end(program, count - 1) : 0);
	uint32_t reach_count = 0;
	bounds->clusters = SNW_NEW_ARRAY(arena, point_cluster, bounds->cluster_count);
	for (uint32_t g = 0; g < bounds->cluster_count; g++) {
		point_cluster *cluster = &bounds->clusters[g];
		cluster->point_count = begins[g + 1] - begins[g];
		cluster->reach_begin = cluster->reach_end = reach_count;
		find_middle(program, points + begins[g], cluster);
		find_reaches(program, points + begins[g], cluster, reaches);
		reach_count = cluster->reach_end;
	}
	bounds->reaches = snw_arena_copy(arena, reaches, reach_count * sizeof *reaches);
}

static void make_displacements(const snw_displacements *source, const uint32_t *cluster_of, uint32_t cluster_count,
							   displacement_list *made, snw_arena *arena, snw_arena *scratch) {
	uint32_t *last = SNW_NEW_ARRAY(scratch, uint32_t, cluster_count); /* the entry of a cluster for this displacement, from 1 */
	const uint32_t most = source->count > 0 ? source->offsets[source->count] : 0;
	cluster_displacement *list = SNW_NEW_ARRAY(scratch, cluster_displacement, most);
	for (uint32_t k = 0; k < source->count; k++) {
		const uint32_t begin = made->count;
		for (uint32_t i = source->offsets[k]; i < source->offsets[k + 1]; i++) {
			const uint32_t cluster = cluster_of[source->points[i]];
			if (last[cluster] <= begin) {
				const bool is_rotated = source->joints && source->joints[k] != SNW_NONE;
				list[made->count] = (cluster_displacement){
					.cluster = cluster, .coefficient = source->coefficients[k], .rotation = is_rotated ? k : SNW_NONE};
				last[cluster] = ++made->count;
			}
			include_all(list[last[cluster] - 1].vector, source->vectors + 3 * (size_t)i);
		}
	}
	made->list = snw_arena_copy(arena, list, made->count * sizeof *list);
}

snw_program_bounds *snw_program_bounds_make(const snw_program *program, snw_arena *arena) {
	snw_program_bounds *bounds = SNW_NEW(arena, snw_program_bounds);
	snw_arena *scratch = snw_arena_create();
	uint32_t *cluster_of = SNW_NEW_ARRAY(scratch, uint32_t, program->point_count);
	*bounds = (snw_program_bounds){.blend = program->blend,
								   .sign_rule = program->sign_rule,
								   .dual_quaternion_palette = program->dual_quaternion_palette,
								   .slot_count = program->blend == SNW_BLEND_NONE ? 0 : program->slot_count,
								   .cluster_count = assign_clusters(program, cluster_of, scratch)};
	make_clusters(program, cluster_of, bounds, arena, scratch);
	make_displacements(&program->rest, cluster_of, bounds->cluster_count, &bounds->rest, arena, scratch);
	make_displacements(&program->posed, cluster_of, bounds->cluster_count, &bounds->posed, arena, scratch);
	snw_arena_destroy(scratch);
	return bounds;
}

uint32_t snw_program_bounds_cluster_count(const snw_program_bounds *bounds) {
	return bounds->cluster_count;
}
