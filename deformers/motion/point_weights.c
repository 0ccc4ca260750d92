/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The weights of a point: the Gram matrix of the candidates' residuals, the pulls toward base and ring, what locked slots
 * leave, the search.
 */
#include <math.h>
#include <string.h>

#include "motion/learn_weights.h"
#include "motion/weight_fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/numerics/nnls.h"
#include "sinew/kit/status.h"

static inline size_t product_index(uint32_t a, uint32_t b) {
	return (size_t)a * (a + 1) / 2 + b;
}

/* ---- sums over samples --------------------------------------------------------------------------------------------------- */

/* The products of the slots' matrices, summed once for all points. With T' and v' relative to the middle of each sample,
 *
 *     1/F Σ_f (T'_a r̂ − v')·(T'_b r̂ − v') = r̂ᵀ M_ab r̂ − r̂·(m_a + m_b) + |v'|²,    r̂ = (r, 1),
 *     M_ab = 1/F Σ_f T'_aᵀ T'_b,    m_a = 1/F Σ_f T'_aᵀ v',
 *
 * so a point costs a pass over its candidates instead of one over their pairs. What is lost to rounding is what squares of the
 * mesh's size lose, about 1e-8 of it in a distance: less than the samples, which are floats, have lost already. */

enum { GRAIN = 4 };

/* Where the samples' matrices take the middle of the mesh on average. */
static void find_middle(const weight_fit *f, const double *palette, double middle[3]) {
	const uint32_t points = f->mesh->point_count, slots = f->character->slot_count;
	double rest[3] = {0};
	for (uint32_t i = 0; i < points; i++) {
		for (size_t c = 0; c < 3; c++) {
			rest[c] += f->mesh->points_rest[3 * (size_t)i + c] / points;
		}
	}
	memset(middle, 0, 3 * sizeof *middle);
	for (uint32_t slot = 0; slot < slots; slot++) {
		double posed[3];
		snw_mat34_point(palette + 12 * (size_t)slot, rest, posed);
		for (int c = 0; c < 3; c++) {
			middle[c] += posed[c] / slots;
		}
	}
}

static void copy_sample(const weight_fit *f, uint32_t sample, slot_products *p) {
	const double *palette = f->options->samples[sample].pose->palette;
	double *middle = p->middles + 3 * (size_t)sample;
	find_middle(f, palette, middle);
	for (uint32_t slot = 0; slot < p->slot_count; slot++) {
		row_half *rows = p->matrices + 6 * ((size_t)slot * p->sample_count + sample);
		for (int r = 0; r < 3; r++) {
			const double *row = palette + 12 * (size_t)slot + 4 * (size_t)r;
			rows[2 * r] = (row_half){row[0], row[1]};
			rows[2 * r + 1] = (row_half){row[2], row[3] - middle[r]};
		}
	}
}

static void SNW_CALL sum_products(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	slot_products *p = argument;
	(void)thread;
	for (uint32_t a = begin; a < end; a++) {
		const row_half *first = p->matrices + 6 * (size_t)a * p->sample_count;
		for (uint32_t b = 0; b <= a; b++) {
			const row_half *second = p->matrices + 6 * (size_t)b * p->sample_count;
			row_half *sums = p->products + 8 * product_index(a, b);
			for (size_t row = 0; row < 6 * (size_t)p->sample_count; row += 2) {
				for (size_t c = 0; c < 4; c++) {
					sums[2 * c] += first[row + c / 2][c % 2] * second[row];
					sums[2 * c + 1] += first[row + c / 2][c % 2] * second[row + 1];
				}
			}
			for (int half = 0; half < 8; half++) {
				sums[half] /= p->sample_count;
			}
		}
	}
}

snw_status open_products(const snw_host *host, const weight_fit *f, snw_pool *pool, slot_products *p) {
	const uint32_t slots = f->character->slot_count, samples = f->options->sample_count;
	*p = (slot_products){.slot_count = slots, .sample_count = samples};
	if (slots > MOST_PRODUCT_SLOTS) {
		return SNW_OK;
	}
	p->middles = SNW_POOL_ARRAY(pool, double, 3 * (size_t)samples);
	p->matrices = SNW_POOL_ARRAY(pool, row_half, 6 * (size_t)slots * samples);
	p->products = SNW_POOL_ARRAY(pool, row_half, 8 * product_index(slots, 0));
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t s = 0; s < samples; s++) {
		copy_sample(f, s, p);
	}
	snk_ranges_run(host, slots, GRAIN, sum_products, p);
	return SNW_OK;
}

typedef struct moment {
	row_half first, second;
} moment;

/* Adds Σ T'ᵀ v' over some samples: a sum for each row, so that none waits for another. */
static void add_moment(uint32_t samples, const row_half *rows, const double *wanted, moment *dest) {
	row_half x = {0}, x_second = {0}, y = {0}, y_second = {0}, z = {0}, z_second = {0};
	for (uint32_t s = 0; s < samples; s++, rows += 6, wanted += 3) {
		x += wanted[0] * rows[0];
		x_second += wanted[0] * rows[1];
		y += wanted[1] * rows[2];
		y_second += wanted[1] * rows[3];
		z += wanted[2] * rows[4];
		z_second += wanted[2] * rows[5];
	}
	dest->first += x + y + z;
	dest->second += x_second + y_second + z_second;
}

/* m of each candidate, times the number of samples; returns Σ |v'|². */
static double sum_moments(const weight_fit *f, uint32_t point, uint32_t count, const uint32_t *candidates,
						  moment moments[MOST_CANDIDATES]) {
	const slot_products *p = &f->products;
	double square = 0;
	memset(moments, 0, count * sizeof *moments);
	for (uint32_t first = 0; first < p->sample_count; first += BLOCK) {
		const uint32_t remaining = p->sample_count - first, samples = remaining < BLOCK ? remaining : BLOCK;
		double wanted[3 * BLOCK];
		for (uint32_t s = 0; s < samples; s++) {
			double *at = wanted + 3 * (size_t)s;
			snk_sample_point(&f->options->samples[first + s], point, at);
			for (size_t c = 0; c < 3; c++) {
				at[c] -= p->middles[3 * (size_t)(first + s) + c];
				square += at[c] * at[c];
			}
		}
		for (uint32_t k = 0; k < count; k++) {
			add_moment(samples, p->matrices + 6 * ((size_t)candidates[k] * p->sample_count + first), wanted, &moments[k]);
		}
	}
	return square;
}

void product_gram(const weight_fit *f, uint32_t point, uint32_t count, const uint32_t *candidates, double *gram) {
	const double *r = f->mesh->points_rest + (size_t)3 * point;
	const row_half first = {r[0], r[1]}, second = {r[2], 1};
	moment moments[MOST_CANDIDATES];
	double along[MOST_CANDIDATES];
	const double square = sum_moments(f, point, count, candidates, moments) / f->products.sample_count;
	for (uint32_t a = 0; a < count; a++) {
		const row_half product = first * moments[a].first + second * moments[a].second;
		along[a] = (product[0] + product[1]) / f->products.sample_count;
		for (uint32_t b = 0; b <= a; b++) {
			const uint32_t more = candidates[a] > candidates[b] ? candidates[a] : candidates[b];
			const uint32_t less = candidates[a] > candidates[b] ? candidates[b] : candidates[a];
			const row_half *m = f->products.products + 8 * product_index(more, less);
			const row_half folded = first * (r[0] * m[0] + r[1] * m[2] + r[2] * m[4] + m[6]) +
									second * (r[0] * m[1] + r[1] * m[3] + r[2] * m[5] + m[7]);
			gram[a * count + b] = gram[b * count + a] = folded[0] + folded[1] - along[a] - along[b] + square;
		}
	}
}

/* ---- a point ------------------------------------------------------------------------------------------------------------- */

enum { MOST_STARTS = 16 }; /* supports of the ring that a search starts from */

/* The current point. Rows and Gram matrix are padded to whole lanes. */
typedef struct point_fit {
	uint32_t count; /* candidates */
	uint32_t candidates[MOST_CANDIDATES];
	lanes rows[3 * BLOCK][MOST_CANDIDATES / LANES];
	lanes sums[MOST_CANDIDATES][MOST_CANDIDATES / LANES];
	double gram[MOST_CANDIDATES * MOST_CANDIDATES];        /* mean over samples, square metres */
	double regularised[MOST_CANDIDATES * MOST_CANDIDATES]; /* the same with the pulls */
	double right[MOST_CANDIDATES];
	/* What is searched for: shares of `free_share` among the candidates that are not locked. */
	double free_share;
	uint32_t locked_count, free_count; /* locked: those with weight */
	uint32_t free[MOST_CANDIDATES];    /* [free_count] candidates */
	double free_gram[MOST_CANDIDATES * MOST_CANDIDATES];
	double free_right[MOST_CANDIDATES];
} point_fit;

static const double mask_pull = 0.01; /* of the squared diagonal, at a mask of one half */

/* The residual of a sample if candidate c alone moved the point. */
static void add_rows(const weight_fit *f, const snk_sample *from, uint32_t point, uint32_t row, point_fit *p) {
	const double *rest = f->mesh->points_rest + (size_t)3 * point;
	double target[3], posed[3];
	snk_sample_point(from, point, target);
	for (uint32_t c = 0; c < p->count; c++) {
		snw_mat34_point(from->pose->palette + (size_t)12 * p->candidates[c], rest, posed);
		for (uint32_t a = 0; a < 3; a++) {
			p->rows[row + a][c / LANES][c % LANES] = posed[a] - target[a];
		}
	}
}

static void add_block(uint32_t row_count, point_fit *p) {
	for (uint32_t r = 0; r < row_count; r++) {
		for (uint32_t c = 0; c < p->count; c++) {
			const double value = p->rows[r][c / LANES][c % LANES];
			for (uint32_t block = 0; block <= c / LANES; block++) {
				p->sums[c][block] += value * p->rows[r][block];
			}
		}
	}
}

/* The plain way, for a character with very many slots. */
static void sum_gram(const weight_fit *f, uint32_t point, point_fit *p) {
	memset(p->rows, 0, sizeof p->rows);
	memset(p->sums, 0, sizeof p->sums);
	for (uint32_t first = 0; first < f->options->sample_count; first += BLOCK) {
		const uint32_t remaining = f->options->sample_count - first, count = remaining < BLOCK ? remaining : BLOCK;
		for (uint32_t s = 0; s < count; s++) {
			add_rows(f, &f->options->samples[first + s], point, 3 * s, p);
		}
		add_block(3 * count, p);
	}
	for (uint32_t a = 0; a < p->count; a++) {
		for (uint32_t b = 0; b <= a; b++) {
			const double mean = p->sums[a][b / LANES][b % LANES] / f->options->sample_count;
			p->gram[a * p->count + b] = mean;
			p->gram[b * p->count + a] = mean;
		}
	}
}

static void make_gram(const weight_fit *f, uint32_t point, point_fit *p) {
	if (f->products.products) {
		product_gram(f, point, p->count, p->candidates, p->gram);
	} else {
		sum_gram(f, point, p);
	}
}

static uint32_t find(const point_fit *p, uint32_t slot) {
	uint32_t at = 0;
	while (at < p->count && p->candidates[at] != slot) {
		at++;
	}
	return at;
}

static void read_base(const weight_fit *f, uint32_t point, const point_fit *p, double *weights) {
	const snw_mesh_view *mesh = f->mesh;
	memset(weights, 0, MOST_CANDIDATES * sizeof *weights);
	for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
		const uint32_t at = find(p, mesh->influence_slots[k]);
		if (at < p->count) {
			weights[at] += mesh->influence_weights[k];
		}
	}
}

/* The mean of the ring's weights; 0 everywhere for a point without neighbours. */
static void read_ring(const weight_fit *f, uint32_t point, const point_fit *p, double *weights) {
	const uint32_t first = f->rings.offsets[point], end = f->rings.offsets[point + 1];
	memset(weights, 0, MOST_CANDIDATES * sizeof *weights);
	for (uint32_t k = first; k < end; k++) {
		const influence_set *set = &f->current[f->rings.neighbours[k]];
		for (uint32_t i = 0; i < set->count; i++) {
			const uint32_t at = find(p, set->slots[i]);
			if (at < p->count) {
				weights[at] += set->weights[i] / (end - first);
			}
		}
	}
}

static void add_pull(const point_fit *p, double strength, const double *weights, double *gram, double *right) {
	for (uint32_t c = 0; c < p->count; c++) {
		gram[c * p->count + c] += strength;
		right[c] += strength * weights[c];
	}
}

/* Where the mask is below 1, the point is pulled to its base weights. */
static double held_strength(const weight_fit *f, uint32_t point) {
	const double mask = f->options->mask ? fmin(f->options->mask[point], 1) : 1;
	return mask_pull * (1 - mask) / mask;
}

/* ---- locked slots -------------------------------------------------------------------------------------------------------- */

static int is_locked(const weight_fit *f, uint32_t slot) {
	return f->options->locked && f->options->locked[slot];
}

/* The candidates that are not locked, and what locked ones leave. */
static void find_free(const weight_fit *f, const double *base, point_fit *p) {
	p->free_share = 1;
	p->free_count = p->locked_count = 0;
	for (uint32_t c = 0; c < p->count; c++) {
		if (!is_locked(f, p->candidates[c])) {
			p->free[p->free_count++] = c;
		} else if (base[c] > 0) {
			p->free_share -= base[c];
			p->locked_count++;
		}
	}
}

static int is_held(const weight_fit *f, uint32_t point, const point_fit *p) {
	const double least = 1e-9;
	return (f->options->mask && !(f->options->mask[point] > 0)) || p->free_share < least || p->free_count == 0 ||
		   p->locked_count >= f->options->influences;
}

/* The problem of the shares. */
static void reduce_to_free(const double *base, point_fit *p) {
	for (uint32_t a = 0; a < p->free_count; a++) {
		const double *row = p->regularised + (size_t)p->free[a] * p->count;
		double right = p->right[p->free[a]];
		uint32_t next = 0;
		for (uint32_t c = 0; c < p->count; c++) {
			if (next < p->free_count && p->free[next] == c) {
				p->free_gram[a * p->free_count + next++] = row[c];
			} else {
				right -= row[c] * base[c];
			}
		}
		p->free_right[a] = right / p->free_share;
	}
}

/* ---- the search ---------------------------------------------------------------------------------------------------------- */

/* Returns whether there is one. */
static int add_start(const weight_fit *f, const point_fit *p, uint32_t point, snk_nnls_support *start) {
	const influence_set *set = &f->current[point];
	start->count = 0;
	for (uint32_t i = 0; i < set->count; i++) {
		const uint32_t at = find(p, set->slots[i]);
		uint32_t share = 0;
		while (share < p->free_count && p->free[share] != at) {
			share++;
		}
		if (share < p->free_count) {
			start->candidates[start->count++] = share;
		}
	}
	return start->count > 0;
}

static void put_weight(uint32_t slot, double weight, influence_set *dest) {
	uint32_t at = dest->count++;
	for (; at > 0 && dest->slots[at - 1] > slot; at--) {
		dest->slots[at] = dest->slots[at - 1];
		dest->weights[at] = dest->weights[at - 1];
	}
	dest->slots[at] = slot;
	dest->weights[at] = weight;
}

/* Locked slots with their base weights, and the shares of what they leave. */
static void copy_solution(const weight_fit *f, const point_fit *p, const snk_nnls_solution *solution, const double *base,
						  influence_set *dest) {
	dest->count = 0;
	for (uint32_t c = 0; c < p->count && p->locked_count > 0; c++) {
		if (is_locked(f, p->candidates[c]) && base[c] > 0) {
			put_weight(p->candidates[c], base[c], dest);
		}
	}
	for (uint32_t i = 0; i < solution->count; i++) {
		put_weight(p->candidates[p->free[solution->support[i]]], p->free_share * solution->weights[i], dest);
	}
}

static double residual_of(const point_fit *p, const double *weights) {
	double squared = 0;
	for (uint32_t a = 0; a < p->count; a++) {
		for (uint32_t b = 0; b < p->count; b++) {
			squared += weights[a] * weights[b] * p->gram[a * p->count + b];
		}
	}
	return sqrt(fmax(squared, 0));
}

/* A held point: its base weights, the largest of them for its neighbours; all of them are copied in the end. */
static void hold(const weight_fit *f, uint32_t point, const point_fit *p, const double *base) {
	f->next[point] = f->current[point];
	f->held[point] = 1;
	f->residuals_before[point] = f->residuals[point] = residual_of(p, base);
}

static void fit_point(const weight_fit *f, uint32_t point, point_fit *p) {
	double base[MOST_CANDIDATES], ring[MOST_CANDIDATES], found[MOST_CANDIDATES] = {0};
	const uint32_t first = f->rings.offsets[point], end = f->rings.offsets[point + 1];
	const double square = f->diagonal * f->diagonal;
	p->count = find_candidates(f, point, p->candidates);
	make_gram(f, point, p);
	read_base(f, point, p, base);
	find_free(f, base, p);
	if (is_held(f, point, p)) {
		hold(f, point, p, base);
		return;
	}
	read_ring(f, point, p, ring);
	memcpy(p->regularised, p->gram, (size_t)p->count * p->count * sizeof *p->gram);
	memset(p->right, 0, sizeof p->right);
	add_pull(p, (f->options->ridge + held_strength(f, point)) * square, base, p->regularised, p->right);
	add_pull(p, end > first ? f->options->smoothness * square : 0, ring, p->regularised, p->right);
	reduce_to_free(base, p);
	snk_nnls_support starts[MOST_STARTS];
	uint32_t start_count = (uint32_t)add_start(f, p, point, &starts[0]);
	for (uint32_t k = first; k < end && start_count < MOST_STARTS; k++) {
		start_count += (uint32_t)add_start(f, p, f->rings.neighbours[k], &starts[start_count]);
	}
	const snk_nnls_problem problem = {.count = p->free_count, .gram = p->free_gram, .right = p->free_right};
	snk_nnls_solution solution;
	snk_nnls_search(&problem, f->options->influences - p->locked_count, start_count, starts, &solution);
	for (uint32_t c = 0; c < p->count; c++) {
		found[c] = is_locked(f, p->candidates[c]) ? base[c] : 0;
	}
	for (uint32_t i = 0; i < solution.count; i++) {
		found[p->free[solution.support[i]]] = p->free_share * solution.weights[i];
	}
	copy_solution(f, p, &solution, base, &f->next[point]);
	f->residuals_before[point] = residual_of(p, base);
	f->residuals[point] = residual_of(p, found);
}

void fit_points(const weight_fit *f, uint32_t begin, uint32_t end) {
	point_fit p;
	for (uint32_t point = begin; point < end; point++) {
		fit_point(f, point, &p);
	}
}
