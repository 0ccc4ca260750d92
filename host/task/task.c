/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "task/task.h"

#include <stdarg.h>
#include <stdio.h>

bool snw_task_progress(const snw_task *task, double fraction, const char *activity) {
	return !task || !task->progress || task->progress(task->context, fraction, activity);
}

void snw_task_measurement(const snw_task *task, const char *name, double value, const char *unit) {
	if (task && task->measurement) {
		task->measurement(task->context, name, value, unit);
	}
}

void snw_task_notice(const snw_task *task, snw_log_level level, const char *format, ...) {
	if (!task || !task->notice) {
		return;
	}
	char line[1000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	task->notice(task->context, level, line);
}

static bool part_progress(void *context, double fraction, const char *activity) {
	const snw_subtask *part = context;
	return snw_task_progress(part->whole, part->begin + fraction * (part->end - part->begin), activity);
}

static void part_notice(void *context, snw_log_level level, const char *line) {
	const snw_subtask *part = context;
	snw_task_notice(part->whole, level, "%s", line);
}

static void part_measurement(void *context, const char *name, double value, const char *unit) {
	const snw_subtask *part = context;
	snw_task_measurement(part->whole, name, value, unit);
}

snw_task snw_task_of_subtask(snw_subtask *part) {
	return (snw_task){part, part_progress, part_notice, part_measurement};
}
