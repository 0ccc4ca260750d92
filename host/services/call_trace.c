/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "services/call_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinew/kit/clock.h"

#define TRACE_VARIABLE "SINEW_TRACE" /* the file, for processes that the program starts */

enum { LONGEST_NAME = 300, LONGEST_LINE = 4 * LONGEST_NAME + 400 };

static atomic_int file = -1;

/* The file was opened for appending, so lines of several threads and processes do not mix. What cannot be written is lost: a
 * trace must not end what it looks at. */
static void put(const char *line, size_t count) {
	ssize_t done = write(atomic_load(&file), line, count);
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
	const int made = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	if (made < 0 || !realpath(path, real_path)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: the trace cannot be written: %s", path, strerror(errno));
	}
	atomic_store(&file, made);
	setenv(TRACE_VARIABLE, real_path, 1);
	put("[\n", 2);
	name_process(program, ",");
	return SNW_OK;
}

/* The last row has no comma behind it, so it is not that of a call. */
void snw_call_trace_end(void) {
	const int made = atomic_load(&file);
	if (made >= 0) {
		static const char last[] = "{\"name\":\"end\",\"ph\":\"M\",\"pid\":0,\"args\":{}}\n]\n";
		put(last, sizeof last - 1);
		atomic_store(&file, -1);
		close(made);
	}
}

void snw_call_trace_join(const char *program) {
	const char *path = getenv(TRACE_VARIABLE);
	const int made = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	atomic_store(&file, made); /* a plug-in process has closed the one that it got */
	if (made >= 0) {
		name_process(program, ",");
	}
}

uint64_t snw_call_trace_begin(void) {
	return atomic_load_explicit(&file, memory_order_relaxed) < 0 ? 0 : snk_clock_nanoseconds();
}

/* Whole numbers alone: a plug-in may have set a locale with a comma. */
void snw_call_trace_write(const snw_thread_call *call) {
	const uint64_t ended = call->began > 0 && call->who ? snw_call_trace_begin() : 0;
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
