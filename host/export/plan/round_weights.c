/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds the weights of a mesh to multiples of 1/255, the form in which packers and the vertex formats of engines store them,
 * so that they have nothing left to round. The weights of a point keep the sum 255.
 *
 * Each weight is rounded up or down. Of the choices with that sum, the one is taken that moves the point least over some poses:
 * Σ_f |Σ_s δ_s T_s^f x|², with δ_s the change of weight s. Where no pose tells them apart, the largest remainders are rounded
 * up.
 *
 * What this costs is measured at those poses, with everything else as the file has it. If the request leaves the choice,
 * weights are rounded only where that costs next to nothing.
 */
#include <math.h>
#include <string.h>

#include "export/plan/passes.h"
#include "export/plan/plan.h"
#include "sinew/algebra.h"

/* ---- round weights ------------------------------------------------------------------------------------------------------- */

enum { STEPS = 255, MOST = 8, ROUNDED_MOMENTS = 12, MOST_POSES = 96 };

/* What rounding may cost where the request leaves the choice: of the file's error against the stack, and of the diagonal. */
static const double MOST_ADDED = 0.02, MOST_MOVED = 0.02e-2;

/* A pose, or a moment of one of the plan's clips. */
typedef struct rounding_moment {
	const snw_pose *pose;
	uint32_t clip; /* SNW_NONE: a pose */
} rounding_moment;

/* One mesh. */
typedef struct rounding {
	const snw_plan *plan;
	const snw_plan_mesh *mesh; /* with its exact weights */
	snw_plan_mesh rounded;     /* the same with rounded ones */
	uint32_t moment_count;
	rounding_moment *moments;
	const double **palettes; /* [moment_count][slots][12] */
} rounding;

/* The distances from the stack, over all meshes and moments. */
typedef struct rounding_cost {
	double coordinates, exact, rounded; /* sums of squares in units of half the diagonal, as in the file's erms */
} rounding_cost;

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
		snw_mat34_point(r->palettes[pose] + 12 * (size_t)(w->slots[s] - r->mesh->first_slot), rest, places[s]);
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
	for (uint32_t f = 0; f < r->moment_count; f++) {
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
	if (r->moment_count == 0 || w->count < 2 || w->missing == 0) {
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

/* ---- moments ------------------------------------------------------------------------------------------------------------- */

/* Named poses, unless the mesh follows proxy joints, which move in clips alone; and moments of the clips. */
static void choose_moments(rounding *r, snw_arena *arena) {
	const snw_plan *plan = r->plan;
	const snw_scene *scene = plan->scene;
	const uint32_t poses = r->mesh->proxy_count > 0 ? 0 : scene->pose_count, all = poses + ROUNDED_MOMENTS * plan->clip_count;
	const uint32_t stride = all > MOST_POSES ? (all + MOST_POSES - 1) / MOST_POSES : 1;
	r->moments = SNW_NEW_ARRAY(arena, rounding_moment, all / stride + 1);
	for (uint32_t i = 0; i < all; i += stride) {
		if (i < poses) {
			r->moments[r->moment_count] = (rounding_moment){&scene->poses[i], SNW_NONE};
			r->moment_count += plan->is_playable[i];
			continue;
		}
		const uint32_t clip = (i - poses) / ROUNDED_MOMENTS;
		const double fraction = ((i - poses) % ROUNDED_MOMENTS + 0.5) / ROUNDED_MOMENTS;
		const double seconds = scene->clips[plan->clips[clip]].duration_seconds * fraction;
		r->moments[r->moment_count++] = (rounding_moment){snw_clip_sampler_pose(plan->samplers[clip], seconds, arena), clip};
	}
}

static snw_status find_palettes(rounding *r, snw_arena *arena, snw_error *error) {
	r->palettes = SNW_NEW_ARRAY(arena, const double *, r->moment_count);
	for (uint32_t i = 0; i < r->moment_count; i++) {
		const snw_plan_instant at = {.seconds = r->moments[i].pose->seconds};
		const snw_pose_view *view;
		const snw_status status = snw_plan_drive(r->plan, r->moments[i].pose, arena, &view, error);
		if (snw_failed(status)) {
			return status;
		}
		r->palettes[i] = snw_plan_palette(r->plan, r->mesh, r->moments[i].clip, &at, view, arena);
	}
	return SNW_OK;
}

/* ---- what it costs ------------------------------------------------------------------------------------------------------- */

static double moved_squared(const double a[3], const double b[3]) {
	const double gap[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return snw_dot3(gap, gap);
}

/* At a moment that the stack is driven to. Returns the square of how far rounding moves a point. */
static double compare_points(const rounding *r, const double *palette, const double *truth, const double *rest,
							 rounding_cost *cost) {
	const double half = 0.5 * r->mesh->diagonal;
	const uint32_t points = r->mesh->mesh->point_count;
	double farthest = 0;
	for (size_t p = 0; p < points; p++) {
		double exact[3], rounded[3];
		snw_plan_play_point(r->mesh, palette, (uint32_t)p, rest + 3 * p, exact);
		snw_plan_play_point(&r->rounded, palette, (uint32_t)p, rest + 3 * p, rounded);
		farthest = fmax(farthest, moved_squared(exact, rounded));
		cost->exact += moved_squared(exact, truth + 3 * p) / (half * half);
		cost->rounded += moved_squared(rounded, truth + 3 * p) / (half * half);
	}
	cost->coordinates += 3.0 * points;
	return farthest;
}

static snw_status measure_cost(const rounding *r, rounding_cost *cost, snw_export_report *report, snw_arena *arena,
							   snw_error *error) {
	const size_t numbers = 3 * (size_t)r->mesh->mesh->point_count;
	double *truth = SNW_NEW_ARRAY(arena, double, numbers), *rest = SNW_NEW_ARRAY(arena, double, numbers);
	double *weights = SNW_NEW_ARRAY(arena, double, r->plan->weight_count), farthest = 0;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < r->moment_count && !snw_failed(status); i++) {
		snw_arena *scratch = snw_arena_create();
		const snw_pose_view *view;
		status = snw_plan_drive(r->plan, r->moments[i].pose, scratch, &view, error);
		if (!snw_failed(status)) {
			status = snw_stack_reference(r->plan->stack, r->plan->evaluation, r->mesh->index, NULL, truth, error);
		}
		if (!snw_failed(status)) {
			snw_plan_driven_weights(r->plan, weights);
			snw_plan_apply_morphs(r->mesh, weights, rest);
			farthest = fmax(farthest, compare_points(r, r->palettes[i], truth, rest, cost));
		}
		snw_arena_destroy(scratch);
	}
	report->rounding_max_metres = fmax(report->rounding_max_metres, sqrt(farthest));
	report->rounding_max_percent = fmax(report->rounding_max_percent, 100 * sqrt(farthest) / r->mesh->diagonal);
	return status;
}

/* ---- the pass ------------------------------------------------------------------------------------------------------------ */

static snw_status round_mesh(const snw_plan *plan, rounding *r, snw_arena *arena, snw_error *error) {
	const size_t influences = (size_t)r->mesh->mesh->point_count * r->mesh->width;
	r->rounded = *r->mesh;
	r->rounded.slots = SNW_NEW_ARRAY(plan->arena, uint32_t, influences);
	r->rounded.weights = SNW_NEW_ARRAY(plan->arena, float, influences);
	choose_moments(r, arena);
	const snw_status status = find_palettes(r, arena, error);
	for (uint32_t p = 0; p < r->mesh->mesh->point_count && !snw_failed(status); p++) {
		const point_weights w = round_down(r->mesh, p);
		store(&r->rounded, p, &w, choose(r, &w, p));
	}
	return status;
}

static double rounding_erms(double squares, const rounding_cost *cost) {
	return cost->coordinates > 0 ? 1000 * sqrt(squares / cost->coordinates) : 0;
}

/* Only players of floats have dual quaternions. */
static bool has_dual_quaternions(const snw_plan *plan) {
	bool any = false;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		any = any || plan->meshes[m].dual_quaternions;
	}
	return any;
}

snw_status snw_plan_round_weights(snw_plan *plan, snw_error *error) {
	if (plan->request->weights == SNW_WEIGHTS_EXACT || has_dual_quaternions(plan)) {
		return SNW_OK;
	}
	snw_arena *arena = snw_arena_create();
	rounding *all = SNW_NEW_ARRAY(arena, rounding, plan->mesh_count);
	rounding_cost cost = {0};
	snw_export_report *report = &plan->report;
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		all[m] = (rounding){.plan = plan, .mesh = &plan->meshes[m]};
		if (plan->meshes[m].placement == SNW_PLAN_SKINNED) {
			snw_arena *scratch = snw_arena_create();
			status = round_mesh(plan, &all[m], scratch, error);
			status = snw_failed(status) ? status : measure_cost(&all[m], &cost, report, scratch, error);
			snw_arena_destroy(scratch);
		}
	}
	report->exact_erms = rounding_erms(cost.exact, &cost);
	report->rounded_erms = rounding_erms(cost.rounded, &cost);
	const bool is_cheap =
		report->rounding_max_percent <= 100 * MOST_MOVED && report->rounded_erms <= (1 + MOST_ADDED) * report->exact_erms;
	report->has_rounded_weights = plan->request->weights == SNW_WEIGHTS_BYTES || is_cheap;
	for (uint32_t m = 0; m < plan->mesh_count && report->has_rounded_weights && !snw_failed(status); m++) {
		if (all[m].rounded.weights) {
			plan->meshes[m].slots = all[m].rounded.slots;
			plan->meshes[m].weights = all[m].rounded.weights;
		}
	}
	snw_arena_destroy(arena);
	return status;
}

/* ---- round points -------------------------------------------------------------------------------------------------------- */

/* The rest points and morph targets as a compressed file holds them, so that what is measured is what plays. A rigid mesh is
 * rounded in the space of its joint, where it is written. */

/* Maps numbers between rest space and the space in which the mesh is written, and rounds them there. */
typedef struct point_rounding {
	double to_node[12], from_node[12];
	int exponent;
} point_rounding;

static double find_largest(const double to_node[12], uint32_t count, const double *points) {
	double largest = 0;
	for (uint32_t p = 0; p < count; p++) {
		double mapped[3];
		snw_mat34_point(to_node, points + 3 * (size_t)p, mapped);
		for (int c = 0; c < 3; c++) {
			largest = fmax(largest, fabs(mapped[c]));
		}
	}
	return largest;
}

static void round_points(const snw_plan *plan, snw_plan_mesh *mesh, const point_rounding *r) {
	double *points = SNW_NEW_ARRAY(plan->arena, double, 3 * (size_t)mesh->mesh->point_count);
	for (uint32_t p = 0; p < mesh->mesh->point_count; p++) {
		double mapped[3];
		snw_mat34_point(r->to_node, mesh->points_rest + 3 * (size_t)p, mapped);
		for (int c = 0; c < 3; c++) {
			mapped[c] = snw_grid_round(mapped[c], r->exponent);
		}
		snw_mat34_point(r->from_node, mapped, points + 3 * (size_t)p);
	}
	mesh->points_rest = points;
}

/* As its first shape is written; the other side of a morph target has a grid of its own, which is no coarser than this one's
 * reach. */
static void round_shape(snw_plan_mesh *mesh, const snw_plan_shape *shape, const point_rounding *r) {
	const snw_plan_morph *morph = &mesh->morphs[shape->morph];
	double largest = 0;
	for (uint32_t i = 0; i < morph->count; i++) {
		double mapped[3];
		snw_mat34_vector(r->to_node, morph->vectors + 3 * (size_t)i, mapped);
		for (int c = 0; c < 3; c++) {
			largest = fmax(largest, fabs(shape->reach * mapped[c]));
		}
	}
	const int exponent = snw_grid_exponent(largest, SNW_GRID_BITS);
	for (uint32_t i = 0; i < morph->count; i++) {
		double mapped[3];
		snw_mat34_vector(r->to_node, morph->vectors + 3 * (size_t)i, mapped);
		for (int c = 0; c < 3; c++) {
			mapped[c] = snw_grid_round(shape->reach * mapped[c], exponent) / shape->reach;
		}
		snw_mat34_vector(r->from_node, mapped, morph->vectors + 3 * (size_t)i);
	}
}

void snw_plan_round_points(snw_plan *plan) {
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		snw_plan_mesh *mesh = &plan->meshes[m];
		point_rounding r;
		snw_mat34_identity(r.to_node);
		snw_mat34_identity(r.from_node);
		if (mesh->placement == SNW_PLAN_RIGID) {
			memcpy(r.to_node, plan->rig.slot_inverse_binds + 12 * (size_t)mesh->slot, sizeof r.to_node);
			if (!snw_mat34_invert(r.to_node, r.from_node)) {
				continue; /* refused when it is written */
			}
		}
		const double largest = find_largest(r.to_node, mesh->mesh->point_count, mesh->points_rest);
		r.exponent = snw_grid_exponent(largest, SNW_GRID_BITS);
		round_points(plan, mesh, &r);
		for (uint32_t s = 0; s < mesh->shape_count; s++) {
			if (s == 0 || mesh->shapes[s].morph != mesh->shapes[s - 1].morph) {
				round_shape(mesh, &mesh->shapes[s], &r);
			}
		}
	}
}
