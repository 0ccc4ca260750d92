/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/import.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/error.h"
#include "file/file.h"
#include "import/common/reading.h"
#include "pose/clip.h"
#include "scene/check.h"

/* ---- the files of a pattern ---------------------------------------------------------------------------------------------- */

/* The file's name with a star for each number, which is the same for all frames of an animation. */
static const char *series_of(snw_arena *arena, const char *path) {
	char *series = snw_arena_text(arena, snw_path_name(path));
	char *end = series;
	for (const char *c = series; *c; c++) {
		if (!isdigit((unsigned char)*c)) {
			*end++ = *c;
		} else if (end == series || end[-1] != '*') {
			*end++ = '*';
		}
	}
	*end = '\0';
	return series;
}

static bool has_number(const char *path) {
	return strpbrk(snw_path_name(path), "0123456789") != NULL;
}

/* If any file has a number, those without one, such as a rest pose beside the frames, are left out. */
static void leave_out_unnumbered(const snw_task *task, char **paths, size_t *count) {
	size_t used = 0;
	for (size_t i = 0; i < *count; i++) {
		used += has_number(paths[i]);
	}
	if (used == 0 || used == *count) {
		return;
	}
	used = 0;
	for (size_t i = 0; i < *count; i++) {
		if (has_number(paths[i])) {
			paths[used++] = paths[i];
		} else {
			snw_task_notice(task, SNW_LOG_WARNING,
							"%s has no number; it is not used as a frame (give the rest pose with --rest FILE.obj)",
							snw_path_name(paths[i]));
		}
	}
	*count = used;
}

/* The last number in a file's name before the extension; −1 if there is none. */
static double number_of(const char *path) {
	const char *name = snw_path_name(path), *dot = strrchr(name, '.'), *end = dot ? dot : name + strlen(name);
	while (end > name && !isdigit((unsigned char)end[-1])) {
		end--;
	}
	const char *begin = end;
	while (begin > name && isdigit((unsigned char)begin[-1])) {
		begin--;
	}
	return begin < end ? strtod(begin, NULL) : -1;
}

/* Warns of gaps in the numbering, whose step is the smallest difference between two files. */
static void warn_of_gaps(const snw_task *task, char **paths, size_t count) {
	double step = HUGE_VAL;
	for (size_t f = 1; f < count; f++) {
		const double before = number_of(paths[f - 1]), number = number_of(paths[f]);
		if (before < 0 || number <= before) {
			return;
		}
		step = fmin(step, number - before);
	}
	for (size_t f = 1; f < count; f++) {
		const double missing = (number_of(paths[f]) - number_of(paths[f - 1])) / step - 1;
		if (missing > 0) {
			snw_task_notice(
				task, SNW_LOG_WARNING,
				"%.0f missing between %s and %s: the animation skips the gap and plays too fast there; export the frames again",
				ceil(missing), snw_path_name(paths[f - 1]), snw_path_name(paths[f]));
		}
	}
}

/* The files that match a pattern ("frames/f_*.obj"), in the order of their numbers. Files without a number beside numbered ones
 * are left out, and gaps in the numbering are closed, both with a notice to `task` (may be NULL). Fails if two animations
 * match. */
static snw_status numbered_paths(const char *pattern, snw_arena *arena, const snw_task *task, char ***paths, size_t *count,
								 snw_error *error) {
	const snw_status status = snw_path_sequence(pattern, arena, paths, count, error);
	if (snw_failed(status)) {
		return status;
	}
	leave_out_unnumbered(task, *paths, count);
	const char *series = series_of(arena, (*paths)[0]);
	for (size_t i = 1; i < *count && has_number((*paths)[0]); i++) {
		const char *other = series_of(arena, (*paths)[i]);
		if (strcmp(other, series) != 0) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: matches more than one animation, '%s' and '%s'; name one of them",
							pattern, series, other);
		}
	}
	warn_of_gaps(task, *paths, *count);
	return SNW_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static const double DEFAULT_FRAMES_PER_SECOND = 24;

/* Sizes of the parts of the files, in bytes. */
enum { PC2_HEADER = 32, MDD_HEADER = 8, POINT = 12 };

/* The arguments of all readers. */
typedef struct source {
	const char *path;
	uint32_t point_count;     /* of the caller's mesh */
	double frames_per_second; /* 0: as in the file */
	snw_arena *arena;
	const snw_task *task;
	snw_error *error;
} source;

static uint32_t little_u32(const unsigned char *b) {
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint32_t big_u32(const unsigned char *b) {
	return (uint32_t)b[3] | (uint32_t)b[2] << 8 | (uint32_t)b[1] << 16 | (uint32_t)b[0] << 24;
}

static float as_float(uint32_t bits) {
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static bool is_usable_rate(double rate) {
	return isfinite(rate) && rate > 0 && rate < 1e6;
}

static bool is_valid_coordinate(float coordinate) {
	return fabs((double)coordinate) <= SNW_LARGEST_NUMBER;
}

static void space_evenly(snw_point_frames *frames, double step_seconds) {
	for (uint32_t f = 0; f < frames->frame_count; f++) {
		frames->seconds[f] = f * step_seconds;
	}
}

static double step_seconds(const source *s) {
	return 1 / (s->frames_per_second > 0 ? s->frames_per_second : DEFAULT_FRAMES_PER_SECOND);
}

/* Counts from a header against the caller's mesh and against the bytes that available are. */
static snw_status check_counts(const source *s, uint32_t frame_count, uint32_t point_count, uint64_t header_bytes,
							   uint64_t byte_count) {
	if (frame_count == 0 || frame_count > INT32_MAX || point_count == 0 || point_count > INT32_MAX) {
		return snw_fail(s->error, SNW_ERROR_DATA, "%s: its header has %d frames of %d points; export it again", s->path,
						(int32_t)frame_count, (int32_t)point_count);
	}
	if (point_count != s->point_count) {
		return snw_fail(s->error, SNW_ERROR_DATA,
						"%s: it has %u points, but the mesh has %u; give the mesh it was made with, in the same point order",
						s->path, point_count, s->point_count);
	}
	const uint64_t frame_bytes = (uint64_t)point_count * POINT; /* below 2^35, so the products below fit */
	const uint64_t available = byte_count > header_bytes ? byte_count - header_bytes : 0;
	if (available < frame_bytes * frame_count) {
		return snw_fail(s->error, SNW_ERROR_DATA, "%s: frame %u of %u is truncated; export it again", s->path,
						(uint32_t)(available / frame_bytes) + 1, frame_count);
	}
	if (available > frame_bytes * frame_count) {
		return snw_fail(s->error, SNW_ERROR_DATA,
						"%s: %llu extra bytes after frame %u, the last one by its header; export it again", s->path,
						(unsigned long long)(available - frame_bytes * frame_count), frame_count);
	}
	return SNW_OK;
}

static void acquire(const source *s, uint32_t frame_count, snw_point_frames *frames) {
	*frames = (snw_point_frames){
		.frame_count = frame_count,
		.point_count = s->point_count,
		.seconds = SNW_NEW_ARRAY(s->arena, double, frame_count),
		.points = snw_arena_array(s->arena, frame_count, (size_t)s->point_count * 3 * sizeof(float)),
	};
}

static snw_status read_points(const source *s, const unsigned char *bytes, uint32_t (*word)(const unsigned char *),
							  snw_point_frames *frames) {
	const size_t count = (size_t)3 * frames->point_count;
	for (uint32_t f = 0; f < frames->frame_count; f++) {
		float *points = frames->points + f * count;
		for (size_t i = 0; i < count; i++) {
			points[i] = as_float(word(bytes + 4 * (f * count + i)));
			if (!is_valid_coordinate(points[i])) {
				return snw_fail(s->error, SNW_ERROR_DATA, "%s: frame %u, point %zu %s; export it again", s->path, f + 1,
								i / 3 + 1, isfinite(points[i]) ? "is too far away" : "is not finite");
			}
		}
		if (!snw_task_progress(s->task, (f + 1.0) / frames->frame_count, "reading frames")) {
			return SNW_CANCELLED;
		}
	}
	return SNW_OK;
}

/* ---- .pc2 ---------------------------------------------------------------------------------------------------------------- */

/* "POINTCACHE2\0", int32 version, int32 points, float32 start, float32 rate, int32 samples, then samples × points × 3 float32,
 * all little endian. Start and rate are in frames; the first sample is put at 0 seconds. */
static snw_status read_pc2(const source *s, snw_bytes bytes, snw_point_frames *frames) {
	if (bytes.count == 0) {
		return snw_fail(s->error, SNW_ERROR_DATA, "%s: the file is empty; export it again", s->path);
	}
	if (bytes.count < PC2_HEADER || memcmp(bytes.data, "POINTCACHE2", 12) != 0) {
		return snw_fail(s->error, SNW_ERROR_DATA, "%s: not a PC2 point cache; export it again", s->path);
	}
	const uint32_t frame_count = little_u32(bytes.data + 28);
	snw_status status = check_counts(s, frame_count, little_u32(bytes.data + 16), PC2_HEADER, bytes.count);
	if (snw_failed(status)) {
		return status;
	}
	acquire(s, frame_count, frames);
	const double rate = (double)as_float(little_u32(bytes.data + 24));
	const bool has_rate = s->frames_per_second <= 0 && is_usable_rate(rate);
	space_evenly(frames, step_seconds(s) * (has_rate ? rate : 1));
	return read_points(s, bytes.data + PC2_HEADER, little_u32, frames);
}

/* ---- .mdd ---------------------------------------------------------------------------------------------------------------- */

/* int32 frames, int32 points, float32 seconds of each frame, then frames × points × 3 float32, all big endian. */
static snw_status read_mdd(const source *s, snw_bytes bytes, snw_point_frames *frames) {
	if (bytes.count < MDD_HEADER) {
		return snw_fail(s->error, SNW_ERROR_DATA, "%s: its header is truncated; export it again as MDD", s->path);
	}
	const uint32_t frame_count = big_u32(bytes.data);
	const uint64_t header_bytes = MDD_HEADER + (uint64_t)frame_count * 4;
	snw_status status = check_counts(s, frame_count, big_u32(bytes.data + 4), header_bytes, bytes.count);
	if (snw_failed(status)) {
		return status;
	}
	acquire(s, frame_count, frames);
	bool rising = true;
	for (uint32_t f = 0; f < frame_count; f++) {
		frames->seconds[f] = (double)as_float(big_u32(bytes.data + MDD_HEADER + (size_t)4 * f));
		if (!isfinite(frames->seconds[f])) {
			return snw_fail(s->error, SNW_ERROR_DATA, "%s: frame %u has no finite time; export it again", s->path, f + 1);
		}
		rising = rising && (f == 0 || frames->seconds[f] > frames->seconds[f - 1]);
	}
	if (s->frames_per_second > 0 || !rising) {
		if (!rising) {
			snw_task_notice(s->task, SNW_LOG_WARNING, "%s: its times do not increase; the frames are spaced evenly", s->path);
		}
		space_evenly(frames, step_seconds(s));
	}
	return read_points(s, bytes.data + header_bytes, big_u32, frames);
}

/* ---- numbered .obj ------------------------------------------------------------------------------------------------------- */

static snw_status check_faces(const source *s, const char *path, const char *reference, const snw_mesh *mesh,
							  const snw_mesh *first) {
	if (mesh->point_count != s->point_count) {
		return snw_fail(s->error, SNW_ERROR_DATA,
						"%s: it has %u points, but the mesh has %u; all frames need the same points in the same order", path,
						mesh->point_count, s->point_count);
	}
	const size_t offsets = ((size_t)mesh->face_count + 1) * sizeof *mesh->face_offsets;
	if (mesh->face_count != first->face_count || memcmp(mesh->face_offsets, first->face_offsets, offsets) != 0 ||
		memcmp(mesh->face_points, first->face_points, mesh->face_offsets[mesh->face_count] * sizeof *mesh->face_points) != 0) {
		return snw_fail(s->error, SNW_ERROR_DATA,
						"%s: its faces differ from those of %s; all frames need the same faces in the same order", path,
						reference);
	}
	return SNW_OK;
}

static snw_status read_point_floats(const source *s, const char *path, const snw_mesh *mesh, float *dest) {
	for (size_t i = 0; i < (size_t)3 * mesh->point_count; i++) {
		dest[i] = (float)mesh->points_rest[i];
		if (!is_valid_coordinate(dest[i])) {
			return snw_fail(s->error, SNW_ERROR_DATA, "%s: point %zu is too far away; export it again", path, i / 3 + 1);
		}
	}
	return SNW_OK;
}

static snw_status read_obj_frame(const source *s, const char *path, const char *reference, const snw_mesh *first, float *dest) {
	snw_arena *scratch = snw_arena_create();
	snw_mesh mesh;
	snw_status status = snw_import_obj_mesh(path, scratch, &mesh, s->error);
	if (!snw_failed(status)) {
		status = check_faces(s, path, reference, &mesh, first);
	}
	if (!snw_failed(status)) {
		status = read_point_floats(s, path, &mesh, dest);
	}
	snw_arena_destroy(scratch);
	return status;
}

/* All faces must equal those of `rest`, or of the first file if that is NULL. */
static snw_status read_obj_frames(const source *s, const snw_mesh *rest, snw_arena *scratch, snw_point_frames *frames) {
	char **paths;
	size_t count;
	snw_status status = numbered_paths(s->path, scratch, s->task, &paths, &count, s->error);
	snw_mesh first;
	if (!snw_failed(status)) {
		status = snw_import_obj_mesh(paths[0], scratch, &first, s->error);
	}
	if (snw_failed(status)) {
		return status;
	}
	if (first.point_count != s->point_count) {
		return check_faces(s, paths[0], paths[0], &first, &first);
	}
	if (count > INT32_MAX || count > SIZE_MAX / POINT / s->point_count) {
		return snw_fail(s->error, SNW_ERROR_LIMIT, "%s: %zu frames are too many; name fewer", s->path, count);
	}
	acquire(s, (uint32_t)count, frames);
	space_evenly(frames, step_seconds(s));
	for (size_t f = 0; f < count && !snw_failed(status); f++) {
		status = read_obj_frame(s, paths[f], rest ? "the rest pose" : paths[0], rest ? rest : &first,
								frames->points + f * 3 * s->point_count);
		if (!snw_failed(status) && !snw_task_progress(s->task, (f + 1.0) / (double)count, "reading frames")) {
			status = SNW_CANCELLED;
		}
	}
	return status;
}

/* ---- all formats --------------------------------------------------------------------------------------------------------- */

static snw_status read_cache(const source *s, snw_arena *scratch, snw_point_frames *frames) {
	snw_bytes bytes;
	const snw_status status = snw_file_read(s->path, scratch, &bytes, s->error);
	if (snw_failed(status)) {
		return status;
	}
	return snw_path_has_extension(s->path, snw_import_mdd.file.extensions) ? read_mdd(s, bytes, frames)
																		   : read_pc2(s, bytes, frames);
}

/* Whether a path is a point cache, which has points alone, or a pattern of .obj files. Fails for any other path. */
static snw_status find_kind(const char *path, bool *is_cache, snw_error *error) {
	const snw_file_format *format = snw_file_format_of(snw_import_formats, path);
	struct stat info;
	*is_cache = format == &snw_import_pc2.file || format == &snw_import_mdd.file;
	if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: this is a folder; name the frames in it: '%s%s*.obj'", path, path,
						path[strlen(path) - 1] == '/' ? "" : "/");
	}
	if (*is_cache || snw_path_has_extension(path, snw_import_numbered_obj.file.extensions)) {
		return SNW_OK;
	}
	snw_arena *arena = snw_arena_create();
	const snw_status status = snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: a mesh animation is %s; convert it", path,
									   snw_file_formats_text(snw_import_formats, SNW_FILE_FRAMES, arena));
	snw_arena_destroy(arena);
	return status;
}

/* As snw_import_frames. If `rest` is not NULL, numbered .obj files must have its faces. */
static snw_status read_sequence_frames(const char *path, const snw_mesh *rest, uint32_t point_count, double frames_per_second,
									   snw_arena *arena, const snw_task *task, snw_point_frames *frames, snw_error *error) {
	const source s = {path, point_count, frames_per_second, arena, task, error};
	if (frames_per_second != 0 && !is_usable_rate(frames_per_second)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%g is not a frame rate; give a number such as 24", frames_per_second);
	}
	bool is_cache;
	snw_status status = find_kind(path, &is_cache, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *scratch = snw_arena_create();
	snw_point_frames read;
	status = is_cache ? read_cache(&s, scratch, &read) : read_obj_frames(&s, rest, scratch, &read);
	if (!snw_failed(status)) {
		*frames = read;
	} else if (status == SNW_CANCELLED) {
		snw_fail(error, SNW_CANCELLED, "%s: cancelled", path);
	}
	snw_arena_destroy(scratch);
	return status;
}

snw_status snw_import_frames(const char *path, uint32_t point_count, double frames_per_second, snw_arena *arena,
							 const snw_task *task, snw_point_frames *frames, snw_error *error) {
	return read_sequence_frames(path, NULL, point_count, frames_per_second, arena, task, frames, error);
}

/* ---- formats ------------------------------------------------------------------------------------------------------------- */

static snw_status read_sequence(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
								snw_error *error) {
	(void)path; /* the request's sequence */
	return snw_import_sequence(request, task, scene, error);
}

const snw_import_format snw_import_pc2 = {
	.file = {.extensions = "pc2", .label = "PC2 point cache", .holds = SNW_FILE_FRAMES},
	.read = read_sequence,
};

const snw_import_format snw_import_mdd = {
	.file = {.extensions = "mdd", .label = "MDD point cache (LightWave)", .holds = SNW_FILE_FRAMES},
	.read = read_sequence,
};

const snw_import_format snw_import_numbered_obj = {
	.file = {.extensions = "obj", .label = "Numbered OBJ", .holds = SNW_FILE_MESH | SNW_FILE_FRAMES, .is_numbered = true},
	.read = read_sequence,
};

/* ---- a scene of one sequence --------------------------------------------------------------------------------------------- */

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
	snw_status status = find_kind(request->sequence, &is_cache, error);
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
	status = numbered_paths(request->sequence, arena, NULL, &paths, &count, error);
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

/* A scene of one mesh without a skeleton, with request->sequence as a target without a clip. The rest pose is request->rest, or
 * the first frame of numbered .obj files; the pose "rest" has no joints. */
static snw_status sequence_read(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error) {
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
	status = read_sequence_frames(request->sequence, &scene->meshes[0], scene->meshes[0].point_count,
								  request->frames_per_second, arena, task, &frames, error);
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

/* ---- several sequences --------------------------------------------------------------------------------------------------- */

/* Sequences of several meshes of one body, which share a clip. */

/* Moments that differ by less are one. */
static const double same_moment = 1e-4; /* seconds */

static uint32_t shifted(uint32_t index, uint32_t by) {
	return index == SNW_NONE ? SNW_NONE : index + by;
}

/* An array and more elements behind it. */
static void *joined(snw_arena *arena, const void *items, uint32_t count, const void *added, uint32_t added_count,
					size_t bytes) {
	char *all = snw_arena_array(arena, (size_t)count + added_count, bytes);
	if (count > 0) {
		memcpy(all, items, count * bytes);
	}
	if (added_count > 0) {
		memcpy(all + count * bytes, added, added_count * bytes);
	}
	return all;
}

#define JOINED(scene, part, items, count)                                                                                      \
	joined((scene)->arena, (scene)->items, (scene)->count, (part)->items, (part)->count, sizeof *(scene)->items)

/* The indices of a part's materials and images among those of the whole scene. */
static void move_materials(const snw_scene *scene, snw_scene *part) {
	snw_material *materials = snw_arena_copy(part->arena, part->materials, part->material_count * sizeof *materials);
	for (uint32_t i = 0; i < part->material_count; i++) {
		snw_material *m = &materials[i];
		m->base_color_image = shifted(m->base_color_image, scene->image_count);
		m->metallic_roughness_image = shifted(m->metallic_roughness_image, scene->image_count);
		m->normal_image = shifted(m->normal_image, scene->image_count);
		m->emissive_image = shifted(m->emissive_image, scene->image_count);
		uint32_t *kept = snw_arena_copy(part->arena, m->kept_images, m->kept_image_count * sizeof *kept);
		for (uint32_t k = 0; k < m->kept_image_count; k++) {
			kept[k] = shifted(kept[k], scene->image_count);
		}
		m->kept_images = kept;
	}
	snw_mesh *mesh = snw_arena_copy(part->arena, part->meshes, sizeof *mesh);
	if (mesh->face_materials) {
		uint32_t *faces = snw_arena_copy(part->arena, mesh->face_materials, mesh->face_count * sizeof *faces);
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			faces[f] = shifted(faces[f], scene->material_count);
		}
		mesh->face_materials = faces;
	}
	part->materials = materials;
	part->meshes = mesh;
}

/* Frames of one moment each, of all meshes: a skeleton and a clip are those of a whole body. */
static snw_status expect_same_moments(const snw_scene *scene, const snw_scene *part, const snw_import_request *request,
									  const snw_import_frames_of_mesh *from, snw_error *error) {
	const snw_target *first = &scene->targets[0], *next = &part->targets[0];
	if (first->frame_count != next->frame_count) {
		return snw_fail(error, SNW_ERROR_DATA,
						"%s has %u frame%s and %s has %u; sequences of one body need a frame of each mesh for each moment",
						request->sequence, first->frame_count, snw_plural(first->frame_count), from->sequence,
						next->frame_count);
	}
	for (uint32_t f = 0; f < first->frame_count; f++) {
		if (!(fabs(first->seconds[f] - next->seconds[f]) < same_moment)) {
			return snw_fail(error, SNW_ERROR_DATA,
							"frame %u of %s is at %g s and that of %s at %g s; export both at one rate, or give it with --fps",
							f, request->sequence, first->seconds[f], from->sequence, next->seconds[f]);
		}
	}
	return SNW_OK;
}

static snw_status add_sequence(const snw_import_request *request, const snw_import_frames_of_mesh *from, const snw_task *task,
							   snw_scene *scene, snw_error *error) {
	snw_scene part = {.arena = scene->arena};
	snw_import_request of_part = *request;
	of_part.sequence = from->sequence;
	of_part.rest = from->rest;
	snw_status status = sequence_read(&of_part, task, &part, error);
	status = snw_failed(status) ? status : expect_same_moments(scene, &part, request, from, error);
	if (snw_failed(status)) {
		return status;
	}
	move_materials(scene, &part);
	snw_target *target = snw_arena_copy(scene->arena, part.targets, sizeof *target);
	target->mesh = scene->mesh_count;
	target->seconds = scene->targets[0].seconds;
	part.targets = target;
	scene->meshes = JOINED(scene, &part, meshes, mesh_count);
	scene->targets = JOINED(scene, &part, targets, target_count);
	scene->materials = JOINED(scene, &part, materials, material_count);
	scene->images = JOINED(scene, &part, images, image_count);
	scene->mesh_count++;
	scene->target_count++;
	scene->material_count += part.material_count;
	scene->image_count += part.image_count;
	return SNW_OK;
}

/* Unique names for the meshes, and the targets named after the first sequence and their meshes. */
static void name_all(snw_scene *scene, const snw_task *task) {
	const char **names = SNW_NEW_ARRAY(scene->arena, const char *, scene->mesh_count);
	snw_mesh *meshes = snw_arena_copy(scene->arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	snw_target *targets = snw_arena_copy(scene->arena, scene->targets, scene->target_count * sizeof *targets);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		names[m] = meshes[m].name;
	}
	snw_names_make_unique(scene->arena, names, scene->mesh_count, "mesh", task);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		meshes[m].name = names[m];
		targets[m].name = m == 0 ? targets[0].name : snw_sequence_name(targets[0].name, names[m], scene->arena);
	}
	scene->meshes = meshes;
	scene->targets = targets;
}

snw_status snw_import_sequence(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error) {
	snw_status status = sequence_read(request, task, scene, error);
	for (uint32_t i = 0; i < request->further_count && !snw_failed(status); i++) {
		status = add_sequence(request, &request->further[i], task, scene, error);
	}
	if (!snw_failed(status)) {
		name_all(scene, task);
		snw_scene_clip_sequences(scene);
	}
	return status;
}
