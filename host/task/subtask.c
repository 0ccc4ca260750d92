/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "task/subtask.h"

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
