/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far apart two points of a skin are over all poses: B. Merry, Animation space, thesis 2007, section 3.3.
 *
 * A point is a row p_j of four numbers for each joint that moves it, in that joint's space. Its position is Σ_j G_j p_j. The
 * difference s of two points has the weight 0. The mean of its squared length over poses is sᵀ P s with P = E[GᵀG] (3.6). P
 * follows from what is known of each joint (3.7 – 3.15), or is the mean over the poses of a clip. A bound for all poses follows
 * from spheres, one for each joint, computed from the leaves to the root (3.18 – 3.28).
 *
 * It is for what compares points over poses without posing them, such as seams that open (seams.c). The fits that ship do not
 * use it: as its ridge, with the joints of the samples shuffled, it gains nothing on poses that were held out
 * (docs/real-data.md).
 *
 * Departures from the thesis:
 *   - G is 3×4, without the row 0 0 0 1. The thesis's P has 1 more in the last element of each block, which vectors of weight 0
 *     ignore.
 *   - (3.27) has |w| r₁, not w r₁: with a negative weight the bound would break where joints translate.
 *
 * Frames of the thesis are joints here. Model space is the parent of roots. Arrays are the caller's; nothing allocates. `order`
 * visits parents before children. Any thread.
 */
#ifndef SINEW_HOST_MEASURE_POINT_METRIC_H
#define SINEW_HOST_MEASURE_POINT_METRIC_H

#include "sinew/algebra.h"

/* What is known of a joint's local matrix L, joint space → parent space. L is independent of that of any other joint. */
typedef enum snw_joint_motion_kind {
	SNW_MOTION_FIXED = 0,   /* mean is L */
	SNW_MOTION_SAMPLED = 1, /* L is one of the samples, all equally likely; mean is not read */
	/* L rotates by any distribution with this mean; its translation is fixed; ancestors scale evenly */
	SNW_MOTION_ROTATION = 2,
	SNW_MOTION_UNIFORM = 3,    /* all rotations are equally likely; the translation is fixed */
	SNW_MOTION_COMPONENTS = 4, /* translation and linear part are independent: mean, linear_gram, length_square */
	SNW_MOTION_GIVEN = 5,      /* mean and gram are given */
} snw_joint_motion_kind;

typedef struct snw_joint_motion {
	int kind;        /* snw_joint_motion_kind */
	double mean[12]; /* E[L] */
	uint32_t sample_count;
	const double *samples; /* [sample_count][12] */
	double linear_gram[9]; /* E[ḠᵀḠ], of the joint's global matrix */
	double length_square;  /* E[|Ḡ l|²], Ḡ the parent's, l the translation */
	double gram[16];       /* E[GᵀG] */
} snw_joint_motion;

/* The mean of a rotation about a unit axis by an angle that is as likely anywhere from `least` to `most` (3.14), after the
 * rotation of `rest` and with its translation: dest = E[L] for SNW_MOTION_ROTATION. */
static inline void snw_mean_of_range(const double rest[12], const double axis[3], double least, double most, double dest[12]) {
	const double range = most - least;
	const double cosine = range > 1e-9 ? (sin(most) - sin(least)) / range : cos(least);
	const double sine = range > 1e-9 ? (cos(least) - cos(most)) / range : sin(least);
	const double cross[9] = {0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0};
	double rotation[12] = {0};
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			rotation[4 * r + c] = cosine * (r == c) + (1 - cosine) * axis[r] * axis[c] + sine * cross[3 * r + c];
		}
	}
	snw_mat34_multiply(rest, rotation, dest);
}

/* ---- P ------------------------------------------------------------------------------------------------------------------- */

/* Joints and what is known of them. */
typedef struct snw_point_metric {
	uint32_t joint_count;
	const uint32_t *parents; /* [joint_count], SNW_NONE at a root */
	const uint32_t *order;   /* [joint_count] */
	double *blocks;          /* [joint_count][joint_count][16]: P, row-major */
	double *means;           /* [joint_count][12]: E[G] */
} snw_point_metric;

static inline double *snw_metric_block(const snw_point_metric *metric, uint32_t a, uint32_t b) {
	return metric->blocks + ((size_t)a * metric->joint_count + b) * 16;
}

/* dest = a · l, l completed by the row 0 0 0 1. */
static inline void snw_metric_times(const double a[16], const double l[12], double dest[16]) {
	for (int r = 0; r < 4; r++) {
		for (int c = 0; c < 4; c++) {
			dest[4 * r + c] = a[4 * r] * l[c] + a[4 * r + 1] * l[4 + c] + a[4 * r + 2] * l[8 + c] + (c == 3 ? a[4 * r + 3] : 0);
		}
	}
}

static inline void snw_metric_transpose(const double a[16], double dest[16]) {
	for (int i = 0; i < 16; i++) {
		dest[4 * (i % 4) + i / 4] = a[i];
	}
}

/* sums += scale · lᵀ a l */
static inline void snw_metric_add_image(const double a[16], const double l[12], double scale, double sums[16]) {
	double half[16], transposed[16], image[16];
	snw_metric_times(a, l, half);
	snw_metric_transpose(half, transposed);
	snw_metric_times(transposed, l, image);
	for (int i = 0; i < 16; i++) {
		sums[4 * (i % 4) + i / 4] += scale * image[i];
	}
}

/* (3.10) – (3.12): E[GᵀG] of a joint with independent components; a is its parent's. */
static inline void snw_metric_of_components(const double a[16], const double mean[12], const double linear_gram[9],
											double length_square, double dest[16]) {
	const double l[3] = {mean[3], mean[7], mean[11]};
	double pull[3], along = 0;
	for (int r = 0; r < 3; r++) {
		pull[r] = a[4 * r + 3] + a[4 * r] * l[0] + a[4 * r + 1] * l[1] + a[4 * r + 2] * l[2];
		along += a[4 * r + 3] * l[r];
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			dest[4 * r + c] = linear_gram[3 * r + c];
		}
		dest[4 * r + 3] = dest[12 + r] = mean[r] * pull[0] + mean[4 + r] * pull[1] + mean[8 + r] * pull[2];
	}
	dest[15] = a[15] + 2 * along + length_square;
}

/* E[L] of a joint. */
static inline void snw_mean_of_joint(const snw_joint_motion *motion, double dest[12]) {
	memcpy(dest, motion->mean, 12 * sizeof *dest);
	for (int i = 0; motion->kind == SNW_MOTION_UNIFORM && i < 12; i++) {
		dest[i] = i % 4 == 3 ? dest[i] : 0;
	}
	for (int i = 0; motion->kind == SNW_MOTION_SAMPLED && i < 12; i++) {
		dest[i] = 0;
		for (uint32_t k = 0; k < motion->sample_count; k++) {
			dest[i] += motion->samples[(size_t)12 * k + (size_t)i] / motion->sample_count;
		}
	}
}

/* E[GᵀG] of a joint; a is its parent's. */
static inline void snw_metric_of_joint(const double a[16], const snw_joint_motion *motion, double dest[16]) {
	const int is_uniform = motion->kind == SNW_MOTION_UNIFORM;
	double l[12], linear_gram[9], length_square = 0;
	snw_mean_of_joint(motion, l);
	memset(dest, 0, 16 * sizeof *dest);
	switch (motion->kind) {
	case SNW_MOTION_FIXED:
		snw_metric_add_image(a, l, 1, dest);
		return;
	case SNW_MOTION_SAMPLED:
		for (uint32_t i = 0; i < motion->sample_count; i++) {
			snw_metric_add_image(a, motion->samples + (size_t)12 * i, 1.0 / motion->sample_count, dest);
		}
		return;
	case SNW_MOTION_GIVEN:
		memcpy(dest, motion->gram, 16 * sizeof *dest);
		return;
	case SNW_MOTION_COMPONENTS:
		snw_metric_of_components(a, l, motion->linear_gram, motion->length_square, dest);
		return;
	default: /* (3.13) and (3.15) */
		for (int i = 0; i < 9; i++) {
			linear_gram[i] = is_uniform ? (i % 4 == 0) * (a[0] + a[5] + a[10]) / 3 : a[4 * (i / 3) + i % 3];
			length_square += l[4 * (i / 3) + 3] * a[4 * (i / 3) + i % 3] * l[4 * (i % 3) + 3];
		}
		snw_metric_of_components(a, l, linear_gram, length_square, dest);
		return;
	}
}

/* Fills blocks and means by what is known of each joint (3.7). `motions` [joint_count]. To leave out the rigid motion of a
 * character, make its root fixed, or take the motion out of each pose (snw_metric_take_out). */
static inline void snw_metric_of_motions(const snw_joint_motion *motions, snw_point_metric *metric) {
	static const double of_model[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
	for (uint32_t i = 0; i < metric->joint_count; i++) {
		const uint32_t k = metric->order[i], parent = metric->parents[k];
		double l[12];
		snw_mean_of_joint(&motions[k], l);
		snw_metric_of_joint(parent == SNW_NONE ? of_model : snw_metric_block(metric, parent, parent), &motions[k],
							snw_metric_block(metric, k, k));
		double *mean = metric->means + (size_t)12 * k;
		if (parent == SNW_NONE) {
			memcpy(mean, l, sizeof l);
		} else {
			snw_mat34_multiply(metric->means + (size_t)12 * parent, l, mean);
		}
		for (uint32_t before = 0; before < i; before++) {
			const uint32_t j = metric->order[before];
			double with_parent[16];
			if (parent == SNW_NONE) { /* E[G_jᵀ] */
				const double *other = metric->means + (size_t)12 * j;
				for (int n = 0; n < 16; n++) {
					with_parent[n] = n % 4 < 3 ? other[4 * (n % 4) + n / 4] : 0;
				}
			} else {
				memcpy(with_parent, snw_metric_block(metric, j, parent), sizeof with_parent);
			}
			snw_metric_times(with_parent, l, snw_metric_block(metric, j, k));
			snw_metric_transpose(snw_metric_block(metric, j, k), snw_metric_block(metric, k, j));
		}
	}
}

/* Takes the rigid motion of a pose out of it. The motion is that of one joint, as a rule the root of the body, which then has
 * the rotation and the place of its rest. `rest` and `posed` are its global matrices; `matrices` [count][12] are global
 * matrices of joints in this pose, or local ones of roots, and may contain `posed`.
 *
 * A length over poses does not depend on rigid motions of all joints together. But roots whose matrices are shuffled, or taken
 * as independent, must not each walk on their own. */
static inline void snw_metric_take_out(const double rest[12], const double posed[12], uint32_t count, double *matrices) {
	double from[9], to[9], back[12];
	snw_mat34_rotation(posed, from);
	snw_mat34_rotation(rest, to);
	for (int r = 0; r < 3; r++) { /* back(x) = to fromᵀ (x − posed place) + rest place */
		back[4 * r + 3] = rest[4 * r + 3];
		for (int c = 0; c < 3; c++) {
			back[4 * r + c] = to[3 * r] * from[3 * c] + to[3 * r + 1] * from[3 * c + 1] + to[3 * r + 2] * from[3 * c + 2];
			back[4 * r + 3] -= back[4 * r + c] * posed[4 * c + 3];
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		snw_mat34_multiply(back, matrices + (size_t)12 * i, matrices + (size_t)12 * i);
	}
}

/* Fills blocks and means with those of poses: `globals` [pose_count][joint_count][12], for what a clip shows. Joints' matrices
 * shuffled among a clip's poses are SNW_MOTION_SAMPLED instead. */
static inline void snw_metric_of_poses(uint32_t pose_count, const double *globals, snw_point_metric *metric) {
	const size_t joints = metric->joint_count;
	memset(metric->blocks, 0, joints * joints * 16 * sizeof *metric->blocks);
	memset(metric->means, 0, joints * 12 * sizeof *metric->means);
	for (uint32_t k = 0; k < pose_count; k++) {
		const double *pose = globals + joints * 12 * k;
		for (size_t i = 0; i < 12 * joints; i++) {
			metric->means[i] += pose[i] / pose_count;
		}
		for (size_t pair = 0; pair < joints * joints; pair++) {
			const double *a = pose + 12 * (pair / joints), *b = pose + 12 * (pair % joints);
			for (size_t i = 0; i < 16; i++) {
				const size_t r = i / 4, c = i % 4;
				metric->blocks[16 * pair + i] += (a[r] * b[c] + a[4 + r] * b[4 + c] + a[8 + r] * b[8 + c]) / pose_count;
			}
		}
	}
}

/* ---- the inner product (3.16) -------------------------------------------------------------------------------------------- */

/* Rows of a point or of a difference: count joints and a row of each, in the joint's space. */
typedef struct snw_joint_rows {
	uint32_t count;
	const uint32_t *joints;
	const double *rows; /* [count][4] */
} snw_joint_rows;

/* E[Gs · Gt]. A metric only where both weigh 0; it may be 0 for s ≠ 0. */
static inline double snw_metric_inner(const snw_point_metric *metric, const snw_joint_rows *s, const snw_joint_rows *t) {
	double sum = 0;
	for (uint32_t a = 0; a < s->count; a++) {
		for (uint32_t b = 0; b < t->count; b++) {
			const double *block = snw_metric_block(metric, s->joints[a], t->joints[b]);
			for (int i = 0; i < 16; i++) {
				sum += s->rows[(size_t)4 * a + (size_t)(i / 4)] * block[i] * t->rows[(size_t)4 * b + (size_t)(i % 4)];
			}
		}
	}
	return sum;
}

/* The root of the mean squared length of a difference over poses: its L2,2 norm. */
static inline double snw_metric_length(const snw_point_metric *metric, const snw_joint_rows *s) {
	return sqrt(fmax(snw_metric_inner(metric, s, s), 0));
}

/* Normalised animation space (3.17): C [4n][4n], n joints, row-major, with CᵀC = P. It is Cholesky's factor, upper triangular,
 * with rows of 0 for what no pose sees. The thesis takes the root of P, which is as good and takes longer. */
static inline void snw_metric_normalize(const snw_point_metric *metric, double *factor) {
	const size_t n = (size_t)4 * metric->joint_count;
	for (size_t r = 0; r < n; r++) {
		double *row = factor + r * n;
		for (size_t c = 0; c < n; c++) {
			row[c] = c < r ? 0 : metric->blocks[(r / 4 * metric->joint_count + c / 4) * 16 + 4 * (r % 4) + c % 4];
		}
		const double whole = row[r];
		for (size_t above = 0; above < r; above++) {
			const double along = factor[above * n + r];
			for (size_t c = r; along != 0 && c < n; c++) {
				row[c] -= along * factor[above * n + c];
			}
		}
		const double pivot = row[r] > 1e-12 * whole ? sqrt(row[r]) : 0;
		for (size_t c = r; c < n; c++) {
			row[c] = pivot > 0 ? row[c] / pivot : 0;
		}
	}
}

/* dest [4n] = C s: the dot product of two of these is the inner product of what they were made of. */
static inline void snw_metric_to_normalized(const snw_point_metric *metric, const double *factor, const snw_joint_rows *s,
											double *dest) {
	const size_t n = (size_t)4 * metric->joint_count;
	for (size_t r = 0; r < n; r++) {
		dest[r] = 0;
		for (uint32_t i = 0; i < s->count; i++) {
			const double *row = factor + r * n + (size_t)4 * s->joints[i], *of_s = s->rows + (size_t)4 * i;
			dest[r] += row[0] * of_s[0] + row[1] * of_s[1] + row[2] * of_s[2] + row[3] * of_s[3];
		}
	}
}

/* ---- a transformed model (3.4) ------------------------------------------------------------------------------------------- */

/* The model as large again by `scale` about the origin of model space: every translation times it. Rows then have their first
 * three numbers times it (3.31). */
static inline void snw_metric_scale(snw_point_metric *metric, double scale) {
	const size_t blocks = (size_t)metric->joint_count * metric->joint_count;
	for (size_t i = 0; i < 16 * blocks; i++) {
		metric->blocks[i] *= (i % 4 == 3 ? scale : 1) * (i % 16 / 4 == 3 ? scale : 1);
	}
	for (size_t i = 0; i < (size_t)12 * metric->joint_count; i++) {
		metric->means[i] *= i % 4 == 3 ? scale : 1;
	}
}

/* The model moved and rotated by a rigid matrix; rows stay as they are (3.33). */
static inline void snw_metric_move(snw_point_metric *metric, const double rigid[12]) {
	const double t[3] = {rigid[3], rigid[7], rigid[11]}, squared = snw_dot3(t, t);
	for (uint32_t k = 0; k < metric->joint_count; k++) { /* means become those of R G, without t */
		double rotated[12], linear[12];
		memcpy(linear, rigid, sizeof linear);
		linear[3] = linear[7] = linear[11] = 0;
		snw_mat34_multiply(linear, metric->means + (size_t)12 * k, rotated);
		memcpy(metric->means + (size_t)12 * k, rotated, sizeof rotated);
	}
	for (uint32_t a = 0; a < metric->joint_count; a++) {
		for (uint32_t b = 0; b < metric->joint_count; b++) {
			double *block = snw_metric_block(metric, a, b);
			const double *of_a = metric->means + (size_t)12 * a, *of_b = metric->means + (size_t)12 * b;
			for (int c = 0; c < 4; c++) {
				block[4 * c + 3] += t[0] * of_a[c] + t[1] * of_a[4 + c] + t[2] * of_a[8 + c];
				block[12 + c] += t[0] * of_b[c] + t[1] * of_b[4 + c] + t[2] * of_b[8 + c];
			}
			block[15] += squared;
		}
	}
	for (size_t i = 0; i < (size_t)12 * metric->joint_count; i++) {
		metric->means[i] += i % 4 == 3 ? t[i % 12 / 4] : 0;
	}
}

/* ---- the bound for all poses (3.18) -------------------------------------------------------------------------------------- */

/* The range of a joint's local matrix: its linear part stretches by at most `stretch` (1 for a rotation), and its translation
 * is within `radius` of `centre`. */
typedef struct snw_joint_range {
	double stretch, centre[3], radius;
} snw_joint_range;

/* A sphere of 4-vectors with one weight. */
typedef struct snw_row_sphere {
	double centre[3], radius, weight;
} snw_row_sphere;

/* An upper bound of the length of a difference over all poses within the ranges: its L2,∞ norm. `ranges` [joint_count];
 * `spheres` [joint_count] is working memory. */
static inline double snw_metric_bound(const snw_point_metric *metric, const snw_joint_range *ranges, const snw_joint_rows *s,
									  snw_row_sphere *spheres) {
	snw_row_sphere model = {{0, 0, 0}, 0, 0};
	memset(spheres, 0, metric->joint_count * sizeof *spheres);
	for (uint32_t i = 0; i < s->count; i++) {
		snw_row_sphere *sphere = &spheres[s->joints[i]];
		for (int c = 0; c < 3; c++) {
			sphere->centre[c] += s->rows[(size_t)4 * i + (size_t)c];
		}
		sphere->weight += s->rows[(size_t)4 * i + 3];
	}
	for (uint32_t i = metric->joint_count; i-- > 0;) {
		const uint32_t joint = metric->order[i], parent = metric->parents[joint];
		const snw_row_sphere *from = &spheres[joint];
		const snw_joint_range *range = &ranges[joint];
		snw_row_sphere *to = parent == SNW_NONE ? &model : &spheres[parent];
		for (int c = 0; c < 3; c++) {
			to->centre[c] += from->weight * range->centre[c];
		}
		to->radius += range->stretch * (snw_length3(from->centre) + from->radius) + fabs(from->weight) * range->radius;
		to->weight += from->weight;
	}
	return snw_length3(model.centre) + model.radius;
}

#endif
