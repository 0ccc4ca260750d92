/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A predictor for each key gradient, from the joints that move its cluster's points. The keys become what they predict with a
 * regression of shear that has not seen the sample, so that triangles are blended of those that predict well.
 */
#include "rotational-regression/fit.h"
#include "sinew/kit/status.h"

typedef struct prediction {
	const mesh_fit *f;
	const reduction *r;
	joint_candidates *candidates; /* [keys] */
	predictor *predictors;
	double *errors;
} prediction;

static snw_status find_candidates(const prediction *p, snw_pool *pool) {
	const size_t joints = p->f->model->joint_count;
	double *weights = SNW_POOL_ARRAY(pool, double, p->r->count *joints);
	for (uint32_t i = 0; weights && i < p->f->mesh->point_count; i++) {
		add_weights(p->f, i, weights + p->r->clusters[i] * joints);
	}
	for (size_t k = 0; weights && k < p->r->count; k++) {
		choose_candidates(p->f, weights + k * joints, &p->candidates[k]);
	}
	return weights ? SNW_OK : SNW_ERROR_MEMORY;
}

static void SNW_CALL predict_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const prediction *p = argument;
	for (uint32_t k = begin; k < end; k++) {
		double(*gradients)[9] = p->r->gradients + (size_t)k * p->f->sample_count;
		p->errors[k] = fit_predictor(p->f, (const double(*)[9])gradients, &p->candidates[k], &p->predictors[k], gradients);
	}
}

snw_status predict_keys(mesh_fit *f, snk_stretch stretch, const reduction *r, snw_pool *model_pool) {
	snw_pool pool = snw_pool_open(f->host);
	const prediction p = {.f = f,
						  .r = r,
						  .candidates = SNW_POOL_ARRAY(&pool, joint_candidates, r->count),
						  .predictors = SNW_POOL_ARRAY(&pool, predictor, r->count),
						  .errors = SNW_POOL_ARRAY(&pool, double, r->count)};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : find_candidates(&p, &pool);
	if (!snk_failed(status)) {
		status = snk_ranges_run_reported(f->host, r->count, 1, predict_range, (void *)&p, &stretch);
	}
	for (uint32_t k = 0; !snk_failed(status) && k < r->count; k++) {
		status = p.errors[k] >= 0 ? SNW_OK : SNW_ERROR_MEMORY;
	}
	if (!snk_failed(status)) {
		f->dest->groups = group_predictors(f->model, r->count, p.predictors, model_pool);
		f->dest->predictor_count = r->count;
		status = f->dest->groups ? SNW_OK : SNW_ERROR_MEMORY;
	}
	snw_pool_release(&pool);
	return status;
}
