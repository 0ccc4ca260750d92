/* SPDX-License-Identifier: MIT
 *
 * What a plug-in has to say, through the host's log and task services, formatted. A host without the service hears nothing.
 *
 * For plug-in authors: header only, optional, not part of the binary interface.
 */
#ifndef SINEW_REPORT_H
#define SINEW_REPORT_H

#include <stdarg.h>
#include <stdio.h>

#include "sinew/host.h"

/* Longer lines are cut. */
#define SNW_REPORT_BYTES 900

#if defined(__GNUC__)
#define SNW_REPORT_FORMAT(text, first) __attribute__((format(printf, text, first), unused))
#else
#define SNW_REPORT_FORMAT(text, first)
#endif

/* A line for the log. */
SNW_REPORT_FORMAT(3, 4) static void snw_report_line(const snw_host *host, int32_t level, const char *format, ...) {
	const snw_log_service *log = (const snw_log_service *)host->service(host, SNW_SERVICE_LOG);
	if (log) {
		char text[SNW_REPORT_BYTES];
		va_list arguments;
		va_start(arguments, format);
		vsnprintf(text, sizeof text, format, arguments);
		va_end(arguments);
		log->line(host, level, text);
	}
}

/* The words for a failure: what, where, and what to do about it. Returns `status`, so that one can `return snw_report_fail(…)`. */
SNW_REPORT_FORMAT(3, 4)
static snw_status snw_report_fail(const snw_host *host, snw_status status, const char *format, ...) {
	const snw_task_service *task = (const snw_task_service *)host->service(host, SNW_SERVICE_TASK);
	if (task) {
		char text[SNW_REPORT_BYTES];
		va_list arguments;
		va_start(arguments, format);
		vsnprintf(text, sizeof text, format, arguments);
		va_end(arguments);
		task->fail(host, status, text);
	}
	return status;
}

/* 1 to go on, 0 to stop. */
static inline int snw_report_progress(const snw_host *host, double fraction, const char *what) {
	const snw_task_service *task = (const snw_task_service *)host->service(host, SNW_SERVICE_TASK);
	return task ? task->progress(host, fraction, what) : 1;
}

#endif
