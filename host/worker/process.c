/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "file/file.h"
#include "message/message.h"
#include "sinew/kit/clock.h"
#include "worker/job/job.h"

/* ---- finding it ---------------------------------------------------------------------------------------------------------- */

static const char *first_executable(const char *const *paths, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (paths[i] && access(paths[i], X_OK) == 0) {
			return paths[i];
		}
	}
	return NULL;
}

/* Finds the worker's program: $SINEW_WORKER, in the build tree, beside this program, or installed. */
static snw_status worker_find(snw_arena *arena, const char **path, snw_error *error) {
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

/* ---- starting ------------------------------------------------------------------------------------------------------------ */

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
	snw_status status = worker_find(arena, &path, error);
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

/* ---- watch process ------------------------------------------------------------------------------------------------------- */

/* Watches a worker: receives its messages, enforces its limits, stops it, and reports how it ended. */

static const double SAMPLE_SECONDS = 1;
static const double BLOCKED_PART = 0.01; /* of the clock's time: a worker that uses less does nothing */
/* The worker gets a cancel message, then SIGTERM after the grace period, then SIGKILL after this time more. */
static const double SECONDS_TO_KILL = 2;
enum { TICK_MILLISECONDS = 50 };
enum { MOST_AT_ONCE = 64 }; /* messages, or reads of standard error: limits are checked even if the worker writes without end */

typedef struct watch {
	snw_process *process;
	const snw_process_texts *texts;
	const snw_task *task;
	double idle_limit, total_limit;
	double sampled,
		sampled_processor; /* seconds of the clock, and of the worker's processor time, when work was counted last */
	double idle, total;    /* seconds of work since the last report, and altogether */
	double stopped;        /* when the job was asked to stop; 0 until then */
	bool terminated, killed, gone;
	int ended; /* the status from waitpid, once `gone` */
	double fraction;
	char activity[256];
	char place[60];       /* " in save", the function of a plug-in that runs; "" for none */
	char error_line[512]; /* the last line on standard error */
	size_t error_line_length;
	bool error_line_ended;
	bool is_invalid; /* it sent an invalid message */
	bool done;       /* the job has sent its status and text */
	snw_status status;
	char text[900];
	snw_status stop_status; /* why it was stopped */
	char stop_text[300];
} watch;

/* ---- receiving ----------------------------------------------------------------------------------------------------------- */

/* Stores the last line that is not empty. */
static void store_error_line(watch *w, const char *bytes, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (bytes[i] == '\n' || bytes[i] == '\r') {
			w->error_line_ended = true;
		} else {
			if (w->error_line_ended) {
				w->error_line_length = 0;
				w->error_line_ended = false;
			}
			if (w->error_line_length < sizeof w->error_line - 1) {
				w->error_line[w->error_line_length++] = bytes[i] ? bytes[i] : ' ';
			}
		}
	}
	w->error_line[w->error_line_length] = '\0';
}

static void read_error_lines(watch *w) {
	char bytes[4096];
	for (int i = 0; i < MOST_AT_ONCE; i++) {
		const ssize_t got = read(w->process->errors, bytes, sizeof bytes);
		if (got <= 0) {
			return;
		}
		store_error_line(w, bytes, (size_t)got);
	}
}

/* False if the program does not expect such a message. */
static bool take_message(watch *w, snw_message *message) {
	(void)snw_text_clean(message->text, ' '); /* it is one line */
	switch (message->kind) {
	case SNW_MESSAGE_PROGRESS:
		w->idle = 0;
		w->fraction = message->number > 0 ? (message->number < 1 ? message->number : 1) : 0;
		snprintf(w->activity, sizeof w->activity, "%.200s", message->text);
		return true;
	case SNW_MESSAGE_NOTICE:
		if (message->status >= 0 && message->status <= SNW_LOG_ERROR) {
			snw_task_notice(w->task, (snw_log_level)message->status, "%s", message->text);
		}
		return true;
	case SNW_MESSAGE_FUNCTION:
		w->idle = 0;
		snprintf(w->place, sizeof w->place, message->text[0] ? " in %.50s" : "%.50s", message->text);
		return true;
	case SNW_MESSAGE_DONE:
		w->status = (snw_status)message->status;
		snprintf(w->text, sizeof w->text, "%.890s", message->text);
		w->done = true;
		return true;
	default:
		return false;
	}
}

/* False once the worker has sent its last message. */
static bool receive_messages(watch *w) {
	snw_message message;
	snw_message_state state = SNW_MESSAGE_ARRIVED;
	for (int i = 0; i < MOST_AT_ONCE && !w->done && state == SNW_MESSAGE_ARRIVED; i++) {
		state = snw_message_receive(w->process->channel, false, &message);
		if (state == SNW_MESSAGE_ARRIVED && !take_message(w, &message)) {
			state = SNW_MESSAGE_INVALID;
		}
	}
	w->is_invalid = state == SNW_MESSAGE_INVALID;
	return (state == SNW_MESSAGE_NONE || state == SNW_MESSAGE_ARRIVED) && !w->done;
}

/* ---- ending -------------------------------------------------------------------------------------------------------------- */

static void send_signal(watch *w, int number) {
	if (!w->gone) {
		(void)kill(-w->process->id, number);
		(void)kill(w->process->id, number); /* in case its process group does not exist yet */
	}
}

static void reap(watch *w, bool wait) {
	if (w->gone) {
		return;
	}
	pid_t result;
	do {
		result = waitpid(w->process->id, &w->ended, wait ? 0 : WNOHANG);
	} while (result < 0 && errno == EINTR);
	if (result < 0) {
		w->ended = 0; /* other code has already collected its status */
	}
	w->gone = result != 0;
}

/* Waits a while for the worker to exit, then kills it. */
static void wait_for_end(watch *w) {
	const double begun = snk_clock_seconds();
	for (reap(w, false); !w->gone && snk_clock_seconds() - begun < SECONDS_TO_KILL; reap(w, false)) {
		(void)poll(NULL, 0, 2);
	}
	if (!w->gone) {
		send_signal(w, SIGKILL);
		w->killed = true;
	}
	reap(w, true);
}

static void request_stop(watch *w, snw_status status, const char *why) {
	if (w->stopped == 0) {
		w->stopped = snk_clock_seconds();
		w->stop_status = status;
		snprintf(w->stop_text, sizeof w->stop_text, "%s", why);
		(void)snw_message_send(w->process->channel, &(snw_message){.kind = SNW_MESSAGE_CANCEL});
	}
}

static void enforce_stop(watch *w) {
	const double grace = w->texts->grace_seconds;
	if (w->stopped > 0 && !w->terminated && snk_clock_seconds() - w->stopped > grace) {
		send_signal(w, SIGTERM);
		w->terminated = true;
	}
	if (w->stopped > 0 && !w->killed && snk_clock_seconds() - w->stopped > grace + SECONDS_TO_KILL) {
		send_signal(w, SIGKILL);
		w->killed = true;
	}
}

/* The worker's processor time, all threads together. */
static double processor_seconds(const watch *w) {
	double seconds;
	return snk_clock_read_process(w->process->id, &seconds) ? seconds : w->sampled_processor;
}

/* Limits are on work, so that a busy machine does not end what gets little of it: the worker's processor time, but no more than
 * the clock's. A worker that uses none is blocked; then the clock counts. */
static void count_work(watch *w) {
	const double time = snk_clock_seconds(), passed = time - w->sampled;
	if (passed < fmin(SAMPLE_SECONDS, 0.25 * fmin(w->idle_limit, w->total_limit))) {
		return;
	}
	const double processor = processor_seconds(w), used = processor - w->sampled_processor;
	const double work = used < BLOCKED_PART * passed ? passed : fmin(used, passed);
	w->idle += work;
	w->total += work;
	w->sampled = time;
	w->sampled_processor = processor;
}

static void check_limits(watch *w) {
	const char *advice = w->texts->has_fixed_limits ? "" : "raise the limit with --seconds, or ";
	char why[300];
	if (w->stopped > 0) {
		return;
	}
	count_work(w);
	if (!snw_task_progress(w->task, w->fraction, w->activity)) {
		request_stop(w, SNW_CANCELLED, "cancelled");
	} else if (w->idle > w->idle_limit) {
		snprintf(why, sizeof why, "%s reported nothing for %g seconds and was stopped%s; %sgive it less data", w->texts->part,
				 w->idle_limit, w->place, advice);
		request_stop(w, SNW_ERROR_LIMIT, why);
	} else if (w->total > w->total_limit) {
		snprintf(why, sizeof why, "%s took longer than %g seconds and was stopped%s; %sgive it less data", w->texts->part,
				 w->total_limit, w->place, advice);
		request_stop(w, SNW_ERROR_LIMIT, why);
	}
}

/* A signal's name for users. */
static const char *signal_words(int number) {
	switch (number) {
	case SIGSEGV:
		return "segmentation fault";
	case SIGABRT:
		return "aborted";
	case SIGSYS:
		return "stopped by the sandbox";
	case SIGKILL:
		return "killed, probably because the system ran out of memory";
	default:
		return strsignal(number);
	}
}

/* What the worker had: the program's own limit, if that is lower. */
static uint64_t memory_limit(const snw_worker_limits *limits) {
	struct rlimit space;
	const bool is_lower = getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur < limits->memory_bytes;
	return is_lower ? space.rlim_cur : limits->memory_bytes;
}

static snw_status report_process_end(const watch *w, const snw_worker_limits *limits, snw_error *error) {
	const snw_process_texts *texts = w->texts;
	if (WIFEXITED(w->ended) && WEXITSTATUS(w->ended) == 1 && strstr(w->error_line, "out of memory") &&
		limits->memory_bytes > 0) {
		/* The host's allocator exits with this status, and says so, when memory runs out. */
		return snw_fail(error, SNW_ERROR_LIMIT, "%s: %s needs more than %llu MiB of memory, the limit; give it less data%s",
						texts->subject, texts->part, (unsigned long long)(memory_limit(limits) >> 20),
						texts->has_fixed_limits ? "" : ", or raise the limit with --memory");
	}
	const char *how = w->is_invalid           ? "it sent an invalid message"
					  : WIFSIGNALED(w->ended) ? signal_words(WTERMSIG(w->ended))
											  : "it ended early";
	const char *mark = w->error_line[0] ? ": " : "";
	return snw_fail(error, SNW_ERROR_CRASH, "%s: %s crashed%s (%s%s%.300s); %s", texts->subject, texts->part, w->place, how,
					mark, w->error_line, texts->advice);
}

static snw_status report(const watch *w, const snw_worker_limits *limits, snw_error *error) {
	/* A fit that was asked to stop may return its best so far. */
	const bool has_best = w->done && w->status > 0 && w->status != SNW_CANCELLED;
	w->process->was_stopped = w->stopped > 0;
	if (w->stopped > 0 && !has_best) {
		return snw_fail(error, w->stop_status, "%s: %s", w->texts->subject, w->stop_text);
	}
	if (!w->done) {
		return report_process_end(w, limits, error);
	}
	return w->status == SNW_OK ? SNW_OK : snw_fail(error, w->status, "%s", w->text);
}

snw_status snw_process_watch(snw_process *process, const snw_worker_limits *limits, const snw_process_texts *texts,
							 const snw_task *task, snw_error *error) {
	watch w = {
		.process = process,
		.texts = texts,
		.task = task,
		.idle_limit = limits->idle_seconds,
		.total_limit = limits->total_seconds,
		.activity = "starting",
	};
	w.sampled = snk_clock_seconds();
	bool open = true, errors_open = true;
	while (open) {
		struct pollfd files[2] = {{process->channel, POLLIN, 0}, {errors_open ? process->errors : -1, POLLIN, 0}};
		(void)poll(files, 2, TICK_MILLISECONDS);
		errors_open = errors_open && (files[1].revents & (POLLIN | POLLHUP)) != POLLHUP;
		read_error_lines(&w);
		open = receive_messages(&w);
		if (open) {
			check_limits(&w);
			enforce_stop(&w);
		}
	}
	if (w.is_invalid) {
		send_signal(&w, SIGKILL);
	}
	wait_for_end(&w);
	read_error_lines(&w);
	(void)snw_text_clean(w.error_line, ' ');
	close(process->channel);
	close(process->errors);
	return report(&w, limits, error);
}
