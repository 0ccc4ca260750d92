/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * λ and δ by cross-validation. With few samples each is held out in turn, otherwise blocks of consecutive ones, because
 * neighbouring frames are alike.
 */
#include <math.h>

#include "animation-space/fit.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

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
