/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each thread is running of a plug-in: for the thread rules of the ABI, and to name the plug-in that crashed.
 */
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "services/call_trace.h"
#include "services/services_internal.h"

enum { SIGNAL_STACK_BYTES = 1 << 16, LONGEST_LOCALE = 512 };

static _Thread_local snw_thread_call current;
static _Thread_local bool in_chunk;
static _Thread_local locale_t locale_before; /* of the thread */
static atomic_uint_least64_t violations;
static _Atomic(const char *) violating_service, violating_place; /* of the last one */
static char program_locale[LONGEST_LOCALE];                      /* empty if its name is too long */
static pthread_once_t locale_is_known = PTHREAD_ONCE_INIT;

/* A signal handler cannot run on a stack that has overflowed. */
static void provide_signal_stack(void) {
	static _Thread_local _Alignas(16) unsigned char room[SIGNAL_STACK_BYTES];
	static _Thread_local bool is_done;
	stack_t before;
	if (!is_done && sigaltstack(NULL, &before) == 0 && before.ss_flags & SS_DISABLE) {
		sigaltstack(&(stack_t){.ss_sp = room, .ss_size = sizeof room}, NULL);
	}
	is_done = true;
}

static void (*function_named)(const char *function);

static void read_program_locale(void) {
	const char *name = setlocale(LC_ALL, NULL);
	snprintf(program_locale, sizeof program_locale, "%s", name && strlen(name) < sizeof program_locale ? name : "");
}

/* Numbers are read and written in the program's locale. It is read once, because later a plug-in on another thread may have
 * changed it. */
void snw_thread_restore_locale(void) {
	const char *name = setlocale(LC_ALL, NULL);
	if (program_locale[0] && name && strcmp(name, program_locale) != 0) {
		setlocale(LC_ALL, program_locale);
	}
}

snw_thread_call snw_thread_enter(snw_thread_call call) {
	const snw_thread_call previous = current;
	if (!previous.who) {
		provide_signal_stack();
		pthread_once(&locale_is_known, read_program_locale);
		locale_before = uselocale((locale_t)0);
	}
	current = call;
	current.began = snw_call_trace_begin();
	return previous;
}

/* Outside evaluation several functions may follow one another in one call; nothing may be called under the name that it was
 * entered with. */
static void write_span(void) {
	if (current.is_named || current.role == SNW_ROLE_EVALUATION) {
		snw_call_trace_write(&current);
	}
}

void snw_thread_leave_chunk(snw_thread_call previous) {
	write_span();
	current = previous;
	if (!previous.who && uselocale((locale_t)0) != locale_before) {
		uselocale(locale_before);
	}
}

void snw_thread_leave(snw_thread_call previous) {
	if (!previous.who && function_named) {
		function_named(NULL);
	}
	snw_thread_leave_chunk(previous);
	if (!previous.who) {
		snw_thread_restore_locale();
	}
}

void snw_thread_watch_functions(void (*named)(const char *function)) {
	function_named = named;
}

void snw_thread_function(const char *function) {
	if (function_named) {
		function_named(function);
	}
	if (current.who) {
		write_span();
		current.is_named = true;
		current.function = function;
		current.began = snw_call_trace_begin();
	}
}

snw_thread_call snw_thread_current_call(void) {
	return current;
}

bool snw_thread_enter_chunk(bool inside) {
	const bool was = in_chunk;
	in_chunk = inside;
	return was;
}

uint64_t snw_thread_violations(void) {
	return atomic_load(&violations);
}

const char *snw_thread_last_violation(void) {
	static _Thread_local char text[100];
	const char *service = atomic_load(&violating_service), *where = atomic_load(&violating_place);
	snprintf(text, sizeof text, "%s %s", service ? service : "no service", where ? where : "");
	return text;
}

bool snw_thread_allows(snw_service_tag tag, const char *service) {
	const bool in_evaluation = current.role == SNW_ROLE_EVALUATION;
	const bool off_owner = tag == SNW_TAG_OWNER_THREAD && in_chunk;
	if (!in_evaluation && !off_owner) {
		return true;
	}
	const char *where = in_evaluation ? "inside passes, drive, prepare or deform" : "inside a parallel chunk";
	atomic_store(&violating_service, service);
	atomic_store(&violating_place, where);
	const bool is_first = atomic_fetch_add(&violations, 1) == 0;
#ifndef NDEBUG
	if (is_first) {
		fprintf(stderr, "sinew: a plug-in called %s %s, which the thread rule of that service forbids; see sinew/base.h\n",
				service, where);
	}
#else
	(void)is_first;
#endif
	return !in_evaluation;
}
