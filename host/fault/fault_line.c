/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault/fault_line.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file/changed_file.h"

enum { MOST_THREADS = 256 };

static atomic_flag claimed = ATOMIC_FLAG_INIT;

/* Gathered and written as one, since other threads may write to standard error meanwhile. Only the thread that claimed the end
 * gets here. */
static char line[4096];
static size_t length;

_Noreturn void snw_fault_exit(int status) {
	for (;;) {
		(void)syscall(SYS_exit_group, status);
	}
}

static void flush(void) {
	const size_t bytes = length;
	length = 0;
	if (write(STDERR_FILENO, line, bytes) < 0) {
		snw_fault_exit(1);
	}
}

void snw_fault_put(const char *text) {
	for (const char *c = text; *c; c++) {
		line[length++] = *c;
		if (*c == '\n' || length == sizeof line) {
			flush();
		}
	}
}

void snw_fault_put_number(uint32_t number) {
	char digits[12];
	size_t at = sizeof digits - 1;
	digits[at] = 0;
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	snw_fault_put(digits + at);
}

void snw_fault_begin_line(const snw_thread_call *call) {
	snw_fault_put(isatty(STDERR_FILENO) ? "\r\033[Ksinew: " : "sinew: "); /* over a progress bar */
	snw_fault_put(call->who);
}

void snw_fault_put_function(const snw_thread_call *call) {
	snw_fault_put(call->function);
	if (call->layer) {
		snw_fault_put(" of layer '");
		snw_fault_put(call->layer);
		snw_fault_put("'");
	}
}

void snw_fault_end_line(const snw_thread_call *call) {
	if (call->who[0] == '/') {
		snw_fault_put("; move the file out of the plug-in folder, or check it with 'sinew validate'\n");
		return;
	}
	snw_fault_put("; mute its layer ('sinew stack P.sinew mute ");
	snw_fault_put(call->layer ? call->layer : "LAYER");
	snw_fault_put("'), or check the plug-in with 'sinew validate'\n");
}

void snw_fault_end_process(const snw_thread_call *call) {
	snw_fault_end_line(call);
	const char *changed = snw_changed_file();
	if (changed && access(changed, F_OK) == 0) {
		snw_fault_put("sinew: what this command changed before that is in ");
		snw_fault_put(changed);
		snw_fault_put("\n");
	}
	snw_fault_exit(1);
}

void snw_fault_claim(void) {
	if (atomic_flag_test_and_set(&claimed)) {
		for (;;) {
			pause();
		}
	}
}

void snw_fault_at_exit(void (*handler)(void)) {
	for (int i = 0; i < MOST_THREADS; i++) {
		atexit(handler);
	}
}
