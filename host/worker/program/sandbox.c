/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/program/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- limits ----------------------------------------------------------------------------------------------------------- */

enum { MOST_OPEN_FILES = 256 };

static void limit(int resource, uint64_t most) {
	(void)setrlimit((unsigned)resource, &(struct rlimit){most, most});
}

/* There is no RLIMIT_NPROC: it counts all processes and threads of the user, so that the threads of a reader would depend on
 * what else runs. The filter below refuses new processes (fork, vfork, and clone but for threads), and a thread takes its stack
 * from RLIMIT_AS. */
static void set_limits(const snw_sandbox *sandbox) {
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_NOFILE, MOST_OPEN_FILES);
	if (sandbox->cpu_seconds > 0) {
		limit(RLIMIT_CPU, sandbox->cpu_seconds);
	}
	if (sandbox->memory_bytes > 0) {
		(void)signal(SIGXFSZ, SIG_IGN); /* a write over the limit fails with an error */
		limit(RLIMIT_FSIZE, sandbox->memory_bytes);
#ifndef __SANITIZE_ADDRESS__ /* the sanitizer reserves terabytes of address space */
		limit(RLIMIT_AS, sandbox->memory_bytes);
#endif
	}
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

/* Rights that the oldest supported headers lack, with the first version of Landlock that has them. */
#define FS_REFER (1ULL << 13)    /* 2 */
#define FS_TRUNCATE (1ULL << 14) /* 3 */

static const uint64_t READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t WRITE = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG;
static const uint64_t OTHER = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_CHAR |
							  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
							  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

/* 0 if the kernel has no Landlock. */
static int landlock_version(void) {
	const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	return version > 0 ? (int)version : 0;
}

/* Landlock refuses the rights of folders for a file. */
static void allow(int rules, const char *path, uint64_t rights) {
	const int file = open(path, O_PATH | O_CLOEXEC);
	struct stat info;
	if (file < 0) {
		return;
	}
	if (fstat(file, &info) == 0 && !S_ISDIR(info.st_mode)) {
		rights &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE;
	}
	const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
	(void)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(file);
}

/* Whether $HOME is below a folder. */
static bool is_above_home(const char *folder) {
	const char *variable = getenv("HOME");
	char *home = variable && variable[0] ? realpath(variable, NULL) : NULL, *real = realpath(folder, NULL);
	const size_t length = real ? strlen(real) : 0;
	const bool is_above = real && (length == 1 || (home && strncmp(home, real, length) == 0 && home[length] == '/'));
	free(home);
	free(real);
	return is_above;
}

/* Landlock grants all that is below a folder. So where something in it is hidden, each of the others is granted; the names in
 * it can be listed. */
static void allow_folder(int rules, const char *folder) {
	const bool files_only = is_above_home(folder);
	bool has_hidden = false;
	char path[PATH_MAX];
	DIR *list = opendir(folder);
	for (const struct dirent *entry; list && (entry = readdir(list));) {
		has_hidden =
			has_hidden || (entry->d_name[0] == '.' && strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0);
	}
	if (!list || (!has_hidden && !files_only)) {
		allow(rules, folder, READ);
	} else {
		allow(rules, folder, LANDLOCK_ACCESS_FS_READ_DIR);
		rewinddir(list);
	}
	for (const struct dirent *entry; list && (has_hidden || files_only) && (entry = readdir(list));) {
		struct stat info;
		if (entry->d_name[0] != '.' && snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path &&
			stat(path, &info) == 0 && (S_ISREG(info.st_mode) || (S_ISDIR(info.st_mode) && !files_only))) {
			allow(rules, path, READ);
		}
	}
	if (list) {
		closedir(list);
	}
}

/* The files that the C library and the libraries of readers open while they run. */
static const char *const SYSTEM_FILES[] = {"/usr",        "/lib",          "/lib64",        "/etc/ld.so.cache",
										   "/proc/self",  "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu",
										   "/dev/urandom"};

static bool restrict_files(const snw_sandbox *sandbox) {
	const int version = landlock_version();
	const uint64_t truncate = version >= 3 ? FS_TRUNCATE : 0;
	const struct landlock_ruleset_attr handled = {.handled_access_fs =
													  READ | WRITE | OTHER | truncate | (version >= 2 ? FS_REFER : 0)};
	const int rules =
		version > 0 ? (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0) : -1;
	if (rules < 0) {
		return false;
	}
	for (size_t i = 0; i < sizeof SYSTEM_FILES / sizeof *SYSTEM_FILES; i++) {
		allow(rules, SYSTEM_FILES[i], READ);
	}
	for (uint32_t i = 0; i < sandbox->readable_count; i++) {
		allow_folder(rules, sandbox->readable[i]);
	}
	if (sandbox->reads_all) {
		allow(rules, "/", READ);
	}
	allow(rules, "/dev/null", READ | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate);
	if (sandbox->writable) {
		allow(rules, sandbox->writable, READ | WRITE | truncate);
	}
	const bool restricted = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return restricted;
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
enum { FIRST_FOREIGN_CALL = 0x40000000 }; /* the x32 ABI's numbers */
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
enum { FIRST_FOREIGN_CALL = 0x7fffffff };
#endif

#ifdef ARCHITECTURE

/* Numbers that older headers lack; they are the same on both architectures. openat2 takes its flags in memory, where no filter
 * sees them. */
enum {
	CALL_OPENAT2 = 437,
	CALL_QUOTACTL_FD = 443,
	CALL_FCHMODAT2 = 452,
	CALL_SETXATTRAT = 463,
	CALL_REMOVEXATTRAT = 466,
	CALL_FILE_SETATTR = 469
};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE(number) ANSWER(SECCOMP_RET_ERRNO | (number))
/* Runs the next instruction if the loaded word equals that number, and skips it otherwise. */
#define WHEN(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1)
#define REFUSED_CALL(call) WHEN(SYS_##call), REFUSE(EPERM)
#define REFUSED_REQUEST(number) WHEN((uint32_t)(number)), REFUSE(EPERM)
/* A call whose first argument is a process is allowed on this process alone. 0 also means this process. */
#define CALL_ON_SELF(call, self)                                                                                               \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 5), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0),        \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (self), 1, 0), REFUSE(EPERM), ANSWER(SECCOMP_RET_ALLOW)

/* Refuses to empty a file that is not opened to be written. With all bits of O_ACCMODE the file can be neither read nor
 * written, and Landlock asks for no right; yet O_TRUNC empties it. */
#define REFUSED_EMPTYING(call, flags)                                                                                          \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 6), LOAD(args[flags]),                                                  \
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_ACCMODE),                                                              \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_TRUNC | O_RDONLY, 1, 0), WHEN(O_TRUNC | O_ACCMODE), REFUSE(EPERM),               \
		ANSWER(SECCOMP_RET_ALLOW)
/* Refuses a call where an argument has one of two values. */
#define REFUSED_VALUES(call, argument, one, other)                                                                             \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 5), LOAD(args[argument]),                                               \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (one), 1, 0), WHEN(other), REFUSE(EPERM), ANSWER(SECCOMP_RET_ALLOW)

/* Refuses the calls of another ABI, then loads the number of the call for what follows. */
static const struct sock_filter CHECK_ABI[] = {
	LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),       REFUSE(EPERM),
	LOAD(nr),   BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_FOREIGN_CALL, 0, 1), REFUSE(EPERM),
};

static const struct sock_filter REFUSED_CALLS[] = {
	/* the network, and other ways to other processes */
	REFUSED_CALL(socket),
	REFUSED_CALL(socketpair),
	REFUSED_CALL(connect),
	REFUSED_CALL(bind),
	REFUSED_CALL(listen),
	REFUSED_CALL(process_vm_readv),
	REFUSED_CALL(process_vm_writev),
	REFUSED_CALL(kcmp),
	REFUSED_CALL(tkill),
	REFUSED_CALL(rt_sigqueueinfo),
	REFUSED_CALL(rt_tgsigqueueinfo),
	REFUSED_CALL(setpriority), /* also of a group or a user */
	REFUSED_CALL(ioprio_set),
	REFUSED_CALL(migrate_pages),
	REFUSED_CALL(move_pages),
	REFUSED_CALL(setpgid), /* so that kill(0, …) reaches this process alone */
	REFUSED_CALL(shmget),
	REFUSED_CALL(shmat),
	REFUSED_CALL(shmctl),
	REFUSED_CALL(semget),
	REFUSED_CALL(semop),
	REFUSED_CALL(semtimedop),
	REFUSED_CALL(semctl),
	REFUSED_CALL(msgget),
	REFUSED_CALL(msgsnd),
	REFUSED_CALL(msgrcv),
	REFUSED_CALL(msgctl),
	REFUSED_CALL(mq_open),
	REFUSED_CALL(mq_unlink),
	/* memory that no limit counts */
	REFUSED_CALL(memfd_create),
	/* what Landlock does not know of files: their modes, owners, times and attributes, and who uses them */
	REFUSED_CALL(fchmod),
	REFUSED_CALL(fchmodat),
	REFUSED_CALL(fchown),
	REFUSED_CALL(fchownat),
	REFUSED_CALL(utimensat),
	REFUSED_CALL(setxattr),
	REFUSED_CALL(lsetxattr),
	REFUSED_CALL(fsetxattr),
	REFUSED_CALL(removexattr),
	REFUSED_CALL(lremovexattr),
	REFUSED_CALL(fremovexattr),
	REFUSED_CALL(inotify_init1),
	REFUSED_CALL(fanotify_init),
	WHEN(CALL_FCHMODAT2),
	REFUSE(ENOSYS),
	WHEN(CALL_SETXATTRAT),
	REFUSE(ENOSYS),
	WHEN(CALL_REMOVEXATTRAT),
	REFUSE(ENOSYS),
	WHEN(CALL_FILE_SETATTR),
	REFUSE(ENOSYS),
	WHEN(CALL_OPENAT2),
	REFUSE(ENOSYS),
#ifdef SYS_chmod
	REFUSED_CALL(chmod),
	REFUSED_CALL(chown),
	REFUSED_CALL(lchown),
	REFUSED_CALL(utime),
	REFUSED_CALL(utimes),
	REFUSED_CALL(futimesat),
	REFUSED_CALL(inotify_init),
#endif
	/* and, before Linux 6.2, truncation */
	REFUSED_CALL(truncate),
	/* other programs */
	REFUSED_CALL(execve),
	REFUSED_CALL(execveat),
#ifdef SYS_fork
	REFUSED_CALL(fork),
	REFUSED_CALL(vfork),
#endif
	/* kernel interfaces that no reader needs and that have often had vulnerabilities */
	REFUSED_CALL(bpf),
	REFUSED_CALL(perf_event_open),
	REFUSED_CALL(userfaultfd),
	REFUSED_CALL(io_uring_setup),
	REFUSED_CALL(keyctl),
	REFUSED_CALL(add_key),
	REFUSED_CALL(request_key),
	REFUSED_CALL(unshare),
	REFUSED_CALL(setns),
	REFUSED_CALL(mount),
	REFUSED_CALL(umount2),
	REFUSED_CALL(open_by_handle_at),
	REFUSED_CALL(pidfd_open),
	REFUSED_CALL(pidfd_send_signal),
	/* what only an administrator may do, and a reader that one runs must not */
	REFUSED_CALL(init_module),
	REFUSED_CALL(finit_module),
	REFUSED_CALL(delete_module),
	REFUSED_CALL(kexec_load),
	REFUSED_CALL(kexec_file_load),
	REFUSED_CALL(reboot),
	REFUSED_CALL(swapon),
	REFUSED_CALL(swapoff),
	REFUSED_CALL(acct),
	REFUSED_CALL(chroot),
	REFUSED_CALL(pivot_root),
	REFUSED_CALL(sethostname),
	REFUSED_CALL(setdomainname),
	REFUSED_CALL(settimeofday),
	REFUSED_CALL(clock_settime),
	REFUSED_CALL(adjtimex),
	REFUSED_CALL(clock_adjtime),
	REFUSED_CALL(quotactl),
	WHEN(CALL_QUOTACTL_FD),
	REFUSE(ENOSYS),
	REFUSED_CALL(syslog),
#ifdef SYS_iopl
	REFUSED_CALL(iopl),
	REFUSED_CALL(ioperm),
#endif
#ifndef __SANITIZE_ADDRESS__ /* its search for leaks runs in a second process that traces the first */
	REFUSED_CALL(ptrace),
	/* A filter cannot see the flags of clone3. Where clone3 is missing, libraries call clone, which is allowed for threads. */
	WHEN(SYS_clone3),
	REFUSE(ENOSYS),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
	LOAD(args[0]),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
	REFUSE(EPERM),
	ANSWER(SECCOMP_RET_ALLOW),
#endif
};

static bool restrict_calls(void) {
	const uint32_t self = (uint32_t)getpid();
	const struct sock_filter calls_on_self[] = {
#ifndef __SANITIZE_ADDRESS__
		CALL_ON_SELF(kill, self),
#endif
		CALL_ON_SELF(tgkill, self),
		CALL_ON_SELF(prlimit64, self),
		CALL_ON_SELF(sched_setaffinity, self),
		CALL_ON_SELF(sched_setscheduler, self),
		CALL_ON_SELF(sched_setparam, self),
		CALL_ON_SELF(sched_setattr, self),
#ifdef SYS_open
		REFUSED_EMPTYING(open, 1),
#endif
		REFUSED_EMPTYING(openat, 2),
		REFUSED_VALUES(fcntl, 1, F_SETOWN, F_SETOWN_EX), /* the kernel would send signals to the owner */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 1, 0),
		ANSWER(SECCOMP_RET_ALLOW),
		LOAD(args[1]),
		REFUSED_REQUEST(FIOSETOWN),
		REFUSED_REQUEST(SIOCSPGRP),
		REFUSED_REQUEST(FS_IOC_SETFLAGS), /* attributes of files; a descriptor for reading is enough */
		REFUSED_REQUEST(FS_IOC_FSSETXATTR),
		REFUSED_REQUEST(FS_IOC_SETVERSION),
		REFUSED_REQUEST(TIOCSTI), /* types into the terminal, as if the user did */
		ANSWER(SECCOMP_RET_ALLOW),
	};
	enum { ABI_COUNT = COUNT(CHECK_ABI), REFUSED_COUNT = COUNT(REFUSED_CALLS), SELF_COUNT = COUNT(calls_on_self) };
	struct sock_filter filter[ABI_COUNT + REFUSED_COUNT + SELF_COUNT];
	memcpy(filter, CHECK_ABI, sizeof CHECK_ABI);
	memcpy(filter + ABI_COUNT, REFUSED_CALLS, sizeof REFUSED_CALLS);
	memcpy(filter + ABI_COUNT + REFUSED_COUNT, calls_on_self, sizeof calls_on_self);
	const struct sock_fprog program = {.len = COUNT(filter), .filter = filter};
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

static bool has_seccomp(void) {
	const uint32_t action = SECCOMP_RET_ERRNO;
	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

#else

static bool restrict_calls(void) {
	return false;
}

static bool has_seccomp(void) {
	return false;
}

#endif

/* ---- both ------------------------------------------------------------------------------------------------------------- */

bool snw_sandbox_available(void) {
	return landlock_version() > 0 && has_seccomp();
}

bool snw_sandbox_enter(const snw_sandbox *sandbox) {
	set_limits(sandbox);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		return false;
	}
	const bool files = restrict_files(sandbox);
	return restrict_calls() && files;
}
