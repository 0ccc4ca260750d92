/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault/fault.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "file/file.h"

/* ---- the line ------------------------------------------------------------------------------------------------------------ */

static atomic_flag claimed = ATOMIC_FLAG_INIT;

/* Gathered and written as one, since other threads may write to standard error meanwhile. Only the thread that claimed the end
 * gets here. */
static char report_line[4096];
static size_t report_length;

static void flush(void) {
	const size_t bytes = report_length;
	report_length = 0;
	if (write(STDERR_FILENO, report_line, bytes) < 0) {
		_exit(1);
	}
}

void snw_fault_put(const char *text) {
	for (const char *c = text; *c; c++) {
		report_line[report_length++] = *c;
		if (*c == '\n' || report_length == sizeof report_line) {
			flush();
		}
	}
}

void snw_fault_put_function(const snw_thread_call *call) {
	snw_fault_put(call->function);
	if (call->layer) {
		snw_fault_put(" of layer '");
		snw_fault_put(call->layer);
		snw_fault_put("'");
	}
}

void snw_fault_claim(void) {
	if (atomic_flag_test_and_set(&claimed)) {
		for (;;) {
			pause();
		}
	}
}

/* ---- time limits --------------------------------------------------------------------------------------------------------- */

enum { DEFAULT_SECONDS = 60, WINDOW_SECONDS = 10 };

static atomic_bool is_window;

double snw_call_limit_used(double seconds, double computed) {
	return fmin(seconds, fmax(computed, seconds / 10));
}

uint32_t snw_call_limit_seconds(void) {
	const char *set = getenv("SINEW_PLUGIN_SECONDS");
	char *end;
	const unsigned long seconds = set && set[0] ? strtoul(set, &end, 10) : DEFAULT_SECONDS;
	return set && set[0] && (*end != 0 || seconds >= 1000000) ? DEFAULT_SECONDS : (uint32_t)seconds;
}

uint32_t snw_call_limit_of_evaluation(void) {
	const uint32_t seconds = snw_call_limit_seconds();
	return atomic_load(&is_window) && seconds > WINDOW_SECONDS ? WINDOW_SECONDS : seconds;
}

void snw_call_limit_of_window(void) {
	atomic_store(&is_window, true);
}

/* ---- crashes ------------------------------------------------------------------------------------------------------------- */

static const struct fatal {
	int signal;
	const char *description;
} fatal_signals[] = {
	{SIGSEGV, "access to memory that it does not own"},
	{SIGBUS, "access to memory that does not exist"},
	{SIGFPE, "division by zero"},
	{SIGILL, "an illegal instruction"},
	{SIGABRT, "abort()"},
};
enum { FATAL_COUNT = sizeof fatal_signals / sizeof *fatal_signals };
enum { STACK_REACH = 1 << 20, STACK_RED_ZONE = 1 << 12 };

static struct sigaction earlier[FATAL_COUNT];
static snw_crash_report report;
static pid_t watched_process;

const char *snw_crash_words(int signal) {
	for (size_t f = 0; f < FATAL_COUNT; f++) {
		if (fatal_signals[f].signal == signal) {
			return fatal_signals[f].description;
		}
	}
	return NULL;
}

static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	return (uintptr_t)context->uc_mcontext.sp;
#else
	(void)context;
	return 0;
#endif
}

bool snw_crash_is_stack_overflow(int signal, const siginfo_t *info, const void *context) {
	const uintptr_t stack = stack_pointer(context), address = (uintptr_t)info->si_addr;
	return signal == SIGSEGV && info->si_code > 0 && stack > STACK_REACH && address >= stack - STACK_REACH &&
		   address <= stack + STACK_RED_ZONE;
}

/* What the user can do about it; then the process ends, with a line that names the project if it has changed one. */
static void end_process(const snw_thread_call *call) {
	if (call->who[0] == '/') {
		snw_fault_put("; move the file out of the plug-in folder, or check it with 'sinew validate'\n");
	} else {
		snw_fault_put("; mute its layer ('sinew stack P.sinew mute ");
		snw_fault_put(call->layer ? call->layer : "LAYER");
		snw_fault_put("'), or check the plug-in with 'sinew validate'\n");
	}
	const char *changed = snw_changed_file();
	if (changed && access(changed, F_OK) == 0) {
		snw_fault_put("sinew: what this command changed before that is in ");
		snw_fault_put(changed);
		snw_fault_put("\n");
	}
	_exit(1);
}

/* A crash in a call into a plug-in, in this process and none that it has forked. */
static void report_call(int signal, const siginfo_t *info, const void *context) {
	const snw_thread_call call = snw_thread_current_call();
	if (call.who && getpid() == watched_process) {
		snw_fault_claim();
		snw_fault_put(isatty(STDERR_FILENO) ? "\r\033[Ksinew: " : "sinew: "); /* over a progress bar */
		snw_fault_put(call.who);
		snw_fault_put(" crashed in ");
		snw_fault_put_function(&call);
		snw_fault_put(" (");
		snw_fault_put(snw_crash_is_stack_overflow(signal, info, context) ? SNW_STACK_OVERFLOW : snw_crash_words(signal));
		snw_fault_put(")");
		end_process(&call);
	}
}

static void handle_crash(int signal, siginfo_t *info, void *context) {
	report(signal, info, context);
	/* The repeated instruction or signal reaches the earlier handler. */
	for (size_t f = 0; f < FATAL_COUNT; f++) {
		sigaction(fatal_signals[f].signal, &earlier[f], NULL);
	}
	if (signal == SIGABRT || info->si_code <= 0) {
		raise(signal);
	}
}

void snw_crash_handle(snw_crash_report with) {
	const struct sigaction action = {.sa_sigaction = handle_crash, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
	report = with;
	for (size_t f = 0; f < FATAL_COUNT; f++) {
		sigaction(fatal_signals[f].signal, &action, &earlier[f]);
	}
}

void snw_crash_watch(void) {
	watched_process = getpid();
	snw_crash_handle(report_call);
}
