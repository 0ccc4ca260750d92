/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds the weights of a mesh to multiples of 1/255, the form in which packers and the vertex formats of engines store them,
 * so that they have nothing left to round. The weights of a point keep the sum 255.
 *
 * Each weight is rounded up or down. Of the choices with that sum, the one is taken that moves the point least over some poses:
 * Σ_f |Σ_s δ_s T_s^f x|², with δ_s the change of weight s. Where no pose tells them apart, the largest remainders are rounded
 * up.
 */
#include <math.h>
#include <string.h>

#include "export/plan/passes.h"
#include "sinew/algebra.h"

enum { STEPS = 255, MOST = 8, MOMENTS = 12, MOST_POSES = 96 };

typedef struct rounding {
	snw_plan_mesh *mesh;
	uint32_t pose_count;
	const double **palettes; /* [pose_count][slots][12] */
	double farthest;         /* squared, of all points and poses */
} rounding;

/* The weights of one point. */
typedef struct point_weights {
	uint32_t count;
	const uint32_t *slots;
	uint32_t floors[MOST];
	double remainders[MOST]; /* 0 to 1: what rounding down takes away, in steps */
	uint32_t missing;        /* how many are rounded up */
} point_weights;

static point_weights round_down(const snw_plan_mesh *mesh, uint32_t point) {
	const size_t first = (size_t)point * mesh->width;
	point_weights w = {.slots = mesh->slots + first};
	uint32_t sum = 0;
	while (w.count < mesh->width && mesh->weights[first + w.count] > 0) {
		const double steps = STEPS * (double)mesh->weights[first + w.count];
		w.floors[w.count] = (uint32_t)steps;
		w.remainders[w.count] = steps - floor(steps);
		sum += w.floors[w.count++];
	}
	w.missing = sum < STEPS ? STEPS - sum : 0;
	return w;
}

/* The subset of the largest remainders, as bits. */
static uint32_t largest_remainders(const point_weights *w) {
	uint32_t chosen = 0;
	for (uint32_t i = 0; i < w->missing && i < w->count; i++) {
		uint32_t best = SNW_NONE;
		for (uint32_t s = 0; s < w->count; s++) {
			const bool is_free = !(chosen >> s & 1);
			best = is_free && (best == SNW_NONE || w->remainders[s] > w->remainders[best]) ? s : best;
		}
		chosen |= 1u << best;
	}
	return chosen;
}

/* Where each influence alone puts the point at a pose, relative to where the first one does. */
static void place_influences(const rounding *r, const point_weights *w, uint32_t point, uint32_t pose, double (*places)[3]) {
	const double *rest = r->mesh->points_rest + 3 * (size_t)point;
	for (uint32_t s = 0; s < w->count; s++) {
		snw_mat34_point(r->palettes[pose] + 12 * (size_t)w->slots[s], rest, places[s]);
	}
	for (uint32_t s = w->count; s-- > 0;) {
		for (int c = 0; c < 3; c++) {
			places[s][c] -= places[0][c];
		}
	}
}

/* G_st = Σ_f of the scalar products of the places of s and t. */
static void sum_products(const rounding *r, const point_weights *w, uint32_t point, double g[MOST][MOST]) {
	double places[MOST][3];
	memset(g, 0, sizeof(double[MOST][MOST]));
	for (uint32_t f = 0; f < r->pose_count; f++) {
		place_influences(r, w, point, f, places);
		for (uint32_t s = 0; s < w->count; s++) {
			for (uint32_t t = 0; t <= s; t++) {
				g[s][t] += snw_dot3(places[s], places[t]);
			}
		}
	}
}

static double change_of(const point_weights *w, uint32_t chosen, uint32_t s) {
	return ((chosen >> s & 1) - w->remainders[s]) / STEPS;
}

static double cost_of(const point_weights *w, double g[MOST][MOST], uint32_t chosen) {
	double cost = 0;
	for (uint32_t s = 0; s < w->count; s++) {
		const double change = change_of(w, chosen, s);
		cost += change * change * g[s][s];
		for (uint32_t t = 0; t < s; t++) {
			cost += 2 * change * change_of(w, chosen, t) * g[s][t];
		}
	}
	return cost;
}

static uint32_t choose(const rounding *r, const point_weights *w, uint32_t point) {
	double g[MOST][MOST];
	uint32_t best = largest_remainders(w);
	if (r->pose_count == 0 || w->count < 2 || w->missing == 0) {
		return best;
	}
	sum_products(r, w, point, g);
	double least = cost_of(w, g, best);
	for (uint32_t chosen = 0; chosen < 1u << w->count; chosen++) {
		if ((uint32_t)__builtin_popcount(chosen) != w->missing) {
			continue;
		}
		const double cost = cost_of(w, g, chosen);
		if (cost < least * (1 - 1e-9)) {
			best = chosen;
			least = cost;
		}
	}
	return best;
}

static void find_farthest(rounding *r, const point_weights *w, uint32_t point, uint32_t chosen) {
	double places[MOST][3];
	for (uint32_t f = 0; f < r->pose_count; f++) {
		double gap[3] = {0};
		place_influences(r, w, point, f, places);
		for (uint32_t s = 0; s < w->count; s++) {
			for (int c = 0; c < 3; c++) {
				gap[c] += change_of(w, chosen, s) * places[s][c];
			}
		}
		r->farthest = fmax(r->farthest, snw_dot3(gap, gap));
	}
}

/* Largest first; those of weight 0 last. */
static void store(snw_plan_mesh *mesh, uint32_t point, const point_weights *w, uint32_t chosen) {
	uint32_t slots[MOST], steps[MOST], count = 0;
	for (uint32_t s = 0; s < w->count; s++) {
		const uint32_t value = w->floors[s] + (chosen >> s & 1), slot = w->slots[s];
		uint32_t at = count;
		while (at > 0 && steps[at - 1] < value) {
			slots[at] = slots[at - 1];
			steps[at] = steps[at - 1];
			at--;
		}
		slots[at] = slot;
		steps[at] = value;
		count += value > 0;
	}
	const size_t first = (size_t)point * mesh->width;
	for (uint32_t i = 0; i < mesh->width; i++) {
		mesh->slots[first + i] = i < count ? slots[i] : 0;
		mesh->weights[first + i] = i < count ? (float)steps[i] / STEPS : 0;
	}
}

/* The palettes of named poses and of moments of the clips. */
static snw_status find_palettes(const snw_plan *plan, rounding *r, snw_arena *arena, snw_error *error) {
	const snw_scene *scene = plan->scene;
	const snw_pose **poses =
		SNW_NEW_ARRAY(arena, const snw_pose *, (size_t)scene->pose_count + MOMENTS * (size_t)plan->clip_count);
	uint32_t count = 0;
	for (uint32_t p = 0; p < scene->pose_count; p++) {
		if (plan->is_playable[p]) {
			poses[count++] = &scene->poses[p];
		}
	}
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		for (int i = 0; i < MOMENTS; i++) {
			const double seconds = scene->clips[plan->clips[c]].duration_seconds * (i + 0.5) / MOMENTS;
			poses[count++] = snw_clip_sampler_pose(plan->samplers[c], seconds, arena);
		}
	}
	const uint32_t stride = count > MOST_POSES ? (count + MOST_POSES - 1) / MOST_POSES : 1;
	r->palettes = SNW_NEW_ARRAY(arena, const double *, count);
	for (uint32_t i = 0; i < count; i += stride) {
		const snw_pose_view *view;
		const snw_status status = snw_plan_drive(plan, poses[i], arena, &view, error);
		if (snw_failed(status)) {
			return status;
		}
		r->palettes[r->pose_count++] = snw_plan_palette(plan, r->mesh, SNW_NONE, NULL, view, arena);
	}
	return SNW_OK;
}

snw_status snw_plan_round_weights(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error) {
	rounding r = {.mesh = mesh};
	snw_arena *arena = snw_arena_create();
	/* Proxy joints are fitted later, to the rounded weights. */
	const snw_status status = mesh->proxy_count > 0 ? SNW_OK : find_palettes(plan, &r, arena, error);
	for (uint32_t p = 0; p < mesh->mesh->point_count && !snw_failed(status); p++) {
		const point_weights w = round_down(mesh, p);
		const uint32_t chosen = choose(&r, &w, p);
		find_farthest(&r, &w, p, chosen);
		store(mesh, p, &w, chosen);
	}
	snw_export_report *report = &plan->report;
	report->rounding_max_metres = fmax(report->rounding_max_metres, sqrt(r.farthest));
	report->rounding_max_percent = fmax(report->rounding_max_percent, 100 * sqrt(r.farthest) / mesh->diagonal);
	snw_arena_destroy(arena);
	return status;
}
