/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which slots may move each point: those that the skin has, or those that explain the samples best, and those of the rings
 * around it. A slot from elsewhere may happen to move alike in the samples; it would not in other poses. A point that the mask
 * leaves out always has those of its skin.
 */
#include <math.h>

#include "animation-space/animation-space.h"
#include "sinew/algebra.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"

enum { GRAIN = 64 };

/* The set of a point while it grows. Slots of the skin come first and stay; the others are sorted by falling score. */
typedef struct growing_set {
	uint32_t count, kept;
	uint32_t *slots; /* [capacity] */
	double *weights; /* [capacity]: of the linear blend to start from */
	double *scores;  /* [capacity] */
} growing_set;

typedef struct growth {
	mesh_fit *f;
	uint32_t capacity;
	growing_set *sets;       /* [point_count] */
	uint32_t *best;          /* [point_count]: the single slot that explains the samples best; for SETS_FROM_MOTION */
	double *scores, *spread; /* [point_count]: of one slot */
} growth;

static int is_from_motion(const mesh_fit *f) {
	return f->values[SETS].numbers[0] == SETS_FROM_MOTION;
}

static int starts_from_skin(const mesh_fit *f, uint32_t point) {
	return !is_from_motion(f) || f->shares[point] == 0;
}

static snw_status open_growth(snw_pool *pool, mesh_fit *f, growth *g) {
	const uint32_t *offsets = f->mesh->influence_offsets, points = f->mesh->point_count;
	*g = (growth){.f = f, .capacity = (uint32_t)f->values[INFLUENCES].numbers[0]};
	for (uint32_t i = 0; i < points; i++) {
		const uint32_t count = starts_from_skin(f, i) ? offsets[i + 1] - offsets[i] : 0;
		g->capacity = count > g->capacity ? count : g->capacity;
	}
	const size_t total = (size_t)points * g->capacity;
	g->sets = SNW_POOL_ARRAY(pool, growing_set, points);
	g->best = SNW_POOL_ARRAY(pool, uint32_t, points);
	g->scores = SNW_POOL_ARRAY(pool, double, points);
	g->spread = SNW_POOL_ARRAY(pool, double, points);
	uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, total);
	double *numbers = SNW_POOL_ARRAY(pool, double, 2 * total);
	for (uint32_t i = 0; !pool->failed && i < points; i++) {
		const size_t at = (size_t)i * g->capacity;
		g->sets[i] = (growing_set){.slots = slots + at, .weights = numbers + at, .scores = numbers + total + at};
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static void keep_skin(growth *g) {
	const snw_mesh_view *mesh = g->f->mesh;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		growing_set *set = &g->sets[i];
		const uint32_t end = starts_from_skin(g->f, i) ? mesh->influence_offsets[i + 1] : mesh->influence_offsets[i];
		for (uint32_t k = mesh->influence_offsets[i]; k < end; k++) {
			if (mesh->influence_weights[k] != 0) {
				set->slots[set->count] = mesh->influence_slots[k];
				set->weights[set->count++] = mesh->influence_weights[k];
			}
		}
		set->kept = set->count;
	}
}

/* ---- from motion --------------------------------------------------------------------------------------------------------- */

static double distance_alone(const mesh_fit *f, uint32_t point, uint32_t slot, double most) {
	double sum = 0;
	for (uint32_t s = 0; s < f->sample_count && sum < most; s++) {
		double posed[3], wanted[3];
		snw_mat34_point(f->samples[s].pose->palette + (size_t)12 * slot, f->mesh->points_rest + (size_t)3 * point, posed);
		snk_sample_point(&f->samples[s], point, wanted);
		sum += snw_squared_distance3(posed, wanted);
	}
	return sum;
}

static void SNW_CALL find_best_slots(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const growth *g = argument;
	for (uint32_t i = begin; i < end; i++) {
		double least = INFINITY;
		for (uint32_t slot = 0; slot < g->f->character->slot_count; slot++) {
			const double sum = distance_alone(g->f, i, slot, least);
			if (sum < least) {
				least = sum;
				g->best[i] = slot;
			}
		}
	}
}

/* ---- rings --------------------------------------------------------------------------------------------------------------- */

static void read_scores(const growth *g, uint32_t slot) {
	for (uint32_t i = 0; i < g->f->mesh->point_count; i++) {
		const growing_set *set = &g->sets[i];
		g->scores[i] = !starts_from_skin(g->f, i) && g->best[i] == slot;
		for (uint32_t k = 0; k < set->kept; k++) {
			g->scores[i] += set->slots[k] == slot ? set->weights[k] : 0;
		}
	}
}

/* Each point gets half its own score and half the mean of its neighbours'. */
static void spread_scores(growth *g) {
	const snk_adjacency *edges = &g->f->surface.edges;
	for (uint32_t i = 0; i < edges->point_count; i++) {
		const uint32_t first = edges->offsets[i], end = edges->offsets[i + 1];
		double sum = 0;
		for (uint32_t k = first; k < end; k++) {
			sum += g->scores[edges->neighbours[k]];
		}
		g->spread[i] = end > first ? 0.5 * (g->scores[i] + sum / (end - first)) : g->scores[i];
	}
	double *spread = g->spread;
	g->spread = g->scores;
	g->scores = spread;
}

static void offer(growing_set *set, uint32_t most, uint32_t slot, double score) {
	for (uint32_t k = 0; k < set->kept; k++) {
		if (set->slots[k] == slot) {
			return;
		}
	}
	if (set->kept < most) {
		uint32_t count = set->count - set->kept;
		snk_keep_influence(most - set->kept, slot, score, &count, set->slots + set->kept, set->scores + set->kept);
		set->count = set->kept + count;
	}
}

static snw_status grow(growth *g) {
	const mesh_fit *f = g->f;
	const uint32_t rings = (uint32_t)f->values[RINGS].numbers[0], most = (uint32_t)f->values[INFLUENCES].numbers[0];
	for (uint32_t slot = 0; slot < f->character->slot_count; slot++) {
		if (!report_step(f, "spreading influences", 0.15 + 0.05 * slot / f->character->slot_count)) {
			return SNW_CANCELLED;
		}
		read_scores(g, slot);
		for (uint32_t ring = 0; ring < rings; ring++) {
			spread_scores(g);
		}
		for (uint32_t i = 0; i < f->mesh->point_count; i++) {
			if (g->scores[i] > 0) {
				offer(&g->sets[i], most, slot, g->scores[i]);
			}
		}
	}
	return SNW_OK;
}

/* Without a skin the scores themselves are the blend to start from. */
static void weigh_by_scores(growth *g) {
	for (uint32_t i = 0; i < g->f->mesh->point_count; i++) {
		growing_set *set = &g->sets[i];
		double sum = 0;
		if (starts_from_skin(g->f, i)) {
			continue;
		}
		for (uint32_t k = 0; k < set->count; k++) {
			sum += set->scores[k];
		}
		for (uint32_t k = 0; k < set->count; k++) {
			set->weights[k] = set->scores[k] / sum;
		}
	}
}

/* ---- the sets ------------------------------------------------------------------------------------------------------------ */

static snw_status store_sets(snw_pool *pool, growth *g) {
	const uint32_t points = g->f->mesh->point_count;
	size_t count = 0;
	for (uint32_t i = 0; i < points; i++) {
		count += g->sets[i].count;
	}
	influence_sets *sets = &g->f->sets;
	*sets = (influence_sets){.offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1),
							 .slots = SNW_POOL_ARRAY(pool, uint32_t, count),
							 .weights = SNW_POOL_ARRAY(pool, double, count),
							 .pivots = SNW_POOL_ARRAY(pool, uint32_t, points),
							 .unknowns = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1)};
	if (pool->failed || count > UINT32_MAX / 4) {
		return pool->failed ? SNW_ERROR_MEMORY : SNW_ERROR_LIMIT;
	}
	for (uint32_t i = 0; i < points; i++) {
		growing_set *set = &g->sets[i];
		snk_sort_influences(set->count, set->slots, set->weights);
		memcpy(sets->slots + sets->offsets[i], set->slots, set->count * sizeof *set->slots);
		memcpy(sets->weights + sets->offsets[i], set->weights, set->count * sizeof *set->weights);
		for (uint32_t k = 1; k < set->count; k++) {
			sets->pivots[i] = set->weights[k] > set->weights[sets->pivots[i]] ? k : sets->pivots[i];
		}
		sets->offsets[i + 1] = sets->offsets[i] + set->count;
		const int is_fitted = set->count > 0 && g->f->shares[i] > 0;
		sets->unknowns[i + 1] = sets->unknowns[i] + (is_fitted ? 4 * set->count - 1 : 0);
	}
	return SNW_OK;
}

snw_status find_influence_sets(snw_pool *pool, mesh_fit *f) {
	growth g;
	snw_status status = open_growth(pool, f, &g);
	if (!snk_failed(status)) {
		keep_skin(&g);
	}
	if (!snk_failed(status) && is_from_motion(f)) {
		const snk_stretch stretch = {0.1, 0.15, "finding joints"};
		status = run_step(f, f->mesh->point_count, GRAIN, find_best_slots, &g, &stretch);
	}
	status = snk_failed(status) ? status : grow(&g);
	if (snk_failed(status)) {
		return status;
	}
	weigh_by_scores(&g);
	return store_sets(pool, &g);
}
