/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helper joints: slots of the stack's blend behind those of the skeleton. In the file each is a joint below its parent, with
 * tracks in every clip: what the pose makes of it.
 */
#include <math.h>
#include <string.h>

#include "export/plan/joints/joint_tracks.h"
#include "export/plan/passes.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

/* Of the diagonal: how far tracks may be off between keys, and between frames of a clip without tracks. */
static const double NEAR = 4e-5, BETWEEN_FRAMES = 1.6e-3;

/* ---- the rig of the file ------------------------------------------------------------------------------------------------- */

void snw_plan_find_helpers(snw_plan *plan) {
	for (uint32_t m = 0; m < plan->mesh_count && plan->helper_count == 0; m++) {
		const snw_plan_mesh *mesh = &plan->meshes[m];
		if (mesh->runs_on_joints && mesh->program->slot_count > plan->scene->slot_count) {
			const snw_segment_info info = snw_stack_segment(plan->stack, mesh->index, mesh->segment);
			plan->helpers = info.helpers;
			plan->helper_count = info.helper_count;
			plan->helper_mesh = m;
		}
	}
}

static bool has_name(const snw_plan_rig *rig, const char *name) {
	for (uint32_t j = 0; j < rig->joint_count; j++) {
		if (strcmp(rig->names[j], name) == 0) {
			return true;
		}
	}
	return false;
}

static const char *free_name(const snw_plan *plan, const char *name) {
	const char *tried = name;
	for (uint32_t i = 2; has_name(&plan->rig, tried); i++) {
		tried = snw_arena_format(plan->arena, "%s-%u", name, i);
	}
	return tried == name ? snw_arena_text(plan->arena, name) : tried;
}

/* Joint space → rest space: at the helper's place, with its axes. False if the parent has no volume at rest. */
static bool find_bind(const snw_plan *plan, uint32_t helper, double bind[12]) {
	const snw_helper_joint *one = &plan->helpers[helper];
	const double *parent = plan->scene->skeleton.rest_global + 12 * (size_t)one->parent;
	snw_transform axes = {.scale = {one->scale[0], one->scale[1], one->scale[2]}};
	memcpy(axes.rotation, one->rotation, sizeof axes.rotation);
	snw_transform_to_mat34(&axes, bind);
	snw_mat34_multiply(parent, bind, bind);
	for (int c = 0; c < 3; c++) {
		bind[4 * c + 3] = one->place[c];
	}
	return snw_mat34_determinant(parent) != 0;
}

void snw_plan_helper_matrix(const snw_plan *plan, const snw_pose_view *view, uint32_t helper, double matrix[12]) {
	const snw_plan_mesh *mesh = &plan->meshes[plan->helper_mesh];
	const snw_program_input *input = snw_stack_program_input(plan->evaluation, mesh->index, mesh->segment);
	double back[12];
	if (find_bind(plan, helper, matrix) && snw_mat34_invert(view->global + 12 * (size_t)plan->helpers[helper].parent, back)) {
		snw_mat34_multiply(input->matrices + 12 * (size_t)(plan->scene->slot_count + helper), matrix, matrix);
		snw_mat34_multiply(back, matrix, matrix);
	} else {
		snw_mat34_identity(matrix);
	}
}

static snw_transform node_at(const snw_plan *plan, const snw_pose_view *view, uint32_t helper) {
	double matrix[12];
	snw_transform node;
	snw_plan_helper_matrix(plan, view, helper, matrix);
	snw_transform_from_mat34(matrix, &node);
	return node;
}

snw_status snw_plan_add_helpers(snw_plan *plan, snw_error *error) {
	snw_plan_rig *rig = &plan->rig;
	const snw_pose_view *view;
	const snw_status status = plan->helper_count > 0 ? snw_plan_drive(plan, plan->rest, plan->arena, &view, error) : SNW_OK;
	for (uint32_t h = 0; h < plan->helper_count && !snw_failed(status); h++) {
		const uint32_t joint = rig->joint_count, slot = rig->slot_count++;
		double bind[12];
		rig->names[joint] = free_name(plan, plan->helpers[h].name);
		rig->parents[joint] = plan->helpers[h].parent;
		rig->order[joint] = joint;
		rig->local[joint] = node_at(plan, view, h);
		rig->joint_count++;
		rig->slot_joints[slot] = joint;
		snw_mat34_identity(rig->slot_inverse_binds + 12 * (size_t)slot);
		if (find_bind(plan, h, bind)) {
			snw_mat34_invert(bind, rig->slot_inverse_binds + 12 * (size_t)slot);
		}
	}
	plan->report.helper_count = plan->helper_count;
	return status;
}

/* ---- tracks -------------------------------------------------------------------------------------------------------------- */

static void read_all(const void *context, const snw_pose_view *view, double *matrices) {
	const snw_plan *plan = context;
	for (uint32_t h = 0; h < plan->helper_count; h++) {
		snw_plan_helper_matrix(plan, view, h, matrices + 12 * (size_t)h);
	}
}

static snw_status sample_clip(snw_plan *plan, uint32_t c, const snw_added_joints *added, snw_error *error) {
	double *seconds;
	uint32_t count;
	snw_status status = snw_plan_choose_keys(plan, c, added, &seconds, &count, error);
	snw_arena *arena = snw_arena_create();
	double *matrices = SNW_NEW_ARRAY(arena, double, 12 * (size_t)count * added->count);
	for (uint32_t k = 0; k < count && !snw_failed(status); k++) {
		snw_arena *moment = snw_arena_create();
		const snw_pose_view *view;
		status = snw_plan_drive(plan, snw_clip_sampler_pose(plan->samplers[c], seconds[k], moment), moment, &view, error);
		if (!snw_failed(status)) {
			read_all(plan, view, matrices + 12 * (size_t)k * added->count);
		}
		snw_arena_destroy(moment);
	}
	for (uint32_t h = 0; h < added->count && !snw_failed(status); h++) {
		snw_added_joint_tracks(added, h, plan->scene->skeleton.joint_count + h, count, seconds, matrices, plan->arena,
							   plan->helper_tracks[c] + SNW_PLAN_TRACKS * (size_t)h);
	}
	snw_arena_destroy(arena);
	return status;
}

/* What is asked of the tracks: by the points of all meshes. */
static snw_added_joints describe(const snw_plan *plan) {
	double diagonal = (double)INFINITY;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		diagonal = plan->meshes[m].runs_on_joints ? fmin(diagonal, plan->meshes[m].diagonal) : diagonal;
	}
	return (snw_added_joints){.count = plan->helper_count,
							  .moments = snw_added_joint_moments(plan, plan->scene->slot_count, plan->helper_count),
							  .tolerance = NEAR * diagonal,
							  .between_frames = BETWEEN_FRAMES * diagonal,
							  .read = read_all,
							  .context = plan};
}

snw_status snw_plan_sample_helpers(snw_plan *plan, snw_error *error) {
	snw_status status = SNW_OK;
	plan->helper_tracks = SNW_NEW_ARRAY(plan->arena, snw_track *, plan->clip_count);
	plan->helper_track_count = SNW_PLAN_TRACKS * plan->helper_count;
	if (plan->helper_count == 0) {
		return SNW_OK;
	}
	const snw_added_joints added = describe(plan);
	for (uint32_t c = 0; c < plan->clip_count && !snw_failed(status); c++) {
		plan->helper_tracks[c] = SNW_NEW_ARRAY(plan->arena, snw_track, plan->helper_track_count);
		status = sample_clip(plan, c, &added, error);
	}
	return status;
}

/* ---- playback ------------------------------------------------------------------------------------------------------------ */

const double *snw_plan_helper_palette(const snw_plan *plan, uint32_t clip, const snw_plan_instant *at,
									  const snw_pose_view *view, snw_arena *arena) {
	const uint32_t slots = plan->scene->slot_count;
	double *palette = SNW_NEW_ARRAY(arena, double, 12 * ((size_t)slots + plan->helper_count));
	memcpy(palette, view->palette, 12 * (size_t)slots * sizeof *palette);
	for (uint32_t h = 0; h < plan->helper_count; h++) {
		double *values = palette + 12 * ((size_t)slots + h);
		snw_transform node = clip == SNW_NONE ? node_at(plan, view, h) : plan->rig.local[plan->rig.slot_joints[slots + h]];
		if (clip != SNW_NONE) {
			double *parts[] = {node.translation, node.rotation, node.scale};
			for (uint32_t t = 0; t <= SNW_PATH_SCALE; t++) {
				const snw_track *track = &plan->helper_tracks[clip][SNW_PLAN_TRACKS * (size_t)h + t];
				double value[4];
				if (track->key_count > 0) {
					snw_plan_sample_track(track, at, value);
					memcpy(parts[t], value, snw_track_width(track) * sizeof *value);
				}
			}
		}
		snw_transform_to_mat34(&node, values);
		snw_mat34_multiply(view->global + 12 * (size_t)plan->helpers[h].parent, values, values);
		snw_mat34_multiply(values, plan->rig.slot_inverse_binds + 12 * ((size_t)slots + h), values);
	}
	return palette;
}
