/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/residuals.h"

#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/numerics/svd3.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/kit/status.h"

enum { GRAIN = 512, ROUNDS = 4 };
/* As defined in sinew/kit/numerics/svd3.h. Matrices that are far from flat are simply inverted. */
static const double ratio = 0.1, longest = 2, plain_ratio = 1e-6, plain_longest = 6;

snw_status snk_residuals_open(const snw_host *host, const snw_character_view *character, uint32_t mesh, snw_pool *pool,
							  snk_residuals *residuals) {
	const size_t points = character->meshes[mesh]->point_count;
	const snk_residuals opened = {.host = host,
								  .below = (const snw_below_service *)host->service(host, SNW_SERVICE_BELOW),
								  .mesh = character->meshes[mesh],
								  .mesh_index = mesh,
								  .is_affine = 1,
								  .rest = SNW_POOL_ARRAY(pool, double, 3 * points),
								  .posed = SNW_POOL_ARRAY(pool, double, 3 * points),
								  .matrices = SNW_POOL_ARRAY(pool, double, 12 * points)};
	*residuals = opened;
	return pool->failed ? SNW_ERROR_MEMORY : opened.below ? SNW_OK : SNW_ERROR_MISSING;
}

/* Where the layers below put `rest` at the pose of the sample: into `posed`. */
static snw_status deform_rest(const snk_residuals *r) {
	const snw_below_call call = {.size = sizeof call,
								 .mesh = r->mesh_index,
								 .pose_count = 1,
								 .poses = &r->sample->pose,
								 .count = r->mesh->point_count,
								 .points_rest = r->rest,
								 .points_posed = r->posed};
	return r->below->deform(r->host, &call);
}

static void begin_sample(snk_residuals *r, const snk_sample *sample) {
	r->sample = sample;
	memcpy(r->rest, r->mesh->points_rest, 3 * (size_t)r->mesh->point_count * sizeof *r->rest);
}

snw_status snk_residuals_posed(snk_residuals *residuals, const snk_sample *sample, double *posed) {
	begin_sample(residuals, sample);
	const snw_status status = deform_rest(residuals);
	for (uint32_t i = 0; !snk_failed(status) && i < residuals->mesh->point_count; i++) {
		snk_sample_point(sample, i, posed + 3 * (size_t)i);
		for (size_t c = 0; c < 3; c++) {
			posed[3 * (size_t)i + c] -= residuals->posed[3 * (size_t)i + c];
		}
	}
	return status;
}

/* ---- offsets of the rest ------------------------------------------------------------------------------------------------- */

/* A mesh without a skin follows nothing. */
static void SNW_CALL find_base_matrices(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snk_residuals *r = (const snk_residuals *)argument;
	const snw_mesh_view *mesh = r->mesh;
	for (uint32_t i = begin; i < end; i++) {
		double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
		if (mesh->influence_offsets) {
			snk_linear_part(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, r->sample->pose->palette,
							i, m);
		}
		for (size_t row = 0; row < 3; row++) {
			memcpy(r->matrices + 12 * (size_t)i + 4 * row, m + 3 * row, 3 * sizeof *m);
		}
	}
}

static snw_status find_matrices(snk_residuals *r) {
	const snw_below_matrices_call call = {.size = sizeof call,
										  .mesh = r->mesh_index,
										  .pose = r->sample->pose,
										  .count = r->mesh->point_count,
										  .matrices = r->matrices};
	const snw_status status = r->is_affine ? r->below->matrices(r->host, &call) : SNW_ERROR_UNSUPPORTED;
	if (status == SNW_ERROR_UNSUPPORTED) {
		r->is_affine = 0;
		snk_ranges_run(r->host, r->mesh->point_count, GRAIN, find_base_matrices, r);
		return SNW_OK;
	}
	return status;
}

/* Corrects the rest points by the remaining error of their posed positions. */
static void SNW_CALL add_gaps(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const snk_residuals *r = (const snk_residuals *)argument;
	for (uint32_t i = begin; i < end; i++) {
		const double *m = r->matrices + 12 * (size_t)i;
		const double linear[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
		double gap[3], d[3], inverse[9];
		snk_sample_point(r->sample, i, gap);
		for (size_t c = 0; c < 3; c++) {
			gap[c] -= r->posed[3 * (size_t)i + c];
		}
		if (snk_svd3_inverse(linear, plain_ratio, plain_longest, inverse)) {
			for (size_t row = 0; row < 3; row++) {
				d[row] = snw_dot3(inverse + 3 * row, gap);
			}
		} else {
			snk_svd3 svd;
			snk_svd3_compute(linear, &svd);
			snk_svd3_solve(&svd, ratio, longest, gap, d);
		}
		for (size_t c = 0; c < 3; c++) {
			r->rest[3 * (size_t)i + c] += d[c];
		}
	}
}

snw_status snk_residuals_rest(snk_residuals *residuals, const snk_sample *sample, double *offsets) {
	begin_sample(residuals, sample);
	snw_status status = find_matrices(residuals);
	const int rounds = residuals->is_affine ? 1 : ROUNDS;
	for (int round = 0; !snk_failed(status) && round < rounds; round++) {
		status = deform_rest(residuals);
		if (!snk_failed(status)) {
			snk_ranges_run(residuals->host, residuals->mesh->point_count, GRAIN, add_gaps, residuals);
		}
	}
	for (size_t i = 0; !snk_failed(status) && i < 3 * (size_t)residuals->mesh->point_count; i++) {
		offsets[i] = residuals->rest[i] - residuals->mesh->points_rest[i];
	}
	return status;
}
