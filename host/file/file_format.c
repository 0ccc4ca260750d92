/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file/file_format.h"

#include <string.h>
#include <strings.h>

#include "file/file.h"

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
