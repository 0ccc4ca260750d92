/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in file before its code runs here: whether it is a shared object, the copy that is loaded, and, for a file that is not
 * known, a first load in another process.
 */
#include "plugin/load_file.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault/fault.h"
#include "file/file.h"
#include "services/services.h"
#include "sinew/base.h"

/* ---- what is no shared object -------------------------------------------------------------------------------------------- */

static bool lies_inside(uint64_t offset, uint64_t bytes, uint64_t file_bytes) {
	return offset <= file_bytes && bytes <= file_bytes - offset;
}

/* Names the part that is not inside the file; NULL if the file is complete. */
static const char *missing_part(FILE *stream, uint64_t file_bytes) {
	Elf64_Ehdr header = {0};
	rewind(stream);
	if (fread(&header, 1, sizeof header, stream) < sizeof header) {
		return "its header";
	}
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
		return NULL;
	}
	if (!lies_inside(header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr), file_bytes)) {
		return "its program headers";
	}
	for (uint16_t i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		if (fseeko(stream, (off_t)(header.e_phoff + (uint64_t)i * sizeof segment), SEEK_SET) != 0 ||
			fread(&segment, sizeof segment, 1, stream) != 1) {
			return "its program headers";
		}
		if (segment.p_type == PT_LOAD && !lies_inside(segment.p_offset, segment.p_filesz, file_bytes)) {
			return "a segment that is loaded";
		}
	}
	/* The section headers come last: if they are complete, so is the rest of the file. */
	if (header.e_shoff != 0 && !lies_inside(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize, file_bytes)) {
		return "its section headers";
	}
	return NULL;
}

static bool begins_as_elf(FILE *stream) {
	char magic[SELFMAG];
	return fread(magic, 1, sizeof magic, stream) == sizeof magic && memcmp(magic, ELFMAG, sizeof magic) == 0;
}

const char *snw_elf_fault(const char *path, snw_arena *arena) {
	FILE *stream = fopen(path, "rbe");
	if (!stream) {
		return snw_arena_format(arena, "it cannot be read: %s", strerror(errno));
	}
	struct stat about = {0};
	const char *fault = NULL;
	if (fstat(fileno(stream), &about) == 0 && S_ISDIR(about.st_mode)) {
		fault = "this is a folder; name the .so in it";
	} else if (!begins_as_elf(stream)) {
		fault = "it is not a shared object; name a .so built with -shared -fPIC";
	} else {
		const uint64_t file_bytes = (uint64_t)about.st_size;
		const char *missing = missing_part(stream, file_bytes);
		if (missing) {
			fault = snw_arena_format(arena, "it is truncated: %s ends beyond its %llu bytes; copy or build it again", missing,
									 (unsigned long long)file_bytes);
		}
	}
	fclose(stream);
	return fault;
}

/* ---- a copy of the file -------------------------------------------------------------------------------------------------- */

enum { MOST_LEVELS = 4, MOST_LINKS = 4000 };

/* $XDG_CACHE_HOME/sinew or ~/.cache/sinew, which is made; NULL where neither is an absolute path. */
static char *cache_folder(snw_arena *arena) {
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *base = cache && cache[0] == '/' ? snw_arena_text(arena, cache)
				 : home && home[0] == '/' ? snw_path_join(arena, home, ".cache")
										  : NULL;
	if (!base) {
		return NULL;
	}
	char *folder = snw_path_join(arena, base, "sinew");
	mkdir(base, 0700);
	mkdir(folder, 0700);
	return folder;
}

static char *copies_folder(snw_arena *arena) {
	char *cache = cache_folder(arena);
	char *folder = cache ? snw_path_join(arena, cache, "loaded") : NULL;
	if (folder) {
		mkdir(folder, 0700);
	}
	return folder;
}

/* What was copied. Rows stay to the end of the process: texts of plug-ins' tables may point to them. */
typedef struct copied_file {
	struct copied_file *next;
	char *copy, *original, *top;
} copied_file;
static _Atomic(copied_file *) copied_files;

static void remember(const char *copy, const char *original, const char *top) {
	copied_file *row = malloc(sizeof *row);
	if (row) {
		row->copy = strdup(copy);
		row->original = strdup(original);
		row->top = strdup(top);
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

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place) {
	(void)about, (void)kind, (void)place;
	(void)remove(path);
	return 0;
}

/* Links in it are removed, not what they lead to. */
static void remove_tree(const char *path) {
	(void)nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* How many folders up from its own a file looks for libraries: the most ".." in a row behind $ORIGIN or ${ORIGIN}. */
static uint32_t count_levels(const snw_bytes *bytes) {
	static const char origin[] = "ORIGIN";
	const char *at = (const char *)bytes->data, *end = at + bytes->count;
	uint32_t most = 0;
	while ((at = memmem(at, (size_t)(end - at), origin, sizeof origin - 1)) != NULL) {
		at += sizeof origin - 1;
		at += at < end && *at == '}';
		uint32_t levels = 0;
		for (; end - at >= 3 && memcmp(at, "/..", 3) == 0; at += 3) {
			levels++;
		}
		most = levels > most ? levels : most;
	}
	return most < MOST_LEVELS ? most : MOST_LEVELS;
}

/* Links in `place` to all that is in `folder`, but for one name. What cannot be linked is missing there. */
static void link_entries(const char *folder, const char *place, const char *but, snw_arena *arena) {
	DIR *listing = opendir(folder);
	uint32_t count = 0;
	for (const struct dirent *entry; listing && count < MOST_LINKS && (entry = readdir(listing)) != NULL;) {
		const char *name = entry->d_name;
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, but) != 0) {
			count += symlink(snw_path_join(arena, folder, name), snw_path_join(arena, place, name)) == 0;
		}
	}
	if (listing) {
		closedir(listing);
	}
}

/* Makes a folder that looks like the one that `name` is in, with so many above it as well. Returns its path. */
static const char *make_surroundings(const char *top, const char *folder, const char *name, uint32_t levels, snw_arena *arena) {
	const char *slash = strrchr(folder, '/'), *place = top;
	if (levels > 0 && slash && slash > folder) {
		const char *above = snw_arena_format(arena, "%.*s", (int)(slash - folder), folder);
		place = snw_path_join(arena, make_surroundings(top, above, slash + 1, levels - 1, arena), slash + 1);
	}
	mkdir(place, 0700);
	link_entries(folder, place, name, arena);
	return place;
}

static bool write_copy(const char *copy, const snw_bytes *bytes) {
	FILE *file = fopen(copy, "wbe");
	if (!file) {
		return false;
	}
	const bool is_written = fwrite(bytes->data, 1, bytes->count, file) == bytes->count;
	return fclose(file) == 0 && is_written && chmod(copy, 0700) == 0;
}

/* The folder of a copy: "bulge-4711-3" in that of all, by the name, the process and the number of the copy. */
static const char *top_of(const char *copies, const char *name, snw_arena *arena) {
	static atomic_uint count;
	return snw_path_join(
		arena, copies,
		snw_arena_format(arena, "%.*s-%ld-%u", (int)strcspn(name, "."), name, (long)getpid(), atomic_fetch_add(&count, 1)));
}

char *snw_loaded_copy_make(const char *path, snw_arena *arena) {
	const char *copies = copies_folder(arena), *name = snw_path_name(path);
	snw_bytes bytes;
	if (!copies || path[0] != '/' || snw_failed(snw_file_read(path, arena, &bytes, NULL))) {
		return NULL;
	}
	const char *top = top_of(copies, name, arena);
	const char *folder = snw_arena_format(arena, "%.*s", (int)(name - path) - (name - path > 1), path);
	const char *place = make_surroundings(top, folder, name, count_levels(&bytes), arena);
	char *copy = snw_path_join(arena, place, name);
	if (!write_copy(copy, &bytes)) {
		remove_tree(top);
		return NULL;
	}
	remember(copy, path, top);
	return copy;
}

void snw_loaded_copy_remove(const char *copy) {
	const copied_file *row = find_row(copy);
	if (row && row->top) {
		remove_tree(row->top);
	}
}

/* The process in a copy's name; 0 if it is no such name. */
static pid_t process_of(const char *name) {
	const char *last = strrchr(name, '-');
	const char *number = last;
	while (number && number > name && number[-1] >= '0' && number[-1] <= '9') {
		number--;
	}
	return number && number > name && number[-1] == '-' ? (pid_t)strtol(number, NULL, 10) : 0;
}

void snw_loaded_copies_clean(void) {
	snw_arena *arena = snw_arena_create();
	const char *folder = copies_folder(arena);
	DIR *listing = folder ? opendir(folder) : NULL;
	for (const struct dirent *entry; listing && (entry = readdir(listing)) != NULL;) {
		const pid_t process = process_of(entry->d_name);
		if (process > 0 && kill(process, 0) != 0 && errno == ESRCH) {
			remove_tree(snw_path_join(arena, folder, entry->d_name));
		}
	}
	if (listing) {
		closedir(listing);
	}
	snw_arena_destroy(arena);
}

/* ---- a first load in another process ------------------------------------------------------------------------------------- */

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
	char *folder = cache_folder(arena);
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
static bool find_known(const char *rows, const char *key, snw_arena *arena, const char **reason) {
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
	const bool is_known = key && find_known(rows, key, arena, &reason);
	if (is_known && (reason || !context)) {
		return reason;
	}
	verdict found = {0};
	if (try_twice(path, load, context, arena, &found) == ENDED && found.lasts && key && (!is_known || found.reason)) {
		add_row(cache, rows, path, key, found.reason, arena);
	}
	return found.reason;
}
