/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames in turn: where each search starts, and which poses cannot be trusted.
 */
#include "track/track.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "track/track_internal.h"

/* ---- where a frame begins ------------------------------------------------------------------------------------------------ */

/* A first pose of a frame, from the frame alone: the nearest rigid motion of the points that follow each joint most. */

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

static void add_rigid_point(const tracker *t, const tracked_part *part, uint32_t point, double weight, rigid_sums *sums) {
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
			add_rigid_point(t, &t->parts[k], i, 1, &sums);
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
				add_rigid_point(t, part, i, weight * weight, &sums[t->scene->slot_joints[p->influence_slots[k]]]);
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

/* Moves only the roots that move no points: they follow the rigid motion of the body. Returns that motion's rms. */
static double tracker_place_roots(const tracker *t, snw_pose *pose) {
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

/* The pose of the frame from a rigid motion for each joint's points; and the rms of one rigid motion for all points. */
static void tracker_start(const tracker *t, snw_pose *pose) {
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

/* ---- what can be tracked ------------------------------------------------------------------------------------------------- */

static snw_status refuse(const tracker *t, uint32_t mesh, const char *layers, const char *reason, snw_error *error) {
	return snw_fail(error, SNW_ERROR_UNSUPPORTED,
					"mesh '%s' cannot be tracked through %s: %s; choose another method or layer with --method",
					t->scene->meshes[mesh].name, layers, reason);
}

/* The one program that moves a mesh. */
static snw_status find_program(const tracker *t, tracked_part *part, snw_error *error) {
	const uint32_t count = snw_stack_segment_count(t->stack, part->mesh);
	for (uint32_t s = 0; s < count; s++) {
		const snw_segment_info info = snw_stack_segment(t->stack, part->mesh, s);
		if (!info.is_program) {
			return refuse(t, part->mesh, info.layers, info.reason, error);
		}
		if (info.has_palette) {
			return refuse(t, part->mesh, info.layers, "it has a palette of its own, which does not follow the joints", error);
		}
		if (count > 1) {
			return refuse(t, part->mesh, info.layers, "it is one of several blends, one upon another", error);
		}
		part->program = info.program;
	}
	if (!part->program || part->program->blend == SNW_BLEND_NONE || !part->program->influence_offsets) {
		return snw_fail(error, SNW_ERROR_MISSING, "mesh '%s' has no skin that follows the joints; 'sinew bind' makes one",
						t->scene->meshes[part->mesh].name);
	}
	return SNW_OK;
}

/* Programs of all meshes with points, and how large they are together. */
static snw_status find_parts(tracker *t, snw_error *error) {
	snw_box box = snw_box_empty();
	snw_status status = SNW_OK;
	t->parts = SNW_NEW_ARRAY(t->arena, tracked_part, t->request->mesh_count);
	for (uint32_t k = 0; k < t->request->mesh_count && !snw_failed(status); k++) {
		const snw_tracked_mesh *tracked = &t->request->meshes[k];
		const snw_mesh *mesh = &t->scene->meshes[tracked->mesh];
		if (mesh->point_count == 0) {
			continue;
		}
		tracked_part *part = &t->parts[t->part_count++];
		*part = (tracked_part){.mesh = tracked->mesh, .frames = tracked->points_posed};
		t->point_count += mesh->point_count;
		snw_box_add_points(&box, mesh->points_rest, mesh->point_count);
		status = find_program(t, part, error);
	}
	if (!snw_failed(status) && t->part_count == 0) {
		status = snw_fail(error, SNW_ERROR_MISSING, "the meshes to track have no points");
	}
	t->diagonal = snw_box_diagonal(&box);
	return status;
}

/* ---- one frame ----------------------------------------------------------------------------------------------------------- */

static void set_target(tracker *t, uint32_t frame) {
	memset(t->centre, 0, sizeof t->centre);
	for (uint32_t k = 0; k < t->part_count; k++) {
		tracked_part *part = &t->parts[k];
		const uint32_t count = part->program->point_count;
		part->target = part->frames + 3 * (size_t)frame * count;
		for (uint32_t i = 0; i < count; i++) {
			for (size_t c = 0; c < 3; c++) {
				t->centre[c] += (double)part->target[3 * (size_t)i + c] / t->point_count;
			}
		}
	}
}

static double present_rms(const tracker *t) {
	return sqrt(t->present.squares / t->point_count);
}

static void set_present(tracker *t, const snw_pose *pose) {
	const size_t joints = t->scene->skeleton.joint_count;
	memcpy(t->present.pose->local, pose->local, joints * sizeof *pose->local);
	memcpy(t->present.pose->rotation_vectors, pose->rotation_vectors, 3 * joints * sizeof *pose->rotation_vectors);
}

/* Searches from a pose, and keeps the result in `found` if it is nearer. */
static snw_status search_from(tracker *t, const snw_pose *start, snw_tracked_frame *found, snw_error *error) {
	set_present(t, start);
	const snw_status status = tracker_fit_frame(t, error);
	if (!snw_failed(status) && present_rms(t) < found->rms) {
		found->rms = present_rms(t);
		memcpy(found->pose->local, t->present.pose->local, t->scene->skeleton.joint_count * sizeof *found->pose->local);
	}
	return status;
}

/* A search that starts at the frame before is repeated from the frame itself if it ends this much further away. */
static const double repeat_above = 1.5;

static snw_status track_frame(tracker *t, const snw_tracked_frame *before, snw_tracked_frame *found, snw_error *error) {
	snw_pose *start = snw_pose_copy(t->scene, before ? before->pose : found->pose, t->arena);
	found->rigid_rms = tracker_place_roots(t, start);
	found->rms = INFINITY;
	snw_status status = search_from(t, start, found, error);
	if (!snw_failed(status) && (!before || found->rms > repeat_above * before->rms)) {
		tracker_start(t, start);
		status = search_from(t, start, found, error);
	}
	if (before) {
		memcpy(found->pose->rotation_vectors, before->pose->rotation_vectors,
			   3 * (size_t)t->scene->skeleton.joint_count * sizeof(double));
	}
	snw_pose_unwind(t->scene, found->pose);
	return status;
}

/* ---- which frames are lost ----------------------------------------------------------------------------------------------- */

/* A frame is lost if its error is above this part of the diagonal, and is either this many times that of most frames, or more
 * than this share of what one rigid motion leaves. */
static const double lost_part = 0.01, lost_ratio = 3, lost_share = 0.5;

static double median_rms(const snw_tracked *tracked, uint32_t count, snw_arena *arena) {
	double *sorted = SNW_NEW_ARRAY(arena, double, count);
	for (uint32_t f = 0; f < count; f++) {
		uint32_t at = f;
		for (; at > 0 && sorted[at - 1] > tracked->frames[f].rms; at--) {
			sorted[at] = sorted[at - 1];
		}
		sorted[at] = tracked->frames[f].rms;
	}
	return sorted[(count - 1) / 2];
}

static void judge(const snw_track_request *request, snw_arena *arena, snw_tracked *tracked) {
	tracked->median_rms = median_rms(tracked, request->frame_count, arena);
	for (uint32_t f = 0; f < request->frame_count; f++) {
		snw_tracked_frame *frame = &tracked->frames[f];
		frame->is_lost = frame->rms > lost_part * tracked->diagonal &&
						 (frame->rms > lost_ratio * tracked->median_rms || frame->rms > lost_share * frame->rigid_rms);
		tracked->lost_count += frame->is_lost;
	}
}

/* ---- all frames ---------------------------------------------------------------------------------------------------------- */

static snw_status track_frames(tracker *t, const snw_task *task, snw_arena *arena, snw_tracked *tracked, snw_error *error) {
	const snw_track_request *request = t->request;
	tracked->frames = SNW_NEW_ARRAY(arena, snw_tracked_frame, request->frame_count);
	t->present.pose = snw_pose_rest(t->scene, t->arena);
	t->trial.pose = snw_pose_rest(t->scene, t->arena);
	for (uint32_t f = 0; f < request->frame_count; f++) {
		if (!snw_task_progress(task, (double)f / request->frame_count, "tracking")) {
			return snw_fail(error, SNW_CANCELLED, "tracking was cancelled");
		}
		tracked->frames[f].pose = snw_pose_rest(t->scene, arena);
		set_target(t, f);
		const bool has_before = f > 0 && !request->is_set;
		const snw_status status = track_frame(t, has_before ? &tracked->frames[f - 1] : NULL, &tracked->frames[f], error);
		if (snw_failed(status)) {
			return status;
		}
	}
	judge(request, arena, tracked);
	return SNW_OK;
}

static snw_status track_through(const snw_stack *stack, const snw_scene *scene, const snw_track_request *request,
								const snw_task *task, snw_arena *arena, snw_tracked *tracked, snw_error *error) {
	tracker t = {.scene = scene, .stack = stack, .request = request, .arena = snw_arena_create()};
	snw_status status = find_parts(&t, error);
	if (!snw_failed(status)) {
		snw_tracked result = {.diagonal = t.diagonal};
		t.evaluation = snw_evaluation_create_reference(stack);
		tracker_prepare(&t);
		status = track_frames(&t, task, arena, &result, error);
		snw_evaluation_destroy(t.evaluation);
		*tracked = snw_failed(status) ? *tracked : result;
	}
	snw_arena_destroy(t.arena);
	return status;
}

snw_status snw_track_poses(const snw_scene *scene, const snw_registry *registry, const snw_track_request *request,
						   const snw_task *task, snw_arena *arena, snw_tracked *tracked, snw_error *error) {
	const snw_stack_options options = {.method = request->method, .below_layer = scene->layer_count};
	snw_stack *stack = NULL;
	bool has_meshes = request->mesh_count > 0;
	for (uint32_t k = 0; k < request->mesh_count; k++) {
		has_meshes = has_meshes && request->meshes[k].mesh < scene->mesh_count;
	}
	if (!has_meshes || request->frame_count == 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "no mesh or no frames to track");
	}
	if (scene->skeleton.joint_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"the character has no skeleton to track; 'sinew skeleton' makes one for a mesh animation");
	}
	snw_status status = snw_stack_build(scene, registry, &options, task, &stack, error);
	if (!snw_failed(status)) {
		status = track_through(stack, scene, request, task, arena, tracked, error);
		snw_stack_destroy(stack);
	}
	return status;
}
