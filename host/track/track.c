/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames in turn: where each search starts, and which poses cannot be trusted.
 */
#include "track/track.h"

#include <math.h>
#include <string.h>

#include "base/box.h"
#include "pose/pose.h"
#include "track/track_internal.h"

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
