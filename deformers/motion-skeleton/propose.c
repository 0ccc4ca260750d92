/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result of a fit, as proposals: joint 0 is the root, joint b + 1 is bone b; then the ends of a drawing, which move no
 * points. At rest, joints have the axes of the rest space.
 *
 * The root has the rotation of the whole body. Its translation keeps the base bone's pivot fixed in it. At rest it is on the
 * ground below that pivot.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"

typedef struct proposed {
	const snw_proposal_service *service;
	uint32_t joint_count;
	double (*places)[3]; /* [joint_count]: at rest, in the mesh's coordinates */
	const char **names;
	uint32_t *parents;
	snw_transform *rest_local;
	double *inverse_binds;
} proposed;

static void place_joints(const skeleton_fit *f, const proposed *p) {
	double ground = INFINITY;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		ground = fmin(ground, f->motion.points_rest[3 * (size_t)i + 1]);
	}
	for (uint32_t j = 0; j < p->joint_count; j++) {
		const uint32_t bone = j == 0 ? f->tree.order[0] : j - 1;
		const double *place =
			bone < f->bone_count ? f->tree.pivots[bone] : f->drawing.lines[f->drawing.end_lines[bone - f->bone_count]][1];
		for (int c = 0; c < 3; c++) {
			p->places[j][c] = (j == 0 && c == 1 ? ground : place[c]) + f->motion.centre[c];
		}
	}
}

/* SNW_NONE for the root. */
static uint32_t parent_joint(const skeleton_fit *f, uint32_t joint) {
	if (joint == 0) {
		return SNW_NONE;
	}
	if (joint > f->bone_count) {
		return f->drawing.line_bones[f->drawing.end_lines[joint - 1 - f->bone_count]] + 1;
	}
	const uint32_t above = f->tree.parents[joint - 1];
	return above == SNW_NONE ? 0 : above + 1;
}

static snw_status propose_skeleton(const skeleton_fit *f, const proposed *p) {
	snw_pool scratch = snw_pool_open(f->host);
	uint32_t *slots = SNW_POOL_ARRAY(&scratch, uint32_t, f->bone_count);
	if (!slots) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; j < p->joint_count; j++) {
		p->parents[j] = parent_joint(f, j);
		p->rest_local[j] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		for (int c = 0; c < 3; c++) {
			p->rest_local[j].translation[c] = p->places[j][c] - (j == 0 ? 0 : p->places[p->parents[j]][c]);
		}
		if (j > 0 && j <= f->bone_count) {
			double *inverse = p->inverse_binds + 12 * (size_t)(j - 1);
			slots[j - 1] = j;
			snw_mat34_identity(inverse);
			for (int c = 0; c < 3; c++) {
				inverse[4 * c + 3] = -p->places[j][c];
			}
		}
	}
	const snw_skeleton_view skeleton = {.size = sizeof skeleton,
										.joint_count = p->joint_count,
										.names = p->names,
										.parents = p->parents,
										.rest_local = p->rest_local};
	const snw_skeleton_proposal proposal = {.size = sizeof proposal,
											.skeleton = &skeleton,
											.slot_count = f->bone_count,
											.slot_joints = slots,
											.slot_inverse_binds = p->inverse_binds};
	const snw_status status = p->service->skeleton(f->host, &proposal);
	snw_pool_release(&scratch);
	return status;
}

/* The weights of one of the meshes. */
static snw_status propose_weights(const skeleton_fit *f, const proposed *p, uint32_t part) {
	const uint32_t first = f->part_firsts[part], points = f->part_firsts[part + 1] - first;
	snw_pool scratch = snw_pool_open(f->host);
	uint32_t *offsets = SNW_POOL_ARRAY(&scratch, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_POOL_ARRAY(&scratch, uint32_t, (size_t)points * SNK_NNLS_INFLUENCES);
	double *weights = SNW_POOL_ARRAY(&scratch, double, (size_t)points *SNK_NNLS_INFLUENCES);
	snw_status status = SNW_ERROR_MEMORY;
	if (!scratch.failed) {
		for (uint32_t i = 0; i < points; i++) {
			const influence_set *set = &f->weights[first + i];
			memcpy(slots + offsets[i], set->bones, set->count * sizeof *slots);
			memcpy(weights + offsets[i], set->weights, set->count * sizeof *weights);
			offsets[i + 1] = offsets[i] + set->count;
		}
		const snw_weights_proposal proposal = {.size = sizeof proposal,
											   .mesh = f->part_meshes[part],
											   .influence_offsets = offsets,
											   .influence_slots = slots,
											   .influence_weights = weights};
		status = p->service->weights(f->host, &proposal);
	}
	snw_pool_release(&scratch);
	return status;
}

/* ---- tracks -------------------------------------------------------------------------------------------------------------- */

/* Local transforms: bones keep their lengths, so only rotations and the root's position change. */
static void pose_frame(const skeleton_fit *f, const proposed *p, uint32_t frame, snw_transform *local) {
	const rigid *motions = f->motions + (size_t)frame * f->bone_count, *body = &f->bodies[frame];
	const uint32_t base = f->tree.order[0];
	double place[3], away[3], apart[3];
	memcpy(local, p->rest_local, p->joint_count * sizeof *local);
	snw_mat34_point(motions[base].m, f->tree.pivots[base], place);
	for (int c = 0; c < 3; c++) {
		apart[c] = p->places[base + 1][c] - p->places[0][c];
	}
	snw_mat34_vector(body->m, apart, away);
	for (int c = 0; c < 3; c++) {
		local[0].translation[c] = place[c] + f->motion.centre[c] - away[c];
	}
	snw_quat_from_mat34(body->m, local[0].rotation);
	for (uint32_t b = 0; b < f->bone_count; b++) {
		const rigid *above = b == base ? body : &motions[f->tree.parents[b]];
		double inverse[12] = {0}, relative[12]; /* motions are rigid, so they have inverses */
		snw_mat34_invert(above->m, inverse);
		snw_mat34_multiply(inverse, motions[b].m, relative);
		snw_quat_from_mat34(relative, local[b + 1].rotation);
	}
}

static snw_status propose_track(const skeleton_fit *f, const proposed *p, const snw_sequence_view *sequence, uint32_t first) {
	const size_t joints = p->joint_count, frames = sequence->frame_count;
	snw_pool scratch = snw_pool_open(f->host);
	snw_transform *locals = SNW_POOL_ARRAY(&scratch, snw_transform, joints * frames);
	snw_pose_view *views = SNW_POOL_ARRAY(&scratch, snw_pose_view, frames);
	const snw_pose_view **poses = snw_pool_acquire(&scratch, frames, sizeof *poses);
	snw_status status = SNW_ERROR_MEMORY;
	if (!scratch.failed) {
		for (uint32_t frame = 0; frame < sequence->frame_count; frame++) {
			snw_transform *local = locals + joints * frame;
			pose_frame(f, p, first + frame, local);
			views[frame] = (snw_pose_view){.size = sizeof *views, .joint_count = p->joint_count, .local = local};
			poses[frame] = &views[frame];
		}
		const snw_track_proposal proposal = {.size = sizeof proposal,
											 .name = sequence->name,
											 .frame_count = sequence->frame_count,
											 .seconds = sequence->seconds,
											 .poses = poses};
		status = p->service->track(f->host, &proposal);
	}
	snw_pool_release(&scratch);
	return status;
}

snw_status propose(skeleton_fit *f) {
	const size_t joints = (size_t)f->bone_count + 1 + f->drawing.end_count;
	proposed p = {.service = f->host->service(f->host, SNW_SERVICE_PROPOSAL),
				  .joint_count = (uint32_t)joints,
				  .places = snw_pool_acquire(&f->pool, joints, sizeof *p.places),
				  .names = snw_pool_acquire(&f->pool, joints, sizeof *p.names),
				  .parents = SNW_POOL_ARRAY(&f->pool, uint32_t, joints),
				  .rest_local = SNW_POOL_ARRAY(&f->pool, snw_transform, joints),
				  .inverse_binds = SNW_POOL_ARRAY(&f->pool, double, 12 * joints)};
	if (!p.service) {
		return snw_report_fail(f->host, SNW_ERROR_MISSING,
							   "the host lacks the service sinew.proposal, which motion-skeleton needs");
	}
	snw_status status = f->pool.failed ? SNW_ERROR_MEMORY : name_bones(f, p.names + 1);
	if (snk_failed(status)) {
		return status;
	}
	p.names[0] = "root";
	for (uint32_t e = 0; e < f->drawing.end_count; e++) {
		p.names[1 + f->bone_count + e] = f->drawing.end_names[e];
	}
	place_joints(f, &p);
	status = propose_skeleton(f, &p);
	for (uint32_t part = 0; !snk_failed(status) && part < f->part_count; part++) {
		status = propose_weights(f, &p, part);
	}
	uint32_t first = 0;
	for (uint32_t s = 0; !snk_failed(status) && s < f->animations.count; s++) {
		status = propose_track(f, &p, f->animations.sequences[s], first);
		first += f->animations.sequences[s]->frame_count;
	}
	return status;
}
