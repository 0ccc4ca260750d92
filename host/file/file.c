/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static snw_status read_stream(FILE *stream, const char *path, size_t most, snw_arena *arena, snw_bytes *bytes,
							  snw_error *error) {
	struct stat info;
	if (fstat(fileno(stream), &info) != 0 || !S_ISREG(info.st_mode)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: not a regular file; name one", path);
	}
	if ((uint64_t)info.st_size > most) {
		return most >> 30 > 0
				   ? snw_fail(error, SNW_ERROR_LIMIT, "%s: larger than %zu GiB, the limit; split it", path, most >> 30)
				   : snw_fail(error, SNW_ERROR_LIMIT, "%s: larger than %zu MiB, the limit; make it smaller", path, most >> 20);
	}
	const size_t count = (size_t)info.st_size;
	unsigned char *data = snw_arena_acquire(arena, count + 1);
	if (fread(data, 1, count, stream) != count) {
		return snw_fail(error, SNW_ERROR_IO, "%s: the file shrank while it was read; try again", path);
	}
	*bytes = (snw_bytes){.data = data, .count = count};
	return SNW_OK;
}

bool snw_is_lfs_pointer(const unsigned char *head, size_t count) {
	static const char first[] = "version https://git-lfs.github.com/spec/";
	return count >= sizeof first - 1 && memcmp(head, first, sizeof first - 1) == 0;
}

snw_status snw_fail_lfs_pointer(const char *path, snw_error *error) {
	return snw_fail(error, SNW_ERROR_DATA, "%s: is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'", path);
}

snw_status snw_file_read(const char *path, snw_arena *arena, snw_bytes *bytes, snw_error *error) {
	const snw_status status = snw_file_read_limited(path, SNW_FILE_LIMIT, arena, bytes, error);
	return !snw_failed(status) && snw_is_lfs_pointer(bytes->data, bytes->count) ? snw_fail_lfs_pointer(path, error) : status;
}

snw_status snw_file_read_limited(const char *path, size_t most, snw_arena *arena, snw_bytes *bytes, snw_error *error) {
	/* Without O_NONBLOCK, opening a named pipe would wait for a writer. */
	const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
	if (!stream) {
		const int code = errno;
		if (descriptor >= 0) {
			close(descriptor);
		}
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be read: %s", path, strerror(code));
	}
	const snw_status status = read_stream(stream, path, most, arena, bytes, error);
	fclose(stream);
	return status;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

#define UNFINISHED ".unfinished-XXXXXX"

struct snw_file_write {
	FILE *stream;
	char *path;
	char *temporary;
};

static void write_free(snw_file_write *file) {
	free(file->path);
	free(file->temporary);
	free(file);
}

/* How much of a path its unfinished names begin with: all, unless the name or the path would be longer than it may be, with
 * SQLite's endings too, and a project in a folder of that name. */
static int start_length(const char *path) {
	enum {
		INSIDE = 32,
		ENDINGS = sizeof UNFINISHED - 1 + sizeof "-journal" - 1,
		LONGEST_PATH = PATH_MAX - 1 - INSIDE - ENDINGS
	};
	const char *name = snw_path_name(path);
	const size_t folder = (size_t)(name - path), room = folder < LONGEST_PATH ? LONGEST_PATH - folder : 0;
	const size_t most = room < NAME_MAX - ENDINGS ? room : NAME_MAX - ENDINGS;
	size_t length = strlen(name);
	if (length > most) {
		length = most;
		while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) {
			length--; /* not within a letter */
		}
	}
	return (int)(name - path) + (int)length;
}

/* What SQLite writes beside a project. */
static const char *const companions[] = {"-journal", "-wal", "-shm"};
enum { COMPANION_COUNT = sizeof companions / sizeof *companions };

static void remove_with_companions(const char *path) {
	char name[PATH_MAX];
	unlink(path);
	for (int i = 0; i < COMPANION_COUNT; i++) {
		if (snprintf(name, sizeof name, "%s%s", path, companions[i]) < (int)sizeof name) {
			unlink(name);
		}
	}
}

/* mkstemp allows only the owner to read. */
void snw_file_permit(int descriptor) {
	const mode_t mask = umask(0);
	umask(mask);
	(void)fchmod(descriptor, 0666 & ~mask);
}

snw_status snw_file_write_begin(const char *path, snw_file_write **file, snw_error *error) {
	snw_file_write *f = calloc(1, sizeof *f);
	int descriptor = -1;
	if (!f || !(f->path = strdup(path)) || asprintf(&f->temporary, "%.*s" UNFINISHED, start_length(path), path) < 0) {
		snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", path);
		goto failed;
	}
	snw_file_sweep(path);
	descriptor = mkstemp(f->temporary);
	if (descriptor < 0 || !(f->stream = fdopen(descriptor, "wb"))) {
		snw_fail(error, SNW_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
		goto failed;
	}
	(void)flock(descriptor, LOCK_EX | LOCK_NB); /* so that snw_file_sweep does not remove it */
	snw_file_permit(descriptor);
	*file = f;
	return SNW_OK;
failed:
	if (descriptor >= 0) {
		close(descriptor);
		unlink(f->temporary);
	}
	if (f) {
		write_free(f);
	}
	return error ? error->status : SNW_ERROR_IO;
}

FILE *snw_file_write_stream(snw_file_write *file) {
	return file->stream;
}

const char *snw_file_write_path(const snw_file_write *file) {
	return file->temporary;
}

snw_status snw_file_write_commit(snw_file_write *file, snw_error *error) {
	bool written = fflush(file->stream) == 0 && !ferror(file->stream) && fsync(fileno(file->stream)) == 0;
	written = fclose(file->stream) == 0 && written;
	snw_status status = SNW_OK;
	if (!written || rename(file->temporary, file->path) != 0) {
		status = snw_fail(error, SNW_ERROR_IO, "%s: could not be written: %s; the old file is unchanged", file->path,
						  strerror(errno));
		unlink(file->temporary);
	} else {
		snw_file_sync_folder(file->path);
	}
	write_free(file);
	return status;
}

/* Allocates nothing: the file has its new name, so the program must not end here for want of memory. */
void snw_file_sync_folder(const char *path) {
	const char *slash = strrchr(path, '/');
	char name[PATH_MAX];
	if (slash) {
		snprintf(name, sizeof name, "%.*s", slash == path ? 1 : (int)(slash - path), path);
	} else {
		snprintf(name, sizeof name, ".");
	}
	const int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) {
		(void)fsync(folder);
		close(folder);
	}
}

void snw_file_write_abandon(snw_file_write *file) {
	if (file) {
		fclose(file->stream);
		remove_with_companions(file->temporary);
		write_free(file);
	}
}

/* ---- files of killed programs -------------------------------------------------------------------------------------------- */

char *snw_file_unfinished_name(const char *path, snw_arena *arena) {
	return snw_arena_format(arena, "%.*s" UNFINISHED, start_length(path), path);
}

void snw_file_remove_folder(const char *path) {
	snw_arena *arena = snw_arena_create();
	DIR *list = opendir(path);
	for (struct dirent *entry; list && (entry = readdir(list));) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			unlink(snw_path_join(arena, path, entry->d_name));
		}
	}
	if (list) {
		closedir(list);
	}
	rmdir(path);
	snw_arena_destroy(arena);
}

/* Like "P.unfinished-a1B2c3". */
static bool file_is_unfinished(const char *path) {
	const size_t length = strlen(path), mark = sizeof UNFINISHED - 1 - 6;
	return length >= mark + 6 && strncmp(path + length - mark - 6, UNFINISHED, mark) == 0;
}

static bool is_unfinished_of(const char *entry, const char *path) {
	const char *name = snw_path_name(path);
	const size_t length = (size_t)start_length(path) - (size_t)(name - path);
	return file_is_unfinished(entry) && strncmp(entry, name, length) == 0 && strlen(entry) == length + sizeof UNFINISHED - 1;
}

static void remove_unlocked(const char *path) {
	const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat info;
	if (file < 0) {
		return;
	}
	if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &info) == 0) {
		if (S_ISDIR(info.st_mode)) {
			snw_file_remove_folder(path);
		} else {
			remove_with_companions(path);
		}
	}
	close(file);
}

/* A companion of a file that is gone is of no use. */
static void remove_orphan(const char *folder, const char *entry, const char *path, snw_arena *arena) {
	const char *dash = strrchr(entry, '-');
	for (int i = 0; i < COMPANION_COUNT && dash; i++) {
		const char *file = snw_arena_format(arena, "%.*s", (int)(dash - entry), entry);
		if (strcmp(dash, companions[i]) == 0 && is_unfinished_of(file, path) &&
			!snw_file_exists(snw_path_join(arena, folder, file))) {
			unlink(snw_path_join(arena, folder, entry));
		}
	}
}

void snw_file_sweep(const char *path) {
	snw_arena *arena = snw_arena_create();
	const char *folder = snw_path_folder(path, arena);
	DIR *list = opendir(folder);
	for (struct dirent *entry; list && (entry = readdir(list));) {
		if (is_unfinished_of(entry->d_name, path)) {
			remove_unlocked(snw_path_join(arena, folder, entry->d_name));
		} else {
			remove_orphan(folder, entry->d_name, path, arena);
		}
	}
	if (list) {
		closedir(list);
	}
	snw_arena_destroy(arena);
}

/* ---- names --------------------------------------------------------------------------------------------------------------- */

bool snw_file_exists(const char *path) {
	return access(path, F_OK) == 0;
}

const char *snw_path_name(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

char *snw_path_folder(const char *path, snw_arena *arena) {
	const char *slash = strrchr(path, '/');
	if (!slash) {
		return snw_arena_text(arena, ".");
	}
	return snw_arena_format(arena, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

const char *snw_path_extension(const char *path) {
	const char *dot = strrchr(snw_path_name(path), '.');
	return dot ? dot + 1 : "";
}

char *snw_path_join(snw_arena *arena, const char *folder, const char *name) {
	const size_t length = strlen(folder);
	return snw_arena_format(arena, length == 0 || folder[length - 1] == '/' ? "%s%s" : "%s/%s", folder, name);
}

char *snw_path_absolute(snw_arena *arena, const char *folder, const char *path) {
	char *current = folder || path[0] == '/' ? NULL : getcwd(NULL, 0);
	const char *from = folder ? folder : current ? current : "/";
	const char *whole = path[0] == '/' ? path : snw_path_join(arena, from, path);
	char *real = realpath(whole, NULL);
	char *absolute = snw_arena_text(arena, real ? real : whole);
	free(current);
	free(real);
	return absolute;
}

const char *snw_path_inside(const char *folder, const char *path) {
	const size_t length = strlen(folder);
	const bool slash = length > 0 && folder[length - 1] == '/';
	if (length == 0 || strncmp(path, folder, length) != 0 || (!slash && path[length] != '/')) {
		return path;
	}
	const char *inside = path + length + !slash;
	return *inside ? inside : path;
}

snw_status snw_file_check_readable(const char *path, snw_error *error) {
	struct stat info;
	if (stat(path, &info) != 0 || access(path, R_OK) != 0) {
		return snw_fail(error, errno == ENOENT ? SNW_ERROR_MISSING : SNW_ERROR_IO, "%s: cannot be read: %s", path,
						strerror(errno));
	}
	return S_ISREG(info.st_mode) ? SNW_OK : snw_fail(error, SNW_ERROR_IO, "%s: not a regular file; name one", path);
}

/* A glob pattern in which a star alone stands for something. */
static const char *escape_pattern(const char *pattern, snw_arena *arena) {
	char *escaped = SNW_NEW_ARRAY(arena, char, 2 * strlen(pattern) + 1), *end = escaped;
	for (; *pattern; pattern++) {
		if (strchr("[]?\\", *pattern)) {
			*end++ = '\\';
		}
		*end++ = *pattern;
	}
	return escaped;
}

snw_status snw_path_sequence(const char *pattern, snw_arena *arena, char ***paths, size_t *count, snw_error *error) {
	const char *star = strchr(pattern, '*');
	if (!star || strchr(star + 1, '*') || strchr(star, '/')) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: name a sequence with one * in the file name: 'frames/*.obj'", pattern);
	}
	glob_t found = {0};
	const int result = glob(escape_pattern(pattern, arena), GLOB_NOSORT, NULL, &found);
	if (result != 0 || found.gl_pathc == 0) {
		globfree(&found);
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no file matches; quote the pattern and check the folder", pattern);
	}
	char **list = SNW_NEW_ARRAY(arena, char *, found.gl_pathc);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		list[i] = snw_arena_text(arena, found.gl_pathv[i]);
	}
	*count = found.gl_pathc;
	globfree(&found);
	snw_natural_sort(list, *count);
	*paths = list;
	return SNW_OK;
}

/* ---- natural order ------------------------------------------------------------------------------------------------------- */

/* Compares the numbers at *a and *b by value and skips them. */
static int compare_numbers(const char **a, const char **b) {
	*a += strspn(*a, "0");
	*b += strspn(*b, "0");
	const size_t length_a = strspn(*a, "0123456789"), length_b = strspn(*b, "0123456789");
	const int order = length_a != length_b ? (length_a < length_b ? -1 : 1) : strncmp(*a, *b, length_a);
	*a += length_a;
	*b += length_b;
	return order;
}

static int compare_characters(char a, char b, bool ignores_case) {
	const int first = (unsigned char)a, second = (unsigned char)b;
	return ignores_case ? tolower(first) - tolower(second) : first - second;
}

static int compare_naturally(const char *a, const char *b, bool ignores_case) {
	const char *p = a, *q = b;
	while (*p && *q) {
		const bool are_numbers = isdigit((unsigned char)*p) && isdigit((unsigned char)*q);
		const int order = are_numbers ? compare_numbers(&p, &q) : compare_characters(*p++, *q++, ignores_case);
		if (order != 0) {
			return order;
		}
	}
	if (*p || *q) {
		return *p ? 1 : -1;
	}
	return strcmp(a, b); /* 01 and 1 are equal in value, but different names */
}

int snw_natural_compare(const char *a, const char *b) {
	return compare_naturally(a, b, false);
}

int snw_natural_compare_ignoring_case(const char *a, const char *b) {
	return compare_naturally(a, b, true);
}

static int compare_entries(const void *a, const void *b) {
	return snw_natural_compare(*(char *const *)a, *(char *const *)b);
}

void snw_natural_sort(char **names, size_t count) {
	if (count > 1) { /* without names the array may be NULL, which qsort does not accept */
		qsort(names, count, sizeof *names, compare_entries);
	}
}

/* ---- changed files ------------------------------------------------------------------------------------------------------- */

/* A reader may still hold the one that is shown; the other one is written. */
static char paths[2][PATH_MAX];
static _Atomic(const char *) shown;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

void snw_changed_file_set(const char *path) {
	if (path && file_is_unfinished(path)) {
		return;
	}
	pthread_mutex_lock(&writing);
	const char *before = atomic_load(&shown);
	if (!path) {
		atomic_store(&shown, NULL);
	} else if (!before || strcmp(before, path) != 0) {
		char *next = paths[before == paths[0] ? 1 : 0];
		snprintf(next, sizeof paths[0], "%s", path);
		atomic_store(&shown, next);
	}
	pthread_mutex_unlock(&writing);
}

const char *snw_changed_file(void) {
	return atomic_load(&shown);
}

/* ---- the build tree ------------------------------------------------------------------------------------------------------ */

char *snw_program_folder(snw_arena *arena) {
	char program[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	if (length <= 0) {
		return NULL;
	}
	program[length] = '\0';
	return snw_path_folder(program, arena);
}

const char *snw_build_tree(void) {
	static const char tree[] = SINEW_BUILD_TREE "/";
	snw_arena *arena = snw_arena_create();
	const char *folder = snw_program_folder(arena);
	const bool inside = folder && strncmp(folder, tree, sizeof tree - 1) == 0;
	snw_arena_destroy(arena);
	return inside ? SINEW_BUILD_TREE : NULL;
}

/* ---- formats ------------------------------------------------------------------------------------------------------------- */

/* Moves `at` to the next extension of "glb|gltf" and returns its length; 0 at the end. */
static size_t next_extension(const char **at) {
	*at += **at == '|';
	return strcspn(*at, "|");
}

bool snw_path_has_extension(const char *path, const char *extensions) {
	const char *extension = snw_path_extension(path);
	size_t length;
	for (const char *at = extensions; (length = next_extension(&at)) > 0; at += length) {
		if (strlen(extension) == length && strncasecmp(extension, at, length) == 0) {
			return true;
		}
	}
	return false;
}

const snw_file_format *snw_file_format_of(snw_file_formats *formats, const char *path) {
	const bool has_star = strchr(snw_path_name(path), '*') != NULL;
	const snw_file_format *found = NULL, *format;
	for (uint32_t i = 0; (format = formats(i)); i++) {
		if (!snw_path_has_extension(path, format->extensions) || (format->is_numbered && !has_star)) {
			continue;
		}
		if (!found || (format->is_numbered && !found->is_numbered)) {
			found = format;
		}
	}
	return found;
}

const char *snw_file_extensions(snw_file_formats *formats, uint32_t holds, snw_arena *arena) {
	const char *all = "";
	const snw_file_format *format;
	for (uint32_t i = 0; (format = formats(i)); i++) {
		size_t length;
		for (const char *at = format->extensions; (format->holds & holds) && (length = next_extension(&at)) > 0; at += length) {
			const char *extension = snw_arena_format(arena, ".%.*s", (int)length, at);
			if (!snw_path_has_extension(extension, all)) {
				all = snw_arena_format(arena, "%s%s%s", all, all[0] ? "|" : "", extension + 1);
			}
		}
	}
	return all;
}

const char *snw_file_formats_text(snw_file_formats *formats, uint32_t holds, snw_arena *arena) {
	const char *before = "", *last = "";
	const snw_file_format *format;
	for (uint32_t i = 0; (format = formats(i)); i++) {
		size_t length;
		for (const char *at = format->extensions; (format->holds & holds) && (length = next_extension(&at)) > 0; at += length) {
			before = last[0] ? snw_arena_format(arena, "%s%s%s", before, before[0] ? ", " : "", last) : before;
			last = snw_arena_format(arena, format->is_numbered ? "numbered 'frame*.%.*s'" : ".%.*s", (int)length, at);
		}
	}
	return before[0] ? snw_arena_format(arena, "%s or %s", before, last) : last;
}
