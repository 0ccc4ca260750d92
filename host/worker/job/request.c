/* SPDX-License-Identifier: GPL-3.0-or-later */
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
