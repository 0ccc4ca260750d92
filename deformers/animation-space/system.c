/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The system over the rows of all points: its parts, its solution, and the choice of λ and δ.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "animation-space/animation-space.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/numerics/systems.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* The system over x = q − start, weights eliminated, without its factor. */
typedef struct linear_system {
	snw_sparse_call matrix; /* lower triangle, a block for each point */
	double *right;          /* [n] */
} linear_system;

/* ---- the surface --------------------------------------------------------------------------------------------------------- */

/* Areas and cotangent weights of a surface whose edges have their mean lengths over the samples. Mean lengths satisfy the
 * triangle inequality, because the lengths in each sample do. */

enum { GRAIN = 64 };

/* The limit for needles: the cotangent of 6 degrees. */
static const double largest_conductance = 10;

/* The least area of a point, as a part of the mean: for points without faces or with degenerate ones. */
static const double least_area = 1e-3;

typedef struct lengths {
	const mesh_fit *f;
	double *means; /* beside edges.neighbours, in units of L */
} lengths;

static void SNW_CALL measure_edges(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const lengths *l = argument;
	const mesh_fit *f = l->f;
	for (uint32_t i = begin; i < end; i++) {
		for (uint32_t k = f->surface.edges.offsets[i]; k < f->surface.edges.offsets[i + 1]; k++) {
			double sum = 0, a[3], b[3];
			for (uint32_t s = 0; s < f->sample_count; s++) {
				snk_sample_point(&f->samples[s], i, a);
				snk_sample_point(&f->samples[s], f->surface.edges.neighbours[k], b);
				sum += sqrt(snw_squared_distance3(a, b));
			}
			l->means[k] = sum / f->sample_count / f->unit;
		}
	}
}

/* The place of the edge from a to b among the neighbours of a. */
static uint32_t find_edge(const snk_adjacency *edges, uint32_t a, uint32_t b) {
	uint32_t low = edges->offsets[a], high = edges->offsets[a + 1];
	while (low + 1 < high) {
		const uint32_t middle = low + (high - low) / 2;
		*(edges->neighbours[middle] <= b ? &low : &high) = middle;
	}
	return low;
}

static void add_triangle(const lengths *l, surface *s, const uint32_t corners[3]) {
	double squares[3], sum = 0, of_squares = 0;
	if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
		return;
	}
	for (uint32_t c = 0; c < 3; c++) {
		const double length = l->means[find_edge(&s->edges, corners[(c + 1) % 3], corners[(c + 2) % 3])];
		squares[c] = length * length;
		sum += squares[c];
		of_squares += squares[c] * squares[c];
	}
	const double sixteen_areas = sum * sum - 2 * of_squares; /* Heron: 16 A² */
	if (!(sixteen_areas > 1e-12 * sum * sum)) {
		return;
	}
	const double area = sqrt(sixteen_areas) / 4;
	for (uint32_t c = 0; c < 3; c++) {
		const uint32_t a = corners[(c + 1) % 3], b = corners[(c + 2) % 3];
		const double half_cotangent = (sum - 2 * squares[c]) / (8 * area);
		s->conductances[find_edge(&s->edges, a, b)] += half_cotangent;
		s->conductances[find_edge(&s->edges, b, a)] += half_cotangent;
		s->areas[corners[c]] += area / 3;
	}
}

static void bound(surface *s, uint32_t point_count) {
	double sum = 0;
	for (uint32_t i = 0; i < point_count; i++) {
		sum += s->areas[i];
	}
	for (uint32_t i = 0; i < point_count; i++) {
		s->areas[i] = sum > 0 ? fmax(s->areas[i], least_area * sum / point_count) : 1;
	}
	for (uint32_t k = 0; k < s->edges.offsets[point_count]; k++) {
		s->conductances[k] = fmin(fmax(s->conductances[k], 0), largest_conductance);
	}
}

snw_status measure_surface(snw_pool *pool, mesh_fit *f) {
	surface *s = &f->surface;
	const snk_faces faces = snk_faces_of(f->mesh);
	snk_faces triangles;
	snw_status status = snk_triangulate(&faces, pool, &triangles);
	status = snk_failed(status) ? status : snk_adjacency_find(&triangles, pool, &s->edges);
	if (snk_failed(status)) {
		return status;
	}
	const uint32_t edge_count = s->edges.offsets[f->mesh->point_count];
	s->conductances = SNW_POOL_ARRAY(pool, double, edge_count);
	s->areas = SNW_POOL_ARRAY(pool, double, f->mesh->point_count);
	lengths l = {f, SNW_POOL_ARRAY(pool, double, edge_count)};
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	const snk_stretch stretch = {0, 0.1, "measuring edges"};
	status = run_step(f, f->mesh->point_count, GRAIN, measure_edges, &l, &stretch);
	if (snk_failed(status)) {
		return status;
	}
	for (uint32_t t = 0; t < triangles.face_count; t++) {
		add_triangle(&l, s, triangles.points + triangles.offsets[t]);
	}
	bound(s, f->mesh->point_count);
	return SNW_OK;
}

/* ---- sums over samples --------------------------------------------------------------------------------------------------- */

/* The sums over samples in the objective. The products T_sᵀ T_t are summed once for all points; T_sᵀ v is summed for each
 * point. */

typedef struct summing {
	const mesh_fit *f;
	uint32_t begin, end;
	moments *sums;
} summing;

snw_status open_moments(snw_pool *pool, const mesh_fit *f, moments *sums) {
	const size_t slots = f->character->slot_count, points = f->mesh->point_count;
	*sums = (moments){.gram = SNW_POOL_ARRAY(pool, double, slots *slots * 16),
					  .right = SNW_POOL_ARRAY(pool, double, (size_t)4 * f->sets.offsets[points]),
					  .squares = SNW_POOL_ARRAY(pool, double, points)};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static const double *palette_of(const mesh_fit *f, uint32_t sample, uint32_t slot) {
	return f->palettes + ((size_t)sample * f->character->slot_count + slot) * 12;
}

static void SNW_CALL add_gram(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const summing *g = argument;
	const uint32_t slots = g->f->character->slot_count;
	for (uint32_t s = begin; s < end; s++) {
		for (uint32_t t = 0; t < slots; t++) {
			double *block = g->sums->gram + ((size_t)s * slots + t) * 16;
			for (uint32_t sample = g->begin; sample < g->end; sample++) {
				const double *a = palette_of(g->f, sample, s), *b = palette_of(g->f, sample, t);
				for (int r = 0; r < 4; r++) {
					for (int c = 0; c < 4; c++) {
						block[4 * r + c] += a[r] * b[c] + a[4 + r] * b[4 + c] + a[8 + r] * b[8 + c];
					}
				}
			}
		}
	}
}

static void SNW_CALL add_right(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const summing *g = argument;
	const influence_sets *sets = &g->f->sets;
	for (uint32_t i = begin; i < end; i++) {
		for (uint32_t sample = g->begin; sample < g->end; sample++) {
			double v[3];
			snk_sample_point(&g->f->samples[sample], i, v);
			for (int c = 0; c < 3; c++) {
				v[c] = (v[c] - g->f->origins[(size_t)3 * sample + c]) / g->f->unit;
			}
			g->sums->squares[i] += snw_dot3(v, v);
			for (uint32_t k = sets->offsets[i]; k < sets->offsets[i + 1]; k++) {
				const double *t = palette_of(g->f, sample, sets->slots[k]);
				for (int c = 0; c < 4; c++) {
					g->sums->right[(size_t)4 * k + c] += t[c] * v[0] + t[4 + c] * v[1] + t[8 + c] * v[2];
				}
			}
		}
	}
}

snw_status add_samples(const mesh_fit *f, uint32_t begin, uint32_t end, moments *sums) {
	summing g = {f, begin, end, sums};
	const snk_stretch pairs = {0.2, 0.25, "summing samples"}, points = {0.25, 0.3, "summing samples"};
	snw_status status = run_step(f, f->character->slot_count, 1, add_gram, &g, &pairs);
	status = snk_failed(status) ? status : run_step(f, f->mesh->point_count, GRAIN, add_right, &g, &points);
	sums->sample_count += end - begin;
	return status;
}

double mean_square(const mesh_fit *f, const moments *sums, uint32_t point, const double *q) {
	const uint32_t first = f->sets.offsets[point], count = f->sets.offsets[point + 1] - first;
	double sum = sums->squares[point];
	for (uint32_t a = 0; a < count; a++) {
		for (int r = 0; r < 4; r++) {
			double image = -2 * sums->right[(size_t)4 * (first + a) + r];
			for (uint32_t b = 0; b < count; b++) {
				const size_t pair = (size_t)f->sets.slots[first + a] * f->character->slot_count + f->sets.slots[first + b];
				const double *row = sums->gram + pair * 16 + 4 * r, *other = q + (size_t)4 * b;
				image += row[0] * other[0] + row[1] * other[1] + row[2] * other[2] + row[3] * other[3];
			}
			sum += q[(size_t)4 * a + r] * image;
		}
	}
	return sum > 0 ? sum / sums->sample_count : 0;
}

/* ---- the normal equations ------------------------------------------------------------------------------------------------ */

/* The normal equations: a dense block for each point, and sparse ones between neighbours.
 *
 * A point with m influences has 4m − 1 unknowns: x, y and z of each, then the weights but that of the pivot, which is minus
 * their sum (6.3). So the unknown of weight a is the vector e_a − e_pivot in the space of the fourth components. */

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

/* The arrays are the pool's. */
static snw_status assemble(snw_pool *pool, const mesh_fit *f, const moments *sums, strengths by, linear_system *system) {
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

/* ---- the solution -------------------------------------------------------------------------------------------------------- */

/* Solves for the rows of all points with given λ and δ: by conjugate gradients; by a factor if they would take more steps than
 * a factor is worth, and it does not take too much memory. */

enum { MOST_STEPS = 20000 };
static const double exact = 1e-10;

/* A factor of a surface's points takes time that grows with the power 1.5 of their number, a step time that grows with their
 * number. On a human of 13,380 points a factor takes as long as 700 steps; with the default λ and δ 130 are enough. */
static const double steps_for_factor = 4;

/* How many steps it takes where the samples say nothing, so that λ alone holds against δ. */
static double expected_steps(const mesh_fit *f, strengths by) {
	double areas = 0, conductances = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		areas += f->surface.areas[i];
	}
	for (uint32_t k = 0; k < f->surface.edges.offsets[f->mesh->point_count]; k++) {
		conductances += f->surface.conductances[k];
	}
	const double condition = 1 + 2 * by.smoothness * conductances / (by.ridge * areas);
	return 0.5 * sqrt(condition) * log(2 / exact);
}

static snw_status solve_by_factor(const mesh_fit *f, linear_system *system, double *x) {
	snk_factor factor;
	system->matrix.most_bytes = (uint64_t)(f->values[MEMORY].numbers[0] * 1024 * 1024);
	snw_status status = snk_factor_blocks(f->host, &system->matrix, &factor);
	if (!snk_failed(status)) {
		memcpy(x, system->right, system->matrix.n * sizeof *x);
		status = snk_factor_solve(&factor, 1, x);
		snk_factor_release(&factor);
	}
	return status;
}

static snw_status solve_system(const mesh_fit *f, linear_system *system, strengths by, double tolerance, double *x) {
	const double worth = steps_for_factor * sqrt(f->mesh->point_count);
	if (tolerance == 0 && by.smoothness > 0 && expected_steps(f, by) > worth) {
		const snw_status status = solve_by_factor(f, system, x);
		if (status != SNW_ERROR_LIMIT) {
			return status;
		}
	}
	snk_descent descent = {.tolerance = tolerance > 0 ? tolerance : exact, .most_steps = MOST_STEPS};
	return snk_conjugate_gradients(f->host, &system->matrix, system->right, x, &descent);
}

/* q = start + x */
static void add_solution(const mesh_fit *f, const double *x, double *q) {
	const influence_sets *sets = &f->sets;
	memcpy(q, f->start, (size_t)4 * sets->offsets[f->mesh->point_count] * sizeof *q);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const uint32_t first = sets->offsets[i], count = sets->offsets[i + 1] - first, pivot = first + sets->pivots[i];
		const double *numbers = x + sets->unknowns[i], *weight = numbers + (size_t)3 * count;
		for (uint32_t k = first; sets->unknowns[i + 1] > sets->unknowns[i] && k < first + count; k++) {
			for (size_t c = 0; c < 3; c++) {
				q[(size_t)4 * k + c] += numbers[(size_t)3 * (k - first) + c];
			}
			if (k != pivot) {
				q[(size_t)4 * k + 3] += *weight;
				q[(size_t)4 * pivot + 3] -= *weight;
				weight++;
			}
		}
	}
}

snw_status solve(const mesh_fit *f, const moments *sums, strengths by, double tolerance, double *q) {
	snw_pool pool = snw_pool_open(f->host);
	linear_system system = {.matrix = {.n = 0}};
	snw_status status = SNW_OK;
	double *x = SNW_POOL_ARRAY(&pool, double, f->sets.unknowns[f->mesh->point_count]);
	if (!x) {
		status = SNW_ERROR_MEMORY;
	} else if (f->sets.unknowns[f->mesh->point_count] > 0) {
		status = assemble(&pool, f, sums, by, &system);
		status = snk_failed(status) ? status : solve_system(f, &system, by, tolerance, x);
	}
	if (!snk_failed(status)) {
		add_solution(f, x, q);
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- λ and δ ------------------------------------------------------------------------------------------------------------- */

/* λ and δ by cross-validation. With few samples each is held out in turn, otherwise blocks of consecutive ones, because
 * neighbouring frames are alike. */

enum { MOST_FOLDS = 6, RIDGES = 6, SMOOTHNESSES = 5 };
static const double ridges[RIDGES] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
static const double smoothnesses[SMOOTHNESSES] = {1e-4, 1e-5, 1e-6, 1e-7, 0};
static const double tolerance = 1e-3;

/* A part of the samples, and all others. */
typedef struct fold {
	moments part, others;
} fold;

typedef struct folds {
	const mesh_fit *f;
	uint32_t count;
	fold folds[MOST_FOLDS];
	double *q; /* [influences][4] */
} folds;

static snw_status open_folds(snw_pool *pool, const mesh_fit *f, folds *v) {
	const uint64_t samples = f->sample_count;
	*v = (folds){.f = f,
				 .count = f->sample_count < MOST_FOLDS ? f->sample_count : MOST_FOLDS,
				 .q = SNW_POOL_ARRAY(pool, double, (size_t)4 * f->sets.offsets[f->mesh->point_count])};
	snw_status status = pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t i = 0; !snk_failed(status) && i < v->count; i++) {
		const uint32_t begin = (uint32_t)(samples * i / v->count), end = (uint32_t)(samples * (i + 1) / v->count);
		status = open_moments(pool, f, &v->folds[i].part);
		status = snk_failed(status) ? status : open_moments(pool, f, &v->folds[i].others);
		status = snk_failed(status) ? status : add_samples(f, begin, end, &v->folds[i].part);
		status = snk_failed(status) ? status : add_samples(f, 0, begin, &v->folds[i].others);
		status = snk_failed(status) ? status : add_samples(f, end, f->sample_count, &v->folds[i].others);
	}
	return status;
}

/* The sum over the surface of the squared distances in a part that was held out. */
static double held_out_square(const folds *v, const moments *part) {
	double sum = 0;
	for (uint32_t i = 0; i < v->f->mesh->point_count; i++) {
		sum += v->f->surface.areas[i] * mean_square(v->f, part, i, v->q + (size_t)4 * v->f->sets.offsets[i]);
	}
	return sum * part->sample_count;
}

static snw_status try_strengths(const folds *v, strengths by, double *error) {
	snw_status status = SNW_OK;
	*error = 0;
	for (uint32_t i = 0; !snk_failed(status) && i < v->count; i++) {
		status = solve(v->f, &v->folds[i].others, by, tolerance, v->q);
		*error += snk_failed(status) ? 0 : held_out_square(v, &v->folds[i].part);
	}
	return status;
}

static snw_status search(const folds *v, strengths *best) {
	double least = INFINITY;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snk_failed(status) && i < RIDGES * SMOOTHNESSES; i++) {
		const strengths by = {ridges[i / SMOOTHNESSES], smoothnesses[i % SMOOTHNESSES]};
		double error;
		status = try_strengths(v, by, &error);
		if (!snk_failed(status) && error < least) {
			least = error;
			*best = by;
		}
	}
	return status;
}

snw_status choose_strengths(const mesh_fit *f, strengths *best) {
	if (f->sample_count < 2) {
		snw_report_line(f->host, SNW_LOG_WARNING, "ridge and smoothness are not chosen for mesh '%s': that needs two samples",
						f->mesh->name);
		return SNW_OK;
	}
	snw_pool pool = snw_pool_open(f->host);
	folds v;
	snw_status status = open_folds(&pool, f, &v);
	status = snk_failed(status) ? status : search(&v, best);
	snw_pool_release(&pool);
	if (!snk_failed(status)) {
		snw_report_line(f->host, SNW_LOG_INFO, "chosen by leaving out: ridge %g, smoothness %g", best->ridge, best->smoothness);
	}
	return status;
}
