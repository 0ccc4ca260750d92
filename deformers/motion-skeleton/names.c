/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of bones: "bone-4", and "bone-4-left" and "bone-4-right" for two bones that are each other's mirror image. Pairs are found
 * from the base down: two branches of one bone, or of two paired bones, that are as large, as deep and as long. So the rest may be
 * posed: only how a branch is built counts, and where it is only decides between equals.
 *
 * A bone that is drawn with a name has that name.
 *
 * Left is the side of the larger x, or of the axis along which the rest is most like its mirror image: where a character stands that faces +Z.
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
	branch *branches;   /* [bone_count] */
	uint32_t *partners; /* [bone_count]: SNW_NONE for none */
	double axis[3];     /* from right to left */
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

/* ---- the plane ------------------------------------------------------------------------------------------------------------ */

/* How far the rest is from its mirror image along a coordinate axis, by a few of its points. */
static double mirror_mismatch(const skeleton_fit *f, int axis) {
	enum { SAMPLES = 400 };
	const uint32_t step = f->motion.point_count / SAMPLES + 1;
	double sum = 0, middle = 0, all = 0;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		middle += f->areas[i] * f->motion.points_rest[3 * (size_t)i + (size_t)axis];
		all += f->areas[i];
	}
	for (uint32_t i = 0; i < f->motion.point_count; i += step) {
		double image[3], least = INFINITY;
		memcpy(image, f->motion.points_rest + 3 * (size_t)i, sizeof image);
		image[axis] = 2 * middle / all - image[axis];
		for (uint32_t j = 0; j < f->motion.point_count; j += step) {
			least = fmin(least, snw_squared_distance3(image, f->motion.points_rest + 3 * (size_t)j));
		}
		sum += least;
	}
	return sum;
}

static void find_axis(naming *n) {
	int best = 0;
	double least = INFINITY;
	for (int axis = 0; axis < 3; axis++) {
		const double mismatch = mirror_mismatch(n->f, axis);
		if (mismatch < least) {
			least = mismatch;
			best = axis;
		}
	}
	n->axis[best] = 1;
}

/* ---- pairs ---------------------------------------------------------------------------------------------------------------- */

static double unlikeness(const naming *n, uint32_t a, uint32_t b, const double middle[3]) {
	const branch *x = &n->branches[a], *y = &n->branches[b];
	const double least = 1e-3 * n->f->diagonal;
	double image[3], along = 0;
	for (int c = 0; c < 3; c++) {
		along += n->axis[c] * (y->place[c] - middle[c]);
	}
	for (int c = 0; c < 3; c++) {
		image[c] = y->place[c] - 2 * along * n->axis[c];
	}
	return fabs(log((x->area + least * least) / (y->area + least * least))) +
		   fabs(log((x->length + least) / (y->length + least))) / 2 + 0.15 * fabs((double)x->bones - (double)y->bones) +
		   2 * sqrt(snw_squared_distance3(x->place, image)) / n->f->diagonal;
}

static int on_two_sides(const naming *n, uint32_t a, uint32_t b) {
	double apart = 0;
	for (int c = 0; c < 3; c++) {
		apart += n->axis[c] * (n->branches[a].place[c] - n->branches[b].place[c]);
	}
	return fabs(apart) > 0.01 * n->f->diagonal;
}

/* Pairs the branches of two bones, the most alike first. `mine` and `theirs` may be one bone. */
static void pair_branches(const naming *n, uint32_t mine, uint32_t theirs, const double middle[3]) {
	const uint32_t *parents = n->f->tree.parents, count = n->f->bone_count;
	for (;;) {
		uint32_t best[2] = {SNW_NONE, SNW_NONE};
		double least = most_unlike;
		for (uint32_t a = 0; a < count; a++) {
			for (uint32_t b = 0; b < count; b++) {
				const int may = parents[a] == mine && parents[b] == theirs && a != b && n->partners[a] == SNW_NONE &&
								n->partners[b] == SNW_NONE;
				const double unlike = may && on_two_sides(n, a, b) ? unlikeness(n, a, b, middle) : HUGE_VAL;
				if (unlike < least) {
					least = unlike;
					best[0] = a;
					best[1] = b;
				}
			}
		}
		if (best[0] == SNW_NONE) {
			return;
		}
		n->partners[best[0]] = best[1];
		n->partners[best[1]] = best[0];
	}
}

/* From the base down: a bone without partner is in the middle, and its branches pair with each other. */
static void find_pairs(const naming *n) {
	const skeleton_fit *f = n->f;
	for (uint32_t k = 0; k < f->bone_count; k++) {
		const uint32_t bone = f->tree.order[k], partner = n->partners[bone];
		if (partner == SNW_NONE) {
			pair_branches(n, bone, bone, n->branches[f->tree.order[0]].place);
		} else if (bone < partner) {
			pair_branches(n, bone, partner, n->branches[f->tree.order[0]].place);
		}
	}
}

static int is_left(const naming *n, uint32_t bone) {
	const branch *a = &n->branches[bone], *b = &n->branches[n->partners[bone]];
	double apart = 0;
	for (int c = 0; c < 3; c++) {
		apart += n->axis[c] * (a->place[c] - b->place[c]);
	}
	return apart > 0;
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
			const char *end = partner == SNW_NONE ? "" : is_left(n, b) ? "-left" : "-right";
			names[b] = text + (size_t)NAME_BYTES * b;
			snprintf(text + (size_t)NAME_BYTES * b, NAME_BYTES, "bone-%u%s", number, end);
		}
	}
}

snw_status name_bones(skeleton_fit *f, const char **names) {
	char *text = SNW_POOL_ARRAY(&f->pool, char, (size_t)NAME_BYTES * f->bone_count);
	naming n = {.f = f,
				.branches = SNW_POOL_ARRAY(&f->pool, branch, f->bone_count),
				.partners = SNW_POOL_ARRAY(&f->pool, uint32_t, f->bone_count)};
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memset(n.partners, 0xff, f->bone_count * sizeof *n.partners);
	measure_branches(&n);
	find_axis(&n);
	find_pairs(&n);
	write_names(&n, text, names);
	for (uint32_t b = 0; b < f->drawing.bone_count; b++) {
		names[b] = f->drawing.names[b] ? f->drawing.names[b] : names[b];
	}
	return SNW_OK;
}
