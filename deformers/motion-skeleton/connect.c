/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes each label one connected piece. Parts that move alike get one label even if they are far apart, such as two ears. The largest
 * piece keeps the label, and neighbouring labels grow over the others.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

/* A piece: connected points of one label. */
typedef struct pieces {
	uint32_t count;
	uint32_t *of_point; /* [point_count] */
	uint32_t *queue;    /* [point_count] */
	uint32_t *labels;   /* [count] */
	double *areas;      /* [count] */
} pieces;

static void flood(const skeleton_fit *f, uint32_t seed, pieces *p) {
	uint32_t begin = 0, end = 0;
	p->queue[end++] = seed;
	p->of_point[seed] = p->count;
	p->labels[p->count] = f->labels[seed];
	p->areas[p->count] = 0;
	while (begin < end) {
		const uint32_t i = p->queue[begin++];
		p->areas[p->count] += f->areas[i];
		for (uint32_t k = f->rings.offsets[i]; k < f->rings.offsets[i + 1]; k++) {
			const uint32_t other = f->rings.neighbours[k];
			if (p->of_point[other] == SNW_NONE && f->labels[other] == f->labels[seed]) {
				p->of_point[other] = p->count;
				p->queue[end++] = other;
			}
		}
	}
	p->count++;
}

/* Removes the label of all pieces except the largest of each label. Returns the number of points. */
static uint32_t clear_smaller_pieces(skeleton_fit *f, const pieces *p, uint32_t *largest) {
	uint32_t cleared = 0;
	memset(largest, 0xff, f->bone_count * sizeof *largest);
	for (uint32_t n = 0; n < p->count; n++) {
		uint32_t *best = &largest[p->labels[n]];
		*best = *best == SNW_NONE || p->areas[n] > p->areas[*best] ? n : *best;
	}
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		if (largest[f->labels[i]] != p->of_point[i]) {
			f->labels[i] = SNW_NONE;
			cleared++;
		}
	}
	return cleared;
}

/* One ring of growth: a point without a label gets the lowest one of its neighbours. Returns the number of points. */
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

/* The label of the nearest point that has one. */
static uint32_t nearest_label(const skeleton_fit *f, uint32_t point) {
	const double *points = f->motion.points_rest;
	double least = INFINITY;
	uint32_t label = 0;
	for (uint32_t j = 0; j < f->motion.point_count; j++) {
		const double distance = snw_squared_distance3(points + 3 * (size_t)point, points + 3 * (size_t)j);
		if (f->labels[j] != SNW_NONE && distance < least) {
			least = distance;
			label = f->labels[j];
		}
	}
	return label;
}

/* Points that no surface connects to a label get that of the nearest point. */
static void label_by_place(skeleton_fit *f, uint32_t *grown) {
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		grown[i] = f->labels[i] == SNW_NONE ? nearest_label(f, i) : f->labels[i];
	}
	memcpy(f->labels, grown, f->motion.point_count * sizeof *grown);
}

/* Removes bones without points. */
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
	const uint32_t points = f->motion.point_count;
	snw_pool scratch = snw_pool_open(f->host);
	pieces p = {.of_point = SNW_POOL_ARRAY(&scratch, uint32_t, points),
				.queue = SNW_POOL_ARRAY(&scratch, uint32_t, points),
				.labels = SNW_POOL_ARRAY(&scratch, uint32_t, points),
				.areas = SNW_POOL_ARRAY(&scratch, double, points)};
	uint32_t *largest = SNW_POOL_ARRAY(&scratch, uint32_t, f->bone_count);
	if (scratch.failed) {
		snw_pool_release(&scratch);
		return SNW_ERROR_MEMORY;
	}
	memset(p.of_point, 0xff, points * sizeof *p.of_point);
	for (uint32_t i = 0; i < points; i++) {
		if (p.of_point[i] == SNW_NONE) {
			flood(f, i, &p);
		}
	}
	uint32_t cleared = clear_smaller_pieces(f, &p, largest);
	for (uint32_t grown = 1; cleared > 0 && grown > 0; cleared -= grown) {
		grown = grow(f, p.queue);
	}
	if (cleared > 0) {
		label_by_place(f, p.queue);
	}
	drop_empty_bones(f, largest);
	snw_pool_release(&scratch);
	return SNW_OK;
}
