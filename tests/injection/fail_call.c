/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library for LD_PRELOAD: the N-th call of one kind fails, as if the disk were full or memory exhausted. Later calls work, or
 * fail too ($FAIL_ON).
 *
 *   FAIL_KIND   "io": calls that write, open or move files or start a worker; "reads": calls that read, map, lock and ask about
 *   files;
 *               "memory": allocations
 *   FAIL_AT     which call fails, from 1; 0: none
 *   FAIL_ON     if set, all later calls fail too
 *   FAIL_COUNT  a file that gets the number of calls when the program ends
 *   FAIL_OWN    if set, only calls from the program itself: what a graphics driver makes of a failure is not ours
 *
 * Calls before main are not counted, and neither are those that go to the terminal. The file is opened before main: a worker
 * may not open it later.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static atomic_bool is_counting;
static atomic_long calls;
static long fail_at;
static bool fails_on;
static enum kind { IO, READS, MEMORY } counted;
static const void *program_begin, *program_end; /* of the calls that count; NULL: all */
static int count_file = -1;

enum { FIRST_FREE = 100 }; /* descriptors below it may have a meaning to the program */

static bool fails_from(enum kind kind, const void *caller) {
	if (!atomic_load(&is_counting) || kind != counted || (program_begin && (caller < program_begin || caller >= program_end))) {
		return false;
	}
	const long call = atomic_fetch_add(&calls, 1) + 1;
	return fail_at > 0 && (call == fail_at || (fails_on && call > fail_at));
}

#define FAILS(kind) fails_from(kind, __builtin_return_address(0))

/* ---- before and after main ----------------------------------------------------------------------------------------------- */

static void write_count(void) {
	atomic_store(&is_counting, false);
	if (count_file >= 0) {
		dprintf(count_file, "%ld\n", atomic_load(&calls));
		close(count_file);
	}
}

/* The first object that the loader lists is the program. */
static int find_program(struct dl_phdr_info *info, size_t size, void *unused) {
	(void)size, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			program_begin = (const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			program_end = (const char *)program_begin + info->dlpi_phdr[i].p_memsz;
		}
	}
	return 1;
}

typedef int main_function(int count, char **arguments, char **environment);
static main_function *real_main;

static int counted_main(int count, char **arguments, char **environment) {
	const char *at = getenv("FAIL_AT"), *kind = getenv("FAIL_KIND"), *path = getenv("FAIL_COUNT");
	const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	count_file = file >= 0 ? fcntl(file, F_DUPFD_CLOEXEC, FIRST_FREE) : -1;
	if (file >= 0) {
		close(file);
	}
	fail_at = at ? strtol(at, NULL, 10) : 0;
	fails_on = getenv("FAIL_ON") != NULL;
	counted = kind && strcmp(kind, "memory") == 0 ? MEMORY : kind && strcmp(kind, "reads") == 0 ? READS : IO;
	if (getenv("FAIL_OWN")) {
		dl_iterate_phdr(find_program, NULL);
	}
	atexit(write_count);
	atomic_store(&is_counting, true);
	return real_main(count, arguments, environment);
}

EXPORT int __libc_start_main(main_function *program, int count, char **arguments, void (*start)(void), void (*end)(void),
							 void (*loader_end)(void), void *stack) {
	int (*real)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
		(int (*)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *))dlsym(
			RTLD_NEXT, "__libc_start_main");
	real_main = program;
	return real(counted_main, count, arguments, start, end, loader_end, stack);
}

/* ---- files --------------------------------------------------------------------------------------------------------------- */

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))
#define FAIL(number)                                                                                                           \
	do {                                                                                                                       \
		errno = (number);                                                                                                      \
		return -1;                                                                                                             \
	} while (0)

EXPORT ssize_t write(int file, const void *bytes, size_t count) {
	if (file > STDERR_FILENO && FAILS(IO)) {
		FAIL(ENOSPC);
	}
	return REAL(write)(file, bytes, count);
}

EXPORT ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
	if (FAILS(IO)) {
		FAIL(ENOSPC);
	}
	return REAL(pwrite)(file, bytes, count, offset);
}

EXPORT ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
	if (FAILS(IO)) {
		FAIL(ENOSPC);
	}
	return REAL(pwrite64)(file, bytes, count, offset);
}

EXPORT int fsync(int file) {
	if (FAILS(IO)) {
		FAIL(EIO);
	}
	return REAL(fsync)(file);
}

EXPORT int fdatasync(int file) {
	if (FAILS(IO)) {
		FAIL(EIO);
	}
	return REAL(fdatasync)(file);
}

EXPORT int ftruncate(int file, off_t length) {
	if (FAILS(IO)) {
		FAIL(EIO);
	}
	return REAL(ftruncate)(file, length);
}

EXPORT int ftruncate64(int file, off64_t length) {
	if (FAILS(IO)) {
		FAIL(EIO);
	}
	return REAL(ftruncate64)(file, length);
}

EXPORT int open(const char *path, int flags, ...) {
	va_list values;
	va_start(values, flags);
	const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(values, mode_t) : 0;
	va_end(values);
	if (FAILS(IO)) {
		FAIL(EMFILE);
	}
	return REAL(open)(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...) {
	va_list values;
	va_start(values, flags);
	const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(values, mode_t) : 0;
	va_end(values);
	if (FAILS(IO)) {
		FAIL(EMFILE);
	}
	return REAL(open64)(path, flags, mode);
}

EXPORT int unlink(const char *path) {
	if (FAILS(IO)) {
		FAIL(EIO);
	}
	return REAL(unlink)(path);
}

EXPORT int rename(const char *from, const char *to) {
	if (FAILS(IO)) {
		FAIL(EIO);
	}
	return REAL(rename)(from, to);
}

EXPORT int mkdir(const char *path, mode_t mode) {
	if (FAILS(IO)) {
		FAIL(ENOSPC);
	}
	return REAL(mkdir)(path, mode);
}

/* ---- reading, mapping, locking and asking about files -------------------------------------------------------------------- */

EXPORT ssize_t read(int file, void *bytes, size_t count) {
	if (file > STDERR_FILENO && FAILS(READS)) {
		FAIL(EIO);
	}
	return REAL(read)(file, bytes, count);
}

EXPORT ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
	if (FAILS(READS)) {
		FAIL(EIO);
	}
	return REAL(pread)(file, bytes, count, offset);
}

EXPORT ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
	if (FAILS(READS)) {
		FAIL(EIO);
	}
	return REAL(pread64)(file, bytes, count, offset);
}

EXPORT int fstat(int file, struct stat *status) {
	if (FAILS(READS)) {
		FAIL(EIO);
	}
	return REAL(fstat)(file, status);
}

EXPORT int fstat64(int file, struct stat64 *status) {
	if (FAILS(READS)) {
		FAIL(EIO);
	}
	return REAL(fstat64)(file, status);
}

EXPORT int stat(const char *path, struct stat *status) {
	if (FAILS(READS)) {
		FAIL(EIO);
	}
	return REAL(stat)(path, status);
}

EXPORT int stat64(const char *path, struct stat64 *status) {
	if (FAILS(READS)) {
		FAIL(EIO);
	}
	return REAL(stat64)(path, status);
}

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
	if (FAILS(READS)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return REAL(mmap)(address, length, protection, flags, file, offset);
}

EXPORT void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
	if (FAILS(READS)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return REAL(mmap64)(address, length, protection, flags, file, offset);
}

EXPORT int fcntl(int file, int command, ...) {
	va_list values;
	va_start(values, command);
	void *value = va_arg(values, void *);
	va_end(values);
	if (FAILS(READS)) {
		FAIL(EIO);
	}
	return REAL(fcntl)(file, command, value);
}

EXPORT int fcntl64(int file, int command, ...) {
	va_list values;
	va_start(values, command);
	void *value = va_arg(values, void *);
	va_end(values);
	if (FAILS(READS)) {
		FAIL(EIO);
	}
	return REAL(fcntl64)(file, command, value);
}

/* ---- processes and what connects them ------------------------------------------------------------------------------------ */

EXPORT int memfd_create(const char *name, unsigned flags) {
	if (FAILS(IO)) {
		FAIL(ENFILE);
	}
	return REAL(memfd_create)(name, flags);
}

EXPORT int pipe2(int ends[2], int flags) {
	if (FAILS(IO)) {
		FAIL(EMFILE);
	}
	return REAL(pipe2)(ends, flags);
}

EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) {
	if (FAILS(IO)) {
		FAIL(EMFILE);
	}
	return REAL(socketpair)(domain, type, protocol, ends);
}

EXPORT int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
					   const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
	return FAILS(IO) ? EAGAIN : REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

/* ---- memory -------------------------------------------------------------------------------------------------------------- */

/* dlsym allocates: the C library's allocator is called by its other names. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

EXPORT void *malloc(size_t bytes) {
	if (FAILS(MEMORY)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_malloc(bytes);
}

EXPORT void *calloc(size_t count, size_t size) {
	if (FAILS(MEMORY)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_calloc(count, size);
}

EXPORT void *realloc(void *block, size_t bytes) {
	if (FAILS(MEMORY)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_realloc(block, bytes);
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes) {
	if (FAILS(MEMORY)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_memalign(alignment, bytes);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t bytes) {
	void *made = FAILS(MEMORY) ? NULL : __libc_memalign(alignment, bytes);
	if (!made) {
		return ENOMEM;
	}
	*block = made;
	return 0;
}
