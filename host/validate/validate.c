/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/validate.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file/file.h"
#include "sinew/kit/clock.h"
#include "task/task.h"
#include "validate/checks.h"

enum { MOST_METHODS = 64, NAME_BYTES = 64, NOTE_BYTES = 200 };

/* The first one is of the fit that all the others need. */
static const struct {
	const char *name;
	snw_validate_check *check;
} rows[] = {
	{"fit", snw_validate_fit},     {"cancel", snw_validate_cancel},   {"repeat", snw_validate_repeat},
	{"save", snw_validate_save},   {"damage", snw_validate_damage},   {"bounds", snw_validate_bounds},
	{"drive", snw_validate_drive}, {"deform", snw_validate_deform},   {"threads", snw_validate_threads},
	{"tags", snw_validate_tags},   {"lowered", snw_validate_lowered}, {"finite", snw_validate_finite},
	{"flat", snw_validate_flat},   {"random", snw_validate_random},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* What work finds, in memory that it shares with whoever started it. */
typedef struct work_report {
	bool is_finished; /* the work has returned */
	snw_status status;
	char finding[1000];
	char note[NOTE_BYTES]; /* what it was trying; follows the message if it does not return */
} work_report;

typedef struct shared_reports {
	work_report file;
	uint32_t method_count;
	char methods[MOST_METHODS][NAME_BYTES];
	/* Of the method at hand. */
	work_report method; /* of the process that its checks are forked from */
	bool is_fitted;     /* that process is ready */
	uint32_t row_count; /* how many rows are done */
	work_report rows[ROW_COUNT];
} shared_reports;

typedef struct validation {
	const snw_validate_options *options;
	check_settings settings;
	double limit_seconds;
	const snw_validate_listener *listener;
	shared_reports *shared;
	uint32_t check_count, failed_count;
	uint32_t done;        /* rows of the method */
	const snw_task *task; /* that can stop the checks; NULL for none */
	bool is_stopped;
} validation;

/* True from the time on at which the task has asked for a stop. */
static bool is_stopped(validation *v) {
	v->is_stopped = v->is_stopped || !snw_task_progress(v->task, (double)v->done / ROW_COUNT, "validating");
	return v->is_stopped;
}

/* ---- work in a process of its own ---------------------------------------------------------------------------------------- */

typedef void work_function(void *context);

typedef struct process {
	pid_t id;
	int exit_state;
	bool is_late;
} process;

/* Whatever the parent does about crashes, here they end the process. */
static void let_crashes_kill(void) {
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
		signal(crashes[i], SIG_DFL);
	}
}

/* False, with a message, if there is no process for it. */
static bool process_begin(process *child, work_function *function, void *context, work_report *report) {
	*report = (work_report){0};
	fflush(NULL);
	*child = (process){.id = fork()};
	if (child->id < 0) {
		report->status = SNW_ERROR_LIMIT;
		snprintf(report->finding, sizeof report->finding, "cannot start a process for it");
	}
	if (child->id != 0) {
		return child->id > 0;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	let_crashes_kill();
	/* What a plug-in prints must not mix with the host's output. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	function(context);
	report->is_finished = true;
	_exit(0);
}

/* Whether it still runs; sleeps a moment if so. */
static bool process_runs(process *child) {
	if (waitpid(child->id, &child->exit_state, WNOHANG) != 0) {
		return false;
	}
	nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	return true;
}

static void process_kill(process *child) {
	kill(child->id, SIGKILL);
	waitpid(child->id, &child->exit_state, 0);
}

/* Turns an end that is none of its own into a message. */
static void process_judge(const process *child, double limit_seconds, work_report *report) {
	char text[300];
	if (child->is_late) {
		report->status = SNW_ERROR_LIMIT;
		snprintf(text, sizeof text, "it did not finish within %g seconds", limit_seconds);
	} else if (WIFSIGNALED(child->exit_state)) {
		report->status = SNW_ERROR_CRASH;
		snprintf(text, sizeof text, "it crashed with signal %d (%s)", WTERMSIG(child->exit_state),
				 strsignal(WTERMSIG(child->exit_state)));
	} else if (!report->is_finished) {
		report->status = SNW_ERROR_CRASH;
		snprintf(text, sizeof text, "it ended the process, with exit status %d", WEXITSTATUS(child->exit_state));
	} else {
		return;
	}
	snprintf(report->finding, sizeof report->finding, "%s%s%s", text, report->note[0] ? " " : "", report->note);
}

/* Runs the work to its end. If it crashes, exits or takes longer than the limit, the report says so. */
static void run_work(validation *v, work_function *function, void *context, double limit_seconds, work_report *report) {
	process child;
	if (v->options->in_process) {
		function(context);
	} else if (process_begin(&child, function, context, report)) {
		const double end = snk_clock_seconds() + limit_seconds;
		while (process_runs(&child)) {
			child.is_late = snk_clock_seconds() > end;
			if (child.is_late || is_stopped(v)) {
				process_kill(&child);
				break;
			}
		}
		process_judge(&child, limit_seconds, report);
	}
}

/* ---- a check ------------------------------------------------------------------------------------------------------------- */

static char *active_note;

void snw_validate_note(const char *format, ...) {
	if (active_note) {
		va_list arguments;
		va_start(arguments, format);
		vsnprintf(active_note, NOTE_BYTES, format, arguments);
		va_end(arguments);
	}
}

static bool is_wanted(const validation *v, const char *name) {
	const bool is_random = strcmp(name, "random") == 0;
	return v->options->only ? strcmp(v->options->only, name) == 0 : !is_random || v->options->random_seconds > 0;
}

/* Static data of the first time must not hinder the second. */
static snw_status load_again(const char *path, snw_error *finding) {
	snw_status status = SNW_OK;
	for (int i = 0; i < 2 && !snw_failed(status); i++) {
		snw_registry *registry = snw_registry_open_empty();
		snw_error error = {0};
		status = snw_registry_load(registry, path, &error);
		snw_registry_close(registry);
		if (snw_failed(status)) {
			snw_fail(finding, status, "it loads once, but not again: %.800s", error.text);
		}
	}
	return status;
}

/* Loads the file alone and lists its deformers, or reports why it is refused. */
static void load_alone(void *context) {
	const validation *v = context;
	work_report *r = &v->shared->file;
	snw_registry *registry = snw_registry_open_empty();
	snw_error error = {0};
	r->status = snw_registry_load(registry, v->settings.path, &error);
	for (uint32_t i = 0; i < snw_registry_count(registry) && v->shared->method_count < MOST_METHODS; i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		if (deformer) {
			snprintf(v->shared->methods[v->shared->method_count++], NAME_BYTES, "%s", deformer->descriptor->short_name);
		}
	}
	snw_registry_close(registry);
	r->status = snw_failed(r->status) ? r->status : load_again(v->settings.path, &error);
	snprintf(r->finding, sizeof r->finding, "%s", error.text);
	if (!snw_failed(r->status)) {
		snprintf(r->finding, sizeof r->finding, "%u deformer%s, tables in order; it loads again", v->shared->method_count,
				 v->shared->method_count == 1 ? "" : "s");
	}
}

/* A row of a method. */
typedef struct method_check {
	validation *v;
	const char *method;
	uint32_t row;
	harness *fitted; /* the harness of the process that the check is forked from; NULL for one of its own */
} method_check;

static snw_status open_fitted(harness *b, const method_check *c, snw_error *finding) {
	const snw_status status = harness_open(b, c->v->settings.path, c->method, &c->v->settings.chosen, finding);
	return snw_failed(status) ? status : harness_fit_whole(b, finding);
}

static void run_check(void *context) {
	const method_check *c = context;
	work_report *r = &c->v->shared->rows[c->row];
	harness unfitted = {0};
	harness *b = c->fitted ? c->fitted : &unfitted;
	snw_error finding = {0}, leak = {0};
	active_note = r->note;
	r->status = c->fitted ? SNW_OK : open_fitted(b, c, &finding);
	r->status = snw_failed(r->status) ? r->status : rows[c->row].check(b, &c->v->settings, &finding);
	const snw_status released = b->deformer ? harness_release(b, &leak) : SNW_OK;
	if (!snw_failed(r->status) && snw_failed(released)) {
		r->status = snw_fail(&finding, released, "%.900s", leak.text);
	}
	snprintf(r->finding, sizeof r->finding, "%s", finding.text);
	active_note = NULL;
	if (!c->fitted) {
		harness_close(b);
	}
}

/* ---- the process that the checks of a method are forked from ------------------------------------------------------------- */

/* A library of the solvers waits for ever in a forked process for threads that it has started before: no level of its parallel
 * regions may be active. */
static void use_one_thread(void) {
	void (*set_active_levels)(int);
	void *symbol = dlsym(RTLD_DEFAULT, "omp_set_max_active_levels");
	memcpy(&set_active_levels, &symbol, sizeof symbol);
	if (symbol) {
		set_active_levels(0);
	}
	snw_parallel_threads(1);
}

/* Runs the rows in turn. What a fit does wrong is found by the first one, and the others would only repeat it. */
static void run_rows(method_check *c) {
	validation *v = c->v;
	for (c->row = 0; c->row < ROW_COUNT && (v->shared->row_count == 0 || !snw_failed(v->shared->rows[0].status)); c->row++) {
		const double more = rows[c->row].check == snw_validate_random ? v->options->random_seconds : 0;
		if (is_wanted(v, rows[c->row].name)) {
			run_work(v, run_check, c, v->limit_seconds + more, &v->shared->rows[c->row]);
		}
		v->shared->row_count = c->row + 1;
	}
}

/* Opens the harness and fits it once, for all checks; they are forked from here. */
static void fit_and_run_rows(void *context) {
	method_check *c = context;
	harness b;
	snw_error error = {0};
	use_one_thread();
	c->v->task = NULL; /* the parent asks it */
	work_report *first = &c->v->shared->rows[0];
	first->status = open_fitted(&b, c, &error);
	if (snw_failed(first->status)) {
		snprintf(first->finding, sizeof first->finding, "%s", error.text);
		c->v->shared->row_count = 1;
		return;
	}
	c->v->shared->is_fitted = true;
	c->fitted = &b;
	run_rows(c);
}

/* ---- reports ------------------------------------------------------------------------------------------------------------- */

static void report(validation *v, const char *method, const char *check, const work_report *r) {
	char name[2 * NAME_BYTES];
	if (v->is_stopped) {
		return; /* nobody knows how it would have ended */
	}
	snprintf(name, sizeof name, "%s%s%s", method, method[0] ? ": " : "", check);
	v->check_count++;
	v->failed_count += snw_failed(r->status);
	if (v->listener && v->listener->check) {
		v->listener->check(v->listener->context, name, !snw_failed(r->status), r->finding);
	}
}

/* The rows that are done and were not reported before. */
static void report_rows(validation *v, const char *method) {
	for (; v->done < v->shared->row_count; v->done++) {
		const work_report *r = &v->shared->rows[v->done];
		if (is_wanted(v, rows[v->done].name) || snw_failed(r->status)) {
			report(v, method, rows[v->done].name, r);
		}
	}
}

static void check_forked(validation *v, method_check *c) {
	work_report *whole = &v->shared->method;
	process child;
	if (!process_begin(&child, fit_and_run_rows, c, whole)) {
		report(v, c->method, rows[0].name, whole);
		return;
	}
	const double end = snk_clock_seconds() + v->limit_seconds;
	while (process_runs(&child)) {
		report_rows(v, c->method);
		child.is_late = !v->shared->is_fitted && snk_clock_seconds() > end;
		if (child.is_late || is_stopped(v)) {
			process_kill(&child);
			break;
		}
	}
	report_rows(v, c->method);
	process_judge(&child, v->limit_seconds, whole);
	if (snw_failed(whole->status) && v->done < ROW_COUNT) {
		report(v, c->method, rows[v->done].name, whole);
	}
}

static void check_method(validation *v, const char *method) {
	method_check c = {.v = v, .method = method};
	v->shared->is_fitted = false;
	v->shared->row_count = v->done = 0;
	memset(v->shared->rows, 0, sizeof v->shared->rows);
	if (v->options->in_process) {
		run_rows(&c);
		report_rows(v, method);
	} else {
		check_forked(v, &c);
	}
}

/* ---- from outside -------------------------------------------------------------------------------------------------------- */

static bool is_check(const char *name) {
	for (uint32_t i = 0; i < ROW_COUNT; i++) {
		if (strcmp(rows[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

snw_status snw_validate(const char *path, const snw_validate_options *options, const snw_validate_listener *listener,
						snw_error *error) {
	static const double budgets[] = {[SNW_VALIDATE_NORMAL] = 2, [SNW_VALIDATE_QUICK] = 0.2, [SNW_VALIDATE_THOROUGH] = 20};
	if (!snw_file_exists(path)) {
		return snw_fail(error, SNW_ERROR_IO, "%s: no such file", path);
	}
	if (options->only && !is_check(options->only)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no such check; 'sinew validate' lists them as it runs them",
						options->only);
	}
	validation v = {.options = options,
					.settings = {.path = path,
								 .chosen = {.setting_count = options->setting_count, .settings = options->settings},
								 .seed = options->seed,
								 .level = options->level,
								 .budget_seconds = budgets[options->level],
								 .random_seconds = options->random_seconds},
					.limit_seconds = options->limit_seconds > 0 ? options->limit_seconds : 60,
					.listener = listener,
					.task = options->task};
	v.shared = mmap(NULL, sizeof *v.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (v.shared == MAP_FAILED) {
		return snw_fail(error, SNW_ERROR_MEMORY, "out of memory while validating %s", path);
	}
	run_work(&v, load_alone, &v, v.limit_seconds, &v.shared->file);
	report(&v, "", "load", &v.shared->file);
	for (uint32_t m = 0; m < v.shared->method_count && !is_stopped(&v); m++) {
		check_method(&v, v.shared->methods[m]);
	}
	munmap(v.shared, sizeof *v.shared);
	if (v.is_stopped) {
		return snw_fail(error, SNW_CANCELLED, "%s: the checks were stopped", path);
	}
	if (v.failed_count > 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: %u of %u checks failed", path, v.failed_count, v.check_count);
	}
	return SNW_OK;
}
