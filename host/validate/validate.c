/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/validate.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "file/file.h"
#include "validate/checks.h"

enum { MOST_METHODS = 64, NAME_BYTES = 64 };

/* What a child reports to its parent, in shared memory. */
typedef struct report {
	bool finished;
	snw_status status;
	char finding[1000];
	uint32_t method_count;
	char methods[MOST_METHODS][NAME_BYTES];
} report;

typedef struct validation {
	const char *path;
	uint64_t seed;
	double limit_seconds;
	const snw_validate_listener *listener;
	report *shared;
	uint32_t check_count, failed_count;
} validation;

typedef struct check_row {
	const char *name;
	snw_validate_check *check;
} check_row;

static const check_row rows[] = {
	{"create", snw_validate_create}, {"fit", snw_validate_fit},         {"cancel", snw_validate_cancel},
	{"save", snw_validate_save},     {"damage", snw_validate_damage},   {"drive", snw_validate_drive},
	{"deform", snw_validate_deform}, {"threads", snw_validate_threads}, {"values", snw_validate_values},
};

/* ---- in the child ---------------------------------------------------------------------------------------------------------- */

/* Loads the file alone and counts its deformers, or reports why it is refused. */
static void load_alone(const validation *v) {
	report *r = v->shared;
	snw_registry *registry = snw_registry_open_empty();
	snw_error error = {0};
	r->status = snw_registry_load(registry, v->path, &error);
	for (uint32_t i = 0; i < snw_registry_count(registry) && r->method_count < MOST_METHODS; i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		if (deformer) {
			snprintf(r->methods[r->method_count++], NAME_BYTES, "%s", deformer->descriptor->short_name);
		}
	}
	if (!snw_failed(r->status)) {
		snprintf(r->finding, sizeof r->finding, "%u deformer%s, tables in order", r->method_count,
				 r->method_count == 1 ? "" : "s");
	} else {
		snprintf(r->finding, sizeof r->finding, "%s", error.text);
	}
	snw_registry_close(registry);
}

static void run_check(const validation *v, const check_row *row, const char *method) {
	if (!row) {
		load_alone(v);
		return;
	}
	snw_error finding = {0};
	v->shared->status = row->check(v->path, method, v->seed, &finding);
	snprintf(v->shared->finding, sizeof v->shared->finding, "%s", finding.text);
}

/* Whatever the parent does about crashes, here they end the process. */
static void let_crashes_kill(void) {
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
		signal(crashes[i], SIG_DFL);
	}
}

static void be_child(const validation *v, const check_row *row, const char *method) {
	const struct rlimit no_core = {0, 0};
	setrlimit(RLIMIT_CORE, &no_core);
	let_crashes_kill();
	/* What a plug-in prints must not mix with the host's output. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	run_check(v, row, method);
	v->shared->finished = true;
	_exit(0);
}

/* ---- in the parent --------------------------------------------------------------------------------------------------------- */

/* False if the child exceeded its time and was killed. */
static bool wait_for(pid_t child, double limit_seconds, int *exit_state) {
	const double end = snw_clock_seconds() + limit_seconds;
	const struct timespec nap = {.tv_nsec = 2000000};
	while (waitpid(child, exit_state, WNOHANG) == 0) {
		if (snw_clock_seconds() > end) {
			kill(child, SIGKILL);
			waitpid(child, exit_state, 0);
			return false;
		}
		nanosleep(&nap, NULL);
	}
	return true;
}

/* Turns the child's exit into a message and a status. */
static void judge(const validation *v, bool in_time, int exit_state) {
	report *r = v->shared;
	if (!in_time) {
		r->status = SNW_ERROR_LIMIT;
		snprintf(r->finding, sizeof r->finding, "it did not finish within %g seconds", v->limit_seconds);
	} else if (WIFSIGNALED(exit_state)) {
		r->status = SNW_ERROR_CRASH;
		snprintf(r->finding, sizeof r->finding, "it crashed with signal %d (%s)", WTERMSIG(exit_state),
				 strsignal(WTERMSIG(exit_state)));
	} else if (!r->finished) {
		r->status = SNW_ERROR_CRASH;
		snprintf(r->finding, sizeof r->finding, "it ended the process, with exit status %d", WEXITSTATUS(exit_state));
	}
}

/* Runs one check in a child and reports it; `row` NULL loads the file. */
static void check_in_child(validation *v, const check_row *row, const char *method) {
	report *r = v->shared;
	r->finished = false;
	r->finding[0] = 0;
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0) {
		be_child(v, row, method);
	}
	if (child < 0) {
		r->status = SNW_ERROR_LIMIT;
		snprintf(r->finding, sizeof r->finding, "cannot start a process for it");
	} else {
		int exit_state = 0;
		const bool in_time = wait_for(child, v->limit_seconds, &exit_state);
		judge(v, in_time, exit_state);
	}
	char name[2 * NAME_BYTES];
	snprintf(name, sizeof name, "%s%s%s", row ? method : "load", row ? ": " : "", row ? row->name : "");
	v->check_count++;
	v->failed_count += snw_failed(r->status);
	if (v->listener && v->listener->check) {
		v->listener->check(v->listener->context, name, !snw_failed(r->status), r->finding);
	}
}

snw_status snw_validate(const char *path, const snw_validate_options *options, const snw_validate_listener *listener,
						snw_error *error) {
	if (!snw_file_exists(path)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: no such file", path);
	}
	validation v = {.path = path,
					.seed = options->seed,
					.limit_seconds = options->limit_seconds > 0 ? options->limit_seconds : 60,
					.listener = listener};
	v.shared = mmap(NULL, sizeof *v.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (v.shared == MAP_FAILED) {
		return snw_fail(error, SNW_ERROR_MEMORY, "out of memory while validating %s", path);
	}
	check_in_child(&v, NULL, NULL);
	for (uint32_t m = 0; m < v.shared->method_count && m < MOST_METHODS; m++) {
		char method[NAME_BYTES];
		snprintf(method, sizeof method, "%s", v.shared->methods[m]);
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			check_in_child(&v, &rows[i], method);
		}
	}
	munmap(v.shared, sizeof *v.shared);
	if (v.failed_count > 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: %u of %u checks failed", path, v.failed_count, v.check_count);
	}
	return SNW_OK;
}
