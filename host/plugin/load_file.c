/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in file before its code runs here: whether it is a shared object, the copy that is loaded, and a first load in another
 * process.
 */
#include "plugin/registry.h"

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

#include "base/numbers.h"
#include "fault/fault.h"
#include "file/file.h"
#include "isolation/confine.h"
#include "services/services.h"
#include "sinew/base.h"
#include "sinew/kit/clock.h"

/* ---- load file ----------------------------------------------------------------------------------------------------------- */

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

/* Removes the copies in a folder that killed programs have left there. */
static void loaded_copies_sweep(const char *folder, snw_arena *arena) {
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
	loaded_copies_sweep(folder, arena);
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

/* ---- search path --------------------------------------------------------------------------------------------------------- */

typedef struct paths {
	snw_arena *arena;
	snw_plugin_path *items;
	size_t count, capacity;
} paths;

static void add_path(paths *list, char *path, const char *reason) {
	if (list->count == list->capacity) {
		list->capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
		snw_plugin_path *grown = SNW_NEW_ARRAY(list->arena, snw_plugin_path, list->capacity);
		if (list->count > 0) {
			memcpy(grown, list->items, list->count * sizeof *grown);
		}
		list->items = grown;
	}
	list->items[list->count++] = (snw_plugin_path){.path = path, .reason = reason};
}

static bool is_folder(const char *path) {
	struct stat about;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool is_shared_object(const char *path) {
	struct stat about;
	return strcmp(snw_path_extension(path), "so") == 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* A file that everybody may write is not loaded: anybody could put code into it. */
static const char *fault_of(const char *path) {
	struct stat about;
	return stat(path, &about) == 0 && about.st_mode & S_IWOTH ? "everybody may write to it; run 'chmod o-w' on it or move it"
															  : NULL;
}

/* Whoever may write to a folder can replace a file in it. For a link, this is the folder of the file that it leads to. */
static const char *fault_of_file(const char *path, snw_arena *arena) {
	char real_path[PATH_MAX];
	const char *fault = fault_of(path);
	if (fault || !realpath(path, real_path)) {
		return fault; /* a path that leads nowhere is refused when it is loaded */
	}
	const char *folder = snw_path_folder(real_path, arena);
	return fault_of(folder) ? snw_arena_format(arena,
											   "it is in %s, to which everybody may write; run 'chmod o-w' on that folder "
											   "or move the file",
											   folder)
							: NULL;
}

/* The names in a folder, in natural order. */
static char **list_folder(const char *folder, snw_arena *arena, size_t *count) {
	struct dirent **entries = NULL;
	const int found = scandir(folder, &entries, NULL, NULL);
	char **names = SNW_NEW_ARRAY(arena, char *, found > 0 ? (size_t)found : 0);
	*count = 0;
	for (int i = 0; i < found; i++) {
		if (entries[i]->d_name[0] != '.') {
			names[(*count)++] = snw_path_join(arena, folder, entries[i]->d_name);
		}
		free(entries[i]);
	}
	free(entries);
	snw_natural_sort(names, *count);
	return names;
}

static void add_file(paths *found, char *path) {
	add_path(found, path, fault_of_file(path, found->arena));
}

static void add_folder(paths *found, char *folder, int levels) {
	size_t count;
	if (fault_of(folder)) {
		add_path(found, folder, fault_of(folder));
		return;
	}
	loaded_copies_sweep(folder, found->arena);
	char **inside = list_folder(folder, found->arena, &count);
	for (size_t i = 0; i < count; i++) {
		if (is_shared_object(inside[i])) {
			add_file(found, inside[i]);
		} else if (levels > 0 && is_folder(inside[i])) {
			add_folder(found, inside[i], levels - 1);
		}
	}
}

static void add_from_environment(paths *found) {
	const char *variable = getenv("SINEW_PLUGIN_PATH");
	if (!variable) {
		return;
	}
	char *rest = snw_arena_text(found->arena, variable);
	for (char *entry = strsep(&rest, ":"); entry; entry = strsep(&rest, ":")) {
		if (entry[0] && entry[0] != '/') {
			add_path(found, entry, "$SINEW_PLUGIN_PATH has it as a relative path; use an absolute path");
		} else if (is_shared_object(entry)) {
			add_file(found, entry);
		} else if (is_folder(entry)) {
			add_folder(found, entry, 1);
		} else if (entry[0]) {
			add_path(found, entry,
					 "$SINEW_PLUGIN_PATH names it, but it is neither a folder nor a .so; correct or remove the entry");
		}
	}
}

char *snw_plugin_user_folder(snw_arena *arena) {
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	if (data && data[0] == '/') {
		return snw_path_join(arena, data, "sinew/plugins");
	}
	return home && home[0] == '/' ? snw_path_join(arena, home, ".local/share/sinew/plugins") : NULL;
}

/* The same relative to the installed worker, which is in another folder below the prefix; NULL for other programs. */
static char *folder_beside_worker(const char *program, snw_arena *arena) {
	static const char below_prefix[] = SINEW_PLUGIN_DIR_FROM_PROGRAM; /* after "../" */
	const size_t prefix_length = strlen(SINEW_PLUGIN_DIR) - strlen(below_prefix + 3) - 1;
	const char *prefix = snw_arena_format(arena, "%.*s", (int)prefix_length, SINEW_PLUGIN_DIR);
	const char *worker = snw_path_inside(prefix, SINEW_WORKER_DIR); /* as it is if it is elsewhere */
	const size_t length = strlen(program), worker_length = strlen(worker);
	const bool is_worker = length > worker_length + 1 && program[length - worker_length - 1] == '/' &&
						   strcmp(program + length - worker_length, worker) == 0;
	return is_worker && worker[0] != '/'
			   ? snw_arena_format(arena, "%.*s/%s", (int)(length - worker_length - 1), program, below_prefix + 3)
			   : NULL;
}

/* The folder in the build tree, relative to the installed program or worker, or at the configured prefix. */
static char *shipped_folder(snw_arena *arena) {
	const char *tree = snw_build_tree(), *program = snw_program_folder(arena);
	if (tree) {
		return snw_path_join(arena, tree, "deformers");
	}
	char *beside = program ? folder_beside_worker(program, arena) : NULL;
	beside = beside || !program ? beside : snw_path_join(arena, program, SINEW_PLUGIN_DIR_FROM_PROGRAM);
	return beside && is_folder(beside) ? beside : snw_arena_text(arena, SINEW_PLUGIN_DIR);
}

/* What the user has added. */
static void add_others(paths *found) {
	add_from_environment(found);
	if (snw_plugin_user_folder(found->arena)) {
		add_folder(found, snw_plugin_user_folder(found->arena), 1);
	}
}

snw_plugin_path *snw_plugin_search(snw_arena *arena, size_t *count) {
	paths found = {.arena = arena};
	add_folder(&found, shipped_folder(arena), 1);
	for (size_t i = 0; i < found.count; i++) {
		found.items[i].is_shipped = true;
	}
	add_others(&found);
	*count = found.count;
	return found.items;
}

uint64_t snw_plugin_file_stamp(const char *path) {
	struct stat about;
	if (stat(path, &about) != 0) {
		return 0;
	}
	snw_hash hash = {0};
	snw_hash_u64(&hash, (uint64_t)about.st_ino);
	snw_hash_u64(&hash, (uint64_t)about.st_size);
	snw_hash_u64(&hash, (uint64_t)about.st_mtim.tv_sec);
	snw_hash_u64(&hash, (uint64_t)about.st_mtim.tv_nsec);
	return snw_hash_value(&hash);
}

uint64_t snw_plugin_search_stamp(void) {
	snw_arena *arena = snw_arena_create();
	paths found = {.arena = arena};
	snw_hash hash = {0};
	add_others(&found);
	for (size_t i = 0; i < found.count; i++) {
		snw_hash_text(&hash, found.items[i].path);
		snw_hash_u64(&hash, snw_plugin_file_stamp(found.items[i].path));
	}
	const bool is_empty = found.count == 0;
	snw_arena_destroy(arena);
	return is_empty ? SNW_PLUGIN_SEARCH_EMPTY : snw_hash_value(&hash);
}
