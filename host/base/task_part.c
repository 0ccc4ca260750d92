/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/task_part.h"

static bool part_progress(void *context, double fraction, const char *what) {
	const snw_task_part *part = context;
	return snw_task_progress(part->whole, part->begin + fraction * (part->end - part->begin), what);
}

static void part_notice(void *context, snw_log_level level, const char *line) {
	const snw_task_part *part = context;
	snw_task_notice(part->whole, level, "%s", line);
}

snw_task snw_task_of_part(snw_task_part *part) {
	return (snw_task){part, part_progress, part_notice};
}
