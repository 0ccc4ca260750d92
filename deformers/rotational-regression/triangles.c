/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The predictors of all triangles, each from the joints that move its corners.
 */
#include "rotational-regression/fit.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/status.h"

enum { GRAIN = 32 };

snw_status open_validated(mesh_fit *f, snw_pool *pool) {
	f->validated_count = f->sample_count < VALIDATED ? f->sample_count : VALIDATED;
	f->held_out = snw_pool_acquire(pool, (size_t)f->triangles.face_count * f->validated_count, sizeof *f->held_out);
	for (size_t n = 0; f->held_out && n < (size_t)f->triangles.face_count * f->validated_count; n++) {
		for (int i = 0; i < 9; i += 4) {
			f->held_out[n][i] = 1; /* triangles without area have no other gradients */
		}
	}
	return f->held_out ? SNW_OK : SNW_ERROR_MEMORY;
}

void store_validated(const mesh_fit *f, uint32_t triangle, const double (*gradients)[9]) {
	for (uint32_t n = 0; n < f->validated_count; n++) {
		for (int i = 0; i < 9; i++) {
			f->held_out[triangle * (size_t)f->validated_count + n][i] = (float)gradients[validated_sample(f, n)][i];
		}
	}
}

typedef struct triangle_work {
	const mesh_fit *f;
	predictor *predictors;
	double *errors;
} triangle_work;

static void SNW_CALL fit_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const triangle_work *work = argument;
	const mesh_fit *f = work->f;
	snw_pool pool = snw_pool_open(f->host);
	double(*gradients)[9] = snw_pool_acquire(&pool, f->sample_count, sizeof *gradients);
	double(*held_out)[9] = snw_pool_acquire(&pool, f->sample_count, sizeof *held_out);
	double *weights = SNW_POOL_ARRAY(&pool, double, f->model->joint_count);
	for (uint32_t t = begin; t < end; t++) {
		work->predictors[t] = (predictor){.joint_count = 0};
		work->errors[t] = pool.failed ? -1 : 0;
		if (!pool.failed && find_gradients(f, t, gradients)) {
			joint_candidates candidates;
			for (int k = 0; k < 3; k++) {
				add_weights(f, f->triangles.points[3 * (size_t)t + k], weights);
			}
			choose_candidates(f, weights, &candidates);
			work->errors[t] = fit_predictor(f, (const double(*)[9])gradients, &candidates, &work->predictors[t], held_out);
			store_validated(f, t, (const double(*)[9])held_out);
		}
	}
	snw_pool_release(&pool);
}

snw_status fit_triangles(mesh_fit *f, snk_stretch stretch, snw_pool *model_pool) {
	const uint32_t count = f->triangles.face_count;
	snw_pool scratch = snw_pool_open(f->host);
	const triangle_work work = {
		.f = f, .predictors = SNW_POOL_ARRAY(&scratch, predictor, count), .errors = SNW_POOL_ARRAY(&scratch, double, count)};
	snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		status = snk_ranges_run_reported(f->host, count, GRAIN, fit_range, (void *)&work, &stretch);
	}
	for (uint32_t t = 0; !snk_failed(status) && t < count; t++) {
		status = work.errors[t] >= 0 ? SNW_OK : SNW_ERROR_MEMORY;
		f->gradient_squares[t] = work.errors[t] * work.errors[t];
	}
	if (!snk_failed(status)) {
		f->dest->groups = group_predictors(f->model, count, work.predictors, model_pool);
		f->dest->predictor_count = count;
		status = f->dest->groups ? SNW_OK : SNW_ERROR_MEMORY;
	}
	snw_pool_release(&scratch);
	return status;
}
