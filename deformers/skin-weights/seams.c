/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seams between the pieces of one body, of one mesh or of several: points of two pieces at one place of the rest get the mean
 * of their weights, so that the body does not open where its pieces meet. Points of one piece are not joined: lips that touch
 * at rest part later.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/kit/skin/base_skin.h"
#include "sinew/kit/status.h"
#include "skin-weights/fit.h"

/* Places are one if they are the same multiples of this part of the diagonal. */
static const double same = 1e-6;

typedef struct placed_point {
	double place[3]; /* in multiples */
	uint32_t mesh, point;
} placed_point;

static int compare(const void *a, const void *b) {
	const placed_point *x = a, *y = b;
	for (int c = 0; c < 3; c++) {
		if (x->place[c] != y->place[c]) {
			return x->place[c] < y->place[c] ? -1 : 1;
		}
	}
	return x->mesh != y->mesh ? (x->mesh < y->mesh ? -1 : 1) : x->point < y->point ? -1 : x->point > y->point;
}

static int is_same_place(const placed_point *a, const placed_point *b) {
	return a->place[0] == b->place[0] && a->place[1] == b->place[1] && a->place[2] == b->place[2];
}

static uint32_t piece_of(const weights_fit *f, const placed_point *p) {
	return f->pieces[p->mesh].of_point[p->point];
}

static int has_two_pieces(const weights_fit *f, const placed_point *points, uint32_t count) {
	for (uint32_t i = 1; i < count; i++) {
		if (points[i].mesh != points[0].mesh || piece_of(f, &points[i]) != piece_of(f, &points[0])) {
			return 1;
		}
	}
	return 0;
}

/* The largest of these weights first; of equal ones the lower slot. */
static void take_largest(const double *weights, uint32_t slot_count, influence_set *set) {
	set->count = 0;
	for (uint32_t s = 0; s < slot_count; s++) {
		if (weights[s] > 0) {
			snk_keep_influence(KEPT, s, weights[s], &set->count, set->slots, set->weights);
		}
	}
}

/* `sums` [slot_count] is scratch, of zeros before and after. */
static void join(const placed_point *points, uint32_t count, uint32_t slot_count, double *sums, influence_set *const *sets) {
	influence_set mean;
	for (uint32_t i = 0; i < count; i++) {
		const influence_set *set = &sets[points[i].mesh][points[i].point];
		for (uint32_t k = 0; k < set->count; k++) {
			sums[set->slots[k]] += set->weights[k] / count;
		}
	}
	take_largest(sums, slot_count, &mean);
	memset(sums, 0, slot_count * sizeof *sums);
	for (uint32_t i = 0; i < count; i++) {
		sets[points[i].mesh][points[i].point] = mean;
	}
}

snw_status join_seams(const weights_fit *f, uint32_t point_count, influence_set *const *sets) {
	const snw_character_view *character = f->input->character;
	snw_pool pool = snw_pool_open(f->host);
	placed_point *points = SNW_POOL_ARRAY(&pool, placed_point, point_count);
	double *sums = SNW_POOL_ARRAY(&pool, double, character->slot_count);
	uint32_t count = 0;
	const snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; !pool.failed && m < character->mesh_count; m++) {
		for (uint32_t i = 0; sets[m] && i < character->meshes[m]->point_count; i++) {
			placed_point *p = &points[count++];
			*p = (placed_point){.mesh = m, .point = i};
			for (int c = 0; c < 3; c++) {
				p->place[c] = round(character->meshes[m]->points_rest[3 * (size_t)i + (size_t)c] / (same * f->diagonal));
			}
		}
	}
	if (count > 0) {
		qsort(points, count, sizeof *points, compare);
	}
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && is_same_place(&points[i], &points[end]);) {
			end++;
		}
		if (has_two_pieces(f, points + i, end - i)) {
			join(points + i, end - i, character->slot_count, sums, sets);
		}
	}
	snw_pool_release(&pool);
	return status;
}
