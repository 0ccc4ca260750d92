/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Evaluates frames in point order, and writes their files.
 */
#include "export/points/sequence.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/points/choose_mesh.h"
#include "export/points/file_normals.h"
#include "export/points/frame_times.h"
#include "export/points/obj.h"
#include "export/points/point_caches.h"
#include "file/file.h"
#include "pose/pose.h"

typedef struct frames {
	const snw_scene *scene;
	const snw_stack *stack;
	snw_evaluation *evaluation;
	snw_arena *arena;
	uint32_t mesh;
	snw_frame_times times;
	const snw_clip_sampler *sampler; /* of the clip; NULL without one */
	const snw_target *source;        /* a sequence that no layer acts on; otherwise NULL */
	double *points;                  /* [point_count][3]: of the current evaluation */
	float *floats;
	snw_file_normals *normals;
} frames;

/* ---- evaluation ---------------------------------------------------------------------------------------------------------- */

static snw_status evaluate(frames *f, uint32_t i, snw_error *error) {
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
	snw_file_normals_add(f->normals, f->points, f->stack, f->source ? NULL : f->evaluation, f->mesh);
	return SNW_OK;
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */

static snw_status write_cache(frames *f, const char *path, snw_cache_kind kind, const snw_task *task, snw_error *error) {
	snw_cache_write *cache = NULL;
	snw_status status =
		snw_cache_begin(path, kind, f->scene->meshes[f->mesh].point_count, f->times.count, f->times.seconds, &cache, error);
	for (uint32_t i = 0; i < f->times.count && !snw_failed(status); i++) {
		if (!snw_task_progress(task, (double)i / f->times.count, "writing frames")) {
			status = SNW_CANCELLED;
			break;
		}
		status = evaluate(f, i, error);
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
static char *numbered(const frames *f, const char *folder, const char *pattern, uint32_t i) {
	const char *name = snw_path_name(pattern), *star = strchr(name, '*');
	char *file = snw_arena_format(f->arena, "%.*s%04u%s", (int)(star - name), name, i, star + 1);
	return folder[0] ? snw_path_join(f->arena, folder, file) : file;
}

/* Where the previous file of a frame is kept until all frames are in place. */
static char *previous_name(const frames *f, const char *scratch, uint32_t i) {
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
static snw_status replace_all(const frames *f, const char *scratch, const char *folder, const char *pattern, snw_error *error) {
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
static snw_status write_numbered(frames *f, const char *pattern, const snw_task *task, snw_error *error) {
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
		status = evaluate(f, written, error);
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

typedef snw_status write_frames(frames *f, const char *path, const snw_task *task, snw_error *error);

static snw_status export_frames(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
								const snw_task *task, write_frames *write, snw_export_report *report, snw_error *error) {
	frames f = {.scene = scene, .stack = stack, .arena = snw_arena_create()};
	snw_status status = snw_export_choose_mesh(scene, request, &f.mesh, error);
	if (!snw_failed(status)) {
		const bool has_skin = snw_stack_segment_count(stack, f.mesh) > 0;
		status = snw_frame_times_choose(scene, f.mesh, has_skin, request, f.arena, &f.times, error);
		f.source = has_skin ? NULL : f.times.sequence;
	}
	if (!snw_failed(status)) {
		f.sampler = f.times.clip == SNW_NONE ? NULL : snw_clip_sampler_create(scene, f.times.clip, f.arena);
		f.evaluation = snw_evaluation_create(stack);
		f.points = SNW_NEW_ARRAY(f.arena, double, 3 * (size_t)scene->meshes[f.mesh].point_count);
		f.floats = SNW_NEW_ARRAY(f.arena, float, 3 * (size_t)scene->meshes[f.mesh].point_count);
		f.normals = snw_file_normals_create(&scene->meshes[f.mesh], f.arena);
		status = write(&f, request->path, task, error);
		snw_evaluation_destroy(f.evaluation);
	}
	if (!snw_failed(status)) {
		*report = (snw_export_report){
			.mesh_count = 1,
			.frame_count = f.times.count,
			.frame_rate = snw_frame_times_rate(&f.times),
			.first_seconds = f.times.seconds[0],
			.last_seconds = f.times.seconds[f.times.count - 1],
		};
		snw_file_normals_report(f.normals, report);
	}
	snw_file_normals_destroy(f.normals);
	snw_arena_destroy(f.arena);
	return status;
}

static snw_status write_pc2(frames *f, const char *path, const snw_task *task, snw_error *error) {
	return write_cache(f, path, SNW_CACHE_PC2, task, error);
}

static snw_status write_mdd(frames *f, const char *path, const snw_task *task, snw_error *error) {
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
