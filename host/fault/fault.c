/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault/fault.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "file/file.h"
#include "services/services.h"
#include "sinew/kit/clock.h"

/* ---- the line ------------------------------------------------------------------------------------------------------------ */

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

static void put_number(uint32_t number) {
	char digits[12];
	size_t at = sizeof digits - 1;
	digits[at] = 0;
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	snw_fault_put(digits + at);
}

/* "sinew: " and the deformer, or the path of its file. */
static void begin_line(const snw_thread_call *call) {
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

/* What the user can do about it, and the end of the line. */
static void end_line(const snw_thread_call *call) {
	if (call->who[0] == '/') {
		snw_fault_put("; move the file out of the plug-in folder, or check it with 'sinew validate'\n");
		return;
	}
	snw_fault_put("; mute its layer ('sinew stack P.sinew mute ");
	snw_fault_put(call->layer ? call->layer : "LAYER");
	snw_fault_put("'), or check the plug-in with 'sinew validate'\n");
}

/* The same, with a line that names the project if this process has changed one; then the process ends with exit status 1. */
static void end_process(const snw_thread_call *call) {
	end_line(call);
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

/* ---- time limits --------------------------------------------------------------------------------------------------------- */

enum { DEFAULT_SECONDS = 60, WINDOW_SECONDS = 10, TICKS_A_SECOND = 40 };

static const double LOOK_SECONDS = 0.25; /* between two looks at the calls */

static atomic_bool keeps_running;
static uint32_t limit_seconds = DEFAULT_SECONDS;

typedef struct watch {
	uint32_t tick;
	uint32_t named; /* 1 + the tick at which the last reported call began; 0: none */
} watch;

static void visit_call(void *context, const snw_thread_call *call, uint32_t begun) {
	watch *w = context;
	if (call->is_unlimited || w->tick - begun <= limit_seconds * TICKS_A_SECOND || w->named == begun + 1) {
		return;
	}
	const bool ends = !atomic_load(&keeps_running);
	if (ends) {
		snw_fault_claim();
	}
	w->named = begun + 1;
	begin_line(call);
	snw_fault_put(!ends ? " blocks the window in " : call->reports ? " has reported nothing in " : " has not returned from ");
	snw_fault_put_function(call);
	snw_fault_put(ends && call->reports ? " for " : " after ");
	put_number(limit_seconds);
	snw_fault_put(" seconds ($SINEW_PLUGIN_SECONDS)");
	if (ends) {
		end_process(call);
	}
	end_line(call);
}

double snw_call_limit_used(double seconds, double computed) {
	return fmin(seconds, fmax(computed, seconds / 10));
}

/* Counts looks instead of reading a clock, so that the time in which the program is stopped does not count. */
static void *watch_calls(void *argument) {
	(void)argument;
	watch w = {0};
	double before = snk_clock_process_seconds();
	for (;;) {
		nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * LOOK_SECONDS)}, NULL);
		const double computed = snk_clock_process_seconds();
		w.tick = snw_thread_tick((uint32_t)lround(TICKS_A_SECOND * snw_call_limit_used(LOOK_SECONDS, computed - before)));
		before = computed;
		snw_thread_calls(visit_call, &w);
	}
	return NULL;
}

void snw_call_limit_start(void) {
	const char *set = getenv("SINEW_PLUGIN_SECONDS");
	if (set && set[0]) {
		char *end;
		const unsigned long seconds = strtoul(set, &end, 10);
		limit_seconds = *end == 0 && seconds < 1000000 ? (uint32_t)seconds : DEFAULT_SECONDS;
	}
	sigset_t all, before;
	pthread_t thread;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (limit_seconds > 0 && pthread_create(&thread, NULL, watch_calls, NULL) == 0) {
		pthread_detach(thread);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

uint32_t snw_call_limit_seconds(void) {
	return limit_seconds;
}

uint32_t snw_call_limit_of_evaluation(void) {
	return atomic_load(&keeps_running) && limit_seconds > WINDOW_SECONDS ? WINDOW_SECONDS : limit_seconds;
}

void snw_call_limit_keep_running(void) {
	atomic_store(&keeps_running, true);
}

/* ---- crashes ------------------------------------------------------------------------------------------------------------- */

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
enum { FATAL_COUNT = sizeof fatals / sizeof *fatals, MOST_OBJECTS = 256 };
enum { STACK_REACH = 1 << 20, STACK_RED_ZONE = 1 << 12 };

static struct sigaction earlier[FATAL_COUNT];
static pid_t process;

/* Where the code of each loaded file is, or was before it was unloaded. */
static struct object {
	char path[PATH_MAX];
	uintptr_t begin, end;
} objects[MOST_OBJECTS];
static atomic_uint object_count;

const char *snw_crash_words(int signal) {
	for (size_t f = 0; f < FATAL_COUNT; f++) {
		if (fatals[f].signal == signal) {
			return fatals[f].description;
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

static uintptr_t code_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (uintptr_t)context->uc_mcontext.pc;
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

/* The file of the code at an address; NULL if it is not in a plug-in. */
static const char *object_at(uintptr_t code) {
	const uint32_t count = atomic_load(&object_count);
	for (uint32_t i = 0; i < count; i++) {
		if (code >= objects[i].begin && code < objects[i].end) {
			return objects[i].path;
		}
	}
	return NULL;
}

static void report_crash(int signal, siginfo_t *info, void *context) {
	size_t f = 0;
	while (f + 1 < FATAL_COUNT && fatals[f].signal != signal) {
		f++;
	}
	snw_thread_call call = snw_thread_current_call();
	if (!call.who) {
		call = (snw_thread_call){.who = object_at(code_pointer(context)), .function = "a thread that it started"};
	}
	if (call.who && getpid() == process) {
		snw_fault_claim();
		begin_line(&call);
		snw_fault_put(" crashed in ");
		snw_fault_put_function(&call);
		snw_fault_put(" (");
		snw_fault_put(snw_crash_is_stack_overflow(signal, info, context) ? SNW_STACK_OVERFLOW : fatals[f].description);
		snw_fault_put(")");
		end_process(&call);
	}
	/* Not a plug-in's crash: restore the earlier handler, which the repeated instruction or signal then reaches. */
	sigaction(signal, &earlier[f], NULL);
	if (signal == SIGABRT || info->si_code <= 0) {
		raise(signal);
	}
}

/* If the process ends inside a call into a plug-in, the plug-in is named. */
static void report_end(const char *how) {
	const snw_thread_call call = snw_thread_current_call();
	if (call.who && getpid() == process) {
		snw_fault_claim();
		begin_line(&call);
		snw_fault_put(" ended the program in ");
		snw_fault_put_function(&call);
		snw_fault_put(how);
		end_process(&call);
	}
}

static void report_exit(void) {
	report_end(" (exit())");
}

/* Nothing else sees these two: they end the process without its handlers. A plug-in finds the program's before the C library's,
 * which calls its own within. */
__attribute__((visibility("default"))) _Noreturn void _exit(int status) {
	report_end(" (_exit())");
	snw_fault_exit(status);
}

__attribute__((visibility("default"))) _Noreturn void _Exit(int status) {
	_exit(status);
}

typedef struct search {
	uintptr_t base, begin, end;
} search;

static int find_extent(struct dl_phdr_info *info, size_t size, void *context) {
	(void)size;
	search *s = context;
	if (info->dlpi_addr != s->base) {
		return 0;
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const uintptr_t begin = s->base + part->p_vaddr, end = begin + part->p_memsz;
		if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
			s->begin = begin;
			s->end = end;
		}
	}
	return 1;
}

void snw_crash_add_object(const char *path, void *handle) {
	struct link_map *map = NULL;
	const uint32_t count = atomic_load(&object_count);
	if (count == MOST_OBJECTS || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
		return;
	}
	search s = {.base = map->l_addr};
	dl_iterate_phdr(find_extent, &s);
	struct object *object = &objects[count];
	snprintf(object->path, sizeof object->path, "%s", path);
	object->begin = s.begin;
	object->end = s.end;
	atomic_store(&object_count, count + 1);
}

void snw_crash_watch(void) {
	process = getpid();
	for (size_t f = 0; f < FATAL_COUNT; f++) {
		struct sigaction action = {.sa_sigaction = report_crash, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
		sigemptyset(&action.sa_mask);
		sigaction(fatals[f].signal, &action, &earlier[f]);
	}
	snw_fault_at_exit(report_exit);
	at_quick_exit(report_exit);
}
