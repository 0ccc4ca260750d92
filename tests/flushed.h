/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stands in place of the calls that flush, rename and remove files, and notes their order: after a power failure there is only
 * what was flushed. A file must be flushed before it gets its name, and the folder afterwards.
 */
#ifndef SINEW_TESTS_FLUSHED_H
#define SINEW_TESTS_FLUSHED_H

#include "check.h"

#include <fcntl.h>
#include <sys/syscall.h>

/* SQLite, another library, calls these ones too. */
#define INSTEAD __attribute__((visibility("default")))

enum { MOST_CALLS = 4000 };

typedef struct file_call {
	enum { CALL_FLUSH, CALL_RENAME, CALL_REMOVE } kind;
	ino_t file; /* of a removed file: 0 */
} file_call;

static file_call file_calls[MOST_CALLS];
static size_t file_call_count;

static void note_call(file_call call) {
	if (file_call_count < MOST_CALLS) {
		file_calls[file_call_count++] = call;
	}
}

static void note_flush(int file) {
	struct stat info;
	if (fstat(file, &info) == 0) {
		note_call((file_call){CALL_FLUSH, info.st_ino});
	}
}

INSTEAD int fsync(int file) {
	note_flush(file);
	return (int)syscall(SYS_fsync, file);
}

INSTEAD int fdatasync(int file) {
	note_flush(file);
	return (int)syscall(SYS_fdatasync, file);
}

INSTEAD int rename(const char *from, const char *to) {
	struct stat info;
	if (stat(from, &info) == 0) {
		note_call((file_call){CALL_RENAME, info.st_ino});
	}
	return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

INSTEAD int unlink(const char *path) {
	note_call((file_call){.kind = CALL_REMOVE});
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static ino_t inode_of(const char *path) {
	struct stat info;
	assert_int_equal(stat(path, &info), 0);
	return info.st_ino;
}

static ino_t inode_of_folder(const char *path) {
	char folder[1100];
	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
	return inode_of(folder);
}

/* The place of the call in the list, looked for from `from` on; MOST_CALLS where there is none. */
static size_t place_of_call(file_call call, size_t from) {
	for (size_t i = from; i < file_call_count; i++) {
		if (file_calls[i].kind == call.kind && file_calls[i].file == call.file) {
			return i;
		}
	}
	return MOST_CALLS;
}

/* The file at `path` was flushed, then renamed to be there, then its folder was flushed. */
static void check_renamed_durably(const char *path) {
	const file_call rename_there = {CALL_RENAME, inode_of(path)};
	size_t renamed = place_of_call(rename_there, 0);
	assert_true(renamed < MOST_CALLS);
	for (size_t again = renamed; again < MOST_CALLS; again = place_of_call(rename_there, again + 1)) {
		renamed = again;
	}
	assert_true(place_of_call((file_call){CALL_FLUSH, inode_of(path)}, 0) < renamed);
	if (place_of_call((file_call){CALL_FLUSH, inode_of_folder(path)}, renamed) == MOST_CALLS) {
		fail_msg("%s: its folder is not flushed after it was renamed", path);
	}
}

#endif
