/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "export/plan/passes.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/numerics/systems.h"

enum { MOST_ROUNDS = 150, MOST_SWEEPS = 120 };
static const double LEAST_GRADIENT = 1e-9, LEAST_CHANGE = 1e-6;
/* The strength of the pull towards a joint's current transform, which decides if its points do not. */
static const double ANCHOR = 1e-9;
/* A mirrored joint may fit points better (the bulge of a cloth that becomes a hollow), but engines rotate normals by the same
 * matrices. Where that shows more than this share of its points from the wrong side, a joint is flattened to this scale, in the
 * direction in which the error at its points is smallest. Elsewhere the joints that it is blended with decide, and it stays. */
static const double TURNED_OVER = 1.0 / 3;
static const double LEAST_SCALE = 0.02;
enum { MOST_FLATTENED = 6 };             /* rounds */
static const double LEAST_SPREAD = 1e-6; /* of a joint's points, in the direction of the least spread */

/* ---- the skin ------------------------------------------------------------------------------------------------------------ */

static void find_centres(snw_palette_skin *skin, const double *points_rest, double *sums) {
	for (uint32_t i = 0; i < skin->point_count; i++) {
		for (uint32_t k = 0; k < skin->width; k++) {
			const size_t at = (size_t)i * skin->width + k;
			const double w = (double)skin->weights[at];
			for (size_t c = 0; c < 3; c++) {
				skin->centres[3 * (size_t)skin->slots[at] + c] += w * points_rest[3 * (size_t)i + c];
			}
			sums[skin->slots[at]] += w;
		}
	}
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		for (size_t c = 0; c < 3; c++) {
			skin->centres[3 * (size_t)j + c] = sums[j] > 0 ? skin->centres[3 * (size_t)j + c] / sums[j] : 0;
		}
	}
}

/* Marks joints that share points, one bit for each pair. */
static void mark_pairs(const snw_palette_skin *skin, unsigned char *bits) {
	for (uint32_t i = 0; i < skin->point_count; i++) {
		const size_t first = (size_t)i * skin->width;
		for (uint32_t a = 0; a < skin->width && skin->weights[first + a] > 0; a++) {
			for (uint32_t b = 0; b < skin->width && skin->weights[first + b] > 0; b++) {
				const size_t pair = (size_t)skin->slots[first + a] * skin->joint_count + skin->slots[first + b];
				bits[pair / 8] |= (unsigned char)(1u << pair % 8);
			}
		}
	}
}

void snw_palette_skin_finish(snw_palette_skin *skin, const double *points_rest, snw_arena *arena) {
	const uint32_t count = skin->joint_count;
	snw_arena *scratch = snw_arena_create();
	unsigned char *bits = SNW_NEW_ARRAY(scratch, unsigned char, ((size_t)count * count + 7) / 8);
	skin->centres = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	skin->offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1);
	find_centres(skin, points_rest, SNW_NEW_ARRAY(scratch, double, count));
	mark_pairs(skin, bits);
	for (int fill = 0; fill < 2; fill++) {
		uint32_t used = 0;
		for (uint32_t j = 0; j < count; j++) {
			for (uint32_t k = 0; k < count; k++) {
				const size_t pair = (size_t)j * count + k;
				if (j == k || (bits[pair / 8] >> pair % 8 & 1)) {
					if (fill) {
						skin->near[used] = k;
					}
					used++;
				}
			}
			skin->offsets[j + 1] = used;
		}
		skin->near = fill ? skin->near : SNW_NEW_ARRAY(arena, uint32_t, used);
	}
	snw_arena_destroy(scratch);
}

/* ---- the sums of one moment ---------------------------------------------------------------------------------------------- */

typedef struct sums {
	const snw_palette_skin *skin;
	double *blocks;   /* [pairs][16]: G_jk for each neighbour k of j */
	double *right;    /* [joint_count][12]: D_j */
	double *unknowns; /* [joint_count][12]: A_j */
	double *flat;     /* [joint_count][3]: the rest direction in which a joint is flattened; 0 for none */
	double scale;     /* the largest diagonal element of G, the unit of tolerances */
} sums;

static uint32_t find_pair(const snw_palette_skin *skin, uint32_t j, uint32_t k) {
	uint32_t low = skin->offsets[j], high = skin->offsets[j + 1];
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (skin->near[middle] <= k) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* w (x − c, 1) */
static void lever(const snw_palette_skin *skin, size_t influence, const double x[3], double dest[4]) {
	const double w = (double)skin->weights[influence], *centre = skin->centres + 3 * (size_t)skin->slots[influence];
	for (int c = 0; c < 3; c++) {
		dest[c] = w * (x[c] - centre[c]);
	}
	dest[3] = w;
}

static void add_point(sums *s, uint32_t point, const double rest[3], const double posed[3]) {
	const snw_palette_skin *skin = s->skin;
	const size_t first = (size_t)point * skin->width;
	for (uint32_t a = 0; a < skin->width && skin->weights[first + a] > 0; a++) {
		double values[4], other[4];
		const uint32_t j = skin->slots[first + a];
		lever(skin, first + a, rest, values);
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 4; c++) {
				s->right[12 * (size_t)j + (size_t)(4 * r + c)] += posed[r] * values[c];
			}
		}
		for (uint32_t b = 0; b < skin->width && skin->weights[first + b] > 0; b++) {
			double *block = s->blocks + 16 * (size_t)find_pair(skin, j, skin->slots[first + b]);
			lever(skin, first + b, rest, other);
			for (int r = 0; r < 4; r++) {
				for (int c = 0; c < 4; c++) {
					block[4 * r + c] += values[r] * other[c];
				}
			}
		}
	}
}

static const double *diagonal_block(const sums *s, uint32_t joint) {
	return s->blocks + 16 * (size_t)find_pair(s->skin, joint, joint);
}

static void gather(sums *s, const snw_palette_fit *moment) {
	for (uint32_t i = 0; i < s->skin->point_count; i++) {
		add_point(s, i, moment->points_rest + 3 * (size_t)i, moment->points + 3 * (size_t)i);
	}
	for (uint32_t j = 0; j < s->skin->joint_count; j++) {
		for (int c = 0; c < 4; c++) {
			s->scale = fmax(s->scale, diagonal_block(s, j)[5 * c]);
		}
	}
}

/* dest += sign · A_k G_kj, where `block` is G_jk. */
static void add_product(const double a[12], const double block[16], double sign, double dest[12]) {
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			double sum = 0;
			for (int k = 0; k < 4; k++) {
				sum += a[4 * r + k] * block[4 * c + k];
			}
			dest[4 * r + c] += sign * sum;
		}
	}
}

/* ---- affine: conjugate gradients ----------------------------------------------------------------------------------------- */

/* dest = Σ_k A_k G_kj for every joint, plus the anchor. */
static void multiply(const sums *s, const double *a, double *dest) {
	const size_t numbers = 12 * (size_t)s->skin->joint_count;
	for (size_t i = 0; i < numbers; i++) {
		dest[i] = ANCHOR * s->scale * a[i];
	}
	for (uint32_t j = 0; j < s->skin->joint_count; j++) {
		for (uint32_t p = s->skin->offsets[j]; p < s->skin->offsets[j + 1]; p++) {
			add_product(a + 12 * (size_t)s->skin->near[p], s->blocks + 16 * (size_t)p, 1, dest + 12 * (size_t)j);
		}
	}
}

/* The preconditioner treats each joint separately: its rows are divided by the Cholesky factor of its diagonal block, in
 * `factors`. */
static void factor_blocks(const sums *s, double *factors) {
	for (uint32_t j = 0; j < s->skin->joint_count; j++) {
		double *l = factors + 16 * (size_t)j;
		const double *g = diagonal_block(s, j);
		for (int r = 0; r < 4; r++) {
			for (int c = 0; c <= r; c++) {
				double sum = g[4 * r + c] + (r == c ? (ANCHOR + 1e-12) * s->scale + 1e-300 : 0);
				for (int k = 0; k < c; k++) {
					sum -= l[4 * r + k] * l[4 * c + k];
				}
				l[4 * r + c] = r == c ? sqrt(fmax(sum, 1e-12 * s->scale + 1e-300)) : sum / l[5 * c];
			}
		}
	}
}

static void precondition(const sums *s, const double *factors, const double *from, double *dest) {
	for (size_t row = 0; row < 3 * (size_t)s->skin->joint_count; row++) {
		const double *l = factors + 16 * (row / 3);
		double *x = dest + 4 * row;
		for (int r = 0; r < 4; r++) {
			x[r] = from[4 * row + (size_t)r];
			for (int k = 0; k < r; k++) {
				x[r] -= l[4 * r + k] * x[k];
			}
			x[r] /= l[5 * r];
		}
		for (int r = 3; r >= 0; r--) {
			for (int k = r + 1; k < 4; k++) {
				x[r] -= l[4 * k + r] * x[k];
			}
			x[r] /= l[5 * r];
		}
	}
}

static double dot(const double *a, const double *b, size_t count) {
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

/* Removes changes along flattened directions. */
static void keep_flat(const sums *s, double *a) {
	for (size_t row = 0; row < 3 * (size_t)s->skin->joint_count; row++) {
		const double *direction = s->flat + row / 3 * 3;
		const double along = snw_dot3(a + 4 * row, direction);
		for (size_t c = 0; c < 3; c++) {
			a[4 * row + c] -= along * direction[c];
		}
	}
}

/* Starts from the current unknowns, which stay the same in directions that the points do not determine. */
static void solve_gradients(sums *s, snw_arena *arena) {
	const size_t numbers = 12 * (size_t)s->skin->joint_count;
	double *step = SNW_NEW_ARRAY(arena, double, numbers), *residual = SNW_NEW_ARRAY(arena, double, numbers);
	double *image = SNW_NEW_ARRAY(arena, double, numbers), *preconditioned = SNW_NEW_ARRAY(arena, double, numbers);
	double *factors = SNW_NEW_ARRAY(arena, double, 16 * (size_t)s->skin->joint_count);
	factor_blocks(s, factors);
	multiply(s, s->unknowns, image);
	for (size_t i = 0; i < numbers; i++) {
		residual[i] = s->right[i] - image[i] + ANCHOR * s->scale * s->unknowns[i];
	}
	keep_flat(s, residual);
	precondition(s, factors, residual, preconditioned);
	keep_flat(s, preconditioned);
	memcpy(step, preconditioned, numbers * sizeof *step);
	double energy = dot(residual, preconditioned, numbers);
	precondition(s, factors, s->right, image);
	const double enough = LEAST_GRADIENT * LEAST_GRADIENT * dot(s->right, image, numbers);
	for (int round = 0; round < MOST_ROUNDS && energy > enough; round++) {
		multiply(s, step, image);
		const double along = energy / dot(step, image, numbers);
		for (size_t i = 0; i < numbers; i++) {
			s->unknowns[i] += along * step[i];
			residual[i] -= along * image[i];
		}
		keep_flat(s, residual);
		precondition(s, factors, residual, preconditioned);
		keep_flat(s, preconditioned);
		const double next_energy = dot(residual, preconditioned, numbers);
		for (size_t i = 0; i < numbers; i++) {
			step[i] = preconditioned[i] + next_energy / energy * step[i];
		}
		energy = next_energy;
	}
}

/* The lower Cholesky factor of the spread of a joint's points about their mean. */
static void factor_spread(const sums *s, uint32_t joint, double l[9]) {
	const double *g = diagonal_block(s, joint);
	double spread[9], trace = 0;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			spread[3 * r + c] = g[4 * r + c] - (g[15] > 0 ? g[4 * r + 3] * g[4 * c + 3] / g[15] : 0);
		}
		trace += spread[4 * r];
	}
	const double least = LEAST_SPREAD * trace + 1e-300;
	for (int i = 0; i < 9; i++) {
		l[i] = i % 3 > i / 3 ? 0 : spread[i] + (i % 4 == 0 ? least : 0);
	}
	snk_cholesky_factor(3, l);
}

/* Flattens a mirrored matrix A. With the points' spread L Lᵀ and A L = U Σ Wᵀ, the error is smallest in the last direction, L
 * w₃. */
static void flatten(sums *s, uint32_t joint) {
	double *a = s->unknowns + 12 * (size_t)joint, *direction = s->flat + 3 * (size_t)joint;
	double l[9], b[9] = {0}, y[3];
	snk_svd3 svd;
	factor_spread(s, joint, l);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			for (int k = c; k < 3; k++) {
				b[3 * r + c] += a[4 * r + k] * l[3 * k + c];
			}
		}
	}
	snk_svd3_compute(b, &svd);
	for (int r = 0; r < 3; r++) {
		y[r] = svd.v[3 * r + 2];
	}
	for (int r = 0; r < 3; r++) {
		direction[r] = snw_dot3(l + 3 * r, y);
	}
	const double length = snw_length3(direction);
	snw_normalize3(direction);
	snk_cholesky_solve_transposed(3, l, 1, y); /* Lᵀ y = w₃ */
	/* With the opposite sign of u₃, A is not mirrored. */
	const double change = -LEAST_SCALE * length - svd.s[2];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			a[4 * r + c] += svd.u[3 * r + 2] * change * y[c];
		}
	}
}

/* Whether the blend of a point rotates its normal to the wrong side. */
static bool is_turned_over(const sums *s, const snw_palette_fit *moment, size_t point) {
	const size_t first = point * s->skin->width;
	const float *rest = moment->normals_rest + 3 * point, *posed = moment->normals + 3 * point;
	const double from[3] = {(double)rest[0], (double)rest[1], (double)rest[2]};
	double along = 0;
	for (size_t i = first; i < first + s->skin->width && s->skin->weights[i] > 0; i++) {
		double by_joint[3];
		snw_mat34_vector(s->unknowns + 12 * (size_t)s->skin->slots[i], from, by_joint);
		for (int c = 0; c < 3; c++) {
			along += (double)s->skin->weights[i] * by_joint[c] * (double)posed[c];
		}
	}
	return along < 0;
}

/* The squared weights of each joint at points that are turned over. Those of all its points are the last element of G_jj. */
static void find_turned_over(const sums *s, const snw_palette_fit *moment, double *share) {
	memset(share, 0, s->skin->joint_count * sizeof *share);
	for (size_t p = 0; p < s->skin->point_count; p++) {
		const size_t first = p * s->skin->width;
		const bool is_over = is_turned_over(s, moment, p);
		for (size_t i = first; is_over && i < first + s->skin->width && s->skin->weights[i] > 0; i++) {
			share[s->skin->slots[i]] += (double)s->skin->weights[i] * (double)s->skin->weights[i];
		}
	}
}

static bool has_mirrored(const sums *s) {
	bool any = false;
	for (uint32_t j = 0; j < s->skin->joint_count && !any; j++) {
		any = snw_mat34_determinant(s->unknowns + 12 * (size_t)j) < 0;
	}
	return any;
}

/* Flattens mirrored joints that turn normals over. Returns false if there is none. */
static bool flatten_mirrored(sums *s, const snw_palette_fit *moment, double *share) {
	bool any = false;
	if (!moment->normals || !has_mirrored(s)) {
		return false;
	}
	find_turned_over(s, moment, share);
	for (uint32_t j = 0; j < s->skin->joint_count; j++) {
		if (snw_mat34_determinant(s->unknowns + 12 * (size_t)j) < 0 && share[j] > TURNED_OVER * diagonal_block(s, j)[15]) {
			flatten(s, j);
			any = true;
		}
	}
	return any;
}

/* Solves the best affine matrices that show no joint's points from the wrong side. */
static void solve_affine(sums *s, const snw_palette_fit *moment, snw_arena *arena) {
	double *share = SNW_NEW_ARRAY(arena, double, s->skin->joint_count);
	s->flat = SNW_NEW_ARRAY(arena, double, 3 * (size_t)s->skin->joint_count);
	bool is_done = false;
	for (int round = 0; round < MOST_FLATTENED && !is_done; round++) {
		solve_gradients(s, arena);
		is_done = !flatten_mirrored(s, moment, share);
	}
}

/* ---- rotations and translations ------------------------------------------------------------------------------------------ */

/* The rotation R that makes tr(Rᵀ P) largest. */
static void best_rotation(const double p[9], double q[4]) {
	double r[9];
	snk_nearest_rotation(p, r);
	snw_quat_from_mat34((const double[12]){r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0}, q);
}

/* The sums of a joint with all others fixed: Σ w² (x − c)(x − c)ᵀ and Σ w r (x − c)ᵀ about the mean of its points, that mean,
 * and its goal. */
typedef struct joint_sums {
	double spread[9], covariance[9], mean[3], goal[3], mass;
} joint_sums;

static joint_sums sums_of_joint(const sums *s, uint32_t joint) {
	joint_sums part;
	const double *g = diagonal_block(s, joint);
	double m[12];
	memcpy(m, s->right + 12 * (size_t)joint, sizeof m);
	for (uint32_t p = s->skin->offsets[joint]; p < s->skin->offsets[joint + 1]; p++) {
		if (s->skin->near[p] != joint) {
			add_product(s->unknowns + 12 * (size_t)s->skin->near[p], s->blocks + 16 * (size_t)p, -1, m);
		}
	}
	part.mass = g[15];
	for (int r = 0; r < 3; r++) {
		part.mean[r] = part.mass > 0 ? g[4 * r + 3] / part.mass : 0;
		part.goal[r] = part.mass > 0 ? m[4 * r + 3] / part.mass : 0;
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			part.spread[3 * r + c] = g[4 * r + c] - part.mass * part.mean[r] * part.mean[c];
			part.covariance[3 * r + c] = m[4 * r + c] - part.mass * part.goal[r] * part.mean[c];
		}
	}
	return part;
}

static void fit_rotation(const joint_sums *part, const snw_transform *node, double scale, double q[4]) {
	double p[9], rotation[12];
	snw_quat_to_mat34(node->rotation, rotation);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			p[3 * r + c] = part->covariance[3 * r + c] + ANCHOR * scale * rotation[4 * r + c];
		}
	}
	best_rotation(p, q);
}

/* Fits a joint with all others fixed. Returns the largest change, in metres at its points. */
static double fit_joint(sums *s, uint32_t joint, snw_transform *node) {
	const joint_sums part = sums_of_joint(s, joint);
	if (!(part.mass > 1e-9 * s->scale)) {
		return 0; /* a joint of almost no weight is unchanged */
	}
	snw_transform next = *node;
	fit_rotation(&part, &next, s->scale, next.rotation);
	double matrix[12], mean_posed[3], change = 0;
	double *a = s->unknowns + 12 * (size_t)joint;
	memset(next.translation, 0, sizeof next.translation);
	snw_transform_to_mat34(&next, matrix);
	snw_mat34_vector(matrix, part.mean, mean_posed);
	for (int r = 0; r < 3; r++) {
		next.translation[r] = part.goal[r] - mean_posed[r];
		matrix[4 * r + 3] = next.translation[r];
	}
	const double reach = sqrt((part.spread[0] + part.spread[4] + part.spread[8]) / part.mass);
	for (int i = 0; i < 12; i++) {
		change = fmax(change, fabs(matrix[i] - a[i]) * (i % 4 == 3 ? 1 : reach));
	}
	memcpy(a, matrix, sizeof matrix);
	*node = next;
	return change;
}

/* The node of a joint from any matrix: the rotation that moves its points nearest to where the matrix does, so that directions
 * without points have no effect. */
static void nearest_node(const sums *s, uint32_t joint, snw_transform *node) {
	const double *a = s->unknowns + 12 * (size_t)joint, *g = diagonal_block(s, joint);
	double p[9];
	*node = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			p[3 * r + c] = ANCHOR * s->scale * a[4 * r + c];
			for (int k = 0; k < 3; k++) {
				p[3 * r + c] += a[4 * r + k] * g[4 * k + c];
			}
		}
		node->translation[r] = a[4 * r + 3];
	}
	best_rotation(p, node->rotation);
}

static void solve_nodes(sums *s, const snw_palette_fit *moment, double diagonal) {
	for (uint32_t j = 0; j < s->skin->joint_count; j++) {
		nearest_node(s, j, &moment->joints[j]);
		snw_transform_to_mat34(&moment->joints[j], s->unknowns + 12 * (size_t)j);
	}
	for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
		double change = 0;
		for (uint32_t j = 0; j < s->skin->joint_count; j++) {
			change = fmax(change, fit_joint(s, j, &moment->joints[j]));
		}
		if (change < LEAST_CHANGE * diagonal) {
			break;
		}
	}
}

/* ---- solving ------------------------------------------------------------------------------------------------------------- */

/* Converts matrices from rest to posed space to matrices from the joints' centres. */
static void shift(const snw_palette_skin *skin, const double *from, double *dest) {
	for (uint32_t j = 0; j < skin->joint_count; j++) {
		const double *m = from + 12 * (size_t)j;
		double rotated_centre[3];
		memcpy(dest + 12 * (size_t)j, m, 12 * sizeof *dest);
		snw_mat34_vector(m, skin->centres + 3 * (size_t)j, rotated_centre);
		for (int r = 0; r < 3; r++) {
			dest[12 * (size_t)j + (size_t)(4 * r + 3)] += rotated_centre[r];
		}
	}
}

void snw_palette_fit_solve(snw_palette_fit *moment) {
	const snw_palette_skin *skin = moment->skin;
	snw_arena *arena = snw_arena_create();
	sums s = {.skin = skin};
	s.blocks = SNW_NEW_ARRAY(arena, double, 16 * (size_t)skin->offsets[skin->joint_count]);
	s.right = SNW_NEW_ARRAY(arena, double, 12 * (size_t)skin->joint_count);
	s.unknowns = SNW_NEW_ARRAY(arena, double, 12 * (size_t)skin->joint_count);
	gather(&s, moment);
	shift(skin, moment->matrices, s.unknowns);
	if (moment->affine) {
		solve_affine(&s, moment, arena);
		memcpy(moment->matrices, s.unknowns, 12 * (size_t)skin->joint_count * sizeof *s.unknowns);
	} else {
		solve_nodes(&s, moment, snw_points_diagonal(moment->points, skin->point_count));
	}
	snw_arena_destroy(arena);
}

double snw_palette_fit_residual(const snw_palette_fit *moment) {
	const snw_palette_skin *skin = moment->skin;
	double sum = 0;
	for (size_t p = 0; p < skin->point_count; p++) {
		double gap[3];
		for (size_t c = 0; c < 3; c++) {
			gap[c] = -moment->points[3 * p + c];
		}
		for (size_t i = p * skin->width; i < (p + 1) * skin->width && skin->weights[i] > 0; i++) {
			const size_t joint = skin->slots[i];
			double at[3], matrix[12], posed[3];
			for (size_t c = 0; c < 3; c++) {
				at[c] = moment->points_rest[3 * p + c] - skin->centres[3 * joint + c];
			}
			if (moment->affine) {
				memcpy(matrix, moment->matrices + 12 * joint, sizeof matrix);
			} else {
				snw_transform_to_mat34(&moment->joints[joint], matrix);
			}
			snw_mat34_point(matrix, at, posed);
			for (int c = 0; c < 3; c++) {
				gap[c] += (double)skin->weights[i] * posed[c];
			}
		}
		sum += snw_dot3(gap, gap);
	}
	return sum;
}
