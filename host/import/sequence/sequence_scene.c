/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "file/file.h"
#include "import/common/names.h"
#include "import/obj/obj.h"
#include "import/sequence/numbered_files.h"
#include "import/sequence/read_sequence.h"

static const double LARGEST_RATIO = 5; /* of the sizes of the rest pose and the first frame, without a warning */

/* "walk" for walk_*.obj, "horse-gallop" for horse-gallop/*.obj, "frames" for frames.pc2. */
static const char *sequence_name(const char *path, snw_arena *arena, const snw_task *task) {
	char *text = snw_arena_text(arena, path);
	char *name = (char *)snw_path_name(text);
	name[strcspn(name, "*")] = '\0';
	char *dot = strrchr(name, '.');
	if (dot) {
		*dot = '\0';
	}
	size_t length = strlen(name);
	while (length > 0 && !isalnum((unsigned char)name[length - 1]) && (signed char)name[length - 1] > 0) {
		name[--length] = '\0'; /* the separator between a name and its number */
	}
	const char *clean = snw_name_clean(arena, name, task);
	if (clean) {
		return clean;
	}
	if (name > text) {
		name[-1] = '\0';
		const char *folder = snw_path_name(text);
		clean = folder[0] != '.' ? snw_name_clean(arena, folder, task) : NULL;
		if (clean) {
			return clean;
		}
	}
	return "sequence";
}

static snw_status rest_path(const snw_import_request *request, snw_arena *arena, const char **path, snw_error *error) {
	bool is_cache;
	snw_status status = snw_frames_kind(request->sequence, &is_cache, error);
	if (snw_failed(status)) {
		return status;
	}
	if (request->rest) {
		*path = request->rest;
		return snw_path_has_extension(*path, snw_import_obj.file.extensions)
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_UNSUPPORTED,
							  "%s: the rest pose of a sequence must be an .obj with the point order of the frames; export it "
							  "again as .obj",
							  *path);
	}
	if (is_cache) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: it has points but no faces; give the mesh with --rest FILE.obj",
						request->sequence);
	}
	char **paths;
	size_t count;
	status = snw_numbered_paths(request->sequence, arena, NULL, &paths, &count, error);
	if (!snw_failed(status)) {
		*path = paths[0];
	}
	return status;
}

/* A mesh without a name in its file is named after the file ("0001", "rest"). It gets the name of the sequence instead. */
static void rename_mesh(snw_scene *scene, const char *path, const char *name) {
	const char *file = snw_path_name(path);
	const size_t length = strlen(scene->meshes[0].name);
	if (strncmp(file, scene->meshes[0].name, length) == 0 && file[length] == '.') {
		snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
		*mesh = scene->meshes[0];
		mesh->name = name;
		scene->meshes = mesh;
	}
}

static double size_of(const float *points, uint32_t count) {
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		float least = points[c], most = points[c];
		for (uint32_t i = 1; i < count; i++) {
			least = fminf(least, points[3 * (size_t)i + (size_t)c]);
			most = fmaxf(most, points[3 * (size_t)i + (size_t)c]);
		}
		sum += pow((double)most - (double)least, 2);
	}
	return sqrt(sum);
}

/* With a rest pose in other units, or of another mesh with as many points, a fit would be useless. */
static void warn_of_size(const snw_import_request *request, const snw_scene *scene, const float *frame, const snw_task *task) {
	const double rest = snw_scene_diagonal(scene, 0), first = size_of(frame, scene->meshes[0].point_count);
	if (request->rest && first > 0 && !(rest / first < LARGEST_RATIO && first / rest < LARGEST_RATIO)) {
		snw_task_notice(
			task, SNW_LOG_WARNING,
			"%s is %.3g m across, but the first frame is %.3g: check that they use the same units and show the same mesh",
			snw_path_name(request->rest), rest, first);
	}
}

snw_status snw_sequence_read(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error) {
	snw_arena *arena = scene->arena;
	const char *rest = NULL;
	snw_status status = rest_path(request, arena, &rest, error);
	if (!snw_failed(status)) {
		status = snw_import_obj.read(rest, request, task, scene, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	const char *name = sequence_name(request->sequence, arena, task);
	rename_mesh(scene, rest, name);
	snw_point_frames frames;
	status = snw_frames_read(request->sequence, &scene->meshes[0], scene->meshes[0].point_count, request->frames_per_second,
							 arena, task, &frames, error);
	if (snw_failed(status)) {
		return status;
	}
	warn_of_size(request, scene, frames.points, task);
	snw_target *target = SNW_NEW(arena, snw_target);
	*target = (snw_target){
		.name = name,
		.mesh = 0,
		.clip = SNW_NONE,
		.frame_count = frames.frame_count,
		.seconds = frames.seconds,
		.points_posed = frames.points,
		.is_set = request->is_set,
	};
	snw_pose *pose = SNW_NEW(arena, snw_pose);
	pose->name = "rest";
	scene->targets = target;
	scene->target_count = 1;
	scene->poses = pose;
	scene->pose_count = 1;
	return SNW_OK;
}
