/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/worker.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "project/project.h"
#include "worker/fit_outcome.h"
#include "worker/jobs.h"
#include "worker/message.h"
#include "worker/process.h"
#include "worker/request.h"

static const uint64_t DEFAULT_MEMORY_BYTES = (uint64_t)8 << 30;

/* The limits with their defaults. */
static snw_worker_limits settle(const snw_worker_limits *limits) {
	snw_worker_limits settled = limits ? *limits : (snw_worker_limits){0};
	if (settled.memory_bytes == 0) {
		settled.memory_bytes = DEFAULT_MEMORY_BYTES;
	}
#ifdef __SANITIZE_ADDRESS__
	settled.memory_bytes = 0; /* the sanitizer's own maps go over any limit */
#endif
	return settled;
}

/* ---- the worker's folder ------------------------------------------------------------------------------------------ */

/* A folder beside `path`, so that what is made in it can be renamed to it. Whatever the worker leaves in there goes with it. */
static snw_status make_folder(const char *path, snw_arena *arena, char **folder, snw_error *error) {
	char *made = snw_arena_format(arena, "%s.XXXXXX", path);
	if (!mkdtemp(made)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
	}
	*folder = made;
	return SNW_OK;
}

static void remove_folder(const char *folder, snw_arena *arena) {
	DIR *list = opendir(folder);
	for (struct dirent *entry; list && (entry = readdir(list));) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			unlink(snw_path_join(arena, folder, entry->d_name));
		}
	}
	if (list) {
		closedir(list);
	}
	rmdir(folder);
}

/* ---- a job -------------------------------------------------------------------------------------------------------- */

static snw_status send_request(const snw_process *process, snw_message_kind kind, const snw_worker_request *request,
							   snw_error *error) {
	char *payload = NULL;
	size_t count = 0;
	FILE *out = open_memstream(&payload, &count);
	if (!out) {
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", request->path);
	}
	if (kind == SNW_MESSAGE_IMPORT) {
		snw_worker_request_put_import(out, request);
	} else {
		snw_worker_request_put_fit(out, request);
	}
	snw_status status = fclose(out) == 0 ? SNW_OK : snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", request->path);
	status = snw_failed(status) ? status : snw_message_send(process->channel, kind, payload, count, error);
	free(payload);
	/* A worker that is gone already tells more when it is watched. */
	return status == SNW_ERROR_IO ? SNW_OK : status;
}

static snw_status run(snw_message_kind kind, const snw_worker_request *request, int outcome, const snw_worker_limits *limits,
					  const snw_process_words *words, const snw_task *task, snw_import_counts *counts, snw_error *error) {
	snw_process process;
	snw_status status = snw_process_start(outcome, &process, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_error unsent = {0};
	status = send_request(&process, kind, request, &unsent);
	if (!snw_failed(status)) {
		status = snw_process_watch(&process, limits, words, task, error);
		*counts = process.counts;
		return status;
	}
	snw_process_end(&process);
	return snw_fail(error, status, "%s", unsent.text);
}

snw_status snw_worker_import(const snw_import_request *request, const char *path, const snw_worker_limits *limits,
							 const snw_task *task, snw_import_counts *counts, snw_error *error) {
	snw_import_counts found = {0};
	if (limits && limits->in_process) {
		const snw_status status = snw_job_import(request, path, task, &found, error);
		if (!snw_failed(status) && counts) {
			*counts = found;
		}
		return status;
	}
	const snw_worker_limits settled = settle(limits);
	const snw_process_words words = {
		.subject = request->file ? request->file : request->sequence,
		.part = "the reader",
		.advice = "the file is malformed or unsupported: open it elsewhere and export it as .glb",
		.grace_seconds = 0.5,
	};
	snw_arena *arena = snw_arena_create();
	char *folder = NULL;
	snw_status status = make_folder(path, arena, &folder, error);
	if (!snw_failed(status)) {
		const char *made = snw_path_join(arena, folder, "project.sinew");
		const snw_worker_request job = {.memory_bytes = settled.memory_bytes, .path = made, .import = *request};
		status = run(SNW_MESSAGE_IMPORT, &job, -1, &settled, &words, task, &found, error);
		if (!snw_failed(status)) {
			status = snw_project_move(made, path, error);
		} else {
			snw_error_rename(error, made, path);
		}
		remove_folder(folder, arena);
	}
	snw_arena_destroy(arena);
	if (!snw_failed(status) && counts) {
		*counts = found;
	}
	return status;
}

static snw_status fit_in_worker(const char *path, const snw_scene *scene, const snw_fit_request *request,
								const snw_worker_limits *limits, const snw_task *task, snw_fit_outcome *outcome,
								snw_error *error) {
	const snw_worker_limits settled = settle(limits);
	const snw_process_words words = {
		.subject = request->method,
		.part = "the fit",
		.advice = "the project is unchanged; tell the plug-in's author, who can debug it with --in-process",
		.grace_seconds = 5,
	};
	const int file = memfd_create("sinew-outcome", MFD_CLOEXEC);
	if (file < 0) {
		return snw_fail(error, SNW_ERROR_IO, "no room for the result of the fit: %s", strerror(errno));
	}
	const snw_worker_request job = {.memory_bytes = settled.memory_bytes, .path = path, .fit = *request};
	snw_import_counts unused;
	snw_status status = run(SNW_MESSAGE_FIT, &job, file, &settled, &words, task, &unused, error);
	if (!snw_failed(status)) {
		const snw_status read = snw_outcome_read(file, scene, outcome, error);
		status = snw_failed(read) ? read : status;
	}
	close(file);
	return status;
}

snw_status snw_worker_fit(const char *path, const snw_fit_request *request, const snw_worker_limits *limits,
						  const snw_task *task, snw_fit_outcome *outcome, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_job_open(path, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	if (limits && limits->in_process) {
		status = snw_job_fit(scene, request, task, outcome, error);
	} else {
		status = fit_in_worker(path, scene, request, limits, task, outcome, error);
	}
	snw_scene_destroy(scene);
	return status;
}
