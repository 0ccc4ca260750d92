/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/trial/process.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sinew/kit/clock.h"

/* Whatever the parent does about crashes, here they end the process. */
static void let_crashes_kill(void) {
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
		signal(crashes[i], SIG_DFL);
	}
}

bool process_begin(process *child, process_function *function, void *context, process_report *report) {
	report->finished = false;
	report->finding[0] = report->leak[0] = report->note[0] = '\0';
	fflush(NULL);
	child->id = fork();
	if (child->id < 0) {
		report->status = SNW_ERROR_LIMIT;
		snprintf(report->finding, sizeof report->finding, "cannot start a process for it");
		return false;
	}
	if (child->id > 0) {
		return true;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	let_crashes_kill();
	/* What a plug-in prints must not mix with the host's output. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	function(context);
	report->finished = true;
	_exit(0);
}

bool process_runs(process *child) {
	if (waitpid(child->id, &child->exit_state, WNOHANG) != 0) {
		return false;
	}
	nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	return true;
}

void process_kill(process *child) {
	kill(child->id, SIGKILL);
	waitpid(child->id, &child->exit_state, 0);
}

/* Turns an end that is none of its own into a message. */
static void judge(const process *child, bool in_time, double limit_seconds, process_report *report) {
	char text[300];
	if (!in_time) {
		report->status = SNW_ERROR_LIMIT;
		snprintf(text, sizeof text, "it did not finish within %g seconds", limit_seconds);
	} else if (WIFSIGNALED(child->exit_state)) {
		report->status = SNW_ERROR_CRASH;
		snprintf(text, sizeof text, "it crashed with signal %d (%s)", WTERMSIG(child->exit_state),
				 strsignal(WTERMSIG(child->exit_state)));
	} else if (!report->finished) {
		report->status = SNW_ERROR_CRASH;
		snprintf(text, sizeof text, "it ended the process, with exit status %d", WEXITSTATUS(child->exit_state));
	} else {
		return;
	}
	snprintf(report->finding, sizeof report->finding, "%s%s%s", text, report->note[0] ? " " : "", report->note);
}

void process_run(process_function *function, void *context, const process_limit *limit, process_report *report) {
	process child;
	if (!process_begin(&child, function, context, report)) {
		return;
	}
	const double end = snk_clock_seconds() + limit->seconds;
	bool in_time = true, is_stopped = false, is_running = true;
	while (is_running && in_time && !is_stopped) {
		is_running = process_runs(&child);
		in_time = !is_running || snk_clock_seconds() <= end;
		is_stopped = is_running && limit->is_stopped && limit->is_stopped(limit->context);
	}
	if (is_running) {
		process_kill(&child);
	}
	judge(&child, in_time, limit->seconds, report);
}
