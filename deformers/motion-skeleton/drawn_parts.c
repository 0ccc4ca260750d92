/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rigid parts of a drawn skeleton. A mask, which is a field with a bone's name, has the bone's core; without one the core
 * is the points that are clearly nearer to the bone than to any other. The cores' motions then decide which of the nearest
 * bones moves each other point, in a few rounds.
 *
 * Departure from section 4.1.4 of B. Merry's thesis: the nearest rigid motion of a core is found at once (Kabsch) instead of by
 * an affine fit, its polar decomposition and a second fit of the translation. It is nearer to the core, and determined for a
 * flat one. A reflection becomes a rotation by the vector of the smallest singular value, as there.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

enum { ROUNDS = 4, CANDIDATES = 4, GRAIN = 64 };

/* Bones nearer than `reach` times the nearest may move a point. It is in a core if no other is nearer than `is_clear` times
 * it. */
static const double reach = 3, is_clear = 1.3;

/* Where motion says little the nearest bone moves a point: this part of its distance counts as an error. */
static const double nearness = 1e-3;

/* A point is outside a mask that is not larger there. */
static const double outside = 0.5;

/* The bones that may move a point, the nearest first. */
typedef struct near_bones {
	uint32_t count;
	uint32_t bones[CANDIDATES];
	double distances[CANDIDATES];
} near_bones;

typedef struct guide {
	skeleton_fit *f;
	const double *masks[MOST_BONES]; /* [point_count], NULL for a bone without one */
	near_bones *near;                /* [point_count] */
	uint32_t *found;                 /* [point_count]: labels of the next round */
	double *errors;                  /* [point_count]: mean squared distances from the parts */
} guide;

/* ---- what is near -------------------------------------------------------------------------------------------------------- */

static double distance_to(const double ends[2][3], const double point[3]) {
	double along[3], away[3];
	for (int c = 0; c < 3; c++) {
		along[c] = ends[1][c] - ends[0][c];
		away[c] = point[c] - ends[0][c];
	}
	const double square = snw_dot3(along, along);
	const double share = square > 0 ? fmin(fmax(snw_dot3(along, away) / square, 0), 1) : 0;
	for (int c = 0; c < 3; c++) {
		away[c] -= share * along[c];
	}
	return snw_length3(away);
}

static void add_near(near_bones *near, uint32_t bone, double distance) {
	uint32_t at = near->count < CANDIDATES ? near->count++ : CANDIDATES;
	for (; at > 0 && near->distances[at - 1] > distance; at--) {
		if (at < CANDIDATES) {
			near->bones[at] = near->bones[at - 1];
			near->distances[at] = near->distances[at - 1];
		}
	}
	if (at < CANDIDATES) {
		near->bones[at] = bone;
		near->distances[at] = distance;
	}
}

static void SNW_CALL find_near(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const guide *g = argument;
	const drawing *d = &g->f->drawing;
	for (uint32_t i = begin; i < end; i++) {
		near_bones *near = &g->near[i];
		const double *point = g->f->motion.points_rest + 3 * (size_t)i;
		uint32_t masked = SNW_NONE, line = 0;
		for (uint32_t b = 0; b < d->bone_count; b++) {
			double distance = INFINITY;
			for (; line < d->line_count && d->line_bones[line] == b; line++) {
				distance = fmin(distance, distance_to((const double(*)[3])d->lines[line], point));
			}
			add_near(near, b, distance);
			if (g->masks[b] && g->masks[b][i] > (masked == SNW_NONE ? outside : g->masks[masked][i])) {
				masked = b;
			}
		}
		while (near->distances[near->count - 1] > reach * near->distances[0]) {
			near->count--;
		}
		if (masked != SNW_NONE) {
			*near = (near_bones){.count = 1, .bones = {masked}};
		}
		g->f->labels[i] = near->bones[0];
	}
}

static snw_status find_masks(guide *g) {
	snw_status status = SNW_OK;
	for (uint32_t b = 0; !snk_failed(status) && b < g->f->drawing.bone_count; b++) {
		status = g->f->drawing.names[b] ? body_mask(g->f, g->f->drawing.names[b], &g->masks[b]) : SNW_OK;
	}
	return status;
}

/* ---- cores --------------------------------------------------------------------------------------------------------------- */

/* Whether a point is in the core of its label. */
static int is_core(const guide *g, uint32_t point) {
	const near_bones *near = &g->near[point];
	const uint32_t label = g->f->labels[point];
	return g->masks[label] ? g->masks[label][point] > outside
						   : near->count == 1 || near->distances[1] > is_clear * near->distances[0];
}

static snw_status fail_empty(const snw_host *host, const char *bone, int has_mask) {
	return has_mask ? snw_report_fail(
						  host, SNW_ERROR_DATA,
						  "bone %s of the drawing has no points, because other bones' masks are larger at all points of its "
						  "mask; paint the masks so that they do not overlap",
						  bone)
					: snw_report_fail(
						  host, SNW_ERROR_DATA,
						  "bone %s of the drawing has no points, because others are nearer to all; remove it, or paint a mask "
						  "of its name",
						  bone);
}

/* Weights that only cores have, or all points if `cores_only` is 0. A bone without a core takes all its points. */
static snw_status weigh(const guide *g, int cores_only) {
	const skeleton_fit *f = g->f;
	uint32_t cores[MOST_BONES] = {0}, all[MOST_BONES] = {0};
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		all[f->labels[i]]++;
		cores[f->labels[i]] += (uint32_t)is_core(g, i);
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		if (all[b] == 0) {
			char number[24];
			snprintf(number, sizeof number, "number %u", b + 1);
			return fail_empty(f->host, f->drawing.names[b] ? f->drawing.names[b] : number, g->masks[b] != NULL);
		}
	}
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		const uint32_t label = f->labels[i];
		const int counts = (!cores_only && !g->masks[label]) || cores[label] == 0 || is_core(g, i);
		f->weights[i] = (influence_set){.count = counts ? 1 : 0, .bones = {label}, .weights = {1}};
	}
	return SNW_OK;
}

/* parts, of the points with weights. */
static snw_status fit_parts(const guide *g) {
	skeleton_fit *f = g->f;
	const snw_status status = gather_moments(f);
	for (uint32_t frame = 0; !snk_failed(status) && frame < f->frame_count; frame++) {
		for (uint32_t b = 0; b < f->bone_count; b++) {
			const size_t at = (size_t)frame * f->bone_count + b;
			nearest_rigid(f->moments.rest[(size_t)b * f->bone_count + b], f->moments.posed[at], &f->parts[at]);
		}
	}
	return status;
}

/* ---- by motion ----------------------------------------------------------------------------------------------------------- */

/* The mean squared distance of a point from where a bone's part moves it. */
static double motion_error(const skeleton_fit *f, uint32_t point, uint32_t bone) {
	double sum = 0, posed[3], target[3];
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		snw_mat34_point(f->parts[(size_t)frame * f->bone_count + bone].m, f->motion.points_rest + 3 * (size_t)point, posed);
		frame_point(f, frame, point, target);
		sum += snw_squared_distance3(posed, target);
	}
	return sum / f->frame_count;
}

static void SNW_CALL find_labels(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const guide *g = argument;
	for (uint32_t i = begin; i < end; i++) {
		const near_bones *near = &g->near[i];
		double least = INFINITY;
		for (uint32_t k = 0; k < near->count; k++) {
			const double distance = nearness * near->distances[k];
			const double error = motion_error(g->f, i, near->bones[k]) + distance * distance;
			if (error < least) {
				least = error;
				g->found[i] = near->bones[k];
			}
		}
	}
}

/* A bone that would lose all its points keeps those that it has. */
static void take_labels(const guide *g) {
	skeleton_fit *f = g->f;
	uint32_t counts[MOST_BONES] = {0};
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		counts[g->found[i]]++;
	}
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		f->labels[i] = counts[f->labels[i]] > 0 ? g->found[i] : f->labels[i];
	}
}

/* A bone that the blend took elsewhere keeps the part that it had, and one with a mask that of its core. */
static int keeps_its_part(const guide *g, const uint32_t *all, const uint32_t *kept, size_t bone) {
	return g->masks[bone] || 2 * kept[bone] < all[bone];
}

/* Points near a joint follow two bones, so parts are those of a blend, but for bones that keep their own: they neither gain
 * points nor lose any, so that no bone ends without. */
static snw_status blend_parts(const guide *g) {
	skeleton_fit *f = g->f;
	const size_t points = f->motion.point_count, motions = (size_t)f->frame_count * f->bone_count;
	uint32_t *labels = SNW_POOL_ARRAY(&f->pool, uint32_t, points), all[MOST_BONES] = {0}, kept[MOST_BONES] = {0};
	rigid *parts = SNW_POOL_ARRAY(&f->pool, rigid, motions);
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(labels, f->labels, points * sizeof *labels);
	memcpy(parts, f->parts, motions * sizeof *parts);
	const snw_status status = refine_parts(f);
	for (size_t i = 0; i < points; i++) {
		all[labels[i]]++;
		kept[labels[i]] += f->labels[i] == labels[i];
	}
	for (size_t i = 0; i < points; i++) {
		const uint32_t label = f->labels[i];
		const int stays = keeps_its_part(g, all, kept, labels[i]) || keeps_its_part(g, all, kept, label);
		f->labels[i] = stays ? labels[i] : label;
	}
	for (size_t k = 0; k < motions; k++) {
		f->parts[k] = keeps_its_part(g, all, kept, k % f->bone_count) ? parts[k] : f->parts[k];
	}
	return status;
}

static void SNW_CALL find_errors(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const guide *g = argument;
	for (uint32_t i = begin; i < end; i++) {
		g->errors[i] = motion_error(g->f, i, g->f->labels[i]);
	}
}

static snw_status measure_parts(guide *g) {
	skeleton_fit *f = g->f;
	const uint32_t points = f->motion.point_count;
	const snw_status status =
		go_on(f, 0.5, "measuring drawn bones") ? run_in_slabs(f, points, GRAIN, find_errors, g) : SNW_CANCELLED;
	double sum = 0;
	for (uint32_t i = 0; !snk_failed(status) && i < points; i++) {
		sum += g->errors[i];
	}
	f->parts_rms = sqrt(sum / points);
	return status;
}

static snw_status refine(const guide *g) {
	skeleton_fit *f = g->f;
	snw_status status = weigh(g, 1);
	status = snk_failed(status) ? status : fit_parts(g);
	for (int round = 0; !snk_failed(status) && round < ROUNDS; round++) {
		if (!go_on(f, 0.05 * round / ROUNDS, "moving drawn bones")) {
			return SNW_CANCELLED;
		}
		status = run_in_slabs(f, f->motion.point_count, GRAIN, find_labels, (void *)(uintptr_t)g);
		if (!snk_failed(status)) {
			take_labels(g);
			status = weigh(g, 0);
		}
		status = snk_failed(status) ? status : fit_parts(g);
	}
	return status;
}

snw_status follow_drawing(skeleton_fit *f) {
	guide g = {.f = f};
	f->bone_count = f->drawing.bone_count;
	g.near = SNW_POOL_ARRAY(&f->pool, near_bones, f->motion.point_count);
	g.found = SNW_POOL_ARRAY(&f->pool, uint32_t, f->motion.point_count);
	g.errors = SNW_POOL_ARRAY(&f->pool, double, f->motion.point_count);
	snw_status status = f->pool.failed ? SNW_ERROR_MEMORY : open_points(f);
	status = snk_failed(status) ? status : open_motions(f);
	status = snk_failed(status) ? status : open_moments(f);
	if (snk_failed(status)) {
		return status;
	}
	status = find_masks(&g);
	status = snk_failed(status) ? status : run_in_slabs(f, f->motion.point_count, GRAIN, find_near, &g);
	status = snk_failed(status) ? status : refine(&g);
	status = snk_failed(status) ? status : blend_parts(&g);
	return snk_failed(status) ? status : measure_parts(&g);
}
