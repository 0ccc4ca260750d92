/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels in one piece each, as far as the surface goes. Parts that move alike get one label however far apart they are, such as
 * two ears; the largest piece of a label keeps it, and the labels around the other pieces grow over them. A shell, which is all
 * that the surface connects, has no labels around it: where all its pieces would go, its largest stays. So a cloud of points
 * keeps its labels.
 */
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/kit/status.h"

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
