/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a process in the sandbox can and cannot do. Each is tried in a child: there is no way back out.
 */
#include "check.h"
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "worker/program/sandbox.h"

#ifdef __SANITIZE_ADDRESS__
#define UNDER_ASAN 1
#else
#define UNDER_ASAN 0
#endif

enum { UNPREPARED = 255 };

static char readable[1024], writable[1024], secret[1024];

static int make_folders(void **state) {
	(void)state;
	snprintf(readable, sizeof readable, "%s", check_scratch("readable"));
	snprintf(writable, sizeof writable, "%s", check_scratch("writable"));
	mkdir(readable, 0700);
	mkdir(writable, 0700);
	snprintf(secret, sizeof secret, "%s", file_of_text("secret.txt", "private"));
	return 0;
}

/* Runs `attempt` in a child in the sandbox, after `prepare`, which may be NULL, outside of it; its answer. */
static int try_after(bool (*prepare)(void), int (*attempt)(void)) {
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0) {
		if (prepare && !prepare()) {
			_exit(UNPREPARED);
		}
		const char *const folders[] = {readable};
		(void)snw_sandbox_enter(&(snw_sandbox){.readable = folders, .readable_count = 1, .writable = writable});
		_exit(attempt());
	}
	int ended = 0;
	assert_int_equal(waitpid(child, &ended, 0), child);
	if (!WIFEXITED(ended)) {
		fail_msg("the attempt ended by signal %d", WTERMSIG(ended));
	}
	return WEXITSTATUS(ended);
}

static int try_in_sandbox(int (*attempt)(void)) {
	return try_after(NULL, attempt);
}

/* 0, or the error of opening a file so. */
static int open_error(const char *folder, const char *name, int flags) {
	char path[1200];
	snprintf(path, sizeof path, "%s%s%s", folder, name[0] ? "/" : "", name);
	const int file = open(path, flags, 0600);
	if (file < 0) {
		return errno;
	}
	close(file);
	return 0;
}

static int read_given_files(void) {
	return open_error(readable, "a", O_RDONLY);
}

static int write_given_folder(void) {
	char from[1100], to[1100];
	snprintf(from, sizeof from, "%s/b", writable);
	snprintf(to, sizeof to, "%s/c", writable);
	const int error = open_error(writable, "b", O_RDWR | O_CREAT);
	const int file = error || rename(from, to) != 0 ? -1 : open(to, O_WRONLY);
	return error ? error : file >= 0 && ftruncate(file, 1) == 0 && close(file) == 0 && unlink(to) == 0 ? 0 : errno;
}

static int write_where_only_reading_is_allowed(void) {
	return open_error(readable, "a", O_WRONLY);
}

static int make_where_only_reading_is_allowed(void) {
	return open_error(readable, "new", O_WRONLY | O_CREAT);
}

static int read_secret(void) {
	return open_error(secret, "", O_RDONLY);
}

static int empty_secret(void) {
	return truncate(secret, 0) == 0 ? 0 : errno;
}

/* Landlock knows nothing of truncation before Linux 6.2. */
static int empty_given_file(void) {
	const int error = open_error(readable, "a", O_RDONLY | O_TRUNC);
	const int error_without_access = open_error(readable, "a", O_ACCMODE | O_TRUNC);
	return error == error_without_access ? error : 0;
}

static int list_home(void) {
	return open_error("/", "", O_RDONLY | O_DIRECTORY);
}

static int make_link(void) {
	char path[1100];
	snprintf(path, sizeof path, "%s/link", writable);
	return symlink(secret, path) == 0 ? 0 : errno;
}

static void only_the_given_files_are_visible(void **state) {
	(void)state;
	if (!snw_sandbox_available()) {
		print_message("skipped: this kernel lacks Landlock or seccomp\n");
		skip();
	}
	char path[1100];
	snprintf(path, sizeof path, "%s/a", readable);
	file_write(path, "a", 1);
	assert_int_equal(try_in_sandbox(read_given_files), 0);
	assert_int_equal(try_in_sandbox(write_given_folder), 0);
	assert_int_equal(try_in_sandbox(write_where_only_reading_is_allowed), EACCES);
	assert_int_equal(try_in_sandbox(make_where_only_reading_is_allowed), EACCES);
	assert_int_equal(try_in_sandbox(read_secret), EACCES);
	assert_int_equal(try_in_sandbox(empty_secret), EPERM);
	assert_int_equal(try_in_sandbox(empty_given_file), EPERM);
	assert_int_equal(try_in_sandbox(list_home), EACCES);
	assert_int_equal(try_in_sandbox(make_link), EPERM);
	unlink(path);
}

/* Whoever may write to this file makes the kernel forget names. */
static int names = -1;

static bool open_names(void) {
	names = open("/proc/sys/vm/drop_caches", O_WRONLY);
	return names >= 0;
}

/* What the kernel has forgotten is read again, as after a time of little memory. */
static int read_forgotten(void) {
	int error = 0;
	for (int i = 0; i < 3 && error == 0; i++) {
		error = write(names, "2", 1) != 1 ? errno : open_error("/proc/self/task", "", O_RDONLY | O_DIRECTORY);
		error = error ? error : open_error("/proc/meminfo", "", O_RDONLY);
	}
	return error;
}

static void what_the_libraries_read_stays_visible(void **state) {
	(void)state;
	const bool can_forget = open_names();
	if (!snw_sandbox_available() || !can_forget) {
		print_message("skipped: only root makes the kernel forget names\n");
		skip();
	}
	close(names);
	assert_int_equal(try_after(open_names, read_forgotten), 0);
}

/* ---- what a folder hides ------------------------------------------------------------------------------------------------- */

static int read_hidden(void) {
	return open_error(readable, ".hidden", O_RDONLY);
}

static int read_below_hidden(void) {
	return open_error(readable, ".keys/key", O_RDONLY);
}

static int read_below(void) {
	return open_error(readable, "below/b", O_RDONLY);
}

static int list_given_folder(void) {
	return open_error(readable, "", O_RDONLY | O_DIRECTORY);
}

static void make_below(const char *folder, const char *name) {
	char path[1200];
	snprintf(path, sizeof path, "%s/%s", readable, folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/%s%s%s", readable, folder, folder[0] ? "/" : "", name);
	file_write(path, "a", 1);
}

static void remove_below(const char *folder, const char *name) {
	char path[1200];
	snprintf(path, sizeof path, "%s/%s%s%s", readable, folder, folder[0] ? "/" : "", name);
	unlink(path);
	snprintf(path, sizeof path, "%s/%s", readable, folder);
	(void)rmdir(path);
}

static void names_that_begin_with_a_dot_are_hidden(void **state) {
	(void)state;
	char home[1200];
	if (!snw_sandbox_available()) {
		skip();
	}
	static const char *const places[][2] = {{"", "a"}, {"", ".hidden"}, {".keys", "key"}, {"below", "b"}};
	for (size_t i = 0; i < 4; i++) {
		make_below(places[i][0], places[i][1]);
	}
	assert_int_equal(try_in_sandbox(read_given_files), 0);
	assert_int_equal(try_in_sandbox(list_given_folder), 0);
	assert_int_equal(try_in_sandbox(read_below), 0);
	assert_int_equal(try_in_sandbox(read_hidden), EACCES);
	assert_int_equal(try_in_sandbox(read_below_hidden), EACCES);
	/* Of a folder that is above $HOME, its files alone. */
	const char *before = getenv("HOME");
	char *kept = before ? strdup(before) : NULL;
	snprintf(home, sizeof home, "%s/below", readable);
	setenv("HOME", home, 1);
	assert_int_equal(try_in_sandbox(read_given_files), 0);
	assert_int_equal(try_in_sandbox(read_below), EACCES);
	if (kept) {
		setenv("HOME", kept, 1);
	} else {
		unsetenv("HOME");
	}
	free(kept);
	for (size_t i = 0; i < 4; i++) {
		remove_below(places[i][0], places[i][1]);
	}
	mkdir(readable, 0700);
}

static int make_memory_file(void) {
	return memfd_create("big", 0) >= 0 ? 0 : errno;
}

static void memory_that_no_limit_counts_is_refused(void **state) {
	(void)state;
	if (!snw_sandbox_available()) {
		skip();
	}
	assert_int_equal(try_in_sandbox(make_memory_file), EPERM);
}

/* ---- what is known of files -------------------------------------------------------------------------------------------- */

/* Landlock does not restrict these, also where a file may not be opened. */
static int change_mode(void) {
	return chmod(secret, 0777) == 0 || fchmodat(AT_FDCWD, readable, 0777, 0) == 0 ? 0 : errno;
}

static int change_mode_of_open_file(void) {
	const int folder = open(readable, O_RDONLY | O_DIRECTORY);
	return fchmod(folder, 0777) == 0 ? 0 : errno;
}

static int change_owner(void) {
	return chown(secret, getuid(), getgid()) == 0 || lchown(secret, getuid(), getgid()) == 0 ? 0 : errno;
}

static int change_time(void) {
	return utimensat(AT_FDCWD, secret, NULL, 0) == 0 ? 0 : errno;
}

static int add_attribute(void) {
	return setxattr(secret, "user.test", "1", 1, 0) == 0 ? 0 : errno;
}

/* A file that is open to be read is enough for these requests. The last one types into a terminal. */
static int request_changes(void) {
	static const unsigned long REQUESTS[] = {FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FS_IOC_SETVERSION, TIOCSTI};
	char path[1100];
	snprintf(path, sizeof path, "%s/a", readable);
	const int file = open(path, O_RDONLY);
	int error = EPERM;
	for (size_t i = 0; error == EPERM && i < sizeof REQUESTS / sizeof *REQUESTS; i++) {
		error = ioctl(file, REQUESTS[i], NULL) == 0 ? 0 : errno;
	}
	return error;
}

static int watch_folder(void) {
	return inotify_init1(0) >= 0 ? 0 : errno;
}

static void modes_times_and_attributes_of_files_cannot_be_changed(void **state) {
	(void)state;
	if (!snw_sandbox_available()) {
		print_message("skipped: this kernel lacks Landlock or seccomp\n");
		skip();
	}
	assert_int_equal(try_in_sandbox(change_mode), EPERM);
	assert_int_equal(try_in_sandbox(change_mode_of_open_file), EPERM);
	assert_int_equal(try_in_sandbox(change_owner), EPERM);
	assert_int_equal(try_in_sandbox(change_time), EPERM);
	assert_int_equal(try_in_sandbox(add_attribute), EPERM);
	char path[1100];
	snprintf(path, sizeof path, "%s/a", readable);
	file_write(path, "a", 1);
	assert_int_equal(try_in_sandbox(request_changes), EPERM);
	unlink(path);
	assert_int_equal(try_in_sandbox(watch_folder), EPERM);
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

static int open_socket(void) {
	const int inet = socket(AF_INET, SOCK_STREAM, 0);
	const int inet_error = inet < 0 ? errno : 0;
	const int local = socket(AF_UNIX, SOCK_STREAM, 0);
	return inet_error == EPERM && local < 0 ? errno : inet_error;
}

static int execute(void) {
	execl("/bin/true", "true", NULL);
	return errno;
}

static int make_process(void) {
	const pid_t child = fork();
	if (child == 0) {
		_exit(0);
	}
	return child < 0 ? errno : 0;
}

static int signal_parent(void) {
	return kill(getppid(), 0) == 0 ? 0 : errno;
}

static int queue_signal_of_parent(void) {
	siginfo_t info = {.si_signo = SIGCONT, .si_code = SI_QUEUE};
	return syscall(SYS_rt_tgsigqueueinfo, getppid(), getppid(), SIGCONT, &info) == 0 ? 0 : errno;
}

/* The kernel signals it when there is something to read. */
static int make_parent_an_owner(void) {
	int ends[2];
	return pipe(ends) == 0 && fcntl(ends[0], F_SETOWN, getppid()) == 0 ? 0 : errno;
}

/* kill(0, …) reaches all of the group. */
static int join_group_of_parent(void) {
	return setpgid(0, 0) == 0 ? 0 : errno;
}

static int attach_shared_memory(void) {
	return shmat(0, NULL, SHM_RDONLY) != (void *)-1 ? 0 : errno;
}

static int trace_parent(void) {
	return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0 ? 0 : errno;
}

static int change_limits_of_parent(void) {
	struct rlimit limit;
	return prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) == 0 ? 0 : errno;
}

static void *answer(void *given) {
	return given;
}

/* What must go on: threads, and signals to oneself. */
static int use_threads(void) {
	pthread_t thread;
	struct rlimit limit;
	int value = 0;
	void *got = NULL;
	const int error = pthread_create(&thread, NULL, answer, &value);
	if (error) {
		return error;
	}
	pthread_join(thread, &got);
	(void)signal(SIGUSR1, SIG_IGN);
	return got == &value && raise(SIGUSR1) == 0 && kill(getpid(), 0) == 0 && prlimit(0, RLIMIT_AS, NULL, &limit) == 0 ? 0 : 1;
}

static void other_programs_and_the_network_are_out_of_reach(void **state) {
	(void)state;
	if (!snw_sandbox_available()) {
		print_message("skipped: this kernel lacks Landlock or seccomp\n");
		skip();
	}
	assert_int_equal(try_in_sandbox(open_socket), EPERM);
	assert_int_equal(try_in_sandbox(execute), EPERM);
	assert_int_equal(try_in_sandbox(change_limits_of_parent), EPERM);
	assert_int_equal(try_in_sandbox(queue_signal_of_parent), EPERM);
	assert_int_equal(try_in_sandbox(make_parent_an_owner), EPERM);
	assert_int_equal(try_in_sandbox(join_group_of_parent), EPERM);
	assert_int_equal(try_in_sandbox(attach_shared_memory), EPERM);
	assert_int_equal(try_in_sandbox(use_threads), 0);
	if (!UNDER_ASAN) { /* whose search for leaks needs these */
		assert_int_equal(try_in_sandbox(make_process), EPERM);
		assert_int_equal(try_in_sandbox(signal_parent), EPERM);
		assert_int_equal(try_in_sandbox(trace_parent), EPERM);
	}
}

/* ---- calls that the kernel itself refuses to most users ------------------------------------------------------------------ */

static const long FOR_NOBODY[] = {
	SYS_init_module,   SYS_finit_module, SYS_delete_module, SYS_kexec_load,    SYS_kexec_file_load, SYS_reboot,
	SYS_swapon,        SYS_swapoff,      SYS_acct,          SYS_chroot,        SYS_pivot_root,      SYS_sethostname,
	SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,      SYS_clock_adjtime,   SYS_quotactl,
	SYS_syslog,        SYS_setpriority,  SYS_ioprio_set,    SYS_migrate_pages, SYS_move_pages,
#ifdef SYS_iopl
	SYS_iopl,          SYS_ioperm,
#endif
};

/* The first argument is the process on which they act. */
static const long FOR_SELF[] = {SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A filter that refuses these calls with an error of its own. The newest filter decides with which error a call is refused, so
 * one installed before the sandbox answers only the calls that the sandbox lets pass. None reaches the kernel, whatever the
 * rights of the user. */
enum { PASSED = EXDEV, MOST_CALLS = COUNT(FOR_NOBODY) + COUNT(FOR_SELF) };

static void answer_passed(size_t count, const long *calls, struct sock_filter *dest) {
	for (size_t i = 0; i < count; i++) {
		dest[2 * i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], 0, 1);
		dest[2 * i + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | PASSED);
	}
}

static bool mark_passed(void) {
	struct sock_filter filter[2 * MOST_CALLS + 2] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	answer_passed(COUNT(FOR_NOBODY), FOR_NOBODY, filter + 1);
	answer_passed(COUNT(FOR_SELF), FOR_SELF, filter + 1 + 2 * COUNT(FOR_NOBODY));
	filter[COUNT(filter) - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog program = {.len = COUNT(filter), .filter = filter};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

static bool all_end_with(int error, size_t count, const long *calls, pid_t process) {
	for (size_t i = 0; i < count; i++) {
		const int got = syscall(calls[i], process, 0, 0, 0, 0, 0) == 0 ? 0 : errno;
		if (got != error) {
			fprintf(stderr, "call %ld: %s\n", calls[i], strerror(got));
			return false;
		}
	}
	return true;
}

static int administrate(void) {
	return all_end_with(EPERM, COUNT(FOR_NOBODY), FOR_NOBODY, 0) ? EPERM : 0;
}

static int schedule_parent(void) {
	return all_end_with(EPERM, COUNT(FOR_SELF), FOR_SELF, getppid()) ? EPERM : 0;
}

static int schedule_self(void) {
	return all_end_with(PASSED, COUNT(FOR_SELF), FOR_SELF, 0) && all_end_with(PASSED, COUNT(FOR_SELF), FOR_SELF, getpid()) ? 0
																														   : 1;
}

/* ---- a reader ends with the name of its call --------------------------------------------------------------------------- */

/* How a child ends that makes a call as a reader, and what it says. */
static int end_of_reader(int (*attempt)(void), char text[200]) {
	int ends[2], ended = 0;
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		(void)snw_sandbox_enter(&(snw_sandbox){.is_strict = true});
		_exit(attempt());
	}
	close(ends[1]);
	assert_int_equal(waitpid(child, &ended, 0), child);
	text[0] = '\0';
	const ssize_t count = read(ends[0], text, 199);
	assert_true(count >= 0);
	text[count] = '\0';
	close(ends[0]);
	return ended;
}

static void unlisted_call_ends_a_reader_by_its_name(void **state) {
	(void)state;
	char text[200];
	if (!snw_sandbox_available()) {
		print_message("skipped: this kernel lacks Landlock or seccomp\n");
		skip();
	}
	const int ended = end_of_reader(execute, text);
	assert_true(WIFSIGNALED(ended));
	assert_int_equal(WTERMSIG(ended), SIGSYS);
	assert_string_equal(text, "it called execve, which no reader needs\n");
}

/* What a library may try, and does without. */
static const long FAILING[] = {
	SYS_mbind,
	SYS_mlock,
	SYS_munlock,
	SYS_get_mempolicy,
	SYS_set_mempolicy,
	SYS_tkill,
	SYS_getpriority,
	SYS_sched_getparam,
	SYS_sched_getscheduler,
	SYS_sched_get_priority_min,
	SYS_sched_get_priority_max,
	SYS_getgroups,
	SYS_getresuid,
	SYS_getresgid,
	SYS_eventfd2,
	SYS_memfd_create,
	SYS_socket,
	SYS_connect,
	SYS_fchmod,
	SYS_fchmodat,
	SYS_utimensat,
	SYS_mkdirat,
	SYS_setitimer,
	SYS_rt_sigtimedwait,
	SYS_preadv,
	SYS_pwritev,
#ifdef SYS_chmod
	SYS_chmod,
	SYS_mkdir,
	SYS_rmdir,
	SYS_alarm,
#endif
};

static int try_failing(void) {
	return all_end_with(EPERM, COUNT(FAILING), FAILING, 0) ? EPERM : 0;
}

static void call_that_libraries_do_without_fails_in_a_reader(void **state) {
	(void)state;
	char text[200];
	if (!snw_sandbox_available()) {
		print_message("skipped: this kernel lacks Landlock or seccomp\n");
		skip();
	}
	const int ended = end_of_reader(try_failing, text);
	assert_string_equal(text, "");
	assert_true(WIFEXITED(ended));
	assert_int_equal(WEXITSTATUS(ended), EPERM);
}

static void administration_and_the_scheduling_of_others_are_refused(void **state) {
	(void)state;
	if (!snw_sandbox_available()) {
		print_message("skipped: this kernel lacks Landlock or seccomp\n");
		skip();
	}
	assert_int_equal(try_after(mark_passed, administrate), EPERM);
	assert_int_equal(try_after(mark_passed, schedule_parent), EPERM);
	assert_int_equal(try_after(mark_passed, schedule_self), 0);
}

static int write_much(void) {
	const char bytes[4096] = {0};
	char path[1100];
	snprintf(path, sizeof path, "%s/much", writable);
	(void)snw_sandbox_enter(&(snw_sandbox){.writable = writable, .memory_bytes = (uint64_t)1 << 30});
	const int file = open(path, O_WRONLY | O_CREAT, 0600);
	const bool fits = pwrite(file, bytes, sizeof bytes, (1 << 30) - 4096) == sizeof bytes;
	const int error = fits && pwrite(file, bytes, sizeof bytes, 1 << 30) < 0 ? errno : 0;
	unlink(path);
	return error;
}

static void file_cannot_grow_over_the_limit(void **state) {
	(void)state;
	assert_int_equal(try_in_sandbox(write_much), EFBIG);
}

TEST_GROUP(sandbox) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_begin_with_a_dot_are_hidden),
		cmocka_unit_test(memory_that_no_limit_counts_is_refused),
		cmocka_unit_test(only_the_given_files_are_visible),
		cmocka_unit_test(what_the_libraries_read_stays_visible),
		cmocka_unit_test(modes_times_and_attributes_of_files_cannot_be_changed),
		cmocka_unit_test(other_programs_and_the_network_are_out_of_reach),
		cmocka_unit_test(unlisted_call_ends_a_reader_by_its_name),
		cmocka_unit_test(call_that_libraries_do_without_fails_in_a_reader),
		cmocka_unit_test(administration_and_the_scheduling_of_others_are_refused),
		cmocka_unit_test(file_cannot_grow_over_the_limit),
	};
	return cmocka_run_group_tests_name("sandbox", tests, make_folders, NULL);
}
