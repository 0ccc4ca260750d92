/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole files for tests, read and written without the host.
 */
#ifndef SINEW_TESTS_FILES_H
#define SINEW_TESTS_FILES_H

#include "check.h"

/* The bytes and a zero behind them, to be freed. */
static inline unsigned char *file_bytes(const char *path, size_t *count) {
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*count = (size_t)ftell(file);
	rewind(file);
	unsigned char *bytes = calloc(*count + 1, 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *count, file), *count);
	fclose(file);
	return bytes;
}

static inline void file_write(const char *path, const void *bytes, size_t count) {
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, count, file), count);
	fclose(file);
}

/* A scratch file with this text; its path. */
static inline const char *file_of_text(const char *name, const char *text) {
	const char *path = check_scratch(name);
	file_write(path, text, strlen(text));
	return path;
}

#endif
