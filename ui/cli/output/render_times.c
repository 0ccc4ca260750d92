/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The poses of sinew render, and their ground truth.
 */
#include <string.h>

#include "cli/output/render.h"
#include "pose/clip_times.h"
#include "pose/pose.h"
#include "scene/scene.h"

static int count_options(const snw_call *call, const char *name) {
	int count = 0;
	while (snw_call_option_at(call, name, count)) {
		count++;
	}
	return count;
}

static uint32_t find_clip_by_id(const snw_scene *scene, int64_t id) {
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		if (scene->clips[i].id == id) {
			return i;
		}
	}
	return SNW_NONE;
}

static bool is_stored(const snw_scene *scene, const char *name) {
	for (uint32_t i = 0; i < scene->pose_count; i++) {
		if (strcmp(scene->poses[i].name, name) == 0) {
			return true;
		}
	}
	return strcmp(name, "rest") == 0;
}

static snw_status add_rendered_pose(const snw_call *call, const snw_scene *scene, const char *text, snw_pictured_pose *pictured,
									snw_error *error) {
	snw_pose *pose;
	const snw_status status = snw_pose_resolve(scene, text, call->arena, &pose, error);
	if (!snw_failed(status)) {
		const uint32_t clip = is_stored(scene, text) ? SNW_NONE : find_clip_by_id(scene, pose->clip);
		const uint32_t stored = clip == SNW_NONE && pose->name ? snw_scene_find_pose(scene, pose->name) : SNW_NONE;
		*pictured = (snw_pictured_pose){.pose = pose, .moment = {stored, clip, pose->seconds}, .label = text};
	}
	return status;
}

static snw_status find_poses(const snw_call *call, const snw_scene *scene, snw_pictured_pose **poses, uint32_t *count,
							 snw_error *error) {
	const int named = count_options(call, "--pose");
	snw_status status = SNW_OK;
	*count = named > 0 ? (uint32_t)named : 1;
	*poses = SNW_NEW_ARRAY(call->arena, snw_pictured_pose, *count);
	for (uint32_t i = 0; i < *count && !snw_failed(status); i++) {
		status = add_rendered_pose(call, scene, named > 0 ? snw_call_option_at(call, "--pose", (int)i) : "rest", &(*poses)[i],
								   error);
	}
	return status;
}

static snw_status find_frames(const snw_call *call, const snw_scene *scene, const char *name, snw_pictured_pose **poses,
							  uint32_t *count, snw_error *error) {
	const int named = count_options(call, "--frame");
	uint32_t clip;
	const snw_status found = snw_noun_find(scene, SNW_NOUN_CLIP, name, &clip, error);
	if (snw_failed(found)) {
		return found;
	}
	double *seconds;
	uint32_t keys;
	snw_clip_times(scene, clip, call->arena, &seconds, &keys);
	snw_status status = SNW_OK;
	*count = named > 0 ? (uint32_t)named : 1;
	*poses = SNW_NEW_ARRAY(call->arena, snw_pictured_pose, *count);
	for (uint32_t i = 0; i < *count && !snw_failed(status); i++) {
		double number;
		status = snw_call_number_at(call, "--frame", (int)i, 0, keys > 0 ? keys - 1 : 0, 0, &number, error);
		if (!snw_failed(status)) {
			const uint32_t frame = (uint32_t)number;
			const double time = keys > 0 ? seconds[frame] : 0;
			(*poses)[i] = (snw_pictured_pose){.pose = snw_pose_sample(scene, clip, time, call->arena),
											  .moment = {SNW_NONE, clip, time},
											  .label = snw_arena_format(call->arena, "%s: frame %u", name, frame)};
		}
	}
	return status;
}

snw_status snw_render_poses(const snw_call *call, const snw_scene *scene, snw_pictured_pose **poses, uint32_t *count,
							snw_error *error) {
	const char *clip = snw_call_option(call, "--clip");
	if (clip && snw_call_option(call, "--pose")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--pose and --clip exclude each other; give one");
	}
	if (!clip && snw_call_option(call, "--frame")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--frame: the clip is missing; name it with --clip NAME");
	}
	return clip ? find_frames(call, scene, clip, poses, count, error) : find_poses(call, scene, poses, count, error);
}

/* ---- ground truth ------------------------------------------------------------------------------------------------- */

bool snw_render_ground_truth(const snw_scene *scene, const snw_moment *moment, snw_ground_truth *truth) {
	bool is_known = false;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		truth[m] = snw_ground_truth_at(scene, moment, m);
		is_known = is_known || truth[m].sculpt || truth[m].frame;
	}
	return is_known;
}
