/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Binding: neighbours, the rest smoothed, and from both what each point's detail is in its local axes.
 */
#include <string.h>

#include "delta-mush/delta-mush.h"
#include "sinew/kit/fit/fields.h"
#include "sinew/kit/fit/model.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/mesh/adjacency.h"
#include "sinew/kit/numerics/svd3.h"
#include "sinew/kit/status.h"

/* How far a point's neighbours must spread in the second direction, as a part of the first. */
#define LEAST_SPREAD 1e-4

/* Points that one thread takes at a time. */
enum { GRAIN = 1024 };

/* A mesh while it is bound. Its model's arrays are filled through the pointers that may be written. */
typedef struct binding {
	const snw_host *host;
	const snw_mesh_view *view;
	double strength;
	mush_mesh mesh;
	double *tangents, *deltas, *mask;
	double *smoothed, *next; /* [point_count][3] */
} binding;

/* ---- neighbours ---------------------------------------------------------------------------------------------------------- */

static snw_status find_neighbours(binding *b, snw_pool *pool) {
	const uint32_t points = b->view->point_count;
	const snk_faces faces = snk_faces_of(b->view);
	snw_pool scratch = snw_pool_open(b->host);
	snk_adjacency all;
	snw_status status = snk_adjacency_find(&faces, SNK_NEIGHBOURS_ASCENDING, &scratch, &all);
	if (!snk_failed(status)) {
		const uint32_t count = all.offsets[points];
		uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1), *ends = SNW_POOL_ARRAY(pool, uint32_t, points);
		uint32_t *neighbours = SNW_POOL_ARRAY(pool, uint32_t, count);
		b->tangents = SNW_POOL_ARRAY(pool, double, 2 * (size_t)count);
		for (uint32_t i = 0; !pool->failed && i < points; i++) {
			ends[i] = offsets[i] + snk_smoothing_neighbours(&all, i, neighbours + offsets[i]);
			offsets[i + 1] = all.offsets[i + 1];
		}
		b->mesh = (mush_mesh){
			.point_count = points, .offsets = offsets, .smooth_ends = ends, .neighbours = neighbours, .tangents = b->tangents};
		status = pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	}
	snw_pool_release(&scratch);
	return status;
}

/* ---- detail -------------------------------------------------------------------------------------------------------------- */

static void SNW_CALL smooth_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const binding *b = argument;
	smooth_points(&b->mesh, b->strength, begin, end, b->smoothed, b->next);
}

static void smooth_rest(binding *b, uint32_t iterations) {
	const uint32_t points = b->view->point_count;
	memcpy(b->smoothed, b->view->points_rest, 3 * (size_t)points * sizeof *b->smoothed);
	for (uint32_t n = 0; n < iterations; n++) {
		snk_ranges_run(b->host, points, GRAIN, smooth_range, b);
		double *done = b->next;
		b->next = b->smoothed;
		b->smoothed = done;
	}
}

/* a and b of a point: with C = Σ e eᵀ = V S Vᵀ over its edges, a_k = e_k · v_0 / s_0 and b_k = e_k · v_1 / s_1, so that Σ a_k
 * e_k is v_0 and Σ b_k e_k is v_1. Returns 0 where the edges span no plane. */
static int find_coefficients(const binding *b, uint32_t point) {
	const mush_mesh *mesh = &b->mesh;
	const double *origin = b->smoothed + 3 * (size_t)point;
	double covariance[9] = {0};
	for (uint32_t k = mesh->offsets[point]; k < mesh->offsets[point + 1]; k++) {
		const double *neighbour = b->smoothed + 3 * (size_t)mesh->neighbours[k];
		const double edge[3] = {neighbour[0] - origin[0], neighbour[1] - origin[1], neighbour[2] - origin[2]};
		for (int c = 0; c < 9; c++) {
			covariance[c] += edge[c / 3] * edge[c % 3];
		}
	}
	snk_svd3 svd;
	snk_svd3_compute(covariance, &svd);
	if (!(svd.s[1] > LEAST_SPREAD * LEAST_SPREAD * svd.s[0])) {
		return 0;
	}
	for (uint32_t k = mesh->offsets[point]; k < mesh->offsets[point + 1]; k++) {
		const double *neighbour = b->smoothed + 3 * (size_t)mesh->neighbours[k];
		for (size_t t = 0; t < 2; t++) {
			double along = 0;
			for (size_t c = 0; c < 3; c++) {
				along += (neighbour[c] - origin[c]) * svd.v[3 * c + t];
			}
			b->tangents[2 * (size_t)k + t] = along / svd.s[t];
		}
	}
	return 1;
}

static void SNW_CALL find_deltas(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const binding *b = argument;
	for (uint32_t i = begin; i < end; i++) {
		const double *rest = b->view->points_rest + 3 * (size_t)i, *smoothed = b->smoothed + 3 * (size_t)i;
		double axes[9];
		if (!find_coefficients(b, i) || !find_axes(&b->mesh, i, b->smoothed, axes)) {
			b->mask[i] = 0;
			continue;
		}
		for (size_t c = 0; c < 3; c++) {
			b->deltas[3 * (size_t)i + c] = axes[c] * (rest[0] - smoothed[0]) + axes[3 + c] * (rest[1] - smoothed[1]) +
										   axes[6 + c] * (rest[2] - smoothed[2]);
		}
	}
}

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

static snw_status bind_mesh(const snw_host *host, const snw_mesh_view *view, snw_model *model, mush_mesh *mesh) {
	const size_t numbers = 3 * (size_t)view->point_count;
	snw_pool scratch = snw_pool_open(host);
	binding b = {.host = host,
				 .view = view,
				 .strength = model->strength,
				 .deltas = SNW_POOL_ARRAY(&model->pool, double, numbers),
				 .mask = SNW_POOL_ARRAY(&model->pool, double, view->point_count),
				 .smoothed = SNW_POOL_ARRAY(&scratch, double, numbers),
				 .next = SNW_POOL_ARRAY(&scratch, double, numbers)};
	snw_status status = scratch.failed || model->pool.failed ? SNW_ERROR_MEMORY : find_neighbours(&b, &model->pool);
	if (!snk_failed(status)) {
		snk_mask_fill(view, MASK_FIELD, 1, b.mask);
		smooth_rest(&b, model->iterations);
		snk_ranges_run(host, view->point_count, GRAIN, find_deltas, &b);
		*mesh = b.mesh;
		mesh->deltas = b.deltas;
		mesh->mask = b.mask;
	}
	snw_pool_release(&scratch);
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_character_view *character = input->character;
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	mush_mesh *meshes = SNW_POOL_ARRAY(&made->pool, mush_mesh, character->mesh_count);
	*made = (snw_model){.pool = made->pool,
						.iterations = (uint32_t)input->values[ITERATIONS].numbers[0],
						.strength = input->values[STRENGTH].numbers[0],
						.mesh_count = character->mesh_count,
						.meshes = meshes};
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = bind_mesh(instance->host, character->meshes[m], made, &meshes[m]);
	}
	return snk_model_finish(status, made, model);
}
