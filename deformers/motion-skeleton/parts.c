/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rigid parts of a motion.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/fit.h"
#include "motion/decompose.h"
#include "sinew/kit/status.h"

/* ---- labels in one piece ------------------------------------------------------------------------------------------------- */

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
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
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

/* ---- from many clusters to few ------------------------------------------------------------------------------------------- */

/* From many clusters to few: the two whose union is nearest to one rigid motion become one, until as many are left as wanted.
 * k-means alone may end with two clusters on one bone and one cluster on two bones; with clusters to spare it does not.
 *
 * What is left at each number of parts tells whether there are rigid parts at all, and how many: the error of a body with bones
 * falls steeply until each bone has its part; that of cloth falls by the same power all the way. */

/* A body with bones: between some number of parts and one and a half as many, its error falls by at least this power of the
 * number. */
static const double steep = 1.25;

/* From one part to two it has to fall by this power: halves of a body that only bends leave a quarter, which is the power 2. */
static const double steep_pair = 2.5;

/* Its bones: the largest number at which twice as many lower the error by at least this power. */
static const double flat = 0.95;

/* An error is rounding below this part of the diagonal. */
static const double rounding = 1e-6;

/* The fewest clusters whose errors tell cloth from a body. */
enum { FEWEST_CLUSTERS = 3 };

typedef struct cluster {
	double rest[16]; /* Σ v̂ v̂ᵀ */
	double squares;  /* what one rigid motion leaves, over all frames */
	int is_gone;
} cluster;

typedef struct merging {
	skeleton_fit *f;
	uint32_t count;
	cluster *clusters;
	double (*posed)[12];    /* [cluster][frame]: Σ v' v̂ᵀ */
	double *lengths;        /* [cluster][frame]: Σ |v'|² */
	unsigned char *touches; /* [cluster][cluster]: whether they share an edge */
	double *costs;          /* [cluster][cluster]: what merging adds; the lower half */
	double *errors;         /* [count + 1]: root mean squares, metres, by number of parts */
} merging;

/* ---- sums ---------------------------------------------------------------------------------------------------------------- */

static void gather(const merging *m) {
	const skeleton_fit *f = m->f;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		const uint32_t c = f->labels[i];
		const double *place = f->motion.points_rest + 3 * (size_t)i, v[4] = {place[0], place[1], place[2], 1};
		for (int k = 0; k < 16; k++) {
			m->clusters[c].rest[k] += v[k / 4] * v[k % 4];
		}
		for (uint32_t frame = 0; frame < f->frame_count; frame++) {
			const size_t at = (size_t)c * f->frame_count + frame;
			double target[3];
			frame_point(f, frame, i, target);
			m->lengths[at] += target[0] * target[0] + target[1] * target[1] + target[2] * target[2];
			for (int k = 0; k < 12; k++) {
				m->posed[at][k] += target[k / 4] * v[k % 4];
			}
		}
		for (uint32_t k = f->rings.offsets[i]; k < f->rings.offsets[i + 1]; k++) {
			m->touches[(size_t)c * m->count + f->labels[f->rings.neighbours[k]]] = 1;
		}
	}
}

/* What one rigid motion leaves of two clusters; of one where b is SNW_NONE. */
static double rigid_squares(const merging *m, uint32_t a, uint32_t b) {
	const uint32_t frames = m->f->frame_count;
	double rest[16], posed[12], product[12], squares = 0;
	for (int k = 0; k < 16; k++) {
		rest[k] = m->clusters[a].rest[k] + (b == SNW_NONE ? 0 : m->clusters[b].rest[k]);
	}
	for (uint32_t frame = 0; frame < frames; frame++) {
		const size_t at = (size_t)a * frames + frame, other = (size_t)b * frames + frame;
		rigid motion;
		for (int k = 0; k < 12; k++) {
			posed[k] = m->posed[at][k] + (b == SNW_NONE ? 0 : m->posed[other][k]);
		}
		nearest_rigid(rest, posed, &motion);
		memset(product, 0, sizeof product);
		add_moment(&motion, rest, product);
		double sum = m->lengths[at] + (b == SNW_NONE ? 0 : m->lengths[other]);
		for (int k = 0; k < 12; k++) {
			sum += motion.m[k] * (product[k] - 2 * posed[k]);
		}
		squares += fmax(sum, 0);
	}
	return squares;
}

static double *cost_of(const merging *m, uint32_t a, uint32_t b) {
	return &m->costs[a > b ? (size_t)a * m->count + b : (size_t)b * m->count + a];
}

static int touch(const merging *m, uint32_t a, uint32_t b) {
	return m->touches[(size_t)a * m->count + b] || m->touches[(size_t)b * m->count + a];
}

static void find_cost(const merging *m, uint32_t a, uint32_t b) {
	*cost_of(m, a, b) = touch(m, a, b) ? rigid_squares(m, a, b) - m->clusters[a].squares - m->clusters[b].squares : HUGE_VAL;
}

static void SNW_CALL find_costs(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const merging *m = argument;
	for (uint32_t a = begin; a < end; a++) {
		m->clusters[a].squares = rigid_squares(m, a, SNW_NONE);
	}
}

static void SNW_CALL find_pair_costs(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const merging *m = argument;
	for (uint32_t a = begin; a < end; a++) {
		for (uint32_t b = 0; b < a && !m->clusters[a].is_gone; b++) {
			if (!m->clusters[b].is_gone) {
				find_cost(m, a, b);
			}
		}
	}
}

/* ---- merging ------------------------------------------------------------------------------------------------------------- */

/* The cheapest two that touch; 0 where none do. */
static int find_cheapest(const merging *m, uint32_t pair[2]) {
	double least = HUGE_VAL;
	for (uint32_t a = 0; a < m->count; a++) {
		for (uint32_t b = 0; b < a && !m->clusters[a].is_gone; b++) {
			if (!m->clusters[b].is_gone && *cost_of(m, a, b) < least) {
				least = *cost_of(m, a, b);
				pair[0] = b;
				pair[1] = a;
			}
		}
	}
	return least < HUGE_VAL;
}

/* Where none touch, pieces of surface remain that nothing connects: from here on any two may be merged. */
static snw_status let_all_touch(const merging *m) {
	memset(m->touches, 1, (size_t)m->count * m->count);
	return run_in_slabs(m->f, m->count, 1, find_pair_costs, (void *)(uintptr_t)m);
}

static void join(const merging *m, uint32_t into, uint32_t gone) {
	const uint32_t frames = m->f->frame_count;
	for (int k = 0; k < 16; k++) {
		m->clusters[into].rest[k] += m->clusters[gone].rest[k];
	}
	for (uint32_t frame = 0; frame < frames; frame++) {
		const size_t to = (size_t)into * frames + frame, from = (size_t)gone * frames + frame;
		m->lengths[to] += m->lengths[from];
		for (int k = 0; k < 12; k++) {
			m->posed[to][k] += m->posed[from][k];
		}
	}
	m->clusters[into].squares = rigid_squares(m, into, SNW_NONE);
	m->clusters[gone].is_gone = 1;
	for (uint32_t other = 0; other < m->count; other++) {
		if (other == into || m->clusters[other].is_gone) {
			continue;
		}
		m->touches[(size_t)into * m->count + other] |= (unsigned char)touch(m, gone, other);
		find_cost(m, into, other);
	}
}

static double total_error(const merging *m) {
	double squares = 0;
	for (uint32_t c = 0; c < m->count; c++) {
		squares += m->clusters[c].is_gone ? 0 : m->clusters[c].squares;
	}
	return sqrt(squares / ((double)m->f->frame_count * m->f->motion.point_count));
}

/* Merges from `from` parts to `to`, noting what each number leaves. */
static snw_status merge(const merging *m, uint32_t from, uint32_t to, uint32_t *into) {
	m->errors[from] = total_error(m);
	for (uint32_t parts = from; parts > to; parts--) {
		uint32_t pair[2] = {0, 0};
		if (!find_cheapest(m, pair)) {
			const snw_status status = let_all_touch(m);
			if (snk_failed(status) || !find_cheapest(m, pair)) {
				return status;
			}
		}
		join(m, pair[0], pair[1]);
		for (uint32_t c = 0; into && c < m->count; c++) {
			into[c] = into[c] == pair[1] ? pair[0] : into[c];
		}
		m->errors[parts - 1] = total_error(m);
		if (!may_go_on(m->f)) {
			return SNW_CANCELLED;
		}
	}
	return SNW_OK;
}

/* ---- how many ------------------------------------------------------------------------------------------------------------ */

/* The power of the number of parts by which the error falls between two of them. */
static double fall(const merging *m, uint32_t few, uint32_t many) {
	const double least = 1e-9 * m->f->diagonal;
	return log((m->errors[few] + least) / (m->errors[many] + least)) / log((double)many / few);
}

/* Whether this many parts leave no more than rounding: how that falls says nothing. */
static int is_exact(const merging *m, uint32_t parts) {
	return m->errors[parts] < rounding * m->f->diagonal;
}

static double steepest_fall(const merging *m) {
	double steepest = m->count >= 2 && fall(m, 1, 2) >= steep_pair ? fall(m, 1, 2) : 0;
	for (uint32_t n = 2; n + n / 2 <= m->count && !is_exact(m, n); n++) {
		steepest = fmax(steepest, fall(m, n, n + n / 2));
	}
	return steepest;
}

/* The number of parts behind which there are no further bones. */
static uint32_t find_count(const merging *m) {
	uint32_t count = 1;
	for (uint32_t n = 1; 2 * n <= m->count && !is_exact(m, n); n++) {
		count = fall(m, n, 2 * n) >= flat ? n + 1 : count;
	}
	return count;
}

/* Merges the parts that were asked for on to one, and warns if the error falls as that of cloth does. Too few clusters cannot
 * tell. */
static snw_status warn_of_cloth(const merging *m, uint32_t parts) {
	const snw_status status = merge(m, parts, 1, NULL);
	if (!snk_failed(status) && m->count >= FEWEST_CLUSTERS && !is_exact(m, 1) && steepest_fall(m) < steep) {
		snw_report_line(
			m->f->host, SNW_LOG_WARNING,
			"the mesh bends everywhere, as cloth does: more bones lower the error only gradually, so where these %u are "
			"is arbitrary; 'sinew fit sad' makes a skin without bones",
			parts);
	}
	return status;
}

/* SNW_ERROR_DATA, with words, where there are no rigid parts. */
static snw_status choose_count(const merging *m, uint32_t *count) {
	*count = find_count(m);
	if (is_exact(m, 1)) {
		return snw_report_fail(m->f->host, SNW_ERROR_DATA, "the mesh moves as one rigid body, so there is no skeleton to find");
	}
	if (steepest_fall(m) < steep) {
		return snw_report_fail(
			m->f->host, SNW_ERROR_DATA,
			"there is no skeleton to find: the mesh bends everywhere, as cloth does; use 'sinew fit sad' for a skin without "
			"bones, or --bones N for N bones whose places are arbitrary");
	}
	return SNW_OK;
}

/* ---- all of it ----------------------------------------------------------------------------------------------------------- */

static snw_status open_merging(skeleton_fit *f, uint32_t count, snw_pool *pool, merging *m) {
	const size_t frames = (size_t)count * f->frame_count;
	*m = (merging){.f = f,
				   .count = count,
				   .clusters = SNW_POOL_ARRAY(pool, cluster, count),
				   .posed = snw_pool_acquire(pool, frames, sizeof *m->posed),
				   .lengths = SNW_POOL_ARRAY(pool, double, frames),
				   .touches = SNW_POOL_ARRAY(pool, unsigned char, (size_t)count *count),
				   .costs = SNW_POOL_ARRAY(pool, double, (size_t)count *count),
				   .errors = SNW_POOL_ARRAY(pool, double, (size_t)count + 1)};
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	gather(m);
	const snw_status status = run_in_slabs(f, count, 1, find_costs, m);
	return snk_failed(status) ? status : run_in_slabs(f, count, 1, find_pair_costs, m);
}

static void relabel(skeleton_fit *f, uint32_t count, const uint32_t *into, uint32_t *numbers) {
	f->bone_count = 0;
	for (uint32_t c = 0; c < count; c++) {
		numbers[c] = into[c] == c ? f->bone_count++ : SNW_NONE;
	}
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		f->labels[i] = numbers[into[f->labels[i]]];
	}
}

/* From `count` labels to as many as wanted, by uniting those that move most alike: bone_count, labels. BONES_AUTO: as many as
 * there are bones; SNW_ERROR_DATA, with words, where there are none. */
static snw_status merge_labels(skeleton_fit *f, uint32_t count, uint32_t wanted) {
	snw_pool scratch = snw_pool_open(f->host);
	merging m;
	uint32_t *into = SNW_POOL_ARRAY(&scratch, uint32_t, count), *numbers = SNW_POOL_ARRAY(&scratch, uint32_t, count);
	snw_status status = open_merging(f, count, &scratch, &m);
	for (uint32_t c = 0; !snk_failed(status) && c < count; c++) {
		into[c] = c;
	}
	if (!snk_failed(status) && wanted == BONES_AUTO) {
		status = merge(&m, count, 1, NULL);
		status = snk_failed(status) ? status : choose_count(&m, &wanted);
		snw_pool_release(&scratch);
		return snk_failed(status) ? status : merge_labels(f, count, wanted);
	}
	status = snk_failed(status) ? status : merge(&m, count, wanted, into);
	if (!snk_failed(status)) {
		relabel(f, count, into, numbers);
		status = warn_of_cloth(&m, wanted);
	}
	snw_pool_release(&scratch);
	return status;
}

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

/* Iterations of the decomposition: more lower its error by a few percent and seldom change the tree. */
enum { ITERATIONS = 16, MORE_CLUSTERS = 4, AUTO_CLUSTERS = 64 };

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

snw_status refine_parts(skeleton_fit *f) {
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
	return SNW_OK;
}

/* Starts with more clusters than bones, and merges those that move alike. */
static snw_status find_labels(skeleton_fit *f) {
	const uint32_t points = f->motion.point_count, wanted = (uint32_t)f->input->values[BONES].numbers[0];
	const uint32_t spare = wanted == BONES_AUTO ? AUTO_CLUSTERS : 2 * wanted + MORE_CLUSTERS;
	const uint32_t clusters = spare < points ? spare : points;
	const snk_steps steps = {clusters_go_on, f};
	const snw_status status = snk_motion_clusters(f->host, &f->motion, clusters, &steps, f->labels);
	return snk_failed(status) ? status : merge_labels(f, clusters, wanted < clusters ? wanted : clusters);
}

snw_status open_points(skeleton_fit *f) {
	const uint32_t points = f->motion.point_count;
	f->labels = SNW_POOL_ARRAY(&f->pool, uint32_t, points);
	f->weights = SNW_POOL_ARRAY(&f->pool, influence_set, points);
	f->next = SNW_POOL_ARRAY(&f->pool, influence_set, points);
	return f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status open_motions(skeleton_fit *f) {
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
