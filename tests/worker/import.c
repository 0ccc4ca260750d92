/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Imports in the worker: the same project as in this process and, on any failure, one clear line, the old file unchanged,
 * and no files left.
 */
#include "check.h"
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "file/file.h"
#include "message/message.h"
#include "project/project.h"
#include "worker/program/sandbox.h"
#include "worker/worker.h"

#ifdef __SANITIZE_ADDRESS__
#define UNDER_ASAN 1
#else
#define UNDER_ASAN 0
#endif

enum { MANY = 4000 }; /* frames of a sequence that takes long */

/* A square of `side` × `side` quads. */
static void write_grid(const char *path, int side) {
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	for (int y = 0; y <= side; y++) {
		for (int x = 0; x <= side; x++) {
			fprintf(file, "v %.6f %.6f 0\n", (double)x / side, (double)y / side);
		}
	}
	for (int y = 0; y < side; y++) {
		for (int x = 0; x < side; x++) {
			const int p = y * (side + 1) + x + 1;
			fprintf(file, "f %d %d %d %d\n", p, p + 1, p + side + 2, p + side + 1);
		}
	}
	fclose(file);
}

/* A sequence of very many frames, all of them one file; its pattern. Minutes of work, with a word for each frame. */
static const char *long_sequence(void) {
	static char pattern[1100];
	if (!pattern[0]) {
		char folder[1024], name[1100], grid[1100];
		snprintf(folder, sizeof folder, "%s", check_scratch("frames"));
		snprintf(grid, sizeof grid, "%s", check_scratch("grid.obj"));
		mkdir(folder, 0700);
		write_grid(grid, 60);
		for (int f = 0; f < MANY; f++) {
			snprintf(name, sizeof name, "%s/%d.obj", folder, f);
			assert_int_equal(symlink(grid, name), 0);
		}
		snprintf(pattern, sizeof pattern, "%s/*.obj", folder);
	}
	return pattern;
}

static void remove_long_sequence(void) {
	char name[1100];
	for (int f = 0; f < MANY; f++) {
		snprintf(name, sizeof name, "%.*s%d.obj", (int)(strlen(long_sequence()) - strlen("*.obj")), long_sequence(), f);
		unlink(name);
	}
}

static int count_entries(const char *folder) {
	DIR *list = opendir(folder);
	assert_non_null(list);
	int count = -2; /* "." and ".." */
	while (readdir(list)) {
		count++;
	}
	closedir(list);
	return count;
}

/* The output of a test in a folder of its own, with a file there that must survive. */
typedef struct output {
	char folder[1024], path[1100];
} output;

static output make_output(const char *name) {
	output o;
	snprintf(o.folder, sizeof o.folder, "%s", check_scratch(name));
	mkdir(o.folder, 0700);
	snprintf(o.path, sizeof o.path, "%s/p.sinew", o.folder);
	file_write(o.path, "old", 3);
	return o;
}

static void check_untouched(const output *o) {
	char bytes[8] = {0};
	FILE *file = fopen(o->path, "rb");
	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, sizeof bytes, file), 3);
	fclose(file);
	assert_string_equal(bytes, "old");
	assert_int_equal(count_entries(o->folder), 1);
}

static void check_fails_at(const output *o, const snw_import_request *request, const snw_worker_limits *limits,
						   const snw_task *task, snw_status status, const char *const *expected) {
	snw_error error = {0};
	assert_int_equal(snw_worker_import(request, o->path, limits, task, NULL, &error), status);
	for (; *expected; expected++) {
		if (!strstr(error.text, *expected)) {
			fail_msg("'%s' does not say '%s'", error.text, *expected);
		}
	}
	assert_null(strchr(error.text, '\n'));
	check_untouched(o);
}

static void check_fails(const snw_import_request *request, const snw_worker_limits *limits, const snw_task *task,
						snw_status status, const char *const *expected) {
	const output o = make_output("failing");
	check_fails_at(&o, request, limits, task, status, expected);
}

#define SAYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- the same ----------------------------------------------------------------------------------------------------------- */

static snw_bytes read_project(const char *path, snw_arena *arena) {
	snw_bytes bytes;
	snw_error error = {0};
	check_ok(snw_file_read(path, arena, &bytes, &error), error);
	return bytes;
}

/* The journal holds the second in which a project was written, so both have to fall into one. */
static void check_same_as_in_process(const snw_import_request *request) {
	char paths[2][1100];
	snprintf(paths[0], sizeof paths[0], "%s", check_scratch("worker.sinew"));
	snprintf(paths[1], sizeof paths[1], "%s", check_scratch("process.sinew"));
	snw_error error = {0};
	for (int attempt = 0; attempt < 20; attempt++) {
		snw_arena *arena = snw_arena_create();
		for (int i = 0; i < 2; i++) {
			const snw_worker_limits limits = {.in_process = i == 1};
			check_ok(snw_worker_import(request, paths[i], &limits, NULL, NULL, &error), error);
		}
		struct stat about;
		const mode_t mask = umask(0);
		umask(mask);
		assert_int_equal(stat(paths[0], &about), 0);
		assert_int_equal(about.st_mode & 0777, 0666 & ~mask);
		const snw_bytes a = read_project(paths[0], arena), b = read_project(paths[1], arena);
		const bool same = a.count == b.count && memcmp(a.data, b.data, a.count) == 0;
		snw_arena_destroy(arena);
		if (same) {
			return;
		}
	}
	fail_msg("the worker's project is not the one made in this process");
}

static void import_hands_over_the_checked_scene(void **state) {
	(void)state;
	char file[1100], path[1100], pattern[1100];
	for (int i = 0; i < 3; i++) {
		char name[40];
		snprintf(name, sizeof name, "counted-%d.obj", i);
		snprintf(file, sizeof file, "%s", check_scratch(name));
		write_grid(file, 20);
	}
	snprintf(path, sizeof path, "%s", check_scratch("counted.sinew"));
	snprintf(pattern, sizeof pattern, "%s", check_scratch("counted-*.obj"));
	const snw_import_request requests[2] = {{.file = file}, {.sequence = pattern}};
	snw_arena *arena = snw_arena_create();
	const char *folder = snw_path_absolute(arena, NULL, snw_path_folder(path, arena));
	for (int r = 0; r < 2; r++) {
		for (int in_process = 0; in_process < 2; in_process++) {
			const snw_worker_limits limits = {.in_process = in_process == 1};
			snw_scene *scene = NULL;
			snw_error error = {0};
			check_ok(snw_worker_import(&requests[r], path, &limits, NULL, &scene, &error), error);
			assert_int_equal(scene->mesh_count, 1);
			assert_int_equal(scene->meshes[0].point_count, 21 * 21);
			assert_int_equal(scene->skeleton.joint_count, 0);
			assert_int_equal(scene->clip_count, r);
			assert_int_equal(scene->target_count, r);
			assert_int_equal(r == 1 ? scene->targets[0].frame_count : 3, 3);
			assert_true(scene->meshes[0].id > 0);
			assert_string_equal(scene->folder, folder);
			snw_scene_destroy(scene);
		}
	}
	snw_scene *scene = NULL;
	const snw_import_request absent = {.file = check_scratch("absent.obj")};
	assert_true(snw_failed(snw_worker_import(&absent, path, NULL, NULL, &scene, NULL)));
	assert_null(scene);
	snw_arena_destroy(arena);
}

static void import_in_the_worker_equals_in_process(void **state) {
	(void)state;
	const char *grid = check_scratch("same.obj");
	write_grid(grid, 20);
	check_same_as_in_process(&(snw_import_request){.file = grid});
}

static void import_of_a_character_equals_in_process(void **state) {
	(void)state;
	check_same_as_in_process(&(snw_import_request){.file = check_data("small/tentacle.glb")});
}

static int notices, words;

static void count_notice(void *context, snw_log_level level, const char *line) {
	(void)context, (void)level;
	assert_non_null(strstr(line, "gone.mtl"));
	notices++;
}

static bool count_words(void *context, double fraction, const char *activity) {
	(void)context, (void)activity;
	assert_true(fraction >= 0 && fraction <= 1);
	words++;
	return true;
}

static void import_passes_notices_and_progress_on(void **state) {
	(void)state;
	const char *text = "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n";
	const char *path = check_scratch("noticed.obj");
	file_write(path, text, strlen(text));
	const snw_import_request request = {.file = path};
	const snw_task task = {.progress = count_words, .notice = count_notice};
	snw_error error = {0};
	check_ok(snw_worker_import(&request, check_scratch("noticed.sinew"), NULL, &task, NULL, &error), error);
	assert_int_equal(notices, 1);
	assert_true(words > 0);
}

/* ---- failures ------------------------------------------------------------------------------------------------------------ */

static void import_of_a_malformed_file_says_the_same_as_in_process(void **state) {
	(void)state;
	const char *path = check_scratch("malformed.obj");
	file_write(path, "v 0 0 nan\n", 10);
	check_fails(&(snw_import_request){.file = path}, NULL, NULL, SNW_ERROR_DATA, SAYS("malformed.obj:1:", "three finite"));
	check_fails(&(snw_import_request){.file = "/nowhere/at-all.obj"}, NULL, NULL, SNW_ERROR_IO, SAYS("at-all.obj"));
}

/* Eight zero bytes as a LightWave scene crash Assimp 5.2.5. */
static void import_that_crashes_is_one_line_and_leaves_nothing(void **state) {
	(void)state;
	char path[1100];
	snprintf(path, sizeof path, "%s", check_scratch("zeros.lws"));
	file_write(path, "\0\0\0\0\0\0\0", 8);
	const output o = make_output("crashing");
	snw_error error = {0};
	const snw_import_request request = {.file = path};
	const snw_status status = snw_worker_import(&request, o.path, NULL, NULL, NULL, &error);
	check_untouched(&o);
	if (status != SNW_ERROR_CRASH) {
		assert_true(snw_failed(status));
		print_message("skipped: this Assimp does not crash on it: %s\n", error.text);
		skip();
	}
	assert_non_null(strstr(error.text, "zeros.lws: the reader crashed ("));
	assert_non_null(strstr(error.text, "the file is malformed"));
	assert_null(strchr(error.text, '\n'));
	if (!UNDER_ASAN) {
		assert_non_null(strstr(error.text, "segmentation fault"));
	}
}

static void import_over_a_limit_is_stopped(void **state) {
	(void)state;
	const snw_import_request request = {.sequence = long_sequence()};
	check_fails(&request, &(snw_worker_limits){.total_seconds = 0.3}, NULL, SNW_ERROR_LIMIT,
				SAYS("*.obj", "longer than 0.3 s"));
	char big[1100];
	snprintf(big, sizeof big, "%s", check_scratch("big.obj"));
	write_grid(big, 700);
	const snw_import_request silent = {.file = big};
	check_fails(&silent, &(snw_worker_limits){.idle_seconds = 0.01}, NULL, SNW_ERROR_LIMIT,
				SAYS("big.obj", "reported nothing for 0.01"));
	if (!UNDER_ASAN) {
		check_fails(&silent, &(snw_worker_limits){.memory_bytes = 80 << 20}, NULL, SNW_ERROR_LIMIT, SAYS("big.obj", "80 MiB"));
	}
}

static bool stop_after_a_while(void *context, double fraction, const char *activity) {
	(void)activity;
	bool *begun = context;
	*begun = *begun || fraction > 0;
	return !*begun;
}

static void import_cancelled_midway_leaves_the_old_file(void **state) {
	(void)state;
	bool begun = false;
	const snw_task task = {.context = &begun, .progress = stop_after_a_while};
	const snw_import_request request = {.sequence = long_sequence()};
	check_fails(&request, NULL, &task, SNW_CANCELLED, SAYS("cancelled"));
	assert_true(begun);
}

/* False when frames are read after they were written: by the program, which checks the result. */
static bool stop_at_the_check(void *context, double fraction, const char *activity) {
	(void)fraction;
	bool *is_written = context;
	*is_written = *is_written || strcmp(activity, "writing frames") == 0;
	return !*is_written || strcmp(activity, "reading frames") != 0;
}

static void import_cancelled_while_its_result_is_checked_leaves_the_old_file(void **state) {
	(void)state;
	char frame[1100], pattern[1100];
	for (int i = 0; i < 3; i++) {
		char name[40];
		snprintf(name, sizeof name, "checked-%d.obj", i);
		snprintf(frame, sizeof frame, "%s", check_scratch(name));
		write_grid(frame, 4);
	}
	snprintf(pattern, sizeof pattern, "%s", check_scratch("checked-*.obj"));
	bool is_written = false;
	const snw_task task = {.context = &is_written, .progress = stop_at_the_check};
	const snw_worker_limits limits = {.in_process = true};
	check_fails(&(snw_import_request){.sequence = pattern}, &limits, &task, SNW_CANCELLED, SAYS("p.sinew: cancelled"));
	assert_true(is_written);
}

/* The worker does not react to an interrupt at the terminal, and is ended if it ignores a cancel. */
static void worker_that_does_not_listen_is_ended(void **state) {
	(void)state;
	char script[1100];
	snprintf(script, sizeof script, "%s", check_scratch("deaf"));
	const char *text = "#!/bin/sh\ntrap '' TERM\nexec 2>&-\nwhile :; do sleep 0.1; done\n";
	file_write(script, text, strlen(text));
	chmod(script, 0700);
	setenv("SINEW_WORKER", script, 1);
	const snw_import_request request = {.file = "any.obj"};
	check_fails(&request, &(snw_worker_limits){.idle_seconds = 0.1}, NULL, SNW_ERROR_LIMIT,
				SAYS("any.obj", "reported nothing"));
	unsetenv("SINEW_WORKER");
}

/* How often a worker that repeats this line silently has done so when it is stopped, with a limit of half a second of work. */
static long rounds_until_stopped(const char *line) {
	char script[1100], rounds[1100], text[2500];
	snprintf(script, sizeof script, "%s", check_scratch("quiet"));
	snprintf(rounds, sizeof rounds, "%s", check_scratch("rounds"));
	file_write(rounds, "", 0);
	const int length = snprintf(text, sizeof text, "#!/bin/sh\nexec 2>&-\nwhile :; do %s; echo >>'%s'; done\n", line, rounds);
	file_write(script, text, (size_t)length);
	chmod(script, 0700);
	setenv("SINEW_WORKER", script, 1);
	const snw_import_request request = {.file = "any.obj"};
	check_fails(&request, &(snw_worker_limits){.idle_seconds = 0.5}, NULL, SNW_ERROR_LIMIT,
				SAYS("any.obj", "reported nothing", "--seconds"));
	unsetenv("SINEW_WORKER");
	struct stat about;
	assert_int_equal(stat(rounds, &about), 0);
	return about.st_size;
}

/* On a busy machine a worker gets little processor time, so it gets more time by the clock: a round takes a fifth of the limit
 * by the clock, and little of it in work. */
static void worker_with_little_processor_time_gets_more_time(void **state) {
	(void)state;
	assert_true(rounds_until_stopped("i=0; while [ $i -lt 6000 ]; do i=$((i+1)); done; sleep 0.1") > 8);
}

static void worker_that_does_nothing_is_stopped_while_it_waits(void **state) {
	(void)state;
	assert_int_equal(rounds_until_stopped("sleep 600"), 0);
}

static void worker_that_is_no_worker_is_an_error(void **state) {
	(void)state;
	const snw_import_request request = {.file = "any.obj"};
	setenv("SINEW_WORKER", "/nowhere/sinew-worker", 1);
	check_fails(&request, NULL, NULL, SNW_ERROR_MISSING, SAYS("/nowhere/sinew-worker", "cannot start the worker"));
	setenv("SINEW_WORKER", "/bin/true", 1);
	check_fails(&request, NULL, NULL, SNW_ERROR_CRASH, SAYS("any.obj", "ended early"));
	char script[1100];
	snprintf(script, sizeof script, "%s", check_scratch("babble"));
	const char *text = "#!/bin/sh\necho 'a word before' >&2\necho 'this is no message, and it is long enough' >&3\nsleep 20\n";
	file_write(script, text, strlen(text));
	chmod(script, 0700);
	setenv("SINEW_WORKER", script, 1);
	check_fails(&request, NULL, NULL, SNW_ERROR_CRASH, SAYS("any.obj", "invalid message", "a word before"));
	unsetenv("SINEW_WORKER");
}

/* ---- an exploited worker ------------------------------------------------------------------------------------------------- */

/* A worker that reports success and leaves the result of `leave`, a line of shell, in "$made". */
static void check_result_refused(const char *leave, const char *expected) {
	char script[1100], answer[1100], text[4000];
	const output o = make_output("taken-over");
	const snw_message done = {.version = SNW_MESSAGE_VERSION, .kind = SNW_MESSAGE_DONE};
	snprintf(script, sizeof script, "%s", check_scratch("taken-over.sh"));
	snprintf(answer, sizeof answer, "%s", check_scratch("taken-over.done"));
	file_write(answer, &done, sizeof done);
	snprintf(text, sizeof text, "#!/bin/sh\nmade=$(echo '%s'.unfinished-*)/project.sinew\n%s\ncat '%s' >&3\n", o.path, leave,
			 answer);
	file_write(script, text, strlen(text));
	chmod(script, 0700);
	setenv("SINEW_WORKER", script, 1);
	check_fails_at(&o, &(snw_import_request){.file = "any.obj"}, NULL, NULL, SNW_ERROR_DATA, SAYS(expected, "p.sinew"));
	unsetenv("SINEW_WORKER");
	unlink(script);
}

static void result_that_is_no_project_never_takes_the_old_one_s_place(void **state) {
	(void)state;
	check_result_refused("true", "no regular file");
	check_result_refused("ln -s /etc/passwd \"$made\"", "no regular file");
	check_result_refused("mkfifo \"$made\"", "no regular file");
	check_result_refused("echo garbage > \"$made\"", "not a Sinew project");
	check_result_refused("echo garbage > \"$made\"; ln \"$made\" \"$made-2\"", "no regular file");
}

static void leftovers_of_killed_programs_are_swept(void **state) {
	(void)state;
	char grid[1100], folder[1200], file[1300], other[1200];
	snprintf(grid, sizeof grid, "%s", check_scratch("swept.obj"));
	write_grid(grid, 2);
	const output o = make_output("sweeping");
	snprintf(folder, sizeof folder, "%s.unfinished-aB3dE6", o.path);
	snprintf(file, sizeof file, "%s/project.sinew", folder);
	snprintf(other, sizeof other, "%s.backup", o.path); /* as long as a leftover's end, and the user's */
	mkdir(folder, 0700);
	file_write(file, "half", 4);
	file_write(other, "mine", 4);
	snw_error error = {0};
	check_ok(snw_worker_import(&(snw_import_request){.file = grid}, o.path, NULL, NULL, NULL, &error), error);
	assert_int_not_equal(access(folder, F_OK), 0);
	assert_int_equal(access(other, F_OK), 0);
	assert_int_equal(count_entries(o.folder), 2);
	unlink(other);
}

/* ---- the worker's process ------------------------------------------------------------------------------------------------ */

/* The score of this thread's worker in the choice of what is killed when memory runs out; -1 if there is none. */
static int worker_score(void) {
	char path[100];
	int worker = 0, score = -1;
	snprintf(path, sizeof path, "/proc/self/task/%ld/children", syscall(SYS_gettid));
	FILE *file = fopen(path, "r");
	if (file && fscanf(file, "%d", &worker) != 1) {
		worker = 0;
	}
	if (file) {
		fclose(file);
	}
	snprintf(path, sizeof path, "/proc/%d/oom_score_adj", worker);
	file = worker > 0 ? fopen(path, "r") : NULL;
	if (file && fscanf(file, "%d", &score) != 1) {
		score = -1;
	}
	if (file) {
		fclose(file);
	}
	return score;
}

static int highest_score;

static bool look_at_score(void *context, double fraction, const char *activity) {
	(void)context, (void)fraction, (void)activity;
	const int score = worker_score();
	highest_score = score > highest_score ? score : highest_score;
	return highest_score < 1000;
}

static void worker_is_killed_first_when_memory_runs_out(void **state) {
	(void)state;
	if (access("/proc/thread-self/children", R_OK) != 0) {
		print_message("skipped: this kernel does not list the children of a thread\n");
		skip();
	}
	const snw_task task = {.progress = look_at_score};
	const snw_import_request request = {.sequence = long_sequence()};
	snw_error error = {0};
	highest_score = -1;
	assert_int_equal(snw_worker_import(&request, check_scratch("scored.sinew"), NULL, &task, NULL, &error), SNW_CANCELLED);
	assert_int_equal(highest_score, 1000);
}

/* From here on this process and its children find no Landlock. */
static bool hide_landlock(void) {
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int sandbox_warnings;
static void count_sandbox_warnings(void *context, snw_log_level level, const char *line) {
	(void)context;
	sandbox_warnings += level == SNW_LOG_WARNING && strstr(line, "without a sandbox") != NULL;
}

static void missing_sandbox_is_said_once(void **state) {
	(void)state;
	if (!snw_sandbox_available()) {
		print_message("skipped: this kernel lacks Landlock or seccomp\n");
		skip();
	}
	char path[1100];
	snprintf(path, sizeof path, "%s", check_scratch("triangle.obj"));
	file_write(path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 32);
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0) {
		const snw_task task = {.notice = count_sandbox_warnings};
		bool done = hide_landlock();
		for (int i = 0; i < 2; i++) {
			const snw_import_request request = {.file = path};
			snw_arena *arena = snw_arena_create();
			snw_mesh mesh;
			done = done && !snw_failed(snw_worker_import(&request, check_scratch("bare.sinew"), NULL, &task, NULL, NULL)) &&
				   !snw_failed(snw_worker_read_mesh(path, NULL, &task, arena, &mesh, NULL));
			snw_arena_destroy(arena);
		}
		_exit(done ? sandbox_warnings : 100);
	}
	int ended = 0;
	assert_int_equal(waitpid(child, &ended, 0), child);
	assert_true(WIFEXITED(ended));
	assert_int_equal(WEXITSTATUS(ended), 1);
}

/* ---- the program is killed ----------------------------------------------------------------------------------------------- */

static bool die_midway(void *context, double fraction, const char *activity) {
	(void)context, (void)activity;
	if (fraction > 0) {
		kill(getpid(), SIGKILL);
	}
	return true;
}

static void worker_dies_with_the_program(void **state) {
	(void)state;
	const char *sequence = long_sequence();
	const output o = make_output("orphan");
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* so that the orphan becomes our child */
	const pid_t program = fork();
	if (program == 0) {
		const snw_task task = {.progress = die_midway};
		const snw_import_request request = {.sequence = sequence};
		snw_worker_import(&request, o.path, NULL, &task, NULL, NULL);
		_exit(0);
	}
	int ended = 0;
	assert_int_equal(waitpid(program, &ended, 0), program);
	assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
	pid_t worker = 0;
	for (int i = 0; i < 1000 && worker == 0; i++) {
		nanosleep(&(struct timespec){0, 10000000}, NULL);
		worker = waitpid(-1, &ended, WNOHANG);
	}
	assert_true(worker > 0); /* it was there, and has ended */
	assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_GROUP(import) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(import_hands_over_the_checked_scene),
		cmocka_unit_test(import_in_the_worker_equals_in_process),
		cmocka_unit_test(import_of_a_character_equals_in_process),
		cmocka_unit_test(import_passes_notices_and_progress_on),
		cmocka_unit_test(import_of_a_malformed_file_says_the_same_as_in_process),
		cmocka_unit_test(import_that_crashes_is_one_line_and_leaves_nothing),
		cmocka_unit_test(import_over_a_limit_is_stopped),
		cmocka_unit_test(import_cancelled_midway_leaves_the_old_file),
		cmocka_unit_test(import_cancelled_while_its_result_is_checked_leaves_the_old_file),
		cmocka_unit_test(worker_that_does_not_listen_is_ended),
		cmocka_unit_test(worker_with_little_processor_time_gets_more_time),
		cmocka_unit_test(worker_that_does_nothing_is_stopped_while_it_waits),
		cmocka_unit_test(worker_that_is_no_worker_is_an_error),
		cmocka_unit_test(result_that_is_no_project_never_takes_the_old_one_s_place),
		cmocka_unit_test(leftovers_of_killed_programs_are_swept),
		cmocka_unit_test(worker_is_killed_first_when_memory_runs_out),
		cmocka_unit_test(missing_sandbox_is_said_once),
		cmocka_unit_test(worker_dies_with_the_program),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_long_sequence();
	return failed;
}
