/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits mesh by mesh: rounds over all points, each starting from the previous round's result for the point and its ring.
 */
#include "linear-blend-fit/fit.h"

#include <math.h>

#include "sinew/kit/bounds.h"
#include "sinew/kit/fields.h"
#include "sinew/kit/ranges.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum {
	ROUNDS = 2,        /* the second starts from the supports of neighbours */
	SMOOTH_ROUNDS = 6, /* if weights are smoothed */
	SLAB = 512,        /* points between two checks for a stop */
	GRAIN = 16,
};

/* A fit under way, and the error over all its points and samples. */
typedef struct fitting {
	const snw_host *host;
	const snw_fit_input *input;
	snw_pool *model_pool; /* becomes the model's */
	uint32_t sample_count, morphed_count;
	double weight, squares_before, squares;
} fitting;

typedef struct slab {
	const mesh_fit *f;
	uint32_t first;
} slab;

static void SNW_CALL run_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const slab *points = argument;
	fit_points(points->f, points->first + begin, points->first + end);
}

static snw_status run_rounds(const fitting *all, uint32_t m, mesh_fit *f) {
	const uint32_t rounds = f->values[SMOOTHNESS].numbers[0] > 0 ? SMOOTH_ROUNDS : ROUNDS, count = f->mesh->point_count;
	for (uint32_t round = 0; round < rounds; round++) {
		for (slab points = {.f = f}; points.first < count; points.first += SLAB) {
			const double of_mesh = (round + (double)points.first / count) / rounds;
			if (!snw_report_progress(all->host, (m + of_mesh) / all->input->character->mesh_count, "fitting weights")) {
				return SNW_CANCELLED;
			}
			const uint32_t remaining = count - points.first;
			snk_ranges_run(all->host, remaining < SLAB ? remaining : SLAB, GRAIN, run_chunk, &points);
		}
		influence_set *found = f->next;
		f->next = f->current;
		f->current = found;
	}
	return SNW_OK;
}

/* The largest base weights, as a start. */
static void read_base(const snw_mesh_view *mesh, uint32_t most, influence_set *sets) {
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		sets[i].count = snk_largest_influences(mesh, i, most, sets[i].slots, sets[i].weights);
	}
}

static snw_status open_mesh(const fitting *all, uint32_t m, snw_pool *scratch, mesh_fit *f) {
	const snw_mesh_view *mesh = all->input->character->meshes[m];
	const size_t points = mesh->point_count;
	*f = (mesh_fit){.character = all->input->character,
					.mesh = mesh,
					.values = all->input->values,
					.diagonal = snk_bounds_diagonal(mesh->points_rest, mesh->point_count),
					.current = SNW_POOL_ARRAY(scratch, influence_set, points),
					.next = SNW_POOL_ARRAY(scratch, influence_set, points),
					.residuals_before = SNW_POOL_ARRAY(scratch, double, points),
					.residuals = SNW_POOL_ARRAY(scratch, double, points)};
	snw_status status =
		scratch->failed ? SNW_ERROR_MEMORY : snk_samples_gather(all->input, m, scratch, &f->samples, &f->sample_count);
	if (!snk_failed(status) && f->sample_count > 0) {
		f->morphed_count = snk_samples_count_morphed(f->samples, f->sample_count);
		read_base(mesh, (uint32_t)f->values[INFLUENCES].numbers[0], f->current);
		status = gather_neighbours(scratch, f);
	}
	return status;
}

static snw_status copy_weights(const mesh_fit *f, snw_pool *pool, snk_base_skin_mesh *skin) {
	const uint32_t points = f->mesh->point_count;
	size_t count = 0;
	for (uint32_t i = 0; i < points; i++) {
		count += f->current[i].count;
	}
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1), *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
	double *weights = SNW_POOL_ARRAY(pool, double, count);
	if (pool->failed || count > UINT32_MAX) {
		return pool->failed ? SNW_ERROR_MEMORY : SNW_ERROR_LIMIT;
	}
	for (uint32_t i = 0; i < points; i++) {
		const influence_set *set = &f->current[i];
		memcpy(slots + offsets[i], set->slots, set->count * sizeof *slots);
		memcpy(weights + offsets[i], set->weights, set->count * sizeof *weights);
		offsets[i + 1] = offsets[i] + set->count;
	}
	skin->offsets = offsets;
	skin->slots = slots;
	skin->weights = weights;
	return SNW_OK;
}

static void report_mesh(fitting *all, uint32_t m, const mesh_fit *f) {
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		all->squares_before += f->residuals_before[i] * f->residuals_before[i] * f->sample_count;
		all->squares += f->residuals[i] * f->residuals[i] * f->sample_count;
	}
	all->weight += (double)f->mesh->point_count * f->sample_count;
	all->sample_count += f->sample_count;
	all->morphed_count += f->morphed_count;
	snk_field_propose(all->host, m, "residual", SNW_DOMAIN_POINTS, f->mesh->point_count, f->residuals);
}

/* A mesh without samples keeps its weights. */
static snw_status fit_mesh(fitting *all, uint32_t m, snk_base_skin_mesh *skin) {
	if (!skin->offsets || skin->point_count == 0) {
		return SNW_OK;
	}
	snw_pool scratch = snw_pool_open(all->host);
	mesh_fit f;
	snw_status status = open_mesh(all, m, &scratch, &f);
	if (!snk_failed(status) && f.sample_count > 0) {
		status = run_rounds(all, m, &f);
		status = snk_failed(status) ? status : copy_weights(&f, all->model_pool, skin);
		if (!snk_failed(status)) {
			report_mesh(all, m, &f);
		}
	}
	snw_pool_release(&scratch);
	return status;
}

static snw_status run(fitting *all, snk_base_skin *skin) {
	const snw_character_view *character = all->input->character;
	snw_status status = snk_base_skin_copy(character, all->model_pool, skin);
	snk_base_skin_mesh *meshes =
		snk_failed(status) ? NULL : SNW_POOL_ARRAY(all->model_pool, snk_base_skin_mesh, character->mesh_count);
	if (!meshes) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(meshes, skin->meshes, character->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = fit_mesh(all, m, &meshes[m]);
	}
	skin->meshes = meshes;
	if (!snk_failed(status) && all->weight == 0) {
		return snw_report_fail(all->host, SNW_ERROR_MISSING,
							   "no mesh with skin weights has an example, a target or a sequence with poses; add one with "
							   "'sinew example' or 'sinew target'");
	}
	if (!snk_failed(status)) {
		snk_samples_warn_of_morphs(all->host, all->morphed_count, all->sample_count);
		snw_report_line(all->host, SNW_LOG_INFO,
						"weights fitted to %u samples: root mean square distance %.4g mm, before %.4g mm", all->sample_count,
						1e3 * sqrt(all->squares / all->weight), 1e3 * sqrt(all->squares_before / all->weight));
	}
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_pool pool = snw_pool_open(instance->host);
	snk_skin_model *made = SNW_POOL_ARRAY(&pool, snk_skin_model, 1);
	fitting all = {.host = instance->host, .input = input, .model_pool = &pool};
	const snw_status status = made ? run(&all, &made->skin) : SNW_ERROR_MEMORY;
	if (snk_failed(status)) {
		snw_pool_release(&pool);
		return status;
	}
	made->pool = pool;
	*model = snk_skin_model_as_model(made);
	return SNW_OK;
}
