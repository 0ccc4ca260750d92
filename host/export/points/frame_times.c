/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/points/frame_times.h"

#include <math.h>

#include "pose/clip_times.h"

static const double FRAMES_PER_SECOND = 24;
static const double LONGEST_STEP_SECONDS = 0.1;
static const double SAME_SECONDS = 1e-6; /* users type times as printed, rounded */
static const double MOST_FRAMES = 1e8;

static bool is_even(const double *seconds, uint32_t count) {
	if (count < 2) {
		return true;
	}
	const double step = (seconds[count - 1] - seconds[0]) / (count - 1);
	for (uint32_t i = 0; i < count; i++) {
		if (fabs(seconds[i] - seconds[0] - step * i) > 0.01 * step) {
			return false;
		}
	}
	return true;
}

double snw_frame_times_rate(const snw_frame_times *times) {
	const double *seconds = times->seconds;
	const bool has_rate = times->count > 1 && is_even(seconds, times->count);
	return has_rate ? (times->count - 1) / (seconds[times->count - 1] - seconds[0]) : 0;
}

/* The frames of the mesh's target; NULL without one. */
static const snw_target *find_target(const snw_scene *scene, uint32_t mesh, uint32_t clip) {
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		if (target->mesh == mesh && target->clip == clip && target->frame_count > 0) {
			return target;
		}
	}
	return NULL;
}

/* The mesh's sequence: that of a clip without tracks, or any if no clip is requested. */
static const snw_target *find_sequence(const snw_scene *scene, uint32_t mesh, uint32_t clip) {
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		const bool plays = clip == SNW_NONE || (snw_target_clip(scene, target) == clip && scene->clips[clip].track_count == 0);
		if (target->mesh == mesh && target->clip == SNW_NONE && plays) {
			return target;
		}
	}
	return NULL;
}

/* Times at a rate, from one time to another, both included. */
static void time_evenly(double begin, double end, double rate, snw_arena *arena, snw_frame_times *times) {
	times->count = 1 + (uint32_t)fmin(floor((end - begin) * rate + 1e-6), MOST_FRAMES);
	double *seconds = SNW_NEW_ARRAY(arena, double, times->count);
	for (uint32_t i = 0; i < times->count; i++) {
		seconds[i] = begin + i / rate;
	}
	times->seconds = seconds;
}

/* The times of the mesh's target, so that the result matches it; otherwise the keys, if they are even and dense enough to show
 * the motion; otherwise FRAMES_PER_SECOND. */
static void time_clip(const snw_scene *scene, uint32_t mesh, snw_arena *arena, snw_frame_times *times) {
	const snw_target *target = find_target(scene, mesh, times->clip);
	if (target && is_even(target->seconds, target->frame_count)) {
		times->count = target->frame_count;
		times->seconds = target->seconds;
		return;
	}
	double *seconds;
	snw_clip_times(scene, times->clip, arena, &seconds, &times->count);
	times->seconds = seconds;
	const bool is_sparse = times->count > 1 && seconds[1] - seconds[0] > LONGEST_STEP_SECONDS;
	if (times->count == 0 || is_sparse || !is_even(seconds, times->count)) {
		time_evenly(0, scene->clips[times->clip].duration_seconds, FRAMES_PER_SECOND, arena, times);
	}
}

static snw_status choose_clip(const snw_scene *scene, uint32_t mesh, const snw_export_request *request, snw_arena *arena,
							  snw_frame_times *times, snw_error *error) {
	times->clip = request->clip == SNW_NONE && scene->clip_count == 1 ? 0 : request->clip;
	times->sequence = find_sequence(scene, mesh, times->clip);
	if (times->clip != SNW_NONE && !times->sequence) {
		time_clip(scene, mesh, arena, times);
		return SNW_OK;
	}
	if (times->clip == SNW_NONE && scene->clip_count > 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s: this format holds one clip, and the project has %u; choose one with --clip", request->path,
						scene->clip_count);
	}
	if (!times->sequence) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"%s: no clip or sequence to take frames from; for one pose, export an .obj without *", request->path);
	}
	times->count = times->sequence->frame_count;
	times->seconds = times->sequence->seconds;
	return SNW_OK;
}

/* Keeps the frames from one time to another. */
static snw_status cut(const snw_export_request *request, double begin, double end, snw_frame_times *times, snw_error *error) {
	uint32_t first = 0, last = times->count;
	while (first < last && times->seconds[first] < begin - SAME_SECONDS) {
		first++;
	}
	while (last > first && times->seconds[last - 1] > end + SAME_SECONDS) {
		last--;
	}
	if (first == last) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no frame is between %g and %g s; give a longer range, or --fps",
						request->path, begin, end);
	}
	times->first = first;
	times->seconds += first;
	times->count = last - first;
	return SNW_OK;
}

snw_status snw_frame_times_choose(const snw_scene *scene, uint32_t mesh, bool has_skin, const snw_export_request *request,
								  snw_arena *arena, snw_frame_times *times, snw_error *error) {
	*times = (snw_frame_times){0};
	const snw_status status = choose_clip(scene, mesh, request, arena, times, error);
	if (snw_failed(status)) {
		return status;
	}
	const double length = times->clip != SNW_NONE && !times->sequence ? scene->clips[times->clip].duration_seconds
						  : times->count > 0                          ? times->seconds[times->count - 1]
																	  : 0;
	const double begin = request->from_seconds, end = request->to_seconds > 0 ? request->to_seconds : length;
	if (begin > end || end > length + SAME_SECONDS) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %g to %g s is not a part of the clip, which lasts %g s", request->path,
						begin, end, length);
	}
	if (request->frames_per_second > 0 && times->sequence && !has_skin) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s: sequence %s has no data between its frames; omit --fps, or fit a method to it first",
						request->path, times->sequence->name);
	}
	if (request->frames_per_second > 0) {
		time_evenly(begin, fmin(end, length), request->frames_per_second, arena, times);
		return SNW_OK;
	}
	return cut(request, begin, end, times, error);
}
