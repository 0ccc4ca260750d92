/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/common/reading.h"

#include <stdarg.h>
#include <stdio.h>

#include "scene/check.h"

snw_reading snw_reading_begin(const char *path, const snw_task *task, snw_scene *scene, snw_error *error) {
	return (snw_reading){.path = path,
						 .scratch = snw_arena_create(),
						 .arena = scene->arena,
						 .task = task,
						 .error = error,
						 .budget = SNW_READING_BUDGET};
}

void snw_reading_end(snw_reading *reading) {
	snw_arena_destroy(reading->scratch);
	reading->scratch = NULL;
}

void snw_reading_add_file(snw_reading *reading, uint64_t bytes) {
	reading->file_bytes += bytes;
	reading->budget += SNW_READING_GROWTH * bytes;
}

bool snw_reading_fail(snw_reading *reading, snw_status status, const char *format, ...) {
	char text[800];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	reading->status = snw_fail(reading->error, status, "%s: %s", reading->path, text);
	return false;
}

bool snw_reading_progress(snw_reading *reading, double fraction, const char *activity) {
	if (snw_task_progress(reading->task, fraction, activity)) {
		return true;
	}
	return snw_reading_fail(reading, SNW_CANCELLED, "the import was cancelled; nothing was written");
}

bool snw_reading_reserve(snw_reading *reading, uint64_t count, uint64_t element_bytes) {
	uint64_t bytes;
	if (__builtin_mul_overflow(count, element_bytes, &bytes) || bytes > reading->budget) {
		return snw_reading_fail(
			reading, SNW_ERROR_LIMIT,
			"the scene needs far more memory than a file of %llu bytes should; it may be damaged, or has too many "
			"instances: export fewer",
			(unsigned long long)reading->file_bytes);
	}
	reading->budget -= bytes;
	return true;
}

bool snw_reading_check_size(snw_reading *reading, uint32_t joint_count, uint32_t mesh_count) {
	snw_error reason = {0};
	const snw_status status = snw_scene_check_size(joint_count, mesh_count, &reason);
	return !snw_failed(status) || snw_reading_fail(reading, status, "%s", reason.text);
}
