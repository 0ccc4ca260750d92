/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread rules of the ABI: each thread knows which kind of call into a plug-in it is in.
 */
#include <stdio.h>

#include "services/services_internal.h"

static _Thread_local snw_thread_call current = {SNW_ROLE_FREE, NULL};
static _Thread_local bool in_chunk;
static atomic_uint_least64_t violations;

snw_thread_call snw_thread_enter(snw_thread_role role, const char *who) {
	const snw_thread_call previous = current;
	current = (snw_thread_call){role, who};
	return previous;
}

void snw_thread_leave(snw_thread_call previous) {
	current = previous;
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

void snw_thread_expect(snw_service_tag tag, const char *service) {
#ifndef NDEBUG
	const bool in_evaluation = current.role == SNW_ROLE_EVALUATION;
	const bool off_owner = tag == SNW_TAG_OWNER_THREAD && in_chunk;
	if ((in_evaluation || off_owner) && atomic_fetch_add(&violations, 1) == 0) {
		fprintf(stderr, "sinew: a plug-in called %s %s, which the thread rule of that service forbids; see sinew/base.h\n",
				service, in_evaluation ? "inside drive or deform" : "inside a parallel chunk");
	}
#else
	(void)tag;
	(void)service;
#endif
}
