/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common start and end of the names, without digits of the number between.
 */
#include "window/input/dropped_files.h"

#include <stdio.h>
#include <string.h>

#include "file/file.h"
#include "import/import.h"

static bool is_digit(char letter) {
	return letter >= '0' && letter <= '9';
}

/* Whether files of this kind may be numbered frames. */
static bool may_be_frame(const char *path) {
	const snw_file_format *format;
	for (uint32_t i = 0; (format = snw_import_formats(i)); i++) {
		if (format->is_numbered && snw_path_has_extension(path, format->extensions)) {
			return true;
		}
	}
	return false;
}

/* The length of the common start of two paths, up to a star or a number. */
static size_t same_start(const char *one, const char *other) {
	size_t count = 0;
	while (one[count] && one[count] == other[count] && one[count] != '*') {
		count++;
	}
	while (count > 0 && is_digit(other[count - 1])) {
		count--;
	}
	return count;
}

static size_t same_end(const char *one, const char *other, size_t start) {
	const size_t length = strlen(one), other_length = strlen(other);
	size_t count = 0;
	while (count < length - start && count < other_length - start &&
		   one[length - 1 - count] == other[other_length - 1 - count] && one[length - 1 - count] != '*') {
		count++;
	}
	while (count > 0 && is_digit(other[other_length - count])) {
		count--;
	}
	return count;
}

static bool is_number(const char *text, size_t length) {
	for (size_t i = 0; i < length; i++) {
		if (!is_digit(text[i])) {
			return false;
		}
	}
	return length > 0;
}

bool snw_dropped_files_add(snw_dropped_files *dropped, const char *path) {
	const size_t length = strlen(path);
	if (length >= sizeof dropped->path) {
		return false;
	}
	if (dropped->count == 0) {
		memcpy(dropped->path, path, length + 1);
		dropped->count = 1;
		return true;
	}
	const size_t start = same_start(dropped->path, path), end = same_end(dropped->path, path, start);
	if (!may_be_frame(path) || !may_be_frame(dropped->path) || start < (size_t)(snw_path_name(path) - path) ||
		!is_number(path + start, length - start - end)) {
		return false;
	}
	char pattern[sizeof dropped->path];
	snprintf(pattern, sizeof pattern, "%.*s*%s", (int)start, path, path + length - end);
	memcpy(dropped->path, pattern, sizeof pattern);
	dropped->count++;
	return true;
}
