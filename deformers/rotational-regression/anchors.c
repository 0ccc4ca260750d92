/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How points are held to the learned blend: which ones are fixed (section 4.2), those that it predicts best over the samples
 * and the best of each shell, which without one could be anywhere; or how strongly it draws each of them.
 */
#include <math.h>
#include <stdlib.h>

#include "rotational-regression/fit.h"
#include "sinew/kit/mesh/pieces.h"
#include "sinew/kit/status.h"

/* Points are fixed where the blend's error is below this part of its root mean square over all points. */
static const double fixed_below = 0.7;

/* The least error of the blend that a pull reckons with, relative to its mean. */
static const double least_residual = 0.1;

typedef struct ranked {
	double residual;
	uint32_t point;
} ranked;

static int compare(const void *a, const void *b) {
	const ranked *x = a, *y = b;
	return x->residual != y->residual ? (x->residual > y->residual) - (x->residual < y->residual)
									  : (x->point > y->point) - (x->point < y->point);
}

/* Shells as trees of points. What has no weight joins nothing: the equation does not have it. */
static void join_shells(const mesh_fit *f, uint32_t *parents) {
	for (uint32_t i = 0; i < f->triangles.point_count; i++) {
		parents[i] = i;
	}
	for (size_t t = 0; t < f->triangles.face_count; t++) {
		const uint32_t *corners = f->triangles.points + 3 * t;
		for (size_t e = 0; e < 3; e++) {
			if (f->edge_weights[3 * t + e] > 0) {
				snk_pieces_join(parents, corners[e], corners[(e + 1) % 3]);
			}
		}
	}
}

/* Root mean square over points. */
static double mean_residual(const mesh_fit *f) {
	double squares = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		squares += f->blend_residuals[i] * f->blend_residuals[i];
	}
	return sqrt(squares / f->mesh->point_count);
}

snw_status choose_fixed(mesh_fit *f, snw_pool *pool) {
	const uint32_t count = f->mesh->point_count;
	unsigned char *fixed = SNW_POOL_ARRAY(pool, unsigned char, count);
	f->is_fixed = fixed;
	if (!fixed || f->model->anchors == ANCHORS_SOFT) {
		return fixed ? SNW_OK : SNW_ERROR_MEMORY;
	}
	snw_pool scratch = snw_pool_open(f->host);
	ranked *all = SNW_POOL_ARRAY(&scratch, ranked, count);
	uint32_t *parents = SNW_POOL_ARRAY(&scratch, uint32_t, count);
	unsigned char *has_anchor = SNW_POOL_ARRAY(&scratch, unsigned char, count);
	for (uint32_t i = 0; !scratch.failed && i < count; i++) {
		all[i] = (ranked){f->blend_residuals[i], i};
	}
	const snw_status status = scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	if (!snk_failed(status)) {
		const double most = fixed_below * mean_residual(f);
		qsort(all, count, sizeof *all, compare);
		join_shells(f, parents);
		for (uint32_t n = 0; n < count; n++) {
			const uint32_t shell = snk_piece_of(parents, all[n].point);
			fixed[all[n].point] = all[n].residual < most || !has_anchor[shell];
			has_anchor[shell] = 1;
		}
	}
	snw_pool_release(&scratch);
	return status;
}

/* Pulls with factor 1: by the mean squared error of the blend over that at the point. */
static void find_ratios(const mesh_fit *f, double *ratios) {
	const double mean = mean_residual(f);
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		const double relative = mean > 0 ? f->blend_residuals[i] / mean : 1;
		ratios[i] = 1 / (relative * relative + least_residual * least_residual);
	}
}

snw_status find_pulls(mesh_fit *f, snw_pool *pool) {
	const uint32_t count = f->mesh->point_count;
	snw_pool scratch = snw_pool_open(f->host);
	double *pulls = SNW_POOL_ARRAY(pool, double, count);
	double *ratios = SNW_POOL_ARRAY(&scratch, double, count);
	snw_status status = pool->failed || scratch.failed ? SNW_ERROR_MEMORY : SNW_OK;
	f->pull = f->input->values[PULL].numbers[0];
	if (!snk_failed(status) && f->model->anchors == ANCHORS_SOFT) {
		find_ratios(f, ratios);
		status = f->pull > 0 ? SNW_OK : choose_pull(f, ratios, &f->pull);
		for (uint32_t i = 0; i < count; i++) {
			pulls[i] = fmin(fmax(f->pull * ratios[i], WEAKEST_PULL), STRONGEST_PULL);
		}
	}
	f->pulls = pulls;
	snw_pool_release(&scratch);
	return status;
}
