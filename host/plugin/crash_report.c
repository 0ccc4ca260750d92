/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/crash_report.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
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
enum { FATAL_COUNT = sizeof fatals / sizeof *fatals, MOST_OBJECTS = 256, STACK_REACH = 1 << 20, STACK_RED_ZONE = 1 << 12 };
enum { MOST_THREADS = 256, DEFAULT_SECONDS = 60, TICKS_A_SECOND = 4 };

static struct sigaction earlier[FATAL_COUNT];
static pid_t watched;
static atomic_flag reported = ATOMIC_FLAG_INIT;
static atomic_bool keeps_running;
static uint32_t limit_seconds = DEFAULT_SECONDS;

/* Where the code of plug-ins lies, or lay. */
static struct object {
	char path[PATH_MAX];
	uintptr_t begin, end;
} objects[MOST_OBJECTS];
static atomic_uint object_count;

/* ---- words ----------------------------------------------------------------------------------------------------------------- */

/* Nothing but calls that are safe in a signal handler. */
static void put(const char *text) {
	if (write(STDERR_FILENO, text, strlen(text)) < 0) {
		_exit(1);
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
	put(digits + at);
}

static void put_whose(const char *who) {
	put(isatty(STDERR_FILENO) ? "\r\033[Ksinew: " : "sinew: "); /* over a progress bar */
	put(who);
}

/* "deform of layer 'bulge'" */
static void put_function(const snw_thread_call *call) {
	put(call->function);
	if (call->layer) {
		put(" of layer '");
		put(call->layer);
		put("'");
	}
}

static void put_way_out(const snw_thread_call *call) {
	if (call->who[0] == '/') {
		put("; move the file out of the plug-in folder, or check it with 'sinew validate'\n");
		return;
	}
	put("; mute its layer ('sinew stack P.sinew mute ");
	put(call->layer ? call->layer : "LAYER");
	put("'), or check the plug-in with 'sinew validate'\n");
}

/* Only the first thread reports; the others wait until it ends the process. */
static void claim_report(void) {
	if (atomic_flag_test_and_set(&reported)) {
		for (;;) {
			pause();
		}
	}
}

/* ---- crashes --------------------------------------------------------------------------------------------------------------- */

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

static bool is_stack_overflow(int signal, const siginfo_t *info, const ucontext_t *context) {
	const uintptr_t stack = stack_pointer(context), address = (uintptr_t)info->si_addr;
	return signal == SIGSEGV && info->si_code > 0 && stack > STACK_REACH && address >= stack - STACK_REACH &&
		   address <= stack + STACK_RED_ZONE;
}

/* The file whose code was run; NULL for none. */
static const char *object_at(uintptr_t code) {
	const uint32_t count = atomic_load(&object_count);
	for (uint32_t i = 0; i < count; i++) {
		if (code >= objects[i].begin && code < objects[i].end) {
			return objects[i].path;
		}
	}
	return NULL;
}

static void tell(int signal, siginfo_t *info, void *context) {
	size_t f = 0;
	while (f + 1 < FATAL_COUNT && fatals[f].signal != signal) {
		f++;
	}
	snw_thread_call call = snw_thread_current_call();
	if (!call.who) {
		call = (snw_thread_call){.who = object_at(code_pointer(context)), .function = "a thread that it started"};
	}
	if (call.who && getpid() == watched) {
		claim_report();
		put_whose(call.who);
		put(" crashed in ");
		put_function(&call);
		put(" (");
		put(is_stack_overflow(signal, info, context) ? "its stack overflowed" : fatals[f].description);
		put(")");
		put_way_out(&call);
		_exit(1);
	}
	/* Not a plug-in's crash: restore the earlier handler, which the repeated instruction or signal then reaches. */
	sigaction(signal, &earlier[f], NULL);
	if (signal == SIGABRT || info->si_code <= 0) {
		raise(signal);
	}
}

/* Whoever calls exit inside a call into a plug-in ends the program in the middle of its work. */
static void tell_exit(void) {
	const snw_thread_call call = snw_thread_current_call();
	if (call.who && getpid() == watched) {
		claim_report();
		put_whose(call.who);
		put(" ended the program in ");
		put_function(&call);
		put(" (exit())");
		put_way_out(&call);
		_exit(1);
	}
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

void snw_crash_note_object(const char *path, void *handle) {
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

/* ---- calls without end ----------------------------------------------------------------------------------------------------- */

typedef struct watch {
	uint32_t tick;
	uint32_t named; /* when the call that was named last began, and at most one is named at a time */
} watch;

static void visit_call(void *context, const snw_thread_call *call, uint32_t begun) {
	watch *w = context;
	if (call->is_unlimited || w->tick - begun <= limit_seconds * TICKS_A_SECOND || w->named == begun + 1) {
		return;
	}
	const bool ends = !atomic_load(&keeps_running);
	if (ends) {
		claim_report();
	}
	w->named = begun + 1;
	put_whose(call->who);
	put(ends ? " has not returned from " : " holds the window in ");
	put_function(call);
	put(" after ");
	put_number(limit_seconds);
	put(" seconds ($SINEW_PLUGIN_SECONDS)");
	put_way_out(call);
	if (ends) {
		_exit(1);
	}
}

/* Counts ticks rather than reading a clock: a program that is stopped does not age. */
static void *watch_calls(void *argument) {
	(void)argument;
	watch w = {0};
	for (;;) {
		nanosleep(&(struct timespec){.tv_nsec = 1000000000 / TICKS_A_SECOND}, NULL);
		w.tick = snw_thread_tick();
		snw_thread_calls(visit_call, &w);
	}
	return NULL;
}

static void start_watch(void) {
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

/* ---------------------------------------------------------------------------------------------------------------------------- */

void snw_crash_watch(void) {
	watched = getpid();
	for (size_t f = 0; f < FATAL_COUNT; f++) {
		struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
		sigemptyset(&action.sa_mask);
		sigaction(fatals[f].signal, &action, &earlier[f]);
	}
	/* Threads that call exit at once share the handlers: each thread must find one, and wait in it for the report. */
	for (int i = 0; i < MOST_THREADS; i++) {
		atexit(tell_exit);
	}
	at_quick_exit(tell_exit);
	start_watch();
}

uint32_t snw_crash_watch_limit(void) {
	return limit_seconds;
}

void snw_crash_watch_keeps_running(void) {
	atomic_store(&keeps_running, true);
}
