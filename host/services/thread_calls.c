/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each thread is running of a plug-in: for the thread rules of the ABI, to name the plug-in that crashed, and for traces.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "services/services.h"
#include "services/services_internal.h"
#include "sinew/kit/clock.h"

/* ---- traces -------------------------------------------------------------------------------------------------------------- */

#define TRACE_VARIABLE "SINEW_TRACE" /* the file, for processes that the program starts */

enum { LONGEST_NAME = 300, LONGEST_LINE = 4 * LONGEST_NAME + 400 };

static atomic_int calls_file = -1;

/* The file was opened for appending, so lines of several threads and processes do not mix. What cannot be written is lost: a
 * trace must not end what it looks at. */
static void put(const char *line, size_t count) {
	ssize_t done = write(atomic_load(&calls_file), line, count);
	(void)done;
}

/* A JSON string without its quotation marks. */
static void escape(const char *text, char dest[LONGEST_NAME]) {
	size_t length = 0;
	for (; text && *text && length + 2 < LONGEST_NAME; text++) {
		if (*text == '"' || *text == '\\') {
			dest[length++] = '\\';
		}
		dest[length++] = (unsigned char)*text < ' ' ? ' ' : *text;
	}
	dest[length] = '\0';
}

static void name_process(const char *program, const char *end) {
	char line[LONGEST_LINE], name[LONGEST_NAME];
	escape(program, name);
	const int count =
		snprintf(line, sizeof line, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%ld,\"args\":{\"name\":\"%s\"}}%s\n",
				 (long)getpid(), name, end);
	put(line, (size_t)count);
}

snw_status snw_call_trace_start(const char *path, const char *program, snw_error *error) {
	char real_path[PATH_MAX];
	const int made = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (made < 0 && errno == ELOOP) {
		return snw_fail(error, SNW_ERROR_IO, "%s: the trace is not written through a link; name a file", path);
	}
	if (made < 0 || !realpath(path, real_path)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: the trace cannot be written: %s", path, strerror(errno));
	}
	atomic_store(&calls_file, made);
	setenv(TRACE_VARIABLE, real_path, 1);
	put("[\n", 2);
	name_process(program, ",");
	return SNW_OK;
}

/* The last row has no comma behind it, so it is not that of a call. */
void snw_call_trace_end(void) {
	const int made = atomic_load(&calls_file);
	if (made >= 0) {
		static const char last[] = "{\"name\":\"end\",\"ph\":\"M\",\"pid\":0,\"args\":{}}\n]\n";
		put(last, sizeof last - 1);
		atomic_store(&calls_file, -1);
		close(made);
	}
}

void snw_call_trace_join(const char *program) {
	const char *path = getenv(TRACE_VARIABLE);
	const int made = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	atomic_store(&calls_file, made); /* a plug-in process has closed the one that it got */
	if (made >= 0) {
		name_process(program, ",");
	}
}

/* The time that a call gets as its begin; 0 without a trace. */
static uint64_t call_trace_begin(void) {
	return atomic_load_explicit(&calls_file, memory_order_relaxed) < 0 ? 0 : snk_clock_nanoseconds();
}

/* Writes a call that ends now; does nothing if it began without a trace.
 * Whole numbers alone: a plug-in may have set a locale with a comma. */
static void call_trace_write(const snw_thread_call *call) {
	const uint64_t ended = call->began > 0 && call->who ? call_trace_begin() : 0;
	if (ended == 0) {
		return;
	}
	char line[LONGEST_LINE], who[LONGEST_NAME], function[LONGEST_NAME], layer[LONGEST_NAME];
	escape(call->who, who);
	escape(call->function, function);
	escape(call->layer, layer);
	const uint64_t length = ended - call->began;
	const int count = snprintf(
		line, sizeof line,
		"{\"name\":\"%s %s\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%llu.%03u,\"dur\":%llu.%03u,\"pid\":%ld,\"tid\":%ld,"
		"\"args\":{\"deformer\":\"%s\",\"function\":\"%s\",\"layer\":\"%s\"}},\n",
		who, function, function, (unsigned long long)(call->began / 1000), (unsigned)(call->began % 1000),
		(unsigned long long)(length / 1000), (unsigned)(length % 1000), (long)getpid(), (long)gettid(), who, function, layer);
	put(line, count < (int)sizeof line ? (size_t)count : sizeof line - 1);
}

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

/* What each thread is running of a plug-in: for the thread rules of the ABI, and to name the plug-in that crashed. */

enum { SIGNAL_STACK_BYTES = 1 << 16 };

static _Thread_local snw_thread_call current;
static _Thread_local bool in_chunk;
static atomic_uint_least64_t violations;
static _Atomic(const char *) violating_service, violating_place; /* of the last one */

/* A signal handler cannot run on a stack that has overflowed. */
static void provide_signal_stack(void) {
	static _Thread_local _Alignas(16) unsigned char room[SIGNAL_STACK_BYTES];
	static _Thread_local bool is_done;
	stack_t before;
	if (!is_done && sigaltstack(NULL, &before) == 0 && before.ss_flags & SS_DISABLE) {
		sigaltstack(&(stack_t){.ss_sp = room, .ss_size = sizeof room}, NULL);
	}
	is_done = true;
}

static void (*function_named)(const char *function);

snw_thread_call snw_thread_enter(snw_thread_call call) {
	const snw_thread_call previous = current;
	if (!previous.who) {
		provide_signal_stack();
	}
	current = call;
	current.began = call_trace_begin();
	return previous;
}

/* Outside evaluation several functions may follow one another in one call; nothing may be called under the name that it was
 * entered with. */
static void write_span(void) {
	if (current.is_named || current.role == SNW_ROLE_EVALUATION) {
		call_trace_write(&current);
	}
}

void snw_thread_leave_chunk(snw_thread_call previous) {
	write_span();
	current = previous;
}

void snw_thread_leave(snw_thread_call previous) {
	if (!previous.who && function_named) {
		function_named(NULL);
	}
	snw_thread_leave_chunk(previous);
}

void snw_thread_watch_functions(void (*named)(const char *function)) {
	function_named = named;
}

void snw_thread_function(const char *function) {
	if (function_named) {
		function_named(function);
	}
	if (current.who) {
		write_span();
		current.is_named = true;
		current.function = function;
		current.began = call_trace_begin();
	}
}

snw_thread_call snw_thread_current_call(void) {
	return current;
}

bool snw_thread_enter_chunk(bool inside) {
	const bool was = in_chunk;
	in_chunk = inside;
	return was;
}

uint64_t snw_thread_violations(void) {
	return atomic_load(&violations);
}

const char *snw_thread_last_violation(void) {
	static _Thread_local char text[100];
	const char *service = atomic_load(&violating_service), *where = atomic_load(&violating_place);
	snprintf(text, sizeof text, "%s %s", service ? service : "no service", where ? where : "");
	return text;
}

bool snw_thread_allows(snw_service_tag tag, const char *service) {
	const bool in_evaluation = current.role == SNW_ROLE_EVALUATION;
	const bool off_owner = tag == SNW_TAG_OWNER_THREAD && in_chunk;
	if (!in_evaluation && !off_owner) {
		return true;
	}
	const char *where = in_evaluation ? "inside passes, drive, prepare or deform" : "inside a parallel chunk";
	atomic_store(&violating_service, service);
	atomic_store(&violating_place, where);
	const bool is_first = atomic_fetch_add(&violations, 1) == 0;
#ifndef NDEBUG
	if (is_first) {
		fprintf(stderr, "sinew: a plug-in called %s %s, which the thread rule of that service forbids; see sinew/base.h\n",
				service, where);
	}
#else
	(void)is_first;
#endif
	return !in_evaluation;
}
