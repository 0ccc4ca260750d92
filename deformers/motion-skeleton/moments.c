/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over the points, and the motions of bones that follow from them.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/svd3.h"

static void homogeneous(const double v[3], double dest[4]) {
	memcpy(dest, v, 3 * sizeof *v);
	dest[3] = 1;
}

static void gather_rest(const skeleton_fit *f) {
	const size_t count = f->bone_count;
	memset(f->moments.rest, 0, count * count * sizeof *f->moments.rest);
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		const influence_set *set = &f->weights[i];
		double v[4];
		homogeneous(f->motion.points_rest + 3 * (size_t)i, v);
		for (uint32_t a = 0; a < set->count; a++) {
			for (uint32_t b = 0; b < set->count; b++) {
				double *sum = f->moments.rest[set->bones[a] * count + set->bones[b]];
				const double weight = set->weights[a] * set->weights[b];
				for (int k = 0; k < 16; k++) {
					sum[k] += weight * v[k / 4] * v[k % 4];
				}
			}
		}
	}
}

static void SNW_CALL gather_posed(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const skeleton_fit *f = argument;
	for (uint32_t frame = begin; frame < end; frame++) {
		double(*posed)[12] = f->moments.posed + (size_t)frame * f->bone_count;
		memset(posed, 0, f->bone_count * sizeof *posed);
		f->moments.squares[frame] = 0;
		for (uint32_t i = 0; i < f->motion.point_count; i++) {
			const influence_set *set = &f->weights[i];
			double v[4], target[3];
			homogeneous(f->motion.points_rest + 3 * (size_t)i, v);
			frame_point(f, frame, i, target);
			f->moments.squares[frame] += snw_dot3(target, target);
			for (uint32_t a = 0; a < set->count; a++) {
				for (int k = 0; k < 12; k++) {
					posed[set->bones[a]][k] += set->weights[a] * target[k / 4] * v[k % 4];
				}
			}
		}
	}
}

snw_status gather_moments(skeleton_fit *f) {
	gather_rest(f);
	return run_in_slabs(f, f->frame_count, 1, gather_posed, f);
}

/* ---- the error ----------------------------------------------------------------------------------------------------------- */

void add_moment(const rigid *t, const double moment[16], double dest[12]) {
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 4; c++) {
			for (int k = 0; k < 4; k++) {
				dest[4 * r + c] += t->m[4 * r + k] * moment[4 * k + c];
			}
		}
	}
}

int share_points(const skeleton_fit *f, uint32_t a, uint32_t b) {
	return f->moments.rest[(size_t)a * f->bone_count + b][15] > 0;
}

double blend_errors(const skeleton_fit *f, uint32_t frame, const rigid *motions, double (*errors)[12]) {
	const uint32_t count = f->bone_count;
	double squares = f->moments.squares[frame];
	for (uint32_t a = 0; a < count; a++) {
		const double *posed = f->moments.posed[(size_t)frame * count + a];
		memset(errors[a], 0, sizeof errors[a]);
		for (uint32_t b = 0; b < count; b++) {
			if (share_points(f, a, b)) {
				add_moment(&motions[b], f->moments.rest[(size_t)a * count + b], errors[a]);
			}
		}
		for (int k = 0; k < 12; k++) {
			squares += motions[a].m[k] * (errors[a][k] - 2 * posed[k]);
			errors[a][k] -= posed[k];
		}
	}
	return fmax(squares, 0);
}

/* ---- initial motions ----------------------------------------------------------------------------------------------------- */

void nearest_rigid(const double rest[16], const double posed[12], rigid *dest) {
	double covariance[9], rotation[9];
	const double mass = rest[15];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			covariance[3 * r + c] = posed[4 * r + c] - posed[4 * r + 3] * rest[4 * c + 3] / mass;
		}
	}
	snk_nearest_rotation(covariance, rotation);
	for (int r = 0; r < 3; r++) {
		dest->m[4 * r + 3] = posed[4 * r + 3] / mass;
		for (int c = 0; c < 3; c++) {
			dest->m[4 * r + c] = rotation[3 * r + c];
			dest->m[4 * r + 3] -= rotation[3 * r + c] * rest[4 * c + 3] / mass;
		}
	}
}

/* The motion of all points together: weights sum to 1, so the bones' sums add up to those of all points. */
static void move_body(const skeleton_fit *f, uint32_t frame) {
	const size_t count = f->bone_count;
	double rest[16] = {0}, posed[12] = {0};
	for (size_t a = 0; a < count; a++) {
		for (size_t b = 0; b < count; b++) {
			for (int k = 0; k < 16; k++) {
				rest[k] += f->moments.rest[a * count + b][k];
			}
		}
		for (int k = 0; k < 12; k++) {
			posed[k] += f->moments.posed[frame * count + a][k];
		}
	}
	nearest_rigid(rest, posed, &f->bodies[frame]);
}

void place_bone(const bone_tree *tree, uint32_t bone, const rigid *parent, rigid *motion) {
	double place[3], from[3];
	snw_mat34_point(parent->m, tree->pivots[bone], place);
	snw_mat34_vector(motion->m, tree->pivots[bone], from);
	for (int r = 0; r < 3; r++) {
		motion->m[4 * r + 3] = place[r] - from[r];
	}
}

void start_motions(skeleton_fit *f) {
	const bone_tree *tree = &f->tree;
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		rigid *motions = f->motions + (size_t)frame * f->bone_count;
		memcpy(motions, f->parts + (size_t)frame * f->bone_count, f->bone_count * sizeof *motions);
		for (uint32_t n = 1; n < f->bone_count; n++) {
			place_bone(tree, tree->order[n], &motions[tree->parents[tree->order[n]]], &motions[tree->order[n]]);
		}
		move_body(f, frame);
	}
}
