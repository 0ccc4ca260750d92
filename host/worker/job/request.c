/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/job/request.h"

#include "worker/job/settings.h"

void snw_worker_request_put_import(FILE *out, const snw_worker_request *request) {
	snw_record_put_u64(out, request->memory_bytes);
	snw_record_put_u64(out, request->cpu_seconds);
	snw_record_put_text(out, request->path);
	snw_record_put_text(out, request->import.file);
	snw_record_put_text(out, request->import.sequence);
	snw_record_put_text(out, request->import.rest);
	snw_record_put_f64(out, request->import.frames_per_second);
	snw_record_put_u32(out, request->import.keep_points);
	snw_record_put_u32(out, request->import.is_set);
	snw_record_put_u32(out, request->import.further_count);
	for (uint32_t i = 0; i < request->import.further_count; i++) {
		snw_record_put_text(out, request->import.further[i].sequence);
		snw_record_put_text(out, request->import.further[i].rest);
	}
}

void snw_worker_request_put_fit(FILE *out, const snw_worker_request *request) {
	const snw_fit_request *fit = &request->fit;
	snw_record_put_u64(out, request->memory_bytes);
	snw_record_put_u64(out, request->cpu_seconds);
	snw_record_put_text(out, request->path);
	snw_record_put_text(out, fit->method);
	snw_record_put_text(out, fit->layer);
	snw_record_put_u32(out, fit->left_out_example);
	snw_record_put_text(out, fit->samples);
	snw_record_put_u32(out, fit->replaces_skeleton);
	snw_record_put_u32(out, fit->follows_joints);
	snw_record_put_settings(out, fit->settings, fit->setting_count);
}

void snw_worker_request_put_read(FILE *out, const snw_worker_request *request) {
	snw_record_put_u64(out, request->memory_bytes);
	snw_record_put_u64(out, request->cpu_seconds);
	snw_record_put_text(out, request->path);
	snw_record_put_u32(out, request->read.kind);
	snw_record_put_u32(out, request->read.count);
	snw_record_put_f64(out, request->read.frames_per_second);
	snw_record_put_u64(out, request->read.picture_bytes);
}

static snw_status check_whole(const snw_reader *reader, bool complete, snw_error *error) {
	return reader->failed || reader->count > 0 || !complete
			   ? snw_fail(error, SNW_ERROR_DATA,
						  "the worker received a damaged request; install the program and its worker from the same build")
			   : SNW_OK;
}

/* Whether they are whole. Each has at least a byte. */
static bool get_further_sequences(snw_reader *reader, snw_arena *arena, snw_import_request *request) {
	const uint32_t count = snw_read_u32(reader);
	if (reader->failed || count > reader->count) {
		return false;
	}
	snw_import_frames_of_mesh *further = SNW_NEW_ARRAY(arena, snw_import_frames_of_mesh, count);
	bool is_whole = true;
	for (uint32_t i = 0; i < count; i++) {
		further[i].sequence = snw_record_get_text(reader, arena);
		further[i].rest = snw_record_get_text(reader, arena);
		is_whole = is_whole && further[i].sequence;
	}
	request->further_count = count;
	request->further = further;
	return is_whole;
}

snw_status snw_worker_request_get_import(const void *payload, size_t count, snw_arena *arena, snw_worker_request *request,
										 snw_error *error) {
	snw_reader reader = {.bytes = payload, .count = count};
	*request = (snw_worker_request){.memory_bytes = snw_record_get_u64(&reader)};
	request->cpu_seconds = snw_record_get_u64(&reader);
	request->path = snw_record_get_text(&reader, arena);
	request->import.file = snw_record_get_text(&reader, arena);
	request->import.sequence = snw_record_get_text(&reader, arena);
	request->import.rest = snw_record_get_text(&reader, arena);
	request->import.frames_per_second = snw_read_f64(&reader);
	request->import.keep_points = snw_read_u32(&reader) != 0;
	request->import.is_set = snw_read_u32(&reader) != 0;
	const bool is_whole = get_further_sequences(&reader, arena, &request->import);
	return check_whole(&reader, is_whole && request->path && (request->import.file || request->import.sequence), error);
}

snw_status snw_worker_request_get_fit(const void *payload, size_t count, snw_arena *arena, snw_worker_request *request,
									  snw_error *error) {
	snw_reader reader = {.bytes = payload, .count = count};
	*request = (snw_worker_request){.memory_bytes = snw_record_get_u64(&reader)};
	request->cpu_seconds = snw_record_get_u64(&reader);
	snw_fit_request *fit = &request->fit;
	request->path = snw_record_get_text(&reader, arena);
	fit->method = snw_record_get_text(&reader, arena);
	fit->layer = snw_record_get_text(&reader, arena);
	fit->left_out_example = snw_read_u32(&reader);
	fit->samples = snw_record_get_text(&reader, arena);
	fit->replaces_skeleton = snw_read_u32(&reader) != 0;
	fit->follows_joints = snw_read_u32(&reader) != 0;
	const bool complete = snw_record_get_settings(&reader, arena, &fit->settings, &fit->setting_count);
	return check_whole(&reader, complete && request->path && fit->method, error);
}

snw_status snw_worker_request_get_read(const void *payload, size_t count, snw_arena *arena, snw_worker_request *request,
									   snw_error *error) {
	snw_reader reader = {.bytes = payload, .count = count};
	*request = (snw_worker_request){.memory_bytes = snw_record_get_u64(&reader)};
	request->cpu_seconds = snw_record_get_u64(&reader);
	request->path = snw_record_get_text(&reader, arena);
	const uint32_t kind = snw_read_u32(&reader);
	request->read = (snw_read_request){.kind = (snw_file_kind)kind, .count = snw_read_u32(&reader)};
	request->read.frames_per_second = snw_read_f64(&reader);
	request->read.picture_bytes = snw_record_get_u64(&reader);
	return check_whole(&reader, request->path && kind < SNW_FILE_KIND_COUNT, error);
}
