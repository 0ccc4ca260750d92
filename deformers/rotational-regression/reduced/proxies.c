/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proxies of a mesh and the weights of its points over them (section 5.1): from the clusters, transforms and weights in
 * turn. A point depends on the proxy of its cluster and on those of the clusters beside it alone, which keeps proxies from
 * explaining points elsewhere that move alike by chance.
 */
#include <math.h>
#include <string.h>

#include "motion/decompose/decompose.h"
#include "rotational-regression/fit.h"
#include "sinew/kit/numerics/nnls.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum { GRAIN = 64, ROUNDS = 3, MOST_BESIDE = 16, MOST_PROXIES = 320 };

/* With an error given, each try has this part of the proxies of the one before: one that has become too few costs as much as
 * any other, and clusters cannot be parted again. */
static const double fewer = 0.8;

typedef struct proxy_fit {
	mesh_fit *f;
	const snk_motion *motion;
	const snk_lane_kernels *kernels;
	uint32_t count, influences;
	const uint32_t *clusters;
	const unsigned char *beside; /* [count][count] */
	snk_transforms transforms;
	uint32_t *counts; /* [point_count] */
	uint32_t (*joints)[MOST_INFLUENCES];
	double (*weights)[MOST_INFLUENCES];
	double *squares; /* [point_count], over all samples */
} proxy_fit;

/* ---- weights of one point ------------------------------------------------------------------------------------------------ */

/* The point's proxy, and those beside it under which it comes out best. */
static uint32_t list_candidates(const proxy_fit *p, uint32_t point, snk_lanes *columns, uint32_t *candidates) {
	const uint32_t cluster = p->clusters[point];
	double errors[MOST_BESIDE];
	uint32_t count = 1;
	candidates[0] = cluster;
	errors[0] = -1;
	for (uint32_t k = 0; k < p->count; k++) {
		double error;
		if (k == cluster || !p->beside[(size_t)cluster * p->count + k]) {
			continue;
		}
		p->kernels->linear_columns(p->motion, p->transforms.values, p->count, point, 1, &k, columns);
		p->kernels->column_gram(3 * (size_t)p->motion->block_count, 1, columns, NULL, &error);
		if (count == MOST_BESIDE && error >= errors[count - 1]) {
			continue;
		}
		uint32_t at = count < MOST_BESIDE ? count++ : MOST_BESIDE - 1;
		for (; errors[at - 1] > error; at--) {
			errors[at] = errors[at - 1];
			candidates[at] = candidates[at - 1];
		}
		errors[at] = error;
		candidates[at] = k;
	}
	return count;
}

static void fit_point(const proxy_fit *p, uint32_t point, snk_lanes *columns) {
	uint32_t candidates[MOST_BESIDE];
	double gram[MOST_BESIDE * MOST_BESIDE];
	const uint32_t count = list_candidates(p, point, columns, candidates);
	p->kernels->linear_columns(p->motion, p->transforms.values, p->count, point, count, candidates, columns);
	p->kernels->column_gram(3 * (size_t)p->motion->block_count, count, columns, NULL, gram);
	const snk_nnls_problem problem = {.count = count, .gram = gram};
	const snk_nnls_support start = {.count = 1};
	snk_nnls_solution solution;
	snk_nnls_search(&problem, p->influences, 1, &start, &solution);
	p->counts[point] = solution.count;
	p->squares[point] = solution.cost;
	for (uint32_t k = 0; k < solution.count; k++) {
		p->joints[point][k] = candidates[solution.support[k]];
		p->weights[point][k] = solution.weights[k];
	}
}

static void SNW_CALL fit_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const proxy_fit *p = argument;
	snw_pool pool = snw_pool_open(p->f->host);
	snk_lanes *columns = SNW_POOL_ARRAY(&pool, snk_lanes, MOST_BESIDE * 3 * (size_t)p->motion->block_count);
	for (uint32_t i = begin; i < end; i++) {
		if (columns) {
			fit_point(p, i, columns);
		} else {
			p->squares[i] = NAN;
		}
	}
	snw_pool_release(&pool);
}

/* ---- all points ---------------------------------------------------------------------------------------------------------- */

static snw_status pack(const proxy_fit *p, snw_pool *pool, snk_influences *all) {
	const uint32_t points = p->motion->point_count;
	uint32_t count = 0;
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
	uint32_t *joints = SNW_POOL_ARRAY(pool, uint32_t, MOST_INFLUENCES * (size_t)points);
	double *weights = SNW_POOL_ARRAY(pool, double, MOST_INFLUENCES *(size_t)points);
	for (uint32_t i = 0; !pool->failed && i < points; i++) {
		memcpy(joints + count, p->joints[i], p->counts[i] * sizeof *joints);
		memcpy(weights + count, p->weights[i], p->counts[i] * sizeof *weights);
		count += p->counts[i];
		offsets[i + 1] = count;
	}
	*all = (snk_influences){points, p->count, offsets, joints, weights};
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status fit_transforms(proxy_fit *p, const snk_influences *influences) {
	snk_blend_graph graph;
	snw_status status = snk_blend_graph_make(p->f->host, p->motion->points_rest, influences, &graph);
	if (!snk_failed(status)) {
		const snk_transform_fit fit = {.host = p->f->host, .motion = p->motion, .graph = &graph};
		status = snk_transforms_fit(&fit, &p->transforms);
		snk_blend_graph_drop(&graph);
	}
	return status;
}

static void find_beside(const proxy_fit *p, unsigned char *beside) {
	const snk_faces *triangles = &p->f->triangles;
	for (size_t n = 0; n < 3 * (size_t)triangles->face_count; n++) {
		const uint32_t a = p->clusters[triangles->points[n]], b = p->clusters[triangles->points[n % 3 == 2 ? n - 2 : n + 1]];
		beside[(size_t)a * p->count + b] = beside[(size_t)b * p->count + a] = 1;
	}
}

static snw_status open_proxies(proxy_fit *p, snw_pool *pool) {
	const size_t points = p->motion->point_count;
	unsigned char *beside = SNW_POOL_ARRAY(pool, unsigned char, (size_t)p->count * p->count);
	p->kernels = snk_lane_kernels_best();
	p->counts = SNW_POOL_ARRAY(pool, uint32_t, points);
	p->joints = snw_pool_acquire(pool, points, sizeof *p->joints);
	p->weights = snw_pool_acquire(pool, points, sizeof *p->weights);
	p->squares = SNW_POOL_ARRAY(pool, double, points);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	find_beside(p, beside);
	p->beside = beside;
	return snk_transforms_make(pool, SNK_TRANSFORMS_AFFINE, p->count, p->motion, &p->transforms);
}

static snw_status fit_rounds(proxy_fit *p, snw_pool *pool, reduction *r) {
	snk_influences influences;
	snw_status status = snk_cluster_influences(pool, p->motion->point_count, p->count, p->clusters, &influences);
	for (int round = 0; !snk_failed(status) && round < ROUNDS; round++) {
		const snk_stretch stretch = {p->f->progress, p->f->progress, "fitting proxies"};
		if (!snw_report_progress(p->f->host, p->f->progress, stretch.activity)) {
			return SNW_CANCELLED;
		}
		status = fit_transforms(p, &influences);
		if (!snk_failed(status)) {
			status = snk_ranges_run_reported(p->f->host, p->motion->point_count, GRAIN, fit_points, p, &stretch);
		}
		status = snk_failed(status) ? status : pack(p, pool, &influences);
	}
	double squares = 0;
	for (uint32_t i = 0; !snk_failed(status) && i < p->motion->point_count; i++) {
		squares += p->squares[i];
	}
	r->influences = influences;
	r->proxy_error = sqrt(squares / ((double)p->motion->frame_count * p->motion->point_count));
	return snk_failed(status) || isfinite(squares) ? status : SNW_ERROR_MEMORY;
}

static snw_status try_count(mesh_fit *f, clustering *c, const snk_motion *motion, uint32_t count, snw_pool *pool,
							reduction *r) {
	uint32_t *labels = SNW_POOL_ARRAY(pool, uint32_t, motion->point_count);
	snw_status status = labels ? join_clusters(c, count, labels, &r->count) : SNW_ERROR_MEMORY;
	proxy_fit p = {.f = f,
				   .motion = motion,
				   .count = r->count,
				   .influences = (uint32_t)f->input->values[INFLUENCES].numbers[0],
				   .clusters = labels};
	status = snk_failed(status) ? status : open_proxies(&p, pool);
	r->clusters = labels;
	return snk_failed(status) ? status : fit_rounds(&p, pool, r);
}

/* The distance of points that is an erms of 1, metres. */
static double unit_error(const mesh_fit *f) {
	return sqrt(3) * f->diagonal / 2000;
}

static void report_unreachable(const mesh_fit *f, const reduction *r) {
	snw_report_line(f->host, SNW_LOG_WARNING,
					"mesh '%s': no number of proxies has the error %g that was asked for; the most, %u, have %.3g",
					f->mesh->name, f->input->values[ERROR].numbers[0], r->count, r->proxy_error / unit_error(f));
}

snw_status find_proxies(mesh_fit *f, const snk_motion *motion, snw_pool *pool, reduction *r) {
	const double threshold = f->input->values[ERROR].numbers[0] * unit_error(f);
	const uint32_t count = threshold > 0 ? MOST_PROXIES : (uint32_t)f->input->values[PROXIES].numbers[0];
	clustering *c = NULL;
	snw_status status = open_clusters(f, pool, &c);
	status = snk_failed(status) ? status : try_count(f, c, motion, count, pool, r);
	if (!snk_failed(status) && threshold > 0 && !(r->proxy_error < threshold)) {
		report_unreachable(f, r);
	}
	while (!snk_failed(status) && threshold > 0 && r->proxy_error < threshold && r->count > 1) {
		reduction next = *r;
		status = try_count(f, c, motion, (uint32_t)(fewer * r->count), pool, &next);
		if (!snk_failed(status) && !(next.proxy_error < threshold)) {
			break;
		}
		*r = next;
	}
	return status;
}
