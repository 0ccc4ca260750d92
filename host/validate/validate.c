/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/validate.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "file/file.h"
#include "sinew/kit/clock.h"
#include "task/parallel.h"
#include "validate/checks/checks.h"
#include "validate/trial/process.h"

enum { MOST_METHODS = 64, MOST_ROWS = 32, NAME_BYTES = 64 };

/* What processes report to each other, in shared memory. */
typedef struct shared_reports {
	process_report file;
	uint32_t method_count;
	char methods[MOST_METHODS][NAME_BYTES];
	/* Of the method at hand. */
	bool is_fitted;     /* the process that the checks are forked from is ready */
	uint32_t row_count; /* how many rows are done */
	process_report rows[MOST_ROWS];
} shared_reports;

typedef struct validation {
	const snw_validate_options *options;
	check_settings settings;
	double limit_seconds;
	const snw_validate_listener *listener;
	shared_reports *shared;
	uint32_t check_count, failed_count;
	uint32_t done; /* rows of the method */
	/* What a fit does not release is found wherever there was one: a line for all of them, when it is known how many. */
	const process_report *leak; /* the first; NULL for none */
	uint32_t more_leaks;
	bool is_stopped;
} validation;

/* What the harness must be before the check. */
typedef enum stage { OPEN, FITTED } stage;

typedef struct check_row {
	const char *name;
	snw_validate_check *check;
	stage stage;
} check_row;

static const check_row rows[] = {
	{"fit", snw_validate_fit, FITTED},       {"create", snw_validate_create, OPEN},
	{"cancel", snw_validate_cancel, OPEN},   {"repeat", snw_validate_repeat, FITTED},
	{"save", snw_validate_save, FITTED},     {"borrowed", snw_validate_borrowed, FITTED},
	{"damage", snw_validate_damage, FITTED}, {"bounds", snw_validate_bounds, FITTED},
	{"memory", snw_validate_memory, FITTED}, {"services", snw_validate_services, OPEN},
	{"drive", snw_validate_drive, FITTED},   {"deform", snw_validate_deform, FITTED},
	{"stages", snw_validate_stages, FITTED}, {"rings", snw_validate_rings, FITTED},
	{"quiet", snw_validate_quiet, FITTED},   {"threads", snw_validate_threads, FITTED},
	{"tags", snw_validate_tags, FITTED},     {"lowered", snw_validate_lowered, FITTED},
	{"finite", snw_validate_finite, FITTED}, {"flat", snw_validate_flat, FITTED},
	{"values", snw_validate_values, OPEN},   {"random", snw_validate_random, OPEN},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

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

/* Loads the file alone and lists its deformers, or reports why it is refused. */
static void load_alone(void *context) {
	const validation *v = context;
	process_report *r = &v->shared->file;
	snw_registry *registry = snw_registry_open_empty();
	snw_error error = {0};
	r->status = snw_registry_load(registry, v->settings.path, &error);
	for (uint32_t i = 0; i < snw_registry_count(registry) && v->shared->method_count < MOST_METHODS; i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		if (deformer) {
			snprintf(v->shared->methods[v->shared->method_count++], NAME_BYTES, "%s", deformer->descriptor->short_name);
		}
	}
	snprintf(r->finding, sizeof r->finding, "%s", error.text);
	if (!snw_failed(r->status)) {
		snprintf(r->finding, sizeof r->finding, "%u deformer%s, tables in order", v->shared->method_count,
				 v->shared->method_count == 1 ? "" : "s");
	}
	snw_registry_close(registry);
}

static void check_symbols(void *context) {
	const validation *v = context;
	snw_error finding = {0};
	v->shared->file.status = snw_validate_symbols(v->settings.path, &finding);
	snprintf(v->shared->file.finding, sizeof v->shared->file.finding, "%s", finding.text);
}

/* A check of a method: with the harness of the process that it was forked from, or, where that is NULL, with its own. */
typedef struct method_check {
	const validation *v;
	const check_row *row;
	const char *method;
	harness *fitted;
} method_check;

static snw_status make_ready(harness *b, const method_check *c, snw_error *finding) {
	if (c->fitted) {
		return c->row->stage == FITTED ? SNW_OK : harness_release(b, finding);
	}
	const snw_status status = harness_open(b, c->v->settings.path, c->method, &c->v->settings.chosen, finding);
	return snw_failed(status) || c->row->stage == OPEN ? status : harness_fit_whole(b, finding);
}

static void run_check(void *context) {
	const method_check *c = context;
	process_report *r = &c->v->shared->rows[c->row - rows];
	harness unfitted = {0};
	harness *b = c->fitted ? c->fitted : &unfitted;
	snw_error finding = {0}, leak = {0};
	active_note = r->note;
	r->status = make_ready(b, c, &finding);
	r->status = snw_failed(r->status) ? r->status : c->row->check(b, &c->v->settings, &finding);
	const bool is_ended_by_leak = snw_failed(r->status) && b->has_leaked;
	const snw_status released = b->deformer && c->row->stage == FITTED ? harness_release(b, &leak) : SNW_OK;
	if (is_ended_by_leak || (!snw_failed(r->status) && snw_failed(released))) {
		snprintf(r->leak, sizeof r->leak, "%.*s", NOTE_BYTES - 1, is_ended_by_leak ? finding.text : leak.text);
	}
	snprintf(r->finding, sizeof r->finding, "%s", finding.text);
	active_note = NULL;
	if (!c->fitted) {
		harness_close(b);
	}
}

/* ---- the process that the checks of a method are forked from ------------------------------------------------------------- */

static double limit_of(const validation *v, const check_row *row) {
	return v->limit_seconds + (row->check == snw_validate_random ? v->options->random_seconds : 0);
}

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

/* Opens the harness and fits it once, for all checks; they are forked from here. Where that fails, nothing is done, and each
 * check finds out by itself. */
static void run_rows(void *context) {
	const method_check *base = context;
	const validation *v = base->v;
	harness b;
	snw_error error = {0};
	use_one_thread();
	if (snw_failed(harness_open(&b, v->settings.path, base->method, &v->settings.chosen, &error)) ||
		snw_failed(harness_fit_whole(&b, &error))) {
		return;
	}
	v->shared->is_fitted = true;
	for (uint32_t i = 0; i < ROW_COUNT; i++) {
		method_check c = {.v = v, .row = &rows[i], .method = base->method, .fitted = &b};
		if (is_wanted(v, rows[i].name)) {
			process_run(run_check, &c, &(process_limit){.seconds = limit_of(v, &rows[i])}, &v->shared->rows[i]);
		}
		v->shared->row_count = i + 1;
	}
}

/* ---- reports ------------------------------------------------------------------------------------------------------------- */

static void report(validation *v, const char *method, const char *check, const process_report *r) {
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

/* A check that was ended by a leak, or that passed and leaves one, adds to the line of all leaks. */
static void report_row(validation *v, const char *method, uint32_t row) {
	const process_report *r = &v->shared->rows[row];
	const bool is_first = r->leak[0] && !v->leak;
	v->more_leaks += r->leak[0] && v->leak;
	v->leak = is_first ? r : v->leak;
	if (!r->leak[0] || (!is_first && !snw_failed(r->status))) {
		report(v, method, rows[row].name, r);
	}
}

static void report_leaks(validation *v, const char *method) {
	if (v->leak) {
		process_report all = {.status = SNW_ERROR_INTERNAL};
		snprintf(all.finding, sizeof all.finding, "%s", v->leak->leak);
		if (v->more_leaks > 0) {
			snprintf(all.finding, sizeof all.finding, "%s; %u other check%s the same", v->leak->leak, v->more_leaks,
					 v->more_leaks == 1 ? " finds" : "s find");
		}
		report(v, method, rows[v->leak - v->shared->rows].name, &all);
	}
	v->leak = NULL;
	v->more_leaks = 0;
}

/* True from the time on at which the task has asked for a stop. */
static bool is_stopped(void *context) {
	validation *v = context;
	v->is_stopped = v->is_stopped || !snw_task_progress(v->options->task, (double)v->done / ROW_COUNT, "validating");
	return v->is_stopped;
}

static void run(validation *v, process_function *function, void *context, double limit_seconds, process_report *r) {
	if (v->options->in_process) {
		function(context);
	} else {
		process_run(function, context, &(process_limit){limit_seconds, is_stopped, v}, r);
	}
}

/* Reports the rows as they are done. Returns how many are. */
static uint32_t check_forked(validation *v, const char *method) {
	method_check base = {.v = v, .method = method};
	process_report unused = {0};
	uint32_t reported = 0;
	process child;
	if (!process_begin(&child, run_rows, &base, &unused)) {
		return 0;
	}
	const double end = snk_clock_seconds() + v->limit_seconds;
	bool is_running = true;
	while (is_running || reported < v->shared->row_count) {
		is_running = is_running && process_runs(&child);
		for (; reported < v->shared->row_count; reported++) {
			if (is_wanted(v, rows[reported].name)) {
				report_row(v, method, reported);
			}
		}
		v->done = reported;
		if (is_running && (is_stopped(v) || (!v->shared->is_fitted && snk_clock_seconds() > end))) {
			process_kill(&child);
			is_running = false;
		}
	}
	return reported;
}

static void check_method(validation *v, const char *method) {
	v->shared->is_fitted = false;
	v->shared->row_count = 0;
	memset(v->shared->rows, 0, sizeof v->shared->rows);
	v->done = 0;
	v->done = v->options->in_process ? 0 : check_forked(v, method);
	for (; v->done < ROW_COUNT && !is_stopped(v); v->done++) {
		const uint32_t i = v->done;
		method_check c = {.v = v, .row = &rows[i], .method = method};
		if (is_wanted(v, rows[i].name)) {
			run(v, run_check, &c, limit_of(v, &rows[i]), &v->shared->rows[i]);
			report_row(v, method, i);
		}
	}
	report_leaks(v, method);
}

static void check_file(validation *v) {
	run(v, load_alone, v, v->limit_seconds, &v->shared->file);
	report(v, "", "load", &v->shared->file);
	if (!snw_failed(v->shared->file.status) && !is_stopped(v)) {
		run(v, check_symbols, v, v->limit_seconds, &v->shared->file);
		report(v, "", "symbols", &v->shared->file);
	}
	for (uint32_t m = 0; m < v->shared->method_count && !is_stopped(v); m++) {
		check_method(v, v->shared->methods[m]);
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
					.listener = listener};
	v.shared = mmap(NULL, sizeof *v.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (v.shared == MAP_FAILED) {
		return snw_fail(error, SNW_ERROR_MEMORY, "out of memory while validating %s", path);
	}
	check_file(&v);
	munmap(v.shared, sizeof *v.shared);
	if (v.is_stopped) {
		return snw_fail(error, SNW_CANCELLED, "%s: the checks were stopped", path);
	}
	if (v.failed_count > 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: %u of %u checks failed", path, v.failed_count, v.check_count);
	}
	return SNW_OK;
}
