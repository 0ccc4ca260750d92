/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew plugin build: compiles a plug-in against the headers and the kit that came with this program, validates it, and installs it for
 * this user.
 */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/developer/plugin.h"
#include "file/build_tree.h"
#include "file/file.h"
#include "file/file_format.h"
#include "validate/validate.h"

/* ---- the compiler ---------------------------------------------------------------------------------------------------------- */

typedef struct words {
	snw_arena *arena;
	char *items[256];
	size_t count;
} words;

/* Adds the words of a text, which blanks separate. */
static void add_words(words *list, const char *text) {
	char *rest = snw_arena_text(list->arena, text);
	for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " ")) {
		if (word[0] && list->count + 1 < sizeof list->items / sizeof list->items[0]) {
			list->items[list->count++] = word;
		}
	}
}

static void add_path(words *list, const char *before, const char *folder, const char *name) {
	if (list->count + 1 < sizeof list->items / sizeof list->items[0]) {
		list->items[list->count++] = snw_arena_format(list->arena, "%s%s%s%s", before, folder, name[0] ? "/" : "", name);
	}
}

static bool is_cpp(const char *path) {
	return snw_path_has_extension(path, "cpp|cc|cxx");
}

/* The headers and the library: in the build tree, relative to the installed program, or at the configured prefix. */
static void add_kit(words *list) {
	const char *tree = snw_build_tree(), *program = snw_program_folder(list->arena);
	if (tree) {
		add_path(list, "-I", SINEW_SOURCE_TREE, "plugins/include");
		add_path(list, "-I", SINEW_SOURCE_TREE, "plugins/runtime");
		add_path(list, "-I", SINEW_SOURCE_TREE, "deformers/kit/include");
		add_path(list, "", tree, "deformers/kit/libsinew-kit.a");
		return;
	}
	const char *beside = program ? snw_path_join(list->arena, program, "../" SINEW_INCLUDE_FOLDER) : "";
	const bool is_beside = snw_file_exists(snw_path_join(list->arena, beside, "sinew/sinew.h"));
	const char *prefix = is_beside ? snw_path_join(list->arena, program, "..") : SINEW_PREFIX;
	add_path(list, "-I", prefix, SINEW_INCLUDE_FOLDER);
	add_path(list, "", prefix, SINEW_LIBRARY_FOLDER "/libsinew-kit.a");
}

static snw_status run_compiler(const words *list, snw_error *error) {
	pid_t child;
	int state = 0;
	const int fault = posix_spawnp(&child, list->items[0], NULL, NULL, list->items, environ);
	if (fault != 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: the compiler cannot be run: %s; install one, or name it in $CC or $CXX",
						list->items[0], strerror(fault));
	}
	while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
	}
	return WIFEXITED(state) && WEXITSTATUS(state) == 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_DATA, "it does not compile; the lines above say why");
}

static snw_status compile(const snw_call *call, const char *object, snw_error *error) {
	words list = {.arena = call->arena};
	bool any_cpp = false;
	for (int i = 1; i < call->argument_count; i++) {
		any_cpp = any_cpp || is_cpp(call->arguments[i]);
	}
	const char *named = getenv(any_cpp ? "CXX" : "CC");
	add_words(&list, named && named[0] ? named : any_cpp ? "c++" : "cc");
	add_words(&list, any_cpp ? "-std=c++17" : "-std=c11");
	add_words(&list, "-O2 -g -Wall -shared -fPIC -fvisibility=hidden");
	for (int i = 1; i < call->argument_count; i++) {
		add_path(&list, "", call->arguments[i], "");
	}
	add_kit(&list);
	add_words(&list, "-lm -o");
	add_path(&list, "", object, "");
	return run_compiler(&list, error);
}

/* ---- where it goes --------------------------------------------------------------------------------------------------------- */

/* The person's folder of plug-ins, which the registry searches; it is made. */
static snw_status plugin_folder(snw_arena *arena, const char **folder, snw_error *error) {
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	if ((!data || data[0] != '/') && (!home || home[0] != '/')) {
		return snw_fail(error, SNW_ERROR_MISSING, "there is no home folder to install into; name a file with -o");
	}
	char *path = data && data[0] == '/' ? snw_path_join(arena, data, "sinew/plugins")
										: snw_path_join(arena, home, ".local/share/sinew/plugins");
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	*folder = path;
	return mkdir(path, 0755) == 0 || errno == EEXIST
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_IO, "%s: the folder cannot be made: %s", path, strerror(errno));
}

/* The shared object that the call makes: that of -o, or the first source's name in the person's folder. */
static snw_status choose_path(const snw_call *call, const char **path, snw_error *error) {
	const char *folder = NULL, *output = snw_call_option(call, "-o");
	if (output) {
		*path = snw_path_has_extension(output, "so") ? output : NULL;
		return *path ? SNW_OK : snw_fail(error, SNW_ERROR_ARGUMENT, "%s: a plug-in's name ends in .so", output);
	}
	const snw_status status = plugin_folder(call->arena, &folder, error);
	if (!snw_failed(status)) {
		const char *name = snw_path_name(call->arguments[1]);
		*path = snw_arena_format(call->arena, "%s/%.*s.so", folder, (int)strcspn(name, "."), name);
	}
	return status;
}

/* Compiled and checked under another name: what is installed stays until its successor has passed. */
static snw_status build(const snw_call *call, const char *path, snw_error *error) {
	snw_file_write *file;
	snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *object = snw_arena_text(call->arena, snw_file_write_path(file));
	status = compile(call, object, error);
	if (!snw_failed(status)) {
		status = snw_cli_validate(call, object, &(snw_validate_options){.seed = 1, .level = SNW_VALIDATE_QUICK}, error);
		snw_error_rename(error, object, call->arguments[1]);
	}
	if (snw_failed(status)) {
		snw_file_write_abandon(file);
		return status;
	}
	chmod(object, 0755);
	return snw_file_write_commit(file, error);
}

snw_status snw_cli_plugin_build(const snw_call *call, snw_error *error) {
	const char *path = NULL;
	snw_status status = SNW_OK;
	if (call->argument_count < 2) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the source is missing; usage: sinew plugin build FILE.c…");
	}
	for (int i = 1; i < call->argument_count && !snw_failed(status); i++) {
		status = snw_file_check_readable(call->arguments[i], error);
	}
	status = snw_failed(status) ? status : choose_path(call, &path, error);
	status = snw_failed(status) ? status : build(call, path, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_answer_text(call->answer, "path", path);
	return snw_cli_list_plugin(call, path, error);
}
