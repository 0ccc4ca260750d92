/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The normal equations: a dense block for each point, and sparse ones between neighbours.
 *
 * A point with m influences has 4m − 1 unknowns: x, y and z of each, then the weights but that of the pivot, which is minus
 * their sum (6.3). So the unknown of weight a is the vector e_a − e_pivot in the space of the fourth components.
 */
#include <limits.h>
#include <string.h>

#include "animation-space/fit.h"

/* A point's influences. */
typedef struct point_set {
	uint32_t count, pivot, unknown; /* unknown: its first */
	const uint32_t *slots;
} point_set;

typedef struct assembly {
	const mesh_fit *f;
	const moments *sums;
	strengths by;
	double *block;            /* [4m][4m], of the current point */
	double *vector;           /* [4m] */
	uint32_t *columns, *rows; /* columns [unknowns + 1] */
	double *values;
	double *right;
} assembly;

static point_set set_of(const mesh_fit *f, uint32_t point) {
	const uint32_t first = f->sets.offsets[point];
	return (point_set){.count = f->sets.offsets[point + 1] - first,
					   .pivot = f->sets.pivots[point],
					   .unknown = f->sets.unknowns[point],
					   .slots = f->sets.slots + first};
}

static int is_fitted(const mesh_fit *f, uint32_t point) {
	return f->sets.unknowns[point + 1] > f->sets.unknowns[point];
}

/* The index of unknown u of a set among its 4m numbers. */
static uint32_t place_of(const point_set *set, uint32_t u) {
	if (u < 3 * set->count) {
		return u / 3 * 4 + u % 3;
	}
	const uint32_t a = u - 3 * set->count;
	return 4 * (a < set->pivot ? a : a + 1) + 3;
}

/* ---- the block of a point ------------------------------------------------------------------------------------------------ */

/* The terms of the data, of λ, and of the edges that contain this point alone, over all 4m numbers. */
static void fill_block(const assembly *b, uint32_t point, const point_set *set) {
	const mesh_fit *f = b->f;
	const surface *s = &f->surface;
	const uint32_t n = 4 * set->count, first = f->sets.offsets[point];
	const double data = s->areas[point] * f->shares[point] / b->sums->sample_count;
	double diagonal = s->areas[point] * b->by.ridge;
	for (uint32_t k = s->edges.offsets[point]; k < s->edges.offsets[point + 1]; k++) {
		diagonal += b->by.smoothness * s->conductances[k];
	}
	for (uint32_t r = 0; r < n; r++) {
		double sum = b->sums->right[(size_t)4 * first + r];
		for (uint32_t c = 0; c < n; c++) {
			const size_t pair = (size_t)set->slots[r / 4] * f->character->slot_count + set->slots[c / 4];
			const double gram = b->sums->gram[pair * 16 + 4 * (r % 4) + c % 4];
			b->block[r * n + c] = data * gram + (r == c ? diagonal : 0);
			sum -= gram * f->start[(size_t)4 * first + c];
		}
		b->vector[r] = data * sum;
	}
}

/* Eliminates the pivot's weight from rows, columns and right side. */
static void eliminate(const assembly *b, const point_set *set) {
	const uint32_t n = 4 * set->count, pivot = 4 * set->pivot + 3;
	for (uint32_t r = 3; r < n; r += 4) {
		for (uint32_t c = 0; r != pivot && c < n; c++) {
			b->block[r * n + c] -= b->block[pivot * n + c];
		}
		b->vector[r] -= r != pivot ? b->vector[pivot] : 0;
	}
	for (uint32_t c = 3; c < n; c += 4) {
		for (uint32_t r = 0; c != pivot && r < n; r++) {
			b->block[r * n + c] -= b->block[r * n + pivot];
		}
	}
}

/* ---- columns ------------------------------------------------------------------------------------------------------------- */

static uint32_t add_entry(assembly *b, uint32_t at, uint32_t row, double value) {
	if (b->rows) {
		b->rows[at] = row;
		b->values[at] = value;
	}
	return at + 1;
}

/* Adds the rows of a later neighbour to column u of a point: −strength times the product of their unknowns' vectors. */
static uint32_t add_neighbour(assembly *b, uint32_t at, const point_set *set, uint32_t u, const point_set *other,
							  double strength) {
	const uint32_t place = place_of(set, u), slot = set->slots[place / 4];
	if (place % 4 < 3) {
		for (uint32_t o = 0; o < other->count; o++) {
			if (other->slots[o] == slot) {
				return add_entry(b, at, other->unknown + 3 * o + place % 4, -strength);
			}
		}
		return at;
	}
	const uint32_t pivot = set->slots[set->pivot], other_pivot = other->slots[other->pivot];
	for (uint32_t v = 3 * other->count; v < 4 * other->count - 1; v++) {
		const uint32_t other_slot = other->slots[place_of(other, v) / 4];
		const int product = (slot == other_slot) - (slot == other_pivot) - (pivot == other_slot) + (pivot == other_pivot);
		at = product != 0 ? add_entry(b, at, other->unknown + v, -strength * product) : at;
	}
	return at;
}

static uint32_t add_column(assembly *b, uint32_t at, uint32_t point, const point_set *set, uint32_t u) {
	const surface *s = &b->f->surface;
	const uint32_t n = 4 * set->count, unknowns = n - 1;
	for (uint32_t v = u; v < unknowns; v++) {
		at = add_entry(b, at, set->unknown + v, b->rows ? b->block[place_of(set, v) * n + place_of(set, u)] : 0);
	}
	for (uint32_t k = s->edges.offsets[point]; k < s->edges.offsets[point + 1]; k++) {
		const uint32_t other = s->edges.neighbours[k];
		const double strength = b->by.smoothness * s->conductances[k];
		if (other > point && strength > 0 && is_fitted(b->f, other)) {
			const point_set other_set = set_of(b->f, other);
			at = add_neighbour(b, at, set, u, &other_set, strength);
		}
	}
	return at;
}

/* Writes the entries of all columns, or only counts them if there are no arrays yet. Returns the count. */
static uint64_t add_columns(assembly *b) {
	uint64_t total = 0;
	for (uint32_t point = 0; point < b->f->mesh->point_count; point++) {
		const point_set set = set_of(b->f, point);
		if (!is_fitted(b->f, point)) {
			continue;
		}
		if (b->rows) {
			fill_block(b, point, &set);
			eliminate(b, &set);
		}
		for (uint32_t u = 0; u < 4 * set.count - 1; u++) {
			const uint32_t begin = b->rows ? b->columns[set.unknown + u] : 0, end = add_column(b, begin, point, &set, u);
			total += end - begin;
			b->columns[set.unknown + u + 1] = (uint32_t)total;
			if (b->rows) {
				b->right[set.unknown + u] = b->vector[place_of(&set, u)];
			}
		}
	}
	return total;
}

/* Each fitted point is a block of the matrix. Returns the number of blocks. */
static uint64_t find_blocks(const mesh_fit *f, uint32_t *offsets) {
	uint64_t count = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		if (is_fitted(f, i)) {
			offsets[count++] = f->sets.unknowns[i];
			offsets[count] = f->sets.unknowns[i + 1];
		}
	}
	return count;
}

static uint32_t largest_set(const mesh_fit *f) {
	uint32_t most = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const uint32_t count = f->sets.offsets[i + 1] - f->sets.offsets[i];
		most = count > most ? count : most;
	}
	return most;
}

snw_status assemble(snw_pool *pool, const mesh_fit *f, const moments *sums, strengths by, linear_system *system) {
	const uint32_t points = f->mesh->point_count, n = f->sets.unknowns[points], most = 4 * largest_set(f);
	assembly b = {.f = f,
				  .sums = sums,
				  .by = by,
				  .block = SNW_POOL_ARRAY(pool, double, (size_t)most *most),
				  .vector = SNW_POOL_ARRAY(pool, double, most),
				  .columns = SNW_POOL_ARRAY(pool, uint32_t, (size_t)n + 1),
				  .right = SNW_POOL_ARRAY(pool, double, n)};
	uint32_t *blocks = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	const uint64_t count = add_columns(&b);
	if (count > INT_MAX) {
		return SNW_ERROR_LIMIT;
	}
	uint32_t *rows = SNW_POOL_ARRAY(pool, uint32_t, (size_t)count);
	b.values = SNW_POOL_ARRAY(pool, double, (size_t)count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	b.rows = rows;
	add_columns(&b);
	*system = (linear_system){.matrix = {.size = sizeof(snw_sparse_call),
										 .n = n,
										 .column_offsets = b.columns,
										 .rows = rows,
										 .values = b.values,
										 .block_offsets = blocks,
										 .block_count = find_blocks(f, blocks)},
							  .right = b.right};
	return SNW_OK;
}
