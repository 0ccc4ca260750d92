/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A first pose of a frame, from the frame alone: the nearest rigid motion of the points that follow each joint most.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/kit/numerics/svd3.h"
#include "track/track_internal.h"

/* Sums over points: what the nearest rigid motion needs. */
typedef struct rigid_sums {
	double weight;
	double rest[3], posed[3]; /* Σ w x */
	double cross[9];          /* Σ w posed restᵀ */
	double spread[9];         /* Σ w rest restᵀ */
	double posed_squares;     /* Σ w |posed|² */
} rigid_sums;

/* Points count for a joint from this weight on; and a joint's points have a rotation if their second principal axis has this
 * share of the first. */
static const double least_weight = 0.5, least_width = 1e-3;

static void add_point(const tracker *t, const tracked_part *part, uint32_t point, double weight, rigid_sums *sums) {
	double rest[3], posed[3];
	for (size_t c = 0; c < 3; c++) {
		rest[c] = part->program->points_rest[3 * (size_t)point + c];
		posed[c] = (double)part->target[3 * (size_t)point + c] - t->centre[c];
	}
	sums->weight += weight;
	sums->posed_squares += weight * snw_dot3(posed, posed);
	for (int r = 0; r < 3; r++) {
		sums->rest[r] += weight * rest[r];
		sums->posed[r] += weight * posed[r];
		for (int c = 0; c < 3; c++) {
			sums->cross[3 * r + c] += weight * posed[r] * rest[c];
			sums->spread[3 * r + c] += weight * rest[r] * rest[c];
		}
	}
}

/* Sums about the means. */
static void centre_sums(rigid_sums *sums) {
	sums->posed_squares -= snw_dot3(sums->posed, sums->posed) / sums->weight;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			sums->cross[3 * r + c] -= sums->posed[r] * sums->rest[c] / sums->weight;
			sums->spread[3 * r + c] -= sums->rest[r] * sums->rest[c] / sums->weight;
		}
	}
}

static bool has_rotation(const rigid_sums *sums) {
	snk_svd3 svd;
	snk_svd3_compute(sums->spread, &svd);
	return svd.s[1] > least_width * svd.s[0];
}

/* The motion by a rotation about the means, and the translation between these. */
static void motion_about_means(const tracker *t, const rigid_sums *sums, const double rotation[9], double motion[12]) {
	double rest[3], place[3];
	for (int r = 0; r < 3; r++) {
		memcpy(motion + 4 * r, rotation + 3 * r, 3 * sizeof *motion);
	}
	for (int c = 0; c < 3; c++) {
		rest[c] = sums->rest[c] / sums->weight;
	}
	snw_mat34_vector(motion, rest, place);
	for (int c = 0; c < 3; c++) {
		motion[4 * c + 3] = sums->posed[c] / sums->weight + t->centre[c] - place[c];
	}
}

static double spread_of(const rigid_sums *sums) {
	return sums->posed_squares + sums->spread[0] + sums->spread[4] + sums->spread[8];
}

/* The nearest rigid motion, which never mirrors; false if it is not determined. The sums become those about the means. */
static bool nearest_rigid(const tracker *t, rigid_sums *sums, double motion[12], double *squares) {
	if (!(sums->weight > 0)) {
		return false;
	}
	centre_sums(sums);
	if (!has_rotation(sums)) {
		return false;
	}
	double rotation[9], along = 0; /* Σ w posed · R rest, which the nearest rotation makes largest */
	snk_nearest_rotation(sums->cross, rotation);
	for (int i = 0; i < 9; i++) {
		along += rotation[i] * sums->cross[i];
	}
	motion_about_means(t, sums, rotation, motion);
	*squares = fmax(spread_of(sums) - 2 * along, 0);
	return true;
}

/* The rigid motion of all points: the body's. Points on a line, as those of a rope, determine no rotation: these are only
 * translated. */
static bool body_motion(const tracker *t, double motion[12], double *squares) {
	rigid_sums sums = {0};
	for (uint32_t k = 0; k < t->part_count; k++) {
		for (uint32_t i = 0; i < t->parts[k].program->point_count; i++) {
			add_point(t, &t->parts[k], i, 1, &sums);
		}
	}
	if (!nearest_rigid(t, &sums, motion, squares) && sums.weight > 0) {
		static const double still[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
		motion_about_means(t, &sums, still, motion);
		*squares = fmax(spread_of(&sums) - 2 * (sums.cross[0] + sums.cross[4] + sums.cross[8]), 0);
	}
	return sums.weight > 0;
}

static void add_joints(const tracker *t, const tracked_part *part, rigid_sums *sums) {
	const snw_program *p = part->program;
	for (uint32_t i = 0; i < p->point_count; i++) {
		for (uint32_t k = p->influence_offsets[i]; k < p->influence_offsets[i + 1]; k++) {
			const double weight = snw_program_weight(p, k);
			if (weight >= least_weight) {
				add_point(t, part, i, weight * weight, &sums[t->scene->slot_joints[p->influence_slots[k]]]);
			}
		}
	}
}

/* The joint's place at bind, in rest space; that of the rest pose where no slot has one. */
static void bind_matrix(const tracker *t, uint32_t joint, double bind[12]) {
	memcpy(bind, t->scene->skeleton.rest_global + 12 * (size_t)joint, 12 * sizeof *bind);
	for (uint32_t s = 0; s < t->scene->slot_count; s++) {
		if (t->scene->slot_joints[s] == joint && snw_mat34_invert(t->scene->slot_inverse_binds + 12 * (size_t)s, bind)) {
			return;
		}
	}
}

/* The local transform that gives a joint the rotation of a global matrix, and its place too if the joint moves. */
static void place_joint(const double wanted[12], const double *above, bool moves, snw_transform *local) {
	double inverse[12], relative[12];
	snw_transform found;
	memcpy(relative, wanted, sizeof relative);
	if (above && snw_mat34_invert(above, inverse)) {
		snw_mat34_multiply(inverse, wanted, relative);
	}
	snw_transform_from_mat34(relative, &found);
	memcpy(local->rotation, found.rotation, sizeof local->rotation);
	if (moves) {
		memcpy(local->translation, found.translation, sizeof local->translation);
	}
}

double tracker_place_roots(const tracker *t, snw_pose *pose) {
	double motion[12], squares = 0;
	if (!body_motion(t, motion, &squares)) {
		return INFINITY;
	}
	for (uint32_t j = 0; j < t->scene->skeleton.joint_count; j++) {
		if (t->scene->skeleton.parents[j] == SNW_NONE && t->is_above_body[j]) {
			double bind[12], wanted[12];
			bind_matrix(t, j, bind);
			snw_mat34_multiply(motion, bind, wanted);
			place_joint(wanted, NULL, true, &pose->local[j]);
		}
	}
	return sqrt(squares / t->point_count);
}

/* Where a joint should be: as the motion of its points says, or of the body for roots. False if nothing says it. */
static bool find_place(const tracker *t, uint32_t joint, rigid_sums *sums, double wanted[12]) {
	double motion[12], bind[12], squares;
	const bool is_root = t->scene->skeleton.parents[joint] == SNW_NONE;
	if (!nearest_rigid(t, &sums[joint], motion, &squares) && !(is_root && body_motion(t, motion, &squares))) {
		return false;
	}
	bind_matrix(t, joint, bind);
	snw_mat34_multiply(motion, bind, wanted);
	return true;
}

void tracker_start(const tracker *t, snw_pose *pose) {
	const snw_skeleton *skeleton = &t->scene->skeleton;
	snw_arena *scratch = snw_arena_create();
	rigid_sums *sums = SNW_NEW_ARRAY(scratch, rigid_sums, skeleton->joint_count);
	double *globals = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)skeleton->joint_count);
	for (uint32_t k = 0; k < t->part_count; k++) {
		add_joints(t, &t->parts[k], sums);
	}
	for (uint32_t n = 0; n < skeleton->joint_count; n++) {
		const uint32_t j = skeleton->order[n], parent = skeleton->parents[j];
		const double *above = parent == SNW_NONE ? NULL : globals + 12 * (size_t)parent;
		double *global = globals + 12 * (size_t)j, wanted[12];
		pose->local[j] = skeleton->rest_local[j];
		if (t->reaches[j] && find_place(t, j, sums, wanted)) {
			place_joint(wanted, above, t->unknowns[j].translation != SNW_NONE, &pose->local[j]);
		}
		snw_transform_to_mat34(&pose->local[j], global);
		if (above) {
			snw_mat34_multiply(above, global, global);
		}
	}
	snw_arena_destroy(scratch);
}
