/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault/fault.h"
#include "file/file.h"
#include "import/import.h"
#include "isolation/isolated_deformer.h"
#include "message/message.h"
#include "services/services.h"
#include "sinew/kit/clock.h"
#include "task/task.h"
#include "worker/job/job.h"
#include "worker/program/sandbox.h"

/* ---- import files -------------------------------------------------------------------------------------------------------- */

/* What the sandbox lets an import read. */

typedef struct folders {
	snw_arena *arena;
	const char **paths;
	uint32_t count, capacity;
} folders;

static void add_path(folders *list, const char *path) {
	/* Frames are mostly in one folder, so the search begins at the last one. */
	for (uint32_t i = list->count; i-- > 0;) {
		if (strcmp(list->paths[i], path) == 0) {
			return;
		}
	}
	if (list->count == list->capacity) {
		list->capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
		const char **grown = SNW_NEW_ARRAY(list->arena, const char *, list->capacity);
		if (list->count > 0) {
			memcpy(grown, list->paths, list->count * sizeof *grown);
		}
		list->paths = grown;
	}
	list->paths[list->count++] = snw_arena_text(list->arena, path);
}

static void add_folder(folders *list, const char *file) {
	add_path(list, snw_path_folder(file, list->arena));
}

/* A file that is hidden, but named. */
static void add_hidden(folders *list, const char *file) {
	if (snw_path_name(file)[0] == '.') {
		add_path(list, file);
	}
}

static void add_file(folders *list, const char *file) {
	if (!file) {
		return;
	}
	char *real = realpath(file, NULL);
	add_folder(list, file);
	add_hidden(list, file);
	if (real) {
		add_folder(list, real);
		add_hidden(list, real);
	}
	free(real);
}

static void add_sequence(folders *list, const char *pattern) {
	char **paths;
	size_t count = 0;
	if (strchr(pattern, '*') && !snw_failed(snw_path_sequence(pattern, list->arena, &paths, &count, NULL))) {
		for (size_t i = 0; i < count; i++) {
			add_file(list, paths[i]);
		}
	} else {
		add_file(list, pattern);
	}
}

/* The folders of the files that the request names, each once, and the files whose names begin with a dot, which the sandbox
 * hides otherwise. For a link, also those of its target. */
static const char *const *import_folders(const snw_import_request *request, snw_arena *arena, uint32_t *count) {
	folders list = {.arena = arena};
	add_file(&list, request->file);
	add_file(&list, request->rest);
	if (request->sequence) {
		add_sequence(&list, request->sequence);
	}
	for (uint32_t i = 0; i < request->further_count; i++) {
		add_sequence(&list, request->further[i].sequence);
		add_file(&list, request->further[i].rest);
	}
	*count = list.count;
	return list.paths;
}

/* ---- serve --------------------------------------------------------------------------------------------------------------- */

static const double SECONDS_BETWEEN_REPORTS = 0.05;

/* Sends progress and notices; any thread may use it. */
typedef struct service {
	int channel;
	pthread_mutex_t lock;
	double last_report; /* seconds */
	bool stopped;
} service;

/* True once the program has cancelled or is gone. */
static bool has_cancelled(const service *s) {
	snw_message message;
	return snw_message_receive(s->channel, false, &message) != SNW_MESSAGE_NONE;
}

/* Texts that are too long are cut. */
static bool send_text(const service *s, snw_message message, const char *text) {
	snw_message_set_text(&message, text);
	return snw_message_send(s->channel, &message);
}

static bool report_progress(void *context, double fraction, const char *activity) {
	service *s = context;
	pthread_mutex_lock(&s->lock);
	const double time = snk_clock_seconds();
	if (!s->stopped && time - s->last_report >= SECONDS_BETWEEN_REPORTS) {
		s->last_report = time;
		s->stopped =
			has_cancelled(s) || !send_text(s, (snw_message){.kind = SNW_MESSAGE_PROGRESS, .number = fraction}, activity);
	}
	const bool go_on = !s->stopped;
	pthread_mutex_unlock(&s->lock);
	return go_on;
}

static void report_notice(void *context, snw_log_level level, const char *line) {
	service *s = context;
	pthread_mutex_lock(&s->lock);
	(void)send_text(s, (snw_message){.kind = SNW_MESSAGE_NOTICE, .status = (int32_t)level}, line);
	pthread_mutex_unlock(&s->lock);
}

static service *shown;

/* Of the method, and "" once it has ended; those of the layers below it are named if they end the worker. */
static void report_function(const char *function) {
	const snw_thread_call call = snw_thread_current_call();
	if (!call.who || !call.reports) {
		return;
	}
	pthread_mutex_lock(&shown->lock);
	(void)send_text(shown, (snw_message){.kind = SNW_MESSAGE_FUNCTION}, function);
	pthread_mutex_unlock(&shown->lock);
}

/* The program sees how a worker ends, and in which function of the method; but not if that is in a layer below it. Of threads
 * that end it at the same time the first goes on. False outside of a function of a plug-in. */
static bool name_layer_below(void) {
	const snw_thread_call call = snw_thread_current_call();
	if (!call.who) {
		return false;
	}
	snw_fault_claim();
	if (call.layer && !call.reports) {
		snw_fault_put(call.who);
		snw_fault_put(" was running ");
		snw_fault_put_function(&call);
		snw_fault_put("\n");
	}
	return true;
}

static void report_crash(int signal, const siginfo_t *info, const void *context) {
	(void)signal, (void)info, (void)context;
	(void)name_layer_below();
}

/* The process ends at once: what exit would free, other threads still read. A C library gives each handler to one thread alone,
 * so there is one for each thread: one that also calls exit waits in its own, and does not end the process before the line. */
static void report_exit(void) {
	if (name_layer_below()) {
		_exit(1);
	}
}

static void watch_ends(void) {
	snw_crash_handle(report_crash);
	for (uint32_t t = 0; t < snw_parallel_thread_count(); t++) {
		atexit(report_exit);
	}
}

static snw_status run_import(const snw_worker_request *request, snw_arena *arena, const snw_task *task, snw_error *error) {
	snw_sandbox sandbox = {
		.writable = snw_path_folder(request->path, arena),
		.is_strict = true,
		.memory_bytes = request->memory_bytes,
		.cpu_seconds = request->cpu_seconds,
	};
	sandbox.readable = import_folders(&request->import, arena, &sandbox.readable_count);
	(void)snw_sandbox_enter(&sandbox); /* the program warns if the kernel lacks a part of it */
	return snw_job_import(&request->import, request->path, task, error);
}

static snw_status run_fit(const snw_worker_request *request, int result, snw_arena *arena, const snw_task *task,
						  snw_error *error) {
	/* A plug-in is trusted to read any file. It may not use the network, and may not write files. */
	const snw_sandbox sandbox = {
		.reads_all = true,
		.memory_bytes = request->memory_bytes,
		.cpu_seconds = request->cpu_seconds,
	};
	(void)snw_sandbox_enter(&sandbox);
	if (request->needs_all_layers) {
		snw_layers_require();
	}
	snw_scene *scene = NULL;
	snw_status status = snw_job_open(request->path, task, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_fit_outcome outcome = {.arena = arena};
	snw_thread_watch_functions(report_function);
	watch_ends();
	status = snw_job_fit(scene, &request->fit, task, &outcome, error);
	if (!snw_failed(status)) {
		const snw_status written = snw_outcome_write(result, scene, &outcome, error);
		status = snw_failed(written) ? written : status;
	}
	snw_thread_watch_functions(NULL);
	snw_scene_destroy(scene);
	return status;
}

static snw_status run_read(const snw_worker_request *request, int result, snw_arena *arena, const snw_task *task,
						   snw_error *error) {
	const snw_import_request files = {.sequence = request->path};
	snw_sandbox sandbox = {.is_strict = true, .memory_bytes = request->memory_bytes, .cpu_seconds = request->cpu_seconds};
	if (request->read.kind != SNW_FILE_KIND_PICTURES) {
		sandbox.readable = import_folders(&files, arena, &sandbox.readable_count);
	}
	(void)snw_sandbox_enter(&sandbox);
	return snw_job_read(&request->read, request->path, result, task, arena, error);
}

static snw_status run_job(service *s, int file, int result, snw_arena *arena, snw_error *error) {
	const snw_task task = {.context = s, .progress = report_progress, .notice = report_notice};
	snw_stream_contents contents;
	snw_worker_request request;
	if (!snw_stream_contents_open(file, &contents)) {
		return snw_fail(error, SNW_ERROR_DATA, "the worker received no request");
	}
	const snw_status status = snw_worker_request_get(&contents.in, arena, &request, error);
	snw_stream_contents_close(&contents);
	shown = s;
	if (snw_failed(status)) {
		return status;
	}
	return request.job == SNW_WORKER_IMPORT ? run_import(&request, arena, &task, error)
		   : request.job == SNW_WORKER_FIT  ? run_fit(&request, result, arena, &task, error)
											: run_read(&request, result, arena, &task, error);
}

int snw_worker_serve(int request, int channel, int result) {
	service s = {.channel = channel};
	pthread_mutex_init(&s.lock, NULL);
	snw_error error = {0};
	snw_arena *arena = snw_arena_create();
	const snw_status status = run_job(&s, request, result, arena, &error);
	snw_arena_destroy(arena);
	const bool is_sent = send_text(&s, (snw_message){.kind = SNW_MESSAGE_DONE, .status = (int32_t)status}, error.text);
	pthread_mutex_destroy(&s.lock);
	return is_sent ? 0 : 2;
}
