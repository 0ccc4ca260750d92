/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formats of the points of one mesh: a pose as .obj, for a sculpting program, and every frame of a clip or a sequence.
 * Evaluates frames in point order, and writes their files.
 *
 * If a clip's keys are evenly spaced, each key is a frame; otherwise the clip is sampled 24 times a second from start to end.
 * Without a clip, the frames are those of the mesh's sequence: its points if no layer acts on the mesh, otherwise the result of
 * the stack at its times. In numbered .obj the star becomes 0000, 0001, … Either all files are written or none.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/export.h"
#include "file/file.h"
#include "measure/measure.h"
#include "pose/clip.h"
#include "pose/pose.h"

/* ---- the mesh ------------------------------------------------------------------------------------------------------------ */

/* The requested mesh, or the only one. */
static snw_status choose_mesh(const snw_scene *scene, const snw_export_request *request, uint32_t *mesh, snw_error *error) {
	if (request->mesh != SNW_NONE) {
		*mesh = request->mesh;
		return request->mesh < scene->mesh_count
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no mesh number %u", request->path, request->mesh);
	}
	if (scene->mesh_count != 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"%s: this format holds one mesh, and the project has %u; choose one with --mesh", request->path,
						scene->mesh_count);
	}
	*mesh = 0;
	return SNW_OK;
}

/* ---- normals ------------------------------------------------------------------------------------------------------------- */

/* Files of points have no normals: a program that reads them shows those of the faces. How far these are from the stack's,
 * which may bring normals of its own, and whose points have more digits than the file's. */
typedef struct file_normals {
	uint32_t point_count;
	snw_normal_comparison *comparison;
	snw_normal_angles angles;
	double *expected, *written; /* [point_count][3]: relative to the first point, because normals are found in floats */
} file_normals;

/* For one mesh of the stack's scene, in `arena`. */
static file_normals *file_normals_create(const snw_mesh *mesh, snw_arena *arena) {
	file_normals *made = SNW_NEW(arena, file_normals);
	const size_t numbers = 3 * (size_t)mesh->point_count;
	*made = (file_normals){
		.point_count = mesh->point_count,
		.comparison = snw_normal_comparison_create(mesh),
		.expected = SNW_NEW_ARRAY(arena, double, numbers),
		.written = SNW_NEW_ARRAY(arena, double, numbers),
	};
	return made;
}

/* NULL does nothing. */
static void file_normals_destroy(file_normals *normals) {
	if (normals) {
		snw_normal_comparison_destroy(normals->comparison);
	}
}

/* Adds a shape that goes into a file as floats, [point_count][3]. `evaluation` is the one that the stack made it with; NULL: no
 * layer acts on it. `mesh` is the index of the mesh in the scene. */
static void file_normals_add(file_normals *normals, const double *points, const snw_stack *stack,
							 const snw_evaluation *evaluation, uint32_t mesh) {
	for (size_t i = 0; i < 3 * (size_t)normals->point_count; i++) {
		normals->expected[i] = points[i] - points[i % 3];
		normals->written[i] = (double)(float)points[i] - points[i % 3];
	}
	if (evaluation) {
		snw_normal_angles_add_stack(normals->comparison, normals->written, normals->expected, stack, evaluation, mesh, NULL,
									&normals->angles);
	} else {
		snw_normal_angles_add(normals->comparison, normals->written, normals->expected, NULL, &normals->angles);
	}
}

/* Sets what the report says of normals. */
static void file_normals_report(const file_normals *normals, snw_export_report *report) {
	report->playback_normals_degrees = snw_normal_angles_mean(&normals->angles);
	report->playback_normals_max_degrees = snw_normal_angles_most(&normals->angles);
}

/* ---- times of frames ----------------------------------------------------------------------------------------------------- */

/* The times of exported frames: those of a clip's target or sequence, its keys, or a given rate. */
typedef struct frame_times {
	uint32_t clip;              /* SNW_NONE for a sequence without one */
	const snw_target *sequence; /* with these frames; NULL if a clip's tracks move the mesh */
	uint32_t first;             /* the first of the sequence's frames */
	uint32_t count;
	const double *seconds; /* [count], ascending */
} frame_times;

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

/* Frames per second; 0 for uneven times, or a single frame. */
static double rate_of_times(const frame_times *times) {
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

/* The frames that the request's clip has; any of the mesh if no clip is requested and there is one. */
static snw_status find_source(const snw_scene *scene, uint32_t mesh, const snw_export_request *request,
							  const snw_target **source, snw_error *error) {
	uint32_t count = 0;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		const bool is_of_clip = request->clip == SNW_NONE || snw_target_clip(scene, target) == request->clip;
		if (target->mesh == mesh && target->frame_count > 0 && is_of_clip) {
			*source = target;
			count++;
		}
	}
	if (count == 1) {
		return SNW_OK;
	}
	return count > 1 ? snw_fail(error, SNW_ERROR_ARGUMENT, "%s: mesh %s has %u targets and sequences; choose one with --clip",
								request->path, scene->meshes[mesh].name, count)
					 : snw_fail(error, SNW_ERROR_MISSING, "%s: no ground truth for mesh %s; add a target, or import a sequence",
								request->path, scene->meshes[mesh].name);
}

/* How far a time may be from the one that its user read: a report prints rounded times. */
static double rounding(double seconds, double step) {
	return fmin(fmax(LEAST_ROUNDING, ROUNDING * seconds), STEP_SHARE * step);
}

static double mean_step(const frame_times *times) {
	return times->count > 1 ? (times->seconds[times->count - 1] - times->seconds[0]) / (times->count - 1) : (double)INFINITY;
}

/* Times at a rate, from one time to another, both included, and one that is past the end by at most `slack`. */
static void time_evenly(double begin, double end, double slack, double rate, snw_arena *arena, frame_times *times) {
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
static void time_clip(const snw_scene *scene, uint32_t mesh, snw_arena *arena, frame_times *times) {
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
							  frame_times *times, snw_error *error) {
	if (request->is_source) {
		const snw_status status = find_source(scene, mesh, request, &times->sequence, error);
		times->clip = SNW_NONE;
		times->count = snw_failed(status) ? 0 : times->sequence->frame_count;
		times->seconds = snw_failed(status) ? NULL : times->sequence->seconds;
		return status;
	}
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
static snw_status cut(const snw_export_request *request, double begin, double end, frame_times *times, snw_error *error) {
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
static double find_length(const snw_scene *scene, const frame_times *times) {
	const double last = times->count > 0 ? times->seconds[times->count - 1] : 0;
	return times->clip != SNW_NONE && !times->sequence ? fmax(last, scene->clips[times->clip].duration_seconds) : last;
}

/* `has_skin`: a layer acts on the mesh, so it can be evaluated between a sequence's frames. */
static snw_status choose_times(const snw_scene *scene, uint32_t mesh, bool has_skin, const snw_export_request *request,
							   snw_arena *arena, frame_times *times, snw_error *error) {
	*times = (frame_times){0};
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

/* ---- a pose -------------------------------------------------------------------------------------------------------------- */

/* The sculpt of the pose, otherwise the frame of a target at its moment. */
static snw_status find_source_points(const snw_scene *scene, const snw_export_request *request, uint32_t mesh, double *points,
									 snw_error *error) {
	const snw_pose *pose = request->pose;
	const size_t numbers = 3 * (size_t)scene->meshes[mesh].point_count;
	for (uint32_t e = 0; pose && e < scene->example_count; e++) {
		const snw_example *example = &scene->examples[e];
		if (example->mesh == mesh && strcmp(scene->poses[example->pose].name, pose->name) == 0) {
			memcpy(points, example->points_posed, numbers * sizeof *points);
			return SNW_OK;
		}
	}
	for (uint32_t t = 0; pose && t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		const uint32_t clip = snw_target_clip(scene, target);
		for (uint32_t f = 0; target->mesh == mesh && clip != SNW_NONE && f < target->frame_count; f++) {
			if (scene->clips[clip].id == pose->clip && fabs(target->seconds[f] - pose->seconds) < 1e-6) {
				for (size_t i = 0; i < numbers; i++) {
					points[i] = (double)target->points_posed[f * numbers + i];
				}
				return SNW_OK;
			}
		}
	}
	return snw_fail(error, SNW_ERROR_MISSING,
					"%s: no ground truth for mesh %s in %s%s; name the pose of an example, or a moment "
					"of a target's frame",
					request->path, scene->meshes[mesh].name, pose ? "the pose " : "the rest pose", pose ? pose->name : "");
}

static snw_status evaluate_pose(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
								uint32_t mesh, snw_evaluation *evaluation, snw_arena *arena, double *points, snw_error *error) {
	const snw_pose *pose = request->pose ? request->pose : snw_pose_rest(scene, arena);
	const snw_status status = snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, error);
	return snw_failed(status) ? status : snw_stack_reference(stack, evaluation, mesh, NULL, points, error);
}

static snw_status write_posed(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, uint32_t mesh,
							  snw_export_report *report, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)scene->meshes[mesh].point_count);
	snw_status status = request->is_source ? find_source_points(scene, request, mesh, points, error)
										   : evaluate_pose(scene, stack, request, mesh, evaluation, arena, points, error);
	if (!snw_failed(status)) {
		status = snw_export_obj(request->path, &scene->meshes[mesh], points, error);
	}
	if (!snw_failed(status)) {
		file_normals *normals = file_normals_create(&scene->meshes[mesh], arena);
		*report = (snw_export_report){.mesh_count = 1, .frame_count = 1};
		file_normals_add(normals, points, stack, request->is_source ? NULL : evaluation, mesh);
		file_normals_report(normals, report);
		file_normals_destroy(normals);
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	return status;
}

static snw_status write_pose(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error) {
	(void)task; /* one mesh takes no time */
	uint32_t mesh = 0;
	snw_status status = choose_mesh(scene, request, &mesh, error);
	return snw_failed(status) ? status : write_posed(scene, stack, request, mesh, report, error);
}

/* Without a pose, the result of the stack in the rest pose. */
const snw_export_format snw_export_obj_pose = {
	.file = {.extensions = "obj", .label = "OBJ: one pose", .holds = SNW_FILE_MESH | SNW_FILE_POSE},
	.write = write_pose,
};

/* ---- a sequence ---------------------------------------------------------------------------------------------------------- */

typedef struct frame_writer {
	const snw_scene *scene;
	const snw_stack *stack;
	snw_evaluation *evaluation;
	snw_arena *arena;
	uint32_t mesh;
	frame_times times;
	const snw_clip_sampler *sampler; /* of the clip; NULL without one */
	const snw_target *source;        /* a sequence that no layer acts on; otherwise NULL */
	double *points;                  /* [point_count][3]: of the current evaluation */
	float *floats;
	file_normals *normals;
} frame_writer;

/* ---- evaluation ---------------------------------------------------------------------------------------------------------- */

static snw_status evaluate_frame(frame_writer *f, uint32_t i, snw_error *error) {
	const size_t numbers = 3 * (size_t)f->scene->meshes[f->mesh].point_count;
	if (f->source) {
		for (size_t n = 0; n < numbers; n++) {
			f->points[n] = (double)f->source->points_posed[(f->times.first + i) * numbers + n];
		}
	} else {
		snw_arena *arena = snw_arena_create();
		snw_pose *pose =
			f->sampler ? snw_clip_sampler_pose(f->sampler, f->times.seconds[i], arena) : snw_pose_rest(f->scene, arena);
		pose->seconds = f->times.seconds[i];
		snw_status status = snw_stack_drive(f->stack, snw_pose_view_make(f->scene, pose, arena), f->evaluation, error);
		if (!snw_failed(status)) {
			status = snw_stack_reference(f->stack, f->evaluation, f->mesh, NULL, f->points, error);
		}
		snw_arena_destroy(arena);
		if (snw_failed(status)) {
			return status;
		}
	}
	for (size_t n = 0; n < numbers; n++) {
		f->floats[n] = (float)f->points[n];
	}
	file_normals_add(f->normals, f->points, f->stack, f->source ? NULL : f->evaluation, f->mesh);
	return SNW_OK;
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */

static snw_status write_cache(frame_writer *f, const char *path, snw_cache_kind kind, const snw_task *task, snw_error *error) {
	snw_cache_write *cache = NULL;
	snw_status status =
		snw_cache_begin(path, kind, f->scene->meshes[f->mesh].point_count, f->times.count, f->times.seconds, &cache, error);
	for (uint32_t i = 0; i < f->times.count && !snw_failed(status); i++) {
		if (!snw_task_progress(task, (double)i / f->times.count, "writing frames")) {
			status = SNW_CANCELLED;
			break;
		}
		status = evaluate_frame(f, i, error);
		if (!snw_failed(status)) {
			snw_cache_frame(cache, f->floats);
		}
	}
	if (snw_failed(status)) {
		snw_cache_abandon(cache);
		return status;
	}
	return snw_cache_commit(cache, error);
}

/* The pattern with its star replaced, in a folder. */
static char *numbered(const frame_writer *f, const char *folder, const char *pattern, uint32_t i) {
	const char *name = snw_path_name(pattern), *star = strchr(name, '*');
	char *file = snw_arena_format(f->arena, "%.*s%04u%s", (int)(star - name), name, i, star + 1);
	return folder[0] ? snw_path_join(f->arena, folder, file) : file;
}

/* Where the previous file of a frame is kept until all frames are in place. */
static char *previous_name(const frame_writer *f, const char *scratch, uint32_t i) {
	return snw_arena_format(f->arena, "%s/previous.%u", scratch, i);
}

/* Moves one file into place, and the previous one out of the way. */
static bool replace_file(const char *from, const char *to, const char *previous) {
	struct stat info;
	if (lstat(to, &info) == 0 && S_ISDIR(info.st_mode)) {
		errno = EISDIR;
		return false;
	}
	/* A hard link, so that a file is in place at any moment. Without hard links, a short gap is better than losing the file. */
	if (link(to, previous) != 0 && errno != ENOENT && rename(to, previous) != 0) {
		return false;
	}
	return rename(from, to) == 0;
}

/* Moves all frames into place. If one fails, the previous files are restored, so that old and new frames are never mixed. */
static snw_status replace_all(const frame_writer *f, const char *scratch, const char *folder, const char *pattern,
							  snw_error *error) {
	for (uint32_t i = 0; i < f->times.count; i++) {
		const char *to = numbered(f, folder, pattern, i);
		if (replace_file(numbered(f, scratch, pattern, i), to, previous_name(f, scratch, i))) {
			continue;
		}
		const snw_status status =
			snw_fail(error, SNW_ERROR_IO, "%s: could not be written: %s; no frame was changed", to, strerror(errno));
		rename(previous_name(f, scratch, i), to);
		for (uint32_t done = 0; done < i; done++) {
			const char *place = numbered(f, folder, pattern, done);
			if (rename(previous_name(f, scratch, done), place) != 0) {
				unlink(place); /* there was no previous file */
			}
		}
		return status;
	}
	snw_file_sync_folder(numbered(f, folder, pattern, 0));
	return SNW_OK;
}

/* Writes all files into a temporary folder, then moves them into place. */
static snw_status write_numbered(frame_writer *f, const char *pattern, const snw_task *task, snw_error *error) {
	const char *name = snw_path_name(pattern), *star = strchr(name, '*');
	if (strchr(star + 1, '*')) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: give one * for the frame number, not several", pattern);
	}
	char *folder = snw_arena_format(f->arena, "%.*s", (int)(name - pattern), pattern);
	char *scratch = snw_arena_format(f->arena, "%s.frames.XXXXXX", folder);
	if (!mkdtemp(scratch)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be written: %s", pattern, strerror(errno));
	}
	snw_status status = SNW_OK;
	uint32_t written = 0;
	while (written < f->times.count && !snw_failed(status)) {
		if (!snw_task_progress(task, (double)written / f->times.count, "writing frames")) {
			status = SNW_CANCELLED;
			break;
		}
		status = evaluate_frame(f, written, error);
		if (!snw_failed(status)) {
			const char *frame = numbered(f, scratch, pattern, written);
			status = snw_export_obj(frame, &f->scene->meshes[f->mesh], f->points, error);
			if (snw_failed(status)) {
				snw_error_rename(error, frame, numbered(f, folder, pattern, written));
			}
			written += !snw_failed(status);
		}
	}
	if (!snw_failed(status)) {
		status = replace_all(f, scratch, folder, pattern, error);
	}
	for (uint32_t i = 0; i < f->times.count; i++) {
		unlink(numbered(f, scratch, pattern, i));
		unlink(previous_name(f, scratch, i));
	}
	rmdir(scratch);
	return status;
}

/* ---- formats ------------------------------------------------------------------------------------------------------------- */

typedef snw_status write_frames(frame_writer *f, const char *path, const snw_task *task, snw_error *error);

static snw_status export_frames(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
								const snw_task *task, write_frames *write, snw_export_report *report, snw_error *error) {
	frame_writer f = {.scene = scene, .stack = stack, .arena = snw_arena_create()};
	snw_status status = choose_mesh(scene, request, &f.mesh, error);
	if (!snw_failed(status)) {
		const bool has_skin = !request->is_source && snw_stack_segment_count(stack, f.mesh) > 0;
		status = choose_times(scene, f.mesh, has_skin, request, f.arena, &f.times, error);
		f.source = has_skin ? NULL : f.times.sequence;
	}
	if (!snw_failed(status)) {
		f.sampler = f.times.clip == SNW_NONE ? NULL : snw_clip_sampler_create(scene, f.times.clip, f.arena);
		f.evaluation = snw_evaluation_create(stack);
		f.points = SNW_NEW_ARRAY(f.arena, double, 3 * (size_t)scene->meshes[f.mesh].point_count);
		f.floats = SNW_NEW_ARRAY(f.arena, float, 3 * (size_t)scene->meshes[f.mesh].point_count);
		f.normals = file_normals_create(&scene->meshes[f.mesh], f.arena);
		status = write(&f, request->path, task, error);
		snw_evaluation_destroy(f.evaluation);
	}
	if (!snw_failed(status)) {
		*report = (snw_export_report){
			.mesh_count = 1,
			.frame_count = f.times.count,
			.frame_rate = rate_of_times(&f.times),
			.first_seconds = f.times.seconds[0],
			.last_seconds = f.times.seconds[f.times.count - 1],
		};
		file_normals_report(f.normals, report);
	}
	file_normals_destroy(f.normals);
	snw_arena_destroy(f.arena);
	return status;
}

static snw_status write_pc2(frame_writer *f, const char *path, const snw_task *task, snw_error *error) {
	return write_cache(f, path, SNW_CACHE_PC2, task, error);
}

static snw_status write_mdd(frame_writer *f, const char *path, const snw_task *task, snw_error *error) {
	return write_cache(f, path, SNW_CACHE_MDD, task, error);
}

static snw_status export_numbered(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
								  const snw_task *task, snw_export_report *report, snw_error *error) {
	return export_frames(scene, stack, request, task, write_numbered, report, error);
}

static snw_status export_pc2(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error) {
	return export_frames(scene, stack, request, task, write_pc2, report, error);
}

static snw_status export_mdd(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error) {
	return export_frames(scene, stack, request, task, write_mdd, report, error);
}

const snw_export_format snw_export_numbered_obj = {
	.file = {.extensions = "obj",
			 .label = "numbered OBJ: the meshes of a clip",
			 .holds = SNW_FILE_MESH | SNW_FILE_FRAMES,
			 .is_numbered = true},
	.write = export_numbered,
};

const snw_export_format snw_export_pc2 = {
	.file = {.extensions = "pc2", .label = "PC2 point cache: the points of a clip", .holds = SNW_FILE_FRAMES},
	.write = export_pc2,
};

const snw_export_format snw_export_mdd = {
	.file = {.extensions = "mdd", .label = "MDD point cache: the points of a clip", .holds = SNW_FILE_FRAMES},
	.write = export_mdd,
};
