/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file/build_tree.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"

char *snw_program_folder(snw_arena *arena) {
	char program[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	if (length <= 0) {
		return NULL;
	}
	program[length] = '\0';
	return snw_path_folder(program, arena);
}

const char *snw_build_tree(void) {
	static const char tree[] = SINEW_BUILD_TREE "/";
	snw_arena *arena = snw_arena_create();
	const char *folder = snw_program_folder(arena);
	const bool inside = folder && strncmp(folder, tree, sizeof tree - 1) == 0;
	snw_arena_destroy(arena);
	return inside ? SINEW_BUILD_TREE : NULL;
}
