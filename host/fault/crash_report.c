/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault/crash_report.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "fault/fault_line.h"
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
		snw_fault_begin_line(&call);
		snw_fault_put(" crashed in ");
		snw_fault_put_function(&call);
		snw_fault_put(" (");
		snw_fault_put(snw_crash_is_stack_overflow(signal, info, context) ? SNW_STACK_OVERFLOW : fatals[f].description);
		snw_fault_put(")");
		snw_fault_end_process(&call);
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
		snw_fault_begin_line(&call);
		snw_fault_put(" ended the program in ");
		snw_fault_put_function(&call);
		snw_fault_put(how);
		snw_fault_end_process(&call);
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
