/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Restricts what the worker may do after it has received its request. Some files are made to exploit readers. An exploited
 * reader can reach no network, no other program and no other file. docs/security.md says which attacks this stops.
 *
 * Files: Landlock (Linux 5.13). Calls: seccomp, on x86-64 and AArch64: what is not on a list is refused. If the kernel lacks
 * one, the other still applies.
 */
#ifndef SINEW_HOST_WORKER_PROGRAM_SANDBOX_H
#define SINEW_HOST_WORKER_PROGRAM_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct snw_sandbox {
	/* Files and folders that exist. System libraries are always readable. Of a folder all that is below, but for what begins
	 * with a dot in it ("~/.ssh"); of one that $HOME is below, its files alone. */
	const char *const *readable;
	uint32_t readable_count;
	bool reads_all;        /* every file is readable */
	const char *writable;  /* a folder in which regular files may be made and removed; NULL for none */
	bool is_strict;        /* a call that is on no list ends the process by SIGSYS and is named on standard error; else it
							  fails with EPERM, as a plug-in may expect */
	uint64_t memory_bytes; /* of address space, and of any file written; 0: no limit */
	uint64_t cpu_seconds;  /* of all threads; 0: no limit */
} snw_sandbox;

/* Restricts this thread and all threads that it starts later, for good. False if the kernel lacks a part of it. */
bool snw_sandbox_enter(const snw_sandbox *sandbox);

/* True if the kernel supports all of it. */
bool snw_sandbox_available(void);

/* The names of the system's calls by their numbers, some NULL: syscall_names.sh prints them from the system's headers. */
extern const char *const snw_system_call_names[];
extern const uint32_t snw_system_call_count;

#endif
