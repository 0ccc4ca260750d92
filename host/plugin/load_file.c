/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in file before its code runs here: whether it is a shared object, the copy that is loaded, and a first load in another
 * process.
 */
#include "plugin/load_file.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault/fault.h"
#include "file/file.h"
#include "isolation/confine.h"
#include "services/call_trace.h"
#include "services/services.h"
#include "sinew/base.h"
#include "sinew/kit/clock.h"

const char *snw_plugin_file_fault(const char *path, snw_arena *arena) {
	char magic[SELFMAG];
	struct stat about = {0};
	FILE *stream = fopen(path, "rbe");
	if (!stream) {
		return snw_arena_format(arena, "it cannot be read: %s", strerror(errno));
	}
	const bool is_folder = fstat(fileno(stream), &about) == 0 && S_ISDIR(about.st_mode);
	const bool is_elf = fread(magic, 1, sizeof magic, stream) == sizeof magic && memcmp(magic, ELFMAG, sizeof magic) == 0;
	fclose(stream);
	return is_folder ? "this is a folder; name the .so in it"
		   : is_elf  ? NULL
					 : "it is not a shared object; name a .so built with -shared -fPIC";
}

/* ---- a copy of the file -------------------------------------------------------------------------------------------------- */

/* What was copied. Rows stay to the end of the process: texts of plug-ins' tables may point to them. */
typedef struct copied_file {
	struct copied_file *next;
	char *copy, *original;
} copied_file;
static _Atomic(copied_file *) copied_files;

static void remember(const char *copy, const char *original) {
	copied_file *row = malloc(sizeof *row);
	if (row) {
		row->copy = strdup(copy);
		row->original = strdup(original);
		row->next = atomic_load(&copied_files);
		while (!atomic_compare_exchange_weak(&copied_files, &row->next, row)) {
		}
	}
}

static const copied_file *find_row(const char *copy) {
	for (const copied_file *row = atomic_load(&copied_files); row; row = row->next) {
		if (row->copy && row->original && strcmp(row->copy, copy) == 0) {
			return row;
		}
	}
	return NULL;
}

const char *snw_loaded_copy_original(const char *path) {
	const copied_file *row = find_row(path);
	return row ? row->original : path;
}

/* The process of a copy's name, ".bulge.so-4711-3"; 0 for other names. */
static pid_t process_of_copy(const char *name) {
	const char *ending = name[0] == '.' ? strstr(name, ".so-") : NULL;
	long process = 0;
	unsigned number;
	char more;
	const bool is_copy = ending && sscanf(ending, ".so-%ld-%u%c", &process, &number, &more) == 2;
	return is_copy && process > 0 && process <= INT_MAX ? (pid_t)process : 0;
}

void snw_loaded_copies_sweep(const char *folder, snw_arena *arena) {
	DIR *listing = opendir(folder);
	for (const struct dirent *entry; listing && (entry = readdir(listing)) != NULL;) {
		const pid_t process = process_of_copy(entry->d_name);
		if (process > 0 && kill(process, 0) != 0 && errno == ESRCH) {
			unlink(snw_path_join(arena, folder, entry->d_name));
		}
	}
	if (listing) {
		closedir(listing);
	}
}

static bool write_copy(const char *copy, const snw_bytes *bytes) {
	FILE *file = fopen(copy, "wbe");
	if (!file) {
		return false;
	}
	const bool is_written = fwrite(bytes->data, 1, bytes->count, file) == bytes->count;
	return fclose(file) == 0 && is_written && chmod(copy, 0700) == 0;
}

/* ".bulge.so-4711-3" beside the file, where it finds the libraries that the file finds by $ORIGIN; by the process and the
 * number of the copy. Searches pass over names that begin with a dot. */
char *snw_loaded_copy_make(const char *path, snw_arena *arena) {
	static atomic_uint count;
	snw_bytes bytes;
	if (snw_failed(snw_file_read(path, arena, &bytes, NULL))) {
		return NULL;
	}
	const char *folder = snw_path_folder(path, arena);
	snw_loaded_copies_sweep(folder, arena);
	char *copy = snw_path_join(
		arena, folder, snw_arena_format(arena, ".%s-%ld-%u", snw_path_name(path), (long)getpid(), atomic_fetch_add(&count, 1)));
	if (!write_copy(copy, &bytes)) {
		unlink(copy);
		return NULL;
	}
	remember(copy, path);
	return copy;
}

void snw_loaded_copy_remove(const char *copy) {
	if (find_row(copy)) {
		unlink(copy);
	}
}

/* ---- a first load in another process ------------------------------------------------------------------------------------- */

enum { LONGEST_TRIAL_SECONDS = 10, FIRST_TRIAL_SECONDS = 3, TRIAL_LOOK_MILLISECONDS = 50 };

/* ---- the child ----------------------------------------------------------------------------------------------------------- */

enum { ANSWER = STDERR_FILENO + 1 }; /* the one descriptor that the child has of the program */

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

/* What the program has open is not the plug-in's: a project that it writes to among it. */
static void leave_files(int answer) {
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int descriptor = 0; nowhere >= 0 && descriptor < ANSWER; descriptor++) {
		dup2(nowhere, descriptor);
	}
	if (answer != ANSWER) {
		dup2(answer, ANSWER);
	}
	(void)close_range(ANSWER + 1, ~0U, 0);
}

/* Says one byte once all is done. What the plug-in prints is its own affair, and a crash leaves no core behind. */
static void run_child(const char *path, snw_plugin_loader *load, void *context, int answer) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snw_confine_plugin(true);
	leave_files(answer);
	snw_call_trace_join("sinew plug-in"); /* its file is closed too */
	if (current_function) {
		snw_thread_watch_functions(note_function);
	}
	load(path, context);
	_exit(write(ANSWER, "", 1) == 1 ? 0 : 1);
}

static uint32_t trial_seconds(void) {
	const uint32_t limit = snw_call_limit_seconds();
	return limit > 0 && limit < LONGEST_TRIAL_SECONDS ? limit : LONGEST_TRIAL_SECONDS;
}

/* A signal that code raises by what it does; the others come from outside (the system that is out of memory, a user). */
static bool is_crash(int signal) {
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGABRT ||
		   signal == SIGTRAP || signal == SIGSYS;
}

static const char *reason_of_ending(int ending, snw_arena *arena) {
	if (!WIFSIGNALED(ending)) {
		return snw_arena_format(arena, "it ends the program %s; the next command tries it again, a window once it has changed",
								current_place(arena));
	}
	const char *name = strsignal(WTERMSIG(ending));
	return is_crash(WTERMSIG(ending))
			   ? snw_arena_format(arena, "it crashes %s (%s); the next command tries it again, a window once it has changed",
								  current_place(arena), name)
			   : snw_arena_format(arena, "it could not be tried: a signal ended that (%s); try again", name);
}

static const char *reason_of_waiting(uint32_t seconds, snw_arena *arena) {
	return snw_arena_format(arena,
							"it was not loaded within %u seconds (stopped %s); every command tries it again, so move it away",
							seconds, current_place(arena));
}

/* Whether it was ended because it took too long. */
static bool wait_for_child(pid_t child, int answer, uint32_t seconds, snw_arena *arena, const char **reason) {
	struct pollfd wanted = {.fd = answer, .events = POLLIN};
	const double begun = snk_clock_seconds();
	int ready = 0, ending = 0;
	bool has_ended = false, is_late = false;
	while (ready <= 0 && !has_ended && !is_late) {
		has_ended = snw_confined_has_ended(child);
		ready = poll(&wanted, 1, has_ended ? 0 : TRIAL_LOOK_MILLISECONDS);
		is_late = ready <= 0 && snk_clock_seconds() - begun > seconds;
	}
	char byte;
	const bool is_done = ready > 0 && read(answer, &byte, 1) == 1;
	snw_confined_end(child); /* with what it has started */
	while (waitpid(child, &ending, 0) < 0 && errno == EINTR) {
	}
	*reason = is_done ? NULL : is_late ? reason_of_waiting(seconds, arena) : reason_of_ending(ending, arena);
	return is_late;
}

static bool try_in_child(const char *path, snw_plugin_loader *load, void *context, uint32_t seconds, snw_arena *arena,
						 const char **reason) {
	int ends[2];
	if (!current_function) {
		void *shared = mmap(NULL, sizeof *current_function, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		current_function = shared == MAP_FAILED ? NULL : shared;
	}
	if (current_function) {
		atomic_store(current_function, 0);
	}
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return false;
	}
	const pid_t child = fork();
	if (child == 0) {
		run_child(path, load, context, ends[1]);
	}
	close(ends[1]);
	const bool has_waited = child > 0 && wait_for_child(child, ends[0], seconds, arena, reason);
	close(ends[0]);
	return has_waited;
}

/* A fork copies the locks that other threads hold at that moment, the dynamic linker's and a sanitizer's among them, and a
 * child that needs one waits for ever. So it may be no fault of the file's that a first child waits: another one tries it. */
const char *snw_plugin_trial(const char *path, snw_plugin_loader *load, void *context, snw_arena *arena) {
	const uint32_t seconds = trial_seconds();
	const uint32_t first = seconds < FIRST_TRIAL_SECONDS ? seconds : FIRST_TRIAL_SECONDS;
	const char *reason = NULL;
	if (try_in_child(path, load, context, first, arena, &reason)) {
		(void)try_in_child(path, load, context, seconds, arena, &reason);
	}
	return reason;
}
