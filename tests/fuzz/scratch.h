/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files in memory for readers that need a path, and whole files as seeds.
 */
#ifndef SINEW_TESTS_FUZZ_SCRATCH_H
#define SINEW_TESTS_FUZZ_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path for this process alone, because several may run at once. Valid until the next call. */
static inline const char *scratch_path(const char *name) {
	static char path[200];
	const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(path, sizeof path, "%s/sinew-fuzz-%ld-%s", folder, (long)getpid(), name);
	return path;
}

static inline const char *scratch_file(const char *name, const void *bytes, size_t count) {
	const char *path = scratch_path(name);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0) {
		perror(path);
		exit(2);
	}
	return path;
}

static inline unsigned char *file_as_seed(const char *path, size_t *count) {
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END) != 0) {
		perror(path);
		exit(2);
	}
	*count = (size_t)ftell(file);
	rewind(file);
	unsigned char *bytes = malloc(*count + 1);
	if (!bytes || fread(bytes, 1, *count, file) != *count) {
		exit(2);
	}
	fclose(file);
	return bytes;
}

static inline unsigned char *text_as_seed(const char *text, size_t *count) {
	*count = strlen(text);
	return (unsigned char *)strdup(text);
}

#endif
