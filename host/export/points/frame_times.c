/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/points/frame_times.h"

#include <math.h>

#include "pose/clip_times.h"

static const double FRAMES_PER_SECOND = 24;
static const double LONGEST_STEP_SECONDS = 0.1;
static const double ROUNDING = 5e-6;       /* of a time that is printed with six digits, as a share of it */
static const double LEAST_ROUNDING = 1e-6; /* seconds */
static const double STEP_SHARE = 0.1;      /* times that differ by less, as a share of the frames' step, are one */
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

/* How far a time may be from the one that its user read: a report prints rounded times. */
static double rounding(double seconds, double step) {
	return fmin(fmax(LEAST_ROUNDING, ROUNDING * seconds), STEP_SHARE * step);
}

static double mean_step(const snw_frame_times *times) {
	return times->count > 1 ? (times->seconds[times->count - 1] - times->seconds[0]) / (times->count - 1) : (double)INFINITY;
}

/* Times at a rate, from one time to another, both included, and one that is past the end by at most `slack`. */
static void time_evenly(double begin, double end, double slack, double rate, snw_arena *arena, snw_frame_times *times) {
	const double steps = floor(fmax(0, end - begin + slack) * rate + 1e-6);
	times->count = 1 + (uint32_t)fmin(steps, MOST_FRAMES);
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
		time_evenly(0, scene->clips[times->clip].duration_seconds, 0, FRAMES_PER_SECOND, arena, times);
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
	const double step = mean_step(times), earliest = begin - rounding(begin, step), latest = end + rounding(end, step);
	uint32_t first = 0, last = times->count;
	while (first < last && times->seconds[first] < earliest) {
		first++;
	}
	while (last > first && times->seconds[last - 1] > latest) {
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

/* The last moment of the clip, and of frames that go on after it. */
static double find_length(const snw_scene *scene, const snw_frame_times *times) {
	const double last = times->count > 0 ? times->seconds[times->count - 1] : 0;
	return times->clip != SNW_NONE && !times->sequence ? fmax(last, scene->clips[times->clip].duration_seconds) : last;
}

snw_status snw_frame_times_choose(const snw_scene *scene, uint32_t mesh, bool has_skin, const snw_export_request *request,
								  snw_arena *arena, snw_frame_times *times, snw_error *error) {
	*times = (snw_frame_times){0};
	const snw_status status = choose_clip(scene, mesh, request, arena, times, error);
	if (snw_failed(status)) {
		return status;
	}
	const double rate = request->frames_per_second, step = rate > 0 ? 1 / rate : mean_step(times);
	const double length = find_length(scene, times);
	const double from = request->from_seconds, to = request->to_seconds > 0 ? request->to_seconds : length;
	if (from > to + rounding(to, (double)INFINITY) || to > length + rounding(length, (double)INFINITY)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %g to %g s is not a part of the clip, which lasts %g s", request->path,
						from, to, length);
	}
	const double begin = fmin(from, length), end = fmin(to, length);
	if (rate > 0 && times->sequence && !has_skin) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s: sequence %s has no data between its frames; omit --fps, or fit a method to it first",
						request->path, times->sequence->name);
	}
	if (rate > 0) {
		const double slack = request->to_seconds > 0 ? rounding(end, step) : 0;
		time_evenly(begin, end, slack, rate, arena, times);
		return SNW_OK;
	}
	return cut(request, begin, end, times, error);
}
