/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a plug-in process does: it loads the plug-in, makes the model, and runs what it is asked for until the program is gone.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "fault/fault.h"
#include "isolation/confine.h"
#include "isolation/plugin_process.h"
#include "program/program.h"
#include "services/services.h"
#include "task/task.h"

enum { GRAIN = 512, MOST_PASSES = 10000 };

typedef struct plugin_child {
	const snw_plugin_start *start;
	snw_region *region;
	int socket;
	snw_services *services;
	const snw_deformer *deformer, *self;
	snw_model *model;
	snw_model_layout layout;
	snw_arena *values_arena;
	unsigned char *values_written; /* what `values` were read from */
	size_t values_bytes;
	const snw_value *values;
	unsigned char *scratch, *prepared;
	char problem[300]; /* of an evaluation */
	double *points[2];
} plugin_child;

static snw_region *shown_region; /* for the handler of a crash */
static pthread_mutex_t reporting = PTHREAD_MUTEX_INITIALIZER;

/* ---- reports to the program ---------------------------------------------------------------------------------------------- */

static void send_message(const plugin_child *c, snw_message *message) {
	if (!snw_message_send(c->socket, message)) {
		_exit(1); /* the program is gone */
	}
}

static bool report_progress(void *context, double fraction, const char *activity) {
	const plugin_child *c = context;
	char goes_on = 0;
	snw_message message = {.kind = SNW_MESSAGE_PROGRESS, .number = fraction};
	snw_message_set_text(&message, activity);
	pthread_mutex_lock(&reporting);
	send_message(c, &message);
	if (recv(c->socket, &goes_on, 1, 0) != 1) {
		_exit(1);
	}
	pthread_mutex_unlock(&reporting);
	return goes_on;
}

static void report_notice(void *context, snw_log_level level, const char *line) {
	snw_message message = {.kind = SNW_MESSAGE_NOTICE, .status = level};
	snw_message_set_text(&message, line);
	send_message(context, &message);
}

static void report_measurement(void *context, const char *name, double value, const char *unit) {
	snw_message message = {.kind = SNW_MESSAGE_MEASUREMENT, .number = value};
	snw_message_set_text(&message, name);
	snprintf(message.unit, sizeof message.unit, "%s", unit);
	send_message(context, &message);
}

static void answer(const plugin_child *c, snw_status status) {
	snw_message message = {.kind = SNW_MESSAGE_DONE, .status = status};
	if (status != SNW_OK) {
		message.is_whole = c->problem[0] != 0;
		snw_message_set_text(&message, c->problem[0] ? c->problem : snw_services_failure(c->services, status));
	}
	send_message(c, &message);
}

/* ---- calls into the plug-in ---------------------------------------------------------------------------------------------- */

static void name_function(const plugin_child *c, snw_plugin_function function) {
	c->region->function = function;
	snw_thread_function(snw_plugin_functions[function]);
}

/* The registry names what it calls while it loads the file. */
static void show_function(const char *function) {
	for (uint32_t f = 0; f < SNW_FUNCTION_COUNT && function; f++) {
		if (strcmp(snw_plugin_functions[f], function) == 0) {
			shown_region->function = f;
		}
	}
}

static snw_thread_call evaluation_of(const plugin_child *c, snw_plugin_function function) {
	c->region->function = function;
	return (snw_thread_call){.role = SNW_ROLE_EVALUATION, .who = c->start->who, .function = snw_plugin_functions[function]};
}

static snw_status deny_caveat(snw_status status) {
	return status <= 0 ? status : SNW_ERROR_INTERNAL;
}

static snw_status load_bytes(plugin_child *c, snw_model **model) {
	const snw_load_call call = {.size = sizeof call,
								.host = c->start->host,
								.character = c->start->character,
								.bytes = c->start->bytes,
								.count = c->start->count};
	name_function(c, SNW_FUNCTION_load);
	return c->deformer->load ? deny_caveat(c->deformer->load(c->self, &call, model)) : SNW_ERROR_UNSUPPORTED;
}

static snw_status fit_model(plugin_child *c) {
	snw_instance *instance = NULL;
	snw_model *previous = NULL;
	snw_fit_input input = *c->start->input;
	snw_status status = input.refits ? load_bytes(c, &previous) : SNW_OK;
	if (status < 0) {
		snprintf(c->problem, sizeof c->problem, "failed in load: %s", snw_services_failure(c->services, status));
		return status;
	}
	input.previous = previous; /* another process has that of a fit, which gives the same bits without it */
	name_function(c, SNW_FUNCTION_create);
	status = deny_caveat(c->deformer->create(c->self, c->start->host, &instance));
	if (status < 0) {
		/* The program believes that it has called fit. */
		snprintf(c->problem, sizeof c->problem, "failed in create: %s", snw_services_failure(c->services, status));
		return status;
	}
	name_function(c, SNW_FUNCTION_fit);
	status = c->deformer->fit(instance, &input, &c->model);
	name_function(c, SNW_FUNCTION_destroy);
	c->deformer->destroy(instance);
	if (previous) {
		name_function(c, SNW_FUNCTION_release);
		c->deformer->release(previous);
	}
	return status;
}

static snw_status reskin_model(plugin_child *c) {
	const snw_reskin_call call = {
		.size = sizeof call, .host = c->start->host, .character = c->start->character, .rows = c->start->rows};
	name_function(c, SNW_FUNCTION_reskin);
	return deny_caveat(c->deformer->reskin(c->self, &call, &c->model));
}

static snw_status transfer_model(plugin_child *c) {
	name_function(c, SNW_FUNCTION_transfer);
	return deny_caveat(c->deformer->transfer(c->self, c->start->transfer, &c->model));
}

static void write_model(plugin_child *c, snw_stream *out) {
	uint32_t helper_count = 0;
	const snw_helper_joint *const *helpers = NULL;
	c->layout = (snw_model_layout){.size = sizeof c->layout};
	if (c->deformer->layout) {
		name_function(c, SNW_FUNCTION_layout);
		c->deformer->layout(c->model, &c->layout);
	}
	name_function(c, SNW_FUNCTION_extension);
	const snw_helper_joints *table = c->deformer->extension ? c->deformer->extension(c->self, SNW_HELPER_JOINTS) : NULL;
	if (table && SNW_HAS(table, list)) {
		name_function(c, SNW_FUNCTION_list);
		table->list(c->model, &helper_count, &helpers);
	}
	snw_put_layout(out, &c->layout);
	snw_put_helpers(out, helper_count, helpers);
}

static snw_status make_model(plugin_child *c) {
	snw_thread_watch_functions(show_function);
	c->deformer = c->start->find(c->start->path, c->start->id, &c->self);
	snw_thread_watch_functions(NULL);
	if (!c->deformer) {
		return SNW_ERROR_MISSING;
	}
	snw_status status = c->start->input      ? fit_model(c)
						: c->start->rows     ? reskin_model(c)
						: c->start->transfer ? transfer_model(c)
											 : load_bytes(c, &c->model);
	if (!snw_failed(status) && !c->model) {
		status = SNW_ERROR_INTERNAL;
	}
	if (!snw_failed(status)) {
		snw_stream out = snw_region_answer(c->region);
		write_model(c, &out);
		status = out.is_broken ? SNW_ERROR_LIMIT : status;
	}
	return status;
}

/* The values are read again only where they have changed, so that evaluation allocates nothing. */
static const snw_value *read_values(plugin_child *c, snw_stream *in) {
	const size_t bytes = snw_get_number(in);
	unsigned char *place = snw_get_place(in, bytes);
	if (!place || (c->values && bytes == c->values_bytes && memcmp(place, c->values_written, bytes) == 0)) {
		return c->values;
	}
	if (c->values_arena) {
		snw_arena_destroy(c->values_arena);
	}
	c->values_arena = snw_arena_create();
	c->values_written = snw_arena_copy(c->values_arena, place, bytes);
	c->values_bytes = bytes;
	snw_stream written = {.at = place, .end = place + bytes};
	c->values = snw_get_values(&written, c->deformer->descriptor->parameter_count, c->values_arena);
	return c->values;
}

/* Each range of a pass has memory of its own. */
static void make_room(plugin_child *c) {
	if (!c->scratch) {
		const size_t each = (c->layout.scratch_bytes + 63) / 64 * 64;
		c->scratch = aligned_alloc(64, each * snw_parallel_thread_count() + 64);
		c->prepared = aligned_alloc(64, (c->layout.prepared_bytes + 63) / 64 * 64 + 64);
		if (!c->scratch || !c->prepared) {
			_exit(1);
		}
	}
}

static snw_status run_drive(plugin_child *c, snw_stream *in, snw_stream *out) {
	const snw_value *values = read_values(c, in);
	const snw_pose_view pose = snw_get_pose(in);
	const snw_drive_output output = {
		.size = sizeof output,
		.z = (double *)(void *)snw_get_place(out, c->layout.z_count * sizeof(double)),
		.d = (double *)(void *)snw_get_place(out, c->layout.d_count * sizeof(double)),
		.e = (double *)(void *)snw_get_place(out, c->layout.e_count * sizeof(double)),
	};
	if (in->is_broken || out->is_broken || !c->deformer->drive) {
		return SNW_ERROR_LIMIT;
	}
	make_room(c);
	const snw_drive_call call = {.size = sizeof call,
								 .model = c->model,
								 .values = values,
								 .pose = &pose,
								 .scratch = c->layout.scratch_bytes > 0 ? c->scratch : NULL,
								 .output = &output};
	const snw_thread_call previous = snw_thread_enter(evaluation_of(c, SNW_FUNCTION_drive));
	const snw_status status = deny_caveat(c->deformer->drive(&call));
	snw_thread_leave(previous);
	if (status < 0) {
		snprintf(c->problem, sizeof c->problem, "failed in drive: it %s", snw_status_words(status));
	}
	return status;
}

/* ---- deform -------------------------------------------------------------------------------------------------------------- */

typedef struct deform_pass {
	plugin_child *c;
	snw_deform_call call;
	_Atomic uint64_t failed; /* the first range that failed and its status, as in host/stack; UINT64_MAX for none */
} deform_pass;

static void deform_range(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	deform_pass *pass = argument;
	const plugin_child *c = pass->c;
	const snw_thread_call previous = snw_thread_enter(evaluation_of(c, SNW_FUNCTION_deform));
	snw_deform_call call = pass->call;
	call.begin = begin;
	call.end = end;
	call.scratch = c->layout.scratch_bytes > 0 ? c->scratch + (c->layout.scratch_bytes + 63) / 64 * 64 * thread : NULL;
	const snw_status status = deny_caveat(c->deformer->deform(&call));
	snw_thread_leave_chunk(previous);
	if (status < 0) {
		const uint64_t failure = ((uint64_t)begin << 32) | (uint32_t)-status;
		uint64_t first = atomic_load(&pass->failed);
		while (failure < first && !atomic_compare_exchange_weak(&pass->failed, &first, failure)) {
		}
	}
}

static snw_status run_pass(deform_pass *pass, uint32_t point_count) {
	const snw_deformer *deformer = pass->c->deformer;
	if (deformer->prepare) {
		snw_deform_call call = pass->call;
		call.points_out = NULL;
		call.scratch = pass->c->layout.scratch_bytes > 0 ? pass->c->scratch : NULL;
		const snw_thread_call previous = snw_thread_enter(evaluation_of(pass->c, SNW_FUNCTION_prepare));
		const snw_status status = deny_caveat(deformer->prepare(&call));
		snw_thread_leave(previous);
		if (status < 0) {
			snprintf(pass->c->problem, sizeof pass->c->problem, "failed in prepare of pass %u: it %s", call.pass,
					 snw_status_words(status));
			return status;
		}
	}
	atomic_store(&pass->failed, UINT64_MAX);
	snw_parallel_for(point_count, GRAIN, deform_range, pass);
	const uint64_t failed = atomic_load(&pass->failed);
	if (failed == UINT64_MAX) {
		return SNW_OK;
	}
	const snw_status status = -(snw_status)(uint32_t)failed;
	snprintf(pass->c->problem, sizeof pass->c->problem, "failed in deform of points %u and on: it %s", (uint32_t)(failed >> 32),
			 snw_status_words(status));
	return status;
}

static uint32_t count_passes(plugin_child *c, const snw_value *values) {
	if (!c->deformer->passes) {
		return 1;
	}
	const snw_thread_call previous = snw_thread_enter(evaluation_of(c, SNW_FUNCTION_passes));
	const uint32_t count = c->deformer->passes(c->model, values);
	snw_thread_leave(previous);
	return count;
}

/* Between passes the points are in buffers of this process, as large as the largest mesh. */
static double *buffer_of(plugin_child *c, uint32_t index, size_t numbers) {
	if (!c->points[index]) {
		size_t most = numbers;
		for (uint32_t m = 0; m < c->start->character->mesh_count; m++) {
			const size_t wanted = (size_t)3 * c->start->character->meshes[m]->point_count;
			most = wanted > most ? wanted : most;
		}
		c->points[index] = malloc(most * sizeof(double));
		if (!c->points[index]) {
			_exit(1);
		}
	}
	return c->points[index];
}

/* An array that both processes have at the same address, or one in the request. */
static const double *read_points(snw_stream *in, size_t numbers) {
	const uintptr_t address = (uintptr_t)snw_get_number(in);
	return address ? (const double *)address : (const double *)(const void *)snw_get_place(in, numbers * sizeof(double));
}

static snw_status run_deform(plugin_child *c, snw_stream *in, snw_stream *out) {
	const uint32_t threads = (uint32_t)snw_get_number(in);
	if (threads != snw_parallel_thread_count()) {
		snw_parallel_threads(threads);
		free(c->scratch);
		free(c->prepared);
		c->scratch = NULL;
	}
	const snw_value *values = read_values(c, in);
	const snw_pose_view pose = snw_get_pose(in);
	const snw_drive_output driven = {
		.size = sizeof driven,
		.z = (double *)(void *)snw_get_place(in, c->layout.z_count * sizeof(double)),
		.d = (double *)(void *)snw_get_place(in, c->layout.d_count * sizeof(double)),
		.e = (double *)(void *)snw_get_place(in, c->layout.e_count * sizeof(double)),
	};
	const uint32_t mesh = (uint32_t)snw_get_number(in), point_count = (uint32_t)snw_get_number(in);
	const size_t numbers = (size_t)3 * point_count;
	const double *rest = read_points(in, numbers), *below = read_points(in, numbers);
	double *result = (double *)(uintptr_t)snw_get_number(in);
	result = result ? result : (double *)(void *)snw_get_place(out, numbers * sizeof(double));
	if (in->is_broken || out->is_broken || !c->deformer->deform) {
		return SNW_ERROR_LIMIT;
	}
	make_room(c);
	const uint32_t passes = count_passes(c, values);
	if (passes > MOST_PASSES) {
		return SNW_ERROR_LIMIT;
	}
	const double *points = below;
	snw_status status = SNW_OK;
	for (uint32_t p = 0; p < passes && status == SNW_OK; p++) {
		double *points_out = p + 1 == passes ? result : buffer_of(c, p % 2, numbers);
		deform_pass pass = {.c = c,
							.call = {.size = sizeof pass.call,
									 .model = c->model,
									 .values = values,
									 .pose = &pose,
									 .driven = &driven,
									 .mesh = mesh,
									 .pass = p,
									 .end = point_count,
									 .points_rest = rest,
									 .points_below = below,
									 .points_in = points,
									 .points_out = points_out,
									 .prepared = c->layout.prepared_bytes > 0 ? c->prepared : NULL}};
		status = run_pass(&pass, point_count);
		points = points_out;
	}
	if (passes == 0) {
		memmove(result, below, numbers * sizeof *result);
	}
	return status;
}

/* ---- the other functions ------------------------------------------------------------------------------------------------- */

static snw_status run_lower(plugin_child *c, snw_stream *in, snw_stream *out) {
	const snw_value *values = read_values(c, in);
	const uint32_t mesh = (uint32_t)snw_get_number(in);
	snw_program_part part = {.size = sizeof part};
	const char *reason = NULL;
	const snw_lower_call call = {.size = sizeof call,
								 .model = c->model,
								 .values = values,
								 .mesh = mesh,
								 .part = &part,
								 .reason = &reason,
								 .host = c->start->host};
	name_function(c, SNW_FUNCTION_lower);
	snw_status status = deny_caveat(c->deformer->lower(&call));
	if (status == SNW_OK && snw_program_unknown(&part)) {
		reason = snw_program_unknown(&part); /* its arrays may be of any length */
		status = SNW_ERROR_UNSUPPORTED;
	}
	if (status < 0) {
		snw_put_text(out, reason);
	} else {
		snw_put_part(out, &part, c->start->character->meshes[mesh]->point_count);
	}
	return out->is_broken ? SNW_ERROR_LIMIT : status;
}

static snw_status run_writer(plugin_child *c, bool describes, snw_stream *in, snw_stream *out) {
	snw_memory_sink bytes;
	snw_status status;
	snw_memory_sink_open(&bytes);
	if (describes) {
		const snw_value *values = read_values(c, in);
		name_function(c, SNW_FUNCTION_describe);
		status = c->deformer->describe(c->model, values, &bytes.sink);
	} else {
		name_function(c, SNW_FUNCTION_save);
		status = c->deformer->save(c->model, &bytes.sink);
	}
	snw_put_array(out, bytes.bytes ? bytes.bytes : (unsigned char *)"", bytes.count, 1);
	snw_memory_sink_close(&bytes);
	return out->is_broken ? SNW_ERROR_LIMIT : deny_caveat(status);
}

static snw_status run_order(plugin_child *c, int32_t order) {
	snw_stream in = snw_region_request(c->region), out = snw_region_answer(c->region);
	switch (order) {
	case SNW_ORDER_PASSES:
		snw_put_number(&out, count_passes(c, read_values(c, &in)));
		return SNW_OK;
	case SNW_ORDER_DRIVE:
		return run_drive(c, &in, &out);
	case SNW_ORDER_DEFORM:
		return run_deform(c, &in, &out);
	case SNW_ORDER_LOWER:
		return run_lower(c, &in, &out);
	case SNW_ORDER_SAVE:
	case SNW_ORDER_DESCRIBE:
		return run_writer(c, order == SNW_ORDER_DESCRIBE, &in, &out);
	default:
		if (c->model) { /* a load that failed made none */
			name_function(c, SNW_FUNCTION_release);
			c->deformer->release(c->model);
		}
		return SNW_OK;
	}
}

/* ---- the process --------------------------------------------------------------------------------------------------------- */

static void end_at_once(void) {
	_exit(1);
}

static void note_overflow(int signal, siginfo_t *info, void *context) {
	shown_region->overflowed = snw_crash_is_stack_overflow(signal, info, context);
	(void)sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL); /* the repeated instruction ends the process */
	if (info->si_code <= 0) {
		raise(signal);
	}
}

/* A plug-in that does not return would outlive the program, and so would what it has started. */
static void *watch_program(void *argument) {
	const pid_t program = (pid_t)(intptr_t)argument;
	while (getppid() == program) {
		sleep(1);
	}
	kill(0, SIGKILL);
	return NULL;
}

/* The end of this process is not the program's: none of what the program does at its end happens here. */
static void leave_the_program(void) {
	static const int fatals[] = {SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGTERM, SIGHUP};
	sigset_t none;
	pthread_t thread;
	snw_confine_plugin(false);
	atexit(end_at_once);
	at_quick_exit(end_at_once);
	for (size_t i = 0; i < sizeof fatals / sizeof *fatals; i++) {
		(void)signal(fatals[i], SIG_DFL);
	}
	(void)sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = note_overflow, .sa_flags = SA_SIGINFO | SA_ONSTACK}, NULL);
	(void)signal(SIGINT, SIG_IGN);  /* the program stops its fit */
	(void)signal(SIGPIPE, SIG_IGN); /* the program reads so much of what it prints and no more */
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_NAME, "sinew-plugin");
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(nowhere, STDIN_FILENO);
	__fpurge(stdout);                   /* the program's lines, which it will print itself */
	dup2(STDERR_FILENO, STDOUT_FILENO); /* what the plug-in prints is no part of an answer */
	if (pthread_create(&thread, NULL, watch_program, (void *)(intptr_t)getppid()) == 0) {
		pthread_detach(thread);
	}
}

/* Waits here, where the program starts another process, if the allocator's locks are those of threads that are not in this
 * process. */
static void try_memory(void) {
	for (size_t bytes = 16; bytes < (size_t)1 << 18; bytes += bytes / 4) {
		void *volatile block = malloc(bytes);
		free(block);
	}
}

_Noreturn void snw_plugin_child_run(const snw_plugin_start *start, snw_region *region, int socket, uint32_t threads) {
	plugin_child c = {.start = start, .region = region, .socket = socket, .services = start->host->context};
	const snw_task task = {&c, report_progress, report_notice, report_measurement};
	shown_region = region;
	leave_the_program();
	snw_shared_memory_leave();
	snw_parallel_threads(threads);
	snw_services_set_task(c.services, &task);
	snw_call_trace_join("sinew plug-in");
	region->function = SNW_FUNCTION_dlopen;
	snw_thread_enter((snw_thread_call){.role = SNW_ROLE_OWNER, .who = start->who, .function = "dlopen", .reports = true});
	try_memory();
	send_message(&c, &(snw_message){.kind = SNW_MESSAGE_READY});
	answer(&c, make_model(&c));
	int32_t order;
	while (recv(socket, &order, sizeof order, 0) == (ssize_t)sizeof order) {
		c.problem[0] = 0;
		if (order == SNW_ORDER_NOTHING) {
			send_message(&c, &(snw_message){.kind = SNW_MESSAGE_READY});
		} else {
			answer(&c, run_order(&c, order));
		}
	}
	_exit(0);
}
