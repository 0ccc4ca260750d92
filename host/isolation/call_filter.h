/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of a filter of system calls (seccomp, classic BPF), for the sandbox of readers and fits and for the processes of
 * plug-ins. `SNW_ARCHITECTURE` is not defined where the numbers of calls are not known here.
 */
#ifndef SINEW_HOST_ISOLATION_CALL_FILTER_H
#define SINEW_HOST_ISOLATION_CALL_FILTER_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

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
