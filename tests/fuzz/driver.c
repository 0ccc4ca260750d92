/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzzing with any compiler: mutates the seeds of a target, and prints the number with which a run can be repeated. libFuzzer, which is
 * guided by coverage, finds more (libfuzzer.c).
 *
 *   fuzz TARGET [--runs N] [--from SEED] [FILE…]     FILE: read these unchanged instead
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

/* The current run, for the signal handlers. */
static const char *current_target;
static volatile uint64_t current_seed;

static void say_which(int number) {
	char line[200];
	const int length = snprintf(line, sizeof line, "signal %d: repeat with 'fuzz %s --runs 1 --from %llu'\n", number,
								current_target, (unsigned long long)current_seed);
	if (write(STDERR_FILENO, line, (size_t)length) == length) {
		signal(number, SIG_DFL);
	}
	raise(number);
}

static void watch(const char *target) {
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
	current_target = target;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		signal(numbers[i], say_which);
	}
}

static void mutate_seeds(const fuzz_target *target, uint64_t from, uint64_t runs) {
	for (uint64_t seed = from; seed < from + runs; seed++) {
		size_t count, mutated_count = 0;
		unsigned char *bytes = target->seed((unsigned)(seed % target->seed_count), &count);
		unsigned char *mutated = mutate_copy(bytes, count, seed, &mutated_count);
		current_seed = seed;
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
	watch(target->name);
	if (at < count) {
		read_files(target, arguments + at, count - at);
	} else {
		printf("%s: %llu runs from seed %llu\n", target->name, (unsigned long long)runs, (unsigned long long)from);
		mutate_seeds(target, from, runs);
	}
	return 0;
}
