/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds over all points, each starting from the previous round's result for the point and its ring.
 */
#include "motion/weights/learn_weights.h"

#include <string.h>

#include "motion/weights/weight_fit.h"
#include "sinew/kit/bounds.h"
#include "sinew/kit/status.h"

enum {
	ROUNDS = 2,        /* the second starts from the supports of neighbours */
	SMOOTH_ROUNDS = 6, /* if weights are smoothed */
	GRAIN = 16,
};

static void SNW_CALL run_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	fit_points(argument, begin, end);
}

static snw_status run_rounds(const snw_host *host, const snk_stretch *stretch, weight_fit *f) {
	const uint32_t rounds = f->options->smoothness > 0 ? SMOOTH_ROUNDS : ROUNDS;
	const double length = (stretch->end - stretch->begin) / rounds;
	snw_status status = SNW_OK;
	for (uint32_t round = 0; !snk_failed(status) && round < rounds; round++) {
		const double begin = stretch->begin + round * length;
		const snk_stretch part = {begin, begin + length, stretch->activity};
		status = snk_ranges_run_reported(host, f->mesh->point_count, GRAIN, run_chunk, f, &part);
		influence_set *found = f->next;
		f->next = f->current;
		f->current = found;
	}
	return status;
}

/* The largest base weights, as a start. */
static void read_base(const weight_fit *f) {
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		influence_set *set = &f->current[i];
		set->count = snk_largest_influences(f->mesh, i, f->options->influences, set->slots, set->weights);
	}
}

/* The base weights of a held point, or those that were found; `slots` and `weights` NULL: only counts them. */
static uint32_t copy_point(const weight_fit *f, uint32_t point, uint32_t *slots, double *weights) {
	const influence_set *set = &f->current[point];
	const uint32_t first = f->mesh->influence_offsets[point];
	const uint32_t count = f->held[point] ? f->mesh->influence_offsets[point + 1] - first : set->count;
	if (slots) {
		memcpy(slots, f->held[point] ? f->mesh->influence_slots + first : set->slots, count * sizeof *slots);
		memcpy(weights, f->held[point] ? f->mesh->influence_weights + first : set->weights, count * sizeof *weights);
	}
	return count;
}

static snw_status copy_weights(const weight_fit *f, snw_pool *pool, snk_base_skin_mesh *skin) {
	const uint32_t points = f->mesh->point_count;
	size_t count = 0;
	for (uint32_t i = 0; i < points; i++) {
		count += copy_point(f, i, NULL, NULL);
	}
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1), *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
	double *weights = SNW_POOL_ARRAY(pool, double, count);
	if (pool->failed || count > UINT32_MAX) {
		return pool->failed ? SNW_ERROR_MEMORY : SNW_ERROR_LIMIT;
	}
	for (uint32_t i = 0; i < points; i++) {
		offsets[i + 1] = offsets[i] + copy_point(f, i, slots + offsets[i], weights + offsets[i]);
	}
	*skin = (snk_base_skin_mesh){points, offsets, slots, weights};
	return SNW_OK;
}

snw_status snk_learn_weights(const snw_host *host, const snw_character_view *character, uint32_t mesh,
							 const snk_weight_options *options, snw_pool *pool, snk_base_skin_mesh *skin,
							 const snk_weight_residuals *residuals) {
	const snw_mesh_view *view = character->meshes[mesh];
	const size_t points = view->point_count;
	snw_pool scratch = snw_pool_open(host);
	weight_fit f = {.character = character,
					.mesh = view,
					.options = options,
					.diagonal = snk_bounds_diagonal(view->points_rest, view->point_count),
					.current = SNW_POOL_ARRAY(&scratch, influence_set, points),
					.next = SNW_POOL_ARRAY(&scratch, influence_set, points),
					.held = SNW_POOL_ARRAY(&scratch, unsigned char, points),
					.residuals_before = residuals->before,
					.residuals = residuals->after};
	snw_status status = scratch.failed ? SNW_ERROR_MEMORY : gather_neighbours(&scratch, &f);
	status = snk_failed(status) ? status : open_products(host, &f, &scratch, &f.products);
	if (!snk_failed(status)) {
		read_base(&f);
		status = run_rounds(host, &options->stretch, &f);
	}
	status = snk_failed(status) ? status : copy_weights(&f, pool, skin);
	snw_pool_release(&scratch);
	return status;
}
