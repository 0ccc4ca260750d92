/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/trial_load.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault/call_limit.h"
#include "file/file.h"
#include "plugin/loaded_copy.h"
#include "services/services.h"
#include "sinew/base.h"

enum { LONGEST_TRIAL_SECONDS = 10, FIRST_TRIAL_SECONDS = 3, CACHE_REVISION = 2 };

/* ---- the child ----------------------------------------------------------------------------------------------------------- */

/* What the child calls, as the registry names it, in memory that both processes have. */
static const char *const functions[] = {"dlopen", "open", "deformer", "extension", "close", "dlclose"};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };
static _Atomic uint32_t *current_function;

static void note_function(const char *function) {
	for (uint32_t f = 0; f < FUNCTION_COUNT && function; f++) {
		if (strcmp(functions[f], function) == 0) {
			atomic_store(current_function, f);
		}
	}
}

/* "while it is loaded", which runs its constructors; "in its function 'open'". */
static const char *current_place(snw_arena *arena) {
	const uint32_t f = current_function ? atomic_load(current_function) : 0;
	return f == 0 || f >= FUNCTION_COUNT ? "while it is loaded"
		   : f == FUNCTION_COUNT - 1     ? "while it is unloaded"
										 : snw_arena_format(arena, "in its function '%s'", functions[f]);
}

/* Says one byte once all is done. What the plug-in prints is its own affair, and a crash leaves no core behind. */
static void run_child(const char *path, snw_plugin_loader *load, void *context, int answer) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int descriptor = 0; nowhere >= 0 && descriptor < 3; descriptor++) {
		dup2(nowhere, descriptor);
	}
	if (current_function) {
		snw_thread_watch_functions(note_function);
	}
	load(path, context);
	_exit(write(answer, "", 1) == 1 ? 0 : 1);
}

static uint32_t trial_seconds(void) {
	const uint32_t limit = snw_call_limit_seconds();
	return limit > 0 && limit < LONGEST_TRIAL_SECONDS ? limit : LONGEST_TRIAL_SECONDS;
}

/* What a trial found. */
typedef struct verdict {
	const char *reason; /* why the file is not to be loaded; NULL: it did no harm */
	bool lasts;         /* until the file changes */
} verdict;

/* A signal that code raises by what it does; the others come from outside (the system that is out of memory, a user). */
static bool is_crash(int signal) {
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGABRT ||
		   signal == SIGTRAP || signal == SIGSYS;
}

static verdict verdict_of_ending(int ending, snw_arena *arena) {
	if (!WIFSIGNALED(ending)) { /* does not last: this program exits too, when it is out of memory */
		return (verdict){.reason = snw_arena_format(arena, "it ends the program %s", current_place(arena))};
	}
	const char *name = strsignal(WTERMSIG(ending));
	if (is_crash(WTERMSIG(ending))) {
		return (verdict){snw_arena_format(arena, "it crashes %s (%s)", current_place(arena), name), .lasts = true};
	}
	return (verdict){.reason = snw_arena_format(arena, "it could not be tried: a signal ended that (%s); try again", name)};
}

static verdict verdict_of_waiting(uint32_t seconds, snw_arena *arena) {
	const char *place = snw_arena_format(arena, " (stopped %s)", current_place(arena));
	/* It may have waited for a busy machine. */
	return (verdict){
		.reason = snw_arena_format(
			arena, "it was not loaded within %u seconds%s; every command tries it again, so move it away", seconds, place)};
}

typedef enum trial_end { NO_CHILD, ENDED, WAITED } trial_end;

static trial_end wait_for_child(pid_t child, int answer, uint32_t seconds, snw_arena *arena, verdict *found) {
	struct pollfd wanted = {.fd = answer, .events = POLLIN};
	int ready, ending = 0;
	do {
		ready = poll(&wanted, 1, (int)seconds * 1000);
	} while (ready < 0 && errno == EINTR);
	char byte;
	const bool is_done = ready > 0 && read(answer, &byte, 1) == 1;
	if (ready == 0) {
		kill(child, SIGKILL);
	}
	while (waitpid(child, &ending, 0) < 0 && errno == EINTR) {
	}
	*found = is_done      ? (verdict){.lasts = true}
			 : ready == 0 ? verdict_of_waiting(seconds, arena)
						  : verdict_of_ending(ending, arena);
	return ready == 0 ? WAITED : ENDED;
}

static trial_end try_in_child(const char *path, snw_plugin_loader *load, void *context, uint32_t seconds, snw_arena *arena,
							  verdict *found) {
	int ends[2];
	if (!current_function) {
		void *shared = mmap(NULL, sizeof *current_function, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		current_function = shared == MAP_FAILED ? NULL : shared;
	}
	if (current_function) {
		atomic_store(current_function, 0);
	}
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return NO_CHILD;
	}
	const pid_t child = fork();
	if (child == 0) {
		run_child(path, load, context, ends[1]);
	}
	close(ends[1]);
	const trial_end end = child < 0 ? NO_CHILD : wait_for_child(child, ends[0], seconds, arena, found);
	close(ends[0]);
	return end;
}

/* A fork copies the locks that other threads hold at that moment, the dynamic linker's and a sanitizer's among them, and a
 * child that needs one waits for ever. So it may be no fault of the file's that a first child waits: another one tries it. */
static trial_end try_twice(const char *path, snw_plugin_loader *load, void *context, snw_arena *arena, verdict *found) {
	const uint32_t seconds = trial_seconds();
	const uint32_t first = seconds < FIRST_TRIAL_SECONDS ? seconds : FIRST_TRIAL_SECONDS;
	const trial_end end = try_in_child(path, load, context, first, arena, found);
	return end == WAITED ? try_in_child(path, load, context, seconds, arena, found) : end;
}

/* ---- what was found before ----------------------------------------------------------------------------------------------- */

/* The first line of the cache: another program may find something else. */
static const char *cache_mark(snw_arena *arena) {
	return snw_arena_format(arena, "sinew-plugins %d %s %d.%d\n", CACHE_REVISION, SINEW_VERSION, SNW_ABI_MAJOR, SNW_ABI_MINOR);
}

/* NULL where there is no place for it. */
static const char *cache_path(snw_arena *arena) {
	char *folder = snw_plugin_cache_folder(arena);
	return folder ? snw_path_join(arena, folder, "plugins") : NULL;
}

/* What a row of the cache begins with: the file as it is now. NULL for a path that no row can hold. */
static const char *row_key(const char *path, snw_arena *arena) {
	struct stat about;
	if (strpbrk(path, "\t\n") || stat(path, &about) != 0) {
		return NULL;
	}
	return snw_arena_format(arena, "%s\t%lld\t%lld.%09ld\t", path, (long long)about.st_size, (long long)about.st_mtim.tv_sec,
							about.st_mtim.tv_nsec);
}

/* The rows of the cache, behind its mark; "" for none. */
static const char *read_rows(const char *cache, snw_arena *arena) {
	const char *mark = cache_mark(arena);
	snw_bytes bytes;
	if (!cache || !snw_file_exists(cache) || snw_failed(snw_file_read(cache, arena, &bytes, NULL)) ||
		strncmp((const char *)bytes.data, mark, strlen(mark)) != 0) {
		return "";
	}
	return (const char *)bytes.data + strlen(mark);
}

static const char *line_after(const char *line) {
	const char *end = strchr(line, '\n');
	return end ? end + 1 : line + strlen(line);
}

/* False where nothing is known of the file as it is. */
static bool find_row(const char *rows, const char *key, snw_arena *arena, const char **reason) {
	for (const char *row = rows; row[0]; row = line_after(row)) {
		if (strncmp(row, key, strlen(key)) == 0) {
			const char *words = row + strlen(key);
			const size_t count = strcspn(words, "\n");
			*reason = count > 0 ? snw_arena_format(arena, "%.*s", (int)count, words) : NULL;
			return true;
		}
	}
	return false;
}

/* Whether a row is of this path, or of a file that is gone. */
static bool is_superseded(const char *row, const char *path, snw_arena *arena) {
	const char *other = snw_arena_format(arena, "%.*s", (int)strcspn(row, "\t\n"), row);
	return strcmp(other, path) == 0 || !snw_file_exists(other);
}

/* Best effort: without it the next start tries again. */
static void add_row(const char *cache, const char *rows, const char *path, const char *key, const char *reason,
					snw_arena *arena) {
	snw_file_write *file;
	if (!cache || (reason && strchr(reason, '\n')) || snw_failed(snw_file_write_begin(cache, &file, NULL))) {
		return;
	}
	FILE *stream = snw_file_write_stream(file);
	fputs(cache_mark(arena), stream);
	for (const char *row = rows; row[0]; row = line_after(row)) {
		if (!is_superseded(row, path, arena)) {
			fwrite(row, 1, (size_t)(line_after(row) - row), stream);
		}
	}
	fprintf(stream, "%s%s\n", key, reason ? reason : "");
	(void)snw_file_write_commit(file, NULL);
}

const char *snw_plugin_trial(const char *path, snw_plugin_loader *load, void *context, snw_arena *arena) {
	const char *key = row_key(path, arena), *cache = cache_path(arena);
	const char *rows = read_rows(cache, arena), *reason = NULL;
	const bool is_known = key && find_row(rows, key, arena, &reason);
	if (is_known && (reason || !context)) {
		return reason;
	}
	verdict found = {0};
	if (try_twice(path, load, context, arena, &found) == ENDED && found.lasts && key && (!is_known || found.reason)) {
		add_row(cache, rows, path, key, found.reason, arena);
	}
	return found.reason;
}
