/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/search_path.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "file/file.h"
#include "plugin/load_file.h"

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
	snw_loaded_copies_sweep(folder, found->arena);
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
