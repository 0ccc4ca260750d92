/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sums over samples in the objective. The products T_sᵀ T_t are summed once for all points; T_sᵀ v is summed for each
 * point.
 */
#include "animation-space/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

enum { GRAIN = 64 };

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
