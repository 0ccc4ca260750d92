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

#include "base/file.h"
#include "base/natural_order.h"

typedef struct paths {
	snw_arena *arena;
	char **items;
	size_t count, capacity;
} paths;

static void add_path(paths *list, char *path) {
	if (list->count == list->capacity) {
		list->capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
		char **grown = SNW_NEW_ARRAY(list->arena, char *, list->capacity);
		if (list->count > 0) {
			memcpy(grown, list->items, list->count * sizeof *grown);
		}
		list->items = grown;
	}
	list->items[list->count++] = path;
}

static bool is_folder(const char *path) {
	struct stat about;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool is_shared_object(const char *path) {
	struct stat about;
	return strcmp(snw_path_extension(path), "so") == 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static void add_folder(paths *found, const char *folder, int levels) {
	DIR *stream = opendir(folder);
	if (!stream) {
		return;
	}
	paths inside = {.arena = found->arena};
	for (const struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
		if (entry->d_name[0] != '.') {
			add_path(&inside, snw_path_join(found->arena, folder, entry->d_name));
		}
	}
	closedir(stream);
	snw_natural_sort(inside.items, inside.count);
	for (size_t i = 0; i < inside.count; i++) {
		if (is_shared_object(inside.items[i])) {
			add_path(found, inside.items[i]);
		} else if (levels > 0 && is_folder(inside.items[i])) {
			add_folder(found, inside.items[i], levels - 1);
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
		if (is_shared_object(entry)) {
			add_path(found, entry);
		} else if (entry[0]) {
			add_folder(found, entry, 1);
		}
	}
}

static void add_from_home(paths *found) {
	const char *data = getenv("XDG_DATA_HOME");
	const char *home = getenv("HOME");
	if (data && data[0] == '/') {
		add_folder(found, snw_arena_format(found->arena, "%s/sinew/plugins", data), 1);
	} else if (home && home[0]) {
		add_folder(found, snw_arena_format(found->arena, "%s/.local/share/sinew/plugins", home), 1);
	}
}

/* The `deformers` of the build tree that the running program stands in, or NULL where it stands in none. */
static char *build_tree_folder(snw_arena *arena) {
	char program[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	if (length <= 0) {
		return NULL;
	}
	program[length] = 0;
	for (char *slash = strrchr(program, '/'); slash && slash != program; slash = strrchr(program, '/')) {
		*slash = 0;
		if (is_folder(snw_path_join(arena, program, "meson-info"))) {
			return snw_path_join(arena, program, "deformers");
		}
	}
	return NULL;
}

char **snw_plugin_search(snw_arena *arena, size_t *count) {
	paths found = {.arena = arena};
	add_from_environment(&found);
	add_from_home(&found);
	const char *beside = build_tree_folder(arena);
	add_folder(&found, beside ? beside : SINEW_PLUGIN_DIR, 1);
	*count = found.count;
	return found.items;
}
