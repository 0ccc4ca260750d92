/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The weights of a point: the Gram matrix of the candidates' residuals, the pulls toward base and ring, what locked slots
 * leave, the search.
 */
#include <math.h>
#include <string.h>

#include "motion/weights/weight_fit.h"
#include "sinew/algebra.h"

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
