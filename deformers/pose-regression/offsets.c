/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The offset of each rest point with which the layers below reproduce its position in a sample. If the layers are affine at each point,
 * it follows from their matrices. Otherwise the matrices of the base skin approximate theirs, and a few rounds correct the result.
 * Directions that a matrix nearly flattens are not inverted: one bad frame would spoil the regression.
 */
#include <math.h>
#include <string.h>

#include "pose-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/numerics/svd3.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum { GRAIN = 512, ROUNDS = 4 };
/* As defined in sinew/kit/numerics/svd3.h. Matrices that are far from flat are simply inverted. */
static const double ratio = 0.1, longest = 2, plain_ratio = 1e-6, plain_longest = 6;

/* The current sample: arrays [point_count]. */
typedef struct sample_offsets {
	mesh_fit *f;
	const snw_below_service *below;
	int is_affine; /* the layers below are, as far as is known */
	uint32_t sample;
	double *rest, *posed, *matrices;
} sample_offsets;

static void SNW_CALL find_base_matrices(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const sample_offsets *s = argument;
	const snw_mesh_view *mesh = s->f->mesh;
	const double *palette = s->f->samples[s->sample].pose->palette;
	for (uint32_t i = begin; i < end; i++) {
		double m[9];
		snk_linear_part(mesh->influence_offsets, mesh->influence_slots, mesh->influence_weights, palette, i, m);
		for (size_t r = 0; r < 3; r++) {
			memcpy(s->matrices + 12 * (size_t)i + 4 * r, m + 3 * r, 3 * sizeof *m);
		}
	}
}

static snw_status find_matrices(sample_offsets *s) {
	const mesh_fit *f = s->f;
	const snw_below_matrices_call call = {.size = sizeof call,
										  .mesh = f->mesh_index,
										  .pose = f->samples[s->sample].pose,
										  .count = f->mesh->point_count,
										  .matrices = s->matrices};
	const snw_status status = s->is_affine ? s->below->matrices(f->host, &call) : SNW_ERROR_UNSUPPORTED;
	if (status == SNW_ERROR_UNSUPPORTED) {
		s->is_affine = 0;
		snk_ranges_run(f->host, f->mesh->point_count, GRAIN, find_base_matrices, s);
		return SNW_OK;
	}
	return status;
}

/* Corrects the rest points by the remaining error of their posed positions. */
static void SNW_CALL add_gaps(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const sample_offsets *s = argument;
	const snk_sample *sample = &s->f->samples[s->sample];
	for (uint32_t i = begin; i < end; i++) {
		const double *m = s->matrices + 12 * (size_t)i;
		const double linear[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
		double gap[3], d[3];
		snk_sample_point(sample, i, gap);
		for (size_t c = 0; c < 3; c++) {
			gap[c] -= s->posed[3 * (size_t)i + c];
		}
		snk_svd3 svd;
		double inverse[9];
		if (snk_svd3_inverse(linear, plain_ratio, plain_longest, inverse)) {
			for (size_t r = 0; r < 3; r++) {
				d[r] = snw_dot3(inverse + 3 * r, gap);
			}
		} else {
			snk_svd3_compute(linear, &svd);
			snk_svd3_solve(&svd, ratio, longest, gap, d);
		}
		for (size_t c = 0; c < 3; c++) {
			s->rest[3 * (size_t)i + c] += d[c];
		}
	}
}

static void keep_offsets(const sample_offsets *s) {
	const mesh_fit *f = s->f;
	for (size_t i = 0; i < f->mesh->point_count; i++) {
		for (size_t c = 0; c < 3; c++) {
			f->offsets[3 * (i * f->sample_count + s->sample) + c] =
				(float)(s->rest[3 * i + c] - f->mesh->points_rest[3 * i + c]);
		}
	}
}

static snw_status find_sample(sample_offsets *s) {
	const mesh_fit *f = s->f;
	const snw_below_call call = {.size = sizeof call,
								 .mesh = f->mesh_index,
								 .pose_count = 1,
								 .poses = &f->samples[s->sample].pose,
								 .count = f->mesh->point_count,
								 .points_rest = s->rest,
								 .points_posed = s->posed};
	memcpy(s->rest, f->mesh->points_rest, 3 * (size_t)f->mesh->point_count * sizeof *s->rest);
	snw_status status = find_matrices(s);
	const int rounds = s->is_affine ? 1 : ROUNDS;
	for (int round = 0; !snk_failed(status) && round < rounds; round++) {
		status = s->below->deform(f->host, &call);
		if (!snk_failed(status)) {
			snk_ranges_run(f->host, f->mesh->point_count, GRAIN, add_gaps, s);
		}
	}
	if (!snk_failed(status)) {
		keep_offsets(s);
	}
	return status;
}

snw_status find_offsets(mesh_fit *f, double progress, double share) {
	const size_t points = f->mesh->point_count;
	snw_pool pool = snw_pool_open(f->host);
	sample_offsets s = {.f = f,
						.below = f->host->service(f->host, SNW_SERVICE_BELOW),
						.is_affine = 1,
						.rest = SNW_POOL_ARRAY(&pool, double, 3 * points),
						.posed = SNW_POOL_ARRAY(&pool, double, 3 * points),
						.matrices = SNW_POOL_ARRAY(&pool, double, 12 * points)};
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!s.below) {
		status =
			snw_report_fail(f->host, SNW_ERROR_MISSING, "this host lacks the service sinew.below, which pose-regression needs");
	}
	for (s.sample = 0; !snk_failed(status) && s.sample < f->sample_count; s.sample++) {
		status = snw_report_progress(f->host, progress + share * s.sample / f->sample_count, "inverting samples")
					 ? find_sample(&s)
					 : SNW_CANCELLED;
	}
	snw_pool_release(&pool);
	return status;
}
