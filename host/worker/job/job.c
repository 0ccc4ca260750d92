/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "file/file.h"
#include "message/message.h"
#include "project/project.h"
#include "worker/job/job.h"

/* ---- request ------------------------------------------------------------------------------------------------------------- */

static void put_import(snw_stream *out, const snw_import_request *import) {
	snw_put_text(out, import->file);
	snw_put_text(out, import->sequence);
	snw_put_text(out, import->rest);
	snw_put_real(out, import->frames_per_second);
	snw_put_number(out, import->keep_points);
	snw_put_number(out, import->is_set);
	snw_put_number(out, import->is_lossy);
	snw_put_number(out, import->is_motion);
	snw_put_number(out, import->further_count);
	for (uint32_t i = 0; i < import->further_count; i++) {
		snw_put_text(out, import->further[i].sequence);
		snw_put_text(out, import->further[i].rest);
	}
}

static void put_fit(snw_stream *out, const snw_fit_request *fit) {
	snw_put_text(out, fit->method);
	snw_put_text(out, fit->layer);
	snw_put_number(out, fit->left_out_example);
	snw_put_number(out, fit->refits);
	snw_put_text(out, fit->samples);
	snw_put_number(out, fit->replaces_skeleton);
	snw_put_number(out, fit->follows_joints);
	snw_put_settings(out, fit->settings, fit->setting_count);
}

static void put_read(snw_stream *out, const snw_read_request *read) {
	snw_put_number(out, read->kind);
	snw_put_number(out, read->count);
	snw_put_real(out, read->frames_per_second);
	snw_put_number(out, read->picture_bytes);
}

void snw_worker_request_put(snw_stream *out, const snw_worker_request *request) {
	snw_put_number(out, SNW_MESSAGE_VERSION);
	snw_put_number(out, request->job);
	snw_put_number(out, request->memory_bytes);
	snw_put_number(out, request->cpu_seconds);
	snw_put_text(out, request->path);
	if (request->job == SNW_WORKER_IMPORT) {
		put_import(out, &request->import);
	} else if (request->job == SNW_WORKER_FIT) {
		put_fit(out, &request->fit);
		snw_put_number(out, request->needs_all_layers);
	} else {
		put_read(out, &request->read);
	}
}

/* ---- reading: each is false where something is missing ------------------------------------------------------------------- */

static bool get_import(snw_stream *in, snw_arena *arena, snw_import_request *import) {
	import->file = snw_get_text(in, arena);
	import->sequence = snw_get_text(in, arena);
	import->rest = snw_get_text(in, arena);
	import->frames_per_second = snw_get_real(in);
	import->keep_points = snw_get_u32(in) != 0;
	import->is_set = snw_get_u32(in) != 0;
	import->is_lossy = snw_get_u32(in) != 0;
	import->is_motion = snw_get_u32(in) != 0;
	import->further_count = snw_get_count(in);
	snw_import_frames_of_mesh *further = SNW_NEW_ARRAY(arena, snw_import_frames_of_mesh, import->further_count);
	bool is_whole = import->file || import->sequence;
	for (uint32_t i = 0; i < import->further_count; i++) {
		further[i].sequence = snw_get_text(in, arena);
		further[i].rest = snw_get_text(in, arena);
		is_whole = is_whole && further[i].sequence;
	}
	import->further = further;
	return is_whole;
}

static bool get_fit(snw_stream *in, snw_arena *arena, snw_fit_request *fit) {
	fit->method = snw_get_text(in, arena);
	fit->layer = snw_get_text(in, arena);
	fit->left_out_example = snw_get_u32(in);
	fit->refits = snw_get_number(in) != 0;
	fit->samples = snw_get_text(in, arena);
	fit->replaces_skeleton = snw_get_u32(in) != 0;
	fit->follows_joints = snw_get_u32(in) != 0;
	return snw_get_settings(in, arena, &fit->settings, &fit->setting_count) && fit->method;
}

static bool get_read(snw_stream *in, snw_read_request *read) {
	const uint32_t kind = snw_get_u32(in);
	read->kind = (snw_file_kind)kind;
	read->count = snw_get_u32(in);
	read->frames_per_second = snw_get_real(in);
	read->picture_bytes = snw_get_number(in);
	return kind < SNW_FILE_KIND_COUNT;
}

snw_status snw_worker_request_get(snw_stream *in, snw_arena *arena, snw_worker_request *request, snw_error *error) {
	const uint32_t version = snw_get_u32(in), job = snw_get_u32(in);
	bool is_whole = version == SNW_MESSAGE_VERSION && job < SNW_WORKER_JOB_COUNT;
	if (is_whole) {
		*request = (snw_worker_request){.job = (snw_worker_job)job, .memory_bytes = snw_get_number(in)};
		request->cpu_seconds = snw_get_number(in);
		request->path = snw_get_text(in, arena);
		is_whole = job == SNW_WORKER_IMPORT ? get_import(in, arena, &request->import)
				   : job == SNW_WORKER_FIT  ? get_fit(in, arena, &request->fit)
											: get_read(in, &request->read);
		request->needs_all_layers = job == SNW_WORKER_FIT && snw_get_u32(in) != 0;
		is_whole = is_whole && request->path && !in->is_broken && in->at == in->end;
	}
	return is_whole ? SNW_OK
					: snw_fail(error, SNW_ERROR_DATA,
							   "the worker received a damaged request; install the program and its worker from the same build");
}

/* ---- settings ------------------------------------------------------------------------------------------------------------ */

void snw_put_settings(snw_stream *out, const snw_setting *settings, uint32_t count) {
	snw_put_number(out, count);
	for (uint32_t i = 0; i < count; i++) {
		snw_put_text(out, settings[i].key);
		snw_put_bytes(out, settings[i].value.numbers, sizeof settings[i].value.numbers);
		snw_put_text(out, settings[i].value.text);
	}
}

bool snw_get_settings(snw_stream *in, snw_arena *arena, const snw_setting **settings, uint32_t *count) {
	*count = snw_get_count(in);
	snw_setting *read = SNW_NEW_ARRAY(arena, snw_setting, *count);
	bool whole = true;
	for (uint32_t i = 0; i < *count; i++) {
		read[i].key = snw_get_text(in, arena);
		snw_get_bytes(in, read[i].value.numbers, sizeof read[i].value.numbers);
		read[i].value.text = snw_get_text(in, arena);
		whole = whole && read[i].key && read[i].key[0];
	}
	*settings = read;
	return whole && !in->is_broken;
}

/* ---- jobs ---------------------------------------------------------------------------------------------------------------- */

snw_status snw_job_import(const snw_import_request *request, const char *path, const snw_task *task, snw_error *error) {
	snw_scene *scene = NULL;
	const snw_status status = snw_import(request, task, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	char label[300];
	snprintf(label, sizeof label, "import %s", snw_path_name(request->file ? request->file : request->sequence));
	const snw_status written = snw_project_write_checked(path, scene, label, task, error);
	snw_scene_destroy(scene);
	return written;
}

snw_status snw_job_open(const char *path, const snw_task *task, snw_scene **scene, snw_error *error) {
	snw_project *project = NULL;
	snw_status status = snw_project_open(path, true, &project, error);
	status = snw_failed(status) ? status : snw_project_read_scene(project, task, scene, error);
	snw_project_close(project);
	return status;
}

snw_status snw_job_fit(const snw_scene *scene, const snw_fit_request *request, const snw_task *task, snw_fit_outcome *outcome,
					   snw_error *error) {
	snw_registry *registry = snw_registry_open();
	const snw_status status = snw_fit_run(scene, registry, request, task, outcome, error);
	snw_registry_close(registry);
	return status;
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */

static size_t mipmap_bytes(const snw_mipmap *mipmap) {
	size_t bytes = 0;
	for (uint32_t level = 0; level < mipmap->level_count; level++) {
		bytes += 4 * (size_t)snw_mipmap_side(mipmap->width, level) * snw_mipmap_side(mipmap->height, level);
	}
	return bytes;
}

/* ---- in the worker ------------------------------------------------------------------------------------------------------- */

static void put_mesh(snw_stream *out, const snw_mesh *mesh) {
	snw_put_number(out, mesh->point_count);
	snw_put_number(out, mesh->face_count);
	snw_put_array(out, mesh->points_rest, (size_t)3 * mesh->point_count, sizeof(double));
	snw_put_array(out, mesh->face_count > 0 ? mesh->face_offsets : &(const uint32_t){0}, (size_t)mesh->face_count + 1,
				  sizeof(uint32_t));
	snw_put_array(out, mesh->face_points, mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0, sizeof(uint32_t));
}

static void put_frames(snw_stream *out, const snw_point_frames *frames) {
	snw_put_number(out, frames->frame_count);
	snw_put_array(out, frames->seconds, frames->frame_count, sizeof(double));
	snw_put_array(out, frames->points, (size_t)3 * frames->frame_count * frames->point_count, sizeof(float));
}

static void put_values(snw_stream *out, const snw_pose_values *values) {
	snw_put_number(out, values->count);
	for (uint32_t i = 0; i < values->count; i++) {
		snw_put_number(out, values->items[i].property);
		snw_put_text(out, values->items[i].name);
		snw_put_bytes(out, values->items[i].numbers, sizeof values->items[i].numbers);
	}
}

static void put_pictures(snw_stream *out, const snw_mipmap *pictures, uint32_t count) {
	snw_put_number(out, count);
	for (uint32_t i = 0; i < count; i++) {
		snw_put_number(out, pictures[i].width);
		snw_put_number(out, pictures[i].height);
		snw_put_array(out, pictures[i].pixels, mipmap_bytes(&pictures[i]), 1);
	}
}

snw_status snw_read_put_pictures(int file, const snw_picture_use *uses, uint32_t count, snw_error *error) {
	snw_stream out = snw_stream_file_begin(file);
	for (uint32_t i = 0; !out.is_broken && i < count; i++) {
		snw_put_text(&out, uses[i].name);
		snw_put_number(&out, uses[i].is_color);
		snw_put_array(&out, uses[i].bytes, uses[i].byte_count, 1);
	}
	return snw_stream_file_end(&out, "a picture", error);
}

/* Decodes what `file` holds. */
static snw_status decode_pictures(const snw_read_request *request, int file, const snw_task *task, snw_arena *arena,
								  snw_read_result *result, snw_error *error) {
	snw_stream_contents c;
	if (!snw_stream_contents_open(file, &c)) {
		return snw_fail(error, SNW_ERROR_DATA, "the worker received no pictures");
	}
	snw_picture_use *uses = SNW_NEW_ARRAY(arena, snw_picture_use, request->count);
	for (uint32_t i = 0; i < request->count; i++) {
		const char *name = snw_get_text(&c.in, arena);
		uint64_t byte_count = 0;
		uses[i] = (snw_picture_use){.name = name ? name : "", .is_color = snw_get_u32(&c.in) != 0};
		uses[i].bytes = snw_get_counted(&c.in, 1, arena, &byte_count);
		uses[i].byte_count = (size_t)byte_count;
	}
	const bool is_whole = snw_stream_contents_are_read(&c);
	snw_stream_contents_close(&c);
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
	snw_stream out = snw_stream_file_begin(file);
	if (out.is_broken) {
		return snw_stream_file_end(&out, "what was read", error);
	}
	if (request->kind == SNW_FILE_KIND_MESH) {
		put_mesh(&out, &result.mesh);
	} else if (request->kind == SNW_FILE_KIND_FRAMES) {
		put_frames(&out, &result.frames);
	} else if (request->kind == SNW_FILE_KIND_POSE) {
		put_values(&out, &result.values);
	} else {
		put_pictures(&out, result.pictures, result.picture_count);
	}
	return snw_stream_file_end(&out, "what was read", error);
}

/* ---- in the program: a reader that was exploited may have written anything ----------------------------------------------- */

static bool get_mesh(snw_stream *in, snw_arena *arena, snw_mesh *mesh) {
	mesh->point_count = snw_get_u32(in);
	mesh->face_count = snw_get_u32(in);
	mesh->points_rest = snw_get_elements(in, (size_t)3 * mesh->point_count, sizeof(double), arena);
	mesh->face_offsets = snw_get_elements(in, (size_t)mesh->face_count + 1, sizeof(uint32_t), arena);
	if (in->is_broken || !snw_all_finite(mesh->points_rest, (size_t)3 * mesh->point_count) || mesh->face_offsets[0] != 0) {
		return false;
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		if (mesh->face_offsets[f + 1] < mesh->face_offsets[f]) {
			return false;
		}
	}
	const uint32_t corners = mesh->face_offsets[mesh->face_count];
	mesh->face_points = snw_get_elements(in, corners, sizeof(uint32_t), arena);
	for (uint32_t c = 0; !in->is_broken && c < corners; c++) {
		if (mesh->face_points[c] >= mesh->point_count) {
			return false;
		}
	}
	return true;
}

static bool get_frames(snw_stream *in, uint32_t point_count, snw_arena *arena, snw_point_frames *frames) {
	frames->point_count = point_count;
	frames->frame_count = snw_get_u32(in);
	frames->seconds = snw_get_elements(in, frames->frame_count, sizeof(double), arena);
	const size_t numbers = (size_t)3 * frames->frame_count * point_count;
	frames->points = snw_get_elements(in, numbers, sizeof(float), arena);
	if (in->is_broken || frames->frame_count == 0 || !snw_all_finite(frames->seconds, frames->frame_count)) {
		return false;
	}
	for (size_t i = 0; i < numbers; i++) {
		if (!isfinite(frames->points[i])) {
			return false;
		}
	}
	return true;
}

static bool get_values(snw_stream *in, snw_arena *arena, snw_pose_values *values) {
	values->count = snw_get_count(in);
	values->items = SNW_NEW_ARRAY(arena, snw_pose_value, values->count);
	for (uint32_t i = 0; i < values->count; i++) {
		snw_pose_value *value = &values->items[i];
		const uint32_t property = snw_get_u32(in);
		value->property = (snw_pose_property)property;
		char *name = snw_get_text(in, arena);
		snw_get_bytes(in, value->numbers, sizeof value->numbers);
		if (in->is_broken || property > SNW_POSE_CHANNEL || !name || !snw_all_finite(value->numbers, 4)) {
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

static bool get_pictures(snw_stream *in, const snw_read_request *request, snw_arena *arena, snw_read_result *result) {
	enum { LONGEST_SIDE = 1 << 15 };
	uint64_t finest = 0;
	result->picture_count = snw_get_u32(in);
	if (in->is_broken || result->picture_count != request->count) {
		return false;
	}
	result->pictures = SNW_NEW_ARRAY(arena, snw_mipmap, result->picture_count);
	for (uint32_t i = 0; i < result->picture_count; i++) {
		snw_mipmap *picture = &result->pictures[i];
		uint64_t bytes = 0;
		picture->width = snw_get_u32(in);
		picture->height = snw_get_u32(in);
		if (in->is_broken || picture->width > LONGEST_SIDE || picture->height > LONGEST_SIDE) {
			return false;
		}
		picture->level_count = level_count(picture->width, picture->height);
		picture->pixels = snw_get_counted(in, 1, arena, &bytes);
		finest += 4 * (uint64_t)picture->width * picture->height;
		if (in->is_broken || bytes != mipmap_bytes(picture) || finest > request->picture_bytes) {
			return false;
		}
		picture->pixels = bytes > 0 ? picture->pixels : NULL;
	}
	return true;
}

snw_status snw_read_get_result(const snw_read_request *request, const char *subject, int file, snw_arena *arena,
							   snw_read_result *result, snw_error *error) {
	snw_stream_contents c;
	if (!snw_stream_contents_open(file, &c)) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the reader gave nothing", subject);
	}
	snw_read_result got = {0};
	bool is_sound = false;
	switch (request->kind) {
	case SNW_FILE_KIND_MESH:
		is_sound = get_mesh(&c.in, arena, &got.mesh);
		break;
	case SNW_FILE_KIND_FRAMES:
		is_sound = get_frames(&c.in, request->count, arena, &got.frames);
		break;
	case SNW_FILE_KIND_POSE:
		is_sound = get_values(&c.in, arena, &got.values);
		break;
	default:
		is_sound = get_pictures(&c.in, request, arena, &got);
		break;
	}
	is_sound = is_sound && snw_stream_contents_are_read(&c);
	snw_stream_contents_close(&c);
	if (!is_sound) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: the reader gave a damaged result; the file is malformed", subject);
	}
	*result = got;
	return SNW_OK;
}
