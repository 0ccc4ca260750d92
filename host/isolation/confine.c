/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Without stdio: locks of the program's other threads were copied by the fork. */
void snw_confine_memory_shortage(void) {
	static const char score[] = "1000";
	const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (file >= 0) {
		(void)!write(file, score, sizeof score - 1);
		close(file);
	}
}

#ifndef __SANITIZE_ADDRESS__ /* the sanitizer maps terabytes for itself */
/* The address space that is mapped already, most of it shared and unused; 0 if it is not known. */
static uint64_t mapped_bytes(void) {
	char text[64] = "";
	const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	const ssize_t count = file >= 0 ? read(file, text, sizeof text - 1) : 0;
	if (file >= 0) {
		close(file);
	}
	return count > 0 ? strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void limit_memory(void) {
	const uint64_t mapped = mapped_bytes();
	struct rlimit limit;
	if (mapped > 0 && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur > mapped + SNW_PROCESS_MEMORY) {
		limit.rlim_cur = mapped + SNW_PROCESS_MEMORY;
		limit.rlim_max = limit.rlim_cur;
		(void)setrlimit(RLIMIT_AS, &limit);
	}
}
#else
static void limit_memory(void) {}
#endif

#ifdef SNW_ARCHITECTURE
static void limit_signals(bool is_trial) {
	const uint32_t self = (uint32_t)getpid(), refusal = is_trial ? SECCOMP_RET_TRAP : SECCOMP_RET_ERRNO | EPERM;
	struct sock_filter filter[] = {
		SNW_CALL_LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SNW_ARCHITECTURE, 1, 0),
		SNW_CALL_ANSWER(refusal),
		SNW_CALL_LOAD(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SNW_FIRST_FOREIGN_CALL, 0, 1),
		SNW_CALL_ANSWER(refusal),
		SNW_CALL_ALLOWED_ON_SELF(kill, self, refusal),
		SNW_CALL_ALLOWED_ON_SELF(tgkill, self, refusal),
		SNW_CALL_ALLOWED_ON_SELF(rt_sigqueueinfo, self, refusal),
		SNW_CALL_ALLOWED_ON_SELF(rt_tgsigqueueinfo, self, refusal),
		SNW_CALL_ALLOWED_ON_SELF(prlimit64, self, refusal), /* a limit of 0 ends a process too */
		SNW_CALL_WHEN(SYS_tkill),
		SNW_CALL_ANSWER(refusal),
		SNW_CALL_WHEN(SYS_pidfd_send_signal),
		SNW_CALL_ANSWER(refusal),
		SNW_CALL_WHEN(SYS_ptrace),
		SNW_CALL_ANSWER(refusal),
		SNW_CALL_WHEN(SYS_process_vm_writev),
		SNW_CALL_ANSWER(refusal),
		SNW_CALL_ANSWER(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
		(void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	}
}
#else
static void limit_signals(bool is_trial) {
	(void)is_trial;
}
#endif

void snw_confine_plugin(bool is_trial) {
	(void)setpgid(0, 0);
	limit_signals(is_trial);
	snw_confine_memory_shortage();
	(void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	limit_memory();
}

bool snw_confined_has_ended(pid_t process) {
	siginfo_t about = {0};
	return waitid(P_PID, (id_t)process, &about, WEXITED | WNOWAIT | WNOHANG) == 0 && about.si_pid == process;
}

void snw_confined_end(pid_t process) {
	(void)kill(-process, SIGKILL);
	(void)kill(process, SIGKILL); /* in case its group does not exist yet */
}
