/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far the fitted model is from the samples at each point: what it runs, run here.
 */
#include <math.h>

#include "rotational-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/fields.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum { MOST_SOLVED = 12 /* samples that a full model is compared with, spread over all */ };

/* z of this mesh in a sample: its key gradients, then the slots. */
static void find_z(const mesh_fit *f, uint32_t sample, double *z) {
	write_key_gradients(f->dest, f->posed + (size_t)sample * f->model->joint_count, z);
	write_slot_columns(f->model->slot_count, f->samples[sample].pose->palette, z + 9 * (size_t)f->dest->predictor_count);
}

static void add_squares(const mesh_fit *f, uint32_t sample, const double *points, double *squares) {
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		double posed[3];
		snk_sample_point(&f->samples[sample], i, posed);
		squares[i] += snw_squared_distance3(posed, points + 3 * (size_t)i);
	}
}

static int may_go_on(const mesh_fit *f) {
	return snw_report_progress(f->host, f->progress, "comparing with samples");
}

/* Returns the number of samples compared: of fewer than all if the fit is to stop. */
static uint32_t compare_reduced(const mesh_fit *f, snw_pool *pool, double *squares) {
	const snw_sparse_rows *rows = &f->dest->rows;
	double *z = SNW_POOL_ARRAY(pool, double, 3 * (size_t)rows->column_count);
	double *palette = SNW_POOL_ARRAY(pool, double, 3 * (size_t)rows->row_count);
	double *points = SNW_POOL_ARRAY(pool, double, 3 * (size_t)f->mesh->point_count);
	uint32_t s = 0;
	for (; !pool->failed && s < f->sample_count && may_go_on(f); s++) {
		find_z(f, s, z);
		combine_palette(rows, z, palette);
		blend_points(&f->dest->proxies, palette, f->mesh->points_rest, 0, f->mesh->point_count, points);
		add_squares(f, s, points, squares);
	}
	return s;
}

static uint32_t compared_count(const mesh_fit *f) {
	return !f->model->is_reduced && f->sample_count > MOST_SOLVED ? MOST_SOLVED : f->sample_count;
}

static uint32_t compare_full(const mesh_fit *f, snw_pool *pool, double *squares) {
	snw_model_layout need = {.size = sizeof need};
	layout(f->model, &need);
	unsigned char *scratch = SNW_POOL_ARRAY(pool, unsigned char, need.scratch_bytes);
	double *prepared = snw_pool_acquire(pool, need.prepared_bytes, 1);
	const uint32_t count = compared_count(f);
	uint32_t n = 0;
	for (; !pool->failed && n < count && may_go_on(f); n++) {
		const uint32_t s = (uint32_t)((uint64_t)n * f->sample_count / count);
		const snw_deform_call call = {.size = sizeof call,
									  .model = f->model,
									  .values = f->input->values,
									  .pose = f->samples[s].pose,
									  .mesh = f->mesh_index,
									  .end = f->mesh->point_count,
									  .points_rest = f->mesh->points_rest,
									  .points_below = f->mesh->points_rest,
									  .points_in = f->mesh->points_rest,
									  .scratch = scratch,
									  .prepared = prepared};
		if (prepare(&call) == SNW_OK) {
			add_squares(f, s, prepared, squares);
		}
	}
	return n;
}

snw_status propose_residual(const mesh_fit *f) {
	snw_pool pool = snw_pool_open(f->host);
	double *squares = SNW_POOL_ARRAY(&pool, double, f->mesh->point_count);
	const uint32_t count = !squares               ? 0
						   : f->model->is_reduced ? compare_reduced(f, &pool, squares)
												  : compare_full(f, &pool, squares);
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : count < compared_count(f) ? SNW_CANCELLED : SNW_OK;
	for (uint32_t i = 0; !snk_failed(status) && i < f->mesh->point_count; i++) {
		squares[i] = sqrt(squares[i] / count);
	}
	if (!snk_failed(status)) {
		snk_field_propose(f->host, f->mesh_index, "residual", SNW_DOMAIN_POINTS, f->mesh->point_count, squares);
	}
	snw_pool_release(&pool);
	return status;
}
