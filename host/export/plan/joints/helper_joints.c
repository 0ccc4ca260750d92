/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helper joints: slots of the stack's blend behind those of the skeleton. In the file each is a joint below its parent, with
 * tracks in every clip: what the pose makes of it. A helper that never stretches has none of scales.
 */
#include <math.h>
#include <string.h>

#include "export/plan/passes.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

static const double STEP_SECONDS = 1.0 / 30; /* between keys, beside those of the clip */

enum { TRACKS = 3 }; /* of a helper, by SNW_PATH_: translation, rotation, scale */

/* A track of scales as near to 1 is not written. */
static const double LEAST_STRETCH = 1e-6;

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

/* The node of a helper at the last driven pose. */
static snw_transform node_at(const snw_plan *plan, const snw_pose_view *view, uint32_t helper) {
	const snw_plan_mesh *mesh = &plan->meshes[plan->helper_mesh];
	const snw_program_input *input = snw_stack_program_input(plan->evaluation, mesh->index, mesh->segment);
	double matrix[12], back[12];
	snw_transform node = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	if (find_bind(plan, helper, matrix) && snw_mat34_invert(view->global + 12 * (size_t)plan->helpers[helper].parent, back)) {
		snw_mat34_multiply(input->matrices + 12 * (size_t)(plan->scene->slot_count + helper), matrix, matrix);
		snw_mat34_multiply(back, matrix, matrix);
		snw_transform_from_mat34(matrix, &node);
	}
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

/* The keys of one clip. */
typedef struct helper_keys {
	uint32_t count;
	double *seconds; /* [count] */
	double **values; /* [helper_track_count]: of each track */
} helper_keys;

static void write_key(const snw_plan *plan, const snw_pose_view *view, uint32_t key, const helper_keys *keys) {
	for (uint32_t h = 0; h < plan->helper_count; h++) {
		const snw_transform node = node_at(plan, view, h);
		double *const *values = keys->values + TRACKS * (size_t)h;
		double *rotation = values[SNW_PATH_ROTATION] + 4 * (size_t)key;
		memcpy(values[SNW_PATH_TRANSLATION] + 3 * (size_t)key, node.translation, sizeof node.translation);
		memcpy(values[SNW_PATH_SCALE] + 3 * (size_t)key, node.scale, sizeof node.scale);
		/* Consecutive quaternions are on the same side of the sphere. */
		const double sign = key > 0 && snw_quat_dot(node.rotation, rotation - 4) < 0 ? -1 : 1;
		for (int c = 0; c < 4; c++) {
			rotation[c] = sign * node.rotation[c];
		}
	}
}

static bool is_written(const helper_keys *keys, uint32_t track) {
	bool stretches = track % TRACKS != SNW_PATH_SCALE;
	for (uint32_t i = 0; i < 3 * keys->count && !stretches; i++) {
		stretches = fabs(keys->values[track][i] - 1) > LEAST_STRETCH;
	}
	return stretches;
}

static void make_tracks(const snw_plan *plan, const helper_keys *keys, snw_track *tracks) {
	for (uint32_t t = 0; t < plan->helper_track_count; t++) {
		tracks[t] = (snw_track){.target = plan->scene->skeleton.joint_count + t / TRACKS,
								.path = (snw_track_path)(t % TRACKS),
								.interpolation = SNW_LINEAR,
								.key_count = is_written(keys, t) ? keys->count : 0,
								.seconds = keys->seconds,
								.values = keys->values[t]};
	}
}

static snw_status sample_clip(const snw_plan *plan, uint32_t c, snw_track *tracks, snw_error *error) {
	helper_keys keys = {.values = SNW_NEW_ARRAY(plan->arena, double *, plan->helper_track_count)};
	snw_status status = SNW_OK;
	snw_plan_keys(plan, plan->clips[c], STEP_SECONDS, &keys.seconds, &keys.count);
	for (uint32_t t = 0; t < plan->helper_track_count; t++) {
		keys.values[t] = SNW_NEW_ARRAY(plan->arena, double, (size_t)keys.count *(t % TRACKS == SNW_PATH_ROTATION ? 4 : 3));
	}
	for (uint32_t k = 0; k < keys.count && !snw_failed(status); k++) {
		snw_arena *moment = snw_arena_create();
		const snw_pose_view *view;
		status = snw_plan_drive(plan, snw_clip_sampler_pose(plan->samplers[c], keys.seconds[k], moment), moment, &view, error);
		if (!snw_failed(status)) {
			write_key(plan, view, k, &keys);
		}
		snw_arena_destroy(moment);
	}
	make_tracks(plan, &keys, tracks);
	return status;
}

snw_status snw_plan_sample_helpers(snw_plan *plan, snw_error *error) {
	snw_status status = SNW_OK;
	plan->helper_tracks = SNW_NEW_ARRAY(plan->arena, snw_track *, plan->clip_count);
	plan->helper_track_count = TRACKS * plan->helper_count;
	for (uint32_t c = 0; c < plan->clip_count && plan->helper_count > 0 && !snw_failed(status); c++) {
		plan->helper_tracks[c] = SNW_NEW_ARRAY(plan->arena, snw_track, plan->helper_track_count);
		status = sample_clip(plan, c, plan->helper_tracks[c], error);
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
			double *parts[TRACKS] = {node.translation, node.rotation, node.scale};
			for (uint32_t t = 0; t < TRACKS; t++) {
				const snw_track *track = &plan->helper_tracks[clip][TRACKS * h + t];
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
