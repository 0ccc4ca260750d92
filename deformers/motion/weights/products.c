/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The products of the slots' matrices, summed once for all points. With T' and v' relative to the middle of each sample,
 *
 *     1/F Σ_f (T'_a r̂ − v')·(T'_b r̂ − v') = r̂ᵀ M_ab r̂ − r̂·(m_a + m_b) + |v'|²,    r̂ = (r, 1),
 *     M_ab = 1/F Σ_f T'_aᵀ T'_b,    m_a = 1/F Σ_f T'_aᵀ v',
 *
 * so a point costs a pass over its candidates instead of one over their pairs. What is lost to rounding is what squares of the
 * mesh's size lose, about 1e-8 of it in a distance: less than the samples, which are floats, have lost already.
 */
#include <string.h>

#include "motion/weights/weight_fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

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
