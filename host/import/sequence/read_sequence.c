/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/sequence/read_sequence.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "file/file.h"
#include "import/obj/obj.h"
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

snw_status snw_numbered_paths(const char *pattern, snw_arena *arena, const snw_task *task, char ***paths, size_t *count,
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
	snw_status status = snw_numbered_paths(s->path, scratch, s->task, &paths, &count, s->error);
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

snw_status snw_frames_kind(const char *path, bool *is_cache, snw_error *error) {
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

snw_status snw_frames_read(const char *path, const snw_mesh *rest, uint32_t point_count, double frames_per_second,
						   snw_arena *arena, const snw_task *task, snw_point_frames *frames, snw_error *error) {
	const source s = {path, point_count, frames_per_second, arena, task, error};
	if (frames_per_second != 0 && !is_usable_rate(frames_per_second)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%g is not a frame rate; give a number such as 24", frames_per_second);
	}
	bool is_cache;
	snw_status status = snw_frames_kind(path, &is_cache, error);
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
	return snw_frames_read(path, NULL, point_count, frames_per_second, arena, task, frames, error);
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
