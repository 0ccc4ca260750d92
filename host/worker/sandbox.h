/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the worker may do once it has its request. Readers of files meet files that were made to break them: a reader that is taken
 * over finds no network, no other program and no other file. docs/security.md tells users what this holds against.
 *
 * Files: Landlock (Linux 5.13). Calls: seccomp, on x86-64 and AArch64. Where the kernel lacks one, the other still holds.
 */
#ifndef SINEW_HOST_WORKER_SANDBOX_H
#define SINEW_HOST_WORKER_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct snw_sandbox {
	const char *const *readable; /* files and folders; what is absent stays so. System libraries are readable always */
	uint32_t readable_count;
	const char *writable;  /* a folder, to make and remove plain files in; NULL for none */
	uint64_t memory_bytes; /* of address space, and of any file written; 0: no limit */
	uint64_t cpu_seconds;  /* of all threads; 0: no limit */
} snw_sandbox;

/* For this thread and all that it starts from here on; there is no way back. False where the kernel lacks a part of it. */
bool snw_sandbox_enter(const snw_sandbox *sandbox);

/* True where the kernel has all of it. */
bool snw_sandbox_available(void);

#endif
