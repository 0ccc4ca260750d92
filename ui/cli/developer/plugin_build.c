/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew plugin build: compiles a plug-in against the headers and the kit that came with this program, validates it, and
 * installs it for this user.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/developer/developer.h"
#include "file/file.h"
#include "plugin/registry.h"
#include "validate/validate.h"

/* ---- the compiler -------------------------------------------------------------------------------------------------------- */

typedef struct compiler_words {
	snw_arena *arena;
	char *items[256];
	size_t count;
} compiler_words;

/* Adds the words of a text, which blanks separate. */
static void add_words(compiler_words *list, const char *text) {
	char *rest = snw_arena_text(list->arena, text);
	for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " ")) {
		if (word[0] && list->count + 1 < sizeof list->items / sizeof list->items[0]) {
			list->items[list->count++] = word;
		}
	}
}

static void add_path(compiler_words *list, const char *before, const char *folder, const char *name) {
	if (list->count + 1 < sizeof list->items / sizeof list->items[0]) {
		list->items[list->count++] = snw_arena_format(list->arena, "%s%s%s%s", before, folder, name[0] ? "/" : "", name);
	}
}

static bool is_cpp(const char *path) {
	return snw_path_has_extension(path, "cpp|cc|cxx");
}

/* The headers and the library: in the build tree, relative to the installed program, or at the configured prefix. */
static void add_kit(compiler_words *list) {
	const char *tree = snw_build_tree(), *program = snw_program_folder(list->arena);
	if (tree) {
		add_path(list, "-I", SINEW_SOURCE_TREE, "plugins/include");
		add_path(list, "-I", SINEW_SOURCE_TREE, "plugins/runtime");
		add_path(list, "-I", SINEW_SOURCE_TREE, "plugins/kit/include");
		add_path(list, "", tree, "plugins/kit/libsinew-kit.a");
		return;
	}
	const char *beside = program ? snw_path_join(list->arena, program, "../" SINEW_INCLUDE_FOLDER) : "";
	const bool is_beside = snw_file_exists(snw_path_join(list->arena, beside, "sinew/sinew.h"));
	const char *prefix = is_beside ? snw_path_join(list->arena, program, "..") : SINEW_PREFIX;
	add_path(list, "-I", prefix, SINEW_INCLUDE_FOLDER);
	add_path(list, "", prefix, SINEW_LIBRARY_FOLDER "/libsinew-kit.a");
}

static snw_status say_stopped(snw_error *error) {
	return snw_fail(error, SNW_CANCELLED, "stopped; nothing was written");
}

/* SNW_CANCELLED after Ctrl-C, which the compiler gets too. */
static snw_status check_stop(const snw_call *call, double fraction, const char *activity, snw_error *error) {
	return snw_task_progress(&call->task, fraction, activity) ? SNW_OK : say_stopped(error);
}

static snw_status run_compiler(const snw_call *call, const compiler_words *list, snw_error *error) {
	pid_t child;
	int state = 0;
	const int fault = posix_spawnp(&child, list->items[0], NULL, NULL, list->items, environ);
	if (fault != 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: the compiler cannot be run: %s; install one, or name it in $CC or $CXX",
						list->items[0], strerror(fault));
	}
	while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
	}
	const snw_status status = check_stop(call, 0.3, "validating", error);
	if (snw_failed(status) || (WIFEXITED(state) && WEXITSTATUS(state) == 0)) {
		return status;
	}
	if (WIFSIGNALED(state)) {
		return snw_fail(error, SNW_CANCELLED, "%s: the compiler was ended by signal %d (%s); nothing was written",
						list->items[0], WTERMSIG(state), strsignal(WTERMSIG(state)));
	}
	return snw_fail(error, SNW_ERROR_DATA, "it does not compile; the lines above say why");
}

static snw_status compile(const snw_call *call, const char *object, snw_error *error) {
	compiler_words list = {.arena = call->arena};
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
	return run_compiler(call, &list, error);
}

/* ---- where it goes ------------------------------------------------------------------------------------------------------- */

/* The folder of this user's plug-ins, which the registry searches; it is made. */
static snw_status plugin_folder(snw_arena *arena, const char **folder, snw_error *error) {
	char *path = snw_plugin_user_folder(arena);
	if (!path) {
		return snw_fail(error, SNW_ERROR_MISSING, "there is no home folder to install into; name a file with -o");
	}
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

/* Where the shared object goes. */
typedef struct object_place {
	const char *folder; /* NULL with -o */
	const char *path;   /* NULL until the deformer's short name is known */
	const char *next;   /* the command that uses it; NULL until then */
} object_place;

static snw_status choose_place(const snw_call *call, object_place *to, snw_error *error) {
	to->path = snw_call_option(call, "-o");
	if (!to->path) {
		return plugin_folder(call->arena, &to->folder, error);
	}
	return snw_path_has_extension(to->path, "so")
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "%s: a plug-in's name ends in .so", to->path);
}

/* ---- what else is installed ---------------------------------------------------------------------------------------------- */

/* The deformers of the new file among those of the search path. */
typedef struct neighbours {
	const snw_plugin_info *replaced; /* in the file that will be replaced; NULL for none */
	bool is_successor;               /* the new file has a deformer of the one that it replaces */
	const snw_plugin_info *other;    /* in another file, with the id or the short name of a new one; NULL for none */
} neighbours;

static neighbours find_neighbours(const snw_call *call, const snw_registry *built, const snw_registry *all, const char *path) {
	neighbours found = {0};
	const char *real_path = snw_path_absolute(call->arena, NULL, path);
	for (uint32_t i = 0; i < snw_registry_count(all); i++) {
		const snw_plugin_info *info = snw_registry_get(all, i);
		if (!info->deformer) {
			continue;
		}
		const snw_descriptor *d = info->deformer->descriptor;
		const bool has_id = snw_registry_find(built, d->id) != NULL;
		if (strcmp(snw_path_absolute(call->arena, NULL, info->path), real_path) == 0) {
			found.replaced = info;
			found.is_successor = found.is_successor || has_id;
		} else if (has_id || snw_registry_find(built, d->short_name)) {
			found.other = info;
		}
	}
	return found;
}

/* The registry rejects the second file of an id or a short name. So one that would be that does not replace one that works. */
static snw_status check_neighbours(const snw_call *call, const snw_registry *built, const object_place *to, snw_error *error) {
	snw_registry *all = snw_registry_open();
	const neighbours found = find_neighbours(call, built, all, to->path);
	snw_status status = SNW_OK;
	if (found.other && (to->folder || found.replaced)) {
		const snw_descriptor *d = found.other->deformer->descriptor;
		const bool same_id = snw_registry_find(built, d->id) != NULL;
		status = snw_fail(error, SNW_ERROR_DATA, "the %s '%s' is taken by %s; remove that file or choose another %s",
						  same_id ? "id" : "short name", same_id ? d->id : d->short_name, found.other->path,
						  same_id ? "id" : "short name");
	} else if (to->folder && found.replaced && !found.is_successor) {
		status =
			snw_fail(error, SNW_ERROR_DATA, "%s is another plug-in, with the id '%s'; remove it or choose another short name",
					 to->path, found.replaced->deformer->descriptor->id);
	}
	snw_registry_close(all);
	return status;
}

/* What is not fitted is added to a stack, or, if it would pose points that the character's blend has posed, compared with
 * that. */
static const char *next_command(const snw_call *call, const snw_descriptor *descriptor, const object_place *to) {
	snw_arena *arena = call->arena;
	const char *name = descriptor->short_name;
	const char *found =
		to->folder ? "" : snw_arena_format(arena, "SINEW_PLUGIN_PATH='%s' ", snw_path_absolute(arena, NULL, to->path));
	const char *action = !(descriptor->traits & SNW_BINDS) ? snw_arena_format(arena, "fit %s P.sinew", name)
						 : descriptor->traits & SNW_REPLACES_BLEND
							 ? snw_arena_format(arena, "measure P.sinew --method %s", name)
							 : snw_arena_format(arena, "stack P.sinew add %s", name);
	return snw_arena_format(arena, "%ssinew %s", found, action);
}

/* Names the file after its first deformer, whose short name may be part of a file's name. */
static snw_status check_installed(const snw_call *call, const char *object, object_place *to, snw_error *error) {
	snw_registry *built = snw_registry_open_empty();
	snw_status status = snw_registry_load(built, object, error);
	if (!snw_failed(status)) {
		const snw_descriptor *first = snw_registry_get(built, 0)->deformer->descriptor;
		const char *name = first->short_name;
		to->path = to->path ? to->path : snw_path_join(call->arena, to->folder, snw_arena_format(call->arena, "%s.so", name));
		to->next = next_command(call, first, to);
		status = check_neighbours(call, built, to, error);
	}
	snw_registry_close(built);
	return status;
}

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

/* An empty file for the compiler, beside the one that it will replace. */
static snw_status begin_object(const snw_call *call, const object_place *to, char **object, snw_error *error) {
	const char *path = to->path ? to->path : snw_path_join(call->arena, to->folder, "plugin.so");
	*object = snw_file_unfinished_name(path, call->arena);
	const int file = mkstemp(*object);
	if (file < 0) {
		return snw_fail(error, SNW_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
	}
	snw_file_permit(file);
	close(file);
	return SNW_OK;
}

/* Opens it anew to flush it: linkers may put another file in the place of the one that they were given. */
static bool flush(const char *object) {
	const int file = open(object, O_RDONLY | O_CLOEXEC);
	const bool done = file >= 0 && fsync(file) == 0;
	const int code = errno;
	if (file >= 0) {
		close(file);
	}
	errno = code;
	return done;
}

static snw_status commit(const char *object, const char *path, snw_error *error) {
	const snw_status status = snw_cli_make_executable(object, error);
	if (snw_failed(status)) {
		return status;
	}
	if (!flush(object) || rename(object, path) != 0) {
		return snw_fail(error, SNW_ERROR_IO, "%s: could not be written: %s; the old file is unchanged", path, strerror(errno));
	}
	snw_file_sync_folder(path);
	return SNW_OK;
}

/* Compiled and checked under another name: what is installed stays until its successor has passed. */
static snw_status build(const snw_call *call, object_place *to, snw_error *error) {
	char *object;
	snw_status status = begin_object(call, to, &object, error);
	if (snw_failed(status)) {
		return status;
	}
	status = check_stop(call, 0, "compiling", error);
	status = snw_failed(status) ? status : compile(call, object, error);
	if (!snw_failed(status)) {
		status = snw_cli_validate(call, object, &(snw_validate_options){.seed = 1, .level = SNW_VALIDATE_QUICK}, error);
		status = status == SNW_CANCELLED ? say_stopped(error) : status;
	}
	status = snw_failed(status) ? status : check_installed(call, object, to, error);
	status = snw_failed(status) ? status : check_stop(call, 1, "installing", error);
	status = snw_failed(status) ? status : commit(object, to->path, error);
	snw_error_rename(error, object, call->arguments[1]);
	if (snw_failed(status)) {
		unlink(object);
	}
	return status;
}

snw_status snw_cli_plugin_build(const snw_call *call, snw_error *error) {
	object_place to = {0};
	snw_status status = SNW_OK;
	if (call->argument_count < 2) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the source is missing; usage: sinew plugin build FILE.c…");
	}
	for (int i = 1; i < call->argument_count && !snw_failed(status); i++) {
		status = snw_file_check_readable(call->arguments[i], error);
	}
	status = snw_failed(status) ? status : choose_place(call, &to, error);
	status = snw_failed(status) ? status : build(call, &to, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_answer_text(call->answer, "path", to.path);
	status = snw_cli_list_plugin(call, to.path, to.folder != NULL, error);
	if (!snw_failed(status)) {
		snw_say(call, "next: %s", to.next);
	}
	return status;
}
