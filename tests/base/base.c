/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/numbers.h"
#include "file/file.h"
#include "task/task.h"

#include "check.h"

#include "files.h"
#include "sinew/kit/clock.h"

static void arena_memory_is_zeroed_aligned_and_apart(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	unsigned char *before = NULL;
	for (size_t bytes = 1; bytes < 300000; bytes = bytes * 3 + 1) {
		unsigned char *memory = snw_arena_acquire(arena, bytes);
		assert_int_equal((uintptr_t)memory % 64, 0);
		for (size_t i = 0; i < bytes; i++) {
			assert_int_equal(memory[i], 0);
		}
		memset(memory, 0xff, bytes);
		if (before) {
			assert_int_equal(before[0], 0xff);
		}
		before = memory;
	}
	assert_string_equal(snw_arena_format(arena, "%s-%d", "a", 7), "a-7");
	assert_null(snw_arena_text(arena, NULL));
	snw_arena_destroy(arena);
	snw_arena_destroy(NULL);
}

static void status_words_come_from_the_table(void **state) {
	(void)state;
	assert_string_equal(snw_status_words(SNW_OK), "done");
	assert_string_equal(snw_status_words(SNW_ERROR_SINGULAR), "met a singular system");
	assert_string_equal(snw_status_words(12345), "returned a status that is not in the table");
	assert_int_equal(snw_fail(NULL, SNW_ERROR_IO, "nobody listens"), SNW_ERROR_IO);
}

static void long_errors_keep_their_ends(void **state) {
	(void)state;
	static char path[3001];
	snw_error error = {0};
	for (int i = 0; i < 3000; i++) {
		path[i] = "é"[i % 2];
	}
	(void)snw_fail(&error, SNW_ERROR_IO, "%s: cannot be opened", path);
	assert_true(strlen(error.text) > sizeof error.text - 5 && strlen(error.text) < sizeof error.text);
	assert_non_null(strstr(error.text, "é…é"));
	assert_string_equal(strstr(error.text, ": "), ": cannot be opened");
}

static void natural_order_counts_numbers_by_value(void **state) {
	(void)state;
	char *names[] = {"f10.obj", "f2.obj", "f1.obj", "f01.obj", "e9", "f2b.obj", "f100000000000000000000000.obj"};
	snw_natural_sort(names, 7);
	const char *const wanted[] = {"e9", "f01.obj", "f1.obj", "f2.obj", "f2b.obj", "f10.obj", "f100000000000000000000000.obj"};
	for (int i = 0; i < 7; i++) {
		assert_string_equal(names[i], wanted[i]);
	}
	assert_true(snw_natural_compare("B2", "a10") < 0);
	assert_true(snw_natural_compare_ignoring_case("B2", "a10") > 0);
	assert_true(snw_natural_compare_ignoring_case("A2", "a10") < 0);
	assert_true(snw_natural_compare_ignoring_case("A2", "a2") != 0);
}

static void numbers_are_sorted_and_checked(void **state) {
	(void)state;
	double numbers[] = {2, -1, 0.5, 2};
	snw_sort_numbers(NULL, 0);
	snw_sort_numbers(numbers, 4);
	for (int i = 1; i < 4; i++) {
		assert_true(numbers[i - 1] <= numbers[i]);
	}
	assert_true(snw_all_finite(numbers, 4) && snw_all_finite(NULL, 0));
	numbers[2] = (double)INFINITY;
	assert_int_equal(snw_first_not_finite(numbers, 4), 2);
	numbers[1] = (double)NAN;
	assert_int_equal(snw_first_not_finite(numbers, 4), 1);
	assert_false(snw_all_finite(numbers, 4));
}

static void file_write_shows_nothing_before_commit_and_all_after(void **state) {
	(void)state;
	snw_error error = {0};
	snw_arena *arena = snw_arena_create();
	const char *path = check_scratch("written.txt");
	file_write(path, "old", 3);
	snw_file_write *file;
	snw_bytes bytes;
	check_ok(snw_file_write_begin(path, &file, &error), error);
	fputs("new words", snw_file_write_stream(file));
	check_ok(snw_file_read(path, arena, &bytes, &error), error);
	assert_string_equal(bytes.data, "old");
	check_ok(snw_file_write_commit(file, &error), error);
	check_ok(snw_file_read(path, arena, &bytes, &error), error);
	assert_string_equal(bytes.data, "new words");
	assert_int_equal(bytes.count, 9);

	check_ok(snw_file_write_begin(path, &file, &error), error);
	char *temporary = snw_arena_text(arena, snw_file_write_path(file));
	fputs("never", snw_file_write_stream(file));
	assert_true(snw_file_exists(temporary));
	snw_file_write_abandon(file);
	assert_false(snw_file_exists(temporary));
	check_ok(snw_file_read(path, arena, &bytes, &error), error);
	assert_string_equal(bytes.data, "new words");
	unlink(path);
	snw_arena_destroy(arena);
}

static void file_that_cannot_be_read_or_written_is_named(void **state) {
	(void)state;
	snw_error error = {0};
	snw_arena *arena = snw_arena_create();
	snw_bytes bytes;
	snw_file_write *file;
	assert_int_equal(snw_file_read("/nowhere/at/all", arena, &bytes, &error), SNW_ERROR_IO);
	assert_non_null(strstr(error.text, "/nowhere/at/all"));
	assert_int_equal(snw_file_read("/tmp", arena, &bytes, &error), SNW_ERROR_IO);
	assert_non_null(strstr(error.text, "regular file"));
	const char *pipe_path = check_scratch("pipe");
	assert_int_equal(mkfifo(pipe_path, 0600), 0);
	assert_int_equal(snw_file_read(pipe_path, arena, &bytes, &error), SNW_ERROR_IO);
	assert_non_null(strstr(error.text, "regular file"));
	unlink(pipe_path);
	assert_int_equal(snw_file_write_begin("/nowhere/at/all", &file, &error), SNW_ERROR_IO);
	assert_non_null(strstr(error.text, "/nowhere/at/all"));
	snw_arena_destroy(arena);
}

static void file_beyond_a_limit_is_not_read(void **state) {
	(void)state;
	snw_error error = {0};
	snw_arena *arena = snw_arena_create();
	snw_bytes bytes;
	const char *path = check_scratch("large");
	file_write(path, "begins", 6);
	assert_int_equal(truncate(path, 3 << 20), 0);
	check_ok(snw_file_read_limited(path, 3 << 20, arena, &bytes, &error), error);
	assert_int_equal(bytes.count, 3 << 20);
	assert_int_equal(snw_file_read_limited(path, 2 << 20, arena, &bytes, &error), SNW_ERROR_LIMIT);
	assert_non_null(strstr(error.text, "large: larger than 2 MiB"));
	assert_int_equal(truncate(path, (off_t)SNW_FILE_LIMIT + 1), 0); /* none of it takes room on the disk */
	assert_int_equal(snw_file_read(path, arena, &bytes, &error), SNW_ERROR_LIMIT);
	assert_non_null(strstr(error.text, "large: larger than 4 GiB"));
	unlink(path);
	snw_arena_destroy(arena);
}

static void path_sequence_finds_frames_in_natural_order(void **state) {
	(void)state;
	snw_error error = {0};
	snw_arena *arena = snw_arena_create();
	for (int i = 12; i > 0; i--) {
		char name[32];
		snprintf(name, sizeof name, "frame%d.txt", i);
		file_write(check_scratch(name), "x", 1);
	}
	char **paths;
	size_t count;
	check_ok(snw_path_sequence(check_scratch("frame*.txt"), arena, &paths, &count, &error), error);
	assert_int_equal(count, 12);
	assert_string_equal(snw_path_name(paths[1]), "frame2.txt");
	assert_string_equal(snw_path_name(paths[11]), "frame12.txt");
	for (size_t i = 0; i < count; i++) {
		unlink(paths[i]);
	}
	assert_int_equal(snw_path_sequence(check_scratch("frame*.txt"), arena, &paths, &count, &error), SNW_ERROR_MISSING);
	assert_int_equal(snw_path_sequence("no star", arena, &paths, &count, &error), SNW_ERROR_ARGUMENT);
	assert_string_equal(snw_path_extension("a.b/c"), "");
	assert_string_equal(snw_path_extension("a/b.c.obj"), "obj");
	assert_string_equal(snw_path_join(arena, "a/", "b"), "a/b");
	assert_string_equal(snw_path_join(arena, "a", "b"), "a/b");
	snw_arena_destroy(arena);
}

enum { COUNT = 100003 };

typedef struct sums {
	double values[COUNT];
	uint32_t visits[COUNT];
	uint32_t grain;
} sums;

static void visit(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	sums *s = argument;
	assert_true(thread < snw_parallel_thread_count());
	assert_int_equal(begin % s->grain, 0);
	double sum = 0;
	for (uint32_t i = begin; i < end; i++) {
		sum += 1.0 / (i + 1);
		s->values[i] = sum;
		s->visits[i]++;
	}
}

static void parallel_for_gives_the_same_bits_for_any_number_of_threads(void **state) {
	(void)state;
	sums *one = calloc(1, sizeof *one), *many = calloc(1, sizeof *many);
	one->grain = many->grain = 777;
	snw_parallel_threads(1);
	snw_parallel_for(COUNT, 777, visit, one);
	const uint32_t threads[] = {2, 3, 8, 0};
	for (int t = 0; t < 4; t++) {
		snw_parallel_threads(threads[t]);
		memset(many->visits, 0, sizeof many->visits);
		snw_parallel_for(COUNT, 777, visit, many);
		assert_memory_equal(one->values, many->values, sizeof one->values);
		for (uint32_t i = 0; i < COUNT; i++) {
			assert_int_equal(many->visits[i], 1);
		}
	}
	free(one);
	free(many);
}

static void visit_nested(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)begin;
	(void)end;
	(void)thread;
	sums *s = argument;
	snw_parallel_for(10, 3, visit, s);
}

static void parallel_for_runs_a_nested_call_in_the_caller(void **state) {
	(void)state;
	sums *s = calloc(1, sizeof *s);
	s->grain = 3;
	snw_parallel_threads(1);
	snw_parallel_for(4, 1, visit_nested, s);
	assert_int_equal(s->visits[9], 4);
	snw_parallel_for(0, 1, visit_nested, s);
	assert_int_equal(s->visits[9], 4);
	free(s);
	snw_parallel_threads(0);
}

static void missing_task_never_stops(void **state) {
	(void)state;
	assert_true(snw_task_progress(NULL, 0.5, "work"));
	snw_task_notice(NULL, SNW_LOG_INFO, "silence");
}

/* Two callers whose first chunks wait for each other: a pool that served one caller after the other would deadlock. */
typedef struct meeting {
	atomic_bool has_begun;
	struct meeting *other;
	bool has_met;
	double *sums;
} meeting;

enum { MEETING_COUNT = 100000, MEETING_GRAIN = 500 };

static void meet(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	meeting *m = argument;
	if (begin == 0) {
		atomic_store(&m->has_begun, true);
		const double until = snk_clock_seconds() + 10;
		while (!atomic_load(&m->other->has_begun) && snk_clock_seconds() < until) {
			sched_yield();
		}
		m->has_met = atomic_load(&m->other->has_begun);
	}
	double sum = 0;
	for (uint32_t i = begin; i < end; i++) {
		sum += 1 / (1.0 + i);
	}
	m->sums[begin / MEETING_GRAIN] = sum;
}

static void *call_parallel_for(void *argument) {
	snw_parallel_for(MEETING_COUNT, MEETING_GRAIN, meet, argument);
	return NULL;
}

static void parallel_for_serves_two_callers_at_once(void **state) {
	(void)state;
	enum { CHUNKS = MEETING_COUNT / MEETING_GRAIN };
	static double alone[CHUNKS], both[2][CHUNKS];
	const uint32_t counts[] = {1, 2, 4};
	meeting single = {.sums = alone};
	single.other = &single;
	call_parallel_for(&single);
	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
		snw_parallel_threads(counts[k]);
		for (int round = 0; round < 50; round++) {
			meeting a = {.sums = both[0]}, b = {.sums = both[1]};
			a.other = &b;
			b.other = &a;
			memset(both, 0, sizeof both);
			pthread_t second;
			assert_int_equal(pthread_create(&second, NULL, call_parallel_for, &b), 0);
			call_parallel_for(&a);
			pthread_join(second, NULL);
			assert_true(a.has_met && b.has_met);
			assert_memory_equal(both[0], alone, sizeof alone);
			assert_memory_equal(both[1], alone, sizeof alone);
		}
	}
	snw_parallel_threads(0);
}

/* ---- text ------------------------------------------------------------------------------------------------------------- */

static void letters_and_control_characters_are_distinguished(void **state) {
	(void)state;
	static const struct {
		const char *text;
		size_t letter, control;
	} rows[] = {
		{"a", 1, 0},        {"\xc3\xa4", 2, 0}, {"\xe2\x82\xac", 3, 0}, {"\xf0\x9f\x98\x80", 4, 0}, {"", 0, 1},
		{"\x1b", 1, 1},     {"\x7f", 1, 1},     {"\xc2\x9b", 2, 2},     {"\xc2\xa0", 2, 0},         {"\x9b", 0, 0},
		{"\xc3", 0, 0},     {"\xc0\x80", 0, 0}, {"\xe0\x80\x80", 0, 0}, {"\xed\xa0\x80", 0, 0},     {"\xf4\x90\x80\x80", 0, 0},
		{"\xe2\x82", 0, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(snw_text_letter(rows[i].text), rows[i].letter);
		assert_int_equal(snw_text_control(rows[i].text), rows[i].control);
	}
	char text[] = "a\x1b[2J\xc2\x9bz\xff\xc3\xa4";
	assert_true(snw_text_clean(text, '_'));
	assert_string_equal(text, "a_[2J_z_\xc3\xa4");
	assert_false(snw_text_clean(text, '_'));
	assert_string_equal(text, "a_[2J_z_\xc3\xa4");
}

static void positive_systems_are_solved_and_others_refused(void **state) {
	(void)state;
	double a[9] = {4, 1, 0.5, 1, 3, 0.25, 0.5, 0.25, 2}, sides[6] = {7.5, 7.75, 7, 4, 1, 0.5};
	assert_true(snw_solve_positive(3, 2, a, sides));
	const double solutions[6] = {1, 2, 3, 1, 0, 0};
	for (int i = 0; i < 6; i++) {
		check_near(sides[i], solutions[i], 1e-12);
	}
	assert_false(snw_solve_positive(1, 1, (double[]){-1}, (double[]){1}));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_and_control_characters_are_distinguished),
		cmocka_unit_test(arena_memory_is_zeroed_aligned_and_apart),
		cmocka_unit_test(status_words_come_from_the_table),
		cmocka_unit_test(long_errors_keep_their_ends),
		cmocka_unit_test(natural_order_counts_numbers_by_value),
		cmocka_unit_test(numbers_are_sorted_and_checked),
		cmocka_unit_test(file_write_shows_nothing_before_commit_and_all_after),
		cmocka_unit_test(file_that_cannot_be_read_or_written_is_named),
		cmocka_unit_test(file_beyond_a_limit_is_not_read),
		cmocka_unit_test(path_sequence_finds_frames_in_natural_order),
		cmocka_unit_test(parallel_for_gives_the_same_bits_for_any_number_of_threads),
		cmocka_unit_test(parallel_for_runs_a_nested_call_in_the_caller),
		cmocka_unit_test(parallel_for_serves_two_callers_at_once),
		cmocka_unit_test(missing_task_never_stops),
		cmocka_unit_test(positive_systems_are_solved_and_others_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
