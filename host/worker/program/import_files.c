/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/program/import_files.h"

#include <stdlib.h>
#include <string.h>

#include "file/file.h"

typedef struct folders {
	snw_arena *arena;
	const char **paths;
	uint32_t count, capacity;
} folders;

static void add_path(folders *list, const char *path) {
	/* Frames are mostly in one folder, so the search begins at the last one. */
	for (uint32_t i = list->count; i-- > 0;) {
		if (strcmp(list->paths[i], path) == 0) {
			return;
		}
	}
	if (list->count == list->capacity) {
		list->capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
		const char **grown = SNW_NEW_ARRAY(list->arena, const char *, list->capacity);
		if (list->count > 0) {
			memcpy(grown, list->paths, list->count * sizeof *grown);
		}
		list->paths = grown;
	}
	list->paths[list->count++] = snw_arena_text(list->arena, path);
}

static void add_folder(folders *list, const char *file) {
	add_path(list, snw_path_folder(file, list->arena));
}

/* A file that is hidden, but named. */
static void add_hidden(folders *list, const char *file) {
	if (snw_path_name(file)[0] == '.') {
		add_path(list, file);
	}
}

static void add_file(folders *list, const char *file) {
	if (!file) {
		return;
	}
	char *real = realpath(file, NULL);
	add_folder(list, file);
	add_hidden(list, file);
	if (real) {
		add_folder(list, real);
		add_hidden(list, real);
	}
	free(real);
}

static void add_sequence(folders *list, const char *pattern) {
	char **paths;
	size_t count = 0;
	if (strchr(pattern, '*') && !snw_failed(snw_path_sequence(pattern, list->arena, &paths, &count, NULL))) {
		for (size_t i = 0; i < count; i++) {
			add_file(list, paths[i]);
		}
	} else {
		add_file(list, pattern);
	}
}

const char *const *snw_import_folders(const snw_import_request *request, snw_arena *arena, uint32_t *count) {
	folders list = {.arena = arena};
	add_file(&list, request->file);
	add_file(&list, request->rest);
	if (request->sequence) {
		add_sequence(&list, request->sequence);
	}
	for (uint32_t i = 0; i < request->further_count; i++) {
		add_sequence(&list, request->further[i].sequence);
		add_file(&list, request->further[i].rest);
	}
	*count = list.count;
	return list.paths;
}
