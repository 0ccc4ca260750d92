/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/crash_report.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "services/services.h"

static const struct fatal {
	int signal;
	const char *description;
} fatals[] = {
	{SIGSEGV, "access to memory that it does not own"},
	{SIGBUS, "access to memory that does not exist"},
	{SIGFPE, "division by zero"},
	{SIGILL, "an illegal instruction"},
	{SIGABRT, "abort()"},
};
enum { FATAL_COUNT = sizeof fatals / sizeof *fatals };

static struct sigaction earlier[FATAL_COUNT];
static pid_t watched;
static atomic_flag reported = ATOMIC_FLAG_INIT;

/* The stack of the handler, in case the plug-in's stack overflowed. */
static _Alignas(16) unsigned char handler_stack[1 << 14];

static void put(const char *text) {
	if (write(STDERR_FILENO, text, strlen(text)) < 0) {
		_exit(1);
	}
}

/* Makes only calls that are safe in a signal handler. */
static void report(int signal) {
	size_t f = 0;
	while (f + 1 < FATAL_COUNT && fatals[f].signal != signal) {
		f++;
	}
	const snw_thread_call call = snw_thread_current_call();
	if (call.who && getpid() == watched) {
		if (atomic_flag_test_and_set(&reported)) {
			pause(); /* another thread is reporting and will end the process */
		}
		put(isatty(STDERR_FILENO) ? "\r\033[Ksinew: " : "sinew: "); /* over a progress bar */
		put(call.who);
		put(" crashed (");
		put(fatals[f].description);
		put("): remove its layer ('sinew stack P.sinew remove'), or check the plug-in with 'sinew validate'\n");
		_exit(1);
	}
	/* Not a plug-in's crash: restore the earlier handler, which the repeated instruction or signal then reaches. */
	sigaction(signal, &earlier[f], NULL);
	if (signal == SIGABRT) {
		raise(signal);
	}
}

void snw_crash_watch(void) {
	watched = getpid();
	sigaltstack(&(stack_t){.ss_sp = handler_stack, .ss_size = sizeof handler_stack}, NULL);
	for (size_t f = 0; f < FATAL_COUNT; f++) {
		struct sigaction action = {.sa_handler = report, .sa_flags = SA_ONSTACK | SA_NODEFER};
		sigemptyset(&action.sa_mask);
		sigaction(fatals[f].signal, &action, &earlier[f]);
	}
}
