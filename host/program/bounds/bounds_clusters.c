/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assigns points to clusters, with boxes for the contribution of each slot.
 */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "program/bounds/bounds.h"

enum { CLUSTER_CELLS = 16 };  /* along the longest side of the rest: a cluster is within one of them, so that no box is long */
enum { DISPLACED_CELLS = 5 }; /* cells of displaced points in one of those, along a side */
enum { WEIGHT_STEPS = 4 };    /* the pivot's weight differs within a cluster by up to 1 / WEIGHT_STEPS */

/* ---- assignment ---------------------------------------------------------------------------------------------------------- */

static uint32_t influence_begin(const snw_program *program, uint32_t point) {
	return program->blend == SNW_BLEND_NONE ? 0 : program->influence_offsets[point];
}

static uint32_t influence_end(const snw_program *program, uint32_t point) {
	return program->blend == SNW_BLEND_NONE ? 0 : program->influence_offsets[point + 1];
}

/* The slot of the largest weight other than `but` (SNW_NONE: of all), ties to the lowest, as in snw_program_pivot; SNW_NONE
 * if there is none. */
static uint32_t largest_slot(const snw_program *program, uint32_t point, uint32_t but) {
	uint32_t slot = SNW_NONE;
	double most = -INFINITY;
	for (uint32_t k = influence_begin(program, point); k < influence_end(program, point); k++) {
		const double weight = snw_program_weight(program, k);
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
		weight += program->influence_slots[k] == slot ? snw_program_weight(program, k) : 0;
	}
	return weight;
}

/* What the points of a cluster share. */
typedef struct cluster_key {
	uint32_t cell, pivot, next, step;
} cluster_key;

/* The cells of the rest. */
typedef struct cell_grid {
	double origin[3], side;    /* 0: one cell */
	const bool *are_displaced; /* [point_count]: they get finer cells, since the displacements of neighbours are alike */
} cell_grid;

static const bool *find_displaced(const snw_program *program, snw_arena *scratch) {
	bool *displaced = SNW_NEW_ARRAY(scratch, bool, program->point_count);
	const snw_displacements *const both[2] = {&program->rest, &program->posed};
	for (int i = 0; i < 2; i++) {
		for (uint64_t at = 0; both[i]->count > 0 && at < both[i]->offsets[both[i]->count]; at++) {
			displaced[both[i]->points[at]] = true;
		}
	}
	return displaced;
}

static cell_grid grid_of(const snw_program *program, snw_arena *scratch) {
	snw_box box = snw_box_empty();
	cell_grid grid = {.are_displaced = find_displaced(program, scratch)};
	for (uint32_t p = 0; p < program->point_count; p++) {
		snw_box_add(&box, program->points_rest + 3 * (size_t)p);
	}
	for (int c = 0; c < 3 && !snw_box_is_empty(&box); c++) {
		grid.origin[c] = box.lower[c];
		grid.side = fmax(grid.side, (box.upper[c] - box.lower[c]) / CLUSTER_CELLS);
	}
	return grid;
}

static uint32_t cell_of(const snw_program *program, uint32_t point, const cell_grid *grid) {
	const double side = grid->side / (grid->are_displaced[point] ? DISPLACED_CELLS : 1);
	uint32_t cell = grid->are_displaced[point];
	for (size_t c = 0; c < 3; c++) {
		const double at = side > 0 ? (program->points_rest[3 * (size_t)point + c] - grid->origin[c]) / side : 0;
		cell = cell << 10 | (uint32_t)at;
	}
	return cell;
}

static cluster_key key_of(const snw_program *program, uint32_t point, const cell_grid *grid) {
	const uint32_t pivot = largest_slot(program, point, SNW_NONE);
	const double weight = pivot == SNW_NONE ? 0 : slot_weight(program, point, pivot);
	const uint32_t step = (uint32_t)fmin(fmax(round(WEIGHT_STEPS * weight), 0), WEIGHT_STEPS);
	const uint32_t next = step < WEIGHT_STEPS ? largest_slot(program, point, pivot) : SNW_NONE;
	return (cluster_key){cell_of(program, point, grid), pivot, next, step};
}

/* The keys so far, in a hash table of twice as many places with open addressing. */
typedef struct cluster_table {
	size_t mask;
	cluster_key *keys;
	uint32_t *clusters; /* from 1; 0: a free place */
} cluster_table;

static cluster_table table_make(uint32_t count, snw_arena *arena) {
	size_t size = 2;
	while (size < 2 * (size_t)count) {
		size *= 2;
	}
	return (cluster_table){size - 1, SNW_NEW_ARRAY(arena, cluster_key, size), SNW_NEW_ARRAY(arena, uint32_t, size)};
}

static size_t place_of(const cluster_key *key) {
	snw_hash hash = {0};
	snw_hash_bytes(&hash, key, sizeof *key);
	return (size_t)snw_hash_value(&hash);
}

/* The cluster of a key, of which there are `*count` so far: found or added. */
static uint32_t find_cluster(cluster_table *table, const cluster_key *key, uint32_t *count) {
	size_t at = place_of(key) & table->mask;
	while (table->clusters[at] && memcmp(&table->keys[at], key, sizeof *key) != 0) {
		at = (at + 1) & table->mask;
	}
	if (!table->clusters[at]) {
		table->keys[at] = *key;
		table->clusters[at] = ++*count;
	}
	return table->clusters[at] - 1;
}

/* ---- contributions of slots ---------------------------------------------------------------------------------------------- */

/* The box of vectors that were met so far: x, y, z, and a weight. */
typedef struct met_vectors {
	snw_interval lanes[4];
} met_vectors;

/* What a slot pulls of a cluster, while its points are met. */
typedef struct met_reach {
	uint32_t slot;
	uint32_t points; /* how many it pulls; the others have the weight 0 */
	met_vectors pulled;
} met_reach;

static const double nothing[4] = {0, 0, 0, 0};

static met_vectors meet_none(void) {
	const snw_interval empty = snw_interval_empty();
	return (met_vectors){{empty, empty, empty, empty}};
}

static void meet(met_vectors *met, const double vector[3], double weight) {
	for (int c = 0; c < 3; c++) {
		snw_interval_include(&met->lanes[c], vector[c]);
	}
	snw_interval_include(&met->lanes[3], weight);
}

static snw_spread spread_of(const met_vectors *met) {
	snw_spread spread;
	for (int c = 0; c < 4; c++) {
		snw_spread_set(&spread, c, met->lanes[c]);
	}
	return spread;
}

/* Adds w_s and p_s − w_s c of one influence. */
static void add_influence(const snw_program *program, uint32_t point, uint32_t influence, const double middle[3],
						  double *weight, double pulled[3]) {
	const double *rest = program->points_rest + 3 * (size_t)point, w = snw_program_weight(program, influence);
	const double *row = program->blend == SNW_BLEND_AFFINE ? program->influence_rows + 4 * (size_t)influence : NULL;
	for (int c = 0; c < 3; c++) {
		pulled[c] += row ? row[c] - w * middle[c] : w * (rest[c] - middle[c]);
	}
	*weight += w;
}

/* A cluster while its points are met. */
typedef struct met_cluster {
	const double *middle;
	met_reach *reaches;
	uint32_t reach_count;
	met_vectors sum;
} met_cluster;

/* The entry of a slot in a cluster: found or added. */
static met_reach *reach_of(met_cluster *cluster, uint32_t slot) {
	for (uint32_t i = 0; i < cluster->reach_count; i++) {
		if (cluster->reaches[i].slot == slot) {
			return &cluster->reaches[i];
		}
	}
	met_reach *made = &cluster->reaches[cluster->reach_count++];
	*made = (met_reach){.slot = slot, .pulled = meet_none()};
	return made;
}

/* A point may have a slot several times; it then counts once, with the sum of its weights. */
static void meet_point(const snw_program *program, uint32_t point, met_cluster *cluster) {
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
		met_reach *reach = reach_of(cluster, slot);
		meet(&reach->pulled, pulled, weight);
		reach->points++;
		weight_sum += weight;
		for (int c = 0; c < 3; c++) {
			pulled_sum[c] += pulled[c];
		}
	}
	meet(&cluster->sum, pulled_sum, weight_sum);
}

static void find_middle(const snw_program *program, const uint32_t *points, uint32_t count, point_cluster *cluster) {
	snw_box box = snw_box_empty();
	for (uint32_t i = 0; i < count; i++) {
		snw_box_add(&box, program->points_rest + 3 * (size_t)points[i]);
	}
	for (int c = 0; c < 3 && !snw_box_is_empty(&box); c++) {
		cluster->middle[c] = (box.lower[c] + box.upper[c]) / 2;
		snw_spread_set(&cluster->offset, c,
					   (snw_interval){box.lower[c] - cluster->middle[c], box.upper[c] - cluster->middle[c]});
	}
	cluster->offset.middle[3] = 1;
}

/* The reaches of a cluster go to `made`. Returns how many they are. */
static uint32_t find_reaches(const snw_program *program, const uint32_t *points, uint32_t count, point_cluster *cluster,
							 met_reach *reaches, slot_reach *made) {
	const uint32_t pivot = largest_slot(program, points[0], SNW_NONE);
	met_cluster met = {.middle = cluster->middle, .reaches = reaches, .sum = meet_none()};
	if (pivot != SNW_NONE) {
		reach_of(&met, pivot);
	}
	for (uint32_t i = 0; i < count; i++) {
		meet_point(program, points[i], &met);
	}
	for (uint32_t r = 0; r < met.reach_count; r++) {
		if (reaches[r].points < count) {
			meet(&reaches[r].pulled, nothing, 0);
		}
		made[r] = (slot_reach){reaches[r].slot, spread_of(&reaches[r].pulled)};
	}
	cluster->pulled_sum = spread_of(&met.sum);
	return met.reach_count;
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

/* `cluster_of` [point_count] receives the cluster of each point. Returns the number of clusters. */
static uint32_t assign_clusters(const snw_program *program, uint32_t *cluster_of, snw_arena *scratch) {
	cluster_table table = table_make(program->point_count, scratch);
	const cell_grid grid = grid_of(program, scratch);
	uint32_t count = 0;
	for (uint32_t p = 0; p < program->point_count; p++) {
		const cluster_key key = key_of(program, p, &grid);
		cluster_of[p] = find_cluster(&table, &key, &count);
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

static int compare_slots(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* The slots of the reaches, each once, and their places in that list in the reaches. */
static void list_reach_slots(snw_program_bounds *bounds, uint32_t reach_count, snw_arena *arena, snw_arena *scratch) {
	uint32_t *slots = SNW_NEW_ARRAY(scratch, uint32_t, reach_count), count = 0;
	for (uint32_t r = 0; r < reach_count; r++) {
		slots[r] = bounds->reaches[r].slot;
	}
	qsort(slots, reach_count, sizeof *slots, compare_slots);
	for (uint32_t r = 0; r < reach_count; r++) {
		if (count == 0 || slots[r] != slots[count - 1]) {
			slots[count++] = slots[r];
		}
	}
	for (uint32_t r = 0; r < reach_count; r++) {
		const uint32_t *place = bsearch(&bounds->reaches[r].slot, slots, count, sizeof *slots, compare_slots);
		bounds->reaches[r].slot = (uint32_t)(place - slots);
	}
	bounds->slots = snw_arena_copy(arena, slots, count * sizeof *slots);
	bounds->slot_count = count;
}

/* The most influences that the points of a cluster have together. */
static size_t most_influences(const snw_program *program, const uint32_t *points, const uint32_t *begins, uint32_t count) {
	size_t most = 0;
	for (uint32_t g = 0; g < count; g++) {
		size_t of_cluster = 1;
		for (uint32_t i = begins[g]; i < begins[g + 1]; i++) {
			of_cluster += influence_end(program, points[i]) - influence_begin(program, points[i]);
		}
		most = of_cluster > most ? of_cluster : most;
	}
	return most;
}

static void make_clusters(const snw_program *program, const uint32_t *points, const uint32_t *begins,
						  snw_program_bounds *bounds, snw_arena *arena, snw_arena *scratch) {
	const size_t most = most_influences(program, points, begins, bounds->cluster_count);
	slot_reach *reaches = NULL, *made = SNW_NEW_ARRAY(scratch, slot_reach, most);
	met_reach *met = SNW_NEW_ARRAY(scratch, met_reach, most);
	uint32_t count = 0, room = 0;
	bounds->clusters = SNW_NEW_ARRAY(arena, point_cluster, bounds->cluster_count);
	for (uint32_t g = 0; g < bounds->cluster_count; g++) {
		point_cluster *cluster = &bounds->clusters[g];
		const uint32_t point_count = begins[g + 1] - begins[g];
		find_middle(program, points + begins[g], point_count, cluster);
		const uint32_t reach_count = find_reaches(program, points + begins[g], point_count, cluster, met, made);
		cluster->reach_begin = count;
		cluster->reach_end = count + reach_count;
		for (uint32_t r = 0; r < reach_count; r++) {
			reaches = snw_arena_grow(scratch, reaches, count, &room, sizeof *reaches);
			reaches[count++] = made[r];
		}
		bounds->most_reaches = reach_count > bounds->most_reaches ? reach_count : bounds->most_reaches;
	}
	bounds->reaches = snw_arena_copy(arena, reaches, count * sizeof *reaches);
	list_reach_slots(bounds, count, arena, scratch);
}

/* A displacement of a cluster, while its points are met. */
typedef struct met_displacement {
	uint32_t cluster;
	uint32_t points; /* how many of the cluster's it moves */
	met_vectors vector;
} met_displacement;

/* Rounded to single precision outwards. */
static displaced_cluster displaced_of(const met_displacement *met) {
	const snw_spread exact = spread_of(&met->vector);
	displaced_cluster made = {.cluster = met->cluster};
	for (int c = 0; c < 3; c++) {
		made.middle[c] = (float)exact.middle[c];
		const double half = exact.half[c] + fabs(exact.middle[c] - (double)made.middle[c]);
		made.half[c] = half > 0 ? nextafterf((float)half, INFINITY) : 0;
	}
	return made;
}

/* Adds those of one displacement to the list, of which `*count` are there. `last` is a cluster's entry, from 1. */
static void meet_displacement(const snw_displacements *source, uint32_t index, const uint32_t *cluster_of, uint32_t *last,
							  met_displacement *list, uint32_t *count) {
	const uint32_t begin = *count;
	for (uint64_t i = source->offsets[index]; i < source->offsets[index + 1]; i++) {
		const uint32_t cluster = cluster_of[source->points[i]];
		if (last[cluster] <= begin) {
			list[*count] = (met_displacement){.cluster = cluster, .vector = meet_none()};
			last[cluster] = ++*count;
		}
		meet(&list[last[cluster] - 1].vector, source->vectors + 3 * i, 0);
		list[last[cluster] - 1].points++;
	}
}

/* How many clusters all displacements move, each counted once for each, at most. */
static uint64_t count_displaced(const snw_displacements *source, uint32_t cluster_count) {
	uint64_t most = 0;
	for (uint32_t k = 0; k < source->count; k++) {
		const uint64_t points = source->offsets[k + 1] - source->offsets[k];
		most += points < cluster_count ? points : cluster_count;
	}
	return most;
}

/* `begins` [cluster_count + 1] counts the points of the clusters. */
static displacement_list make_displacements(const snw_displacements *source, const uint32_t *cluster_of, const uint32_t *begins,
											uint32_t cluster_count, snw_arena *arena, snw_arena *scratch) {
	const uint64_t most = count_displaced(source, cluster_count);
	uint32_t *last = SNW_NEW_ARRAY(scratch, uint32_t, cluster_count), count = 0;
	met_displacement *met = SNW_NEW_ARRAY(scratch, met_displacement, most);
	displacement_list made = {.count = source->count, .list = SNW_NEW_ARRAY(arena, cluster_displacement, source->count)};
	for (uint32_t k = 0; k < source->count; k++) {
		const bool is_rotated = source->joints && source->joints[k] != SNW_NONE;
		made.list[k] = (cluster_displacement){source->coefficients[k], is_rotated ? k : SNW_NONE, count, 0};
		meet_displacement(source, k, cluster_of, last, met, &count);
		made.list[k].end = count;
	}
	made.clusters = SNW_NEW_ARRAY(arena, displaced_cluster, count);
	for (uint32_t i = 0; i < count; i++) {
		if (met[i].points < begins[met[i].cluster + 1] - begins[met[i].cluster]) {
			meet(&met[i].vector, nothing, 0);
		}
		made.clusters[i] = displaced_of(&met[i]);
	}
	return made;
}

snw_program_bounds *snw_program_bounds_make(const snw_program *program, snw_arena *arena) {
	snw_program_bounds *bounds = SNW_NEW(arena, snw_program_bounds);
	snw_arena *scratch = snw_arena_create();
	uint32_t *cluster_of = SNW_NEW_ARRAY(scratch, uint32_t, program->point_count);
	*bounds = (snw_program_bounds){.blend = program->blend,
								   .sign_rule = program->sign_rule,
								   .dual_quaternion_palette = program->dual_quaternion_palette,
								   .cluster_count = assign_clusters(program, cluster_of, scratch)};
	uint32_t *begins = SNW_NEW_ARRAY(scratch, uint32_t, (size_t)bounds->cluster_count + 1);
	const uint32_t *points = sort_points(cluster_of, program->point_count, bounds->cluster_count, begins, scratch);
	make_clusters(program, points, begins, bounds, arena, scratch);
	bounds->rest = make_displacements(&program->rest, cluster_of, begins, bounds->cluster_count, arena, scratch);
	bounds->posed = make_displacements(&program->posed, cluster_of, begins, bounds->cluster_count, arena, scratch);
	snw_arena_destroy(scratch);
	return bounds;
}

/* ---- sets ---------------------------------------------------------------------------------------------------------------- */

/* What displaces the points of a set, each displacement once, into `met`; `places` [displacements] are theirs in it, from 1.
 * Returns how many they are. */
static uint32_t meet_set(const snw_displacements *source, const snw_point_displacements *entries, const uint32_t *points,
						 uint32_t count, uint32_t *places, met_displacement *met) {
	uint32_t met_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t e = entries->starts[points[i]]; e < entries->starts[points[i] + 1]; e++) {
			const uint32_t k = entries->displacements[e];
			if (places[k] == 0) {
				met[met_count] = (met_displacement){.cluster = k, .vector = meet_none()};
				places[k] = ++met_count;
			}
			meet(&met[places[k] - 1].vector, source->vectors + 3 * entries->entries[e], 0);
			met[places[k] - 1].points++;
		}
	}
	for (uint32_t m = 0; m < met_count; m++) {
		places[met[m].cluster] = 0;
		if (met[m].points < count) {
			meet(&met[m].vector, nothing, 0);
		}
	}
	return met_count;
}

static displacement_list make_set_displacements(const snw_displacements *source, const snw_program *program, uint32_t set_count,
												const uint32_t *begins, const uint32_t *points, snw_arena *arena,
												snw_arena *scratch) {
	displacement_list made = {.count = source->count,
							  .list = SNW_NEW_ARRAY(arena, cluster_displacement, source->count),
							  .set_begins = SNW_NEW_ARRAY(arena, uint32_t, (size_t)set_count + 1)};
	const snw_point_displacements entries = snw_point_displacements_list(source, program->point_count, scratch);
	uint32_t *places = SNW_NEW_ARRAY(scratch, uint32_t, source->count), count = 0, room = 0;
	met_displacement *met = SNW_NEW_ARRAY(scratch, met_displacement, source->count);
	for (uint32_t k = 0; k < source->count; k++) {
		const bool is_rotated = source->joints && source->joints[k] != SNW_NONE;
		made.list[k] = (cluster_displacement){.coefficient = source->coefficients[k], .rotation = is_rotated ? k : SNW_NONE};
	}
	for (uint32_t s = 0; s < set_count; s++) {
		const uint32_t met_count = meet_set(source, &entries, points + begins[s], begins[s + 1] - begins[s], places, met);
		for (uint32_t m = 0; m < met_count; m++) {
			made.clusters = snw_arena_grow(arena, made.clusters, count, &room, sizeof *made.clusters);
			made.clusters[count++] = displaced_of(&met[m]);
		}
		made.set_begins[s + 1] = count;
	}
	return made;
}

snw_program_bounds *snw_program_bounds_make_sets(const snw_program *program, uint32_t set_count, const uint32_t *begins,
												 const uint32_t *points, snw_arena *arena) {
	snw_program_bounds *bounds = SNW_NEW(arena, snw_program_bounds);
	snw_arena *scratch = snw_arena_create();
	*bounds = (snw_program_bounds){.blend = program->blend,
								   .sign_rule = program->sign_rule,
								   .dual_quaternion_palette = program->dual_quaternion_palette,
								   .cluster_count = set_count};
	make_clusters(program, points, begins, bounds, arena, scratch);
	bounds->rest = make_set_displacements(&program->rest, program, set_count, begins, points, arena, scratch);
	bounds->posed = make_set_displacements(&program->posed, program, set_count, begins, points, arena, scratch);
	snw_arena_destroy(scratch);
	return bounds;
}

uint32_t snw_program_bounds_cluster_count(const snw_program_bounds *bounds) {
	return bounds->cluster_count;
}
