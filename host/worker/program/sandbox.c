/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "worker/program/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isolation/confine.h"

/* ---- limits -------------------------------------------------------------------------------------------------------------- */

enum { MOST_OPEN_FILES = 256 };

static void limit(int resource, uint64_t most) {
	(void)setrlimit((unsigned)resource, &(struct rlimit){most, most});
}

/* There is no RLIMIT_NPROC: it counts all processes and threads of the user, so that the threads of a reader would depend on
 * what else runs. The filter below refuses new processes (clone but for threads), and a thread takes its stack
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

/* ---- files --------------------------------------------------------------------------------------------------------------- */

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

/* What is in /proc gets another inode once the kernel forgets its name, and a rule holds for one inode. An open descriptor
 * keeps the name. */
static void keep_name(const char *path) {
	(void)open(path, O_PATH | O_CLOEXEC);
}

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
		if (strncmp(SYSTEM_FILES[i], "/proc/", strlen("/proc/")) == 0) {
			keep_name(SYSTEM_FILES[i]);
		}
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

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

#ifdef SNW_ARCHITECTURE

enum { FIRST_NEW_CALL = 424 }; /* calls have the same numbers on all architectures from here on */

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ALLOWED(call) SNW_CALL_WHEN(SYS_##call), SNW_CALL_ANSWER(SECCOMP_RET_ALLOW)
#define FAILS(call) SNW_CALL_WHEN(SYS_##call), SNW_CALL_REFUSE(EPERM)
/* Refuses to empty a file that is not opened to be written. With all bits of O_ACCMODE the file can be neither read nor
 * written, and Landlock asks for no right; yet O_TRUNC empties it. */
#define ALLOWED_BUT_EMPTYING(call, flags)                                                                                      \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 6), SNW_CALL_LOAD(args[flags]),                                         \
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_ACCMODE),                                                              \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_TRUNC | O_RDONLY, 1, 0), SNW_CALL_WHEN(O_TRUNC | O_ACCMODE),                     \
		SNW_CALL_REFUSE(EPERM), SNW_CALL_ANSWER(SECCOMP_RET_ALLOW)
/* Allows a call unless an argument has one of two values. */
#define ALLOWED_BUT_VALUES(call, argument, one, other)                                                                         \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 5), SNW_CALL_LOAD(args[argument]),                                      \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (one), 1, 0), SNW_CALL_WHEN(other), SNW_CALL_REFUSE(EPERM),                        \
		SNW_CALL_ANSWER(SECCOMP_RET_ALLOW)
/* Allows a call if an argument has one of two values. */
#define ALLOWED_VALUES(call, argument, one, other)                                                                             \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 5), SNW_CALL_LOAD(args[argument]),                                      \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (one), 1, 0), SNW_CALL_WHEN(other), SNW_CALL_ANSWER(SECCOMP_RET_ALLOW),            \
		SNW_CALL_REFUSE(EPERM)

/* Refuses the calls of another ABI, then loads the number of the call for what follows. Libraries do without the new calls
 * where the kernel lacks them: clone3 and openat2 among them, whose flags are in memory, where no filter sees them. */
static const struct sock_filter CHECK_ABI[] = {
	SNW_CALL_LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SNW_ARCHITECTURE, 1, 0),
	SNW_CALL_REFUSE(EPERM),
	SNW_CALL_LOAD(nr),
	BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SNW_FIRST_FOREIGN_CALL, 0, 1),
	SNW_CALL_REFUSE(EPERM),
	BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_NEW_CALL, 0, 1),
	SNW_CALL_REFUSE(ENOSYS),
};

/* What readers and fits call, the C library's, SQLite's and OpenBLAS's calls among them. Each acts on this process, on its
 * descriptors, or on files as far as Landlock allows. */
static const struct sock_filter ALLOWED_CALLS[] = {
	/* descriptors and files, the frequent ones first */
	ALLOWED(read),
	ALLOWED(pread64),
	ALLOWED(write),
	ALLOWED(pwrite64),
	ALLOWED(lseek),
	ALLOWED(close),
	ALLOWED(fstat),
	ALLOWED(newfstatat),
	ALLOWED(statx),
	ALLOWED(futex),
	ALLOWED(madvise),
	ALLOWED(mmap),
	ALLOWED(munmap),
	ALLOWED(sched_yield),
	ALLOWED(readv),
	ALLOWED(writev),
	ALLOWED(faccessat),
	ALLOWED(readlinkat),
	ALLOWED(getdents64),
	ALLOWED(getcwd),
	ALLOWED(statfs),
	ALLOWED(fstatfs),
	ALLOWED(dup),
	ALLOWED(dup3),
	ALLOWED(pipe2),
	ALLOWED(ppoll),
	ALLOWED(pselect6),
	ALLOWED(sendto),
	ALLOWED(sendmsg),
	ALLOWED(recvfrom),
	ALLOWED(recvmsg),
	ALLOWED(shutdown),
	ALLOWED(ftruncate),
	ALLOWED(fallocate),
	ALLOWED(fadvise64),
	ALLOWED(fsync),
	ALLOWED(fdatasync),
	ALLOWED(flock),
	ALLOWED(unlinkat),
	ALLOWED(renameat2),
#ifdef SYS_renameat
	ALLOWED(renameat),
#endif
#ifdef SYS_stat /* of x86-64 alone */
	ALLOWED(stat),
	ALLOWED(lstat),
	ALLOWED(access),
	ALLOWED(readlink),
	ALLOWED(getdents),
	ALLOWED(dup2),
	ALLOWED(pipe),
	ALLOWED(poll),
	ALLOWED(select),
	ALLOWED(unlink),
	ALLOWED(rename),
	ALLOWED(arch_prctl),
	ALLOWED(time),
#endif
	/* memory */
	ALLOWED(brk),
	ALLOWED(mprotect),
	ALLOWED(mremap),
	ALLOWED(mincore),
	ALLOWED(msync),
	/* this process: its threads, signals, limits and clocks */
	ALLOWED(exit),
	ALLOWED(exit_group),
	ALLOWED(rt_sigaction),
	ALLOWED(rt_sigprocmask),
	ALLOWED(rt_sigreturn),
	ALLOWED(sigaltstack),
	ALLOWED(restart_syscall),
	ALLOWED(set_robust_list),
	ALLOWED(get_robust_list),
	ALLOWED(set_tid_address),
	ALLOWED(rseq),
	ALLOWED(membarrier),
	ALLOWED(prctl),
	ALLOWED(getpid),
	ALLOWED(gettid),
	ALLOWED(getppid),
	ALLOWED(getuid),
	ALLOWED(geteuid),
	ALLOWED(getgid),
	ALLOWED(getegid),
	ALLOWED(sched_getaffinity),
	ALLOWED(getcpu),
	ALLOWED(getrlimit),
	ALLOWED(setrlimit),
	ALLOWED(getrusage),
	ALLOWED(times),
	ALLOWED(sysinfo),
	ALLOWED(uname),
	ALLOWED(umask),
	ALLOWED(getrandom),
	ALLOWED(clock_gettime),
	ALLOWED(clock_getres),
	ALLOWED(clock_nanosleep),
	ALLOWED(nanosleep),
	ALLOWED(gettimeofday),
#ifdef __SANITIZE_ADDRESS__ /* its search for leaks runs in a second process that traces the first */
	ALLOWED(clone),
	ALLOWED(ptrace),
	ALLOWED(wait4),
	ALLOWED(kill),
#else
	/* Threads, but no processes. */
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
	SNW_CALL_LOAD(args[0]),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
	SNW_CALL_ANSWER(SECCOMP_RET_ALLOW),
	SNW_CALL_LOAD(nr),
#endif
};

/* What libraries do without where it fails: SQLite without the modes of files, OpenBLAS without placed memory, the C library's
 * look-up of users without its daemon. In a reader, too, these fail. */
static const struct sock_filter FAILING_CALLS[] = {
	FAILS(fchmod),
	FAILS(fchown),
	FAILS(fchmodat),
	FAILS(utimensat),
	FAILS(mkdirat),
	FAILS(preadv),
	FAILS(preadv2),
	FAILS(pwritev),
	FAILS(pwritev2),
	FAILS(mbind),
	FAILS(get_mempolicy),
	FAILS(set_mempolicy),
	FAILS(mlock),
	FAILS(mlock2),
	FAILS(munlock),
	FAILS(memfd_create),
	FAILS(eventfd2),
	FAILS(socket),
	FAILS(connect),
	FAILS(tkill),
	FAILS(rt_sigtimedwait),
	FAILS(getitimer),
	FAILS(setitimer),
	FAILS(getpriority),
	FAILS(sched_getparam),
	FAILS(sched_getscheduler),
	FAILS(sched_get_priority_min),
	FAILS(sched_get_priority_max),
	FAILS(getgroups),
	FAILS(getresuid),
	FAILS(getresgid),
#ifdef SYS_chmod /* of x86-64 alone */
	FAILS(chmod),
	FAILS(mkdir),
	FAILS(rmdir),
	FAILS(eventfd),
	FAILS(alarm),
	FAILS(utime),
	FAILS(utimes),
#endif
};

static bool restrict_calls(bool is_strict) {
	const uint32_t self = (uint32_t)getpid(), otherwise = is_strict ? SECCOMP_RET_TRAP : SECCOMP_RET_ERRNO | EPERM;
	const struct sock_filter by_argument[] = {
#ifdef SYS_open
		ALLOWED_BUT_EMPTYING(open, 1),
#endif
		ALLOWED_BUT_EMPTYING(openat, 2),
		ALLOWED_BUT_VALUES(fcntl, 1, F_SETOWN, F_SETOWN_EX), /* the kernel would send signals to the owner */
		ALLOWED_VALUES(ioctl, 1, TCGETS, FIONREAD),
		SNW_CALL_ALLOWED_ON_SELF(kill, self, otherwise),
		SNW_CALL_ALLOWED_ON_SELF(tgkill, self, otherwise),
		SNW_CALL_ALLOWED_ON_SELF(prlimit64, self, otherwise),
		SNW_CALL_ALLOWED_ON_SELF(sched_setaffinity, self, otherwise),
		SNW_CALL_ALLOWED_ON_SELF(sched_setscheduler, self, otherwise),
		SNW_CALL_ALLOWED_ON_SELF(sched_setparam, self, otherwise),
		SNW_CALL_ALLOWED_ON_SELF(sched_setattr, self, otherwise),
		SNW_CALL_ANSWER(otherwise),
	};
	enum { ALLOWED_AT = COUNT(CHECK_ABI), FAILING_AT = ALLOWED_AT + COUNT(ALLOWED_CALLS) };
	enum { BY_ARGUMENT_AT = FAILING_AT + COUNT(FAILING_CALLS) };
	struct sock_filter filter[BY_ARGUMENT_AT + COUNT(by_argument)];
	memcpy(filter, CHECK_ABI, sizeof CHECK_ABI);
	memcpy(filter + ALLOWED_AT, ALLOWED_CALLS, sizeof ALLOWED_CALLS);
	memcpy(filter + FAILING_AT, FAILING_CALLS, sizeof FAILING_CALLS);
	memcpy(filter + BY_ARGUMENT_AT, by_argument, sizeof by_argument);
	const struct sock_fprog program = {.len = COUNT(filter), .filter = filter};
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

/* Names the call on standard error, which the program reads, and ends the process by this signal. */
static void name_call(int number, siginfo_t *info, void *context) {
	(void)context;
	const unsigned call = (unsigned)info->si_syscall;
	const char *name = call < snw_system_call_count ? snw_system_call_names[call] : NULL;
	const char *const parts[] = {"it called ", name ? name : "what has no name here", ", which no reader needs\n"};
	for (size_t i = 0; i < COUNT(parts); i++) {
		(void)!write(STDERR_FILENO, parts[i], strlen(parts[i]));
	}
	(void)raise(number);
}

static void watch_calls(void) {
	const struct sigaction action = {.sa_sigaction = name_call, .sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER};
	(void)sigaction(SIGSYS, &action, NULL);
}

static bool has_seccomp(void) {
	const uint32_t action = SECCOMP_RET_ERRNO;
	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

#else

static bool restrict_calls(bool is_strict) {
	(void)is_strict;
	return false;
}

static void watch_calls(void) {}

static bool has_seccomp(void) {
	return false;
}

#endif

/* ---- both ---------------------------------------------------------------------------------------------------------------- */

bool snw_sandbox_available(void) {
	return landlock_version() > 0 && has_seccomp();
}

bool snw_sandbox_enter(const snw_sandbox *sandbox) {
	set_limits(sandbox);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		return false;
	}
	const bool files = restrict_files(sandbox);
	if (sandbox->is_strict) {
		watch_calls();
	}
	return restrict_calls(sandbox->is_strict) && files;
}
