/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random numbers for tests. They start from $SINEW_TEST_SEED, or from 1: a run of the tests gives the same numbers again, and
 * ./test --long, which draws a new seed, says which. tests/cli/harness.py has the same for Python.
 */
#ifndef SINEW_TESTS_RANDOM_H
#define SINEW_TESTS_RANDOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The seed of this run. Printed, since a test that fails shows what it printed. */
static inline uint64_t random_seed(void) {
	static int printed;
	const char *given = getenv("SINEW_TEST_SEED");
	const uint64_t seed = given && *given ? strtoull(given, NULL, 0) : 1;
	if (!printed++) {
		printf("random numbers: repeat with SINEW_TEST_SEED=%llu\n", (unsigned long long)seed);
		fflush(stdout); /* also where the program crashes next */
	}
	return seed;
}

/* splitmix64: every state, also 0, begins a good sequence. */
static inline uint64_t random_next(uint64_t *state) {
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* 0 to bound - 1; 0 where the bound is 0. */
static inline uint32_t random_below(uint64_t *state, size_t bound) {
	return bound ? (uint32_t)(random_next(state) % bound) : 0;
}

static inline double random_between(uint64_t *state, double low, double high) {
	return low + (high - low) * ((double)(random_next(state) >> 11) / 9007199254740992.0);
}

#endif
