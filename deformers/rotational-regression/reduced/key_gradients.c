/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Key gradients (section 5.2): a gradient for each proxy, and for each triangle the blend of them that comes nearest to its
 * own, by coordinate descent. The squared distance of a triangle's gradients counts by its area. When the keys have predictors,
 * the blends are fitted again to what these predict.
 *
 * We begin with the mean of the gradients around each proxy, and ridge the keys to it, where the paper begins with the linear
 * parts of the proxies' transforms: flat proxies leave these undetermined, and joints do not predict such keys.
 */
#include <math.h>
#include <string.h>

#include "rotational-regression/fit.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/numerics/nnls.h"
#include "sinew/kit/numerics/solver.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum {
	GRAIN = 64,
	ROUNDS = 3,
	NUMBERS = 9,
	MOST_SAMPLES = 48 /* for weights, spread over all */,
	PER_REPORT = 1024 /* triangles */
};

/* Holds the key gradients where they are, by the area of their triangles. */
static const double against_change = 0.03;

typedef struct key_fit {
	const mesh_fit *f;
	reduction *r;
	unsigned char *failed; /* by part */
} key_fit;

/* The keys of the proxies that a triangle's corners follow. */
static uint32_t list_keys(const key_fit *k, uint32_t triangle, uint32_t keys[MOST_KEYS]) {
	const snk_influences *all = &k->r->influences;
	uint32_t count = 0;
	for (size_t corner = 0; corner < 3; corner++) {
		const uint32_t point = k->f->triangles.points[3 * (size_t)triangle + corner];
		for (uint32_t n = all->offsets[point]; n < all->offsets[point + 1]; n++) {
			uint32_t at = 0;
			while (at < count && keys[at] != all->joints[n]) {
				at++;
			}
			if (at == count && count < MOST_KEYS) {
				keys[count++] = all->joints[n];
			}
		}
	}
	return count;
}

/* The triangle's blends of the keys that choose the pull. */
static void store_blended(const key_fit *k, uint32_t triangle) {
	const mesh_fit *f = k->f;
	for (uint32_t n = 0; n < f->validated_count; n++) {
		float *dest = f->held_out[triangle * (size_t)f->validated_count + n];
		for (int i = 0; i < NUMBERS; i++) {
			double sum = 0;
			for (uint32_t a = 0; a < k->r->key_counts[triangle]; a++) {
				const size_t key = k->r->keys[triangle][a];
				sum += k->r->key_weights[triangle][a] * k->r->gradients[key * f->sample_count + validated_sample(f, n)][i];
			}
			dest[i] = (float)sum;
		}
	}
}

/* Weights that blend the keys into the gradients of a triangle. */
static void fit_weights(const key_fit *k, uint32_t triangle, const double (*gradients)[9]) {
	const uint32_t samples = k->f->sample_count, stride = samples / MOST_SAMPLES + 1;
	uint32_t keys[MOST_KEYS];
	const uint32_t count = list_keys(k, triangle, keys);
	double gram[MOST_KEYS * MOST_KEYS] = {0};
	for (uint32_t s = 0; s < samples; s += stride) {
		double gaps[MOST_KEYS][NUMBERS];
		for (uint32_t a = 0; a < count; a++) {
			const double *key = k->r->gradients[(size_t)keys[a] * samples + s];
			for (int i = 0; i < NUMBERS; i++) {
				gaps[a][i] = key[i] - gradients[s][i];
			}
			for (uint32_t b = 0; b <= a; b++) {
				double sum = 0;
				for (int i = 0; i < NUMBERS; i++) {
					sum += gaps[a][i] * gaps[b][i];
				}
				gram[a * count + b] += sum;
			}
		}
	}
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			gram[b * count + a] = gram[a * count + b];
		}
	}
	const snk_nnls_problem problem = {.count = count, .gram = gram};
	snk_nnls_solution solution;
	snk_nnls_solve(&problem, 0, NULL, &solution);
	k->r->key_counts[triangle] = solution.count;
	const uint32_t used = (samples - 1) / stride + 1;
	k->f->gradient_squares[triangle] = solution.cost / used;
	for (uint32_t n = 0; n < solution.count; n++) {
		k->r->keys[triangle][n] = keys[solution.support[n]];
		k->r->key_weights[triangle][n] = solution.weights[n];
	}
	store_blended(k, triangle);
}

static void SNW_CALL fit_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const key_fit *k = argument;
	snw_pool pool = snw_pool_open(k->f->host);
	double(*gradients)[9] = snw_pool_acquire(&pool, k->f->sample_count, sizeof *gradients);
	k->failed[begin / GRAIN] = gradients == NULL;
	for (uint32_t t = begin; gradients && t < end; t++) {
		k->r->key_counts[t] = 0;
		if (find_gradients(k->f, t, gradients)) {
			fit_weights(k, t, (const double(*)[9])gradients);
		}
	}
	snw_pool_release(&pool);
}

snw_status blend_key_gradients(const mesh_fit *f, snk_stretch stretch, snw_pool *pool, reduction *r) {
	const uint32_t triangles = f->triangles.face_count, parts = snk_ranges_count(triangles, GRAIN);
	key_fit k = {.f = f, .r = r, .failed = SNW_POOL_ARRAY(pool, unsigned char, parts)};
	snw_status status = k.failed ? SNW_OK : SNW_ERROR_MEMORY;
	if (!snk_failed(status)) {
		status = snk_ranges_run_reported(f->host, triangles, GRAIN, fit_range, &k, &stretch);
	}
	for (uint32_t part = 0; !snk_failed(status) && part < parts; part++) {
		status = k.failed[part] ? SNW_ERROR_MEMORY : SNW_OK;
	}
	return status;
}

/* The part of a proxy in a triangle, by the influences of its corners. */
static double part_of(const reduction *r, const uint32_t corners[3], uint32_t proxy) {
	double part = 0;
	for (int k = 0; k < 3; k++) {
		for (uint32_t n = r->influences.offsets[corners[k]]; n < r->influences.offsets[corners[k] + 1]; n++) {
			part += r->influences.joints[n] == proxy ? r->influences.weights[n] / 3 : 0;
		}
	}
	return part;
}

/* Whether a loop over triangles goes on. */
static int may_go_on(const key_fit *k, double done, uint32_t triangle) {
	return triangle % PER_REPORT != 0 || snw_report_progress(k->f->host, done, "fitting key gradients");
}

/* Each key is the mean of the gradients around its proxy. */
static snw_status find_means(const mesh_fit *f, double done, snw_pool *pool, reduction *r) {
	const key_fit k = {.f = f, .r = r};
	const size_t samples = f->sample_count;
	snw_pool scratch = snw_pool_open(f->host);
	double(*gradients)[9] = snw_pool_acquire(&scratch, samples, sizeof *gradients);
	double *weights = SNW_POOL_ARRAY(&scratch, double, r->count);
	r->gradients = snw_pool_acquire(pool, r->count * samples, sizeof *r->gradients);
	snw_status status = scratch.failed || pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t t = 0; !snk_failed(status) && t < f->triangles.face_count; t++) {
		uint32_t keys[MOST_KEYS];
		status = may_go_on(&k, done, t) ? SNW_OK : SNW_CANCELLED;
		const uint32_t count = find_gradients(f, t, gradients) ? list_keys(&k, t, keys) : 0;
		for (uint32_t n = 0; n < count; n++) {
			const double weight = f->areas[t] * part_of(r, f->triangles.points + 3 * (size_t)t, keys[n]);
			weights[keys[n]] += weight;
			for (size_t i = 0; i < samples * NUMBERS; i++) {
				r->gradients[keys[n] * samples + i / NUMBERS][i % NUMBERS] += weight * gradients[i / NUMBERS][i % NUMBERS];
			}
		}
	}
	for (size_t i = 0; !snk_failed(status) && i < r->count * samples * NUMBERS; i++) {
		double *number = &r->gradients[i / NUMBERS][i % NUMBERS];
		const double weight = weights[i / NUMBERS / samples];
		*number = weight > 0 ? *number / weight : (double)(i % NUMBERS % 4 == 0);
	}
	snw_pool_release(&scratch);
	return status;
}

/* Adds the triangles to the keys' normal equations: `matrix` [count][count], `rights` [sample][number][count]. */
static snw_status add_triangles(const key_fit *k, double done, double *matrix, double *rights) {
	const reduction *r = k->r;
	const size_t count = r->count;
	snw_pool pool = snw_pool_open(k->f->host);
	double(*gradients)[9] = snw_pool_acquire(&pool, k->f->sample_count, sizeof *gradients);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t t = 0; !snk_failed(status) && t < k->f->triangles.face_count; t++) {
		status = may_go_on(k, done, t) ? SNW_OK : SNW_CANCELLED;
		if (r->key_counts[t] == 0 || !find_gradients(k->f, t, gradients)) {
			continue;
		}
		for (uint32_t a = 0; a < r->key_counts[t]; a++) {
			const double weight = k->f->areas[t] * r->key_weights[t][a];
			const uint32_t key = r->keys[t][a];
			for (uint32_t b = 0; b < r->key_counts[t]; b++) {
				matrix[key * count + r->keys[t][b]] += weight * r->key_weights[t][b];
			}
			for (size_t s = 0; s < k->f->sample_count; s++) {
				for (size_t i = 0; i < NUMBERS; i++) {
					rights[(s * NUMBERS + i) * count + key] += weight * gradients[s][i];
				}
			}
		}
	}
	snw_pool_release(&pool);
	return status;
}

/* The keys that leave least with the triangles' weights. */
static snw_status fit_keys(const key_fit *k, double done) {
	const reduction *r = k->r;
	const size_t count = r->count, samples = k->f->sample_count;
	snw_pool pool = snw_pool_open(k->f->host);
	double *matrix = SNW_POOL_ARRAY(&pool, double, count *count);
	double *rights = SNW_POOL_ARRAY(&pool, double, samples *NUMBERS *count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : add_triangles(k, done, matrix, rights);
	for (size_t key = 0; !snk_failed(status) && key < count; key++) {
		const double ridge = against_change * matrix[key * count + key] + 1e-12 * k->f->diagonal * k->f->diagonal;
		matrix[key * count + key] += ridge;
		for (size_t s = 0; s < samples; s++) {
			for (size_t i = 0; i < NUMBERS; i++) {
				rights[(s * NUMBERS + i) * count + key] += ridge * r->gradients[key * samples + s][i];
			}
		}
	}
	snk_factor factor = {0};
	status = snk_failed(status) ? status : snk_factor_dense(k->f->host, r->count, matrix, NULL, &factor);
	status = snk_failed(status) ? status : snk_factor_solve(&factor, (uint32_t)(samples * NUMBERS), rights);
	for (size_t key = 0; !snk_failed(status) && key < count; key++) {
		for (size_t s = 0; s < samples; s++) {
			for (size_t i = 0; i < NUMBERS; i++) {
				r->gradients[key * samples + s][i] = rights[(s * NUMBERS + i) * count + key];
			}
		}
	}
	snk_factor_release(&factor);
	snw_pool_release(&pool);
	return status;
}

snw_status find_key_gradients(const mesh_fit *f, snk_stretch stretch, snw_pool *pool, reduction *r) {
	const uint32_t triangles = f->triangles.face_count;
	r->key_counts = SNW_POOL_ARRAY(pool, uint32_t, triangles);
	r->keys = snw_pool_acquire(pool, triangles, sizeof *r->keys);
	r->key_weights = snw_pool_acquire(pool, triangles, sizeof *r->key_weights);
	const key_fit k = {.f = f, .r = r};
	snw_status status = pool->failed ? SNW_ERROR_MEMORY : find_means(f, stretch.begin, pool, r);
	for (int round = 0; !snk_failed(status) && round < ROUNDS; round++) {
		const double begin = stretch.begin + (stretch.end - stretch.begin) * round / ROUNDS;
		const double end = stretch.begin + (stretch.end - stretch.begin) * (round + 1) / ROUNDS;
		status = blend_key_gradients(f, (snk_stretch){begin, end, stretch.activity}, pool, r);
		status = snk_failed(status) ? status : fit_keys(&k, end);
	}
	return status;
}
