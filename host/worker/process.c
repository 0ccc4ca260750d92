/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/file.h"
#include "message/message.h"
#include "worker/program/serve.h"

/* ---- finding it -------------------------------------------------------------------------------------------------- */

static const char *first_executable(const char *const *paths, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (paths[i] && access(paths[i], X_OK) == 0) {
			return paths[i];
		}
	}
	return NULL;
}

snw_status snw_worker_find(snw_arena *arena, const char **path, snw_error *error) {
	const char *given = getenv("SINEW_WORKER");
	if (given && given[0]) {
		*path = given;
		return SNW_OK;
	}
	const char *tree = snw_build_tree(), *folder = snw_program_folder(arena);
	const char *const candidates[] = {
		tree ? snw_path_join(arena, tree, "host/sinew-worker") : NULL,
		folder ? snw_path_join(arena, folder, "sinew-worker") : NULL,
		folder ? snw_path_join(arena, folder, "../libexec/sinew/sinew-worker") : NULL,
		SINEW_WORKER_DIR "/sinew-worker",
	};
	*path = first_executable(candidates, sizeof candidates / sizeof *candidates);
	return *path
			   ? SNW_OK
			   : snw_fail(
					 error, SNW_ERROR_MISSING,
					 "sinew-worker is neither beside this program nor in %s; reinstall Sinew, or set the path of the worker in "
					 "$SINEW_WORKER",
					 SINEW_WORKER_DIR);
}

/* ---- starting ----------------------------------------------------------------------------------------------------- */

/* A worker gets the variables that locate libraries and plug-ins, and the options of sanitizers. */
static bool is_passed_on(const char *variable) {
	static const char *const passed[] = {
		"SINEW_PLUGIN_PATH=", "XDG_DATA_HOME=", "HOME=",        "LD_LIBRARY_PATH=", "ASAN_OPTIONS=",
		"LSAN_OPTIONS=",      "UBSAN_OPTIONS=", "SINEW_TRACE=", "SINEW_LOG="};
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
		if (strncmp(variable, passed[i], strlen(passed[i])) == 0) {
			return true;
		}
	}
	return false;
}

/* Limits BLAS to one thread: more make fits slower, and hang at the end if memory has run out. NULL if memory has run out. */
static char **make_environment(void) {
	static char threads[] = "OPENBLAS_NUM_THREADS=1";
	size_t count = 0;
	while (environ[count]) {
		count++;
	}
	char **variables = calloc(count + 2, sizeof *variables);
	size_t passed = 0;
	for (size_t i = 0; variables && i < count; i++) {
		if (is_passed_on(environ[i])) {
			variables[passed++] = environ[i];
		}
	}
	if (variables) {
		variables[passed] = threads;
	}
	return variables;
}

/* The worker gets its own process group, so that an interrupt at the terminal reaches only the program, which then cancels. */
static int spawn(const char *path, int request, int channel, int errors, int result_file, pid_t *id) {
	char parent[32];
	snprintf(parent, sizeof parent, "%ld", (long)getpid());
	char *const arguments[] = {(char *)path, parent, NULL};
	char **environment = make_environment();
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_adddup2(&files, request, STDIN_FILENO);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
	posix_spawn_file_actions_adddup2(&files, channel, SNW_WORKER_CHANNEL);
	if (result_file >= 0) {
		posix_spawn_file_actions_adddup2(&files, result_file, SNW_WORKER_RESULT);
	}
	posix_spawn_file_actions_addclosefrom_np(&files, SNW_WORKER_RESULT + 1);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	const int result = environment ? posix_spawn(id, path, &files, &attributes, arguments, environment) : ENOMEM;
	free(environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return result;
}

static void close_both(int pair[2]) {
	for (int i = 0; i < 2; i++) {
		if (pair[i] >= 0) {
			close(pair[i]);
		}
	}
}

enum { FIRST_ABOVE = 16 };

/* Moves a descriptor above the numbers that the worker's descriptors get. */
static int move_up(int descriptor) {
	const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_ABOVE);
	if (descriptor >= 0) {
		close(descriptor);
	}
	return copy;
}

/* Why a worker's program did not start. */
static snw_status not_started(const char *path, int number, snw_error *error) {
	const bool is_busy = number == EAGAIN || number == ENOMEM;
	return snw_fail(error, is_busy ? SNW_ERROR_MEMORY : SNW_ERROR_MISSING, "%s: cannot start the worker: %s; %s", path,
					strerror(number), is_busy ? "close other programs and try again" : "reinstall Sinew");
}

static snw_status no_channel(int number, snw_error *error) {
	return snw_fail(error, SNW_ERROR_IO, "cannot open a channel to a worker: %s%s", strerror(number),
					number == EMFILE ? "; raise the limit on open files (ulimit -n)" : "; close other programs and try again");
}

snw_status snw_process_start(int request, int result_file, snw_process *process, snw_error *error) {
	int channel[2] = {-1, -1}, errors[2] = {-1, -1};
	snw_arena *arena = snw_arena_create();
	const char *path = NULL;
	snw_status status = snw_worker_find(arena, &path, error);
	if (snw_failed(status)) {
		goto done;
	}
	if (!snw_message_open_sockets(channel) || pipe2(errors, O_CLOEXEC) != 0) {
		status = no_channel(errno, error);
		goto done;
	}
	(void)fcntl(errors[0], F_SETFL, O_NONBLOCK);
	channel[1] = move_up(channel[1]);
	errors[1] = move_up(errors[1]);
	const int copy = result_file >= 0 ? fcntl(result_file, F_DUPFD_CLOEXEC, FIRST_ABOVE) : -1;
	if (channel[1] < 0 || errors[1] < 0 || (result_file >= 0 && copy < 0)) {
		status = no_channel(EMFILE, error); /* a limit below that number makes it an invalid argument */
		goto done;
	}
	const int result = spawn(path, request, channel[1], errors[1], copy, &process->id);
	if (copy >= 0) {
		close(copy);
	}
	if (result != 0) {
		status = not_started(path, result, error);
		goto done;
	}
	process->channel = channel[0];
	process->errors = errors[0];
	channel[0] = errors[0] = -1;
done:
	close_both(channel);
	close_both(errors);
	snw_arena_destroy(arena);
	return status;
}
