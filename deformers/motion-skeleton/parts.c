/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "motion-skeleton/motion-skeleton.h"
#include "motion/decompose.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

/* ---- labels in one piece ------------------------------------------------------------------------------------------------- */

/* Rigid parts of a motion. */

/* Labels in one piece each, as far as the surface goes. Parts that move alike get one label however far apart they are, such as
 * two ears; the largest piece of a label keeps it, and the labels around the other pieces grow over them. A shell, which is all
 * that the surface connects, has no labels around it: where all its pieces would go, its largest stays. So a cloud of points
 * keeps its labels. */

/* Sets of connected points: pieces, of one label each, or shells, of any. */
typedef struct pieces {
	uint32_t count;
	uint32_t *of_point; /* [point_count] */
	uint32_t *firsts;   /* [count]: a point of each */
	double *areas;      /* [count] */
} pieces;

static void flood(const skeleton_fit *f, uint32_t seed, int any_label, pieces *p, uint32_t *queue) {
	uint32_t begin = 0, end = 0;
	queue[end++] = seed;
	p->of_point[seed] = p->count;
	p->firsts[p->count] = seed;
	p->areas[p->count] = 0;
	while (begin < end) {
		const uint32_t i = queue[begin++];
		p->areas[p->count] += f->areas[i];
		for (uint32_t k = f->rings.offsets[i]; k < f->rings.offsets[i + 1]; k++) {
			const uint32_t other = f->rings.neighbours[k];
			if (p->of_point[other] == SNW_NONE && (any_label || f->labels[other] == f->labels[seed])) {
				p->of_point[other] = p->count;
				queue[end++] = other;
			}
		}
	}
	p->count++;
}

static void find_pieces(const skeleton_fit *f, int any_label, pieces *p, uint32_t *queue) {
	const uint32_t points = f->motion.point_count;
	memset(p->of_point, 0xff, points * sizeof *p->of_point);
	for (uint32_t i = 0; i < points; i++) {
		if (p->of_point[i] == SNW_NONE) {
			flood(f, i, any_label, p, queue);
		}
	}
}

static pieces open_pieces(uint32_t points, snw_pool *pool) {
	return (pieces){.of_point = SNW_POOL_ARRAY(pool, uint32_t, points),
					.firsts = SNW_POOL_ARRAY(pool, uint32_t, points),
					.areas = SNW_POOL_ARRAY(pool, double, points)};
}

/* ---- which pieces go ----------------------------------------------------------------------------------------------------- */

static uint32_t larger(const pieces *p, uint32_t a, uint32_t b) {
	return a == SNW_NONE || p->areas[b] > p->areas[a] ? b : a;
}

/* kept [piece]: the largest of each label, and of each shell that would have none. `largest` [piece] is scratch. */
static void choose_kept(const skeleton_fit *f, const pieces *p, const pieces *shells, uint32_t *largest, unsigned char *kept) {
	memset(largest, 0xff, f->bone_count * sizeof *largest);
	for (uint32_t n = 0; n < p->count; n++) {
		uint32_t *best = &largest[f->labels[p->firsts[n]]];
		*best = larger(p, *best, n);
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		if (largest[b] != SNW_NONE) {
			kept[largest[b]] = 1;
		}
	}
	memset(largest, 0xff, shells->count * sizeof *largest);
	for (uint32_t n = 0; n < p->count; n++) { /* a piece that stays anyway is the shell's, however small */
		uint32_t *best = &largest[shells->of_point[p->firsts[n]]];
		*best = *best != SNW_NONE && kept[*best] ? *best : kept[n] ? n : larger(p, *best, n);
	}
	for (uint32_t n = 0; n < shells->count; n++) {
		kept[largest[n]] = 1;
	}
}

/* The points of the pieces that go lose their label. Returns how many. */
static uint32_t clear_others(skeleton_fit *f, const pieces *p, const unsigned char *kept) {
	uint32_t cleared = 0;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		if (!kept[p->of_point[i]]) {
			f->labels[i] = SNW_NONE;
			cleared++;
		}
	}
	return cleared;
}

/* One ring of growth: a point without label gets the lowest label among its neighbours. Returns how many did. */
static uint32_t grow(skeleton_fit *f, uint32_t *grown) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		grown[i] = f->labels[i];
		for (uint32_t k = f->rings.offsets[i]; f->labels[i] == SNW_NONE && k < f->rings.offsets[i + 1]; k++) {
			const uint32_t label = f->labels[f->rings.neighbours[k]];
			grown[i] = label < grown[i] ? label : grown[i];
		}
		count += grown[i] != f->labels[i];
	}
	memcpy(f->labels, grown, f->motion.point_count * sizeof *grown);
	return count;
}

/* Bones without points go. */
static void drop_empty_bones(skeleton_fit *f, uint32_t *numbers) {
	const uint32_t old_count = f->bone_count;
	memset(numbers, 0xff, old_count * sizeof *numbers);
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		numbers[f->labels[i]] = 0;
	}
	f->bone_count = 0;
	for (uint32_t b = 0; b < old_count; b++) {
		numbers[b] = numbers[b] == 0 ? f->bone_count++ : SNW_NONE;
	}
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		f->labels[i] = numbers[f->labels[i]];
	}
	for (uint32_t frame = 0; f->parts && frame < f->frame_count; frame++) {
		for (uint32_t b = 0; b < old_count; b++) {
			if (numbers[b] != SNW_NONE) {
				f->parts[(size_t)frame * f->bone_count + numbers[b]] = f->parts[(size_t)frame * old_count + b];
			}
		}
	}
}

snw_status connect_labels(skeleton_fit *f) {
	const uint32_t points = f->motion.point_count, numbers = f->bone_count > points ? f->bone_count : points;
	snw_pool pool = snw_pool_open(f->host);
	pieces p = open_pieces(points, &pool), shells = open_pieces(points, &pool);
	uint32_t *scratch = SNW_POOL_ARRAY(&pool, uint32_t, numbers);
	unsigned char *kept = SNW_POOL_ARRAY(&pool, unsigned char, points);
	const int failed = pool.failed;
	if (!failed) {
		find_pieces(f, 0, &p, scratch);
		find_pieces(f, 1, &shells, scratch);
		choose_kept(f, &p, &shells, scratch, kept);
		for (uint32_t cleared = clear_others(f, &p, kept); cleared > 0;) {
			cleared -= grow(f, scratch);
		}
		drop_empty_bones(f, scratch);
	}
	snw_pool_release(&pool);
	return failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

/* Iterations of the decomposition: more lower its error by a few percent and seldom change the tree. */
enum { ITERATIONS = 16, MORE_CLUSTERS = 4, AUTO_CLUSTERS = 64, AUTO_POINTS = 12, STRAIGHTENINGS = 2 };

static int decomposition_goes_on(void *context, double done) {
	return go_on(context, 0.05 + 0.45 * done, "finding rigid parts");
}

static int clusters_go_on(void *context, double done) {
	return go_on(context, 0.05 * done, "finding rigid parts");
}

/* The blend's motions, frame by frame. */
static void copy_parts(skeleton_fit *f, const snk_transforms *transforms) {
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		const snk_lanes *block = snk_transforms_block(transforms, frame / SNK_LANES);
		for (uint32_t b = 0; b < f->bone_count; b++) {
			for (uint32_t k = 0; k < 12; k++) {
				f->parts[(size_t)frame * f->bone_count + b].m[k] = block[(size_t)12 * b + k][frame % SNK_LANES];
			}
		}
	}
}

static void copy_weights(skeleton_fit *f, const snk_influences *from) {
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		influence_set *set = &f->weights[i];
		double largest = -1;
		set->count = from->offsets[i + 1] - from->offsets[i];
		for (uint32_t k = 0; k < set->count; k++) {
			set->bones[k] = from->joints[from->offsets[i] + k];
			set->weights[k] = from->weights[from->offsets[i] + k];
			if (set->weights[k] > largest) {
				largest = set->weights[k];
				f->labels[i] = set->bones[k];
			}
		}
	}
}

/* What the blend of the parts leaves of each point in a frame. */
static void find_residuals(const skeleton_fit *f, uint32_t frame, double (*residuals)[3]) {
	const rigid *parts = f->parts + (size_t)frame * f->bone_count;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		const influence_set *set = &f->weights[i];
		double place[3];
		frame_point(f, frame, i, residuals[i]);
		for (uint32_t k = 0; k < set->count; k++) {
			snw_mat34_point(parts[set->bones[k]].m, f->motion.points_rest + 3 * (size_t)i, place);
			for (int c = 0; c < 3; c++) {
				residuals[i][c] -= set->weights[k] * place[c];
			}
		}
	}
}

/* The part of it that a point shares with its ring: noise of single points is no bending. */
static double shared_residual(const skeleton_fit *f, uint32_t point, double (*residuals)[3]) {
	const uint32_t first = f->rings.offsets[point], end = f->rings.offsets[point + 1];
	double sum[3] = {0, 0, 0};
	for (uint32_t k = first; k < end; k++) {
		for (int c = 0; c < 3; c++) {
			sum[c] += residuals[f->rings.neighbours[k]][c] / (end - first);
		}
	}
	return snw_dot3(residuals[point], first < end ? sum : residuals[point]);
}

static snw_status find_bends(skeleton_fit *f) {
	snw_pool pool = snw_pool_open(f->host);
	double(*residuals)[3] = snw_pool_acquire(&pool, f->motion.point_count, sizeof *residuals);
	snw_status status = residuals ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t frame = 0; !snk_failed(status) && frame < f->frame_count; frame++) {
		find_residuals(f, frame, residuals);
		for (uint32_t i = 0; i < f->motion.point_count; i++) {
			f->bends[i] += shared_residual(f, i, residuals) / f->frame_count;
		}
		status = may_go_on(f) ? SNW_OK : SNW_CANCELLED;
	}
	snw_pool_release(&pool);
	return status;
}

/* labels, weights and parts of a linear blend, which begins with the labels. SNW_CANCELLED after a stop. */
static snw_status refine_parts(skeleton_fit *f) {
	snk_influences start;
	snw_status status = snk_cluster_influences(&f->pool, f->motion.point_count, f->bone_count, f->labels, &start);
	if (snk_failed(status)) {
		return status;
	}
	const snk_decompose_options options = {.host = f->host,
										   .motion = &f->motion,
										   .kind = SNK_TRANSFORMS_RIGID,
										   .joint_count = f->bone_count,
										   .influences = (uint32_t)f->input->values[INFLUENCES].numbers[0],
										   .iterations = ITERATIONS,
										   .steps = {decomposition_goes_on, f}};
	snk_decomposition found;
	status = snk_decompose(&options, 1, &start, &f->pool, &found);
	if (snk_failed(status) || f->stopped) {
		return snk_failed(status) ? status : SNW_CANCELLED;
	}
	f->parts_rms = sqrt(found.squares / ((double)f->motion.point_count * f->frame_count));
	copy_parts(f, &found.transforms);
	copy_weights(f, &found.influences);
	return f->is_auto ? find_bends(f) : SNW_OK;
}

/* A point takes the label that most of its ring have, if more do than have its own. */
static uint32_t most_common(const skeleton_fit *f, uint32_t point) {
	const uint32_t *labels = f->labels, *ring = f->rings.neighbours + f->rings.offsets[point];
	const uint32_t size = f->rings.offsets[point + 1] - f->rings.offsets[point];
	uint32_t best = labels[point], most = 0;
	for (uint32_t k = 0; k <= size; k++) { /* its own first, so that it stays where others are as many */
		const uint32_t label = k == 0 ? labels[point] : labels[ring[k - 1]];
		uint32_t count = 0;
		for (uint32_t n = 0; n < size; n++) {
			count += labels[ring[n]] == label;
		}
		if (count > most) {
			most = count;
			best = label;
		}
	}
	return best;
}

/* Clusters get straight borders, so that their lengths are the borders' and not their teeth's, and then one piece each. */
static snw_status straighten(skeleton_fit *f) {
	snw_pool pool = snw_pool_open(f->host);
	uint32_t *next = SNW_POOL_ARRAY(&pool, uint32_t, f->motion.point_count);
	for (int round = 0; round < STRAIGHTENINGS && next; round++) {
		for (uint32_t i = 0; i < f->motion.point_count; i++) {
			next[i] = most_common(f, i);
		}
		memcpy(f->labels, next, f->motion.point_count * sizeof *next);
	}
	const snw_status status = next ? connect_labels(f) : SNW_ERROR_MEMORY;
	snw_pool_release(&pool);
	return status;
}

/* Starts with more clusters than bones, and merges those that are no bones. */
static snw_status find_labels(skeleton_fit *f) {
	const uint32_t points = f->motion.point_count, wanted = (uint32_t)f->input->values[BONES].numbers[0];
	const uint32_t spare = f->is_auto ? AUTO_CLUSTERS : 2 * wanted + MORE_CLUSTERS;
	const uint32_t most = f->is_auto ? points / AUTO_POINTS + 2 : points;
	const snk_steps steps = {clusters_go_on, f};
	f->bone_count = spare < most ? spare : most;
	snw_status status = snk_motion_clusters(f->host, &f->motion, f->bone_count, &steps, f->labels);
	status = snk_failed(status) || !f->is_auto ? status : straighten(f);
	return snk_failed(status) ? status : merge_labels(f, wanted);
}

static snw_status open_points(skeleton_fit *f) {
	const uint32_t points = f->motion.point_count;
	f->labels = SNW_POOL_ARRAY(&f->pool, uint32_t, points);
	f->weights = SNW_POOL_ARRAY(&f->pool, influence_set, points);
	f->next = SNW_POOL_ARRAY(&f->pool, influence_set, points);
	f->bends = SNW_POOL_ARRAY(&f->pool, double, points);
	return f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status open_motions(skeleton_fit *f) {
	const size_t motions = (size_t)f->frame_count * f->bone_count;
	f->parts = SNW_POOL_ARRAY(&f->pool, rigid, motions);
	f->motions = SNW_POOL_ARRAY(&f->pool, rigid, motions);
	f->bodies = SNW_POOL_ARRAY(&f->pool, rigid, f->frame_count);
	f->squares = SNW_POOL_ARRAY(&f->pool, double, f->frame_count);
	return f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status find_parts(skeleton_fit *f) {
	snw_status status = open_points(f);
	status = snk_failed(status) ? status : find_labels(f);
	status = snk_failed(status) ? status : open_motions(f);
	return snk_failed(status) ? status : refine_parts(f);
}

/* ---- parts of a drawn skeleton ------------------------------------------------------------------------------------------- */

/* The rigid parts of a drawn skeleton. A mask, which is a field with a bone's name, has the bone's core; without one the core
 * is the points that are clearly nearer to the bone than to any other. The cores' motions then decide which of the nearest
 * bones moves each other point, in a few rounds.
 *
 * Departure from section 4.1.4 of B. Merry's thesis: the nearest rigid motion of a core is found at once (Kabsch) instead of by
 * an affine fit, its polar decomposition and a second fit of the translation. It is nearer to the core, and determined for a
 * flat one. A reflection becomes a rotation by the vector of the smallest singular value, as there. */

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

static void SNW_CALL find_drawn_labels(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
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
		status = run_in_slabs(f, f->motion.point_count, GRAIN, find_drawn_labels, (void *)(uintptr_t)g);
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
