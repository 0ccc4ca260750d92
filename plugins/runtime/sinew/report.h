/* SPDX-License-Identifier: MIT
 *
 * Messages, progress and measurements of a plug-in, formatted, through the host's services. Without a service, its functions do
 * nothing.
 *
 * For plug-in authors: header only, optional, not part of the binary interface. snw_report_measurements is for the owner
 * thread, the others for any thread; none is for drive, prepare and deform.
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

/* A line for the log; `level` is an snw_log_level. */
SNW_REPORT_FORMAT(3, 4) static void snw_report_line(const snw_host *host, int32_t level, const char *format, ...) {
	const snw_task_service *task = (const snw_task_service *)host->service(host, SNW_SERVICE_TASK);
	if (task) {
		char text[SNW_REPORT_BYTES];
		va_list arguments;
		va_start(arguments, format);
		vsnprintf(text, sizeof text, format, arguments);
		va_end(arguments);
		task->line(host, level, text);
	}
}

/* The words for a failure: what, where, and what to do about it. Returns `status`, so that one can `return
 * snw_report_fail(…)`. */
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

/* A number that a call measured of itself: 0.0011 "s" of "inversion". */
typedef struct snw_measured_number {
	const char *name;
	double value;
	const char *unit; /* "" for a count */
} snw_measured_number;

/* Each number is measured, and all of them make one line: "SUBJECT: inversion 0.0011 s, steps 12". */
static inline void snw_report_measurements(const snw_host *host, const char *subject, const snw_measured_number *numbers,
										   uint32_t count) {
	const snw_task_service *task = (const snw_task_service *)host->service(host, SNW_SERVICE_TASK);
	char text[SNW_REPORT_BYTES] = "";
	size_t used = 0;
	for (uint32_t i = 0; i < count; i++) {
		const snw_measured_number *n = &numbers[i];
		if (task) {
			task->measure(host, n->name, n->value, n->unit);
		}
		if (used < sizeof text) {
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.4g%s%s", i ? ", " : "", n->name, n->value,
									 n->unit[0] ? " " : "", n->unit);
		}
	}
	snw_report_line(host, SNW_LOG_INFO, "%s: %s", subject, text);
}

/* Returns 1 to continue, 0 to stop, like progress of the task service. */
static inline int snw_report_progress(const snw_host *host, double fraction, const char *step) {
	const snw_task_service *task = (const snw_task_service *)host->service(host, SNW_SERVICE_TASK);
	return task ? task->progress(host, fraction, step) : 1;
}

#endif
