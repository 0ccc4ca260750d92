/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew: finds the verb, runs it, and reports the result. Exit status: 0 done, 1 could not be done, 2 wrong usage, 3 stopped
 * early with a result that is kept, 4 done without a layer whose plug-in has failed or is missing.
 */
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/command_line/verb.h"
#include "fault/fault.h"
#include "file/file.h"
#include "isolation/isolated_deformer.h"
#include "operators/operator.h"
#include "project/project.h"
#include "services/services.h"
#include "window/about/about.h"

/* A stroke on a large mesh takes and frees dozens of arrays of its size. The kernel clears what it gives, page by page, which
 * takes as long as the rest of the work. So what is freed stays with the program, up to a limit. */
static void keep_freed_memory(void) {
	enum { SMALLEST_OWN_MAPPING = 32 << 20, MOST_KEPT = 256 << 20 };
	mallopt(M_MMAP_THRESHOLD, SMALLEST_OWN_MAPPING);
	mallopt(M_TRIM_THRESHOLD, MOST_KEPT);
}

static const snw_verb *find_verb(const char *name) {
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		if (strcmp((*verb)->name, name) == 0) {
			return *verb;
		}
	}
	return NULL;
}

static int exit_status(const snw_call *call, snw_status status) {
	if (snw_failed(status)) {
		return status == SNW_ERROR_ARGUMENT ? 2 : 1;
	}
	/* A window says itself which layers it shows. */
	return call->stopped_early ? 3 : snw_left_out_count() > 0 && !call->verb->runs_once ? 4 : 0;
}

/* A plug-in that prints must not break the JSON of an answer, so standard output is redirected to standard error until the
 * answer is printed. Returns the original standard output, or -1. */
static int divert_output(void) {
	fflush(stdout);
	const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (output >= 0) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
	}
	return output;
}

static void print_json(const cJSON *object, bool on_one_line) {
	char *text = on_one_line ? cJSON_PrintUnformatted(object) : cJSON_Print(object);
	if (text) {
		snw_print_json(text);
		cJSON_free(text);
	}
}

static void print_answer(const snw_verb *verb, cJSON *answer) {
	if (!verb->answers_lines) {
		print_json(answer, false);
		return;
	}
	const cJSON *line;
	cJSON_ArrayForEach(line, cJSON_GetObjectItem(answer, "lines")) {
		print_json(line, true);
	}
}

/* Where an error goes, and what is true of the whole: into the answer so far, such as the checks that a plug-in passed. */
static cJSON *answer_of_all(const snw_verb *verb, cJSON *answer) {
	cJSON *lines = verb->answers_lines ? cJSON_GetObjectItem(answer, "lines") : NULL;
	if (verb->answers_lines && !lines) {
		lines = snw_answer_list(answer, "lines");
	}
	cJSON *last = cJSON_GetArrayItem(lines, cJSON_GetArraySize(lines) - 1);
	return !verb->answers_lines ? answer : last ? last : snw_answer_row(lines);
}

static void answer_left_out(cJSON *answer) {
	cJSON *list = snw_answer_list(answer, "left_out");
	for (uint32_t i = 0; i < snw_left_out_count(); i++) {
		const snw_left_out left_out = snw_left_out_at(i);
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "layer", left_out.layer);
		snw_answer_text(row, "plugin", left_out.plugin);
		snw_answer_text(row, "why", left_out.why);
	}
}

/* What is true of the project where a verb has changed it before it failed; "" where it has not. */
static const char *changed_words(snw_status status, snw_arena *arena) {
	const char *path = snw_project_last_changed();
	return snw_failed(status) && path && snw_file_exists(path)
			   ? snw_arena_format(arena, "; what this command changed before that is in %s", snw_without_control(arena, path))
			   : "";
}

static bool has_ended;

/* If memory runs out, the program exits in the middle of a verb. If a plug-in exits, the report of that says it. */
static void report_changed_at_exit(void) {
	const char *path = snw_project_last_changed();
	if (!has_ended && !snw_thread_current_call().who && path && snw_file_exists(path)) {
		char shown[PATH_MAX];
		snprintf(shown, sizeof shown, "%s", path); /* no arena: memory may have run out */
		snw_text_clean(shown, '_');
		fprintf(stderr, "sinew: what this command changed before that is in %s\n", shown);
	}
}

/* Also of what was written before the last piece. */
static bool output_is_written(void) {
	return fflush(stdout) == 0 && !ferror(stdout);
}

/* Of a command that cannot be read. */
static bool asks_for_json(int count, char **arguments) {
	bool any = false;
	for (int i = 0; i < count; i++) {
		any = any || strcmp(arguments[i], "--json") == 0;
	}
	return any;
}

static int run_verb(const snw_verb *verb, int count, char **arguments) {
	snw_error error = {0};
	int output = -1;
	snw_call call = {.verb = verb, .arena = snw_arena_create()};
	snw_status status = snw_call_parse(&call, count, arguments, &error);
	if (snw_failed(status)) {
		call.answer = asks_for_json(count, arguments) ? cJSON_CreateObject() : NULL;
	} else if (call.help) {
		snw_print_verb_help(&call);
	} else {
		call.answer = call.json ? cJSON_CreateObject() : NULL;
		output = call.json ? divert_output() : -1;
		call.task = snw_terminal_task(call.quiet, snw_call_option(&call, "--progress") != NULL);
		atexit(report_changed_at_exit);
		if (snw_call_option(&call, "--strict")) {
			snw_layers_require();
		}
		const char *trace = snw_call_option(&call, "--trace");
		const char *program = snw_arena_format(call.arena, "sinew %s", verb->name);
		status = trace ? snw_call_trace_start(trace, program, &error) : SNW_OK;
		status = snw_failed(status) ? status : snw_run_with_plugins(&call, &error);
		snw_call_trace_end();
		snw_terminal_clear();
	}
	const char *words = error.text[0] ? error.text : snw_status_words(status);
	const char *reason = snw_arena_format(call.arena, "%s%s", words, changed_words(status, call.arena));
	reason = snw_without_control(call.arena, reason);
	if (output >= 0) {
		fflush(stdout);
		dup2(output, STDOUT_FILENO);
		close(output);
	}
	if (call.answer) {
		answer_left_out(answer_of_all(verb, call.answer));
		if (snw_failed(status)) {
			snw_answer_text(answer_of_all(verb, call.answer), "error", reason);
		}
		print_answer(verb, call.answer);
	}
	if (snw_failed(status)) {
		fflush(stdout); /* so that in a pipe the results precede the error */
		fprintf(stderr, "sinew %s: %s\n", verb->name, reason);
	}
	has_ended = true;
	const int ended = exit_status(&call, status);
	const bool is_written = output_is_written();
	if (!is_written) {
		fprintf(stderr, "sinew %s: standard output could not be written%s\n", verb->name,
				changed_words(SNW_ERROR_IO, call.arena));
	}
	cJSON_Delete(call.answer);
	snw_arena_destroy(call.arena);
	return is_written ? ended : 1;
}

/* The exit status of what has only been printed. */
static int end_printing(void) {
	if (output_is_written()) {
		return 0;
	}
	fputs("sinew: standard output could not be written\n", stderr);
	return 1;
}

static int refuse_verb(int count, char **arguments) {
	snw_arena *arena = snw_arena_create();
	const char *words =
		snw_without_control(arena, snw_arena_format(arena, "unknown verb '%s'; 'sinew --help' lists the verbs", arguments[1]));
	if (asks_for_json(count, arguments)) {
		cJSON *answer = cJSON_CreateObject();
		answer_left_out(answer);
		snw_answer_text(answer, "error", words);
		print_json(answer, false);
		cJSON_Delete(answer);
	}
	fflush(stdout);
	fprintf(stderr, "sinew: %s\n", words);
	snw_arena_destroy(arena);
	return 2;
}

/* sinew help --man FOLDER. */
static int write_manual(const char *folder) {
	snw_error error = {0};
	const snw_status status =
		folder ? snw_write_manual(folder, &error) : snw_fail(&error, SNW_ERROR_ARGUMENT, "--man needs a value: FOLDER");
	if (snw_failed(status)) {
		snw_text_clean(error.text, '_'); /* the name of the folder is in it */
		fprintf(stderr, "sinew help: %s\n", error.text);
	}
	return status == SNW_ERROR_ARGUMENT ? 2 : snw_failed(status) ? 1 : 0;
}

static int help(const char *form, const char *folder) {
	if (form && strcmp(form, "--man") == 0) {
		return write_manual(folder);
	}
	if (form && strcmp(form, "--markdown") == 0) {
		snw_print_markdown();
	} else {
		snw_print_help();
	}
	return end_printing();
}

/* sinew help VERB WORD…: as VERB WORD… --help. */
static int help_verb(int count, char **arguments) {
	const snw_verb *verb = find_verb(arguments[1]);
	if (!verb) {
		return refuse_verb(count, arguments);
	}
	char *words[] = {count > 2 ? arguments[2] : "--help", "--help"};
	return run_verb(verb, count > 2 ? 2 : 1, words);
}

int main(int count, char **arguments) {
	const char *name = count > 1 ? arguments[1] : "--help";
	if (strcmp(name, "help") == 0 && count > 2 && arguments[2][0] != '-') {
		return help_verb(count - 1, arguments + 1);
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
		return help(count > 2 ? arguments[2] : NULL, count > 3 ? arguments[3] : NULL);
	}
	if (strcmp(name, "--version") == 0) {
		fputs(snw_about, stdout);
		return end_printing();
	}
	const snw_verb *verb = find_verb(name);
	if (!verb) {
		return refuse_verb(count, arguments);
	}
	keep_freed_memory();
	snw_crash_watch();
	return run_verb(verb, count - 2, arguments + 2);
}

/* ---- one thread of OpenBLAS ---------------------------------------------------------------------------------------------- */

/* OpenBLAS starts a thread for each core before main. Where the address space is limited, one of them cannot start, and the
 * program then ends at once or waits for it for ever at exit. Sinew uses one thread of it anyway, but only its environment
 * tells OpenBLAS so before it starts. So where there is a limit, the program starts once more with that variable set. */

#ifndef __SANITIZE_ADDRESS__ /* which is not ready so early, and needs more address space than any limit */

enum { MOST_VARIABLES = 4096 };

static const char variable[] = "OPENBLAS_NUM_THREADS=";
static char one_thread[] = "OPENBLAS_NUM_THREADS=1";

static bool is_limited(void) {
	struct rlimit space;
	return getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
}

/* Copies the environment with the variable set. False where it was set already, or where the environment is too large. */
static bool change(char **environment, char **changed) {
	size_t count = 0;
	for (size_t i = 0; environment[i]; i++) {
		if (strcmp(environment[i], one_thread) == 0 || count + 2 >= MOST_VARIABLES) {
			return false;
		}
		if (strncmp(environment[i], variable, sizeof variable - 1) != 0) {
			changed[count++] = environment[i];
		}
	}
	changed[count++] = one_thread;
	changed[count] = NULL;
	return true;
}

/* Runs before any library is initialized: nothing may be allocated, and the environment is not yet where getenv looks. */
static void start_again(int count, char **arguments, char **environment) {
	static char *changed[MOST_VARIABLES];
	char path[PATH_MAX];
	(void)count;
	if (is_limited() && change(environment, changed)) {
		const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
		if (length > 0) {
			path[length] = '\0';
			execve(path, arguments, changed);
		}
	}
}

typedef void initializer(int count, char **arguments, char **environment);
__attribute__((section(".preinit_array"), used)) static initializer *const first = start_again;

#endif
