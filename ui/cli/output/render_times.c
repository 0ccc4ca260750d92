/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The moments that sinew render draws, and what examples and targets say of them.
 */
#include <math.h>
#include <string.h>

#include "cli/output/render.h"
#include "pose/clip_times.h"
#include "pose/pose.h"

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

static snw_status add_pose(const snw_call *call, const snw_scene *scene, const char *text, snw_moment *moment,
						   snw_error *error) {
	snw_pose *pose;
	const snw_status status = snw_pose_resolve(scene, text, call->arena, &pose, error);
	if (!snw_failed(status)) {
		const uint32_t clip = is_stored(scene, text) ? SNW_NONE : find_clip_by_id(scene, pose->clip);
		*moment = (snw_moment){.pose = pose, .clip = clip, .label = text};
	}
	return status;
}

static snw_status find_poses(const snw_call *call, const snw_scene *scene, snw_moment **moments, uint32_t *count,
							 snw_error *error) {
	const int named = count_options(call, "--pose");
	snw_status status = SNW_OK;
	*count = named > 0 ? (uint32_t)named : 1;
	*moments = SNW_NEW_ARRAY(call->arena, snw_moment, *count);
	for (uint32_t i = 0; i < *count && !snw_failed(status); i++) {
		status = add_pose(call, scene, named > 0 ? snw_call_option_at(call, "--pose", (int)i) : "rest", &(*moments)[i], error);
	}
	return status;
}

static snw_status find_frames(const snw_call *call, const snw_scene *scene, const char *name, snw_moment **moments,
							  uint32_t *count, snw_error *error) {
	const int named = count_options(call, "--frame");
	const uint32_t clip = snw_scene_find_clip(scene, name);
	if (clip == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "--clip %s: no such clip; 'sinew info' lists them", name);
	}
	double *seconds;
	uint32_t keys;
	snw_clip_times(scene, clip, call->arena, &seconds, &keys);
	snw_status status = SNW_OK;
	*count = named > 0 ? (uint32_t)named : 1;
	*moments = SNW_NEW_ARRAY(call->arena, snw_moment, *count);
	for (uint32_t i = 0; i < *count && !snw_failed(status); i++) {
		double number;
		status = snw_call_number_at(call, "--frame", (int)i, 0, keys > 0 ? keys - 1 : 0, 0, &number, error);
		if (!snw_failed(status)) {
			const uint32_t frame = (uint32_t)number;
			(*moments)[i] = (snw_moment){.pose = snw_pose_sample(scene, clip, keys > 0 ? seconds[frame] : 0, call->arena),
										 .clip = clip,
										 .label = snw_arena_format(call->arena, "%s: frame %u", name, frame)};
		}
	}
	return status;
}

snw_status snw_render_moments(const snw_call *call, const snw_scene *scene, snw_moment **moments, uint32_t *count,
							  snw_error *error) {
	const char *clip = snw_call_option(call, "--clip");
	if (clip && snw_call_option(call, "--pose")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--pose and --clip exclude each other; give one");
	}
	if (!clip && snw_call_option(call, "--frame")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--frame: the clip is missing; name it with --clip NAME");
	}
	return clip ? find_frames(call, scene, clip, moments, count, error) : find_poses(call, scene, moments, count, error);
}

/* ---- what they should look like ----------------------------------------------------------------------------------- */

static const double *target_frame(const snw_call *call, const snw_scene *scene, const snw_target *target, double seconds) {
	const size_t count = 3 * (size_t)scene->meshes[target->mesh].point_count;
	for (uint32_t f = 0; f < target->frame_count; f++) {
		if (fabs(target->seconds[f] - seconds) >= 1e-6) {
			continue;
		}
		double *points = SNW_NEW_ARRAY(call->arena, double, count);
		for (size_t c = 0; c < count; c++) {
			points[c] = (double)target->points_posed[f * count + c];
		}
		return points;
	}
	return NULL;
}

bool snw_render_wanted(const snw_call *call, const snw_scene *scene, const snw_moment *moment, const double **wanted) {
	bool found = false;
	for (uint32_t i = 0; i < scene->example_count && moment->clip == SNW_NONE; i++) {
		const snw_example *example = &scene->examples[i];
		if (moment->pose->name && strcmp(scene->poses[example->pose].name, moment->pose->name) == 0) {
			wanted[example->mesh] = example->points_posed;
			found = true;
		}
	}
	for (uint32_t i = 0; i < scene->target_count && moment->clip != SNW_NONE; i++) {
		const snw_target *target = &scene->targets[i];
		const bool is_ours = snw_target_clip(scene, target) == moment->clip;
		const double *points = is_ours ? target_frame(call, scene, target, moment->pose->seconds) : NULL;
		if (points) {
			wanted[target->mesh] = points;
			found = true;
		}
	}
	return found;
}
