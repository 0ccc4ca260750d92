/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/loaded_copy.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"

enum { MOST_LEVELS = 4, MOST_LINKS = 4000 };

char *snw_plugin_cache_folder(snw_arena *arena) {
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
	char *cache = snw_plugin_cache_folder(arena);
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
