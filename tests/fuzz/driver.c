/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzzing with any compiler: mutates the seeds of a target, and says with which number each run can be had again. libFuzzer,
 * which follows what the code does, finds more (libfuzzer.c).
 *
 *   fuzz TARGET [--runs N] [--from SEED] [FILE…]     FILE: read each as it is, instead
 *   fuzz --list
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/scratch.h"
#include "fuzz/targets.h"
#include "mutate.h"

enum { LONGEST_RUN_SECONDS = 30 };

static int list_targets(void) {
	const fuzz_target *target;
	for (unsigned i = 0; (target = fuzz_target_at(i)); i++) {
		puts(target->name);
	}
	return 0;
}

static void read_files(const fuzz_target *target, char **paths, int count) {
	for (int i = 0; i < count; i++) {
		size_t length;
		unsigned char *bytes = file_as_seed(paths[i], &length);
		target->read(bytes, length);
		free(bytes);
	}
}

/* For the handler, which may not format: the whole line, written before each run. */
static char current_run[200];
static volatile size_t current_run_length;

static void note_run(const char *target, uint64_t seed) {
	const int length = snprintf(current_run, sizeof current_run, "it ended here: repeat with 'fuzz %s --runs 1 --from %llu'\n",
								target, (unsigned long long)seed);
	current_run_length = length > 0 && (size_t)length < sizeof current_run ? (size_t)length : sizeof current_run - 1;
}

static void say_which(int number) {
	if (write(STDERR_FILENO, current_run, current_run_length) >= 0) {
		signal(number, SIG_DFL);
	}
	raise(number);
}

static void watch(void) {
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		signal(numbers[i], say_which);
	}
}

static void mutate_seeds(const fuzz_target *target, uint64_t from, uint64_t runs) {
	for (uint64_t seed = from; seed < from + runs; seed++) {
		size_t count, mutated_count = 0;
		unsigned char *bytes = target->seed((unsigned)(seed % target->seed_count), &count);
		unsigned char *mutated = mutate_copy(bytes, count, seed, &mutated_count);
		note_run(target->name, seed);
		alarm(LONGEST_RUN_SECONDS);
		target->read(mutated, mutated_count);
		alarm(0);
		free(mutated);
		free(bytes);
	}
}

int main(int count, char **arguments) {
	if (count > 1 && strcmp(arguments[1], "--list") == 0) {
		return list_targets();
	}
	const fuzz_target *target = count > 1 ? fuzz_target_find(arguments[1]) : NULL;
	if (!target) {
		fprintf(stderr, "usage: fuzz TARGET [--runs N] [--from SEED] [FILE…], or fuzz --list\n");
		return 2;
	}
	uint64_t runs = 1000, from = random_seed();
	int at = 2;
	for (; at + 1 < count && strncmp(arguments[at], "--", 2) == 0; at += 2) {
		*(strcmp(arguments[at], "--runs") == 0 ? &runs : &from) = strtoull(arguments[at + 1], NULL, 10);
	}
	watch();
	if (at < count) {
		read_files(target, arguments + at, count - at);
	} else {
		printf("%s: %llu runs from seed %llu\n", target->name, (unsigned long long)runs, (unsigned long long)from);
		mutate_seeds(target, from, runs);
	}
	return 0;
}
