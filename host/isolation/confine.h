/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a process of a plug-in gets, so that the program and the machine survive what it does.
 */
#ifndef SINEW_HOST_ISOLATION_CONFINE_H
#define SINEW_HOST_ISOLATION_CONFINE_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

/* The memory of a process for plug-ins or imports, by default. */
#define SNW_PROCESS_MEMORY ((uint64_t)8 << 30)

/* If the system runs out of memory, it ends this process and not the one with an artist's work. */
void snw_confine_memory_shortage(void);

/* In a process that was forked for a plug-in: a process group of its own, so that signals to the group do not reach the
 * program; no signals to others, and no tracing of them; memory of its own up to SNW_PROCESS_MEMORY, and no core files. A call
 * to a process that is not its own fails, or ends the process by SIGSYS: after a trial the plug-in is loaded into the program,
 * where nothing hinders it. */
void snw_confine_plugin(bool is_trial);

/* Whether it has ended; it is still to be waited for. What it has started may hold its sockets and pipes open. */
bool snw_confined_has_ended(pid_t process);

/* Ends such a process with all that it has started and that has stayed in its group. It is still to be waited for. */
void snw_confined_end(pid_t process);

/* ---- filters of calls ---------------------------------------------------------------------------------------------------- */

/* Words of a filter of system calls (seccomp, classic BPF), for the sandbox of readers and fits and for the processes of
 * plug-ins. `SNW_ARCHITECTURE` is not defined where the numbers of calls are not known here. */

#if defined(__x86_64__)
#define SNW_ARCHITECTURE AUDIT_ARCH_X86_64
enum { SNW_FIRST_FOREIGN_CALL = 0x40000000 }; /* the x32 ABI's numbers */
#elif defined(__aarch64__)
#define SNW_ARCHITECTURE AUDIT_ARCH_AARCH64
enum { SNW_FIRST_FOREIGN_CALL = 0x7fffffff };
#endif

#define SNW_CALL_LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define SNW_CALL_ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define SNW_CALL_REFUSE(number) SNW_CALL_ANSWER(SECCOMP_RET_ERRNO | (number))
/* Runs the next instruction if the loaded word equals that number, and skips it otherwise. */
#define SNW_CALL_WHEN(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1)
/* A call whose first argument is a process is allowed on this process alone. 0 also means this process. */
#define SNW_CALL_ALLOWED_ON_SELF(call, self, otherwise)                                                                        \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 5), SNW_CALL_LOAD(args[0]),                                             \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (self), 1, 0),                       \
		SNW_CALL_ANSWER(otherwise), SNW_CALL_ANSWER(SECCOMP_RET_ALLOW)

#endif
