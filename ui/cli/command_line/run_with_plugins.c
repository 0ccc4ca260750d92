/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/run_with_plugins.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/command_line/actions.h"
#include "isolation/isolated_deformer.h"
#include "operators/operator.h"
#include "plugin/load_file.h"
#include "plugin/registry.h"
#include "project/project.h"

/* ---- whether there are such plug-ins ------------------------------------------------------------------------------------- */

static bool has_plugins(snw_arena *arena) {
	size_t count;
	bool any = false;
	const snw_plugin_path *paths = snw_plugin_search(arena, &count);
	for (size_t i = 0; i < count; i++) {
		any = any || (!paths[i].is_shipped && !paths[i].reason);
	}
	return any;
}

/* They run in this process for those who debug them. */
static void isolate_plugins(const snw_call *call) {
	const char *in_process = getenv("SINEW_PLUGINS_IN_PROCESS");
	if (snw_call_option(call, "--in-process") || (in_process && in_process[0]) || !has_plugins(call->arena)) {
		return;
	}
	if (!snw_registry_isolate(SNW_ISOLATE_FOREIGN)) {
		snw_task_notice(
			&call->task, SNW_LOG_WARNING,
			"plug-ins run in this program itself, so one that crashes ends it: memory to share with processes of their own "
			"cannot be reserved (%s); raise the limits of this shell ('ulimit -v', 'ulimit -f')",
			strerror(errno));
	}
}

/* ---- what a verb prints, held back until it has ended, since it may start again or fail ---------------------------------- */

/* Returns the original standard output, or -1. */
static int hold_output(void) {
	fflush(stdout);
	const int held = memfd_create("sinew-output", MFD_CLOEXEC);
	const int output = held >= 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
	if (output >= 0) {
		dup2(held, STDOUT_FILENO);
	}
	if (held >= 0) {
		close(held);
	}
	return output;
}

static void forget_output(int output) {
	fflush(stdout);
	if (output >= 0 && ftruncate(STDOUT_FILENO, 0) == 0) {
		(void)lseek(STDOUT_FILENO, 0, SEEK_SET);
	}
}

static void release_output(int output) {
	char bytes[1 << 14];
	ssize_t count;
	if (output < 0) {
		return;
	}
	fflush(stdout);
	const int held = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	dup2(output, STDOUT_FILENO);
	close(output);
	(void)lseek(held, 0, SEEK_SET);
	while ((count = read(held, bytes, sizeof bytes)) > 0) {
		fwrite(bytes, 1, (size_t)count, stdout);
	}
	close(held);
}

/* ---- faults -------------------------------------------------------------------------------------------------------------- */

typedef struct attempt {
	const snw_call *call;
	const snw_task *task; /* the terminal's */
	uint32_t reported;    /* of the faults */
} attempt;

/* The method that --method names, of the verb or of its operator; NULL for none. */
static const char *named_method(const snw_call *call) {
	const snw_operator_call *operation = call->operation;
	for (uint32_t i = 0; operation && i < operation->count; i++) {
		const snw_argument *argument = &operation->row->arguments[operation->given[i].argument];
		if (strcmp(argument->name, "method") == 0 && !(argument->flags & SNW_ARGUMENT_BARE)) {
			return operation->given[i].text;
		}
	}
	return snw_call_option(call, "--method");
}

/* Whether the verb is to start again without the layers whose plug-ins have ended, which --strict forbids. A method that it is
 * asked for by name, or that it is to compare, cannot be left out: where that has happened, it has ended once more. */
static bool is_to_repeat(const attempt *a) {
	const char *method = named_method(a->call);
	bool any = false;
	for (uint32_t i = a->reported; i < snw_plugin_fault_count(); i++) {
		const snw_plugin_fault fault = snw_plugin_fault_at(i);
		const bool is_wanted = method && (strcmp(method, fault.layer) == 0 || strcmp(method, fault.who) == 0);
		any = any || (fault.is_first && fault.layer[0] && !is_wanted);
	}
	return any && !snw_layers_are_required() && !snw_project_last_changed() && strcmp(a->call->verb->name, "compare") != 0;
}

static bool report_progress(void *context, double fraction, const char *activity) {
	const attempt *a = context;
	return !is_to_repeat(a) && snw_task_progress(a->task, fraction, activity);
}

/* What an attempt that starts again has to say is said again. */
static void report_notice(void *context, snw_log_level level, const char *line) {
	const attempt *a = context;
	if (!is_to_repeat(a)) {
		snw_task_notice(a->task, level, "%s", line);
	}
}

static void report_measurement(void *context, const char *name, double value, const char *unit) {
	const attempt *a = context;
	snw_task_measurement(a->task, name, value, unit);
}

/* Whether an earlier fault was the same, as where several models of one layer end. */
static bool is_repeated(uint32_t index) {
	const snw_plugin_fault fault = snw_plugin_fault_at(index);
	bool found = false;
	for (uint32_t i = 0; i < index && !found; i++) {
		const snw_plugin_fault other = snw_plugin_fault_at(i);
		found = strcmp(other.layer, fault.layer) == 0 && strcmp(other.problem, fault.problem) == 0;
	}
	return found;
}

static void report_faults(attempt *a, bool are_left_out) {
	snw_terminal_clear();
	for (; a->reported < snw_plugin_fault_count(); a->reported++) {
		const snw_plugin_fault fault = snw_plugin_fault_at(a->reported);
		if (fault.layer[0] && !is_repeated(a->reported)) {
			fprintf(stderr,
					"sinew: layer '%s' (%s) %s%s; mute it ('sinew stack P.sinew mute %s'), or check its plug-in with 'sinew "
					"validate'\n",
					fault.layer, fault.who, fault.problem, are_left_out && fault.costs_layer ? "; it is left out" : "",
					fault.layer);
		}
	}
}

snw_status snw_run_with_plugins(snw_call *call, snw_error *error) {
	isolate_plugins(call);
	if (call->verb->runs_once) {
		return snw_verb_run(call, error);
	}
	const snw_task task = call->task;
	const int output = call->json ? -1 : hold_output();
	attempt a = {.call = call, .task = &task};
	call->task = (snw_task){&a, report_progress, report_notice, report_measurement};
	snw_status status = snw_verb_run(call, error);
	while (is_to_repeat(&a)) {
		report_faults(&a, true);
		snw_plugin_faults_leave_out();
		*error = (snw_error){0};
		forget_output(output);
		if (call->answer) {
			cJSON_Delete(call->answer);
			call->answer = cJSON_CreateObject();
		}
		status = snw_verb_run(call, error);
	}
	if (snw_failed(status) && snw_layers_are_required()) {
		forget_output(output);
	}
	release_output(output);
	call->task = task;
	if (!snw_failed(status)) {
		report_faults(&a, false);
	}
	return status;
}
