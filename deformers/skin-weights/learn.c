/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights from motion: non-negative least squares over the bones that heat gives each point.
 */
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/fit/ranges.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/status.h"
#include "skin-weights/fit.h"

enum { GRAIN = 64 };

typedef struct learning {
	const weights_fit *f;
	const snw_mesh_view *mesh;
	uint32_t sample_count;
	const snk_sample *samples;
	influence_set *sets;
} learning;

/* Mean products of what each bone alone would leave. */
static void make_gram(const learning *l, uint32_t point, const influence_set *set, double *gram) {
	const double *rest = l->mesh->points_rest + 3 * (size_t)point;
	double residuals[KEPT][3], target[3];
	memset(gram, 0, sizeof(double) * set->count * set->count);
	for (uint32_t s = 0; s < l->sample_count; s++) {
		snk_sample_point(&l->samples[s], point, target);
		for (uint32_t a = 0; a < set->count; a++) {
			snw_mat34_point(l->samples[s].pose->palette + 12 * (size_t)set->slots[a], rest, residuals[a]);
			for (int c = 0; c < 3; c++) {
				residuals[a][c] -= target[c];
			}
			for (uint32_t b = 0; b <= a; b++) {
				gram[a * set->count + b] += snw_dot3(residuals[a], residuals[b]) / l->sample_count;
			}
		}
	}
	for (uint32_t a = 0; a < set->count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			gram[b * set->count + a] = gram[a * set->count + b];
		}
	}
}

static void learn_point(const learning *l, uint32_t point) {
	influence_set *set = &l->sets[point];
	const snw_value *values = l->f->input->values;
	const double ridge = values[RIDGE].numbers[0] * l->f->diagonal * l->f->diagonal;
	double gram[KEPT * KEPT], right[KEPT];
	snk_nnls_support start = {.count = 1};
	snk_nnls_solution solution;
	make_gram(l, point, set, gram);
	for (uint32_t a = 0; a < set->count; a++) {
		gram[a * set->count + a] += ridge;
		right[a] = ridge * set->weights[a];
	}
	const snk_nnls_problem problem = {.count = set->count, .gram = gram, .right = right};
	snk_nnls_search(&problem, (uint32_t)values[INFLUENCES].numbers[0], 1, &start, &solution);
	influence_set found = {.count = solution.count};
	for (uint32_t k = 0; k < solution.count; k++) {
		found.slots[k] = set->slots[solution.support[k]];
		found.weights[k] = solution.weights[k];
	}
	*set = found;
}

static void SNW_CALL learn_points(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		learn_point(argument, i);
	}
}

snw_status learn_weights(weights_fit *f, uint32_t mesh, influence_set *sets, int *learned) {
	snw_pool pool = snw_pool_open(f->host);
	snk_sample *samples = NULL;
	uint32_t count = 0;
	snw_status status = snk_samples_gather(f->input, mesh, &pool, &samples, &count);
	*learned = !snk_failed(status) && count > 0;
	if (*learned) {
		const snk_stretch stretch = {progress_at(f, 0.7), progress_at(f, 1), "learning from motion"};
		f->sample_count += count;
		f->morphed_count += snk_samples_count_morphed(samples, count);
		learning l = {f, f->input->character->meshes[mesh], count, samples, sets};
		status = snk_ranges_run_reported(f->host, l.mesh->point_count, GRAIN, learn_points, &l, &stretch);
	}
	snw_pool_release(&pool);
	return status;
}
