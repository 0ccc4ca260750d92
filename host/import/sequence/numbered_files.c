/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/sequence/numbered_files.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"

/* The file's name with a star for each number, which is the same for all frames of an animation. */
static const char *series_of(snw_arena *arena, const char *path) {
	char *series = snw_arena_text(arena, snw_path_name(path));
	char *end = series;
	for (const char *c = series; *c; c++) {
		if (!isdigit((unsigned char)*c)) {
			*end++ = *c;
		} else if (end == series || end[-1] != '*') {
			*end++ = '*';
		}
	}
	*end = '\0';
	return series;
}

static bool has_number(const char *path) {
	return strpbrk(snw_path_name(path), "0123456789") != NULL;
}

/* If any file has a number, those without one, such as a rest pose beside the frames, are left out. */
static void leave_out_unnumbered(const snw_task *task, char **paths, size_t *count) {
	size_t used = 0;
	for (size_t i = 0; i < *count; i++) {
		used += has_number(paths[i]);
	}
	if (used == 0 || used == *count) {
		return;
	}
	used = 0;
	for (size_t i = 0; i < *count; i++) {
		if (has_number(paths[i])) {
			paths[used++] = paths[i];
		} else {
			snw_task_notice(task, SNW_LOG_WARNING,
							"%s has no number; it is not used as a frame (give the rest pose with --rest FILE.obj)",
							snw_path_name(paths[i]));
		}
	}
	*count = used;
}

/* The last number in a file's name before the extension; −1 if there is none. */
static double number_of(const char *path) {
	const char *name = snw_path_name(path), *dot = strrchr(name, '.'), *end = dot ? dot : name + strlen(name);
	while (end > name && !isdigit((unsigned char)end[-1])) {
		end--;
	}
	const char *begin = end;
	while (begin > name && isdigit((unsigned char)begin[-1])) {
		begin--;
	}
	return begin < end ? strtod(begin, NULL) : -1;
}

/* Warns of gaps in the numbering, whose step is the smallest difference between two files. */
static void warn_of_gaps(const snw_task *task, char **paths, size_t count) {
	double step = HUGE_VAL;
	for (size_t f = 1; f < count; f++) {
		const double before = number_of(paths[f - 1]), number = number_of(paths[f]);
		if (before < 0 || number <= before) {
			return;
		}
		step = fmin(step, number - before);
	}
	for (size_t f = 1; f < count; f++) {
		const double missing = (number_of(paths[f]) - number_of(paths[f - 1])) / step - 1;
		if (missing > 0) {
			snw_task_notice(
				task, SNW_LOG_WARNING,
				"%.0f missing between %s and %s: the animation skips the gap and plays too fast there; export the frames again",
				ceil(missing), snw_path_name(paths[f - 1]), snw_path_name(paths[f]));
		}
	}
}

snw_status snw_numbered_paths(const char *pattern, snw_arena *arena, const snw_task *task, char ***paths, size_t *count,
							  snw_error *error) {
	const snw_status status = snw_path_sequence(pattern, arena, paths, count, error);
	if (snw_failed(status)) {
		return status;
	}
	leave_out_unnumbered(task, *paths, count);
	const char *series = series_of(arena, (*paths)[0]);
	for (size_t i = 1; i < *count && has_number((*paths)[0]); i++) {
		const char *other = series_of(arena, (*paths)[i]);
		if (strcmp(other, series) != 0) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: matches more than one animation, '%s' and '%s'; name one of them",
							pattern, series, other);
		}
	}
	warn_of_gaps(task, *paths, *count);
	return SNW_OK;
}
