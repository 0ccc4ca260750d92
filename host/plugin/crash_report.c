/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/crash_report.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "services/services.h"

static const struct fatal {
	int signal;
	const char *words;
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

/* Room to say it in, where what ran out was the stack itself. */
static _Alignas(16) unsigned char reserve[1 << 14];

static void put(const char *text) {
	if (write(STDERR_FILENO, text, strlen(text)) < 0) {
		_exit(1);
	}
}

/* Nothing but calls that are safe in a signal handler. */
static void tell(int signal) {
	size_t f = 0;
	while (f + 1 < FATAL_COUNT && fatals[f].signal != signal) {
		f++;
	}
	const snw_thread_call call = snw_thread_current_call();
	if (call.who && getpid() == watched) {
		if (atomic_flag_test_and_set(&reported)) {
			pause(); /* another thread is telling, and will end this one too */
		}
		put(isatty(STDERR_FILENO) ? "\r\033[Ksinew: " : "sinew: "); /* over a progress bar */
		put(call.who);
		put(" crashed (");
		put(fatals[f].words);
		put("): remove its layer ('sinew stack P.sinew remove'), or check the plug-in with 'sinew validate'\n");
		_exit(1);
	}
	/* Not ours to tell: the instruction is run again, or the signal raised again, under the handler that was there before. */
	sigaction(signal, &earlier[f], NULL);
	if (signal == SIGABRT) {
		raise(signal);
	}
}

void snw_crash_watch(void) {
	watched = getpid();
	sigaltstack(&(stack_t){.ss_sp = reserve, .ss_size = sizeof reserve}, NULL);
	for (size_t f = 0; f < FATAL_COUNT; f++) {
		struct sigaction action = {.sa_handler = tell, .sa_flags = SA_ONSTACK | SA_NODEFER};
		sigemptyset(&action.sa_mask);
		sigaction(fatals[f].signal, &action, &earlier[f]);
	}
}
