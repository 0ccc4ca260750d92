/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of bones: "bone-4", and "bone-4-left" and "bone-4-right" for two bones that are each other's mirror image. Pairs are
 * found from the base down: two branches of one bone that are as large, as deep and as long, and begin on two sides; then the
 * branches of these two, wherever they are. So the rest may be posed: how a branch is built counts, and of places only those
 * where branches leave the middle.
 *
 * A bone that is drawn with a name has that name.
 *
 * Left is the side of the larger x, or of the axis along which branches pair best: where a character stands that faces +Z. A
 * bone below one on the left is on the left, even if its arm is crossed over the chest.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/algebra.h"

enum { NAME_BYTES = 32 };

/* How unlike two branches may be: the logarithms of their areas' and lengths' ratios, and the bones that one has more. */
static const double most_unlike = 1.2;

typedef struct branch {
	double area;     /* of the bone and all below it */
	double place[3]; /* centroid of that area, at rest */
	double length;   /* from pivot to pivot to the deepest bone's centre, the longest way */
	uint32_t bones;
} branch;

typedef struct naming {
	const skeleton_fit *f;
	branch *branches;        /* [bone_count] */
	uint32_t *partners;      /* [bone_count]: SNW_NONE for none */
	unsigned char *are_left; /* [bone_count]: of those with a partner */
	int axis;                /* the coordinate that is larger on the left */
} naming;

static void measure_branches(const naming *n) {
	const skeleton_fit *f = n->f;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		branch *b = &n->branches[f->labels[i]];
		b->area += f->areas[i];
		for (int c = 0; c < 3; c++) {
			b->place[c] += f->areas[i] * f->motion.points_rest[3 * (size_t)i + (size_t)c];
		}
	}
	for (uint32_t k = f->bone_count; k-- > 0;) {
		const uint32_t bone = f->tree.order[k], parent = f->tree.parents[bone];
		branch *b = &n->branches[bone];
		b->bones++;
		if (parent != SNW_NONE) {
			branch *above = &n->branches[parent];
			above->area += b->area;
			above->bones += b->bones;
			for (int c = 0; c < 3; c++) {
				above->place[c] += b->place[c];
			}
			const double apart = sqrt(snw_squared_distance3(f->tree.pivots[bone], f->tree.pivots[parent]));
			above->length = fmax(above->length, b->length + apart);
		}
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		for (int c = 0; c < 3; c++) {
			n->branches[b].place[c] /= n->branches[b].area > 0 ? n->branches[b].area : 1;
		}
	}
}

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

/* By how much two branches differ, however they are posed. */
static double unlikeness(const naming *n, uint32_t a, uint32_t b) {
	const branch *x = &n->branches[a], *y = &n->branches[b];
	const double least = 1e-3 * n->f->diagonal;
	return fabs(log((x->area + least * least) / (y->area + least * least))) +
		   fabs(log((x->length + least) / (y->length + least))) / 2 + 0.15 * fabs((double)x->bones - (double)y->bones);
}

/* Where a branch leaves the bone above it; where two do at one place, the middles of the branches tell them apart. */
static void branch_places(const naming *n, uint32_t a, uint32_t b, const double *places[2]) {
	const double apart = sqrt(snw_squared_distance3(n->f->tree.pivots[a], n->f->tree.pivots[b]));
	const int at_one = apart < 0.01 * n->f->diagonal;
	places[0] = at_one ? n->branches[a].place : n->f->tree.pivots[a];
	places[1] = at_one ? n->branches[b].place : n->f->tree.pivots[b];
}

/* How far a branch begins to the left of another. */
static double left_of(const naming *n, uint32_t a, uint32_t b) {
	const double *places[2];
	branch_places(n, a, b, places);
	return places[0][n->axis] - places[1][n->axis];
}

/* The same for branches of one bone in the middle: they also begin on two sides, at mirrored places. */
static double unlikeness_of_sides(const naming *n, uint32_t a, uint32_t b) {
	const double *places[2], diagonal = n->f->diagonal;
	double beside = 0;
	branch_places(n, a, b, places);
	for (int c = 0; c < 3; c++) {
		beside += c == n->axis ? 0 : pow(places[0][c] - places[1][c], 2);
	}
	return fabs(left_of(n, a, b)) > 0.01 * diagonal ? unlikeness(n, a, b) + 2 * sqrt(beside) / diagonal : HUGE_VAL;
}

/* Pairs the branches of two bones, the most alike first. `mine` and `theirs` may be one bone. Returns how much more alike they
 * are than they must be. */
static double pair_branches(const naming *n, uint32_t mine, uint32_t theirs) {
	const uint32_t *parents = n->f->tree.parents, count = n->f->bone_count;
	double sum = 0;
	for (;;) {
		uint32_t best[2] = {SNW_NONE, SNW_NONE};
		double least = most_unlike;
		for (uint32_t a = 0; a < count; a++) {
			for (uint32_t b = 0; b < count; b++) {
				if (parents[a] == mine && parents[b] == theirs && a != b && n->partners[a] == SNW_NONE &&
					n->partners[b] == SNW_NONE) {
					const double unlike = mine == theirs ? unlikeness_of_sides(n, a, b) : unlikeness(n, a, b);
					if (unlike < least) {
						least = unlike;
						best[0] = a;
						best[1] = b;
					}
				}
			}
		}
		if (best[0] == SNW_NONE) {
			return sum;
		}
		const int is_left = mine == theirs ? left_of(n, best[0], best[1]) > 0 : n->are_left[mine];
		sum += most_unlike - least;
		n->partners[best[0]] = best[1];
		n->partners[best[1]] = best[0];
		n->are_left[best[0]] = (unsigned char)is_left;
		n->are_left[best[1]] = (unsigned char)!is_left;
	}
}

/* From the base down: a bone without partner is in the middle, and its branches pair with each other. */
static double find_pairs(const naming *n) {
	const skeleton_fit *f = n->f;
	double sum = 0;
	memset(n->partners, 0xff, f->bone_count * sizeof *n->partners);
	for (uint32_t k = 0; k < f->bone_count; k++) {
		const uint32_t bone = f->tree.order[k], partner = n->partners[bone];
		if (partner == SNW_NONE) {
			sum += pair_branches(n, bone, bone);
		} else if (bone < partner) {
			sum += pair_branches(n, bone, partner);
		}
	}
	return sum;
}

/* The axis along which branches pair best, and its pairs. */
static void find_sides(naming *n) {
	int best = 0;
	double most = -1;
	for (int axis = 0; axis < 3; axis++) {
		n->axis = axis;
		const double sum = find_pairs(n);
		if (sum > most) {
			most = sum;
			best = axis;
		}
	}
	n->axis = best;
	(void)find_pairs(n);
}

/* Whether a drawn bone is called as the generated bone of that number would be, of either side. */
static int is_drawn(const drawing *d, uint32_t number) {
	char name[NAME_BYTES];
	const int bytes = snprintf(name, sizeof name, "bone-%u", number);
	int is_found = 0;
	for (uint32_t b = 0; b < d->bone_count; b++) {
		const char *drawn = d->names[b];
		is_found =
			is_found || (drawn && strncmp(drawn, name, (size_t)bytes) == 0 && (drawn[bytes] == 0 || drawn[bytes] == '-'));
	}
	return is_found;
}

static void write_names(const naming *n, char *text, const char **names) {
	const skeleton_fit *f = n->f;
	uint32_t number = 0;
	for (uint32_t k = 0; k < f->bone_count; k++) {
		const uint32_t bone = f->tree.order[k], partner = n->partners[bone];
		if (names[bone]) {
			continue;
		}
		do {
			number++;
		} while (is_drawn(&f->drawing, number));
		for (int side = 0; side < (partner == SNW_NONE ? 1 : 2); side++) {
			const uint32_t b = side == 0 ? bone : partner;
			const char *end = partner == SNW_NONE ? "" : n->are_left[b] ? "-left" : "-right";
			names[b] = text + (size_t)NAME_BYTES * b;
			snprintf(text + (size_t)NAME_BYTES * b, NAME_BYTES, "bone-%u%s", number, end);
		}
	}
}

snw_status name_bones(skeleton_fit *f, const char **names) {
	char *text = SNW_POOL_ARRAY(&f->pool, char, (size_t)NAME_BYTES * f->bone_count);
	naming n = {.f = f,
				.branches = SNW_POOL_ARRAY(&f->pool, branch, f->bone_count),
				.partners = SNW_POOL_ARRAY(&f->pool, uint32_t, f->bone_count),
				.are_left = SNW_POOL_ARRAY(&f->pool, unsigned char, f->bone_count)};
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	measure_branches(&n);
	find_sides(&n);
	write_names(&n, text, names);
	for (uint32_t b = 0; b < f->drawing.bone_count; b++) {
		names[b] = f->drawing.names[b] ? f->drawing.names[b] : names[b];
	}
	return SNW_OK;
}
