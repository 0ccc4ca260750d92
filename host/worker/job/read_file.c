/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/job/read_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/numbers.h"
#include "base/text.h"
#include "file/file.h"
#include "worker/job/encoding.h"

/* ---- the file that both sides have ------------------------------------------------------------------------------------ */

typedef struct contents {
	void *map;
	size_t bytes;
	snw_reader reader;
} contents;

static bool open_contents(int file, contents *c) {
	struct stat info;
	if (fstat(file, &info) != 0 || info.st_size <= 0 || (uint64_t)info.st_size > SNW_FILE_LIMIT) {
		return false;
	}
	c->bytes = (size_t)info.st_size;
	c->map = mmap(NULL, c->bytes, PROT_READ, MAP_PRIVATE, file, 0);
	c->reader = (snw_reader){.bytes = c->map, .count = c->bytes};
	return c->map != MAP_FAILED;
}

static void close_contents(contents *c) {
	munmap(c->map, c->bytes);
}

/* A stream that writes the file anew; NULL on failure. */
static FILE *begin_writing(int file) {
	const int copy = ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0 ? dup(file) : -1;
	FILE *out = copy >= 0 ? fdopen(copy, "wb") : NULL;
	if (!out && copy >= 0) {
		close(copy);
	}
	return out;
}

static snw_status end_writing(FILE *out, snw_error *error) {
	const bool failed = !out || ferror(out) != 0;
	return out && fclose(out) == 0 && !failed
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_IO, "what was read cannot be passed on: %s; free some memory", strerror(errno));
}

static size_t mipmap_bytes(const snw_mipmap *mipmap) {
	size_t bytes = 0;
	for (uint32_t level = 0; level < mipmap->level_count; level++) {
		bytes += 4 * (size_t)snw_mipmap_side(mipmap->width, level) * snw_mipmap_side(mipmap->height, level);
	}
	return bytes;
}

/* ---- in the worker ----------------------------------------------------------------------------------------------------- */

static void put_mesh(FILE *out, const snw_mesh *mesh) {
	snw_record_put_u32(out, mesh->point_count);
	snw_record_put_u32(out, mesh->face_count);
	snw_record_put_f64s(out, mesh->points_rest, (size_t)3 * mesh->point_count);
	snw_record_put_u32s(out, mesh->face_count > 0 ? mesh->face_offsets : &(const uint32_t){0}, (size_t)mesh->face_count + 1);
	snw_record_put_u32s(out, mesh->face_points, mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0);
}

static void put_frames(FILE *out, const snw_point_frames *frames) {
	snw_record_put_u32(out, frames->frame_count);
	snw_record_put_f64s(out, frames->seconds, frames->frame_count);
	snw_record_put_u32s(out, (const uint32_t *)frames->points, (size_t)3 * frames->frame_count * frames->point_count);
}

static void put_values(FILE *out, const snw_pose_values *values) {
	snw_record_put_u32(out, values->count);
	for (uint32_t i = 0; i < values->count; i++) {
		snw_record_put_u32(out, values->items[i].property);
		snw_record_put_text(out, values->items[i].name);
		snw_record_put_f64s(out, values->items[i].numbers, 4);
	}
}

static void put_pictures(FILE *out, const snw_mipmap *pictures, uint32_t count) {
	snw_record_put_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		snw_record_put_u32(out, pictures[i].width);
		snw_record_put_u32(out, pictures[i].height);
		snw_record_put_bytes(out, pictures[i].pixels, mipmap_bytes(&pictures[i]));
	}
}

snw_status snw_read_put_pictures(int file, const snw_picture_use *uses, uint32_t count, snw_error *error) {
	FILE *out = begin_writing(file);
	for (uint32_t i = 0; out && i < count; i++) {
		snw_record_put_text(out, uses[i].name);
		snw_record_put_u32(out, uses[i].is_color);
		snw_record_put_bytes(out, uses[i].bytes, uses[i].byte_count);
	}
	return end_writing(out, error);
}

/* Decodes what `file` holds. */
static snw_status decode_pictures(const snw_read_request *request, int file, const snw_task *task, snw_arena *arena,
								  snw_read_result *result, snw_error *error) {
	contents c;
	if (!open_contents(file, &c)) {
		return snw_fail(error, SNW_ERROR_DATA, "the worker received no pictures");
	}
	snw_picture_use *uses = SNW_NEW_ARRAY(arena, snw_picture_use, request->count);
	for (uint32_t i = 0; i < request->count; i++) {
		const char *name = snw_record_get_text(&c.reader, arena);
		uses[i] = (snw_picture_use){.name = name ? name : "", .is_color = snw_read_u32(&c.reader) != 0};
		uses[i].bytes = snw_record_get_bytes(&c.reader, arena, &uses[i].byte_count);
	}
	const bool is_whole = !c.reader.failed && c.reader.count == 0;
	close_contents(&c);
	result->picture_count = request->count;
	result->pictures = SNW_NEW_ARRAY(arena, snw_mipmap, request->count);
	if (is_whole) {
		snw_pictures_decode(uses, request->count, request->picture_bytes, task, arena, result->pictures);
	}
	return is_whole ? SNW_OK : snw_fail(error, SNW_ERROR_DATA, "the worker received damaged pictures");
}

snw_status snw_job_read(const snw_read_request *request, const char *path, int file, const snw_task *task, snw_arena *arena,
						snw_error *error) {
	snw_read_result result = {0};
	snw_status status = SNW_OK;
	switch (request->kind) {
	case SNW_FILE_KIND_MESH:
		status = snw_import_obj_mesh(path, arena, &result.mesh, error);
		break;
	case SNW_FILE_KIND_FRAMES:
		status = snw_import_frames(path, request->count, request->frames_per_second, arena, task, &result.frames, error);
		break;
	case SNW_FILE_KIND_POSE:
		status = snw_pose_values_read(path, arena, &result.values, error);
		break;
	default:
		status = decode_pictures(request, file, task, arena, &result, error);
		break;
	}
	if (snw_failed(status)) {
		return status;
	}
	FILE *out = begin_writing(file);
	if (out && request->kind == SNW_FILE_KIND_MESH) {
		put_mesh(out, &result.mesh);
	} else if (out && request->kind == SNW_FILE_KIND_FRAMES) {
		put_frames(out, &result.frames);
	} else if (out && request->kind == SNW_FILE_KIND_POSE) {
		put_values(out, &result.values);
	} else if (out) {
		put_pictures(out, result.pictures, result.picture_count);
	}
	return end_writing(out, error);
}

/* ---- in the program: a reader that was exploited may have written anything ----------------------------------------------- */

static bool get_mesh(snw_reader *reader, snw_arena *arena, snw_mesh *mesh) {
	mesh->point_count = snw_read_count(reader, 3 * sizeof(double));
	mesh->face_count = snw_read_count(reader, sizeof(uint32_t));
	mesh->points_rest = snw_record_get_f64s(reader, arena, (size_t)3 * mesh->point_count);
	mesh->face_offsets = snw_record_get_u32s(reader, arena, (size_t)mesh->face_count + 1);
	if (reader->failed || !snw_all_finite(mesh->points_rest, (size_t)3 * mesh->point_count) || mesh->face_offsets[0] != 0) {
		return false;
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		if (mesh->face_offsets[f + 1] < mesh->face_offsets[f]) {
			return false;
		}
	}
	const uint32_t corners = mesh->face_offsets[mesh->face_count];
	mesh->face_points = snw_record_get_u32s(reader, arena, corners);
	for (uint32_t c = 0; !reader->failed && c < corners; c++) {
		if (mesh->face_points[c] >= mesh->point_count) {
			return false;
		}
	}
	return true;
}

static bool get_frames(snw_reader *reader, uint32_t point_count, snw_arena *arena, snw_point_frames *frames) {
	frames->point_count = point_count;
	frames->frame_count = snw_read_count(reader, sizeof(double));
	frames->seconds = snw_record_get_f64s(reader, arena, frames->frame_count);
	const size_t numbers = (size_t)3 * frames->frame_count * point_count;
	frames->points = (float *)snw_record_get_u32s(reader, arena, numbers);
	if (reader->failed || frames->frame_count == 0 || !snw_all_finite(frames->seconds, frames->frame_count)) {
		return false;
	}
	for (size_t i = 0; i < numbers; i++) {
		if (!isfinite(frames->points[i])) {
			return false;
		}
	}
	return true;
}

static bool get_values(snw_reader *reader, snw_arena *arena, snw_pose_values *values) {
	values->count = snw_read_count(reader, 2 * sizeof(uint32_t) + 4 * sizeof(double));
	values->items = SNW_NEW_ARRAY(arena, snw_pose_value, values->count);
	for (uint32_t i = 0; i < values->count; i++) {
		snw_pose_value *value = &values->items[i];
		const uint32_t property = snw_read_u32(reader);
		value->property = (snw_pose_property)property;
		char *name = snw_record_get_text(reader, arena);
		snw_read(reader, value->numbers, sizeof value->numbers);
		if (reader->failed || property > SNW_POSE_CHANNEL || !name || !snw_all_finite(value->numbers, 4)) {
			return false;
		}
		(void)snw_text_clean(name, '_'); /* as the import cleans the names of joints; messages show it */
		value->name = name;
	}
	return true;
}

static uint32_t level_count(uint32_t width, uint32_t height) {
	uint32_t count = width > 0 && height > 0 ? 1 : 0;
	while (count > 0 && (width >> count || height >> count)) {
		count++;
	}
	return count;
}

static bool get_pictures(snw_reader *reader, const snw_read_request *request, snw_arena *arena, snw_read_result *result) {
	enum { LONGEST_SIDE = 1 << 15 };
	uint64_t finest = 0;
	result->picture_count = snw_read_u32(reader);
	if (reader->failed || result->picture_count != request->count) {
		return false;
	}
	result->pictures = SNW_NEW_ARRAY(arena, snw_mipmap, result->picture_count);
	for (uint32_t i = 0; i < result->picture_count; i++) {
		snw_mipmap *picture = &result->pictures[i];
		size_t bytes = 0;
		picture->width = snw_read_u32(reader);
		picture->height = snw_read_u32(reader);
		if (reader->failed || picture->width > LONGEST_SIDE || picture->height > LONGEST_SIDE) {
			return false;
		}
		picture->level_count = level_count(picture->width, picture->height);
		picture->pixels = snw_record_get_bytes(reader, arena, &bytes);
		finest += 4 * (uint64_t)picture->width * picture->height;
		if (reader->failed || bytes != mipmap_bytes(picture) || finest > request->picture_bytes) {
			return false;
		}
		picture->pixels = bytes > 0 ? picture->pixels : NULL;
	}
	return true;
}

snw_status snw_read_get_result(const snw_read_request *request, const char *subject, int file, snw_arena *arena,
							   snw_read_result *result, snw_error *error) {
	contents c;
	if (!open_contents(file, &c)) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the reader gave nothing", subject);
	}
	snw_read_result got = {0};
	bool is_sound = false;
	switch (request->kind) {
	case SNW_FILE_KIND_MESH:
		is_sound = get_mesh(&c.reader, arena, &got.mesh);
		break;
	case SNW_FILE_KIND_FRAMES:
		is_sound = get_frames(&c.reader, request->count, arena, &got.frames);
		break;
	case SNW_FILE_KIND_POSE:
		is_sound = get_values(&c.reader, arena, &got.values);
		break;
	default:
		is_sound = get_pictures(&c.reader, request, arena, &got);
		break;
	}
	is_sound = is_sound && !c.reader.failed && c.reader.count == 0;
	close_contents(&c);
	if (!is_sound) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the reader gave a damaged result; the file is malformed", subject);
	}
	*result = got;
	return SNW_OK;
}
